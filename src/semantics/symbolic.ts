/**
 * The symbolic reading of C: values are terms, a pointer is a pair of terms (object number, byte offset), memory is one term per memory
 * variable. A memory variable is a slot of a region (see `regions.ts`): a plain value, or an array indexed by offset, by object number, or by both.
 * Four more arrays, indexed by object number, hold what every object has: size, liveness, whether it came from the allocator, and in which region the
 * program made it (0: not made by an allocation of the program).
 *
 * Every operation is total and means exactly what the concrete reading computes; floating-point results are uninterpreted functions of their operands,
 * and contents nobody described are fresh symbols.
 */
import * as L from '../logic/build';
import { floatBits } from '../logic/floatPatterns';
import type { ArraySort, BitsSort, Sort, SymbolTerm, Term } from '../logic/term';
import { printType } from '../c/printType';
import type { Command } from '../program/command';
import type { BinaryOperator, CompareOperator, Expression, FloatScalar, FrameObject, IntegerScalar, Scalar } from '../program/expression';
import type { FunctionDefinition, Program, StaticObject } from '../program/program';
import { type Congruence, cellsOf, equal as sameOffsets, exactly, residueOf } from '../program/congruence';
import { ClientSlots } from './clientSlots';
import { isPassable } from './functionFacts';
import { isAligned, isOnePlace, type Layout, type Slot, slotAt, type SlotLayout } from './layout';
import type { Node, Origin, Pointee, Regions } from './regions';
import type { Memory, State, Values } from './values';

export interface SymbolicPointer { readonly object: Term; readonly offset: Term }
/** Integers and floats are bit-vectors of their width. */
export type SymbolicValue = Term | SymbolicPointer;

export function isPointer(value: SymbolicValue): value is SymbolicPointer {
  return 'object' in value;
}

/** How a memory variable is addressed. */
export type Addressing = 'plain' | 'by-offset' | 'by-object' | 'by-object-and-offset';

/** One component of symbolic memory. */
export interface MemoryVariable {
  readonly index: number;
  readonly name: string;
  readonly sort: Sort;
  readonly role:
    | { readonly kind: 'slot'; readonly node: Node; readonly slot: Slot | 'byte'; readonly part: 'value' | 'object' | 'offset'; readonly addressing: Addressing; readonly single: Origin | undefined }
    /** Whether something was written there since the object is there: at least where this is true, it was. */
    | { readonly kind: 'written'; readonly node: Node; readonly slot: Slot | 'byte'; readonly addressing: Addressing; readonly single: Origin | undefined }
    | { readonly kind: 'size' | 'live' | 'heap' | 'made' | 'next' };
}

type Part = 'value' | 'object' | 'offset' | 'written';

/** Shape of symbolic memory for one program: fixed before any execution. */
export class MemoryShape {
  readonly variables: MemoryVariable[] = [];
  private readonly byNode = new Map<Node, Map<string, MemoryVariable>>();
  readonly half: number;
  readonly halfSort: BitsSort;
  readonly indexSort: BitsSort;
  readonly size: MemoryVariable;
  readonly live: MemoryVariable;
  readonly heap: MemoryVariable;
  readonly made: MemoryVariable;
  readonly next: MemoryVariable;
  /** Objects numbered up to here are static objects and functions. */
  readonly lastStatic: number;
  /** Where clients' objects hold null or a function. */
  readonly clientSlots: ClientSlots;

  /** `tracksWriting`: reads of what was never written are asked about. */
  constructor(readonly program: Program, readonly regions: Regions, readonly tracksWriting = false) {
    this.half = program.dataModel === 'lp64' ? 32 : 16;
    this.halfSort = L.bitsSort(this.half);
    this.indexSort = L.bitsSort(2 * this.half);
    this.lastStatic = program.objects.length + program.functions.length;
    this.size = this.add('#size', L.arraySort(this.halfSort, this.halfSort), { kind: 'size' });
    this.live = this.add('#live', L.arraySort(this.halfSort, L.boolSort), { kind: 'live' });
    this.heap = this.add('#heap', L.arraySort(this.halfSort, L.boolSort), { kind: 'heap' });
    this.made = this.add('#made', L.arraySort(this.halfSort, this.halfSort), { kind: 'made' });
    this.next = this.add('#next', this.halfSort, { kind: 'next' });
    const begunUnwritten = tracksWriting ? nodesBegunUnwritten(program, regions) : new Set<Node>();
    for (const node of regions.roots()) {
      const layout = regions.layout(node);
      const slots = layout.kind === 'bytes' ? (['byte'] as const) : layout.slots;
      if (layout.kind === 'bytes' && node.accesses.size === 0 && !regions.collapsed) continue;
      const variables = new Map<string, MemoryVariable>();
      for (const slot of slots) for (const part of partsOf(slot)) variables.set(slotKey(slot, part), this.slotVariable(node, layout, slot, part));
      if (begunUnwritten.has(node)) for (const slot of slots) variables.set(slotKey(slot, 'written'), this.slotVariable(node, layout, slot, 'written'));
      this.byNode.set(node, variables);
    }
    this.clientSlots = new ClientSlots(program, regions);
  }

