/** Native Z3: one `z3 -in` per context, started when first asked. The end of an answer is marked by an echo. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers'; // not the globals, which tests may fake
import type { SolverContext, FollowUps, SolverReply, SolverProcess } from './process';

export class NativeProcess implements SolverProcess {
  readonly name: Promise<string>;
  private readonly contexts = new Set<NativeContext>();
  private readonly ending = new Set<Promise<void>>();
  private halted = false;

  constructor(
    private readonly path: string,
    version: string,
  ) {
    this.name = Promise.resolve(`z3 ${version} (native)`);
  }

  open(): SolverContext {
    const context = new NativeContext(
      this.path,
      () => this.halted,
      (gone) => {
        this.contexts.delete(context);
        this.ending.add(gone);
        void gone.then(() => this.ending.delete(gone));
      },
    );
    this.contexts.add(context);
    return context;
  }

  halt(): void {
    this.halted = true;
    for (const context of this.contexts) context.halt();
  }

  resume(): void {
    this.halted = false;
  }

  async close(): Promise<void> {
    for (const context of [...this.contexts]) context.close();
    await Promise.all(this.ending);
  }

  /** Starting one takes no time. */
  release(): Promise<void> {
    return this.close();
  }
}

interface Request {
  readonly text: string;
  readonly limitMs: number;
  readonly followUps: FollowUps;
  readonly resolve: (reply: SolverReply) => void;
}

class NativeContext implements SolverContext {
  incarnation = 0;
  private child: ChildProcessWithoutNullStreams | undefined;
  private readonly waiting: Request[] = [];
  private running: (Request & { readonly marker: string; readonly timer: NodeJS.Timeout }) | undefined;
  private output = '';
  private errors = '';
  private asked = 0;
  private pendingReset = false;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly isHalted: () => boolean,
    private readonly onClose: (gone: Promise<void>) => void,
  ) {}

  run(text: string, limitMs: number, followUps: FollowUps = {}): Promise<SolverReply> {
    if (this.closed) return Promise.resolve({ kind: 'interrupted' });
    if (this.isHalted()) return Promise.resolve({ kind: 'timeout' });
    const prefix = this.pendingReset ? '(reset)\n' : '';
    this.pendingReset = false;
    return new Promise((resolve) => {
      this.waiting.push({ text: prefix + text, limitMs, followUps, resolve });
      this.next();
    });
  }

  reset(): void {
    this.incarnation++;
    this.pendingReset = true;
  }

  halt(): void {
    for (const request of this.waiting.splice(0)) request.resolve({ kind: 'timeout' });
    if (this.running) this.onTimeout();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    const { child } = this;
    this.onClose(child ? endOf(child) : Promise.resolve());
    this.finish({ kind: 'interrupted' });
    for (const request of this.waiting.splice(0)) request.resolve({ kind: 'interrupted' });
    child?.kill('SIGKILL');
  }

  private next(): void {
    const request = this.running || this.closed ? undefined : this.waiting.shift();
    if (!request) return;
    const child = (this.child ??= this.start());
    const marker = `provest-${this.asked++}`;
    const timer = setTimeout(() => this.onTimeout(), request.limitMs);
    this.running = { ...request, marker, timer };
    this.output = '';
    keepNodeFor(child);
    child.stdin.write(`${request.text}\n(echo "${marker}")\n`);
  }

  private start(): ChildProcessWithoutNullStreams {
    const child = spawn(this.path, ['-in'], { stdio: 'pipe' });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.heard(child, chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.errors = (this.errors + chunk).slice(-2000);
    });
    child.stdin.on('error', () => {}); // the exit that follows says more
    child.on('error', (error) => this.onExit(child, error.message));
    child.on('exit', (code, signal) => this.onExit(child, signal ?? `exit code ${code}`));
    return child;
  }

  private heard(child: ChildProcessWithoutNullStreams, chunk: string): void {
    if (child !== this.child || !this.running) return;
    this.output += chunk;
    const end = `${this.running.marker}\n`;
    if (!this.output.endsWith(end)) return;
    const text = this.output.slice(0, -end.length);
    const { followUps, resolve, limitMs } = this.running;
    const followUp = followUps[text.trim() as keyof FollowUps];
    letNodeEnd(child);
    if (followUp === undefined) this.finish({ kind: 'text', text });
    else {
      clearTimeout(this.running.timer);
      this.running = undefined;
      const whole = (reply: SolverReply) =>
        resolve(reply.kind === 'text' ? { kind: 'text', text: `${text}\n${reply.text}` } : reply);
      this.waiting.unshift({ text: followUp, limitMs, followUps: {}, resolve: whole });
    }
    this.next();
  }

  private onTimeout(): void {
    const { child } = this;
    this.lose();
    child?.kill('SIGKILL');
    this.finish({ kind: 'timeout' });
    this.next();
  }

  private onExit(child: ChildProcessWithoutNullStreams, why: string): void {
    if (child !== this.child) return;
    this.lose();
    this.finish({ kind: 'died', detail: `${why} ${this.errors}`.trim() });
    this.next();
  }

  private lose(): void {
    if (this.child) letNodeEnd(this.child);
    this.child = undefined;
    this.incarnation++;
  }

  private finish(reply: SolverReply): void {
    const { running } = this;
    this.running = undefined;
    if (!running) return;
    clearTimeout(running.timer);
    running.resolve(reply);
  }
}

/** Resolves when the child is gone; keeps Node alive until then. */
function endOf(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  keepNodeFor(child);
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
  });
}

const referenced = (child: ChildProcessWithoutNullStreams) =>
  [child, child.stdin, child.stdout, child.stderr] as unknown as { ref?(): void; unref?(): void }[];

/** Keeps Node alive while the child owes an answer. */
function keepNodeFor(child: ChildProcessWithoutNullStreams): void {
  for (const part of referenced(child)) part.ref?.();
}

/** Lets Node end although the child runs. */
function letNodeEnd(child: ChildProcessWithoutNullStreams): void {
  for (const part of referenced(child)) part.unref?.();
}
