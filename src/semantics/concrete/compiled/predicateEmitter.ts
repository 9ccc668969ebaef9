/**
 * Observed predicates as code that leaves their truth values, as bits, in a local. Four things make that cheap where
 * control passes by again and again: conditions that ranges decide are left out; what several conditions need is
 * computed once, and so is all they ask of one object; and conditions that compare the same value with constants are
 * decided together. Near zero a table has their bits, elsewhere one range test says whether the value stays between the
 * same two constants as last time, in whichever activation that was.
 */
import { certainTruth } from './loops/certainTruth';
import * as E from '../../../program/build';
import type { Expression, IntegerScalar } from '../../../program/expression';
import { keyOf } from '../../../program/automata/repeatedChecks';
import { walk } from '../../../program/traverse';
import type { SharedObject, ExpressionEmitter } from './expressions';
import { loadOf, storeOf } from './accesses';
import { rootOf } from './checkElimination';
import type { EmissionContext } from './frameEmitter';
import { entry, largestTable, rangeFields, wasmTypeOf } from './layout';
import { valuationType } from './loops/observedHeads';
import { access, op, type WasmType } from './wasm';
import { toEntry } from './support/pointerParts';

/** A value at a place passed again and again, and the conditions on it, by bit, that change only at some constants. */
export interface Group {
  readonly value: Expression;
  readonly type: IntegerScalar;
  readonly members: { readonly bit: number; readonly breaks: readonly bigint[]; holds(at: bigint): boolean }[];
}

interface RangedGroup extends Group {
  /** Address of its range: see `rangeFields`. */
  readonly range: number;
  readonly table: Table | undefined;
}

/** The bits for each of some values that follow each other. */
interface Table {
  readonly address: number;
  readonly low: bigint;
  readonly count: number;
}

/** Addresses in linear memory of what is kept of groups. */
export type GroupRoom = Pick<EmissionContext, 'nextRange' | 'tableOf'>;

export interface Bits {
  readonly local: number;
  readonly type: 'i32' | 'i64';
}

/** The local is a temporary one. `bits`: those that are computed; the others are 0. */
export function emitPredicates(
  emitter: ExpressionEmitter,
  conditions: readonly Expression[],
  room: GroupRoom | undefined,
  bits: readonly number[] = conditions.map((_, bit) => bit),
): Bits {
  const { code } = emitter;
  const type = valuationType(conditions);
  const local = emitter.temporary(type);
  const certain = new Map(bits.map((bit) => [bit, certainTruth(E.truth(conditions[bit]!), emitter.known)]));
  const open = bits.filter((bit) => certain.get(bit) === undefined);
  const groups = (room ? groupsOf(conditions, open) : []).flatMap((group): RangedGroup[] => {
    const range = room?.nextRange();
    return range === undefined ? [] : [{ ...group, range, table: tableFor(group, type, room!) }];
  });
  const grouped = new Set(groups.flatMap(({ members }) => members.map(({ bit }) => bit)));
  const single = open.filter((bit) => !grouped.has(bit));
  const wanted = [...groups.map(({ value }) => value), ...single.map((bit) => conditions[bit]!)];
  const shared = new SharedParts(emitter, wanted);
  let pushed = false;
  const join = () => {
    if (pushed) code.op(type === 'i32' ? op.i32or : op.i64or);
    pushed = true;
  };
  for (const bit of single) {
    emitter.condition(E.truth(conditions[bit]!));
    if (type === 'i64') code.op(op.i64extendU);
    if (bit > 0) {
      if (type === 'i32') code.i32(bit);
      else code.i64(BigInt(bit));
      code.op(type === 'i32' ? op.i32shl : op.i64shl);
    }
    join();
  }
  for (const group of groups) {
    emitGroup(emitter, group, type);
    join();
  }
  const word = bits.reduce((sum, bit) => (certain.get(bit) ? sum | (1n << BigInt(bit)) : sum), 0n);
  if (!pushed || word !== 0n) {
    if (type === 'i32') code.i32(Number(BigInt.asIntN(32, word)));
    else code.i64(word);
    join();
  }
  code.set(local);
  shared.release();
  return { local, type };
}

