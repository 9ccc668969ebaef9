/** Declarations and function definitions, C11 6.7, 6.9 and linkage (6.2.2). */
import { evaluateConstant } from '../constant';
import { alignOf, sizeOf } from '../layout';
import { printType } from '../printType';
import type { Span } from '../source';
import {
  declaredName,
  functionPart,
  type Attribute,
  type Declaration,
  type DeclaratorWithInitializer,
  type ExternalDeclaration,
  type FunctionDefinitionSyntax,
  type Specifiers,
  type SyntaxExpression,
  type SyntaxInitializer,
} from '../syntax';
import { isAggregate, isArithmetic, pointerTo, qualify } from '../target';
import type { TypedExpression, FunctionSymbol, Initializer, Statement, VariableSymbol } from '../tree';
import { nameByTypedef } from '../typedefNames';
import { compatible, composite } from '../typeRelations';
import type { CType, FunctionType } from '../types';
import type { Mutable } from '../../mutable';
import type { ElaborationContext } from './context';
import { checkStaticAssertion, discardValue, integerConstant, rvalueOf } from './expressions';
import { saysOld } from './calls';
import { ensuresOf } from './ensuresOf';
import { elaborateInitializer } from './initializers';
import { enumType, recordType } from './records';
import type { Entry } from './scope';
import { functionBody } from './statements';
import { noteRestrict } from './restrict';
import {
  declareVariableArray,
  inNoOrder,
  isVariableArray,
  isVariablyModified,
  withComputedLengths,
} from './variableArrays';
import { declaredType, requestedAlignment, specifiedType, withMode } from './types';

export function externalDeclaration(ctx: ElaborationContext, declaration: ExternalDeclaration): void {
  switch (declaration.kind) {
    case 'static-assertion':
      ctx.log.attempt(() => checkStaticAssertion(ctx, declaration));
      return;
    case 'ensures-of':
      ctx.log.attempt(() => ensuresOf(ctx, declaration));
      return;
    case 'declaration':
      declare(ctx, declaration);
      return;
    case 'function-definition':
      defineFunction(ctx, declaration);
  }
}

/** Declares all names of a declaration; in a function, the statements that create its automatic variables. */
export function declare(ctx: ElaborationContext, declaration: Declaration): Statement[] {
  const { specifiers } = declaration;
  const statements: Statement[] = [];
  if (declaration.declarators.length === 0) {
    ctx.log.attempt(() => tagOnly(ctx, specifiers));
    return statements;
  }
  const evaluations: TypedExpression[] = [];
  const outcome = declaration.unsupported
    ? { deferred: declaration.unsupported }
    : ctx.log.deferUnsupported(() => ctx.evaluating(evaluations, () => baseType(ctx, declaration)));
  for (const expression of evaluations) statements.push({ kind: 'expression', span: expression.span, expression });
  for (const declarator of declaration.declarators) {
    const { name, span } = declaredName(declarator.declarator);
    const declared =
      'value' in outcome
        ? ctx.log.deferUnsupported(() => declareOne(ctx, specifiers, outcome.value, declarator, statements))
        : outcome;
    if (!('deferred' in declared)) continue;
    // A prototype or typedef that nobody uses need not be understood.
    const silent =
      declared.deferred.length > 0 &&
      ctx.scope === ctx.fileScope &&
      (specifiers.storage === 'typedef' ||
        specifiers.storage === 'extern' ||
        functionPart(declarator.declarator) !== undefined);
    if (!silent) for (const diagnostic of declared.deferred) ctx.log.add(diagnostic);
    if (name !== undefined && !ctx.scope.names.has(name))
      ctx.scope.names.set(name, { kind: 'poison', onUse: silent ? declared.deferred : [], span });
  }
  return statements;
}

/** `struct s;`, `enum e { … };` */
function tagOnly(ctx: ElaborationContext, specifiers: Specifiers): void {
  const { type } = specifiers;
  if (type.kind === 'record') recordType(ctx, type, 'declaration');
  else if (type.kind === 'enum') enumType(ctx, type);
  else if (type.kind !== 'error') ctx.log.warn('this declares nothing', specifiers.span);
}

