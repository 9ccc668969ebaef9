/**
 * `loadC`: from the path a test wrote to a module it can call. Synchronous, so that it stands at the top of a test
 * file; everything wrong with the path, the options or the C text is said here, at once.
 */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { buildHint, flagsAsOptions } from '../../src/buildFlags';
import { nearest } from '../../src/c/diagnostics/editDistance';
import { CError, formatDiagnostic, located, type SystemHeaders } from '../../src/c';
import type { DataModel } from '../../src/c/types';
import { fromCaller } from '../../src/host/callerStack';
import { notC } from '../../src/host/notC';
import { declaredFunctions, loadProgram, type Program } from '../../src/program';
import { findSystemHeaders } from '../../src/systemHeaders';
import type { LoadOptions } from '../../src/task';
import { callSite, type CallSite } from '../api/callSite';
import { CModule, identityOf } from '../session/cModule';
import { checkLoadOptions } from './checkOptions';
import { makeHandle } from './handle';
import { currentTestPath } from '../runners/jest';
import { fs } from '../../src/node';
import { directoryVariable, record } from '../session/records';
import { fingerprintsOf } from '../../src/report/lastRun';
import { notRequested } from '../session/recordRuns';
import { session } from '../session/session';
import type { AnyModule, LoadCOptions, ModuleFor } from '../api/types';

export function loadC<Path extends string>(path: Path, options?: LoadCOptions): ModuleFor<Path>;
export function loadC<Module = AnyModule>(path: string | readonly string[], options?: LoadCOptions): Module;
export function loadC(path: string | readonly string[], options: LoadCOptions = {}): AnyModule {
  return fromCaller(loadC, () => load(path, options));
}

function load(path: string | readonly string[], options: LoadCOptions): AnyModule {
  const site = callSite();
  checkLoadOptions(options);
  const base = dirname(site?.file ?? currentTestPath() ?? join(process.cwd(), 'test'));
  const paths = typeof path === 'string' ? [path] : path;
  if (!Array.isArray(paths) || paths.length === 0 || paths.some((file) => typeof file !== 'string')) {
    throw new TypeError("loadC: give the path of a C file, loadC('./stack.c'), or a list of them");
  }
  const files = paths.map((file) => existing(file, base));
  const reading: LoadOptions = {
    include: (options.include ?? []).map((directory) => folder('include', directory, base)),
    ...(options.define && { define: options.define }),
    ...(options.dataModel && { dataModel: options.dataModel }),
    ...(options.standard && { standard: options.standard }),
    ...(options.systemHeaders && { systemHeaders: systemHeaders(options.systemHeaders, options.dataModel ?? 'lp64') }),
    externals: options.externals ?? 'error',
    ...(options.ensures && {
      ensures: Object.fromEntries(
        Object.entries(options.ensures).map(([name, said]) => [name, typeof said === 'string' ? [said] : said]),
      ),
    }),
    ...(options.unchecked && options.unchecked.length > 0 && { unchecked: options.unchecked }),
  };
  const program = withRelativePaths(() =>
    withBuildHint(
      () =>
        recordingRefusal(
          () => loadProgram(files, { ...reading, stubs: Object.keys(options.stubs ?? {}) }),
          files,
          site,
        ),
      reading,
      base,
    ),
  );
  const lent = options.hostFiles === undefined ? {} : { hostFiles: folder('hostFiles', options.hostFiles, base) };
  const entry = withRelativePaths(() => entriesOf(program, options, reading, base));
  const module = new CModule(program, files, reading, { ...options, ...(entry && { entry }), ...lent }, site);
  session().modules.push(module);
  const sources = program.sources.filter((file) => isAbsolute(file));
  record({
    kind: 'loaded',
    ...module.identity,
    sources,
    ...(process.env[directoryVariable] !== undefined && {
      fingerprints: fingerprintsOf([...sources, resolve(module.identity.testFile)]),
    }),
    ...warningsOf(program, options),
    ...notRequested(),
  });
  return makeHandle(module);
}

function warningsOf({ warnings = [] }: Program, options: LoadCOptions): { readonly warnings?: readonly string[] } {
  if (options.warnings === false || warnings.length === 0) return {};
  return { warnings: warnings.map((warning) => fromHere(formatDiagnostic(warning))) };
}

