/**
 * The proving process. One task comes in, one verdict goes out, and nothing stays: it ends when its parent does, when
 * its time is up, and after its answer, and takes its process group (the solver) with it. It may be started before
 * there is a task: it loads while the asking process reads the C. Its arguments are a Z3 that was started with it: the
 * file descriptor of its socket, and its process id.
 */
import { loadBundle } from '../bundle';
import type { Progress } from '../progress';
import type { FromProver, ToProver } from './protocol';

const send = (message: FromProver, then: () => void = () => {}): void => {
  if (process.connected) process.send!(message, undefined, {}, then);
  else then();
};

function endGroup(code: number): void {
  given?.kill();
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

const {
  exports: { CError, NoSolver, ProbeError, processOptions, ProofFolder, RunningZ3, startProcess, verify },
  keep,
} = loadBundle<typeof import('./engines')>('engines');
const [descriptor, solverId] = process.argv.slice(2).map(Number);
const given =
  descriptor === undefined || solverId === undefined ? undefined : RunningZ3.fromDescriptor(descriptor, solverId);
const solverOptions = processOptions('auto');
// If a native solver is demanded and missing, the proof itself says so.
const solverProcess = solverOptions.backend === 'native' ? undefined : startProcess(solverOptions, given);

process.once('disconnect', () => endGroup(0));

const abort = new AbortController();

process.on('message', (message: ToProver) => {
  switch (message.kind) {
    case 'stop':
      return abort.abort();
    case 'task':
      setTimeout(() => endGroup(124), message.limitMs).unref();
      send({ kind: 'started' });
      void run(message).then((answer) =>
        send(answer, () => {
          // By then V8 has compiled what the next proof needs, too.
          if (answer.kind === 'verdict' && answer.verdict.statistics.solverQueries > 0) keep();
          process.disconnect();
        }),
      );
  }
});

/** Between two messages of progress. */
const progressMs = 100;

async function run({ task, memory, trace }: Extract<ToProver, { kind: 'task' }>): Promise<FromProver> {
  try {
    let last = 0;
    const report = (progress: Progress): void => {
      if (performance.now() - last < progressMs) return;
      last = performance.now();
      send({ kind: 'progress', progress });
    };
    const verdict = await verify(task, {
      progress: report,
      found: (bug) => send({ kind: 'found', verdict: bug }),
      signal: abort.signal,
      solverProcess,
      ...(memory !== undefined && { memory: new ProofFolder(memory) }),
      ...(trace && { trace: (line: string) => send({ kind: 'trace', line }) }),
    });
    return { kind: 'verdict', verdict };
  } catch (error) {
    if (error instanceof ProbeError)
      return {
        kind: 'refusal',
        message: error.message,
        suggestion:
          'say it in other words, or as a contract in the C, where it may be any expression: ' +
          'PROVEST_REQUIRES(…), with #include <provest.h>',
      };
    if (error instanceof CError) return { kind: 'refusal', message: error.message };
    if (error instanceof NoSolver) return { kind: 'no-solver', message: error.message };
    return { kind: 'failure', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
