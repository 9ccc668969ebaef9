/** The front end's one door: from paths (or text) to typed trees, or one `CError` with everything that is wrong. */
import { libraryUnitFor } from './bundled';
import { CError, type Diagnostic } from './diagnostics/diagnostic';
import { DiagnosticLog } from './diagnostics/diagnosticLog';
import { elaborate } from './elaborate';
import { ensuresFile } from './elaborate/ensuresOf';
import { parse } from './parse';
import { preprocess } from './preprocess';
import type { SystemHeaders } from './preprocess/headerSearch';
import type { SourceFile } from './source';
import type { SyntaxUnit } from './syntax';
import { decodeSource } from './tokens/sourceBytes';
import type { TranslationUnit } from './tree';
import type { DataModel, Standard } from './types';

// Not `import`: a test that mocks `fs` must not mock it for us.
const fs = process.getBuiltinModule('node:fs');

export interface FrontEndOptions {
  /** Folders searched for headers. */
  readonly include?: readonly string[];
  /** Macros, as with `-D`; `true` defines as 1. */
  readonly define?: Readonly<Record<string, string | number | true>>;
  /** Default: `lp64`. */
  readonly dataModel?: DataModel;
  /**
   * `assert`, `assume`, `error`, `nondet` and `unknown` may be called without a declaration, as verification papers do.
   * Default: no.
   */
  readonly idioms?: boolean;
  /** Default: `c11`. */
  readonly standard?: Standard;
  /** Read these instead of the bundled headers. Default: the bundled ones. */
  readonly systemHeaders?: SystemHeaders;
  /** Guarantees of functions without a body, as conditions in C, by function. Read in each unit that declares it. */
  readonly ensures?: Readonly<Record<string, readonly string[]>>;
  /** Undefined when there is no such file. Default: the file system. */
  readonly readFile?: (path: string) => string | undefined;
}

