/**
 * One line on a terminal that is drawn over itself, above the block that Jest keeps at the bottom. Whatever else is written takes its place first: Jest hands
 * all output of a run through the streams' `write`, in order, so the line is wiped before anything that does not come from here.
 */
type Stream = NodeJS.WriteStream;

export class LiveLine {
  private shown = false;
  private readonly restore: readonly (() => void)[];
  private readonly writeLine: (text: string) => void;

  /** `to`: where the line stands; the first of `streams`. */
  constructor(private readonly streams: readonly [Stream, ...Stream[]]) {
    const [to] = streams;
    const original = to.write;
    this.writeLine = (text) => { original.call(to, text); };
    this.restore = streams.map((stream) => {
      const before = stream.write;
      const hooked = ((...args: Parameters<Stream['write']>) => {
        this.wipe();
        return before.apply(stream, args);
      }) as Stream['write']; // an overloaded function has no other way of being wrapped
      stream.write = hooked;
      return () => { if (stream.write === hooked) stream.write = before; };
    });
  }

  show(text: string): void {
    this.writeLine(`${wipe}${text.slice(0, Math.max(1, (this.streams[0].columns ?? 80) - 1))}`);
    this.shown = true;
  }

  wipe(): void {
    if (!this.shown) return;
    this.shown = false;
    this.writeLine(wipe);
  }

  end(): void {
    this.wipe();
    for (const back of this.restore) back();
  }
}

const wipe = '\r\x1b[2K';
