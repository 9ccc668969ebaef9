/**
 * Quotients of products that do not wrap: (x * y) / y is x and (x * y) % y is 0 if y is not 0, and (x << k) >> k is x.
 * The solver takes long to find this for unknown words, and intervals usually show that nothing wraps.
 */
import { application, bits, isApplication, widthOf, wordSort } from '../intern';
import { mul } from '../words/linear';
import type { Application, Term } from '../term';
import type { Signedness } from '../words/words';
import { productOf, type WordIntervals } from './wordIntervals';
import { fits } from './wordRanges';

/** The value of the division or shift, without it. */
export function exactQuotient(t: Application, intervals: WordIntervals): Term | undefined {
  switch (t.operator) {
    case 'signed-divide':
      return quotient(t, t.args[1]!, 'signed', intervals);
    case 'unsigned-divide':
      return quotient(t, t.args[1]!, 'unsigned', intervals);
    case 'signed-remainder':
      return quotient(t, t.args[1]!, 'signed', intervals) && bits(0, widthOf(t));
    case 'unsigned-remainder':
      return quotient(t, t.args[1]!, 'unsigned', intervals) && bits(0, widthOf(t));
    case 'arithmetic-shift-right':
      return shifted(t, 'signed', intervals);
    case 'logical-shift-right':
      return shifted(t, 'unsigned', intervals);
    default:
      return undefined;
  }
}

function quotient({ args }: Application, divisor: Term, as: Signedness, intervals: WordIntervals): Term | undefined {
  const dividend = args[0]!;
  const rest = without(dividend, divisor);
  if (!rest) return undefined;
  const [x, y] = [intervals.of(rest)[as], intervals.of(divisor)[as]];
  const isZero = y.low <= 0n && y.high >= 0n;
  return !isZero && fits(productOf(x, y), as, widthOf(dividend)) ? rest : undefined;
}

function shifted({ args }: Application, as: Signedness, intervals: WordIntervals): Term | undefined {
  const [whole, amount] = args as readonly [Term, Term];
  const width = widthOf(whole);
  const rest = without(whole, application('shift-left', wordSort(whole), [bits(1, width), amount]));
  if (!rest) return undefined;
  const most = intervals.of(amount).unsigned.high;
  if (most >= BigInt(width)) return undefined;
  return fits(productOf(intervals.of(rest)[as], { low: 1n, high: 1n << most }), as, width) ? rest : undefined;
}

/** The product of the other factors; undefined if this is none of them. */
function without(whole: Term, factor: Term): Term | undefined {
  if (isApplication(whole, 'shift-left')) return powerOfTwo(factor) === whole.args[1] ? whole.args[0] : undefined;
  if (!isApplication(whole, 'multiply')) return undefined;
  const at = whole.args.indexOf(factor);
  return at < 0 ? undefined : mul(...whole.args.slice(0, at), ...whole.args.slice(at + 1));
}

/** k of 1 << k. */
function powerOfTwo(t: Term): Term | undefined {
  if (!isApplication(t, 'shift-left')) return undefined;
  const [one, amount] = t.args as readonly [Term, Term];
  return one.kind === 'bits' && one.value === 1n ? amount : undefined;
}
