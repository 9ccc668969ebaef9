/**
 * BullMQ and ioredis, from the user's project, loaded when a queue is asked for and never before. Only what is used of
 * them is declared here.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A wrong address, a missing library, a queue that does not answer: the user's to mend. */
export class QueueError extends Error {
  constructor(
    message: string,
    readonly suggestion: string,
  ) {
    super(message);
  }
}

export interface Connection {
  connect(): Promise<void>;
  disconnect(): void;
  on(event: 'error', listener: (error: Error) => void): this;
  hgetall(key: string): Promise<Record<string, string>>;
  hset(key: string, fields: Record<string, string>): Promise<number>;
  expire(key: string, seconds: number): Promise<number>;
  zadd(key: string, score: number, member: string): Promise<unknown>;
  zrem(key: string, member: string): Promise<unknown>;
  zrangebyscore(key: string, least: number | string, greatest: number | string): Promise<string[]>;
}
export interface Job {
  readonly id?: string;
  readonly data: unknown;
  readonly attemptsMade: number;
  updateProgress(progress: object): Promise<void>;
  waitUntilFinished(events: QueueEvents): Promise<unknown>;
  remove(): Promise<void>;
}
interface Closable {
  close(force?: boolean): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): this;
}
export interface JobQueue extends Closable {
  add(name: string, data: unknown, options: object): Promise<Job>;
}
export interface QueueEvents extends Closable {
  waitUntilReady(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'progress', listener: (event: { readonly jobId: string; readonly data: unknown }) => void): this;
  on(event: 'active', listener: (event: { readonly jobId: string }) => void): this;
}
export interface Worker extends Closable {
  waitUntilReady(): Promise<unknown>;
}
interface Options {
  readonly connection: Connection;
}

interface WorkerSettings extends Options {
  readonly concurrency: number;
  readonly lockDuration: number;
  readonly stalledInterval: number;
  readonly maxStalledCount: number;
}

export interface QueueLibrary {
  readonly Queue: new (name: string, options: Options) => JobQueue;
  readonly QueueEvents: new (name: string, options: Options) => QueueEvents;
  readonly Worker: new (name: string, process: (job: Job) => Promise<unknown>, options: WorkerSettings) => Worker;
  /** A failure that another try would repeat. */
  readonly UnrecoverableError: new (message: string) => Error;
  /** Connected, or throws a `QueueError`. */
  connect(url: string): Promise<Connection>;
}

type Redis = new (url: string, options: object) => Connection;

/** Time that a server may take for its first answer. */
const connectMs = 10_000;

/** `from`: the folder of the project that has them. */
export function queueLibrary(from: string): QueueLibrary {
  const bullmq = load('bullmq', from) as Omit<QueueLibrary, 'connect'>;
  const redis = load('ioredis', from) as { readonly default?: Redis } & Redis;
  const Redis = redis.default ?? redis;
  return {
    Queue: bullmq.Queue,
    QueueEvents: bullmq.QueueEvents,
    Worker: bullmq.Worker,
    UnrecoverableError: bullmq.UnrecoverableError,
    async connect(url) {
      const where = checkedAddress(url);
      // Later interruptions are waited for; a server that is not there at all is said at once.
      let reached = false;
      const connection = new Redis(url, {
        lazyConnect: true,
        connectTimeout: connectMs,
        maxRetriesPerRequest: null,
        retryStrategy: (times: number) => (reached ? Math.min(times * 200, 5_000) : null),
      });
      let why = 'no answer';
      connection.on('error', (error) => {
        why = error.message;
      });
      try {
        await connection.connect();
        reached = true;
        return connection;
      } catch (error) {
        connection.disconnect();
        throw new QueueError(
          `no Redis answers at ${where}: ${why === 'no answer' && error instanceof Error ? error.message : why}`,
          'start one (redis-server, valkey-server), or correct --queue',
        );
      }
    },
  };
}

/** Without a password, for messages. */
function checkedAddress(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    parsed = new URL('none:');
  }
  if (parsed.protocol !== 'redis:' && parsed.protocol !== 'rediss:')
    throw new QueueError('the queue is no address of a Redis server', 'give one: --queue redis://localhost:6379');
  return `${parsed.protocol}//${parsed.host}`;
}

function load(name: string, from: string): unknown {
  for (const start of [join(from, 'package.json'), __filename]) {
    const require = createRequire(start);
    try {
      return require(require.resolve(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new QueueError(
    `a queue needs the packages bullmq and ioredis, and ${name} is not installed`,
    'npm install --save-dev bullmq ioredis',
  );
}
