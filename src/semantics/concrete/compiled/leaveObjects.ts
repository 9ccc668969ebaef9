/**
 * Functions after whose return all that is known of the places of objects still holds: they end no life but those of
 * their own automatic objects, and no object gets a shadow. Whatever is done by the host counts as doing so.
 */
import type { Command } from '../../../program/command';
import type { FunctionDefinition, Program } from '../../../program/program';
import { unreachable } from '../../../unreachable';

/** The greatest set that is closed under calls. */
export function functionsThatLeaveObjects(program: Program): ReadonlySet<FunctionDefinition> {
  const found = new Set(program.functions);
  for (let changed = true; changed;) {
    changed = false;
    for (const fn of found) {
      if (fn.edges.every(({ command }) => leaves(command, (callee) => found.has(callee)))) continue;
      found.delete(fn);
      changed = true;
    }
  }
  return found;
}

function leaves(command: Command, isKnown: (fn: FunctionDefinition) => boolean): boolean {
  switch (command.kind) {
    case 'skip':
    case 'assume':
    case 'check':
    case 'assign':
    case 'store':
    case 'fill':
    case 'declare':
    case 'end':
    case 'halt':
      return true;
    case 'call':
      return callsOnly(command, isKnown);
    case 'copy':
    case 'havoc':
    case 'input':
    case 'allocate':
    case 'free':
    case 'external':
      return false;
    default:
      return unreachable(command);
  }
}

/** True for a call of a named function, if it is one of those. */
export function callsOnly(command: Command, isKnown: (fn: FunctionDefinition) => boolean): boolean {
  return command.kind === 'call' && command.callee.kind === 'function' && isKnown(command.callee);
}

/** Sizes of automatic objects, the smallest first. */
export function automaticSizes(functions: readonly FunctionDefinition[]): number[] {
  const sizes = new Set(functions.flatMap((fn) => fn.objects.map(({ sizeBytes }) => sizeBytes)));
  return [...sizes].sort((a, b) => a - b);
}
