/**
 * Arguments of a program in a scenario: as many texts as `argc` says, and a null pointer after them. No others can come
 * from outside.
 */
import type { CType } from '../../c/types';
import type { FunctionDefinition } from '../../program/program';
import type { Argument, Call } from './scenario';

const text: CType = { kind: 'pointer', to: { kind: 'integer', name: 'char', widthBits: 8, signed: true } };

export function startArguments({ parameters }: FunctionDefinition, texts: readonly string[]): Argument[] {
  const table = (of: readonly string[]): Argument => ({
    kind: 'object',
    type: { kind: 'array', of: text, length: of.length + 1 },
    contents: [...of, null],
  });
  return parameters.map((_, i) => (i === 0 ? { kind: 'scalar', value: texts.length } : table(i === 1 ? texts : [])));
}

/** The texts that a call of `main` hands over; undefined when no program is started like this. */
export function textsOf({ arguments: [count, table] }: Call): readonly string[] | undefined {
  if (count?.kind !== 'scalar' || table?.kind !== 'object' || !Array.isArray(table.contents)) return undefined;
  const texts = table.contents.slice(0, -1) as readonly unknown[];
  const isText = (value: unknown): value is string => typeof value === 'string';
  return texts.every(isText) && texts.length === count.value && table.contents.at(-1) === null ? texts : undefined;
}