function baseType(ctx: ElaborationContext, declaration: Declaration): CType {
  const { specifiers } = declaration;
  if (specifiers.type.kind !== 'auto-type') return specifiedType(ctx, specifiers);
  const [only] = declaration.declarators;
  if (
    declaration.declarators.length !== 1 ||
    only!.initializer?.kind !== 'expression' ||
    only!.declarator.kind !== 'name'
  )
    return ctx.log.fail("'__auto_type' needs one plain variable with an initializer", specifiers.span);
  const { expression } = only!.initializer;
  return qualify(ctx.withoutEvaluation(() => rvalueOf(ctx, expression)).type, specifiers.qualifiers);
}

function declareOne(
  ctx: ElaborationContext,
  specifiers: Specifiers,
  base: CType,
  one: DeclaratorWithInitializer,
  statements: Statement[],
): void {
  const { name: declared, span } = declaredName(one.declarator);
  const name = declared!;
  const written = declaredType(ctx, withMode(ctx, base, [...specifiers.attributes, ...one.attributes]), one.declarator);
  if (
    isVariablyModified(written) &&
    (specifiers.storage === 'extern' || (specifiers.storage === 'static' && isVariableArray(written)))
  )
    ctx.log.fail(`'${name}' is '${specifiers.storage}' and has a length that is not a constant`, span);
  const lengths: Statement[] = [];
  const type = withComputedLengths(ctx, written, name, span, lengths);
  statements.push(...inNoOrder(lengths));
  const [alignment] = specifiers.alignments;
  if (
    alignment &&
    (specifiers.storage === 'typedef' || type.kind === 'function' || specifiers.storage === 'register')
  ) {
    ctx.log.fail(
      "'_Alignas' cannot stand in the declaration of " +
        (type.kind === 'function'
          ? 'a function'
          : specifiers.storage === 'typedef'
            ? 'a type'
            : "a 'register' variable"),
      alignment.span,
    );
  }
  if (specifiers.threadLocal && type.kind === 'function')
    ctx.log.fail(`the function '${name}' is declared '_Thread_local'`, specifiers.threadLocal);
  if (specifiers.storage === 'typedef') {
    if (one.initializer) ctx.log.fail(`the type '${name}' cannot have an initializer`, one.initializer.span);
    declareTypedef(ctx, name, alignedTypedef(ctx, specifiers, one, type), span);
    return;
  }
  const asked = requestedAlignment(ctx, specifiers, [...specifiers.attributes, ...one.attributes]);
  if (alignment && asked > 1 && sizeOf(type, ctx.model) !== undefined && asked < alignOf(type, ctx.model))
    ctx.log.fail(
      `'_Alignas' cannot make the alignment of '${name}' less than that of its type (${alignOf(type, ctx.model)})`,
      alignment.span,
    );
  const isLinked = type.kind === 'function' || ctx.scope === ctx.fileScope || specifiers.storage === 'extern';
  if (one.assemblerName && isLinked && one.assemblerName.name !== name) {
    const kind = type.kind === 'function' ? 'function' : 'variable';
    ctx.assemblerNames.push({ name, assemblerName: one.assemblerName.name, kind, span: one.assemblerName.span });
  }
  if (type.kind === 'function') {
    if (one.initializer) ctx.log.fail(`the function '${name}' cannot have an initializer`, one.initializer.span);
    if (ctx.function && specifiers.storage === 'static')
      ctx.log.fail(`a function declared in a block cannot be 'static'`, span);
    Object.assign(
      declareFunction(ctx, name, type, span, specifiers, isNoreturn(specifiers, one.attributes), 'declaration'),
      linkerAttributes(ctx, [...specifiers.attributes, ...one.attributes]),
    );
    return;
  }
  if (specifiers.inline || specifiers.noreturn)
    ctx.log.fail(`the variable '${name}' is declared '${specifiers.inline ? 'inline' : '_Noreturn'}'`, span);
  if (type.kind === 'void') ctx.log.fail(`the variable '${name}' has type void`, span);
  if (one.assemblerName && ctx.function && specifiers.storage === 'register')
    ctx.log.fail('variables bound to machine registers are not supported', one.assemblerName.span);
  if (specifiers.threadLocal && ctx.function && specifiers.storage === undefined)
    ctx.log.fail(
      `'${name}' is thread-local and in a function: it must be 'static' or 'extern', too`,
      specifiers.threadLocal,
    );
  if (ctx.scope === ctx.fileScope || specifiers.storage === 'extern')
    declareLinked(ctx, name, type, span, specifiers, one);
  else if (specifiers.storage === 'static') declareStaticLocal(ctx, name, type, span, one);
  else declareAutomatic(ctx, name, type, span, specifiers, one, statements);
  const entry = ctx.scope.lookup(name);
  const attributes = [...specifiers.attributes, ...one.attributes];
  const cleanup = attributes.find((attribute) => attribute.name === 'cleanup');
  if (cleanup) statements.push(...cleanupOf(ctx, cleanup, name, span));
  if (entry?.kind !== 'variable' || asked === 1) return;
  const { alignBytes = asked } = entry.symbol;
  if (alignment && alignBytes !== asked)
    ctx.log.fail(`'${name}' is declared with alignments of ${alignBytes} and of ${asked} bytes`, alignment.span);
  entry.symbol.alignBytes = Math.max(asked, alignBytes);
}

