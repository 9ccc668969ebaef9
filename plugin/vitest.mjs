/**
 * `setupFiles: ['provest/vitest']`: the matchers in every test file of Vitest, the verdicts nobody awaited, and time
 * for proofs. Copied into the build as it is: Vitest's own module can be imported only from a real ES module.
 */
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { useRunner } from './runners/runner.js';

// The file is the last argument; a parameter with a name would be read as a fixture's.
const beforeFile = (hook) =>
  beforeAll(function () {
    hook(arguments[arguments.length - 1]);
  });

useRunner({
  expect,
  beforeFile,
  afterEach,
  afterAll,
  longestTestMs: (milliseconds) => vi.setConfig({ testTimeout: milliseconds, hookTimeout: milliseconds }),
});
