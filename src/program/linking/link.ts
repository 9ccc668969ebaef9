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
import type { Diagnostic } from '../../c/diagnostic';
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
import { isInteger } from '../../c/target';
import type { CType, DataModel, FunctionType } from '../../c/types';
import { type Guarantees, linkGuarantees } from './linkGuarantees';
import { compatible, holds } from '../lower/compatible';
import { specialFunction, unsupportedFunction, type Special } from '../lower/calls/special';
import { walkExpression, walkInitializer, walkStatement, type TreeVisitor } from '../lower/walk';
import { jumpOf } from '../automata/jumps';
import { isNative } from './natives';
import { isBuiltIn } from '../../c';
import { nearest } from '../../c/editDistance';
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
type FunctionEntry = { readonly symbol: FunctionSymbol; readonly unit: TranslationUnit };
type VariableEntry = { readonly symbol: VariableSymbol; readonly unit: TranslationUnit };

class Linker {
  private readonly functionDefinitions = new Map<string, FunctionEntry>();
  private readonly variableDefinitions = new Map<string, VariableEntry>();
  private readonly libraryUnits = new Map<string, TranslationUnit | undefined>();
  private readonly internal = new Map<TranslationUnit, Map<string, FunctionSymbol | VariableSymbol>>();
  private readonly firstDeclaration = new Map<string, FunctionSymbol | VariableSymbol>();

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
  private readonly disagreeing = new Set<string>();
  private readonly reportedVariables = new Set<string>();
  private registersHandlers = false;
  private registersQuickHandlers = false;
  private handlesSignals = false;

  constructor(
    private readonly options: LinkOptions,
    private readonly diagnostics: Diagnostic[],
  ) {}

