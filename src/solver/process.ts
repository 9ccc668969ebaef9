/**
 * A running Z3 that takes SMT-LIB text, whatever it is made of: a native `z3 -in` (`nativeProcess.ts`) or a child of
 * Node that runs the WebAssembly build (`wasmProcess.ts`). It never keeps Node alive while nothing is asked, and never
 * throws: a Z3 that dies or overstays is a reply.
 */
import { spawnSync } from 'node:child_process';
import { NativeProcess } from './nativeProcess';
import type { RunningZ3 } from './runningZ3';
import { mayBeOnPath } from './startZ3';
import { WasmProcess } from './wasmProcess';

export type SolverReply =
  | { readonly kind: 'text'; readonly text: string }
  /** Killed because it overstayed its limit. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'died'; readonly detail: string }
  /** Not asked: what the context was told before went down with its Z3. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'interrupted' };

/** Next question, by the answer to the check; its output follows the answer on the next line. */
export type FollowUps = { readonly [answer in 'sat' | 'unsat' | 'unknown']?: string };

/** One assertion stack with its declarations. Requests are answered in the order they were made. */
export interface SolverContext {
  /** Counts up whenever what was said to the context is lost, because its Z3 died or it was reset. */
  readonly incarnation: number;
  /**
   * `limitMs`: wall time after which Z3 is killed, counted from the moment it starts on the request; the same again for
   * a follow-up.
   */
  run(text: string, limitMs: number, followUps?: FollowUps): Promise<SolverReply>;
  /** Forgets everything, options included. */
  reset(): void;
  close(): void;
}

export interface SolverProcess {
  /** Name and version: "z3 5.1.0 (wasm)". */
  readonly name: Promise<string>;
  open(): SolverContext;
  /** Times out what runs and whatever is asked until `resume`: a question may have several stages. */
  halt(): void;
  resume(): void;
  /** Ends every child; what runs is `interrupted`. Resolves when they are gone. */
  close(): Promise<void>;
  /**
   * Like `close`, but a child that is idle may serve another process soon; its Z3 keeps options of the whole process
   * that were set.
   */
  release(): Promise<void>;
}

/** The Z3 that was asked for is not there. */
export class NoSolver extends Error {}

export interface ProcessOptions {
  /** `auto` takes a `z3` on PATH that is recent enough. */
  readonly backend: 'auto' | 'native' | 'wasm';
  /** Path of a native Z3, instead of the one on PATH. */
  readonly path?: string;
}

/** `PROVEST_Z3` (wasm, native or a path) overrides what the caller asked for. */
export function processOptions(
  backend: 'auto' | 'native' | 'wasm',
  environment: NodeJS.ProcessEnv = process.env,
): ProcessOptions {
  const chosen = environment['PROVEST_Z3'];
  if (chosen === undefined || chosen === '') return { backend };
  return chosen === 'wasm' || chosen === 'native' || chosen === 'auto'
    ? { backend: chosen }
    : { backend: 'native', path: chosen };
}

/** `given`: a process that the caller started, as no other backend is wanted. */
export function startProcess({ backend, path }: ProcessOptions, given?: RunningZ3): SolverProcess {
  if (backend === 'wasm' || given) return new WasmProcess(given);
  const version = nativeVersion(path ?? 'z3');
  if (version !== undefined) return new NativeProcess(path ?? 'z3', version);
  if (backend === 'native')
    throw new NoSolver(`no Z3 of version ${oldestNative.join('.')} or later was found at ${path ?? 'z3 on the PATH'}`);
  return new WasmProcess();
}

const oldestNative: readonly [number, number] = [4, 12];
const versions = new Map<string, string | undefined>();

/** The version of a native Z3 that is recent enough; looked up once per path. */
export function nativeVersion(path: string): string | undefined {
  if (!versions.has(path)) versions.set(path, askVersion(path));
  return versions.get(path);
}

function askVersion(path: string): string | undefined {
  if (!mayBeOnPath(path)) return undefined;
  const { stdout, status } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 5000 });
  const found = status === 0 ? /version (\d+)\.(\d+)\.(\d+)/.exec(stdout) : null;
  if (!found) return undefined;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const recent = major > oldestNative[0] || (major === oldestNative[0] && minor >= oldestNative[1]);
  return recent ? `${found[1]}.${found[2]}.${found[3]}` : undefined;
}
