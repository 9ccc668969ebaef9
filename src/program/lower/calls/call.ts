/**
 * Calls. Only scalars are passed. A structure argument is the address of a copy (the callee makes its own at entry). A
 * hidden first argument says where a structure result goes. Variable arguments are a hidden last argument.
 */
import { everyNode } from './everyNode';
import type { Span } from '../../../c/source';
import type { TypedExpression as Tree, FunctionSymbol } from '../../../c/tree';
import { printType } from '../../../c/printType';
import type { CType, FunctionType } from '../../../c/types';
import { addressOf, equal, integer, no, notEqual, objectOf, or, read, sameScalar, truth } from '../../build';
import { int64, type Expression, type Scalar, type Variable } from '../../expression';
import type { FunctionDefinition } from '../../program';
import { changesMemory } from '../../traverse';
import { checkUnsequenced, settle, type SequencedAccess } from '../order/accesses';
import { pointerOf } from '../objects/address';
import { castScalar } from '../arithmetic';
import { checkArrayArguments } from './arrayArguments';
import { boundedText } from './boundedTexts';
import { branch, type CallTarget, type ClientFunction, type FunctionLowering, type Moment } from '../context';
import { inEitherOrder } from '../order/eitherOrder';
import { isAggregate, scalarOf } from '../objects/layout';
import { noteLibraryChoice } from './libraryChoices';
import { marksError } from './special';
import { callExternal, callUndefined, halt, valuesOf } from './specialCall';
import { callInside } from '../objects/keptBlocks';
import { lowerAggregate } from '../objects/aggregate';
import { lowerValue } from '../value';
import { watchLists } from './passedLists';
import { entriesOf, packArguments } from './variadic';

type Call = Extract<Tree, { kind: 'call' }>;
/** `nothing`: only the effects are needed. A variable: the result goes there if its type allows. */
export type Want = 'value' | 'nothing' | Variable;

/** The function that a call names, if it names one. */
export function directCallee(e: Call): FunctionSymbol | undefined {
  return e.callee.kind === 'function-pointer' && e.callee.designator.kind === 'function'
    ? e.callee.designator.symbol
    : undefined;
}

/** The result as an expression; for structures its address. Undefined for void and unused results. */
export function lowerCall(f: FunctionLowering, e: Call, want: Want): Expression | undefined {
  const symbol = directCallee(e);
  if (!symbol) return callThroughPointer(f, e, want);
  const target = f.program.functionOf(symbol);
  noteLibraryChoice(f, symbol, e.arguments, e.span);
  if (target.kind === 'undefined') {
    if (target.meaning.kind === 'special' && target.meaning.special.kind === 'ensures') {
      f.postconditions.push(e);
      return undefined;
    }
    if (target.meaning.kind === 'special' && target.meaning.special.kind === 'list-all') return everyNode(f, e);
    const takesList = target.meaning.kind === 'native' && /^v\w*(printf|scanf)$/.test(target.name);
    let endList = (): void => undefined;
    const lowered = () => {
      if (!takesList) return lowerArguments(f, e.arguments.slice(0, valuesOf(target, e)), e.span);
      const others = lowerArguments(f, e.arguments.slice(0, -1), e.span);
      const { first, end } = entriesOf(f, e.arguments[e.arguments.length - 1]!);
      endList = end;
      return [...others, first];
    };
    const isContract =
      target.meaning.kind === 'special' &&
      (target.meaning.special.kind === 'requires' || target.meaning.special.kind === 'claim');
    const values = isContract ? f.noteContract(lowered) : lowered();
    checkArrayArguments(f, [e.functionType], values, e.arguments);
    const result = f.asOneCall(() => callUndefined(f, target, values, e.arguments, want, e.span));
    endList();
    return result;
  }
  const drawn = target.library ? boundedText(f, e, target.symbol.name) : undefined;
  if (drawn) return want === 'nothing' ? undefined : asDeclared(f, e, drawn);
  if (marksError(target.symbol.name)) f.check('unreachable', no, e.span, { ifUnchecked: 'ignore' });
  const values = lowerArguments(f, e.arguments, e.span);
  const definition = f.program.definitionOf(target);
  const { type } = target.symbol;
  checkArrayArguments(f, [e.functionType, type], values, e.arguments);
  const passed = passArguments(f, e, type, target.name, values);
  if (!passed) return someValue(f, e);
  const afterwards = watchLists(f, e.arguments, values, e.span);
  const result = f.asOneCall(() =>
    emitCall(f, {
      callee: definition,
      targets: [definition],
      name: target.name,
      type,
      values: passed.values,
      want,
      span: e.span,
    }),
  );
  passed.end();
  afterwards();
  if (f.program.neverReturns(target)) halt(f, undefined, e.span);
  const returned = f.program.returnedFlag(target);
  if (returned && want !== 'nothing')
    f.check('missing-return', truth(read(returned)), e.span, { ifUnchecked: 'ignore' });
  return result && asDeclared(f, e, result);
}

