import { readFileSync } from 'node:fs';

/** A dead process that nobody has waited for yet is not running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/**
 * The processes that still run after a while: a killed one ends only when the machine has a moment for it, which may
 * be after whoever killed it has ended.
 */
export async function stillRunning(pids: readonly number[]): Promise<readonly number[]> {
  for (let attempt = 0; attempt < 100 && pids.some(isRunning); attempt++)
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  return pids.filter(isRunning);
}
