/** Objects of counterexamples: made simpler part by part, and said without their zeros. */
import { inShort, numbersIn, simplerPlain, withNumbers } from '../../../src/evidence/scenarios/plainContents';
import { verify } from '../../../src';
import { file, task } from '../../engines/task';
import { inLongForm } from '../../long';

test('any stretch of the numbers can be made zero, those inside included', () => {
  const contents = { a: 1, b: [2, 3n], c: { d: 0, e: 'text', f: null } };
  expect(numbersIn(contents)).toBe(4);
  expect(withNumbers(contents, 1, 2, 0)).toEqual({ a: 1, b: [0, 0n], c: { d: 0, e: 'text', f: null } });
  expect(withNumbers(contents, 0, 1, 0)).toEqual({ ...contents, a: 0 });
  expect(withNumbers(contents, 3, 1, 0)).toBeUndefined();
  expect(withNumbers(7, 0, 1, 0)).toBe(0);
});

test('of a long literal the zeros are left out, of an array those at the end, of a short one none', () => {
  const fields = (n: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, i === 3 ? 7 : 0]));
  expect(inShort(fields(16))).toEqual(fields(16));
  expect(inShort(fields(17))).toEqual({ f3: 7 });
  expect(inShort(Array.from({ length: 40 }, (_, i) => (i === 2 ? 5n : 0n)))).toEqual([0n, 0n, 5n]);
  expect(inShort({ only: Array.from({ length: 40 }, () => 0) })).toEqual({ only: [] });
  // Negative zero is not what is left out.
  expect(inShort([...Array.from({ length: 20 }, () => 0), -0])).toHaveLength(21);
});

test('in an object with many zeros the others are made simpler one by one; in one with many others none is', () => {
  const zeros = Array.from({ length: 500 }, () => 0);
  expect(simplerPlain(zeros.with(4, 2))).toContainEqual(zeros.with(4, 1));
  expect(simplerPlain(zeros.map((_, i) => i))).toEqual([]);
});

inLongForm('of a structure with a hundred numbers, the counterexample has those that matter', async () => {
  const members = Array.from({ length: 90 }, (_, i) => `int f${i};`).join(' ');
  const verdict = await verify(
    task(
      file(
        `struct big { ${members} int table[20]; };\n` +
          'int use(const struct big *p) { if (!p || p->f3 == 0 || p->table[5] == 0) return 0; ' +
          'return 1 / (p->f70 & 1); }\n',
      ),
      { properties: ['div-by-zero'] },
    ),
  );
  if (verdict.kind !== 'bug') throw new Error(verdict.kind);
  const [object] = verdict.counterexample.steps;
  expect(object).toMatchObject({ kind: 'allocate', type: 'struct big', value: { f3: 1, table: [0, 0, 0, 0, 0, 1] } });
  expect(Object.keys((object as { value: object }).value)).toEqual(['f3', 'table']);
});