  /** What `made` holds of objects that the node's allocations make; no other objects have it. */
  madeIn(node: Node): bigint {
    return BigInt(this.regions.find(node).index + 1);
  }

  slotVariables(node: Node): readonly MemoryVariable[] {
    return [...(this.byNode.get(this.regions.find(node))?.values() ?? [])];
  }

  slot(node: Node, slot: Slot | 'byte', part: Part): MemoryVariable | undefined {
    return this.byNode.get(this.regions.find(node))?.get(slotKey(slot, part));
  }

  private slotVariable(node: Node, layout: Layout, slot: Slot | 'byte', part: Part): MemoryVariable {
    const width = slot === 'byte' ? 8 : part === 'value' ? slot.bytes * 8 : this.half;
    const exact = layout.kind === 'slots' && slot !== 'byte' && isOnePlace(layout, slot);
    const addressing: Addressing = layout.single ? (exact ? 'plain' : 'by-offset') : exact ? 'by-object' : 'by-object-and-offset';
    const element = part === 'written' ? L.boolSort : L.bitsSort(width);
    const sort: Sort = addressing === 'plain' ? element
      : L.arraySort(addressing === 'by-object-and-offset' ? this.indexSort : this.halfSort, element);
    const name = `${nodeName(node)}${slot === 'byte' ? '' : `+${slot.offset}`}${part === 'value' ? '' : `.${part}`}`;
    const place = { node, slot, addressing, single: layout.single };
    return this.add(`#m${node.index}:${name}`, sort, part === 'written' ? { kind: 'written', ...place } : { kind: 'slot', part, ...place });
  }

  private add(name: string, sort: Sort, role: MemoryVariable['role']): MemoryVariable {
    const variable: MemoryVariable = { index: this.variables.length, name, sort, role };
    this.variables.push(variable);
    return variable;
  }
}

/**
 * Nodes with a place that something may have to be written to first. Static data begins written, and so does what clients and unknown functions hand over, which is
 * assumed; what has never been written can only be copied there.
 */
function nodesBegunUnwritten(program: Program, regions: Regions): ReadonlySet<Node> {
  const found = new Set(regions.roots().filter(({ origins }) => regions.collapsed || [...origins].some(({ kind }) => kind !== 'static' && kind !== 'external')));
  const copies = program.functions.flatMap((fn) => fn.edges.flatMap(({ command }) => (command.kind === 'copy' ? [[regions.pointee(command.target)?.node, regions.pointee(command.source)?.node] as const] : [])));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [to, from] of copies) if (to && (!from || found.has(from))) found.add(to);
  }
  return found;
}

function partsOf(slot: Slot | 'byte'): readonly ('value' | 'object' | 'offset')[] {
  return slot !== 'byte' && slot.type.kind === 'pointer' ? ['object', 'offset'] : ['value'];
}
function slotKey(slot: Slot | 'byte', part: string): string {
  return `${slot === 'byte' ? 'byte' : slot.offset}.${part}`;
}
function nodeName(node: Node): string {
  const [origin] = [...node.origins];
  switch (origin?.kind) {
    case 'static': case 'frame': return origin.object.name;
    case 'heap': return 'heap';
    case 'external': return origin.type;
    case 'set-up': return printType({ kind: 'record', record: origin.record });
    default: return 'memory';
  }
}

/** Makes fresh symbols; `#` keeps them apart from C names. */
export class FreshSymbols {
  private count = 0;
  readonly made: { readonly symbol: SymbolTerm; readonly what: string }[] = [];
  constructor(private readonly prefix: string) {}

  fresh(what: string, sort: Sort): SymbolTerm {
    const symbol = L.symbol(`${this.prefix}!${this.count++}:${what}`, sort);
    this.made.push({ symbol, what });
    return symbol;
  }

  value(what: string, type: Scalar, half: number): SymbolicValue {
    if (type.kind !== 'pointer') return this.fresh(what, L.bitsSort(type.widthBits));
    return { object: this.fresh(`${what}.object`, L.bitsSort(half)), offset: this.fresh(`${what}.offset`, L.bitsSort(half)) };
  }
}

const ONE = L.bits(1n, 32);
const ZERO = L.bits(0n, 32);
const truth = (condition: Term): Term => L.ite(condition, ONE, ZERO);

/** The condition in `c ? 1 : 0`, so that `&` and `|` of comparisons stay formulas. */
function asTruth(term: Term): Term | undefined {
  if (term.kind === 'bits') return term.value === 0n ? L.FALSE : term.value === 1n ? L.TRUE : undefined;
  if (term.kind !== 'apply' || term.operator !== 'ite') return undefined;
  const [condition, then, otherwise] = term.args;
  if (then!.kind !== 'bits' || otherwise!.kind !== 'bits') return undefined;
  if (then!.value === 1n && otherwise!.value === 0n) return condition;
  return then!.value === 0n && otherwise!.value === 1n ? L.not(condition!) : undefined;
}

export function pointerEqual(a: SymbolicPointer, b: SymbolicPointer): Term {
  return L.and(L.eq(a.object, b.object), L.eq(a.offset, b.offset));
}

