/**
 * Sums whose parts depend on conditions: `ite(c, x + 1, x)` is x + [c], with [c] = 1 if c holds, else 0. Code that
 * counts its cases makes such sums, one part for each branch. In this form equal parts cancel, in whatever order the
 * branches were taken, and what is left has bounds that no path has to be followed for (multilinear pseudo-Boolean
 * polynomials: Boros, Hammer, "Pseudo-Boolean optimization", 2002).
 *
 *   [not c] = 1 - [c]        [c and d] = [c] [d]        [x = 1] [x = 2] = 0
 */
import { sle, slt, ule, ult } from '../comparison';
import { bits, isApplication, widthOf } from '../intern';
import type { Application, Term } from '../term';
import { type Linear, linearOf, sub } from './linear';
import { toSigned, wrap } from './words';

const limits = {
  /** Parts of a sum, and conditions of one part. */
  parts: 256,
  conditions: 6,
  /** Nested conditionals that are read. */
  depth: 300,
  /** Conditions that occur together and are tried in all combinations. */
  combined: 6,
} as const;

/** A number times a product of conditions, sorted by id; none: the constant. */
interface Part {
  readonly conditions: readonly Term[];
  readonly coefficient: bigint;
}
type Parts = ReadonlyMap<string, Part>;

/** The sum of the atoms' multiples and the parts, modulo 2^width. */
interface ChoiceSum {
  readonly atoms: ReadonlyMap<Term, bigint>;
  readonly parts: Parts;
}

/** The equation `sum = 0` with its choices cancelled; undefined if there are none, or some are left. */
export function cancelled(sum: Linear): Linear | undefined {
  if (!hasChoices(sum)) return undefined;
  const found = sumOf(sum, limits.depth);
  if (!found || [...found.parts.values()].some(({ conditions }) => conditions.length > 0)) return undefined;
  const monomials = [...found.atoms]
    .map(([atom, coefficient]) => ({ atom, coefficient }))
    .sort((a, b) => a.atom.id - b.atom.id);
  return { width: sum.width, constant: found.parts.get('')?.coefficient ?? 0n, monomials };
}

/** The truth of `a < b`, or `a <= b`, if bounds of the parts decide it. */
export function orderOfChoices(
  a: Term,
  b: Term,
  { signed, strict }: { readonly signed: boolean; readonly strict: boolean },
): boolean | undefined {
  const [x, y] = [linearOf(a), linearOf(b)];
  if (!hasChoices(x) && !hasChoices(y)) return undefined;
  const [p, q] = [sumOf(x, limits.depth), sumOf(y, limits.depth)];
  if (!p || !q || p.atoms.size > 0 || q.atoms.size > 0) return undefined;
  const width = widthOf(a);
  const least = signed ? -(1n << BigInt(width - 1)) : 0n;
  // A word is this sum of integers if the sum is in the range of words.
  const fits = (parts: Parts): boolean => {
    const range = rangeOf(parts);
    return range !== undefined && range.low >= least && range.high < least + (1n << BigInt(width));
  };
  const [left, right] = [asIntegers(p.parts, width), asIntegers(q.parts, width)];
  if (!fits(left) || !fits(right)) return undefined;
  const apart = rangeOf(plus(left, right, -1n, undefined));
  if (!apart) return undefined;
  if (strict ? apart.high < 0n : apart.high <= 0n) return true;
  return (strict ? apart.low >= 0n : apart.low > 0n) ? false : undefined;
}

const hasChoices = ({ monomials }: Linear): boolean => monomials.some(({ atom }) => isApplication(atom, 'ite'));

const known = new WeakMap<Term, ChoiceSum | 'an atom'>();

/** Undefined if it is too long. */
function sumOf({ width, constant, monomials }: Linear, depth: number): ChoiceSum | undefined {
  const atoms = new Map<Term, bigint>();
  let parts: Parts = constant === 0n ? new Map() : new Map([['', { conditions: [], coefficient: constant }]]);
  const addAtom = (atom: Term, coefficient: bigint): void => {
    const sum = wrap((atoms.get(atom) ?? 0n) + coefficient, width);
    if (sum === 0n) atoms.delete(atom);
    else atoms.set(atom, sum);
  };
  for (const { coefficient, atom } of monomials) {
    const choice = isApplication(atom, 'ite') && depth > 0 ? choiceOf(atom, depth - 1) : 'an atom';
    if (choice === 'an atom') {
      addAtom(atom, coefficient);
      continue;
    }
    for (const [one, times] of choice.atoms) addAtom(one, coefficient * times);
    parts = plus(parts, choice.parts, coefficient, width);
    if (parts.size > limits.parts) return undefined;
  }
  return { atoms, parts };
}

/** A conditional whose sides differ by parts alone. */
function choiceOf(term: Application, depth: number): ChoiceSum | 'an atom' {
  const before = known.get(term);
  if (before) return before;
  const found = readChoice(term.args as readonly [Term, Term, Term], depth) ?? 'an atom';
  known.set(term, found);
  return found;
}

function readChoice([condition, then, otherwise]: readonly [Term, Term, Term], depth: number): ChoiceSum | undefined {
  const width = widthOf(then);
  const [yes, no] = [sumOf(linearOf(then), depth), sumOf(linearOf(otherwise), depth)];
  if (!yes || !no || yes.atoms.size !== no.atoms.size) return undefined;
  if ([...yes.atoms].some(([atom, coefficient]) => no.atoms.get(atom) !== coefficient)) return undefined;
  const truth = truthOf(condition, width);
  const product = truth && times(truth, plus(yes.parts, no.parts, -1n, width), width);
  const parts = product && plus(no.parts, product, 1n, width);
  return parts && parts.size <= limits.parts ? { atoms: no.atoms, parts } : undefined;
}

