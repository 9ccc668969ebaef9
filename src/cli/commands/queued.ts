/**
 * `provest verify … --queue` and `provest worker`. With a queue every file is a module or program of its own, and all
 * of them are proved at the same time, by the workers of the queue.
 */
import type { Command } from 'commander';
import { CError } from '../../c/diagnostic';
import type { Backend } from '../backend';
import { exitCode, type ExitCode } from '../exitCode';
import { filesMatching } from '../filePatterns';
import { InputError } from '../inputError';
import { ProverFailure } from '../proverFailure';
import type { Terminal } from '../terminal';
import { verifyFiles, type VerifyFlags } from './verify';

/** Each names one file, which several proofs would write over each other. */
const ofOneProof = ['html', 'sarif', 'proofLcov', 'witness', 'harness', 'annotated'] as const;

/** Reminds of missing workers this long after the tasks were sent. */
const patienceMs = 5_000;

const worstFirst = [exitCode.internal, exitCode.badInput, exitCode.bug, exitCode.undecided, exitCode.proved] as const;

export async function verifyQueued(
  patterns: readonly string[],
  { queue, ...flags }: VerifyFlags & { readonly queue: string },
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const files = filesMatching(patterns, terminal.cwd);
  if (files.length === 0) throw new InputError(`no file matches ${patterns.join(', ')}`);
  const single = ofOneProof.find((name) => flags[name] !== undefined);
  if (files.length > 1 && single !== undefined)
    throw new InputError(
      `--${single === 'proofLcov' ? 'proof-lcov' : single} is for one proof, and ${files.length} files are sent ` +
        'to the queue',
      'leave it out, or name one file',
    );
  const queued = await backend.queue(queue, terminal.cwd);
  const controller = new AbortController();
  const stopListening = terminal.onInterrupt(() => controller.abort());
  const waiting = setTimeout(() => void remind(queued.absence(), terminal), patienceMs);
  try {
    const remote: Backend = {
      ...backend,
      verify: (task, options) => queued.verify(task, { ...options, signal: controller.signal }),
    };
    const codes = await Promise.all(files.map((file) => one(file, flags, terminal, remote)));
    return worstFirst.find((code) => codes.includes(code))!;
  } finally {
    clearTimeout(waiting);
    stopListening();
    await queued.close();
  }
}

/** Proves one file; its output comes at once, when it is complete. */
async function one(file: string, flags: VerifyFlags, terminal: Terminal, backend: Backend): Promise<ExitCode> {
  let out = '';
  let err = '';
  const own: Terminal = {
    ...terminal,
    errIsTerminal: false,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    onInterrupt: () => () => {},
  };
  let code: ExitCode;
  try {
    code = await verifyFiles([file], flags, own, backend);
  } catch (error) {
    if (!(error instanceof CError || error instanceof InputError || error instanceof ProverFailure)) throw error;
    err += `${file}: ${error.message}\n`;
    code = error instanceof ProverFailure ? exitCode.internal : exitCode.badInput;
  }
  if (err !== '') terminal.err(err);
  if (out !== '') terminal.out(out);
  return code;
}

async function remind(absence: Promise<string | undefined>, terminal: Terminal): Promise<void> {
  const absent = await absence.catch(() => undefined);
  if (absent !== undefined) terminal.err(`${absent}: start one with 'provest worker --queue ADDRESS'\n`);
}

export interface WorkerFlags {
  readonly queue?: string;
  readonly jobs: string;
}

export function addWorkerOptions(command: Command): Command {
  return command
    .description('prove what is sent to a queue: provest verify FILES --queue ADDRESS')
    .option('--queue <address>', 'the Redis or Valkey server: redis://localhost:6379')
    .option('--jobs <number>', 'tasks at a time, each of which keeps about one core busy', '1');
}

export async function work(flags: WorkerFlags, terminal: Terminal, backend: Backend): Promise<ExitCode> {
  if (flags.queue === undefined)
    throw new InputError('a worker needs a queue', 'give its address: --queue redis://localhost:6379');
  const jobs = /^[1-9]\d{0,2}$/.test(flags.jobs) ? Number(flags.jobs) : undefined;
  if (jobs === undefined) throw new InputError(`'${flags.jobs}' is no number of tasks`, 'give a number from 1 to 999');
  const controller = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    terminal.err('ending when the tasks at hand are done; once more ends at once\n');
    controller.abort();
  });
  try {
    await backend.work({
      url: flags.queue,
      from: terminal.cwd,
      jobs,
      print: (text) => terminal.err(text),
      signal: controller.signal,
    });
    return exitCode.proved;
  } finally {
    stopListening();
  }
}
