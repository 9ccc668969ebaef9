/** The bundle of all that proves: what the proving process needs besides the solver, and the command that covers. */
export { ProbeError } from '../abstraction/probes';
export { CError } from '../c/diagnostic';
export { cover, verify } from '../engines/verify';
export { ProofFolder } from '../memory';
export { NoSolver } from '../solver/process';
