/**
 * CBMC as it is installed: `goto-cc` compiles, `goto-instrument` replaces loops by their contracts, `cbmc` checks.
 * Nothing of provest takes part in the answers.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, renameSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { DataModel } from '../../c/types';
import type { Property } from '../../program/command';

export interface Cbmc {
  readonly compiler: string;
  readonly instrument: string;
  readonly checker: string;
  /** CBMC ignores most quantifiers without an SMT solver; it looks for `z3`. */
  readonly hasZ3: boolean;
}

/** Undefined where one of the three is missing. */
export function findCbmc(path: string): Cbmc | undefined {
  const find = (name: string): string | undefined =>
    path
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => join(folder, name))
      .find(isExecutable);
  const [compiler, instrument, checker] = ['goto-cc', 'goto-instrument', 'cbmc'].map(find);
  return compiler && instrument && checker
    ? { compiler, instrument, checker, hasZ3: find('z3') !== undefined }
    : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The subject of one of CBMC's properties. */
export type CbmcSubject =
  | { readonly kind: 'check'; readonly property: Property }
  | { readonly kind: 'invariant'; readonly which: 'base' | 'step' }
  /** A loop or a recursion goes on behind the bound. */
  | { readonly kind: 'unwinding' }
  /** A function without a body, which CBMC takes to give any value and change nothing. */
  | { readonly kind: 'no-body' }
  | { readonly kind: 'other' };

export interface CbmcResult {
  readonly name: string;
  readonly subject: CbmcSubject;
  readonly status: 'holds' | 'fails' | 'unknown';
  readonly line: number | undefined;
  readonly function: string | undefined;
  readonly description: string;
}

export type CbmcAnswer =
  | { readonly kind: 'checked'; readonly results: readonly CbmcResult[] }
  | { readonly kind: 'none'; readonly why: string };

export interface CbmcProgram {
  readonly file: string;
  readonly entry: string;
  readonly include: readonly string[];
  readonly define: readonly string[];
  readonly dataModel: DataModel;
  readonly properties: readonly Property[];
  readonly mallocMayFail: boolean;
  readonly quantified: boolean;
}

/** Compiles a program to a file that `check` takes; or says why CBMC does not accept it. */
export async function compile(
  cbmc: Cbmc,
  program: CbmcProgram,
  to: string,
  contracts: 'applied' | 'ignored',
  timeoutMs: number,
): Promise<string | undefined> {
  const compiled = await run(
    cbmc.compiler,
    [
      '-D__CPROVER__',
      '--function',
      program.entry,
      ...(program.dataModel === 'ilp32' ? ['-m32'] : []),
      ...program.include.flatMap((folder) => ['-I', folder]),
      ...program.define.flatMap((definition) => ['-D', definition]),
      program.file,
      '-o',
      to,
    ],
    timeoutMs,
  );
  if (compiled.code !== 0) return `goto-cc does not accept it: ${lastError(compiled)}`;
  if (contracts === 'ignored') return undefined;
  // The second way is slower, and stands where the first does not know what a loop writes.
  const ways = [['--apply-loop-contracts'], ['--dfcc', program.entry, '--apply-loop-contracts']];
  let last = '';
  for (const way of ways) {
    const applied = await run(cbmc.instrument, [...way, to, `${to}.contracts`], timeoutMs);
    if (applied.code === 0) {
      renameSync(`${to}.contracts`, to);
      return undefined;
    }
    last ||= lastError(applied);
  }
  return `goto-instrument does not apply the contracts: ${last}`;
}

/** CBMC's options for a property. */
export const cbmcFlags: Readonly<Record<Property, readonly string[]>> = {
  reach: [],
  memsafety: ['--bounds-check', '--pointer-check'],
  overflow: ['--signed-overflow-check', '--undefined-shift-check'],
  'div-by-zero': ['--div-by-zero-check'],
  uninitialised: [],
  leak: ['--memory-leak-check'],
  aliasing: [],
};

