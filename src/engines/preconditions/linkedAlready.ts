/**
 * Objects that clients link in twice: a node that is in a list goes into it once more, or into another. A function
 * links an object in if something leads to it when the call has returned. Found by running once more with a new object
 * instead. An object that was taken out in between is the module's to let go of, whatever leads to it.
 */
import type { CType } from '../../c/types';
import {
  type Argument,
  type Call,
  ScenarioRunner,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import type { Operation } from '../../host/operation';
import type { FunctionDefinition, Program } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Fault } from '../../semantics/concrete/fault';
import type { Machine } from '../../semantics/concrete/machine';
import { recordBehind } from '../../semantics/pointers/initialisers';
import { isLinked } from '../../evidence/scenarios/structures/conventions';
import { endsFailure } from './experiment';
import { wordsOf } from './nameWords';
import { origin, passes, placeOf } from './passedObjects';

/** Words in names of functions that take objects out, or give them back. */
const takingOut = new Set(
  (
    'remove unlink detach delete del erase pop dequeue take pull extract drop discard withdraw cancel unregister ' +
    'unsubscribe deregister stop leave release free clear reset flush empty'
  ).split(' '),
);
/** The same of functions that return the object. */
const handingOut = new Set('get alloc allocate acquire'.split(' '));

const limits = {
  /** Edges of a run with another object. */
  steps: 20_000,
} as const;

export interface LinkedAlready {
  readonly fn: FunctionDefinition;
  readonly parameter: string;
}

/** Undefined when that is not behind the failure, or a test passes an object once more there. */
export function linkedAlready(
  program: Program,
  options: ScenarioOptions,
  runs: readonly (readonly Operation[])[],
  scenario: Scenario,
  fault: Fault,
): LinkedAlready | undefined {
  if (scenario.calls.length < 2) return undefined;
  /** Places of arguments that something led to when they were passed: call and parameter. */
  const linked = new Set<string>();
  let running: Machine | undefined;
  let passed: (readonly ConcreteValue[])[] = [];
  const runner: ScenarioRunner = new ScenarioRunner(program, {
    ...options,
    permits: (fn, args, machine) => {
      if (!options.permits(fn, args, machine)) return false;
      const { call } = runner.progress;
      // A function without a body that calls back is within a call.
      if (passed[call] || args.length !== scenario.calls[call]?.arguments.length) return true;
      running = machine;
      passed[call] = args;
      for (const [at, value] of args.entries())
        if (recordBehind(fn.parameters[at]!) && isLinked(value, machine)) linked.add(`${call}.${at}`);
      return true;
    },
  });
  const run = (one: Scenario): ReturnType<ScenarioRunner['run']> => {
    passed = [];
    linked.clear();
    return runner.run(one, { stepLimit: limits.steps });
  };
  if (!run(scenario)) return undefined;
  /** When the calls before had returned. */
  const wasLinked = (calls: number, [at, argument]: readonly [number, number]): boolean => {
    if (at >= calls || !run({ ...scenario, calls: scenario.calls.slice(0, calls) })) return false;
    const value = argument === -1 ? undefined : passed[at]?.[argument];
    return value === undefined || isLinked(value, running!);
  };
  const before = [...linked].map((place) => place.split('.').map(Number) as [number, number]);
  let others = scenario;
  let latest: LinkedAlready | undefined;
  for (const [index, at] of before.reverse()) {
    const { fn, arguments: given } = scenario.calls[index]!;
    const fresh = given[at]!.kind === 'earlier' ? freshObject(fn, at) : undefined;
    if (!fresh || isPassedAgain(fn, at, runs) || isTakenOut(scenario.calls, index, at, wasLinked)) continue;
    const changed = { fn, arguments: given.with(at, fresh) };
    // That the call links the object in shows right behind it, before another takes it out.
    const own = run({ ...scenario, calls: [...scenario.calls.slice(0, index), changed] });
    if (own?.outcome.kind !== 'returned' || !isLinked(passed[index]?.[at] ?? 0, running!)) continue;
    latest ??= { fn, parameter: fn.parameters[at]!.name };
    // It may take other objects at several calls.
    others = { ...others, calls: others.calls.with(index, changed) };
    if (endsFailure(run(others), fault)) return latest;
  }
  return undefined;
}

/** By a call before that is about an object of this one, or has returned what is passed. */
function isTakenOut(
  calls: readonly Call[],
  index: number,
  at: number,
  wasLinked: (calls: number, place: readonly [number, number]) => boolean,
): boolean {
  const about = calls[index]!.arguments.flatMap((_, other) => origin(calls, index, other) ?? []);
  const own = origin(calls, index, at);
  const [call, argument] = own?.split('.').map(Number) ?? [];
  return calls.slice(0, index).some(({ fn: { name } }, before) => {
    const words = wordsOf(name);
    const takesOut = words.some((word) => takingOut.has(word));
    if (own === `${before}.-1`) return takesOut || words.some((word) => handingOut.has(word));
    if (!takesOut || !about.some((object) => passes(calls, before, object))) return false;
    return call === undefined || argument === undefined || wasLinked(before, [call, argument]);
  });
}

function freshObject(fn: FunctionDefinition, at: number): Argument | undefined {
  const record = recordBehind(fn.parameters[at]!);
  const type: CType | undefined = record?.complete ? { kind: 'record', record } : undefined;
  return type && { kind: 'object', type, contents: {} };
}

function isPassedAgain(fn: FunctionDefinition, at: number, runs: readonly (readonly Operation[])[]): boolean {
  return runs.some((run) => {
    const known = new Set<string>();
    return run.some((operation) => {
      if (operation.kind !== 'call') return false;
      const place = operation.function === fn.name ? placeOf(operation.arguments[at]) : undefined;
      if (place !== undefined && known.has(place)) return true;
      for (const value of operation.arguments) known.add(placeOf(value) ?? 'none');
      return false;
    });
  });
}
