/**
 * The C front end: text to typed trees. What it returns satisfies C11's constraints (with the GNU
 * forms it accepts) and that nothing is left implicit; whatever it cannot represent is an error with a place. It knows
 * nothing of programs as automata, of memory, or of proofs.
 */
export {
  CError,
  formatDiagnostic,
  codeFrame,
  withLocation as located,
  type Diagnostic,
} from './diagnostics/diagnostic';
export { SourceFile, cover, isBuiltIn, type Span } from './source';
export type { SystemHeaders } from './preprocess/headerSearch';
export { readC, readCText, readLibraryUnit, type FrontEndOptions, type ReadResult } from './read';
export { sizeOf, alignOf } from './layout';
export { printType } from './printType';
export { evaluateConstant, type AddressBase, type Constant, type ConstantOptions } from './constant';
export { findField } from './elaborate/records';
export {
  targetOf,
  wrap,
  integerOf,
  isInteger,
  isArithmetic,
  isScalar,
  isAggregate,
  withoutQualifiers as unqualified,
  qualify as qualified,
  type Target,
} from './target';
export { compatible, compatibleUnqualified } from './typeRelations';
export * from './tree';
export * from './types';
