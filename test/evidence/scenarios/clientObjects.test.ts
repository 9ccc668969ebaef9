/** Objects of clients that lead to further ones: made in a run, told as a test, stored, and made smaller. */
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { searchBounded } from '../../../src/engines/search/boundedModelChecking';
import { clientSteps } from '../../../src/evidence/scenarios/clientSteps';
import { leadsToArguments, simplerPlain } from '../../../src/evidence/scenarios/plainContents';
import {
  type Argument,
  faultOf,
  runScenario,
  type Scenario,
  type ScenarioOptions,
} from '../../../src/evidence/scenarios/scenario';
import { functionPart } from '../../../src/plainFunction';
import { pointerToArgument, pointerToFresh } from '../../../src/plainPointer';
import { loadProgram } from '../../../src/program';
import { recallScenario, storeScenario } from '../../../src/proofCache/storedScenario';
import { clientFunctionFor } from '../../../src/semantics/pointers/passedFunctions';
import { elementByElement } from '../../../src/solver/wrappers/elementByElement';
import type { Plain } from '../../../src/verdict';
import { file, task } from '../../engines/task';

const list = `
#include <assert.h>
struct node { int value; struct node *next; };
struct list { struct node *head; const struct node *last; };
int sum(const struct list *l, struct node *extra) {
  assert(l->head != extra);
  return l->head->value + l->head->next->value;
}`;
const program = loadProgram([file(list)], {});
const [fn] = program.functions.filter(({ name }) => name === 'sum');
const typeOf = (at: number): Extract<Argument, { kind: 'object' }>['type'] => {
  const type = fn!.parameters[at]!.ctype;
  if (type?.kind !== 'pointer') throw new Error('no pointer');
  return { ...type.to, const: false };
};
const options = (change: Partial<ScenarioOptions> = {}): ScenarioOptions => ({
  checkedProperties: new Set(['reach', 'memsafety']),
  stepLimit: 10_000,
  permits: () => true,
  ...change,
});
const call = (contents: Plain, extra: Argument = { kind: 'object', type: typeOf(1), contents: {} }): Scenario => ({
  calls: [{ fn: fn!, arguments: [{ kind: 'object', type: typeOf(0), contents }, extra] }],
  answers: [],
});
const node = (value: number, next: Plain): Plain => pointerToFresh({ value, next });
const two = node(3, node(4, null));

test('pointers inside lead to objects of their own', () => {
  const run = runScenario(program, call({ head: two, last: null }), options());
  expect(run?.outcome).toMatchObject({ kind: 'returned', value: 7 });
  const one = runScenario(program, call({ head: node(3, null), last: null }), options());
  expect(faultOf(one)?.check).toBe('null-dereference');
});

test('or to where another argument points, also a later one', () => {
  const run = runScenario(program, call({ head: pointerToArgument(1), last: null }), options());
  expect(faultOf(run)?.check).toBe('assertion');
  // An argument of another type is none.
  expect(runScenario(program, call({ head: pointerToArgument(0), last: null }), options())).toBeUndefined();
});

test('what leads back to itself cannot be made', () => {
  const ring: Argument = { kind: 'object', type: typeOf(1), contents: { value: 1, next: pointerToArgument(1) } };
  expect(runScenario(program, call({ head: two, last: null }, ring), options())).toBeUndefined();
});

test('clients make no structure that they have from the module, or that it sets up', () => {
  const type = typeOf(1);
  if (type.kind !== 'record') throw new Error('no structure');
  const handles = new Set([type.record]);
  const scenario = call({ head: two, last: null }, { kind: 'scalar', value: 0 });
  expect(runScenario(program, scenario, options())).toBeDefined();
  expect(runScenario(program, scenario, options({ handles }))).toBeUndefined();
});

test('a test makes what is referred to first', () => {
  const scenario = call({ head: pointerToArgument(1), last: two });
  const run = runScenario(program, scenario, options())!;
  expect(clientSteps(scenario, run, program)).toEqual([
    { kind: 'allocate', name: 'extra', type: 'struct node', value: {} },
    {
      kind: 'allocate',
      name: 'l',
      type: 'struct list',
      value: { head: { '()': 'extra' }, last: { value: 3, next: { value: 4, next: null } } },
    },
    {
      kind: 'call',
      function: 'sum',
      arguments: [
        { kind: 'object', name: 'l' },
        { kind: 'object', name: 'extra' },
      ],
    },
  ]);
});

