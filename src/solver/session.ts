/**
 * Incremental solving. The session keeps its own assertion stack; before a check the context is brought in line with
 * it, so that a Z3 that died is replayed without anyone noticing but the one query it died in. A check goes in two
 * stages: `push` and assumption literals in the living context with little effort, then, when that was not enough, a
 * fresh context with the right logic (Z3 uses a much weaker solver after `push`).
 */
import { performance } from 'node:perf_hooks';
import { and, FALSE, TRUE } from '../logic/build';
import { isApplication } from '../logic/intern';
import type { Term } from '../logic/term';
import type { Encoder } from './encoder';
import { allHold, FiniteModel } from './model';
import type { SolverContext } from './process';
import { ask, budgetText, littleEffort, unknown, unlimited } from './query';
import type { Answer, Encoding, Model, QueryBudget, Session } from './solver';

/** Parts of its solver that a session needs. */
export interface SessionHost {
  open(): SolverContext;
  encoder(encoding: Encoding): Encoder;
  readonly prelude: string;
  readonly log: ((smt: string) => void) | undefined;
  /** One query in a fresh context, not counted. */
  fresh(assertions: readonly Term[], budget: QueryBudget, encoding: Encoding): Promise<Answer>;
  count(answer: Answer, milliseconds: number, avoided: boolean): void;
}

interface Frame {
  readonly assertions: Term[];
}
type Snapshot = readonly { readonly frame: Frame; readonly count: number }[];
interface Level {
  readonly frame: Frame;
  readonly mark: number;
  count: number;
  readonly constraints: Set<string>;
  readonly literals: Map<Term, string>;
}

const firstStageShareOfTime = 0.5;
/** Assumptions that are no longer made weigh on Z3; past this many, all are said anew. */
const assumptionLimit = 64;
const rememberedModels = 4;

export class Z3Session implements Session {
  private readonly frames: Frame[] = [{ assertions: [] }];
  private context: SolverContext | undefined;
  private encoder: Encoder;
  private incarnation = -1;
  private levels: Level[] = [];
  /** A level above those of the frames, for what the assumptions' literals stand for. */
  private assumed: Level | undefined;
  private literals = 0;
  private models: Model[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly host: SessionHost,
    private readonly encoding: Encoding,
  ) {
    this.encoder = host.encoder(encoding);
  }

  assert(term: Term): void {
    if (term.sort.kind !== 'boolean') throw new TypeError('an assertion is a boolean term');
    const { assertions } = this.frames[this.frames.length - 1]!;
    if (isApplication(term, 'and')) assertions.push(...term.args);
    else assertions.push(term);
  }

  push(): void {
    this.frames.push({ assertions: [] });
  }

  pop(): void {
    if (this.frames.length === 1) throw new Error('pop without push');
    this.frames.pop();
  }

  check(assumptions: readonly Term[], budget: QueryBudget): Promise<Answer> {
    const snapshot = this.frames.map((frame) => ({ frame, count: frame.assertions.length }));
    const answer = this.last.then(() => this.answer(snapshot, assumptions, budget));
    this.last = answer.catch(() => {});
    return answer;
  }

  close(): void {
    this.closed = true;
    this.context?.close();
  }

  private async answer(snapshot: Snapshot, assumptions: readonly Term[], budget: QueryBudget): Promise<Answer> {
    const start = performance.now();
    if (this.closed) return unknown('interrupted', 'the session was closed');
    const assertions = snapshot.flatMap(({ frame, count }) => frame.assertions.slice(0, count));
    const cheap = this.withoutAsking(assertions, assumptions);
    const answer = cheap ?? (await this.inTwoStages(snapshot, assertions, assumptions, budget));
    if (answer.kind === 'sat' && !this.models.includes(answer.model))
      this.models = [answer.model, ...this.models].slice(0, rememberedModels);
    this.host.count(answer, performance.now() - start, cheap !== undefined);
    return answer;
  }

  private withoutAsking(assertions: readonly Term[], assumptions: readonly Term[]): Answer | undefined {
    if (assertions.some((t) => t === FALSE)) return { kind: 'unsat', core: [] };
    if ([...assertions, ...assumptions].every((t) => t === TRUE))
      return { kind: 'sat', model: new FiniteModel(new Map(), []) };
    const impossible = assumptions.find((t) => t === FALSE);
    if (impossible) return { kind: 'unsat', core: [impossible] };
    if (assumptions.length > 1 && assumptions.length <= 64 && and(...assumptions) === FALSE)
      return { kind: 'unsat', core: [...assumptions] };
    const model = this.models.find((m) => allHold(m, assumptions) && allHold(m, assertions));
    return model && { kind: 'sat', model };
  }

  private async inTwoStages(
    snapshot: Snapshot,
    assertions: readonly Term[],
    assumptions: readonly Term[],
    budget: QueryBudget,
  ): Promise<Answer> {
    const start = performance.now();
    const first = await this.incremental(snapshot, assertions, assumptions, {
      timeoutMs: budget.timeoutMs * firstStageShareOfTime,
      resources: Math.min(budget.resources ?? Infinity, littleEffort),
    });
    if (first === 'unencodable') return this.fresh([...assertions, ...assumptions], assumptions, budget, 'bits');
    if (first.kind !== 'unknown') return first;
    switch (first.cause) {
      case 'died':
      case 'interrupted':
      case 'error':
        return first;
      case 'memory':
        this.context?.reset(); // what it holds is the memory the fresh one needs
        break;
      case 'incomplete':
        // The next model would be one of the approximation, too.
        if (!this.encoder.isExact) return first;
        break;
      case 'timeout':
      case 'resources':
        break;
    }
    const resources = budget.resources === undefined ? {} : { resources: budget.resources };
    const timeoutMs = budget.timeoutMs - (performance.now() - start);
    return timeoutMs < 1
      ? first
      : this.fresh([...assertions, ...assumptions], assumptions, { timeoutMs, ...resources }, this.encoding);
  }

