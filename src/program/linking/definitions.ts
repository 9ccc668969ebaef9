/**
 * The definitions of a program's units by the name that the linker knows, and what is wrong with them: two definitions,
 * declarations that disagree.
 *
 * The linker's name is the C name, or GNU's assembler name. GNU's `alias` is a further name of a definition. Among
 * definitions of one name those that are not `weak` come first, then the order of the files, as with `ld`.
 */
import type { Diagnostic } from '../../c/diagnostics/diagnostic';
import { printType } from '../../c/printType';
import type { Span } from '../../c/source';
import type { Alias, FunctionSymbol, TranslationUnit, VariableSymbol } from '../../c/tree';
import { compatible } from '../lower/compatible';
import type { CType } from '../../c/types';

export type FunctionEntry = { readonly symbol: FunctionSymbol; readonly unit: TranslationUnit };
export type VariableEntry = { readonly symbol: VariableSymbol; readonly unit: TranslationUnit };

export class Definitions {
  /** By the linker's name. */
  private readonly functions = new Map<string, FunctionEntry>();
  private readonly variables = new Map<string, VariableEntry>();
  private readonly assemblerNames = new Map<FunctionSymbol | VariableSymbol, string>();
  private readonly aliased = new Map<FunctionSymbol | VariableSymbol, FunctionEntry | VariableEntry>();
  /** Functions and variables with internal linkage, by unit and name. */
  readonly internal = new Map<TranslationUnit, Map<string, FunctionSymbol | VariableSymbol>>();
  private readonly declarations = new Map<string, FunctionSymbol | VariableSymbol>();
  private readonly disagreeing = new Set<string>();
  /** Names with a weak alias for a definition. */
  private readonly weakNames = new Set<string>();
  private readonly declaredVariables = new Map<string, VariableSymbol[]>();

  /** `common`: variables without an initialiser may be defined in several files. */
  constructor(
    private readonly common: boolean,
    private readonly diagnostics: Diagnostic[],
  ) {}

  isDeclared(name: string): boolean {
    return this.declarations.has(name);
  }

  /** The definition of a function that the program itself has under this C name. */
  has(name: string): boolean {
    return this.functions.has(name);
  }

  functionOf(symbol: FunctionSymbol): FunctionEntry | undefined {
    return this.functions.get(this.linkerName(symbol));
  }

  variableOf(symbol: VariableSymbol): VariableEntry | undefined {
    return this.variables.get(this.linkerName(symbol));
  }

  linkerName(symbol: FunctionSymbol | VariableSymbol): string {
    return this.assemblerNames.get(symbol) ?? symbol.name;
  }

  /** Registers the definitions of the units and checks that they agree. */
  registerAll(units: readonly TranslationUnit[]): void {
    for (const unit of units) this.noteAssemblerNames(unit);
    for (const unit of units) this.register(unit);
    for (const unit of units) for (const alias of unit.aliases) this.registerAlias(alias, unit);
    this.refuseNamesApart(units);
  }

  private noteAssemblerNames(unit: TranslationUnit): void {
    for (const { name, assemblerName, kind, span } of unit.assemblerNames) {
      const symbol = (kind === 'function' ? unit.functions : unit.variables).find(
        (one) => one.name === name && !(one.kind === 'variable' && one.owner !== undefined),
      );
      if (!symbol) continue;
      const before = this.assemblerNames.get(symbol);
      if (before !== undefined && before !== assemblerName)
        this.diagnostics.push({
          severity: 'error',
          message: `'${name}' is '${assemblerName}' to the linker here, but '${before}' in another declaration`,
          span,
        });
      this.assemblerNames.set(symbol, assemblerName);
    }
  }

  private register(unit: TranslationUnit): void {
    this.noteInternal(unit);
    for (const symbol of unit.functions) {
      if (symbol.linkage === 'internal') continue;
      this.agree(symbol);
      if (!symbol.body) continue;
      const name = this.linkerName(symbol);
      const previous = this.functions.get(name);
      if (!previous || (previous.symbol.weak && !symbol.weak)) this.functions.set(name, { symbol, unit });
      else if (symbol.weak) continue;
      else if (
        Boolean(symbol.inlineOnly) !== Boolean(previous.symbol.inlineOnly) &&
        sameText(symbol, previous.symbol)
      ) {
        // The inline definition is for calls in its own file. C leaves open which of the two is called there (6.7.4p7).
        if (previous.symbol.inlineOnly) this.functions.set(name, { symbol, unit });
      } else if (!samePlace(previous.symbol.span, symbol.span)) this.twice('function', symbol, previous.symbol);
    }
    for (const symbol of unit.variables) {
      if (symbol.storage === 'static') continue;
      this.agree(symbol);
      this.agreeOnAlignment(symbol);
      if (symbol.storage === 'extern') continue;
      const name = this.linkerName(symbol);
      const previous = this.variables.get(name);
      if (!previous || (previous.symbol.weak && !symbol.weak)) this.variables.set(name, { symbol, unit });
      else if (symbol.weak) continue;
      else if (!this.common) this.twice('variable', symbol, previous.symbol);
      else if (!symbol.initializer) continue;
      else if (!previous.symbol.initializer) this.variables.set(name, { symbol, unit });
      else this.twice('variable', symbol, previous.symbol);
    }
  }

