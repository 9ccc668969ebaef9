/**
 * A worker: takes tasks from a queue, proves them in processes of their own, and answers. A worker that dies keeps
 * nobody waiting: its lock on the task runs out, and another worker begins the task anew. An answer counts only while
 * the worker holds the lock, so no task is answered twice.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../progress';
import type { Task } from '../task';
import type { Verdict } from '../verdict';
import type { Job, QueueLibrary } from './library';
import { packVerdict, unpackTask, type PackedTask } from './packed';
import { SharedProofs } from './sharedProofs';

export const queueName = (version: string): string => `provest-${version.replaceAll(':', '-')}`;
/** Workers by version, with the time they were last alive. */
export const workersKey = 'provest:workers';
export const aliveMs = 30_000;

const limits = {
  /** From the death of a worker to another try, at most `lockMs + stalledMs`. */
  lockMs: 15_000,
  stalledMs: 5_000,
  /** A task whose workers die this often is what kills them. */
  mostDeaths: 3,
  progressMs: 1_000,
} as const;

export interface WorkerOptions {
  readonly url: string;
  readonly version: string;
  /** Tasks at a time. */
  readonly jobs: number;
  readonly verify: (
    task: Task,
    options: {
      readonly alone: boolean;
      readonly memory: string | undefined;
      readonly signal: AbortSignal;
      readonly progress: (progress: Progress) => void;
    },
  ) => Promise<Verdict>;
  readonly print: (text: string) => void;
  /** Asks the worker to end after its tasks. */
  readonly signal: AbortSignal;
}

/** Resolves when the worker has ended. */
export async function runWorker(library: QueueLibrary, options: WorkerOptions): Promise<void> {
  const { url, version, jobs, print, signal } = options;
  const connection = await library.connect(url);
  const data = await library.connect(url);
  const shared = new SharedProofs(data, version);
  const name = queueName(version);
  const worker = new library.Worker(name, (job) => answer(job, options, shared, library), {
    connection,
    concurrency: jobs,
    lockDuration: limits.lockMs,
    stalledInterval: limits.stalledMs,
    maxStalledCount: limits.mostDeaths,
  });
  worker.on('error', (error) => print(`the queue: ${error.message}\n`));
  await worker.waitUntilReady();
  const member = `${version} ${randomUUID()}`;
  const present = (): void => {
    data.zadd(workersKey, Date.now(), member).catch(() => {}); // said by the connection
  };
  present();
  const heart = setInterval(present, aliveMs / 3);
  print(`worker of provest ${version} waits for tasks, ${jobs} at a time\n`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(heart);
  await worker.close();
  await data.zrem(workersKey, member).catch(() => {});
  connection.disconnect();
  data.disconnect();
}

async function answer(
  job: Job,
  { version, verify, print }: WorkerOptions,
  shared: SharedProofs,
  { UnrecoverableError }: QueueLibrary,
): Promise<PackedTask> {
  const packed = job.data as PackedTask;
  // The name of the queue has the version, too; a task that lies in the wrong queue is not to be read.
  if (packed.version !== version)
    throw new UnrecoverableError(`the worker is of provest ${version}, the task of ${packed.version}`);
  const root = mkdtempSync(join(tmpdir(), 'provest-task-'));
  try {
    const { task, alone, about } = unpackTask(packed, join(root, 'files'));
    const memory = join(root, 'proofs');
    const before = await shared.fetch(about, memory);
    let last = 0;
    const progress = (step: Progress): void => {
      if (performance.now() - last < limits.progressMs) return;
      last = performance.now();
      job.updateProgress(step).catch(() => {}); // the answer matters
    };
    // A worker that is to end finishes its tasks first.
    const { signal } = new AbortController();
    // Tasks side by side share the cores.
    const verdict = await verify({ ...task, jobs: 1 }, { alone, memory, signal, progress });
    await shared.keep(about, memory, before);
    print(`${task.files.map((file) => file.slice(join(root, 'files').length)).join(', ')}: ${verdict.kind}\n`);
    return packVerdict(verdict, join(root, 'files'), version);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
