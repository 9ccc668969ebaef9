/** State of this test file, kept on its global object so that `jest.resetModules()` does not lose it. */
import type { AwaitedPromise } from './awaitedPromise';
import type { CModule } from './cModule';
import type { JestExpect } from '../runners/jest';
import type { FilteredTests } from './partialRun';

export interface TestSession {
  readonly modules: CModule[];
  readonly pending: AwaitedPromise[];
  /** Tests of this file that do not run, though they are marked neither `skip` nor `todo`. */
  filteredTests?: FilteredTests | undefined;
  /** Why no test may ask for a verdict, where tests that do were left out. */
  notRequested?: string | undefined;
  /** Set if the runner is not Jest. */
  expect?: JestExpect;
  /** Hooks and handlers are in place. */
  installed: boolean;
}

const key = Symbol.for('provest.session');

export function session(): TestSession {
  const holder = globalThis as unknown as Record<symbol, TestSession | undefined>;
  return (holder[key] ??= { modules: [], pending: [], installed: false });
}
