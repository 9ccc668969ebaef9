/** The bundle of all that proves: what the proving process needs, and the command that covers. */
export { ProbeError } from '../abstraction/probes';
export { CError } from '../c/diagnostic';
export { cover, verify } from '../engines/verify';
export { ProofFolder } from '../memory';
export { NoSolver, processOptions, startProcess } from '../solver/process';
export { RunningZ3 } from '../solver/runningZ3';
