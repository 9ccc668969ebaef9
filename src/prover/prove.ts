/**
 * Runs a proof in a process of its own and answers with a verdict, whatever happens to that process. A signal, silence
 * or too little memory is an `unknown` that says so; a crash or nonsense is a failure of ours, and nothing is said of
 * the C. When the promise is settled, the process and all it started are gone.
 */
import type { ChildProcess } from 'node:child_process';
import { allProperties, propertyOf, type CheckKind, type Property } from '../program/command';
import { adviseReason, type Asked } from '../advice';
import { stepText, type Progress } from '../progress';
import type { Task } from '../task';
import type { Reason, Verdict } from '../verdict';
import { ownProcess, timers } from '../node';
import { readMessage, type ToProver } from './protocol';
import { defaultMemoryMb, endProver, isAlive, solverExited, startProver } from './start';

export interface ProveOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Told what an engine that refines does, line by line. */
  readonly onTrace?: ((line: string) => void) | undefined;
  /** Asks the proof to end with what is known. */
  readonly signal?: AbortSignal;
  /** Folder of what earlier runs left; default: nothing is remembered. */
  readonly memory?: string | undefined;
  /** The program of the child; default: ours. */
  readonly script?: string;
  /**
   * From the end of the budget, or from being asked to stop, to the kill, which is for machines too busy to end by
   * themselves; default 4 s.
   */
  readonly graceMs?: number;
  /** For the child to begin; default 20 s. */
  readonly startMs?: number;
  /** A child that was started while the task was still being made. It has had no task yet. */
  readonly child?: ChildProcess | undefined;
  /** For the child's own heap, without the solver's; default 4096. */
  readonly memoryMb?: number;
}

export function prove(task: Task, options: ProveOptions = {}): Promise<Verdict> {
  const { graceMs = 4_000, startMs = 20_000, memoryMb = defaultMemoryMb } = options;
  const began = Date.now();
  const limitMs = task.budget.milliseconds + graceMs;
  let child: ChildProcess;
  try {
    child = isAlive(options.child) ? options.child : startProver(options.script, memoryMb);
  } catch (error) {
    return Promise.resolve(
      verdictWithoutProof(
        task,
        {
          cause: 'solver-died',
          message: `the prover could not be started: ${error instanceof Error ? error.message : String(error)}`,
        },
        began,
      ),
    );
  }

  return new Promise((resolve) => {
    let verdict: Verdict | undefined;
    let found: Verdict | undefined;
    let complaints = '';
    let last: Progress | undefined;
    let timer = timers.setTimeout(
      () => finish({ cause: 'time-budget', message: `the prover did not begin within ${startMs / 1000} s` }),
      startMs,
    );
    /** The first answer counts; the process ends after any. */
    const finish = (reason: Reason): void => {
      verdict ??=
        found && reason.cause !== 'internal-error'
          ? { ...found, remarks: [...found.remarks, `${reason.message}: ${notTried}`] }
          : verdictWithoutProof(task, reason, began, reason.cause === 'internal-error' ? 'not-evaluated' : 'unknown');
      endProver(child);
    };
    const watch = timers.setInterval(() => {
      if (isOrphan()) finish({ cause: 'interrupted', message: 'the process that asked for it is gone' });
    }, 1_000);
    const restart = (ms: number, reason: () => Reason): void => {
      timers.clearTimeout(timer);
      timer = timers.setTimeout(() => finish(reason()), ms);
    };
    const usedUp = (): Reason => ({
      cause: 'time-budget',
      message:
        `the budget of ${task.budget.milliseconds / 1000} s was used up and the prover was ` +
        `killed${last === undefined ? '' : ` (${stepText({ ...last, place: undefined })})`}`,
      ...(last?.place && { place: last.place }),
    });

    child.stderr?.on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-2_000);
    });
    child.on('message', (raw) => {
      if (verdict) return;
      const message = readMessage(raw);
      if (!message)
        return finish(ourFailure('the prover sent a message that is no verdict; is dist of the same version?'));
      switch (message.kind) {
        case 'started':
          return options.signal?.aborted ? undefined : restart(limitMs, usedUp);
        case 'progress':
          last = message.progress;
          return options.onProgress?.(message.progress);
        case 'trace':
          return options.onTrace?.(message.line);
        case 'refusal':
          return finish({
            cause: 'unsupported-construct',
            message: message.message,
            ...(message.suggestion !== undefined && { suggestion: message.suggestion }),
          });
        case 'no-solver':
          return finish({
            cause: 'solver-died',
            message: message.message,
            suggestion:
              message.suggestion ??
              'unset PROVEST_Z3: then a z3 on the PATH is taken, or else the one that comes with provest',
          });
        case 'failure':
          return finish(ourFailure(message.message));
        case 'found':
          found = message.verdict;
          return;
        case 'verdict':
          verdict = message.verdict;
          // It ends by itself; a second later it is made to.
          timers.clearTimeout(timer);
          timer = timers.setTimeout(() => endProver(child), 1_000);
      }
    });
    child.on('error', (error) =>
      finish({
        cause: 'solver-died',
        message: `the prover could not be run: ${error.message}`,
        suggestion: 'is there enough memory, and room for another process?',
      }),
    );
    child.on('exit', (code, signal) => {
      timers.clearTimeout(timer);
      timers.clearInterval(watch);
      finish(withoutVerdict(code, signal, complaints, memoryMb));
      void solverExited(child).then(() => resolve(verdict!));
    });
    const stop = (): void => {
      if (verdict) return;
      restart(graceMs, () => ({ cause: 'interrupted', message: 'interrupted before an answer was reached' }));
      const message: ToProver = { kind: 'stop' };
      child.send(message, () => {}); // gone already: its exit says so
    };
    options.signal?.addEventListener('abort', stop, { once: true });
    child.on('exit', () => options.signal?.removeEventListener('abort', stop));
    const message: ToProver = {
      kind: 'task',
      task,
      limitMs,
      ...(options.memory !== undefined && { memory: options.memory }),
      ...(options.onTrace && { trace: true }),
    };
    child.send(message, (error) => {
      // A process that has gone tells by its exit why.
      if (error && !('code' in error && error.code === 'EPIPE'))
        finish({ cause: 'solver-died', message: `the task could not be sent to the prover: ${error.message}` });
    });
    if (options.signal?.aborted) stop();
  });
}

