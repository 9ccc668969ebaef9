/**
 * The strongest postcondition of a path, by substitution: the value of every symbol over the symbols at the path's
 * begin, and the conditions passed. Symbols that a step chooses get names of their own.
 */
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { conjunctsOf } from '../../abstraction/partition/preimage';
import type { Step } from '../../abstraction/transitionSystem/transitionGraph';

export class SymbolicPath {
  constructor(
    /** Symbols that are missing are what they were at the begin. */
    readonly values: ReadonlyMap<Term, Term>,
    /** Conjuncts over the symbols at the begin and chosen ones, without repetitions. */
    readonly conditions: ReadonlySet<Term>,
  ) {}

  static from(axioms: readonly Term[]): SymbolicPath {
    return new SymbolicPath(new Map(), new Set(axioms.flatMap((axiom) => [...conjunctsOf(axiom)])));
  }

  /** Terms over the symbols at the end, said at the begin. */
  read(terms: readonly Term[]): Term[] {
    return substituteAll(terms, occurring(this.values, terms));
  }

  readOne(term: Term): Term {
    return this.read([term])[0]!;
  }

  /** True if the path has not changed any symbol of the term. */
  keeps(term: Term): boolean {
    return [...symbolsOf(term)].every((symbol) => (this.values.get(symbol) ?? symbol) === symbol);
  }

  /** Conjuncts that must hold for the step to be taken from the end, without those that are literally true. */
  conditionOf(step: Step, node: number): Term[] {
    const environment = this.environment(step, node);
    const read = substituteAll([step.guard, ...step.premises], occurring(environment, [step.guard, ...step.premises]));
    return [...new Set(read.flatMap((term) => [...conjunctsOf(term)]))].filter((term) => !this.conditions.has(term));
  }

  /** `node`: distinguishes what different steps choose. `forgotten`: conditions of the step that are left out. */
  along(step: Step, node: number, forgotten: (condition: Term) => boolean = () => false): SymbolicPath {
    const environment = this.environment(step, node);
    const changed = [...step.after].filter(([symbol, term]) => symbol !== term);
    const terms = substituteAll(
      changed.map(([, term]) => term),
      occurring(
        environment,
        changed.map(([, term]) => term),
      ),
    );
    const values = new Map(this.values);
    changed.forEach(([symbol], i) => values.set(symbol, terms[i]!));
    const conditions = this.conditionOf(step, node).filter((condition) => !forgotten(condition));
    return new SymbolicPath(values, conditions.length === 0 ? this.conditions : union(this.conditions, conditions));
  }

  private environment(step: Step, node: number): ReadonlyMap<Term, Term> {
    if (step.fresh.size === 0) return this.values;
    const environment = new Map(this.values);
    for (const symbol of step.fresh) environment.set(symbol, L.symbol(`${symbol.name}~${node}`, symbol.sort));
    return environment;
  }
}

const union = (set: ReadonlySet<Term>, more: readonly Term[]): ReadonlySet<Term> => new Set([...set, ...more]);

/** Only what occurs, so that a substitution costs what its terms are worth. */
export function occurring(environment: ReadonlyMap<Term, Term>, terms: readonly Term[]): Map<Term, Term> {
  const map = new Map<Term, Term>();
  for (const term of terms)
    for (const symbol of symbolsOf(term)) {
      const value = environment.get(symbol);
      if (value && value !== symbol) map.set(symbol, value);
    }
  return map;
}
