/**
 * Test-based abstraction that begins with the abstract states the tests reach: their runs are repeated and recorded.
 */
import type { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import { Machine } from '../../semantics/concrete/machine';
import type { Events } from '../engine';
import type { Problem } from '../problem';
import { type Limits, TestBasedAbstraction } from './testBasedAbstraction';

const limits = {
  /** CFA edges from a fabricated state. */
  runSteps: 200_000,
  /** CFA edges without a new abstract state after which a run is stopped. */
  idleSteps: 4000,
  /** Abstract states at which an attempt gives up. */
  abstractStates: 4000,
} as const;

/** The caller disposes of it. */
export function seededByTests(
  problem: Problem,
  abstraction: PredicateAbstraction,
  options: Pick<Limits, 'query' | 'stop' | 'progress'> & Partial<Pick<Limits, 'abstractStates'>>,
  events: Events,
): TestBasedAbstraction {
  const { runSteps, idleSteps, abstractStates } = limits;
  const machine = new Machine(problem.program, {
    properties: problem.checkedProperties,
    stepLimit: runSteps,
    output: () => {},
  });
  const engine = new TestBasedAbstraction(abstraction, problem.solvers.instances, machine, {
    runSteps,
    idleSteps,
    abstractStates,
    ...options,
  });
  recordTests(problem, engine, events);
  return engine;
}

/** A run ends where it does what no client may: from there on its states need not be reachable. */
function recordTests(problem: Problem, engine: TestBasedAbstraction, events: Events): void {
  const started = performance.now();
  const { system } = engine.abstraction;
  const { program, init } = problem;
  engine.begin('test');
  if (system.client && !init) {
    engine.recorder.attach(new Machine(program));
    engine.recorder.visit(system.client, undefined);
  }
  for (const run of problem.task.runs) {
    const instance = problem.instance();
    engine.recorder.attach(instance.machine);
    let initialised = init === undefined;
    for (const operation of run) {
      const why = leavesTheClient(operation, program);
      if (why !== undefined) {
        events.remark(why);
        break;
      }
      if (operation.kind === 'call') {
        if (!initialised && operation.function !== init?.name) {
          events.remark(`a test did not begin with ${init?.name}; its states are not counted`);
          break;
        }
        initialised = true;
      }
      const outcome = instance.redo(operation);
      if (outcome && outcome.kind !== 'returned') break;
    }
  }
  engine.recorder.attach(engine.machine);
  events.testStates(engine.abstraction.points.reduce((sum, point) => sum + point.all().length, 0));
  events.onTime('execution', (performance.now() - started) / 1000);
}
