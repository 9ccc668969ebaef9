/**
 * Structures that a client goes on to use after it has closed them: the module has freed what they lead to. A function
 * closes a structure if its name says so, and the structure is all that it takes: one that takes an element out takes
 * something that says which.
 */
import type { Scenario, ScenarioOptions, ScenarioRun } from '../../evidence/scenarios/scenario';
import { faultOf, ScenarioRunner } from '../../evidence/scenarios/scenario';
import { withoutCalls } from '../../evidence/scenarios/shrink';
import type { Operation } from '../../host/operation';
import type { RecordLayout } from '../../c/types';
import type { FunctionDefinition, Program } from '../../program/program';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import { setsUpAnew } from '../../evidence/scenarios/structures/setUpFunctions';
import { recordBehind } from '../../semantics/pointers/initialisers';
import { typeName } from '../../semantics/pointers/validMembers';
import { endsFailure } from './experiment';
import { wordsOf } from './nameWords';
import { origin, passes, placeOf } from './passedObjects';

/** Words in names of functions that end the use of a structure. */
const closing = new Set(
  'close free destroy deinit uninit finalize finalise fini finish dispose release delete destruct cleanup dtor'.split(
    ' ',
  ),
);
/** Behind one of them, these say that a part of the structure goes: `queue_delete_first`, `release_oldest`. */
const parts = new RegExp(
  '^(first|last|next|prev|previous|front|back|head|tail|top|bottom|min|max|root|item|elem|element|entry|entrie|node|' +
    'key|value|member|child|children|slot|block|page|chunk|one|some|any|oldest|newest|lru|unused|idle|stale|expired|' +
    'dead|old|at|nth|range|by|from|if|after|before|data|buffer|buf)s?$',
);
/** Words in names of functions after which a structure has one user more. */
const sharing = new Set('retain ref addref incref acquire grab hold share'.split(' '));
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
  const without = (start: number, length: number): ScenarioRun | undefined => {
    const kept = withoutCalls(scenario, start, length);
    return kept.calls.length === last + 1 - length ? runner.run(kept, { stepLimit: limits.steps }) : undefined;
  };
  /** It fails right behind the call, and not without it: what is done in between may be the module's fault. */
  const hangsOn = (index: number): boolean => {
    const soon = faultOf(
      index + 1 === last ? runner.run(scenario, { stepLimit: limits.steps }) : without(index + 1, last - index - 1),
    );
    return soon !== undefined && failsAlike(soon, fault) && endsFailure(without(index, 1), fault);
  };
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
    if (between.some((call, i) => setsUpAnew(call.fn.name) && passes(scenario.calls, index + 1 + i, closed))) continue;
    // With several users, one of them may go.
    if (scenario.calls.some((call, i) => isSharing(call.fn) && passes(scenario.calls, i, closed))) continue;
    if (hangsOn(index)) return { record, closedBy: fn };
  }
  return undefined;
}

function closedRecord(fn: FunctionDefinition): RecordLayout | undefined {
  const [only, ...others] = fn.parameters;
  const { ctype } = only ?? {};
  const record = only && recordBehind(only);
  const isClosing = record && others.length === 0 && closesAll(fn.name, record);
  return isClosing && ctype?.kind === 'pointer' && ctype.to.const !== true ? record : undefined;
}

/** The name says so of the structure, and not of a part of it. */
function closesAll(name: string, record: RecordLayout): boolean {
  const own = wordsOf(typeName(record));
  const words = wordsOf(name.replace(/de_?init/i, 'deinit'));
  const at = words.findIndex((word) => closing.has(word));
  return at !== -1 && !words.slice(at + 1).some((word) => parts.test(word) && !own.includes(word));
}

const isSharing = ({ name }: FunctionDefinition): boolean => wordsOf(name).some((word) => sharing.has(word));

/** Closed, and passed to any function again. */
function usesClosed(run: readonly Operation[], closes: FunctionDefinition): boolean {
  const closed = new Set<string>();
  return run.some((operation) => {
    if (operation.kind !== 'call') return false;
    const places = operation.arguments.flatMap((value) => placeOf(value) ?? []);
    if (setsUpAnew(operation.function)) for (const place of places) closed.delete(place);
    if (places.some((place) => closed.has(place))) return true;
    if (operation.function === closes.name) for (const place of places) closed.add(place);
    return false;
  });
}
