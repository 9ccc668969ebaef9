/** Function calls, C11 6.5.2.2, and the built-in functions of GNU C that need more than a prototype. */
import { evaluateConstant } from '../constant';
import { builtInPrototype, idiomPrototype, libraryFunctionOf } from '../libraryNames';
import { objectSize } from '../objectSize';
import { printType } from '../printType';
import type { Span } from '../source';
import type { BinaryOperatorToken, SyntaxExpression, SyntaxInitializer, SyntaxInitializerList } from '../syntax';
import { doubleType, floatType, longDoubleType, withoutQualifiers, voidType, wrap } from '../target';
import type { TypedExpression } from '../tree';
import type { CType, FunctionType } from '../types';
import { atomicOperation } from './atomics';
import type { ElaborationContext } from './context';
import { assignable, convert, promoteArgument, rvalue } from './conversions';
import { expression, integerConstant, rvalueOf, vaList } from './expressions';
import { floatQuestion } from './floatClass';
import { listQuestionCall } from './listQuestions';
import { declarePrototype, resolveName } from './names';
import { binary } from './operators';
import { checkedArithmetic, checkedOperation } from './overflow';
import { isPlain } from './types';

type CallSyntax = Extract<SyntaxExpression, { kind: 'call' }>;

/** Built-in functions behind the macros of `provest.h`. */
const contracts: ReadonlySet<string> = new Set([
  '__provest_requires',
  '__provest_ensures',
  '__provest_claim',
  '__provest_old',
]);
const unsupportedCalls: ReadonlySet<string> = new Set(['vfork']);

/** The initializer is a call of `PROVEST_OLD`. */
export const saysOld = (syntax: SyntaxInitializer): boolean =>
  syntax.kind === 'expression' &&
  syntax.expression.kind === 'call' &&
  syntax.expression.callee.kind === 'identifier' &&
  syntax.expression.callee.name === '__provest_old';

export function callExpression(ctx: ElaborationContext, syntax: CallSyntax): TypedExpression {
  const { callee, span } = syntax;
  const name = callee.kind === 'identifier' ? callee.name : undefined;
  if (name !== undefined) {
    if (unsupportedCalls.has(name)) return ctx.log.fail(`'${name}' is not supported`, span);
    // Compilers leave contracts out: what is proved would be another program.
    const change = contracts.has(name) && syntax.arguments[0] ? changeIn(syntax.arguments[0]) : undefined;
    if (change) {
      const isEqual = change.kind === 'assignment' && change.operator === '=';
      return ctx.log.fail('a contract changes nothing: it is there for provest alone', change.span, {
        hint: isEqual ? "Compare with '=='." : 'Say it of the values as they are.',
      });
    }
    if (contracts.has(name))
      return ctx.inContract(() =>
        name === '__provest_old' && syntax.arguments.length === 1
          ? rvalueOf(ctx, syntax.arguments[0]!)
          : callOf(ctx, syntax, name),
      );
    if (name.startsWith('__') && !ctx.scope.lookup(name)) {
      const special = builtInCall(ctx, name, syntax);
      if (special) return special;
    }
  }
  return callOf(ctx, syntax, name);
}

function callOf(
  ctx: ElaborationContext,
  { callee, arguments: args, span }: CallSyntax,
  name: string | undefined,
): TypedExpression {
  const designator =
    callee.kind === 'identifier' ? calledName(ctx, callee.name, callee.span, args) : expression(ctx, callee);
  return call(ctx, rvalue(ctx, designator), args, span, name);
}