/** Parts of expressions that occur more than once, each in a local, and objects that pointers lead to. */
class SharedParts {
  private readonly temporaries: { readonly type: 'i32' | 'i64' | 'f32' | 'f64'; readonly local: number }[] = [];

  constructor(
    private readonly emitter: ExpressionEmitter,
    wanted: readonly Expression[],
  ) {
    const counts = new Map<string, { readonly part: Expression; count: number }>();
    const followed = new Map<string, { readonly root: Expression; readonly questions: Set<Expression['kind']> }>();
    for (const expression of wanted) {
      walk(expression, (part) => {
        if (isWorthSharing(part)) {
          const key = keyOf(part);
          const found = counts.get(key);
          if (found) found.count++;
          else counts.set(key, { part, count: 1 });
        }
        const { root } = rootOf(followedBy(part) ?? E.nullPointer);
        if (root.kind !== 'read' && root.kind !== 'load') return;
        const key = keyOf(root);
        const object = followed.get(key) ?? { root, questions: new Set() };
        object.questions.add(part.kind);
        followed.set(key, object);
      });
    }
    const computed = new Map<string, number>();
    const objects = new Map<string, SharedObject>();
    emitter.shared = { computed, objects };
    // Inner parts come first; their texts are shorter.
    const parts = [...counts]
      .filter(([key, { count }]) => count > 1 || followed.has(key))
      .map(([key, { part }]) => ({ key, part }));
    const work = [
      ...parts,
      ...[...followed]
        .filter(([key]) => !parts.some((other) => other.key === key))
        .map(([key, { root }]) => ({ key, part: root })),
    ];
    for (const { key, part } of work.sort((a, b) => a.key.length - b.key.length)) {
      if (part.kind !== 'read') computed.set(key, this.compute(part));
      const object = followed.get(key);
      if (object) objects.set(key, this.lookUp(part, object.questions));
    }
  }

  release(): void {
    this.emitter.shared = undefined;
    for (const { type, local } of this.temporaries) this.emitter.release(type, local);
  }

  private temporary(type: 'i32' | 'i64' | 'f32' | 'f64'): number {
    const local = this.emitter.temporary(type);
    this.temporaries.push({ type, local });
    return local;
  }

  private compute(part: Expression): number {
    const { emitter } = this;
    emitter.value(part);
    const local = this.temporary(wasmTypeOf(part.type));
    emitter.code.set(local);
    return local;
  }

