/**
 * Loops behind loops that are too long for short runs: runs that go far come to them, and what holds elsewhere is tried
 * where none came.
 */
import { runLong } from '../../../src/engines/search/fuzzing';
import { verify } from '../../../src/index';
import { loadProgram } from '../../../src/program';
import { file, fixture, task } from '../task';
import { ifLong, inLongForm } from '../../long';

jest.setTimeout(120_000);

const judged = async (path: string) =>
  verify(task(path, { mode: 'program', entries: ['main'], properties: ['reach'], load: { externals: 'any' } }));

test.each(['copied_at_length', ...ifLong('above_index_at_length')])('%s: proved', async (name) => {
  expect(await judged(fixture(`programs/arrays/${name}.c`))).toMatchObject({ kind: 'proved' });
});

inLongForm('no run comes to the second loop: what holds in the first is tried there', async () => {
  const text = `extern void reach_error(void);
extern int nondet(void);
int a[100000];
int main(void) {
  for (int i = 0; i < 100000; i++) {
    int best = 0;
    for (int j = 0; j < 100000; j++) if (nondet() & 1) best = j;
    a[i] = best;
  }
  for (int k = 0; k < 100000; k++) if (a[k] < 0) reach_error();
  return 0;
}
`;
  expect(await judged(file(text))).toMatchObject({ kind: 'proved' });
});

inLongForm(
  'a failure behind a long loop is found, and its test is short: most of a hundred thousand inputs may as well be 0',
  async () => {
    const verdict = await judged(fixture('programs/arrays/copied_at_length_wrong.c'));
    expect(verdict).toMatchObject({
      kind: 'bug',
      counterexample: { failure: { place: { line: 11 } }, test: expect.stringContaining(').fill(0)') as string },
    });
    if (verdict.kind === 'bug') expect(verdict.counterexample.test.split('\n').length).toBeLessThan(100);
  },
);

describe('runs that go far', () => {
  const far = (text: string, milliseconds: number) => {
    const program = loadProgram([file(text)], { externals: 'any' });
    const lines = new Set<number>();
    const found = runLong(program, {
      entries: [program.functionByName.get('main')!],
      maximumCalls: 1,
      seed: 1,
      checkedProperties: new Set(['reach'] as const),
      permits: () => true,
      milliseconds,
      stop: () => false,
      observe: (machine) => {
        const heads = new Set(program.functionByName.get('main')!.locations.filter(({ isLoopHead }) => isLoopHead));
        machine.observer = {
          locations: heads,
          visit: ({ span }) => {
            lines.add(span.file.position(span.start).line);
          },
          skip: () => 1_000,
        };
      },
    });
    return { lines: [...lines].sort(), found };
  };
  const long =
    'int main(void) {\n  int s = 0;\n  for (int i = 0; i < 300000; i++) s ^= i;\n' +
    '  for (int i = 0; i < 10; i++) s ^= i;\n  return s;\n}\n';

  test('come past a loop', () => {
    expect(far(long, 5_000)).toMatchObject({ lines: [3, 4], found: undefined });
  });

  test('end where a check fails', () => {
    const { found } = far(long.replace('return s;', '{ extern void reach_error(void); reach_error(); }'), 5_000);
    expect(found).toMatchObject({ calls: [{ arguments: [] }] });
  });

  test('end on time where loops do not end', () => {
    const before = performance.now();
    far(
      'extern int nondet(void);\nint main(void) {\n  int x = 0;\n  while (nondet() | 1) x ^= 1;\n  for (;;) x++;\n}\n',
      300,
    );
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
