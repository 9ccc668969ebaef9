/**
 * Checks as code that leaves by a label when something may be wrong; the reference machine then finds out what.
 * Conditions of the usual shapes cost a comparison or two: ranges are one unsigned comparison, an access through a
 * pointer is looked up once and its linear address kept for the load or store that follows. Only an exact answer lets
 * the program go on here.
 */
import { isBoolean, offset } from '../../../program/build';
import { int64, type Expression } from '../../../program/expression';
import { keyOf } from '../../../program/automata/repeatedChecks';
import type { ExpressionEmitter } from './expressions';
import { rootOf } from './checkElimination';
import { entry } from './layout';
import { access, op } from './wasm';
import { toEntry } from './support/pointerParts';

interface Bounds {
  readonly subject: Expression;
  low?: bigint;
  high?: bigint;
}
interface Access {
  readonly pointer: Expression;
  readonly delta: Expression | undefined;
  readonly sizeBytes: number;
}

/** Emits the check of a condition; `leave` emits the way out, on the spot. */
export function emitCheck(emitter: ExpressionEmitter, condition: Expression, leave: () => void): void {
  const conjuncts = conjunctsOf(condition);
  const found = accessIn(conjuncts);
  const rest = found ? conjuncts.filter((conjunct) => !found.parts.includes(conjunct)) : conjuncts;
  const bounds: Bounds[] = [];
  for (const conjunct of rest) if (!gather(conjunct, bounds)) leaveUnless(emitter, conjunct, leave);
  for (const bound of bounds) emitBounds(emitter, bound, leave);
  if (found) emitAccess(emitter, found.access, leave);
  emitter.known.learn(condition);
}

function leaveUnless(emitter: ExpressionEmitter, condition: Expression, leave: () => void): void {
  const { code, known } = emitter;
  switch (condition.kind) {
    case 'is-initialised': {
      const { pointer, sizeBytes } = condition;
      const key = keyOf(pointer);
      if (known.isInitialised(key, sizeBytes)) return;
      emitter.accesses.leaveUnlessInitialised(pointer, sizeBytes, leave);
      return known.addInitialised(key, pointer, sizeBytes);
    }
    case 'is-writable': {
      const { root } = rootOf(condition.pointer);
      const key = keyOf(root);
      if (known.isWritable(key)) return;
      emitter.condition(condition);
      code.op(op.i32eqz);
      leaveIf(emitter, leave);
      return known.addWritable(key, root);
    }
    default: {
      const disjuncts = disjunctsOf(condition);
      if (disjuncts.length === 1) {
        emitter.condition(condition);
        code.op(op.i32eqz);
        return leaveIf(emitter, leave);
      }
      // The first ones usually decide. What holds in the last one is not known afterwards.
      const done = code.block();
      for (const disjunct of disjuncts.slice(0, -1)) {
        emitter.condition(disjunct);
        code.branchIf(done);
      }
      emitter.known = known.fork();
      for (const conjunct of conjunctsOf(disjuncts[disjuncts.length - 1]!)) leaveUnless(emitter, conjunct, leave);
      emitter.known = known;
      code.end();
    }
  }
}

function leaveIf({ code }: ExpressionEmitter, leave: () => void): void {
  code.if();
  leave();
  code.end();
}

export function conjunctsOf(e: Expression): Expression[] {
  return e.kind === 'binary' && e.operator === 'and' && isBoolean(e.left) && isBoolean(e.right)
    ? [...conjunctsOf(e.left), ...conjunctsOf(e.right)]
    : [e];
}

function disjunctsOf(e: Expression): Expression[] {
  return e.kind === 'binary' && e.operator === 'or' && isBoolean(e.left) && isBoolean(e.right)
    ? [...disjunctsOf(e.left), ...disjunctsOf(e.right)]
    : [e];
}

