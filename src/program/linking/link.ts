/**
 * Linking: the meaning of every name of every unit in the whole program. Definitions with external linkage are shared,
 * statics are kept apart. An undefined function is the first of these that exists:
 *
 * - a stub of the host,
 * - a function that lowering knows,
 * - a native library function,
 * - a function of the bundled C library (linked with the units it needs),
 * - an unknown function: an error, or an external value.
 *
 * Only referenced library functions join the program. All link errors are reported together. A call of a missing
 * function is an error only if lowering finds it reachable: compilers drop the call from `if (0) f();`, and programs
 * rely on it.
 */
import { isBundled } from '../../c/bundled';
import type { Diagnostic } from '../../c/diagnostics/diagnostic';
import type { Span } from '../../c/source';
import type {
  TypedExpression,
  FunctionSymbol,
  Guarantee,
  Initializer,
  TranslationUnit,
  VariableSymbol,
} from '../../c/tree';
import { printType } from '../../c/printType';
import type { CType, DataModel, FunctionType } from '../../c/types';
import { Definitions, samePlace, type FunctionEntry } from './definitions';
import { alike, isTheProgramsOwn, similar } from './libraryTypes';
import { type Guarantees, linkGuarantees } from './linkGuarantees';
import { compatible } from '../lower/compatible';
import { specialFunction, unsupportedFunction, type Special } from '../lower/calls/special';
import { isInputType } from '../lower/objects/inputType';
import { walkExpression, walkInitializer, walkStatement, type TreeVisitor } from '../lower/walk';
import { jumpOf } from '../automata/jumps';
import { mentions, printsTexts } from './mentions';
import { isNative } from './natives';
import { refusedElsewhere, undefinedVariable } from './undefinedVariable';
import { isBuiltIn } from '../../c';
import { nearest } from '../../c/diagnostics/editDistance';
import { stubSkeleton } from '../stubSkeleton';

export interface LinkOptions {
  readonly dataModel: DataModel;
  /** Treatment of functions that are defined nowhere. */
  readonly externals: 'error' | 'any' | 'value' | 'angelic';
  /** Names of functions that the host implements. */
  readonly stubs: readonly string[];
  /** `unknown` is an input, as in verification papers. */
  readonly idioms?: boolean;
  /** `int x;` in several files is one variable, as with `-fcommon`. Default: it is a duplicate definition. */
  readonly common?: boolean;
  /** Variables that no file defines are an error (default if `externals` is), or have unknown contents. */
  readonly variablesElsewhere?: 'error' | 'unknown' | undefined;
  /** The unit of the bundled C library that defines a function (or variable) of this name. */
  readonly libraryUnit?: (name: string) => TranslationUnit | undefined;
}

export interface LinkedFunction {
  readonly kind: 'defined';
  /**
   * Unique in the program: the C name, prefixed with the file's name for a static whose name another file uses as well.
   */
  readonly name: string;
  readonly symbol: FunctionSymbol;
  readonly library: boolean;
  addressTaken: boolean;
}
export interface UndefinedFunction {
  readonly kind: 'undefined';
  readonly name: string;
  readonly type: FunctionType;
  readonly meaning:
    | {
        readonly kind: 'special';
        readonly special: Special;
        /** The function is unknown and assumed to do nothing but return a value. */
        readonly assumed?: true;
      }
    | { readonly kind: 'native' }
    | { readonly kind: 'external' };
  /** The first reference. */
  readonly span: Span;
  /** The declaration says so. */
  readonly noreturn: boolean;
  /** The error to report if a call is reachable. */
  readonly missing?: Diagnostic;
  /** Hold whenever a call returns. */
  readonly guarantees: readonly Guarantee[];
  addressTaken: boolean;
}
export interface LinkedVariable {
  readonly name: string;
  /**
   * The host's name for the function: the C name, or `function.name` for static locals. The file's name stands in front
   * if the name is not unique.
   */
  readonly path: string;
  readonly type: CType;
  readonly span: Span;
  readonly initializer: Initializer | undefined;
  readonly visible: boolean;
  /** From the bundled C library. */
  readonly library: boolean;
  addressTaken: boolean;
  /** As in `VariableSymbol`. */
  readonly alignBytes?: number;
  /** No file defines it. */
  readonly elsewhere?: true;
}

