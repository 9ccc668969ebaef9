/**
 * `setupFiles: ['provest/vitest']`: the matchers in every test file of Vitest, the verdicts nobody awaited, and time for proofs. Copied into the build as it
 * is: Vitest's own module can be imported only from a real ES module.
 */
import { afterAll, afterEach, expect, vi } from 'vitest';
import { useRunner } from './runner.js';

useRunner({ expect, afterEach, afterAll, longestTestMs: (milliseconds) => vi.setConfig({ testTimeout: milliseconds, hookTimeout: milliseconds }) });