  /** Finds out what is asked about an object: by its entry in the table, or by the host if that does not say it. */
  private lookUp(pointer: Expression, questions: ReadonlySet<Expression['kind']>): SharedObject {
    const { emitter } = this;
    const { code, layout, support } = emitter;
    const found = {
      size: this.temporary('i64'),
      address: this.temporary('i32'),
      wholeSize: questions.has('object-size') ? this.temporary('i64') : undefined,
      properties: propertyKinds.some((kind) => questions.has(kind)) ? this.temporary('i32') : undefined,
    };
    const done = code.block();
    const elsewhere = code.block();
    code.i64(0n);
    code.set(found.size);
    emitter.value(pointer);
    code.i64(52n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.branchIf(elsewhere);
    emitter.withTemporary('i32', (at) => {
      const field = (which: number, load: number) => {
        code.get(at);
        code.access(load, layout.table + which);
      };
      emitter.value(pointer);
      toEntry(code);
      code.set(at);
      field(entry.size, access.i64load32U);
      code.set(found.size);
      // Null has an entry of zeros, which say all of it.
      code.get(at);
      code.i32(0);
      code.get(found.size);
      code.op(op.i64eqz);
      code.op(op.select);
      code.branchIf(elsewhere);
      field(entry.address, access.i32load);
      code.set(found.address);
      if (found.wholeSize !== undefined) {
        code.get(found.size);
        code.set(found.wholeSize);
      }
      if (found.properties !== undefined) {
        field(entry.properties, access.i32load);
        code.set(found.properties);
      }
    });
    code.branch(done);
    code.end();
    for (const [local, function_] of [
      [found.wholeSize, support.size],
      [found.properties, support.properties],
    ] as const) {
      if (local === undefined) continue;
      emitter.value(pointer);
      code.call(function_);
      code.set(local);
    }
    code.end();
    return found;
  }
}

const propertyKinds = ['is-live', 'is-writable', 'is-heap'] as const;

/** Slow parts: memory, properties of objects, divisions. */
function isWorthSharing(e: Expression): boolean {
  switch (e.kind) {
    case 'load':
    case 'object-size':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
      return true;
    case 'binary':
      return e.operator === 'divide' || e.operator === 'remainder';
    default:
      return false;
  }
}

/** The pointer whose object the part asks for. */
function followedBy(e: Expression): Expression | undefined {
  switch (e.kind) {
    case 'load':
      return e.address;
    case 'object-size':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
      return e.pointer;
    default:
      return undefined;
  }
}

/** Conditions that compare one value with constants, if there are several. */
export function groupsOf(conditions: readonly Expression[], bits: readonly number[]): Group[] {
  const groups = new Map<string, Group>();
  for (const bit of bits) {
    const e = E.truth(conditions[bit]!);
    if (e.kind !== 'compare') continue;
    const { left, right, operator } = e;
    const [value, constant] = left.kind === 'integer' ? [right, left] : [left, right];
    if (constant.kind !== 'integer' || value.kind === 'integer' || value.type.kind !== 'integer') continue;
    const widthBits = BigInt(constant.type.widthBits);
    const sum = sumOf(value);
    const { core, type, shift, low, high } =
      sum.high - sum.low < 1n << widthBits
        ? sum
        : { core: value, type: value.type, shift: 0n, low: E.minimum(value.type), high: E.maximum(value.type) };
    // Tests the mathematical sum, or what it wraps to.
    const holds = (at: bigint): boolean => {
      const word = E.wrap(at + shift, constant.type);
      const [a, b] = value === left ? [word, constant.value] : [constant.value, word];
      switch (operator) {
        case 'eq':
          return a === b;
        case 'ne':
          return a !== b;
        case 'lt':
          return a < b;
        case 'le':
          return a <= b;
      }
    };
    // Neighbours of the constant are the only places where it can change, and the one where the sum wraps.
    const breaks = [E.minimum(constant.type), constant.value, constant.value + 1n]
      .flatMap((word) => {
        const first = low + 1n + BigInt.asUintN(Number(widthBits), word - shift - low - 1n);
        return [first, first + (1n << widthBits)];
      })
      .filter((at) => at <= high && holds(at) !== holds(at - 1n));
    const key = keyOf(core);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { value: core, type, members: [] }));
    group.members.push({ bit, holds, breaks });
  }
  return [...groups.values()].filter(
    ({ members }) => members.length > 1 && members.some(({ breaks }) => breaks.length > 0),
  );
}

/** An integer expression as another one plus a constant, wrapped to its type; the other one lies within bounds. */
function sumOf(e: Expression): {
  readonly core: Expression;
  readonly type: IntegerScalar;
  readonly shift: bigint;
  readonly low: bigint;
  readonly high: bigint;
} {
  if (e.type.kind !== 'integer') throw new Error('sums are of integers');
  const itself = { core: e, type: e.type, shift: 0n, low: E.minimum(e.type), high: E.maximum(e.type) };
  if (e.kind === 'binary' && e.operator === 'add' && e.right.kind === 'integer') {
    const left = sumOf(e.left);
    return { ...left, shift: left.shift + E.wrap(e.right.value, { ...e.type, signed: true }) };
  }
  if (e.kind === 'convert' && e.operand.type.kind === 'integer') {
    const from = e.operand.type;
    const inner = sumOf(e.operand);
    // A sum that wraps before it is widened is none afterwards.
    const isExact = inner.low + inner.shift >= E.minimum(from) && inner.high + inner.shift <= E.maximum(from);
    return isExact || e.type.widthBits <= from.widthBits ? inner : itself;
  }
  // Offsets and numbers of objects fill half a pointer.
  if (e.kind === 'offset-of') return { ...itself, low: -(1n << 31n), high: (1n << 31n) - 1n };
  if (e.kind === 'object-of' || e.kind === 'object-size') return { ...itself, low: 0n, high: (1n << 32n) - 1n };
  return itself;
}

/** Bits of the group at a value. */
const bitsAt = ({ members }: Group, value: bigint): bigint =>
  members.reduce((sum, { bit, holds }) => (holds(value) ? sum | (1n << BigInt(bit)) : sum), 0n);

