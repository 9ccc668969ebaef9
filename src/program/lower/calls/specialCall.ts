/**
 * Calls of functions that the program does not define: those that lowering knows (see `special`), and the others, which
 * become `external` commands. Arguments are already values.
 */
import type { Span } from '../../../c/source';
import type { TypedExpression as Tree } from '../../../c/tree';
import type { CType } from '../../../c/types';
import { unreachable } from '../../../unreachable';
import {
  addressOf,
  bytesFrom,
  conditional,
  convert,
  integer,
  isConstant,
  listQuestion,
  no,
  not,
  notEqual,
  nullPointer,
  or,
  read,
  sameScalar,
  truth,
  zero,
} from '../../build';
import type { CheckKind } from '../../command';
import { int32, int64, uint64, uint8, type Expression } from '../../expression';
import type { UndefinedFunction } from '../../linking/link';
import {
  allocate,
  checkApart,
  checkBytes,
  checkLeaks,
  copyBytes,
  fillBytes,
  product,
  reallocate,
  release,
} from '../objects/allocation';
import { allocateOnStack } from '../objects/stackBlock';
import { bitFunction } from './bitFunction';
import { resultTarget, directCallee, type Want } from './call';
import { sourceText, type FunctionLowering } from '../context';
import { guaranteesOf } from './guarantees';
import { callInside } from '../objects/keptBlocks';
import { isAggregate, isBool, scalarOf } from '../objects/layout';
import type { Special } from './special';
import { structureInput } from '../objects/structureInput';
import { checkNativeArguments, type CheckedArguments } from './nativeArguments';
import { packArguments } from './variadic';

type Call = Extract<Tree, { kind: 'call' }>;

/** The exit status with which shells report SIGABRT. */
const abortStatus = 128 + 6;

/** The meaning of a call for lowering, if it has one. */
export function specialOfCall(f: FunctionLowering, e: Call): Special | undefined {
  const symbol = directCallee(e);
  const target = symbol && f.program.functionOf(symbol);
  return target?.kind === 'undefined' && target.meaning.kind === 'special' ? target.meaning.special : undefined;
}

/**
 * The number of arguments that are values. The text of a condition is for messages only; it is no object of the
 * program.
 */
export function valuesOf({ meaning }: UndefinedFunction, { arguments: trees }: Call): number {
  if (meaning.kind !== 'special' || trees.length !== 2 || stringText(trees[1]) === undefined) return trees.length;
  const { kind } = meaning.special;
  return kind === 'assert-with-text' || kind === 'requires' || kind === 'claim' ? 1 : 2;
}

/** `trees` are the arguments' syntax, for messages; empty if a pointer to the function was called. */
export function callUndefined(
  f: FunctionLowering,
  fn: UndefinedFunction,
  values: readonly Expression[],
  trees: readonly Tree[],
  want: Want,
  span: Span,
): Expression | undefined {
  if (fn.meaning.kind !== 'special') return callExternal(f, fn, values, trees, want, span);
  if (isAggregate(fn.type.result)) {
    if (fn.meaning.special.kind !== 'nondet')
      f.reportUnsupported(`${fn.name} has a meaning here that returns no structure`, span);
    return structureInput(f, fn.name, fn.type.result, span);
  }
  const needed = argumentCount(fn.meaning.special.kind);
  if (values.length < needed) {
    f.reportUnsupported(`${fn.name} takes ${needed} argument${needed === 1 ? '' : 's'}, not ${values.length}`, span);
    return fn.type.result.kind === 'void' ? undefined : zero(scalarOf(fn.type.result));
  }
  const result = callSpecial(f, fn, fn.meaning.special.kind, values, trees, want, span);
  if (want === 'nothing' || fn.type.result.kind === 'void') return undefined;
  const type = scalarOf(fn.type.result);
  return result ? convert(result, type) : zero(type);
}

function argumentCount(kind: Special['kind']): number {
  switch (kind) {
    case 'error':
    case 'nondet':
    case 'nothing':
    case 'abort':
    case 'unreachable':
      return 0;
    case 'assert':
    case 'assert-not':
    case 'assert-with-text':
    case 'requires':
    case 'ensures':
    case 'claim':
    case 'bytes-from':
    case 'assume':
    case 'exit':
    case 'malloc':
    case 'free':
    case 'alloca':
    case 'expect':
      return 1;
    case 'clz':
    case 'ctz':
    case 'popcount':
    case 'parity':
    case 'ffs':
    case 'clrsb':
    case 'bswap':
      return 1;
    case 'assert-if':
    case 'calloc':
    case 'realloc':
    case 'aligned_alloc':
    case 'check-read':
    case 'check-write':
      return 2;
    case 'memcpy':
    case 'memmove':
    case 'memset':
    case 'list-ends':
    case 'list-nodes':
      return 3;
    case 'list-all':
      return 5;
    case 'list-has':
    case 'check-apart':
      return 4;
    default:
      return unreachable(kind);
  }
}

