/** Tells TypeScript of the matchers in Vitest. */
import type { AdequacyOptions, VerifyOptions } from './api/types';

interface ModuleMatchers {
  /** Any sequence of calls with any arguments keeps all checks of C. Asynchronous: return it or await it. */
  toBeVerified(options?: VerifyOptions): Promise<void>;
  /** The tests reach at least this share of the abstract states. Asynchronous: return it or await it. */
  toBeAdequatelyTested(options?: AdequacyOptions): Promise<void>;
}

// @ts-ignore: absent where Vitest is not installed
declare module 'vitest' {
  interface Matchers<T = any> extends ModuleMatchers {}
}