/** The pointer of a check that it is not null. */
export function notNull(condition: Expression): Expression | undefined {
  if (condition.kind !== 'compare' || condition.operator !== 'ne') return undefined;
  if (condition.right.kind === 'null') return condition.left;
  return condition.left.kind === 'null' ? condition.right : undefined;
}

/** The pointer of a check that an access through it is valid. */
export function accessedPointer(condition: Expression): Expression | undefined {
  return accessIn(conjunctsOf(condition))?.access.pointer;
}

/**
 * `constant <= subject` or `subject <= constant`, of integers, joined with what is said of the same subject already.
 */
function gather(e: Expression, bounds: Bounds[]): boolean {
  if (e.kind !== 'compare' || e.left.type.kind !== 'integer' || (e.operator !== 'le' && e.operator !== 'lt'))
    return false;
  const { left, right } = e;
  const gap = e.operator === 'lt' ? 1n : 0n;
  if ((left.kind === 'integer') === (right.kind === 'integer')) return false;
  const subject = left.kind === 'integer' ? right : left;
  const key = keyOf(subject);
  let bound = bounds.find((other) => keyOf(other.subject) === key);
  if (!bound) bounds.push((bound = { subject }));
  if (left.kind === 'integer')
    bound.low = bound.low === undefined || bound.low < left.value + gap ? left.value + gap : bound.low;
  if (right.kind === 'integer')
    bound.high = bound.high === undefined || bound.high > right.value - gap ? right.value - gap : bound.high;
  return true;
}

function emitBounds(emitter: ExpressionEmitter, { subject, low, high }: Bounds, leave: () => void): void {
  const { code } = emitter;
  const { type } = subject;
  if (type.kind !== 'integer') throw new Error('bounds are of integers');
  const range = emitter.known.rangeOf(subject);
  const least = low !== undefined && (!Number.isFinite(range.low) || BigInt(range.low) < low) ? low : undefined;
  const most = high !== undefined && (!Number.isFinite(range.high) || BigInt(range.high) > high) ? high : undefined;
  if (least === undefined && most === undefined) return;
  const wide = type.widthBits === 64;
  const constant = (value: bigint) => {
    if (wide) code.i64(value);
    else code.i32(Number(BigInt.asIntN(32, value)));
  };
  const bits = BigInt(type.widthBits);
  const [minimum, maximum] = type.signed ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n];
  // A bound outside the type decides alone.
  if (
    (least !== undefined && least > maximum) ||
    (most !== undefined && most < minimum) ||
    (least !== undefined && most !== undefined && least > most)
  )
    return leave();
  if (least !== undefined && most !== undefined && least > minimum && most < maximum) {
    emitter.value(subject);
    if (wide && least === -0x8000_0000n && most === 0x7fff_ffffn) {
      const exact = emitter.temporary('i64');
      code.tee(exact);
      code.op(op.i64extend32S);
      code.get(exact);
      code.op(op.i64ne);
      emitter.release('i64', exact);
      return leaveIf(emitter, leave);
    }
    if (least !== 0n) {
      constant(least);
      code.op(wide ? op.i64sub : op.i32sub);
    }
    constant(most - least);
    code.op(wide ? op.i64gtU : op.i32gtU);
    return leaveIf(emitter, leave);
  }
  if (least !== undefined && least > minimum) {
    emitter.value(subject);
    constant(least);
    code.op(type.signed ? (wide ? op.i64ltS : op.i32ltS) : wide ? op.i64ltU : op.i32ltU);
    leaveIf(emitter, leave);
  }
  if (most !== undefined && most < maximum) {
    emitter.value(subject);
    constant(most);
    code.op(type.signed ? (wide ? op.i64gtS : op.i32gtS) : wide ? op.i64gtU : op.i32gtU);
    leaveIf(emitter, leave);
  }
}

