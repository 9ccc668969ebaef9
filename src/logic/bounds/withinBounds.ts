/**
 * Simplifies assertions by the bounds of single words that they imply. If `x <= 100` is asserted, `x + 1` does not
 * overflow; if `x = 7` is, x is 7. The assertions that state bounds stay as they are. Other comparisons that intervals
 * decide become true or false, and other words with one value become that value. Inside a conjunction its comparisons
 * hold for the other parts; inside a disjunction their negations do. Path formulas profit most, because they contain
 * one condition after the other.
 */
import {
  assertedBounds,
  boundsBy,
  boundsOf,
  conjunctsOf,
  ordersOf,
  saysABound,
  type WordBounds,
} from './assertedBounds';
import { exactQuotient } from './exactQuotients';
import { eq } from '../comparison';
import { ite } from '../conditional';
import { bits, bool, FALSE, isApplication, TRUE } from '../intern';
import { and, not, or } from '../propositional';
import { substituteAll } from '../substitute';
import { postOrder } from '../traverse';
import type { Application, Term } from '../term';
import { WordIntervals } from './wordIntervals';

export type KnownBounds = ReadonlyMap<Term, WordBounds>;

/** Passes over the assertions: a simpler assertion may imply tighter bounds. */
const rounds = 3;
/** Limit on the words visited for one list of assertions. */
const visitedWords = 100_000;
/** Limit on the nesting of conjunctions and disjunctions. */
const nesting = 500;

/**
 * Together with the assertions behind `known`, the result is equivalent to the assertions. Its symbols are among those
 * of both.
 */
export function withinBounds(
  assertions: readonly Term[],
  known: KnownBounds,
): { readonly terms: readonly Term[]; readonly known: KnownBounds } {
  const work = { left: visitedWords };
  let terms = conjunctsOf(assertions);
  let bounds = known;
  for (let round = 0; round < rounds; round++) {
    bounds = assertedBounds(terms, bounds);
    const rewritten = conjunctsOf(simplify(terms, bounds, work)).filter((term) => term !== TRUE);
    if (rewritten.length === terms.length && rewritten.every((term, i) => term === terms[i])) break;
    terms = rewritten;
  }
  return { terms: onPaths(terms, bounds, work), known: bounds };
}

interface Work {
  left: number;
}

function simplify(terms: readonly Term[], bounds: KnownBounds, work: Work): readonly Term[] {
  // A comparison from which a bound was derived must stay.
  const open = terms.filter((term) => !saysABound(term));
  const intervals = new WordIntervals(bounds, work);
  const found = new Map<Term, Term>();
  for (const t of postOrder(open, undefined, (s) => s.kind === 'forall' || s.kind === 'exists')) {
    if (t.sort.kind === 'bits' && t.kind !== 'bits') {
      const { low, high } = intervals.of(t).unsigned;
      const shorter = low === high ? bits(low, t.sort.width) : t.kind === 'apply' && exactQuotient(t, intervals);
      if (shorter) found.set(t, shorter);
    } else if (t.kind === 'apply') {
      const truth = intervals.truth(t);
      if (truth !== undefined) found.set(t, bool(truth));
    }
  }
  if (found.size === 0) return terms;
  const replaced = substituteAll(open, found);
  const shorter = new Map(open.map((term, i) => [term, replaced[i]!]));
  return terms.map((term) => shorter.get(term) ?? term);
}

/** The bounds known at one part of a formula. */
class Context {
  readonly intervals: WordIntervals;
  readonly simpler = new Map<Term, Term>();

  constructor(
    private readonly known: KnownBounds,
    private readonly work: Work,
  ) {
    this.intervals = new WordIntervals(known, work);
  }

  /** The context in which the comparison also holds, or fails. */
  where(comparison: Term, holds: boolean): Context {
    const more = boundsBy(ordersOf(comparison, holds), this.known, (t, found) =>
      found === this.known || !found.has(t) ? this.intervals.of(t) : boundsOf(t, found),
    );
    return more === this.known ? this : new Context(more, this.work);
  }
}

function onPaths(terms: readonly Term[], bounds: KnownBounds, work: Work): readonly Term[] {
  if (!terms.some(isNested)) return terms;
  const said = terms.filter(saysABound);
  const rest = parts(
    'and',
    terms.filter((term) => !saysABound(term)),
    new Context(bounds, work),
    work,
    nesting,
  );
  return rest === undefined ? [FALSE] : [...said, ...conjunctsOf(rest).filter((term) => term !== TRUE)];
}

const isConnective = (term: Term): boolean => isApplication(term, 'and') || isApplication(term, 'or');
const isNested = (term: Term): boolean => term.kind === 'apply' && (isConnective(term) || term.args.some(isConnective));

const isComparison = (term: Term): boolean => ordersOf(term).length > 0 || ordersOf(term, false).length > 0;

/** The parts of a conjunction or disjunction, simplified. Undefined if one of them decides it. */
function parts(
  operator: 'and' | 'or',
  args: readonly Term[],
  context: Context,
  work: Work,
  depth: number,
): readonly Term[] | undefined {
  const decisive = bool(operator === 'or');
  const kept: Term[] = [];
  let inside = context;
  // Each comparison is assumed for the later ones, which it may decide. The converse would be circular.
  for (const comparison of args.filter(isComparison)) {
    const simpler = simplerIn(comparison, inside, work, depth);
    if (simpler === decisive) return undefined;
    if (simpler.kind === 'boolean') continue;
    kept.push(simpler);
    inside = inside.where(simpler, operator === 'and');
  }
  for (const other of args) {
    if (isComparison(other)) continue;
    const simpler = simplerIn(other, inside, work, depth);
    if (simpler === decisive) return undefined;
    kept.push(simpler);
  }
  return kept;
}

function simplerIn(term: Term, context: Context, work: Work, depth: number): Term {
  if (term.kind !== 'apply' || work.left <= 0 || depth === 0) return term;
  const known = context.simpler.get(term);
  if (known) return known;
  const found = simplerApplication(term, context, work, depth - 1);
  context.simpler.set(term, found);
  return found;
}

function simplerApplication(term: Application, context: Context, work: Work, depth: number): Term {
  const again = (part: Term, where = context): Term => simplerIn(part, where, work, depth);
  const [a, b, c] = term.args as readonly [Term, Term, Term];
  switch (term.operator) {
    case 'not':
      return not(again(a));
    case 'and': {
      const all = parts('and', term.args, context, work, depth);
      return all === undefined ? FALSE : and(...all);
    }
    case 'or': {
      const all = parts('or', term.args, context, work, depth);
      return all === undefined ? TRUE : or(...all);
    }
    case 'ite':
      return term.sort.kind === 'boolean'
        ? ite(again(a), again(b, context.where(a, true)), again(c, context.where(a, false)))
        : term;
    case 'eq':
      if (a.sort.kind === 'boolean') return eq(again(a), again(b));
      break;
    default:
      break;
  }
  const truth = context.intervals.truth(term);
  return truth === undefined ? term : bool(truth);
}
