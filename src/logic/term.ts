/**
 * Terms: mostly quantifier-free formulas over booleans, bit-vectors and arrays, hash-consed (equal terms are the same
 * object, so `===` is structural equality). This file defines their shape; `build.ts` makes and simplifies them.
 * Nothing here knows a solver.
 */
export type Sort = BooleanSort | BitsSort | ArraySort;
export interface BooleanSort {
  readonly kind: 'boolean';
}
export interface BitsSort {
  readonly kind: 'bits';
  readonly width: number;
}
export interface ArraySort {
  readonly kind: 'array';
  readonly index: BitsSort;
  readonly element: Sort;
}

export type BooleanOperator = 'not' | 'and' | 'or' | 'eq';
export type BitsOperator =
  | 'negate'
  | 'complement'
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'unsigned-divide'
  | 'unsigned-remainder'
  | 'signed-divide'
  | 'signed-remainder'
  | 'bit-and'
  | 'bit-or'
  | 'bit-xor'
  | 'shift-left'
  | 'logical-shift-right'
  | 'arithmetic-shift-right'
  | 'unsigned-less'
  | 'unsigned-less-equal'
  | 'signed-less'
  | 'signed-less-equal'
  | 'concat'
  | 'extract'
  | 'zero-extend'
  | 'sign-extend';
export type ArrayOperator = 'select' | 'store' | 'constant-array';
/** Relations between objects, and counts of what is reached: see `reachability.ts`. */
export type RelationOperator = 'identity-relation' | 'link-written' | 'link-counted';
export type Operator = BooleanOperator | BitsOperator | ArrayOperator | RelationOperator | 'ite' | 'call';

interface Base {
  readonly id: number;
  readonly sort: Sort;
}
export interface BooleanLiteral extends Base {
  readonly kind: 'boolean';
  readonly value: boolean;
}
/** `value` is unsigned: 0 <= value < 2^width. */
export interface BitsLiteral extends Base {
  readonly kind: 'bits';
  readonly value: bigint;
  readonly sort: BitsSort;
}
/** A free constant. Names are unique per sort; any characters are allowed. */
export interface SymbolTerm extends Base {
  readonly kind: 'symbol';
  readonly name: string;
}
export interface Application extends Base {
  readonly kind: 'apply';
  readonly operator: Operator;
  readonly args: readonly Term[];
  /** extract: [high, low]; extensions: [bits added]. */
  readonly parameters: readonly number[];
  /** `call`: the name of an uninterpreted function (float operations and the like). */
  readonly name?: string;
}
/** `bound` are symbols that occur in `body`. */
export interface Quantified extends Base {
  readonly kind: 'forall' | 'exists';
  readonly bound: readonly SymbolTerm[];
  readonly body: Term;
}
export type Term = BooleanLiteral | BitsLiteral | SymbolTerm | Application | Quantified;

/** Values of terms. Bit-vectors are unsigned. */
export type Value = boolean | bigint | ArrayValue;
export interface ArrayValue {
  readonly default: Value;
  readonly entries: ReadonlyMap<bigint, Value>;
  /** The array with one element changed, for arrays that cannot list their elements. */
  readonly written?: (index: bigint, value: Value) => ArrayValue;
}
