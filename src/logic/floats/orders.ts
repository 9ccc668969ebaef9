/**
 * Valid formulas about the order of rounded results. Rounding is monotone (IEEE 754), so
 *
 * - two sums, differences, products or quotients that share an operand are in the order of the other operands,
 * - square roots are in the order of their operands,
 * - a quotient of two numbers in order is at most, or at least, 1,
 * - a quotient of a finite number by another one than 0 is a number,
 * - a quotient is at most a whole number `k` if `k` times the divisor is exact and not less than the dividend.
 *
 * Nothing is said of a result that is a NaN.
 */
import { call } from '../call';
import { TRUE, bits, isApplication, widthOf } from '../intern';
import { and, implies, not, or } from '../propositional';
import { bitsSort, boolSort } from '../sort';
import type { Application, Term } from '../term';
import { compareWords, floatsDefined } from './floats';
import { floatBits, floatOf } from './patterns';

const limits = {
  /** Pairs of operations in one query. */
  pairs: 12,
  /** Factors that are tried for a quotient. */
  factors: 3,
} as const;

type Operator = 'add' | 'subtract' | 'multiply' | 'divide';
interface Operation {
  readonly operator: Operator;
  readonly width: number;
  readonly term: Application;
  readonly left: Term;
  readonly right: Term;
}

/** `terms`: rounded operations. */
export function orderLaws(terms: readonly Application[]): readonly Term[] {
  const operations = terms.flatMap((term): Operation[] => {
    const form = /^float-(add|subtract|multiply|divide)-(32|64)$/.exec(term.name!);
    const [left, right] = term.args as [Term, Term];
    return form ? [{ operator: form[1] as Operator, width: Number(form[2]), term, left, right }] : [];
  });
  const pairs = operations.flatMap((a, i) =>
    operations
      .slice(i + 1)
      .filter((b) => a.operator === b.operator && a.width === b.width && shares(a, b))
      .map((b) => [a, b] as const),
  );
  const roots = terms.filter(({ name }) => /^float-sqrt-/.test(name!));
  return [
    ...roots
      .flatMap((a, i) => roots.slice(i + 1).flatMap((b) => [rootsInOrder(a, b), rootsInOrder(b, a)]))
      .slice(0, limits.pairs),
    ...pairs.slice(0, limits.pairs).flatMap(([a, b]) => [...inOrder(a, b), ...inOrder(b, a)]),
    ...operations.flatMap(quotients),
  ];
}

const isCommutative = ({ operator }: Operation): boolean => operator === 'add' || operator === 'multiply';

function shares(a: Operation, b: Operation): boolean {
  return a.left === b.left || a.right === b.right || (isCommutative(a) && (a.left === b.right || a.right === b.left));
}

const compared = (name: 'lt' | 'le', width: number, x: Term, y: Term): Term =>
  floatsDefined(call(`float-${name}-${width}`, boolSort, x, y));

/** The result of the one is not less than that of the other. Results are words: only their patterns are compared. */
const notLess = (a: Operation, b: Operation): Term =>
  not(compareWords('lt', floatsDefined(a.term), floatsDefined(b.term)));

/** The laws by which the result of `b` is not less than that of `a`. */
function inOrder(a: Operation, b: Operation): readonly Term[] {
  const { width, operator } = a;
  const zero = bits(0n, width);
  // If one of the two is a NaN, a result is a NaN.
  const le = (x: Term, y: Term): Term => not(compared('lt', width, y, x));
  const lt = (x: Term, y: Term): Term => not(compared('le', width, y, x));
  const law = (...conditions: readonly Term[]): Term => implies(and(...conditions), notLess(b, a));
  if (isCommutative(a)) {
    const found = common(a, b);
    if (!found) return [];
    const { shared, mine, other } = found;
    return operator === 'add'
      ? [law(le(mine, other))]
      : [law(le(zero, shared), le(mine, other)), law(le(shared, zero), le(other, mine))];
  }
  const byLeft =
    a.right !== b.right
      ? []
      : operator === 'subtract'
        ? [law(le(a.left, b.left))]
        : [law(lt(zero, a.right), le(a.left, b.left)), law(lt(a.right, zero), le(b.left, a.left))];
  const byRight =
    a.left !== b.left
      ? []
      : operator === 'subtract'
        ? [law(le(b.right, a.right))]
        : [
            law(le(zero, a.left), lt(zero, b.right), le(b.right, a.right)),
            law(le(a.left, zero), lt(zero, a.right), le(a.right, b.right)),
          ];
  return [...byLeft, ...byRight];
}

