/**
 * Valid formulas about a number and the integer that it is converted to, towards zero (C11 6.3.1.4): a whole number is
 * below `x` exactly if it is below the integer, and so on. With them the solver compares integers, and need not look
 * into the patterns. They hold where the conversion is in range.
 */
import { eq, sle, slt } from '../comparison';
import { call } from '../call';
import { bits, isApplication, widthOf } from '../intern';
import { and, implies, not, or } from '../propositional';
import { boolSort } from '../sort';
import type { Application, Term } from '../term';
import { postOrder } from '../traverse';
import { signExtend } from '../words/shape';
import { floatBits } from './patterns';
import { floatsDefined } from './floats';

const limits = {
  /** Comparisons of one number with whole numbers that get laws. */
  comparisons: 6,
} as const;

/** `terms`: as they are before operations are defined. */
export function truncationLaws(terms: readonly Term[]): readonly Term[] {
  const calls = postOrder(terms, undefined, (t) => t.kind === 'forall' || t.kind === 'exists').filter(
    (t): t is Application => isApplication(t, 'call'),
  );
  return calls.flatMap((integer) => {
    const form = /^convert-float(32|64)-integer(32|64)$/.exec(integer.name!);
    if (!form) return [];
    const x = integer.args[0]!;
    return calls
      .filter(({ name, args }) => /^float-(?:eq|lt|le)-/.test(name!) && args.includes(x))
      .slice(0, limits.comparisons)
      .flatMap((comparison) => lawsOf(comparison, x, integer, Number(form[1]) as 32 | 64));
  });
}

function lawsOf({ name, args }: Application, x: Term, integer: Application, width: 32 | 64): readonly Term[] {
  const [a, b] = args as [Term, Term];
  const other = a === x ? b : a;
  if (other === x || !isApplication(other, 'call')) return [];
  // A longer integer may be rounded, but never to the other side of a number below 2^24 or 2^53.
  if (!/^convert-integer(?:32|64)-float/.test(other.name!)) return [];
  const compare = (operator: string, p: Term, q: Term): Term =>
    floatsDefined(call(`float-${operator}-${width}`, boolSort, p, q));
  const literal = (value: number): Term => bits(floatBits(value, width), width);
  const wide = (t: Term): Term => signExtend(t, 64);
  const [whole, truncated] = [wide(floatsDefined(other.args[0]!)), wide(floatsDefined(integer))];
  const most = Math.min(2 ** (widthOf(integer) - 1), width === 32 ? 2 ** 24 : 2 ** 53);
  const isPositive = and(compare('le', literal(0), x), compare('lt', x, literal(most)));
  const isNegative = and(compare('lt', literal(-most), x), compare('lt', x, literal(0)));
  const isWhole = compare('eq', x, call(`convert-integer${widthOf(integer)}-float${width}`, x.sort, integer));
  const below = or(slt(whole, truncated), and(eq(whole, truncated), isWhole));
  const above = or(slt(truncated, whole), and(eq(whole, truncated), isWhole));
  const comparison = compare(/^float-(eq|lt|le)/.exec(name!)![1]!, a, b);
  const law = (positive: Term, negative: Term): readonly Term[] => [
    implies(isPositive, eq(comparison, positive)),
    implies(isNegative, eq(comparison, negative)),
  ];
  if (name!.startsWith('float-eq')) {
    const isEqual = and(eq(whole, truncated), isWhole);
    return law(isEqual, isEqual);
  }
  const isStrict = name!.startsWith('float-lt');
  // w <= x is !(x < w), as neither is a NaN.
  if (a === other) return isStrict ? law(not(above), slt(whole, truncated)) : law(sle(whole, truncated), below);
  return isStrict ? law(slt(truncated, whole), not(below)) : law(above, sle(truncated, whole));
}