/** GNU's `cleanup(f)`: `f(&x)` on every way out of the scope. Only automatic variables have one that ends. */
function cleanupOf(ctx: ElaborationContext, { arguments: [callee] }: Attribute, name: string, span: Span): Statement[] {
  const entry = ctx.scope.lookup(name);
  if (callee?.kind !== 'identifier') return ctx.log.fail("'cleanup' needs the name of a function", span);
  if (entry?.kind !== 'variable' || entry.symbol.storage !== 'automatic') {
    ctx.log.warn(`'${name}' lives as long as the program: its 'cleanup' is ignored`, span);
    return [];
  }
  const operand: SyntaxExpression = {
    kind: 'prefix',
    operator: '&',
    operand: { kind: 'identifier', name, span },
    span,
  };
  return [{ kind: 'cleanup', span, call: discardValue(ctx, { kind: 'call', callee, arguments: [operand], span }) }];
}

/** GNU's `weak`, and `constructor` and `destructor`, with a priority or after all that have one. */
function linkerAttributes(
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

const isNoreturn = (specifiers: Specifiers, attributes: Specifiers['attributes']): boolean =>
  specifiers.noreturn || [...specifiers.attributes, ...attributes].some((a) => a.name === 'noreturn');

const previously = (span: Span): { notes: readonly { message: string; span: Span }[] } => ({
  notes: [{ message: 'the previous declaration is here', span }],
});

function declareTypedef(ctx: ElaborationContext, name: string, type: CType, span: Span): void {
  const previous = ctx.scope.names.get(name);
  if (previous) {
    if (previous.kind !== 'typedef')
      ctx.log.fail(`'${name}' is declared as something else before`, span, previously(previous.span));
    if (!compatible(previous.type, type))
      ctx.log.fail(
        `the type '${name}' is defined differently: '${printType(type)}', before '${printType(previous.type)}'`,
        span,
        previously(previous.span),
      );
    return;
  }
  ctx.scope.names.set(name, { kind: 'typedef', type, span });
  nameByTypedef(type, name);
  if (ctx.scope === ctx.fileScope) ctx.typedefs.set(name, type);
}

/** GNU: `typedef int unaligned __attribute__((aligned(1)))`, the same type with more or less alignment. */
function alignedTypedef(
  ctx: ElaborationContext,
  specifiers: Specifiers,
  one: DeclaratorWithInitializer,
  type: CType,
): CType {
  const attributes = [...specifiers.attributes, ...one.attributes].filter((a) => a.name === 'aligned');
  if (attributes.length === 0) return type;
  const alignBytes = requestedAlignment(ctx, undefined, attributes);
  return alignBytes === alignOf(type, ctx.model) ? type : { ...type, alignBytes };
}

/** A declaration of the same name in the same scope, which must be of the same kind. */
function sameScope<Kind extends Entry['kind']>(
  ctx: ElaborationContext,
  name: string,
  kind: Kind,
  span: Span,
): Extract<Entry, { kind: Kind }> | undefined {
  const previous = ctx.scope.names.get(name);
  if (!previous) return undefined;
  if (previous.kind === 'poison') return undefined;
  if (previous.kind !== kind)
    return ctx.log.fail(`'${name}' is declared as something else before`, span, previously(previous.span));
  return previous as Extract<Entry, { kind: Kind }>;
}

// --- functions

function declareFunction(
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

function defineFunction(ctx: ElaborationContext, syntax: FunctionDefinitionSyntax): void {
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
    const { name, span } = declaredName(part.parameters[i]!.declarator);
    noteRestrict(ctx, part.parameters[i]!.specifiers, part.parameters[i]!.declarator, span);
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
    };
    if (part.parameters[i]!.specifiers.storage === 'register') ctx.registers.add(symbol);
    return symbol;
  });
}

