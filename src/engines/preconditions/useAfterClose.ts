/**
 * Structures that a client goes on to use after it has closed them: the module has freed what they lead to. A function
 * closes a structure if its name says so, and the structure is all that it takes: one that takes an element out takes
 * something that says which.
 */
import type { Argument, Call, Scenario, ScenarioOptions } from '../../evidence/scenarios/scenario';
import { faultOf, ScenarioRunner } from '../../evidence/scenarios/scenario';
import { withoutCalls } from '../../evidence/scenarios/shrink';
import type { Operation } from '../../host/operation';
import type { RecordLayout } from '../../c/types';
import type { FunctionDefinition, Program } from '../../program/program';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import { recordBehind } from '../../semantics/pointers/initialisers';
import { placeOf } from './passedObjects';
import { setUpName } from './uninitialisedStructures';

/** Names of functions that end the use of a structure. */
const closingName = new RegExp(
  [
    /(^|_)(close|free|destroy|de_?init|uninit|finali[sz]e|fini|dispose|release|delete|destruct|cleanup|dtor)(_|$|\d)/,
    /[a-z](Close|Free|Destroy|Deinit|Finish|Dispose|Release|Delete)([A-Z]|$)/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
const limits = {
  /** Edges of a run without the call. */
  steps: 20_000,
} as const;

export interface UsedAfterClose {
  readonly record: RecordLayout;
  readonly closedBy: FunctionDefinition;
}

/** Undefined when that is not behind the failure, or a test does so, too. */
export function usedAfterClose(
  program: Program,
  options: ScenarioOptions,
  runs: readonly (readonly Operation[])[],
  scenario: Scenario,
  fault: Fault,
): UsedAfterClose | undefined {
  if (!/use after free|double free/.test(fault.message)) return undefined;
  const runner = new ScenarioRunner(program, options);
  const last = scenario.calls.length - 1;
  for (const [index, { fn }] of scenario.calls.entries()) {
    const record = index < last ? closedRecord(fn) : undefined;
    const closed = record && origin(scenario.calls, index, 0);
    if (
      !record ||
      closed === undefined ||
      !passes(scenario.calls, last, closed) ||
      runs.some((run) => usesClosed(run, fn))
    )
      continue;
    const between = scenario.calls.slice(index + 1);
    // Opened once more, it may be used: then what fails is the module's.
    if (between.some((call, i) => setUpName.test(call.fn.name) && passes(scenario.calls, index + 1 + i, closed)))
      continue;
    const kept = withoutCalls(scenario, index);
    const run = kept.calls.length === last ? runner.run(kept, { stepLimit: limits.steps }) : undefined;
    const again = faultOf(run);
    if (run && !(again && failsAlike(again, fault))) return { record, closedBy: fn };
  }
  return undefined;
}

function closedRecord(fn: FunctionDefinition): RecordLayout | undefined {
  const [only, ...others] = fn.parameters;
  const { ctype } = only ?? {};
  const isClosing = others.length === 0 && closingName.test(fn.name);
  return isClosing && ctype?.kind === 'pointer' && ctype.to.const !== true ? recordBehind(only!) : undefined;
}

const passes = (calls: readonly Call[], call: number, object: string): boolean =>
  calls[call]!.arguments.some((_, at) => origin(calls, call, at) === object);

/** The place in the client where the object was made: a call's argument, or its result. */
function origin(calls: readonly Call[], call: number, at: number): string | undefined {
  const argument: Argument | undefined = at === -1 ? undefined : calls[call]!.arguments[at];
  if (at === -1 || argument?.kind === 'object') return `${call}.${at}`;
  return argument?.kind === 'earlier' ? origin(calls, argument.call, argument.argument) : undefined;
}

/** Closed, and passed to any function again. */
function usesClosed(run: readonly Operation[], closes: FunctionDefinition): boolean {
  const closed = new Set<string>();
  return run.some((operation) => {
    if (operation.kind !== 'call') return false;
    const places = operation.arguments.flatMap((value) => placeOf(value) ?? []);
    if (setUpName.test(operation.function)) for (const place of places) closed.delete(place);
    if (places.some((place) => closed.has(place))) return true;
    if (operation.function === closes.name) for (const place of places) closed.add(place);
    return false;
  });
}
