/**
 * The only door to satisfiability: terms go in, a validated model, `unsat` or `unknown` comes out. Wrappers implement
 * the same interface. This folder knows terms and Z3; it knows no program, no engine and no C.
 */
export * from './solver';
export { createSolver } from './z3';
export { processOptions, startProcess, type SolverProcess } from './process';
export type { Z3Options } from './z3';
export { NoSolver } from './process';
export { withCache } from './cached';
export { withBothEncodings } from './alternatingEncodings';
export { withRecording } from './recorded';
export { withDeadline, noTimeLeft } from './withDeadline';
export { circuitBreaker } from './circuitBreaker';
export { withRewriting } from './rewriting';
export { withExactFallback, withInstantiation } from './instantiated';
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
export { withBoundSimplification } from './withinBounds';
