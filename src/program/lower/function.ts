/**
 * Lowers one function: prologue (parameters that live in memory), body, epilogue (objects of the activation end). The
 * first lowering has no checks for uninitialised locals. If the analysis finds locals that may be read too early, a
 * second lowering adds the checks.
 */
import type { Span } from '../../c/source';
import type { BlockStatement, VariableSymbol } from '../../c/tree';
import type { FunctionType } from '../../c/types';
import { finish, type Automaton } from '../automata/automaton';
import { reversePostOrder } from '../automata/draft';
import { addressOf, integer, no, nullPointer, read, truth } from '../build';
import { int64, int8, pointer, type Expression, type Variable } from '../expression';
import type { Command } from '../command';
import type { LinkedFunction, UndefinedFunction } from '../linking/link';
import { hiddenName } from '../passedStructure';
import { expressionsOf, walk } from '../traverse';
import type { FunctionDefinition } from '../program';
import { checkLeaks } from './objects/allocation';
import { startWithUnknown, type VariableElsewhere, writeContents } from './objects/definedElsewhere';
import { checkKept } from './objects/keptBlocks';
import { asCommand } from './order/accesses';
import { FunctionLowering, sourceText, type FunctionSettings, type ProgramContext } from './context';
import type { Mutable } from '../../mutable';
import { mayBeReadUnset } from './initialised';
import { isAggregate, mostObjectBytes, scalarOf, sizeOf } from './objects/layout';
import { separatePointers } from './separatedPointers';
import { analyseScopes, noScopes } from './objects/scopes';
import { callUndefined, stringText } from './calls/specialCall';
import { freeStackBlocks } from './objects/stackBlock';
import { drawJumps, lowerBlock, withoutValue } from './statement';
import { temporariesAcrossCutpoints } from './temporaries';
import { lowerValue } from './value';

/** The parts of a function's definition that lowering computes. */
export type FunctionBody = Pick<
  FunctionDefinition,
  | 'contracts'
  | 'unordered'
  | 'typedAccesses'
  | 'structuresBehindVoid'
  | 'puns'
  | 'hasSeparatedPointers'
  | 'parameters'
  | 'result'
  | 'resultVariable'
  | 'variables'
  | 'objects'
  | 'locations'
  | 'edges'
  | 'entry'
  | 'exit'
>;
export interface LoweredFunction {
  readonly body: FunctionBody;
  /** Some path returns to the caller. */
  readonly returns: boolean;
  /** Some path returns to the caller without the value that it may use. */
  readonly fallsOff: boolean;
}

export function lowerFunction(program: ProgramContext, fn: LinkedFunction): LoweredFunction {
  const scopes = analyseScopes(fn.symbol.body!);
  const errors = program.diagnostics.length;
  const first = draw(program, fn, { name: fn.name, scopes, suspicious: undefined });
  const loads = reachedLoads(first.context);
  const automaton = finish(first.context.draft, first.end);
  const suspicious =
    program.diagnostics.length > errors
      ? new Set<VariableSymbol>()
      : new Set([...mayBeReadUnset(automaton, first.context.symbols, program), ...readForNothing(automaton, loads)]);
  const {
    context: f,
    parameters,
    returns,
    fallsOff,
    end,
  } = suspicious.size === 0 ? first : draw(program, fn, { name: fn.name, scopes, suspicious });
  // If no read can see it, an indeterminate value is equivalent to the old one.
  f.draft.erase(
    (command) =>
      command.kind === 'havoc' && f.symbols.has(command.target) && !suspicious.has(f.symbols.get(command.target)!),
  );
  const { assumed, separatesAllBut } = program.options;
  const isSeparated =
    separatesAllBut !== undefined &&
    separatePointers(f, (one) => separatesAllBut.has(one.name) || parameters.includes(one) || one === f.resultVariable);
  const body = bodyOf(f, finish(f.draft, end, assumed), parameters);
  return { body: { ...body, ...(isSeparated && { hasSeparatedPointers: true }) }, returns, fallsOff };
}

