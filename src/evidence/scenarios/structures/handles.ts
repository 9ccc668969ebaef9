/**
 * Handles: structures that a module alone makes and looks into, as `FILE` is to its users. A client of C that sees no
 * members cannot make one up, so a failure that needs such an object is none that a client can cause. Proofs rely on it
 * where the module allocates every such object, and say so.
 */
import type { CType, RecordLayout } from '../../../c/types';
import type { Operation } from '../../../host/operation';
import { parseType } from '../../../host/typeText';
import type { FunctionDefinition, Program } from '../../../program/program';

const recordBehind = (type: CType | undefined): RecordLayout | undefined =>
  type?.kind === 'pointer' && type.to.kind === 'record' ? type.to.record : undefined;

const isToConst = (type: CType): boolean => type.kind === 'pointer' && type.to.const === true;

/**
 * Structures whose members no header says, that one of the functions makes: it returns a pointer to one and needs none.
 * A pointer to const makes no handle for a function that takes a pointer to write through: clients pass it their own
 * objects, or could only pass null.
 * `made`: structures of which the user says so, whatever the headers say. Where a test makes one by itself, or where
 * clients have one as a part of something else, clients can.
 */
export function handlesOf(
  program: Program,
  callable: readonly FunctionDefinition[],
  runs: readonly (readonly Operation[])[],
  made: ReadonlySet<RecordLayout> = new Set(),
): ReadonlySet<RecordLayout> {
  const handles = new Set<RecordLayout>(made);
  const types = callable.flatMap(({ ctype }) => (ctype.kind === 'function' ? [ctype] : []));
  const written = new Set(
    types.flatMap(({ parameters }) => parameters.map(({ type }) => (isToConst(type) ? undefined : recordBehind(type)))),
  );
  for (const ctype of types) {
    const made = recordBehind(ctype.result);
    if (
      made &&
      made.complete &&
      made.inHeader === false &&
      !(isToConst(ctype.result) && written.has(made)) &&
      !ctype.parameters.some(({ type }) => recordBehind(type) === made)
    )
      handles.add(made);
  }
  if (handles.size === 0) return handles;
  for (const operation of runs.flat()) {
    if (operation.kind !== 'allocate') continue;
    for (let type: CType = parseType(operation.type, program); ; type = type.of) {
      if (type.kind === 'record') handles.delete(type.record);
      if (type.kind !== 'array') break;
    }
  }
  const shared = [
    ...callable.map(({ ctype }) => ctype),
    ...program.globals.flatMap(({ variable, visible }) => (visible && variable.ctype ? [variable.ctype] : [])),
    ...program.objects.filter(({ visible }) => visible).map(({ ctype }) => ctype),
  ];
  const seen = new Set<RecordLayout>();
  for (let before = -1; before !== handles.size;) {
    before = handles.size;
    seen.clear();
    for (const type of shared) withoutParts(type, 'whole', handles, seen);
  }
  // Other files may only have the name.
  const known = [...handles];
  for (const record of seen)
    if (
      !record.complete &&
      known.some(({ keyword, tag }) => tag !== undefined && tag === record.tag && keyword === record.keyword)
    )
      handles.add(record);
  return handles;
}

/**
 * Takes out the structures that whoever has an object of the type, or a pointer to one, has as a whole: by value, in an
 * array, or in another structure that is no handle.
 */
function withoutParts(
  type: CType,
  as: 'whole' | 'behind a pointer',
  handles: Set<RecordLayout>,
  seen: Set<RecordLayout>,
): void {
  switch (type.kind) {
    case 'pointer':
      return withoutParts(type.to, 'behind a pointer', handles, seen);
    case 'array':
      return withoutParts(type.of, 'whole', handles, seen);
    case 'record': {
      const { record } = type;
      if (as === 'whole') handles.delete(record);
      if (handles.has(record) || seen.has(record)) return;
      seen.add(record);
      for (const field of record.fields) withoutParts(field.type, 'whole', handles, seen);
      return;
    }
    case 'function':
      for (const of of [type.result, ...type.parameters.map((parameter) => parameter.type)])
        withoutParts(of, 'whole', handles, seen);
      return;
    default:
      return;
  }
}
