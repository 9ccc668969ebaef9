/**
 * What functions without a body do in a scenario, as text, and back. Whether it can be done is found out when it is
 * done again; here only its form is looked at.
 */
import type { Deed, Way } from '../evidence/scenarios/externalEffect';
import { isWay } from '../evidence/scenarios/externalEffect';
import type { Does } from '../evidence/scenarios/scenario';
import type { Scalar } from '../program/expression';
import type { ConcreteValue } from '../semantics/concrete/concreteValues';
import { recallNumber, storeValue } from './storedValue';

export function storeDoes({ afterSilent, deeds }: Does): unknown {
  const value = (given: ConcreteValue | Way): unknown => (isWay(given) ? { way: given } : storeValue(given));
  return {
    ...(afterSilent !== undefined && { afterSilent }),
    deeds: deeds.map((deed) => {
      switch (deed.kind) {
        case 'write':
        case 'set':
          return { ...deed, value: value(deed.value) };
        case 'free':
          return deed;
        case 'call':
          return { ...deed, arguments: deed.arguments.map(storeValue) };
      }
    }),
  };
}

/** Throws a TypeError for what has another form. */
export function recallDoes(stored: unknown): Does {
  const { afterSilent, deeds } = record(stored);
  return {
    deeds: list(deeds).map(recallDeed),
    ...(afterSilent !== undefined && { afterSilent: natural(afterSilent) }),
  };
}

function recallDeed(stored: unknown): Deed {
  const deed = record(stored);
  const value = (given: unknown): ConcreteValue | Way =>
    typeof given === 'object' && given !== null && 'way' in given ? recallWay(given.way) : recallNumber(given);
  switch (deed['kind']) {
    case 'write':
      return {
        kind: 'write',
        to: recallWay(deed['to']),
        offsetBytes: integer(deed['offsetBytes']),
        type: recallScalar(deed['type']),
        value: value(deed['value']),
      };
    case 'set':
      return { kind: 'set', variable: String(deed['variable']), value: value(deed['value']) };
    case 'free':
      return { kind: 'free', what: recallWay(deed['what']) };
    case 'call':
      return { kind: 'call', function: String(deed['function']), arguments: list(deed['arguments']).map(recallNumber) };
    default:
      throw new TypeError(`no such deed: ${String(deed['kind'])}`);
  }
}

function recallWay(stored: unknown): Way {
  const way = record(stored);
  switch (way['kind']) {
    case 'argument':
      return { kind: 'argument', ago: natural(way['ago']), index: natural(way['index']) };
    case 'variable':
    case 'object':
      return { kind: way['kind'], name: String(way['name']) };
    case 'inside':
      return { kind: 'inside', of: recallWay(way['of']), offsetBytes: integer(way['offsetBytes']) };
    case 'fresh':
      return { kind: 'fresh' };
    default:
      throw new TypeError(`no such way: ${String(way['kind'])}`);
  }
}

function recallScalar(stored: unknown): Scalar {
  const { kind, widthBits, signed } = record(stored);
  if (kind === 'pointer') return { kind };
  if (kind === 'float' && (widthBits === 32 || widthBits === 64)) return { kind, widthBits };
  if (
    kind === 'integer' &&
    (widthBits === 8 || widthBits === 16 || widthBits === 32 || widthBits === 64) &&
    typeof signed === 'boolean'
  )
    return { kind, widthBits, signed };
  throw new TypeError('not a type');
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return value as Record<string, unknown>;
}
function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('not a list');
  return value;
}
function integer(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new TypeError('not an integer');
  return value;
}
function natural(value: unknown): number {
  const found = integer(value);
  if (found < 0) throw new TypeError('a negative number');
  return found;
}
