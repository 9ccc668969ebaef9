/**
 * SYNERGY (Gulavani, Henzinger, Kannan, Nori, Rajamani, "SYNERGY: A New Algorithm for Property Checking", FSE 2006,
 * figure 5), on the structures of `Refinement`:
 *
 *   loop
 *     a state of the forest is an error                          -> fail, with the test that met it
 *     no abstract path from the start to the error               -> pass, with the partition
 *     take such a path, ordered: a branch of the forest up to S_k-1, no state of the forest from the frontier S_k on
 *     a test can follow the branch and step into S_k             -> run it, add its states to the forest
 *     else                                                       -> split S_k-1 by Pre(S_k)
 *
 * Departures. Edges of the abstract graph are not computed ahead: those of a path are asked about when it is taken, and
 * only ever removed ('checked'), or found missing by the failed test alone (DASH's 'lazy'). A test that the solver
 * cannot decide about is neither run nor held against its edge: the edge is set aside, and when only such edges lead to
 * the error the answer is unknown.
 */
import type { StateNumber } from '../../abstraction/partition/forest';
import { orderPath, type OrderedTrace, type StateChoice } from '../../abstraction/partition/frontier';
import { matchedErrorPath } from '../../abstraction/partition/matchedPaths';
import type { AbstractEdge, AbstractPath } from '../../abstraction/partition/partition';
import { mustSummary } from '../../abstraction/partition/mustSummary';
import type { Region, Split } from '../../abstraction/partition/region';
import { edgeKey } from '../../abstraction/partition/notMaySummaries';
import type { Term } from '../../logic/term';
import type { Reason } from '../../verdict';
import { Generaliser, type Generalisation } from './generalise';
import { ScenarioExecution, type ExistentialCondition, type Refinement, type SuitableTest } from './refinementState';
import type { Scenario } from '../../evidence/scenarios/scenario';

export interface SynergyOptions {
  readonly generalize: Generalisation;
  readonly choice: StateChoice;
  /** `checked`: an edge of a path is asked about before the path is taken. `lazy`: one question per iteration. */
  readonly edges: 'checked' | 'lazy';
  readonly iterations: number;
  readonly stop: () => Reason | undefined;
  readonly log?: (event: SynergyEvent) => void;
}

export type SynergyEvent =
  | { readonly kind: 'trace'; readonly iteration: number; readonly trace: OrderedTrace }
  | { readonly kind: 'test'; readonly iteration: number; readonly trace: OrderedTrace; readonly scenario: Scenario }
  | {
      readonly kind: 'split';
      readonly iteration: number;
      readonly trace: OrderedTrace;
      readonly region: Region;
      readonly predicate: Term;
      readonly how: Split['how'];
    }
  | { readonly kind: 'invariants'; readonly iteration: number; readonly trace: OrderedTrace }
  | { readonly kind: 'removed'; readonly iteration: number; readonly edge: AbstractEdge };

export type SynergyResult = { readonly iterations: number } & (
  | { readonly kind: 'fail'; readonly state: StateNumber; readonly scenario: Scenario | undefined }
  | { readonly kind: 'pass' }
  | { readonly kind: 'unknown'; readonly reason: Reason }
);

export async function synergy(refinement: Refinement, options: SynergyOptions): Promise<SynergyResult> {
  return new Synergy(refinement, options).run();
}

class Synergy {
  private readonly generaliser: Generaliser;
  private readonly setAside = new Set<string>();
  private readonly possible = new Set<string>();
  private reason: Reason | undefined;
  private iteration = 0;

  constructor(
    private readonly refinement: Refinement,
    private readonly options: SynergyOptions,
  ) {
    this.generaliser = new Generaliser(refinement, options.generalize, () => options.stop() !== undefined);
  }

