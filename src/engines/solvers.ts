/**
 * The solvers of one verification, assembled from decorators: every query is rewritten, given a deadline and sent to a
 * Z3 process that is restarted when it dies.
 */
import type { Budget } from '../budget';
import { TRUE } from '../logic/build';
import { chainOf } from '../logic/links/chains';
import { floatLemmas } from '../logic/floats/lemmas';
import { floatsDefined } from '../logic/floats/floats';
import { intervalsRefute } from '../logic/floats/intervals';
import { ieeeQuery } from '../logic/floats/ieee';
import { multipliedOut } from '../logic/words/polynomial';
import {
  withBothEncodings,
  withCache,
  createHornSolver,
  createSolver,
  withExactFallback,
  withInstantiation,
  withDeadline,
  withFloatingPoint,
  circuitBreaker,
  processOptions,
  withRefutation,
  withRewriting,
  startProcess,
  withBoundSimplification,
  type HornSolver,
  type SolverProcess,
} from '../solver';
import type { Solver } from '../solver/solver';

/** Queries that bounds and exact operations leave open are asked again with all of IEEE 754. */
const exactly = (solver: Solver): Solver => withFloatingPoint(solver, ieeeQuery, floatsDefined);

export interface SolverOptions {
  /** Default Z3. */
  readonly solver?: Solver | undefined;
  /** A process that was started early; it is closed at the end. */
  readonly solverProcess?: SolverProcess | undefined;
  readonly signal?: AbortSignal | undefined;
}

export class Solvers {
  /** Replaces quantified formulas by instances: `unsat` is sound, a model may be partial. */
  readonly instances: Solver;
  /** For engines that take a model for a state: quantifiers are passed on as they are. */
  readonly exact: Solver;
  /** For certificates: without the cache and the sessions of the others. */
  readonly certifier: Solver;
  /** Constrained Horn clauses over integers; started by its first query. None beside a solver that was given. */
  readonly horn: HornSolver | undefined;
  /** None where a solver was given. */
  private readonly process: SolverProcess | undefined;

  constructor(
    seed: number,
    budget: Budget,
    private readonly options: SolverOptions,
  ) {
    const { solver } = options;
    this.process = solver ? undefined : (options.solverProcess ?? startProcess(processOptions('auto')));
    options.signal?.addEventListener('abort', () => this.interrupt(), { once: true });
    const z3 =
      solver ??
      withRefutation(
        withRewriting(
          withDeadline(circuitBreaker(createSolver({ seed, process: this.process })), () => budget.solverEndMs),
          // The laws of chains are for those who instantiate them.
          (term) => (chainOf(term) ? TRUE : floatsDefined(multipliedOut(term))),
          floatLemmas,
          floatsDefined,
        ),
        intervalsRefute,
      );
    const fresh = solver ?? withBoundSimplification(exactly(withBothEncodings(z3)));
    // Refinement repeats queries.
    this.exact = withCache(fresh);
    this.horn = solver ? undefined : createHornSolver();
    // Apart, since its questions want another encoding.
    const ofElements = solver ?? withBoundSimplification(exactly(withBothEncodings(z3)));
    this.instances = withInstantiation(this.exact, ofElements, z3);
    // Engines may have had many questions of floating point without an answer.
    const certifying = solver ?? withBoundSimplification(exactly(withBothEncodings(z3)));
    this.certifier = withExactFallback(withInstantiation(certifying, ofElements, z3), certifying);
  }

  /** Ends the query that is running: it may have been given all of the budget. */
  private interrupt(): void {
    this.process?.halt();
    void this.horn?.close();
  }

  /** After an interruption, for the epilogue. */
  resume(): void {
    this.process?.resume();
  }

  async close(): Promise<void> {
    if (!this.options.solver) await Promise.all([this.instances.close(), this.horn?.close()]);
  }
}
