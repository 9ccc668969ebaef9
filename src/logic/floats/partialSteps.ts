/** Sums that go a part of the way from one number to another: moving averages, filters, interpolation. */
import { isApplication } from '../intern';
import type { Application, Term } from '../term';

/** The number that lies `from` a number a part of the way `to` another one; the way is a rounded difference. */
export interface PartialStep {
  readonly from: Term;
  readonly to: Term;
  /** The part is this factor, or one by this divisor. */
  readonly by: Term;
  readonly operator: 'multiply' | 'divide';
}

interface Way {
  readonly minuend: Term;
  readonly subtrahend: Term;
  readonly by: Term;
  readonly operator: PartialStep['operator'];
}

/** `x + (y - x) / 8`, `x + (y - x) * t` and the like: moving averages, filters, interpolation. */
export function stepOf({ name, args: [a, b] }: Application): PartialStep | undefined {
  const operator = /^float-(add|subtract)-/.exec(name!)?.[1];
  if (operator === undefined) return undefined;
  const ending = (from: Term, way: Term, end: 'minuend' | 'subtrahend'): PartialStep | undefined => {
    const found = waysIn(way).find((one) => one[end === 'minuend' ? 'subtrahend' : 'minuend'] === widened(from));
    return found && { from, to: found[end], by: found.by, operator: found.operator };
  };
  if (operator === 'subtract') return ending(a!, b!, 'subtrahend');
  return ending(a!, b!, 'minuend') ?? ending(b!, a!, 'minuend');
}

/** The differences of which the term is a part. */
function waysIn(t: Term): readonly Way[] {
  if (!isApplication(t, 'call')) return [];
  const operator = /^float-(multiply|divide)-/.exec(t.name!)?.[1] as PartialStep['operator'] | undefined;
  if (operator === undefined) return [];
  const [a, b] = t.args as [Term, Term];
  const way = (factor: Term, by: Term): readonly Way[] => {
    const difference = widened(factor);
    if (!isApplication(difference, 'call') || !/^float-subtract-/.test(difference.name!)) return [];
    const [minuend, subtrahend] = difference.args.map(widened) as [Term, Term];
    return [{ minuend, subtrahend, by, operator }];
  };
  return operator === 'divide' ? way(a, b) : [...way(a, b), ...way(b, a)];
}

/** A number of binary32 is the same in binary64. */
export const widened = (t: Term): Term =>
  isApplication(t, 'call') && t.name === 'convert-float32-float64' ? widened(t.args[0]!) : t;
