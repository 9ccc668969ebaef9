/**
 * Says in C terms why a check failed. The condition was built by lowering from the values involved; here it is searched for
 * the pointer, index or operands that explain the failure, and those are evaluated in the failing state.
 */
import type { Span } from '../c/source';
import type { BinaryOperator, Expression } from '../program/expression';
import type { Check } from '../program/command';
import { unreachable } from '../unreachable';
import { objectNumber, offsetBytes, type ConcreteValue } from './concrete';
import type { Block, ConcreteMemory } from './concreteMemory';
import type { Evaluator } from './evaluate';
import type { State } from './values';

type ConcreteState = State<ConcreteValue> & { readonly memory: ConcreteMemory };
type Valuation = (e: Expression) => ConcreteValue;

export function describeFailure(check: Check, state: ConcreteState, evaluator: Evaluator<ConcreteValue>): string {
  const valueOf: Valuation = (e) => evaluator.evaluate(e, state);
  const { text, condition } = check;
  const explained = (what: string, detail: string | undefined) => (detail === undefined ? `${what}: ${text}` : `${what}: ${text}: ${detail}`);
  const pointed = () => {
    const pointer = find(condition, (e) => (isPointerQuestion(e) ? e.pointer : undefined)) ?? find(condition, comparedPointer);
    return pointer && describePointer(valueOf(pointer), state.memory);
  };
  switch (check.check) {
    case 'assertion': return `assertion failed: ${text}`;
    case 'unreachable': return `reached: ${text}`;
    case 'null-dereference': return `null pointer dereference: ${text}`;
    case 'dereference': return explained('invalid memory access', pointed());
    case 'array-bounds': return describeIndex(check, valueOf);
    case 'read-only': return explained('write to read-only memory', pointed());
    case 'invalid-free': return explained('invalid free', pointed());
    case 'leak': return `memory leak: ${text}`;
    case 'pointer-arithmetic': return explained('pointer arithmetic leaves the object', pointed());
    case 'pointer-comparison': return explained('pointers to different objects', undefined);
    case 'invalid-call': return explained('call through an invalid function pointer', pointed());
    case 'signed-overflow': return explained('signed overflow', describeOperation(condition, valueOf));
    case 'shift': return explained('undefined shift', describeOperation(condition, valueOf));
    case 'division-by-zero': return `division by zero: ${text}`;
    case 'conversion': return explained('value does not fit the type', describeConversion(condition, valueOf));
    case 'uninitialised-read': return `read of an uninitialised value: ${text}`;
    case 'missing-return': return `the end of a function with a result is reached without return: ${text}`;
    default: return unreachable(check.check);
  }
}

/** What a pointer that should not have been used points to. */
export function describePointer(pointer: ConcreteValue, memory: ConcreteMemory): string {
  const number = objectNumber(pointer);
  const offset = offsetBytes(pointer);
  if (number === 0) return offset === 0 ? 'null pointer' : `null pointer plus ${offset} bytes`;
  const block = memory.block(pointer);
  if (!block) return 'the pointer points to no object (wild pointer)';
  if (!block.live) return block.kind === 'heap' ? `use after free: ${describeBlock(block)}${line(', freed', block.diedAt)}` : `${describeBlock(block)} no longer exists`;
  return `offset ${offset} in ${describeBlock(block)}`;
}

function describeBlock(block: Block): string {
  const size = `${block.sizeBytes} ${block.sizeBytes === 1 ? 'byte' : 'bytes'}`;
  switch (block.kind) {
    case 'function': return `the function '${block.name ?? ''}'`;
    case 'heap': return `the object of ${size}${line(' allocated', block.madeAt)}`;
    case 'static': case 'automatic': case 'host':
      return block.name === undefined ? `an object of ${size}` : `'${block.name}' (${size})`;
    default: return unreachable(block.kind);
  }
}

function line(text: string, span: Span | undefined): string {
  return span ? `${text} at line ${span.file.position(span.start).line}` : '';
}

