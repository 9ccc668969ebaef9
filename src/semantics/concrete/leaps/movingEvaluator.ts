/**
 * Expressions over integers that move evenly. The value in round 0 is what the evaluator computes; only growths are
 * found here. Where a word is read as a number, or a condition has a truth, there is room for so many rounds only.
 */
import * as E from '../../../program/build';
import type { Expression, IntegerScalar, Variable } from '../../../program/expression';
import { operands, variablesIn, withOperands } from '../../../program/traverse';
import type { Evaluator } from '../../evaluate';
import type { ProgramState } from '../../values';
import type { ConcreteValue } from '../concreteValues';
import { added, isMultiple, isStill, type Moving, type Room, roomInRange, scaled, still, subtracted } from './moving';

/** Variables that rounds change; others are as the state has them. */
export type MovingValues = ReadonlyMap<Variable, Moving>;

/**
 * An integer of which only the low bits move as growths say, unless there is room for what was extended: then all do.
 */
interface Computed extends Moving {
  readonly extended?: { readonly bits: number; readonly rooms: readonly Room[] } | undefined;
}

export class MovingEvaluator {
  constructor(
    private readonly evaluator: Evaluator<ConcreteValue>,
    private readonly state: ProgramState<ConcreteValue>,
  ) {}

  /** The variable, whether or not rounds change it. */
  variable(variable: Variable, values: MovingValues): Moving {
    const { scope, slot } = variable;
    return values.get(variable) ?? still(BigInt((scope === 'global' ? this.state.globals : this.state.locals)[slot]!));
  }

  /** An integer, with the room it needs; undefined if it does not move evenly. */
  integer(e: Expression, values: MovingValues, rooms: Room[]): Moving | undefined {
    const found = this.computed(e, values, rooms);
    return found && settled(found, rooms);
  }

  private computed(e: Expression, values: MovingValues, rooms: Room[]): Computed | undefined {
    if (e.type.kind !== 'integer') return undefined;
    if (!reads(e, values)) return still(this.constant(e));
    if (e.kind === 'read') return this.variable(e.variable, values);
    if (e.kind === 'conditional') {
      const condition = this.integer(e.condition, values, rooms);
      if (!condition || !isStill(condition)) return undefined;
      return this.computed(condition.value === 0n ? e.otherwise : e.then, values, rooms);
    }
    const inner = new Map<Expression, Computed>();
    for (const operand of operands(e)) {
      if (operand.type.kind !== 'integer' && !reads(operand, values)) continue;
      const computed = this.computed(operand, values, rooms);
      if (!computed) return undefined;
      inner.set(operand, computed);
    }
    const constants = withOperands(e, (operand) => {
      const { type } = operand;
      return type.kind === 'integer' ? E.integer(inner.get(operand)!.value, type) : operand;
    });
    const value = this.constant(constants);
    if ([...inner.values()].every(isStill)) return still(value);
    const moved = motionOf(e, e.type, inner, rooms);
    if (!moved) return undefined;
    const { growths, extended } = moved;
    if (!extended || growths.size > 0) return { ...moved, value };
    // Growths that cancel do so while no operand wraps; what stands still is not looked at again.
    rooms.push(...extended.rooms);
    return { growths, value };
  }

  private constant(e: Expression): bigint {
    return BigInt(this.evaluator.evaluate(e, this.state));
  }
}

const variables = new WeakMap<Expression, readonly Variable[]>();

function reads(e: Expression, values: MovingValues): boolean {
  let found = variables.get(e);
  if (!found) variables.set(e, (found = [...variablesIn(e)]));
  return found.some((variable) => values.has(variable));
}

/** The integer with all of its bits. */
function settled({ value, growths, extended }: Computed, rooms: Room[]): Moving {
  if (extended && growths.size > 0) rooms.push(...extended.rooms);
  return { value, growths };
}

type Motion = Omit<Computed, 'value'>;
const unmoved: Motion = { growths: new Map() };

