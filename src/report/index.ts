/**
 * Findings, for readers: a screen of text for people, JSON for programs. Knows verdicts and nothing of engines,
 * solvers, Jest or the command line.
 */
export { anew, formatVerdict, verdictWord, whateverTheyDo, type TextOptions } from './text';
export { percent } from './percent';
export { errorToJson, relativeTo, verdictToJson, type ErrorReport, type JsonContext } from './json/json';
export {
  sarifLog,
  sarifPart,
  sarifWithoutVerdict,
  verdictToSarif,
  type SarifLog,
  type SarifPart,
} from './exchange/sarif';
export { counterexampleToHarness, type HarnessContext } from './exchange/harness';
export {
  annotatedProgram,
  dialects,
  type AnnotatedContext,
  type AnnotatedProgram,
  type AnnotationDialect,
} from './exchange/annotated';
export { idiomsLeftOpen } from './verifierIdioms';
export { readWitness, WitnessError, type Witness, type WitnessLocation } from './exchange/readWitness';
export {
  emptyWitness,
  leftOutOfWitness,
  verdictToWitness,
  type LeftOut,
  type WitnessContext,
} from './exchange/witness';
export { checkLines, checksInSum, hasNothingToCheck } from './checkTable';
export { causePages } from './causePage';
export { proofLcov } from './exchange/lcov';
export type { CheckJson } from './json/checkJson';
export type { OpinionJson } from './json/opinionJson';
export type { RunJson } from './json/runJson';
export type { VerdictJson } from './json/verdictJson';
export { progressText } from './progressText';
export { Course, projectFolder, writeLog, type LoggedProof } from './runLog';
export { fingerprint, fingerprintsOf, lastRunFile, readLastRun, writeLastRun, type LastVerdict } from './lastRun';