/** Values near zero at which the conditions change; loops that count pass them one by one. */
const tabled = { least: -128n, most: BigInt(largestTable) - 256n };

/** In ascending order. */
export function nearBreaks({ members }: Group): bigint[] {
  const { least, most } = tabled;
  const near = members.flatMap(({ breaks }) => breaks).filter((at) => least <= at && at <= most);
  return near.sort((a, b) => (a < b ? -1 : 1));
}

function tableFor(group: Group, bits: 'i32' | 'i64', room: GroupRoom): Table | undefined {
  const near = nearBreaks(group);
  if (near.length === 0) return undefined;
  const low = near[0]! - 1n;
  const high = near[near.length - 1]!;
  const count = Number(high - low) + 1;
  const words = Array.from({ length: count }, (_, i) => bitsAt(group, low + BigInt(i)));
  const address = room.tableOf(words, bits);
  return address === undefined ? undefined : { address, low, count };
}

/** Pushes the bits of the group. */
function emitGroup(emitter: ExpressionEmitter, group: RangedGroup, bits: 'i32' | 'i64'): void {
  const { code } = emitter;
  const wide = group.type.widthBits === 64;
  const wasm = wide ? 'i64' : 'i32';
  emitter.withTemporary(wasm, (x) => {
    emitter.value(group.value);
    code.set(x);
    const { table } = group;
    if (!table) return emitByRange(emitter, group, bits, x);
    emitter.withTemporary('i32', (at) => {
      code.get(x);
      if (wide) code.i64(table.low);
      else code.i32(Number(BigInt.asIntN(32, table.low)));
      code.op(wide ? op.i64sub : op.i32sub);
      if (wide) {
        emitter.withTemporary('i64', (distance) => {
          code.tee(distance);
          code.op(op.i32wrap);
          code.set(at);
          code.get(distance);
          code.i64(BigInt(table.count));
          code.op(op.i64ltU);
        });
      } else {
        code.tee(at);
        code.i32(table.count);
        code.op(op.i32ltU);
      }
      code.if(bits);
      code.get(at);
      code.i32(bits === 'i32' ? 2 : 3);
      code.op(op.i32shl);
      code.access(loadOf[bits], table.address);
      code.else();
      emitByRange(emitter, group, bits, x);
      code.end();
    });
  });
}

/** Pushes the bits of the group for the value in a local. */
function emitByRange(emitter: ExpressionEmitter, group: RangedGroup, bits: 'i32' | 'i64', x: number): void {
  const { code } = emitter;
  const { type, members, range } = group;
  const wide = type.widthBits === 64;
  const wasm = wide ? 'i64' : 'i32';
  const constant = (n: bigint) => {
    if (wide) code.i64(n);
    else code.i32(Number(BigInt.asIntN(32, n)));
  };
  const pushField = (field: number, as: WasmType) => {
    code.i32(0);
    code.access(loadOf[as], range + field);
  };
  const setField = (field: number, as: WasmType, push: () => void) => {
    code.i32(0);
    push();
    code.access(storeOf[as], range + field);
  };
  const starts = [...new Set([E.minimum(type), ...members.flatMap(({ breaks }) => breaks)])].sort((a, b) =>
    a < b ? -1 : 1,
  );
  code.get(x);
  pushField(rangeFields.low, wasm);
  code.op(wide ? op.i64sub : op.i32sub);
  pushField(rangeFields.count, wasm);
  code.op(wide ? op.i64geU : op.i32geU);
  code.if();
  starts.forEach((start, i) => {
    if (i > 0) {
      code.get(x);
      constant(start);
      code.op(type.signed ? (wide ? op.i64geS : op.i32geS) : wide ? op.i64geU : op.i32geU);
      code.if();
    }
    setField(rangeFields.low, wasm, () => constant(start));
    setField(rangeFields.count, wasm, () => constant((starts[i + 1] ?? E.maximum(type) + 1n) - start));
    const word = bitsAt(group, start);
    setField(rangeFields.bits, bits, () => {
      if (bits === 'i32') code.i32(Number(BigInt.asIntN(32, word)));
      else code.i64(word);
    });
    if (i > 0) code.end();
  });
  code.end();
  pushField(rangeFields.bits, bits);
}
