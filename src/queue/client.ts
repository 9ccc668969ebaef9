/**
 * Whoever asks: sends tasks to a queue and waits for the verdicts, which come back as if they had been found here. A
 * verdict of another version, or what is none, is refused.
 */
import { verdictWithoutProof } from '../prover';
import type { Progress } from '../progress';
import type { Task } from '../task';
import type { Verdict } from '../verdict';
import type { Connection, Job, JobQueue, QueueEvents, QueueLibrary } from './library';
import { packTask, unpackVerdict } from './packed';
import { aliveMs, queueName, workersKey } from './worker';

/** Answers that nobody fetches are gone after this long. */
const keptSeconds = 3600;

export interface QueuedOptions {
  readonly alone: boolean;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

export class QueueClient {
  private readonly listeners = new Map<string, (progress: Progress) => void>();

  private constructor(
    private readonly connections: readonly Connection[],
    private readonly queue: JobQueue,
    private readonly events: QueueEvents,
    private readonly version: string,
  ) {
    events.on('progress', ({ jobId, data }) => this.listeners.get(jobId)?.(data as Progress));
  }

  static async connect(library: QueueLibrary, url: string, version: string): Promise<QueueClient> {
    const own = await library.connect(url);
    const listening = await library.connect(url);
    const queue = new library.Queue(queueName(version), { connection: own });
    const events = new library.QueueEvents(queueName(version), { connection: listening });
    // Interruptions are waited for.
    queue.on('error', () => {});
    events.on('error', () => {});
    await events.waitUntilReady();
    return new QueueClient([own, listening], queue, events, version);
  }

  /** Versions of the workers that are there. */
  async workers(): Promise<readonly string[]> {
    const members = await this.connections[0]!.zrangebyscore(workersKey, Date.now() - aliveMs, '+inf');
    return members.map((member) => member.split(' ')[0]!);
  }

  async verify(task: Task, { alone, signal, progress }: QueuedOptions): Promise<Verdict> {
    const began = Date.now();
    const job = await this.queue.add('verify', packTask(task, alone, this.version), {
      // Deaths of workers are counted apart; a task that fails would fail again.
      attempts: 1,
      removeOnComplete: { age: keptSeconds },
      removeOnFail: { age: keptSeconds },
    });
    this.listeners.set(job.id!, progress);
    try {
      const result = await Promise.race([job.waitUntilFinished(this.events), interrupted(signal)]);
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
    } finally {
      this.listeners.delete(job.id!);
    }
  }

  async close(): Promise<void> {
    await this.events.close();
    await this.queue.close();
    for (const connection of this.connections) connection.disconnect();
  }
}

const stopped = Symbol('stopped');

function interrupted(signal: AbortSignal): Promise<typeof stopped> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(stopped);
    else signal.addEventListener('abort', () => resolve(stopped), { once: true });
  });
}

async function withdrawn(job: Job): Promise<void> {
  try {
    await job.remove();
  } catch {
    // A worker has begun it; its answer is not read.
  }
}
