/** Values as JSON, and back: what JSON has no notation for is an object with one member. */
import type { ConcreteValue } from '../semantics/concrete/concreteValues';
import type { Plain } from '../verdict';

/**
 * JSON. Bigints as `{ "big": "…" }`, floats that JSON lacks as `{ "float": "…" }`, objects as `{ "record": [[name,
 * value]] }`.
 */
export type Stored = unknown;

export function storeValue(value: Plain): Stored {
  if (typeof value === 'bigint') return { big: value.toString() };
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { float: Object.is(value, -0) ? '-0' : String(value) };
  if (Array.isArray(value)) return (value as readonly Plain[]).map(storeValue);
  if (typeof value === 'object' && value !== null)
    return { record: Object.entries(value).map(([name, field]) => [name, storeValue(field)]) };
  return value;
}

export function recallValue(stored: Stored): Plain {
  if (Array.isArray(stored)) return stored.map(recallValue);
  if (typeof stored !== 'object' || stored === null) return stored as Plain;
  if ('big' in stored) return BigInt(String(stored.big));
  if ('float' in stored) return Number(stored.float);
  if ('record' in stored)
    return Object.fromEntries((stored.record as [string, Stored][]).map(([name, field]) => [name, recallValue(field)]));
  throw new TypeError('not a value');
}

export function recallNumber(stored: Stored): ConcreteValue {
  const value = recallValue(stored);
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new TypeError('not a number');
  return value;
}
