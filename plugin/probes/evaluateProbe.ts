/**
 * A probe's formula computed on a state as JavaScript sees it: exact integers, floating point that is compared, `&&`
 * and `||` from left to right. Undefined where the formula's paths lead nowhere (outside an array, through a dead
 * pointer, a variable never written): no claim is made there.
 */
import type { ListFormula, ProbeFormula } from '../../src/abstraction/predicates/probeFormula';
import { pointeeLength } from '../../src/host/globals';
import { objectNumber, objectOffset } from '../../src/host/values/view';
import { unreachable } from '../../src/unreachable';

/** Numbers are bigints where they are whole. */
type Value = bigint | number | boolean | object | null | undefined;

/** In C there are no elements behind null. In JavaScript it is an error to ask for their number. */
type LengthOfNull = 'zero' | 'none';

export function evaluateProbe(
  formula: ProbeFormula,
  state: Readonly<Record<string, unknown>>,
  lengthOfNull: LengthOfNull = 'zero',
): boolean | undefined {
  return truth(evaluate(formula, state, lengthOfNull));
}

function evaluate(f: ProbeFormula, state: Readonly<Record<string, unknown>>, lengthOfNull: LengthOfNull): Value {
  switch (f.kind) {
    case 'integer':
      return BigInt(f.value);
    case 'number':
      return f.value;
    case 'boolean':
      return f.value;
    case 'null':
      return null;
    case 'path': {
      let value: unknown = state[f.variable];
      for (const step of f.steps) {
        if (typeof value !== 'object' || value === null) return undefined;
        const index = step.kind === 'index' ? evaluate(step.index, state, lengthOfNull) : undefined;
        if (step.kind === 'index' && index === undefined) return undefined;
        const key = step.kind === 'field' ? step.name : step.kind === 'dereference' ? '0' : String(index);
        value = (value as Record<string, unknown>)[key];
      }
      return typeof value === 'number' ? (Number.isInteger(value) ? BigInt(value) : value) : (value as Value);
    }
    case 'length': {
      const value = evaluate(f.of, state, lengthOfNull);
      if (value === null) return lengthOfNull === 'zero' ? 0n : undefined;
      const length =
        typeof value === 'object' ? (value as { readonly [pointeeLength]?: unknown })[pointeeLength] : undefined;
      return typeof length === 'number' ? BigInt(length) : undefined;
    }
    case 'same-object': {
      const [left, right] = [evaluate(f.left, state, lengthOfNull), evaluate(f.right, state, lengthOfNull)];
      if (left === undefined || right === undefined) return undefined;
      const object = objectBehind(left);
      return object !== undefined && object === objectBehind(right);
    }
    case 'list':
      return ofList(f, state, lengthOfNull);
    case 'not': {
      const value = truth(evaluate(f.operand, state, lengthOfNull));
      return value === undefined ? undefined : !value;
    }
    case 'negate': {
      const value = integer(evaluate(f.operand, state, lengthOfNull));
      return value === undefined ? undefined : -value;
    }
    case 'and':
    case 'or': {
      const left = truth(evaluate(f.left, state, lengthOfNull));
      if (left === undefined || left === (f.kind === 'or')) return left;
      return truth(evaluate(f.right, state, lengthOfNull));
    }
    case 'conditional': {
      const condition = truth(evaluate(f.condition, state, lengthOfNull));
      return condition === undefined ? undefined : evaluate(condition ? f.then : f.otherwise, state, lengthOfNull);
    }
    case '==':
    case '!=': {
      const [left, right] = [evaluate(f.left, state, lengthOfNull), evaluate(f.right, state, lengthOfNull)];
      if (left === undefined || right === undefined) return undefined;
      const same =
        typeof left === 'object' || typeof right === 'object'
          ? left === right
          : typeof left === 'number' || typeof right === 'number'
            ? left === right
            : integer(left) === integer(right);
      return same === (f.kind === '==');
    }
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const sides = [evaluate(f.left, state, lengthOfNull), evaluate(f.right, state, lengthOfNull)] as const;
      if (sides.some(isPointer) && !inOneObject(...sides)) return sides.includes(undefined) ? undefined : false;
      const [left, right] = sides.map(comparable);
      return left === undefined || right === undefined
        ? undefined
        : f.kind === '<'
          ? left < right
          : f.kind === '<='
            ? left <= right
            : f.kind === '>'
              ? left > right
              : left >= right;
    }
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>': {
      const [left, right] = [
        integer(evaluate(f.left, state, lengthOfNull)),
        integer(evaluate(f.right, state, lengthOfNull)),
      ];
      return left === undefined || right === undefined ? undefined : arithmetic(f.kind, left, right);
    }
    default:
      return unreachable(f);
  }
}

