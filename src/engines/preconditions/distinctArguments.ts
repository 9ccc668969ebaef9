/**
 * Failures that a client brings about by passing one object for two parameters: `to != from` rules them out. A bug
 * stays a bug. The condition is offered only if it is the cause, found by running once more with another object in the
 * second's place: a copy, or one that the same calls have made. This is as in angelic verification (A. Das, S. Lahiri,
 * A. Lal, Y. Li, CAV 2015). Overlapping objects keep to it if they begin at different places.
 */
import {
  type Argument,
  type Call,
  runScenario,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Fault } from '../../semantics/concrete/fault';
import { endsFailure } from './experiment';
import type { Precondition } from './preconditions';

const limits = {
  /** Edges of a run with a copy. */
  steps: 20_000,
} as const;

/** The latest call first. */
export function distinctArguments(
  program: Program,
  options: ScenarioOptions,
  scenario: Scenario,
  fault: Fault,
): readonly Pick<Precondition, 'function' | 'text'>[] {
  const failing = runScenario(program, scenario, { ...options, stepLimit: limits.steps })?.last;
  if (failing === undefined) return [];
  const found: Pick<Precondition, 'function' | 'text'>[] = [];
  for (let index = failing; index >= 0; index--) {
    const { fn, arguments: given } = scenario.calls[index]!;
    for (const [first, second] of samePointers(scenario, index)) {
      const copy = originalObject(scenario, given[second]!);
      const others = [
        ...(copy ? [scenario.calls.with(index, { fn, arguments: given.with(second, copy) })] : []),
        ...withTwin(scenario, index, second),
      ];
      const isCause = others.some((calls) => {
        const run = runScenario(program, { ...scenario, calls }, { ...options, stepLimit: limits.steps });
        return endsFailure(run, fault, failing + calls.length - scenario.calls.length);
      });
      if (!isCause) continue;
      const [p, q] = [fn.parameters[first]!, fn.parameters[second]!];
      found.push({ function: fn.name, text: `${p.name} != ${q.name}` });
    }
  }
  return found;
}

/** The calls with all that come before this one done twice; what this one passes there is from the second time. */
function withTwin({ calls }: Scenario, index: number, second: number): readonly (readonly Call[])[] {
  const { fn, arguments: given } = calls[index]!;
  const passed = given[second]!;
  if (passed.kind !== 'earlier' || passed.call >= index) return [];
  const shifted = (argument: Argument): Argument =>
    argument.kind === 'earlier' ? { ...argument, call: argument.call + index } : argument;
  const again = (call: Call): Call => ({ ...call, arguments: call.arguments.map(shifted) });
  const isBefore = (argument: Argument): boolean => argument.kind === 'earlier' && argument.call < index;
  const call: Call = {
    fn,
    arguments: given.map((one, at) => (at === second || !isBefore(one) ? shifted(one) : one)),
  };
  const later = calls.slice(index + 1).map((one) => ({
    ...one,
    arguments: one.arguments.map((argument) => (isBefore(argument) ? argument : shifted(argument))),
  }));
  return [[...calls.slice(0, index), ...calls.slice(0, index).map(again), call, ...later]];
}

/** Pairs of parameters that get the same object. */
function samePointers(scenario: Scenario, index: number): readonly (readonly [number, number])[] {
  const { fn, arguments: given } = scenario.calls[index]!;
  const origins = given.map((argument, at) =>
    isPointer(fn, at) ? originOf(scenario, argument, `${index}.${at}`) : undefined,
  );
  return origins.flatMap((origin, second) =>
    origins
      .slice(0, second)
      .flatMap((other, first) => (origin !== undefined && other === origin ? [[first, second] as const] : [])),
  );
}

/** The call and argument that made the object, or the call that returned it; undefined for anything else. */
function originOf(scenario: Scenario, argument: Argument, itself: string): string | undefined {
  switch (argument.kind) {
    case 'object':
      return itself;
    case 'earlier': {
      const { call, argument: at } = argument;
      if (at < 0) return `${call}`;
      const earlier = scenario.calls[call]?.arguments[at];
      return earlier && originOf(scenario, earlier, `${call}.${at}`);
    }
    case 'scalar':
    case 'function':
      return undefined;
  }
}

/** The object as the client has made it; undefined for anything else, such as a pointer that was returned. */
export function originalObject(scenario: Scenario, argument: Argument): Argument | undefined {
  if (argument.kind !== 'earlier') return argument.kind === 'object' ? argument : undefined;
  const earlier = scenario.calls[argument.call]?.arguments[argument.argument];
  return earlier && originalObject(scenario, earlier);
}

const isPointer = ({ parameters }: FunctionDefinition, at: number): boolean => {
  const { ctype } = parameters[at]!;
  return ctype?.kind === 'pointer' && ctype.to.kind !== 'function';
};
