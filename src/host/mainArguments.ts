/**
 * Arguments of a program's `main`: `argc`, `argv` with its null at the end, and an empty environment, as far as it
 * takes them (C11 5.1.2.2.1).
 */
import type { FunctionDefinition } from '../program/program';
import { objectNumber, pointerTo, wrapInteger, type ConcreteMemory, type ConcreteValue } from '../semantics';
import { TextEncoder } from '../textCoding';

/** `args[0]` is the program's name. Undefined when `main` has parameters that nothing is known about. */
export function mainArguments(
  main: FunctionDefinition,
  args: readonly string[],
  memory: ConcreteMemory,
  pointerBytes: number,
): ConcreteValue[] | undefined {
  const strings = args.map((text, i) => memory.make({ kind: 'host', name: `argv[${i}]`, ...bytesOf(`${text}\0`) }));
  const vector = (name: string, pointers: readonly ConcreteValue[]) => {
    const table = memory.make({
      kind: 'host',
      name,
      sizeBytes: (pointers.length + 1) * pointerBytes,
      contents: 'zero',
    });
    pointers.forEach((pointer, i) =>
      memory.store(pointerTo(objectNumber(table), i * pointerBytes), { kind: 'pointer' }, pointer),
    );
    return table;
  };
  const values = main.parameters.map(({ type }, i) => {
    if (i === 0 && type.kind === 'integer') return wrapInteger(BigInt(args.length), type);
    if (i === 1 && type.kind === 'pointer') return vector('argv', strings);
    if (i === 2 && type.kind === 'pointer') return vector('envp', []);
    return undefined;
  });
  return values.every((value) => value !== undefined) ? values : undefined;
}

function bytesOf(text: string): { readonly sizeBytes: number; readonly contents: Uint8Array } {
  const contents = new TextEncoder().encode(text);
  return { sizeBytes: contents.length, contents };
}
