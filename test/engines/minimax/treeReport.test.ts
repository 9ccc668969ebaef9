/** The search tree as data: each node once, kinds of leaves, annotations of loop heads, nodes that restarts drop. */
import { verify } from '../../../src/index';
import { file, task } from '../task';
import { treeOf } from './treeOf';

jest.setTimeout(120_000);

/** The head of the loop needs what its first round drops. */
const locked = `void foo(int last) {
  int held, next, on;
  held = 0;
  next = last + 1;
  on = 1;
  while (next != last) {
    held = 1;
    last = next;
    if (nondet()) { held = 0; next = next + 1; }
  }
  if (!on) held = 0;
  if (held == 0) error();
}`;

test('all nodes are there, with what a restart has forgotten', async () => {
  const { report, statistics } = await treeOf(locked);
  const { tree, restarts, complete } = report;
  expect(complete).toBe(true);
  // The start is not counted.
  expect(tree).toHaveLength(statistics.nodes + 1);
  for (const kind of ['covered', 'closed', 'infeasible'] as const)
    expect(tree.filter((node) => node.kind === kind)).toHaveLength(statistics[kind]);
  const seen = new Set<number>();
  for (const { id, parent, by } of tree) {
    if (parent !== undefined) expect(seen).toContain(parent);
    seen.add(id);
    if (by !== undefined) expect(seen).toContain(by);
  }
  expect(restarts).toHaveLength(1);
  const head = tree.find(({ id }) => id === restarts[0]!.at)!;
  const kept = head.vector!.filter(({ annotation }) => annotation === 'max').map(({ constraint }) => constraint);
  expect(kept).toEqual(expect.arrayContaining([...restarts[0]!.locked]));
  const forgotten = tree.filter((node) => node.forgotten);
  expect(forgotten.map(({ pass, id }) => pass === 0 && id > head.id)).not.toContain(false);
  expect(forgotten.map(({ kind }) => kind)).toContain('spurious');
  expect(tree.filter((node) => !node.forgotten).map(({ kind }) => kind)).not.toContain('open');
});

test('a failing path is the last node', async () => {
  const { report } = await treeOf(locked.replace('next = last + 1', 'next = last'));
  expect(report.tree.at(-1)).toMatchObject({ kind: 'fails', pass: 0 });
  expect(report.final).toBe(0);
});

test('the verdict has it, and none where another engine answered', async () => {
  const text = 'void main(int a) { int x = 1; if (a) x = 2; else x = 3; if (x == 0) error(); }';
  const asked = task(file(text), {
    mode: 'program',
    entries: ['main'],
    properties: ['reach'],
    load: { externals: 'any', idioms: true },
  });
  const verdict = await verify({ ...asked, engine: 'minimax' });
  expect(verdict.searchTree).toMatchObject({ complete: true, restarts: [] });
  expect(verdict.searchTree!.tree.map(({ kind }) => kind)).toContain('step');
  expect((await verify({ ...asked, engine: 'auto' })).searchTree).toBeUndefined();
});
