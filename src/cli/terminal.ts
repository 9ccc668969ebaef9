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

/** Ends the process when asked a second time: whatever still runs would not hear it. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  return {
    out: (text) => { stdout.write(text); },
    err: (text) => { stderr.write(text); },
    color: stdout.isTTY === true && stdout.hasColors() && !process.env['NO_COLOR'],
    errIsTerminal: stderr.isTTY === true,
    errColumns: stderr.columns ?? 80,
    cwd: process.cwd(),
    now: () => performance.now(),
    input: () => readInput(),
    onInterrupt(handler) {
      let asked = false;
      const listener = () => {
        if (asked) process.exit(130);
        asked = true;
        handler();
      };
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => { process.off('SIGINT', listener).off('SIGTERM', listener); };
    },
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