  private async fresh(
    all: readonly Term[],
    assumptions: readonly Term[],
    budget: QueryBudget,
    encoding: Encoding,
  ): Promise<Answer> {
    const answer = await this.host.fresh(all, budget, encoding);
    return answer.kind === 'unsat' ? { kind: 'unsat', core: [...assumptions] } : answer;
  }

  private async incremental(
    snapshot: Snapshot,
    assertions: readonly Term[],
    assumptions: readonly Term[],
    budget: QueryBudget,
  ): Promise<Answer | 'unencodable'> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const context = (this.context ??= this.host.open());
      const prepared = this.prepare(context, snapshot, assumptions);
      if (!prepared) {
        context.reset(); // what was written down is not what the context was told
        return 'unencodable';
      }
      const { text, named } = prepared;
      const question = named.size === 0 ? '(check-sat)' : `(check-sat-assuming (${[...named.keys()].join(' ')}))`;
      const answer = await ask({
        context,
        encoder: this.encoder,
        text: unlimited + text + budgetText(budget),
        question,
        budget,
        assertions,
        assumptions: named,
        log: this.host.log,
      });
      if (answer !== 'lost') return answer;
    }
    return unknown('died', 'Z3 died again and again');
  }

  /** The commands that make the context say what the snapshot says, and literals for the assumptions. */
  private prepare(
    context: SolverContext,
    snapshot: Snapshot,
    assumptions: readonly Term[],
  ): { text: string; named: Map<string, Term> } | undefined {
    const commands: string[] = [];
    if (context.incarnation !== this.incarnation) {
      this.incarnation = context.incarnation;
      this.encoder = this.host.encoder(this.encoding);
      this.levels = [];
      this.assumed = undefined;
      this.literals = 0;
      commands.push(this.host.prelude);
    }
    const kept = this.commonLevels(snapshot);
    const unchanged =
      kept === snapshot.length &&
      kept === this.levels.length &&
      this.levels[kept - 1]!.count === snapshot[kept - 1]!.count;
    const missing = assumptions.filter((t) => !this.assumed?.literals.has(t));
    const crowded =
      this.assumed &&
      missing.length > 0 &&
      this.assumed.literals.size + missing.length > Math.max(assumptionLimit, 2 * assumptions.length);
    if (this.assumed && (!unchanged || crowded)) {
      commands.push('(pop 1)\n');
      this.encoder.rollback(this.assumed.mark);
      this.assumed = undefined;
    }
    if (kept < this.levels.length) {
      commands.push(`(pop ${this.levels.length - kept})\n`);
      this.encoder.rollback(this.levels[kept]!.mark);
      this.levels.length = kept;
    }
    for (const [i, { frame, count }] of snapshot.entries()) {
      let level = this.levels[i];
      if (!level) this.levels.push((level = this.pushLevel(frame, commands)));
      this.encoder.know(frame.assertions.slice(level.count, count));
      for (; level.count < count; level.count++) {
        const text = this.encode(frame.assertions[level.count]!, level, commands);
        if (text === undefined) return undefined;
        if (text !== 'true') commands.push(`(assert ${text})\n`);
      }
    }
    const named = new Map<string, Term>();
    for (const assumption of assumptions) {
      const level = (this.assumed ??= this.pushLevel({ assertions: [] }, commands));
      const literal = this.literalFor(assumption, level, commands);
      if (literal === undefined) return undefined;
      if (literal !== 'true') named.set(literal, assumption);
    }
    return { text: commands.join(''), named };
  }

  private pushLevel(frame: Frame, commands: string[]): Level {
    commands.push('(push 1)\n');
    return { frame, mark: this.encoder.mark(), count: 0, constraints: new Set(), literals: new Map() };
  }

  /** Number of levels to keep: those of the same frames, and only the last may have grown. */
  private commonLevels(snapshot: Snapshot): number {
    for (let i = 0; i < this.levels.length; i++) {
      if (this.levels[i]!.frame !== snapshot[i]?.frame) return i;
      if (this.levels[i]!.count !== snapshot[i]!.count) return i + 1;
    }
    return this.levels.length;
  }

  private encode(term: Term, level: Level, commands: string[]): string | undefined {
    const encoded = this.encoder.encode(term);
    if (!encoded) return undefined;
    commands.push(this.encoder.takeDeclarations());
    for (const constraint of encoded.constraints) {
      if (level.constraints.has(constraint) || this.levels.some((l) => l.constraints.has(constraint))) continue;
      level.constraints.add(constraint);
      commands.push(`(assert ${constraint})\n`);
    }
    return encoded.text;
  }

  private literalFor(assumption: Term, level: Level, commands: string[]): string | undefined {
    const known = level.literals.get(assumption);
    if (known !== undefined) return known;
    const text = this.encode(assumption, level, commands);
    if (text === undefined) return undefined;
    const literal = isLiteral(assumption) ? text : `a!${this.literals++}`;
    if (literal !== text) commands.push(`(declare-const ${literal} Bool)\n(assert (=> ${literal} ${text}))\n`);
    level.literals.set(assumption, literal);
    return literal;
  }
}

function isLiteral(term: Term): boolean {
  return (
    term.kind === 'boolean' || term.kind === 'symbol' || (isApplication(term, 'not') && term.args[0]!.kind === 'symbol')
  );
}
