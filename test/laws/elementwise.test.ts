/**
 * Law: reads taken back to elements read what they did, and nothing that was written by known or few indices needs an
 * array any more.
 */
import * as fc from 'fast-check';
import * as L from '../../src/logic';
import { arrayValue } from '../../src/logic';
import { CasesOfWords } from '../../src/logic/words/cases';
import { elementwise } from '../../src/logic/arrays/elementwise';
import { postOrder } from '../../src/logic/traverse';
import type { SymbolTerm, Term, Value } from '../../src/logic';
import { runs } from '../long';

const word = L.bitsSort(4);
const number = (n: number): Term => L.bits(BigInt(n & 15), 4);
const [x, y] = ['x', 'y'].map((name) => L.symbol(name, word)) as [SymbolTerm, SymbolTerm];
const [p, q] = ['p', 'q'].map((name) => L.symbol(name, L.boolSort)) as [SymbolTerm, SymbolTerm];
const memory = L.symbol('m', L.arraySort(word, word));

const literal = fc.nat(15).map(number);
const condition = fc.oneof(
  fc.constantFrom<Term>(p, q, L.not(p), L.and(p, q), L.ult(x, y)),
  literal.map((n) => L.slt(x, n)),
);
/** Of few values. */
const { counter } = fc.letrec<{ counter: Term }>((tie) => ({
  counter: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    literal,
    fc.tuple(condition, tie('counter'), tie('counter')).map(([c, a, b]) => L.ite(c, a, b)),
    fc.tuple(tie('counter'), literal).map(([a, n]) => L.add(a, n)),
    fc.tuple(tie('counter'), literal).map(([a, n]) => L.mul(a, n)),
    fc.tuple(tie('counter'), tie('counter')).map(([a, b]) => L.sub(a, b)),
    tie('counter').map((a) => L.sdiv(a, number(2))),
    tie('counter').map((a) => L.zeroExtend(L.extract(2, 0, a), 4)),
  ),
}));
const formulas = (index: fc.Arbitrary<Term>, beginning: fc.Arbitrary<Term>) =>
  fc.letrec<{ array: Term; value: Term; formula: Term }>((tie) => ({
    array: fc.oneof(
      { maxDepth: 6, depthSize: 'large' },
      beginning,
      fc.tuple(tie('array'), index, tie('value')).map(([a, i, v]) => L.store(a, i, v)),
      fc.tuple(condition, tie('array'), tie('array')).map(([c, a, b]) => L.ite(c, a, b)),
    ),
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Term>(x, y),
      literal,
      counter,
      fc.tuple(tie('array'), index).map(([a, i]) => L.select(a, i)),
      fc.tuple(tie('value'), tie('value')).map(([a, b]) => L.add(a, b)),
    ),
    formula: fc
      .tuple(
        fc.constantFrom(L.eq, L.ult, L.sle),
        tie('value'),
        fc.tuple(tie('array'), index).map(([a, i]) => L.select(a, i)),
      )
      .map(([compare, a, b]) => compare(a, b)),
  })).formula;
const state = fc
  .record({
    x: fc.nat(15),
    y: fc.nat(15),
    p: fc.boolean(),
    q: fc.boolean(),
    m: fc.array(fc.nat(15), { minLength: 16, maxLength: 16 }),
  })
  .map(
    (s) =>
      new Map<Term, Value>([
        [x, BigInt(s.x)],
        [y, BigInt(s.y)],
        [p, s.p],
        [q, s.q],
        [
          memory,
          arrayValue(
            0n,
            s.m.map((value, i) => [BigInt(i), BigInt(value)] as const),
            word,
          ),
        ],
      ]),
  );
const valueIn =
  (of: ReadonlyMap<Term, Value>) =>
  (symbol: Term): Value =>
    of.get(symbol)!;
const constant = literal.map((n) => L.constArray(L.arraySort(word, word), n));
const many = { numRuns: runs(3000) };

test('what is written anywhere reads as before', () => {
  let changed = 0;
  const anywhere = fc.oneof(counter, fc.constantFrom<Term>(x, y, L.add(x, number(1))));
  fc.assert(
    fc.property(
      fc.array(formulas(anywhere, fc.oneof(constant, fc.constant<Term>(memory))), { minLength: 1, maxLength: 3 }),
      fc.array(state, { minLength: 8, maxLength: 8 }),
      (terms, states) => {
        const words = elementwise(terms);
        if (!words) return;
        changed++;
        for (const of of states)
          expect(words.map((term) => L.evaluate(term, valueIn(of)))).toEqual(
            terms.map((term) => L.evaluate(term, valueIn(of))),
          );
      },
    ),
    many,
  );
  expect(changed).toBeGreaterThan(many.numRuns / 3);
});

test('what begins as a constant and is written at known indices is no array in the end', () => {
  fc.assert(
    fc.property(formulas(counter, constant), (formula) => {
      const words = elementwise([formula]);
      if (words) expect(postOrder(words).filter(({ sort }) => sort.kind === 'array')).toEqual([]);
    }),
    many,
  );
});

test('one case holds, and is the value', () => {
  fc.assert(
    fc.property(counter, state, (term, of) => {
      const cases = new CasesOfWords().of(term)!;
      expect([...cases].filter(([, when]) => L.evaluate(when, valueIn(of)) === true).map(([value]) => value)).toEqual([
        L.evaluate(term, valueIn(of)),
      ]);
    }),
    many,
  );
});

test('a word of any value has no cases, nor has one of too many', () => {
  const cases = new CasesOfWords();
  const wide = L.symbol('wide', L.bitsSort(32));
  expect(cases.of(wide)).toBeUndefined();
  expect(cases.of(L.ite(p, wide, L.bits(1n, 32)))).toBeUndefined();
  let steps: Term = L.bits(0n, 32);
  for (let i = 0; i < 100; i++) steps = L.ite(L.symbol(`p${i}`, L.boolSort), L.bits(BigInt(i), 32), steps);
  expect(cases.of(steps)).toBeUndefined();
});

test('nothing changes where nothing is written', () => {
  expect(elementwise([L.ult(L.select(memory, x), y), p])).toBeUndefined();
});
