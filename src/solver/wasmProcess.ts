/**
 * Z3 in WebAssembly: one child of Node for all contexts, one request at a time. It is started at once, so that it warms
 * up while the caller prepares the first question, and started anew when it died, was killed or grew too large; the
 * contexts that lived in it are then lost.
 */
import { clearTimeout, setTimeout } from 'node:timers'; // not the globals, which tests may fake
import { leaveIdle, takeIdle } from './idleChild';
import type { SolverContext, FollowUps, SolverReply, SolverProcess } from './process';
import { RunningZ3, type FromZ3 } from './runningZ3';

/** Starting takes half a second; on a busy machine much more. */
const startLimitMs = 60_000;
/** Z3 stops by itself at its own limit but is not punctual. */
const recycleBytes = 1_000_000_000;
const recycleRequests = 20_000;

interface Request {
  readonly context: WasmContext;
  readonly text: string;
  readonly limitMs: number;
  readonly followUps: FollowUps;
  readonly resolve: (reply: SolverReply) => void;
}

export class WasmProcess implements SolverProcess {
  readonly name: Promise<string>;
  /** Counts the children; a context is lost when the child it lived in is no longer this one. */
  generation = 0;
  private child: RunningZ3 | undefined;
  private ready = false;
  private everReady = false;
  private startTimer: NodeJS.Timeout | undefined;
  private readonly waiting: Request[] = [];
  private running: (Request & { readonly id: number; readonly timer: NodeJS.Timeout }) | undefined;
  private asked = 0;
  private contexts = 0;
  private closed = false;
  private halted = false;
  private failedStarts = 0;
  /** Why none ever started: then none will. */
  private hopeless: string | undefined;
  private knownName = 'z3 (wasm)';
  private resolveName: (name: string) => void = () => {};

  /** `given`: one that was started before. */
  constructor(given?: RunningZ3) {
    this.name = new Promise((resolve) => {
      this.resolveName = resolve;
    });
    const idle = given ? undefined : takeIdle();
    if (!idle) {
      this.start(given);
      return;
    }
    ({ child: this.child, asked: this.asked, contexts: this.contexts } = idle);
    this.ready = this.everReady = true;
    this.setName(idle.name);
    this.listenTo(idle.child);
  }

  private setName(name: string): void {
    this.knownName = name;
    this.resolveName(name);
  }

  open(): SolverContext {
    return new WasmContext(this);
  }

  nextContext(): number {
    return ++this.contexts;
  }

  halt(): void {
    this.halted = true;
    for (const request of this.waiting.splice(0)) request.resolve({ kind: 'timeout' });
    if (this.running) this.onTimeout();
  }

  resume(): void {
    this.halted = false;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.resolveName(this.knownName); // unless it is known already
    const { child } = this;
    this.lose();
    this.finish({ kind: 'interrupted' });
    for (const request of this.waiting.splice(0)) request.resolve({ kind: 'interrupted' });
    child?.keepNode();
    child?.kill();
    await child?.gone;
  }

  async release(): Promise<void> {
    const { child, running, waiting } = this;
    if (this.closed) return;
    if (!child?.isAlive || !this.ready || running || waiting.length > 0) return this.close();
    this.closed = true;
    this.lose();
    child.send({ close: 'all' });
    leaveIdle({ child, name: this.knownName, asked: this.asked, contexts: this.contexts });
  }

  run(context: WasmContext, text: string, limitMs: number, followUps: FollowUps): Promise<SolverReply> {
    if (this.closed) return Promise.resolve({ kind: 'interrupted' });
    if (this.halted) return Promise.resolve({ kind: 'timeout' });
    if (this.hopeless !== undefined) return Promise.resolve({ kind: 'died', detail: this.hopeless });
    return new Promise((resolve) => {
      this.waiting.push({ context, text, limitMs, followUps, resolve });
      this.next();
    });
  }

  forget(number: number, generation: number): void {
    if (generation === this.generation) this.child?.send({ close: number });
  }

