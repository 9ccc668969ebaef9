/** Structures that are passed and returned by value: what holds no pointer is a region of its own. */
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { verify } from '../../../src';
import { file, task } from '../../engines/task';

/** Numbers of parameters of `f` in the order of the regions to which they lead. */
async function regionsOf(text: string): Promise<readonly number[]> {
  const problem = Problem.examine(task(file(text)), Budget.start({ milliseconds: 60_000 }), {});
  try {
    const { regions } = problem.system.memoryModel;
    const found: unknown[] = [];
    return problem.program.functionByName.get('f')!.parameters.flatMap((variable) => {
      const target = regions.pointee({ kind: 'read', type: variable.type, variable });
      if (!target) return [];
      const node = regions.find(target.node);
      if (!found.includes(node)) found.push(node);
      return found.indexOf(node);
    });
  } finally {
    await problem.solvers.close();
  }
}

test('a result and an argument by value lead to no object of another argument', async () => {
  const point = 'struct point { int x, y; };\n';
  expect(
    await regionsOf(
      `${point}struct point f(struct point *p, struct point q) { struct point r = { p->x, q.y }; p->y = 1; return r; }`,
    ),
  ).toEqual([0, 1, 2]);
  // Through a pointer to characters a client may pass the bytes of anything, but not of these.
  const bytes = 'struct point f(char *p, struct point q) { struct point r = { p[0], q.y }; p[1] = 0; return r; }';
  expect(await regionsOf(point + bytes)).toEqual([0, 1, 2]);
});

test('what holds a pointer is one with what clients have', async () => {
  const text = 'struct text { char *at; int n; };\n';
  expect(await regionsOf(`${text}struct text f(char *p, struct text q) { q.at = p; *p = 0; return q; }`)).toEqual([
    0, 0, 0,
  ]);
});

test.each([
  ['it is a copy', 'int f(struct point p) { p.x = 1; return p.y == p.x ? 1 : 0; }', 'proved'],
  ['it holds anything', 'int f(struct point p) { return 100 / (p.y - 77); }', 'bug'],
  ['a result holds what was stored', 'int f(int x) { struct point p = make(x); return 100 / (p.x | 1); }', 'proved'],
  ['a result may hold 0', 'int f(int x) { struct point p = make(x); return 100 / p.x; }', 'bug'],
])('%s', async (_, text, kind) => {
  const make =
    'struct point { int x, y; };\nstruct point make(int x) { struct point p = { x, 1 }; p.y += p.x & 1; return p; }\n';
  expect((await verify(task(file(make + text)))).kind).toBe(kind);
});
