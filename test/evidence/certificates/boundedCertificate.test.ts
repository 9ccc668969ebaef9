/**
 * Programs whose executions all end soon are proved by following them; whatever may go on, fail, or be otherwise is
 * not.
 */
import { searchBounded } from '../../../src/engines/search/boundedModelChecking';
import { certifyUnwinding, type UnwindingCertificate } from '../../../src/evidence/certificates/unwindingCertificate';
import { BoundedExecutions, type StepOrder } from '../../../src/abstraction/transitionSystem/unwinding';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../../src/abstraction/transitionSystem/transitionSystem';
import { defaultProperties, type Property } from '../../../src/program/command';
import type { Program } from '../../../src/program/program';
import { createSolver, type Solver } from '../../../src/solver';
import { programOf } from '../../program/programOf';

jest.setTimeout(120_000);

let solver: Solver;
beforeAll(() => {
  solver = createSolver({ seed: 1 });
});
afterAll(() => solver.close());

const header =
  '#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n' +
  'int nondet(void); int other(void); void assume(int);\n';
const query = () => ({ timeoutMs: 20_000 });

function systemOf(
  text: string,
  properties: readonly Property[] = defaultProperties,
): { readonly program: Program; readonly options: SystemOptions } {
  const program = programOf(header + text, { externals: 'any' });
  return {
    program,
    options: {
      ...plainOptions,
      mode: 'program',
      entries: [program.functionByName.get('main')!],
      checkedProperties: new Set(properties),
    },
  };
}

const search = ({ program, options }: ReturnType<typeof systemOf>, order: StepOrder, rounds: number) =>
  searchBounded(new TransitionSystem(program, options), solver, { order, rounds, calls: 1, query, stop: () => false });

async function answer(order: StepOrder, text: string, properties?: readonly Property[]): Promise<string> {
  const system = systemOf(text, properties);
  const result = await search(system, order, 100);
  if (result.kind !== 'ended') return result.kind;
  const checked = await certifyUnwinding(system.program, system.options, result.ended, solver, query);
  return checked.kind === 'open' ? checked.why : `certified, ${checked.unreached.length} unreached`;
}

describe.each<StepOrder>(['breadth', 'inner-first'])('%s', (order) => {
  test.each([
    [
      'a table filled by calls',
      'int t[6]; static void put(int i, int q) { t[i] = i == 0 ? q : t[i - 1]; ' +
        'for (int k = 0; k < 2; k++) t[i] += 0; } ' +
        'int main(void) { int q = nondet(); if (q > 100 || q < 0) return 0; ' +
        'for (int i = 0; i < 6; i++) put(i, q); assert(t[5] == q); }',
      'certified, 0 unreached',
    ],
    [
      'rounds that depend on an input',
      'int main(void) { int n = nondet(), s = 0; if (n < 0 || n > 9) return 0; ' +
        'for (int i = 0; i < n; i++) s += 2; assert(s == 2 * n); }',
      'certified, 0 unreached',
    ],
    [
      'recursion',
      'static int f(int n) { return n <= 0 ? 0 : f(n - 1) + 3; } ' +
        'int main(void) { int n = nondet() & 7; assert(f(n) == 3 * n); }',
      'certified, 0 unreached',
    ],
    [
      'a list',
      'struct n { struct n *next; int v; }; int main(void) { struct n *head = 0; int v = nondet(); ' +
        'for (int i = 0; i < 3; i++) { struct n *n = malloc(sizeof *n); if (!n) return 1; n->next = head; ' +
        'n->v = v; head = n; } for (struct n *n = head; n; n = n->next) assert(n->v == v); }',
      'certified, 0 unreached',
    ],
    [
      'an assertion not come to',
      'int main(void) { int n = nondet() & 3; for (int i = 0; i < n; i++) if (i > 5) assert(0); }',
      'certified, 1 unreached',
    ],
  ])('followed to the end: %s', async (_, text, expected) => {
    expect(await answer(order, text, ['reach'])).toBe(expected);
  });

  test.each([
    [
      'a failure in the last round',
      'int main(void) { int n = nondet() & 7; for (int i = 0; i < n; i++) assert(i != 6); }',
      'found',
    ],
    [
      'a failure after the loop',
      'int main(void) { int n = nondet(), s = 0; if (n < 0 || n > 5) return 0; ' +
        'for (int i = 0; i < n; i++) s += 2; assert(s != 10); }',
      'found',
    ],
    [
      'a failure deep in recursion',
      'static int f(int n) { return n <= 0 ? 0 : f(n - 1) + 3; } int main(void) { assert(f(nondet() & 7) != 21); }',
      'found',
    ],
    [
      'what an unknown function answers',
      'int main(void) { int s = 0; for (int i = 0; i < 2; i++) s += other() & 1; assert(s < 2); }',
      'found',
    ],
    [
      'an indeterminate local',
      'int main(void) { int x; for (int i = 0; i < 2; i++) if (nondet()) x = i; assert(x < 2); }',
      'found',
    ],
    ['a loop that goes on', 'int main(void) { int n = nondet(); for (int i = 0; i < n; i++) assert(i < n); }', 'open'],
    ['a loop without end', 'int main(void) { for (;;) { if (nondet() == 3) break; } assert(1); }', 'open'],
    [
      'an assumption that nothing passes',
      'int main(void) { int n = nondet() & 3; for (int i = 0; i < n; i++) assume(i > 4); assert(n < 1); }',
      'an assumption is never passed',
    ],
  ])('not followed to an end, or to a failure: %s', async (_, text, expected) => {
    expect(await answer(order, text, ['reach'])).toBe(expected);
  });

  test('memory is looked at, too', async () => {
    expect(
      await answer(
        order,
        'int main(void) { int a[4], n = nondet(); if (n < 0 || n > 4) return 0; ' +
          'for (int i = 0; i < n; i++) a[i] = i; }',
      ),
    ).toBe('certified, 0 unreached');
    expect(
      await answer(
        order,
        'int main(void) { int a[4], n = nondet(); if (n < 0 || n > 5) return 0; ' +
          'for (int i = 0; i < n; i++) a[i] = i; }',
      ),
    ).toBe('found');
  });
});