  private start(given?: RunningZ3): void {
    const child = given ?? RunningZ3.start();
    this.child = child;
    this.ready = false;
    this.listenTo(child);
    this.startTimer = setTimeout(() => child.kill(), startLimitMs);
    this.startTimer.unref();
  }

  private listenTo(child: RunningZ3): void {
    child.onMessage = (message) => this.heard(child, message);
    child.onEnd = (why) => this.onExit(child, why);
  }

  private next(): void {
    if (this.closed || this.running || this.waiting.length === 0) return;
    if (!this.child) this.start();
    const child = this.child!;
    child.keepNode();
    if (!this.ready) return;
    const request = this.waiting.shift()!;
    const number = request.context.numberFor(this.generation);
    if (number === undefined) {
      request.resolve({ kind: 'lost' });
      return this.next();
    }
    const id = this.asked++;
    const timer = setTimeout(() => this.onTimeout(), request.limitMs);
    this.running = { ...request, id, timer };
    child.send({ id, context: number, text: request.text, limitMs: request.limitMs, followUps: request.followUps });
  }

  private heard(child: RunningZ3, answer: FromZ3): void {
    if (child !== this.child) return;
    if ('ready' in answer) {
      clearTimeout(this.startTimer);
      this.ready = this.everReady = true;
      this.failedStarts = 0;
      this.setName(`z3 ${/"(.*)"/.exec(answer.ready)?.[1] ?? 'of unknown version'} (wasm)`);
      if (this.waiting.length > 0) child.keepNode();
      else child.letNodeEnd();
      return this.next();
    }
    if (answer.id !== this.running?.id) return;
    const broken = answer.error !== undefined;
    if (broken || answer.allocatedBytes > recycleBytes || this.asked % recycleRequests === 0) {
      this.lose();
      child.kill();
      this.start();
    } else child.letNodeEnd();
    this.finish(broken ? { kind: 'died', detail: answer.error! } : { kind: 'text', text: answer.text! });
    this.next();
  }

  private onTimeout(): void {
    const { child } = this;
    this.lose();
    child?.kill();
    this.start();
    this.finish({ kind: 'timeout' });
    this.next();
  }

  private onExit(child: RunningZ3, detail: string): void {
    if (child !== this.child) return;
    const wasReady = this.ready;
    this.lose();
    this.finish({ kind: 'died', detail });
    if (!wasReady && ++this.failedStarts >= 3) {
      for (const request of this.waiting.splice(0)) request.resolve({ kind: 'died', detail });
      this.failedStarts = 0;
      if (!this.everReady) this.hopeless = detail;
    }
    this.next();
  }

  private lose(): void {
    clearTimeout(this.startTimer);
    this.child?.letNodeEnd();
    this.child = undefined;
    this.ready = false;
    this.generation++;
  }

  private finish(reply: SolverReply): void {
    const { running } = this;
    this.running = undefined;
    if (!running) return;
    clearTimeout(running.timer);
    running.resolve(reply);
  }
}

class WasmContext implements SolverContext {
  private number: number;
  private generation: number;
  private resets = 0;
  private closed = false;

  constructor(private readonly process: WasmProcess) {
    this.number = process.nextContext();
    this.generation = process.generation;
  }

  get incarnation(): number {
    return this.resets + this.process.generation;
  }

  /** The context's number in the child of that generation, if what it was told is there. */
  numberFor(generation: number): number | undefined {
    return this.generation === generation ? this.number : undefined;
  }

  run(text: string, limitMs: number, followUps: FollowUps = {}): Promise<SolverReply> {
    if (this.closed) return Promise.resolve({ kind: 'interrupted' });
    this.generation = this.process.generation;
    return this.process.run(this, text, limitMs, followUps);
  }

  reset(): void {
    this.process.forget(this.number, this.generation);
    this.number = this.process.nextContext();
    this.resets++;
  }

  close(): void {
    this.closed = true;
    this.process.forget(this.number, this.generation);
  }
}
