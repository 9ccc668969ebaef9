/**
 * The only door to satisfiability: terms go in, a validated model, `unsat` or `unknown` comes out. Wrappers implement
 * the same interface. This folder knows terms and Z3; it knows no program, no engine and no C.
 */
export * from './solver';
export { createSolver } from './z3';
export { processOptions, startProcess, type SolverProcess } from './process';
export type { Z3Options } from './z3';
export { NoSolver } from './process';
export { withCache } from './wrappers/withCache';
export { withBothEncodings } from './wrappers/withBothEncodings';
export { withRecording } from './wrappers/withRecording';
export { withDeadline, noTimeLeft } from './wrappers/withDeadline';
export { circuitBreaker } from './wrappers/circuitBreaker';
export { withFloatingPoint } from './wrappers/withFloatingPoint';
export { withNonlinearAbstraction } from './wrappers/withNonlinearAbstraction';
export { withRefutation } from './wrappers/withRefutation';
export { withRewriting } from './wrappers/withRewriting';
export { withExactFallback, withInstantiation } from './wrappers/withInstantiation';
export { createHornSolver } from './horn/horn';
export type {
  HornAnswer,
  HornApplication,
  HornClause,
  HornOptions,
  HornPredicate,
  HornProblem,
  HornSolver,
} from './horn/horn';
export { withBoundSimplification } from './wrappers/withBoundSimplification';
