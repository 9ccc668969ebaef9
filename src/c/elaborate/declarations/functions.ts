/** Declarations and definitions of functions, C11 6.7.6.3 and 6.9.1. */
import { sizeOf } from '../../layout';
import { printType } from '../../printType';
import type { Span } from '../../source';
import {
  declaredName,
  functionPart,
  type Attribute,
  type FunctionDefinitionSyntax,
  type Specifiers,
} from '../../syntax';
import { isAggregate } from '../../target';
import type { FunctionSymbol, VariableSymbol } from '../../tree';
import { compatible, composite } from '../../typeRelations';
import type { FunctionType } from '../../types';
import type { Mutable } from '../../../mutable';
import type { ElaborationContext } from '../context';
import { integerConstant } from '../expressions';
import { functionBody } from '../statements';
import { isRestrictPointer, noteRestrict } from '../restrict';
import { declaredType, specifiedType } from '../types';
import { sameScope, previously } from './earlierDeclarations';

export function declareFunction(
  ctx: ElaborationContext,
  name: string,
  type: FunctionType,
  span: Span,
  specifiers: Specifiers,
  noreturn: boolean,
  as: 'declaration' | 'definition',
): Mutable<FunctionSymbol> {
  const defines = as === 'definition';
  sameScope(ctx, name, 'function', span);
  if (name === 'main' && (specifiers.inline || specifiers.noreturn))
    ctx.log.fail(`'main' is declared '${specifiers.inline ? 'inline' : '_Noreturn'}', which it must not be`, span);
  const previous = ctx.linked.get(name);
  if (previous && previous.symbol.kind !== 'function')
    return ctx.log.fail(`'${name}' is declared as a variable before`, span, previously(previous.span));
  if (!previous) {
    const symbol: FunctionSymbol = {
      kind: 'function',
      name,
      type,
      span,
      linkage: specifiers.storage === 'static' ? 'internal' : 'external',
      parameters: [],
      body: undefined,
      noreturn,
      ...(specifiers.inline && specifiers.storage === undefined && { inlineOnly: true }),
    };
    ctx.functions.push(symbol);
    ctx.linked.set(name, { symbol, span, defined: defines });
    ctx.scope.names.set(name, { kind: 'function', symbol, span });
    return symbol;
  }
  const symbol = previous.symbol as Mutable<FunctionSymbol>;
  if (symbol.inlineOnly && (!specifiers.inline || specifiers.storage === 'extern')) symbol.inlineOnly = false;
  if (!compatible(symbol.type, type)) {
    return ctx.log.fail(
      `conflicting types for '${name}': '${printType(type)}', before '${printType(symbol.type)}'`,
      span,
      previously(previous.span),
    );
  }
  if (specifiers.storage === 'static' && symbol.linkage === 'external')
    ctx.log.fail(`'${name}' is static here, but not in its previous declaration`, span, previously(previous.span));
  if (defines && previous.defined)
    ctx.log.fail(`'${name}' is defined twice`, span, {
      notes: [{ message: 'the first definition is here', span: previous.span }],
    });
  // Parameters are called what the definition calls them.
  symbol.type = (defines ? composite(type, symbol.type) : composite(symbol.type, type)) as FunctionType;
  symbol.noreturn ||= noreturn;
  if (defines) {
    symbol.span = span;
    previous.span = span;
    previous.defined = true;
  }
  ctx.scope.names.set(name, { kind: 'function', symbol, span: previous.span });
  return symbol;
}

export function defineFunction(ctx: ElaborationContext, syntax: FunctionDefinitionSyntax): void {
  const { name: declared, span } = declaredName(syntax.declarator);
  const name = declared!;
  const header = ctx.log.attempt(() => {
    const { specifiers } = syntax;
    if (specifiers.storage !== undefined && specifiers.storage !== 'static' && specifiers.storage !== 'extern')
      ctx.log.fail(`a function cannot be '${specifiers.storage}'`, span);
    const type = declaredType(ctx, specifiedType(ctx, specifiers), syntax.declarator);
    if (type.kind !== 'function') return ctx.log.fail(`'${name}' has a body but is not a function`, span);
    const result = type.result;
    if (result.kind !== 'void' && sizeOf(result, ctx.model) === undefined)
      ctx.log.fail(`'${name}' returns the incomplete type '${printType(result)}'`, span);
    // `f() {…}` defines a function without parameters: a call with arguments has no meaning.
    const own: FunctionType = type.unprototyped ? { ...type, unprototyped: false } : type;
    const noreturn = isNoreturn(specifiers, syntax.attributes);
    const alias = [...specifiers.attributes, ...syntax.attributes].find((attribute) => attribute.name === 'alias');
    if (alias) ctx.log.fail(`'${name}' is an alias and cannot have a body`, alias.span);
    const symbol = declareFunction(ctx, name, own, span, specifiers, noreturn, 'definition');
    Object.assign(symbol, linkerAttributes(ctx, [...specifiers.attributes, ...syntax.attributes]));
    return { symbol, parameters: parameterSymbols(ctx, name, own, syntax), own };
  });
  if (!header) {
    if (!ctx.scope.names.has(name)) ctx.scope.names.set(name, { kind: 'poison', onUse: [], span });
    return;
  }
  header.symbol.parameters = header.parameters;
  functionBody(ctx, header.symbol, header.parameters, header.own, syntax);
}

function parameterSymbols(
  ctx: ElaborationContext,
  owner: string,
  type: FunctionType,
  syntax: FunctionDefinitionSyntax,
): VariableSymbol[] {
  const part = functionPart(syntax.declarator)!;
  return type.parameters.map((parameter, i) => {
    const { specifiers, declarator } = part.parameters[i]!;
    const { name, span } = declaredName(declarator);
    noteRestrict(ctx, specifiers, declarator, span);
    if (sizeOf(parameter.type, ctx.model) === undefined)
      ctx.log.fail(`the parameter '${name ?? ''}' has the incomplete type '${printType(parameter.type)}'`, span);
    const symbol: VariableSymbol = {
      kind: 'variable',
      name: name ?? '',
      type: parameter.type,
      span,
      storage: 'parameter',
      initializer: undefined,
      owner,
      addressTaken: isAggregate(parameter.type),
      ...(isRestrictPointer(specifiers, declarator) && { isRestrict: true }),
    };
    if (specifiers.storage === 'register') ctx.registers.add(symbol);
    return symbol;
  });
}

/** GNU's `weak`, and `constructor` and `destructor`, with a priority or after all that have one. */
export function linkerAttributes(
  ctx: ElaborationContext,
  attributes: readonly Attribute[],
): Pick<FunctionSymbol, 'constructorPriority' | 'destructorPriority' | 'weak'> {
  const priority = (name: string): number | undefined => {
    const found = attributes.find((attribute) => attribute.name === name);
    return (
      found &&
      (found.arguments[0] ? Number(integerConstant(ctx, found.arguments[0], `the priority of a ${name}`)) : 65536)
    );
  };
  const [first, last] = [priority('constructor'), priority('destructor')];
  return {
    ...(first !== undefined && { constructorPriority: first }),
    ...(last !== undefined && { destructorPriority: last }),
    ...(attributes.some((attribute) => attribute.name === 'weak') && { weak: true }),
  };
}

export const isNoreturn = (specifiers: Specifiers, attributes: Specifiers['attributes']): boolean =>
  specifiers.noreturn || [...specifiers.attributes, ...attributes].some((a) => a.name === 'noreturn');