function callSpecial(
  f: FunctionLowering,
  fn: UndefinedFunction,
  kind: Special['kind'],
  values: readonly Expression[],
  trees: readonly Tree[],
  want: Want,
  span: Span,
): Expression | undefined {
  const [first, second, third] = values;
  const text = (i: number): string => sourceText(trees[i]?.span ?? span);
  switch (kind) {
    case 'assert':
      f.check('assertion', truth(first!), span, { text: text(0), ifUnchecked: 'assume' });
      return undefined;
    case 'assert-not':
      f.check('assertion', not(truth(first!)), span, { text: `!(${text(0)})`, ifUnchecked: 'assume' });
      return undefined;
    case 'assert-if':
      f.check('assertion', or(not(truth(first!)), truth(second!)), span, {
        text: `!(${text(0)}) || ${text(1)}`,
        ifUnchecked: 'assume',
      });
      return undefined;
    case 'assert-with-text':
      f.check('assertion', truth(first!), span, { text: stringText(trees[1]) ?? text(0), ifUnchecked: 'assume' });
      return undefined;
    // The client must satisfy a precondition, so a violation in its call is no failure; see `System`.
    case 'requires':
      f.check('precondition', truth(first!), span, { text: stringText(trees[1]) ?? text(0), ifUnchecked: 'ignore' });
      return undefined;
    case 'claim':
      f.check('assertion', truth(first!), span, { text: stringText(trees[1]) ?? text(0), ifUnchecked: 'ignore' });
      return undefined;
    case 'bytes-from':
      if (f.isInGuarantee) assumeObject(f, first!, trees[0], span);
      return bytesFrom(first!);
    case 'list-ends':
    case 'list-nodes':
      return aboutList(kind, first!, [second!, third!]);
    case 'list-has':
      return aboutList(kind, first!, [third!, values[3]!], second!);
    case 'list-all':
      return undefined;
    case 'ensures':
      throw new Error('postconditions are lowered where the function ends');
    case 'error':
    case 'unreachable':
      fail(f, 'unreachable', span);
      return undefined;
    case 'assume':
      if (!isConstant(truth(first!), 1)) f.emit({ kind: 'assume', condition: truth(first!), cuts: true }, span);
      return undefined;
    case 'nondet':
      return lowerInput(f, fn, want, span);
    case 'nothing':
      return undefined;
    case 'exit':
      checkLeaks(f, span);
      halt(f, convert(first!, int32), span);
      return undefined;
    case 'abort':
      halt(f, integer(abortStatus, int32), span);
      return undefined;
    case 'expect':
      return first;
    case 'malloc':
      return allocate(f, convert(first!, uint64), 'indeterminate', want, span);
    case 'aligned_alloc':
      return allocate(f, convert(second!, uint64), 'indeterminate', want, span);
    case 'calloc':
      return allocate(f, product(f, first!, second!), 'zeros', want, span);
    case 'alloca':
      return allocateOnStack(f, convert(first!, uint64), span);
    case 'realloc':
      return reallocate(f, first!, convert(second!, uint64), span);
    case 'free':
      release(f, first!, span, text(0));
      return undefined;
    case 'memcpy':
      return copyBytes(
        f,
        first!,
        second!,
        third!,
        { texts: [text(0), text(1)], mayOverlap: false, ofCharacters: trees.slice(0, 2).every(leadsToCharacters) },
        span,
      );
    case 'memmove':
      return copyBytes(f, first!, second!, third!, { texts: [text(0), text(1)], mayOverlap: true }, span);
    case 'memset':
      return fillBytes(f, first!, second!, third!, text(0), span);
    case 'check-read':
      checkBytes(f, first!, second!, 'read', text(0), span);
      return undefined;
    case 'check-write':
      checkBytes(f, first!, second!, 'write', text(0), span);
      return undefined;
    case 'check-apart':
      checkApart(f, first!, second!, third!, values[3]!, `${text(2)} to ${text(0)}`, span);
      return undefined;
    case 'clz':
    case 'ctz':
    case 'popcount':
    case 'parity':
    case 'ffs':
    case 'clrsb':
    case 'bswap':
      return bitFunction(f, kind, first!, span);
    default:
      return unreachable(kind);
  }
}

/** `at`: the place of the link in a node, and the size of a node, in bytes. The length of what is no list is -1. */
function aboutList(
  kind: 'list-ends' | 'list-has' | 'list-nodes',
  list: Expression,
  at: readonly [Expression, Expression],
  node?: Expression,
): Expression {
  const [linkBytes, nodeBytes] = at.map((e) => (e.kind === 'integer' ? Number(e.value) : 0)) as [number, number];
  const sizes = { linkBytes, nodeBytes };
  const isList = listQuestion('acyclic', list, sizes);
  switch (kind) {
    case 'list-ends':
      return isList;
    case 'list-has':
      return listQuestion('through', list, sizes, node);
    case 'list-nodes':
      return conditional(isList, listQuestion('length', list, sizes), integer(-1, int64));
  }
}

/**
 * In a guarantee a length is that of an object that may be used: it is alive, and writable unless the pointer's type
 * says otherwise.
 */
