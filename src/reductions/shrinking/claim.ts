/** Conditions of elements that checks ask, as loop shrinking carries them from loop to loop. */
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import type { Check } from '../../program/command';

/** For all `bound` with `range`: `body`. Over the state at a loop's head, or before it. */
export interface LoopClaim {
  readonly bound: readonly BoundNumber[];
  readonly range: readonly Term[];
  readonly body: Term;
  /** Checks that need it. */
  readonly checks: ReadonlySet<Check>;
  /** The number of the round that asks it, before that round does anything, if it is asked inside the loop. */
  readonly asking?: BoundNumber;
}

export interface BoundNumber {
  readonly symbol: SymbolTerm;
  readonly signed: boolean;
}

export const formulaOf = ({ bound, range, body }: LoopClaim): Term =>
  L.forall(
    bound.map(({ symbol }) => symbol),
    L.implies(L.and(...range), body),
  );

/** Symbols of the state. */
export function freeSymbols({ bound, range, body }: LoopClaim): ReadonlySet<Term> {
  const free = new Set<Term>([body, ...range].flatMap((term) => [...symbolsOf(term)]));
  for (const { symbol } of bound) free.delete(symbol);
  return free;
}

/** The claim as one of the state that these values are read from. */
export function inState(claim: LoopClaim, values: ReadonlyMap<Term, Term>): LoopClaim {
  const [body, ...range] = substituteAll([claim.body, ...claim.range], values);
  return { ...claim, body: body!, range };
}

/** A name for a further number; those of one claim are different. */
export const boundSymbol = (position: number, sort: SymbolTerm['sort']): SymbolTerm => L.symbol(`?k${position}`, sort);