/** Functions clients may call, where a header says it; it may declare more than is defined here. */
function entriesOf(
  program: Program,
  { entry, header }: LoadCOptions,
  reading: LoadOptions,
  base: string,
): readonly string[] | undefined {
  if (header === undefined) return entry;
  if (entry) throw new TypeError('loadC: entry and header exclude each other; the header names what clients call');
  const headers = typeof header === 'string' ? [header] : header;
  const declared = new Set(headers.flatMap((file) => declaredFunctions(existing(file, base), reading)));
  const found = program.functions.filter(
    ({ name, library, linkage }) => !library && linkage === 'external' && declared.has(name),
  );
  if (found.length === 0)
    throw new TypeError(`loadC: ${headers.join(', ')} declares none of the functions that are defined`);
  return found.map(({ name }) => name);
}

/** Errors in C text, as the command line prints them. */
function withRelativePaths<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CError) error.message = fromHere(error.message);
    throw error;
  }
}

/** Lets the summary of the run list C that cannot be read. */
function recordingRefusal<T>(read: () => T, files: readonly string[], site: CallSite | undefined): T {
  try {
    return read();
  } catch (error) {
    const first = error instanceof CError && error.diagnostics.find(({ severity }) => severity === 'error');
    if (first)
      record({ kind: 'refused', ...identityOf(files, site), why: fromHere(located(first.span, first.message)) });
    throw error;
  }
}

/** The error on a missing header also names the flags of the project's build, as options relative to `base`. */
function withBuildHint<T>(read: () => T, { include = [] }: LoadOptions, base: string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CError) {
      const hint = buildHint(error.diagnostics, {
        folder: process.cwd(),
        given: include,
        spell: (flags) => flagsAsOptions(flags, base),
      });
      if (hint !== undefined) error.message += `\nhint: ${hint}`;
    }
    throw error;
  }
}

const fromHere = (text: string): string => text.replaceAll(`${process.cwd()}${sep}`, '');

function systemHeaders(compiler: true | string, dataModel: DataModel): SystemHeaders {
  const found = findSystemHeaders(compiler === true ? undefined : compiler, dataModel);
  if (found.kind === 'found') return found.headers;
  throw new TypeError(
    `loadC: systemHeaders: ${found.why}; name the compiler (systemHeaders: 'arm-none-eabi-gcc'), or leave the ` +
      'option out: the headers that come with provest need no compiler',
  );
}

function folder(option: 'include' | 'hostFiles', directory: string, base: string): string {
  const path = resolve(base, directory);
  const looked = isAbsolute(directory)
    ? ''
    : ` (looked for ${relative(process.cwd(), path) || path}); paths are relative to the file that calls loadC`;
  if (!fs.existsSync(path)) throw new Error(`loadC: ${option}: no such directory: ${directory}${looked}`);
  if (!fs.statSync(path).isDirectory())
    throw new Error(`loadC: ${option}: ${directory} is a file, not a directory${looked}`);
  return path;
}

function existing(file: string, base: string): string {
  const path = isAbsolute(file) ? file : resolve(base, file);
  if (fs.existsSync(path)) {
    if (fs.statSync(path).isDirectory()) throw new TypeError(`loadC: ${file} is a directory; name its C files`);
    const other = notC(path);
    if (other !== undefined) throw new TypeError(`loadC: ${file} is ${other}, not C`);
    return path;
  }
  const folder = dirname(path);
  const there = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.c')) : [];
  const near = nearest(basename(path), there) ?? there.find((name) => name === `${basename(path)}.c`);
  const looked = isAbsolute(file) ? '' : ` (looked for ${relative(process.cwd(), path) || path})`;
  const hint =
    near !== undefined
      ? `did you mean '${join(dirname(file), near)}'?`
      : there.length > 0
        ? `in that folder there are ${there.slice(0, 8).join(', ')}`
        : isAbsolute(file)
          ? 'there is no C file in that folder'
          : 'paths are relative to the file that calls loadC';
  throw new Error(`loadC: no such file: ${file}${looked}; ${hint}`);
}
