/**
 * `provest verify … --queue` and `provest worker`. With a queue every file is a module or program of its own, and all
 * of them are proved at the same time, by the workers of the queue.
 */
import type { Command } from 'commander';
import type { Backend } from '../backend';
import { exitCode, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import type { Terminal } from '../terminal';
import { parseJobs } from '../options';
import { filesForThemselves, verifyAll } from './each';
import type { VerifyFlags } from './verify';

/** Reminds of missing workers this long after the tasks were sent. */
const patienceMs = 5_000;

export async function verifyQueued(
  patterns: readonly string[],
  { queue, ...flags }: VerifyFlags & { readonly queue: string },
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const files = filesForThemselves(patterns, flags, terminal.cwd);
  const queued = await backend.queue(queue, terminal.cwd);
  const controller = new AbortController();
  const stopListening = terminal.onInterrupt(() => controller.abort());
  const waiting = setTimeout(() => void remind(queued.absence(), terminal), patienceMs);
  try {
    const remote: Backend = {
      ...backend,
      verify: (task, options) => queued.verify(task, { ...options, signal: controller.signal }),
    };
    return await verifyAll(files, flags, { jobs: files.length, terminal, backend: remote });
  } finally {
    clearTimeout(waiting);
    stopListening();
    await queued.close();
  }
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
  const jobs = parseJobs(flags.jobs);
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
