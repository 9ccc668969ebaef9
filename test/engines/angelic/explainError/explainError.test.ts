/** Preconditions that exclude one given trace: what its formula offers, without a search for the trace. */
import { TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { printType } from '../../../../src/c/printType';
import type { CType } from '../../../../src/c/types';
import { Budget } from '../../../../src/budget';
import { explainError } from '../../../../src/engines/angelic/explainError/explainError';
import { specificationText } from '../../../../src/engines/angelic/specifications';
import { Problem } from '../../../../src/engines/problem';
import { type Argument, faultOf, runScenario } from '../../../../src/evidence/scenarios/scenario';
import { pointerToArgument, pointerToFresh } from '../../../../src/plainPointer';
import type { Plain } from '../../../../src/verdict';
import { file, task } from '../../task';

const budget = Budget.start({ milliseconds: 600_000 });

/** Answers for the last of some calls, each of which has the arguments that `calls` makes for it. */
async function explained(
  text: string,
  calls: (
    object: (type: string, contents: Plain) => Argument,
  ) => readonly (readonly [string, ...(number | Argument)[]])[],
  solver: 'answers' | 'has no time' = 'answers',
): Promise<readonly string[]> {
  const problem = Problem.examined(task(file(text), { load: { externals: 'any' } }), budget, {});
  const { program } = problem;
  const recordOf = (name: string): CType => {
    const found = program.functions
      .flatMap(({ parameters }) => parameters.map(({ ctype }) => (ctype?.kind === 'pointer' ? ctype.to : undefined)))
      .find((type) => type && printType(type) === `struct ${name}`);
    if (!found) throw new Error(`no parameter points to a struct ${name}`);
    return found;
  };
  const scenario = {
    calls: calls((name, contents) => ({ kind: 'object', type: recordOf(name), contents })).map(([name, ...given]) => ({
      fn: program.functionByName.get(name)!,
      arguments: given.map((one): Argument => (typeof one === 'number' ? { kind: 'scalar', value: one } : one)),
    })),
    answers: [],
  };
  const fault = faultOf(runScenario(program, scenario, problem.scenarioOptions()));
  if (!fault) throw new Error('the calls do not fail');
  const found: string[] = [];
  const trace = {
    problem,
    scenario,
    fault,
    system: () => new TransitionSystem(program, problem.systemOptions()),
    bounds: true,
    solver: problem.solvers.instances,
    query: () => (solver === 'answers' ? budget.query(20_000) : undefined),
  };
  for await (const one of explainError(trace)) found.push(specificationText(one));
  await problem.solvers.close();
  return found;
}

const request = `
#include <assert.h>
struct irp { int completed; };
struct ext { struct irp *FlushIrp, *LockIrp, *BlockIrp; };
struct dev { struct ext *DeviceExtension; };
`;
const dispatch = `${request}
void Dispatch(struct dev *devobj, struct irp *irp) {
  int completions = 0;
  if (devobj->DeviceExtension->FlushIrp == irp) completions = completions + 1;
  if (devobj->DeviceExtension->BlockIrp == irp) completions = completions + 1;
  if (devobj->DeviceExtension->LockIrp == irp) completions = completions + 2;
  assert(completions < 2);
}`;
const same = pointerToArgument(1);
const device = (stored: Plain): Plain => ({ DeviceExtension: pointerToFresh(stored) });

test('AV-03: two places that both exclude the failure are joined, as the weaker condition', async () => {
  const texts = await explained(dispatch, (object) => [
    [
      'Dispatch',
      object('dev', device({ FlushIrp: same, LockIrp: null, BlockIrp: same })),
      object('irp', { completed: 0 }),
    ],
  ]);
  const [flush, block] = ['FlushIrp', 'BlockIrp'].map((name) => `devobj->DeviceExtension->${name} != irp`);
  expect(texts).toHaveLength(3);
  expect([`Dispatch: ${flush} || ${block}`, `Dispatch: ${block} || ${flush}`]).toContain(texts[0]);
  expect(texts.slice(1).sort()).toEqual([`Dispatch: ${block}`, `Dispatch: ${flush}`]);
});

test('AV-03: a branch that the failure does not depend on is no part of the answer', async () => {
  const texts = await explained(dispatch, (object) => [
    [
      'Dispatch',
      object('dev', device({ FlushIrp: null, LockIrp: same, BlockIrp: null })),
      object('irp', { completed: 0 }),
    ],
  ]);
  expect(texts).toEqual(['Dispatch: devobj->DeviceExtension->LockIrp != irp']);
});

test('AV-03: what no literal excludes alone, two joined by *and* do', async () => {
  const text = `${request}void apart(struct irp *p, struct irp *q, struct irp *r) { assert((p != q) & (p != r)); }`;
  const texts = await explained(text, (object) => [
    ['apart', object('irp', { completed: 0 }), { kind: 'earlier', call: 0, argument: 0 }, 0],
  ]);
  expect(texts).toHaveLength(1);
  expect(['apart: p != q && p != r', 'apart: p != r && p != q']).toContain(texts[0]);
});

test('AV-11: a solver without time leaves no answer', async () => {
  const failing: Parameters<typeof explained>[1] = (object) => [
    [
      'Dispatch',
      object('dev', device({ FlushIrp: null, LockIrp: same, BlockIrp: null })),
      object('irp', { completed: 0 }),
    ],
  ];
  expect(await explained(dispatch, failing, 'has no time')).toEqual([]);
});

test('the bound of a check is read back in exact numbers, not those of C', async () => {
  const text =
    '#include <assert.h>\nint depth;\nvoid release(void) { depth = depth + 1; depth = depth - 2; assert(depth > 0); }';
  expect(await explained(text, () => [['release']])).toEqual(['release: depth >= 2']);
});

test('AV-12: of a number no value is left out', async () => {
  const text = '#include <assert.h>\nvoid get(int fd) { if (fd < 0 || fd > 4) return; assert(fd != 4); }';
  expect(await explained(text, () => [['get', 4]])).toEqual([]);
});

test('neither a local, nor a hidden variable, nor an answer is part of the vocabulary', async () => {
  const text = `#include <assert.h>
static int hidden;
extern int answer(void);
void set(int n) { hidden = n; }
void get(int n) { int local = answer(); assert(hidden + local + n > 3); }`;
  expect(await explained(text, () => [['get', 2]])).toEqual([]);
});

test('the trace goes through loops and calls', async () => {
  const text = `${request}
static void mark(struct irp *p) { for (int i = 0; i < 3; i++) p->completed = p->completed + 1; }
void twice(struct irp *p, struct irp *q) { p->completed = 0; q->completed = 0; mark(p); mark(q); assert(p->completed == 3); }`;
  const texts = await explained(text, (object) => [
    ['twice', object('irp', { completed: 0 }), { kind: 'earlier', call: 0, argument: 0 }],
  ]);
  expect(texts).toEqual(['twice: p != q']);
});
