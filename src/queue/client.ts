/**
 * The client of a queue: sends tasks to it and waits for the verdicts, which come back as if they had been found here.
 * A verdict of another version, or an answer that is no verdict, is refused.
 */
import { randomUUID } from 'node:crypto';
import { verdictWithoutProof } from '../prover';
import type { Progress } from '../progress';
import type { Task } from '../task';
import type { Verdict } from '../verdict';
import type { Connection, Job, JobQueue, QueueEvents, QueueLibrary } from './library';
import { packTask, unpackVerdict } from './packed';
import { aliveMs, queueName, workersKey } from './worker';

/** Answers that no client fetches are gone after this long. */
const keptSeconds = 3600;

export interface QueuedOptions {
  readonly alone: boolean;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** A worker has taken the task; once more for each that takes it after the death of another. */
  readonly begun?: () => void;
}

export class QueueClient {
  private readonly listeners = new Map<string, Pick<QueuedOptions, 'progress' | 'begun'>>();

  private constructor(
    private readonly connections: readonly Connection[],
    private readonly queue: JobQueue,
    private readonly events: QueueEvents,
    private readonly version: string,
  ) {
    events.on('progress', ({ jobId, data }) => this.listeners.get(jobId)?.progress(data as Progress));
    events.on('active', ({ jobId }) => this.listeners.get(jobId)?.begun?.());
  }

  static async connect(library: QueueLibrary, url: string, version: string): Promise<QueueClient> {
    const own = await library.connect(url);
    const listening = await library.connect(url);
    const queue = new library.Queue(queueName(version), { connection: own });
    const events = new library.QueueEvents(queueName(version), { connection: listening });
    // The library reconnects by itself after an interruption.
    queue.on('error', () => {});
    events.on('error', () => {});
    await events.waitUntilReady();
    return new QueueClient([own, listening], queue, events, version);
  }

  /** The message that no worker of this version is at the queue; undefined if one is. */
  async absence(): Promise<string | undefined> {
    const members = await this.connections[0]!.zrangebyscore(workersKey, Date.now() - aliveMs, '+inf');
    const versions = new Set(members.map((member) => member.split(' ')[0]!));
    if (versions.has(this.version)) return undefined;
    const others =
      versions.size === 0
        ? ''
        : ` (there are some of ${[...versions].join(', ')}, which take no tasks of this version)`;
    return `no worker of provest ${this.version} is at the queue${others}`;
  }

  async verify(task: Task, { alone, signal, ...listener }: QueuedOptions): Promise<Verdict> {
    const began = Date.now();
    const jobId = randomUUID();
    this.listeners.set(jobId, listener);
    try {
      return await this.answer(task, alone, jobId, { signal, began });
    } finally {
      this.listeners.delete(jobId);
    }
  }

  private async answer(
    task: Task,
    alone: boolean,
    jobId: string,
    { signal, began }: { readonly signal: AbortSignal; readonly began: number },
  ): Promise<Verdict> {
    const job = await this.queue.add('verify', packTask(task, alone, this.version), {
      jobId,
      // Deaths of workers are counted apart; a task that fails would fail again.
      attempts: 1,
      removeOnComplete: { age: keptSeconds },
      removeOnFail: { age: keptSeconds },
    });
    try {
      const result = await Promise.race([job.waitUntilFinished(this.events), interruption(signal)]);
      if (result === stopped) {
        await withdrawn(job);
        return verdictWithoutProof(
          task,
          { cause: 'interrupted', message: 'interrupted before a worker had an answer' },
          began,
        );
      }
      return (
        unpackVerdict(result, this.version) ??
        verdictWithoutProof(
          task,
          { cause: 'internal-error', message: `what a worker answered is no verdict of provest ${this.version}` },
          began,
          'not-evaluated',
        )
      );
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return /stalled/.test(why)
        ? verdictWithoutProof(
            task,
            { cause: 'solver-died', message: 'the workers that began this task all died, one after the other' },
            began,
          )
        : verdictWithoutProof(
            task,
            { cause: 'internal-error', message: `the worker failed: ${why}` },
            began,
            'not-evaluated',
          );
    }
  }

  async close(): Promise<void> {
    await this.events.close();
    await this.queue.close();
    for (const connection of this.connections) connection.disconnect();
  }
}

const stopped = Symbol('stopped');

function interruption(signal: AbortSignal): Promise<typeof stopped> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(stopped);
    else signal.addEventListener('abort', () => resolve(stopped), { once: true });
  });
}

async function withdrawn(job: Job): Promise<void> {
  try {
    await job.remove();
  } catch {
    // A worker has begun the task; its answer will not be read.
  }
}
