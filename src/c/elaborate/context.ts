/**
 * State of the elaboration of one translation unit: target, scopes, the symbols made so far, the function being read.
 */
import type { Constant } from '../constant';
import type { DiagnosticLog } from '../diagnostics/diagnosticLog';
import type { Span } from '../source';
import type { Target } from '../target';
import type {
  Alias,
  AssemblerNamed,
  Guarantee,
  LabelAddress,
  TypedExpression,
  FunctionSymbol,
  VariableSymbol,
} from '../tree';
import type { CType, DataModel, EnumType, Field, IntegerType, RecordLayout, Standard } from '../types';
import type { Mutable } from '../../mutable';
import { Scope } from './scope';

export interface FunctionElaboration {
  readonly symbol: FunctionSymbol;
  readonly labels: Map<string, Span>;
  readonly gotos: { readonly label: string; readonly span: Span }[];
  /** Labels whose address is taken. */
  readonly labelAddresses: LabelAddress[];
  /** Names already reported as undeclared in this function. */
  readonly undeclared: Set<string>;
  /** A label or `break` of a `switch` that is not there was reported; others say nothing new. */
  missesSwitch: boolean;
}

export interface SwitchContext {
  readonly type: CType;
  readonly cases: { readonly low: bigint; readonly high: bigint; readonly span: Span }[];
  defaultSpan: Span | undefined;
}

/** The parts of an enumeration that its definition will fill in. */
export interface ForwardEnum {
  readonly underlying: Mutable<IntegerType>;
  readonly constants: { readonly name: string; readonly value: bigint }[];
}

export class ElaborationContext {
  scope = new Scope(undefined, 'file');
  readonly fileScope = this.scope;
  readonly model: DataModel;

  readonly variables: VariableSymbol[] = [];
  readonly functions: FunctionSymbol[] = [];
  readonly typedefs = new Map<string, CType>();
  /** Everything with linkage, also when declared in a block. */
  readonly linked = new Map<
    string,
    { readonly symbol: VariableSymbol | FunctionSymbol; span: Span; defined: boolean }
  >();
  /** Values of const-qualified variables with constant initialisers, where GNU C takes them for constants. */
  readonly constants = new Map<VariableSymbol, Constant>();

  readonly enumConstants = new Map<string, bigint>();
  /** Records whose members are being read, and those of which a member could not be read. */
  readonly openRecords = new Set<RecordLayout>();
  readonly incompleteRecords = new Set<RecordLayout>();

  readonly forwardEnums = new Map<EnumType, ForwardEnum>();
  /** Variables declared 'register': their address cannot be taken. */
  readonly registers = new Set<VariableSymbol>();

  /** Declared by `PROVEST_OLD`, which compilers leave out. */
  readonly contractVariables = new Set<VariableSymbol>();
  /** Contracts that are being read. */
  contracts = 0;

  /** Symbols of variable-length arrays: pointers to their blocks. */
  readonly variableArrays = new Set<VariableSymbol>();

  /**
   * Evaluations of the type name or declaration that is being read: C evaluates the operand of `typeof` if its type has
   * a variable length. Undefined where there is no place for them.
   */
  evaluations: TypedExpression[] | undefined;

  /** Number so far: each needs a name of its own. */
  compoundLiterals = 0;
  /** The temporary objects of the current full expression. */
  temporaries: VariableSymbol[] = [];

  function: FunctionElaboration | undefined;
  loops = 0;
  breakables = 0;
  switches: SwitchContext[] = [];
  /** Declarators of definitions with a `restrict` pointer. */
  readonly restricted: Span[] = [];
  /** Declarations with a name of their own for the linker. */
  readonly assemblerNames: AssemblerNamed[] = [];
  readonly aliases: Alias[] = [];
  /** Guarantees of functions without a body. */
  readonly guarantees: Guarantee[] = [];
  /** Inside `sizeof` and the like: nothing there happens. */
  unevaluated = 0;

  /**
   * `partial`: parts of the text could not be parsed, so that a missing name means nothing. `idioms`: `assert`,
   * `assume`, `nondet` and the like may be called undeclared.
   */
  constructor(
    readonly target: Target,
    readonly log: DiagnosticLog,
    readonly partial: boolean,
    readonly idioms: boolean,
    readonly standard: Standard,
  ) {
    this.model = target.dataModel;
  }

  private vaList: CType | undefined;
  /**
   * `__builtin_va_list`: an array of one record, so that a `va_list` parameter is a pointer to its caller's; sizes as
   * in the ABI.
   */
  vaListType(): CType {
    if (!this.vaList) {
      const { integers } = this.target;
      const pointer: CType = { kind: 'pointer', to: { kind: 'void' } };
      const fields: Field[] =
        this.model === 'lp64'
          ? [
              { name: 'gp_offset', type: integers['unsigned int'], offsetBytes: 0 },
              { name: 'fp_offset', type: integers['unsigned int'], offsetBytes: 4 },
              { name: 'overflow_arg_area', type: pointer, offsetBytes: 8 },
              { name: 'reg_save_area', type: pointer, offsetBytes: 16 },
            ]
          : [{ name: 'next', type: pointer, offsetBytes: 0 }];
      const [sizeBytes, alignBytes] = this.model === 'lp64' ? [24, 8] : [4, 4];
      this.vaList = {
        kind: 'array',
        length: 1,
        of: {
          kind: 'record',
          record: { keyword: 'struct', tag: '__va_list_tag', complete: true, fields, sizeBytes, alignBytes },
        },
      };
    }
    return this.vaList;
  }

  inScope<T>(kind: 'block' | 'prototype', read: () => T): T {
    const outer = this.scope;
    this.scope = new Scope(outer, kind);
    try {
      return read();
    } finally {
      this.scope = outer;
    }
  }

  inContract<T>(read: () => T): T {
    this.contracts++;
    try {
      return read();
    } finally {
      this.contracts--;
    }
  }

  /** Reads a type, and adds what C evaluates with it to `evaluations`. */
  evaluating<T>(evaluations: TypedExpression[], read: () => T): T {
    const outer = this.evaluations;
    this.evaluations = evaluations;
    try {
      return read();
    } finally {
      this.evaluations = outer;
    }
  }

  withoutEvaluation<T>(read: () => T): T {
    this.unevaluated++;
    try {
      return read();
    } finally {
      this.unevaluated--;
    }
  }
}