  async run(): Promise<SynergyResult> {
    const { partition } = this.refinement;
    for (this.iteration = 1; ; this.iteration++) {
      const failed = partition.error.states[0];
      if (failed !== undefined)
        return { kind: 'fail', iterations: this.iteration, state: failed, scenario: this.scenarioOf(failed) };
      const trace = await this.takePath();
      if (trace === 'none') return { kind: 'pass', iterations: this.iteration };
      if ('cause' in trace) return { kind: 'unknown', iterations: this.iteration, reason: trace };
      if (this.iteration > this.options.iterations)
        return { kind: 'unknown', iterations: this.iteration - 1, reason: tooMany(this.options.iterations) };
      this.options.log?.({ kind: 'trace', iteration: this.iteration, trace });
      const found =
        (await this.byRecordedCall(trace)) ??
        (await this.refinement.suitableTest(this.refinement.along(trace.state), trace.frontier));
      switch (found.kind) {
        case 'test':
          this.runTest(found.scenario, trace);
          break;
        case 'unsat':
          await this.refine(trace);
          break;
        case 'unknown':
          this.leave(trace.frontier, {
            cause: 'solver-budget',
            message: `the solver could not decide whether a test can go on (${found.cause}: ${found.detail})`,
          });
          break;
      }
    }
  }

  /** An ordered path whose edges behind the frontier may exist, or the answer that there is none. */
  private async takePath(): Promise<OrderedTrace | 'none' | Reason> {
    const { partition, forest } = this.refinement;
    for (;;) {
      const stopped = this.options.stop();
      if (stopped) return stopped;
      const path = matchedErrorPath(partition, (edge) => this.setAside.has(edgeKey(edge)));
      if (!path) return matchedErrorPath(partition) ? this.reason! : 'none';
      if (path === 'too long')
        return {
          cause: 'state-explosion',
          message: 'calls are nested too deeply on the way to the error',
          suggestion: 'give a probe that says what matters',
        };
      const trace = orderPath(path, forest, partition, this.options.choice, (edge, states) =>
        this.refinement.nearest(edge, states),
      );
      if (this.options.edges === 'lazy' || (await this.mayExist([trace.frontier, ...trace.rest]))) return trace;
    }
  }

  /** Removes the first edge of the path that no state takes. */
  private async mayExist(path: AbstractPath): Promise<boolean> {
    for (const edge of path) {
      if (this.possible.has(edgeKey(edge))) continue;
      const answer = await this.refinement.edge(edge);
      if (answer.kind === 'unsat') {
        this.refinement.partition.remove(edge);
        this.options.log?.({ kind: 'removed', iteration: this.iteration, edge });
        return false;
      }
      this.possible.add(edgeKey(edge));
    }
    return true;
  }

  /** Over a whole call at once, where some test made one like it. */
  private async byRecordedCall(trace: OrderedTrace): Promise<SuitableTest | undefined> {
    const { refinement } = this;
    const call = mustSummary(trace, refinement.forest, refinement.partition);
    const found = call && (await refinement.testByCall(refinement.along(call.caller), call));
    if (found?.kind !== 'test') return undefined;
    refinement.statistics.testsByCalls++;
    return found;
  }

  private runTest(scenario: Scenario, trace: OrderedTrace): void {
    const { refinement } = this;
    this.options.log?.({ kind: 'test', iteration: this.iteration, trace, scenario });
    const run = refinement.test(scenario, trace.k);
    if (run.ending.kind === 'fault' && run.errorState === undefined)
      throw new Error('a failing check belongs to a step of the program');
    // A suitable test reaches the frontier. If it does not, the formulas described more than the program does.
    if (!trace.isCrossed() && refinement.partition.error.states.length === 0) {
      this.leave(trace.frontier, {
        cause: 'probe-too-weak',
        message: `a test made for ${nodeName(trace.frontier)} went another way: its step is not described exactly`,
      });
    }
  }

