/**
 * Infers the precondition that rules out failures caused by a structure that the client filled in by itself, although
 * the module has a function such as `ring_init` to set one up. The bug is still reported. The precondition is offered
 * only if the failure disappears when the structure is set up, and if no test contradicts it (as in angelic
 * verification: A. Das, S. Lahiri, A. Lal, Y. Li, CAV 2015).
 */
import type { RecordLayout } from '../../c/types';
import { validPrefix } from '../../evidence/scenarios/setUpFunctions';
import {
  type Argument,
  type Call,
  faultOf,
  ScenarioRunner,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import type { Operation } from '../../host/operation';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import { zero } from '../../semantics/concrete/concreteValues';
import { type Initialisers, recordBehind, setsUp } from '../../semantics/pointers/initialisers';

/** Names of functions that set up a structure. */
const setUpName =
  /(^|_)(re)?(init|initiali[sz]e|setup|set_up|create|construct|ctor|open|begin|start|new|make|clear)(_|$|\d)|[a-z](Init|Create|Setup|Open|Begin|Start|New)([A-Z]|$)/;
/** Who takes a structure to look at it sets none up. */
const mayWrite = ({ ctype }: Variable): boolean => ctype?.kind === 'pointer' && ctype.to.const !== true;
const limits = {
  /** Edges of a run with the structure set up. */
  steps: 20_000,
} as const;

export class UnsetStructures {
  private readonly own = new Map<RecordLayout, ReadonlySet<FunctionDefinition>>();
  private readonly candidates = new Map<RecordLayout, FunctionDefinition | undefined>();
  private readonly all: Map<RecordLayout, ReadonlySet<FunctionDefinition>>;
  private readonly runner: ScenarioRunner;

  constructor(
    private readonly program: Program,
    private readonly callable: readonly FunctionDefinition[],
    private readonly options: ScenarioOptions,
    private readonly runs: readonly (readonly Operation[])[],
  ) {
    this.all = new Map(options.initialisers);
    this.runner = new ScenarioRunner(program, options);
  }

  /**
   * True if a structure that was not set up causes the failure, and no test uses one like that; then clients are taken
   * not to from here on.
   */
  explain(scenario: Scenario, fault: Fault): boolean {
    for (const [index, { fn, arguments: given }] of scenario.calls.entries()) {
      for (const [at, argument] of given.entries()) {
        const record =
          argument.kind === 'object' && argument.type.kind === 'record' ? recordBehind(fn.parameters[at]!) : undefined;
        const setUp = record && !this.options.initialisers?.has(record) ? this.candidateFor(record) : undefined;
        if (
          !record ||
          !setUp ||
          setsUp(new Map([[record, new Set([setUp])]]), fn, at) ||
          !this.harmlessAfter(setUp, record, scenario, index, at, fault)
        )
          continue;
        this.own.set(record, new Set([setUp]));
        this.all.set(record, new Set([setUp]));
        return true;
      }
    }
    return false;
  }

  /** Initialisers that clients keep to, with those stated before; grows. */
  get initialisers(): Initialisers {
    return this.all;
  }

  /** Initialisers found here, without those stated before. */
  get found(): readonly (readonly [RecordLayout, ReadonlySet<FunctionDefinition>])[] {
    return [...this.own];
  }

  /** The one function that seems to set up the structure, and that the tests call before all others. */
  private candidateFor(record: RecordLayout): FunctionDefinition | undefined {
    if (!this.candidates.has(record)) {
      const able = this.callable.filter(
        (fn) =>
          fn.parameters.some(
            (parameter, at) => setsUp(new Map([[record, new Set([fn])]]), fn, at) && mayWrite(parameter),
          ) && setUpName.test(fn.name),
      );
      const kept = able.filter((fn) =>
        this.runs.every(
          (run) => validPrefix(new Map([[record, new Set([fn])]]), this.program, run).length === run.length,
        ),
      );
      this.candidates.set(record, kept[0]);
    }
    return this.candidates.get(record);
  }

  /** With the structure set up first, the failure is gone. */
  private harmlessAfter(
    setUp: FunctionDefinition,
    record: RecordLayout,
    scenario: Scenario,
    index: number,
    at: number,
    fault: Fault,
  ): boolean {
    const { fn, arguments: given } = scenario.calls[index]!;
    const place = setUp.parameters.findIndex((_, i) => setsUp(new Map([[record, new Set([setUp])]]), setUp, i));
    const first: Call = {
      fn: setUp,
      arguments: setUp.parameters.map(({ type }, i): Argument =>
        i === place ? given[at]! : { kind: 'scalar', value: type.kind === 'pointer' ? 0 : zero(type) },
      ),
    };
    const later = (argument: Argument): Argument =>
      argument.kind === 'earlier' && argument.call >= index ? { ...argument, call: argument.call + 1 } : argument;
    const calls: Call[] = [
      ...scenario.calls.slice(0, index),
      first,
      {
        fn,
        arguments: given.map((argument, i) =>
          i === at ? { kind: 'earlier', call: index, argument: place } : later(argument),
        ),
      },
      ...scenario.calls.slice(index + 1).map((call) => ({ ...call, arguments: call.arguments.map(later) })),
    ];
    const run = this.runner.run({ ...scenario, calls }, { stepLimit: limits.steps });
    const again = faultOf(run);
    // That it cannot even be set up like this says nothing.
    return (
      run !== undefined && (run.outcome.kind === 'returned' || run.last > index) && !(again && failsAlike(again, fault))
    );
  }
}
