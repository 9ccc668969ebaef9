/**
 * The only door to satisfiability: terms go in, a validated model, `unsat` or `unknown` comes out. Wrappers implement
 * the same interface. This folder knows terms and Z3; it knows no program, no engine and no C.
 */
export * from './solver';
export { createSolver } from './z3';
export { processOptions, startProcess, type SolverProcess } from './process';
export type { Z3Options } from './z3';
export { NoSolver } from './process';
export { cached } from './cached';
export { bothReadings } from './alternatingEncodings';
export { recorded } from './recorded';
export { limited, noTimeLeft } from './withDeadline';
export { mourned } from './circuitBreaker';
export { rewriting } from './rewriting';
export { instancesFirst, instantiated } from './instantiated';
export { createHornSolver } from './horn';
export type {
  HornAnswer,
  HornApplication,
  HornClause,
  HornOptions,
  HornPredicate,
  HornProblem,
  HornSolver,
} from './horn';
export { withinBounds } from './withinBounds';
