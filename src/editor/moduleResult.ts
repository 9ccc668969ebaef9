/** Verdicts as the editor keeps them: with the texts they are about, so that none is shown beside another text. */
import { resolve } from 'node:path';
import type { LastVerdict, VerdictJson } from '../report';

export interface ModuleResult {
  /** `tests`: of the last run of a test file. `command`: of a proof of the file by itself. */
  readonly origin: 'tests' | 'command';
  readonly verdict: VerdictJson;
  /** Folder that the paths of `verdict` are relative to. */
  readonly base: string;
  /** Absolute paths and the SHA-256 of their texts. */
  readonly sources: Readonly<Record<string, string>>;
  readonly test?: { readonly file: string; readonly variable: string | undefined };
}

/** The SHA-256 of the text of a file as the editor has it, saved or not; undefined: there is no such file. */
export type FingerprintOf = (file: string) => string | undefined;

export function ofLastRun({ verdict, base, sources, testFile, variable }: LastVerdict): ModuleResult {
  return { origin: 'tests', verdict, base, sources, test: { file: testFile, variable } };
}

/**
 * All the texts that the verdict is about are what they were. `harmless`: fingerprints of texts that differ from those
 * in ways that change no verdict, such as one more test.
 */
export function isCurrent(
  { sources }: ModuleResult,
  fingerprints: FingerprintOf,
  harmless: ReadonlySet<string>,
): boolean {
  return Object.entries(sources).every(([file, print]) => {
    const now = fingerprints(file);
    return now === print || (now !== undefined && harmless.has(now));
  });
}

export function isAbout({ sources }: ModuleResult, file: string): boolean {
  return Object.hasOwn(sources, file);
}

/** A check, a failure or an invariant of a result in a file, by absolute path. */
export function liesIn({ base }: ModuleResult, place: { readonly file: string }, file: string): boolean {
  return resolve(base, place.file) === file;
}
