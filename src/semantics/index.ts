/**
 * Semantics of the IR: once, over an interface of values (`evaluate`, `execute`), with a concrete reading and a machine
 * that runs it, and a symbolic one. Knows programs and terms; knows no solver, no engine and no host.
 */
export * from './values';
export * from './evaluate';
export * from './execute';
export * from './concrete/concreteValues';
export * from './concrete/concreteMemory';
export * from './concrete/fault';
export { describeFailure, describePointer } from './concrete/failureMessage';
export * from './concrete/machine';
export { NativeFault, UnsupportedByNative, type Native, type NativeCall } from './concrete/natives/native';
export { natives } from './concrete/natives/table';
export * from './symbolic/symbolicMemory';
export * from './pointers/regions';
export * from './symbolic/vocabulary';
export * from './symbolic/segment';
export * from './symbolic/effects';
export * from './pointers/evaluationOrder';
export type { EnvironmentOptions } from './concrete/environment/environment';
export type { HostFiles } from './concrete/environment/files';
