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

test('where a stronger clause holds, so does what follows from it', () => {
  const literal = fc.constantFrom(a, b, c, d, L.not(a), L.not(b), L.not(c));
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
