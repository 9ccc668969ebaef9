/** Statements, C11 6.8, and function bodies. A statement with an error is left out; the others are still checked. */
import { printType } from '../printType';
import type { Span } from '../source';
import {
  functionPart,
  type Declarator,
  type FunctionDefinitionSyntax,
  type SyntaxBlock,
  type SyntaxExpression,
  type SyntaxStatement,
} from '../syntax';
import { isInteger, voidType, wrap } from '../target';
import type { BlockStatement, TypedExpression, FunctionSymbol, Statement, VariableSymbol } from '../tree';
import type { FunctionType } from '../types';
import type { Mutable } from '../../mutable';
import type { ElaborationContext } from './context';
import { fullExpression } from './temporaries';
import { assignable, convert, promote, rvalue } from './conversions';
import { declare } from './declarations/declarations';
import { checkStaticAssertion, condition, discardValue, expression, integerConstant, rvalueOf } from './expressions';
import { nearest } from '../diagnostics/editDistance';
import { declaredType, isPlain, specifiedType } from './types';
import { jumpTarget } from './labelAddresses';
import { inNoOrder, isVariablyModified, mayChange, withComputedLengths } from './variableArrays';

/** `own` is the function's type as this definition says it. */
export function functionBody(
  ctx: ElaborationContext,
  symbol: FunctionSymbol,
  parameters: readonly VariableSymbol[],
  own: FunctionType,
  definition: FunctionDefinitionSyntax,
): void {
  const syntax = definition.body;
  ctx.function = {
    symbol,
    labels: new Map(),
    gotos: [],
    labelAddresses: [],
    undeclared: new Set(),
    missesSwitch: false,
  };
  ctx.inScope('block', () => {
    for (const parameter of parameters) {
      if (parameter.name === '') continue;
      ctx.scope.names.set(parameter.name, { kind: 'variable', symbol: parameter, span: parameter.span });
    }
    const items = [
      ...narrowParameters(ctx, own, parameters),
      ...parameterLengths(ctx, parameters, functionPart(definition.declarator)!),
      ...statements(ctx, syntax.items),
    ];
    if (symbol.name === 'main' && isInteger(symbol.type.result) && items[items.length - 1]?.kind !== 'return')
      items.push(returnZero(ctx, symbol, syntax.end));
    symbol.body = { kind: 'block', span: syntax.span, items };
  });
  checkLabels(ctx);
  ctx.function = undefined;
}

/**
 * The parameters of an old-style definition whose types promotion changed: converted on entry, as if by assignment
 * (6.9.1p10).
 */
function narrowParameters(
  ctx: ElaborationContext,
  own: FunctionType,
  parameters: readonly VariableSymbol[],
): Statement[] {
  return parameters.flatMap((parameter, i): Statement[] => {
    const type = own.parameters[i]?.narrow;
    if (!type) return [];
    const { name, span } = parameter;
    const local: VariableSymbol = {
      kind: 'variable',
      name,
      type,
      span,
      storage: 'automatic',
      initializer: undefined,
      owner: ctx.function!.symbol.name,
      addressTaken: false,
    };
    ctx.scope.names.set(name, { kind: 'variable', symbol: local, span });
    const value = convert(rvalue(ctx, { kind: 'variable', symbol: parameter, type: parameter.type, span }), type);
    return [{ kind: 'declare', span, symbol: local, initializer: undefined, value }];
  });
}

/** Evaluates the lengths of array parameters on entry (6.9.1p10), now that the parameters before them have values. */
function parameterLengths(
  ctx: ElaborationContext,
  symbols: readonly Mutable<VariableSymbol>[],
  part: Extract<Declarator, { kind: 'function' }>,
): readonly Statement[] {
  const computed: Statement[] = [];
  const plain = new Set<Statement>();
  part.parameters.forEach(({ declarator, specifiers }, i) => {
    const symbol = symbols[i]!;
    const length = outermostLength(declarator);
    if (!length && !isVariablyModified(symbol.type)) return;
    ctx.log.attempt(() => {
      const value = length && rvalueOf(ctx, length);
      if (value) {
        const statement: Statement = { kind: 'expression', span: value.span, expression: value };
        if (isPlain(value)) plain.add(statement);
        computed.push(statement);
      }
      if (isVariablyModified(symbol.type))
        symbol.type = withComputedLengths(
          ctx,
          declaredType(ctx, specifiedType(ctx, specifiers), declarator, 'parameter'),
          symbol.name,
          symbol.span,
          computed,
        );
    });
  });
  // Uses alone conflict with nothing.
  const others = computed.filter((statement) => !plain.has(statement));
  return inNoOrder(others.some(mayChange) ? computed : others);
}

