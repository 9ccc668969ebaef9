/**
 * A process that runs Z3 in WebAssembly (`z3child.js`), and the socket over which it is asked: a line of JSON each way.
 * Our own child, or one that was started for us, of which we have the socket and the process id alone.
 */
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { socketIndex, startZ3 } from './startZ3';
import type { FollowUps } from './process';

export type ToZ3 =
  | {
      readonly id: number;
      readonly context: number;
      readonly text: string;
      readonly limitMs: number;
      readonly followUps: FollowUps;
    }
  | { readonly close: number | 'all' };
export type FromZ3 =
  | { readonly ready: string }
  | { readonly id: number; readonly text?: string; readonly error?: string; readonly allocatedBytes: number };

export class RunningZ3 {
  /** Gets what it says. */
  onMessage: (message: FromZ3) => void = () => {};
  /** Told once that it is gone, and why as far as that is known; not when it was killed by us. */
  onEnd: (why: string) => void = () => {};
  readonly gone: Promise<void>;
  private isGone = false;
  private rest = '';
  private errors = '';

  private constructor(
    private readonly socket: Socket,
    private readonly pid: number | undefined,
    private readonly child: ChildProcess | undefined,
  ) {
    this.gone = new Promise((resolve) => {
      const ended = (why: string): void => {
        if (this.isGone) return;
        this.isGone = true;
        socket.destroy();
        resolve();
        const said = this.errors
          .split('\n')
          .filter((line) => !/^\s+at /.test(line))
          .join(' ')
          .trim();
        this.onEnd(said === '' ? why : `${why}: ${said}`);
      };
      socket.on('error', () => {}); // its end follows
      if (child) {
        child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
          this.errors = (this.errors + chunk).slice(-2000);
        });
        child.on('error', (error) => ended(error.message));
        child.on('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
      } else socket.on('close', () => ended('its process ended'));
    });
    socket.setEncoding('utf8').on('data', (chunk: string) => this.heard(chunk));
  }

  static start(): RunningZ3 {
    const child = startZ3(process.env);
    return new RunningZ3(child.stdio[socketIndex] as Socket, child.pid, child);
  }

  /** A process that another one has started and whose socket it passed on, as a file descriptor. */
  static fromDescriptor(descriptor: number, pid: number): RunningZ3 {
    return new RunningZ3(new Socket({ fd: descriptor, readable: true, writable: true }), pid, undefined);
  }

  get isAlive(): boolean {
    return !this.isGone && this.socket.writable;
  }

  send(message: ToZ3): void {
    if (this.isAlive) this.socket.write(`${JSON.stringify(message)}\n`);
  }

  kill(): void {
    if (this.isGone) return;
    if (this.child) this.child.kill('SIGKILL');
    else if (this.pid !== undefined) {
      try {
        process.kill(this.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
  }

  /** Keeps Node alive while the process starts or owes an answer. */
  keepNode(): void {
    for (const part of this.referenced) part?.ref?.();
  }

  /** Lets Node end although the process runs. */
  letNodeEnd(): void {
    for (const part of this.referenced) part?.unref?.();
  }

  private get referenced() {
    return [this.child, this.socket, this.child?.stderr] as unknown as (
      { ref?(): void; unref?(): void } | null | undefined
    )[];
  }

  private heard(chunk: string): void {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) this.onMessage(JSON.parse(line) as FromZ3);
  }
}