test('stored and recalled it is the same, unless it is none that a client could make', () => {
  const scenario = call({ head: pointerToArgument(1), last: two });
  const stored = storeScenario(scenario);
  expect(storeScenario(recallScenario(JSON.parse(JSON.stringify(stored)), program)!)).toEqual(stored);
  expect(recallScenario(storeScenario(call({ head: pointerToArgument(0), last: null })), program)).toBeUndefined();
  expect(
    recallScenario(storeScenario(call({ head: pointerToFresh({ other: 1 }), last: null })), program),
  ).toBeUndefined();
});

test('an array without elements is a pointer to the end of an object, and a smaller type is none', () => {
  const reading = loadProgram([file('int get(const int *from) { return *from; }')], {});
  const [get] = reading.functions.filter(({ name }) => name === 'get');
  const int = { kind: 'integer', name: 'int', widthBits: 32, signed: true } as const;
  const passing = (type: Extract<Argument, { kind: 'object' }>['type'], contents: Plain): Scenario => ({
    calls: [{ fn: get!, arguments: [{ kind: 'object', type, contents }] }],
    answers: [],
  });
  const empty = storeScenario(passing({ kind: 'array', of: int, length: 0 }, []));
  expect(storeScenario(recallScenario(empty, reading)!)).toEqual(empty);
  const short = passing({ kind: 'integer', name: 'short', widthBits: 16, signed: true }, 0);
  expect(recallScenario(storeScenario(short), reading)).toBeUndefined();
});

test('a function of the client in a structure is stored and recalled, unless it is of another type', () => {
  const text = 'struct out { int (*more)(int); }; int ask(const struct out *o, int n) { return o->more(n); }';
  const asking = loadProgram([file(text)], {});
  const [ask] = asking.functions;
  const to = ask!.parameters[0]!.ctype;
  if (to?.kind !== 'pointer' || to.to.kind !== 'record') throw new Error('no structure');
  const { type } = to.to.record.fields[0]!;
  const name = type.kind === 'pointer' ? clientFunctionFor(type.to, asking)?.name : undefined;
  const scenario = (contents: Plain): Scenario => ({
    calls: [
      {
        fn: ask!,
        arguments: [
          { kind: 'object', type: { ...to.to, const: false }, contents },
          { kind: 'scalar', value: 1 },
        ],
      },
    ],
    answers: [],
  });
  const stored = storeScenario(scenario({ more: functionPart(name!, 1) }));
  expect(storeScenario(recallScenario(JSON.parse(JSON.stringify(stored)), asking)!)).toEqual(stored);
  expect(recallScenario(storeScenario(scenario({ more: functionPart('void (*)(void)') })), asking)).toBeUndefined();
  expect(recallScenario(storeScenario(scenario({ more: functionPart(name!, -1) })), asking)).toBeUndefined();
});

test('simpler are null, fewer elements, and simpler contents', () => {
  expect(simplerPlain(pointerToArgument(1))).toEqual([null]);
  expect(simplerPlain(node(1, null))).toEqual(expect.arrayContaining([null, node(0, null)]));
  expect(simplerPlain(pointerToFresh([0, 0, 0, 0]))).toEqual([null, pointerToFresh([0]), pointerToFresh([0, 0])]);
  expect(leadsToArguments({ head: pointerToFresh({ next: pointerToArgument(0) }) })).toBe(true);
  expect(leadsToArguments({ head: two })).toBe(false);
});

test('a model in which a stored pointer equals an argument becomes such a client', async () => {
  const text = `
#include <assert.h>
struct box { int *at; };
struct shelf { struct box *box; };
void read(const struct shelf *s, const int *mine) {
  if (!s || !s->box || !mine) return;
  assert(s->box->at != mine);
}`;
  const budget = Budget.start({ milliseconds: 600_000 });
  const problem = Problem.examine(task(file(text), { properties: ['reach'] }), budget, {});
  const system = new TransitionSystem(problem.program, problem.systemOptions());
  const found = await searchBounded(system, elementByElement(problem.solvers.instances), {
    rounds: 4,
    calls: 1,
    order: 'breadth',
    query: () => budget.query(20_000),
    stop: () => false,
  });
  await problem.solvers.close();
  if (found.kind !== 'found') throw new Error(`nothing is found: ${found.kind}`);
  const run = runScenario(problem.program, found.scenario, problem.scenarioOptions())!;
  expect(faultOf(run)?.check).toBe('assertion');
  const { value } = clientSteps(found.scenario, run, problem.program).find(
    (step) => step.kind === 'allocate' && step.name === 's',
  ) as {
    value: unknown;
  };
  expect(JSON.stringify(value)).toContain(JSON.stringify({ at: { '()': 'mine' } }));
});
