/** Messages between the asking process and the proving process (structured clone, so bigints cross). */
import type { Progress } from '../progress';
import type { Task } from '../task';
import type { Verdict } from '../verdict';

export type ToProver =
  | {
      readonly kind: 'task';
      readonly task: Task;
      /** The child ends itself this long after it has begun. */
      readonly limitMs: number;
      /** Folder of what earlier runs left; absent: nothing is remembered. */
      readonly memory?: string;
      /** Steps of an engine that refines are wanted line by line. */
      readonly trace?: boolean;
    }
  /** End with what is known. */
  | { readonly kind: 'stop' };
export type FromProver =
  | { readonly kind: 'started' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'trace'; readonly line: string }
  /** A bug that is known already. The verdict follows, if there is time. */
  | { readonly kind: 'found'; readonly verdict: Verdict }
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** The C text, or a probe, cannot be accepted: the caller's mistake. */
  | { readonly kind: 'refusal'; readonly message: string; readonly suggestion?: string }
  /** The solver, or the queue, that the environment names is not there. */
  | { readonly kind: 'no-solver'; readonly message: string; readonly suggestion?: string }
  /** The proof threw: a fault of ours. */
  | { readonly kind: 'failure'; readonly message: string };
/** Undefined for anything that is not a message of this protocol. */
export function readMessage(message: unknown): FromProver | undefined {
  if (!isRecord(message)) return undefined;
  switch (message.kind) {
    case 'started':
      return { kind: 'started' };
    case 'progress':
      return isRecord(message.progress) ? (message as unknown as FromProver) : undefined;
    case 'trace':
      return typeof message.line === 'string' ? (message as unknown as FromProver) : undefined;
    case 'refusal':
    case 'no-solver':
    case 'failure':
      return typeof message.message === 'string' ? (message as unknown as FromProver) : undefined;
    case 'found':
    case 'verdict':
      return isVerdict(message.verdict) ? (message as unknown as FromProver) : undefined;
    default:
      return undefined;
  }
}

/** The parts that a reader of a verdict relies on. */
function isVerdict(value: unknown): value is Verdict {
  if (
    !isRecord(value) ||
    typeof value.engine !== 'string' ||
    !Array.isArray(value.properties) ||
    !Array.isArray(value.assumptions) ||
    !Array.isArray(value.remarks)
  )
    return false;
  if (
    !isRecord(value.statistics) ||
    typeof value.statistics.obligations !== 'number' ||
    typeof value.statistics.seconds !== 'number'
  )
    return false;
  const hasReason =
    isRecord(value.reason) && typeof value.reason.cause === 'string' && typeof value.reason.message === 'string';
  switch (value.kind) {
    case 'proved':
      return Array.isArray(value.invariants);
    case 'bug':
      return (
        isRecord(value.counterexample) &&
        isRecord(value.counterexample.failure) &&
        Array.isArray(value.counterexample.steps)
      );
    case 'conditional':
      return Array.isArray(value.invariants) && isRecord(value.angelic) && hasReason;
    case 'potential-error':
      return Array.isArray(value.errors) && hasReason;
    case 'unknown':
    case 'not-evaluated':
      return hasReason;
    default:
      return false;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
