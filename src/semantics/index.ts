/**
 * What the IR means: once, over an interface of values (`evaluate`, `execute`), with a concrete reading and a machine that runs it,
 * and a symbolic one. Knows programs and terms; knows no solver, no engine and no host.
 */
export * from './values';
export * from './evaluate';
export * from './execute';
export * from './concrete';
export * from './concreteMemory';
export * from './fault';
export { describeFailure, describePointer } from './failureMessage';
export * from './machine';
export { NativeFault, UnsupportedByNative, type Native, type NativeCall } from './natives/native';
export { natives } from './natives/table';
export * from './symbolic';
export * from './regions';
export * from './vocabulary';
export * from './segment';
export * from './effects';
export * from './evaluationOrder';
export type { EnvironmentOptions } from './environment/environment';
export type { HostFiles } from './environment/files';
