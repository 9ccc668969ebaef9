/** Bounds of witnesses: they exclude no model of the other symbols, and they are there where cases bound a witness. */
import * as fc from 'fast-check';
import * as L from '../../../src/logic';
import type { SymbolTerm, Term } from '../../../src/logic';
import { instantiate } from '../../../src/logic/quantifiers/instances';
import { witnessBounds } from '../../../src/logic/quantifiers/witnessBounds';

const width = 3;
const word = L.bitsSort(width);
const [x, v, w] = ['x', '?some:v', '?some:w'].map((name) => L.symbol(name, word)) as [
  SymbolTerm,
  SymbolTerm,
  SymbolTerm,
];
const p = L.symbol('p', L.boolSort);
const values = Array.from({ length: 1 << width }, (_, i) => BigInt(i));
const literal = fc.constantFrom(...values).map((value): Term => L.bits(value, width));
const place = fc.oneof(literal, fc.constantFrom<Term>(x, v, w, L.add(w, L.bits(1n, width))));
const order = fc
  .tuple(fc.constantFrom(L.ult, L.ule, L.slt, L.sle, L.eq), place, place)
  .map(([compare, a, b]) => compare(a, b));
const { formula } = fc.letrec<{ formula: Term }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    order,
    fc.constant<Term>(p),
    fc.array(tie('formula'), { minLength: 2, maxLength: 3 }).map((parts) => L.and(...parts)),
    fc.array(tie('formula'), { minLength: 2, maxLength: 3 }).map((parts) => L.or(...parts)),
    tie('formula').map((part) => L.not(part)),
  ),
}));

function holds(terms: readonly Term[], given: ReadonlyMap<Term, bigint | boolean>): boolean {
  return terms.every((term) => L.evaluate(term, (symbol) => given.get(symbol)!) === true);
}

/** Can values of the witnesses make the terms true? */
const canHold = (terms: readonly Term[], given: ReadonlyMap<Term, bigint | boolean>): boolean =>
  values.some((ofV) => values.some((ofW) => holds(terms, new Map([...given, [v, ofV], [w, ofW]]))));

test('whatever values of the other symbols satisfied the formulas satisfy them within the bounds', () => {
  let narrowed = 0;
  fc.assert(
    fc.property(
      fc.array(formula, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...values),
      fc.boolean(),
      (all, ofX, ofP) => {
        const given = new Map<Term, bigint | boolean>([
          [x, ofX],
          [p, ofP],
        ]);
        const bounds = witnessBounds(all, [v, w]);
        narrowed += bounds.length;
        expect(canHold([...all, ...bounds], given)).toBe(canHold(all, given));
      },
    ),
    { numRuns: 2000 },
  );
  expect(narrowed).toBeGreaterThan(200);
});

const [i, k, j] = ['i', '?k', '?j'].map((name) => L.symbol(name, L.bitsSort(32))) as [
  SymbolTerm,
  SymbolTerm,
  SymbolTerm,
];
const number = (value: bigint): Term => L.bits(BigInt.asUintN(32, value), 32);
const memory = L.symbol('m', L.arraySort(L.bitsSort(32), L.bitsSort(32)));
const read = (index: Term): Term => L.select(memory, L.mul(number(4n), index));

test('a witness has the bounds of the cases that are about it', () => {
  const isSeven = L.forall([k], L.implies(L.and(L.sle(number(2n), k), L.slt(k, i)), L.eq(read(k), number(7n))));
  const { terms, witnesses } = instantiate([L.sle(i, number(1000n)), L.or(p, L.not(isSeven))]);
  const [witness] = witnesses as [SymbolTerm];
  expect(terms.slice(0, 2)).toEqual([L.sle(number(2n), witness), L.sle(witness, number(999n))]);
});

test('a witness on which the meaning of a universal formula depends has no bounds', () => {
  const isNone = L.forall([j], L.not(L.eq(read(j), k)));
  const some = L.exists([k], L.or(L.and(L.sle(number(2n), k), L.sle(k, number(5n)), p), L.and(isNone, L.not(p))));
  const { terms, witnesses } = instantiate([some]);
  expect(witnesses).toHaveLength(1);
  expect(terms).not.toContain(L.sle(witnesses[0]!, number(5n)));
});