/** The library's own type may differ from the one declared, see `link`. */
const asDeclared = (f: FunctionLowering, { type, span }: Call, result: Expression): Expression =>
  type.kind !== 'record' && type.kind !== 'void' && !sameScalar(result.type, scalarOf(type))
    ? castScalar(f, result, type, span)
    : result;

function callThroughPointer(f: FunctionLowering, e: Call, want: Want): Expression | undefined {
  const start = f.moment();
  const first = f.accesses.length;
  const pointer = lowerValue(f, e.callee);
  const moment = f.moment();
  const values = lowerArguments(f, e.arguments, e.span, { start, pointer, accesses: f.accesses.slice(first) });
  return f.asOneCall(() => callPointer(f, e, want, { pointer, moment, values }));
}

function callPointer(
  f: FunctionLowering,
  e: Call,
  want: Want,
  {
    pointer,
    moment,
    values,
  }: { readonly pointer: Expression; readonly moment: Moment; readonly values: readonly Expression[] },
): Expression | undefined {
  const callee = f.nameValue(f.asOf(moment, pointer, e.callee.span), 'callee', e.callee.span);
  const targets = f.program.targetsOf(e.functionType, e.arguments.length);
  const clients = f.program
    .clientFunctionsOf(e.functionType, e.arguments.length)
    .filter(
      ({ fn }) =>
        !e.functionType.unprototyped ||
        fn.type.parameters.every(({ type }, i) => agreesUnconverted(values[i]!.type, scalarOf(type))),
    );
  f.check(
    'invalid-call',
    or(
      ...targets.map(({ definition }) => equal(callee, addressOf(definition))),
      ...clients.map((client) => leadsTo(callee, client)),
    ),
    e.span,
    { ifUnchecked: 'assume' },
  );
  checkArrayArguments(f, [e.functionType], values, e.arguments);
  const afterwards = watchLists(f, e.arguments, values, e.span);
  const result = callGiven(f, e, want, { callee, targets, clients, values });
  afterwards();
  return result;
}

const leadsTo = (callee: Expression, { definition }: ClientFunction): Expression =>
  equal(objectOf(callee), objectOf(addressOf(definition)));

