import { verify } from '../../../src/index';
import { printPreconditions } from '../../../src/engines/preconditions/preconditions';
import { file, task } from '../task';

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

describe('checks that hang on static data', () => {
  const suggested = async (source: string): Promise<string> => {
    const verdict = await verify(task(file(source), { engine: 'test-based-abstraction', predicates: 'probes' }));
    if (verdict.kind !== 'potential-error') throw new Error(`expected a potential error: ${verdict.kind}`);
    return verdict.reason.suggestion ?? '';
  };

  test('clients limit how often they call, where a counter would overflow at last', async () => {
    const counter = 'static int calls; void count(void) { calls++; } int counted(void) { return calls; }';
    expect(await suggested(counter)).toContain(
      "or, if clients keep to it, say so to loadC: requires: { count: 'calls != 2147483647' } " +
        '(--requires "count: calls != 2147483647"), which was tried',
    );
  });

  test('other relations of static data are not theirs to keep', async () => {
    const guard =
      'static unsigned level; static unsigned copy = 90; ' +
      'void adjust(unsigned bits) { level = level ^ bits; copy = copy ^ bits; } ' +
      'unsigned rate(void) { if (level != 0) return 1; return 90 / copy; }';
    expect(await suggested(guard)).not.toContain('requires');
  });
});
