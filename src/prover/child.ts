/**
 * The proving process. One task comes in, one verdict goes out, and nothing stays: it ends when its parent does, when its time is up, and
 * after its answer, and takes its process group (the solver) with it.
 */
import { ProbeError } from '../abstraction/probes';
import { CError } from '../c/diagnostic';
import { verify } from '../engines/verify';
import { ProofFolder } from '../memory';
import type { Progress } from '../progress';
import type { FromProver, ToProver } from './protocol';

const send = (message: FromProver, then: () => void = () => {}): void => {
  if (process.connected) process.send!(message, undefined, {}, then);
  else then();
};

function endGroup(code: number): void {
  // Started detached, so the group is ours alone.
  if (process.platform !== 'win32') {
    try {
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      // not the leader of a group: there is nobody but us
    }
  }
  process.exit(code);
}

process.once('disconnect', () => endGroup(0));

const abort = new AbortController();

process.on('message', (message: ToProver) => {
  switch (message.kind) {
    case 'stop': return abort.abort();
    case 'task':
      setTimeout(() => endGroup(124), message.limitMs).unref();
      send({ kind: 'started' });
      void run(message).then((answer) => send(answer, () => process.disconnect()));
  }
});

/** Between two messages of progress. */
const progressMs = 100;

async function run({ task, memory }: Extract<ToProver, { kind: 'task' }>): Promise<FromProver> {
  try {
    let last = 0;
    const report = (progress: Progress): void => {
      if (performance.now() - last < progressMs) return;
      last = performance.now();
      send({ kind: 'progress', progress });
    };
    const verdict = await verify(task, {
      progress: report, signal: abort.signal, ...(memory !== undefined && { memory: new ProofFolder(memory) }),
    });
    return { kind: 'verdict', verdict };
  } catch (error) {
    if (error instanceof CError || error instanceof ProbeError) return { kind: 'refusal', message: error.message };
    return { kind: 'failure', message: error instanceof Error ? error.stack ?? error.message : String(error) };
  }
}