function callGiven(
  f: FunctionLowering,
  e: Call,
  want: Want,
  {
    callee,
    targets,
    clients,
    values,
  }: {
    readonly callee: Expression;
    readonly targets: readonly CallTarget[];
    readonly clients: ClientFunction[];
    readonly values: readonly Expression[];
  },
): Expression | undefined {
  const given = passArguments(f, e, targets[0]?.type ?? clients[0]?.fn.type ?? e.functionType, 'the function', values);
  if (!given) return someValue(f, e);
  const { values: passed } = given;
  // Clients' functions have no variable arguments.
  if (clients.length === 0) {
    const result = callOneOf(f, e, callee, targets, passed, want);
    given.end();
    return result;
  }
  const last = targets.length === 0 ? clients.pop() : undefined;
  if (last && clients.length === 0) return callExternal(f, last.fn, passed, [], want, e.span, callee);
  const target = resultTarget(f, want, e.functionType.result, 'call');
  const after = f.draft.location();
  const into = (call: (into: Want) => Expression | undefined): void => {
    const result = call(target ?? 'nothing');
    if (target && result && !(result.kind === 'read' && result.variable === target)) f.assign(target, result, e.span);
    f.draft.goTo(after, e.span);
  };
  for (const client of clients) {
    const [theirs, others] = [f.draft.location(e.span), f.draft.location(e.span)];
    branch(f, leadsTo(callee, client), theirs, others, e.span);
    f.draft.startAt(theirs);
    into((result) => callExternal(f, client.fn, passed, [], result, e.span, callee));
    f.draft.startAt(others);
  }
  into((result) =>
    last
      ? callExternal(f, last.fn, passed, [], result, e.span, callee)
      : callOneOf(f, e, callee, targets, passed, result),
  );
  f.draft.startAt(after);
  return target && read(target);
}

function callOneOf(
  f: FunctionLowering,
  e: Call,
  callee: Expression,
  targets: readonly CallTarget[],
  passed: readonly Expression[],
  want: Want,
): Expression | undefined {
  const result = emitCall(f, {
    callee,
    targets: targets.map(({ definition }) => definition),
    name: 'call',
    type: e.functionType,
    values: passed,
    want,
    span: e.span,
  });
  for (const { definition, returned } of targets) {
    if (returned && want !== 'nothing')
      f.check('missing-return', or(notEqual(callee, addressOf(definition)), read(returned)), e.span, {
        ifUnchecked: 'ignore',
      });
  }
  return result;
}

/** Each argument has the value at the time of its evaluation in C. */
function lowerArguments(
  f: FunctionLowering,
  trees: readonly Tree[],
  span: Span,
  callee?: { readonly start: Moment; readonly pointer: Expression; readonly accesses: readonly SequencedAccess[] },
): readonly Expression[] {
  if (callee) return argumentsInOrder(f, trees, span, callee);
  return inEitherOrder(f, span, trees, (order) =>
    order === 'left first'
      ? argumentsInOrder(f, trees, span)
      : [...argumentsInOrder(f, [...trees].reverse(), span)].reverse(),
  );
}

function argumentsInOrder(
  f: FunctionLowering,
  trees: readonly Tree[],
  span: Span,
  callee?: { readonly start: Moment; readonly pointer: Expression; readonly accesses: readonly SequencedAccess[] },
): readonly Expression[] {
  const start = f.moment();
  const evaluated = trees.map((tree) => {
    const first = f.accesses.length;
    const value = tree.type.kind === 'record' ? pointerOf(lowerAggregate(f, tree)) : lowerValue(f, tree);
    return { value, moment: f.moment(), accesses: f.accesses.slice(first) };
  });
  const operands = evaluated.map(({ value, moment, accesses }, i) => ({
    values: [value],
    wholes: trees[i]!.type.kind === 'record' ? [value] : [],
    end: moment,
    accesses,
  }));
  f.noteUnordered(
    span,
    callee?.start ?? start,
    callee ? [{ values: [callee.pointer], end: start }, ...operands] : operands,
  );
  const groups = [...(callee ? [callee.accesses] : []), ...evaluated.map(({ accesses }) => accesses)];
  checkUnsequenced(f, callee?.start ?? start, groups, span);
  settle(groups.flat());
  return trees.map((tree, i) => {
    const { value, moment } = evaluated[i]!;
    if (tree.type.kind !== 'record' || !f.draft.drawnSince(moment).some(({ command }) => changesMemory(command)))
      return f.asOf(moment, value, tree.span);
    const copy = f.activationObject('<argument>', tree.type);
    f.draft.insertAt(
      moment,
      { kind: 'copy', target: addressOf(copy), source: value, size: integer(copy.sizeBytes, int64) },
      tree.span,
    );
    return addressOf(copy);
  });
}

