import {
  add,
  and,
  arraySort,
  bitAnd,
  bits,
  bitsSort,
  boolSort,
  complement,
  concat,
  constArray,
  eq,
  evaluate,
  extract,
  FALSE,
  implies,
  ite,
  lshr,
  mul,
  neg,
  not,
  or,
  select,
  shl,
  signExtend,
  sle,
  slt,
  store,
  sub,
  symbol,
  TRUE,
  udiv,
  ule,
  ult,
  urem,
  zeroExtend,
} from '../../src/logic';
import type { Term } from '../../src/logic';

const x = symbol('x', bitsSort(32));
const y = symbol('y', bitsSort(32));
const b = symbol('b', bitsSort(8));
const d = symbol('d', bitsSort(8));
const p = symbol('p', boolSort);
const q = symbol('q', boolSort);
const memory = symbol('m', arraySort(bitsSort(32), bitsSort(8)));
const n = (value: number) => bits(value, 32);

/** Both sides are built to the same object. */
function check(pairs: readonly (readonly [Term, Term])[]): void {
  pairs.forEach(([actual, expected], i) => {
    if (actual !== expected)
      throw new Error(
        `case ${i}: ${JSON.stringify([actual, expected], (_, v) => (typeof v === 'bigint' ? String(v) : v), 1)}`,
      );
  });
}

test('equal terms are one object', () => {
  check([
    [add(x, y), add(y, x)],
    [and(p, q), and(q, p, TRUE, q)],
    [symbol('x', bitsSort(32)), x],
    [select(memory, add(x, n(1))), select(memory, add(n(1), x))],
  ]);
  expect(symbol('x', bitsSort(8))).not.toBe(x);
});

test('sums are linear normal forms', () => {
  check([
    [sub(add(x, n(1)), n(1)), x],
    [sub(add(x, y), x), y],
    [add(x, x), mul(n(2), x)],
    [sub(x, x), n(0)],
    [add(complement(x), n(1)), neg(x)],
    [complement(complement(x)), x],
    [mul(add(x, n(1)), n(3)), add(mul(x, n(3)), n(3))],
    [shl(x, n(4)), mul(x, n(16))],
    [neg(sub(x, y)), sub(y, x)],
  ]);
});

test('connectives drop what is implied and see contradictions', () => {
  check([
    [and(p, not(p)), FALSE],
    [or(p, q, not(p)), TRUE],
    [and(p, or(p, q)), p],
    [and(p, or(not(p), q)), and(p, q)],
    [or(p, and(p, q)), p],
    [and(eq(x, n(1)), eq(x, n(2))), FALSE],
    [and(eq(x, n(1)), not(eq(x, n(2)))), eq(x, n(1))],
    [and(ult(x, y), ule(y, x)), FALSE],
    [and(ule(x, n(7)), ule(x, n(9)), not(eq(x, n(8)))), ule(x, n(7))],
    [and(sle(x, n(7)), sle(n(7), x)), eq(x, n(7))],
    [and(sle(x, n(7)), sle(n(8), x)), FALSE],
    [and(eq(x, n(3)), sle(x, n(7)), ule(n(1), x)), eq(x, n(3))],
    [or(ule(x, n(7)), ule(x, n(9))), ule(x, n(9))],
    [or(ule(x, n(7)), ule(n(5), x)), TRUE],
    [implies(p, p), TRUE],
    [not(not(p)), p],
    [eq(p, not(p)), FALSE],
    [eq(not(p), not(q)), eq(p, q)],
  ]);
});

test('conditionals meet what they decide', () => {
  const flag = ite(p, n(1), n(0));
  check([
    [eq(flag, n(0)), not(p)],
    [not(eq(flag, n(0))), p],
    [eq(flag, n(7)), FALSE],
    [slt(n(0), flag), p],
    [eq(zeroExtend(ite(p, bits(1, 8), bits(0, 8)), 32), n(1)), p],
    [ite(not(p), x, y), ite(p, y, x)],
    [ite(p, ite(p, x, y), y), ite(p, x, y)],
    [ite(p, ite(q, x, y), y), ite(and(p, q), x, y)],
    [ite(p, q, FALSE), and(p, q)],
    [ite(p, TRUE, q), or(p, q)],
    [ite(p, q, not(q)), eq(p, q)],
    [eq(ite(p, n(1), ite(q, n(2), n(3))), n(2)), and(not(p), q)],
  ]);
});