// --- variables

/** File scope, or `extern` in a block: all declarations of the name in this unit denote one object. */
function declareLinked(
  ctx: ElaborationContext,
  name: string,
  type: CType,
  span: Span,
  specifiers: Specifiers,
  one: DeclaratorWithInitializer,
): void {
  const isExtern = specifiers.storage === 'extern';
  const here = sameScope(ctx, name, 'variable', span);
  if (here && ctx.function && ['automatic', 'parameter'].includes(here.symbol.storage))
    ctx.log.fail(`'${name}' is declared twice`, span, {
      notes: [{ message: 'the first declaration is here', span: here.span }],
    });
  if (specifiers.storage === 'auto' || specifiers.storage === 'register')
    ctx.log.fail(`a variable outside functions cannot be '${specifiers.storage}'`, span);
  const previous = ctx.linked.get(name);
  if (previous && previous.symbol.kind !== 'variable')
    ctx.log.fail(`'${name}' is declared as a function before`, span, previously(previous.span));
  let symbol = previous?.symbol as Mutable<VariableSymbol> | undefined;
  if (!symbol) {
    symbol = {
      kind: 'variable',
      name,
      type,
      span,
      storage: isExtern ? 'extern' : specifiers.storage === 'static' ? 'static' : 'global',
      initializer: undefined,
      owner: undefined,
      addressTaken: isAggregate(type),
    };
    ctx.variables.push(symbol);
    ctx.linked.set(name, { symbol, span, defined: false });
  } else {
    if (!compatible(symbol.type, type))
      ctx.log.fail(
        `conflicting types for '${name}': '${printType(type)}', before '${printType(symbol.type)}'`,
        span,
        previously(previous!.span),
      );
    if ((specifiers.storage === 'static') !== (symbol.storage === 'static') && !isExtern)
      ctx.log.fail(
        `'${name}' is ` +
          (symbol.storage === 'static'
            ? 'static in its previous declaration, but not here'
            : 'static here, but not in its previous declaration'),
        span,
        previously(previous!.span),
      );
    symbol.type = composite(symbol.type, type);
    if (symbol.storage === 'extern' && !isExtern) {
      symbol.storage = 'global';
      symbol.span = span;
    }
  }
  ctx.scope.names.set(name, { kind: 'variable', symbol, span });
  if (!one.initializer) return;
  if (isExtern && ctx.function)
    ctx.log.fail(`'${name}' is 'extern' in a block and cannot have an initializer there`, one.initializer.span);
  const linked = ctx.linked.get(name)!;
  if (linked.defined)
    ctx.log.fail(`'${name}' is defined twice`, span, {
      notes: [{ message: 'the first definition is here', span: linked.span }],
    });
  linked.defined = true;
  linked.span = span;
  if (symbol.storage === 'extern') symbol.storage = 'global';
  symbol.span = span;
  const { initializer } = one;
  refuseOld(ctx, initializer);
  const result = elaborateInitializer(ctx, symbol.type, initializer, { isStatic: true, name });
  symbol.type = result.type;
  symbol.initializer = result.initializer;
  rememberConstant(ctx, symbol, result.initializer);
}

function requireFresh(ctx: ElaborationContext, name: string, span: Span): void {
  const previous = ctx.scope.names.get(name);
  if (previous && previous.kind !== 'poison')
    ctx.log.fail(`'${name}' is declared twice`, span, {
      notes: [{ message: 'the first declaration is here', span: previous.span }],
    });
}

function declareStaticLocal(
  ctx: ElaborationContext,
  name: string,
  type: CType,
  span: Span,
  one: DeclaratorWithInitializer,
): void {
  requireFresh(ctx, name, span);
  const symbol: Mutable<VariableSymbol> = {
    kind: 'variable',
    name,
    type,
    span,
    storage: 'static',
    initializer: undefined,
    owner: ctx.function?.symbol.name,
    addressTaken: isAggregate(type),
  };
  ctx.variables.push(symbol);
  ctx.scope.names.set(name, { kind: 'variable', symbol, span });
  if (one.initializer) {
    refuseOld(ctx, one.initializer);
    const result = elaborateInitializer(ctx, type, one.initializer, { isStatic: true, name });
    symbol.type = result.type;
    symbol.initializer = result.initializer;
    rememberConstant(ctx, symbol, result.initializer);
  }
  requireComplete(ctx, symbol);
}

