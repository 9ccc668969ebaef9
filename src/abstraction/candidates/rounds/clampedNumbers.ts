/**
 * Numbers that the code before a loop limits: `if (count > room) count = room;`. The bound is tested on one way alone,
 * but what comes out is the smaller of two words, or the larger. A bound may read members of structures, as what is
 * left of a buffer, of which no sample of single numbers tells. Read off the program, as candidates.
 */
import * as L from '../../../logic/build';
import { ordersOf } from '../../../logic/bounds/assertedBounds';
import { sizeOf, symbolsOf } from '../../../logic/symbols';
import type { Term } from '../../../logic/term';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** At one loop. */
  candidates: 8,
  /** Nodes of a bound. */
  nodes: 48,
} as const;

export function clampedNumbers(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, Set<Term>>();
  for (const { from, kind, ends } of system.transitions) {
    if (kind !== 'segment') continue;
    for (const { point, state } of ends) {
      if (point.kind !== 'loop' || point === from) continue;
      const after = system.vocabulary.binding(point.fn, state);
      const isKept = (bound: Term): boolean =>
        [...symbolsOf(bound)].every((symbol) => (after.get(symbol) ?? symbol) === symbol);
      const candidates = [...after].flatMap(([symbol, value]) =>
        boundsOf(value)
          .filter(({ bound }) => sizeOf(bound) <= limits.nodes && isKept(bound))
          .map(({ bound, isUpper, atMost }) => (isUpper ? atMost(symbol, bound) : atMost(bound, symbol))),
      );
      const before = found.get(point) ?? [];
      found.set(point, new Set([...before, ...candidates].slice(0, limits.candidates)));
    }
  }
  return new Map([...found].map(([point, terms]) => [point, [...terms]]));
}

interface ClampBound {
  readonly bound: Term;
  readonly isUpper: boolean;
  readonly atMost: (a: Term, b: Term) => Term;
}

/** Both words of which the value is the smaller, or the larger. */
function boundsOf(value: Term): readonly ClampBound[] {
  if (!L.isApplication(value, 'ite') || value.sort.kind !== 'bits') return [];
  const [condition, chosen, other] = value.args as readonly [Term, Term, Term];
  return ordersOf(condition).flatMap(({ lower, upper, signedness }) => {
    const isUpper = lower === chosen && upper === other;
    if (!isUpper && !(lower === other && upper === chosen)) return [];
    const atMost = signedness === 'signed' ? L.sle : L.ule;
    return [chosen, other].map((bound) => ({ bound, isUpper, atMost }));
  });
}
