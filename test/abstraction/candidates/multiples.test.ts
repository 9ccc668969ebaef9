/** Multiples of one variable that bound another. */
import { linearRatioBounds } from '../../../src/abstraction/candidates/multiples';
import * as L from '../../../src/logic';

const observable = (name: string) => ({ term: L.symbol(name, L.bitsSort(32)), name, signed: true, widthBits: 32 });
const [count, sum] = [observable('count'), observable('sum')];
const vectors = Array.from({ length: 10 }, (_, n) => [BigInt(n), BigInt(n * 7)]);

test('the least multipliers of the program that are enough, and none that is not', () => {
  const found = linearRatioBounds([count, sum], vectors, [0n, 1n, 6n, 8n, 100n]);
  expect(found).toHaveLength(2);
  for (const term of found)
    for (const [n, s] of vectors) expect(L.evaluate(term, (symbol) => (symbol === count.term ? n! : s!))).toBe(true);
  expect(found.map((term) => L.evaluate(term, (symbol) => (symbol === count.term ? 1n : 101n)))).toEqual([
    false,
    false,
  ]);
});

test('nothing where an order is enough, or the multiple of nothing would have to be something', () => {
  expect(
    linearRatioBounds(
      [count, sum],
      vectors.map(([n]) => [n!, n!]),
      [2n, 3n],
    ),
  ).toEqual([]);
  expect(
    linearRatioBounds(
      [count, sum],
      [
        [0n, 1n],
        [5n, 20n],
      ],
      [4n, 100n],
    ),
  ).toEqual([]);
});

test('of a variable that may be negative, from both sides', () => {
  const found = linearRatioBounds(
    [count, sum],
    [
      [0n, 0n],
      [3n, -20n],
      [4n, 11n],
    ],
    [-8n, 2n, 3n],
  );
  const holds = (n: bigint, s: bigint): readonly unknown[] =>
    found.map((term) => L.evaluate(term, (symbol) => BigInt.asUintN(32, symbol === count.term ? n : s)));
  expect(found).toHaveLength(3);
  for (const [n, s] of [
    [0n, 0n],
    [3n, -20n],
    [4n, 11n],
    [10n, 30n],
    [10n, -80n],
  ] as const)
    expect(holds(n, s)).toEqual([true, true, true]);
  expect(holds(10n, 31n)).toEqual([false, true, true]);
  expect(holds(10n, 81n)).toEqual([false, false, true]);
  expect(holds(10n, -81n)).toEqual([true, true, false]);
});
