/** Tells TypeScript of the matchers, for `expect` as a global and as an import. Copied into the build as it is. */
import type { AdequacyOptions, VerifyOptions } from './api/types';

interface ModuleMatchers {
  /** Any sequence of calls with any arguments keeps all checks of C. Asynchronous: return it or await it. */
  toBeVerified(options?: VerifyOptions): Promise<void>;
  /** The tests reach at least this share of the abstract states. Asynchronous: return it or await it. */
  toBeAdequatelyTested(options?: AdequacyOptions): Promise<void>;
}

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends ModuleMatchers {}
  }
}

// `@jest/globals` and `expect`; without them this is no error.
// @ts-ignore
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ModuleMatchers {}
}
