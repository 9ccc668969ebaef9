/** Rules of the loop: how many cures a check gets, and that what is printed is what was judged. */
import { verify } from '../../../src';
import type { Task, Verdict } from '../../../src';
import { loadProgram } from '../../../src/program';
import { precondition } from '../../../src/engines/angelic/specifications';
import { file, task } from '../task';
import { errors, specifications } from './lists';
import { ifLong, inLongForm } from '../../long';

jest.setTimeout(900_000);

const angelic: Partial<Task> = { angelic: true, furtherChecks: 'to the end' };
const ask = (path: string, change: Partial<Task> = {}): Promise<Verdict> =>
  verify(task(path, { ...angelic, ...change }));

test.each([
  'static int a[8];\nint get(int i) { return a[i]; }',
  'int ratio(int *a, const int *b) { if (!a || !b || *b == 0) return 0; *a = 0; return 6 / *b; }',
])('AV-17: stated as printed, the specifications prove what they were judged for: %s', async (text) => {
  const path = file(text);
  const properties: Task['properties'] = ['div-by-zero', 'memsafety'];
  const verdict = await ask(path, { properties });
  expect(verdict.kind).toBe('conditional');
  const program = loadProgram([path], {});
  const requires = specifications(verdict).map((said): NonNullable<Task['requires']>[number] => {
    const [, name = '', condition = ''] = /^(\w+): (.*)$/.exec(said) ?? [];
    const one = precondition(program, name, condition);
    if (one?.kind !== 'requires') throw new Error(`${said} cannot be read`);
    return { function: name, formula: one.formula, said: { c: condition } };
  });
  expect(requires.length).toBeGreaterThan(0);
  expect((await verify(task(path, { requires, properties }))).kind).toBe('proved');
});

test('AV-11: after four cures of one check in one entry the next failure is an error', async () => {
  const verdict = await ask(
    file(`#include <assert.h>
static void differ(const int *p, const int *q) { assert(p != q || !p); }
void five(const int *a, const int *b, const int *c, const int *d) {
  differ(a, b); differ(a, c); differ(a, d); differ(b, c); differ(b, d); differ(c, d);
}`),
    { properties: ['reach'], budget: { milliseconds: 20_000 } },
  );
  expect(errors(verdict)).toEqual(['differ: assertion failed: p != q || !p']);
  expect(specifications(verdict)).toHaveLength(0);
  // They excuse failures of a check that fails all the same; what was taken is offered.
  expect(verdict).toMatchObject({ suggestion: expect.stringContaining(' != ') as unknown });
});

test('a check whose specification only the C can say is not proved for clients that keep it', async () => {
  const text = (failsAnyway: string): string => `
int tab[10];
struct bits { unsigned at : 5; unsigned more : 4; };
int get(struct bits *p, int k) {
  unsigned i = p->at;
  ${failsAnyway}
  return tab[i];
}`;
  for (const failsAnyway of ['if (k == 5) i = 12;', ...ifLong('')]) {
    const verdict = await verify(task(file(text(failsAnyway)), angelic));
    expect(verdict.kind).toBe('bug');
    expect(verdict.kind === 'bug' && verdict.counterexample.failure.message).toContain('is outside tab[10]');
    // The word in which bit-fields lie has no name.
    expect(specifications(verdict)).toEqual(['get: p != NULL']);
  }
}, 120_000);

inLongForm('what only the C can say is offered once, although several clients fail without it', async () => {
  const text = `#include <stdio.h>
#include <string.h>
static char kept[8];
int report(const char *s, int k) {
  if (!s) return 0;
  if (k == 5) { memset(kept, 1, 8); s = kept; }
  printf("%s", s);
  return 1;
}`;
  const said = specifications(await ask(file(text)));
  expect(said).toEqual(['report: (s == NULL || PROVEST_TERMINATED(s))']);
});
