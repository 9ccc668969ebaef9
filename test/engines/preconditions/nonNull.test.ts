/**
 * A failure that hangs on null from the client is a bug; what a client would have to promise is said with it, where no
 * test passes null.
 */
import { verify } from '../../../src';
import type { Task, Verdict } from '../../../src';
import type { Operation } from '../../../src/host/operation';
import { compare, file, task, variable } from '../task';
import { inLongForm } from '../../long';

const counter = `
struct counter { int value; };
void counter_init(struct counter *c) { c->value = 0; }
int counter_next(struct counter *c, int *into) {
  if (into) *into = c->value;
  return c->value < 100 ? c->value++ : -1;
}
int counter_root(struct counter *c) { return c->value / (c->value - 7); }
`;
const bug = async (
  text: string,
  runs: readonly (readonly Operation[])[] = [],
  changes: Partial<Task> = {},
): Promise<Extract<Verdict, { kind: 'bug' }>> => {
  const verdict = await verify(task(file(text), { runs, ...changes }));
  if (verdict.kind !== 'bug') throw new Error(`a bug is expected, not ${verdict.kind}`);
  return verdict;
};
const requires = ({ suggestion }: { readonly suggestion?: string }): string | undefined =>
  suggestion?.split('\n').find((line) => line.startsWith('requires: '));

inLongForm(
  'all functions that fail at null are named at once, and what fails all the same is not hidden by them',
  async () => {
    const verdict = await bug(counter, [], { furtherChecks: 'briefly' });
    expect(requires(verdict)).toBe(
      "requires: { counter_init: 'c != NULL', counter_next: 'c != NULL', counter_root: 'c != NULL' }",
    );
    expect([verdict.counterexample, ...(verdict.further ?? [])].map(({ failure }) => failure.check)).toContain(
      'division-by-zero',
    );
  },
);

test('pasted, it rules them out', async () => {
  const before = ['counter_init', 'counter_next', 'counter_root'].map((name) => ({
    function: name,
    formula: compare('!=', variable('c'), { kind: 'null' }),
  }));
  const verdict = await verify(task(file(counter), { requires: before }));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'division-by-zero' } } });
  expect(requires(verdict as never)).toBeUndefined();
});

test('where a test passes null, clients do; and of two nulls only the one that matters is spoken of', async () => {
  const passesNull: Operation = {
    kind: 'call',
    function: 'counter_init',
    arguments: [{ object: 0, offset: 0 }],
    answers: [],
  };
  expect((await bug('struct c { int v; }; int get(struct c *c) { return c->v; }', [])).suggestion).toContain(
    "requires: { get: 'c != NULL' }",
  );
  expect((await bug(counter, [[passesNull]])).suggestion).toBeUndefined();
  expect(requires(await bug('int copy(const int *from, int *into) { if (into) *into = 1; return *from; }'))).toBe(
    "requires: { copy: 'from != NULL' }",
  );
});

test('a failure that an object in place of null has too is none of null', async () => {
  expect((await bug('int f(int *p, int n) { return n / (n - 3) + (p != 0); }')).suggestion).toBeUndefined();
  // With an object, another call fails before: that says nothing of the one that failed.
  expect(
    requires(
      await bug(
        'int f(const int *p, unsigned n) { return p ? p[n] : 0; }\nint g(int k) { int a[2] = {0}; return a[k & 3]; }',
      ),
    ),
  ).toBeUndefined();
});
