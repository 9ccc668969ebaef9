/**
 * Entry point for test files: C modules to call, and with them the matchers that ask for proofs. Importing is enough,
 * whatever the configuration of Jest.
 */
import './matchers/matchers';
import { moduleOf } from './session/cModule';
import type { Verdict } from '../src/verdict';
import type { VerifyOptions } from './api/types';
import { checkVerifyOptions } from './module/checkOptions';
import { verdictOn } from './matchers/verdictOf';

export type * from './expect';
export { loadC } from './module/loadC';
export { acyclic, every, length, reach } from './probes/lists';
export { CExit, CFault, type FaultKind } from '../src/host/fault';
export { Pointer } from '../src/host/pointer';
export type { Verdict } from '../src/verdict';
export type {
  AdequacyOptions,
  AnyModule,
  CFunction,
  CModules,
  DollarApi,
  Dynamic,
  LoadCOptions,
  ModuleApi,
  Predicate,
  ProbeOptions,
  ProbeState,
  State,
  TypedArray,
  VariableArgument,
  VerifyOptions,
} from './api/types';

/** The verdict itself, for tests that want to look into it. */
export async function verdictOf(module: unknown, options?: VerifyOptions): Promise<Verdict> {
  const found = moduleOf(module);
  checkVerifyOptions(options ?? {});
  if (!found) throw new TypeError('verdictOf: give it what loadC returned');
  return verdictOn(found, options);
}
