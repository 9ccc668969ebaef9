/**
 * Preconditions, postconditions and loop invariants written into the C (`provest.h`): checked, used, and nothing to a
 * compiler.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../../src/index';
import { loadProgram } from '../../../src/program';
import type { Property } from '../../../src/program/command';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';
import { inLongForm } from '../../long';

const ask = (
  text: string,
  properties: readonly Property[] = ['reach', 'memsafety', 'overflow', 'div-by-zero'],
): Promise<Verdict> =>
  verify(task(file(`#include <provest.h>\n${text}`), { properties, budget: { milliseconds: 20_000 } }));
const checkOf = (verdict: Verdict): string | undefined =>
  verdict.kind === 'bug' ? verdict.counterexample.failure.check : undefined;

const clamp = `int clamp(int x, int low, int high) {
  PROVEST_REQUIRES(low <= high);
  PROVEST_ENSURES(low <= PROVEST_RESULT && PROVEST_RESULT <= high);
  if (x < low) return low;
  if (x > high) return high;
  return x;
}
`;

test('clients keep to preconditions, callers inside the module are checked', async () => {
  const kept = await ask(`${clamp}int percent(int x) { return clamp(x, 0, 100); }`);
  expect(kept.kind).toBe('proved');
  expect(kept.assumptions).toContain('clients keep to the precondition of clamp');
  const broken = await ask(`${clamp}int percent(int x) { return clamp(x, 100, 0); }`);
  expect(checkOf(broken)).toBe('precondition');
  // Whatever is asked for: inside, it is taken for granted.
  expect(
    checkOf(
      await ask(
        'static int a[4]; static int at(int i) { PROVEST_REQUIRES(i >= 0 && i < 4); return a[i]; } ' +
          'int f(int i) { return at(i); }',
        ['memsafety'],
      ),
    ),
  ).toBe('precondition');
});

test('postconditions are checked at every return, with values of the beginning', async () => {
  expect(checkOf(await ask(clamp.replace('if (x > high) return high;', '')))).toBe('postcondition');
  const count = (step: string): string =>
    'static int n; void next(void) { PROVEST_OLD(int, before, n); PROVEST_ENSURES(n == before + 1 || n == 0); ' +
    `${step} }`;
  expect((await ask(count('n++; if (n > 9) n = 0;'))).kind).toBe('proved');
  expect(checkOf(await ask(count('n++; if (n > 9) { n = 1; return; }')))).toBe('postcondition');
});

test('invariants of loops carry proofs, and wrong ones are bugs', async () => {
  const sum = (
    step: string,
  ): string => `int sum(int n) { PROVEST_REQUIRES(n >= 0 && n <= 1000); PROVEST_ENSURES(PROVEST_RESULT == 2 * n);
    int s = 0; for (int i = 0; i < n; i++) { PROVEST_INVARIANT(s == 2 * i); ${step} } return s; }`;
  expect((await ask(sum('s += 2;'))).kind).toBe('proved');
  expect(checkOf(await ask(sum('s += 2;').replace('s == 2 * i', 's != 8')))).toBe('assertion');
});

test('a precondition that no call meets proves nothing, in C or stated beside it', async () => {
  expect(await ask('int f(int n) { PROVEST_REQUIRES(n > 5 && n < 3); return 10 / n; }')).toMatchObject({
    kind: 'unknown',
    reason: { cause: 'vacuous' },
  });
  expect(await ask('static int open; int f(int n) { PROVEST_REQUIRES(open); return 10 / n; }')).toMatchObject({
    kind: 'unknown',
    reason: { cause: 'vacuous' },
  });
});

test('contracts without a meaning are rejected', () => {
  const load =
    (text: string): (() => unknown) =>
    () =>
      loadProgram([file(`#include <provest.h>\n${text}`)]);
  expect(load('void f(void) { PROVEST_ENSURES(PROVEST_RESULT > 0); }')).toThrow(
    /returns nothing that a postcondition could mention/,
  );
  expect(
    load(
      'struct s { int x; }; struct s f(void) { PROVEST_ENSURES(PROVEST_RESULT.x > 0); struct s r = {1}; return r; }',
    ),
  ).toThrow(/structure result has no name/);
});

test('what changes something is no contract: compilers would leave the change out', () => {
  const load =
    (text: string): (() => unknown) =>
    () =>
      loadProgram([file(text)]);
  const f = (contract: string): string =>
    `#include <provest.h>\nstatic int a[8];\nint f(int n) { ${contract} return a[n]; }`;
  expect(load(f('PROVEST_REQUIRES(n = 5);'))).toThrow(/a contract changes nothing[^]*Compare with '=='/);
  for (const contract of [
    'PROVEST_REQUIRES(n++ < 8);',
    'PROVEST_ENSURES(n > 0 && a[--n] == 0);',
    'while (n > 7) PROVEST_INVARIANT((n -= 8) ? 1 : 0);',
  ])
    expect(load(f(contract))).toThrow(/a contract changes nothing/);
  expect(load(f('PROVEST_REQUIRES(n == 5 && -n < 0 && !(n != 5));'))).not.toThrow();
  expect(load('int f(int n) { PROVEST_REQUIRES(n > 0); return n; }')).toThrow(/Add '#include <provest.h>'/);
});

test('a compiler takes contracts for nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'provest-contracts-'));
  try {
    execFileSync('gcc', ['--version'], { stdio: 'ignore' });
  } catch {
    console.warn('SKIPPED: no gcc, so nobody compiles contracts');
    return;
  }
  writeFileSync(join(folder, 'provest.h'), readFileSync(join(__dirname, '../../../src/c/headers/provest.h')));
  writeFileSync(
    join(folder, 'm.c'),
    `#include <provest.h>\n${clamp}static int n;\n` +
      'int next(void) { PROVEST_OLD(int, before, n); PROVEST_ENSURES(n == before + 1); ' +
      'for (int i = 0; i < 3; i++) { PROVEST_INVARIANT(i < 3); n++; } return n; }\n',
  );
  execFileSync('gcc', [
    '-std=c11',
    '-Wall',
    '-Wextra',
    '-pedantic',
    '-Werror',
    '-I',
    folder,
    '-c',
    join(folder, 'm.c'),
    '-o',
    join(folder, 'm.o'),
  ]);
});

test('the text of a condition is for messages, and no object that a pointer may lead to', () => {
  const { objects } = loadProgram([
    file(
      '#include <assert.h>\n#include <provest.h>\n' +
        'int f(int n) { PROVEST_REQUIRES(n > 0); PROVEST_INVARIANT(n > 0); assert(n); return *"x"; }',
    ),
  ]);
  expect(objects.map(({ sizeBytes }) => sizeBytes)).toEqual([2]);
});

inLongForm('who stops at the 0 that clients promise stays within a string', async () => {
  const hash = (condition: string): string =>
    'unsigned hash(const char *s) { PROVEST_REQUIRES(PROVEST_TERMINATED(s)); unsigned h = 5381; ' +
    `while (${condition}) h = h * 33 + (unsigned char)*s++; return h; }`;
  expect((await ask(hash('*s'))).kind).toBe('proved');
  expect(checkOf(await ask(hash("*s != '/'")))).toBe('dereference');
  expect(await ask('int f(const char *s) { PROVEST_REQUIRES(PROVEST_TERMINATED(s)); return *s; }')).toMatchObject({
    kind: 'proved',
  });
});

test('what is promised of floating point is for the solver where states are looked at', async () => {
  const twice = (promise: string): string =>
    `int f(double x, unsigned n) { PROVEST_REQUIRES(${promise}); unsigned i; for (i = 0; i < n; i++) ; ` +
    'return 10 / (i == n); }';
  expect((await ask(twice('x == 1'))).kind).toBe('proved');
});

test('a failed postcondition tells of a pointer whether it is null', async () => {
  const verdict = await ask('int *last;\nvoid keep(int *p, int n) { PROVEST_ENSURES(last == 0 || n < 0); last = p; }', [
    'reach',
  ]);
  expect(verdict).toMatchObject({
    kind: 'bug',
    counterexample: { failure: { message: 'postcondition violated: last == 0 || n < 0 (last != NULL, n = 0)' } },
  });
});