/** The number of the object that a pointer leads into, or in which an array lies. */
const objectBehind = (value: Value): unknown =>
  typeof value === 'object' ? (value as { readonly [objectNumber]?: unknown } | null)?.[objectNumber] : undefined;

/** False of what is no list that ends in null; its length is undefined. */
function ofList(f: ListFormula, state: Readonly<Record<string, unknown>>, lengthOfNull: LengthOfNull): Value {
  const list = evaluate(f.list, state, lengthOfNull);
  if (list === undefined) return undefined;
  const nodes = nodesOf(list, f.link);
  if (!nodes) return f.is === 'length' ? undefined : false;
  switch (f.is) {
    case 'acyclic':
      return true;
    case 'length':
      return BigInt(nodes.length);
    case 'through': {
      const node = evaluate(f.node, state, lengthOfNull);
      return node === undefined ? undefined : nodes.includes(node);
    }
    case 'every': {
      const each = nodes.map((node) => evaluateProbe(f.condition, withNode(state, f.name, node), lengthOfNull));
      return each.includes(false) ? false : each.includes(undefined) ? undefined : true;
    }
  }
}

const withNode = (state: Readonly<Record<string, unknown>>, name: string, node: unknown): typeof state =>
  Object.defineProperty(Object.create(state) as Record<string, unknown>, name, { value: node });

/** The nodes from the first one to null; undefined if the walk comes back, or to what is no node. */
export function nodesOf(list: unknown, link: string): readonly unknown[] | undefined {
  const found = new Set<unknown>();
  for (let node = list; node !== null; node = (node as Record<string, unknown>)[link]) {
    if (typeof node !== 'object' || found.has(node)) return undefined;
    found.add(node);
  }
  return [...found];
}

function arithmetic(operator: string, left: bigint, right: bigint): Value {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0n ? undefined : left / right;
    case '%':
      return right === 0n ? undefined : left % right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '<<':
      return right < 0n || right > 64n ? undefined : left << right;
    case '>>':
      return right < 0n || right > 64n ? undefined : left >> right;
    default:
      throw new Error(`unexpected operator ${operator}`);
  }
}

const isPointer = (value: Value): boolean => objectBehind(value) !== undefined;

/** Only then are two pointers in any order. */
const inOneObject = (left: Value, right: Value): boolean =>
  isPointer(left) && objectBehind(left) === objectBehind(right);

/** JavaScript compares bigints with numbers exactly. Of pointers into one object the offsets are compared. */
const comparable = (value: Value): bigint | number | undefined =>
  typeof value === 'number'
    ? value
    : isPointer(value)
      ? (value as { readonly [objectOffset]: number })[objectOffset]
      : integer(value);

function integer(value: Value): bigint | undefined {
  return typeof value === 'bigint' ? value : typeof value === 'boolean' ? BigInt(value) : undefined;
}

function truth(value: Value): boolean | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'bigint'
    ? value !== 0n
    : typeof value === 'boolean'
      ? value
      : typeof value === 'number'
        ? !Number.isNaN(value)
        : value !== null;
}