export interface ReadResult {
  /** One for each path, not linked. */
  readonly units: readonly TranslationUnit[];
  /** Every file read, in order, each once. */
  readonly files: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

const mostErrors = 20;

/** Throws `CError` with the errors of all files, in order, at most 20. */
export function readC(paths: readonly string[], options: FrontEndOptions = {}): ReadResult {
  const twice = paths.find((path, i) => paths.indexOf(path) !== i);
  if (twice !== undefined)
    throw new CError([
      { severity: 'error', message: `the file ${twice} is named twice`, hint: 'Name each file once.' },
    ]);
  const results = paths.map((path) => readUnit(path, options));
  const errors = results.flatMap((result) => result.diagnostics.filter((d) => d.severity === 'error'));
  if (errors.length > 0) throw new CError(cap(errors));
  return {
    units: results.flatMap((result) => result.unit ?? []),
    files: [...new Set(results.flatMap((result) => result.files))],
    warnings: results.flatMap((result) => result.diagnostics),
  };
}

/** One unit from text. `options.readFile` still serves its includes. */
export function readCText(text: string, path = 'input.c', options: FrontEndOptions = {}): ReadResult {
  const readFile = options.readFile ?? fromFileSystem;
  return readC([path], { ...options, readFile: (wanted) => (wanted === path ? text : readFile(wanted)) });
}

/** A file, by statements; `text`: as if that stood in it. Undefined, and the first error, when it cannot be read so. */
export function readSyntax(
  path: string,
  options: FrontEndOptions,
  text?: string,
): { readonly unit: SyntaxUnit | undefined; readonly error?: Diagnostic | undefined } {
  const { include = [], define = {}, dataModel = 'lp64', standard, systemHeaders, readFile = fromFileSystem } = options;
  const log = new DiagnosticLog();
  const read = (name: string): string | undefined => (name === path ? text : undefined) ?? readFile(name);
  const { tokens, diagnostics } = preprocess(path, { include, define, dataModel, systemHeaders, readFile: read });
  for (const diagnostic of diagnostics) log.add(diagnostic);
  const unit = log.errorCount > 0 ? undefined : parse(tokens, log, standard);
  return unit?.complete ? { unit } : { unit: undefined, error: log.diagnostics.find((d) => d.severity === 'error') };
}

/** The bundled C library's unit that defines a function; undefined when it has none. */
export function readLibraryUnit(functionName: string, options: FrontEndOptions = {}): TranslationUnit | undefined {
  const unit = libraryUnitFor(functionName);
  if (!unit) return undefined;
  // Nothing of the user's reaches into the library's own text.
  const { units } = readC([unit.path], {
    ...(options.dataModel ? { dataModel: options.dataModel } : {}),
    readFile: (path) => (path === unit.path ? unit.text : undefined),
  });
  return units[0];
}

interface UnitResult {
  /** Undefined after errors of the preprocessor. */
  readonly unit: TranslationUnit | undefined;
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

function readUnit(path: string, options: FrontEndOptions): UnitResult {
  const {
    include = [],
    define = {},
    dataModel = 'lp64',
    standard = 'c11',
    systemHeaders,
    readFile = fromFileSystem,
  } = options;
  const log = new DiagnosticLog();
  const reading = {
    include,
    define,
    dataModel,
    systemHeaders,
    readFile: withGuarantees(path, options.ensures, readFile),
  };
  const { tokens, diagnostics, files: read } = preprocess(path, reading);
  const files = read.filter((file) => !file.endsWith(ensuresFile));
  for (const diagnostic of diagnostics) log.add(diagnostic);
  // A missing header or an unfinished conditional would make nonsense of what follows.
  if (log.errorCount > 0) return { unit: undefined, files, diagnostics: log.diagnostics };
  const unit = elaborate(parse(tokens, log, standard), path, dataModel, log, { idioms: options.idioms, standard });
  return { unit, files, diagnostics: inOrder(log.diagnostics).filter((d) => !isAboutSystem(d, systemHeaders)) };
}

/** Adds guarantees from options at the end of the file, where all its names and macros are known. */
function withGuarantees(
  path: string,
  ensures: FrontEndOptions['ensures'],
  readFile: (path: string) => string | undefined,
): (path: string) => string | undefined {
  if (!ensures || Object.keys(ensures).length === 0) return readFile;
  const lines = Object.entries(ensures).flatMap(([name, conditions]) =>
    conditions.map((condition) => `__provest_ensures_of(${name}, ${condition});`),
  );
  return (wanted) => {
    if (wanted.endsWith(ensuresFile))
      return ['#include <provest.h>', '#ifndef NULL', '#define NULL ((void *)0)', '#endif', ...lines, ''].join('\n');
    const text = readFile(wanted);
    return wanted === path && text !== undefined ? `${text}\n#include "${ensuresFile}"\n` : text;
  };
}

/** Warnings about the system's headers are left out, as by compilers: a user cannot mend them. */
function isAboutSystem({ severity, span }: Diagnostic, system: SystemHeaders | undefined): boolean {
  return (
    severity === 'warning' &&
    span !== undefined &&
    (system?.folders.some((folder) => span.file.path.startsWith(`${folder}/`)) ?? false)
  );
}

/** By place within each file; files in the order in which they are first mentioned. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const order = new Map<SourceFile | undefined, number>();
  for (const { span } of diagnostics) if (!order.has(span?.file)) order.set(span?.file, order.size);
  return [...diagnostics].sort(
    (a, b) => order.get(a.span?.file)! - order.get(b.span?.file)! || (a.span?.start ?? 0) - (b.span?.start ?? 0),
  );
}

function cap(errors: readonly Diagnostic[]): readonly Diagnostic[] {
  if (errors.length <= mostErrors) return errors;
  const left = errors.length - mostErrors;
  return [
    ...errors.slice(0, mostErrors),
    { severity: 'error', message: `and ${left} more error${left === 1 ? '' : 's'}` },
  ];
}

function fromFileSystem(path: string): string | undefined {
  try {
    return decodeSource(fs.readFileSync(path));
  } catch {
    return undefined;
  }
}