/** Any value, after an error was reported, so that later errors are found in the same run. */
function someValue(f: FunctionLowering, e: Call): Expression | undefined {
  if (e.type.kind === 'void') return undefined;
  return e.type.kind === 'record'
    ? addressOf(f.activationObject('<result>', e.type))
    : read(f.temporary(scalarOf(e.type), 'result'));
}

/** The arguments, converted to the function's own parameters. Undefined after an error. */
function passArguments(
  f: FunctionLowering,
  e: Call,
  type: FunctionType,
  name: string,
  values: readonly Expression[],
): { readonly values: readonly Expression[]; readonly end: () => void } | undefined {
  const { parameters } = type;
  if (
    !type.unprototyped &&
    (values.length < parameters.length || (values.length > parameters.length && !type.variadic))
  ) {
    f.reportUnsupported(
      `${name} takes ${parameters.length} argument${parameters.length === 1 ? '' : 's'}, not ${values.length}`,
      e.span,
    );
    return undefined;
  }
  const passed = values.slice(0, parameters.length).map((value, i) => {
    const wanted = parameters[i]!.type;
    const given = e.arguments[i]!;
    if (isAggregate(wanted) !== isAggregate(given.type)) {
      f.reportUnsupported(`argument ${i + 1} of ${name} does not have the parameter's type`, given.span);
      return value;
    }
    if (isAggregate(wanted) || sameScalar(value.type, scalarOf(wanted))) return value;
    if ((e.functionType.unprototyped || e.functionType.oldStyle) && !agreesUnconverted(value.type, scalarOf(wanted))) {
      f.reportUnsupported(
        `argument ${i + 1} of ${name} is '${printType(given.type)}', the parameter '${printType(wanted)}': ` +
          'without a prototype nothing converts it',
        given.span,
        'Declare the function with a prototype, or write a cast.',
      );
      return value;
    }
    return castScalar(f, value, wanted, given.span);
  });
  if (type.variadic) {
    const rest = values
      .slice(parameters.length)
      .map((value, i) => ({ value, type: e.arguments[parameters.length + i]!.type }));
    const { list, end } = packArguments(f, name, rest, e.span);
    return { values: [...passed, list], end };
  }
  return { values: passed, end: () => undefined };
}

/**
 * 6.5.2.2p6: the corresponding type of the other signedness is allowed for values of both types. All pointers have one
 * representation.
 */
function agreesUnconverted(given: Scalar, wanted: Scalar): boolean {
  return (
    given.kind === wanted.kind &&
    (given.kind === 'pointer' || (wanted.kind !== 'pointer' && given.widthBits === wanted.widthBits))
  );
}

interface Emission {
  readonly callee: FunctionDefinition | Expression;
  readonly targets: readonly FunctionDefinition[];
  readonly name: string;
  readonly type: FunctionType;
  readonly values: readonly Expression[];
  readonly want: Want;
  readonly span: Span;
}

function emitCall(
  f: FunctionLowering,
  { callee, targets, name, type, values, want, span }: Emission,
): Expression | undefined {
  const callsEntry = targets.some((target) => f.program.kept?.isEntry(target));
  const emit = (target: Variable | undefined, passed: readonly Expression[]): void =>
    callInside(f, callsEntry, span, () => f.emit({ kind: 'call', target, callee, targets, arguments: passed }, span));
  if (type.result.kind === 'record') {
    const object = f.resultObject(name, type.result);
    emit(undefined, [addressOf(object), ...values]);
    return addressOf(object);
  }
  const target = resultTarget(f, want, type.result, name);
  emit(target, values);
  return target && read(target);
}

/** The variable that receives a result. */
export function resultTarget(f: FunctionLowering, want: Want, type: CType, name: string): Variable | undefined {
  if (type.kind === 'void' || want === 'nothing') return undefined;
  const scalar = scalarOf(type);
  return want !== 'value' && sameScalar(want.type, scalar) ? want : f.temporary(scalar, name);
}
