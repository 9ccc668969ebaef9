/** A step of a counterexample as a reader of C would write it: `push(7) returns 0`. */
import { unreachable } from '../unreachable';
import type { ClientStep, ClientValue, Plain } from '../verdict';

export function formatStep(step: ClientStep): string {
  switch (step.kind) {
    case 'call': {
      const call = `${step.function}(${step.arguments.map(argument).join(', ')})`;
      return step.result === undefined ? call : `${call} returns ${formatPlain(step.result)}`;
    }
    case 'allocate':
      return `${step.name} = a new ${step.type}${step.value === undefined ? '' : ` holding ${formatPlain(step.value)}`}`;
    case 'input':
      return `${step.function}() gives ${formatPlain(step.value)}`;
    default:
      return unreachable(step);
  }
}

function argument(value: ClientValue): string {
  return value.kind === 'object' ? value.name : formatPlain(value.value);
}

/** In one line; null is C's null pointer. */
export function formatPlain(value: Plain): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `{${value.map(formatPlain).join(', ')}}`;
  return `{${Object.entries(value).map(([name, field]) => `.${name} = ${formatPlain(field)}`).join(', ')}}`;
}
