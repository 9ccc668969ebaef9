/**
 * A prover that proves nothing itself: it sends its task to a queue and hands on what a worker answers, in the messages
 * of the proving process. Whoever asked ends it as any prover, and its task is withdrawn. The address comes by the
 * environment, since everybody may read the arguments of a process.
 */
import { CError } from '../../src/c';
import { packageVersion } from '../../src/cli/version';
import type { FromProver, ToProver } from '../../src/prover/protocol';
import { QueueClient, queueLibrary, QueueError } from '../../src/queue';
import type { Task } from '../../src/task';
import { queueVariable } from './throughQueue';

const limits = {
  /** Without a worker of this version the question is given up after this long. */
  patienceMs: 30_000,
  /** Between two looks. */
  lookMs: 2_000,
} as const;

const send = (message: FromProver, then: () => void = () => {}): void => {
  if (process.connected) process.send!(message, undefined, {}, then);
  else then();
};

const abort = new AbortController();
process.once('disconnect', () => process.exit(0));
process.on('message', (message: ToProver) => {
  if (message.kind === 'stop') return abort.abort();
  void answerInQueue(message.task).then((answer) => send(answer, () => process.disconnect()));
});

async function answerInQueue(task: Task): Promise<FromProver> {
  const version = packageVersion();
  const unattended = new AbortController();
  let client: QueueClient | undefined;
  try {
    const connected = (client = await QueueClient.connect(
      queueLibrary(process.cwd()),
      process.env[queueVariable] ?? '',
      version,
    ));
    const verdict = await Promise.race([
      connected.verify(task, {
        alone: true,
        signal: abort.signal,
        progress: (progress) => send({ kind: 'progress', progress }),
        begun: () => {
          unattended.abort();
          send({ kind: 'started' });
        },
      }),
      withoutWorkers(connected, unattended.signal),
    ]);
    return { kind: 'verdict', verdict };
  } catch (error) {
    if (error instanceof QueueError) return { kind: 'no-solver', message: error.message, suggestion: error.suggestion };
    if (error instanceof CError) return { kind: 'refusal', message: error.message };
    return { kind: 'failure', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    unattended.abort();
    // With an answer at hand it does not matter how the connection ends.
    await client?.close().catch(() => {});
  }
}

/** Throws when no worker has taken the task in time; never settles once it is taken. */
async function withoutWorkers(client: QueueClient, taken: AbortSignal): Promise<never> {
  const began = performance.now();
  const never = new Promise<never>(() => {});
  for (;;) {
    await pause(limits.lookMs, taken);
    if (taken.aborted) return never;
    // Workers that are busy with other tasks will take this one, too.
    const absent = await client.absence();
    if (absent === undefined) return never;
    if (performance.now() - began > limits.patienceMs)
      throw new QueueError(absent, "start one with 'provest worker --queue ADDRESS'");
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
