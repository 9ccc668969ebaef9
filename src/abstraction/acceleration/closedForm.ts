/**
 * The state after any number of rounds of a phase (S. Bardin, A. Finkel, J. Leroux, L. Petrucci, "FAST: acceleration
 * from theory to practice", STTT 2008, for words that wrap around). A round may
 *
 *   keep a word,
 *   add a number to it that no round changes: x + n * c,
 *   add a number to it that moves itself: s + n * e + n (n - 1) / 2 * c, modulo the word,
 *   compute it from others of these: after a round it is the value at the round before.
 *
 * Anything else has a fresh value, as long as the phase's guard does not read it.
 */
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { toSigned } from '../../logic/words/words';
import type { FreshSymbols } from '../../semantics/symbolic/symbolicValues';
import { isUnchanged, motionOf, type Movement, type Unwrapped, zeroOf } from './motion';
import type { Phase } from './phases';

/** Number of rounds, in bits; more rounds than `mostRounds` are too long to be run. */
export const roundBits = 34;
const limits = {
  mostRounds: 1n << 33n,
} as const;

export interface ClosedForm {
  readonly phase: Phase;
  readonly movement: Movement;
  /** Sums of what moves: by how much they grow in the first round, and by how much that grows. */
  readonly sums: ReadonlyMap<Term, { readonly first: Term; readonly growth: Term }>;
  /** Values computed from others. */
  readonly computed: ReadonlyMap<Term, Term>;
  readonly unknown: ReadonlySet<Term>;
  /** Words that must not wrap around for this to be so. */
  readonly unwrapped: readonly Unwrapped[];
}

/** Undefined when nothing moves, or the guard reads what has no closed form. */
export function closedFormOf(phase: Phase): ClosedForm | undefined {
  const form = formOf(phase);
  const { movement, sums, unknown } = form;
  if (movement.steps.size === 0 && sums.size === 0) return undefined;
  const isUnknown = (term: Term): boolean => [...symbolsOf(term)].some((s) => unknown.has(s) || !phase.after.has(s));
  return phase.guard.some(isUnknown) ? undefined : form;
}

/** The change of each symbol by the phase's rounds. */
export function formOf(phase: Phase): ClosedForm {
  const { after } = phase;
  const unchanged = new Set<Term>();
  const open = new Set<Term>();
  for (const [symbol, value] of after) (symbol === value ? unchanged : open).add(symbol);
  const steps = new Map<Term, Term>();
  const sums = new Map<Term, { first: Term; growth: Term }>();
  const computed = new Map<Term, Term>();
  const unwrapped: Unwrapped[] = [];
  const movement: Movement = { unchanged, steps };
  const isClosed = (symbol: Term): boolean => after.has(symbol) && !open.has(symbol);
  for (let changed = true; changed;) {
    changed = false;
    for (const symbol of open) {
      const value = after.get(symbol)!;
      const motion = symbol.sort.kind === 'bits' ? motionOf(L.sub(value, symbol), movement) : undefined;
      if (motion) {
        const first = L.sub(value, symbol);
        if (motion.step === zeroOf(symbol) && isUnchanged(first, movement)) steps.set(symbol, first);
        else sums.set(symbol, { first, growth: motion.step });
        unwrapped.push(...motion.unwrapped);
      } else if ([...symbolsOf(value)].every(isClosed)) computed.set(symbol, value);
      else continue;
      open.delete(symbol);
      changed = true;
    }
  }
  return { phase, movement, sums, computed, unknown: open, unwrapped };
}

/** Some number of rounds of a phase at once: `values` holds if `guard` does. All over the state before. */
export interface Jump {
  readonly guard: Term;
  readonly values: ReadonlyMap<Term, Term>;
}

/**
 * `rounds`: a word of `roundBits`. The guard says that the phase's own holds in the first of them and in the last; it
 * holds between them, too, if it is made of comparisons of words that move: these are linear as long as they do not
 * wrap around, and what is linear is below a bound in an interval of rounds.
 */
export function jump(form: ClosedForm, rounds: Term, symbols: FreshSymbols): Jump {
  const state = new StateAfter(form, symbols);
  const last = L.sub(rounds, L.bits(1n, roundBits));
  const { guard } = form.phase;
  const atLast = substituteAll(guard, state.after(last));
  const parts = guard.map((term, i) => L.and(term, atLast[i]!, ...between(term, form.movement, last)));
  return {
    guard: L.or(
      L.eq(rounds, L.bits(0n, roundBits)),
      L.and(
        L.ule(rounds, L.bits(limits.mostRounds, roundBits)),
        ...parts,
        ...form.unwrapped.map((unwrapped) => staysUnwrapped(unwrapped, last)),
      ),
    ),
    values: state.after(rounds),
  };
}

/** Makes a part of the guard hold between the first round and the last, too, where that can be said. */
function between(term: Term, movement: Movement, last: Term): readonly Term[] {
  const [atom, isTrue] = L.isApplication(term, 'not') ? [term.args[0]!, false] : [term, true];
  if (atom.kind !== 'apply' || atom.args[0]?.sort.kind !== 'bits') return [];
  const [a, b] = atom.args as [Term, Term];
  switch (atom.operator) {
    case 'unsigned-less':
    case 'unsigned-less-equal':
      return [a, b].flatMap((word) => withoutWrapping(word, 'unsigned', movement, last));
    case 'signed-less':
    case 'signed-less-equal':
      return [a, b].flatMap((word) => withoutWrapping(word, 'signed', movement, last));
    case 'eq':
      return isTrue ? [] : staysApart(L.sub(a, b), movement, last);
    default:
      return [];
  }
}

