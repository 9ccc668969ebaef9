/** C text to a program, and a run of it with every property in force, for the tests of this folder. */
import { readCText, readLibraryUnit } from '../../src/c';
import { allProperties, type Property } from '../../src/program/command';
import { lower, type LowerOptions } from '../../src/program/lower';
import type { FunctionDefinition, Program } from '../../src/program/program';
import { Machine } from '../../src/semantics/concrete/machine';

export type Options = Partial<LowerOptions> & { readonly files?: Readonly<Record<string, string>> };

/** `options.files` are further units by path. */
export function programOf(text: string, options: Options = {}): Program {
  const { files = {}, ...rest } = options;
  const dataModel = options.dataModel ?? 'lp64';
  const units = Object.entries({ 'input.c': text, ...files }).flatMap(
    ([path, source]) => readCText(source, path, { dataModel }).units,
  );
  return lower(units, {
    dataModel,
    externals: 'error',
    stubs: [],
    libraryUnit: (name) => readLibraryUnit(name, { dataModel }),
    ...rest,
  });
}

export function functionOf(program: Program, name: string): FunctionDefinition {
  return program.functionByName.get(name)!;
}

/** "7", or "array-bounds: a[i]" when a check fails, or how else it ended. */
export function resultOf(
  text: string,
  options: Options & {
    readonly off?: readonly Property[];
    readonly inputs?: readonly number[];
    readonly call?: string;
  } = {},
): string {
  const { off = [], inputs = [], call = 'f', ...rest } = options;
  const program = programOf(text, rest);
  const remaining = [...inputs];
  const machine = new Machine(program, {
    properties: new Set(allProperties.filter((property) => !off.includes(property))),
    stepLimit: 1_000_000,
    output: () => {},
    ...(inputs.length > 0 && { input: () => remaining.shift() ?? 0 }),
  });
  const outcome = machine.call(functionOf(program, call), []);
  switch (outcome.kind) {
    case 'returned':
      return String(outcome.value);
    case 'fault':
      return `${outcome.fault.check}: ${outcome.fault.command.text}`;
    case 'halted':
      return `halted ${outcome.status}`;
    case 'stopped':
      return `stopped: ${outcome.reason}`;
    case 'limit':
      return `limit: ${outcome.limit}`;
  }
}
