/**
 * Findings, for readers: a screen of text for people, JSON for programs. Knows verdicts and nothing of engines,
 * solvers, Jest or the command line.
 */
export { anew, formatVerdict, verdictWord, whateverTheyDo, type TextOptions } from './text';
export { percent } from './percent';
export { errorToJson, relativeTo, verdictToJson, type ErrorReport, type JsonContext } from './json';
export { sarifLog, sarifPart, sarifWithoutVerdict, verdictToSarif, type SarifLog, type SarifPart } from './sarif';
export { counterexampleToHarness, type HarnessContext } from './harness';
export {
  annotatedProgram,
  dialects,
  type AnnotatedContext,
  type AnnotatedProgram,
  type AnnotationDialect,
} from './annotated';
export { idiomsLeftOpen } from './verifierIdioms';
export { readWitness, WitnessError, type Witness, type WitnessLocation } from './readWitness';
export { emptyWitness, verdictToWitness, type WitnessContext } from './witness';
export { checkLines, checksInSum } from './checkTable';
export { causePages } from './causePage';
export { proofLcov } from './lcov';
export type { CheckJson } from './checkJson';
export type { OpinionJson } from './opinionJson';
export type { RunJson } from './runJson';
export type { VerdictJson } from './verdictJson';
export { progressText } from './progressText';
export { Course, projectFolder, writeLog, type LoggedProof } from './runLog';
export { fingerprint, fingerprintsOf, lastRunFile, readLastRun, writeLastRun, type LastVerdict } from './lastRun';
