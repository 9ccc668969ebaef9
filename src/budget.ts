/**
 * The time that a verification may take, and its parts. The only clock that engines read: they get a budget, ask how
 * much is left, and hand out shares of it. The shares themselves stand in the portfolio's table.
 */
import type { QueryBudget } from './solver/solver';
import type { Reason } from './verdict';

/** Reserved at the end for a solver that is slow to notice its timeout; never more than a tenth of the budget. */
const reserveMs = 1000;
/** Granted after the end, to count what was proved; well below what the prover's parent process allows. */
const epilogueMs = 800;
/** Below this a query is not worth starting; it is what an exhausted budget still grants. */
const leastQueryMs = 50;
const defaultQueryMs = 10_000;
/** Solver resource units for a query that others can replace. */
const moderateResources = 4_000_000;

export interface BudgetOptions {
  readonly milliseconds: number;
  readonly resourcesPerQuery?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Data common to all shares of one verification. */
interface Clock extends BudgetOptions {
  readonly beganMs: number;
  /** No query lasts longer. */
  solverEndMs: number;
}

export class Budget {
  private constructor(
    private readonly clock: Clock,
    private readonly endMs: number,
    private readonly ended: Reason,
  ) {}

  static start(options: BudgetOptions): Budget {
    const beganMs = performance.now();
    const endMs = beganMs + options.milliseconds;
    const clock: Clock = { ...options, beganMs, solverEndMs: Infinity };
    // A query that is running may have been given all of the budget.
    options.signal?.addEventListener('abort', () => (clock.solverEndMs = performance.now()), { once: true });
    const budget = new Budget(clock, endMs, {
      cause: 'time-budget',
      message: `the budget of ${options.milliseconds / 1000} s is used up`,
    });
    budget.limitSolver();
    return budget;
  }

  /** From here on queries end with this budget. */
  limitSolver(): void {
    if (this.interrupted) return;
    this.clock.solverEndMs = this.endMs - Math.min(reserveMs, this.clock.milliseconds / 10);
  }

  /** The point in time, by `performance.now()`, at which every query ends. */
  get solverEndMs(): number {
    return this.clock.solverEndMs;
  }

  /** Since the verification began. */
  get elapsedSeconds(): number {
    return (performance.now() - this.clock.beganMs) / 1000;
  }

  /** True if queries end after a count of steps, so that the same questions have the same answers on any machine. */
  get isReproducible(): boolean {
    return this.clock.resourcesPerQuery !== undefined;
  }

  get interrupted(): boolean {
    return this.clock.signal?.aborted === true;
  }

  get leftMs(): number {
    return this.interrupted ? 0 : this.endMs - performance.now();
  }

  /** Why to stop now. */
  get exhausted(): Reason | undefined {
    if (this.interrupted) return { cause: 'interrupted', message: 'interrupted before an answer was reached' };
    return performance.now() > this.endMs ? this.ended : undefined;
  }

  /**
   * A fraction of the time left now, for one attempt. `ended`: the reason when it is used up before the whole is.
   * `atLeastMs`: granted even after the end.
   */
  share(fraction: number, atMostMs = Infinity, ended: Reason = this.ended, atLeastMs = 0): Budget {
    const leftMs = Math.max(atLeastMs, Math.max(0, this.leftMs) * fraction);
    const endMs = performance.now() + Math.min(leftMs, atMostMs);
    return new Budget(this.clock, endMs, endMs < this.endMs ? ended : this.ended);
  }

  /** A part of the whole budget, from the beginning: what is spent counts against it. */
  upTo(fraction: number): Budget {
    return new Budget(this.clock, this.clock.beganMs + this.clock.milliseconds * fraction, this.ended);
  }

  query(atMostMs = defaultQueryMs): QueryBudget {
    return {
      timeoutMs: Math.min(Math.max(leastQueryMs, this.leftMs), atMostMs),
      ...(this.clock.resourcesPerQuery !== undefined && { resources: this.clock.resourcesPerQuery }),
    };
  }

  /** For a query whose answer another stage may do without. */
  moderateQuery(): QueryBudget {
    const { timeoutMs, resources = Infinity } = this.query();
    return { timeoutMs, resources: Math.min(resources, moderateResources) };
  }

  /** For a query whose answer is all that a proof still needs: half of the time left, so that it may be repeated. */
  finalQuery(): QueryBudget {
    return this.query(Math.max(defaultQueryMs, this.leftMs / 2));
  }

  /** The time left, and a little after the end, to say what was proved. */
  epilogue(): Budget {
    const endMs = Math.max(performance.now() + epilogueMs, this.interrupted ? 0 : this.endMs);
    this.clock.solverEndMs = endMs;
    return new Budget({ ...this.clock, signal: undefined, solverEndMs: endMs }, endMs, this.ended);
  }
}