  noteInternal(unit: TranslationUnit): void {
    const own = new Map<string, FunctionSymbol | VariableSymbol>();
    for (const symbol of unit.functions)
      if (symbol.linkage === 'internal' && (symbol.body || !own.has(symbol.name))) own.set(symbol.name, symbol);
    for (const symbol of unit.variables)
      if (symbol.storage === 'static' && symbol.owner === undefined) own.set(symbol.name, symbol);
    this.internal.set(unit, own);
  }

  /** The name stands for a definition of the same unit. A definition of the name itself replaces a weak alias. */
  private registerAlias({ symbol, target, span }: Alias, unit: TranslationUnit): void {
    const refuse = (message: string, hint?: string): void => {
      this.diagnostics.push({ severity: 'error', message, span, ...(hint !== undefined && { hint }) });
    };
    const name = this.linkerName(symbol);
    const all: readonly (FunctionSymbol | VariableSymbol)[] =
      symbol.kind === 'function' ? unit.functions : unit.variables;
    const named = all.find(
      (one) =>
        this.linkerName(one) === target &&
        !(one.kind === 'variable' && one.owner !== undefined) &&
        (isDefinition(one) || this.aliased.has(one)),
    );
    if (!named)
      return refuse(
        `'${symbol.name}' is an alias of '${target}', but the file defines no ${symbol.kind} of that name before`,
        `Define '${target}' in the same file.`,
      );
    const entry = this.aliased.get(named) ?? ({ symbol: named, unit } as FunctionEntry | VariableEntry);
    const original = entry.symbol;
    if (isStatic(original)) return refuse(`an alias of '${original.name}', which is 'static', is not supported`);
    if (!compatible(original.type, symbol.type))
      return refuse(
        `the alias '${symbol.name}' has another type than '${original.name}': ` +
          difference(original.type, symbol.type),
      );
    if (isConstant(original) !== isConstant(symbol))
      refuse(
        `only one of '${original.name}' and its alias '${symbol.name}' is 'const', so that compilers may not see ` +
          'changes: not supported',
      );
    this.aliased.set(symbol, entry);
    const definitions = (symbol.kind === 'function' ? this.functions : this.variables) as Map<string, typeof entry>;
    const previous = definitions.get(name);
    if (previous && symbol.weak) return;
    if (previous && !this.weakNames.has(name) && !previous.symbol.weak)
      return this.twice(symbol.kind, symbol, previous.symbol);
    definitions.set(name, entry);
    if (symbol.weak) this.weakNames.add(name);
    else this.weakNames.delete(name);
  }

  /**
   * A declaration with an assembler name that nothing defines keeps its C name: the C library has other names for its
   * functions. It is refused if the linker would connect it with something else.
   */
  private refuseNamesApart(units: readonly TranslationUnit[]): void {
    const all = [...this.assemblerNames];
    const known = (name: string): boolean => this.functions.has(name) || this.variables.has(name);
    for (const { name, assemblerName, kind, span } of units.flatMap((unit) => unit.assemblerNames)) {
      const symbol = all.find(([one, other]) => one.name === name && other === assemblerName)?.[0];
      if (!symbol) continue;
      const refuse = (message: string, hint: string): void => {
        this.diagnostics.push({ severity: 'error', message, span, hint });
      };
      const second = all.find(([one, other]) => other === assemblerName && one.name !== name)?.[0];
      if (isStatic(symbol)) {
        if (this.declarations.has(assemblerName))
          refuse(
            `'${name}' is 'static' and '${assemblerName}' to the linker, as is another ${kind}: not supported`,
            'Leave the assembler name out.',
          );
      } else if (this.isApart(name, units))
        refuse(
          `'${name}' is '${assemblerName}' to the linker here, but another declaration of it is another ${kind}`,
          'Leave the assembler name out, or give it to all declarations.',
        );
      else if (second && !known(assemblerName))
        refuse(
          `'${name}' is '${assemblerName}' to the linker, and so is '${second.name}', but no file defines it: ` +
            `two names of an undefined ${kind} are not supported`,
          'Use one of the names in all files.',
        );
    }
  }

