/** Meaning of a name in an expression, and the message when it has none. */
import { DiagnosticLog } from '../diagnostics/diagnosticLog';
import { nearest } from '../diagnostics/editDistance';
import {
  builtInPrototype,
  idiomPrototype,
  implicitPrototype,
  headerOfFunction,
  headerOfMacro,
  headerOfType,
  libraryFunctionNames,
} from '../libraryNames';
import { parse } from '../parse';
import { builtInPath, isBuiltIn, SourceFile, type Span } from '../source';
import { tokenize } from '../tokens/tokenize';
import { qualify } from '../target';
import { resultName, type TypedExpression, type VariableSymbol } from '../tree';
import type { ElaborationContext } from './context';
import { declare } from './declarations/declarations';
import { stringOf } from './literals';
import type { Entry } from './scope';

/** Call of a name, for the message when it is not declared. */
export interface Called {
  readonly argumentTypes: () => readonly string[];
}

export function resolveName(
  ctx: ElaborationContext,
  name: string,
  span: Span,
  called?: Called,
  nameSpan = span,
): TypedExpression {
  const entry =
    ctx.scope.lookup(name) ??
    builtIn(ctx, name, called !== undefined && ctx.idioms) ??
    (called && (ctx.idioms || ctx.standard === 'gnu89') ? implicit(ctx, name, span) : undefined);
  if (!entry)
    return (
      functionNameString(ctx, name, span) ??
      functionResult(ctx, name, span) ??
      failUndeclared(ctx, name, nameSpan, called)
    );
  switch (entry.kind) {
    case 'variable': {
      const { symbol } = entry;
      if (ctx.contracts === 0 && ctx.contractVariables.has(symbol)) return forContractsAlone(ctx, symbol, span);
      const variable: TypedExpression = { kind: 'variable', symbol, type: symbol.type, span };
      if (!ctx.variableArrays.has(symbol) || symbol.type.kind !== 'pointer') return variable;
      return {
        kind: 'dereference',
        pointer: { kind: 'load', lvalue: variable, type: symbol.type, span },
        type: symbol.type.to,
        span,
      };
    }
    case 'function':
      return { kind: 'function', symbol: entry.symbol, type: entry.symbol.type, span };
    case 'enum-constant':
      return { kind: 'integer', value: entry.value, type: entry.type, span };
    case 'typedef':
      return ctx.log.fail(`'${name}' is a type, but a value is needed here`, span);
    case 'poison':
      for (const diagnostic of entry.onUse)
        ctx.log.add({ ...diagnostic, notes: [...(diagnostic.notes ?? []), { message: 'used here', span }] });
      return ctx.log.abandon();
  }
}

function forContractsAlone(ctx: ElaborationContext, { name, span: declared }: VariableSymbol, span: Span): never {
  return ctx.log.fail(`'${name}' is there for contracts alone: compilers leave PROVEST_OLD out`, span, {
    notes: [{ message: 'it is declared here', span: declared }],
    hint: 'Give the old value a name that the program does not use.',
  });
}

/** `__func__` (6.4.2.2) and GNU's names for it. */
function functionNameString(ctx: ElaborationContext, name: string, span: Span): TypedExpression | undefined {
  if (!ctx.function || !['__func__', '__FUNCTION__', '__PRETTY_FUNCTION__'].includes(name)) return undefined;
  const text = stringOf(ctx.target.integers.char, [...Buffer.from(ctx.function.symbol.name, 'utf8'), 0], span);
  return { ...text, type: qualify(text.type, { const: true }) };
}

/** In a postcondition: what the function returns. */
function functionResult(ctx: ElaborationContext, name: string, span: Span): TypedExpression | undefined {
  if (name !== resultName || !ctx.function) return undefined;
  const { symbol } = ctx.function;
  const type = symbol.type.result;
  if (type.kind === 'void')
    return ctx.log.fail(`'${symbol.name}' returns nothing that a postcondition could mention`, span);
  if (type.kind === 'record')
    return ctx.log.fail('a structure result has no name in a postcondition', span, {
      hint: 'Return a pointer, or state the condition where the value is used.',
    });
  const result: VariableSymbol = {
    kind: 'variable',
    name,
    type,
    span: symbol.span,
    storage: 'automatic',
    initializer: undefined,
    owner: symbol.name,
    addressTaken: false,
  };
  return { kind: 'variable', symbol: result, type, span };
}

function builtIn(ctx: ElaborationContext, name: string, idioms: boolean): Entry | undefined {
  const prototype = builtInPrototype(name) ?? (idioms ? idiomPrototype(name) : undefined);
  return prototype === undefined ? undefined : declarePrototype(ctx, name, prototype);
}

/** Old programs declare a function by its first call: with its own type where the library has it, else as `int f()`. */
function implicit(ctx: ElaborationContext, name: string, span: Span): Entry | undefined {
  ctx.log.warn(`call of the undeclared function '${name}'`, span);
  return declarePrototype(ctx, name, implicitPrototype(name));
}

/** Declares a function at file scope from a prototype's text and returns its entry. */
export function declarePrototype(ctx: ElaborationContext, name: string, prototype: string): Entry | undefined {
  const present = ctx.fileScope.names.get(name);
  if (present) return present;
  const text = prototype.replaceAll('__SIZE_TYPE__', ctx.target.size.name);
  const log = new DiagnosticLog();
  const { declarations } = parse(
    tokenize(new SourceFile(builtInPath, text), (d) => log.add(d)),
    log,
  );
  const scope = ctx.scope;
  ctx.scope = ctx.fileScope;
  for (const declaration of declarations) if (declaration.kind === 'declaration') declare(ctx, declaration);
  ctx.scope = scope;
  if (log.errorCount > 0) throw new Error(`the built-in prototype '${text}' does not parse`);
  return ctx.fileScope.names.get(name);
}

function failUndeclared(ctx: ElaborationContext, name: string, span: Span, called: Called | undefined): never {
  const header = headerOfFunction(name) ?? headerOfMacro(name) ?? headerOfType(name);
  if ((ctx.partial && header === undefined) || ctx.function?.undeclared.has(name)) return ctx.log.abandon();
  ctx.function?.undeclared.add(name);
  const similar = nearest(name, [...ctx.scope.visibleNames(), 'return', 'sizeof', 'break', 'continue']);
  const libraryName = called && similar === undefined ? nearest(name, libraryFunctionNames()) : undefined;
  const entry = similar === undefined ? undefined : ctx.scope.lookup(similar);
  const suggestion =
    header !== undefined
      ? { hint: `Add '#include <${header}>'.` }
      : similar !== undefined
        ? {
            hint: `Did you mean '${similar}'?`,
            ...(entry && !isBuiltIn(entry.span)
              ? { notes: [{ message: `'${similar}' is declared here`, span: entry.span }] }
              : {}),
          }
        : libraryName !== undefined
          ? { hint: `Did you mean '${libraryName}' (#include <${headerOfFunction(libraryName)!}>)?` }
          : called
            ? {
                hint:
                  "Declare it first, for example 'extern int " +
                  `${name}(${called.argumentTypes().join(', ') || 'void'});'.`,
              }
            : {};
  return ctx.log.fail(
    called ? `call of the undeclared function '${name}'` : `use of the undeclared identifier '${name}'`,
    span,
    suggestion,
  );
}
