/**
 * `--probe 'name: condition'`, `--requires 'function: condition'`, `--possible 'function: condition'`,
 * `--initialised-by 'type: function'` and `--valid-pointers 'type: member'`: conditions to follow, what clients keep
 * to and what they do, as C text.
 */
import { initialisersOf } from '../evidence/scenarios/structures/setUpFunctions';
import { membersOf } from '../evidence/scenarios/structures/validPointers';
import { readCProbe } from '../host/cProbe';
import { argumentScope, scopeOf, type ProbeScope } from '../host/probeScope';
import type { FunctionDefinition, Program } from '../program/program';
import type { Probe, Requirement, Task } from '../task';
import { definedFunction } from './definedFunction';
import { InputError } from './inputError';

export interface ConditionFlags {
  readonly probe: readonly string[];
  readonly requires: readonly string[];
  readonly initialisedBy: readonly string[];
  readonly validPointers: readonly string[];
  readonly possible?: readonly string[];
}

/** True if any is stated. */
export const hasConditions = ({
  probe,
  requires,
  initialisedBy,
  validPointers,
  possible = [],
}: ConditionFlags): boolean =>
  [probe, requires, initialisedBy, validPointers, possible].some((stated) => stated.length > 0);

/** `subject` names the module in messages. */
export function conditionsOf(
  program: Program,
  flags: ConditionFlags,
  subject: string,
  scope: Pick<Task, 'mode' | 'entries' | 'init'>,
): Pick<Task, 'probes' | 'requires' | 'possible' | 'initialisedBy' | 'validPointers'> {
  const functions = program.functions.filter((fn) => !fn.library);
  const probes = flags.probe.map((text): Probe => {
    const { head, condition } = split(text, '--probe', "'full: size == max'");
    const [, name, place] = /^(.*?)(?:\s+in\s+(\S+))?$/.exec(head) ?? [];
    const fn = place === undefined ? undefined : definedFunction(place, functions);
    return {
      name: name!,
      formula: formulaOf(condition, scopeOf(program, subject, fn), program, '--probe'),
      origin: '--probe',
      ...(fn && { function: fn.name }),
    };
  });
  const twice = probes.find(
    (probe, i) => probes.findIndex((other) => other.name === probe.name && other.function === probe.function) < i,
  );
  if (twice) throw new InputError(`two probes are named '${twice.name}'`, 'give each a name of its own');
  const ofCalls = (text: string, option: string, example: string): Requirement => {
    const { head, condition } = split(text, option, example);
    const fn: FunctionDefinition = definedFunction(head, functions);
    return {
      function: fn.name,
      formula: formulaOf(condition, argumentScope(program, subject, fn), program, option),
      said: { c: condition },
    };
  };
  const requires = flags.requires.map((text) => ofCalls(text, '--requires', "'push: value >= 0'"));
  const possible = (flags.possible ?? []).map((text) => ofCalls(text, '--possible', "'move: to == from'"));
  const initialisedBy = flags.initialisedBy.map((text) => {
    const { head, condition } = split(text, '--initialised-by', "'ring_t: ring_init'");
    return { type: head, functions: condition.split(',').map((name) => definedFunction(name.trim(), functions).name) };
  });
  const validPointers = flags.validPointers.map((text) => {
    const { head, condition } = split(text, '--valid-pointers', "'struct mail: reply_to'");
    return { type: head, members: condition.split(',').map((name) => name.trim()) };
  });
  const isCalled = ({ name, linkage }: FunctionDefinition): boolean =>
    scope.mode === 'program' || (scope.entries?.includes(name) ?? linkage === 'external') || name === scope.init;
  try {
    initialisersOf(program, functions.filter(isCalled), initialisedBy);
    membersOf(program, validPointers);
  } catch (error) {
    throw error instanceof TypeError
      ? new InputError(
          error.message.replace(/^initialisedBy/, '--initialised-by').replace(/^validPointers/, '--valid-pointers'),
        )
      : error;
  }
  return {
    probes,
    ...(requires.length > 0 && { requires }),
    ...(possible.length > 0 && { possible }),
    ...(initialisedBy.length > 0 && { initialisedBy }),
    ...(validPointers.length > 0 && { validPointers }),
  };
}

/** The first colon ends the name; a condition may have further ones (`a ? b : c`). */
function split(text: string, option: string, example: string): { readonly head: string; readonly condition: string } {
  const colon = text.indexOf(':');
  const head = text.slice(0, Math.max(0, colon)).trim();
  if (head === '')
    throw new InputError(`${option} '${text}' has no name before a colon`, `write for example ${option} ${example}`);
  return { head, condition: text.slice(colon + 1).trim() };
}

function formulaOf(condition: string, scope: ProbeScope, program: Program, option: string) {
  const read = readCProbe(condition, scope, program.enumConstants);
  if (read.kind === 'mistake') throw new InputError(`${option}: ${read.message}`);
  return read.formula;
}
