/**
 * Node's own modules as they are, whatever a test does to them: `jest.mock('fs')` and fake timers reach `require` and the globals of a test
 * file, but not `process.getBuiltinModule`.
 */
import * as requiredChildProcess from 'node:child_process';
import * as requiredFs from 'node:fs';
import * as requiredInspector from 'node:inspector';
import * as requiredTimers from 'node:timers';

type GetBuiltin = (id: string) => object | undefined;
const get = (process as { getBuiltinModule?: GetBuiltin }).getBuiltinModule;

export const fs = (get?.('node:fs') ?? requiredFs) as typeof requiredFs;
export const childProcess = (get?.('node:child_process') ?? requiredChildProcess) as typeof requiredChildProcess;
export const timers = (get?.('node:timers') ?? requiredTimers) as typeof requiredTimers;
export const inspector = (get?.('node:inspector') ?? requiredInspector) as typeof requiredInspector;
/** False where closures cannot be read (Node before 20.16). */
export const canReadClosures = get !== undefined;