  private async refine(trace: OrderedTrace): Promise<void> {
    const { refinement } = this;
    const { frontier, state } = trace;
    if (state === undefined) {
      refinement.partition.remove(frontier);
      return;
    }
    if (await this.generaliser.learnInvariants(refinement.partition.regionOf(state))) {
      this.options.log?.({ kind: 'invariants', iteration: this.iteration, trace });
      return this.possible.clear();
    }
    const { from, over } = frontier;
    // A return is ruled out at the callee's end, for all callers at once; else where the caller is; else for this
    // caller only.
    const leavingOut = (
      choice: ExistentialCondition,
      at: StateNumber,
      quantifiers: 'allowed' | 'none',
    ): Term | undefined => refinement.leavingOut(choice, at, quantifiers);
    if (over) {
      const caller = refinement.forest.callerOf(state)!;
      const [exits, callers, exitsForCaller] = [
        refinement.atExit(frontier),
        refinement.before(frontier),
        refinement.atExit(frontier, caller),
      ];
      if (await this.split(trace, over.exit, state, leavingOut(exits, state, 'none'))) return;
      if (await this.split(trace, from, caller, leavingOut(callers, caller, 'none'))) return;
      if (
        await this.split(trace, over.exit, state, await this.generaliser.boundAround(exits.condition, over.exit, state))
      )
        return;
      if (await this.split(trace, from, caller, await this.generaliser.boundAround(callers.condition, from, caller)))
        return;
      if (await this.split(trace, over.exit, state, leavingOut(exitsForCaller, state, 'allowed'), 'one caller')) return;
    } else if (await this.split(trace, from, state, leavingOut(refinement.before(frontier), state, 'allowed'))) return;
    this.leave(frontier, {
      cause: 'nonlinear',
      message: `the states that lead on from ${nodeName(frontier)} cannot be separated from one that does not`,
    });
  }

  /**
   * Splits a region of the edge by a set that the state at hand is not in: from outside that set, nothing takes the
   * edge. False when there is no such set.
   */
  private async split(
    trace: OrderedTrace,
    region: Region,
    state: StateNumber,
    exact: Term | undefined,
    concerns: 'all' | 'one caller' = 'all',
  ): Promise<boolean> {
    if (!exact) return false;
    const { refinement } = this;
    const { frontier } = trace;
    const general = concerns === 'all' ? await this.generaliser.generalisePreimage(exact, region, state) : undefined;
    const predicate = general ?? exact;
    const how = general ? 'generalised' : 'preimage';
    this.options.log?.({ kind: 'split', iteration: this.iteration, trace, region, predicate, how });
    const { inside, outside } = refinement.split(region, { predicate, step: frontier.step, into: frontier.to, how });
    if (concerns === 'all')
      for (const edge of outsideEdges(frontier, region, inside, outside)) refinement.partition.remove(edge);
    // Progress (section 3): the state at hand is outside, so neither half is the whole.
    if (refinement.partition.regionOf(state) !== outside)
      throw new Error('the state that ends the prefix lies outside the preimage');
    return true;
  }

  private leave(edge: AbstractEdge, reason: Reason): void {
    this.setAside.add(edgeKey(edge));
    this.reason ??= reason;
  }

  private scenarioOf(state: StateNumber): Scenario | undefined {
    const { execution } = this.refinement.forest.runOf(state);
    return execution instanceof ScenarioExecution ? execution.scenario : undefined;
  }
}

/**
 * The edge with the outer half in the place of the region that was split; where that region also is its target, both
 * halves are.
 */
function outsideEdges(
  { from, step, to, over }: AbstractEdge,
  split: Region,
  inside: Region,
  outside: Region,
): AbstractEdge[] {
  const other = (region: Region): readonly Region[] => (region === split ? [inside, outside] : [region]);
  if (!over) return other(to).map((target) => ({ from: outside, step, to: target }));
  const atExit = over.exit === split;
  return other(to).flatMap((target) =>
    other(over.entry).map((entry) => ({
      from: atExit ? from : outside,
      step,
      to: target,
      over: { entry, exit: atExit ? outside : over.exit },
    })),
  );
}

function tooMany(iterations: number): Reason {
  return {
    cause: 'state-explosion',
    message: `the partition was not fine enough after ${iterations} iterations`,
    suggestion: 'give a probe that says what matters',
  };
}

function nodeName({ from, over }: AbstractEdge): string {
  const { point } = (over?.exit ?? from).node;
  return point
    ? `${point.fn.name}, line ${point.location.span.file.position(point.location.span.start).line}`
    : 'the start';
}
