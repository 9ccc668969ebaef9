/** A step of a counterexample as a reader of C would write it: `push(7) returns 0`. */
import { asFunction } from '../plainFunction';
import { formatOrder, isOrderInput } from '../program/orderInput';
import { unreachable } from '../unreachable';
import type { ClientStep, ClientValue, Plain } from '../verdict';

/** `steps`: all of the counterexample, which names the client's functions. */
export function formatStep(step: ClientStep, steps: readonly ClientStep[]): string {
  switch (step.kind) {
    case 'call': {
      const made = step.structure === undefined ? '' : `a new ${step.structure} holding `;
      const call =
        `${step.name === undefined ? '' : `${step.name} = ${made}`}${step.function}(` +
        `${step.arguments.map(argument).join(', ')})`;
      return step.result === undefined ? call : `${call} returns ${formatPlain(step.result)}`;
    }
    case 'allocate':
      return (
        `${step.name} = a new ${step.type}` + (step.value === undefined ? '' : ` holding ${formatPlain(step.value)}`)
      );
    case 'function':
      return `${step.name} = a function of the client's: ${step.type}`;
    case 'input':
      return formatInputs([step], steps)[0]!;
    default:
      return unreachable(step);
  }
}

export type InputStep = Extract<ClientStep, { kind: 'input' }>;

/** Answers of the environment in order; those of one function in a row share a line: `nondet() gives 0, 1, 1`. */
export function formatInputs(inputs: readonly InputStep[], steps: readonly ClientStep[]): string[] {
  const called = (name: string): string => (isOfClient(name) ? functionsOf(name, steps) : `${name}()`);
  const rows: { readonly name: string | undefined; readonly values: string[] }[] = [];
  for (const { function: name, value, does, written } of inputs) {
    if (written) {
      rows.push({ name: undefined, values: [`${name} is ${formatPlain(value)}`] });
      continue;
    }
    if (does) {
      const done = does.effects.map(({ text }) => text).join(', ');
      rows.push({
        name: undefined,
        values: [
          isFunction(name)
            ? `${called(name)} does ${done}${does.answers ? `, and gives ${formatPlain(value)}` : ''}`
            : `${name}: ${done}`,
        ],
      });
      continue;
    }
    if (isOrderInput(name)) {
      rows.push({ name: undefined, values: [formatOrder(name, value)] });
      continue;
    }
    const text =
      name === 'malloc' ? (value === null || value === 0 || value === false ? 'NULL' : 'memory') : formatPlain(value);
    const last = rows.at(-1);
    if (last?.name === name) last.values.push(text);
    else rows.push({ name, values: [text] });
  }
  return rows.map(({ name, values }) =>
    name === undefined
      ? values[0]!
      : isFunction(name)
        ? `${called(name)} gives ${abbreviate(values)}`
        : `${name} is ${abbreviate(values)}`,
  );
}

/** A function of the client's answer, named by its type. */
const isOfClient = (name: string): boolean => name.includes('(*)');
const isFunction = (name: string): boolean => /^\w+$/.test(name) || isOfClient(name);

/** All functions of the type: the steps do not say which of several is asked. */
function functionsOf(type: string, steps: readonly ClientStep[]): string {
  const names = steps.flatMap((step) => (step.kind === 'function' && step.type === type ? [`${step.name}()`] : []));
  return names.length === 0 ? type : names.join(' or ');
}

const shownValues = 20;

function abbreviate(values: readonly string[]): string {
  const shown =
    values.length <= shownValues
      ? values
      : [
          ...values.slice(0, shownValues / 2),
          `… ${values.length - shownValues} more …`,
          ...values.slice(-shownValues / 2),
        ];
  return shown.join(', ');
}

function argument(value: ClientValue): string {
  if (value.kind === 'value') return formatPlain(value.value);
  return value.index === undefined ? value.name : `&${value.name}[${value.index}]`;
}

/** In one line; null is C's null pointer. */
export function formatPlain(value: Plain): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return Object.is(value, -0) ? '-0' : String(value);
  const fn = asFunction(value);
  if (fn) return fn.index === 0 ? fn.name : `&${fn.name}[${fn.index}]`;
  if (Array.isArray(value)) return `{${value.map(formatPlain).join(', ')}}`;
  return `{${Object.entries(value)
    .map(([name, field]) => `.${name} = ${formatPlain(field)}`)
    .join(', ')}}`;
}
