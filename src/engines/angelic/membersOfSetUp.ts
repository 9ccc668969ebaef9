/** Specifications about members of structures that clients have set up, or made, by a function of the module. */
import type { InitialisedBy } from '../../evidence/scenarios/structures/setUpFunctions';
import { parseType } from '../../host/typeText';
import type { Program } from '../../program/program';
import { recordBehind } from '../../semantics/pointers/initialisers';
import { typeName } from '../../semantics/pointers/validMembers';
import type { Specification } from './specifications';

/** The precondition mentions a member of one of these structures, by name, that an argument leads to. */
export function mentionsMembers(
  program: Program,
  { function: name, text }: { readonly function: string; readonly text: string },
  structures: ReadonlySet<string>,
): boolean {
  const parameters = program.functionByName.get(name)?.parameters ?? [];
  return [...text.matchAll(/(\w+)->/g)].some(([, argument]) => {
    const parameter = parameters.find((one) => one.name === argument);
    const record = parameter && recordBehind(parameter);
    return record !== undefined && structures.has(typeName(record));
  });
}

/**
 * Such a precondition is none of a client's business: the module alone writes these members. A client knows, though,
 * which memory they lead to, so that what it passes beside them is other memory is up to it.
 */
export function isUpToModule(
  program: Program,
  one: { readonly function: string; readonly text: string },
  structures: ReadonlySet<string>,
): boolean {
  const places = /^!?PROVEST_SAME_OBJECT\((.+), (.+)\)$/.exec(one.text)?.slice(1) ?? [];
  const parameters = program.functionByName.get(one.function)?.parameters ?? [];
  const isPassed = (text: string): boolean =>
    parameters.some(({ name }) => name === /^\*?(\w+)/.exec(text)?.[1]) &&
    !mentionsMembers(program, { ...one, text }, structures);
  return mentionsMembers(program, one, structures) && !places.some(isPassed);
}

/** Names of the structures that are set up so. */
export function structuresSetUp(told: readonly InitialisedBy[], program: Program): ReadonlySet<string> {
  return new Set(
    told.flatMap(({ type }) => {
      const parsed = parseType(type, program);
      return parsed.kind === 'record' ? [typeName(parsed.record)] : [];
    }),
  );
}

/** Another function that sets such a structure up, or a precondition about its members. */
export function isAboutSetUp(one: Specification, setUp: InitialisedBy, program: Program): boolean {
  switch (one.kind) {
    case 'initialised-by':
      return one.initialisedBy.type === setUp.type;
    case 'requires':
      return mentionsMembers(program, one, structuresSetUp([setUp], program));
    case 'ensures':
    case 'valid-pointers':
    case 'convention':
      return false;
  }
}
