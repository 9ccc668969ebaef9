/** Laws of the order of rounded results, for which JavaScript's numbers are the judge. */
import * as fc from 'fast-check';
import { bits, bitsSort, call, evaluate, mul, signExtend, symbol } from '../../../src/logic';
import type { SymbolTerm, Term } from '../../../src/logic';
import type { Application } from '../../../src/logic/term';
import { orderLaws } from '../../../src/logic/floats/orders';
import { computedFloat, floatBits } from '../../../src/logic/floats/patterns';
import { checkedFloats } from './samples';
import { runs } from '../../long';

const operators = ['add', 'subtract', 'multiply', 'divide'] as const;
/** No integer here needs rounding, so that its value does not matter. */
const holds = (law: Term, given: ReadonlyMap<SymbolTerm, bigint>): boolean =>
  evaluate(
    law,
    (s) => given.get(s)!,
    (name, args) => (name.endsWith(' rounded') ? 0n : computedFloat(name, args as readonly bigint[])!),
  ) === true;

describe.each([32, 64] as const)('of %p bits', (width) => {
  const symbols = ['x', 'y', 'z'].map((name) => symbol(name, bitsSort(width)));
  const pattern = checkedFloats(width);
  const operation = (operator: string, a: Term, b: Term): Application =>
    call(`float-${operator}-${width}`, bitsSort(width), a, b) as Application;

  test('two results that share an operand are in the order of the others', () => {
    const operand = fc.constantFrom(...symbols);
    let laws = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...operators),
        fc.tuple(operand, operand, operand, operand),
        fc.tuple(pattern, pattern, pattern),
        (operator, [a, b, c, d], values) => {
          const given = new Map(symbols.map((s, i) => [s, values[i]!]));
          for (const law of orderLaws([operation(operator, a, b), operation(operator, c, d)])) {
            laws += 1;
            expect(holds(law, given)).toBe(true);
          }
        },
      ),
      { numRuns: runs(3000) },
    );
    expect(laws).toBeGreaterThan(runs(1000));
  });

  test('a quotient is at most the factor of its dividend', () => {
    const [a, b] = ['a', 'b'].map((name) => symbol(name, bitsSort(width === 32 ? 8 : 32)));
    const wide = (t: Term): Term => (width === 32 ? signExtend(t, 32) : signExtend(t, 64));
    const converted = (t: Term): Term =>
      call(`convert-integer${width === 32 ? 32 : 64}-float${width}`, bitsSort(width), t);
    const small = fc.oneof(fc.integer({ min: -130, max: 130 }), fc.integer());
    fc.assert(
      fc.property(small, small, fc.constantFrom(2, 3, 10, 100, 255), (p, q, k) => {
        const own = width === 32 ? 8 : 32;
        const given = new Map([
          [a!, BigInt.asUintN(own, BigInt(p))],
          [b!, BigInt.asUintN(own, BigInt(q))],
        ]);
        const literal = bits(floatBits(k, width), width);
        const dividends = [
          converted(mul(wide(a!), bits(BigInt(k), width === 32 ? 32 : 64))),
          operation('multiply', literal, converted(wide(a!))),
        ];
        for (const dividend of dividends) {
          const laws = orderLaws([operation('divide', dividend, converted(wide(b!)))]);
          expect(laws.length).toBeGreaterThan(3);
          for (const law of laws) expect(holds(law, given)).toBe(true);
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
