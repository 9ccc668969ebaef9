/**
 * A proof in a process of its own. This folder guarantees an answer whatever happens to that process, on time, and
 * nothing left behind; what a proof is, it knows only through `verify`.
 */
export { verdictWithoutProof, prove, type ProveOptions } from './prove';
export { race } from './race';
export { endProver } from './start';
