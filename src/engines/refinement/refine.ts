/**
 * Engines that refine a partition, from a system to a result that the evidence can be made of: a scenario to be
 * replayed, or a formula per cutpoint to be certified. What was done on the way is kept for the report.
 */
import * as L from '../../logic/build';
import type { RepeatableExecution } from '../../abstraction/partition/forest';
import { partitionGraph, textPlace } from '../../abstraction/partition/partitionGraph';
import { partitionInvariant } from '../../abstraction/partition/partitionInvariant';
import type { AbstractEdge } from '../../abstraction/partition/partition';
import { printTerm } from '../../abstraction/printing/printTerm';
import type { GraphNode } from '../../abstraction/transitionSystem/transitionGraph';
import type { CutpointKey } from '../../abstraction/transitionSystem/cutpoint';
import type { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import type { InvariantMap } from '../../abstraction/transitionSystem/invariantMap';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { notation, NodeNames } from '../../abstraction/partition/traceText';
import type { Term } from '../../logic/term';
import type { Scenario } from '../../evidence/scenarios/scenario';
import type { Solver } from '../../solver/solver';
import type { Reason, RefinementReport, RefinementStep } from '../../verdict';
import { unreachable } from '../../unreachable';
import { Refinement, type RefinementOptions } from './refinementState';
import { dart } from './dart';
import { leeYannakakis } from './leeYannakakis';
import { slam } from './slam';
import { synergy, type SynergyEvent, type SynergyOptions, type SynergyResult } from './synergy';

export interface RefineOptions extends RefinementOptions, Omit<SynergyOptions, 'log'> {
  readonly engine: RefiningEngine;
  /** Executions of tests. */
  readonly executions: readonly RepeatableExecution[];
  readonly trace?: ((line: string) => void) | undefined;
}

/** Engines on the structures of `Refinement`; all but the first are there to be compared with. */
export const refiningEngines = ['synergy', 'lee-yannakakis', 'dart', 'slam'] as const;
export type RefiningEngine = (typeof refiningEngines)[number];
export const isRefining = (engine: string): engine is RefiningEngine => refiningEngines.some((name) => name === engine);

export type Refined = { readonly report: RefinementReport } & (
  | { readonly kind: 'fail'; readonly scenario: Scenario | undefined }
  /** Inductive, and no check fails in its states. */
  | { readonly kind: 'pass'; readonly abstraction: PredicateAbstraction }
  /** `splits`: what was found worth telling apart. */
  | { readonly kind: 'unknown'; readonly reason: Reason; readonly splits: ReadonlyMap<CutpointKey, readonly Term[]> }
);

export async function refine(
  system: TransitionSystem,
  invariants: InvariantMap,
  solver: Solver,
  options: RefineOptions,
): Promise<Refined> {
  const refinement = new Refinement(system, invariants, solver, options);
  for (const execution of options.executions) refinement.grow(execution);
  const journal = new Journal(refinement, options.trace);
  const result = await run(refinement, { ...options, log: (event) => journal.add(event) });
  const report = journal.report(options, result.iterations);
  switch (result.kind) {
    case 'fail':
      return { kind: 'fail', scenario: result.scenario, report };
    case 'pass': {
      const { graph, partition } = refinement;
      options.trace?.(`pass after ${result.iterations} iterations, ${report.questions} questions`);
      return { kind: 'pass', report, abstraction: partitionInvariant(system, graph.invariants, partition) };
    }
    case 'unknown': {
      const splits = new Map<CutpointKey, Term[]>();
      for (const { region, split } of refinement.partition.splits) {
        const { point } = region.node;
        if (point) splits.set(point.key, [...(splits.get(point.key) ?? []), split.predicate]);
      }
      return { kind: 'unknown', reason: result.reason, splits, report };
    }
    default:
      return unreachable(result);
  }
}

function run(refinement: Refinement, options: RefineOptions & SynergyOptions): Promise<SynergyResult> {
  switch (options.engine) {
    case 'synergy':
      return synergy(refinement, options);
    case 'lee-yannakakis':
      return leeYannakakis(refinement, options);
    case 'dart':
      return dart(refinement, options);
    case 'slam':
      return slam(refinement, options);
    default:
      return unreachable(options.engine);
  }
}

const limits = {
  /** Frontiers kept for the graph. */
  frontiersKept: 12,
  steps: 400,
} as const;

/** Readable record of the refinement. */
class Journal {
  private readonly steps: RefinementStep[] = [];
  private readonly frontiers: AbstractEdge[] = [];
  private readonly names: NodeNames;

  constructor(
    private readonly refinement: Refinement,
    private readonly trace: ((line: string) => void) | undefined,
  ) {
    this.names = new NodeNames(refinement.system, refinement.graph.nodes);
    trace?.(
      `places: ${refinement.graph.nodes
        .map((node) => {
          const at = textPlace(node);
          return at ? `${this.names.of(node)} = line ${at.line}` : undefined;
        })
        .filter(Boolean)
        .join(', ')}`,
    );
  }

  add(event: SynergyEvent): void {
    const { system, forest, partition } = this.refinement;
    const print = (term: Term): string => printTerm(term, system.vocabulary);
    switch (event.kind) {
      case 'trace':
        this.frontiers.push(event.trace.frontier);
        if (this.frontiers.length > limits.frontiersKept) this.frontiers.shift();
        this.trace?.(
          `iteration ${event.iteration}: ${notation(event.trace, forest, partition, this.names)}, frontier ` +
            `${event.trace.k}`,
        );
        return;
      case 'test': {
        const calls = event.scenario.calls.map(
          ({ fn, arguments: args }) =>
            `${fn.name}(${args.map((a) => (a.kind === 'scalar' ? String(a.value) : 'an object')).join(', ')})`,
        );
        this.record(
          event.iteration,
          'test',
          event.trace.frontier,
          undefined,
          `a test goes on: ${calls.slice(-3).join(', ')}${
            event.scenario.answers.length > 0
              ? `, answers ${event.scenario.answers
                  .slice(0, 8)
                  .map(({ value }) => String(value))
                  .join(', ')}`
              : ''
          }`,
        );
        return;
      }
      case 'split':
        this.record(
          event.iteration,
          'split',
          event.trace.frontier,
          print(event.predicate),
          event.how === 'preimage'
            ? `only from there can ${this.target(event.trace.frontier)} come next`
            : `${this.target(event.trace.frontier)} can come next only from there, and no test was there`,
          event.region.node,
        );
        return;
      case 'invariants':
        this.record(
          event.iteration,
          'invariants',
          event.trace.frontier,
          undefined,
          'splits diverge here: invariants that hold in all tests and are inductive were added',
        );
        return;
      case 'removed':
        this.record(event.iteration, 'removed', event.edge, undefined, `${this.target(event.edge)} cannot come next`);
        return;
    }
  }

  report({ engine, executions }: RefineOptions, iterations: number): RefinementReport {
    const { partition, forest, statistics } = this.refinement;
    return {
      engine,
      iterations,
      questions: statistics.queries,
      tests: statistics.tests,
      testsGiven: executions.length,
      steps: this.steps,
      graph: partitionGraph(partition, forest, this.frontiers),
    };
  }

  private record(
    iteration: number,
    kind: RefinementStep['kind'],
    edge: AbstractEdge,
    formula: string | undefined,
    why: string,
    node: GraphNode = (edge.over?.exit ?? edge.from).node,
  ): void {
    const at = textPlace(node);
    this.trace?.(`  ${kind} at ${this.names.of(node)}: ${formula === undefined ? '' : `${formula}; `}${why}`);
    if (this.steps.length < limits.steps)
      this.steps.push({ iteration, kind, ...(at && { at }), ...(formula !== undefined && { formula }), why });
  }

  private target({ step, to }: AbstractEdge): string {
    if (step.obligation)
      return `a failure of ${step.obligation.check.text === '' ? 'the check' : step.obligation.check.text}`;
    const at = textPlace(to.node);
    const formula =
      to.literals.length === 0
        ? ''
        : ` with ${printTerm(L.and(...to.literals.slice(-2)), this.refinement.system.vocabulary)}`;
    return at ? `line ${at.line}${formula}` : `the client's next call${formula}`;
  }
}
