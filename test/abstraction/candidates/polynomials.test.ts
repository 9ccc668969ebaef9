/** Polynomial equations from values. */
import { polynomialEquations } from '../../../src/abstraction/candidates/polynomials';
import * as L from '../../../src/logic';
import type { SymbolTerm } from '../../../src/logic';
import { symbolsOf } from '../../../src/logic/symbols';

const observable = (name: string) => ({
  term: L.symbol(name, L.bitsSort(32)) as SymbolTerm,
  name,
  signed: true,
  widthBits: 32,
});
const [i, s] = [observable('i'), observable('s')];

test('six times a sum of squares', () => {
  const sums = Array.from({ length: 20 }, (_, n) => [
    BigInt(n),
    Array.from({ length: n }, (__, k) => BigInt(k * k)).reduce((a, b) => a + b, 0n),
  ]);
  const found = polynomialEquations([i, s], sums);
  expect(found.length).toBeGreaterThan(0);
  for (const term of found)
    for (const [a, b] of sums)
      expect(L.evaluate(term, (symbol) => BigInt.asUintN(32, symbol === i.term ? a! : b!))).toBe(true);
});

test('a line is no curve, and few values lie on too many', () => {
  expect(
    polynomialEquations(
      [i, s],
      Array.from({ length: 20 }, (_, n) => [BigInt(n), BigInt(3 * n + 1)]),
    ),
  ).toEqual([]);
  expect(
    polynomialEquations(
      [i, s],
      Array.from({ length: 5 }, (_, n) => [BigInt(n), BigInt(n * n)]),
    ),
  ).toEqual([]);
});

test('no multiples of an equation, and another that is of a higher degree', () => {
  const [n, squares] = [observable('n'), observable('squares')];
  const found = polynomialEquations(
    [n, s, squares],
    Array.from({ length: 40 }, (_, k) => [BigInt(k), BigInt(k * k), BigInt((k * (k + 1) * (2 * k + 1)) / 6)]),
  );
  const values = [3n, 9n, 14n];
  for (const term of found)
    expect(L.evaluate(term, (symbol) => values[[n, s, squares].findIndex((v) => v.term === symbol)]!)).toBe(true);
  // s == n * n, the sum of squares by n and s, and one of all three; the last two in 32 and in 64 bits.
  expect(found.length).toBeLessThanOrEqual(5);
  expect(found.some((term) => symbolsOf(term).has(squares.term))).toBe(true);
});

test('a sum of 64 bits by a counter of 32, and the highest bit of one of 32', () => {
  const wide = { ...observable('wide'), term: L.symbol('wide', L.bitsSort(64)) as SymbolTerm, widthBits: 64 };
  const sums = Array.from({ length: 20 }, (_, n) => [BigInt(n), BigInt((n * (n - 1)) / 2)]);
  const valuesOf =
    (count: bigint, sum: bigint) =>
    (symbol: SymbolTerm): bigint =>
      symbol === i.term ? count : sum;
  const [inWide, ...others] = polynomialEquations([i, wide], sums);
  expect(others).toEqual([]);
  expect(L.evaluate(inWide!, valuesOf(100_001n, 5_000_050_000n))).toBe(true);
  expect(L.evaluate(inWide!, valuesOf(100_001n, 5_000_050_001n))).toBe(false);
  const narrow = polynomialEquations([i, s], sums);
  const open = narrow.map((term) => L.evaluate(term, valuesOf(5n, 10n + (1n << 31n))));
  expect(open).toEqual([true, false]);
});
