/**
 * Effects of functions without a body in a scenario, as text, and back. Whether they can be done is found out when they
 * are done again; here only their form is looked at.
 */
import type { ExternalEffect, AccessPath } from '../evidence/scenarios/externalEffect';
import { isAccessPath } from '../evidence/scenarios/externalEffect';
import type { AnswerEffects } from '../evidence/scenarios/scenario';
import type { Scalar } from '../program/expression';
import type { ConcreteValue } from '../semantics/concrete/concreteValues';
import { recallNumber, storeValue } from './storedValue';

export function storeEffects({ afterSilent, effects }: AnswerEffects): unknown {
  const value = (given: ConcreteValue | AccessPath): unknown =>
    isAccessPath(given) ? { way: given } : storeValue(given);
  return {
    ...(afterSilent !== undefined && { afterSilent }),
    effects: effects.map((effect) => {
      switch (effect.kind) {
        case 'write':
        case 'set':
          return { ...effect, value: value(effect.value) };
        case 'free':
          return effect;
        case 'call':
          return { ...effect, arguments: effect.arguments.map(storeValue) };
      }
    }),
  };
}

/** Throws a TypeError for what has another form. */
export function recallEffects(stored: unknown): AnswerEffects {
  const { afterSilent, effects } = record(stored);
  return {
    effects: list(effects).map(recallEffect),
    ...(afterSilent !== undefined && { afterSilent: natural(afterSilent) }),
  };
}

function recallEffect(stored: unknown): ExternalEffect {
  const effect = record(stored);
  const value = (given: unknown): ConcreteValue | AccessPath =>
    typeof given === 'object' && given !== null && 'way' in given ? recallAccessPath(given.way) : recallNumber(given);
  switch (effect['kind']) {
    case 'write':
      return {
        kind: 'write',
        to: recallAccessPath(effect['to']),
        offsetBytes: integer(effect['offsetBytes']),
        type: recallScalar(effect['type']),
        value: value(effect['value']),
      };
    case 'set':
      return { kind: 'set', variable: String(effect['variable']), value: value(effect['value']) };
    case 'free':
      return { kind: 'free', what: recallAccessPath(effect['what']) };
    case 'call':
      return {
        kind: 'call',
        function: String(effect['function']),
        arguments: list(effect['arguments']).map(recallNumber),
      };
    default:
      throw new TypeError(`no such effect: ${String(effect['kind'])}`);
  }
}

function recallAccessPath(stored: unknown): AccessPath {
  const path = record(stored);
  switch (path['kind']) {
    case 'argument':
      return { kind: 'argument', ago: natural(path['ago']), index: natural(path['index']) };
    case 'variable':
    case 'object':
      return { kind: path['kind'], name: String(path['name']) };
    case 'inside':
      return { kind: 'inside', of: recallAccessPath(path['of']), offsetBytes: integer(path['offsetBytes']) };
    case 'fresh':
      return { kind: 'fresh' };
    default:
      throw new TypeError(`no such access path: ${String(path['kind'])}`);
  }
}

function recallScalar(stored: unknown): Scalar {
  const { kind, widthBits, signed } = record(stored);
  if (kind === 'pointer') return { kind };
  if (kind === 'float' && (widthBits === 32 || widthBits === 64)) return { kind, widthBits };
  if (
    kind === 'integer' &&
    (widthBits === 8 || widthBits === 16 || widthBits === 32 || widthBits === 64 || widthBits === 128) &&
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
