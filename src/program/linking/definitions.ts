/**
 * The definitions of a program's units by name, and what is wrong with them: two definitions, declarations that
 * disagree, two names of one object.
 */
import type { Diagnostic } from '../../c/diagnostic';
import { printType } from '../../c/printType';
import type { Span } from '../../c/source';
import type { FunctionSymbol, TranslationUnit, VariableSymbol } from '../../c/tree';
import { compatible } from '../lower/compatible';
import type { CType } from '../../c/types';

export type FunctionEntry = { readonly symbol: FunctionSymbol; readonly unit: TranslationUnit };
export type VariableEntry = { readonly symbol: VariableSymbol; readonly unit: TranslationUnit };

export class Definitions {
  readonly functions = new Map<string, FunctionEntry>();
  readonly variables = new Map<string, VariableEntry>();
  /** Functions and variables with internal linkage, by unit and name. */
  readonly internal = new Map<TranslationUnit, Map<string, FunctionSymbol | VariableSymbol>>();
  private readonly declarations = new Map<string, FunctionSymbol | VariableSymbol>();
  private readonly disagreeing = new Set<string>();
  private readonly declaredVariables = new Map<string, VariableSymbol[]>();

  /** `common`: variables without an initialiser may be defined in several files. */
  constructor(
    private readonly common: boolean,
    private readonly diagnostics: Diagnostic[],
  ) {}

  isDeclared(name: string): boolean {
    return this.declarations.has(name);
  }

  /** Registers the definitions of a unit and checks that they agree with the others. */
  register(unit: TranslationUnit): void {
    this.noteInternal(unit);
    for (const symbol of unit.functions) {
      if (symbol.linkage === 'internal') continue;
      this.agree(symbol);
      if (!symbol.body) continue;
      const previous = this.functions.get(symbol.name);
      if (!previous) this.functions.set(symbol.name, { symbol, unit });
      else if (
        Boolean(symbol.inlineOnly) !== Boolean(previous.symbol.inlineOnly) &&
        sameText(symbol, previous.symbol)
      ) {
        // The inline definition is for calls in its own file. C leaves open which of the two is called there (6.7.4p7).
        if (previous.symbol.inlineOnly) this.functions.set(symbol.name, { symbol, unit });
      } else if (!samePlace(previous.symbol.span, symbol.span)) this.twice('function', symbol, previous.symbol);
    }
    for (const symbol of unit.variables) {
      if (symbol.storage === 'static') continue;
      this.agree(symbol);
      this.agreeOnAlignment(symbol);
      if (symbol.storage === 'extern') continue;
      const previous = this.variables.get(symbol.name);
      if (!previous) this.variables.set(symbol.name, { symbol, unit });
      else if (!this.common) this.twice('variable', symbol, previous.symbol);
      else if (!symbol.initializer) continue;
      else if (!previous.symbol.initializer) this.variables.set(symbol.name, { symbol, unit });
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

  /**
   * A symbol with an assembler name is the one that other declarations know by that name. Two C names of one function
   * or object are not modelled; an assembler name that nothing else in the program has changes nothing.
   */
  refuseSecondNames(units: readonly TranslationUnit[]): void {
    const all = units.flatMap((unit) => unit.assemblerNames.map((one) => ({ ...one, unit })));
    for (const { name, assemblerName, kind, span, unit } of all) {
      const second = all.find((other) => other.assemblerName === assemblerName && other.name !== name);
      // The linker does not connect this declaration with a definition that has the C name.
      const definition = this.functions.get(name) ?? this.variables.get(name);
      const apart =
        definition && definition.unit !== unit && !all.some((one) => one.unit === definition.unit && one.name === name);
      const other =
        this.functions.get(assemblerName)?.symbol.name ??
        this.variables.get(assemblerName)?.symbol.name ??
        // Undefined functions may be anything, each by itself; a variable would be two.
        (kind === 'variable' && this.declarations.has(assemblerName) ? assemblerName : undefined) ??
        second?.name;
      if (other === undefined && !apart) continue;
      this.diagnostics.push({
        severity: 'error',
        message:
          other === undefined
            ? `'${name}' is '${assemblerName}' to the linker, but another file defines '${name}' under its own name`
            : `'${name}' is '${assemblerName}' to the ` +
              `linker${other === assemblerName ? '' : `, and so is '${other}'`}: two names of one ${kind} are not ` +
              'supported',
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
        symbol.name === 'main'
          ? 'Files that are named together are one program. Verify programs one by one.'
          : symbol.kind === 'variable' && !(symbol.initializer && previous.kind === 'variable' && previous.initializer)
            ? `Keep one definition and declare it 'extern' elsewhere, or make them 'static' if each file means its own.`
            : `Keep one definition, or make them 'static' if each file means its own.`,
    });
  }

  agree(symbol: FunctionSymbol | VariableSymbol): void {
    const { type } = symbol;
    const first = this.declarations.get(symbol.name);
    if (!first) {
      this.declarations.set(symbol.name, symbol);
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

  /** A definition may ask for an alignment of which other files do not know, but not for another one (6.7.5p7). */
  private agreeOnAlignment(symbol: VariableSymbol): void {
    const others = this.declaredVariables.get(symbol.name) ?? [];
    this.declaredVariables.set(symbol.name, [...others, symbol]);
    const first = others.find((other) => disagreeOnAlignment(other, symbol));
    if (!first || this.disagreeing.has(symbol.name)) return;
    this.disagreeing.add(symbol.name);
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
    return this.variables.get(symbol.name)?.symbol === symbol;
  }

  isTheFunctionDefinition(symbol: FunctionSymbol): boolean {
    return symbol.linkage === 'internal' || this.functions.get(symbol.name)?.symbol === symbol;
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
    const { type } = symbol;
    if (type.kind !== 'array' || type.length !== undefined) return type;
    const declared = this.declarations.get(symbol.name)?.type;
    if (declared?.kind === 'array' && declared.length !== undefined && compatible(declared, type)) return declared;
    return { ...type, length: 1 };
  }
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
