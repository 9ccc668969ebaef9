/**
 * Loop shrinking (see `residual.ts`): the conditions that checks ask behind a loop, or in it, claimed of the loop's
 * residual runs. The last loop comes first; what its entry has to establish is a claim at the loops before it.
 */
import { asksOfObjects } from '../../abstraction/candidates/arrays/elementConditions';
import { placesIn } from '../../abstraction/candidates/rounds/loopRounds';
import type { TransitionEnd, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import { sizeOf, substitute, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Check } from '../../program/command';
import type { FunctionDefinition } from '../../program/program';
import { conjuncts } from '../../semantics/symbolic/segment';
import { type LoopClaim, formulaOf, freeSymbols, inState, boundSymbol } from './claim';
import { mentionsNumbers, type NumberedLoop, numberedLoops } from './numberedLoop';
import { residualClaims, type ResidualClaim } from './residual';

const limits = {
  /** Claims at one loop. */
  claims: 8,
  /** Nodes of a check's condition. */
  size: 120,
  /** Numbers bound in a claim that earlier loops have to establish. */
  numbers: 2,
} as const;

/** Most rounds that residual runs are made of. */
export const mostRounds = 4;

/** Fewer for claims of elements, of which each may be that of any round. */
export const mostRoundsOf = ({ bound, asking }: LoopClaim): number =>
  bound.length > (asking ? 1 : 0) ? 2 : mostRounds;

export class Shrinking {
  private all: readonly NumberedLoop[];
  /** At the loops' entries. */
  private readonly wanted = new Map<NumberedLoop, readonly LoopClaim[]>();

  constructor(
    fn: FunctionDefinition,
    private readonly system: TransitionSystem,
    private readonly open: ReadonlySet<Check>,
  ) {
    this.all = numberedLoops(fn, system);
  }

  get loops(): readonly NumberedLoop[] {
    return this.all;
  }

  /** Leaves out of the loop's guard what follows from the rest, in any state. */
  trim(loop: NumberedLoop, guard: readonly Term[]): NumberedLoop {
    const trimmed = { ...loop, guard };
    this.all = this.all.map((one) => (one === loop ? trimmed : one));
    return trimmed;
  }

  /** The claims of a loop. Ask for the last loop's first, and settle each before the next. */
  claimsOf(loop: NumberedLoop): readonly LoopClaim[] {
    const own = this.claimsAskedOf(loop);
    const later = this.system.transitions
      .filter(({ from }) => from === loop.point)
      .flatMap(({ ends }) => ends.flatMap((end) => this.handedOn(loop, end)));
    const all = [...own, ...later];
    return different([...all.flatMap((claim) => this.premisesOf(claim, loop)), ...all]).slice(0, limits.claims);
  }

  /** Bounds of variables under which a claim is asked, such as those of an index: without them it may not be kept. */
  private premisesOf({ body, checks }: LoopClaim, loop: NumberedLoop): readonly LoopClaim[] {
    const cases = L.isApplication(body, 'or') ? body.args.map((part) => L.not(part)) : [];
    return cases
      .filter((part) => isOrder(part) && this.readsNothing(part) && changes(part, loop))
      .flatMap((part) => this.knownClaims({ bound: [], range: [], body: part, checks }, loop));
  }

  /** The candidates of a claim at the loop's head, with residual runs of at most so many rounds. */
  candidates(claim: LoopClaim, loop: NumberedLoop, rounds: number): readonly ResidualClaim[] {
    return different(
      Array.from({ length: rounds + 1 }, (_, some) => residualClaims(claim, loop, some, this.system)).flat(),
    );
  }

  /** `candidates`: those that a round keeps. What they ask of the loop's entry is for the loops before it. */
  settle(loop: NumberedLoop, candidates: readonly ResidualClaim[]): void {
    const wanted = candidates.filter(({ bound, isOfRoundsOver }) => !isOfRoundsOver && bound.length <= limits.numbers);
    this.wanted.set(loop, wanted);
  }

  /** The conditions of checks in the loop, of any of its rounds, and of those behind it. */
  private claimsAskedOf(loop: NumberedLoop): readonly LoopClaim[] {
    return this.system.transitions
      .filter(({ from }) => from === loop.point)
      .flatMap(({ segment }) => segment?.obligations ?? [])
      .flatMap(({ guard, condition, check }) => {
        if (guard === L.FALSE || !this.open.has(check) || asksOfObjects(condition, this.system)) return [];
        const parts = conjuncts(guard).filter((part) => !asksOfObjects(part, this.system));
        const isNumbered = (part: Term): boolean => mentionsNumbers(part, loop) && this.readsNothing(part);
        if (parts.some((part) => isNumbered(part) && loop.guard.includes(L.not(part))))
          return this.behind(loop, parts, condition, check);
        const inside = this.inside(loop, parts, condition, check);
        // Inputs of a round end the loop, or are what the check is about.
        return loop.guard.some(isNumbered) ? inside : [...inside, ...this.behind(loop, parts, condition, check)];
      });
  }

  private inside(loop: NumberedLoop, parts: readonly Term[], condition: Term, check: Check): readonly LoopClaim[] {
    const asking = { symbol: boundSymbol(0, loop.counter.symbol.sort), signed: loop.counter.signed };
    const body = L.implies(L.and(...parts), condition);
    return this.knownClaims({ bound: [asking], range: [], body, checks: new Set([check]), asking }, loop);
  }

  /** A check behind the loop that reads an element by a number which the loop leaves alone may read any. */
  private behind(loop: NumberedLoop, parts: readonly Term[], condition: Term, check: Check): readonly LoopClaim[] {
    const body = L.implies(L.and(...parts.filter((part) => !mentionsNumbers(part, loop))), condition);
    const claim: LoopClaim = { bound: [], range: [], body, checks: new Set([check]) };
    const places = placesIn([body], this.system).flatMap(({ offset }) => [...symbolsOf(offset)]);
    const numbers = [...new Set(places)].filter((symbol) => (loop.after.get(symbol) ?? symbol) === symbol);
    const general = numbers
      .filter((number) => number.sort.kind === 'bits')
      .map((number): LoopClaim => {
        const symbol = boundSymbol(0, number.sort);
        return { ...claim, bound: [{ symbol, signed: true }], body: substitute(body, new Map([[number, symbol]])) };
      });
    return [claim, ...general].flatMap((one) => this.knownClaims(one, loop));
  }

  /** The needs of a later loop's entry, in the state in which this loop is left for it. */
  private handedOn(loop: NumberedLoop, end: TransitionEnd): readonly LoopClaim[] {
    const later = this.loops.find(({ point }) => point === end.point);
    if (!later || later === loop) return [];
    const values = this.system.vocabulary.binding(loop.point.fn, end.state);
    const parts = conjuncts(end.guard).filter(
      (part) => !asksOfObjects(part, this.system) && !mentionsNumbers(part, loop) && this.isOfState(part, loop),
    );
    return (this.wanted.get(later) ?? []).flatMap((claim) => {
      const { body, range, ...rest } = inState(claim, values);
      return this.knownClaims({ ...rest, body, range: [...parts, ...range] }, loop);
    });
  }

  private readsNothing(term: Term): boolean {
    return placesIn([term], this.system).length === 0;
  }

  private isOfState(term: Term, { after }: NumberedLoop): boolean {
    return [...symbolsOf(term)].every((symbol) => after.has(symbol));
  }

  private knownClaims(claim: LoopClaim, { after }: NumberedLoop): readonly LoopClaim[] {
    const isOfState = [...freeSymbols(claim)].every((symbol) => after.has(symbol));
    return claim.body.kind !== 'boolean' && isOfState && sizeOf(claim.body) <= limits.size ? [claim] : [];
  }
}

function different<T extends LoopClaim>(claims: readonly T[]): readonly T[] {
  return [...new Map(claims.map((claim) => [formulaOf(claim), claim])).values()].filter(
    (claim) => formulaOf(claim).kind !== 'boolean',
  );
}

function isOrder(condition: Term): boolean {
  const atom = L.isApplication(condition, 'not') ? condition.args[0]! : condition;
  return atom.kind === 'apply' && /less/u.test(atom.operator);
}

/** That some round may change its value, which its numbers alone do not decide. */
const changes = (condition: Term, loop: NumberedLoop): boolean =>
  !mentionsNumbers(condition, loop) &&
  [...symbolsOf(condition)].some((symbol) => loop.after.has(symbol) && loop.after.get(symbol) !== symbol);
