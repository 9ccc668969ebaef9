/**
 * The bounds that accesses ask for, as conditions of the states in which their segment begins: behind a loop that
 * copies `n` elements to the end of a buffer, `buf[len + n]` asks that `len + n` is less than the size of what `buf`
 * leads to. It held in front of the loop, which knows how large the buffer was made, and nothing that the loop does
 * changes it. Said at loops and behind calls, of sizes of objects alone. No sample is needed to guess them; Houdini is
 * the judge.
 */
import { sizeOf, symbolsOf } from '../../../logic/symbols';
import type { SymbolTerm, Term } from '../../../logic/term';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Vocabulary } from '../../../semantics/symbolic/vocabulary';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** At one control point. */
  bounds: 8,
  /** Nodes of one. */
  nodes: 40,
} as const;

export function bufferBounds({
  transitions,
  vocabulary,
  memoryModel,
}: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const sizes = vocabulary.symbolOf(memoryModel.size);
  const found = new Map<Cutpoint, Set<Term>>();
  for (const { from, segment } of transitions) {
    if (!segment || (from?.kind !== 'loop' && from?.kind !== 'return')) continue;
    const known = new Set<Term>(vocabulary.symbolsFor(from.fn));
    const terms = found.get(from) ?? new Set();
    found.set(from, terms);
    for (const { condition } of segment.obligations)
      for (const bound of conjuncts(condition)) {
        const symbols = [...symbolsOf(bound)];
        if (
          terms.size < limits.bounds &&
          symbols.some((symbol) => symbol === sizes) &&
          symbols.some((symbol) => isNumber(symbol, vocabulary)) &&
          sizeOf(bound) <= limits.nodes &&
          symbols.every((symbol) => known.has(symbol))
        )
          terms.add(bound);
      }
  }
  return new Map([...found].map(([point, terms]) => [point, [...terms]]));
}

/** An access at a fixed place has none. */
function isNumber(symbol: SymbolTerm, vocabulary: Vocabulary): boolean {
  const meaning = vocabulary.meaning(symbol);
  if (meaning?.kind === 'variable') return meaning.part === 'value';
  return meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot' && meaning.memory.role.part === 'value';
}
