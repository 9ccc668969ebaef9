/**
 * A verdict per check: failures do not hide the other checks, and no entry says more than what was certified or
 * replayed.
 */
import { verify } from '../../../src/index';
import type { Verdict } from '../../../src/verdict';
import { readPrograms, taskOf } from '../../conformance/programs';
import { isLong, inLongForm } from '../../long';
import { file, task } from '../task';

const verified = (text: string, changes: Parameters<typeof task>[1] = {}): Promise<Verdict> =>
  verify(task(file(text), { furtherChecks: 'to the end', ...changes }));

const rows = ({ checks = [] }: Verdict): string[] =>
  checks.map(({ place, check, text, status }) => `${place.line} ${check} ${text}: ${status}`);

const table = `int a[8];
int get(int i) { return a[i]; }
int put(int i, int v) { if (i < 0 || i >= 8) return -1; a[i] = v; return 0; }
int ratio(int x, int y) { return x / y; }
`;

test('checks beside a failing one are proved, and say on what they rest', async () => {
  const verdict = await verified(table);
  expect(verdict.kind).toBe('bug');
  expect(rows(verdict)).toEqual([
    '2 array-bounds a[i]: fails',
    '3 array-bounds a[i]: proved',
    '4 division-by-zero x / y: fails',
    '4 signed-overflow x / y: fails',
  ]);
  const [, put] = verdict.checks!;
  expect(put).toMatchObject({ status: 'proved', assumesFailing: true, place: { function: 'put' } });
});

test('a check that fails whenever it is reached is no vacuous assumption: the others have their answers', async () => {
  const verdict = await verified(
    `static int a[4];
int share(int n) { return n == 3 ? 6 / (n - 3) : 0; }
int get(int i) { if (i < 0 || i > 3) return 0; return a[i]; }
int last(int n) { int i = 0; while (i < n && i < 3) i++; return a[i]; }`,
  );
  expect(rows(verdict)).toEqual([
    '2 division-by-zero 6 / (n - 3): fails',
    '2 signed-overflow (n - 3): proved',
    '3 array-bounds a[i]: proved',
    '4 signed-overflow i++: proved',
    '4 array-bounds a[i]: proved',
  ]);
});

const neverPassed = `static int a[4];
void set(int i, int v) { int scale = 0; if (v / scale > 2) a[0] = v; a[i] = v; }
int first(int i) { return i == 0 ? a[i] : 0; }`;

test('what lies behind a check that fails whenever it is reached is open, not proved of nothing', async () => {
  const verdict = await verified(neverPassed);
  expect(rows(verdict)).toEqual([
    '2 division-by-zero v / scale: fails',
    '2 signed-overflow v / scale: open',
    '2 array-bounds a[i]: open',
    '3 array-bounds a[i]: proved',
  ]);
  const reasons = (verdict.checks ?? []).flatMap((row) => (row.status === 'open' ? [row.reason.cause] : []));
  expect(new Set(reasons)).toEqual(new Set(['vacuous']));
});

test('it is open as well where other checks are undecided', async () => {
  const mixed = `
static unsigned mixed(unsigned n) {
  unsigned s = n;
  for (unsigned i = 0; i < n; i++) s = s * s * 31 + (i ^ s);
  return s;
}
int hard(unsigned n) { return mixed(n) * mixed(n + 7) != 77771 || n < 1000000 ? 0 : a[n]; }`;
  const verdict = await verified(neverPassed + mixed, { budget: { milliseconds: 16_000 } });
  expect(rows(verdict)).toContain('2 array-bounds a[i]: open');
  expect(rows(verdict)).toContain('3 array-bounds a[i]: proved');
});

test('each failing entry names its own counterexample', async () => {
  const verdict = await verified(table);
  if (verdict.kind !== 'bug') throw new Error(verdict.kind);
  const found = [verdict.counterexample, ...(verdict.further ?? [])];
  const failing = verdict.checks!.filter((entry) => entry.status === 'fails');
  expect(failing).toHaveLength(3);
  for (const entry of failing) {
    const { failure } = found[(entry as { readonly counterexample: number }).counterexample]!;
    expect([failure.check, failure.place.line]).toEqual([entry.check, entry.place.line]);
  }
});