/** `value != 0` as C means it. */
export function isTrue(value: SymbolicValue): Term {
  if (isPointer(value)) return L.not(L.and(L.eq(value.object, zeroLike(value.object)), L.eq(value.offset, zeroLike(value.offset))));
  return L.not(L.eq(value, zeroLike(value)));
}
function zeroLike(term: Term): Term {
  return L.bits(0n, (term.sort as BitsSort).width);
}
const widthOf = (term: Term): number => (term.sort as BitsSort).width;

export function iteValue(condition: Term, then: SymbolicValue, otherwise: SymbolicValue): SymbolicValue {
  if (isPointer(then) && isPointer(otherwise)) {
    if (then === otherwise) return then;
    return { object: L.ite(condition, then.object, otherwise.object), offset: L.ite(condition, then.offset, otherwise.offset) };
  }
  if (isPointer(then) || isPointer(otherwise)) throw new Error('a pointer meets a number: lowering keeps the types of a variable apart');
  return L.ite(condition, then, otherwise);
}

export class SymbolicValues implements Values<SymbolicValue> {
  readonly half: number;
  readonly null: SymbolicPointer;
  constructor(dataModel: Program['dataModel']) {
    this.half = dataModel === 'lp64' ? 32 : 16;
    this.null = { object: L.bits(0n, this.half), offset: L.bits(0n, this.half) };
  }

  integer(value: bigint, type: IntegerScalar): SymbolicValue {
    return L.bits(BigInt.asUintN(type.widthBits, value), type.widthBits);
  }

  float(value: number, type: FloatScalar): SymbolicValue {
    return L.bits(floatBits(value, type.widthBits), type.widthBits);
  }

  address(of: StaticObject | FunctionDefinition): SymbolicValue {
    return { object: L.bits(BigInt(of.number), this.half), offset: L.bits(0n, this.half) };
  }

  unary(operator: 'negate' | 'complement', type: IntegerScalar | FloatScalar): (operand: SymbolicValue) => SymbolicValue {
    if (type.kind === 'float') return (a) => L.call(`float-${operator}-${type.widthBits}`, L.bitsSort(type.widthBits), number(a));
    return operator === 'negate' ? (a) => L.neg(number(a)) : (a) => L.complement(number(a));
  }

  binary(operator: BinaryOperator, type: IntegerScalar | FloatScalar, rightType: IntegerScalar | FloatScalar): (left: SymbolicValue, right: SymbolicValue) => SymbolicValue {
    if (type.kind === 'float') return (a, b) => L.call(`float-${operator}-${type.widthBits}`, L.bitsSort(type.widthBits), number(a), number(b));
    const apply = this.integerOperation(operator, type, rightType);
    return (a, b) => apply(number(a), number(b));
  }

  private integerOperation(operator: BinaryOperator, type: IntegerScalar, rightType: IntegerScalar | FloatScalar): (a: Term, b: Term) => Term {
    const width = type.widthBits;
    const zero = L.bits(0n, width);
    switch (operator) {
      case 'add': return (a, b) => L.add(a, b);
      case 'subtract': return (a, b) => L.sub(a, b);
      case 'multiply': return (a, b) => L.mul(a, b);
      case 'divide': return (a, b) => L.ite(L.eq(b, zero), zero, type.signed ? L.sdiv(a, b) : L.udiv(a, b));
      case 'remainder': return (a, b) => L.ite(L.eq(b, zero), a, type.signed ? L.srem(a, b) : L.urem(a, b));
      case 'and': return (a, b) => {
        const [x, y] = [asTruth(a), asTruth(b)];
        return x && y ? L.ite(L.and(x, y), L.bits(1n, width), zero) : L.bitAnd(a, b);
      };
      case 'or': return (a, b) => {
        const [x, y] = [asTruth(a), asTruth(b)];
        return x && y ? L.ite(L.or(x, y), L.bits(1n, width), zero) : L.bitOr(a, b);
      };
      case 'xor': return (a, b) => L.bitXor(a, b);
      default: {
        if (rightType.kind !== 'integer') throw new Error('shift amounts are integers');
        const amount = (b: Term): Term => L.bitAnd(resize(b, width, false), L.bits(BigInt(width - 1), width));
        if (operator === 'shift-left') return (a, b) => L.shl(a, amount(b));
        return type.signed ? (a, b) => L.ashr(a, amount(b)) : (a, b) => L.lshr(a, amount(b));
      }
    }
  }

  compare(operator: CompareOperator, type: Scalar): (left: SymbolicValue, right: SymbolicValue) => SymbolicValue {
    const holds = this.comparison(operator, type);
    return (a, b) => truth(holds(a, b));
  }

