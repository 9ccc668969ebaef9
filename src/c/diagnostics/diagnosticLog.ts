/**
 * Collects what the front end has to say about one file. One construct reports once: whoever reports an error throws
 * `Abandoned`, and the nearest enclosing construct that can go on (statement, declaration) catches it.
 */
import type { Diagnostic } from './diagnostic';
import type { Span } from '../source';

/** The construct being read is given up; its error has been reported. */
export class Abandoned extends Error {
  constructor() {
    super('abandoned after a reported error');
  }
}
const abandoned = new Abandoned();

export type DiagnosticExtras = Omit<Diagnostic, 'severity' | 'message' | 'span'>;

export class DiagnosticLog {
  readonly diagnostics: Diagnostic[] = [];
  private readonly seen = new Set<string>();
  private readonly unsupported = new Set<Diagnostic>();

  error(message: string, span: Span | undefined, extras: DiagnosticExtras = {}): void {
    this.add({ severity: 'error', message, ...(span ? { span } : {}), ...extras });
  }

  warn(message: string, span: Span | undefined, extras: DiagnosticExtras = {}): void {
    this.add({ severity: 'warning', message, ...(span ? { span } : {}), ...extras });
  }

  /** As `warn`, at the first of all places only. */
  warnOnce(message: string, span: Span, extras: DiagnosticExtras = {}): void {
    if (!this.diagnostics.some((d) => d.message === message)) this.warn(message, span, extras);
  }

  /** Reports and gives the construct up. */
  fail(message: string, span: Span | undefined, extras: DiagnosticExtras = {}): never {
    this.error(message, span, extras);
    throw abandoned;
  }

  /**
   * As `fail`, for a feature that is merely not supported: a declaration that nobody uses may keep it to itself, see
   * `deferUnsupported`.
   */
  failUnsupported(message: string, span: Span | undefined): never {
    this.error(message, span);
    const last = this.diagnostics[this.diagnostics.length - 1];
    if (last) this.unsupported.add(last);
    throw abandoned;
  }

  /** Reports C that is not supported. Reading goes on, unlike after `failUnsupported`. */
  addUnsupported(diagnostic: Diagnostic): void {
    this.add(diagnostic);
    this.unsupported.add(diagnostic);
  }

  /** A place to which `takeBackUnsupported` goes back. */
  get mark(): number {
    return this.diagnostics.length;
  }

  /** Takes back what was said since the mark and returns it, when that is only about unsupported features. */
  takeBackUnsupported(mark: number): readonly Diagnostic[] {
    const news = this.diagnostics.slice(mark);
    if (!news.every((d) => this.unsupported.has(d))) return [];
    this.diagnostics.length = mark;
    for (const d of news) this.seen.delete(keyOf(d));
    return news;
  }

  /**
   * Runs a construct; when it was given up only for unsupported features, takes those messages back and returns them.
   */
  deferUnsupported<T>(construct: () => T): { readonly value: T } | { readonly deferred: readonly Diagnostic[] } {
    const { mark } = this;
    const value = this.attempt(() => ({ value: construct() }));
    return value ?? { deferred: this.takeBackUnsupported(mark) };
  }

  /** Gives the construct up because something it uses was reported before. */
  abandon(): never {
    throw abandoned;
  }

  /** Runs a construct; undefined when it was given up. */
  attempt<T>(construct: () => T): T | undefined {
    try {
      return construct();
    } catch (error) {
      if (error instanceof Abandoned) return undefined;
      throw error;
    }
  }

  add(diagnostic: Diagnostic): void {
    const key = keyOf(diagnostic);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.diagnostics.push(diagnostic);
  }

  get errorCount(): number {
    let count = 0;
    for (const d of this.diagnostics) if (d.severity === 'error') count++;
    return count;
  }
}

/** The same thing is said once about a place. */
function keyOf({ span, message }: Diagnostic): string {
  return `${span ? `${span.file.path}:${span.start}:` : ''}${message}`;
}
