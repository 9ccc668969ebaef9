/**
 * The proving process. One task comes in, one verdict goes out, and nothing stays: it ends when its parent does, when its time is up, and
 * after its answer, and takes its process group (the solver) with it.
 */
import { verify } from '../src/index';
import type { FromProver, ToProver } from './proverProtocol';

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

process.once('message', (message: ToProver) => {
  setTimeout(() => endGroup(124), message.limitMs).unref();
  send({ kind: 'started' });
  void run(message).then((answer) => send(answer, () => process.disconnect()));
});

async function run({ task }: ToProver): Promise<FromProver> {
  try {
    const verdict = await verify(task, { progress: (progress) => send({ kind: 'progress', progress }) });
    return { kind: 'verdict', verdict };
  } catch (error) {
    return { kind: 'failure', message: error instanceof Error ? error.stack ?? error.message : String(error) };
  }
}
