/** Program or module, and the functions that are called from outside, by the flags of `provest verify`. */
import type { ProgramInterface } from '../program';
import type { LoadOptions, Task } from '../task';
import type { Backend } from './backend';
import { definedFunction } from './definedFunction';
import { InputError } from './inputError';
import { existingCFile } from './loadOptions';

interface ScopeFlags {
  readonly entry?: string;
  readonly entries: readonly string[];
  readonly header: readonly string[];
  readonly init?: string;
  readonly angelic?: boolean;
}

/**
 * Program mode with `--entry` or a `main`; else the file is a module, whose undefined functions are errors unless asked
 * otherwise. With `--angelic` they are unknown like the clients.
 */
export function scopeOf(
  program: ProgramInterface,
  flags: ScopeFlags,
  load: LoadOptions,
  { backend, cwd }: { readonly backend: Backend; readonly cwd: string },
): Pick<Task, 'mode' | 'entries' | 'init' | 'load'> {
  const functions = program.functions.filter((fn) => !fn.library);
  const callable = callableBy(functions, flags, load, { backend, cwd });
  const entry =
    flags.entry !== undefined
      ? definedFunction(flags.entry, functions)
      : callable
        ? undefined
        : functions.find((fn) => fn.name === 'main');
  if (entry) {
    if (flags.init !== undefined)
      throw new InputError('--init belongs to module mode, but the files define main', 'leave --init out, or main');
    return { mode: 'program', entries: [entry.name], load: { externals: 'any', ...load } };
  }
  const scope = {
    mode: 'module',
    load: { externals: flags.angelic ? 'angelic' : 'error', ...load },
    ...(callable && { entries: callable.map(({ name }) => name) }),
  } as const;
  return flags.init === undefined ? scope : { ...scope, init: definedFunction(flags.init, functions).name };
}

/** Functions that clients call, if named; a header may declare more than is defined here. */
function callableBy(
  functions: ProgramInterface['functions'],
  { entries, header, entry }: ScopeFlags,
  load: LoadOptions,
  { backend, cwd }: { readonly backend: Backend; readonly cwd: string },
): ProgramInterface['functions'] | undefined {
  if (entries.length === 0 && header.length === 0) return undefined;
  if (entry !== undefined)
    throw new InputError(
      `--entry and ${entries.length > 0 ? '--entries' : '--header'} exclude each other`,
      '--entry chooses program mode, the other says what the clients of a module call',
    );
  const named = entries.flatMap((names) => names.split(',')).map((name) => definedFunction(name.trim(), functions));
  const declared = header.flatMap((file) => {
    const path = existingCFile(file, cwd);
    const names = new Set(backend.declaredFunctions(path, { ...load, externals: 'any' }));
    const found = functions.filter(({ name, linkage }) => linkage === 'external' && names.has(name));
    if (found.length === 0)
      throw new InputError(`${file} declares none of the functions that are defined`, 'name the header of these files');
    return found;
  });
  return [...new Set([...named, ...declared])];
}