  /** One declaration of this C name has a definition, and another one has none. */
  private isApart(name: string, units: readonly TranslationUnit[]): boolean {
    const found = units
      .flatMap((unit) => [...unit.functions, ...unit.variables])
      .filter((symbol) => symbol.name === name && !isStatic(symbol))
      .map((symbol) => (symbol.kind === 'function' ? this.functionOf(symbol) : this.variableOf(symbol)) !== undefined);
    return found.includes(true) && found.includes(false);
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
        symbol.name === 'main'
          ? 'Files that are named together are one program. Verify programs one by one.'
          : symbol.kind === 'variable' && !(symbol.initializer && previous.kind === 'variable' && previous.initializer)
            ? `Keep one definition and declare it 'extern' elsewhere, or make them 'static' if each file means its own.`
            : `Keep one definition, or make them 'static' if each file means its own.`,
    });
  }

  agree(symbol: FunctionSymbol | VariableSymbol): void {
    const { type } = symbol;
    const name = this.linkerName(symbol);
    const first = this.declarations.get(name);
    if (!first) {
      this.declarations.set(name, symbol);
      return;
    }
    if (this.disagreeing.has(name) || (first.kind === symbol.kind && compatible(first.type, type))) return;
    this.disagreeing.add(name);
    this.diagnostics.push({
      severity: 'error',
      message:
        first.name === symbol.name
          ? `'${name}' is declared with different types in different files`
          : `'${first.name}' and '${symbol.name}' are both '${name}' to the linker, but have different types`,
      span: symbol.span,
      notes: [{ message: `the other declaration is here: ${difference(first.type, type)}`, span: first.span }],
    });
  }

  /** A definition may ask for an alignment of which other files do not know, but not for another one (6.7.5p7). */
  private agreeOnAlignment(symbol: VariableSymbol): void {
    const name = this.linkerName(symbol);
    const others = this.declaredVariables.get(name) ?? [];
    this.declaredVariables.set(name, [...others, symbol]);
    const first = others.find((other) => disagreeOnAlignment(other, symbol));
    if (!first || this.disagreeing.has(name)) return;
    this.disagreeing.add(name);
    this.diagnostics.push({
      severity: 'error',
      message: `'${symbol.name}' is declared with different alignments in different files`,
      span: symbol.span,
      notes: [{ message: 'the other declaration is here', span: first.span }],
    });
  }

  isTheDefinition(symbol: VariableSymbol, unit: TranslationUnit): boolean {
    if (symbol.storage === 'static')
      return symbol.owner !== undefined || this.internal.get(unit)!.get(symbol.name) === symbol;
    return this.variableOf(symbol)?.symbol === symbol;
  }

  isTheFunctionDefinition(symbol: FunctionSymbol): boolean {
    return symbol.linkage === 'internal' || this.functionOf(symbol)?.symbol === symbol;
  }

  /** A hint at a static function of that name, which other files cannot see. */
  staticElsewhere(name: string): { message: string; span: Span }[] {
    for (const own of this.internal.values()) {
      const symbol = own.get(name);
      if (symbol && (symbol.kind === 'variable' || symbol.body))
        return [{ message: "this one is 'static', so that other files do not see it", span: symbol.span }];
    }
    return [];
  }

  /** `int a[];` without a further declaration is an array of one element (C11 6.9.2). */
  completeType(symbol: VariableSymbol): CType {
    const type = this.declaredType(symbol);
    return type.kind === 'array' && type.length === undefined ? { ...type, length: 1 } : type;
  }

  /** The type, with the length of an array from another declaration if this one has none. */
  declaredType(symbol: VariableSymbol): CType {
    const { type } = symbol;
    if (type.kind !== 'array' || type.length !== undefined) return type;
    const declared = this.declarations.get(this.linkerName(symbol))?.type;
    return declared?.kind === 'array' && declared.length !== undefined && compatible(declared, type) ? declared : type;
  }
}

const isStatic = (symbol: FunctionSymbol | VariableSymbol): boolean =>
  symbol.kind === 'function' ? symbol.linkage === 'internal' : symbol.storage === 'static';

const isDefinition = (symbol: FunctionSymbol | VariableSymbol): boolean =>
  symbol.kind === 'function' ? symbol.body !== undefined : symbol.storage !== 'extern';

function isConstant({ type }: FunctionSymbol | VariableSymbol): boolean {
  let of: CType = type;
  while (of.kind === 'array') of = of.of;
  return of.const === true;
}

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
export function samePlace(a: Span, b: Span): boolean {
  return a.file.path === b.file.path && a.start === b.start;
}

function disagreeOnAlignment(a: VariableSymbol, b: VariableSymbol): boolean {
  if (a.alignBytes === b.alignBytes) return false;
  const [asks, other] = a.alignBytes === undefined ? [b, a] : [a, b];
  return other.alignBytes !== undefined || (asks.storage === 'extern' && other.storage !== 'extern');
}