export interface LinkedProgram {
  readonly units: readonly TranslationUnit[];
  readonly functions: readonly LinkedFunction[];
  readonly undefinedFunctions: readonly UndefinedFunction[];
  readonly variables: readonly LinkedVariable[];
  /** GNU's constructors, which `main` calls first, in order. */
  readonly constructors: readonly LinkedFunction[];
  /** GNU's destructors, in the order in which `main` registers them, and the function that registers them. */
  readonly destructors: readonly LinkedFunction[];
  readonly atExit: LinkedFunction | undefined;
  /** The function that `main` calls at its end, if the program registers functions with `atexit`. */
  readonly exitHandlers: LinkedFunction | undefined;
  /** The library's `strlen`, if a native function is to print a text whose end is not known. */
  readonly textLength: LinkedFunction | undefined;
  functionOf(symbol: FunctionSymbol): LinkedFunction | UndefinedFunction;
  /** Undefined for automatic variables and parameters. */
  variableOf(symbol: VariableSymbol): LinkedVariable | undefined;
}

/** Errors are added to `diagnostics`. If there are any, the result must not be used. */
export function link(
  units: readonly TranslationUnit[],
  options: LinkOptions,
  diagnostics: Diagnostic[],
): LinkedProgram {
  return new Linker(options, diagnostics).link(units);
}

type CodeOrigin = 'program' | 'library';
class Linker {
  private readonly definitions: Definitions;
  private readonly libraryUnits = new Map<string, TranslationUnit | undefined>();

  private readonly linkedFunctions = new Map<FunctionSymbol, LinkedFunction>();
  private readonly linkedVariables = new Map<VariableSymbol, LinkedVariable & { addressTaken: boolean }>();
  private readonly undefinedFunctions = new Map<string, UndefinedFunction>();
  private readonly functionOfSymbol = new Map<FunctionSymbol, LinkedFunction | UndefinedFunction>();
  private readonly variableOfSymbol = new Map<VariableSymbol, LinkedVariable>();
  private readonly names = new Set<string>();
  private readonly paths = new Set<string>();
  private readonly pending: (() => void)[] = [];
  /** Guarantees of functions without a body, by name. */
  private guarantees: Guarantees = new Map();
  private readonly reportedVariables = new Set<string>();
  /** Variables that no file defines, by their name to the linker. */
  private readonly elsewhere = new Map<string, LinkedVariable & { addressTaken: boolean }>();
  private readonly allowsElsewhere: boolean;
  private registersHandlers = false;
  private registersQuickHandlers = false;
  private handlesSignals = false;

  constructor(
    private readonly options: LinkOptions,
    private readonly diagnostics: Diagnostic[],
  ) {
    this.definitions = new Definitions(options.common === true, diagnostics);
    const { variablesElsewhere = options.externals === 'error' ? 'error' : 'unknown' } = options;
    this.allowsElsewhere = variablesElsewhere === 'unknown';
  }

