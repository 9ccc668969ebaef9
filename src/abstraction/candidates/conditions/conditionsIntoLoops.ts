/**
 * Conditions under which a loop is entered, as the step to its head has them, said of the head's states: what a
 * function called on the way has tested, as `if (!is_valid(*date)) return;`, as far as it is part of that step. A round
 * may change what they are about and restore them: a date that moves to the first of a month is valid again. No sample
 * is needed to guess them.
 */
import * as L from '../../../logic/build';
import { sizeOf, symbolsOf } from '../../../logic/symbols';
import type { Term } from '../../../logic/term';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** At one loop. */
  conditions: 12,
  /** Nodes of one. Tables of constants are part of it. */
  nodes: 96,
} as const;

export function conditionsIntoLoops(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, readonly Term[]>();
  for (const { from, ends } of system.transitions)
    for (const { point, guard } of ends) {
      // Loops within this one come behind its head.
      if (point.kind !== 'loop' || from?.fn !== point.fn || from.location.index >= point.location.index) continue;
      const terms = conjuncts(guard).filter((term) => isWorthTrying(term, point, system));
      found.set(point, [...new Set([...(found.get(point) ?? []), ...terms])].slice(-limits.conditions));
    }
  return found;
}

/** About numbers in memory: what is said of variables was tested by the function itself. */
function isWorthTrying(term: Term, { fn }: Cutpoint, { vocabulary }: TransitionSystem): boolean {
  const symbols = [...symbolsOf(term)];
  const known = new Set<Term>(vocabulary.symbolsFor(fn));
  const readsNumber = symbols.some((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot';
  });
  return term !== L.TRUE && readsNumber && symbols.every((symbol) => known.has(symbol)) && sizeOf(term) <= limits.nodes;
}
