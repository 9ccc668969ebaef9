/**
 * Memory from run to run: certificates, scenarios, unfinished searches. This folder guarantees that what it reads is
 * well-formed, and nothing more: certificates are judged by `evidence/certify`, scenarios by the evaluator, candidates
 * by induction.
 */
export { ProofFolder, type ProofMemory } from './proofCache';
export { changedSince, fingerprintsOf } from './fingerprints';
export { cacheKeyOf, type CacheKey } from './cacheKey';
export {
  invariantOf,
  recallByName,
  recallInduction,
  recallProof,
  recallUnrolling,
  storeProof,
  type RecalledPoint,
} from './storedProof';
export { recallScenario, storeScenario } from './storedScenario';
export { cacheVariable, memoryFolder } from './location';
