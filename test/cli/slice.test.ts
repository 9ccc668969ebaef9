/** `provest slice` with the real front end and slicer. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProgram } from '../../src/program';
import { NoCriterion, sliceFile } from '../../src/reductions/slice/sliceFile';
import { runWith, type Outcome } from './fakes';
import { concatenate } from '../patterns';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-slice-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const source = `#include <assert.h>
extern int nondet(void);
#define TWICE(x) ((x) + (x))
static int busy(int n) {
  int r = 0;
  while (n > 0) { r = r * 3 + n; n = n - 1; }
  return r;
}
int main(void) {
  int kept = 0, noise = 0,
      other = busy(3);
  for (int i = 0; i < 10; i++) {
    noise = busy(noise);
    if (noise > 4)
      kept = TWICE(kept);
    else {
      other = kept;
      while (other > 0) { other--; if (other == 2) break; }
    }
  }
  assert(kept == 0);
  return noise;
}
`;

async function slice(...options: readonly string[]): Promise<Outcome> {
  writeFileSync(join(cwd, 'main.c'), source);
  return sliceOf('main.c', ...options);
}

async function sliceOf(file: string, ...options: readonly string[]): Promise<Outcome> {
  return runWith(['slice', file, ...options], cwd, () => ({
    loadProgram,
    slice: async (request) => {
      try {
        return sliceFile(request);
      } catch (error) {
        if (error instanceof NoCriterion) return { linesWithChecks: error.lines };
        throw error;
      }
    },
  }));
}

test('what does not matter is blank, lines stay, and the text compiles', async () => {
  const { code, out, err } = await slice(
    '--criterion',
    '21',
    '--entry',
    'main',
    '--kind',
    'thin',
    '--property',
    'reach',
  );
  expect(code).toBe(0);
  expect(out.split('\n')).toHaveLength(source.split('\n').length);
  const lines = out.split('\n').map((line) => line.trim());
  expect(lines[14]).toBe('kept = TWICE(kept);');
  expect(lines[13]).toBe('if (either_way())');
  expect(out).not.toContain('noise = busy');
  expect(out).not.toContain('other--');
  expect(err).toMatch(
    concatenate(
      /^kept \d+ of \d+ commands and branches for assertion: kept == 0 \(line 21\)\n/,
      /not needed: busy \(called at 11, 13\)\n$/,
    ),
  );
  writeFileSync(join(cwd, 'slice.c'), out);
  // It is C again, for this front end and for a compiler, where there is one.
  expect(loadProgram([join(cwd, 'slice.c')], { externals: 'any' }).functionByName.has('main')).toBe(true);
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
  } catch {
    return;
  }
  execFileSync('cc', ['-std=c11', '-Werror=implicit-function-declaration', '-c', 'slice.c', '-o', 'slice.o'], { cwd });
});

test('why a line matters, and that another does not', async () => {
  const because = await slice('--criterion', '21', '--entry', 'main', '--kind', 'thin', '--why', '15');
  expect(because.out).toMatch(
    /^line 15: .*kept = .*\(writes kept, which the check reads\)\nline 21: .*\(the check\)\n$/u,
  );
  const not = await slice('--criterion', '21', '--entry', 'main', '--kind', 'thin', '--why', '13');
  expect(not.out).toMatch(
    /^line 13 does not matter to the check; in the slice are lines (\d+(-\d+)?, )*\d+(-\d+)?\n$/u,
  );
});

test('a write through a pointer is only said to be possible', () => {
  writeFileSync(
    join(cwd, 'pointers.c'),
    '#include <assert.h>\nint low, high;\nint main(int argc, char **argv) {\n' +
      '  int *p = argc > 1 ? &low : &high;\n  *p = 3;\n  high = argc;\n  assert(high != 3);\n  return low;\n}\n',
  );
  const { reasons } = sliceFile({
    files: [join(cwd, 'pointers.c')],
    load: {},
    entry: 'main',
    properties: ['reach'],
    criterion: { line: 7, column: undefined },
    kind: 'backward',
  });
  expect(reasons[5]![0]!.does).toMatch(/^may write (?:low|high), which /u);
  expect(reasons[6]![0]!.does).toMatch(/^writes (?:low|high), which /u);
});

test('reasons name other files, go on to the check, and name what stands in the C', () => {
  writeFileSync(
    join(cwd, 'first.c'),
    '#include <assert.h>\nextern int next(void);\nextern int set;\nint main(int argc, char **argv) {\n' +
      '  set = argc * 2;\n  int m = next();\n  if (m > 4)\n    m = 7;\n  assert(m != 7);\n  return 0;\n}\n',
  );
  writeFileSync(join(cwd, 'second.c'), `int set;${'\n'.repeat(12)}int next(void) { return set + 1; }\n`);
  const { reasons } = sliceFile({
    files: [join(cwd, 'first.c'), join(cwd, 'second.c')],
    load: {},
    entry: 'main',
    properties: ['reach'],
    criterion: { line: 9, column: undefined },
    kind: 'value+',
  });
  const placesFrom = (line: number) => reasons[line]!.map(({ file, line: at }) => `${file ?? 'first.c'}:${at}`);
  expect(placesFrom(5)).toEqual(['first.c:5', 'second.c:13', 'first.c:6', 'first.c:9']);
  expect(placesFrom(7)).toEqual(['first.c:7', 'first.c:8', 'first.c:9']);
  for (const steps of Object.values(reasons)) {
    expect(steps.at(-1)!.does).toBe('the check');
    for (const { does } of steps) expect(does).not.toMatch(/provest_|</u);
  }
});

test('reasons go on to the check from a branch that leaves the function, and say whose lifetime matters', () => {
  writeFileSync(
    join(cwd, 'lifetimes.c'),
    'int last(const int *from, int n) {\n  int kept[4] = { 0 };\n  int other = n;\n  if (n < 1)\n    return other;\n' +
      '  return kept[n - 1];\n}\n',
  );
  const { reasons } = sliceFile({
    files: [join(cwd, 'lifetimes.c')],
    load: {},
    entry: undefined,
    properties: ['memsafety'],
    criterion: { line: 6, column: undefined },
    kind: 'value+',
  });
  expect(reasons[4]!.map(({ line, does }) => [line, does])).toEqual([
    [4, 'decides whether the check is reached, and all that it reads is kept'],
    [6, 'the check'],
  ]);
  for (const steps of Object.values(reasons)) expect(steps.at(-1)!.does).toBe('the check');
});

test('of the lines of a large slice the nearest are named', async () => {
  const lines = Array.from({ length: 40 }, (_, i) => `  x = x * 3 + ${i};\n  other++;\n`);
  const body = `  int other = 0;\n${lines.join('')}  assert(x != 7);\n`;
  const text = `#include <assert.h>\nint main(int x, char **v) {\n${body}}\n`;
  writeFileSync(join(cwd, 'large.c'), text);
  const { out } = await sliceOf('large.c', '--criterion', '84', '--entry', 'main', '--property', 'reach', '--why', '3');
  expect(out).toMatch(
    /^line 3 does not matter to the check; in the slice are 4[0-9] lines, of which the nearest are /u,
  );
  expect(out.length).toBeLessThan(250);
});

test('as JSON', async () => {
  const { out } = await slice('--criterion', '21', '--entry', 'main', '--kind', 'thin', '--json');
  const value = JSON.parse(out) as Record<string, unknown>;
  expect(value).toMatchObject({ kind: 'thin', checks: [{ check: 'assertion', line: 21 }] });
  expect(value.lines).toContain(15);
});

test.each([
  [['--criterion', '7', '--entry', 'main'], /no check of these properties on line 7\nhint: the nearest are on lines /u],
  [['--criterion', 'x'], /'x' is no line\nhint: write 12, or 12:5/u],
  [['--criterion', '21', '--kind', 'full'], /'full'/u],
  [['--criterion', '21', '--entry', 'mian'], /no function 'mian' is defined\nhint: did you mean 'main'\?/u],
  [[], /required option '--criterion/u],
])('a wrong call: %j', async (options, message) => {
  const { code, err } = await slice(...options);
  expect(code).toBe(3);
  expect(err).toMatch(message);
});
