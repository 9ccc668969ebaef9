/**
 * Quantified formulas by instances: nothing that is satisfiable becomes unsatisfiable, and the usual arguments about
 * ranges of arrays go through.
 */
import * as fc from 'fast-check';
import * as L from '../../../src/logic';
import { arrayValue } from '../../../src/logic';
import type { SymbolTerm, Term, Value } from '../../../src/logic';
import { atWitnesses, hasQuantifier, instantiate } from '../../../src/logic/quantifiers/instances';

const word = L.bitsSort(2);
const [x, y, k] = ['x', 'y', '?k'].map((name) => L.symbol(name, word)) as [SymbolTerm, SymbolTerm, SymbolTerm];
const column = L.symbol('?m', word) as SymbolTerm;
const p = L.symbol('p', L.boolSort);
const a = L.symbol('a', L.arraySort(word, word));
const values = [0n, 1n, 2n, 3n];

const place = fc
  .tuple(fc.constantFrom(1n, 2n, 3n), fc.constantFrom(0n, 1n), fc.constantFrom<Term>(x, L.bits(0n, 2)))
  .map(([c, d, rest]) => L.add(L.mul(L.bits(c, 2), k), L.bits(d, 2), rest));
const array = fc.constantFrom<Term>(a, L.store(a, x, y), L.ite(p, a, L.store(a, y, L.bits(1n, 2))));
const element = fc.tuple(array, place).map(([from, index]) => L.select(from, index));
const body = fc
  .tuple(element, fc.constantFrom<Term>(x, y, k, L.bits(2n, 2)), fc.boolean())
  .map(([e, v, bounded]) => (bounded ? L.implies(L.ult(k, y), L.ule(e, v)) : L.not(L.eq(e, v))));
const rows = fc.constantFrom<readonly [bigint, bigint]>([2n, 1n], [1n, 2n], [3n, 1n]).map(([c, d]) => {
  const index = L.add(L.mul(L.bits(c, 2), k), L.mul(L.bits(d, 2), column), L.bits(1n, 2));
  return L.forall([k, column], L.or(L.ule(x, column), L.ule(L.select(a, index), y)));
});
const atom = fc.oneof(
  rows,
  rows.map((r) => L.not(r)),
  body.map((b) => L.forall([k], b)),
  body.map((b) => L.exists([k], b)),
  fc.constantFrom<Term>(p, L.ult(x, y), L.eq(L.select(a, x), y), L.eq(L.select(a, y), L.bits(3n, 2))),
);
const { formula } = fc.letrec<{ formula: Term }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    atom,
    fc.tuple(tie('formula'), tie('formula')).map(([f, g]) => L.and(f, g)),
    fc.tuple(tie('formula'), tie('formula')).map(([f, g]) => L.or(f, g)),
    tie('formula').map((f) => L.not(f)),
    fc.tuple(tie('formula'), tie('formula')).map(([f, g]) => L.iff(f, g)),
    fc.tuple(tie('formula'), tie('formula')).map(([f, g]) => L.ite(p, f, g)),
  ),
}));
const state = fc.record({
  x: fc.constantFrom(...values),
  y: fc.constantFrom(...values),
  p: fc.boolean(),
  a: fc.tuple(...values.map(() => fc.constantFrom(...values))),
});

test('a state that satisfies the formulas satisfies the instances, with some values of the new names', () => {
  fc.assert(
    fc.property(fc.array(formula, { minLength: 1, maxLength: 2 }), state, (formulas, s) => {
      const of = new Map<Term, Value>([
        [x, s.x],
        [y, s.y],
        [p, s.p],
        [
          a,
          arrayValue(
            0n,
            s.a.map((value, i) => [BigInt(i), value] as const),
            word,
          ),
        ],
      ]);
      fc.pre(formulas.every((f) => L.evaluate(f, (symbol) => of.get(symbol)!) === true));
      const { terms } = instantiate(formulas);
      expect(terms.some(hasQuantifier)).toBe(false);
      const fresh = [...new Set(terms.flatMap((term) => [...L.symbolsOf(term)]))].filter((symbol) => !of.has(symbol));
      fc.pre(fresh.length <= 6);
      const satisfiable = (i: number): boolean => {
        const symbol = fresh[i];
        if (!symbol) return terms.every((term) => L.evaluate(term, (found) => of.get(found)!) === true);
        return (symbol.sort.kind === 'boolean' ? [true, false] : values).some((value) => {
          of.set(symbol, value);
          return satisfiable(i + 1);
        });
      };
      return satisfiable(0);
    }),
    { numRuns: 400 },
  );
});

test('a number by which an array is only written has instances at what is read of it', () => {
  const two = L.bits(2n, 2);
  const of = (index: Term): Term => L.ule(y, L.select(L.store(a, index, y), x));
  const { terms } = instantiate([L.forall([k], of(k)), L.eq(L.select(a, two), y)]);
  expect(terms.some((term) => L.isApplication(term, 'or') && term.args.includes(of(two)))).toBe(true);
});

