/**
 * Functions after whose return all that is known of the places of objects still holds: they end no life but those of
 * their own automatic objects. Whatever is done by the host counts as ending lives. Some of these functions also copy
 * no bytes, so that what counts as written before counts as written afterwards.
 */
import type { Command } from '../../../program/command';
import type { FunctionDefinition, Program } from '../../../program/program';
import { unreachable } from '../../../unreachable';

export interface CallEffects {
  readonly endNoLives: ReadonlySet<FunctionDefinition>;
  /** The ones among them that copy no bytes. */
  readonly copyNothing: ReadonlySet<FunctionDefinition>;
}

type IsAllowed = (command: Command, isKnown: (fn: FunctionDefinition) => boolean) => boolean;

export function callEffects(program: Program): CallEffects {
  const endNoLives = closedUnderCalls(program.functions, endsNoLife);
  const copyNothing = closedUnderCalls(
    [...endNoLives],
    (command, isKnown) => command.kind !== 'copy' && endsNoLife(command, isKnown),
  );
  return { endNoLives, copyNothing };
}

/** The greatest set of functions that is closed under calls. */
function closedUnderCalls(functions: readonly FunctionDefinition[], isAllowed: IsAllowed): Set<FunctionDefinition> {
  const found = new Set(functions);
  for (let changed = true; changed;) {
    changed = false;
    for (const fn of found) {
      if (fn.edges.every(({ command }) => isAllowed(command, (callee) => found.has(callee)))) continue;
      found.delete(fn);
      changed = true;
    }
  }
  return found;
}

function endsNoLife(command: Command, isKnown: (fn: FunctionDefinition) => boolean): boolean {
  switch (command.kind) {
    case 'skip':
    case 'assume':
    case 'check':
    case 'assign':
    case 'store':
    case 'copy':
    case 'fill':
    case 'allocate':
    case 'declare':
    case 'end':
    case 'halt':
      return true;
    case 'call':
      return callsOnly(command, isKnown);
    case 'havoc':
    case 'input':
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
