/** The C names that a probe or a precondition may use, with their types. */
import type { CType } from '../c/types';
import type { FunctionDefinition, Program } from '../program/program';

export interface ProbeScope {
  typeOf(variable: string): CType | undefined;
  readonly names: readonly string[];
  /** Arguments of clients; absent: none. */
  readonly passed?: ReadonlySet<string>;
  /** Kind of names, for messages: "variables of stack.c". */
  readonly description: string;
}

/** Globals, and with `fn` its locals and parameters too. */
export function scopeOf(program: Program, name: string, fn: FunctionDefinition | undefined): ProbeScope {
  const types = globals(program);
  for (const variable of fn?.variables ?? [])
    if (!variable.temporary && variable.ctype) types.set(variable.name, variable.ctype);
  for (const object of fn?.objects ?? []) types.set(object.name, object.ctype);
  return scope(types, fn ? `variables of ${fn.name} in ${name}` : `variables of ${name}`);
}

/** The arguments of a function, by name, and the globals. */
export function argumentScope(program: Program, name: string, fn: FunctionDefinition): ProbeScope {
  const types = globals(program);
  const parameters = fn.ctype.kind === 'function' ? fn.ctype.parameters : [];
  for (const parameter of parameters) if (parameter.name !== undefined) types.set(parameter.name, parameter.type);
  return {
    ...scope(types, `parameters of ${fn.name} and variables of ${name}`),
    passed: new Set(parameters.flatMap((parameter) => parameter.name ?? [])),
  };
}

function globals(program: Program): Map<string, CType> {
  return new Map([...program.symbols].map(([symbol, { ctype }]) => [symbol, ctype]));
}

function scope(types: ReadonlyMap<string, CType>, description: string): ProbeScope {
  return { typeOf: (variable) => types.get(variable), names: [...types.keys()], description };
}
