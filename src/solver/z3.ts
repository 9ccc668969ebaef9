/**
 * The solver: Z3 behind SMT-LIB text. Only this folder knows Z3, and only `process.ts` and its two back ends know how
 * it runs.
 */
import { performance } from 'node:perf_hooks';
import { and, FALSE, TRUE } from '../logic/build';
import { isApplication } from '../logic/intern';
import type { Term } from '../logic/term';
import { bitsEncoder, integersEncoder } from './encoder';
import type { Encoder } from './encoder';
import { FiniteModel } from './model';
import { processOptions, startProcess } from './process';
import type { SolverContext, SolverProcess } from './process';
import { ask, budgetText, unknown, unlimited } from './query';
import { Z3Session } from './session';
import type { SessionHost } from './session';
import type { Answer, Encoding, QueryBudget, Session, Solver, SolverStatistics } from './solver';

export interface Z3Options {
  /**
   * Default `auto`: a native z3 (4.12 or later) on the PATH, else WebAssembly. The environment variable PROVEST_Z3
   * wins.
   */
  readonly backend?: 'auto' | 'native' | 'wasm';
  /** One that was started before, which takes half a second. */
  readonly process?: SolverProcess | undefined;
  /** Z3 gives up cleanly here; default 1500. */
  readonly memoryMb?: number;
  readonly seed?: number;
  /** Sees every text sent. */
  readonly log?: (smt: string) => void;
}

export function createSolver(options: Z3Options = {}): Solver {
  return new Z3Solver(options.process ?? startProcess(processOptions(options.backend ?? 'auto')), options);
}

class Z3Solver implements Solver, SessionHost {
  readonly name: Promise<string>;
  readonly statistics = { queries: 0, sat: 0, unsat: 0, unknown: 0, milliseconds: 0, avoided: 0 };
  readonly log: ((smt: string) => void) | undefined;
  readonly prelude: string;
  private readonly options: string;
  private freshContext: SolverContext | undefined;
  private lastFresh: Promise<unknown> = Promise.resolve();
  private readonly sessions = new Set<Z3Session>();

  constructor(
    private readonly process: SolverProcess,
    { memoryMb = 1500, seed = 0, log }: Z3Options,
  ) {
    this.name = process.name;
    this.log = log;
    this.options =
      unlimited +
      [
        `:memory_high_watermark_mb ${memoryMb}`,
        `:smt.random_seed ${seed}`,
        `:sat.random_seed ${seed}`,
        // Cuts from Hermite normal forms: with factors such as 2^64, which wrapping brings, they take most of the time.
        ':smt.arith.enable_hnf false',
        ':pp.max_depth 4000000000',
        ':pp.min_alias_size 4000000000',
      ]
        .map((option) => `(set-option ${option})\n`)
        .join('');
    this.prelude = `${this.options}(set-option :produce-unsat-cores true)\n`;
  }

  session(options: { readonly encoding?: Encoding } = {}): Session {
    const session = new Z3Session(this, options.encoding ?? 'bits');
    this.sessions.add(session);
    return session;
  }

  async check(
    assertions: readonly Term[],
    budget: QueryBudget,
    options: { readonly encoding?: Encoding } = {},
  ): Promise<Answer> {
    const start = performance.now();
    const conjuncts = [...new Set(assertions.flatMap((t) => (isApplication(t, 'and') ? t.args : [t])))].filter(
      (t) => t !== TRUE,
    );
    const all = conjuncts.length <= 64 ? and(...conjuncts) : undefined;
    const cheap = trivialAnswer(all === FALSE ? [FALSE] : conjuncts);
    const answer = cheap ?? (await this.fresh(conjuncts, budget, options.encoding ?? 'bits'));
    this.count(answer, performance.now() - start, cheap !== undefined);
    return answer;
  }

  fresh(assertions: readonly Term[], budget: QueryBudget, encoding: Encoding): Promise<Answer> {
    const answer = this.lastFresh.then(() => this.askFresh(assertions, budget, encoding));
    this.lastFresh = answer.catch(() => {});
    return answer;
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.close();
    await this.process.release();
  }

  open(): SolverContext {
    return this.process.open();
  }

  encoder(encoding: Encoding): Encoder {
    return encoding === 'bits' ? bitsEncoder() : integersEncoder();
  }

  count(answer: Answer, milliseconds: number, avoided: boolean): void {
    this.statistics.queries++;
    this.statistics[answer.kind]++;
    this.statistics.milliseconds += milliseconds;
    if (avoided) this.statistics.avoided++;
  }

  private async askFresh(assertions: readonly Term[], budget: QueryBudget, encoding: Encoding): Promise<Answer> {
    const encoder = this.encoder(encoding);
    const body: string[] = [];
    const constraints = new Set<string>();
    encoder.know(assertions);
    for (const assertion of assertions) {
      const encoded = encoder.encode(assertion);
      if (!encoded) return this.askFresh(assertions, budget, 'bits');
      for (const constraint of encoded.constraints) constraints.add(constraint);
      body.push(encoder.takeDeclarations(), `(assert ${encoded.text})\n`);
    }
    const ranges = [...constraints].map((constraint) => `(assert ${constraint})\n`);
    const logic = encoder.logic(assertions);
    const start = logic === undefined ? this.options : `${this.options}(set-logic ${logic})\n`;
    const text = [start, ...body, ...ranges, budgetText(budget)].join('');

    const context = (this.freshContext ??= this.process.open());
    for (let attempt = 0; attempt < 3; attempt++) {
      context.reset();
      const answer = await ask({
        context,
        encoder,
        text,
        question: '(check-sat)',
        budget,
        assertions,
        assumptions: new Map(),
        log: this.log,
      });
      if (answer !== 'lost') return answer;
    }
    return unknown('died', 'Z3 died again and again');
  }
}

function trivialAnswer(conjuncts: readonly Term[]): Answer | undefined {
  if (conjuncts.some((t) => t === FALSE)) return { kind: 'unsat', core: [] };
  return conjuncts.every((t) => t === TRUE) ? { kind: 'sat', model: new FiniteModel(new Map()) } : undefined;
}

export type { SolverStatistics };
