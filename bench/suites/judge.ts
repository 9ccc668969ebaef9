/**
 * One program of a compiler's test suite on our machine, and what that says: see the kinds. The judge of behaviour is
 * what the suite expects, else gcc; the judge of what is C is gcc; the judges of what is undefined are gcc's
 * sanitizers, its warnings, valgrind and `witness.ts`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { CError, formatDiagnostic } from '../../src/c';
import type { Standard } from '../../src/c/types';
import { propertyOf, type CheckKind } from '../../src/program';
import type { Fault } from '../../src/semantics';
import type { LoadOptions } from '../../src/task';
import { onGcc, onMachine, onSanitizers, type Behaviour, type MachineRun } from '../../test/differential/machineAndGcc';
import { dependsOnLayout, readsFreshMemory } from './witness';

export const kinds = ['passed', 'unsupported', 'not C11', 'undefined', 'limit', 'wrong'] as const;
export interface Judgement {
  readonly kind: (typeof kinds)[number];
  readonly why: string;
  /** Of what is undefined: without that check the machine does what the suite expects. */
  readonly otherwiseSame?: boolean;
}
export interface SuiteOptions {
  readonly include: readonly string[];
  readonly define: readonly string[];
  /** Further files, linked with every program. */
  readonly with: readonly string[];
  readonly stepLimit: number;
  readonly standard: Standard;
}

/** Of native runs, in milliseconds. */
const patience = 60_000;

/** What is not C11, although gcc accepts it by default. */
const strict = [
  'implicit-int',
  'implicit-function-declaration',
  'int-conversion',
  'incompatible-pointer-types',
  'old-style-definition',
  'return-mismatch',
].map((name) => `-Werror=${name}`);

export function judge(path: string, options: SuiteOptions): Judgement {
  // `main` returns 0 by itself since C99; its other novelties leave the meaning of what came before.
  const flags = [
    `-std=${options.standard === 'c11' ? 'gnu11' : 'gnu99'}`,
    ...options.include.map((folder) => `-I${folder}`),
    ...options.define.map((name) => `-D${name}`),
  ];
  const define = Object.fromEntries(
    options.define.map((text) => [
      text.split('=')[0]!,
      text.includes('=') ? text.slice(text.indexOf('=') + 1) : (true as const),
    ]),
  );
  const load: LoadOptions = { include: options.include, define, standard: options.standard };
  let run: MachineRun;
  try {
    run = onMachine(path, load, { stepLimit: options.stepLimit }, options.with);
  } catch (error) {
    if (error instanceof CError) return rejected(error, path, flags, options);
    return { kind: 'wrong', why: `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` };
  }
  if (run.end.startsWith('limit')) return { kind: 'limit', why: run.end };
  if (run.end.startsWith('stopped') || run.end === 'no main') return { kind: 'unsupported', why: run.end };
  if (run.fault) {
    const witness = witnessOf(run.fault, path, [...flags, ...options.with]);
    if (witness === undefined) return { kind: 'wrong', why: `${run.end}\n${run.output.slice(-300)}` };
    return {
      kind: 'undefined',
      why: `${run.end}\n${witness}`,
      otherwiseSame: sameWithout(run.fault.check, path, flags, load, options),
    };
  }
  const expected = expectation(path, [...flags, ...options.with]);
  if (same(run, expected)) return { kind: 'passed', why: '' };
  // What a suite expects may be what its own compiler does.
  const native = onGcc(path, [...flags, ...options.with], patience);
  const ours = { ...run, output: run.stdout };
  if (native && same(ours, native)) return { kind: 'passed', why: '' };
  const withoutBuiltIns = onGcc(path, [...flags, '-fno-builtin', ...options.with], patience);
  if (withoutBuiltIns && native && !same(native, withoutBuiltIns) && same(ours, withoutBuiltIns))
    return {
      kind: 'undefined',
      why: `${run.end}\nand so does gcc with -fno-builtin: the program defines a function of the library's`,
      otherwiseSame: false,
    };
  if (expected.end !== undefined && run.end !== expected.end)
    return { kind: 'wrong', why: `ends with ${run.end}, not ${expected.end}\n${run.output.slice(-300)}` };
  return { kind: 'wrong', why: difference(run.output, expected.output ?? '') };
}

const same = (run: Behaviour, { output, end }: Partial<Behaviour>): boolean =>
  (end === undefined || run.end === end) && (output === undefined || run.output.trimEnd() === output.trimEnd());