  link(units: readonly TranslationUnit[]): LinkedProgram {
    this.definitions.registerAll(units);
    this.guarantees = linkGuarantees(
      units,
      {
        bodyOf: (symbol) => this.definitions.functionOf(symbol)?.symbol.span ?? (symbol.body && symbol.span),
        isUnknown: ({ name, type }) => this.meaningOf(name, type).kind === 'external',
      },
      this.diagnostics,
    );
    const [constructors, destructors] = (['constructor', 'destructor'] as const).map((which) =>
      this.runBySystem(units, which),
    ) as [FunctionEntry[], FunctionEntry[]];
    const ownAtExit = this.definitions.has('atexit') || this.options.stubs.includes('atexit');
    this.registersHandlers = !ownAtExit && (destructors.length > 0 || mentions(units, 'atexit'));
    this.registersQuickHandlers =
      !this.definitions.has('at_quick_exit') &&
      !this.options.stubs.includes('at_quick_exit') &&
      mentions(units, 'at_quick_exit');
    this.handlesSignals = ['signal', 'sigaction'].some(
      (name) => !this.definitions.has(name) && !this.options.stubs.includes(name) && mentions(units, name),
    );
    if (ownAtExit && destructors.length > 0)
      this.diagnostics.push({
        severity: 'error',
        message: "a destructor beside an 'atexit' of the program's own is not supported",
        span: destructors[0]!.symbol.span,
      });
    const atExit =
      destructors.length > 0
        ? this.fromLibrary('atexit', (unit) => unit.functions.find((f) => f.name === 'atexit' && f.body))
        : undefined;
    const linkedAtExit = atExit && this.define(atExit, 'library');
    const handlers = this.registersHandlers
      ? this.fromLibrary(exitHandlers, (unit) => unit.functions.find((f) => f.name === exitHandlers && f.body))
      : undefined;
    const linkedHandlers = handlers && this.define(handlers, 'library');
    const measure = printsTexts(units, ({ name, type }) => this.meaningOf(name, type).kind === 'native')
      ? this.fromLibrary('strlen', (unit) => unit.functions.find((f) => f.name === 'strlen' && f.body))
      : undefined;
    const linkedMeasure = measure && this.define(measure, 'library');
    for (const unit of units) {
      for (const symbol of unit.variables)
        if (symbol.storage !== 'extern' && this.definitions.isTheDefinition(symbol, unit)) this.variable(symbol, unit);
      for (const symbol of unit.functions)
        if (symbol.body && this.definitions.isTheFunctionDefinition(symbol)) this.define({ symbol, unit }, 'program');
    }
    while (this.pending.length > 0) this.pending.shift()!();
    return {
      units,
      functions: [...this.linkedFunctions.values()],
      undefinedFunctions: [...this.undefinedFunctions.values()],
      variables: [...this.linkedVariables.values()],
      constructors: constructors.map((entry) => this.define(entry, 'program')),
      destructors: destructors.map((entry) => Object.assign(this.define(entry, 'program'), { addressTaken: true })),
      atExit: linkedAtExit,
      exitHandlers: linkedHandlers,
      textLength: linkedMeasure,
      functionOf: (symbol) => this.functionOfSymbol.get(symbol) ?? bug(symbol.name),
      variableOf: (symbol) => this.variableOfSymbol.get(symbol),
    };
  }

  /** By priority, then in textual order. Only a program with a `main` has a beginning and an end. */
  private runBySystem(units: readonly TranslationUnit[], which: 'constructor' | 'destructor'): FunctionEntry[] {
    const found = units.flatMap((unit) =>
      unit.functions
        .filter(
          (symbol) =>
            symbol[`${which}Priority`] !== undefined && symbol.body && this.definitions.isTheFunctionDefinition(symbol),
        )
        .map((symbol) => ({ symbol, unit })),
    );
    for (const { symbol } of found) {
      const { name, span, type } = symbol;
      if (!this.definitions.has('main'))
        this.diagnostics.push({
          severity: 'error',
          message:
            `'${name}' is a ${which}, but there is no 'main' that it could run ` +
            `${which === 'constructor' ? 'before' : 'after'}`,
          span,
          hint: `Call '${name}' from the test, and take the attribute out, with a macro for example.`,
        });
      else if (type.parameters.length > 0)
        this.diagnostics.push({
          severity: 'error',
          message: `the ${which} '${name}' takes parameters, which is not supported`,
          span,
        });
    }
    return found.sort((a, b) => a.symbol[`${which}Priority`]! - b.symbol[`${which}Priority`]!);
  }

  private define({ symbol, unit }: FunctionEntry, from: CodeOrigin): LinkedFunction {
    const known = this.linkedFunctions.get(symbol);
    if (known) return known;
    const linked: LinkedFunction = {
      kind: 'defined',
      name: unique(symbol.name, unit, this.names),
      symbol,
      library: from === 'library',
      addressTaken: false,
    };
    this.linkedFunctions.set(symbol, linked);
    this.functionOfSymbol.set(symbol, linked);
    this.pending.push(() => walkStatement(symbol.body!, this.references(unit, from)));
    return linked;
  }

  private variable(symbol: VariableSymbol, unit: TranslationUnit): LinkedVariable & { addressTaken: boolean } {
    const known = this.linkedVariables.get(symbol);
    if (known) return known;
    const library = [...this.libraryUnits.values()].includes(unit);
    const path = unique(symbol.owner === undefined ? symbol.name : `${symbol.owner}.${symbol.name}`, unit, this.paths);
    const linked = {
      name: symbol.name,
      path,
      type: this.definitions.completeType(symbol),
      span: symbol.span,
      initializer: symbol.initializer,
      ...(symbol.alignBytes !== undefined && { alignBytes: symbol.alignBytes }),
      visible: symbol.storage === 'global' && !library,
      library,
      addressTaken: symbol.addressTaken,
    };
    this.linkedVariables.set(symbol, linked);
    this.variableOfSymbol.set(symbol, linked);
    if (symbol.initializer) {
      const { initializer } = symbol;
      this.pending.push(() => walkInitializer(initializer, this.references(unit, 'program')));
    }
    return linked;
  }

