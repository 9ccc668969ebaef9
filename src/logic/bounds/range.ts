/** A cheap bound on a word from its outermost operators: extensions, masks and remainders. */
import { widthOf } from '../intern';
import type { Term } from '../term';
import { allOnes } from '../words/words';

export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** low <= word <= high, unsigned. */
export function unsignedRange(term: Term, depth = 3): Range {
  const width = widthOf(term);
  const all: Range = { low: 0n, high: allOnes(width) };
  if (term.kind === 'bits') return { low: term.value, high: term.value };
  if (term.kind !== 'apply' || depth === 0) return all;
  const [a, b, c] = term.args;
  switch (term.operator) {
    case 'zero-extend':
      return unsignedRange(a!, depth - 1);
    case 'ite': {
      const [x, y] = [unsignedRange(b!, depth - 1), unsignedRange(c!, depth - 1)];
      return { low: x.low < y.low ? x.low : y.low, high: x.high > y.high ? x.high : y.high };
    }
    case 'bit-and': {
      const last = term.args[term.args.length - 1]!;
      return last.kind === 'bits' ? { low: 0n, high: last.value } : all;
    }
    case 'unsigned-remainder':
      return b!.kind === 'bits' && b.value > 0n ? { low: 0n, high: b.value - 1n } : all;
    case 'unsigned-divide':
      return b!.kind === 'bits' && b.value > 0n ? { low: 0n, high: all.high / b.value } : all;
    default:
      return all;
  }
}
