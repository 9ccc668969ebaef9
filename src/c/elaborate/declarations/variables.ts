/** Declarations of variables by storage: linked, static in a function, automatic (C11 6.2.2, 6.2.4, 6.9.2). */
import { evaluateConstant } from '../../constant';
import { sizeOf } from '../../layout';
import { printType } from '../../printType';
import type { Span } from '../../source';
import type { DeclaratorWithInitializer, Specifiers, SyntaxInitializer } from '../../syntax';
import { isAggregate, isArithmetic, pointerTo } from '../../target';
import type { Initializer, Statement, VariableSymbol } from '../../tree';
import { compatible, composite } from '../../typeRelations';
import type { CType } from '../../types';
import type { Mutable } from '../../../mutable';
import type { ElaborationContext } from '../context';
import { saysOld } from '../calls';
import { elaborateInitializer } from './initializers';
import { noteRestrict } from '../restrict';
import { declareVariableArray, isVariableArray } from '../variableArrays';
import { sameScope, previously } from './earlierDeclarations';

/** File scope, or `extern` in a block: all declarations of the name in this unit denote one object. */
export function declareLinked(
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

export function declareStaticLocal(
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

export function declareAutomatic(
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
  const result = ctx.log.attempt(() =>
    elaborateInitializer(ctx, type, initializer, { isStatic: false, name, areFullExpressions: true }),
  );
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
