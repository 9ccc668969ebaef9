/**
 * One program of a compiler's test suite on our machine, and what that says: see the kinds. The judge of behaviour is what the suite expects, else
 * gcc; the judge of what is C is gcc; the judge of what is undefined are gcc's sanitizers.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { CError, formatDiagnostic } from '../../src/c';
import type { Standard } from '../../src/c/types';
import { onGcc, onMachine, onSanitizers, type Behaviour, type MachineRun } from '../../test/differential/machineAndGcc';

export const kinds = ['passed', 'unsupported', 'not C11', 'undefined', 'limit', 'wrong'] as const;
export interface Judgement { readonly kind: (typeof kinds)[number]; readonly why: string }
export interface SuiteOptions {
  readonly include: readonly string[];
  readonly define: readonly string[];
  /** Further files, linked with every program. */
  readonly with: readonly string[];
  readonly stepLimit: number;
  readonly standard: Standard;
}

/** What is not C11, although gcc accepts it by default. */
const strict = ['implicit-int', 'implicit-function-declaration', 'int-conversion', 'incompatible-pointer-types', 'old-style-definition', 'return-mismatch'].map((name) => `-Werror=${name}`);

export function judge(path: string, options: SuiteOptions): Judgement {
  // `main` returns 0 by itself since C99; its other novelties leave the meaning of what came before.
  const flags = [`-std=${options.standard === 'c11' ? 'gnu11' : 'gnu99'}`, ...options.include.map((folder) => `-I${folder}`), ...options.define.map((name) => `-D${name}`)];
  let run: MachineRun;
  try {
    const define = Object.fromEntries(options.define.map((text) => [text.split('=')[0]!, text.includes('=') ? text.slice(text.indexOf('=') + 1) : true as const]));
    run = onMachine(path, { include: options.include, define, standard: options.standard }, { stepLimit: options.stepLimit }, options.with);
  } catch (error) {
    if (error instanceof CError) return rejected(error, path, flags, options);
    return { kind: 'wrong', why: `threw ${error instanceof Error ? error.stack ?? error.message : String(error)}` };
  }
  if (run.end.startsWith('limit')) return { kind: 'limit', why: run.end };
  if (run.end.startsWith('stopped') || run.end === 'no main') return { kind: 'unsupported', why: run.end };
  if (run.fault) {
    const sanitized = onSanitizers(path, ['-fsanitize=pointer-compare,pointer-subtract', ...flags, ...options.with]);
    if (sanitized?.error !== undefined) return { kind: 'undefined', why: `${run.end}\ngcc: ${sanitized.error}` };
    if (run.fault.check === 'signed-overflow' && warns(path, flags, ['overflow'])) return { kind: 'undefined', why: `${run.end}\ngcc warns of it` };
    if (run.fault.check === 'missing-return' && warns(path, flags, ['return-type'])) return { kind: 'undefined', why: `${run.end}\ngcc warns of it` };
    if (run.fault.check === 'uninitialised-read' && (warns(path, flags, ['uninitialized', 'maybe-uninitialized']) || onGcc(path, [...flags, ...options.with], 10_000, ['valgrind', '-q', '--error-exitcode=99'])?.end === 'exit 99')) return { kind: 'undefined', why: `${run.end}\ngcc warns of it` };
    return { kind: 'wrong', why: `${run.end}\n${run.output.slice(-300)}` };
  }
  const expected = expectation(path, [...flags, ...options.with]);
  const same = ({ output, end }: Partial<Behaviour>): boolean => (end === undefined || run.end === end) && (output === undefined || run.output.trimEnd() === output.trimEnd());
  if (same(expected)) return { kind: 'passed', why: '' };
  // What a suite expects may be what its own compiler does.
  const native = onGcc(path, [...flags, ...options.with]);
  if (native && same(native)) return { kind: 'passed', why: '' };
  if (expected.end !== undefined && run.end !== expected.end) return { kind: 'wrong', why: `ends with ${run.end}, not ${expected.end}\n${run.output.slice(-300)}` };
  return { kind: 'wrong', why: difference(run.output, expected.output ?? '') };
}

/** No sanitizer of gcc's looks for some things; its warnings do. */
function warns(path: string, flags: readonly string[], warnings: readonly string[]): boolean {
  const { status } = spawnSync('gcc', ['-O2', ...warnings.map((name) => `-Werror=${name}`), '-c', '-o', '/dev/null', ...flags, path], { stdio: 'ignore' });
  return status !== 0;
}

function rejected(error: CError, path: string, gccFlags: readonly string[], options: SuiteOptions): Judgement {
  const errors = error.diagnostics.filter(({ severity }) => severity === 'error');
  const why = errors.map((d) => formatDiagnostic(d).split('\n').slice(0, 5).join('\n')).join('\n');
  if (errors.some(({ message }) => /not supported|is too large/.test(message))) return { kind: 'unsupported', why: errors.map(({ message }) => message).join('; ') };
  const messages = errors.map(({ message }) => message).join('; ');
  const flags = [...options.with, ...(options.standard === 'c11' ? strict : []), ...gccFlags];
  if (onGcc(path, flags) === undefined) return { kind: 'not C11', why: messages };
  if (errors.every(({ message }) => message.includes('without a prototype nothing converts it') || message.startsWith('too many arguments'))) return { kind: 'undefined', why: messages };
  return errors.every(({ message }) => /^cannot find the header|is (called|used) but not defined/.test(message)) ? { kind: 'unsupported', why: messages } : { kind: 'wrong', why };
}

function expectation(path: string, flags: readonly string[]): { readonly output?: string; readonly end?: string } {
  const file = [`${path}.expected`, path.replace(/\.c$/, '.expect'), path.replace(/\.c$/, '.reference_output')].find((name) => existsSync(name));
  if (file === undefined) return onGcc(path, flags) ?? { end: 'exit 0' };
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