test('without the wish for more, a failure leaves the others open', async () => {
  const verdict = await verify(task(file(table)));
  const open = verdict.checks!.find(({ place }) => place.line === 3)!;
  expect(open).toMatchObject({ status: 'open', reason: { cause: 'not-run' } });
});

inLongForm('checks that need no invariant are proved, however little time is left for the others', async () => {
  const hard = `unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s = s * s + i; return s; }
    int use(unsigned n) { if (f(n) * f(n + 7) == 77771) error(); return 0; }`;
  const verdict = await verify(
    task(file(`extern void error(void);\n${table}${hard}`), {
      furtherChecks: 'briefly',
      budget: { milliseconds: 30_000 },
    }),
  );
  expect(verdict.kind).toBe('bug');
  expect(rows(verdict)).toContain('4 array-bounds a[i]: proved');
});

test('a proof proves every entry, resting on nothing', async () => {
  const verdict = await verified('int half(int x) { return x / 2; }\nint low(int x) { return x > 5 ? x - 5 : 0; }\n');
  expect(verdict.kind).toBe('proved');
  expect(verdict.checks!.length).toBeGreaterThan(0);
  expect(verdict.checks!.every((entry) => entry.status === 'proved' && !entry.assumesFailing)).toBe(true);
});

test('while one check stays open, the checks that follow from the invariants are proved', async () => {
  // By the user's probes alone, of which there are none: nothing is known of `n` between calls, and no run meets 11.
  const verdict = await verified(
    'static int n;\nint next(void) { if (n < 10) n++; return 100 / (11 - n); }\n' +
      'int other(int x) { return x == 0 ? 0 : 7 / x; }\n',
    {
      properties: ['div-by-zero'],
      predicates: 'probes',
      refinement: { escalate: false },
      budget: { milliseconds: 60_000 },
    },
  );
  expect(verdict.kind).toBe('potential-error');
  expect(rows(verdict)).toEqual(['2 division-by-zero 100 / (11 - n): open', '3 division-by-zero 7 / x: proved']);
});

test('a check that fails only after another failing one is found; an unreachable one is proved', async () => {
  const verdict = await verified(
    'int f(int x, int y) { int q = 10 / x; return q + 100 / (y - 7) + 1 / (x == 0 ? 0 : 1); }\n',
    {
      properties: ['div-by-zero'],
    },
  );
  expect(rows(verdict)).toEqual([
    '1 division-by-zero 10 / x: fails',
    '1 division-by-zero 100 / (y - 7): fails',
    '1 division-by-zero 1 / (x == 0 ? 0 : 1): proved',
  ]);
});

describe('the entry of a failing check never says proved', () => {
  // Functions of other verifiers are declared by the command, where a file uses them.
  const buggy = readPrograms().filter(({ id, expect: { kind } }) => kind === 'bug' && !id.startsWith('idioms/'));
  const chosen = buggy.filter((_, i) => i % (isLong ? 8 : 40) === 3);
  test.each(chosen.map((program) => [program.id, program] as const))('%s', async (_, program) => {
    const { expect: expected } = program;
    const verdict = await verify({ ...taskOf(program, 3000), furtherChecks: 'briefly' });
    const line = expected.kind === 'bug' ? expected.line : undefined;
    // The check of a library function is not on the line that calls it.
    if (verdict.kind === 'bug' && verdict.counterexample.stack[0]?.file !== program.path) return;
    const entries = (verdict.checks ?? []).filter(({ place }) => place.file === program.path && place.line === line);
    // A line may have checks that hold beside the one that fails.
    if (entries.length > 0 && verdict.kind === 'bug')
      expect(entries.filter(({ status }) => status !== 'proved').length).toBeGreaterThan(0);
    if (entries.length === 1) expect(entries[0]!.status).not.toBe('proved');
  });
});

inLongForm('what a native function writes may count as unwritten, and nothing follows from reading it', async () => {
  const text = `
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  if (scanf("%d", p) != 1) { free(p); return 0; }
  if (*p > 3) { free(p); assert(0); return 1; }
  free(p);
  return 0;
}
`;
  const verdict = await verified(text, {
    mode: 'program',
    entries: ['main'],
    properties: ['reach', 'memsafety', 'uninitialised'],
    load: { externals: 'any' },
    budget: { milliseconds: 10_000 },
  });
  const assertion = verdict.checks?.find(({ check }) => check === 'assertion');
  expect(assertion?.status).toMatch(/^(open|fails)$/);
});
