/** Law: what was written is read as the same terms; anything else is refused, never read as something. */
import * as fc from 'fast-check';
import { writeTerms, readTerms, NotTerms } from '../../src/logic/serialise';
import * as L from '../../src/logic/build';
import { anyRecipe, toTerm } from '../laws/recipes';

const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('terms come back as themselves', () => {
  fc.assert(
    fc.property(fc.array(anyRecipe(30), { minLength: 1, maxLength: 4 }), (recipes) => {
      const terms = recipes.map(toTerm);
      expect(readTerms(throughText(writeTerms(terms)))).toEqual(terms);
      readTerms(throughText(writeTerms(terms))).forEach((term, i) => expect(term).toBe(terms[i]));
    }),
    { numRuns: 500 },
  );
  const x = L.symbol('x', L.bitsSort(8));
  const odd = [
    L.forall([x], L.call('f', L.boolSort, x)),
    L.call('g', L.bitsSort(3)),
    L.constArray(L.arraySort(L.bitsSort(4), L.bitsSort(8)), x),
    L.symbol('m', L.arraySort(L.bitsSort(4), L.arraySort(L.bitsSort(2), L.boolSort))),
  ];
  readTerms(throughText(writeTerms(odd))).forEach((term, i) => expect(term).toBe(odd[i]));
});

test('a table with anything changed is terms of the same sorts or an error', () => {
  const changed = fc.oneof(
    fc.integer({ min: -2, max: 70 }),
    fc.constantFrom('and', 'add', 'extract', 'bool', '8', '[8->8]', null, [], true, '', 'select', 'call', 'forall'),
  );
  fc.assert(
    fc.property(anyRecipe(12), fc.nat(), fc.nat(), changed, (recipe, row, column, value) => {
      const table = throughText(writeTerms([toTerm(recipe)])) as { rows: unknown[][]; roots: number[] };
      const target = table.rows[row % table.rows.length]!;
      target[column % target.length] = value;
      try {
        for (const term of readTerms(table)) expect(['boolean', 'bits', 'array']).toContain(term.sort.kind);
      } catch (error) {
        expect(error).toBeInstanceOf(NotTerms);
      }
    }),
    { numRuns: 1000 },
  );
  for (const nonsense of [
    undefined,
    null,
    3,
    {},
    { rows: 3, roots: [] },
    { rows: [], roots: [0] },
    { rows: [['apply', 'and', [0], [], 'bool', null]], roots: [0] },
  ])
    expect(() => readTerms(nonsense)).toThrow(NotTerms);
});
