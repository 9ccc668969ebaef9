/**
 * Propagates comparisons of one word with literals inside a conjunction. `x = 1` contradicts `x = 2`, implies `x != 2`
 * and decides `x < 5`. The tighter of two bounds implies the other, and bounds that meet are an equation. A disjunction
 * is read as the conjunction of the members' negations.
 */
import { isApplication } from '../intern';
import type { Term } from '../term';
import { toSigned } from '../words/words';

interface Bound {
  readonly value: bigint;
  readonly member: Term;
}
interface Knowledge {
  equal?: Bound;
  readonly different: Bound[];
  readonly signed: Ends;
  readonly unsigned: Ends;
}
interface Ends {
  low?: Bound;
  high?: Bound;
}

/**
 * Deletes members that others imply. Returns `contradiction`, or new members to simplify again, or undefined if the
 * remaining members are irredundant. `equation` builds the member that replaces two bounds which meet: `word = value`
 * in a conjunction, its negation in a disjunction.
 */
export function tighten(
  operator: 'and' | 'or',
  members: Set<Term>,
  equation: (word: Term, value: bigint) => Term,
): 'contradiction' | Term[] | undefined {
  const known = new Map<Term, Knowledge>();
  let comparisons = 0;
  for (const member of members) {
    const comparison = comparisonOf(operator, member);
    if (!comparison) continue;
    comparisons++;
    let knowledge = known.get(comparison.term);
    if (!knowledge) known.set(comparison.term, (knowledge = { different: [], signed: {}, unsigned: {} }));
    const bound = { value: comparison.value, member };
    if ('order' in comparison) addEnd(knowledge[comparison.order], comparison.relation, bound, members);
    else if (comparison.relation === 'different') knowledge.different.push(bound);
    else if (knowledge.equal)
      return 'contradiction'; // the same equation would be the same member
    else knowledge.equal = bound;
  }
  if (comparisons < 2) return undefined;
  for (const [term, knowledge] of known) {
    const outcome = settle(term, knowledge, members, equation);
    if (outcome) return outcome;
  }
  return undefined;
}

function addEnd(ends: Ends, relation: 'low' | 'high', bound: Bound, members: Set<Term>): void {
  const before = ends[relation];
  const tighter = !before || (relation === 'low' ? bound.value > before.value : bound.value < before.value);
  if (tighter && before) members.delete(before.member);
  if (tighter) ends[relation] = bound;
  else members.delete(bound.member);
}

function settle(
  term: Term,
  { equal, different, signed, unsigned }: Knowledge,
  members: Set<Term>,
  equation: (word: Term, value: bigint) => Term,
): 'contradiction' | Term[] | undefined {
  const { width } = term.sort as { width: number };
  const orders = [
    { ends: unsigned, read: (v: bigint) => v },
    { ends: signed, read: (v: bigint) => toSigned(v, width) },
  ];
  const within = (value: bigint) =>
    orders.every(
      ({ ends, read }) =>
        (!ends.low || ends.low.value <= read(value)) && (!ends.high || read(value) <= ends.high.value),
    );
  if (equal) {
    if (!within(equal.value)) return 'contradiction';
    for (const { value, member } of different) if (value !== equal.value) members.delete(member);
    for (const { ends } of orders) for (const end of [ends.low, ends.high]) if (end) members.delete(end.member);
    return undefined;
  }
  for (const {
    ends: { low, high },
  } of orders) {
    if (!low || !high || low.value < high.value) continue;
    if (low.value > high.value) return 'contradiction';
    members.delete(low.member);
    members.delete(high.member);
    return [...members, equation(term, low.value)];
  }
  for (const { value, member } of different) if (!within(value)) members.delete(member);
  return undefined;
}

type Comparison =
  | { readonly term: Term; readonly value: bigint; readonly relation: 'equal' | 'different' }
  /** low: value <= term; high: term <= value. Values are read in the order. */
  | {
      readonly term: Term;
      readonly value: bigint;
      readonly relation: 'low' | 'high';
      readonly order: 'signed' | 'unsigned';
    };

/**
 * The comparison of a word with a literal that a member of a conjunction states. For a disjunction: the one that the
 * member's negation states.
 */
function comparisonOf(operator: 'and' | 'or', member: Term): Comparison | undefined {
  const negated = isApplication(member, 'not');
  const atom = negated ? member.args[0]! : member;
  if (atom.kind !== 'apply') return undefined;
  const [a, b] = atom.args;
  const holds = negated !== (operator === 'and');
  switch (atom.operator) {
    case 'eq':
      return b!.kind === 'bits' ? { term: a!, value: b.value, relation: holds ? 'equal' : 'different' } : undefined;
    case 'unsigned-less-equal':
    case 'signed-less-equal': {
      const literal = b!.kind === 'bits' ? b : a!;
      if (literal.kind !== 'bits') return undefined;
      const signed = atom.operator === 'signed-less-equal';
      const value = signed ? toSigned(literal.value, literal.sort.width) : literal.value;
      const order = signed ? 'signed' : 'unsigned';
      const upper = literal === b;
      // not (term <= value) is value + 1 <= term
      if (holds) return { term: upper ? a! : b!, value, relation: upper ? 'high' : 'low', order };
      return { term: upper ? a! : b!, value: upper ? value + 1n : value - 1n, relation: upper ? 'low' : 'high', order };
    }
    default:
      return undefined;
  }
}
