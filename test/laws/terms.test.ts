/** Law: what a constructor returns means exactly its operator; substitution and compilation keep meanings. */
import * as fc from 'fast-check';
import { bitsSort, compile, compileAll, equalValues, evaluate, substitute, symbolsOf } from '../../src/logic';
import * as build from '../../src/logic/build';
import type { SymbolTerm, Term, Value } from '../../src/logic';
import { anyRecipe, environmentOf, naive, randomEnvironment, toTerm } from './recipes';
import type { NaiveValue } from './recipes';
import { isLong } from '../long';

const runs = Number(process.env['LAW_RUNS'] ?? (isLong ? 3000 : 1000));

function checkSame(actual: Value, expected: NaiveValue): void {
  expect(actual).toBe(expected);
}

test('a simplified term means its operators', () => {
  fc.assert(
    fc.property(anyRecipe(40), fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (recipe, seeds) => {
      const term = toTerm(recipe);
      const run = compile(term);
      for (const seed of seeds) {
        const random = randomEnvironment(seed);
        const environment = environmentOf(random);
        checkSame(evaluate(term, environment), naive(recipe, random));
        checkSame(run(environment), naive(recipe, random));
      }
    }),
    { numRuns: runs },
  );
});

test('terms computed together mean what each means alone', () => {
  fc.assert(
    fc.property(fc.array(anyRecipe(12), { maxLength: 4 }), fc.nat(), (recipes, seed) => {
      const terms = recipes.map(toTerm);
      // Parts of others are among them, and some twice.
      const all = [
        ...terms,
        ...terms.flatMap((term) => (term.kind === 'apply' ? term.args : [])),
        ...terms.slice(0, 1),
      ];
      const environment = environmentOf(randomEnvironment(seed));
      const values = compileAll(all)(environment);
      expect(values).toHaveLength(all.length);
      all.forEach((term, i) => expect(equalValues(values[i]!, evaluate(term, environment), term.sort)).toBe(true));
    }),
  );
});

test('substituting the values of symbols computes the term', () => {
  fc.assert(
    fc.property(anyRecipe(30), fc.nat(), (recipe, seed) => {
      const term = toTerm(recipe);
      const random = randomEnvironment(seed);
      const environment = environmentOf(random);
      const scalars = [...symbolsOf(term)].filter((s) => s.sort.kind !== 'array');
      const map = new Map<Term, Term>(
        scalars.map((s) => {
          const value = environment(s);
          return [s, typeof value === 'boolean' ? build.bool(value) : build.bits(value as bigint, build.widthOf(s))];
        }),
      );
      const replaced = substitute(term, map);
      for (const s of symbolsOf(replaced)) expect(s.sort.kind).toBe('array');
      checkSame(evaluate(replaced, environment), naive(recipe, random));
    }),
    { numRuns: Math.ceil(runs / 3) },
  );
});

test('renaming symbols renames the environment', () => {
  fc.assert(
    fc.property(anyRecipe(30), fc.nat(), (recipe, seed) => {
      const term = toTerm(recipe);
      const environment = environmentOf(randomEnvironment(seed));
      const renamed = new Map(
        [...symbolsOf(term)].map((s) => [s as Term, build.symbol(`${s.name}'`, s.sort)] as const),
      );
      const back = (s: SymbolTerm) => environment(build.symbol(s.name.slice(0, -1), s.sort) as SymbolTerm);
      expect(evaluate(substitute(term, renamed), back)).toBe(evaluate(term, environment));
    }),
    { numRuns: Math.ceil(runs / 3) },
  );
});

test('a bound symbol captures nothing', () => {
  const [k, n] = [build.symbol('k', bitsSort(4)) as SymbolTerm, build.symbol('n', bitsSort(4)) as SymbolTerm];
  const all = build.forall([k], build.ule(build.bitAnd(k, n), n)); // true of every n
  const some = build.exists([k], build.ult(k, n)); // n is not 0
  for (let i = 0n; i < 16n; i++) {
    expect(evaluate(all, () => i)).toBe(true);
    expect(evaluate(some, () => i)).toBe(i !== 0n);
    expect(evaluate(substitute(some, new Map([[n, k]])), () => i)).toBe(i !== 0n);
  }
  expect([...symbolsOf(some)]).toEqual([n]);
});
