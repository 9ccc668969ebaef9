/** Clauses that contain other clauses, and follow from them. */
import * as fc from 'fast-check';
import { impliedClauses } from '../../../src/engines/invariants/impliedClauses';
import * as L from '../../../src/logic/build';
import { evaluate } from '../../../src/logic/evaluate';
import type { Term } from '../../../src/logic/term';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => L.symbol(name, L.boolSort)) as [Term, Term, Term, Term];
const bound = L.symbol('?object', L.bitsSort(32));
const bits = L.arraySort(L.bitsSort(32), L.boolSort);
const [live, seen] = ['live', 'seen'].map((name) => L.symbol(name, bits)) as [Term, Term];

test('a clause follows from those whose disjuncts it has', () => {
  const [ab, abc, cd] = [L.or(a, b), L.or(a, b, c), L.or(c, d)];
  const implied = impliedClauses([ab, abc, cd, c, L.not(a)]);
  expect(implied.get(abc)).toEqual([ab, c]);
  expect(implied.get(cd)).toEqual([c]);
  expect([...implied.keys()]).toEqual([abc, cd]);
});

test('the same below a quantifier, and not across one', () => {
  const of = (...disjuncts: Term[]): Term => L.forall([bound], L.or(L.select(live, bound), ...disjuncts));
  expect([...impliedClauses([of(a), of(a, b), L.or(a, b)])]).toEqual([[of(a, b), [of(a)]]]);
});

test('a clause that reads a further array is left alone', () => {
  const of = (...disjuncts: Term[]): Term => L.forall([bound], L.or(L.select(live, bound), ...disjuncts));
  expect(impliedClauses([of(a), of(a, L.select(seen, bound))]).size).toBe(0);
});

test('a clause follows from one with more conjuncts in its place', () => {
  const [strong, weak, weaker] = [L.or(a, L.and(b, c, d)), L.or(a, L.and(b, d)), L.or(a, d)];
  const implied = impliedClauses([weaker, weak, strong]);
  expect(implied.get(weaker)).toEqual([weak, strong]);
  expect(implied.get(weak)).toEqual([strong]);
  expect(implied.has(strong)).toBe(false);
});

test('of clauses that imply each other one is left', () => {
  const [left, right] = [L.or(L.and(a, b), c, L.and(b, c, d)), L.or(L.and(a, b), c)];
  const implied = impliedClauses([left, right, left, right]);
  expect(implied.size).toBe(new Set([left, right]).size - 1);
});

test('where a stronger clause holds, so does what follows from it', () => {
  const atom = fc.constantFrom(a, b, c, d, L.not(a), L.not(b), L.not(c));
  const literal = fc.oneof(
    atom,
    fc.array(atom, { minLength: 2, maxLength: 3 }).map((all) => L.and(...all)),
  );
  const clauses = fc.array(
    fc.array(literal, { minLength: 1, maxLength: 4 }).map((all) => L.or(...all)),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(clauses, fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()), (terms, values) => {
      const value = (term: Term): unknown => evaluate(term, (symbol) => values[[a, b, c, d].indexOf(symbol)]!);
      for (const [weak, stronger] of impliedClauses(terms))
        for (const strong of stronger) if (value(strong) === true) expect(value(weak)).toBe(true);
    }),
  );
});