/** 1 if the condition holds, else 0. */
function truthOf(condition: Term, width: number): Parts | undefined {
  const one: Parts = new Map([['', { conditions: [], coefficient: 1n }]]);
  const negated = (parts: Parts): Parts => plus(one, parts, -1n, width);
  if (condition.kind === 'boolean') return condition.value ? one : new Map();
  if (isApplication(condition, 'not')) {
    const truth = truthOf(condition.args[0]!, width);
    return truth && negated(truth);
  }
  const opposite = oppositeOf(condition);
  if (opposite) {
    const truth = truthOf(opposite, width);
    return truth && negated(truth);
  }
  const isOr = isApplication(condition, 'or');
  if (!isOr && !isApplication(condition, 'and'))
    return new Map([[`${condition.id}`, { conditions: [condition], coefficient: 1n }]]);
  if (condition.args.length > limits.conditions) return undefined;
  let all: Parts | undefined = one;
  for (const arg of condition.args) {
    const truth = truthOf(arg, width);
    all = truth && times(all, isOr ? negated(truth) : truth, width);
    if (!all) return undefined;
  }
  return isOr ? negated(all) : all;
}

const asIntegers = (parts: Parts, width: number): Parts =>
  new Map(
    [...parts].map(([key, { conditions, coefficient }]) => [
      key,
      { conditions, coefficient: toSigned(coefficient, width) },
    ]),
  );

/** One of two orders that say the opposite is told by the other. */
function oppositeOf(condition: Term): Term | undefined {
  const isSigned = isApplication(condition, 'signed-less-equal');
  if (!isSigned && !isApplication(condition, 'unsigned-less-equal')) return undefined;
  const [a, b] = condition.args as readonly [Term, Term];
  if (b.kind === 'bits') return undefined;
  const [atMost, less] = isSigned ? [sle, slt] : [ule, ult];
  return a.kind === 'bits' ? atMost(b, sub(a, bits(1n, widthOf(a)))) : less(b, a);
}

/** a + factor * b, modulo 2^width; without a width, as integers. */
function plus(a: Parts, b: Parts, factor: bigint, width: number | undefined): Parts {
  const sum = new Map(a);
  for (const [key, { conditions, coefficient }] of b) {
    const before = sum.get(key)?.coefficient ?? 0n;
    const total = before + factor * coefficient;
    const wrapped = width === undefined ? total : wrap(total, width);
    if (wrapped === 0n) sum.delete(key);
    else sum.set(key, { conditions, coefficient: wrapped });
  }
  return sum;
}

function times(a: Parts, b: Parts, width: number): Parts | undefined {
  if (a.size * b.size > limits.parts) return undefined;
  let product: Parts = new Map();
  for (const x of a.values())
    for (const y of b.values()) {
      const conditions = [...new Set([...x.conditions, ...y.conditions])].sort((c, d) => c.id - d.id);
      if (conditions.length > limits.conditions) return undefined;
      if (excludeEachOther(conditions)) continue;
      const key = conditions.map(({ id }) => id).join();
      product = plus(product, new Map([[key, { conditions, coefficient: x.coefficient * y.coefficient }]]), 1n, width);
    }
  return product;
}

/** Two equations of the same word with different literals. */
function excludeEachOther(conditions: readonly Term[]): boolean {
  const values = new Map<Term, Term>();
  return conditions.some((condition) => {
    if (!isApplication(condition, 'eq') || condition.args[1]!.kind !== 'bits') return false;
    const [word, literal] = condition.args as readonly [Term, Term];
    const before = values.get(word);
    values.set(word, literal);
    return before !== undefined && before !== literal;
  });
}

/** Bounds of the sum as an integer. Conditions that occur together are tried; others are independent. */
function rangeOf(parts: Parts): { readonly low: bigint; readonly high: bigint } | undefined {
  let low = 0n;
  let high = 0n;
  for (const group of groupsOf([...parts.values()])) {
    const conditions = [...new Set(group.flatMap((part) => part.conditions))];
    if (conditions.length > limits.combined) return undefined;
    let least: bigint | undefined;
    let most: bigint | undefined;
    for (let chosen = 0; chosen < 1 << conditions.length; chosen++) {
      const holds = (condition: Term): boolean => ((chosen >> conditions.indexOf(condition)) & 1) === 1;
      if (excludeEachOther(conditions.filter(holds))) continue;
      const value = group
        .filter((part) => part.conditions.every(holds))
        .reduce((sum, { coefficient }) => sum + coefficient, 0n);
      if (least === undefined || value < least) least = value;
      if (most === undefined || value > most) most = value;
    }
    low += least!;
    high += most!;
  }
  return { low, high };
}

/** Parts that have conditions in common, directly or through others. */
function groupsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const leader = new Map<Term, Term>();
  const find = (condition: Term): Term => {
    let root = condition;
    while (leader.get(root) !== undefined && leader.get(root) !== root) root = leader.get(root)!;
    return root;
  };
  for (const { conditions } of parts)
    for (const condition of conditions) leader.set(find(condition), find(conditions[0]!));
  const groups = new Map<Term | undefined, Part[]>();
  for (const part of parts) {
    const key = part.conditions[0] && find(part.conditions[0]);
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()];
}
