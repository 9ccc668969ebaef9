/**
 * A probe's formula computed on a state as JavaScript sees it: exact integers, floating point that is compared, `&&`
 * and `||` from left to right. Undefined where the formula's paths lead nowhere (outside an array, through a dead
 * pointer, a variable never written): no claim is made there.
 */
import type { ProbeFormula } from '../../src/abstraction/predicates/probeFormula';
import { pointeeLength } from '../../src/host/globals';
import { unreachable } from '../../src/unreachable';

/** Numbers are bigints where they are whole. */
type Value = bigint | number | boolean | object | null | undefined;

/** Without `nullHasLength` there is no number of elements behind null: to ask for it is an error in JavaScript. */
export function evaluateProbe(
  formula: ProbeFormula,
  state: Readonly<Record<string, unknown>>,
  nullHasLength = true,
): boolean | undefined {
  return truth(evaluate(formula, state, nullHasLength));
}

function evaluate(f: ProbeFormula, state: Readonly<Record<string, unknown>>, nullHasLength: boolean): Value {
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
        const index = step.kind === 'index' ? evaluate(step.index, state, nullHasLength) : undefined;
        if (step.kind === 'index' && index === undefined) return undefined;
        const key = step.kind === 'field' ? step.name : step.kind === 'dereference' ? '0' : String(index);
        value = (value as Record<string, unknown>)[key];
      }
      return typeof value === 'number' ? (Number.isInteger(value) ? BigInt(value) : value) : (value as Value);
    }
    case 'length': {
      const value = evaluate(f.of, state, nullHasLength);
      if (value === null) return nullHasLength ? 0n : undefined;
      const length =
        typeof value === 'object' ? (value as { readonly [pointeeLength]?: unknown })[pointeeLength] : undefined;
      return typeof length === 'number' ? BigInt(length) : undefined;
    }
    case 'not': {
      const value = truth(evaluate(f.operand, state, nullHasLength));
      return value === undefined ? undefined : !value;
    }
    case 'negate': {
      const value = integer(evaluate(f.operand, state, nullHasLength));
      return value === undefined ? undefined : -value;
    }
    case 'and':
    case 'or': {
      const left = truth(evaluate(f.left, state, nullHasLength));
      if (left === undefined || left === (f.kind === 'or')) return left;
      return truth(evaluate(f.right, state, nullHasLength));
    }
    case 'conditional': {
      const condition = truth(evaluate(f.condition, state, nullHasLength));
      return condition === undefined ? undefined : evaluate(condition ? f.then : f.otherwise, state, nullHasLength);
    }
    case '==':
    case '!=': {
      const [left, right] = [evaluate(f.left, state, nullHasLength), evaluate(f.right, state, nullHasLength)];
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
      const [left, right] = [
        comparable(evaluate(f.left, state, nullHasLength)),
        comparable(evaluate(f.right, state, nullHasLength)),
      ];
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
        integer(evaluate(f.left, state, nullHasLength)),
        integer(evaluate(f.right, state, nullHasLength)),
      ];
      return left === undefined || right === undefined ? undefined : arithmetic(f.kind, left, right);
    }
    default:
      return unreachable(f);
  }
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

/** JavaScript compares bigints with numbers exactly. */
const comparable = (value: Value): bigint | number | undefined => (typeof value === 'number' ? value : integer(value));

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
