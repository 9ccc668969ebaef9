/**
 * Objects that clients hand over for good: the module frees them. Found by running once more with one from the
 * allocator in the place of the client's own.
 */
import { faultOf, ScenarioRunner, type Scenario, type ScenarioOptions } from '../../evidence/scenarios/scenario';
import type { Operation } from '../../host/operation';
import type { FunctionDefinition, Program } from '../../program/program';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';

const limits = {
  /** Edges of a run with an object from the allocator. */
  steps: 20_000,
} as const;

export interface HandedOver {
  readonly fn: FunctionDefinition;
  readonly parameter: string;
  /** The object itself is, or what it leads to. */
  readonly allocated: 'itself' | 'inside';
}

/** Undefined when that is not behind the failure, or tests pass objects of their own there. */
export function handedOver(
  program: Program,
  options: ScenarioOptions,
  runs: readonly (readonly Operation[])[],
  scenario: Scenario,
  fault: Fault,
): HandedOver | undefined {
  if (fault.check !== 'invalid-free') return undefined;
  const runner = new ScenarioRunner(program, options);
  for (const [index, { fn, arguments: given }] of scenario.calls.entries()) {
    for (const [at, argument] of given.entries()) {
      if (argument.kind !== 'object' || passedByTests(fn, at, runs)) continue;
      for (const allocated of ['itself', 'inside'] as const) {
        const call = { fn, arguments: given.with(at, { ...argument, allocated }) };
        const run = runner.run({ ...scenario, calls: scenario.calls.with(index, call) }, { stepLimit: limits.steps });
        const again = faultOf(run);
        if (run && !(again && failsAlike(again, fault))) return { fn, parameter: fn.parameters[at]!.name, allocated };
      }
    }
  }
  return undefined;
}

const passedByTests = (fn: FunctionDefinition, at: number, runs: readonly (readonly Operation[])[]): boolean =>
  runs.some((run) =>
    run.some((operation) => {
      const value = operation.kind === 'call' && operation.function === fn.name ? operation.arguments[at] : undefined;
      return value !== undefined && 'allocation' in value;
    }),
  );
