/**
 * One line on a terminal that is drawn over itself, above the block that Jest keeps at the bottom, or below the one
 * that Vitest keeps drawing anew. Whatever else is written takes its place first: both hand all output of a run through
 * the streams' `write`, in order, so the line is wiped before anything that does not come from here.
 */
type Stream = NodeJS.WriteStream;

export class LiveLine {
  /** Text of the line while it is wanted. */
  private text: string | undefined;
  private drawn = false;
  private readonly restore: readonly (() => void)[];
  private readonly writeLine: (text: string) => void;

  /** `to`: where the line stands; the first of `streams`. */
  constructor(private readonly streams: readonly [Stream, ...Stream[]]) {
    const [to] = streams;
    const original = to.write;
    this.writeLine = (text) => {
      original.call(to, text);
    };
    this.restore = streams.map((stream) => {
      const before = stream.write;
      const hooked = ((...args: Parameters<Stream['write']>) => {
        this.erase();
        const written = before.apply(stream, args);
        if (args[0] === endOfFrame) this.draw();
        return written;
      }) as Stream['write']; // an overloaded function has no other way of being wrapped
      stream.write = hooked;
      return () => {
        if (stream.write === hooked) stream.write = before;
      };
    });
  }

  show(text: string): void {
    this.text = text;
    this.draw();
  }

  wipe(): void {
    this.text = undefined;
    this.erase();
  }

  end(): void {
    this.wipe();
    for (const back of this.restore) back();
  }

  private draw(): void {
    if (this.text === undefined) return;
    this.writeLine(`${wipe}${this.text.slice(0, Math.max(1, (this.streams[0].columns || 80) - 1))}`);
    this.drawn = true;
  }

  private erase(): void {
    if (!this.drawn) return;
    this.drawn = false;
    this.writeLine(wipe);
  }
}

const wipe = '\r\x1b[2K';
/** Vitest ends each drawing of its block with this, and stands on an empty row then. */
const endOfFrame = '\x1b[?2026l';

/** True if the stream is a terminal that lines can be redrawn on. Jest and Vitest decide alike for their own. */
export function isLive(stream: Stream): boolean {
  const { CI, TERM } = process.env;
  return stream.isTTY === true && TERM !== 'dumb' && (CI === undefined || CI === '' || CI === 'false');
}
