/** Paths to an error, judged by the model that a solver gives of them: whole, in part, or of other values. */
import { TransitionGraph, type GraphNode, type Step } from '../../../src/abstraction/transitionSystem/transitionGraph';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../src/budget';
import { realise } from '../../../src/engines/minimax/realPath';
import { Problem } from '../../../src/engines/problem';
import * as L from '../../../src/logic/build';
import { NotComputable } from '../../../src/logic/evaluate';
import type { SymbolTerm } from '../../../src/logic/term';
import { symbolsOf } from '../../../src/logic/symbols';
import { FiniteModel } from '../../../src/solver/model';
import type { Model, Solver } from '../../../src/solver/solver';
import { file, task } from '../task';

const text = `extern int nondet(void); extern void reach_error(void);
void foo(void) { int x = nondet(); if (x == 7) reach_error(); }`;
const asked = task(file(text), {
  mode: 'program',
  entries: ['foo'],
  properties: ['reach'],
  load: { externals: 'any', idioms: true },
});
const budget = Budget.start({ milliseconds: 36_000_000 });
const problem = new Problem(asked, budget, {});
const system = new TransitionSystem(problem.program, { ...problem.systemOptions(), cutpoints: 'branches' });

function pathToError(): readonly Step[] {
  const graph = new TransitionGraph(system);
  const reached = new Map<GraphNode, readonly Step[]>([[graph.start, []]]);
  for (const [node, path] of reached)
    for (const step of node.leaving) if (!reached.has(step.to)) reached.set(step.to, [...path, step]);
  return reached.get(graph.error)!;
}

/** The answer of a solver with this model. */
const realised = (model: (symbols: readonly SymbolTerm[]) => Model) => {
  const check: Solver['check'] = (terms) =>
    Promise.resolve({ kind: 'sat', model: model(terms.flatMap((term) => [...symbolsOf(term)])) });
  const solver: Solver = { ...problem.solvers.exact, check };
  return realise(pathToError(), system, problem, solver, () => ({ timeoutMs: 1000 }));
};

/** All words of the width of an int have the value. */
const all = (value: bigint, scope: 'whole' | 'partial') => (symbols: readonly SymbolTerm[]) =>
  new FiniteModel(
    new Map(
      symbols.flatMap((symbol) => (symbol.sort === L.bitsSort(32) ? [[symbol, value] as [SymbolTerm, bigint]] : [])),
    ),
    [],
    scope,
  );

afterAll(() => problem.solvers.close());

test.each(['whole', 'partial'] as const)('a %s model whose run fails is a scenario', async (scope) => {
  expect(await realised(all(7n, scope))).toMatchObject({ answers: [{ name: 'nondet', value: 7 }] });
});

test('a partial model whose run does not fail says nothing of the path', async () => {
  expect(await realised(all(8n, 'partial'))).toMatchObject({ cause: 'solver-budget' });
});

test('a whole model whose run does not fail is a contradiction', async () => {
  expect(await realised(all(8n, 'whole'))).toMatchObject({ cause: 'checker-disagrees' });
});

test('a model that leaves open what the scenario would be says nothing of the path', async () => {
  const open: Model = {
    partial: true,
    symbol: () => 0n,
    evaluate: () => {
      throw new NotComputable('a quantifier');
    },
  };
  expect(await realised(() => open)).toMatchObject({ cause: 'solver-budget' });
});