test('equalities are solved, split and narrowed', () => {
  check([
    [eq(add(x, n(1)), n(3)), eq(x, n(2))],
    [eq(add(x, n(1)), add(y, n(1))), eq(x, y)],
    [eq(mul(x, n(3)), n(9)), eq(x, n(3))],
    [eq(mul(x, n(2)), n(3)), FALSE],
    [eq(sub(x, y), n(0)), eq(x, y)],
    [eq(concat(b, d), bits(0x1234, 16)), and(eq(b, bits(0x12, 8)), eq(d, bits(0x34, 8)))],
    [eq(concat(b, d), concat(d, d)), eq(b, d)],
    [eq(zeroExtend(b, 32), n(300)), FALSE],
    [eq(signExtend(b, 32), n(-1)), eq(b, bits(255, 8))],
    [eq(zeroExtend(b, 32), zeroExtend(d, 32)), eq(b, d)],
  ]);
});

test('comparisons are narrowed and decided at the ends', () => {
  check([
    [ult(x, n(0)), FALSE],
    [ule(n(0), x), TRUE],
    [ult(x, n(1)), eq(x, n(0))],
    [slt(zeroExtend(b, 32), n(256)), TRUE],
    [slt(zeroExtend(b, 32), n(0)), FALSE],
    [slt(zeroExtend(b, 32), n(10)), ult(b, bits(10, 8))],
    [sle(signExtend(b, 32), n(10)), sle(b, bits(10, 8))],
    [slt(signExtend(b, 32), signExtend(d, 32)), slt(b, d)],
    [slt(zeroExtend(b, 32), zeroExtend(d, 32)), ult(b, d)],
    [not(sle(x, y)), slt(y, x)],
    [slt(x, n(10)), sle(x, n(9))],
  ]);
});

test('bytes taken apart come together again', () => {
  const byte = (i: number) => extract(8 * i + 7, 8 * i, x);
  check([
    [concat(concat(byte(3), byte(2)), concat(byte(1), byte(0))), x],
    [extract(15, 8, concat(b, d)), b],
    [extract(7, 0, add(signExtend(b, 32), signExtend(d, 32))), add(b, d)],
    [extract(7, 0, zeroExtend(b, 32)), b],
    [bitAnd(x, n(255)), zeroExtend(extract(7, 0, x), 32)],
    [bitAnd(x, n(0)), n(0)],
    [bitAnd(x, n(-1)), x],
    [lshr(x, n(32)), n(0)],
    [udiv(x, n(8)), lshr(x, n(3))],
    [urem(zeroExtend(b, 32), n(10)), zeroExtend(urem(b, bits(10, 8)), 32)],
  ]);
});

test('reading goes through writing where the indices are clear', () => {
  const i = add(x, n(1));
  check([
    [select(store(memory, x, b), x), b],
    [select(store(memory, x, b), i), select(memory, i)],
    [select(store(store(memory, n(1), b), n(2), d), n(1)), b],
    [store(store(memory, x, b), x, d), store(memory, x, d)],
    [store(memory, x, select(memory, x)), memory],
    [select(constArray({ kind: 'array', index: bitsSort(32), element: bitsSort(8) }, b), x), b],
    [select(ite(p, store(memory, x, b), memory), x), ite(p, b, select(memory, x))],
  ]);
  const wide = symbol('w', arraySort(bitsSort(64), bitsSort(8)));
  const at = (object: number, offset: Term) => concat(bits(object, 32), offset);
  check([[select(store(wide, at(1, x), b), at(2, y)), select(wide, at(2, y))]]);
});

test('deep terms are built and computed without recursion', () => {
  let t: Term = x;
  for (let i = 0; i < 100_000; i++) t = ite(symbol(`c${i % 7}`, boolSort), add(t, y), mul(t, t));
  expect(evaluate(t, (s) => (s.sort.kind === 'boolean' ? true : s === y ? 3n : 1n))).toBe(300_001n);
});
