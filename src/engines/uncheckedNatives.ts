/**
 * Calls of native library functions whose memory accesses no check covers: what `%s` points to, the room behind a target of `sprintf`. Where they occur,
 * memory safety is not proved, whatever else is.
 */
import type { Command } from '../program/command';
import type { Expression } from '../program/expression';
import { isNative } from '../program/natives';
import type { Edge, FunctionDefinition, StaticObject } from '../program/program';

type External = Extract<Command, { kind: 'external' }>;

export function uncheckedNativeCalls(functions: Iterable<FunctionDefinition>): { readonly name: string; readonly edge: Edge; readonly function: FunctionDefinition }[] {
  return [...functions].flatMap((fn) => fn.edges.flatMap((edge) => {
    const { command } = edge;
    return command.kind === 'external' && isNative(command.name) && isUnchecked(command) ? [{ name: command.name, edge, function: fn }] : [];
  }));
}

function isUnchecked({ name, arguments: args }: External): boolean {
  const pointers = args.filter(({ type }) => type.kind === 'pointer');
  if (pointers.length === 0) return false;
  switch (name) {
    case 'printf': case 'fprintf': return !isHarmlessFormat(args[name === 'printf' ? 0 : 1]);
    case 'puts': case 'fputs': case 'perror': return literal(args[0]) === undefined;
    case 'putchar': case 'fputc': case 'putc': case 'fflush': return false;
    default: return true;
  }
}

/** A literal format that reads no memory through its arguments. */
function isHarmlessFormat(format: Expression | undefined): boolean {
  const text = literal(format);
  return text !== undefined && !/%[-+ #0-9.*hlLjzt]*[sn]/.test(text);
}

function literal(e: Expression | undefined): string | undefined {
  if (e?.kind !== 'address' || e.of.kind !== 'static-object' || e.of.writable) return undefined;
  const { bytes }: StaticObject = e.of;
  const end = bytes.indexOf(0);
  return end < 0 ? undefined : String.fromCharCode(...bytes.subarray(0, end));
}