function assumeObject(f: FunctionLowering, p: Expression, tree: Tree | undefined, span: Span): void {
  const type = tree?.kind === 'convert' ? tree.operand.type : tree?.type;
  const isConst = type?.kind === 'pointer' && type.to.const === true;
  checkBytes(f, p, bytesFrom(p), isConst ? 'read' : 'write', sourceText(span), span);
}

/** A check that fails whenever it is reached. Nothing follows it. */
function fail(f: FunctionLowering, check: CheckKind, span: Span): void {
  f.check(check, no, span, { ifUnchecked: 'assume' });
  halt(f, undefined, span);
}

/** The execution ends here. */
export function halt(f: FunctionLowering, status: Expression | undefined, span: Span): void {
  f.draft.edge(f.draft.current, { kind: 'halt', status }, f.draft.exit, span);
  f.draft.cut();
}

function lowerInput(f: FunctionLowering, fn: UndefinedFunction, want: Want, span: Span): Expression | undefined {
  const { result } = fn.type;
  const type = scalarOf(result);
  const target =
    want !== 'value' && want !== 'nothing' && sameScalar(want.type, type) && !isBool(result)
      ? want
      : f.temporary(type, fn.name);
  f.emit({ kind: 'input', target, name: fn.name }, span);
  return isBool(result) ? convert(notEqual(read(target), integer(0, uint8)), uint8) : read(target);
}

const untried: CheckedArguments = { reachesChecked: false };

/** `callee`: the called pointer, if it leads to a function of a client. */
export function callExternal(
  f: FunctionLowering,
  fn: UndefinedFunction,
  values: readonly Expression[],
  trees: readonly Tree[],
  want: Want,
  span: Span,
  callee?: Expression,
): Expression | undefined {
  const { type, name } = fn;
  const result = isAggregate(type.result) ? f.resultObject(name, type.result) : undefined;
  const { reachesChecked, result: known } =
    fn.meaning.kind === 'native' ? checkNativeArguments(f, name, values, trees, want !== 'nothing', span) : untried;
  const fixed = type.unprototyped ? values.length : type.parameters.length;
  const passed = [...values.slice(0, fixed)];
  let endList = (): void => undefined;
  const types = type.variadic && fn.meaning.kind === 'external' ? trees.slice(fixed).map((tree) => tree.type) : [];
  if (type.variadic) {
    const rest = values.slice(fixed);
    // Without trees a pointer was called. Its caller has packed the arguments.
    if (trees.length === 0 || rest.length === 0) passed.push(rest[0] ?? nullPointer);
    else {
      const packed = packArguments(
        f,
        name,
        rest.map((value, i) => ({ value, type: trees[fixed + i]!.type })),
        span,
      );
      passed.push(packed.list);
      endList = packed.end;
    }
  }
  const guarantees = guaranteesOf(f, fn, passed, span);
  if (result) passed.unshift(addressOf(result));
  const isTruth = !result && isBool(type.result);
  const needs = guarantees.needResult && want === 'nothing' ? 'value' : want;
  const target = result
    ? undefined
    : resultTarget(f, isTruth && needs !== 'nothing' ? 'value' : needs, type.result, name);
  const resultType = result || type.result.kind === 'void' ? undefined : scalarOf(type.result);
  callInside(f, fn.meaning.kind !== 'native' || type.parameters.some(isFunctionPointer), span, () =>
    f.emit(
      {
        kind: 'external',
        target,
        name,
        arguments: passed,
        ...(callee && { callee }),
        resultType,
        ...(result && { resultBytes: result.sizeBytes }),
        ...(types.length > 0 && { rest: types }),
        ...(reachesChecked && { reachesChecked }),
      },
      span,
    ),
  );
  endList();
  if (known && target) f.emit({ kind: 'assign', target, value: convert(known, target.type) }, span);
  const returned = target && (isTruth ? convert(notEqual(read(target), integer(0, uint8)), uint8) : read(target));
  if (guarantees.assume(returned) === 'never returns' || fn.noreturn) halt(f, undefined, span);
  if (isTruth && target) return convert(notEqual(read(target), integer(0, uint8)), uint8);
  return result ? addressOf(result) : target && read(target);
}

const isFunctionPointer = ({ type }: { readonly type: CType }): boolean =>
  type.kind === 'pointer' && type.to.kind === 'function';

/** The text of a string literal argument. */
export function stringText(tree: Tree | undefined): string | undefined {
  switch (tree?.kind) {
    case 'convert':
      return stringText(tree.operand);
    case 'decay':
      return stringText(tree.lvalue);
    case 'string':
      return Buffer.from(tree.bytes).toString('utf8').replace(/\0.*$/s, '');
    default:
      return undefined;
  }
}

/** A pointer that is to characters before it is converted to `void *`. */
function leadsToCharacters(tree: Tree): boolean {
  if (tree.kind === 'convert') return leadsToCharacters(tree.operand);
  return tree.type.kind === 'pointer' && tree.type.to.kind === 'integer' && tree.type.to.widthBits === 8;
}