test('executions of different lengths meet behind the loop', () => {
  const sort =
    'int main(void) { int a[5]; for (int i = 0; i < 5; i++) a[i] = nondet(); ' +
    'for (int i = 1; i < 5; i++) { int x = a[i], j = i - 1; while (j >= 0 && a[j] > x) { a[j + 1] = a[j]; ' +
    'j--; } a[j + 1] = x; } assert(a[0] <= a[4]); }';
  const widest = (order: StepOrder): { readonly frontier: number; readonly rounds: number } => {
    const { program, options } = systemOf(sort, ['reach']);
    const executions = new BoundedExecutions(new TransitionSystem(program, options), 1, order);
    let [frontier, rounds] = [0, 0];
    for (; executions.frontier.length > 0 && rounds < 100; rounds++) {
      frontier = Math.max(frontier, executions.frontier.length);
      executions.advance();
    }
    return { frontier, rounds };
  };
  expect(widest('inner-first')).toEqual({ frontier: 2, rounds: expect.any(Number) });
  expect(widest('inner-first').rounds).toBeLessThan(40);
  expect(widest('breadth').frontier).toBeGreaterThan(2);
});

test('a certificate for another program, or one that was changed, is refused', async () => {
  const text = (bound: number): string =>
    `int main(void) { unsigned n = nondet(), m = nondet(), s = 0; if (n > ${bound} || m != n) return 0; ` +
    'for (unsigned i = 0; i < m; i++) s += 2; assert(s <= 18); }';
  const good = systemOf(text(9), ['reach']);
  const result = await search(good, 'breadth', 40);
  if (result.kind !== 'ended') throw new Error(`the executions end, but: ${result.kind}`);
  const { ended } = result;
  const check = async (
    { program, options }: ReturnType<typeof systemOf>,
    changed: UnwindingCertificate,
  ): Promise<string> => (await certifyUnwinding(program, options, changed, solver, query)).kind;
  expect(await check(good, ended)).toBe('certified');
  expect(await check(systemOf(text(12), ['reach']), ended)).toBe('open');
  expect(await check(good, { ...ended, rounds: 3 })).toBe('open');
  // Control that can be was dropped early.
  const [key] = [...ended.dropped.values()].flatMap((keys) => [...keys]);
  if (key === undefined) throw new Error('nothing was dropped');
  expect(await check(good, { ...ended, dropped: new Map([[2, new Set([key])]]) })).toBe('open');
});