  /** Resolves every name that code of `unit` uses. */
  private references(unit: TranslationUnit, from: CodeOrigin): TreeVisitor {
    const callees = new Set<TypedExpression>();
    return {
      expression: (e) => {
        if (e.kind === 'call' && e.callee.kind === 'function-pointer' && e.callee.designator.kind === 'function')
          callees.add(e.callee.designator);
        if (e.kind === 'function') {
          const target = this.resolveFunction(e.symbol, unit, from, e.span);
          if (!callees.has(e)) target.addressTaken = true;
        }
        if (e.kind === 'variable') this.resolveVariable(e.symbol, unit, e.span);
      },
    };
  }

  private resolveFunction(
    symbol: FunctionSymbol,
    unit: TranslationUnit,
    from: CodeOrigin,
    span: Span,
  ): LinkedFunction | UndefinedFunction {
    const known = this.functionOfSymbol.get(symbol);
    if (known) return known;
    const target = this.findFunction(symbol, unit, from, span);
    this.functionOfSymbol.set(symbol, target);
    return target;
  }

  private findFunction(
    symbol: FunctionSymbol,
    unit: TranslationUnit,
    from: CodeOrigin,
    span: Span,
  ): LinkedFunction | UndefinedFunction {
    const own = this.definitions.internal.get(unit)!.get(symbol.name);
    if (own?.kind === 'function' && own.body && symbol.linkage === 'internal')
      return this.define({ symbol: own, unit }, from);
    const definition = this.definitions.functionOf(symbol);
    if (definition) {
      if (!compatible(definition.symbol.type, symbol.type)) this.definitions.agree(symbol);
      return this.define(definition, 'program');
    }
    const named = from === 'library' ? symbol : this.named(symbol);
    const unknown = this.undefinedFunctions.get(named.name);
    // The library's text means the library's function, even if the program has a function of that name.
    return unknown && !(from === 'library' && !compatible(unknown.type, symbol.type))
      ? unknown
      : this.undefinedFunction(named, span);
  }

  /**
   * Functions of the C library may have other names to the linker, which its headers state. But a name that the library
   * does not know is one of its functions if that is the assembler name.
   */
  private named(symbol: FunctionSymbol): FunctionSymbol {
    const { name, type } = symbol;
    const assemblerName = this.definitions.linkerName(symbol);
    if (assemblerName === name || this.options.stubs.includes(name)) return symbol;
    const isOfLibrary = (one: string): boolean =>
      this.meaningOf(one, type).kind !== 'external' ||
      this.fromLibrary(one, (unit) => unit.functions.find((f) => f.name === one && f.body)) !== undefined;
    if (!isOfLibrary(assemblerName)) return symbol;
    if (isOfLibrary(name))
      this.diagnostics.push({
        severity: 'error',
        message: `'${name}' is '${assemblerName}' to the linker, but the C library has both: not supported`,
        span: symbol.span,
        hint: 'Leave the assembler name out, or give the function another name in C.',
      });
    return { ...symbol, name: assemblerName };
  }

  private undefinedFunction(symbol: FunctionSymbol, span: Span): LinkedFunction | UndefinedFunction {
    const { name, type } = symbol;
    let meaning = this.meaningOf(name, type);
    let missing: Diagnostic | undefined;
    const guarantees: Guarantee[] = [];
    for (const { guarantee, unit } of this.guarantees.get(name) ?? []) {
      guarantees.push(guarantee);
      this.pending.push(() => walkExpression(guarantee.condition, this.references(unit, 'program')));
    }
    if (symbol.linkage === 'internal' && !this.options.stubs.includes(name)) {
      meaning = { kind: 'external' };
      missing = {
        severity: 'error',
        message: `function '${name}' is declared 'static' and not defined in this file`,
        span,
      };
    } else if (meaning.kind === 'external') {
      const fromLibrary = this.fromLibrary(name, (unit) => unit.functions.find((f) => f.name === name && f.body));
      if (fromLibrary && !this.options.stubs.includes(name) && !isTheProgramsOwn(symbol, fromLibrary)) {
        if (!compatible(fromLibrary.symbol.type, type) && !similar(fromLibrary.symbol.type, type))
          this.unlikeLibrary(symbol, fromLibrary.symbol);
        return this.define(fromLibrary, 'library');
      }
      missing = this.mayBeUnknown(symbol, span);
      const isPlain = !symbol.noreturn && !this.options.stubs.includes(name) && guarantees.length === 0;
      const answers = isPlain && isInputType(type.result, this.options.dataModel);
      if (this.options.externals === 'value' && answers && !missing)
        meaning = {
          kind: 'special',
          special: { kind: type.result.kind === 'void' ? 'nothing' : 'nondet' },
          assumed: true,
        };
    }
    const linked: UndefinedFunction = {
      kind: 'undefined',
      name,
      type,
      meaning,
      span,
      noreturn: symbol.noreturn,
      addressTaken: false,
      guarantees,
      ...(missing && { missing }),
    };
    this.undefinedFunctions.set(name, linked);
    return linked;
  }

