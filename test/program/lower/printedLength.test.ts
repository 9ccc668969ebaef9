/** The length that lowering gives a format is that of what the machine prints. */
import * as fc from 'fast-check';
import { integer } from '../../../src/program/build';
import { int32, int64, type IntegerScalar } from '../../../src/program/expression';
import { printedLength } from '../../../src/program/lower/calls/printedLength';
import { format } from '../../../src/semantics/concrete/natives/format';

const conversion = fc
  .tuple(
    fc.constantFrom('', '-', '+', ' ', '0', '+0', '- '),
    fc.constantFrom('', '1', '3', '12', '25'),
    fc.constantFrom('', 'hh', 'h', 'l', 'll', 'z', 'j'),
    fc.constantFrom('d', 'i', 'u', 'o', 'x', 'X'),
  )
  .map((parts) => `%${parts.join('')}`);
const directive = fc.oneof(conversion, fc.constantFrom('%c', '%5c', '%%', 'a text, ', '\n'));
const near = fc
  .tuple(
    fc.constantFrom(
      0n,
      10n,
      100n,
      10_000n,
      1n << 7n,
      1n << 8n,
      1n << 15n,
      1n << 31n,
      1n << 32n,
      10n ** 9n,
      10n ** 18n,
      10n ** 19n,
      8n ** 10n,
      1n << 60n,
      1n << 63n,
    ),
    fc.integer({ min: -2, max: 2 }),
    fc.boolean(),
  )
  .map(([power, by, isNegative]) => (isNegative ? -power : power) + BigInt(by));
const value = fc.oneof(near, fc.bigInt(-(1n << 63n), (1n << 64n) - 1n));

test.each(['lp64', 'ilp32'] as const)('of random formats, %s', (model) => {
  fc.assert(
    fc.property(
      fc.array(directive, { maxLength: 4 }),
      fc.array(value, { minLength: 4, maxLength: 4 }),
      (directives, values) => {
        const wide = (text: string): boolean =>
          /(ll|j)/.test(text) || (model === 'lp64' && /[lz]/.test(text.replace(/[a-z]$/, '')));
        const taking = directives.filter((text) => /^%[^%]/.test(text));
        const types = taking.map((text): IntegerScalar => (wide(text) ? int64 : int32));
        const length = printedLength(
          directives.join(''),
          types.map((type, i) => integer(values[i]!, type)),
          model,
        );
        let next = 0;
        const printed = format(
          directives.join(''),
          {
            integer: (bits) => BigInt.asUintN(bits, values[next++]!),
            float: never,
            pointer: never,
            string: never,
            wideString: never,
            count: never,
            errorText: never,
          },
          model,
        );
        expect(length).toEqual(integer(printed.length, int64));
      },
    ),
    { numRuns: 3000 },
  );
});

test('what has no length that a formula says has none', () => {
  const five = integer(5, int32);
  for (const text of ['%s', '%#x', '%.3d', '%*d', '%n', '%p', '%f', '%lc', '%', '%d %d', '%q', '%ld', '%zu', '%llx'])
    expect([text, printedLength(text, [five], 'lp64')]).toEqual([text, undefined]);
});

function never(): never {
  throw new Error('not asked for');
}
