/** The options that say how C is read, shared by all commands, and the files they are applied to. */
import { Option, type Command } from 'commander';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { SystemHeaders } from '../c';
import { nearest } from '../c/diagnostics/editDistance';
import type { DataModel } from '../c/types';
import { notC } from '../host/notC';
import { leavable } from '../program/command';
import { findSystemHeaders } from '../systemHeaders';
import type { LoadOptions } from '../task';
import { InputError } from './inputError';
import { parseChoice, parseDefinitions } from './options';

export interface LoadFlags {
  readonly define: readonly string[];
  readonly include: readonly string[];
  readonly dataModel?: string;
  readonly std?: string;
  readonly systemHeaders?: boolean;
  readonly externals?: string;
  readonly ensures: readonly string[];
  readonly mallocMayFail?: boolean;
  readonly unchecked: readonly string[];
}

/** An option that may be given several times; `byDefault` says in the help what its absence means. */
export function repeatable(flags: string, description: string, byDefault: string): Option {
  return new Option(flags, `${description} (repeatable)`)
    .default([], byDefault)
    .argParser((text: string, earlier: readonly string[]): readonly string[] => [...earlier, text]);
}

export const requiresOption = (): Option =>
  repeatable(
    '--requires <function: condition>',
    'clients keep to this precondition, over the arguments and variables',
    'none',
  );

export const possibleOption = (): Option =>
  repeatable(
    '--possible <function: condition>',
    'clients make such calls: no specification that excludes them all is offered',
    'none',
  );

export const initialisedByOption = (): Option =>
  repeatable(
    '--initialised-by <type: function>',
    'clients have this function set up every such structure before they pass it to another, and do not write it ' +
      'from then on',
    'none',
  );

export const validPointersOption = (): Option =>
  repeatable(
    '--valid-pointers <type: member>',
    "these pointers in clients' structures are null or lead to the start of a live object, and no pointer to another " +
      'type leads to such a structure',
    'none',
  );

export const probeOption = (): Option =>
  repeatable(
    '--probe <name: condition>',
    "follow this fact about the variables; 'name in f: …' also about f's own",
    'none',
  );

export function addLoadOptions(command: Command): Command {
  return command
    .addOption(repeatable('-D, --define <name[=value]>', 'define a macro', 'none'))
    .addOption(repeatable('-I, --include <directory>', 'search here for included files', 'none'))
    .option('--data-model <model>', 'sizes of C types: lp64 or ilp32 (default: lp64)')
    .option('--std <standard>', 'c11, or gnu89 for old code: implicit int, undeclared functions (default: c11)')
    .option('--system-headers', 'read the headers of the installed C compiler ($CC, or cc)')
    .option(
      '--externals <what>',
      'what an undefined function does: error, any (value and effect), value (and nothing else) or angelic',
    )
    .addOption(
      repeatable(
        '--ensures <function: condition>',
        "what an undefined function guarantees, in C: 'uart_read: result <= size'; with 0 it never returns",
        'none',
      ),
    )
    .option('--malloc-may-fail', 'every call of malloc may give null')
    .addOption(
      repeatable(
        '--unchecked <check>',
        `leave out a check of what compilers define where C does not: ${leavable.join(', ')}`,
        'none',
      ),
    );
}

export function loadOptions(flags: LoadFlags, cwd: string): LoadOptions {
  const dataModel =
    flags.dataModel === undefined ? undefined : parseChoice('data model', flags.dataModel, ['lp64', 'ilp32'] as const);
  return {
    idioms: true,
    define: parseDefinitions(flags.define),
    include: flags.include.map((directory) => existingDirectory(directory, cwd, '-I')),
    ...(dataModel && { dataModel }),
    ...(flags.systemHeaders && { systemHeaders: systemHeaders(dataModel ?? 'lp64') }),
    ...(flags.std === undefined ? {} : { standard: parseChoice('standard', flags.std, ['c11', 'gnu89'] as const) }),
    ...(flags.mallocMayFail && { mallocMayFail: true }),
    ...(flags.unchecked.length > 0 && {
      unchecked: flags.unchecked.map((check) => parseChoice('check to leave out', check, leavable)),
    }),
    ...(flags.ensures.length > 0 && { ensures: guarantees(flags.ensures) }),
    ...(flags.externals === undefined
      ? {}
      : {
          externals: parseChoice('value of --externals', flags.externals, [
            'error',
            'any',
            'value',
            'angelic',
          ] as const),
        }),
  };
}

function guarantees(texts: readonly string[]): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  for (const text of texts) {
    const [, name, condition] = /^\s*([A-Za-z_]\w*)\s*:\s*(\S.*)$/s.exec(text) ?? [];
    if (name === undefined || condition === undefined)
      throw new InputError(
        `--ensures '${text}' is not a function's name, a colon and a condition`,
        "write for example --ensures 'uart_read: result <= size'",
      );
    found[name] = [...(found[name] ?? []), condition.trim()];
  }
  return found;
}

function systemHeaders(dataModel: DataModel): SystemHeaders {
  const found = findSystemHeaders(undefined, dataModel);
  if (found.kind === 'found') return found.headers;
  throw new InputError(
    `--system-headers: ${found.why}`,
    'name the compiler with the environment variable CC, or leave the option out: the headers that come with ' +
      'provest need no compiler',
  );
}

/** Absolute; an `InputError` that suggests a neighbour when there is no such file. */
export function existingFile(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  if (existsSync(path)) {
    if (statSync(path).isDirectory())
      throw new InputError(`${file} is a directory`, `name its C files: ${join(file, '*.c')}`);
    return path;
  }
  const folder = dirname(path);
  if (!existsSync(folder))
    throw new InputError(
      `no such file: ${file}`,
      `there is no folder ${dirname(file)}; paths are relative to the folder in which the command is called`,
    );
  const there = readdirSync(folder);
  const near = nearest(basename(path), there) ?? there.find((name) => name === `${basename(path)}.c`);
  const ending = extname(path) === '' ? '.c' : extname(path);
  const alike = there.filter((name) => name.endsWith(ending));
  throw new InputError(
    `no such file: ${file}`,
    near !== undefined
      ? `did you mean '${join(dirname(file), near)}'?`
      : alike.length > 0
        ? `in that folder there are ${alike.slice(0, 8).join(', ')}${alike.length > 8 ? ', …' : ''}`
        : `there is no ${ending} file in that folder`,
  );
}

export function existingCFile(file: string, cwd: string): string {
  const path = existingFile(file, cwd);
  const other = notC(path);
  if (other !== undefined)
    throw new InputError(`${file} is ${other}, not C`, 'give the C file; tests are run by Jest or Vitest');
  return path;
}

export function existingDirectory(directory: string, cwd: string, option: string): string {
  const path = resolve(cwd, directory);
  if (!existsSync(path))
    throw new InputError(
      `no such directory: ${directory}`,
      `correct the option ${option}; paths are relative to the folder in which the command is called`,
    );
  if (!statSync(path).isDirectory())
    throw new InputError(`${directory} is a file, not a directory`, `correct the option ${option}`);
  return path;
}
