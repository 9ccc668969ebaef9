/**
 * Node's own modules as they are, whatever a test does to them: `jest.mock('fs')` and fake timers reach `require` and
 * the globals of a test file, but not `process.getBuiltinModule`.
 */
export const fs = process.getBuiltinModule('node:fs');
export const os = process.getBuiltinModule('node:os');
export const childProcess = process.getBuiltinModule('node:child_process');
/** In a test file of Jest, `process` is a copy that nothing happens to. */
export const ownProcess = process.getBuiltinModule('node:vm').runInThisContext('process') as NodeJS.Process;
export const timers = process.getBuiltinModule('node:timers');
/** Undefined in a Node that was built without it. It takes 2 ms to load, and few processes need it. */
export const inspectorModule = () =>
  process.getBuiltinModule('node:inspector') as typeof import('node:inspector') | undefined;
