import { readSync } from 'node:fs';

/** The world as the command sees it: streams, working directory, Ctrl-C. Tests hand in their own. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Colour may be used on standard output. */
  readonly color: boolean;
  /** Standard error is a terminal of this width. */
  readonly errIsTerminal: boolean;
  readonly errColumns: number;
  readonly cwd: string;
  now(): number;
  /** The next bytes of standard input; undefined at its end. Waits for them. */
  input(): Uint8Array | undefined;
  /** Calls back at Ctrl-C or a request to end; returns how to stop listening. */
  onInterrupt(handler: () => void): () => void;
}

/** Ctrl-C, or a request to end. Ends the process when asked a second time: whatever still runs would not hear it. */
export class Interrupts {
  private asked = false;
  private handler: (() => void) | undefined;
  private readonly listener = (): void => {
    if (this.asked) process.exit(130);
    this.asked = true;
    this.handler?.();
  };

  /** From now on, so that what comes before there is a handler is not lost. */
  listen(): void {
    if (!process.listeners('SIGINT').includes(this.listener))
      process.on('SIGINT', this.listener).on('SIGTERM', this.listener);
  }

  handle(handler: () => void): () => void {
    this.listen();
    this.handler = handler;
    if (this.asked) queueMicrotask(() => this.handler?.());
    return () => {
      this.handler = undefined;
      process.off('SIGINT', this.listener).off('SIGTERM', this.listener);
    };
  }
}

export function processTerminal(interrupts = new Interrupts()): Terminal {
  const { stdout, stderr } = process;
  return {
    out: (text) => {
      stdout.write(text);
    },
    err: (text) => {
      stderr.write(text);
    },
    color: stdout.isTTY === true && stdout.hasColors() && !process.env['NO_COLOR'],
    errIsTerminal: stderr.isTTY === true,
    // Some terminals have a size of 0.
    errColumns: stderr.columns || 80,
    cwd: process.cwd(),
    now: () => performance.now(),
    input: () => readInput(),
    onInterrupt: (handler) => interrupts.handle(handler),
  };
}

function readInput(): Uint8Array | undefined {
  const buffer = new Uint8Array(65_536);
  for (;;) {
    try {
      const length = readSync(0, buffer);
      return length === 0 ? undefined : buffer.slice(0, length);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EOF') return undefined;
      // Another program holds the terminal: its input is not ready yet.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
