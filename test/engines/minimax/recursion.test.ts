/** Programs in which some functions call themselves: their calls are summarised, and all others unfolded. */
import { CallStackGraph } from '../../../src/abstraction/transitionSystem/callStackGraph';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { verify } from '../../../src/index';
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { file, task } from '../task';
import { treeOf } from './treeOf';

jest.setTimeout(120_000);

const helpers = `static int locked;
  static int depth(int n) { if (n <= 0) return 0; return depth(n - 1) + 1; }
  static int odd(int n);
  static int even(int n) { if (n <= 0) { if (!locked) error(); return 1; } return odd(n - 1); }
  static int odd(int n) { if (n <= 0) return 0; return even(n - 1); }
  static void acquire(void) { if (locked) error(); locked = 1; }
  static void release(void) { if (!locked) error(); locked = 0; }
  static int twice(int n) { int i = 0, r = 0; while (i < n) { i = i + 1; r = r + 2; } return r; }`;
/** Each call of \`twice\` needs its stack; a failure lies in a function of a cycle, too. */
const program = (between: string): string => `${helpers}
  void foo(void) {
    int n = nondet(), x, y;
    acquire(); n = depth(n); release(); x = twice(1); ${between} y = twice(2);
    if (x != 2 || y != 4) error();
  }`;

const foo = { mode: 'program', entries: ['foo'], properties: ['reach'] } as const;
const load = { externals: 'value', idioms: true } as const;

test.each([
  ['of one function', 'n = depth(x);'],
  ['of two in turn', 'acquire(); n = even(n); release();'],
  ['of two in turn, with an argument that decides how they end,', 'n = odd(x);'],
])('calls %s are passed, and those of others unfolded', async (_, between) => {
  expect((await treeOf(program(between), { calls: 'stacks' })).answer).toBe('certified');
});

test.each([
  ['in a function that calls itself through another', 'n = odd(x + 1);'],
  ['behind such a call', 'acquire(); n = depth(x); acquire();'],
  ['of a value that comes from one', 'if (depth(3) == 3) error();'],
])('a failure %s is no proof', async (_, between) => {
  expect((await treeOf(program(between), { calls: 'stacks' })).answer).not.toBe('certified');
  expect(await verify(task(file(program(between)), { ...foo, load }))).toMatchObject({ kind: 'bug' });
});

test('what a summary does not say is no contradiction', async () => {
  const text = `${helpers} void foo(void) { int x = depth(3); acquire(); if (x != 3) error(); release(); }`;
  const verdict = await verify(task(file(text), { ...foo, load, engine: 'minimax' }));
  expect(verdict).toMatchObject({ kind: 'unknown', reason: { cause: 'probe-too-weak' } });
});

let problem: Problem | undefined;
afterEach(async () => problem?.solvers.close());

function stacksOf(text: string): CallStackGraph | undefined {
  problem = new Problem(task(file(text), { ...foo, load }), Budget.start({ milliseconds: 60_000 }), {});
  const { program: read } = problem;
  const system = new TransitionSystem(read, { ...problem.systemOptions(), cutpoints: 'branches', inline: false });
  return CallStackGraph.of(system, 1000);
}

test('no function is twice on a stack, and those that call themselves are at its bottom', () => {
  const graph = stacksOf(program('acquire(); n = even(n); release();'))!;
  const stacks = graph.nodes.map((node) => graph.framesAt(node).map(({ fn }) => fn.name));
  for (const stack of stacks) {
    expect(new Set(stack).size).toBe(stack.length);
    for (const name of ['depth', 'even', 'odd']) expect(stack.slice(0, -1)).not.toContain(name);
  }
  expect(stacks).toContainEqual(['twice', 'foo']);
});

test('where all calls are of functions that call themselves, nothing is unfolded', () => {
  expect(stacksOf(`${helpers} void foo(void) { if (depth(3) < 0) error(); }`)).toBeUndefined();
});
