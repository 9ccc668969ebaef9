/**
 * Programs: one intermediate representation for everything behind the C front end. This folder guarantees that
 * expressions are pure and total, that a check edge precedes every operation with undefined behaviour that it knows,
 * and that branches are assume edges. It knows nothing about how programs are run or proved.
 *
 * The files of `lower/` import each other, because C's grammar is recursive: a value may contain a call, an address or
 * a whole statement. The types of programs, functions, commands and expressions refer to each other for the same
 * reason.
 */
export * from './command';
export * from './automata/cutpoints';
export { declaredFunctions } from './linking/declaredFunctions';
export * from './expression';
export { loadInterface, loadProgram, type ProgramInterface, type ProgramOptions } from './load';
export { lower, type LowerOptions } from './lower';
export { jumpOf, reachableJump } from './automata/jumps';
export { reachableFunctions } from './automata/reachableFunctions';
export { isNative, nativeFunctions, type NativeFunction } from './linking/natives';
export { printCommand, printExpression, printFunction, printProgram } from './print';
export { passedStructure, type PassedStructure } from './passedStructure';
export * from './program';
