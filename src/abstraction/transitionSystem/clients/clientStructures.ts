/**
 * Structures that clients get from the module alone, or have it set up, as far as that can be told from the program.
 */
import { equal, exactly } from '../../../program/congruence';
import type { Variable } from '../../../program/expression';
import type { Program } from '../../../program/program';
import type { CType, RecordLayout } from '../../../c/types';
import type { Node, Pointee } from '../../../semantics/pointers/regionNode';
import { type Regions } from '../../../semantics/pointers/regions';

/**
 * The structures whose every pointer that clients get or give leads to the start of a block from the allocator: a
 * pointer into a static array, or to an element of a block, is none.
 */
export function allocatedHandles(
  handles: ReadonlySet<RecordLayout>,
  external: readonly { readonly variable: Variable; readonly to: CType | undefined }[],
  program: Program,
  regions: Regions,
): ReadonlySet<RecordLayout> {
  const kept = new Set(handles);
  if (regions.collapsed) return new Set();
  const isAllocated = ({ node, at }: Pointee): boolean =>
    equal(at, exactly(0)) &&
    node.origins.size > 0 &&
    [...node.origins].every(
      (origin) => origin.kind === 'heap' && origin.command.kind === 'allocate' && origin.command.automatic !== true,
    );
  const look = (to: CType | undefined, target: Pointee): void => {
    if (to?.kind === 'record' && !isAllocated(target)) kept.delete(to.record);
  };
  // Also by way of what clients share with the module, and of functions that it calls.
  const shared = regions
    .roots()
    .filter(({ origins }) =>
      [...origins].some((origin) => origin.kind === 'external' || (origin.kind === 'static' && origin.object.visible)),
    );
  const led = shared.flatMap(({ contents }) =>
    contents.map(({ target: { node, at } }): Pointee => ({ node: regions.find(node), at })),
  );
  for (const { variable, to } of external) {
    const target = regions.pointee({ kind: 'read', type: variable.type, variable });
    if (!target) continue;
    look(to, target);
    for (const other of led) if (other.node === target.node) look(to, other);
  }
  for (const { variable, visible } of program.globals) {
    const target =
      visible && variable.ctype?.kind === 'pointer'
        ? regions.pointee({ kind: 'read', type: variable.type, variable })
        : undefined;
    if (variable.ctype?.kind === 'pointer' && target) look(variable.ctype.to, target);
  }
  for (const { command } of program.functions.flatMap(({ edges }) => edges)) {
    if (command.kind !== 'external') continue;
    const type = program.externals.find(({ name }) => name === command.name)?.ctype;
    if (type?.kind !== 'function') continue;
    const hidden = command.resultBytes === undefined ? 0 : 1;
    type.parameters.forEach((parameter, i) => {
      const argument = command.arguments[i + hidden];
      const target =
        parameter.type.kind === 'pointer' && argument?.type.kind === 'pointer' ? regions.pointee(argument) : undefined;
      if (parameter.type.kind === 'pointer' && target) look(parameter.type.to, target);
    });
  }
  return kept;
}

/**
 * Nobody but the program and who has an object set up knows of one: no other object of a client leads to it, and
 * nothing of it is a client's to write.
 */
export function isLeftToProgram(record: RecordLayout, regions: Regions): boolean {
  const node = regions.nodeOfSetUp(record);
  const isClients = ({ origins }: Node): boolean => [...origins].some(({ kind }) => kind === 'external');
  if (!node || regions.collapsed || isClients(node)) return false;
  return !regions
    .roots()
    .some((other) => isClients(other) && other.contents.some(({ target }) => regions.find(target.node) === node));
}