type Loads = FunctionLowering['loads'];

/** Reads of local variables in code that some path leads to. */
function reachedLoads({ draft, loads }: FunctionLowering): Loads {
  if (loads.length === 0) return loads;
  const reached = new Set(reversePostOrder(draft.entry));
  return loads.filter(({ at }) => reached.has(at));
}

/** The symbols with a read that no command has, since the value does not matter: `x * 0`. */
function readForNothing(automaton: Automaton, loads: Loads): readonly VariableSymbol[] {
  if (loads.length === 0) return [];
  const kept = new Set<Expression>();
  for (const { command } of automaton.edges)
    for (const expression of expressionsOf(command)) walk(expression, (e) => kept.add(e));
  return loads.filter(({ value }) => !kept.has(value)).map(({ symbol }) => symbol);
}

interface Drawing {
  readonly context: FunctionLowering;
  readonly parameters: readonly Variable[];
  readonly returns: boolean;
  readonly fallsOff: boolean;
  readonly end: Span;
}

function draw(program: ProgramContext, fn: LinkedFunction, settings: FunctionSettings): Drawing {
  const { symbol } = fn;
  const f = new FunctionLowering(program, settings);
  const { span } = symbol;
  const body: BlockStatement = symbol.body!;
  const end: Span = { ...body.span, start: Math.max(body.span.start, body.span.end - 1) };
  f.returned = program.returnedFlag(fn);
  const parameters = declareParameters(f, symbol.type, symbol.parameters);
  const start = f.moment();
  placeParameters(f, symbol.parameters, parameters, span);
  startWithUnknown(f, program.definitionOf(fn), span);
  if (isMain(fn)) beforeMain(f, span);
  lowerBlock(f, body);
  const closing = fallOff(f, fn, end);
  drawJumps(f);
  f.draft.startAt(f.epilogue);
  for (const {
    arguments: [condition, text],
    span: at,
  } of f.postconditions)
    f.check('postcondition', truth(f.noteContract(() => lowerValue(f, condition!))), at, {
      text: stringText(text) ?? sourceText(condition!.span),
      ifUnchecked: 'ignore',
    });
  if (symbol.noreturn) f.check('noreturn', no, end, { text: fn.name, ifUnchecked: 'ignore' });
  freeStackBlocks(f, end);
  for (const object of [...f.activationObjects].reverse()) f.emit({ kind: 'end', object }, end);
  const { exitHandlers } = program.linked;
  if (exitHandlers && isMain(fn)) {
    const handlers = program.definitionOf(exitHandlers);
    f.emit({ kind: 'call', target: undefined, callee: handlers, targets: [handlers], arguments: [] }, end);
  }
  if (fn.name === program.options.leaksAfter) checkLeaks(f, end);
  checkKept(f, program.definitionOf(fn), end);
  f.draft.goTo(f.draft.exit, end);
  f.draft.exit.span = end;
  for (const block of [...f.stackAllocations, ...(f.stackChain ? [f.stackChain] : [])])
    f.draft.insertAt(start, { kind: 'assign', target: block, value: nullPointer }, span);
  for (const companion of f.companions.values())
    f.draft.insertAt(start, { kind: 'assign', target: companion, value: integer(0, int8) }, span);
  for (const object of [...f.activationObjects].reverse()) f.draft.insertAt(start, { kind: 'declare', object }, span);
  const large = f.objects.find(({ sizeBytes }) => BigInt(sizeBytes) > mostObjectBytes(f.model));
  if (large) f.draft.insertAt(start, tooLarge(large.name, f.symbols.get(large)?.span ?? span), span);
  return {
    context: f,
    parameters,
    end,
    returns: f.draft.reaches(f.epilogue),
    fallsOff: symbol.type.result.kind !== 'void' && f.draft.reaches(closing),
  };
}