test('what names can tell of a quantified formula is one-sided', () => {
  fc.assert(
    fc.property(body, state, fc.constantFrom(...values), (b, s, value) => {
      const witness = L.symbol('?some', word);
      const of = new Map<Term, Value>([
        [x, s.x],
        [y, s.y],
        [p, s.p],
        [witness, value],
        [
          a,
          arrayValue(
            0n,
            s.a.map((v, i) => [BigInt(i), v] as const),
            word,
          ),
        ],
      ]);
      const holds = (term: Term): boolean => L.evaluate(term, (symbol) => of.get(symbol)!) === true;
      const [all, some] = [L.forall([k], b), L.exists([k], b)];
      if (holds(all)) expect(holds(atWitnesses(all, [witness]))).toBe(true);
      if (!holds(some)) expect(holds(atWitnesses(some, [witness]))).toBe(false);
    }),
  );
});

const index32 = (i: Term): Term => L.mul(L.bits(4n, 32), i);
const [i, n] = ['i', 'n'].map((name) => L.symbol(name, L.bitsSort(32))) as [SymbolTerm, SymbolTerm];
const j = L.symbol('?k', L.bitsSort(32));
const memory = L.symbol('m', L.arraySort(L.bitsSort(32), L.bitsSort(32)));
const upTo = (end: Term, contents: Term): Term =>
  L.forall(
    [j],
    L.implies(L.and(L.sle(L.bits(0n, 32), j), L.slt(j, end)), L.eq(L.select(contents, index32(j)), L.bits(7n, 32))),
  );

test('one more element: the instance at the new value is among the instances', () => {
  const after = L.store(memory, index32(i), L.bits(7n, 32));
  const { terms, witnesses } = instantiate([
    upTo(i, memory),
    L.sle(L.bits(0n, 32), i),
    L.slt(i, n),
    L.not(upTo(L.add(i, L.bits(1n, 32)), after)),
  ]);
  expect(witnesses).toHaveLength(1);
  const at = L.select(memory, index32(witnesses[0]!));
  expect(
    terms.some(
      (term) =>
        L.isApplication(term, 'or') &&
        term.args.includes(L.eq(at, L.bits(7n, 32))) &&
        term.args.includes(L.sle(i, witnesses[0]!)),
    ),
  ).toBe(true);
});

test('several formulas of which one must fail share a value', () => {
  expect(instantiate([L.not(L.and(upTo(i, memory), upTo(n, memory)))]).witnesses).toHaveLength(1);
  expect(instantiate([L.not(upTo(i, memory)), L.not(upTo(n, memory))]).witnesses).toHaveLength(2);
});

test.each([
  ['by the factors of its parts', (row: Term) => L.mul(L.bits(48n, 32), row), (row: Term) => row],
  ['by division', (row: Term) => row, (row: Term) => L.udiv(row, L.bits(48n, 32))],
])('an element of a row has an instance at its row and its place there, %s', (_, start, numberOf) => {
  const literal = (value: bigint): Term => L.bits(value, 32);
  const [row, place] = ['?row', '?place'].map((name) => L.symbol(name, L.bitsSort(32))) as [SymbolTerm, SymbolTerm];
  const below = (r: Term, c: Term, read: Term): Term =>
    L.or(L.ule(literal(30n), r), L.ule(literal(5n), c), L.ule(read, literal(100n)));
  const index = L.add(L.mul(literal(48n), row), L.mul(literal(4n), place), literal(24n));
  const universal = L.forall([row, place], below(row, place, L.select(memory, index)));
  const read = L.add(start(i), L.mul(literal(4n), n), literal(24n));
  const { terms } = instantiate([universal, L.ult(literal(100n), L.select(memory, read))]);
  const at = numberOf(start(i) === i ? L.add(i, L.mul(literal(4n), n)) : i);
  expect(terms.some((term) => L.isApplication(term, 'or') && term.args.includes(L.ule(literal(30n), at)))).toBe(true);
});

test('the last element of a row has an instance at the row of what is read of it', () => {
  const literal = (value: bigint): Term => L.bits(value, 32);
  const last = L.add(L.mul(literal(48n), j), literal(23n));
  const universal = L.forall(
    [j as SymbolTerm],
    L.or(L.ule(literal(30n), j), L.eq(L.select(memory, last), literal(0n))),
  );
  const read = L.select(memory, L.add(L.mul(literal(48n), i), n));
  const { terms } = instantiate([universal, L.not(L.eq(read, literal(0n)))]);
  const end = L.select(memory, L.add(L.mul(literal(48n), L.sub(i, literal(1n))), literal(23n)));
  const isAt = (e: Term) => (term: Term) => L.isApplication(term, 'or') && term.args.includes(L.eq(e, literal(0n)));
  expect(terms.some(isAt(end)) || terms.some(isAt(L.select(memory, L.add(L.mul(literal(48n), i), literal(23n)))))).toBe(
    true,
  );
});
