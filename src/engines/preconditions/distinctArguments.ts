/**
 * Failures that a client brings about by passing one object for two parameters: `to != from` rules them out. A bug
 * stays a bug. The condition is offered only if it is the cause, found by running once more with a copy in place of the
 * second, as in angelic verification (A. Das, S. Lahiri, A. Lal, Y. Li, CAV 2015). Overlapping objects keep to it if
 * they begin at different places.
 */
import {
  type Argument,
  faultOf,
  runScenario,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import type { FunctionDefinition, Program } from '../../program/program';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
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
      const copy = originalObject(scenario, given[second]!)!;
      const run = runScenario(
        program,
        { ...scenario, calls: scenario.calls.with(index, { fn, arguments: given.with(second, copy) }) },
        { ...options, stepLimit: limits.steps },
      );
      const again = faultOf(run);
      if (!run || run.last < failing || (again && failsAlike(again, fault))) continue;
      const [p, q] = [fn.parameters[first]!, fn.parameters[second]!];
      found.push({ function: fn.name, text: `${p.name} != ${q.name}` });
    }
  }
  return found;
}

/** Pairs of parameters that get the same object of the client's. */
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

/** The call and argument that made the object; undefined for anything else, such as a pointer that was returned. */
function originOf(scenario: Scenario, argument: Argument, itself: string): string | undefined {
  switch (argument.kind) {
    case 'object':
      return itself;
    case 'earlier': {
      const { call, argument: at } = argument;
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