  private comparison(operator: CompareOperator, type: Scalar): (a: SymbolicValue, b: SymbolicValue) => Term {
    switch (type.kind) {
      case 'integer':
        switch (operator) {
          case 'eq': return (a, b) => L.eq(number(a), number(b));
          case 'ne': return (a, b) => L.not(L.eq(number(a), number(b)));
          case 'lt': return (a, b) => (type.signed ? L.slt(number(a), number(b)) : L.ult(number(a), number(b)));
          case 'le': return (a, b) => (type.signed ? L.sle(number(a), number(b)) : L.ule(number(a), number(b)));
        }
        break;
      case 'float': return (a, b) => {
        const compared = (name: string): Term => L.call(`float-${name}-${type.widthBits}`, L.boolSort, number(a), number(b));
        return operator === 'ne' ? L.not(compared('eq')) : compared(operator);
      };
      case 'pointer':
        return (a, b) => {
          const [p, q] = [asPointer(a), asPointer(b)];
          const equal = pointerEqual(p, q);
          if (operator === 'eq') return equal;
          if (operator === 'ne') return L.not(equal);
          const less = L.or(L.ult(p.object, q.object), L.and(L.eq(p.object, q.object), operator === 'lt' ? L.slt(p.offset, q.offset) : L.sle(p.offset, q.offset)));
          return less;
        };
    }
    throw new Error('no such comparison');
  }

  convert(from: Scalar, to: Scalar): (operand: SymbolicValue) => SymbolicValue {
    if (from.kind === 'pointer' && to.kind === 'pointer') return (a) => a;
    if (from.kind === 'pointer' && to.kind === 'integer') return (a) => resize(this.addressOf(asPointer(a)), to.widthBits, false);
    if (from.kind === 'integer' && to.kind === 'pointer') return (a) => this.pointerAt(resize(number(a), 2 * this.half, from.signed));
    if (from.kind === 'integer' && to.kind === 'integer') return (a) => resize(number(a), to.widthBits, from.signed);
    if (from.kind === 'pointer' || to.kind === 'pointer') throw new Error('no conversion between pointers and floats');
    const sign = (t: IntegerScalar | FloatScalar): string => (t.kind === 'integer' && !t.signed ? 'u' : '');
    const name = `convert-${sign(from)}${from.kind}${from.widthBits}-${sign(to)}${to.kind}${to.widthBits}`;
    if (from.kind === 'float' && to.kind === 'float' && from.widthBits === to.widthBits) return (a) => a;
    return (a) => L.call(name, L.bitsSort(to.widthBits), number(a));
  }

  /** A pointer as an integer: where objects lie, and how they are aligned, is not known; null is 0, and offsets add up. */
  private addressOf(p: SymbolicPointer): Term {
    const width = 2 * this.half;
    const base = L.ite(L.eq(p.object, L.bits(0n, this.half)), L.bits(0n, width), L.call('address', L.bitsSort(width), p.object));
    return L.add(base, L.signExtend(p.offset, width));
  }

  /** The inverse where objects lie at their number's multiples, as they do in runs: before an object's beginning is an address of the one before it, but no pointer to that. */
  private pointerAt(address: Term): SymbolicPointer {
    const { object, offset } = this.unpacked(address);
    return { object: L.add(object, L.zeroExtend(L.extract(this.half - 1, this.half - 1, offset), this.half)), offset };
  }

  packed(p: SymbolicPointer): Term {
    return L.concat(p.object, p.offset);
  }

  unpacked(bits: Term): SymbolicPointer {
    return { object: L.extract(2 * this.half - 1, this.half, bits), offset: L.extract(this.half - 1, 0, bits) };
  }

  offset(p: SymbolicValue, delta: SymbolicValue): SymbolicValue {
    const { object, offset } = asPointer(p);
    return { object, offset: L.add(offset, resize(number(delta), this.half, true)) };
  }

  objectOf(p: SymbolicValue): SymbolicValue {
    return L.zeroExtend(asPointer(p).object, 64);
  }

  offsetOf(p: SymbolicValue): SymbolicValue {
    return L.signExtend(asPointer(p).offset, 64);
  }

  conditional(condition: SymbolicValue, _type: Scalar, then: SymbolicValue, otherwise: SymbolicValue): SymbolicValue {
    return iteValue(isTrue(condition), then, otherwise);
  }
}

export function number(value: SymbolicValue): Term {
  if (isPointer(value)) throw new Error('a pointer where a number was expected: lowering converts explicitly');
  return value;
}
export function asPointer(value: SymbolicValue): SymbolicPointer {
  if (!isPointer(value)) throw new Error('a number where a pointer was expected: lowering converts explicitly');
  return value;
}
export function resize(term: Term, width: number, signed: boolean): Term {
  const own = widthOf(term);
  if (own === width) return term;
  if (own > width) return L.extract(width - 1, 0, term);
  return signed ? L.signExtend(term, width) : L.zeroExtend(term, width);
}

/** A place in symbolic memory: the memory variables of a slot and the index into them. */
interface PlaceInMemory { readonly slot: Slot | 'byte'; readonly node: Node; readonly addressing: Addressing; readonly object: Term; readonly offset: Term }

/** Above this many cells, a copy or fill forgets the contents instead of writing each cell. */
const CELL_LIMIT = 256;

export class SymbolicMemory implements Memory<SymbolicValue> {
  constructor(readonly shape: MemoryShape, readonly values: SymbolicValues, readonly symbols: FreshSymbols, public contents: Term[]) {}

  fork(): SymbolicMemory {
    return new SymbolicMemory(this.shape, this.values, this.symbols, [...this.contents]);
  }

