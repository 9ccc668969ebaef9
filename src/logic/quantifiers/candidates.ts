/**
 * Values of a bound symbol that can matter. Comparisons of the symbol with closed terms exclude the others: no conjunct
 * of an `exists` may be false, no disjunct of a `forall` true.
 */
import type { Quantified, SymbolTerm, Term, Value } from '../term';
import { allOnes, toSigned, wrap } from '../words/words';

/** Limit on the number of values that are tried for one symbol. */
export const enumerationLimit = 4096;

interface Bounds {
  low: bigint;
  high: bigint;
}

/**
 * Undefined if there are too many values. `value` computes a term that does not depend on the symbol, and is undefined
 * for other terms.
 */
export function candidatesFor(
  symbol: SymbolTerm,
  term: Quantified,
  value: (t: Term) => Value | undefined,
): Value[] | undefined {
  const { sort } = symbol;
  if (sort.kind === 'boolean') return [false, true];
  if (sort.kind === 'array') return undefined;
  const { width } = sort;
  const half = 1n << BigInt(width - 1);
  const unsigned: Bounds = { low: 0n, high: allOnes(width) };
  const signed: Bounds = { low: -half, high: half - 1n };
  for (const { order, left, right, holds } of guards(term)) {
    const isSigned = order === 'signed-less' || order === 'signed-less-equal';
    const strict = order === 'signed-less' || order === 'unsigned-less';
    const bounds = isSigned ? signed : unsigned;
    const other = left === symbol ? right : right === symbol ? left : undefined;
    const known = other && value(other);
    if (typeof known !== 'bigint') continue;
    const bound = isSigned ? toSigned(known, width) : known;
    // `holds`: left < right or left <= right; otherwise right <= left or right < left
    const symbolIsLess = (left === symbol) === holds;
    const margin = strict === holds ? 1n : 0n;
    if (symbolIsLess) bounds.high = bound - margin < bounds.high ? bound - margin : bounds.high;
    else bounds.low = bound + margin > bounds.low ? bound + margin : bounds.low;
  }
  const { low, high } = signed.high - signed.low < unsigned.high - unsigned.low ? signed : unsigned;
  if (low > high) return [];
  if (high - low >= BigInt(enumerationLimit)) return undefined;
  return Array.from({ length: Number(high - low) + 1 }, (_, i) => wrap(low + BigInt(i), width));
}

type Order = 'unsigned-less' | 'unsigned-less-equal' | 'signed-less' | 'signed-less-equal';
interface Guard {
  readonly order: Order;
  readonly left: Term;
  readonly right: Term;
  readonly holds: boolean;
}

/** The comparisons that a value must satisfy (or violate, if not `holds`) for the rest of the body to matter. */
function guards(term: Quantified): Guard[] {
  const { body } = term;
  const joint = term.kind === 'exists' ? 'and' : 'or';
  const members = body.kind === 'apply' && body.operator === joint ? body.args : [body];
  return members.flatMap((m) => {
    if (m.kind !== 'apply') return [];
    switch (m.operator) {
      case 'unsigned-less':
      case 'unsigned-less-equal':
      case 'signed-less':
      case 'signed-less-equal':
        return [{ order: m.operator, left: m.args[0]!, right: m.args[1]!, holds: term.kind === 'exists' }];
      default:
        return [];
    }
  });
}
