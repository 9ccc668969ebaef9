/** Formulas as sets of clauses over atoms that the caller chooses, and what a vocabulary leaves of them. */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';

/** Literals that are joined by *or*. */
export type Clause = ReadonlySet<Term>;

const limits = {
  /** Clauses of a formula; more of them are no explanation. */
  clauses: 64,
} as const;

/** Conjunctive normal form. Undefined if there are too many clauses. No clause means true, an empty one false. */
export function clausesOf(formula: Term): readonly Clause[] | undefined {
  switch (formula.kind) {
    case 'boolean':
      return formula.value ? [] : [new Set()];
    case 'apply':
      break;
    default:
      return [new Set([formula])];
  }
  const { operator, args } = formula;
  switch (operator) {
    case 'and':
      return all(args.map(clausesOf));
    case 'or':
      return args.map(clausesOf).reduce(either, [new Set<Term>()]);
    case 'ite': {
      const [condition, then, otherwise] = args as readonly [Term, Term, Term];
      return all([L.or(L.not(condition), then), L.or(condition, otherwise)].map(clausesOf));
    }
    case 'eq': {
      const [a, b] = args as readonly [Term, Term];
      if (a.sort.kind !== 'boolean') return [new Set([formula])];
      return all([L.or(L.not(a), b), L.or(a, L.not(b))].map(clausesOf));
    }
    case 'not':
      return negate(args[0]!);
    default:
      return [new Set([formula])];
  }
}

function negate(formula: Term): readonly Clause[] | undefined {
  if (formula.kind !== 'apply') return [new Set([L.not(formula)])];
  const not = (term: Term): readonly Clause[] | undefined => clausesOf(L.not(term));
  switch (formula.operator) {
    case 'and':
      return formula.args.map(not).reduce(either, [new Set<Term>()]);
    case 'or':
      return all(formula.args.map(not));
    case 'ite': {
      const [condition, then, otherwise] = formula.args as readonly [Term, Term, Term];
      return all([L.or(L.not(condition), L.not(then)), L.or(condition, L.not(otherwise))].map(clausesOf));
    }
    case 'eq': {
      const [a, b] = formula.args as readonly [Term, Term];
      if (a.sort.kind !== 'boolean') return [new Set([L.not(formula)])];
      return all([L.or(a, b), L.or(L.not(a), L.not(b))].map(clausesOf));
    }
    default:
      return [new Set([L.not(formula)])];
  }
}

function all(parts: readonly (readonly Clause[] | undefined)[]): readonly Clause[] | undefined {
  if (parts.some((part) => part === undefined)) return undefined;
  return withinBound(parts.flatMap((part) => part!));
}

function either(a: readonly Clause[] | undefined, b: readonly Clause[] | undefined): readonly Clause[] | undefined {
  if (!a || !b || a.length * b.length > limits.clauses ** 2) return undefined;
  return withinBound(a.flatMap((left) => b.map((right) => new Set([...left, ...right]))));
}

/** Without those that are true, or implied by others. */
function withinBound(clauses: readonly Clause[]): readonly Clause[] | undefined {
  const open = clauses.filter((clause) => ![...clause].some((literal) => clause.has(L.not(literal))));
  const kept: Clause[] = [];
  for (const clause of [...open].sort((a, b) => a.size - b.size))
    if (!kept.some((other) => [...other].every((literal) => clause.has(literal)))) kept.push(clause);
  return kept.length <= limits.clauses ? kept : undefined;
}

/** Two literals of a clause that are one of the vocabulary together, such as those about the halves of a pointer. */
export function joinLiterals(clause: Clause, join: (a: Term, b: Term) => Term | undefined): Clause {
  const literals = [...clause];
  for (const a of literals) {
    for (const b of literals) {
      const both = a.id < b.id ? join(a, b) : undefined;
      if (both) return joinLiterals(new Set([...literals.filter((one) => one !== a && one !== b), both]), join);
    }
  }
  return clause;
}

/**
 * ProjectAtoms (A. Das, S. K. Lahiri, A. Lal, Y. Li, CAV 2015, algorithm 2): the clauses without the literals that the
 * vocabulary does not have. It implies the formula. Undefined if that is false, or if nothing is left out of true.
 */
export function projectAtoms(
  clauses: readonly Clause[],
  isAllowed: (literal: Term) => boolean,
): readonly Clause[] | undefined {
  const projected = withinBound(clauses.map((clause) => new Set([...clause].filter(isAllowed))));
  return projected && projected.length > 0 && projected.every(({ size }) => size > 0) ? projected : undefined;
}

/** MONOMIAL of the same paper: the literals of the vocabulary that imply the formula each; they are joined by *or*. */
export const monomial = (clauses: readonly Clause[], isAllowed: (literal: Term) => boolean): readonly Term[] =>
  clauses.length === 0
    ? []
    : [...clauses[0]!].filter((literal) => isAllowed(literal) && clauses.every((c) => c.has(literal)));
