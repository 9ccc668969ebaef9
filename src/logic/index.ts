/**
 * Terms: formulas over booleans, words and arrays, hash-consed and simplified as they are built, with their meaning
 * (`evaluate`) and their texts (`smtlib`, `integers`). This folder guarantees that every simplification and every text
 * means the same as the term. It knows no solver, no program and no C.
 *
 * The simplifying constructors (`arrays`, `bitwise`, `comparison`, `conditional`, `propositional`, `shape`) import each
 * other: they are mutually recursive by nature.
 */
export * from './term';
export * from './build';
export { arrayValue, defaultValue, equalValues, readArray, writeArray } from './arrays/arrayValue';
export { evaluate, NotComputable } from './evaluate';
export type { Calls, Assignment } from './evaluate';
export { compile, compileAll } from './compile';
export type { Compiled } from './compile';
export { substitute, substituteAll } from './substitute';
export { atomsOf, sizeOf, symbolsOf } from './symbols';
export { atWitnesses, hasQuantifier, instantiate } from './quantifiers/instances';
export { rebuild } from './rebuild';
export { childrenOf, postOrder } from './traverse';
