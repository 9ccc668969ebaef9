/** One object passed for two parameters: when callers that do not do so excuse a failure, and when nothing does. */
import { verify } from '../../../src';
import type { Task, Verdict } from '../../../src';
import { file, task } from '../task';
import { errors, specifications } from './lists';
import { ifLong, inLongForm } from '../../long';

jest.setTimeout(900_000);

const ask = (text: string, change: Partial<Task> = {}): Promise<Verdict> =>
  verify(
    task(file(text), {
      angelic: true,
      furtherChecks: 'to the end',
      properties: ['div-by-zero', 'memsafety'],
      budget: { milliseconds: 120_000 },
      ...change,
    }),
  );

const ratio = (first: string): string =>
  `static int same;\nint ratio(int *a, const int *b) { ${first} if (!a || !b || *b == 0) return 0; *a = 0; ` +
  'return 6 / *b; }';

inLongForm('two objects in place of one excuse a failure', async () => {
  const verdict = await ask(ratio(''));
  expect(errors(verdict)).toEqual([]);
  expect(specifications(verdict)).toEqual(['ratio: a != b']);
  expect(verdict).toMatchObject({
    kind: 'conditional',
    angelic: { specifications: [{ code: "requires: { ratio: 'a != b' }", flags: '--requires "ratio: a != b"' }] },
  });
});

inLongForm('a function that compares the pointers is called with the same twice', async () => {
  const verdict = await ask(ratio('if (a == b) same = 1;'));
  expect(errors(verdict)).toEqual(['ratio: division by zero: 6 / *b']);
  expect(verdict).toMatchObject({ angelic: { refused: [{ text: 'ratio: a != b', condition: 'a == b' }] } });
});

test.each(['default', 'default-AA'] as const)(
  'AV-05: so does a call that the user states as possible: %s',
  async (angelicConfiguration) => {
    const possible: Task['possible'] = [
      {
        function: 'ratio',
        formula: {
          kind: '==',
          left: { kind: 'path', variable: 'a', steps: [] },
          right: { kind: 'path', variable: 'b', steps: [] },
        },
        said: { c: 'a == b' },
      },
    ];
    const verdict = await ask(ratio(''), { possible, angelicConfiguration });
    expect(errors(verdict)).toEqual(['ratio: division by zero: 6 / *b']);
    expect(verdict).toMatchObject({
      angelic: {
        refused: [{ text: 'ratio: a != b', condition: 'a == b', stated: true, place: { function: 'ratio' } }],
      },
    });
  },
);

test('a failure that comes with a copy, too, is an error', async () => {
  const verdict = await ask('int both(int *a, int *b) { if (!a || !b) return 0; *b = 0; *a = 0; return 6 / *b; }');
  expect(errors(verdict)).toEqual(['both: division by zero: 6 / *b']);
  expect(specifications(verdict)).toEqual([]);
});

describe('AV-04: configurations', () => {
  const dead = 'int use(int *p) { int n = 0; if (p == 0) n = 1; return *p % 2 + n; }';
  test.each([
    ['default', dead, 1, []],
    ['default-AA', dead, 0, ['use: p != NULL']],
    ['noTS', ratio(''), 0, ['ratio: a != b']],
    ...ifLong(['noAlias', ratio(''), 1, []] as const, ['noEE', ratio(''), 1, []] as const),
    ['noAlias', 'int first(const int *p) { return *p; }', 1, []],
    ['noAlias', 'static int a[8];\nint get(int i) { return a[i]; }', 0, ['get: i >= 0 && i <= 7']],
    ['noTS', 'static int a[8];\nint get(int i) { return a[i]; }', 1, []],
  ] as const)('%s: %s', async (angelicConfiguration, text, count, expected) => {
    const verdict = await ask(text, { angelicConfiguration });
    expect(errors(verdict)).toHaveLength(count);
    expect(specifications(verdict)).toEqual(expected);
  });
});