/** `is-live(p)`, `0 <= offset-of(p) + d` and `offset-of(p) + d <= object-size(p) - n` for a constant n. */
export function accessIn(
  conjuncts: readonly Expression[],
): { readonly access: Access; readonly parts: readonly Expression[] } | undefined {
  for (const live of conjuncts) {
    if (live.kind !== 'is-live') continue;
    const { pointer } = live;
    const key = keyOf(pointer);
    for (const upper of conjuncts) {
      if (upper.kind !== 'compare' || upper.operator !== 'le') continue;
      const sizeBytes = distanceToEnd(upper.right, key);
      if (sizeBytes === undefined) continue;
      const start = keyOf(upper.left);
      const lower = conjuncts.find(
        (e) =>
          e.kind === 'compare' &&
          e.operator === 'le' &&
          e.left.kind === 'integer' &&
          e.left.value === 0n &&
          keyOf(e.right) === start,
      );
      if (!lower) continue;
      const delta = deltaIn(upper.left, key);
      if (delta) return { access: { pointer, delta: delta.delta, sizeBytes }, parts: [live, upper, lower] };
    }
  }
  return undefined;
}

function distanceToEnd(e: Expression, pointerKey: string): number | undefined {
  const isSize = (size: Expression) => size.kind === 'object-size' && keyOf(size.pointer) === pointerKey;
  if (e.kind !== 'binary' || e.operator !== 'subtract' || !isSize(e.left) || e.right.kind !== 'integer')
    return undefined;
  const bytes = Number(e.right.value);
  return bytes >= 1 && bytes <= 0x1000_0000 ? bytes : undefined;
}

function deltaIn(e: Expression, pointerKey: string): { readonly delta: Expression | undefined } | undefined {
  const isOffset = (start: Expression) => start.kind === 'offset-of' && keyOf(start.pointer) === pointerKey;
  if (isOffset(e)) return { delta: undefined };
  return e.kind === 'binary' && e.operator === 'add' && isOffset(e.left) ? { delta: e.right } : undefined;
}

/**
 *   in bounds by the entry in the table?                                 done
 *   in bounds when the object was brought into linear memory, if need be? done, or leave
 *
 * Nothing is remembered of a pointer's object between accesses: its entry is found by arithmetic, which is moved out of
 * loops in which the pointer stays, and an object that is dead or elsewhere has the size 0 there.
 */
function emitAccess(emitter: ExpressionEmitter, { pointer, delta, sizeBytes }: Access, leave: () => void): void {
  const { code, known, layout } = emitter;
  const key = keyOf(pointer);
  const entryLocal = code.local('i32');
  const start = emitter.temporary('i64');
  emitter.accesses.start(pointer, delta, start);
  emitter.value(pointer);
  toEntry(code);
  code.set(entryLocal);
  const done = code.block();
  const far = code.block();
  pushIsFar(emitter, pointer);
  code.branchIf(far);
  emitter.withTemporary('i64', (size) => {
    code.get(entryLocal);
    code.access(access.i64load32U, layout.table + entry.size);
    code.set(size);
    emitter.accesses.isInside(size, start, delta, sizeBytes);
  });
  code.branchIf(done);
  code.end();
  emitter.value(pointer);
  code.get(start);
  code.i32(sizeBytes);
  code.call(emitter.support.reach);
  code.branchIf(done);
  leave();
  code.end();
  const address = code.local('i32');
  code.get(entryLocal);
  code.access(access.i32load, layout.table + entry.address);
  code.get(start);
  code.op(op.i32wrap);
  code.op(op.i32add);
  code.set(address);
  emitter.release('i64', start);
  const target = offset(pointer, delta ?? { kind: 'integer', type: int64, value: 0n });
  known.addAccess(keyOf(target), target, { sizeBytes, address, entry: entryLocal });
  known.addEntry(key, pointer, entryLocal);
}

/** Pushes whether the number of the pointer's object has no entry in the table. */
function pushIsFar(emitter: ExpressionEmitter, pointer: Expression): void {
  const { code } = emitter;
  emitter.value(pointer);
  code.i64(52n);
  code.op(op.i64shrU);
  code.op(op.i32wrap);
}
