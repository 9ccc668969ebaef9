/** A set of valuations as a readable formula: what all have in common, then what any two predicates exclude. */
import { and, isApplication, not } from '../../logic/build';
import { symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';
import { isHidden } from '../../program/automata/visibility';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { AbstractPoint, StatePredicate, Valuation } from '../predicates/predicateAbstraction';
import { isAboutNumbering, printTerm } from './printTerm';

const limits = {
  /** More clauses than this hide more than they say. */
  clauses: 8,
} as const;

/** `invariants`: to be printed in place of the point's own, when they imply these. */
export function printInvariant(
  abstract: AbstractPoint,
  vocabulary: Vocabulary,
  invariants: readonly Term[] = abstract.invariants,
): string {
  const { point, predicates } = abstract;
  const valuations = abstract.valuations();
  if (valuations.length === 0) return 'false';
  const kept = invariants.filter(
    (term) => !isAboutNumbering(term, vocabulary) && !speaksOfHidden(term, point, vocabulary),
  );
  const constant = predicates.map((_, i) => {
    const first = valuations[0]![i];
    return valuations.every((v) => v[i] === first) ? first === '1' : undefined;
  });
  const held = predicates.flatMap(({ name, term }, i) =>
    constant[i] === undefined ? [] : [{ name, constant: constant[i], term: constant[i] ? term : not(term) }],
  );
  const terms = withoutImplied([...kept, ...held.flatMap(({ name, term }) => (name === undefined ? [term] : []))]);
  const names = held.flatMap(({ name, constant: value }) => (name === undefined ? [] : [value ? name : `!${name}`]));
  const parts = new Set(
    [
      ...terms.map((term) => conjunct(term, vocabulary)),
      ...names,
      ...clausesOf(predicates, constant, valuations, vocabulary),
    ].filter((part) => part !== 'true'),
  );
  return parts.size === 0 ? 'true' : [...parts].join(' && ');
}

/** Keeps only the nearest of comparisons with literals: `i <= 10` says that `i` is not the largest number. */
function withoutImplied(terms: readonly Term[]): readonly Term[] {
  const atoms = terms.filter((term) => !isApplication(term, 'and'));
  const nearest = and(...atoms);
  if (nearest.kind === 'boolean') return terms;
  const left = isApplication(nearest, 'and') ? nearest.args : [nearest];
  const [before, kept] = [new Set(atoms), new Set(left)];
  return [...terms.filter((term) => !before.has(term) || kept.has(term)), ...left.filter((term) => !before.has(term))];
}

/** Exclusions between any two predicates. */
function clausesOf(
  predicates: readonly StatePredicate[],
  constant: readonly (boolean | undefined)[],
  valuations: readonly Valuation[],
  vocabulary: Vocabulary,
): readonly string[] {
  const literal = (index: number, value: boolean): string => {
    const { name, term } = predicates[index]!;
    if (name !== undefined) return value ? name : `!${name}`;
    return printTerm(value ? term : not(term), vocabulary);
  };
  const clauses: string[] = [];
  for (let i = 0; i < predicates.length; i++) {
    for (let j = i + 1; j < predicates.length; j++) {
      if (constant[i] !== undefined || constant[j] !== undefined) continue;
      for (const [a, b] of [
        ['1', '1'],
        ['1', '0'],
        ['0', '1'],
        ['0', '0'],
      ] as const) {
        if (valuations.some((v) => v[i] === a && v[j] === b)) continue;
        clauses.push(`(${literal(i, a === '0')} || ${literal(j, b === '0')})`);
      }
    }
  }
  return clauses.slice(0, limits.clauses);
}

/** Speaks of a variable whose name means another one there: in C it would say something else. */
function speaksOfHidden(term: Term, { fn, location }: Cutpoint, vocabulary: Vocabulary): boolean {
  return [...symbolsOf(term)].some((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    const local =
      meaning?.kind === 'variable' && meaning.variable.scope === 'local'
        ? meaning.variable
        : meaning?.kind === 'object'
          ? meaning.object
          : undefined;
    return local !== undefined && isHidden(local, fn, location);
  });
}

/** As a part of a conjunction. */
function conjunct(term: Term, vocabulary: Vocabulary): string {
  const text = printTerm(term, vocabulary);
  return term.kind === 'apply' && term.operator === 'or' ? `(${text})` : text;
}
