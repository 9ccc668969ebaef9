/** Polynomial equations from values. */
import { polynomialEquations } from '../../../src/abstraction/candidates/polynomials';
import * as L from '../../../src/logic';
import type { SymbolTerm } from '../../../src/logic';

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
