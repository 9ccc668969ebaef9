/**
 * Comparisons of integers that the ranges of their sides decide, whatever the state. Sums are computed modulo a power
 * of two: first the range of some integer that is congruent to the value, which is the value's if it fits the type.
 */
import { fits, maximum, minimum } from '../../../../program/build';
import type { Expression, IntegerScalar } from '../../../../program/expression';
import type { KnownFacts } from '../checkElimination';

/** Inclusive. */
interface ExactRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** Undefined if the ranges leave it open. */
export function certainTruth(condition: Expression, known: KnownFacts): boolean | undefined {
  if (condition.kind === 'integer') return condition.value !== 0n;
  if (condition.kind !== 'compare' || condition.left.type.kind !== 'integer') return undefined;
  const [left, right] = [rangeOf(condition.left, known), rangeOf(condition.right, known)];
  switch (condition.operator) {
    case 'le':
      return left.high <= right.low ? true : left.low > right.high ? false : undefined;
    case 'lt':
      return left.high < right.low ? true : left.low >= right.high ? false : undefined;
    case 'eq':
    case 'ne':
      return left.high < right.low || left.low > right.high ? condition.operator === 'ne' : undefined;
  }
}

function rangeOf(e: Expression, known: KnownFacts): ExactRange {
  if (e.kind === 'integer') return { low: e.value, high: e.value };
  const type = integerType(e);
  const whole = valueRange(e, known);
  const { low, high } = congruent(e, known);
  if (!fits(low, type) || !fits(high, type)) return whole;
  return { low: low > whole.low ? low : whole.low, high: high < whole.high ? high : whole.high };
}

/** Range of an integer that is congruent to the value, modulo what its type holds. */
function congruent(e: Expression, known: KnownFacts): ExactRange {
  const { widthBits } = integerType(e);
  switch (e.kind) {
    case 'integer': {
      const value = BigInt.asIntN(widthBits, e.value);
      return { low: value, high: value };
    }
    case 'convert': {
      const { type } = e.operand;
      if (type.kind !== 'integer') return valueRange(e, known);
      return type.widthBits >= widthBits ? congruent(e.operand, known) : rangeOf(e.operand, known);
    }
    case 'binary': {
      if (e.operator !== 'add' && e.operator !== 'subtract' && e.operator !== 'multiply') return valueRange(e, known);
      const [left, right] = [congruent(e.left, known), congruent(e.right, known)];
      if (e.operator === 'add') return { low: left.low + right.low, high: left.high + right.high };
      if (e.operator === 'subtract') return { low: left.low - right.high, high: left.high - right.low };
      if (right.low !== right.high) return valueRange(e, known);
      const ends = [left.low * right.low, left.high * right.low] as const;
      return right.low < 0n ? { low: ends[1], high: ends[0] } : { low: ends[0], high: ends[1] };
    }
    default:
      return valueRange(e, known);
  }
}

function valueRange(e: Expression, known: KnownFacts): ExactRange {
  const type = integerType(e);
  const { low, high } = known.rangeOf(e);
  return {
    low: Number.isFinite(low) ? BigInt(low) : minimum(type),
    high: Number.isFinite(high) ? BigInt(high) : maximum(type),
  };
}

function integerType({ type }: Expression): IntegerScalar {
  if (type.kind !== 'integer') throw new Error('only integers have ranges');
  return type;
}