/** The first part of an expression that changes something. */
export function changeIn(syntax: SyntaxExpression): SyntaxExpression | undefined {
  const first = (...parts: readonly (SyntaxExpression | undefined)[]): SyntaxExpression | undefined => {
    for (const part of parts) {
      const change = part && changeIn(part);
      if (change) return change;
    }
    return undefined;
  };
  switch (syntax.kind) {
    case 'assignment':
    case 'postfix':
    case 'statement-expression':
    case 'va-arg':
      return syntax;
    case 'prefix':
      return syntax.operator === '++' || syntax.operator === '--' ? syntax : changeIn(syntax.operand);
    case 'binary':
    case 'comma':
      return first(syntax.left, syntax.right);
    case 'conditional':
      return first(syntax.condition, syntax.then, syntax.otherwise);
    case 'cast':
      return changeIn(syntax.operand);
    case 'subscript':
      return first(syntax.array, syntax.index);
    case 'call':
      return first(syntax.callee, ...syntax.arguments);
    case 'member':
      return changeIn(syntax.object);
    case 'generic':
      return first(...syntax.associations.map(({ value }) => value));
    case 'compound-literal':
      return changeInList(syntax.initializer);
    default:
      return undefined;
  }
}

function changeInList({ items }: SyntaxInitializerList): SyntaxExpression | undefined {
  for (const { value } of items) {
    const change = value.kind === 'list' ? changeInList(value) : changeIn(value.expression);
    if (change) return change;
  }
  return undefined;
}

/** A library function under its `__builtin_` name is that function. */
function calledName(
  ctx: ElaborationContext,
  name: string,
  span: Span,
  args: readonly SyntaxExpression[],
): TypedExpression {
  if (name.startsWith('__builtin_') && !ctx.scope.lookup(name)) {
    const library = libraryFunctionOf(name);
    const entry = library && declarePrototype(ctx, library.name, library.prototype);
    if (entry?.kind === 'function') return { kind: 'function', symbol: entry.symbol, type: entry.symbol.type, span };
  }
  const typeOf = (arg: SyntaxExpression) =>
    ctx.log.attempt(() => printType(promoteArgument(ctx, rvalueOf(ctx, arg)).type)) ?? 'int';
  return resolveName(ctx, name, span, { argumentTypes: () => args.map(typeOf) });
}

function call(
  ctx: ElaborationContext,
  callee: TypedExpression,
  syntaxes: readonly SyntaxExpression[],
  span: Span,
  name: string | undefined,
): TypedExpression {
  if (callee.type.kind !== 'pointer' || callee.type.to.kind !== 'function') {
    return ctx.log.fail(
      `${name === undefined ? 'this' : `'${name}'`} is not a function but '${printType(callee.type)}'`,
      span,
      declarationNote(callee, name),
    );
  }
  const functionType = callee.type.to;
  const counts = ctx.log.attempt(() => {
    checkCount(ctx, functionType, syntaxes.length, callee, span, name);
    return true;
  });
  const args = syntaxes.map((syntax, index) =>
    ctx.log.attempt(() => {
      const value = rvalueOf(ctx, syntax);
      if (value.type.kind === 'void') return ctx.log.fail('this expression has no value: its type is void', value.span);
      // Which argument is missing, or too many, is not known.
      if (!counts) return value;
      const parameter = functionType.unprototyped || functionType.oldStyle ? undefined : functionType.parameters[index];
      if (!parameter) return promoteArgument(ctx, value);
      return assignable(ctx, value, parameter.type, {
        kind: 'argument',
        index,
        functionName: name,
        declared: declarationSpan(callee),
      });
    }),
  );
  if (!counts || !args.every((arg) => arg !== undefined)) return ctx.log.abandon();
  const type = withoutQualifiers(functionType.result);
  if (type.kind === 'record' && !type.record.complete)
    return ctx.log.fail(`the result type '${printType(type)}' is incomplete here`, span);
  return { kind: 'call', callee, arguments: args, functionType, type, span };
}

