/**
 * Says in C terms why a check failed. Lowering built the condition from the values involved; here it is searched for
 * the pointer, index or operands that explain the failure, and these are evaluated in the failing state. Where the
 * search finds nothing, the check's own text has to do.
 */
import type { Span } from '../../c/source';
import { jumpOf } from '../../program/automata/jumps';
import type { Check } from '../../program/command';
import type { BinaryOperator, Expression, Variable } from '../../program/expression';
import { operands, variablesIn, withOperands } from '../../program/traverse';
import { unreachable } from '../../unreachable';
import { objectNumber, offsetBytes, type ConcreteValue } from './concreteValues';
import type { ConcreteMemory } from './concreteMemory';
import type { MemoryBlock } from './memoryBlock';
import type { Evaluator } from '../evaluate';
import type { ProgramState } from '../values';

type ConcreteState = ProgramState<ConcreteValue> & { readonly memory: ConcreteMemory };
type Valuation = (e: Expression) => ConcreteValue;

export function describeFailure(failing: Check, state: ConcreteState, evaluator: Evaluator<ConcreteValue>): string {
  const valueOf: Valuation = (e) => evaluator.evaluate(e, state);
  const check = { ...failing, condition: decideConditionals(failing.condition, valueOf) };
  const { text, condition } = check;
  const asked =
    (check.check === 'invalid-free'
      ? find(condition, (e) => (e.kind === 'offset-of' ? e.pointer : undefined))
      : undefined) ??
    find(condition, (e) => (isPointerQuestion(e) ? e.pointer : undefined)) ??
    find(condition, comparedPointer);
  const pointer = asked && valueOf(asked);
  switch (check.check) {
    case 'assertion':
      return `assertion failed: ${text}`;
    case 'unreachable':
      return `reached: ${text}`;
    case 'null-dereference':
      return `null pointer dereference: ${text}`;
    case 'dereference':
      return describeAccess(check, pointer, state.memory, valueOf);
    case 'array-bounds':
      return describeIndex(check, valueOf);
    case 'read-only':
      return (
        'write to read-only memory: ' +
        `${text}${pointer === undefined ? '' : `: ${describePointer(pointer, state.memory)}`}`
      );
    case 'invalid-free':
      return describeFree(text, pointer, state.memory);
    case 'leak':
      return describeLeak(check, state.memory, valueOf);
    case 'pointer-arithmetic':
      return `pointer arithmetic out of range: ${text}`;
    case 'pointer-comparison':
      return `comparison of pointers into different objects: ${text}`;
    // The text is that of the call, or says which argument does not fit.
    case 'invalid-call':
      if (isSource(check) && text.startsWith('goto')) return `jump to no label of the function: ${text}`;
      if (jumpOf(text)) return noPlace(text);
      return isConstant(condition) && !isSource(check)
        ? `invalid call: ${text}`
        : 'call through an invalid function pointer: ' +
            `${text}${pointer === undefined ? '' : `: ${describePointer(pointer, state.memory)}`}`;
    case 'signed-overflow':
      return `signed overflow: ${text}${describeOperands(condition, valueOf)}`;
    case 'shift':
      return `shift by a negative amount or by the width or more: ${text}${describeOperands(condition, valueOf)}`;
    case 'shift-overflow':
      return (
        'left shift of a negative value, or out of the signed type: ' + `${text}${describeOperands(condition, valueOf)}`
      );
    case 'division-by-zero':
      return `division by zero: ${text}`;
    case 'conversion':
      return `value does not fit the type: ${text}${describeOperands(condition, valueOf)}`;
    case 'uninitialised-read':
      return `read of an uninitialised value: ${text}`;
    case 'missing-return':
      return `no value was returned: ${text}`;
    case 'precondition':
      return `precondition violated: ${text}${describeOperands(condition, valueOf)}`;
    case 'postcondition':
      return `postcondition violated: ${text}${describeOperands(condition, valueOf)}`;
    case 'array-length':
      return `the length of an array is not positive, or too large: ${text}${describeOperands(condition, valueOf)}`;
    case 'overlapping-copy':
      return `what is copied overlaps the place it is copied to: ${text}`;
    case 'noreturn':
      return `a function that is declared not to return does: ${text}`;
    case 'effective-type':
      return `an object is accessed through an lvalue of another type: ${text}`;
    case 'overlapping-assignment':
      return `the objects of an assignment overlap, but are not the same: ${text}`;
    case 'array-argument':
      return `an array has not the length that the type asks for: ${text}`;
    case 'variable-argument':
      return `no variable argument of this type is next, or the list has ended: ${text}`;
    case 'object-size':
      return `an object larger than the model allows: ${text}`;
    case 'unsequenced':
      return `one object is changed and used in no particular order: ${text}`;
    default:
      return unreachable(check.check);
  }
}

