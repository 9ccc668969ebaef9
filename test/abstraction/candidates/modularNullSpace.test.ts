import fc from 'fast-check';
import { modularNullSpace } from '../../../src/abstraction/candidates/modularNullSpace';

const word = (value: bigint): bigint => BigInt.asUintN(32, value);

describe('linear equations modulo a power of two', () => {
  it('are found in states of which some have wrapped', () => {
    const rows = [
      [5n, 2n, 5n, 2n, 1n],
      [-(2n ** 31n), 2n, 2n ** 31n - 1n, 1n, 1n],
      [7n, 1n, 6n, 0n, 1n],
      [-9n, 4n, -11n, 2n, 1n],
      [3n, 3n, 0n, 0n, 1n],
      [2n, 9n, 1n, 8n, 1n],
    ];
    expect(modularNullSpace(rows, 32)).toEqual([[1n, -1n, -1n, 1n, 0n]]);
  });

  it('have small coefficients where a fraction would be needed', () => {
    expect(
      modularNullSpace(
        [
          [1n, 3n],
          [2n, 6n],
          [5n, 15n],
        ],
        32,
      ).map((row) => row.map((c) => (c < 0n ? -c : c))),
    ).toEqual([[3n, 1n]]);
  });

  it('say nothing of a smaller modulus', () => {
    expect(
      modularNullSpace(
        [
          [2n, 1n],
          [4n, 1n],
          [10n, 1n],
        ],
        32,
      ),
    ).toEqual([]);
  });

  it('hold in all states, also where a sum wraps', () => {
    const vector = fc.array(fc.bigInt(-20n, 20n), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(vector, { minLength: 1, maxLength: 9 }),
        fc.bigInt(-5n, 5n),
        fc.bigInt(-5n, 5n),
        (samples, a, b) => {
          // The last number is the sum of multiples of others, as a word that may have wrapped.
          const rows = samples.map(([x, y, z]) => [x!, y!, z!, BigInt.asIntN(32, a * x! * 2n ** 29n + b * y!), 1n]);
          const found = modularNullSpace(rows, 32);
          for (const solution of found)
            for (const row of rows)
              expect(word(row.reduce((sum, value, i) => sum + value * solution[i]!, 0n))).toBe(0n);
          expect(found.length).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });
});