const notTried =
  'what fails is reproduced, but what excuses it was not looked for to the end, nor were the other checks tried';

const parent = ownProcess.ppid;
const wasConnected = ownProcess.connected === true;

/**
 * A worker whose runner was killed goes on until its test file ends; nobody would read the verdict. Other processes may
 * well outlive the shell that started them. Where the runner was killed before this was loaded, its channel tells,
 * which closes later.
 */
function isOrphan(): boolean {
  return (ownProcess.connected !== undefined && ownProcess.ppid !== parent) || (wasConnected && !ownProcess.connected);
}

/** Why a process ended before it gave a verdict. */
function withoutVerdict(
  code: number | null,
  signal: NodeJS.Signals | null,
  complaints: string,
  memoryMb: number,
): Reason {
  const said = complaints.trim() === '' ? '' : `:\n${complaints.trim()}`;
  const fewer = 'give it more memory, verify fewer files at a time, or run fewer proofs at a time: jest --maxWorkers 1';
  if (/heap out of memory/.test(complaints))
    return {
      cause: 'solver-died',
      message: `the prover ran out of memory: it needed more than ${memoryMb} MB`,
      suggestion: fewer,
    };
  if (signal)
    return {
      cause: 'solver-died',
      message: `the prover was ended by ${signal} without a verdict${said}`,
      suggestion: fewer,
    };
  return ourFailure(`the prover ended with exit code ${code} without a verdict${said}`);
}

/** A fault of ours is never an answer about the C. */
function ourFailure(message: string): Reason {
  return { cause: 'internal-error', message: `provest itself failed, sorry: ${message}` };
}

function isProperty(name: Property | CheckKind): name is Property {
  return (allProperties as readonly string[]).includes(name);
}

/** A verdict that only says why there is none. */
export function verdictWithoutProof(
  task: Pick<Task, 'engine' | 'properties'> & Asked,
  reason: Reason,
  began: number,
  kind: 'unknown' | 'not-evaluated' = 'unknown',
): Verdict {
  return {
    kind,
    reason: adviseReason(reason, task),
    engine: task.engine,
    properties: [...new Set(task.properties.map((p) => (isProperty(p) ? p : propertyOf[p])))],
    assumptions: [],
    adequacy: undefined,
    remarks: [],
    statistics: {
      seconds: (Date.now() - began) / 1000,
      secondsByPhase: { 'front-end': 0, execution: 0, solving: 0, certify: 0 },
      solver: 'none',
      solverQueries: 0,
      testsStates: 0,
      abstractStates: 0,
      coveredAbstractStates: 0,
      fabricatedStates: 0,
      predicates: 0,
      cutpoints: 0,
      segments: 0,
      obligations: 0,
      stages: [],
    },
  };
}
