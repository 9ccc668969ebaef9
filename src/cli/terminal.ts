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
