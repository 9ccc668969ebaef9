/**
 * Bounds of a number that grows while another is used up, as the year of a date while days are added month by month:
 * `while (days > 0) { days -= length; if (++month > 12) year++; }`. A round adds at most `k` to the one, and there is
 * no round once the other has come to its end. If each round takes one or more from the other, `growing + k * falling`
 * never rises, and is bounded by what both begin with. How much a round takes may rest on invariants that are not known
 * yet: Houdini judges. Read off the program, as candidates. The growing number is a variable, or lies in memory at a
 * place that no round changes.
 */
import * as L from '../../../logic/build';
import { substitute, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { rangeOf } from '../../../logic/bounds/wordRanges';
import { postOrder } from '../../../logic/traverse';
import type { WordIntervals } from '../../../logic/bounds/wordIntervals';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { type Amount, amountOf, literal, wide } from './accumulators';
import { candidatesOfRounds, intervalsUnder, type LoopRound, startsBetween } from './loopRounds';
import type { Cutpoint } from '../../transitionSystem/cutpoint';

const limits = {
  /** Numbers of either kind at one loop. */
  growing: 3,
  falling: 2,
  /** Numbers that a variable is compared with. */
  compared: 2,
  /** The most that a round adds: products of larger numbers may wrap around 64 bits. */
  amount: 1n << 20n,
  /** Bits of a number. */
  width: 32,
} as const;

interface NumberInRound {
  readonly term: Term;
  readonly signed: boolean;
  /** Added by a round, as far as it is known. */
  readonly amount?: Amount | undefined;
}

interface Growing extends NumberInRound {
  readonly amount: Amount;
}

export const boundedGrowth = (system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> =>
  candidatesOfRounds(system, (round) => boundsIn(round, system));

function boundsIn(round: LoopRound, system: TransitionSystem): readonly Term[] {
  const { end, after } = round;
  const within = intervalsUnder([end.guard], [end.guard, ...after.values()]);
  const falling = fallingIn(round, within, system);
  if (falling.length === 0) return [];
  return growingIn(round, within, system).flatMap((growing) =>
    falling
      .filter(({ term, amount }) => {
        // Numbers that move against each other by as much in each round are all that `keptSums` is about.
        const isSteady = amount !== undefined && isOne(amount) && isOne(growing.amount);
        const isKept = isSteady && growing.term.kind === 'symbol' && !isStatic(term, system);
        return term !== growing.term && !isKept;
      })
      .flatMap((one) => boundsOf(growing, one, round, system)),
  );
}

/** Variables that a round changes, and that are above a bound while there are rounds. */
function fallingIn({ after }: LoopRound, within: WordIntervals, system: TransitionSystem): readonly NumberInRound[] {
  return [...after]
    .flatMap(([symbol, value]): readonly NumberInRound[] => {
      const variable = numberOf(symbol, system);
      if (!variable || value === symbol) return [];
      const signedness = L.signednessOf(variable);
      if (within.of(symbol)[signedness].low <= rangeOf(signedness, L.widthOf(symbol)).low) return [];
      const amount = amountOf(symbol, value, within);
      return amount && amount.low >= 0n ? [] : [{ ...variable, amount }];
    })
    .slice(0, limits.falling);
}

function growingIn(round: LoopRound, within: WordIntervals, system: TransitionSystem): readonly Growing[] {
  return changedIn(round, system)
    .flatMap(({ term, signed }): readonly Growing[] => {
      const amount = amountOf(term, substitute(term, round.after), within);
      if (!amount || (amount.low < 0n && amount.high > 0n) || isOne(amount, 0n)) return [];
      return amount.low >= -limits.amount && amount.high <= limits.amount ? [{ term, signed, amount }] : [];
    })
    .slice(0, limits.growing);
}

/** Variables that a round changes, and numbers in memory that it writes. */
function changedIn({ after }: LoopRound, system: TransitionSystem): readonly NumberInRound[] {
  return [...after].flatMap(([symbol, value]): readonly NumberInRound[] => {
    if (value === symbol || symbol.kind !== 'symbol') return [];
    const variable = numberOf(symbol, system);
    if (variable) return [variable];
    const meaning = system.vocabulary.meaning(symbol);
    const role = meaning?.kind === 'memory' ? meaning.memory.role : undefined;
    if (role?.kind !== 'slot' || role.slot === 'byte' || role.slot.type.kind !== 'integer') return [];
    if (role.slot.type.widthBits > limits.width || symbol.sort.kind !== 'array') return [];
    const { signed } = role.slot.type;
    const isSteady = (place: Term): boolean => [...symbolsOf(place)].every((one) => after.get(one) === one);
    return [...placesWritten(value)].filter(isSteady).map((place) => ({ term: L.select(symbol, place), signed }));
  });
}

function numberOf(
  symbol: Term,
  { vocabulary }: TransitionSystem,
): (NumberInRound & { readonly term: SymbolTerm }) | undefined {
  const meaning = vocabulary.meaning(symbol);
  if (symbol.kind !== 'symbol' || meaning?.kind !== 'variable') return undefined;
  const { type, temporary } = meaning.variable;
  if (temporary || type.kind !== 'integer' || type.widthBits > limits.width) return undefined;
  return { term: symbol, signed: type.signed };
}

const isOne = ({ low, high }: Amount, value = low): boolean => low === value && high === value;

function placesWritten(array: Term): ReadonlySet<Term> {
  if (L.isApplication(array, 'ite')) return new Set(array.args.slice(1).flatMap((side) => [...placesWritten(side)]));
  if (!L.isApplication(array, 'store')) return new Set();
  return new Set([array.args[1]!, ...placesWritten(array.args[0]!)]);
}

/** With what it takes to keep the bound: the least of either, and the most of what is used up. */
function boundsOf(growing: Growing, falling: NumberInRound, { point }: LoopRound, system: TransitionSystem): Term[] {
  const starts = ({ term, signed }: NumberInRound) => startsBetween(term, point, system, L.signednessOf({ signed }));
  const first = starts(growing);
  const { high } = starts(falling);
  const ends = high === undefined ? comparedWith(falling.term, system) : [high];
  return ends.flatMap((most) => boundsFrom(growing, falling, first, most));
}

/** Numbers that the program compares a static variable with: its bound between calls may be one of them. */
function comparedWith(number: Term, system: TransitionSystem): readonly bigint[] {
  if (!isStatic(number, system)) return [];
  const found = new Set<bigint>();
  for (const atom of postOrder(system.transitions.flatMap(({ ends }) => ends.map(({ guard }) => guard)))) {
    if (atom.kind !== 'apply' || atom.sort.kind !== 'boolean' || !atom.args.includes(number)) continue;
    for (const one of atom.args) if (one.kind === 'bits') found.add(BigInt.asIntN(one.sort.width, one.value));
  }
  return [...found].filter((value) => value > 0n).slice(0, limits.compared);
}

function isStatic(number: Term, { vocabulary }: TransitionSystem): boolean {
  const meaning = vocabulary.meaning(number);
  return meaning?.kind === 'variable' && meaning.variable.scope === 'global';
}

function boundsFrom(
  growing: Growing,
  falling: NumberInRound,
  first: ReturnType<typeof startsBetween>,
  most: bigint,
): Term[] {
  const [grown, left] = [wide(growing.term, growing), wide(falling.term, falling)];
  const { low, high } = growing.amount;
  const sum = (amount: bigint): Term => L.add(grown, L.mul(literal(amount), left));
  return [
    L.sle(left, literal(most)),
    ...(first.low !== undefined && low >= 0n ? [L.sle(literal(first.low), grown)] : []),
    ...(first.high !== undefined && high <= 0n ? [L.sle(grown, literal(first.high))] : []),
    ...(first.high !== undefined && high > 0n ? [L.sle(sum(high), literal(first.high + high * most))] : []),
    ...(first.low !== undefined && low < 0n ? [L.sle(literal(first.low + low * most), sum(low))] : []),
  ].filter((term) => term.kind !== 'boolean');
}