/** The case of pointers that are two variables, see `separatedPointers.ts`. */
function decideConditionals(condition: Expression, valueOf: Valuation): Expression {
  const isFlag = ({ selects }: Variable): boolean => selects !== undefined;
  if (![...variablesIn(condition)].some(isFlag)) return condition;
  if (condition.kind !== 'conditional' || ![...variablesIn(condition.condition)].some(isFlag))
    return withOperands(condition, (operand) => decideConditionals(operand, valueOf));
  return decideConditionals(valueOf(condition.condition) === 0 ? condition.otherwise : condition.then, valueOf);
}

/** For a call of `longjmp` that leads nowhere. */
export const noPlace = (name: string): string =>
  `${name} to a place that no 'setjmp' has remembered, or whose function has returned`;

function isSource({ text, span: { file, start, end } }: Check): boolean {
  return text === file.text.slice(start, end).replace(/\s+/g, ' ').trim();
}

/** Numbers below are members of a structure at null, others are addresses, such as those of device registers. */
const smallestAddress = 4096;

/** Target of a pointer that should not have been used. */
export function describePointer(pointer: ConcreteValue, memory: ConcreteMemory): string {
  const offset = offsetBytes(pointer);
  if (objectNumber(pointer) === 0) {
    if (offset === 0) return 'a null pointer';
    return offset < smallestAddress
      ? `a null pointer plus ${offset} bytes`
      : `address 0x${offset.toString(16)}, where no object lies`;
  }
  const block = memory.block(pointer);
  if (!block) return 'a pointer to no object';
  if (!block.live) return describeDead(block);
  return `offset ${offset} in ${describeBlock(block)}`;
}

/** Bytes in front of the C variable, which has offset 0. */
const leadOf = ({ origin }: MemoryBlock): number => (origin?.kind === 'static-object' ? (origin.leadBytes ?? 0) : 0);

function describeDead(block: MemoryBlock): string {
  return block.kind === 'heap'
    ? `${describeBlock(block)} was freed${line('', block.diedAt)}`
    : `the lifetime of ${describeBlock(block)} has ended`;
}

function describeBlock(block: MemoryBlock): string {
  const size = bytes(block.sizeBytes - leadOf(block));
  switch (block.kind) {
    case 'function':
      return `the function '${block.name ?? ''}'`;
    case 'heap':
      return `the object of ${size}${line(' allocated', block.madeAt)}`;
    case 'static':
    case 'automatic':
    case 'host':
      return block.name === undefined ? `an object of ${size}` : `'${block.name}' (${size})`;
    default:
      return unreachable(block.kind);
  }
}

const bytes = (count: number | bigint): string => `${count} ${BigInt(count) === 1n ? 'byte' : 'bytes'}`;

function line(text: string, span: Span | undefined): string {
  return span ? `${text} at line ${span.file.position(span.start).line}` : '';
}

function describeAccess(
  check: Check,
  pointer: ConcreteValue | undefined,
  memory: ConcreteMemory,
  valueOf: Valuation,
): string {
  const { text, condition } = check;
  const block = pointer !== undefined && memory.block(pointer);
  const tooMany = pointer === undefined ? describeCount(condition, valueOf) : undefined;
  if (tooMany !== undefined) return `out of bounds: ${text}: ${tooMany}`;
  if (pointer === undefined || !block)
    return `invalid pointer: ${text}${pointer === undefined ? '' : `: ${describePointer(pointer, memory)}`}`;
  if (!block.live)
    return (
      `${block.kind === 'heap' ? 'use after free' : 'use after the end of the lifetime'}: ${text}: ` +
      `${describeDead(block)}`
    );
  // The condition ends in 0 <= start and start <= size - accessed; either may have been folded.
  const start =
    find(condition, (e) => (e.kind === 'compare' && isConstant(e.left, 0n) ? e.right : undefined)) ??
    find(condition, (e) => (e.kind === 'compare' && !isConstant(e.left) ? e.left : undefined));
  const offset = start ? valueOf(start) : offsetBytes(pointer);
  return `out of bounds: ${text}: offset ${offset} in ${describeBlock(block)}`;
}

/** The condition on a range from a variable's start asks only whether it is empty and whether it has too many bytes. */
function describeCount(condition: Expression, valueOf: Valuation): string | undefined {
  const count = find(condition, (e) =>
    e.kind === 'compare' && e.operator === 'eq' && isConstant(e.right, 0n) ? e.left : undefined,
  );
  if (!count) return undefined;
  const room = find(condition, (e) =>
    e.kind === 'compare' && e.operator === 'le' && e.right.kind === 'integer' && valueOf(e.left) === valueOf(count)
      ? e.right.value
      : undefined,
  );
  return room === undefined ? undefined : `${valueOf(count)} bytes where there are ${room}`;
}

function describeFree(text: string, pointer: ConcreteValue | undefined, memory: ConcreteMemory): string {
  const block = pointer !== undefined && memory.block(pointer);
  // Nothing to ask means that the address of a variable, a literal or a function is freed.
  if (pointer === undefined) return `free of an object that was not allocated: ${text}`;
  if (!block) return `free of an invalid pointer: ${text}: ${describePointer(pointer, memory)}`;
  if (block.kind !== 'heap')
    return `free of an object that was not allocated: ${text}: ${describePointer(pointer, memory)}`;
  return block.live
    ? `free of a pointer into an object: ${text}: ${describePointer(pointer, memory)}`
    : `double free: ${text}: ${describeDead(block)}`;
}

