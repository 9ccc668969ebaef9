/**
 * Conventions of clients about the lives of objects, which neither a formula nor an option says. Searches keep to them,
 * so that they find what fails all the same. Proofs know nothing of them, and are about more clients.
 */
import { printType } from '../../../c/printType';
import type { Variable } from '../../../program/expression';
import type { FunctionDefinition } from '../../../program/program';
import { type ConcreteValue, objectNumber } from '../../../semantics/concrete/concreteValues';
import { leadsTo } from '../../../semantics/concrete/lostBlocks';
import type { Machine } from '../../../semantics/concrete/machine';
import { recordBehind } from '../../../semantics/pointers/initialisers';
import type { Allocated } from '../scenario';
import { setsUpAnew } from './setUpFunctions';

export type Convention =
  /** A structure is not used after this function has closed it, unless it is set up once more. */
  | { readonly kind: 'closed'; readonly type: string; readonly by: string }
  /** An object goes in once: no other object and no variable leads to it. */
  | { readonly kind: 'linked'; readonly function: string; readonly parameter: string }
  /** An object is the module's from then on. Clients of searches have none to give away. */
  | {
      readonly kind: 'handed-over';
      readonly function: string;
      readonly parameter: string;
      readonly allocated: Allocated;
    };

export function conventionText(one: Convention): string {
  switch (one.kind) {
    case 'closed':
      return `${one.type} is not used after ${one.by}`;
    case 'linked':
      return `${one.function}: ${one.parameter} is not linked in already`;
    case 'handed-over':
      return `${one.function}: ${one.parameter} ${handedOverTexts[one.allocated]}`;
  }
}

const handedOverTexts: Readonly<Record<Allocated, string>> = {
  itself: "is allocated memory, and the module's from then on",
  inside: "leads to allocated memory, which is the module's from then on",
  throughout: "is allocated memory, as is what it leads to, and the module's from then on",
};

/** False for a call that breaks one; asked before each call of a client. Notes what the call closes. */
export function keepsConventions(
  conventions: readonly Convention[],
  fn: FunctionDefinition,
  args: readonly ConcreteValue[],
  machine: Machine,
): boolean {
  return conventions.every((one) => {
    switch (one.kind) {
      case 'linked': {
        const at = one.function === fn.name ? fn.parameters.findIndex(({ name }) => name === one.parameter) : -1;
        return at === -1 || !isLinked(args[at]!, machine);
      }
      case 'closed':
        return fn.parameters.every(
          (parameter, at) => structureName(parameter) !== one.type || staysOpen(one.by, fn, args[at]!, machine),
        );
      case 'handed-over':
        return true;
    }
  });
}

function staysOpen(by: string, { name }: FunctionDefinition, pointer: ConcreteValue, { memory }: Machine): boolean {
  const block = memory.ownedBlock(pointer);
  if (!block) return true;
  if (block.isClosed && !setsUpAnew(name)) return false;
  if (name === by) block.isClosed = true;
  else delete block.isClosed;
  return true;
}

function structureName(parameter: Variable): string | undefined {
  const record = recordBehind(parameter);
  return record && printType({ kind: 'record', record });
}

/** Another object leads to it, or a variable. */
export function isLinked(pointer: ConcreteValue, { memory, globals, program }: Machine): boolean {
  const number = objectNumber(pointer);
  if (number === 0) return false;
  for (const block of memory.liveBlocks())
    if (block.number !== number && leadsTo(block, number, program.dataModel)) return true;
  return program.globals.some(
    ({ variable: { type, slot } }) => type.kind === 'pointer' && objectNumber(globals[slot] ?? 0) === number,
  );
}
