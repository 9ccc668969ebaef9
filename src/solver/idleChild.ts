/**
 * The Z3 that a closed solver leaves behind serves the next one, if that comes soon: starting one, and V8 getting to
 * know its code, takes as long as proving a small module. It has forgotten all contexts, and their numbers are not used
 * again.
 */
import { clearTimeout, setTimeout } from 'node:timers'; // not the globals, which tests may fake
import type { RunningZ3 } from './runningZ3';

export interface IdleChild {
  readonly child: RunningZ3;
  /** Name and version of its Z3. */
  readonly name: string;
  /** Number of requests it got, and of contexts it made. */
  readonly asked: number;
  readonly contexts: number;
}

const patienceMs = 2000;
let idle: (IdleChild & { readonly timer: NodeJS.Timeout }) | undefined;

/** No listener is left on the child; it ends with Node, or when it has waited too long. */
export function leaveIdle(left: IdleChild): void {
  drop();
  const { child } = left;
  child.onMessage = () => {};
  child.onEnd = () => {
    if (idle?.child === child) drop();
  };
  const timer = setTimeout(drop, patienceMs);
  timer.unref();
  idle = { ...left, timer };
}

export function takeIdle(): IdleChild | undefined {
  const taken = idle;
  if (!taken?.child.isAlive) return undefined;
  idle = undefined;
  clearTimeout(taken.timer);
  return taken;
}

function drop(): void {
  if (!idle) return;
  clearTimeout(idle.timer);
  idle.child.kill();
  idle = undefined;
}
