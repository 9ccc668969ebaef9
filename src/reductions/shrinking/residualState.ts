/** The state that some rounds of a loop lead to, over the state at its head. */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { NumberedLoop } from './numberedLoop';

export class ResidualState {
  private values: ReadonlyMap<Term, Term> = new Map();
  private readonly guard: readonly Term[];

  constructor(
    private readonly loop: NumberedLoop,
    system: TransitionSystem,
  ) {
    const known = new Set<Term>(system.vocabulary.symbolsFor(loop.point.fn));
    this.guard = loop.guard.filter((part) => [...symbolsOf(part)].every((symbol) => known.has(symbol)));
  }

  /** The conditions under which the round of that number goes round. */
  enters(number: Term): readonly Term[] {
    return substituteAll(this.guard, this.at(number));
  }

  execute(number: Term): void {
    const { after } = this.loop;
    const next = substituteAll([...after.values()], this.at(number));
    this.values = new Map([...after.keys()].map((symbol, i) => [symbol, next[i]!]));
  }

  /** `number`: of the round that reads them; default none, after all. */
  valuesOf(terms: readonly Term[], number?: Term): readonly Term[] {
    return substituteAll(terms, number ? this.at(number) : this.values);
  }

  /** The state at the beginning of a round. Numbers that move along are as far as that round's. */
  private at(number: Term): ReadonlyMap<Term, Term> {
    const { counter, companions } = this.loop;
    const values = new Map(this.values).set(counter.symbol, number);
    if (counter.step !== 1n && counter.step !== -1n) return values;
    for (const { symbol, step } of companions) {
      const width = L.widthOf(symbol);
      const way = L.resize(L.sub(number, counter.symbol), width, counter.signed ? 'signed' : 'unsigned');
      values.set(symbol, L.add(symbol, L.mul(L.bits(BigInt.asUintN(width, step * counter.step), width), way)));
    }
    return values;
  }
}