  link(units: readonly TranslationUnit[]): LinkedProgram {
    for (const unit of units) this.register(unit);
    this.refuseSecondNames(units);
    this.guarantees = linkGuarantees(
      units,
      {
        bodyOf: ({ name, body, span }) => this.functionDefinitions.get(name)?.symbol.span ?? (body && span),
        isUnknown: ({ name, type }) => this.meaningOf(name, type).kind === 'external',
      },
      this.diagnostics,
    );
    const [constructors, destructors] = (['constructor', 'destructor'] as const).map((which) =>
      this.runBySystem(units, which),
    ) as [FunctionEntry[], FunctionEntry[]];
    const ownAtExit = this.functionDefinitions.has('atexit') || this.options.stubs.includes('atexit');
    this.registersHandlers = !ownAtExit && (destructors.length > 0 || mentions(units, 'atexit'));
    this.registersQuickHandlers =
      !this.functionDefinitions.has('at_quick_exit') &&
      !this.options.stubs.includes('at_quick_exit') &&
      mentions(units, 'at_quick_exit');
    this.handlesSignals = ['signal', 'sigaction'].some(
      (name) => !this.functionDefinitions.has(name) && !this.options.stubs.includes(name) && mentions(units, name),
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
    for (const unit of units) {
      for (const symbol of unit.variables)
        if (symbol.storage !== 'extern' && this.isTheDefinition(symbol, unit)) this.variable(symbol, unit);
      for (const symbol of unit.functions)
        if (symbol.body && this.isTheFunctionDefinition(symbol)) this.define({ symbol, unit }, 'program');
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
      functionOf: (symbol) => this.functionOfSymbol.get(symbol) ?? bug(symbol.name),
      variableOf: (symbol) => this.variableOfSymbol.get(symbol),
    };
  }

  /** By priority, then in textual order. Only a program with a `main` has a beginning and an end. */
  private runBySystem(units: readonly TranslationUnit[], which: 'constructor' | 'destructor'): FunctionEntry[] {
    const found = units.flatMap((unit) =>
      unit.functions
        .filter(
          (symbol) => symbol[`${which}Priority`] !== undefined && symbol.body && this.isTheFunctionDefinition(symbol),
        )
        .map((symbol) => ({ symbol, unit })),
    );
    for (const { symbol } of found) {
      const { name, span, type } = symbol;
      if (!this.functionDefinitions.has('main'))
        this.diagnostics.push({
          severity: 'error',
          message: `'${name}' is a ${which}, but there is no 'main' that it could run ${which === 'constructor' ? 'before' : 'after'}`,
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

  /** Registers the definitions of a unit and checks that they agree with the others. */
  private register(unit: TranslationUnit): void {
    this.noteInternal(unit);
    for (const symbol of unit.functions) {
      if (symbol.linkage === 'internal') continue;
      this.agree(symbol, symbol.type);
      if (!symbol.body) continue;
      const previous = this.functionDefinitions.get(symbol.name);
      if (!previous) this.functionDefinitions.set(symbol.name, { symbol, unit });
      else if (
        Boolean(symbol.inlineOnly) !== Boolean(previous.symbol.inlineOnly) &&
        sameText(symbol, previous.symbol)
      ) {
        // The inline definition is for calls in its own file. C leaves open which of the two is called there (6.7.4p7).
        if (previous.symbol.inlineOnly) this.functionDefinitions.set(symbol.name, { symbol, unit });
      } else if (!samePlace(previous.symbol.span, symbol.span)) this.twice('function', symbol, previous.symbol);
    }
    for (const symbol of unit.variables) {
      if (symbol.storage === 'static') continue;
      this.agree(symbol, symbol.type);
      if (symbol.storage === 'extern') continue;
      const previous = this.variableDefinitions.get(symbol.name);
      if (!previous) this.variableDefinitions.set(symbol.name, { symbol, unit });
      else if (!this.options.common) this.twice('variable', symbol, previous.symbol);
      else if (!symbol.initializer) continue;
      else if (!previous.symbol.initializer) this.variableDefinitions.set(symbol.name, { symbol, unit });
      else this.twice('variable', symbol, previous.symbol);
    }
  }

  private noteInternal(unit: TranslationUnit): void {
    const own = new Map<string, FunctionSymbol | VariableSymbol>();
    for (const symbol of unit.functions)
      if (symbol.linkage === 'internal' && (symbol.body || !own.has(symbol.name))) own.set(symbol.name, symbol);
    for (const symbol of unit.variables)
      if (symbol.storage === 'static' && symbol.owner === undefined) own.set(symbol.name, symbol);
    this.internal.set(unit, own);
  }

  /**
   * A symbol with an assembler name is the one that other declarations know by that name. Two C names of one function or
   * object are not modelled; an assembler name that nothing else in the program has changes nothing.
   */
  private refuseSecondNames(units: readonly TranslationUnit[]): void {
    const all = units.flatMap((unit) => unit.assemblerNames.map((one) => ({ ...one, unit })));
    for (const { name, assemblerName, kind, span, unit } of all) {
      const second = all.find((other) => other.assemblerName === assemblerName && other.name !== name);
      // The linker does not connect this declaration with a definition that has the C name.
      const definition = this.functionDefinitions.get(name) ?? this.variableDefinitions.get(name);
      const apart =
        definition && definition.unit !== unit && !all.some((one) => one.unit === definition.unit && one.name === name);
      const other =
        this.functionDefinitions.get(assemblerName)?.symbol.name ??
        this.variableDefinitions.get(assemblerName)?.symbol.name ??
        // Undefined functions may be anything, each by itself; a variable would be two.
        (kind === 'variable' && this.firstDeclaration.has(assemblerName) ? assemblerName : undefined) ??
        second?.name;
      if (other === undefined && !apart) continue;
      this.diagnostics.push({
        severity: 'error',
        message:
          other === undefined
            ? `'${name}' is '${assemblerName}' to the linker, but another file defines '${name}' under its own name`
            : `'${name}' is '${assemblerName}' to the linker${other === assemblerName ? '' : `, and so is '${other}'`}: two names of one ${kind} are not supported`,
        span,
        hint: other === undefined ? 'Leave the assembler name out.' : `Use one of the names in all files.`,
      });
    }
  }

  private twice(
    what: string,
    symbol: FunctionSymbol | VariableSymbol,
    previous: FunctionSymbol | VariableSymbol,
  ): void {
    this.diagnostics.push({
      severity: 'error',
      message: `${what} '${symbol.name}' is defined twice`,
      span: symbol.span,
      notes: [{ message: 'the other definition is here', span: previous.span }],
      hint:
        symbol.kind === 'variable' && !(symbol.initializer && previous.kind === 'variable' && previous.initializer)
          ? `Keep one definition and declare it 'extern' elsewhere, or make them 'static' if each file means its own.`
          : `Keep one definition, or make them 'static' if each file means its own.`,
    });
  }

  private agree(symbol: FunctionSymbol | VariableSymbol, type: CType): void {
    const first = this.firstDeclaration.get(symbol.name);
    if (!first) {
      this.firstDeclaration.set(symbol.name, symbol);
      return;
    }
    if (this.disagreeing.has(symbol.name) || (first.kind === symbol.kind && compatible(first.type, type))) return;
    this.disagreeing.add(symbol.name);
    this.diagnostics.push({
      severity: 'error',
      message: `'${symbol.name}' is declared with different types in different files`,
      span: symbol.span,
      notes: [{ message: `the other declaration is here: ${difference(first.type, type)}`, span: first.span }],
    });
  }

  private isTheDefinition(symbol: VariableSymbol, unit: TranslationUnit): boolean {
    if (symbol.storage === 'static')
      return symbol.owner !== undefined || this.internal.get(unit)!.get(symbol.name) === symbol;
    return this.variableDefinitions.get(symbol.name)?.symbol === symbol;
  }

  private isTheFunctionDefinition(symbol: FunctionSymbol): boolean {
    return symbol.linkage === 'internal' || this.functionDefinitions.get(symbol.name)?.symbol === symbol;
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
      type: this.completeType(symbol),
      span: symbol.span,
      initializer: symbol.initializer,
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

  /** `int a[];` without a further declaration is an array of one element (C11 6.9.2). */
  private completeType(symbol: VariableSymbol): CType {
    const { type } = symbol;
    if (type.kind !== 'array' || type.length !== undefined) return type;
    const declared = this.firstDeclaration.get(symbol.name)?.type;
    if (declared?.kind === 'array' && declared.length !== undefined && compatible(declared, type)) return declared;
    return { ...type, length: 1 };
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
    const own = this.internal.get(unit)!.get(symbol.name);
    if (own?.kind === 'function' && own.body && symbol.linkage === 'internal')
      return this.define({ symbol: own, unit }, from);
    const definition = this.functionDefinitions.get(symbol.name);
    if (definition) {
      if (!compatible(definition.symbol.type, symbol.type)) this.agree(symbol, symbol.type);
      return this.define(definition, 'program');
    }
    const unknown = this.undefinedFunctions.get(symbol.name);
    // The library's text means the library's function, even if the program has a function of that name.
    return unknown && !(from === 'library' && !compatible(unknown.type, symbol.type))
      ? unknown
      : this.undefinedFunction(symbol, span);
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
    if (meaning.kind === 'external') {
      const fromLibrary = this.fromLibrary(name, (unit) => unit.functions.find((f) => f.name === name && f.body));
      if (fromLibrary && !this.options.stubs.includes(name) && !this.isTheProgramsOwn(symbol, fromLibrary)) {
        if (!compatible(fromLibrary.symbol.type, type) && !similar(fromLibrary.symbol.type, type))
          this.unlikeLibrary(symbol, fromLibrary.symbol);
        return this.define(fromLibrary, 'library');
      }
      missing = this.mayBeUnknown(symbol, span);
      const answers =
        type.result.kind !== 'record' &&
        !symbol.noreturn &&
        !this.options.stubs.includes(name) &&
        guarantees.length === 0;
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

  /**
   * ISO C reserves its names for the library. A program may use those of POSIX and BSD otherwise (C11 7.1.3): a
   * declaration with another number of parameters means the program's own function. For words that many modules use
   * (`warn`, `err`, `basename`), so does any other type.
   */
  private isTheProgramsOwn({ type }: FunctionSymbol, { symbol, unit }: FunctionEntry): boolean {
    if (type.unprototyped) return false;
    if (/\/(unistd|fcntl|sys|strings)\/[^/]*$/.test(unit.path))
      return symbol.type.parameters.length !== type.parameters.length;
    return (
      /\/(getopt|err|libgen|fnmatch|netinet|sched)\/[^/]*$/.test(unit.path) &&
      !compatible(symbol.type, type) &&
      !similar(symbol.type, type)
    );
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
    this.noteInternal(unit);
    return unit;
  }

  private mayBeUnknown(symbol: FunctionSymbol, span: Span): Diagnostic | undefined {
    if (this.options.stubs.includes(symbol.name)) return undefined;
    const unsupported = unsupportedFunction(symbol.name);
    if (unsupported !== undefined)
      return { severity: 'error', message: `call of '${symbol.name}': ${unsupported}`, span };
    if (this.options.externals !== 'error') return undefined;
    const misspelt = nearest(
      symbol.name,
      this.options.stubs.filter((name) => !this.firstDeclaration.has(name)),
    );
    return {
      severity: 'error',
      message: `function '${symbol.name}' is called but not defined`,
      span,
      notes: [
        ...(samePlace(symbol.span, span) || isBuiltIn(symbol.span)
          ? []
          : [{ message: 'it is declared here', span: symbol.span }]),
        ...this.staticElsewhere(symbol.name),
      ],
      hint:
        misspelt !== undefined
          ? `There is a stub for '${misspelt}', which the program does not know: call it '${symbol.name}'.`
          : `Add the file that defines it, or a stub: stubs: { ${stubSkeleton(symbol)} }, or let it return anything: externals: 'any' (--externals any).`,
    };
  }

  /** A hint at a static function of that name, which other files cannot see. */
  private staticElsewhere(name: string): { message: string; span: Span }[] {
    for (const own of this.internal.values()) {
      const symbol = own.get(name);
      if (symbol && (symbol.kind === 'variable' || symbol.body))
        return [{ message: "this one is 'static', so that other files do not see it", span: symbol.span }];
    }
    return [];
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
      this.diagnostics.push({
        severity: 'error',
        message: `variable '${symbol.name}' is used but not defined`,
        span,
        notes: [{ message: 'it is declared here', span: symbol.span }, ...this.staticElsewhere(symbol.name)],
        hint: 'Add the file that defines it, or define it in a file of your own.',
      });
    }
  }

  private findVariable(
    symbol: VariableSymbol,
    unit: TranslationUnit,
  ): (LinkedVariable & { addressTaken: boolean }) | undefined {
    if (symbol.owner !== undefined && symbol.storage === 'static') return this.variable(symbol, unit);
    const own = this.internal.get(unit)!.get(symbol.name);
    if (own?.kind === 'variable') return this.variable(own, unit);
    const definition =
      this.variableDefinitions.get(symbol.name) ?? (symbol.storage === 'extern' ? undefined : { symbol, unit });
    if (definition) {
      if (!compatible(definition.symbol.type, symbol.type)) this.agree(symbol, symbol.type);
      return this.variable(definition.symbol, definition.unit);
    }
    const supplied = this.fromLibrary(symbol.name, (library) =>
      library.variables.find((v) => v.name === symbol.name && v.storage === 'global'),
    );
    if (!supplied) return undefined;
    if (
      !compatible(supplied.symbol.type, symbol.type) &&
      !(supplied.symbol.type.kind === 'pointer' && alike(supplied.symbol.type, symbol.type))
    )
      this.unlikeLibrary(symbol, supplied.symbol);
    return this.variable(supplied.symbol, supplied.unit);
  }
}

const exitHandlers = '__provest_run_exit_handlers';

function mentions(units: readonly TranslationUnit[], name: string): boolean {
  let found = false;
  const visitor: TreeVisitor = {
    expression: (e) => {
      if (e.kind === 'function' && e.symbol.name === name) found = true;
    },
  };
  for (const unit of units) {
    if (!unit.functions.some((fn) => fn.name === name)) continue;
    for (const fn of unit.functions) if (fn.body) walkStatement(fn.body, visitor);
    for (const variable of unit.variables) if (variable.initializer) walkInitializer(variable.initializer, visitor);
  }
  return found;
}

/** The name, prefixed with the name of its file if the program has it already. */
function unique(name: string, unit: TranslationUnit, taken: Set<string>): string {
  const file = unit.path.slice(unit.path.lastIndexOf('/') + 1);
  let candidate = name;
  for (let n = 1; taken.has(candidate); n++) candidate = n === 1 ? `${file}:${name}` : `${file}:${name}#${n}`;
  taken.add(candidate);
  return candidate;
}

/**
 * Old code declares library functions by hand (`int strlen(char *)`), and other headers name the library's structures
 * differently. If each type agrees up to pointer targets, integer widths or an unwanted result, calls convert and mean
 * the library's function. Every compiler does the same.
 */
function similar(library: FunctionType, declared: FunctionType): boolean {
  return (
    (declared.result.kind === 'void' || alike(library.result, declared.result)) &&
    library.variadic === declared.variadic &&
    (declared.unprototyped ||
      (library.parameters.length === declared.parameters.length &&
        library.parameters.every(({ type }, i) => alike(type, declared.parameters[i]!.type))))
  );
}

function alike(library: CType, declared: CType): boolean {
  if (library.kind === 'pointer' && declared.kind === 'pointer')
    return isFile(library.to) || pointsAlike(library.to, declared.to);
  if (library.kind === 'record' && declared.kind === 'record')
    return library.record.sizeBytes === declared.record.sizeBytes && holds(declared.record, library.record);
  return (isInteger(library) && isInteger(declared)) || compatible(library, declared);
}

/** Structures that the library writes or reads must have the library's layout. */
function pointsAlike(library: CType, declared: CType): boolean {
  if (library.kind !== 'record' || declared.kind !== 'record' || !library.record.complete || !declared.record.complete)
    return true;
  return holds(declared.record, library.record);
}

/** A program only passes on the pointer that the library returned. */
const isFile = (type: CType): boolean => type.kind === 'record' && type.record.tag === 'provest_file';

function difference(there: CType, here: CType): string {
  const [one, other] = [printType(there), printType(here)];
  return one === other ? `'${one}', with a structure of another layout` : `'${one}' there, '${other}' here`;
}

/** The texts are equal, so it makes no difference which one is called. */
function sameText(a: FunctionSymbol, b: FunctionSymbol): boolean {
  const text = ({ body }: FunctionSymbol): string | undefined =>
    body?.span.file.text.slice(body.span.start, body.span.end).replace(/\s+/g, ' ');
  return text(a) === text(b);
}

/** An inline function in a header occurs once per unit that includes it. */
function samePlace(a: Span, b: Span): boolean {
  return a.file.path === b.file.path && a.start === b.start;
}

function bug(name: string): never {
  throw new Error(`the reference to ${name} was not linked: the walk over the tree must visit it`);
}
