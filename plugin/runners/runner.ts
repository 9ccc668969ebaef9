/** Runners other than Jest hand over what we need of them, once per test file. */
import { failForgotten, longestTimeoutMs, type JestExpect } from './jest';
import { toBeAdequatelyTested, toBeVerified } from '../matchers/matchers';
import { filteredTestsOf, type CollectedFile } from './collectedFile';
import { filteredText } from '../session/partialRun';
import { recordRuns, recordNotRequested } from '../session/recordRuns';
import { session } from '../session/session';

interface TestContext {
  readonly task?: { readonly concurrent?: boolean };
}

export interface Runner {
  readonly expect: JestExpect;
  /** Before the first test of a file; its tests are collected then. */
  readonly beforeFile: (hook: (file: CollectedFile) => void) => void;
  readonly afterEach: (hook: (context: TestContext) => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
  /** Proofs end on their own clock; a runner's limit would only hide the verdict. */
  readonly longestTestMs: (milliseconds: number) => void;
}

export function useRunner({ expect, beforeFile, afterEach, afterAll, longestTestMs }: Runner): void {
  session().expect = expect;
  longestTestMs(longestTimeoutMs);
  expect.extend({ toBeVerified, toBeAdequatelyTested });
  beforeFile((file) => {
    const filteredTests = filteredTestsOf(file);
    session().filteredTests = filteredTests;
    // It is not known here which of the tests ask for a verdict.
    recordNotRequested(filteredTests && `${filteredText(filteredTests)}, and no other asked for a verdict`);
  });
  afterEach((context) => failForgotten(context.task?.concurrent));
  afterAll(async () => {
    recordRuns();
    await failForgotten();
  });
}
