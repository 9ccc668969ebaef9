/** Laws of numbers and the integers that they are converted to, for which JavaScript's numbers are the judge. */
import * as fc from 'fast-check';
import { bitsSort, boolSort, call, evaluate, symbol } from '../../../src/logic';
import type { SymbolTerm } from '../../../src/logic';
import { computedFloat, floatBits, floatOf } from '../../../src/logic/floats/patterns';
import { truncationLaws } from '../../../src/logic/floats/truncation';
import { checkedFloats } from './samples';
import { runs } from '../../long';

describe.each([32, 64] as const)('of %p bits', (width) => {
  test.each([32, 64] as const)('whole numbers of %p bits are where the converted integer is', (own) => {
    const [x, w] = [symbol('x', bitsSort(width)), symbol('w', bitsSort(own))];
    const integer = call(`convert-float${width}-integer32`, bitsSort(32), x);
    const whole = call(`convert-integer${own}-float${width}`, bitsSort(width), w);
    const near = fc
      .tuple(fc.integer({ min: -40, max: 40 }), fc.constantFrom(0, 0.25, 0.5, -0.5, 1e-7))
      .map(([n, part]) => floatBits(n + part, width));
    const most = fc.constantFrom(2 ** 24, 2 ** 24 - 1, -(2 ** 24), 2 ** 31 - 1, -(2 ** 31), 2 ** 31);
    const pattern = fc.oneof(
      checkedFloats(width),
      near,
      most.map((n) => floatBits(n, width)),
    );
    const shift = fc.integer({ min: -2, max: 2 });
    let laws = 0;
    fc.assert(
      fc.property(
        fc.constantFrom('eq', 'lt', 'le'),
        fc.boolean(),
        fc.tuple(pattern, shift, fc.boolean(), fc.bigInt(0n, (1n << BigInt(own)) - 1n)),
        (operator, isLeft, [value, by, isNear, any]) => {
          const number = floatOf(value, width);
          const close = Number.isFinite(number) ? BigInt(Math.trunc(number)) + BigInt(by) : 0n;
          const given = new Map<SymbolTerm, bigint>([
            [x, value],
            [w, isNear ? BigInt.asUintN(own, close) : any],
          ]);
          const comparison = call(`float-${operator}-${width}`, boolSort, ...(isLeft ? [whole, x] : [x, whole]));
          const query = [comparison, call('used', boolSort, integer)];
          for (const law of truncationLaws(query)) {
            laws++;
            const value = evaluate(
              law,
              (s) => given.get(s)!,
              (name, args) =>
                name.endsWith(' rounded')
                  ? floatBits(roundedOnce(BigInt.asIntN(own, args[0] as bigint), width), width)
                  : (computedFloat(name, args as readonly bigint[]) ?? 0n),
            );
            expect(value).toBe(true);
          }
        },
      ),
      { numRuns: runs(2000) },
    );
    expect(laws).toBeGreaterThan(runs(1000));
  });
});

/** The nearest number: the low bits of a long integer become one sticky bit. */
function roundedOnce(value: bigint, width: number): number {
  if (width === 64) return Number(value);
  const size = value < 0n ? -value : value;
  const dropped = BigInt(Math.max(0, size.toString(2).length - 40));
  const sticky = (size >> dropped) | (size % (1n << dropped) === 0n ? 0n : 1n);
  const nearest = Math.fround(Number(sticky)) * 2 ** Number(dropped);
  return value < 0n ? -nearest : nearest;
}