  private unlikeLibrary(symbol: FunctionSymbol | VariableSymbol, own: FunctionSymbol | VariableSymbol): void {
    const [here, there] = [printType(symbol.type), printType(own.type)];
    const how = here === there ? `'${here}' with a structure of another layout` : `'${here}', there '${there}'`;
    this.diagnostics.push({
      severity: 'error',
      message: `'${symbol.name}' is declared with a type that is not the C library's: ${how}`,
      span: symbol.span,
      notes: [{ message: "the library's is here", span: own.span }],
      hint:
        symbol.kind === 'function'
          ? `Include provest's own header for it, or give a stub: stubs: { ${stubSkeleton(symbol)} }.`
          : "Include provest's own header for it.",
    });
  }

  private meaningOf(name: string, type: FunctionType): UndefinedFunction['meaning'] {
    if (this.options.stubs.includes(name)) return { kind: 'external' };
    const special = specialFunction(name, type, this.options.idioms);
    if (special && !this.isWrittenOut(name)) return { kind: 'special', special };
    return { kind: isNative(name) || jumpOf(name) ? 'native' : 'external' };
  }

  /**
   * Functions that lowering knows but the library implements for this program: with `atexit` handlers or signal
   * handlers they do more.
   */
  private isWrittenOut(name: string): boolean {
    return (
      (name === 'exit' && this.registersHandlers) ||
      (name === 'quick_exit' && this.registersQuickHandlers) ||
      (name === 'abort' && this.handlesSignals)
    );
  }

  private fromLibrary<S>(
    name: string,
    find: (unit: TranslationUnit) => S | undefined,
  ): { symbol: S; unit: TranslationUnit } | undefined {
    if (!this.libraryUnits.has(name)) this.libraryUnits.set(name, this.load(name));
    const unit = this.libraryUnits.get(name);
    const symbol = unit && find(unit);
    return symbol && { symbol, unit };
  }

  /** One unit may define several functions and is linked once. */
  private load(name: string): TranslationUnit | undefined {
    const unit = this.options.libraryUnit?.(name);
    if (!unit) return undefined;
    const known = [...this.libraryUnits.values()].find((other) => other?.path === unit.path);
    if (known) return known;
    this.definitions.noteInternal(unit);
    return unit;
  }

  private mayBeUnknown(symbol: FunctionSymbol, span: Span): Diagnostic | undefined {
    if (this.options.stubs.includes(symbol.name)) return undefined;
    const unsupported = unsupportedFunction(symbol.name);
    if (unsupported !== undefined)
      return {
        severity: 'error',
        message: `call of '${symbol.name}': ${unsupported}`,
        span,
        hint: `A stub takes its place: stubs: { ${stubSkeleton(symbol)} }.`,
      };
    if (symbol.weak)
      return {
        severity: 'error',
        message:
          `the function '${symbol.name}' is weak and not defined, so that its address is null: ` +
          'such functions are not supported',
        span,
        hint: 'Add a file that defines it, or a stub.',
      };
    if (this.options.externals !== 'error') return undefined;
    const misspelt = nearest(
      symbol.name,
      this.options.stubs.filter((name) => !this.definitions.isDeclared(name)),
    );
    return {
      severity: 'error',
      message: isBundled(symbol.span.file.path)
        ? `call of '${symbol.name}': provest declares it and has no model of it`
        : `function '${symbol.name}' is called but not defined`,
      span,
      notes: [
        ...(samePlace(symbol.span, span) || isBuiltIn(symbol.span) || isBundled(symbol.span.file.path)
          ? []
          : [{ message: 'it is declared here', span: symbol.span }]),
        ...this.definitions.staticElsewhere(symbol.name),
      ],
      hint:
        misspelt !== undefined
          ? `There is a stub for '${misspelt}', which the program does not know: call it '${symbol.name}'.`
          : `Add the file that defines it, or a stub: stubs: { ${stubSkeleton(symbol)} }, or let it return ` +
            "anything: externals: 'any' (--externals any).",
    };
  }

