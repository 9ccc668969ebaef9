/** The bundle of all that proves: what the proving process needs, and the command that covers. */
export { ProbeError } from '../abstraction/predicates/probes';
export { CError } from '../c/diagnostics/diagnostic';
export { cover, verify } from '../engines/portfolio/verify';
export { NoCriterion, sliceFile } from '../reductions/slice/sliceFile';
export { ProofFolder } from '../proofCache';
export { NoSolver, processOptions, startProcess } from '../solver/process';
export { RunningZ3 } from '../solver/runningZ3';
