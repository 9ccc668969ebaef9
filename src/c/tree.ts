/**
 * The typed tree: C after elaboration. Every conversion, promotion and lvalue-to-rvalue step is an
 * explicit node; names are resolved to symbols; nothing is left for a reader to infer. Produced by
 * `elaborate`, consumed by `program/lower` and by nothing else.
 */
import type { CType, DataModel, Field, FloatType, FunctionType, IntegerType } from './types';
import type { Span } from './source';

/** One linked program: all translation units. */
export interface TranslationUnit {
  readonly path: string;
  readonly dataModel: DataModel;
  /** In order of first declaration. File-scope variables and static locals. */
  readonly variables: readonly VariableSymbol[];
  readonly functions: readonly FunctionSymbol[];
  /** Typedef names at file scope, for the host (`alloc('node', …)`) and for messages. */
  readonly typedefs: ReadonlyMap<string, CType>;
  /** `struct`/`union`/`enum` tags at file scope, keyed `struct node`. */
  readonly tags: ReadonlyMap<string, CType>;
  readonly enumConstants: ReadonlyMap<string, bigint>;
  /** Parameters of function definitions, and local variables, that are `restrict` pointers. */
  readonly restricted: readonly Span[];
  /** GNU: declarations that give a symbol another name for the linker. */
  readonly assemblerNames: readonly AssemblerNamed[];
  /** GNU's `alias`: names that this unit gives to functions and variables that it defines. */
  readonly aliases: readonly Alias[];
  /** Stated of functions without a body. */
  readonly guarantees: readonly Guarantee[];
}

/** A condition that holds whenever a call of a function without a body returns. */
export interface Guarantee {
  readonly function: FunctionSymbol;
  /** Names in the condition for the arguments, as passed; in the order of the parameters. */
  readonly parameters: readonly VariableSymbol[];
  /** The name in the condition for the result; undefined for void and structures. */
  readonly result: VariableSymbol | undefined;
  readonly condition: TypedExpression;
  readonly span: Span;
}

export interface AssemblerNamed {
  readonly name: string;
  readonly assemblerName: string;
  readonly kind: 'function' | 'variable';
  readonly span: Span;
}

export interface Alias {
  readonly symbol: FunctionSymbol | VariableSymbol;
  /** The linker's name of what it stands for. */
  readonly target: string;
  readonly span: Span;
}

/** In a postcondition: the result of the function. */
export const resultName = '__provest_result';

export interface VariableSymbol {
  readonly kind: 'variable';
  readonly name: string;
  readonly type: CType;
  readonly span: Span;
  /** `static`: internal linkage or static local; `extern`: defined elsewhere. */
  readonly storage: 'automatic' | 'parameter' | 'static' | 'global' | 'extern';
  /**
   * For statics and globals that are defined here; undefined means all zero. For automatics the declaration statement
   * has it.
   */
  initializer: Initializer | undefined;
  /** The function a static local, automatic or parameter belongs to. */
  readonly owner: string | undefined;
  /** Set by elaboration when `&x` occurs outside `sizeof`, or the type is an aggregate. */
  addressTaken: boolean;
  /** Alignment that declarations ask for. Absent: that of the type. */
  alignBytes?: number;
  /** GNU: another definition replaces this one. */
  readonly weak?: boolean;
  /** A parameter that is a `restrict` pointer. */
  readonly isRestrict?: true;
  /** The object of a structure that is a value; it lives as long as the full expression (6.2.4p8). */
  readonly isTemporary?: true;
}

export interface FunctionSymbol {
  readonly kind: 'function';
  readonly name: string;
  readonly type: FunctionType;
  readonly span: Span;
  readonly linkage: 'internal' | 'external';
  readonly parameters: readonly VariableSymbol[];
  /** Undefined when only declared. */
  body: BlockStatement | undefined;
  readonly noreturn: boolean;
  /** GNU: without a definition its address is null, and another definition replaces this one. */
  readonly weak?: boolean;
  /** Every declaration says `inline` and none `extern`: its body is no definition for other files (C11 6.7.4p7). */
  readonly inlineOnly?: boolean;
  /** GNU: it runs before `main`, in the order of these numbers. */
  readonly constructorPriority?: number;
  /** GNU: it runs when the program ends, in the reverse order of these numbers. */
  readonly destructorPriority?: number;
}