/** The one that makes the parameter a pointer. */
function outermostLength(declarator: Declarator): SyntaxExpression | undefined {
  let d = declarator;
  while (d.kind !== 'name') {
    if (d.kind === 'array' && d.inner.kind === 'name') return d.length;
    d = d.inner;
  }
  return undefined;
}

/** Reaching the end of `main` returns 0 (5.1.2.2.3). */
function returnZero(ctx: ElaborationContext, main: FunctionSymbol, span: Span): Statement {
  const zero: TypedExpression = { kind: 'integer', value: 0n, type: ctx.target.integers.int, span };
  return {
    kind: 'return',
    span,
    value: assignable(ctx, zero, main.type.result, { kind: 'return', functionName: 'main' }),
  };
}

function checkLabels(ctx: ElaborationContext): void {
  const { labels, gotos } = ctx.function!;
  if (ctx.partial) return;
  for (const { label, span } of gotos) {
    if (labels.has(label)) continue;
    const similar = nearest(label, labels.keys());
    ctx.log.error(
      `no label '${label}' in this function`,
      span,
      similar === undefined ? {} : { hint: `Did you mean '${similar}'?` },
    );
  }
}

function statements(ctx: ElaborationContext, items: readonly SyntaxStatement[]): Statement[] {
  const result: Statement[] = [];
  for (const item of items) {
    if (item.kind === 'declaration') {
      result.push(...declare(ctx, item));
    } else if (item.kind === 'static-assertion') {
      ctx.log.attempt(() => checkStaticAssertion(ctx, item));
    } else {
      result.push(statement(ctx, item));
    }
  }
  return result;
}

function block(ctx: ElaborationContext, syntax: SyntaxBlock): BlockStatement {
  return ctx.inScope('block', () => ({ kind: 'block', span: syntax.span, items: statements(ctx, syntax.items) }));
}

function statement(ctx: ElaborationContext, syntax: SyntaxStatement): Statement {
  const { span } = syntax;
  switch (syntax.kind) {
    case 'block':
      return block(ctx, syntax);
    case 'declaration':
    case 'static-assertion':
      return { kind: 'block', span, items: statements(ctx, [syntax]) };
    case 'empty':
      return { kind: 'empty', span };
    case 'expression': {
      const e = ctx.log.attempt(() => discardValue(ctx, syntax.expression));
      return e ? { kind: 'expression', span, expression: e } : { kind: 'empty', span };
    }
    case 'if':
      return ctx.inScope('block', () => ifStatement(ctx, syntax));
    case 'while':
      return ctx.inScope('block', () => {
        const test = controlling(ctx, () => condition(ctx, syntax.condition), syntax.condition.span);
        return { kind: 'while', span, condition: test, body: loopBody(ctx, syntax.body) };
      });
    case 'do':
      return ctx.inScope('block', () => {
        const body = loopBody(ctx, syntax.body);
        return {
          kind: 'do',
          span,
          body,
          condition: controlling(ctx, () => condition(ctx, syntax.condition), syntax.condition.span),
        };
      });
    case 'for':
      return ctx.inScope('block', () => forStatement(ctx, syntax));
    case 'switch':
      return ctx.inScope('block', () => switchStatement(ctx, syntax));
    case 'case':
      return caseStatement(ctx, syntax);
    case 'default': {
      const enclosing = ctx.switches[ctx.switches.length - 1];
      if (!enclosing) {
        outsideSwitch(ctx, 'default', syntax.labelSpan);
      } else {
        if (enclosing.defaultSpan)
          ctx.log.error("two 'default' labels in one 'switch'", syntax.labelSpan, {
            notes: [{ message: 'the first one is here', span: enclosing.defaultSpan }],
          });
        enclosing.defaultSpan = syntax.labelSpan;
      }
      return { kind: 'default', span: syntax.labelSpan, body: statement(ctx, syntax.body) };
    }
    case 'label': {
      const { labels } = ctx.function!;
      const previous = labels.get(syntax.name);
      if (previous)
        ctx.log.error(`two labels are named '${syntax.name}'`, syntax.labelSpan, {
          notes: [{ message: 'the first one is here', span: previous }],
        });
      labels.set(syntax.name, syntax.labelSpan);
      return { kind: 'label', span: syntax.labelSpan, name: syntax.name, body: statement(ctx, syntax.body) };
    }
    case 'goto':
      ctx.function!.gotos.push({ label: syntax.label, span: syntax.labelSpan });
      return { kind: 'goto', span, label: syntax.label };
    case 'computed-goto': {
      const target = ctx.log.attempt(() => jumpTarget(ctx, syntax.target));
      return target
        ? { kind: 'computed-goto', span, target, labels: ctx.function!.labelAddresses }
        : { kind: 'empty', span };
    }
    case 'break':
      if (ctx.breakables === 0 && !ctx.function!.missesSwitch)
        ctx.log.error("'break' outside a loop or 'switch'", span);
      return { kind: 'break', span };
    case 'continue':
      if (ctx.loops === 0) ctx.log.error("'continue' outside a loop", span);
      return { kind: 'continue', span };
    case 'return':
      return ctx.log.attempt(() => returnStatement(ctx, syntax)) ?? { kind: 'empty', span };
  }
}

