/** Multiples of one variable that bound another. */
import { ratios } from '../../src/abstraction/ratios';
import * as L from '../../src/logic';

const observable = (name: string) => ({ term: L.symbol(name, L.bitsSort(32)), name, signed: true, widthBits: 32 });
const [count, sum] = [observable('count'), observable('sum')];
const vectors = Array.from({ length: 10 }, (_, n) => [BigInt(n), BigInt(n * 7)]);

test('the least multipliers of the program that are enough, and none that is not', () => {
  const found = ratios([count, sum], vectors, [0n, 1n, 6n, 8n, 100n]);
  expect(found).toHaveLength(2);
  for (const term of found) for (const [n, s] of vectors) expect(L.evaluate(term, (symbol) => (symbol === count.term ? n! : s!))).toBe(true);
  expect(found.map((term) => L.evaluate(term, (symbol) => (symbol === count.term ? 1n : 101n)))).toEqual([false, false]);
});

test('nothing where an order is enough, or the multiple of nothing would have to be something', () => {
  expect(ratios([count, sum], vectors.map(([n]) => [n!, n!]), [2n, 3n])).toEqual([]);
  expect(ratios([count, sum], [[0n, 1n], [5n, 20n]], [4n, 100n])).toEqual([]);
});
