/**
 * Proofs of tests by workers at a queue: the address, and how the proving process is replaced by one that sends its
 * task there.
 */
import { join } from 'node:path';
import type { ProveOptions } from '../../src/prover';

/** Set by the reporter's option `queue`, or by the user. Test files inherit it. */
export const queueVariable = 'PROVEST_QUEUE';

const limits = {
  /** A task waits for its turn however long that takes. */
  startMs: 7 * 24 * 3600 * 1000,
  /** After the budget: the worker's own grace, the way back, and the time in which the death of a worker is noticed. */
  graceMs: 45_000,
} as const;

/** Options of `prove` for the queue; undefined without one. Workers have a memory of their own. */
export function throughQueue(environment: NodeJS.ProcessEnv = process.env): ProveOptions | undefined {
  const address = environment[queueVariable];
  if (address === undefined || address === '') return undefined;
  return { script: join(builtFolder(), 'queuedProver.js'), memory: undefined, ...limits };
}

/** From the sources, in our own tests, `dist`. */
function builtFolder(): string {
  return __filename.endsWith('.ts') ? join(__dirname, '../../dist/plugin/queue') : __dirname;
}