/** `only`: single properties, by name. */
export async function check(
  cbmc: Cbmc,
  program: CbmcProgram,
  binary: string,
  options: {
    readonly unwind: number;
    readonly complete: boolean;
    readonly timeoutMs: number;
    readonly only?: readonly string[];
  },
): Promise<CbmcAnswer> {
  const output = await run(
    cbmc.checker,
    [
      binary,
      '--no-standard-checks',
      program.mallocMayFail ? '--malloc-may-fail' : '--no-malloc-may-fail',
      ...(program.mallocMayFail ? ['--malloc-fail-null'] : []),
      options.complete ? '--unwinding-assertions' : '--no-unwinding-assertions',
      '--unwind',
      String(options.unwind),
      ...program.properties.flatMap((property) => cbmcFlags[property]),
      ...(program.quantified && cbmc.hasZ3 ? ['--z3'] : []),
      ...(options.only ?? []).flatMap((name) => ['--property', name]),
      '--json-ui',
      '--verbosity',
      '4',
    ],
    options.timeoutMs,
  );
  if (output.code === undefined) return { kind: 'none', why: 'it did not end in time' };
  let messages: readonly Message[];
  try {
    messages = JSON.parse(output.stdout) as readonly Message[];
  } catch {
    return { kind: 'none', why: `cbmc failed: ${lastError(output)}` };
  }
  const results = messages.flatMap(({ result }) => result ?? []);
  if (results.length === 0 && !messages.some(({ result }) => result))
    return {
      kind: 'none',
      why: messages.find(({ messageType }) => messageType === 'ERROR')?.messageText ?? 'cbmc gives no result',
    };
  return { kind: 'checked', results: results.map(resultOf) };
}

interface Message {
  readonly result?: readonly RawResult[];
  readonly messageType?: string;
  readonly messageText?: string;
}
interface RawResult {
  readonly property: string;
  readonly description: string;
  readonly status: string;
  readonly sourceLocation?: { readonly line?: string; readonly function?: string };
}

function resultOf({ property, description, status, sourceLocation }: RawResult): CbmcResult {
  return {
    name: property,
    subject: subjectOf(property, description),
    status: status === 'SUCCESS' ? 'holds' : status === 'FAILURE' ? 'fails' : 'unknown',
    line: sourceLocation?.line === undefined ? undefined : Number(sourceLocation.line),
    function: sourceLocation?.function,
    description,
  };
}

/** From `main.pointer_dereference.3`, or the text where the name says nothing. */
function subjectOf(name: string, description: string): CbmcSubject {
  if (/\.loop_invariant_base\./.test(name) || /loop invariant before entry/.test(description))
    return { kind: 'invariant', which: 'base' };
  if (/\.loop_invariant_step\./.test(name) || /loop invariant is preserved/.test(description))
    return { kind: 'invariant', which: 'step' };
  if (/\.no-body\./.test(name)) return { kind: 'no-body' };
  const [, kind] = /\.([\w-]+)\.\d+$/.exec(name) ?? [];
  switch (kind) {
    case 'unwind':
    case 'recursion':
      return { kind: 'unwinding' };
    case 'overflow':
    case 'undefined-shift':
      return { kind: 'check', property: 'overflow' };
    case 'division-by-zero':
      return { kind: 'check', property: 'div-by-zero' };
    case 'memory-leak':
      return { kind: 'check', property: 'leak' };
    case 'assertion':
      return { kind: 'check', property: 'reach' };
    case 'bounds-check':
    case 'array_bounds':
    case 'pointer_dereference':
    case 'pointer_arithmetic':
    case 'pointer_primitives':
    case 'precondition_instance':
    case 'precondition':
      return { kind: 'check', property: 'memsafety' };
    default:
      return { kind: 'other' };
  }
}

interface Output {
  /** Undefined: the time was up. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], timeoutMs: number): Promise<Output> {
  return new Promise((done) => {
    execFile(
      command,
      args,
      { timeout: Math.max(1, Math.ceil(timeoutMs)), killSignal: 'SIGKILL', maxBuffer: 1 << 28 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.killed ? undefined : typeof error.code === 'number' ? error.code : 1;
        done({ code, stdout, stderr });
      },
    );
  });
}

function lastError({ code, stdout, stderr }: Output): string {
  if (code === undefined) return 'it did not end in time';
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim());
  return (
    lines.filter((line) => /error|unsupported|exception|invariant violation/i.test(line)).at(0) ??
    lines.findLast((line) => line !== '') ??
    ''
  ).slice(0, 300);
}
