/**
 * Arguments of a program in a scenario: as many texts as `argc` says, and a null pointer after them. No others can come
 * from outside.
 */
import type { CType } from '../../c/types';
import type { FunctionDefinition } from '../../program/program';
import { isProgramStart } from '../../program/programStart';
import { zero } from '../../semantics/concrete/concreteValues';
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

/** A call of a function that reads none of its parameters. */
export const callWithUnreadArguments = (fn: FunctionDefinition): Call => ({
  fn,
  arguments: isProgramStart(fn)
    ? startArguments(fn, ['program'])
    : fn.parameters.map(({ type }) => ({ kind: 'scalar', value: zero(type) })),
});

/** The texts that a call of `main` hands over; undefined when no program is started like this. */
export function textsOf({ arguments: [count, table] }: Call): readonly string[] | undefined {
  if (count?.kind !== 'scalar' || table?.kind !== 'object' || !Array.isArray(table.contents)) return undefined;
  const texts = table.contents.slice(0, -1) as readonly unknown[];
  const isText = (value: unknown): value is string => typeof value === 'string';
  return texts.every(isText) && texts.length === count.value && table.contents.at(-1) === null ? texts : undefined;
}

/** Starts of a program with fewer and simpler texts, the simplest first; none of any other call. */
export function simplerStarts(call: Call): Call[] {
  const texts = isProgramStart(call.fn) ? textsOf(call) : undefined;
  if (!texts) return [];
  const fewer = texts.length < 2 ? [] : [texts.slice(0, 1), ...texts.map((_, i) => texts.toSpliced(i, 1)).slice(1)];
  const simpler = texts.slice(1).flatMap((text, i) => simplerTexts(text).map((other) => texts.with(i + 1, other)));
  return [...fewer, ...simpler].map((given) => ({ fn: call.fn, arguments: startArguments(call.fn, given) }));
}

const limits = {
  /** Longer texts are changed as a whole: each attempt is a run. */
  charactersTried: 24,
} as const;

function simplerTexts(text: string): string[] {
  const { length } = text;
  const without = (start: number, count: number): string => text.slice(0, start) + text.slice(start + count);
  const plain = 'a'.repeat(length);
  const each = length <= limits.charactersTried ? Array.from(text, (_, at) => at) : [];
  const found = [
    '',
    without(length >> 1, length),
    without(0, length >> 1),
    without(length - (length >> 2), length),
    without(0, length >> 2),
    without(length - 1, 1),
    plain,
    ...each.map((at) => without(at, 1)),
    ...each.map((at) => `${text.slice(0, at)}a${text.slice(at + 1)}`),
  ];
  // A letter is not simpler than another one.
  const size = (one: string): number => 2 * one.length + [...one].filter((character) => character !== 'a').length;
  return [...new Set(found)].filter((other) => size(other) < size(text));
}
