/**
 * Expressions over the rounds of a loop: how much one grows in each round, as long as nothing wraps; and conditions
 * that keep their truth for a number of rounds that can be told beforehand.
 */
import { isBoolean, maximum, minimum } from '../../../../program/build';
import { keyOf } from '../../../../program/automata/repeatedChecks';
import type { CompareOperator, Expression } from '../../../../program/expression';
import { operands } from '../../../../program/traverse';
import type { Rounds } from './rounds';

/** A condition that holds for some rounds only. */
export type Limit =
  /** An integer that grows by a step stays between bounds, which it must for its growth to be what it seems. */
  | {
      readonly kind: 'range';
      readonly value: Expression;
      readonly low: bigint;
      readonly high: bigint;
      readonly step: bigint;
    }
  /** A comparison of integers keeps its truth, while the right side grows by so much more than the left. */
  | {
      readonly kind: 'comparison';
      readonly operator: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly step: bigint;
    };

export function keyOfLimit(limit: Limit): string {
  return limit.kind === 'range'
    ? [keyOf(limit.value), limit.low, limit.high, limit.step].join()
    : [limit.operator, keyOf(limit.left), keyOf(limit.right)].join();
}

/** Larger steps are rare, and would need wider arithmetic. */
const largestStep = 1n << 16n;

export class Steadiness {
  constructor(private readonly rounds: Pick<Rounds, 'steps' | 'stores'>) {}

  /** The growth in a round, modulo the width, within the limits that are added; undefined if it is none. */
  stepOf(e: Expression, limits: Limit[]): bigint | undefined {
    const step = this.growth(e, limits);
    return step !== undefined && step < largestStep && step > -largestStep ? step : undefined;
  }

  /** True if the condition keeps its truth within the limits that are added. */
  isSteady(condition: Expression, limits: Limit[]): boolean {
    const own: Limit[] = [];
    const steady = this.keepsTruth(condition, own);
    if (steady) limits.push(...own);
    return steady;
  }

  private keepsTruth(e: Expression, limits: Limit[]): boolean {
    if (e.kind === 'binary' && (e.operator === 'and' || e.operator === 'or') && isBoolean(e.left) && isBoolean(e.right))
      return this.keepsTruth(e.left, limits) && this.keepsTruth(e.right, limits);
    if (e.kind === 'compare' && e.left.type.kind === 'integer') {
      const left = this.stepOf(e.left, limits);
      const right = this.stepOf(e.right, limits);
      if (left === undefined || right === undefined) return false;
      for (const [side, step] of [
        [e.left, left],
        [e.right, right],
      ] as const)
        if (step !== 0n) limits.push(...rangeOfType(side, step));
      const step = right - left;
      if (step !== 0n) limits.push({ kind: 'comparison', operator: e.operator, left: e.left, right: e.right, step });
      return true;
    }
    return this.growth(e, limits) === 0n;
  }

  private growth(e: Expression, limits: Limit[]): bigint | undefined {
    const inner = operands(e);
    const steps = inner.map((operand) => this.stepOf(operand, limits));
    switch (e.kind) {
      case 'read':
        return this.rounds.steps.has(e.variable) ? this.rounds.steps.get(e.variable) : 0n;
      case 'load':
      case 'is-initialised':
        return steps[0] === 0n && !this.rounds.stores ? 0n : undefined;
      case 'list':
      case 'all-reached':
        return undefined;
      case 'object-of':
      case 'object-size':
      case 'is-live':
      case 'is-writable':
      case 'is-heap':
        // However far a pointer moves, it leads to the same object.
        return steps[0] === undefined ? undefined : 0n;
      default:
    }
    if (steps.every((step) => step === 0n)) return 0n;
    const [left, right] = steps;
    if (left === undefined) return undefined;
    switch (e.kind) {
      case 'unary':
        return e.operator === 'negate' && e.type.kind === 'integer' ? -left : undefined;
      case 'binary':
        if (e.type.kind !== 'integer' || right === undefined) return undefined;
        if (e.operator === 'add') return modulo(left + right, e.type.widthBits);
        if (e.operator === 'subtract') return modulo(left - right, e.type.widthBits);
        if (e.operator === 'multiply' && e.right.kind === 'integer')
          return modulo(left * e.right.value, e.type.widthBits);
        return undefined;
      case 'convert': {
        const from = e.operand.type;
        if (e.type.kind !== 'integer' || from.kind !== 'integer') return undefined;
        if (e.type.widthBits > from.widthBits) limits.push(...rangeOfType(e.operand, left));
        return modulo(left, e.type.widthBits);
      }
      case 'offset':
        return right === undefined ? undefined : modulo(left + right, 32);
      case 'offset-of':
        limits.push({ kind: 'range', value: e, low: -(1n << 31n), high: (1n << 31n) - 1n, step: left });
        return left;
      default:
        return undefined;
    }
  }
}

const modulo = (step: bigint, widthBits: number): bigint => BigInt.asIntN(widthBits, step);

function rangeOfType(value: Expression, step: bigint): readonly Limit[] {
  const { type } = value;
  if (type.kind !== 'integer') throw new Error('only integers have ranges');
  return [{ kind: 'range', value, low: minimum(type), high: maximum(type), step }];
}
