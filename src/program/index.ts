/**
 * Programs: one intermediate representation for everything behind the C front end. This folder promises that
 * expressions are pure and total, that every undefined behaviour it knows is a check edge before the operation, and
 * that branches are assume edges. It knows nothing about how programs are run or proved.
 */
export * from './command';
export * from './cutpoints';
export * from './expression';
export { loadProgram, type ProgramOptions } from './load';
export { lower, type LowerOptions } from './lower';
export { jumpOf, reachableJump } from './jumps';
export { reachableFunctions } from './reachableFunctions';
export { isNative, nativeFunctions, type NativeFunction } from './natives';
export { printCommand, printExpression, printFunction, printProgram } from './print';
export { passedStructure, type PassedStructure } from './passedStructure';
export * from './program';
