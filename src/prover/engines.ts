/** What the proving process needs besides the solver: apart, because it takes long to load. */
export { ProbeError } from '../abstraction/probes';
export { CError } from '../c/diagnostic';
export { verify } from '../engines/verify';
export { ProofFolder } from '../memory';
export { NoSolver } from '../solver/process';
