/** GCC's bit counting as expressions, by population counts (Warren, Hacker's Delight, chapter 5). */
import type { Span } from '../../../c/source';
import { unreachable } from '../../../unreachable';
import { binary, compare, conditional, convert, equal, integer, notEqual, read, unary, zero } from '../../build';
import { int32, type Expression, type IntegerScalar } from '../../expression';
import { branch, type FunctionLowering } from '../context';

export type BitFunction = 'clz' | 'ctz' | 'popcount' | 'parity' | 'ffs' | 'clrsb' | 'bswap';

/** `clz` and `ctz` of zero are undefined: a check, and any number if it is disabled. */
export function bitFunction(f: FunctionLowering, kind: BitFunction, argument: Expression, span: Span): Expression {
  const width = (argument.type as IntegerScalar).widthBits;
  const type: IntegerScalar = { kind: 'integer', widthBits: width, signed: false };
  const constant = (value: bigint): Expression => integer(value, type);
  const named = (e: Expression): Expression => f.nameValue(e, kind, span);
  const x = named(convert(argument, type));
  const right = (e: Expression, n: number): Expression => binary('shift-right', e, constant(BigInt(n)));
  const count = (value: Expression): Expression => {
    const all = (1n << BigInt(width)) - 1n;
    const pairs = named(binary('subtract', value, binary('and', right(value, 1), constant(all / 3n))));
    const fours = named(
      binary('add', binary('and', pairs, constant(all / 5n)), binary('and', right(pairs, 2), constant(all / 5n))),
    );
    const bytes = named(binary('and', binary('add', fours, right(fours, 4)), constant(all / 17n)));
    return convert(right(binary('multiply', bytes, constant(all / 255n)), width - 8), int32);
  };
  const zeros = (value: Expression): Expression => {
    let filled = named(value);
    for (let n = 1; n < width; n *= 2) filled = named(binary('or', filled, right(filled, n)));
    return binary('subtract', integer(width, int32), count(filled));
  };
  const trailing = (): Expression =>
    count(named(binary('subtract', binary('and', x, unary('negate', x)), constant(1n))));
  const ofNonZero = (value: () => Expression): Expression => {
    f.check('shift', notEqual(x, constant(0n)), span, { ifUnchecked: 'ignore' });
    if (x.kind === 'integer' && x.value !== 0n) return value();
    const result = f.temporary(int32, kind);
    const [defined, undefinedAtZero, after] = [f.draft.location(span), f.draft.location(span), f.draft.location()];
    branch(f, notEqual(x, constant(0n)), defined, undefinedAtZero, span);
    f.draft.startAt(defined);
    f.assign(result, value(), span);
    f.draft.goTo(after, span);
    f.draft.startAt(undefinedAtZero);
    f.emit({ kind: 'havoc', target: result }, span);
    f.draft.goTo(after, span);
    f.draft.startAt(after);
    return read(result);
  };
  switch (kind) {
    case 'clz':
      return ofNonZero(() => zeros(x));
    case 'ctz':
      return ofNonZero(trailing);
    case 'popcount':
      return count(x);
    case 'parity':
      return binary('and', count(x), integer(1, int32));
    case 'ffs':
      return conditional(equal(x, constant(0n)), integer(0, int32), binary('add', trailing(), integer(1, int32)));
    case 'clrsb': {
      const signed = convert(x, { ...type, signed: true });
      const magnitude = conditional(compare('lt', signed, zero(signed.type)), unary('complement', x), x);
      return binary('subtract', zeros(magnitude), integer(1, int32));
    }
    case 'bswap': {
      let swapped: Expression = constant(0n);
      for (let byte = 0; byte < width; byte += 8) {
        const moved = binary('and', right(x, byte), constant(255n));
        swapped = binary('or', swapped, binary('shift-left', moved, constant(BigInt(width - 8 - byte))));
      }
      return swapped;
    }
    default:
      return unreachable(kind);
  }
}
