/** Sums of choices mean what they meant, and what cancels is gone. */
import * as fc from 'fast-check';
import * as L from '../../../src/logic';
import type { SymbolTerm, Term } from '../../../src/logic';
import { linearOf } from '../../../src/logic/words/linear';
import { cancelled, orderOfChoices } from '../../../src/logic/words/choices';

const width = 6;
const words = ['x', 'y'].map((name) => L.symbol(name, L.bitsSort(width)));
const truths = ['a', 'b', 'c'].map((name) => L.symbol(name, L.boolSort));
const literal = (value: bigint): Term => L.bits(value, width);

const { sum } = fc.letrec<{ condition: Term; sum: Term }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Term>(...truths),
    fc.tuple(fc.constantFrom(...words), fc.bigInt(0n, 3n)).map(([word, value]) => L.eq(word, literal(value))),
    fc
      .tuple(fc.constantFrom(L.sle, L.slt, L.ule, L.ult), fc.constantFrom(...words), fc.bigInt(0n, 63n), fc.boolean())
      .map(([order, word, value, swap]) => (swap ? order(literal(value), word) : order(word, literal(value)))),
    fc.constantFrom(L.sle, L.ult).map((order) => order(words[0]!, words[1]!)),
    tie('condition').map(L.not),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => L.and(a, b)),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => L.or(a, b)),
  ),
  sum: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<Term>(...words),
    fc.bigInt(0n, 63n).map(literal),
    fc.tuple(tie('sum'), fc.bigInt(0n, 63n)).map(([a, n]) => L.add(a, literal(n))),
    fc.tuple(tie('sum'), tie('sum')).map(([a, b]) => L.sub(a, b)),
    fc
      .tuple(tie('condition'), tie('sum'), fc.bigInt(0n, 63n), fc.bigInt(0n, 63n))
      .map(([c, a, m, n]) => L.ite(c, L.add(a, literal(m)), L.add(a, literal(n)))),
  ),
}));
const assignment = fc.record({
  words: fc.array(fc.bigInt(0n, 5n), { minLength: 2, maxLength: 2 }),
  truths: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
});
const valuesOf =
  (values: { readonly words: readonly bigint[]; readonly truths: readonly boolean[] }) =>
  (symbol: SymbolTerm): bigint | boolean =>
    symbol.sort.kind === 'boolean' ? values.truths[truths.indexOf(symbol)]! : values.words[words.indexOf(symbol)]!;
const value = (term: Term, at: (symbol: SymbolTerm) => bigint | boolean): bigint => L.evaluate(term, at) as bigint;

test('a sum without its choices has the same value', () => {
  fc.assert(
    fc.property(sum, assignment, (a, values) => {
      const rest = cancelled(linearOf(a));
      if (!rest) return;
      const at = valuesOf(values);
      const total = rest.monomials.reduce(
        (n, { coefficient, atom }) => n + coefficient * value(atom, at),
        rest.constant,
      );
      expect(BigInt.asUintN(width, total)).toBe(value(a, at));
    }),
    { numRuns: 1000 },
  );
});

test('an order that bounds of choices decide is that of the values', () => {
  fc.assert(
    fc.property(sum, sum, fc.boolean(), fc.boolean(), assignment, (a, b, signed, strict, values) => {
      const decided = orderOfChoices(a, b, { signed, strict });
      if (decided === undefined) return;
      const [x, y] = [a, b].map((one) => {
        const word = value(one, valuesOf(values));
        return signed ? BigInt.asIntN(width, word) : word;
      }) as [bigint, bigint];
      expect(decided).toBe(strict ? x < y : x <= y);
    }),
    { numRuns: 1000 },
  );
});

/** Adds to a sum where conditions hold. */
const counted = (start: Term, ...steps: readonly (readonly [Term, bigint])[]): Term =>
  steps.reduce((before, [when, n]) => L.ite(when, L.add(before, L.bits(n, 32)), before), start);
const [zero, start] = [L.bits(0n, 32), L.symbol('s', L.bitsSort(32))];
const [a, b, c] = truths as [Term, Term, Term];

test('counting up and down in another order gives the initial value', () => {
  const up = counted(start, [a, 1n], [b, 1n], [c, 1n]);
  expect(L.eq(counted(up, [c, -1n], [a, -1n], [b, -1n]), start)).toBe(L.TRUE);
  expect(L.eq(counted(up, [c, -1n], [a, -1n], [L.and(a, b), -1n]), start)).not.toBe(L.TRUE);
});

test('a condition and its opposite are one', () => {
  const [x, y] = ['m', 'n'].map((name) => L.symbol(name, L.bitsSort(32))) as [Term, Term];
  const seven = L.bits(7n, 32);
  for (const [condition, opposite] of [
    [L.slt(seven, x), L.sle(x, seven)],
    [L.ult(x, y), L.ule(y, x)],
    [L.sle(x, y), L.slt(y, x)],
  ] as const)
    expect(L.eq(L.ite(opposite, start, L.sub(counted(start, [condition, 1n]), L.bits(1n, 32))), start)).toBe(L.TRUE);
});

test('cases that exclude each other may be tried in any order', () => {
  const word = L.symbol('k', L.bitsSort(32));
  const [one, two, three] = [1n, 2n, 3n].map((n) => L.eq(word, L.bits(n, 32))) as [Term, Term, Term];
  const by = (n: bigint): Term => L.add(start, L.bits(n, 32));
  const some = L.ite(one, by(10n), L.ite(two, by(20n), L.ite(three, by(30n), start)));
  const other = L.ite(three, by(30n), L.ite(one, by(10n), L.ite(two, by(20n), start)));
  expect(L.eq(some, other)).toBe(L.TRUE);
  expect(L.eq(some, L.ite(three, by(31n), L.ite(one, by(10n), L.ite(two, by(20n), start))))).not.toBe(L.TRUE);
});

test('a part of a count is at most the count', () => {
  const [d, e] = ['d', 'e'].map((name) => L.symbol(name, L.boolSort)) as [Term, Term];
  const all = counted(zero, [a, 1n], [b, 1n]);
  const some = counted(zero, [L.and(a, d), 1n], [L.and(b, e), 1n]);
  expect(L.sle(some, all)).toBe(L.TRUE);
  expect(L.slt(all, some)).toBe(L.FALSE);
  expect(L.slt(some, all).kind).not.toBe('boolean');
});

test('a sum that may wrap around is not compared', () => {
  const step = 1n << 30n;
  const sum = counted(zero, [a, step], [b, step], [c, step]);
  expect(L.sle(zero, sum).kind).not.toBe('boolean');
  expect(L.ule(zero, sum)).toBe(L.TRUE);
  expect(L.sle(zero, counted(zero, [a, step], [b, step - 1n]))).toBe(L.TRUE);
});