function tooLarge(text: string, span: Span): Command {
  return { kind: 'check', check: 'object-size', condition: no, text, span, ifUnchecked: 'assume' };
}

function bodyOf(f: FunctionLowering, automaton: Automaton, parameters: readonly Variable[]): FunctionBody {
  for (const variable of temporariesAcrossCutpoints(automaton)) (variable as Mutable<Variable>).temporary = false;
  return {
    parameters,
    result: f.resultVariable?.type,
    resultVariable: f.resultVariable,
    variables: f.variables,
    objects: f.objects,
    unordered: unorderedOf(f),
    ...(f.typedAccesses.length > 0 && { typedAccesses: f.typedAccesses }),
    ...(f.structuresBehindVoid.length > 0 && { structuresBehindVoid: f.structuresBehindVoid }),
    ...(f.puns && { puns: true }),
    contracts: f.contracts.map(({ command, span }) => ({ command, span })),
    ...automaton,
  };
}

function unorderedOf(f: FunctionLowering): FunctionBody['unordered'] {
  const unordered = f.unordered.map(({ span, operands, inEitherOrder }) => ({
    span,
    operands: operands.map(({ edges, values, accesses, also, wholes, uninterrupted }) => ({
      commands: edges.map(({ command }) => command),
      values,
      ...(wholes.length > 0 && { wholes }),
      called: new Map(
        edges.flatMap((edge) => {
          const call = uninterrupted ? 0 : f.uninterrupted.get(edge);
          return call === undefined ? [] : [[edge.command, call] as const];
        }),
      ),
      ...(inEitherOrder && {
        accesses: [
          ...accesses.filter(({ isRepeated }) => !isRepeated).map(asCommand),
          ...also.map((value): Command => ({ kind: 'assume', condition: truth(value) })),
        ],
      }),
    })),
    ...(inEitherOrder && { inEitherOrder }),
  }));
  const conflicts = f.conflicts.map(({ span, accesses }) => ({
    span,
    operands: accesses.map((command) => ({ commands: [command], values: [], called: new Map<Command, number>() })),
    checked: true as const,
  }));
  return [...unordered, ...conflicts];
}

/** The variables that a call sets: the place of a structure result, the parameters, the packed variable arguments. */
function declareParameters(f: FunctionLowering, type: FunctionType, symbols: readonly VariableSymbol[]): Variable[] {
  const parameters: Variable[] = [];
  f.resultType = type.result;
  if (type.result.kind === 'record')
    parameters.push((f.resultPointer = f.variable('<result>', pointer, { temporary: false })));
  type.parameters.forEach((parameter, i) => {
    const symbol = symbols[i];
    const ctype = symbol?.type ?? parameter.type;
    const name = symbol?.name ?? parameter.name ?? `<argument ${i + 1}>`;
    const variable = isAggregate(ctype)
      ? f.variable(hiddenName(name), pointer, { temporary: false })
      : f.variable(name, scalarOf(ctype), { ctype, temporary: false, ...(symbol?.isRestrict && { isRestrict: true }) });
    parameters.push(variable);
  });
  if (type.variadic) parameters.push((f.packedArguments = f.variable('<...>', pointer, { temporary: false })));
  if (type.result.kind !== 'void' && type.result.kind !== 'record') {
    f.resultVariable = f.variable('<result>', scalarOf(type.result), { ctype: type.result, temporary: false });
  }
  return parameters;
}

