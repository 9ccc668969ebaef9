/** Cores that nothing runs on. The operating system counts coarsely: three quarters of one count as idle. */
import { os } from './node';

export const enoughOfACore = 0.75;

/** Counts from now to the call of the result. None is idle for us where we may use one only. */
export function idleCoresSince(): () => number {
  if (os.availableParallelism() < 2) return () => 0;
  const idleMs = (): number => os.cpus().reduce((sum, { times }) => sum + times.idle, 0);
  const [idle, now] = [idleMs(), performance.now()];
  return () => (idleMs() - idle) / Math.max(1, performance.now() - now);
}
