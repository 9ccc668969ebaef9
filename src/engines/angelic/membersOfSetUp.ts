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
      return false;
  }
}