function checkCount(
  ctx: ElaborationContext,
  type: FunctionType,
  given: number,
  callee: TypedExpression,
  span: Span,
  name: string | undefined,
): void {
  if (type.unprototyped || type.oldStyle) return;
  const expected = type.parameters.length;
  if (given === expected || (type.variadic && given > expected)) return;
  const subject = name === undefined ? 'the function' : `'${name}'`;
  const plural = expected === 1 ? '' : 's';
  const count = `${type.variadic ? 'at least ' : ''}${expected === 0 ? 'no' : expected} argument${plural}`;
  ctx.log.fail(
    `too ${given < expected ? 'few' : 'many'} arguments: ${subject} takes ${count}, not ${given}`,
    span,
    declarationNote(callee, name),
  );
}

function declarationSpan(callee: TypedExpression): Span | undefined {
  if (callee.kind === 'function-pointer' && callee.designator.kind === 'function') return callee.designator.symbol.span;
  if (callee.kind === 'load' && callee.lvalue.kind === 'variable') return callee.lvalue.symbol.span;
  return undefined;
}

function declarationNote(
  callee: TypedExpression,
  name: string | undefined,
): { notes?: readonly { message: string; span: Span }[] } {
  const span = declarationSpan(callee);
  return span === undefined || name === undefined ? {} : { notes: [{ message: `'${name}' is declared here`, span }] };
}

/** They differ from the operators only in the exceptions they raise, which are not modelled. */
const floatComparisons: ReadonlyMap<string, BinaryOperatorToken> = new Map([
  ['__builtin_isgreater', '>'],
  ['__builtin_isgreaterequal', '>='],
  ['__builtin_isless', '<'],
  ['__builtin_islessequal', '<='],
] as const);

/** GNU's numbers for the kinds of values; an array or a function has become a pointer. */
function typeClass(type: CType): bigint {
  switch (type.kind) {
    case 'void':
      return 0n;
    case 'pointer':
      return 5n;
    case 'float':
      return 8n;
    case 'record':
      return type.record.keyword === 'struct' ? 12n : 13n;
    default:
      return 1n;
  }
}

/** The value, after the side effects of the hints about it. */
function withEffects(
  ctx: ElaborationContext,
  value: TypedExpression,
  hints: readonly SyntaxExpression[],
): TypedExpression {
  return hints
    .map((hint) => rvalueOf(ctx, hint))
    .filter((hint) => !isPlain(hint))
    .reduceRight(
      (right, left): TypedExpression => ({ kind: 'comma', left, right, type: right.type, span: right.span }),
      value,
    );
}