  private resolveVariable(symbol: VariableSymbol, unit: TranslationUnit, span: Span): void {
    if (symbol.storage === 'automatic' || symbol.storage === 'parameter' || this.variableOfSymbol.has(symbol)) {
      const known = this.variableOfSymbol.get(symbol);
      if (known) known.addressTaken ||= symbol.addressTaken;
      return;
    }
    const linked = this.findVariable(symbol, unit);
    if (linked) {
      linked.addressTaken ||= symbol.addressTaken;
      this.variableOfSymbol.set(symbol, linked);
    } else if (!this.reportedVariables.has(symbol.name)) {
      this.reportedVariables.add(symbol.name);
      const refusal = this.allowsElsewhere ? this.refusedElsewhere(symbol) : undefined;
      const { message, hint } = undefinedVariable(symbol.name, refusal);
      const notes = [{ message: 'it is declared here', span: symbol.span }];
      this.diagnostics.push({
        severity: 'error',
        message,
        span,
        notes: [...notes, ...this.definitions.staticElsewhere(symbol.name)],
        hint,
      });
    }
  }

  private findVariable(
    symbol: VariableSymbol,
    unit: TranslationUnit,
  ): (LinkedVariable & { addressTaken: boolean }) | undefined {
    if (symbol.owner !== undefined && symbol.storage === 'static') return this.variable(symbol, unit);
    const own = this.definitions.internal.get(unit)!.get(symbol.name);
    if (own?.kind === 'variable') return this.variable(own, unit);
    const definition =
      this.definitions.variableOf(symbol) ?? (symbol.storage === 'extern' ? undefined : { symbol, unit });
    if (definition) {
      if (!compatible(definition.symbol.type, symbol.type)) this.definitions.agree(symbol);
      return this.variable(definition.symbol, definition.unit);
    }
    const supplied = this.fromLibrary(symbol.name, (library) =>
      library.variables.find((v) => v.name === symbol.name && v.storage === 'global'),
    );
    if (!supplied) return this.variableElsewhere(symbol);
    if (
      !compatible(supplied.symbol.type, symbol.type) &&
      !(supplied.symbol.type.kind === 'pointer' && alike(supplied.symbol.type, symbol.type))
    )
      this.unlikeLibrary(symbol, supplied.symbol);
    return this.variable(supplied.symbol, supplied.unit);
  }

  /** The variable that no file defines, if its contents may be unknown. */
  private variableElsewhere(symbol: VariableSymbol): (LinkedVariable & { addressTaken: boolean }) | undefined {
    if (!this.allowsElsewhere || this.refusedElsewhere(symbol) !== undefined) return undefined;
    const name = this.definitions.linkerName(symbol);
    const known = this.elsewhere.get(name);
    if (known) return known;
    this.paths.add(symbol.name);
    const linked = {
      name: symbol.name,
      path: symbol.name,
      type: this.definitions.declaredType(symbol),
      span: symbol.span,
      initializer: undefined,
      ...(symbol.alignBytes !== undefined && { alignBytes: symbol.alignBytes }),
      visible: true,
      library: false,
      elsewhere: true as const,
      addressTaken: symbol.addressTaken,
    };
    this.elsewhere.set(name, linked);
    this.linkedVariables.set(symbol, linked);
    return linked;
  }

  private refusedElsewhere(symbol: VariableSymbol): string | undefined {
    return refusedElsewhere(symbol, this.definitions.declaredType(symbol));
  }
}

const exitHandlers = '__provest_run_exit_handlers';

/** The name, prefixed with the name of its file if the program has it already. */
function unique(name: string, unit: TranslationUnit, taken: Set<string>): string {
  const file = unit.path.slice(unit.path.lastIndexOf('/') + 1);
  let candidate = name;
  for (let n = 1; taken.has(candidate); n++) candidate = n === 1 ? `${file}:${name}` : `${file}:${name}#${n}`;
  taken.add(candidate);
  return candidate;
}

function bug(name: string): never {
  throw new Error(`the reference to ${name} was not linked: the walk over the tree must visit it`);
}
