/**
 * Objects that clients hand over for good: the module frees them. Found by running once more with one from the
 * allocator in the place of the client's own.
 */
import {
  type Allocated,
  faultOf,
  ScenarioRunner,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import type { Operation } from '../../host/operation';
import { propertyOf } from '../../program/command';
import type { FunctionDefinition, Program } from '../../program/program';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';

const limits = {
  /** Edges of a run with an object from the allocator. */
  steps: 20_000,
  /** Arguments of one scenario that are handed over, and runs to find them. */
  arguments: 4,
  runs: 200,
} as const;

export interface HandedOver {
  readonly fn: FunctionDefinition;
  readonly parameter: string;
  readonly allocated: Allocated;
}

/**
 * Undefined when that is not behind the failure, or tests pass objects of their own there. Searches pass no objects of
 * the allocator, so an access behind the failing `free` that fails with one is seen here alone, and no excuse hides it:
 * the object may be freed twice, or used. What a function takes to look at is not handed over, but what it leads to is.
 */
export function handedOver(
  program: Program,
  options: ScenarioOptions,
  runs: readonly (readonly Operation[])[],
  scenario: Scenario,
  fault: Fault,
): HandedOver | undefined {
  const runner = new ScenarioRunner(program, options);
  let runsLeft: number = limits.runs;
  const look = (from: Scenario, failing: Fault, left: number): HandedOver | undefined => {
    if (failing.check !== 'invalid-free') return undefined;
    for (const [index, { fn, arguments: given }] of from.calls.entries())
      for (const [at, argument] of given.entries()) {
        if (argument.kind !== 'object' || argument.allocated || passedByTests(fn, at, runs, program)) continue;
        for (const allocated of isLookedAt(fn, at) ? lookedAt : ways) {
          if (runsLeft-- <= 0) return undefined;
          const call = { fn, arguments: given.with(at, { ...argument, allocated }) };
          const changed = { ...from, calls: from.calls.with(index, call) };
          const run = runner.run(changed, { stepLimit: limits.steps });
          const again = faultOf(run);
          if (!run || (again && failsAlike(again, failing))) continue;
          const isHarmless =
            !again || propertyOf[again.check] !== 'memsafety' || (left > 1 && look(changed, again, left - 1));
          if (isHarmless) return { fn, parameter: fn.parameters[at]!.name, allocated };
        }
      }
    return undefined;
  };
  return look(scenario, fault, limits.arguments);
}

const ways: readonly Allocated[] = ['itself', 'inside', 'throughout'];
const lookedAt: readonly Allocated[] = ['inside'];

const isLookedAt = (fn: FunctionDefinition, at: number): boolean => {
  const { ctype } = fn.parameters[at]!;
  return ctype?.kind === 'pointer' && ctype.to.const === true;
};

/** An object of the test's own, or a variable of the module. */
const passedByTests = (
  fn: FunctionDefinition,
  at: number,
  runs: readonly (readonly Operation[])[],
  { objects }: Program,
): boolean =>
  runs.some((run) =>
    run.some((operation) => {
      const value = operation.kind === 'call' && operation.function === fn.name ? operation.arguments[at] : undefined;
      if (value === undefined) return false;
      return 'allocation' in value || ('object' in value && objects.some(({ number }) => number === value.object));
    }),
  );