/** "index 8 is outside elems[8]" where the condition has the length. */
function describeIndex({ text, condition }: Check, valueOf: Valuation): string {
  const index = find(condition, (e) =>
    e.kind === 'compare' ? [e.left, e.right].map(throughConversions).find((side) => !isConstant(side)) : undefined,
  );
  const bound = find(condition, (e) =>
    e.kind === 'compare' && e.operator !== 'eq' && e.operator !== 'ne' && e.right.kind === 'integer'
      ? { operator: e.operator, value: e.right.value }
      : undefined,
  );
  const array = /^&?(.+)\[[^[\]]*\]$/s.exec(text)?.[1];
  if (!index) return `index out of bounds: ${text}`;
  const outside = `index ${valueOf(index)} is outside ${array ?? `the array in ${text}`}`;
  if (bound?.operator === 'lt') return array === undefined ? outside : `${outside}[${bound.value}]`;
  return bound?.operator === 'le' ? `${outside}, at most ${bound.value} is allowed` : outside;
}

const signs: Readonly<Partial<Record<BinaryOperator, string>>> = { add: '+', subtract: '-', multiply: '*' };

/**
 * The values an arithmetic condition is about: of the operation, when there is one in wider arithmetic, else of the
 * variables in it.
 */
function describeOperands(condition: Expression, valueOf: Valuation): string {
  const exact = find(condition, (e) =>
    e.kind === 'binary' && e.left.kind === 'convert' && e.right.kind === 'convert' ? e : undefined,
  );
  const sign = exact && signs[exact.operator];
  if (exact && sign) return ` (${valueOf(exact.left)} ${sign} ${valueOf(exact.right)})`;
  const values = new Set<string>();
  for (const e of atoms(condition))
    if (e.kind === 'list') {
      if (e.is === 'length') values.add(`length = ${valueOf(e)}`);
    } else {
      const name = e.kind === 'read' && !e.variable.name.startsWith('<') ? e.variable.name : undefined;
      // The number of a pointer says nothing.
      if (e.type.kind !== 'pointer') values.add(name === undefined ? `${valueOf(e)}` : `${name} = ${valueOf(e)}`);
      else if (name !== undefined) values.add(`${name} ${Number(valueOf(e)) === 0 ? '==' : '!='} NULL`);
    }
  return values.size === 0 || values.size > 4 ? '' : ` (${[...values].join(', ')})`;
}

/** The largest parts that are no arithmetic: variables, what was loaded. */
function atoms(e: Expression): readonly Expression[] {
  switch (e.kind) {
    case 'integer':
    case 'float':
    case 'null':
      return [];
    case 'unary':
    case 'binary':
    case 'compare':
    case 'convert':
    case 'conditional':
      return operands(e).flatMap(atoms);
    default:
      return [e];
  }
}

/** The check compares a count with zero, or looks for blocks that nothing leads to. */
function describeLeak({ condition, text }: Check, memory: ConcreteMemory, valueOf: Valuation): string {
  const reached = find(condition, (e) => (e.kind === 'all-reached' ? e : undefined));
  const [first, ...others] = reached ? memory.lostBlocks(reached.from.map(valueOf)) : [];
  if (first) {
    const more = others.length === 0 ? '' : `, and to ${others.length} other block${others.length === 1 ? '' : 's'}`;
    return `memory leak: nothing leads any more to ${describeBlock(first)}${more}`;
  }
  const left = condition.kind === 'compare' ? Number(valueOf(condition.left)) : undefined;
  return left === undefined
    ? `memory leak: ${text}`
    : `memory leak: ${left} block${left === 1 ? ' is' : 's are'} still allocated at the end of the program`;
}

type PointerQuestion = Extract<
  Expression,
  { kind: 'object-of' | 'offset-of' | 'object-size' | 'is-live' | 'is-writable' | 'is-heap' | 'is-initialised' }
>;

function isPointerQuestion(e: Expression): e is PointerQuestion {
  switch (e.kind) {
    case 'object-of':
    case 'offset-of':
    case 'object-size':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
    case 'is-initialised':
      return true;
    default:
      return false;
  }
}

const comparedPointer = (e: Expression): Expression | undefined =>
  e.kind === 'compare' && e.left.type.kind === 'pointer' ? e.left : undefined;

/** The first answer in breadth-first order. */
function find<T>(root: Expression, ask: (e: Expression) => T | undefined): T | undefined {
  const queue: Expression[] = [root];
  for (const e of queue) {
    const answer = ask(e);
    if (answer !== undefined) return answer;
    queue.push(...operands(e));
  }
  return undefined;
}

function throughConversions(e: Expression): Expression {
  return e.kind === 'convert' ? throughConversions(e.operand) : e;
}

function isConstant(e: Expression, value?: bigint): boolean {
  return (
    (e.kind === 'integer' && (value === undefined || e.value === value)) || e.kind === 'float' || e.kind === 'null'
  );
}