/** The stand-in for a condition with an error never leaves the front end: the unit is rejected. */
function controlling(ctx: ElaborationContext, read: () => TypedExpression, span: Span): TypedExpression {
  return ctx.log.attempt(read) ?? { kind: 'integer', value: 0n, type: ctx.target.integers.int, span };
}

/** A chain of `else if` in a loop, as in the parser. */
function ifStatement(ctx: ElaborationContext, syntax: Extract<SyntaxStatement, { kind: 'if' }>): Statement {
  const links: { readonly span: Span; readonly condition: TypedExpression; readonly then: Statement }[] = [];
  let current: SyntaxStatement | undefined = syntax;
  while (current?.kind === 'if') {
    const { condition: test, then, span, otherwise }: Extract<SyntaxStatement, { kind: 'if' }> = current;
    links.push({
      span,
      condition: controlling(ctx, () => condition(ctx, test), test.span),
      then: ctx.inScope('block', () => statement(ctx, then)),
    });
    current = otherwise;
  }
  const last = current;
  let otherwise = last && ctx.inScope('block', () => statement(ctx, last));
  for (let i = links.length - 1; i >= 0; i--) otherwise = { kind: 'if', ...links[i]!, otherwise };
  return otherwise!;
}

function loopBody(ctx: ElaborationContext, syntax: SyntaxStatement): Statement {
  ctx.loops++;
  ctx.breakables++;
  const body = ctx.inScope('block', () => statement(ctx, syntax));
  ctx.breakables--;
  ctx.loops--;
  return body;
}

function forStatement(ctx: ElaborationContext, syntax: Extract<SyntaxStatement, { kind: 'for' }>): Statement {
  const storage = syntax.init?.kind === 'declaration' ? syntax.init.specifiers.storage : undefined;
  if (storage !== undefined && storage !== 'auto' && storage !== 'register')
    ctx.log.error(`the head of a 'for' cannot declare something '${storage}'`, syntax.init!.span);
  const init = syntax.init ? statements(ctx, [syntax.init]) : [];
  const test = syntax.condition;
  const step = syntax.step;
  return {
    kind: 'for',
    span: syntax.span,
    init,
    condition: test && controlling(ctx, () => condition(ctx, test), test.span),
    step: step && controlling(ctx, () => discardValue(ctx, step), step.span),
    body: loopBody(ctx, syntax.body),
  };
}

function switchStatement(ctx: ElaborationContext, syntax: Extract<SyntaxStatement, { kind: 'switch' }>): Statement {
  const test = controlling(
    ctx,
    () =>
      fullExpression(ctx, () => {
        const e = rvalueOf(ctx, syntax.condition);
        if (!isInteger(e.type))
          return ctx.log.fail(`'switch' needs an integer, not '${printType(e.type)}'`, syntax.condition.span);
        return promote(ctx, e);
      }),
    syntax.condition.span,
  );
  ctx.switches.push({ type: test.type, cases: [], defaultSpan: undefined });
  ctx.breakables++;
  const body = statement(ctx, syntax.body);
  ctx.breakables--;
  ctx.switches.pop();
  return { kind: 'switch', span: syntax.span, condition: test, body };
}

