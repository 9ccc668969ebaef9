/**
 * Infers the precondition that rules out failures caused by a null argument. The bug is still reported. The
 * precondition is offered only if the failure disappears when an object takes the place of null, and if no test passes
 * null. It is the weakest one of this kind, as in angelic verification (A. Das, S. Lahiri, A. Lal, Y. Li, CAV 2015).
 */
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import {
  faultOf,
  ScenarioRunner,
  type Argument,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import type { HostValue, Operation } from '../../host/operation';
import { passedStructure } from '../../program/passedStructure';
import type { FunctionDefinition, Program } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import type { Precondition } from './preconditions';

const limits = {
  /** Characters of a text that stands in for a null one, and elements of objects of no type. */
  standInBytes: 16,
  /** Edges of a run with an object in place of null. */
  steps: 20_000,
} as const;

export class NullArguments {
  private readonly notNull = new Map<FunctionDefinition, Set<number>>();
  private readonly runner: ScenarioRunner;
  /** Arguments of the calls of the latest run. */
  private passed: (readonly ConcreteValue[])[] = [];

  constructor(
    private readonly program: Program,
    options: ScenarioOptions,
    private readonly runs: readonly (readonly Operation[])[],
  ) {
    const { handles: _, ...others } = options;
    this.runner = new ScenarioRunner(program, {
      ...others,
      permits: (fn, args, machine) => {
        // A function without a body that calls back is within a call.
        if (machine.activations.length === 0) this.passed.push(args);
        return others.permits(fn, args, machine);
      },
    });
  }

  /**
   * True if null from the client causes the failure, and no test passes it there; then clients are taken not to from
   * here on.
   */
  explain(scenario: Scenario, fault: Fault): boolean {
    this.passed = [];
    const failing = this.runner.run(scenario, { stepLimit: limits.steps })?.last;
    if (failing === undefined) return false;
    const { passed } = this;
    for (const [index, { fn, arguments: given }] of [...scenario.calls.entries()].reverse()) {
      for (const [at, argument] of given.entries()) {
        // A pointer that an earlier call has returned may be null, too.
        const value = argument.kind === 'earlier' ? passed[index]?.[at] : valueOf(argument);
        if (value === undefined || !isNull(value) || this.testsPassNull(fn, at)) continue;
        const to = pointee(fn, at);
        if (
          to?.kind === 'function'
            ? !callsNothing(fault)
            : !to || !this.harmlessWith(to, scenario, index, at, fault, failing)
        )
          continue;
        this.notNull.set(fn, (this.notNull.get(fn) ?? new Set()).add(at));
        return true;
      }
    }
    return false;
  }

  /** With an object in place of null, the failure is gone: the call that failed is reached and does not fail so. */
  private harmlessWith(
    to: CType,
    scenario: Scenario,
    index: number,
    at: number,
    fault: Fault,
    failing: number,
  ): boolean {
    const { fn, arguments: given } = scenario.calls[index]!;
    const standIn = this.standIn(to);
    const run =
      standIn &&
      this.runner.run(
        { ...scenario, calls: scenario.calls.with(index, { fn, arguments: given.with(at, standIn) }) },
        { stepLimit: limits.steps },
      );
    const again = faultOf(run);
    // `b->at` behind `b` is another check, at the same place.
    const isSame = again && failsAlike(again, fault) && again.command.text === fault.command.text;
    return run !== undefined && run.last >= failing && !isSame;
  }

  /** True if the call keeps the preconditions found so far. */
  permits(fn: FunctionDefinition, args: readonly ConcreteValue[]): boolean {
    return ![...(this.notNull.get(fn) ?? [])].some((at) => isNull(args[at]!));
  }

  get preconditions(): readonly Pick<Precondition, 'function' | 'text'>[] {
    return this.program.functions.flatMap((fn) =>
      [...(this.notNull.get(fn) ?? [])]
        .sort((a, b) => a - b)
        .map((at) => ({ function: fn.name, text: `${fn.parameters[at]!.name} != NULL` })),
    );
  }

  private testsPassNull(fn: FunctionDefinition, at: number): boolean {
    return this.runs
      .flat()
      .some(
        (operation) =>
          operation.kind === 'call' && operation.function === fn.name && isNullOfHost(operation.arguments[at]),
      );
  }

  private standIn(to: CType): Argument | undefined {
    const element: CType =
      to.kind === 'void'
        ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false }
        : { ...to, const: false };
    const sizeBytes = sizeOf(element, this.program.dataModel);
    if (sizeBytes === undefined) return undefined;
    const type: CType = sizeBytes === 1 ? { kind: 'array', of: element, length: limits.standInBytes } : element;
    return {
      kind: 'object',
      type,
      contents: type.kind === 'record' ? {} : type.kind === 'array' ? [] : type.kind === 'pointer' ? null : 0,
    };
  }
}

function pointee(fn: FunctionDefinition, at: number): CType | undefined {
  const parameter = fn.parameters[at]!;
  return parameter.ctype?.kind === 'pointer' && !passedStructure(fn, parameter) ? parameter.ctype.to : undefined;
}

/** No function can be made up to stand in for null; a call through null is told by its check. */
const callsNothing = ({ check }: Fault): boolean => check === 'invalid-call';
const valueOf = (argument: Argument): ConcreteValue | undefined =>
  argument.kind === 'scalar' ? argument.value : undefined;
const isNull = (value: ConcreteValue): boolean => value === 0 || value === 0n;
const isNullOfHost = (value: HostValue | undefined): boolean =>
  value !== undefined && (('object' in value && value.object === 0) || ('integer' in value && value.integer === '0'));
