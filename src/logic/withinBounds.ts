/**
 * Assertions made shorter by what they say of single words: where `x <= 100` is asserted, `x + 1` does not overflow,
 * and where `x = 7` is, x is 7. What says so stays as it is; other comparisons that intervals decide become true or
 * false, other words with one value that value. In a conjunction what its comparisons say holds for its other parts, in
 * a disjunction that they fail: paths, which go through one condition after the other, say much of single words on the
 * way.
 */
import { assertedBounds, boundsBy, boundsOf, conjunctsOf, isPlace, ordersOf, type WordBounds } from './assertedBounds';
import { eq } from './comparison';
import { ite } from './conditional';
import { bits, bool, FALSE, isApplication, TRUE } from './intern';
import { and, not, or } from './propositional';
import { substituteAll } from './substitute';
import { postOrder } from './traverse';
import type { Application, Term } from './term';
import { WordIntervals } from './wordIntervals';

export type KnownBounds = ReadonlyMap<Term, WordBounds>;

/** What is simpler may say more of single words. */
const ROUNDS = 3;
/** Words looked at for one list of assertions. */
const WORK = 100_000;
/** Conjunctions in disjunctions in conjunctions. */
const DEPTH = 500;

/**
 * Together with what made the bounds `known`, the terms mean what the assertions did; their symbols are among those of
 * both.
 */
export function withinBounds(
  assertions: readonly Term[],
  known: KnownBounds,
): { readonly terms: readonly Term[]; readonly known: KnownBounds } {
  const work = { left: WORK };
  let terms = conjunctsOf(assertions);
  let bounds = known;
  for (let round = 0; round < ROUNDS; round++) {
    bounds = assertedBounds(terms, bounds);
    const rewritten = conjunctsOf(simplified(terms, bounds, work)).filter((term) => term !== TRUE);
    if (rewritten.length === terms.length && rewritten.every((term, i) => term === terms[i])) break;
    terms = rewritten;
  }
  return { terms: onPaths(terms, bounds, work), known: bounds };
}

interface Work {
  left: number;
}

function simplified(terms: readonly Term[], bounds: KnownBounds, work: Work): readonly Term[] {
  const open = terms.filter((term) => !saysABound(term));
  const intervals = new WordIntervals(bounds, work);
  const found = new Map<Term, Term>();
  for (const t of postOrder(open, undefined, (s) => s.kind === 'forall' || s.kind === 'exists')) {
    if (t.sort.kind === 'bits' && t.kind !== 'bits') {
      const { low, high } = intervals.of(t).unsigned;
      if (low === high) found.set(t, bits(low, t.sort.width));
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

/** Something is known because it is asserted, so that it is not to be said less. */
const saysABound = (term: Term): boolean => ordersOf(term).some(({ lower, upper }) => isPlace(lower) && isPlace(upper));

/** What is known where a part of a formula matters. */
class Context {
  readonly intervals: WordIntervals;
  readonly simpler = new Map<Term, Term>();

  constructor(
    private readonly known: KnownBounds,
    private readonly work: Work,
  ) {
    this.intervals = new WordIntervals(known, work);
  }

  /** Where the comparison holds, too, or does not. */
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
    DEPTH,
  );
  return rest === undefined ? [FALSE] : [...said, ...conjunctsOf(rest).filter((term) => term !== TRUE)];
}

const isConnective = (term: Term): boolean => isApplication(term, 'and') || isApplication(term, 'or');
const isNested = (term: Term): boolean => term.kind === 'apply' && (isConnective(term) || term.args.some(isConnective));

const isComparison = (term: Term): boolean => ordersOf(term).length > 0 || ordersOf(term, false).length > 0;

/** The parts of a conjunction or disjunction, simpler; undefined when one of them decides it. */
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
  // What one comparison says holds for the next, which may be decided by it, but not the other way round.
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
