/**
 * Directed testing (Godefroid, Klarlund, Sen, "DART: Directed Automated Random Testing", PLDI 2005), as a baseline on
 * the structures of `Refinement`: run at random, then turn each branch of each run the other way, depth first, until
 * every path was run or a check fails. A program whose paths are all run without a failure is not called proved: paths
 * leave no invariant that could be checked again.
 */
import type { Run, StateNumber } from '../../abstraction/partition/forest';
import type { AbstractEdge } from '../../abstraction/partition/partition';
import type { Reason } from '../../verdict';
import { ScenarioExecution, type Refinement } from './refinementState';
import type { SynergyOptions, SynergyResult } from './synergy';

export async function dart(
  refinement: Refinement,
  options: Pick<SynergyOptions, 'stop' | 'iterations'>,
): Promise<SynergyResult> {
  const { partition, forest, graph } = refinement;
  const open: { readonly run: Run; readonly from: StateNumber }[] = [];
  let paths = 0;
  let incomplete: Reason | undefined;
  const stopped = (): Reason | undefined =>
    options.stop() ??
    (paths > options.iterations
      ? { cause: 'state-explosion', message: `more than ${options.iterations} paths` }
      : undefined);

  /** Runs a test for a step after a state; what it passes behind that step is still to be turned. */
  const follow = async (state: StateNumber | undefined, edge: AbstractEdge): Promise<void> => {
    const found = await refinement.suitableTest(refinement.along(state), edge);
    if (found.kind === 'unsat') return;
    if (found.kind === 'unknown') {
      incomplete ??= {
        cause: 'solver-budget',
        message: `the solver could not decide about a path (${found.cause}: ${found.detail})`,
      };
      return;
    }
    const depth = state === undefined ? 0 : forest.branch(state).length;
    const run = refinement.test(found.scenario, depth);
    paths++;
    if (run.ending.kind === 'cut')
      incomplete ??= { cause: 'state-explosion', message: 'a path did not end within the limit of steps' };
    open.push({ run, from: run.first + depth + 1 });
  };

  for (const step of graph.start.leaving)
    await follow(undefined, { from: partition.start, step, to: partition.at(step.to)[0]! });
  for (let next = open.pop(); next; next = open.pop()) {
    const failed = partition.error.states[0];
    if (failed !== undefined) {
      const { execution } = forest.runOf(failed);
      return {
        kind: 'fail',
        iterations: paths,
        state: failed,
        scenario: execution instanceof ScenarioExecution ? execution.scenario : undefined,
      };
    }
    const { run, from } = next;
    for (let state = run.first + run.count - 1; state >= from - 1 && state >= run.first; state--) {
      const reason = stopped();
      if (reason) return { kind: 'unknown', iterations: paths, reason };
      const taken = state + 1 < run.first + run.count ? forest.stepTo(state + 1) : undefined;
      for (const step of forest.nodeOf(state).leaving)
        if (step !== taken)
          await follow(state, { from: partition.regionOf(state), step, to: partition.at(step.to)[0]! });
    }
  }
  const failed = partition.error.states[0];
  if (failed !== undefined) {
    const { execution } = forest.runOf(failed);
    return {
      kind: 'fail',
      iterations: paths,
      state: failed,
      scenario: execution instanceof ScenarioExecution ? execution.scenario : undefined,
    };
  }
  return {
    kind: 'unknown',
    iterations: paths,
    reason: incomplete ?? {
      cause: 'probe-too-weak',
      message: `all ${paths} paths were run and none fails, but paths are no proof that can be checked again`,
      suggestion: 'prove it with the engine auto',
    },
  };
}