function withoutWrapping(word: Term, signedness: L.Signedness, movement: Movement, last: Term): readonly Term[] {
  const motion = motionOf(word, movement);
  if (!motion || motion.step === zeroOf(word)) return [];
  return [...motion.unwrapped, { word, step: motion.step, signed: signedness === 'signed' }].map((one) =>
    staysUnwrapped(one, last),
  );
}

function staysUnwrapped({ word: moving, step, signed }: Unwrapped, last: Term): Term {
  const width = L.widthOf(moving);
  const { way, fits } = distanceAfter(step, last);
  const wide = L.widthOf(way);
  const extended = signed ? L.signExtend(moving, wide) : L.zeroExtend(moving, wide);
  const end = L.add(extended, way);
  const limit = (value: bigint): Term => L.bits(BigInt.asUintN(wide, value), wide);
  const [least, most] = signed
    ? [-(1n << BigInt(width - 1)), (1n << BigInt(width - 1)) - 1n]
    : [0n, (1n << BigInt(width)) - 1n];
  return L.and(fits, L.sle(limit(least), end), L.sle(end, limit(most)));
}

/** A difference that must not become 0: the last round comes before it would pass 0, or wrap around. */
function staysApart(difference: Term, movement: Movement, last: Term): readonly Term[] {
  const motion = motionOf(difference, movement);
  if (!motion || motion.step === zeroOf(difference)) return [];
  const { way, fits } = distanceAfter(motion.step, last);
  const wide = L.widthOf(way);
  const up = L.zeroExtend(L.neg(difference), wide);
  const down = L.zeroExtend(difference, wide);
  return [
    ...motion.unwrapped.map((one) => staysUnwrapped(one, last)),
    fits,
    L.ite(L.sle(L.bits(0n, wide), way), L.slt(way, up), L.slt(L.neg(way), down)),
  ];
}

/**
 * The way that a word goes in so many rounds, without wrapping around, in a word that is wide enough. `fits`: the way
 * is no longer than the word is wide, without which nothing is gained by a long product.
 */
function distanceAfter(step: Term, rounds: Term): { readonly way: Term; readonly fits: Term } {
  const width = L.widthOf(step);
  if (step.kind !== 'bits') {
    const wide = width + roundBits + 2;
    return { way: L.mul(L.signExtend(step, wide), word(rounds, wide)), fits: L.TRUE };
  }
  const size = toSigned(step.value, width);
  const wide = width + 2;
  if (size === 0n) return { way: L.bits(0n, wide), fits: L.TRUE };
  const most = ((1n << BigInt(width)) - 1n) / (size < 0n ? -size : size);
  const fits = most < 1n << BigInt(roundBits) ? L.ule(rounds, L.bits(most, roundBits)) : L.TRUE;
  return { way: L.mul(L.signExtend(step, wide), word(rounds, wide)), fits };
}

/** Rounds as a word of another width. */
function word(rounds: Term, width: number): Term {
  if (width > roundBits) return L.zeroExtend(rounds, width);
  return width === roundBits ? rounds : L.extract(width - 1, 0, rounds);
}

/** Values after so many rounds. */
class StateAfter {
  private readonly computed = new Map<string, Term>();
  private readonly unknown: readonly (readonly [Term, Term])[];

  constructor(
    private readonly form: ClosedForm,
    symbols: FreshSymbols,
  ) {
    this.unknown = [...form.unknown].map((symbol) => [symbol, symbols.fresh('unknown', symbol.sort)]);
  }

  after(rounds: Term): ReadonlyMap<Term, Term> {
    const { movement, sums, computed } = this.form;
    const closed = [...movement.steps.keys(), ...sums.keys(), ...computed.keys()];
    return new Map([
      ...closed.map((symbol): [Term, Term] => [symbol, this.value(symbol, rounds)]),
      ...this.unknown.map(([symbol, value]): [Term, Term] => [symbol, value]),
    ]);
  }

  private value(symbol: Term, rounds: Term): Term {
    const { movement, sums, computed } = this.form;
    const step = movement.steps.get(symbol);
    if (step) return L.add(symbol, L.mul(word(rounds, L.widthOf(symbol)), step));
    const sum = sums.get(symbol);
    if (sum) {
      const width = L.widthOf(symbol);
      return L.add(symbol, L.mul(word(rounds, width), sum.first), L.mul(pairs(rounds, width), sum.growth));
    }
    const value = computed.get(symbol);
    if (!value) return symbol;
    const key = `${symbol.id} ${rounds.id}`;
    let found = this.computed.get(key);
    if (!found) {
      const before = L.sub(rounds, L.bits(1n, roundBits));
      const known = new Map([...symbolsOf(value)].map((read): [Term, Term] => [read, this.value(read, before)]));
      found = L.ite(L.eq(rounds, L.bits(0n, roundBits)), symbol, substituteAll([value], known)[0]!);
      this.computed.set(key, found);
    }
    return found;
  }
}

/** n (n - 1) / 2, modulo the word: the product is even, and one bit more than the word decides the half's. */
function pairs(rounds: Term, width: number): Term {
  const n = word(rounds, width + 1);
  return L.extract(width, 1, L.mul(n, L.sub(n, L.bits(1n, width + 1))));
}