  load(address: SymbolicValue, type: Scalar, site: Expression): SymbolicValue {
    if (site.kind !== 'load') throw new Error('loads are asked for by load nodes');
    const pointee = this.shape.regions.pointee(site.address);
    if (!pointee) return this.symbols.value('invalid', type, this.shape.half);
    const place = this.place(asPointer(address), pointee, type);
    if (!place) return this.symbols.value('invalid', type, this.shape.half);
    if (place.slot !== 'byte') return this.read(place, type);
    return this.fromBytes(this.bytesAt(place, typeBytes(type, this.shape)), type);
  }

  store(address: SymbolicValue, type: Scalar, value: SymbolicValue, site: Command): void {
    if (site.kind !== 'store') throw new Error('stores are asked for by store commands');
    const pointee = this.shape.regions.pointee(site.address);
    const place = pointee && this.place(asPointer(address), pointee, type);
    if (!place) return;
    if (place.slot !== 'byte') this.write(place, value);
    else this.writeBytes(place, this.toBytes(value));
  }

  copy(target: SymbolicValue, source: SymbolicValue, size: SymbolicValue, site: Command): void {
    if (site.kind !== 'copy') throw new Error('copies are asked for by copy commands');
    const to = this.shape.regions.pointee(site.target);
    const from = this.shape.regions.pointee(site.source);
    if (!to) return;
    const bytes = number(size);
    const layout = this.shape.regions.layout(to.node);
    if (bytes.kind !== 'bits' || !from) return this.forgetWithin(to.node, asPointer(target), bytes, 'copied');
    const count = Number(bytes.value);
    const [t, s] = [asPointer(target), asPointer(source)];
    const sourceLayout = this.shape.regions.layout(from.node);
    if (layout.kind === 'bytes') {
      if (count > CELL_LIMIT || sourceLayout.kind !== 'bytes') return this.forget(to.node, 'copied');
      const place = (p: SymbolicPointer, { node }: Pointee): PlaceInMemory => ({ slot: 'byte', node, addressing: this.byteAddressing(node), object: p.object, offset: p.offset });
      const source = place(s, from);
      this.writeBytes(place(t, to), this.bytesAt(source, count), Array.from({ length: count }, (_, i) => this.isWritten({ ...source, offset: this.plus(source.offset, i) })));
      return;
    }
    const cells = this.cells(layout, to.at, count);
    if (!cells) return this.forgetWithin(to.node, t, bytes, 'copied');
    // Read all, then write all: the ranges may overlap.
    const moved = cells.map(({ position, slot, whole }) => {
      const origin = whole && sourceLayout.kind === 'slots' ? slotAt(sourceLayout, from.at, position) : undefined;
      const fits = origin && origin.bytes === slot.bytes && (origin.type.kind === 'pointer') === (slot.type.kind === 'pointer');
      const place = fits && { slot: origin, node: from.node, addressing: this.addressing(from.node, origin), object: s.object, offset: this.plus(s.offset, position) };
      return { position, slot, value: place ? this.read(place, slot.type) : this.symbols.value('copied', slot.type, this.shape.half), written: place ? this.isWritten(place) : L.FALSE };
    });
    for (const { position, slot, value, written } of moved) {
      this.write({ slot, node: to.node, addressing: this.addressing(to.node, slot), object: t.object, offset: this.plus(t.offset, position) }, value, written);
    }
  }

  fill(target: SymbolicValue, byte: SymbolicValue, size: SymbolicValue, site: Command): void {
    if (site.kind !== 'fill') throw new Error('fills are asked for by fill commands');
    const to = this.shape.regions.pointee(site.target);
    if (!to) return;
    const bytes = number(size);
    if (bytes.kind !== 'bits') return this.forgetWithin(to.node, asPointer(target), bytes, 'filled');
    this.fillCells(asPointer(target), to, number(byte), Number(bytes.value));
  }

  private fillCells(target: SymbolicPointer, to: Pointee, byte: Term, count: number): void {
    const layout = this.shape.regions.layout(to.node);
    if (layout.kind === 'bytes') {
      if (count > CELL_LIMIT) return this.forget(to.node, 'filled');
      this.writeBytes({ slot: 'byte', node: to.node, addressing: this.byteAddressing(to.node), object: target.object, offset: target.offset }, Array.from({ length: count }, () => byte));
      return;
    }
    const cells = this.cells(layout, to.at, count);
    if (!cells) return this.forgetWithin(to.node, target, L.bits(BigInt(count), 64), 'filled');
    for (const { position, slot, whole } of cells) {
      const value = whole ? this.fromBytes(Array.from({ length: slot.bytes }, () => byte), slot.type) : this.symbols.value('filled', slot.type, this.shape.half);
      const place = { slot, node: to.node, addressing: this.addressing(to.node, slot), object: target.object, offset: this.plus(target.offset, position) };
      this.write(place, value, whole ? L.TRUE : this.isWritten(place));
    }
  }

  objectSize(pointer: SymbolicValue, site: Expression): SymbolicValue {
    const { object } = asPointer(pointer);
    return L.zeroExtend(L.ite(L.eq(object, this.half(0)), this.half(0), this.sizeOf(object, this.origins(site))), 64);
  }

