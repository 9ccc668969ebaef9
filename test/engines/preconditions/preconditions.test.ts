import { printPreconditions } from '../../../src/engines/preconditions/preconditions';

const formula = { kind: 'boolean', value: true } as never;
const c = (fn: string, text: string) => ({ function: fn, formula, said: { c: text } });
const host = (fn: string, source: string) => ({ function: fn, formula, said: { host: source } });

test('what is pasted into loadC says again what was there, which it replaces; the command line only adds', () => {
  expect(
    printPreconditions(
      [{ function: 'read', text: 'PROVEST_LENGTH(to) >= n' }],
      [c('read', 'to != NULL'), c('init', 'r != NULL')],
    ),
  ).toEqual({
    code: "requires: { read: 'to != NULL && PROVEST_LENGTH(to) >= n', init: 'r != NULL' }",
    flags: '--requires "read: PROVEST_LENGTH(to) >= n"',
  });
  expect(
    printPreconditions([
      { function: 'put', text: 'r != NULL' },
      { function: 'put', text: 'n < 4' },
    ]).code,
  ).toBe("requires: { put: 'r != NULL && n < 4' }");
});

test('preconditions keep their meaning beside others, functions of the host stay, and none is invented', () => {
  expect(printPreconditions([{ function: 'f', text: 'n < 4' }], [c('f', "k == 1 || k == 'x'")]).code).toBe(
    "requires: { f: '(k == 1 || k == \\'x\\') && n < 4' }",
  );
  expect(
    printPreconditions([{ function: 'f', text: 'n < 4' }], [host('f', '(s) => s.k > 0'), host('g', 'positive')]).code,
  ).toBe("requires: { f: [(s) => s.k > 0, 'n < 4'], g: positive }");
  expect(printPreconditions([{ function: 'f', text: 'n < 4' }], [{ function: 'g', formula }]).code).toBe(
    "requires: { f: 'n < 4' }",
  );
});