/** The motion of an operation of which some operand moves. */
function motionOf(
  e: Expression,
  type: IntegerScalar,
  inner: ReadonlyMap<Expression, Computed>,
  rooms: Room[],
): Motion | undefined {
  const operand = (of: Expression): Moving => settled(inner.get(of)!, rooms);
  switch (e.kind) {
    case 'unary': {
      const { growths, extended } = inner.get(e.operand)!;
      return { growths: scaled(growths, -1n, type.widthBits), extended };
    }
    case 'binary':
      return motionOfBinary(e, type, inner.get(e.left)!, inner.get(e.right)!, rooms);
    case 'convert':
      return e.operand.type.kind === 'integer' ? converted(inner.get(e.operand)!, e.operand.type, type) : undefined;
    case 'compare': {
      const { type: compared } = e.left;
      if (compared.kind !== 'integer') return undefined;
      const [left, right] = [operand(e.left), operand(e.right)];
      for (const side of [left, right]) if (!isStill(side)) rooms.push(...roomInRange(side, compared));
      const more = { value: right.value - left.value, growths: subtracted(right.growths, left.growths) };
      rooms.push(...roomOfTruth(e.operator, more));
      return unmoved;
    }
    default:
      return undefined;
  }
}

function converted(operand: Computed, from: IntegerScalar, to: IntegerScalar): Motion {
  const { extended } = operand;
  const growths = scaled(operand.growths, 1n, to.widthBits);
  if (to.widthBits > from.widthBits) {
    const rooms = [...(extended?.rooms ?? []), ...roomInRange(operand, from)];
    return { growths, extended: { bits: extended?.bits ?? from.widthBits, rooms } };
  }
  return { growths, extended: extended && to.widthBits <= extended.bits ? undefined : extended };
}

function motionOfBinary(
  { operator }: Extract<Expression, { kind: 'binary' }>,
  type: IntegerScalar,
  left: Computed,
  right: Computed,
  rooms: Room[],
): Motion | undefined {
  const { widthBits } = type;
  const extended = joined(left.extended, right.extended);
  switch (operator) {
    case 'add':
      return { growths: added(left.growths, right.growths, widthBits), extended };
    case 'subtract':
      return { growths: subtracted(left.growths, right.growths, widthBits), extended };
    case 'multiply':
      if (isStill(right)) return { growths: scaled(left.growths, right.value, widthBits), extended };
      return isStill(left) ? { growths: scaled(right.growths, left.value, widthBits), extended } : undefined;
    case 'and': {
      const [mask, word] = isStill(right) ? [right, left] : [left, right];
      const bits = BigInt.asUintN(widthBits, mask.value).toString(2).length;
      if (!isStill(mask) || !isMultiple(settled(word, rooms).growths, 1n << BigInt(bits))) return undefined;
      return unmoved;
    }
    case 'remainder': {
      const word = settled(left, rooms);
      if (!isStill(right) || right.value === 0n || !isMultiple(word.growths, right.value)) return undefined;
      rooms.push(...roomInRange(word, type));
      // The remainder has the sign of the left side.
      if (type.signed) rooms.push(word.value >= 0n ? word : negativeRoom(word));
      return unmoved;
    }
    default:
      return undefined;
  }
}

function joined(a: Computed['extended'], b: Computed['extended']): Computed['extended'] {
  return a && b ? { bits: Math.min(a.bits, b.bits), rooms: [...a.rooms, ...b.rooms] } : (a ?? b);
}

const negativeRoom = ({ value, growths }: Moving): Room => ({ value: -1n - value, growths: scaled(growths, -1n) });

/** Room for the comparison to stay as it is, of the right side minus the left one. */
function roomOfTruth(operator: Extract<Expression, { kind: 'compare' }>['operator'], more: Moving): readonly Room[] {
  const { value, growths } = more;
  const less = { value: -value, growths: scaled(growths, -1n) };
  const minusOne = (room: Room): Room => ({ value: room.value - 1n, growths: room.growths });
  switch (operator) {
    case 'lt':
      return [value > 0n ? minusOne(more) : less];
    case 'le':
      return [value >= 0n ? more : minusOne(less)];
    case 'eq':
    case 'ne':
      if (value === 0n) return [more, less];
      return [minusOne(value > 0n ? more : less)];
  }
}
