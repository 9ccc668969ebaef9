/** The harness of a bug, compiled with the program by gcc with its sanitizers, fails as the counterexample says. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../../src';
import { loadInterface } from '../../../src/program';
import { counterexampleToHarness } from '../../../src/report';
import { besidePeer } from '../../peer';

const besideGcc = besidePeer(
  spawnSync('gcc', ['--version']).status === 0,
  'gcc is not installed, so NO harness is compiled',
);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'harness-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function check(
  source: string,
  property: 'reach' | 'memsafety' | 'overflow' | 'div-by-zero',
  expected: RegExp,
  entry = 'main',
): Promise<void> {
  const path = join(folder, 'p.c');
  writeFileSync(path, source);
  const verdict = await verify({
    files: [path],
    load: { externals: 'any' },
    mode: 'program',
    entries: [entry],
    probes: [],
    runs: [],
    properties: [property],
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 20_000 },
  });
  if (verdict.kind !== 'bug') throw new Error(verdict.kind);
  const harness = counterexampleToHarness(verdict.counterexample, {
    entry,
    files: [path],
    sources: [source],
    base: folder,
    name: 'h.c',
    dataModel: 'lp64',
    floatResults: loadInterface([path]).floatResults!,
  });
  if ('cannot' in harness) throw new Error(harness.cannot);
  writeFileSync(join(folder, 'h.c'), harness.text);
  const command = /gcc .* && /.exec(readFileSync(join(folder, 'h.c'), 'utf8'))![0].replace(' && ', '');
  execFileSync('/bin/sh', ['-c', command], { cwd: folder });
  const run = spawnSync(join(folder, 'a.out'), [], { encoding: 'utf8', cwd: folder });
  expect(run.status === 0 ? 'it ends well' : 'it fails').toBe('it fails');
  expect(run.stdout + run.stderr).toMatch(expected);
}

besideGcc.describe('compiled with the program', () => {
  test('inputs in order reach the error', () =>
    check(
      `extern int nondet(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) { int a = nondet(), b = nondet(); unsigned char c = __VERIFIER_nondet_uchar();
  if (a == 77 && b == -3 && c == 200) reach_error(); return 0; }
`,
      'reach',
      /reached: reach_error/,
    ));

  test('an assertion behind an assumption', () =>
    check(
      `extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
extern long nondet_long(void);
int main(void) { long x = nondet_long(); __VERIFIER_assume(x > 5000000000); __VERIFIER_assert(x < 6000000000);
  return 0; }
`,
      'reach',
      /assertion failed/,
    ));

  test('a write behind an array', () =>
    check(
      `extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { int a[4]; unsigned i = __VERIFIER_nondet_uint(); if (i < 8) a[i] = 1; return 0; }
`,
      'memsafety',
      /p\.c:2.*(out of bounds|index)/,
    ));

  test('a number that the C library draws', () =>
    check(
      `#include <stdlib.h>
extern void reach_error(void);
int main(void) { int a = rand(), b = rand(); if (a == 7 && b == 1234567) reach_error(); return 0; }
`,
      'reach',
      /reached: reach_error/,
    ));

  test('the zero below zero', () =>
    check(
      `#include <string.h>
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  if (x == 0 && bits != 0) reach_error();
  return 0;
}
`,
      'reach',
      /reached: reach_error/,
    ));

  test('numbers of a function whose name does not tell that they are floating-point numbers', () =>
    check(
      `extern double sensor(void);
extern float level(void);
extern void reach_error(void);
int main(void) {
  double a = sensor();
  float b = level();
  if (a == 1e300 && b == 2) reach_error();
  return 0;
}
`,
      'reach',
      /reached: reach_error/,
    ));

  test('an object of a function that has returned', () =>
    check(
      `static int *kept;
static void keep(int value) { kept = &value; *kept = 3; }
int main(void) { keep(1); return *kept; }
`,
      'memsafety',
      /stack-use-after-return/,
    ));

  test('arguments of another entry', () =>
    check(
      `int sum(int a, int b) { return a + b; }
`,
      'overflow',
      /p\.c:1:.*signed integer overflow/,
      'sum',
    ));
});

test('a structure as an argument is not guessed at', () => {
  const harness = counterexampleToHarness(
    {
      failure: {
        check: 'assertion',
        property: 'reach',
        message: 'm',
        place: { file: '/x/p.c', line: 1, column: 1 },
        codeFrame: '',
      },
      stack: [],
      test: '',
      steps: [
        { kind: 'allocate', name: 'p', type: 'struct node', value: { next: null } },
        { kind: 'call', function: 'f', arguments: [{ kind: 'object', name: 'p' }] },
      ],
    },
    { entry: 'f', files: ['/x/p.c'], sources: [''], base: '/x', name: 'h.c', dataModel: 'lp64' },
  );
  expect(harness).toEqual({ cannot: expect.stringContaining('f') as string });
});

test('an answer that is a structure is not written down', () => {
  const harness = counterexampleToHarness(
    {
      failure: {
        check: 'assertion',
        property: 'reach',
        message: 'm',
        place: { file: '/x/p.c', line: 1, column: 1 },
        codeFrame: '',
      },
      stack: [],
      test: '',
      steps: [
        { kind: 'call', function: 'main', arguments: [] },
        { kind: 'input', function: 'nondet_pair().first', value: 3 },
      ],
    },
    { entry: 'main', files: ['/x/p.c'], sources: [''], base: '/x', name: 'h.c', dataModel: 'lp64' },
  );
  expect(harness).toEqual({ cannot: expect.stringContaining('nondet_pair answers with a structure') as string });
});