  /** Of an object that is one of `origins`. */
  private sizeOf(object: Term, origins: Iterable<Origin>): Term {
    let size: Term = L.select(this.contents[this.shape.size.index]!, object);
    for (const origin of origins) {
      if (origin.kind !== 'static') continue;
      size = L.ite(L.eq(object, this.half(origin.object.number)), this.half(origin.object.sizeBytes), size);
    }
    return size;
  }

  isLive(pointer: SymbolicValue, site: Expression): SymbolicValue {
    const { object } = asPointer(pointer);
    const statics = this.origins(site).flatMap((o) => (o.kind === 'static' ? [L.eq(object, this.half(o.object.number))] : []));
    return truth(L.or(...statics, L.and(L.ult(this.half(this.shape.lastStatic), object), L.select(this.contents[this.shape.live.index]!, object))));
  }

  isWritable(pointer: SymbolicValue, site: Expression): SymbolicValue {
    const { object } = asPointer(pointer);
    const readOnly = this.origins(site).flatMap((o) => (o.kind === 'static' && !o.object.writable ? [L.eq(object, this.half(o.object.number))] : []));
    return truth(L.not(L.or(...readOnly)));
  }

  isHeap(pointer: SymbolicValue): SymbolicValue {
    const { object } = asPointer(pointer);
    return truth(L.and(L.ult(this.half(this.shape.lastStatic), object), L.select(this.contents[this.shape.heap.index]!, object)));
  }

  comparePointers(left: SymbolicValue, right: SymbolicValue, site: Extract<Expression, { kind: 'compare' }>): SymbolicValue | undefined {
    const { regions } = this.shape;
    const [p, q] = [regions.targets(site.left), regions.targets(site.right)];
    if (!p?.[0] || !q?.[0]) return undefined;
    const begins = ({ at }: Pointee): boolean => sameOffsets(at, exactly(0));
    const [{ node }] = p;
    if ((p.every(begins) && q.every(begins)) || ([...p, ...q].every((target) => target.node === node) && regions.layout(node).single)) return undefined;
    const [a, b] = [asPointer(left), asPointer(right)];
    const meets = (end: SymbolicPointer, targets: readonly Pointee[], begin: SymbolicPointer): Term => L.and(
      L.eq(end.offset, this.sizeOf(end.object, targets.flatMap((target) => [...target.node.origins]))), L.eq(begin.offset, this.half(0)), L.call('adjacent', L.boolSort, end.object, begin.object),
    );
    const apart = L.and(...[a, b].map(({ object }) => L.not(L.eq(object, this.half(0)))), L.not(L.eq(a.object, b.object)));
    const equal = L.or(pointerEqual(a, b), L.and(apart, L.or(meets(a, p, b), meets(b, q, a))));
    return truth(site.operator === 'eq' ? equal : L.not(equal));
  }

  /**
   * Never more than what was written. Nothing but a check asks, and no check fails because something was written: what is taken not to be, where that is not
   * known, can only make a check fail that does not.
   */
  isInitialised(pointer: SymbolicValue, sizeBytes: number, site: Expression): SymbolicValue {
    const pointee = this.shape.tracksWriting && 'pointer' in site ? this.shape.regions.pointee(site.pointer) : undefined;
    const layout = pointee && this.shape.regions.layout(pointee.node);
    if (!pointee || !layout) return truth(L.FALSE);
    const { object, offset } = asPointer(pointer);
    if (layout.kind === 'bytes') {
      const place: PlaceInMemory = { slot: 'byte', node: pointee.node, addressing: this.byteAddressing(pointee.node), object, offset };
      return truth(L.and(...Array.from({ length: sizeBytes }, (_, i) => this.isWritten({ ...place, offset: this.plus(offset, i) }))));
    }
    const slot = slotAt(layout, pointee.at);
    if (!slot || slot.bytes !== sizeBytes) return truth(L.FALSE);
    return truth(this.isWritten({ slot, node: pointee.node, addressing: this.addressing(pointee.node, slot), object, offset }));
  }

  private isWritten(place: PlaceInMemory): Term {
    return this.shape.slot(place.node, place.slot, 'written') ? this.part(place, 'written') : L.TRUE;
  }

  allocate(size: SymbolicValue, zeroed: boolean, site: Command): SymbolicValue {
    if (site.kind !== 'allocate') throw new Error('allocations are asked for by allocate commands');
    const bytes = number(size);
    const limit = L.bits(BigInt(2 ** (this.shape.half - 1) - 1), widthOf(bytes));
    const fits = L.ule(bytes, limit);
    const node = this.shape.regions.nodeOfOrigin(site);
    const pointer = this.newObject(L.extract(this.shape.half - 1, 0, bytes), site.automatic !== true, undefined, node);
    if (zeroed && node) {
      if (bytes.kind === 'bits' && Number(bytes.value) <= 4096) this.fillCells(pointer, { node, at: { residue: 0, modulus: 0 } }, L.bits(0n, 8), Number(bytes.value));
    }
    return iteValue(fits, pointer, this.values.null);
  }

  free(pointer: SymbolicValue): void {
    const { object } = asPointer(pointer);
    const live = this.contents[this.shape.live.index]!;
    this.contents[this.shape.live.index] = L.ite(L.eq(object, this.half(0)), live, L.store(live, object, L.FALSE));
  }

