/**
 * The heartbeat of a long proof, on standard error. In a terminal one line is drawn over itself, at least every second;
 * elsewhere a plain line appears at most every 30 seconds. Timers never keep the process alive.
 */
import type { Progress } from '../progress';
import { progressText } from '../report';

export interface ProgressScreen {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Milliseconds, only differences count. */
  now(): number;
}

const heartbeatMs = 1000;
/** Least time between two drawings, by event and by heartbeat. */
const terminalGapMs = { event: 100, heartbeat: heartbeatMs / 2 };
const plainGapMs = { event: 30_000, heartbeat: 30_000 };

export class ProgressLine {
  private latest: Progress | undefined;
  private readonly startMs: number;
  private lastMs: number;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly screen: ProgressScreen,
    private readonly subject: string,
    private readonly budgetMs: number,
  ) {
    this.startMs = this.lastMs = screen.now();
    this.timer = setInterval(() => this.drawAfter('heartbeat'), heartbeatMs).unref();
  }

  readonly report = (progress: Progress): void => {
    this.latest = progress;
    this.drawAfter('event');
  };

  /** Nothing of the line stays on a terminal. */
  end(): void {
    clearInterval(this.timer);
    if (this.screen.isTerminal) this.screen.write('\r\x1b[2K');
  }

  private drawAfter(what: 'event' | 'heartbeat'): void {
    const now = this.screen.now();
    const gapMs = (this.screen.isTerminal ? terminalGapMs : plainGapMs)[what];
    if (now - this.lastMs < gapMs) return;
    this.lastMs = now;
    const text = this.text();
    this.screen.write(
      this.screen.isTerminal ? `\r\x1b[2K${text.slice(0, Math.max(1, this.screen.columns - 1))}` : `${text}\n`,
    );
  }

  private text(): string {
    return progressText({
      subject: this.subject,
      progress: this.latest,
      elapsedMs: this.lastMs - this.startMs,
      budgetMs: this.budgetMs,
    });
  }
}