function caseStatement(ctx: ElaborationContext, syntax: Extract<SyntaxStatement, { kind: 'case' }>): Statement {
  const { labelSpan } = syntax;
  const range = ctx.log.attempt(() => caseRange(ctx, syntax));
  const body = statement(ctx, syntax.body);
  return { kind: 'case', span: labelSpan, low: range?.low ?? 0n, high: range?.high ?? 0n, body };
}

function outsideSwitch(ctx: ElaborationContext, label: 'case' | 'default', span: Span): void {
  if (!ctx.function!.missesSwitch) ctx.log.error(`'${label}' outside a 'switch'`, span);
  ctx.function!.missesSwitch = true;
}

function caseRange(
  ctx: ElaborationContext,
  syntax: Extract<SyntaxStatement, { kind: 'case' }>,
): { readonly low: bigint; readonly high: bigint } {
  const enclosing = ctx.switches[ctx.switches.length - 1];
  if (!enclosing) {
    outsideSwitch(ctx, 'case', syntax.labelSpan);
    return ctx.log.abandon();
  }
  const value = (e: typeof syntax.low): bigint => {
    const given = integerConstant(ctx, e, "a 'case' label");
    return isInteger(enclosing.type) ? wrap(given, enclosing.type) : given;
  };
  const low = value(syntax.low);
  const high = syntax.high ? value(syntax.high) : low;
  if (high < low) ctx.log.fail('empty range of cases', syntax.labelSpan);
  const same = enclosing.cases.find((other) => low <= other.high && other.low <= high);
  if (same)
    ctx.log.fail(`two 'case' labels for ${low > same.low ? low : same.low}`, syntax.labelSpan, {
      notes: [{ message: 'the first one is here', span: same.span }],
    });
  enclosing.cases.push({ low, high, span: syntax.labelSpan });
  return { low, high };
}

function returnStatement(ctx: ElaborationContext, syntax: Extract<SyntaxStatement, { kind: 'return' }>): Statement {
  const { symbol } = ctx.function!;
  const { result } = symbol.type;
  const { span } = syntax;
  const note = { notes: [{ message: `'${symbol.name}' is declared here`, span: symbol.span }] };
  if (!syntax.value) {
    if (result.kind !== 'void' && ctx.standard === 'c11')
      ctx.log.fail(`'return' without a value in '${symbol.name}', which returns '${printType(result)}'`, span, note);
    return { kind: 'return', span, value: undefined };
  }
  const given = syntax.value;
  if (result.kind !== 'void') {
    const value = fullExpression(ctx, () =>
      assignable(ctx, rvalueOf(ctx, given), result, { kind: 'return', functionName: symbol.name }),
    );
    return { kind: 'return', span, value };
  }
  const value = fullExpression(ctx, () => rvalueOf(ctx, given));
  if (value.type.kind !== 'void')
    ctx.log.fail(`'return' with a value in '${symbol.name}', which returns nothing`, syntax.value.span, note);
  return {
    kind: 'block',
    span,
    items: [
      { kind: 'expression', span, expression: value },
      { kind: 'return', span, value: undefined },
    ],
  };
}

/** GNU `({ … })`: the value is that of the last statement, if it is an expression; it is kept apart from the others. */
export function statementExpression(ctx: ElaborationContext, syntax: SyntaxBlock, span: Span): TypedExpression {
  if (!ctx.function) return ctx.log.fail('a statement expression outside functions', span);
  return ctx.inScope('block', () => {
    const last = syntax.items[syntax.items.length - 1];
    const before = last?.kind === 'expression' ? syntax.items.slice(0, -1) : syntax.items;
    const body: BlockStatement = { kind: 'block', span: syntax.span, items: statements(ctx, before) };
    const result = last?.kind === 'expression' ? rvalue(ctx, expression(ctx, last.expression)) : undefined;
    if (!result || result.type.kind === 'void') {
      const items = result
        ? [...body.items, { kind: 'expression' as const, span: result.span, expression: result }]
        : body.items;
      return { kind: 'statement-expression', body: { ...body, items }, result: undefined, type: voidType, span };
    }
    return { kind: 'statement-expression', body, result, type: result.type, span };
  });
}