/** Undefined when the name is no special form, so that it is called like any function. */
function builtInCall(ctx: ElaborationContext, name: string, syntax: CallSyntax): TypedExpression | undefined {
  const { span, arguments: args } = syntax;
  const { int, long } = ctx.target.integers;
  const take = (count: number): void => {
    if (args.length !== count)
      ctx.log.fail(`'${name}' takes ${count} argument${count === 1 ? '' : 's'}, not ${args.length}`, span);
  };
  const integer = (value: bigint, type = int): TypedExpression => ({ kind: 'integer', value, type, span });
  const checked = checkedOperation(name);
  if (checked) {
    take(3);
    return expression(ctx, checkedArithmetic(checked, args, span));
  }
  const question = listQuestionCall(ctx, name, args, span);
  if (question) return expression(ctx, question);
  const atomic = atomicOperation(ctx, name, args, span);
  if (atomic) return expression(ctx, atomic);
  const comparison = floatComparisons.get(name);
  if (comparison) {
    take(2);
    return binary(ctx, comparison, rvalueOf(ctx, args[0]!), rvalueOf(ctx, args[1]!), span);
  }
  const asked = floatQuestion(name);
  if (asked) {
    take(asked.count);
    return expression(ctx, asked.write(args, span));
  }
  switch (name) {
    case '__builtin_prefetch': {
      if (args.length === 0) take(1);
      return convert(withEffects(ctx, rvalueOf(ctx, args[0]!), args.slice(1)), voidType, 'explicit', span);
    }
    case '__builtin_expect':
    case '__builtin_expect_with_probability': {
      if (args.length < 2) take(2);
      return withEffects(ctx, { ...convert(rvalueOf(ctx, args[0]!), long), span }, args.slice(1));
    }
    case '__builtin_constant_p': {
      take(1);
      const e = ctx.withoutEvaluation(() => rvalueOf(ctx, args[0]!));
      const value = evaluateConstant(e, { model: ctx.model });
      const known =
        value !== undefined &&
        (value.kind !== 'address' || (typeof value.base === 'object' && value.base.kind === 'string'));
      return integer(known ? 1n : 0n);
    }
    case '__builtin_choose_expr': {
      take(3);
      const chosen =
        integerConstant(ctx, args[0]!, "the first argument of '__builtin_choose_expr'") !== 0n ? args[1]! : args[2]!;
      return expression(ctx, chosen);
    }
    case '__builtin_object_size':
    case '__builtin_dynamic_object_size': {
      take(2);
      const kind = integerConstant(ctx, args[1]!, "the second argument of '__builtin_object_size'");
      const known = objectSize(
        ctx.model,
        ctx.withoutEvaluation(() => rvalueOf(ctx, args[0]!)),
        (kind & 1n) === 1n ? 'member' : 'object',
      );
      return integer(known ?? (kind < 2n ? wrap(-1n, ctx.target.size) : 0n), ctx.target.size);
    }
    case '__atomic_always_lock_free':
    case '__atomic_is_lock_free': {
      take(2);
      return integer(integerConstant(ctx, args[0]!, `the first argument of '${name}'`) <= 8n ? 1n : 0n);
    }
    case '__builtin_classify_type': {
      take(1);
      return integer(typeClass(ctx.withoutEvaluation(() => rvalueOf(ctx, args[0]!)).type));
    }
    case '__builtin_assume_aligned':
      if (args.length < 2) take(2);
      return withEffects(ctx, convert(rvalueOf(ctx, args[0]!), { kind: 'pointer', to: voidType }), args.slice(1));
    case '__builtin_va_start':
      if (args.length === 0) take(2);
      if (ctx.function && !ctx.function.symbol.type.variadic)
        ctx.log.fail(`'va_start' in '${ctx.function.symbol.name}', which takes a fixed number of arguments`, span);
      return { kind: 'va-start', list: vaList(ctx, args[0]!), type: voidType, span };
    case '__builtin_va_end':
      take(1);
      return { kind: 'va-end', list: vaList(ctx, args[0]!), type: voidType, span };
    case '__builtin_va_copy':
      take(2);
      return { kind: 'va-copy', target: vaList(ctx, args[0]!), source: vaList(ctx, args[1]!), type: voidType, span };
    case '__builtin_huge_val':
    case '__builtin_inf':
      return { kind: 'float', value: Infinity, type: doubleType, span };
    case '__builtin_huge_valf':
    case '__builtin_inff':
      return { kind: 'float', value: Infinity, type: floatType, span };
    case '__builtin_huge_vall':
    case '__builtin_infl':
      return { kind: 'float', value: Infinity, type: longDoubleType, span };
    case '__builtin_nan':
    case '__builtin_nanf':
    case '__builtin_nanl': {
      const type = { __builtin_nan: doubleType, __builtin_nanf: floatType, __builtin_nanl: longDoubleType }[name];
      return { kind: 'float', value: NaN, type, span };
    }
  }
  if (/^__(?:sync|atomic|c11_atomic)_/.test(name))
    return ctx.log.fail(`atomic operations are not supported: '${name}'`, span);
  if (
    name.startsWith('__builtin_') &&
    libraryFunctionOf(name) === undefined &&
    builtInPrototype(name) === undefined &&
    !(ctx.idioms && idiomPrototype(name) !== undefined)
  ) {
    return ctx.log.fail(`the built-in function '${name}' is not supported`, span);
  }
  return undefined;
}
