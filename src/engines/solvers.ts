/**
 * The solvers of one verification, assembled from decorators: every query is rewritten, given a deadline and sent to a
 * Z3 process that is restarted when it dies.
 */
import type { Budget } from '../budget';
import { enoughOfACore, idleCoresSince } from '../idleCores';
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
  withNonlinearAbstraction,
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
const withAllOfIeee = (solver: Solver): Solver =>
  withBoundSimplification(
    withFloatingPoint(withNonlinearAbstraction(withBothEncodings(solver)), ieeeQuery, floatsDefined),
  );

const limits = {
  /** Solvers beside the first one, unless more are asked for: a process prepares questions for only so many. */
  further: 3,
  /** Most proofs end before, and to start a process takes as long as they do. */
  headStartSeconds: 3,
} as const;

export interface SolverOptions {
  /** Default Z3. */
  readonly solver?: Solver | undefined;
  /** A process that was started early; it is closed at the end. */
  readonly solverProcess?: SolverProcess | undefined;
  /** Number of solver processes at the same time; default: one more than there are idle cores, up to four. */
  readonly jobs?: number | undefined;
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

  private readonly furtherSolvers: { readonly process: SolverProcess; readonly instances: Solver }[] = [];
  private readonly idleCores = idleCoresSince();

  constructor(
    private readonly seed: number,
    private readonly budget: Budget,
    private readonly options: SolverOptions,
  ) {
    const { solver } = options;
    this.process = solver ? undefined : (options.solverProcess ?? startProcess(processOptions('auto')));
    options.signal?.addEventListener('abort', () => this.interrupt(), { once: true });
    const z3 = solver ?? this.solverOf(this.process!);
    // Refinement repeats queries.
    this.exact = withCache(solver ?? withAllOfIeee(z3));
    this.horn = solver ? undefined : createHornSolver();
    // Apart, since its questions want another encoding.
    const ofElements = solver ?? withAllOfIeee(z3);
    this.instances = withInstantiation(this.exact, ofElements, z3);
    // Engines may have had many questions of floating point without an answer.
    const certifying = solver ?? withAllOfIeee(z3);
    this.certifier = withExactFallback(withInstantiation(certifying, ofElements, z3), certifying);
  }

  /**
   * More like `instances`, in processes of their own, for questions that do not wait for each other: as many as `jobs`
   * says, else, a while after the beginning, as many as there are cores that were idle so far.
   */
  further(): readonly Solver[] {
    const { solver, jobs } = this.options;
    if (solver || this.budget.isReproducible) return [];
    const { length } = this.furtherSolvers;
    if (jobs === undefined && this.budget.elapsedSeconds < limits.headStartSeconds) return [];
    const wanted =
      jobs === undefined ? Math.min(limits.further, Math.floor(this.idleCores() + 1 - enoughOfACore)) : jobs - 1;
    for (let i = length; i < wanted; i++) {
      const process = startProcess(processOptions('auto'));
      const z3 = this.solverOf(process);
      this.furtherSolvers.push({
        process,
        instances: withInstantiation(withCache(withAllOfIeee(z3)), withAllOfIeee(z3), z3),
      });
    }
    return this.furtherSolvers.map(({ instances }) => instances);
  }

  private solverOf(process: SolverProcess): Solver {
    return withRefutation(
      withRewriting(
        withDeadline(circuitBreaker(createSolver({ seed: this.seed, process })), () => this.budget.solverEndMs),
        // The laws of chains are for those who instantiate them.
        (term) => (chainOf(term) ? TRUE : floatsDefined(multipliedOut(term))),
        floatLemmas,
        floatsDefined,
      ),
      intervalsRefute,
    );
  }

  /** Sums over all solvers that engines ask. */
  get statistics(): { readonly queries: number; readonly milliseconds: number } {
    const all = [this.instances, ...this.furtherSolvers.map(({ instances }) => instances)];
    const sum = (of: 'queries' | 'milliseconds'): number => all.reduce((n, { statistics }) => n + statistics[of], 0);
    return { queries: sum('queries'), milliseconds: sum('milliseconds') };
  }

  private get processes(): readonly SolverProcess[] {
    return [...(this.process ? [this.process] : []), ...this.furtherSolvers.map(({ process }) => process)];
  }

  /** Ends the queries that are running: one may have been given all of the budget. */
  private interrupt(): void {
    for (const process of this.processes) process.halt();
    void this.horn?.close();
  }

  /** After an interruption, for the epilogue. */
  resume(): void {
    for (const process of this.processes) process.resume();
  }

  async close(): Promise<void> {
    if (this.options.solver) return;
    await Promise.all([
      this.instances.close(),
      this.horn?.close(),
      ...this.furtherSolvers.map(({ instances }) => instances.close()),
    ]);
  }
}
