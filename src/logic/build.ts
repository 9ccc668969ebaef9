/**
 * The constructors of terms. Each simplifies cheaply and locally, and means exactly its operator (a law with a test). A
 * constructor costs about as much as it has arguments. Division is SMT-LIB's; callers add the guards of C.
 */
export { bits, bool, FALSE, freshSymbol, isApplication, symbol, TRUE, widthOf } from './intern';
export { arraySort, bitsSort, boolSort, sortText } from './sort';
export { and, implies, not, or } from './propositional';
export { distinct, eq, iff, sle, slt, ule, ult } from './comparison';
export { ite } from './conditional';
export { add, complement, mul, neg, sub } from './words/linear';
export { sdiv, srem, udiv, urem } from './words/division';
export { ashr, bitAnd, bitOr, bitXor, lshr, shl } from './words/bitwise';
export { concat, extract, resize, signExtend, zeroExtend } from './words/shape';
export { signednessOf, type Signedness } from './words/words';
export { constArray, select, store } from './arrays/arrays';
export {
  closesCycle,
  countsSort,
  identityRelation,
  linkCounted,
  linkWritten,
  relate as related,
  relationSort,
} from './links/reachability';
export { call } from './call';
export { exists, forall } from './quantifiers/quantifier';
