/**
 * Conditions and what they consist of: names of terms, such as those of the cases of a query, are replaced by what they
 * stand for, and disjunctions are told as their sides.
 */
import { isApplication } from '../intern';
import { not, or } from '../propositional';
import type { Application, Term } from '../term';

export interface Holding {
  readonly term: Term;
  readonly holds: boolean;
}

/** Consequences of a name where it holds, and where it does not. */
interface Meaning {
  readonly holding: readonly Holding[];
  readonly failing: readonly Holding[];
}
export type NamedConditions = ReadonlyMap<Term, Meaning>;

/** Symbols that a condition defines, as names of the terms that they stand for, in both directions or in one. */
export function definitionsIn(conditions: readonly Term[]): NamedConditions {
  const found = new Map<Term, { holding: Holding[]; failing: Holding[] }>();
  const isName = (t: Term): boolean => t.kind === 'symbol' && t.sort.kind === 'boolean';
  const of = (name: Term): { holding: Holding[]; failing: Holding[] } => {
    const meaning = found.get(name) ?? { holding: [], failing: [] };
    found.set(name, meaning);
    return meaning;
  };
  for (const condition of conditions) {
    const holds = !isApplication(condition, 'not');
    const equation = holds ? condition : (condition as Application).args[0]!;
    if (isApplication(equation, 'eq')) {
      const [a, b] = equation.args as [Term, Term];
      const [name, term] = a.kind === 'symbol' ? [a, b] : [b, a];
      if (!isName(name) || term.kind !== 'apply') continue;
      of(name).holding.push({ term, holds });
      of(name).failing.push({ term, holds: !holds });
    } else if (isApplication(equation, holds ? 'or' : 'and')) {
      const sides = equation.args.map((arg): Holding => {
        const isNegated = isApplication(arg, 'not');
        return { term: isNegated ? arg.args[0]! : arg, holds: isNegated !== holds };
      });
      // In a choice between names, such as what a query asks for, none is the meaning of another.
      const [side, another] = sides.filter(({ term }) => isName(term));
      if (!side || another) continue;
      const others = sides.filter((one) => one !== side).map((one) => (one.holds ? one.term : not(one.term)));
      of(side.term)[side.holds ? 'failing' : 'holding'].push({ term: or(...others), holds: true });
    }
  }
  return found;
}

/** With the meanings of the names among them. */
export function spelledOut(all: readonly Holding[], definitions: NamedConditions): readonly Holding[] {
  if (definitions.size === 0) return all;
  const found: Holding[] = [];
  const seen = new Map<boolean, Set<Term>>([
    [true, new Set()],
    [false, new Set()],
  ]);
  const visit = ({ term, holds }: Holding): void => {
    const meaning = definitions.get(term);
    if (meaning) {
      if (seen.get(holds)!.has(term)) return;
      seen.get(holds)!.add(term);
      for (const one of holds ? meaning.holding : meaning.failing) visit(one);
    } else if (term.kind === 'apply' && term.operator === 'not') visit({ term: term.args[0]!, holds: !holds });
    else if (term.kind === 'apply' && term.operator === (holds ? 'and' : 'or'))
      for (const arg of term.args) visit({ term: arg, holds });
    else found.push({ term, holds });
  };
  for (const one of all) visit(one);
  return found;
}

/** The disjunctions that hold, each as its sides. Only those whose sides compare floating-point numbers matter. */
export function disjunctionsIn(term: Term, holds: boolean): readonly (readonly Holding[])[] {
  if (term.kind !== 'apply') return [];
  if (term.operator === 'not') return disjunctionsIn(term.args[0]!, !holds);
  if (term.operator === (holds ? 'and' : 'or')) return term.args.flatMap((arg) => disjunctionsIn(arg, holds));
  return term.operator === (holds ? 'or' : 'and') ? [term.args.map((arg) => ({ term: arg, holds }))] : [];
}
