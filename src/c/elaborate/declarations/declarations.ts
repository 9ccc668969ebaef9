/** Declarations, C11 6.7, and linkage (6.2.2). */
import { alignOf, sizeOf } from '../../layout';
import { printType } from '../../printType';
import type { Span } from '../../source';
import {
  declaredName,
  functionPart,
  type Attribute,
  type Declaration,
  type DeclaratorWithInitializer,
  type ExternalDeclaration,
  type Specifiers,
  type SyntaxExpression,
} from '../../syntax';
import { qualify } from '../../target';
import type { Alias, TypedExpression, Statement } from '../../tree';
import { TextDecoder } from '../../../textCoding';
import { nameByTypedef } from '../../typedefNames';
import { compatible } from '../../typeRelations';
import type { CType } from '../../types';
import type { ElaborationContext } from '../context';
import { checkStaticAssertion, discardValue, rvalueOf } from '../expressions';
import { ensuresOf } from '../ensuresOf';
import { stringLiteral } from '../literals';
import { enumType, recordType } from '../records';
import { inNoOrder, isVariableArray, isVariablyModified, withComputedLengths } from '../variableArrays';
import { declaredType, requestedAlignment, specifiedType, withMode } from '../types';
import { previously } from './earlierDeclarations';
import { declareFunction, defineFunction, isNoreturn, linkerAttributes } from './functions';
import { declareLinked, declareStaticLocal, declareAutomatic } from './variables';

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
    // A prototype or typedef that is not used need not be understood.
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
  const attributes = [...specifiers.attributes, ...one.attributes];
  const alias = attributes.find((attribute) => attribute.name === 'alias');
  if (alias && (!isLinked || specifiers.storage === 'static' || one.initializer))
    ctx.log.failUnsupported(
      one.initializer
        ? `'${name}' is an alias and cannot have an initializer`
        : `the alias '${name}' without external linkage is not supported`,
      alias.span,
    );
  if (type.kind === 'function') {
    if (one.initializer) ctx.log.fail(`the function '${name}' cannot have an initializer`, one.initializer.span);
    if (ctx.function && specifiers.storage === 'static')
      ctx.log.fail(`a function declared in a block cannot be 'static'`, span);
    const symbol = declareFunction(
      ctx,
      name,
      type,
      span,
      specifiers,
      isNoreturn(specifiers, one.attributes),
      'declaration',
    );
    Object.assign(symbol, linkerAttributes(ctx, attributes));
    if (alias) ctx.aliases.push(aliasOf(ctx, symbol, alias));
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
  if (isLinked && entry?.kind === 'variable') {
    if (attributes.some((attribute) => attribute.name === 'weak')) Object.assign(entry.symbol, { weak: true });
    if (alias) ctx.aliases.push(aliasOf(ctx, entry.symbol, alias));
  }
  const cleanup = attributes.find((attribute) => attribute.name === 'cleanup');
  if (cleanup) statements.push(...cleanupOf(ctx, cleanup, name, span));
  if (entry?.kind !== 'variable' || asked === 1) return;
  const { alignBytes = asked } = entry.symbol;
  if (alignment && alignBytes !== asked)
    ctx.log.fail(`'${name}' is declared with alignments of ${alignBytes} and of ${asked} bytes`, alignment.span);
  entry.symbol.alignBytes = Math.max(asked, alignBytes);
}

/** GNU's `alias("target")`. */
function aliasOf(ctx: ElaborationContext, symbol: Alias['symbol'], { arguments: [target], span }: Attribute): Alias {
  if (target?.kind !== 'string') return ctx.log.fail("'alias' needs the name of what it stands for, as a text", span);
  const { bytes } = stringLiteral(ctx, target.pieces, target.span);
  return { symbol, target: new TextDecoder().decode(bytes.subarray(0, -1)), span };
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