function declareAutomatic(
  ctx: ElaborationContext,
  name: string,
  type: CType,
  span: Span,
  specifiers: Specifiers,
  one: DeclaratorWithInitializer,
  statements: Statement[],
): void {
  requireFresh(ctx, name, span);
  noteRestrict(ctx, specifiers, one.declarator, span);
  if (type.kind === 'array' && isVariableArray(type)) {
    if (one.initializer)
      ctx.log.fail(`the array '${name}' has no constant length and cannot have an initializer`, one.initializer.span);
    ctx.scope.names.set(name, {
      kind: 'variable',
      symbol: declareVariableArray(ctx, name, type, span, statements),
      span,
    });
    return;
  }
  const symbol: Mutable<VariableSymbol> = {
    kind: 'variable',
    name,
    type,
    span,
    storage: 'automatic',
    initializer: undefined,
    owner: ctx.function?.symbol.name,
    addressTaken: isAggregate(type),
  };
  ctx.scope.names.set(name, { kind: 'variable', symbol, span });
  if (specifiers.storage === 'register') ctx.registers.add(symbol);
  if (!one.initializer) {
    requireComplete(ctx, symbol);
    statements.push({ kind: 'declare', span: one.span, symbol, initializer: undefined, value: undefined });
    return;
  }
  const { initializer } = one;
  const isContract = saysOld(initializer);
  if (isContract) ctx.contractVariables.add(symbol);
  const result = ctx.log.attempt(() => elaborateInitializer(ctx, type, initializer, { isStatic: false, name }));
  if (!result) {
    // The variable exists all the same; only its value is unknown, and no tree comes out of this unit.
    if (type.kind === 'array' && type.length === undefined) symbol.type = { ...type, length: 1 };
    return;
  }
  symbol.type = result.type;
  requireComplete(ctx, symbol);
  rememberConstant(ctx, symbol, result.initializer);
  statements.push({
    kind: 'declare',
    span: one.span,
    symbol,
    initializer: result.value ? undefined : result.initializer,
    value: result.value,
    isContract,
  });
}

function refuseOld(ctx: ElaborationContext, initializer: SyntaxInitializer): void {
  if (saysOld(initializer))
    ctx.log.fail(
      'PROVEST_OLD keeps a value until the function returns: it stands in one, and without static',
      initializer.span,
    );
}

function requireComplete(ctx: ElaborationContext, { name, type, span }: VariableSymbol): void {
  if (sizeOf(type, ctx.model) !== undefined) return;
  if (type.kind === 'array') ctx.log.fail(`the length of the array '${name}' is not given`, span);
  const hint =
    type.kind === 'record'
      ? { hint: `Only a pointer to it can be declared here: '${printType(pointerTo(type), name)}'.` }
      : {};
  ctx.log.fail(`'${name}' has the incomplete type '${printType(type)}'`, span, hint);
}

/** GNU C takes `const int n = 4;` for a constant where it would otherwise complain. */
function rememberConstant(ctx: ElaborationContext, symbol: VariableSymbol, initializer: Initializer): void {
  if (!symbol.type.const || symbol.type.volatile || !isArithmetic(symbol.type)) return;
  const [item] = initializer.items;
  const value = item && evaluateConstant(item.value, { model: ctx.model, variables: ctx.constants });
  if (value) ctx.constants.set(symbol, value);
}

/** At the end of the unit: tentative definitions become definitions, `int a[];` one element (6.9.2). */
export function completeTentative(ctx: ElaborationContext): void {
  for (const { symbol } of ctx.linked.values()) {
    if (symbol.kind !== 'variable' || symbol.storage === 'extern') continue;
    const mutable = symbol as Mutable<VariableSymbol>;
    if (symbol.type.kind === 'array' && symbol.type.length === undefined && symbol.storage === 'static') {
      ctx.log.error(`the length of the array '${symbol.name}' is not given`, symbol.span);
      continue;
    }
    if (symbol.type.kind === 'array' && symbol.type.length === undefined) {
      ctx.log.warn(`the array '${symbol.name}' gets one element, since its length is not given`, symbol.span);
      mutable.type = { ...symbol.type, length: 1 };
    }
    ctx.log.attempt(() => requireComplete(ctx, mutable));
  }
}