function placeParameters(
  f: FunctionLowering,
  symbols: readonly VariableSymbol[],
  parameters: readonly Variable[],
  span: Span,
): void {
  const named = f.resultPointer ? parameters.slice(1) : parameters;
  symbols.forEach((symbol, i) => {
    const variable = named[i]!;
    if (!isAggregate(symbol.type) && !symbol.addressTaken) {
      f.homes.set(symbol, variable);
      return;
    }
    const object = f.activationObject(symbol.name, symbol.type);
    f.setHome(symbol, object);
    if (isAggregate(symbol.type)) {
      const size = sizeOf(symbol.type, f.model);
      if (size > 0)
        f.emit({ kind: 'copy', target: addressOf(object), source: read(variable), size: integer(size, int64) }, span);
    } else {
      f.emit({ kind: 'store', address: addressOf(object), type: variable.type, value: read(variable) }, span);
    }
  });
}

/** GNU's destructors are registered first, so that they run last. Constructors run before everything else. */
function beforeMain(f: FunctionLowering, span: Span): void {
  const { linked } = f.program;
  const call = (fn: LinkedFunction, values: readonly Expression[]): void => {
    const callee = f.program.definitionOf(fn);
    f.emit({ kind: 'call', target: undefined, callee, targets: [callee], arguments: values }, span);
  };
  for (const destructor of linked.destructors)
    if (linked.atExit) call(linked.atExit, [addressOf(f.program.definitionOf(destructor))]);
  for (const constructor of linked.constructors) call(constructor, []);
}

/** Control reaches the closing brace: `main` returns 0, the result of other functions is any value. */
function fallOff(f: FunctionLowering, fn: LinkedFunction, span: Span): FunctionLowering['epilogue'] {
  const closing = f.draft.location(span);
  f.draft.goTo(closing, span);
  f.draft.startAt(closing);
  if (isMain(fn) && f.resultVariable?.type.kind === 'integer')
    f.assign(f.resultVariable, integer(0, f.resultVariable.type), span);
  else withoutValue(f, span);
  f.draft.goTo(f.epilogue, span);
  return closing;
}

/** Reaching the end of this function returns 0. */
export const isMain = (fn: LinkedFunction): boolean => fn.name === 'main';

/** The target of pointers to functions of clients. Calls through them do not reach it. */
export function lowerNothing(program: ProgramContext, { name, span, type }: UndefinedFunction): FunctionBody {
  const f = new FunctionLowering(program, { name, suspicious: undefined, scopes: noScopes });
  const parameters = declareParameters(f, type, []);
  f.draft.goTo(f.draft.exit, span);
  f.draft.exit.span = span;
  return bodyOf(f, finish(f.draft, span, program.options.assumed), parameters);
}

/** The function that stands for others that write a variable. */
export function lowerWriter(program: ProgramContext, name: string, variable: VariableElsewhere): FunctionBody {
  const f = new FunctionLowering(program, { name, suspicious: undefined, scopes: noScopes });
  const { span } = variable.linked;
  writeContents(f, program.elsewhere!.started, variable);
  f.draft.goTo(f.draft.exit, span);
  f.draft.exit.span = span;
  return bodyOf(f, finish(f.draft, span, program.options.assumed), []);
}

/** The target of a pointer to an undefined function: it calls that function. */
export function lowerForwarder(program: ProgramContext, fn: UndefinedFunction): FunctionBody {
  const f = new FunctionLowering(program, { name: fn.name, suspicious: undefined, scopes: noScopes });
  const { span, type } = fn;
  const parameters = declareParameters(f, type, []);
  if (isAggregate(type.result) || type.parameters.some((parameter) => isAggregate(parameter.type))) {
    f.reportUnsupported(
      `a pointer to ${fn.name}, which is not defined and ${isAggregate(type.result) ? 'returns' : 'takes'} a structure`,
      span,
    );
  }
  const values: Expression[] = parameters.map(read);
  const result = callUndefined(f, fn, values, [], f.resultVariable ?? 'nothing', span);
  if (f.resultVariable && result && !(result.kind === 'read' && result.variable === f.resultVariable))
    f.assign(f.resultVariable, result, span);
  f.draft.goTo(f.draft.exit, span);
  f.draft.exit.span = span;
  return bodyOf(f, finish(f.draft, span, program.options.assumed), parameters);
}
