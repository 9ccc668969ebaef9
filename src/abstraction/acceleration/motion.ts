/**
 * Motion of words while a loop goes round: a word moves when each round adds the same number to it. Sums, multiples,
 * truncations of moving words move, too, modulo the word; extensions move as long as what they extend does not wrap
 * around.
 */
import * as L from '../../logic/build';
import { linearOf } from '../../logic/words/linear';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';

/** A word that must not wrap around, read as a number of that kind, for the motion of another one. */
export interface Unwrapped {
  readonly word: Term;
  readonly step: Term;
  readonly signed: boolean;
}

export interface Motion {
  /** Added by each round, modulo the word; a term over what no round changes. */
  readonly step: Term;
  readonly unwrapped: readonly Unwrapped[];
}

/** Symbols that a round leaves as they are, and those that it adds a number to. */
export interface Movement {
  readonly unchanged: ReadonlySet<Term>;
  readonly steps: ReadonlyMap<Term, Term>;
}

export const zeroOf = (word: Term): Term => L.bits(0n, L.widthOf(word));

export const isUnchanged = (term: Term, { unchanged }: Movement): boolean =>
  [...symbolsOf(term)].every((symbol) => unchanged.has(symbol));

/** Undefined when rounds change the word in another manner. */
export function motionOf(word: Term, movement: Movement): Motion | undefined {
  if (isUnchanged(word, movement)) return { step: zeroOf(word), unwrapped: [] };
  const own = movement.steps.get(word);
  if (own) return { step: own, unwrapped: [] };
  const { monomials } = linearOf(word);
  const [first] = monomials;
  if (first && (monomials.length > 1 || first.atom !== word)) {
    const width = L.widthOf(word);
    let step: Term = L.bits(0n, width);
    const unwrapped: Unwrapped[] = [];
    for (const { coefficient, atom } of monomials) {
      const motion = motionOf(atom, movement);
      if (!motion) return undefined;
      step = L.add(step, L.mul(L.bits(coefficient, width), motion.step));
      unwrapped.push(...motion.unwrapped);
    }
    return { step, unwrapped };
  }
  if (L.isApplication(word, 'multiply')) return productMotion(word.args, movement);
  if (L.isApplication(word, 'zero-extend') || L.isApplication(word, 'sign-extend')) {
    const inner = word.args[0]!;
    const motion = motionOf(inner, movement);
    if (!motion) return undefined;
    const signed = word.operator === 'sign-extend';
    return {
      step: L.signExtend(motion.step, L.widthOf(word)),
      unwrapped: [...motion.unwrapped, { word: inner, step: motion.step, signed }],
    };
  }
  if (L.isApplication(word, 'extract') && word.parameters[1] === 0) {
    const motion = motionOf(word.args[0]!, movement);
    return motion && { ...motion, step: L.extract(word.parameters[0]!, 0, motion.step) };
  }
  return undefined;
}

/** The motion of a product in which all factors but one stay as they are. */
function productMotion(factors: readonly Term[], movement: Movement): Motion | undefined {
  const moving = factors.filter((factor) => !isUnchanged(factor, movement));
  if (moving.length !== 1) return undefined;
  const motion = motionOf(moving[0]!, movement);
  const others = factors.filter((factor) => factor !== moving[0]);
  return motion && { ...motion, step: L.mul(motion.step, ...others) };
}
