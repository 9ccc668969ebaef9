/** Options of a module in a test: its entries, stubs and environment, and what is wrong with the names in them. */
import type { Property } from '../program/command';
import type { FunctionDefinition, Program } from '../program/program';
import type { EnvironmentOptions } from '../semantics/concrete/environment/environment';
import { closest } from './suggest';

/** Stand-in for an undefined function: a function of the test, or any value (zero, in a test). */
export type Stub = ((...args: unknown[]) => unknown) | 'any';

export interface ModuleOptions {
  /** For messages: "stack.c". */
  readonly name: string;
  /** Functions a client may call; default: every non-static one. */
  readonly entry?: readonly string[];
  readonly stubs?: Readonly<Record<string, Stub>>;
  /** Faults of these properties end a call; default: all. */
  readonly properties?: readonly Property[];
  /** Edges of the automaton per call. */
  readonly stepLimit?: number;
  readonly seed?: number;
  /** Environment of library functions. Default: no files, no input. */
  readonly environment?: EnvironmentOptions;
}

/** The functions that a client may call. Throws if one that is named is not defined. */
export function entriesOf(program: Program, names: readonly string[] | undefined): FunctionDefinition[] {
  const own = program.functions.filter((fn) => !fn.library);
  if (!names) return own.filter((fn) => fn.linkage === 'external');
  return names.map((name) => {
    const fn = own.find((other) => other.name === name);
    if (!fn)
      throw new TypeError(
        `entry: the module defines no function '${name}'${closest(
          name,
          own.map((other) => other.name),
        )}`,
      );
    return fn;
  });
}

/** Throws if a stub stands for no undefined function that the module calls. */
export function checkStubs(program: Program, stubs: Readonly<Record<string, Stub>>): void {
  const undefinedNames = program.externals.map(({ name }) => name);
  for (const [name, stub] of Object.entries(stubs)) {
    if (typeof stub !== 'function' && stub !== 'any')
      throw new TypeError(`stubs: '${name}' must be a function or 'any'`);
    if (program.functionByName.has(name))
      throw new TypeError(`stubs: '${name}' is defined in C; only undefined functions have stubs`);
    if (!undefinedNames.includes(name) && !isInput(program, name)) {
      throw new TypeError(
        `stubs: the module never calls an undefined function '${name}'${closest(name, undefinedNames)}` +
          `${undefinedNames.length ? ` (it calls ${undefinedNames.join(', ')})` : ''}`,
      );
    }
  }
}

function isInput(program: Program, name: string): boolean {
  return program.functions.some((fn) =>
    fn.edges.some(({ command }) => command.kind === 'input' && command.name === name),
  );
}
