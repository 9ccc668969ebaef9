/**
 * Online minimisation (Lee, Yannakakis, "Online Minimization of Transition Systems", STOC 1992), as a baseline on the
 * structures of `Refinement`: first search which regions are reached, each by one witness; then split every reached
 * region that some other region's preimage cuts, until nothing is cut. The result is the reachable bisimulation
 * quotient, where there is a finite one: finer than any question about errors needs.
 */
import * as L from '../../logic/build';
import { stepCondition, without } from '../../abstraction/partition/preimage';
import { edgeKey } from '../../abstraction/partition/notMaySummaries';
import type { Reason } from '../../verdict';
import { ScenarioExecution, type Refinement } from './refinementState';
import type { SynergyOptions, SynergyResult } from './synergy';

export async function leeYannakakis(
  refinement: Refinement,
  options: Pick<SynergyOptions, 'stop' | 'iterations'>,
): Promise<SynergyResult> {
  const { partition, forest } = refinement;
  const tried = new Set<string>();
  const stable = new Set<string>();
  let gaveUp: Reason | undefined;

  /** A region that a witness reaches in one step more; true when one was found. */
  const search = async (): Promise<boolean> => {
    for (const region of partition.regions) {
      if (region !== partition.start && !region.isReached) continue;
      for (const edge of partition.edgesFrom(region)) {
        if (edge.to.isReached || tried.has(edgeKey(edge))) continue;
        const state = region === partition.start ? undefined : region.states[0]!;
        const found = await refinement.suitableTest(refinement.along(state), edge);
        tried.add(edgeKey(edge));
        if (found.kind === 'unknown')
          gaveUp ??= {
            cause: 'solver-budget',
            message: `the solver could not decide about a step (${found.cause}: ${found.detail})`,
          };
        if (found.kind !== 'test') continue;
        // One step more than the witness at hand, and no further.
        refinement.witness(found.scenario, state === undefined ? 1 : state - forest.runOf(state).first + 2);
        return true;
      }
    }
    return false;
  };

  /** Splits one reached region that a preimage cuts; true when there was one. */
  const stabilise = async (): Promise<boolean> => {
    for (const region of partition.regions) {
      if (!region.isReached || !region.node.point) continue;
      for (const edge of partition.edgesFrom(region)) {
        if (stable.has(edgeKey(edge))) continue;
        const pre = without(stepCondition(edge.step, edge.to), edge.step.fresh, 'keep');
        const [inside, outside] = [
          await refinement.check([...region.node.known, ...region.literals, pre]),
          await refinement.check([...region.node.known, ...region.literals, L.not(pre)]),
        ];
        if (inside.kind === 'unknown' || outside.kind === 'unknown')
          gaveUp ??= { cause: 'solver-budget', message: 'the solver could not decide about a preimage' };
        if (inside.kind === 'unsat') {
          partition.remove(edge);
          continue;
        }
        if (inside.kind === 'sat' && outside.kind === 'sat') {
          const halves = refinement.split(region, { predicate: pre, step: edge.step, into: edge.to, how: 'preimage' });
          if (edge.to !== region) partition.remove({ from: halves.outside, step: edge.step, to: edge.to });
          return true;
        }
        stable.add(edgeKey(edge));
      }
    }
    return false;
  };

  for (let iteration = 1; ; iteration++) {
    const failed = partition.error.states[0];
    if (failed !== undefined) {
      const { execution } = forest.runOf(failed);
      return {
        kind: 'fail',
        iterations: iteration,
        state: failed,
        scenario: execution instanceof ScenarioExecution ? execution.scenario : undefined,
      };
    }
    const reason =
      options.stop() ??
      (iteration > options.iterations
        ? {
            cause: 'state-explosion' as const,
            message:
              `the partition has grown to ${partition.regions.length} regions, ${partition.splits.length} splits ` +
              `in ${options.iterations} iterations, and is not stable`,
          }
        : undefined);
    if (reason) return { kind: 'unknown', iterations: iteration - 1, reason };
    while (await search()) if (partition.error.isReached || options.stop()) break;
    if (partition.error.isReached || options.stop()) continue;
    if (!(await stabilise()))
      return !gaveUp && !partition.errorPath()
        ? { kind: 'pass', iterations: iteration }
        : {
            kind: 'unknown',
            iterations: iteration,
            reason: gaveUp ?? {
              cause: 'probe-too-weak',
              message: 'the quotient does not separate the states that were reached from the error',
            },
          };
  }
}