  declare(object: FrameObject): SymbolicValue {
    return this.newObject(this.half(object.sizeBytes), false, object);
  }

  end(pointer: SymbolicValue): void {
    const { live } = this.shape;
    this.contents[live.index] = L.store(this.contents[live.index]!, asPointer(pointer).object, L.FALSE);
  }

  /** Contents of the node's objects become anything; what was never written may have been `copied`. */
  private forget(node: Node, how: 'copied' | 'filled' | 'made'): void {
    for (const { index, name, sort, role } of this.shape.slotVariables(node)) {
      if (role.kind !== 'written') this.contents[index] = this.symbols.fresh(name, sort);
      else if (how !== 'filled') this.contents[index] = sort.kind === 'array' ? L.constArray(sort, L.FALSE) : L.FALSE;
    }
  }

  /** Contents of one of the node's objects, `count` bytes from a place on, become anything; what lies at one place in objects and is not met is kept. */
  private forgetWithin(node: Node, { object, offset }: SymbolicPointer, count: Term, how: 'copied' | 'filled'): void {
    const start = L.signExtend(offset, 64);
    const bytes = resize(count, 64, false);
    const at = (position: number): Term => L.bits(BigInt.asUintN(64, BigInt(position)), 64);
    for (const { index, name, sort, role } of this.shape.slotVariables(node)) {
      const before = this.contents[index]!;
      const isWriting = role.kind === 'written';
      if ((role.kind !== 'slot' && !isWriting) || role.slot === 'byte' || (role.addressing !== 'plain' && role.addressing !== 'by-object')) {
        if (!isWriting) this.contents[index] = this.symbols.fresh(name, sort);
        else if (how === 'copied') this.contents[index] = L.constArray(sort as ArraySort, L.FALSE);
        continue;
      }
      const { slot, addressing } = role;
      const begins = L.slt(at(slot.offset), start);
      const isMet = L.and(L.slt(start, at(slot.offset + slot.bytes)), L.or(begins, L.ult(L.sub(at(slot.offset), start), bytes)));
      const set = (condition: Term, value: (was: Term) => Term): void => {
        if (addressing === 'plain') this.contents[index] = L.ite(condition, value(before), before);
        else this.contents[index] = L.ite(condition, L.store(before, object, value(L.select(before, object))), before);
      };
      if (!isWriting) {
        const fresh = this.symbols.fresh(name, sort);
        set(isMet, () => (addressing === 'plain' ? fresh : L.select(fresh, object)));
      } else if (how === 'copied') set(isMet, () => L.FALSE);
      else set(L.and(L.not(begins), L.ule(at(slot.bytes), bytes), L.ule(L.sub(at(slot.offset), start), L.sub(bytes, at(slot.bytes)))), () => L.TRUE);
    }
  }

  private newObject(size: Term, heap: boolean, frame?: FrameObject, madeIn?: Node): SymbolicPointer {
    const { shape } = this;
    const id = this.contents[shape.next.index]!;
    this.contents[shape.next.index] = L.add(id, this.half(1));
    this.contents[shape.size.index] = L.store(this.contents[shape.size.index]!, id, size);
    this.contents[shape.live.index] = L.store(this.contents[shape.live.index]!, id, L.TRUE);
    this.contents[shape.heap.index] = L.store(this.contents[shape.heap.index]!, id, L.bool(heap));
    this.contents[shape.made.index] = L.store(this.contents[shape.made.index]!, id, L.bits(madeIn ? shape.madeIn(madeIn) : 0n, shape.half));
    // A single object's contents are not indexed by its number: a new life begins with anything.
    const node = frame && shape.regions.nodeOfOrigin(frame);
    if (node && shape.regions.layout(node).single) this.forget(node, 'made');
    return { object: id, offset: this.half(0) };
  }

  private origins(site: Expression): readonly Origin[] {
    const asked = 'pointer' in site ? this.shape.regions.pointee(site.pointer) : undefined;
    return asked ? [...asked.node.origins] : [];
  }

  private half(value: number): Term {
    return L.bits(BigInt(value), this.shape.half);
  }

  private plus(offset: Term, bytes: number): Term {
    return bytes === 0 ? offset : L.add(offset, this.half(bytes));
  }

  private addressing(node: Node, slot: Slot): Addressing {
    const layout = this.shape.regions.layout(node);
    const exact = layout.kind === 'slots' && isOnePlace(layout, slot);
    return layout.single ? (exact ? 'plain' : 'by-offset') : exact ? 'by-object' : 'by-object-and-offset';
  }

  private byteAddressing(node: Node): Addressing {
    return this.shape.regions.layout(node).single ? 'by-offset' : 'by-object-and-offset';
  }

  private place(p: SymbolicPointer, pointee: Pointee, type: Scalar): PlaceInMemory | undefined {
    const layout = this.shape.regions.layout(pointee.node);
    if (layout.kind === 'bytes') return { slot: 'byte', node: pointee.node, addressing: this.byteAddressing(pointee.node), object: p.object, offset: p.offset };
    const slot = slotAt(layout, pointee.at);
    if (!slot || slot.bytes !== typeBytes(type, this.shape)) return undefined;
    return { slot, node: pointee.node, addressing: this.addressing(pointee.node, slot), object: p.object, offset: p.offset };
  }

