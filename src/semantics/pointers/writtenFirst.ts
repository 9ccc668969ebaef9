/**
 * Automatic objects whose pointers are written before anything else happens to them, as in `const char *at = text;` or
 * where a parameter's address is taken. What such a pointer held before, which may be anything, nobody sees.
 */
import type { Command } from '../../program/command';
import type { Expression, FrameObject } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';

/** On every path the pointer at this offset is written before it is read and before the object's address is used. */
export function isWrittenFirst(fn: FunctionDefinition, object: FrameObject, offset: number, bytes: number): boolean {
  const open: Location[] = fn.edges.flatMap(({ command, to }) =>
    command.kind === 'declare' && command.object === object ? [to] : [],
  );
  const seen = new Set(open);
  for (let location = open.pop(); location; location = open.pop())
    for (const { command, to } of location.edges) {
      if ((command.kind === 'end' || command.kind === 'declare') && command.object === object) continue;
      const written = bytesWritten(command, object, bytes);
      if (written && written.from <= offset && offset + bytes <= written.to) continue;
      if (!written && isUse(command, object)) return false;
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
    }
  return true;
}

/** Bytes of the object that the command writes, if it does nothing else with it. */
function bytesWritten(
  command: Command,
  object: FrameObject,
  pointer: number,
): { readonly from: number; readonly to: number } | undefined {
  const [address, others, size] = partsOf(command, pointer);
  const from = address && offsetIn(address, object);
  if (from === undefined || others.some((e) => mentions(e, object))) return undefined;
  return { from, to: size === undefined ? from : from + size };
}

/** Written place, whatever else the command reads, and the size if it is known. */
function partsOf(
  command: Command,
  pointer: number,
): readonly [Expression | undefined, readonly Expression[], number | undefined] {
  switch (command.kind) {
    case 'store':
      return [command.address, [command.value], command.type.kind === 'pointer' ? pointer : undefined];
    case 'fill':
      return [command.target, [command.byte, command.size], isZero(command.byte) ? constant(command.size) : undefined];
    default:
      return [undefined, [], undefined];
  }
}

const constant = (e: Expression): number | undefined => (e.kind === 'integer' ? Number(e.value) : undefined);
const isZero = (e: Expression): boolean => e.kind === 'integer' && e.value === 0n;

/** Distance from the object's start, if the address is one place in it. */
function offsetIn(e: Expression, object: FrameObject): number | undefined {
  switch (e.kind) {
    case 'address':
      return e.of === object ? 0 : undefined;
    case 'convert':
      return e.operand.type.kind === 'pointer' ? offsetIn(e.operand, object) : undefined;
    case 'offset': {
      const [base, delta] = [offsetIn(e.pointer, object), constant(e.delta)];
      return base === undefined || delta === undefined ? undefined : base + delta;
    }
    default:
      return undefined;
  }
}

/** Checks and branches may ask where the object lies, but not what is in it. */
function isUse(command: Command, object: FrameObject): boolean {
  const isQuestion = command.kind === 'check' || command.kind === 'assume';
  return expressionsOf(command).some((e) => (isQuestion ? isRead(e, object) : mentions(e, object)));
}

function mentions(e: Expression, object: FrameObject): boolean {
  let found = false;
  walk(e, (inner) => (found ||= inner.kind === 'address' && inner.of === object));
  return found;
}

function isRead(e: Expression, object: FrameObject): boolean {
  let found = false;
  walk(e, (inner) => (found ||= inner.kind === 'load' && mentions(inner.address, object)));
  return found;
}
