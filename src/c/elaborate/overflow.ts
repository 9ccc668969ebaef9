/**
 * GNU's checked arithmetic: `__builtin_add_overflow(a, b, &result)` and its relatives compute in unlimited precision,
 * store the value reduced to the result's type, and say whether that lost anything.
 *
 * They are written out in C, as a statement expression over the arguments' own types. Sums and differences are exact in
 * two 64-bit halves (the upper one is -2..1); products are exact in sign and magnitude, or known to need more than 64
 * bits.
 */
import type { Span } from '../source';
import type { SyntaxExpression } from '../syntax';
import { writtenInC } from './writtenInC';

const sumText = (operator: '+' | '-'): string => `
  unsigned long long xa = (unsigned long long)a, xb = (unsigned long long)b, low = xa ${operator} xb;
  long long high = (a < 0 ? -1 : 0) ${operator} (b < 0 ? -1 : 0)
    ${operator} (${operator === '+' ? 'low < xa' : 'xa < xb'});
  *r = (T)low;
  (_Bool)((T)-1 < 0
    ? high != ((long long)low < 0 ? -1 : 0) || (long long)(T)low != (long long)low
    : high != 0 || (unsigned long long)(T)low != low);`;

const productText = `
  unsigned long long xa = a < 0 ? 0 - (unsigned long long)a : (unsigned long long)a,
    xb = b < 0 ? 0 - (unsigned long long)b : (unsigned long long)b, m = xa * xb;
  _Bool large = xa != 0 && xb > ~0ull / xa, negative = m != 0 && (a < 0) != (b < 0);
  unsigned long long most =
    (T)-1 < 0 ? (1ull << (sizeof(T) * 8 - 1)) - !negative : negative ? 0 : ~0ull >> (64 - sizeof(T) * 8);
  *r = (T)(negative ? 0 - m : m);
  (_Bool)(large || m > most);`;

/** `type` is the arguments' type in the forms that name one (`__builtin_sadd_overflow`). */
interface CheckedOperation {
  readonly operation: 'add' | 'sub' | 'mul';
  readonly type: string | undefined;
}

export function checkedOperation(name: string): CheckedOperation | undefined {
  const match = /^__builtin_([su]?)(add|sub|mul)(l{0,2})_overflow$/.exec(name);
  if (!match || (match[1] === '' && match[3] !== '')) return undefined;
  const [, sign, operation, length] = match as unknown as [string, string, CheckedOperation['operation'], string];
  const type =
    sign === ''
      ? undefined
      : `${sign === 'u' ? 'unsigned' : 'signed'} ${{ '': 'int', l: 'long', ll: 'long long' }[length]!}`;
  return { operation, type };
}

/** The call as a statement expression whose value is the answer. */
export function checkedArithmetic(
  { operation, type }: CheckedOperation,
  args: readonly SyntaxExpression[],
  span: Span,
): SyntaxExpression {
  const argument = type ?? '__auto_type';
  const text = `
  ${argument} a = 0; ${argument} b = 0; __auto_type r = 0;
  typedef __typeof__(*r) T;
  _Static_assert(sizeof(T) <= 8 && sizeof a <= 8 && sizeof b <= 8, "checked arithmetic of 128 bits is not supported");
  ${operation === 'mul' ? productText : sumText(operation === 'add' ? '+' : '-')}`;
  return writtenInC(
    text,
    ['a', 'b', 'r', 'T', 'xa', 'xb', 'low', 'high', 'm', 'large', 'negative', 'most'],
    args,
    span,
  );
}
