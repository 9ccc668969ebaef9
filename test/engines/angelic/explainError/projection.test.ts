/** Formulas of ExplainError: writes that are eliminated, clauses, and what a vocabulary leaves of them. */
import * as fc from 'fast-check';
import { clausesOf, joinLiterals, monomial, projectAtoms } from '../../../../src/engines/angelic/explainError/clauses';
import { eliminateWrites } from '../../../../src/engines/angelic/explainError/eliminateWrites';
import * as L from '../../../../src/logic/build';
import { evaluate } from '../../../../src/logic/evaluate';
import { postOrder } from '../../../../src/logic/traverse';
import type { Term, Value } from '../../../../src/logic/term';

const word = L.bitsSort(4);
const zero = L.bits(0n, 4);
const memory = L.symbol('m', L.arraySort(word, word));
const [first, second] = ['Lib1', 'Lib2'].map((name) => L.symbol(name, word)) as [Term, Term];
const isDisequality = (literal: Term): boolean => L.isApplication(literal, 'not');
const hasNoRead = (literal: Term): boolean => !postOrder([literal]).some((term) => L.isApplication(term, 'select'));

describe('AV-03: FooBar of figure 1, *Lib1() = NULL; assert(*Lib2() != NULL)', () => {
  const wlp = L.not(L.eq(L.select(L.store(memory, first, zero), second), zero));
  const clauses = clausesOf(eliminateWrites(wlp)!)!;

  test('no literal excludes the failure alone', () => {
    expect(monomial(clauses, isDisequality)).toEqual([]);
  });

  test('the projection on disequalities is the cube of two', () => {
    const projected = projectAtoms(clauses, isDisequality)!;
    expect(projected.map((clause) => [...clause])).toEqual(
      expect.arrayContaining([[L.not(L.eq(first, second))], [L.not(L.eq(L.select(memory, second), zero))]]),
    );
    expect(projected).toHaveLength(2);
  });

  test('without memory in the vocabulary nothing is left', () => {
    expect(projectAtoms(clauses, (literal) => isDisequality(literal) && hasNoRead(literal))).toBeUndefined();
  });
});

test('a literal that is in every clause excludes the failure alone', () => {
  const [a, b] = ['a', 'b'].map((name) => L.not(L.eq(L.symbol(name, word), zero))) as [Term, Term];
  const clauses = clausesOf(L.and(L.or(a, b), L.or(a, L.ult(first, second))))!;
  expect(monomial(clauses, isDisequality)).toEqual([a]);
  expect(monomial(clausesOf(L.or(a, b))!, isDisequality)).toEqual(expect.arrayContaining([a, b]));
  expect(monomial(clausesOf(L.TRUE)!, isDisequality)).toEqual([]);
  expect(projectAtoms(clausesOf(L.FALSE)!, isDisequality)).toBeUndefined();
});

test('halves of one pointer are joined in a clause', () => {
  const [object, offset] = ['object', 'offset'].map((name) => L.not(L.eq(L.symbol(name, word), zero))) as [Term, Term];
  const join = (a: Term, b: Term): Term | undefined =>
    [object, offset].includes(a) && [object, offset].includes(b) ? L.not(L.and(L.not(a), L.not(b))) : undefined;
  const other = L.ult(first, second);
  const [clause] = clausesOf(L.or(object, offset, other))!.map((one) => joinLiterals(one, join));
  expect(clause!.size).toBe(2);
  expect(clause!.has(other)).toBe(true);
});

test('too many clauses are no explanation', () => {
  const pairs = Array.from({ length: 8 }, (_, i) =>
    L.and(L.ult(L.symbol(`x${i}`, word), first), L.ult(L.symbol(`y${i}`, word), first)),
  );
  expect(clausesOf(L.or(...pairs))).toBeUndefined();
});

const symbols = [first, second, L.symbol('x', word)];
const words: fc.Arbitrary<Term> = fc.letrec<{ word: Term; array: Term; truth: Term }>((tie) => ({
  word: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...symbols, zero, L.bits(1n, 4)),
    fc.tuple(tie('array'), tie('word')).map(([array, at]) => L.select(array, at)),
    fc.tuple(tie('truth'), tie('word'), tie('word')).map(([c, a, b]) => L.ite(c, a, b)),
    fc.tuple(tie('word'), tie('word')).map(([a, b]) => L.add(a, b)),
  ),
  array: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<Term>(memory),
    fc.tuple(tie('array'), tie('word'), tie('word')).map(([array, at, value]) => L.store(array, at, value)),
    fc.tuple(tie('truth'), tie('array'), tie('array')).map(([c, a, b]) => L.ite(c, a, b)),
  ),
  truth: fc.tuple(tie('word'), tie('word')).map(([a, b]) => L.ult(a, b)),
})).word;

const truths = fc.oneof(
  fc.tuple(words, words).map(([a, b]) => L.eq(a, b)),
  fc.tuple(words, words, words).map(([a, b, c]) => L.or(L.not(L.eq(a, b)), L.and(L.ult(b, c), L.eq(a, c)))),
);
const states = fc.record({
  words: fc.array(fc.bigInt({ min: 0n, max: 15n }), { minLength: 3, maxLength: 3 }),
  memory: fc.array(fc.bigInt({ min: 0n, max: 15n }), { minLength: 16, maxLength: 16 }),
});
const valueIn =
  (state: { words: bigint[]; memory: bigint[] }) =>
  (symbol: Term): Value =>
    symbol === memory
      ? { default: 0n, entries: new Map(state.memory.map((value, at) => [BigInt(at), value])) }
      : state.words[symbols.indexOf(symbol)]!;

test('eliminating writes, and clauses, keep the meaning', () => {
  fc.assert(
    fc.property(truths, states, (formula, state) => {
      const without = eliminateWrites(formula);
      if (!without) return;
      const value = evaluate(formula, valueIn(state));
      expect(evaluate(without, valueIn(state))).toBe(value);
      expect(postOrder([without]).some((term) => L.isApplication(term, 'store'))).toBe(false);
      const clauses = clausesOf(without);
      if (!clauses) return;
      expect(evaluate(L.and(...clauses.map((clause) => L.or(...clause))), valueIn(state))).toBe(value);
      const projected = projectAtoms(clauses, isDisequality);
      // Stronger, never weaker.
      if (projected && evaluate(L.and(...projected.map((clause) => L.or(...clause))), valueIn(state)) === true)
        expect(value).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a structure that is copied byte by byte is given up before long', () => {
  const sort = L.arraySort(L.bitsSort(32), L.bitsSort(8));
  const [from, to] = [L.symbol('from', sort), L.symbol('to', sort)];
  const [source, target, length] = ['source', 'target', 'length'].map((name) => L.symbol(name, L.bitsSort(32)));
  const at = (start: Term | undefined, i: number): Term => L.add(start!, L.bits(BigInt(i), 32));
  let copied: Term = to;
  // Twice, so that what is read may be what was written before.
  for (const [base, start] of [
    [from, target],
    [copied, source],
  ] as const)
    for (let i = 0; i < 200; i++)
      copied = L.store(
        copied,
        at(start, i),
        L.ite(L.ult(L.bits(BigInt(i), 32), length!), L.select(base, at(source, i)), L.select(copied, at(target, i))),
      );
  const clash = L.and(...Array.from({ length: 60 }, (_, i) => L.eq(L.select(copied, at(length, i)), L.bits(7n, 8))));
  expect(eliminateWrites(clash)).toBeUndefined();
});