/** A flat list: scalars (or whole struct values) at byte offsets; everything not mentioned is zero. */
export interface Initializer {
  readonly items: readonly {
    readonly offsetBytes: number;
    readonly field?: Field;
    readonly type: CType;
    readonly value: TypedExpression;
  }[];
  /** Bytes of string literals that initialise character arrays, placed before the items. */
  readonly strings: readonly { readonly offsetBytes: number; readonly bytes: Uint8Array }[];
  readonly sizeBytes: number;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<<' | '>>';
export type RelationalOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

interface Node {
  readonly type: CType;
  readonly span: Span;
}

/**
 * Lvalues: `variable`, `dereference`, `member` (of an lvalue), `string`, `compound-literal`. They denote a place; a
 * value is read from one only by `load`. Struct values are rvalues of record type (`load` of a struct lvalue, `call`,
 * `conditional`, `assign`).
 */
export type TypedExpression =
  | (Node & { readonly kind: 'integer'; readonly value: bigint; readonly type: IntegerType })
  | (Node & { readonly kind: 'float'; readonly value: number; readonly type: FloatType })
  | (Node & { readonly kind: 'string'; readonly bytes: Uint8Array })
  | (Node & { readonly kind: 'variable'; readonly symbol: VariableSymbol })
  | (Node & { readonly kind: 'function'; readonly symbol: FunctionSymbol })
  | (Node & { readonly kind: 'dereference'; readonly pointer: TypedExpression })
  /** `object` is an lvalue, or an rvalue struct (then this is an rvalue and needs no `load`). */
  | (Node & { readonly kind: 'member'; readonly object: TypedExpression; readonly field: Field })
  | (Node & { readonly kind: 'compound-literal'; readonly symbol: VariableSymbol; readonly initializer: Initializer })
  /** Lvalue to rvalue. */
  | (Node & { readonly kind: 'load'; readonly lvalue: TypedExpression })
  /** Array lvalue to pointer to its first element. */
  | (Node & { readonly kind: 'decay'; readonly lvalue: TypedExpression })
  /** Function designator to pointer. */
  | (Node & { readonly kind: 'function-pointer'; readonly designator: TypedExpression })
  | (Node & { readonly kind: 'address-of'; readonly lvalue: TypedExpression })
  /** Scalar conversion; to `bool` compares with zero; to void discards. */
  | (Node & { readonly kind: 'convert'; readonly operand: TypedExpression; readonly implicit: boolean })
  | (Node & { readonly kind: 'unary'; readonly operator: '-' | '~'; readonly operand: TypedExpression })
  /** `!x`: operand any scalar; type int. */
  | (Node & { readonly kind: 'not'; readonly operand: TypedExpression })
  /** Operands have the node's type, but for shifts the right one has its own promoted type. */
  | (Node & {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: TypedExpression;
      readonly right: TypedExpression;
    })
  /** Operands have the same arithmetic type, or both are pointers; type int. */
  | (Node & {
      readonly kind: 'relational';
      readonly operator: RelationalOperator;
      readonly left: TypedExpression;
      readonly right: TypedExpression;
    })
  /** `index` is an integer rvalue of any integer type, counted in elements; type is the pointer's. */
  | (Node & {
      readonly kind: 'pointer-add';
      readonly pointer: TypedExpression;
      readonly index: TypedExpression;
      readonly subtract: boolean;
      readonly subscript: boolean;
    })
  /** Type ptrdiff_t; counted in elements. */
  | (Node & { readonly kind: 'pointer-difference'; readonly left: TypedExpression; readonly right: TypedExpression })
  | (Node & {
      readonly kind: 'logical';
      readonly operator: '&&' | '||';
      readonly left: TypedExpression;
      readonly right: TypedExpression;
    })
  /** `then` undefined: GNU `a ?: b`, where `condition` is evaluated once and converted to `type`. */
  | (Node & {
      readonly kind: 'conditional';
      readonly condition: TypedExpression;
      readonly then: TypedExpression | undefined;
      readonly otherwise: TypedExpression;
    })
  /**
   * `value` already has the target's (unqualified) type. Result is the target's new value. `isLength`: the target is
   * the hidden length of an array in a type name, which must be positive.
   */
  | (Node & {
      readonly kind: 'assign';
      readonly target: TypedExpression;
      readonly value: TypedExpression;
      readonly isLength?: true;
    })
  /**
   * Target is loaded once, converted to `computationType`, combined, converted back and stored. Shifts: right operand
   * keeps its own type.
   */
  | (Node & {
      readonly kind: 'compound-assign';
      readonly target: TypedExpression;
      readonly operator: ArithmeticOperator;
      readonly operand: TypedExpression;
      readonly computationType: CType;
    })
  /** `+=`/`-=` with an integer and `++`/`--` on pointers: `index` in elements, or in bytes. */
  | (Node & {
      readonly kind: 'pointer-update';
      readonly target: TypedExpression;
      readonly index: TypedExpression;
      readonly inBytes?: true;
      readonly subtract: boolean;
      readonly result: 'new' | 'old';
    })
  /** `++`/`--` on arithmetic lvalues. */
  | (Node & {
      readonly kind: 'increment';
      readonly target: TypedExpression;
      readonly delta: 1 | -1;
      readonly result: 'new' | 'old';
      readonly computationType: CType;
    })
  /** `callee` is a pointer to function; arguments are converted (default promotions for variadic ones). */
  | (Node & {
      readonly kind: 'call';
      readonly callee: TypedExpression;
      readonly arguments: readonly TypedExpression[];
      readonly functionType: FunctionType;
    })
  /** `unsequenced`: both operands are evaluated, in no particular order and without a sequence point. */
  | (Node & {
      readonly kind: 'comma';
      readonly left: TypedExpression;
      readonly right: TypedExpression;
      readonly unsequenced?: true;
    })
  /** GNU `({ … })`; the value is that of the last expression statement, or void. */
  | (Node & {
      readonly kind: 'statement-expression';
      readonly body: BlockStatement;
      readonly result: TypedExpression | undefined;
    })
  | (Node & { readonly kind: 'va-start'; readonly list: TypedExpression })
  | (Node & { readonly kind: 'va-arg'; readonly list: TypedExpression })
  | (Node & { readonly kind: 'va-copy'; readonly target: TypedExpression; readonly source: TypedExpression })
  | (Node & { readonly kind: 'va-end'; readonly list: TypedExpression });

/** GNU: a label whose address is a value, and the object that has this address. */
export interface LabelAddress {
  readonly label: string;
  readonly address: TypedExpression;
}

export interface BlockStatement {
  readonly kind: 'block';
  readonly span: Span;
  readonly items: readonly Statement[];
}

export type Statement =
  | BlockStatement
  | {
      readonly kind: 'declare';
      readonly span: Span;
      readonly symbol: VariableSymbol;
      readonly initializer: Initializer | undefined;
      /** `int x = e;` for scalars and struct values */ readonly value: TypedExpression | undefined;
      /** By PROVEST_OLD: compilers leave it out. */ readonly isContract?: boolean;
    }
  /** Gives a hidden variable the length of a variable-length array, which must be positive. */
  | {
      readonly kind: 'array-length';
      readonly span: Span;
      readonly symbol: VariableSymbol;
      readonly value: TypedExpression;
    }
  /**
   * A variable-length array: `symbol` points to a block of so many elements, from the outermost dimension inwards,
   * until the scope ends.
   */
  | {
      readonly kind: 'declare-array';
      readonly span: Span;
      readonly symbol: VariableSymbol;
      readonly lengths: readonly TypedExpression[];
      readonly elementBytes: number;
    }
  /** GNU: a call that is made on every way out of the scope, from here on. */
  | { readonly kind: 'cleanup'; readonly span: Span; readonly call: TypedExpression }
  | { readonly kind: 'expression'; readonly span: Span; readonly expression: TypedExpression }
  | {
      readonly kind: 'if';
      readonly span: Span;
      readonly condition: TypedExpression;
      readonly then: Statement;
      readonly otherwise: Statement | undefined;
    }
  | { readonly kind: 'while'; readonly span: Span; readonly condition: TypedExpression; readonly body: Statement }
  | { readonly kind: 'do'; readonly span: Span; readonly body: Statement; readonly condition: TypedExpression }
  | {
      readonly kind: 'for';
      readonly span: Span;
      readonly init: readonly Statement[];
      readonly condition: TypedExpression | undefined;
      readonly step: TypedExpression | undefined;
      readonly body: Statement;
    }
  /** `condition` is promoted; case values are converted to its type. */
  | { readonly kind: 'switch'; readonly span: Span; readonly condition: TypedExpression; readonly body: Statement }
  | {
      readonly kind: 'case';
      readonly span: Span;
      readonly low: bigint;
      readonly high: bigint;
      readonly body: Statement;
    }
  | { readonly kind: 'default'; readonly span: Span; readonly body: Statement }
  | { readonly kind: 'label'; readonly span: Span; readonly name: string; readonly body: Statement }
  | { readonly kind: 'goto'; readonly span: Span; readonly label: string }
  /** GNU: jumps to the label whose address `target` is. `labels` are all those of the function with an address. */
  | {
      readonly kind: 'computed-goto';
      readonly span: Span;
      readonly target: TypedExpression;
      readonly labels: readonly LabelAddress[];
    }
  | { readonly kind: 'break'; readonly span: Span }
  | { readonly kind: 'continue'; readonly span: Span }
  | { readonly kind: 'return'; readonly span: Span; readonly value: TypedExpression | undefined }
  | { readonly kind: 'empty'; readonly span: Span };
