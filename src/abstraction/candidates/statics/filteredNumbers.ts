/**
 * Bounds of a number that a module's calls move towards their inputs, as filters do: `y += (x - y) / 8` keeps `y`
 * between the least and the most that `x` can be, and `sum += x - sum / 8` keeps `sum` between 8 times either. The
 * inputs are the parts of the new value that do not depend on the old one; their intervals under the conditions on the
 * way, with the number's first value, are candidates for what holds between calls. Read off the program.
 */
import * as L from '../../../logic/build';
import { symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { max, min, rangeOf } from '../../../logic/bounds/wordRanges';
import type { Interval } from '../../../logic/bounds/assertedBounds';
import { postOrder } from '../../../logic/traverse';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { intervalsUnder } from '../rounds/loopRounds';
import { integerTypeOf } from './staticConditions';
import { startValues } from './startStates';

const limits = {
  /** Numbers of one module. */
  numbers: 6,
  /** Divisors in the new values of one number. */
  divisors: 3,
  /** Nodes of a new value that are looked at. */
  nodes: 400,
} as const;

/** The new values of a number, with the conditions under which a segment computes them. */
interface Update {
  readonly value: Term;
  readonly conditions: readonly Term[];
}

/** The same at every control point, for the client's to be kept on the way; none for a program. */
export function filteredNumbers(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const { client, points } = system;
  if (!client) return new Map();
  const start = startValues(system);
  const candidates = [...updatesIn(client, system)].slice(0, limits.numbers).flatMap(([number, updates]) => {
    const { signed } = integerTypeOf(number, system)!;
    return boundsOf(number, updates, signed, start(number));
  });
  return new Map(candidates.length === 0 ? [] : points.map((point) => [point, candidates]));
}

/** Static numbers that some segment computes from their old value. */
function updatesIn({ fn }: Cutpoint, system: TransitionSystem): ReadonlyMap<SymbolTerm, readonly Update[]> {
  const { vocabulary, transitions } = system;
  const numbers = vocabulary
    .symbolsFor(fn)
    .filter((symbol) => symbol.sort.kind === 'bits' && integerTypeOf(symbol, system) !== undefined);
  const found = new Map<SymbolTerm, Update[]>();
  for (const { from, kind, axioms, ends } of transitions) {
    if (!from || kind !== 'segment') continue;
    for (const { point, state, guard } of ends) {
      const values = vocabulary.binding(point.fn, state);
      for (const number of numbers) {
        const value = values.get(number);
        if (!value || value === number) continue;
        found.set(number, [...(found.get(number) ?? []), { value, conditions: [...axioms, guard] }]);
      }
    }
  }
  return new Map([...found].filter(([number, updates]) => updates.some(({ value }) => divides(value, number))));
}

/** The new value has a quotient of something with the old one. */
const divides = (value: Term, number: SymbolTerm): boolean =>
  postOrder([value]).some((part) => divisorOf(part) !== undefined && symbolsOf(part).has(number));

/** For a quotient by a constant; a quotient by a power of two leaves out the last bits. */
function divisorOf(term: Term): bigint | undefined {
  if (L.isApplication(term, 'signed-divide') || L.isApplication(term, 'unsigned-divide')) {
    const by = term.args[1]!;
    return by.kind === 'bits' && by.value >= 2n ? by.value : undefined;
  }
  if (!L.isApplication(term, 'zero-extend') && !L.isApplication(term, 'sign-extend')) return undefined;
  const [part] = term.args;
  if (!part || !L.isApplication(part, 'extract')) return undefined;
  const whole = part.args[0]!;
  return L.widthOf(whole) === L.widthOf(term) ? 1n << BigInt(L.widthOf(whole) - L.widthOf(part)) : undefined;
}

function boundsOf(number: SymbolTerm, updates: readonly Update[], signed: boolean, first: bigint): readonly Term[] {
  const width = L.widthOf(number);
  const signedness = signed ? 'signed' : 'unsigned';
  const all = rangeOf(signedness, width);
  const inputs = updates.flatMap(({ value, conditions }): readonly Interval[] => {
    const parts = inputsOf(value, number);
    const within = intervalsUnder(conditions, parts);
    return parts.map((part) => within.of(part)[signedness]).filter(({ low, high }) => low > all.low || high < all.high);
  });
  if (inputs.length === 0) return [];
  const start = signed ? BigInt.asIntN(width, first) : first;
  const { low, high } = inputs.reduce((a, b) => ({ low: min(a.low, b.low), high: max(a.high, b.high) }));
  const divisors = new Set(updates.flatMap(({ value }) => postOrder([value]).flatMap((part) => divisorOf(part) ?? [])));
  const atMost = signed ? L.sle : L.ule;
  const literal = (n: bigint): Term => L.bits(BigInt.asUintN(width, n), width);
  return [1n, ...[...divisors].slice(0, limits.divisors)].flatMap((times) => {
    const [least, most] = [min(start, times * low), max(start, times * high)];
    return [
      ...(least > all.low ? [atMost(literal(least), number)] : []),
      ...(most < all.high ? [atMost(number, literal(most))] : []),
    ];
  });
}

/** The largest parts of a new value, of the number's width, that do not depend on the old one; no constants. */
function inputsOf(value: Term, number: SymbolTerm): readonly Term[] {
  const found = new Set<Term>();
  const seen = new Set<Term>();
  const work = [value];
  while (work.length > 0 && seen.size < limits.nodes) {
    const part = work.pop()!;
    if (seen.has(part)) continue;
    seen.add(part);
    const isWord = part.sort.kind === 'bits' && part.sort.width === L.widthOf(number);
    if (isWord && !symbolsOf(part).has(number)) {
      if (part.kind !== 'bits') found.add(part);
    } else if (part.kind === 'apply') {
      work.push(...(L.isApplication(part, 'ite') ? part.args.slice(1) : part.args));
    }
  }
  return [...found];
}
