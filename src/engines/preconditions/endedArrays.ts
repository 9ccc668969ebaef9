/**
 * Failures behind an array of pointers or structures whose last element is none of zeros, where the function goes on to
 * such an element: `argv`, tables that end in `{0}`. Found by running once more with one element of zeros behind the
 * others, and with one that is none. Tests speak for it: arrays are rarely so.
 */
import type { CType } from '../../c/types';
import {
  type Argument,
  faultOf,
  ScenarioRunner,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import { asPointer } from '../../plainPointer';
import type { FunctionDefinition, Program } from '../../program/program';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import type { Plain } from '../../verdict';
import { endsFailure } from './experiment';
import { pointee } from './lengthAttempts';

const limits = {
  /** Edges of a run with a longer array. */
  steps: 20_000,
} as const;

type ObjectArgument = Extract<Argument, { kind: 'object' }>;

/** `isTested`: some test calls the function. Whether all of them keep what is offered is asked later. */
export function endedArrays(
  program: Program,
  options: ScenarioOptions,
  isTested: (fn: FunctionDefinition) => boolean,
  scenario: Scenario,
  fault: Fault,
): readonly { readonly function: string; readonly text: string }[] {
  if (fault.check !== 'dereference' && fault.check !== 'array-bounds') return [];
  const runner = new ScenarioRunner(program, options);
  const failing = runner.run(scenario, { stepLimit: limits.steps })?.last;
  if (failing === undefined) return [];
  return scenario.calls.slice(0, failing + 1).flatMap(({ fn, arguments: given }, index) =>
    !isTested(fn)
      ? []
      : given.flatMap((argument, at) => {
          const element = pointee(fn, at);
          if (argument.kind !== 'object' || (element?.kind !== 'pointer' && element?.kind !== 'record')) return [];
          const runWith = (passed: Argument): ReturnType<ScenarioRunner['run']> => {
            const call = { fn, arguments: given.with(at, passed) };
            return runner.run({ ...scenario, calls: scenario.calls.with(index, call) }, { stepLimit: limits.steps });
          };
          const runLonger = (last: Plain): ReturnType<ScenarioRunner['run']> =>
            runWith(longer(argument, element, last));
          const elements = elementsOf(argument);
          const last = elements.at(-1);
          if (last === undefined || isZero(last)) return [];
          const beyond = faultOf(runLonger(last));
          const isEnded = endsFailure(runLonger(element.kind === 'pointer' ? null : {}), fault, failing);
          if (!isEnded || !beyond || !failsAlike(beyond, fault)) return [];
          const { name } = fn.parameters[at]!;
          const text = `PROVEST_TERMINATED(${name})`;
          // A function that tests the argument for null is called with null, too.
          const atNull = runWith({ kind: 'scalar', value: 0 });
          const isForNull = endsFailure(atNull, fault, failing) && faultOf(atNull)?.check !== 'null-dereference';
          return [{ function: fn.name, text: isForNull ? `(${name} == NULL || ${text})` : text }];
        }),
  );
}

/** All of them; undefined elements are 0. */
function elementsOf({ type, contents }: ObjectArgument): readonly (Plain | undefined)[] {
  if (type.kind !== 'array') return [contents];
  const given = Array.isArray(contents) ? (contents as readonly Plain[]) : [];
  return Array.from({ length: type.length ?? given.length }, (_, i) => given[i]);
}

function longer(argument: ObjectArgument, element: CType, last: Plain): ObjectArgument {
  const elements = elementsOf(argument);
  const { index: _, ...rest } = argument;
  return {
    ...rest,
    type: { kind: 'array', of: { ...element, const: false }, length: elements.length + 1 },
    contents: [...elements.map((one) => one ?? (element.kind === 'pointer' ? null : {})), last],
  };
}

function isZero(value: Plain): boolean {
  if (value === null || value === 0 || value === 0n || value === false) return true;
  if (typeof value !== 'object' || asPointer(value)) return false;
  return Object.values(value as Record<string, Plain>).every(isZero);
}