/** Who says, besides us, that the program does something undefined. */
function witnessOf(fault: Fault, path: string, flags: readonly string[]): string | undefined {
  const sanitized = onSanitizers(path, ['-fsanitize=pointer-compare,pointer-subtract', ...flags], patience);
  if (sanitized?.error !== undefined) return `gcc: ${sanitized.error}`;
  switch (fault.check) {
    case 'signed-overflow':
      return warns(path, flags, ['overflow']) ? 'gcc warns of it' : undefined;
    case 'invalid-call':
      return warns(path, flags, ['format']) ? 'gcc warns of it' : undefined;
    case 'pointer-comparison':
      return dependsOnLayout(path, fault.span, flags)
        ? 'natively the value changes with where unrelated objects lie'
        : undefined;
    case 'missing-return':
      return warns(path, flags, ['return-type']) ? 'gcc warns of it' : undefined;
    case 'uninitialised-read':
      if (warns(path, flags, ['uninitialized', 'maybe-uninitialized'])) return 'gcc warns of it';
      // Without built-in forms the library's function is there for valgrind to watch.
      if (
        onGcc(path, ['-fno-builtin', ...flags], patience, ['valgrind', '-q', '--error-exitcode=99'])?.end === 'exit 99'
      )
        return 'valgrind sees it';
      return readsFreshMemory(path, fault.span, flags)
        ? 'natively the value changes with what fresh memory is filled with'
        : undefined;
    default:
      return undefined;
  }
}

/** Checks after which the machine can go on, as compilers do. */
const continuing: ReadonlySet<CheckKind> = new Set([
  'uninitialised-read',
  'missing-return',
  'pointer-comparison',
  'pointer-arithmetic',
  'signed-overflow',
  'conversion',
  'shift',
  'shift-overflow',
  'noreturn',
] as const);

function sameWithout(
  check: CheckKind,
  path: string,
  flags: readonly string[],
  load: LoadOptions,
  options: SuiteOptions,
): boolean {
  const expected = expectation(path, [...flags, ...options.with]);
  const off = new Set<CheckKind>();
  for (let next: CheckKind | undefined = check; next !== undefined && continuing.has(next) && !off.has(next);) {
    off.add(next);
    const properties = new Set((Object.keys(propertyOf) as CheckKind[]).filter((kind) => !off.has(kind)));
    const run = onMachine(path, load, { stepLimit: options.stepLimit, properties }, options.with);
    if (same(run, expected) || same({ ...run, output: run.stdout }, expected)) return true;
    next = run.fault?.check;
  }
  return false;
}

/** No sanitizer of gcc's looks for some things; its warnings do. */
function warns(path: string, flags: readonly string[], warnings: readonly string[]): boolean {
  return !compiles(path, ['-O2', ...warnings.map((name) => `-Werror=${name}`), ...flags]);
}

function compiles(path: string, flags: readonly string[]): boolean {
  return spawnSync('gcc', ['-c', '-o', '/dev/null', ...flags, path], { stdio: 'ignore' }).status === 0;
}

function rejected(error: CError, path: string, gccFlags: readonly string[], options: SuiteOptions): Judgement {
  const errors = error.diagnostics.filter(({ severity }) => severity === 'error');
  const why = errors.map((d) => formatDiagnostic(d).split('\n').slice(0, 5).join('\n')).join('\n');
  if (errors.some(({ message }) => /not supported|is too large/.test(message)))
    return { kind: 'unsupported', why: errors.map(({ message }) => message).join('; ') };
  const messages = errors.map(({ message }) => message).join('; ');
  const flags = [...options.with, ...(options.standard === 'c11' ? strict : []), ...gccFlags];
  if (onGcc(path, flags) === undefined) return { kind: 'not C11', why: messages };
  if (
    errors.every(
      ({ message }) =>
        message.includes('without a prototype nothing converts it') ||
        /^too many arguments| takes \d+ arguments?, not /.test(message),
    )
  )
    return { kind: 'undefined', why: messages };
  if (
    errors.every(({ message }) => message.includes("are passed through '...' as")) &&
    !compiles(path, ['-Werror', '-Wno-implicit-function-declaration', '-Wno-implicit-int', ...gccFlags])
  )
    return { kind: 'undefined', why: `${messages}\ngcc warns of it` };
  return errors.every(({ message }) => /^cannot find the header|is (called|used) but not defined/.test(message))
    ? { kind: 'unsupported', why: messages }
    : { kind: 'wrong', why };
}

function expectation(path: string, flags: readonly string[]): { readonly output?: string; readonly end?: string } {
  const file = [`${path}.expected`, path.replace(/\.c$/, '.expect'), path.replace(/\.c$/, '.reference_output')].find(
    (name) => existsSync(name),
  );
  if (file === undefined) return onGcc(path, flags, patience) ?? { end: 'exit 0' };
  const text = readFileSync(file, 'utf8');
  const status = /(?:^|\n)\[?(?:exit|returns) (\d+)\]?\s*$/.exec(text);
  return { output: status ? text.slice(0, status.index) : text, end: `exit ${status?.[1] ?? 0}` };
}

function difference(ours: string, expected: string): string {
  const left = ours.split('\n');
  const right = expected.split('\n');
  const line = right.findIndex((text, i) => text !== left[i]);
  const at = line < 0 ? right.length : line;
  return `line ${at + 1} of the output is\n  ${left[at] ?? '(missing)'}\nnot\n  ${right[at] ?? '(missing)'}`;
}