  /**
   * The slots met by `count` bytes from `at`, each with its distance from the start, which is negative when the slot begins before, and whether it lies
   * inside as a whole. Undefined when there are too many, or when it is not known which slots they are.
   */
  private cells(layout: SlotLayout, at: Congruence, count: number): { position: number; slot: Slot; whole: boolean }[] | undefined {
    if (!isAligned(layout, at)) return undefined;
    const found = cellsOf(at).map((start) => cellsFrom(layout, start, count));
    const [cells] = found;
    // Whichever element it is, it must begin and end alike.
    const isSame = (other: typeof cells): boolean => other !== undefined && other.length === cells!.length && other.every(({ position, slot }, i) => position === cells![i]!.position && slot === cells![i]!.slot);
    return cells && found.every(isSame) ? cells : undefined;
  }

  private index(place: PlaceInMemory): Term {
    switch (place.addressing) {
      case 'by-offset': return place.offset;
      case 'by-object': return place.object;
      default: return L.concat(place.object, place.offset);
    }
  }

  private part(place: PlaceInMemory, part: Part): Term {
    const variable = this.shape.slot(place.node, place.slot, part);
    if (!variable) throw new Error('the region has this slot');
    const contents = this.contents[variable.index]!;
    return place.addressing === 'plain' ? contents : L.select(contents, this.index(place));
  }

  private setPart(place: PlaceInMemory, part: Part, value: Term): void {
    const variable = this.shape.slot(place.node, place.slot, part);
    if (!variable) throw new Error('the region has this slot');
    const contents = this.contents[variable.index]!;
    this.contents[variable.index] = place.addressing === 'plain' ? value : L.store(contents, this.index(place), value);
  }

  private read(place: PlaceInMemory, type: Scalar): SymbolicValue {
    if (type.kind !== 'pointer') return this.part(place, 'value');
    const pointer = { object: this.part(place, 'object'), offset: this.part(place, 'offset') };
    const functions = place.slot === 'byte' ? undefined : this.shape.clientSlots.at(place.node, place.slot);
    if (!functions) return pointer;
    // What no execution has there is read as null.
    const isClients = L.ult(this.half(this.shape.lastStatic), place.object);
    return iteValue(L.implies(isClients, isPassable(functions, pointer, this.shape.half)), pointer, this.values.null);
  }

  private write(place: PlaceInMemory, value: SymbolicValue, written: Term = L.TRUE): void {
    if (this.shape.slot(place.node, place.slot, 'written')) this.setPart(place, 'written', written);
    if (isPointer(value)) {
      this.setPart(place, 'object', value.object);
      this.setPart(place, 'offset', value.offset);
    } else {
      this.setPart(place, 'value', value);
    }
  }

  private bytesAt(place: PlaceInMemory, count: number): Term[] {
    return Array.from({ length: count }, (_, i) => this.part({ ...place, offset: this.plus(place.offset, i) }, 'value'));
  }

  private writeBytes(place: PlaceInMemory, bytes: readonly Term[], written?: readonly Term[]): void {
    bytes.forEach((byte, i) => this.write({ ...place, offset: this.plus(place.offset, i) }, byte, written?.[i]));
  }

  private toBytes(value: SymbolicValue): Term[] {
    const bits = isPointer(value) ? this.values.packed(value) : value;
    return Array.from({ length: widthOf(bits) / 8 }, (_, i) => L.extract(8 * i + 7, 8 * i, bits));
  }

  private fromBytes(bytes: readonly Term[], type: Scalar): SymbolicValue {
    const bits = bytes.slice(1).reduce<Term>((low, byte) => L.concat(byte, low), bytes[0]!);
    return type.kind === 'pointer' ? this.values.unpacked(bits) : bits;
  }
}

function cellsFrom(layout: SlotLayout, start: number, count: number): { position: number; slot: Slot; whole: boolean }[] | undefined {
  const cells: { position: number; slot: Slot; whole: boolean }[] = [];
  for (const slot of layout.slots) {
    for (const cell of slot.cells) {
      const first = layout.stride === 0 ? cell - start : residueOf(cell - start, layout.stride) - layout.stride;
      for (let position = first; position < count; position += layout.stride) {
        if (position + slot.bytes > 0) cells.push({ position, slot, whole: position >= 0 && position + slot.bytes <= count });
        if (cells.length > CELL_LIMIT) return undefined;
        if (layout.stride === 0) break;
      }
    }
  }
  return cells.sort((a, b) => a.position - b.position);
}

function typeBytes(type: Scalar, shape: MemoryShape): number {
  return type.kind === 'pointer' ? (2 * shape.half) / 8 : type.widthBits / 8;
}

export interface SymbolicState extends State<SymbolicValue> {
  readonly memory: SymbolicMemory;
}

export function forkState(state: SymbolicState): SymbolicState {
  return { globals: [...state.globals], locals: [...state.locals], objects: [...state.objects], memory: state.memory.fork() };
}

export type { ArraySort };
