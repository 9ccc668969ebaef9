import * as fc from 'fast-check';
import {
  add,
  and,
  arraySort,
  arrayValue,
  bits,
  bitsSort,
  call,
  compile,
  constArray,
  eq,
  equalValues,
  evaluate,
  exists,
  forall,
  implies,
  ite,
  NotComputable,
  not,
  select,
  sle,
  slt,
  store,
  symbol,
  ule,
  ult,
  urem,
} from '../../src/logic';
import type { SymbolTerm, Term, Value } from '../../src/logic';

const word = bitsSort(32);
const table = arraySort(word, word);
const [n, k, m] = ['n', 'k', 'm'].map((name) => symbol(name, word)) as [SymbolTerm, SymbolTerm, SymbolTerm];
const a = symbol('a', table);
const c = (value: number) => bits(value, 32);

function check(term: Term, values: ReadonlyMap<Term, Value>, expected: Value): void {
  const environment = (s: SymbolTerm) => values.get(s)!;
  expect(evaluate(term, environment)).toEqual(expected);
  expect(compile(term)(environment)).toEqual(expected);
}

test('a bounded quantifier is tried out, in both orders', () => {
  const at = (t: Term) => select(a, t);
  const values = (length: bigint, ...elements: bigint[]) =>
    new Map<Term, Value>([
      [n, length],
      [
        a,
        arrayValue(
          0n,
          elements.map((v, i) => [BigInt(i), v] as const),
          word,
        ),
      ],
    ]);
  const signed = forall([k], implies(and(sle(c(0), k), slt(k, n)), ult(c(2), at(k))));
  const unsigned = forall([k], implies(ult(k, n), ult(c(2), at(k))));
  const some = exists([k], and(sle(c(-1), k), slt(k, n), eq(at(k), c(5))));
  for (const all of [signed, unsigned]) {
    check(all, values(3n, 3n, 4n, 5n), true);
    check(all, values(3n, 3n, 2n, 5n), false);
    check(all, values(4n, 3n, 4n, 5n), false);
    check(all, values(0n), true);
  }
  check(signed, values(0xffffffffn), true); // n is -1
  expect(() => evaluate(unsigned, (s) => values(0xffffffffn).get(s)!)).toThrow(NotComputable);
  check(some, values(3n, 3n, 4n, 5n), true);
  check(some, values(2n, 3n, 4n, 5n), false);
  const sorted = forall([k, m], implies(and(ult(k, n), ule(k, m), ult(m, n)), ule(at(k), at(m))));
  check(sorted, values(3n, 3n, 4n, 5n), true);
  check(sorted, values(3n, 3n, 5n, 4n), false);
});

test('pairs are made of the values that parts of the body about one symbol leave open', () => {
  const at = (t: Term) => select(a, t);
  const entries = (...elements: (readonly [bigint, bigint])[]) =>
    new Map<Term, Value>([[a, arrayValue(0n, elements, word)]]);
  const place = (t: Term) => and(ult(t, c(512)), eq(urem(t, c(8)), c(0)), not(eq(at(t), c(0))));
  const distinct = forall([k, m], implies(and(place(k), place(m), not(eq(k, m))), not(eq(at(k), at(m)))));
  const twice = exists([k, m], and(place(k), place(m), ult(k, m), eq(at(k), at(m))));
  const checkBoth = (values: ReadonlyMap<Term, Value>, areDistinct: boolean): void => {
    check(distinct, values, areDistinct);
    check(twice, values, !areDistinct);
  };
  checkBoth(entries(), true);
  checkBoth(entries([0n, 7n], [504n, 8n]), true);
  checkBoth(entries([0n, 7n], [504n, 7n]), false);
  checkBoth(entries([0n, 7n], [512n, 7n], [3n, 7n]), true);
});

test('the bounds leave out nothing', () => {
  const small = bitsSort(3);
  const [x, y] = ['x', 'y'].map((name) => symbol(name, small)) as [SymbolTerm, SymbolTerm];
  const compare = [ult, ule, slt, sle];
  const atoms = compare.flatMap((f) => [f(x, y), f(y, x), not(f(x, y))]);
  fc.assert(
    fc.property(
      fc.subarray(atoms, { maxLength: 3 }),
      fc.bigInt({ min: 0n, max: 7n }),
      fc.boolean(),
      (chosen, value, all) => {
        const body = all ? implies(and(...chosen), eq(x, bits(2, 3))) : and(...chosen, not(eq(x, bits(2, 3))));
        const truths = Array.from(
          { length: 8 },
          (_, i) => evaluate(body, (s) => (s === x ? BigInt(i) : value)) === true,
        );
        const expected = all ? truths.every((t) => t) : truths.some((t) => t);
        expect(evaluate((all ? forall : exists)([x], body), () => value)).toBe(expected);
      },
    ),
  );
});

test('old versions of an array stay as they were', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(20), fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 3n })), {
        maxLength: 40,
      }),
      (writes) => {
        const terms: Term[] = [constArray(table, c(0))];
        const models: Map<bigint, bigint>[] = [new Map()];
        for (const [from, index, value] of writes) {
          const base = from % terms.length;
          // through a symbolic index, so that nothing is simplified away
          terms.push(store(terms[base]!, add(n, bits(index, 32)), bits(value, 32)));
          models.push(new Map([...models[base]!, [index, value]]));
        }
        const reads = terms.flatMap((t, i) =>
          [0n, 1n, 2n, 3n].map((index) => ({
            term: select(t, add(m, bits(index, 32))),
            value: models[i]!.get(index) ?? 0n,
          })),
        );
        const all = and(...reads.map(({ term, value }) => eq(term, bits(value, 32))));
        expect(evaluate(all, () => 0n)).toBe(true);
      },
    ),
  );
});

test('arrays are equal as functions', () => {
  const bit = bitsSort(1);
  const listed = (base: bigint, ...at: [bigint, bigint][]) => arrayValue(base, at, bit);
  expect(equalValues(listed(0n, [0n, 1n], [1n, 1n]), listed(1n), arraySort(bit, bit))).toBe(true);
  expect(equalValues(listed(0n, [0n, 1n]), listed(1n), arraySort(bit, bit))).toBe(false);
  expect(equalValues(listed(0n, [0n, 1n], [1n, 1n]), listed(1n), arraySort(bitsSort(2), bit))).toBe(false);
  expect(listed(0n, [0n, 0n]).entries.size).toBe(0);
  const given: Value = {
    default: 7n,
    entries: new Map([
      [1n, 7n],
      [2n, 8n],
    ]),
  };
  check(eq(a, store(constArray(table, c(7)), c(2), c(8))), new Map([[a, given]]), true);
});

test('functions mean what the caller says, or nothing', () => {
  const term = eq(call('f', word, n), c(6));
  expect(
    evaluate(
      term,
      () => 3n,
      (name, args) => (name === 'f' ? 2n * (args[0] as bigint) : 0n),
    ),
  ).toBe(true);
  expect(() => evaluate(term, () => 3n)).toThrow(NotComputable);
});

test('a hundred thousand nested operators are no deeper than one', () => {
  let t: Term = n;
  for (let i = 0; i < 100_000; i++) t = ite(ult(t, c(i)), add(t, m), t);
  check(
    t,
    new Map<Term, Value>([
      [n, 5n],
      [m, 0n],
    ]),
    5n,
  );
});
