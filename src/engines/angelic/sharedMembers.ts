/**
 * Preconditions about the members of a structure that clients keep for one function already, for another function that
 * takes such a structure: mostly they are what clients keep in all of them.
 */
import type { Argument, Call } from '../../evidence/scenarios/scenario';
import type { Program } from '../../program/program';
import { recordBehind } from '../../semantics/pointers/initialisers';
import { typeName } from '../../semantics/pointers/validMembers';
import { precondition, type Specification } from './specifications';

/** For each structure that the call passes. Behind null there are no members to blame. */
export function sharedMembers(
  program: Program,
  { fn, arguments: given }: Call,
  taken: readonly Specification[],
): readonly Specification[] {
  const own = fn.parameters.flatMap((parameter, at) => {
    const record = isNull(given[at]) ? undefined : recordBehind(parameter);
    return record ? [{ name: parameter.name, structure: typeName(record) }] : [];
  });
  return taken.flatMap((one) => {
    const about = one.kind === 'requires' && one.function !== fn.name ? subject(program, one) : undefined;
    if (one.kind !== 'requires' || !about) return [];
    return own
      .filter(({ structure }) => structure === about.structure)
      .flatMap(({ name }) => {
        const text = one.text.replace(new RegExp(`\\b${about.name}->`, 'g'), `${name}->`);
        return precondition(program, fn.name, text) ?? [];
      });
  });
}

const isNull = (argument: Argument | undefined): boolean => argument?.kind === 'scalar' && argument.value === 0;

/** The parameter whose members are all that the precondition is about. */
function subject(
  program: Program,
  { function: name, text }: { readonly function: string; readonly text: string },
): { readonly name: string; readonly structure: string } | undefined {
  const parameters = program.functionByName.get(name)?.parameters ?? [];
  const named = parameters.filter((parameter) => new RegExp(`(?<!->|\\.)\\b${parameter.name}\\b`).test(text));
  const [only, ...others] = named;
  const record = only && recordBehind(only);
  if (!record || others.length > 0 || new RegExp(`\\b${only.name}\\b(?!->)`).test(text)) return undefined;
  return { name: only.name, structure: typeName(record) };
}