/** A root of a negative number is a NaN, and so is not less than the other one. */
function rootsInOrder(a: Application, b: Application): Term {
  const width = widthOf(a);
  if (widthOf(b) !== width) return TRUE;
  return implies(
    compared('le', width, a.args[0]!, b.args[0]!),
    not(compareWords('lt', floatsDefined(b), floatsDefined(a))),
  );
}

function common(a: Operation, b: Operation): { shared: Term; mine: Term; other: Term } | undefined {
  if (a.left === b.left) return { shared: a.left, mine: a.right, other: b.right };
  if (a.right === b.right) return { shared: a.right, mine: a.left, other: b.left };
  if (a.left === b.right) return { shared: a.left, mine: a.right, other: b.left };
  if (a.right === b.left) return { shared: a.right, mine: a.left, other: b.right };
  return undefined;
}

function quotients({ operator, width, term, left, right }: Operation): readonly Term[] {
  // Thresholds decide what a literal divides.
  if (operator !== 'divide' || right.kind === 'bits') return [];
  const zero = bits(0n, width);
  const literal = (value: number): Term => bits(floatBits(value, width as 32 | 64), width);
  const le = (x: Term, y: Term): Term => not(compared('lt', width, y, x));
  const result = floatsDefined(term);
  const signs = [le(zero, left), not(compared('le', width, right, zero))];
  const one = literal(1);
  const most = width === 32 ? 3.4028234663852886e38 : Number.MAX_VALUE;
  const isFinite = and(compared('le', width, literal(-most), left), compared('le', width, left, literal(most)));
  const isNotZero = or(compared('lt', width, zero, right), compared('lt', width, right, zero));
  return [
    implies(and(isFinite, isNotZero), compareWords('le', result, result)),
    implies(and(...signs, le(left, right)), not(compareWords('lt', one, result))),
    implies(and(...signs, le(right, left)), not(compareWords('lt', result, one))),
    ...factorsIn(left, width).flatMap((k) => {
      const bound = call(`float-multiply-${width}`, bitsSort(width), literal(k), right);
      // A product of whole numbers is one of words if nothing is rounded.
      if (isApplication(bound, 'call') && bound.name!.startsWith('float-multiply')) return [];
      return [implies(and(...signs, le(left, bound)), not(compareWords('lt', literal(k), result)))];
    }),
  ];
}

/** Literals that multiply something in the dividend: of `100.0 * a`, or of the word that is converted. */
function factorsIn(dividend: Term, width: number): readonly number[] {
  const found = new Set<number>();
  const visit = (t: Term, depth: number): void => {
    if (depth === 0 || t.kind !== 'apply') return;
    const isProduct = t.operator === 'multiply' || (t.operator === 'call' && /^float-multiply-/.test(t.name!));
    for (const arg of t.args) {
      if (isProduct && arg.kind === 'bits') {
        const value =
          t.operator === 'call' ? floatOf(arg.value, width) : Number(BigInt.asIntN(widthOf(arg), arg.value));
        if (Number.isInteger(value) && value > 1 && value <= 1 << 20) found.add(value);
      }
      visit(arg, depth - 1);
    }
  };
  visit(dividend, 5);
  return [...found].slice(0, limits.factors);
}
