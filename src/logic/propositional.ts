/**
 * Negation, conjunction, disjunction. Conjunctions and disjunctions are flat, sorted by id, and free of repeated and
 * complementary members. A unit member simplifies the others (`a and (a or b)`, `x = 1 and x = 2`, `x < 3 and x < 5`).
 * Negation is pushed into comparisons.
 */
import { eq, sle, slt, ule, ult } from './comparison';
import { application, bits, existingNegation, FALSE, isApplication, TRUE, widthOf } from './intern';
import { tighten } from './bounds/interval';
import { boolSort } from './sort';
import type { Term } from './term';

/** Nested members are merged up to this size. Without a limit, growing a conjunction one by one would be quadratic. */
const flatLimit = 64;
/** The same limit for members like `not (a or b)`, whose parts must be negated. */
const negatedLimit = 16;

export function not(a: Term): Term {
  requireBoolean(a);
  if (a.kind === 'boolean') return a.value ? FALSE : TRUE;
  if (a.kind !== 'apply') return application('not', boolSort, [a]);
  const [x, y] = a.args;
  switch (a.operator) {
    case 'not':
      return x!;
    case 'unsigned-less':
      return ule(y!, x!);
    case 'unsigned-less-equal':
      return ult(y!, x!);
    case 'signed-less':
      return sle(y!, x!);
    case 'signed-less-equal':
      return slt(y!, x!);
    default:
      return application('not', boolSort, [a]);
  }
}

export function and(...as: Term[]): Term {
  return junction('and', as);
}

export function or(...as: Term[]): Term {
  return junction('or', as);
}

export function implies(a: Term, b: Term): Term {
  return junction('or', [not(a), b]);
}

/** Builds `and`, or its dual `or`. The comments describe `and`. */
function junction(operator: 'and' | 'or', as: readonly Term[]): Term {
  const neutral = operator === 'and' ? TRUE : FALSE;
  const absorbing = operator === 'and' ? FALSE : TRUE;
  const dual = operator === 'and' ? 'or' : 'and';

  const members = new Set<Term>();
  for (const a of as) {
    requireBoolean(a);
    const inner = isApplication(a, 'not') ? a.args[0]! : undefined;
    if (isApplication(a, operator) && a.args.length <= flatLimit) for (const member of a.args) members.add(member);
    else if (inner && isApplication(inner, dual) && inner.args.length <= negatedLimit)
      for (const member of inner.args) members.add(not(member));
    else members.add(a);
  }
  const has = (a: Term | undefined) => a !== undefined && members.has(a);
  members.delete(neutral);
  if (members.has(absorbing)) return absorbing;
  if (members.size === 1) return [...members][0]!;
  for (const member of members) if (has(complementOf(member))) return absorbing;

  // Members that are disjunctions, simplified by the other members.
  for (const member of [...members]) {
    if (!isApplication(member, dual) || member.args.length > flatLimit) continue;
    if (member.args.some((m) => members.has(m))) {
      members.delete(member);
      continue;
    }
    const kept = member.args.filter((m) => !has(complementOf(m)));
    if (kept.length === member.args.length) continue;
    members.delete(member);
    const rest = junction(dual, kept);
    if (rest === absorbing) return absorbing;
    if (isApplication(rest, operator)) return junction(operator, [...members, rest]);
    if (has(complementOf(rest))) return absorbing;
    members.add(rest);
  }

  const tightened = tighten(operator, members, (word, value) => {
    const equal = eq(word, bits(value, widthOf(word)));
    return operator === 'and' ? equal : not(equal);
  });
  if (tightened === 'contradiction') return absorbing;
  if (tightened) return junction(operator, tightened);

  if (members.size === 0) return neutral;
  if (members.size === 1) return [...members][0]!;
  return application(
    operator,
    boolSort,
    [...members].sort((a, b) => a.id - b.id),
  );
}

/**
 * The negation of a member, if it could be among the members. Comparisons build theirs; other negations are only looked
 * up.
 */
function complementOf(a: Term): Term | undefined {
  return isApplication(a, 'not') || !comparison(a) ? existingNegation(a) : not(a);
}

function comparison(a: Term): boolean {
  if (a.kind !== 'apply') return false;
  switch (a.operator) {
    case 'unsigned-less':
    case 'unsigned-less-equal':
    case 'signed-less':
    case 'signed-less-equal':
      return true;
    default:
      return false;
  }
}

function requireBoolean(a: Term): void {
  if (a.sort.kind !== 'boolean') throw new TypeError(`a boolean is needed, not ${a.sort.kind}`);
}