/** "index 8 is outside elems[8]" where the shape of the condition allows it. */
function describeIndex({ text, condition }: Check, valueOf: Valuation): string {
  const index = find(condition, (e) => (e.kind === 'compare' ? [e.left, e.right].map(throughConversions).find((side) => !isConstant(side)) : undefined));
  if (!index) return `index out of bounds: ${text}`;
  const bound = largestConstant(condition);
  const array = /^(.+)\[[^[\]]*\]$/s.exec(text)?.[1];
  const outside = array !== undefined && bound !== undefined ? `${array}[${bound}]` : `the array in ${text}`;
  return `index ${valueOf(index)} is outside ${outside}`;
}

const signs: Readonly<Record<BinaryOperator, string>> = {
  'add': '+', 'subtract': '-', 'multiply': '*', 'divide': '/', 'remainder': '%', 'and': '&', 'or': '|', 'xor': '^', 'shift-left': '<<', 'shift-right': '>>',
};

/** The operation the condition is about, with its operands' values: "2147483647 + 1". */
function describeOperation(condition: Expression, valueOf: Valuation): string | undefined {
  const operation = find(condition, (e) => ((e.kind === 'binary' && !['and', 'or', 'xor'].includes(e.operator)) || e.kind === 'unary' ? e : undefined));
  if (operation?.kind === 'unary') return `${operation.operator === 'negate' ? '-' : '~'}(${valueOf(throughConversions(operation.operand))})`;
  if (operation?.kind === 'binary') {
    return `${valueOf(throughConversions(operation.left))} ${signs[operation.operator]} ${valueOf(throughConversions(operation.right))}`;
  }
  const amount = find(condition, (e) => (e.kind === 'compare' ? [e.left, e.right].find((side) => !isConstant(side)) : undefined));
  return amount && `${valueOf(throughConversions(amount))}`;
}

function describeConversion(condition: Expression, valueOf: Valuation): string | undefined {
  const value = find(condition, (e) => (e.kind === 'compare' ? [e.left, e.right].find((side) => !isConstant(side)) : undefined));
  return value && `${valueOf(value)}`;
}

type PointerQuestion = Extract<Expression, { pointer: Expression }>;

function isPointerQuestion(e: Expression): e is PointerQuestion {
  switch (e.kind) {
    case 'object-of': case 'offset-of': case 'object-size': case 'is-live': case 'is-writable': case 'is-heap': case 'is-initialised':
      return true;
    default:
      return false;
  }
}

const comparedPointer = (e: Expression): Expression | undefined => (e.kind === 'compare' && e.left.type.kind === 'pointer' ? e.left : undefined);

/** The first answer in breadth-first order. */
function find<T>(root: Expression, ask: (e: Expression) => T | undefined): T | undefined {
  const queue: Expression[] = [root];
  for (const e of queue) {
    const answer = ask(e);
    if (answer !== undefined) return answer;
    queue.push(...childrenOf(e));
  }
  return undefined;
}

function childrenOf(e: Expression): readonly Expression[] {
  switch (e.kind) {
    case 'integer': case 'float': case 'null': case 'read': case 'address': return [];
    case 'load': return [e.address];
    case 'unary': case 'convert': return [e.operand];
    case 'binary': case 'compare': return [e.left, e.right];
    case 'offset': return [e.pointer, e.delta];
    case 'object-of': case 'offset-of': case 'object-size': case 'is-live': case 'is-writable': case 'is-heap': case 'is-initialised':
      return [e.pointer];
    case 'conditional': return [e.condition, e.then, e.otherwise];
    default: return unreachable(e);
  }
}

function throughConversions(e: Expression): Expression {
  return e.kind === 'convert' ? throughConversions(e.operand) : e;
}

function isConstant(e: Expression): boolean {
  return e.kind === 'integer' || e.kind === 'float' || e.kind === 'null';
}

function largestConstant(root: Expression): bigint | undefined {
  const constants: bigint[] = [];
  find(root, (e) => { if (e.kind === 'integer') constants.push(e.value); return undefined; });
  return constants.reduce<bigint | undefined>((largest, value) => (largest === undefined || value > largest ? value : largest), undefined);
}
