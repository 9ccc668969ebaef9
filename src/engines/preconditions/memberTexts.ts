/**
 * Infers that a pointer in a client's structure leads to a text: the failure disappears when the call is repeated with
 * a 0 behind the characters, and stays with another character there (`unterminatedStrings.ts` for arguments).
 */
import { ScenarioRunner, type Argument, type Scenario, type ScenarioOptions } from '../../evidence/scenarios/scenario';
import { asPointer, pointerToFresh } from '../../plainPointer';
import type { Plain } from '../../verdict';
import type { Program } from '../../program/program';
import type { Fault } from '../../semantics/concrete/fault';
import { originalObject } from './distinctArguments';
import { endsFailure } from './experiment';
import type { Precondition } from './preconditions';

const limits = {
  /** Edges of a run with a text. */
  steps: 20_000,
} as const;
const filler = 65;

/** The weaker first. */
export function memberTexts(
  program: Program,
  options: ScenarioOptions,
  scenario: Scenario,
  fault: Fault,
): readonly Pick<Precondition, 'function' | 'text'>[] {
  if (fault.check !== 'dereference' && fault.check !== 'array-bounds') return [];
  const runner = new ScenarioRunner(program, options);
  const failing = runner.run(scenario, { stepLimit: limits.steps })?.last;
  if (failing === undefined) return [];
  const { fn, arguments: given } = scenario.calls[failing]!;
  const failsWith = (at: number, argument: Argument): boolean => {
    const calls = [...scenario.calls.slice(0, failing), { fn, arguments: given.with(at, argument) }];
    return !endsFailure(runner.run({ ...scenario, calls }, { stepLimit: limits.steps }), fault, failing);
  };
  return given.flatMap((_, at) => {
    const object = originalObject(scenario, given[at]!);
    const { name, ctype } = fn.parameters[at]!;
    if (object?.kind !== 'object' || ctype?.kind !== 'pointer' || ctype.to.kind !== 'record') return [];
    const contents = object.contents as Readonly<Record<string, Plain>>;
    return ctype.to.record.fields.flatMap(({ name: member, type }) => {
      if (member === undefined || type.kind !== 'pointer' || type.to.kind !== 'integer' || type.to.name !== 'char')
        return [];
      const pointer = asPointer(contents[member] ?? null);
      const held = pointer?.kind === 'fresh' ? pointer.contents : null;
      if (!Array.isArray(held) || Number(held.at(-1)) === 0) return [];
      const ending = (last: number): Argument => ({
        ...object,
        contents: { ...contents, [member]: pointerToFresh([...(held as readonly Plain[]), last]) },
      });
      if (failsWith(at, ending(0)) || !failsWith(at, ending(filler))) return [];
      const isText = `PROVEST_TERMINATED(${name}->${member})`;
      return [`(${name}->${member} == NULL || ${isText})`, isText].map((text) => ({ function: fn.name, text }));
    });
  });
}
