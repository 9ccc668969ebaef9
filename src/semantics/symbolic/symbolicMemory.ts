/** Memory as terms, one per memory variable. Unknown contents are fresh symbols. */
import * as L from '../../logic/build';
import type { ArraySort, Term } from '../../logic/term';
import type { Command } from '../../program/command';
import type { Expression, FrameObject, IntegerScalar, ListQuestion, Scalar } from '../../program/expression';
import type { StaticObject } from '../../program/program';
import { errnoOf } from '../../program/linking/natives';
import {
  addressOf,
  alignmentOf,
  alignmentOfBlock,
  type Alignments,
  commonAlignments,
  type ObjectsInState,
  pointerAt,
} from './addresses';
import { isCallableOrNull } from './functionPointerAssumptions';
import { cellsIn, slotAt, type Slot } from '../pointers/slotLayout';
import { adopt, beginChild, beginLink, endChild, relink, unlink } from './linkedMemory';
import { isOfForest, type MemoryModel, type Part } from './memoryModel';
import type { ValidTarget } from '../pointers/validMembers';
import {
  byteAddressing,
  cellsMet,
  indexOf,
  mostCells,
  placeAt,
  slotAddressing,
  typeBytes,
  type PlaceInMemory,
} from './placesInMemory';
import type { Node, Origin, Pointee } from '../pointers/regionNode';
import {
  asPointer,
  bytesOfPointer,
  type FreshSymbols,
  isPointer,
  iteValue,
  number,
  pointerOfBytes,
  type SymbolicPointer,
  type SymbolicValue,
  type SymbolicValues,
  truth,
  widthOf,
} from './symbolicValues';
import { allReached, type Root } from './reachedBlocks';
import { answerOfList } from './listQuestions';
import { compareEnds } from './pointerComparison';
import type { Memory, ProgramState } from '../values';

export class SymbolicMemory implements Memory<SymbolicValue> {
  constructor(
    readonly memoryModel: MemoryModel,
    readonly values: SymbolicValues,
    readonly symbols: FreshSymbols,
    public contents: Term[],
    private alignments: Alignments = new Map(),
  ) {}

  fork(): SymbolicMemory {
    return new SymbolicMemory(this.memoryModel, this.values, this.symbols, [...this.contents], this.alignments);
  }

  /** Keeps what is known of objects that were made on the way here for those that came from `other`, too. */
  joinAlignments(other: SymbolicMemory): void {
    this.alignments = commonAlignments(this.alignments, other.alignments);
  }

  addressOf(pointer: SymbolicValue, type: IntegerScalar): SymbolicValue {
    return L.resize(addressOf(asPointer(pointer), this.objects), type.widthBits, 'unsigned');
  }

  pointerAt(address: SymbolicValue, type: IntegerScalar): SymbolicValue {
    const width = 2 * this.memoryModel.half;
    return pointerAt(L.resize(number(address), width, L.signednessOf(type)), this.objects);
  }

  private get objects(): ObjectsInState {
    const { memoryModel, contents, alignments } = this;
    const statics = this.half(memoryModel.lastStatic);
    const none = this.half(0);
    const known = (object: Term): StaticObject | undefined => memoryModel.staticObject(object);
    const isDynamic = (object: Term): Term =>
      alignments.has(object) || memoryModel.frameObjects.has(object) ? L.TRUE : L.ult(statics, object);
    return {
      memoryModel,
      alignment: (object) => alignments.get(object) ?? memoryModel.alignment(object),
      size: (object) => {
        const constant = known(object);
        if (constant) return this.half(constant.sizeBytes);
        return L.ite(isDynamic(object), L.select(contents[memoryModel.size.index]!, object), none);
      },
      isLive: (object) =>
        known(object) ? L.TRUE : L.and(isDynamic(object), L.select(contents[memoryModel.live.index]!, object)),
      isHeap: (object) => L.and(isDynamic(object), L.select(contents[memoryModel.heap.index]!, object)),
    };
  }

  load(address: SymbolicValue, type: Scalar, site: Expression): SymbolicValue {
    if (site.kind !== 'load') throw new Error('loads are asked for by load nodes');
    const pointee = this.memoryModel.regions.pointee(site.address);
    if (!pointee) return this.symbols.value('invalid', type, this.memoryModel.half);
    const place = placeAt(this.memoryModel, asPointer(address), pointee, type);
    if (!place) return this.symbols.value('invalid', type, this.memoryModel.half);
    if (place.slot !== 'byte') return this.read(place, type);
    return this.fromBytes(this.bytesAt(place, typeBytes(type, this.memoryModel)), type);
  }

  store(address: SymbolicValue, type: Scalar, value: SymbolicValue, site: Command): void {
    if (site.kind !== 'store') throw new Error('stores are asked for by store commands');
    const pointee = this.memoryModel.regions.pointee(site.address);
    const place = pointee && placeAt(this.memoryModel, asPointer(address), pointee, type);
    if (!place) return;
    if (place.slot !== 'byte') this.write(place, value);
    else this.writeBytes(place, this.toBytes(value));
  }

  copy(target: SymbolicValue, source: SymbolicValue, size: SymbolicValue, site: Command): void {
    if (site.kind !== 'copy') throw new Error('copies are asked for by copy commands');
    const to = this.memoryModel.regions.pointee(site.target);
    const from = this.memoryModel.regions.pointee(site.source);
    if (!to) return;
    const bytes = number(size);
    const layout = this.memoryModel.regions.layout(to.node);
    if (bytes.kind !== 'bits' || !from) return this.havocWithin(to.node, asPointer(target), bytes, 'copied');
    const count = Number(bytes.value);
    const [t, s] = [asPointer(target), asPointer(source)];
    const sourceLayout = this.memoryModel.regions.layout(from.node);
    if (layout.kind === 'bytes') {
      if (count > mostCells || sourceLayout.kind !== 'bytes') return this.havoc(to.node, 'copied');
      const place = (p: SymbolicPointer, { node }: Pointee): PlaceInMemory => ({
        slot: 'byte',
        node,
        addressing: byteAddressing(this.memoryModel, node),
        object: p.object,
        offset: p.offset,
      });
      const source = place(s, from);
      this.writeBytes(
        place(t, to),
        this.bytesAt(source, count),
        Array.from({ length: count }, (_, i) => this.isWritten({ ...source, offset: this.plus(source.offset, i) })),
      );
      return;
    }
    const cells = cellsMet(layout, to.at, count);
    if (!cells) return this.havocWithin(to.node, t, bytes, 'copied');
    // Read all, then write all: the ranges may overlap.
    const moved = cells.map(({ position, slot, whole }) => {
      const origin = whole && sourceLayout.kind === 'slots' ? slotAt(sourceLayout, from.at, position) : undefined;
      const fits =
        origin && origin.bytes === slot.bytes && (origin.type.kind === 'pointer') === (slot.type.kind === 'pointer');
      const place = fits && {
        slot: origin,
        node: from.node,
        addressing: slotAddressing(this.memoryModel, from.node, origin),
        object: s.object,
        offset: this.plus(s.offset, position),
      };
      return {
        position,
        slot,
        value: place ? this.read(place, slot.type) : this.symbols.value('copied', slot.type, this.memoryModel.half),
        written: place ? this.isWritten(place) : L.FALSE,
      };
    });
    for (const { position, slot, value, written } of moved) {
      this.write(
        {
          slot,
          node: to.node,
          addressing: slotAddressing(this.memoryModel, to.node, slot),
          object: t.object,
          offset: this.plus(t.offset, position),
        },
        value,
        written,
      );
    }
  }

  fill(target: SymbolicValue, byte: SymbolicValue, size: SymbolicValue, site: Command): void {
    if (site.kind !== 'fill') throw new Error('fills are asked for by fill commands');
    const to = this.memoryModel.regions.pointee(site.target);
    if (!to) return;
    const bytes = number(size);
    if (bytes.kind !== 'bits') return this.havocWithin(to.node, asPointer(target), bytes, 'filled');
    this.fillCells(asPointer(target), to, number(byte), Number(bytes.value));
  }

  private fillCells(target: SymbolicPointer, to: Pointee, byte: Term, count: number): void {
    const layout = this.memoryModel.regions.layout(to.node);
    if (layout.kind === 'bytes') {
      if (count > mostCells) return this.havoc(to.node, 'filled');
      this.writeBytes(
        {
          slot: 'byte',
          node: to.node,
          addressing: byteAddressing(this.memoryModel, to.node),
          object: target.object,
          offset: target.offset,
        },
        Array.from({ length: count }, () => byte),
      );
      return;
    }
    const cells = cellsMet(layout, to.at, count);
    if (!cells) return this.havocWithin(to.node, target, L.bits(BigInt(count), 64), 'filled');
    for (const { position, slot, whole } of cells) {
      const value = whole ? this.filled(byte, slot) : this.symbols.value('filled', slot.type, this.memoryModel.half);
      const place = {
        slot,
        node: to.node,
        addressing: slotAddressing(this.memoryModel, to.node, slot),
        object: target.object,
        offset: this.plus(target.offset, position),
      };
      this.write(place, value, whole ? L.TRUE : this.isWritten(place));
    }
  }

  /** All bytes the same. A pointer made so is null, or leads to any object: axioms know those that exist alone. */
  private filled(byte: Term, { bytes, type }: Slot): SymbolicValue {
    const value = this.fromBytes(new Array<Term>(bytes).fill(byte), type);
    if (!isPointer(value)) return value;
    const isNull = L.eq(byte, L.bits(0n, 8));
    if (isNull === L.TRUE) return value;
    const { object } = this.symbols.value('filled', type, this.memoryModel.half) as SymbolicPointer;
    return { object: L.ite(isNull, this.half(0), object), offset: value.offset };
  }

  objectSize(pointer: SymbolicValue, site: Expression): SymbolicValue {
    const { object } = asPointer(pointer);
    return L.zeroExtend(L.ite(L.eq(object, this.half(0)), this.half(0), this.sizeOf(object, this.origins(site))), 64);
  }

  /** Size of an object from one of `origins`. */
  private sizeOf(object: Term, origins: Iterable<Origin>): Term {
    let size: Term = L.select(this.contents[this.memoryModel.size.index]!, object);
    for (const origin of origins) {
      if (origin.kind !== 'static') continue;
      size = L.ite(L.eq(object, this.half(origin.object.number)), this.half(origin.object.sizeBytes), size);
    }
    return size;
  }

  isLive(pointer: SymbolicValue, site: Expression): SymbolicValue {
    const { object } = asPointer(pointer);
    const statics = this.origins(site).flatMap((o) =>
      o.kind === 'static' ? [L.eq(object, this.half(o.object.number))] : [],
    );
    return truth(
      L.or(
        ...statics,
        L.and(
          L.ult(this.half(this.memoryModel.lastStatic), object),
          L.select(this.contents[this.memoryModel.live.index]!, object),
        ),
      ),
    );
  }

  isWritable(pointer: SymbolicValue, site: Expression): SymbolicValue {
    const { object } = asPointer(pointer);
    const readOnly = this.origins(site).flatMap((o) =>
      o.kind === 'static' && !o.object.writable ? [L.eq(object, this.half(o.object.number))] : [],
    );
    return truth(L.not(L.or(...readOnly)));
  }

  isHeap(pointer: SymbolicValue): SymbolicValue {
    const { object } = asPointer(pointer);
    return truth(
      L.and(
        L.ult(this.half(this.memoryModel.lastStatic), object),
        L.select(this.contents[this.memoryModel.heap.index]!, object),
      ),
    );
  }

  areAllReached(from: readonly SymbolicValue[], site: Extract<Expression, { kind: 'all-reached' }>): SymbolicValue {
    const { regions } = this.memoryModel;
    const roots = from.flatMap((pointer, i): Root[] => {
      const target = regions.pointee(site.from[i]!);
      return target ? [{ object: asPointer(pointer).object, node: regions.find(target.node), guard: L.TRUE }] : [];
    });
    return truth(allReached(roots, this.contents, this.memoryModel));
  }

  ofList(
    list: SymbolicValue,
    node: SymbolicValue,
    site: ListQuestion,
    isMet: (node: SymbolicValue) => SymbolicValue,
  ): SymbolicValue {
    return answerOfList(this, asPointer(list), node, site, isMet);
  }

  comparePointers(
    left: SymbolicValue,
    right: SymbolicValue,
    site: Extract<Expression, { kind: 'compare' }>,
  ): SymbolicValue | undefined {
    const sizeOf = (object: Term, targets: readonly Pointee[]): Term =>
      this.sizeOf(
        object,
        targets.flatMap(({ node }) => [...node.origins]),
      );
    return compareEnds(this.memoryModel, asPointer(left), asPointer(right), site, sizeOf);
  }

  /**
   * Never more than what was written. Nothing but a check asks, no check fails because something was written, and
   * nothing is concluded from passing one: memory that counts as unwritten can only make a check fail that does not.
   */
  isInitialised(pointer: SymbolicValue, sizeBytes: number, site: Expression): SymbolicValue {
    const pointee =
      this.memoryModel.tracksDefinedness && 'pointer' in site
        ? this.memoryModel.regions.pointee(site.pointer)
        : undefined;
    const layout = pointee && this.memoryModel.regions.layout(pointee.node);
    if (!pointee || !layout) return truth(L.FALSE);
    const { object, offset } = asPointer(pointer);
    if (layout.kind === 'bytes') {
      const place: PlaceInMemory = {
        slot: 'byte',
        node: pointee.node,
        addressing: byteAddressing(this.memoryModel, pointee.node),
        object,
        offset,
      };
      return truth(
        L.and(
          ...Array.from({ length: sizeBytes }, (_, i) => this.isWritten({ ...place, offset: this.plus(offset, i) })),
        ),
      );
    }
    const slot = slotAt(layout, pointee.at);
    if (!slot || slot.bytes !== sizeBytes) return truth(L.FALSE);
    return truth(
      this.isWritten({
        slot,
        node: pointee.node,
        addressing: slotAddressing(this.memoryModel, pointee.node, slot),
        object,
        offset,
      }),
    );
  }

  private isWritten(place: PlaceInMemory): Term {
    return this.memoryModel.slot(place.node, place.slot, 'written') ? this.part(place, 'written') : L.TRUE;
  }

  /** After calls of the library from outside `errno` holds anything. */
  havocErrno(): void {
    const { regions } = this.memoryModel;
    const errno = errnoOf(this.memoryModel.program);
    const node = errno && regions.nodeOfOrigin(errno);
    if (!node) return;
    const layout = regions.layout(node);
    for (const { index, name, sort, role } of this.memoryModel.slotVariables(node)) {
      if (role.kind !== 'slot') continue;
      if (role.addressing === 'plain' || sort.kind !== 'array') {
        this.contents[index] = this.symbols.fresh(name, sort);
        continue;
      }
      for (const cell of cellsIn(layout, role.slot, errno.sizeBytes)) {
        const place: PlaceInMemory = {
          slot: role.slot,
          node,
          addressing: role.addressing,
          object: this.half(errno.number),
          offset: this.half(cell),
        };
        this.contents[index] = L.store(this.contents[index]!, indexOf(place), this.symbols.fresh(name, sort.element));
      }
    }
  }

  /** `succeeds`: otherwise there is no object, and the pointer says nothing. */
  allocate(size: SymbolicValue, zeroed: boolean, site: Command, succeeds: Term = L.TRUE): SymbolicValue {
    if (site.kind !== 'allocate') throw new Error('allocations are asked for by allocate commands');
    const bytes = number(size);
    const limit = L.bits(BigInt(2 ** (this.memoryModel.half - 1) - 1), widthOf(bytes));
    const fits = L.ule(bytes, limit);
    const node = this.memoryModel.regions.nodeOfOrigin(site);
    const pointer = this.newObject(
      L.extract(this.memoryModel.half - 1, 0, bytes),
      site.automatic ? 'automatic' : 'heap',
      L.and(fits, succeeds),
      undefined,
      node,
    );
    if (zeroed && node) {
      if (bytes.kind === 'bits' && Number(bytes.value) <= 4096)
        this.fillCells(pointer, { node, at: { residue: 0, modulus: 0 } }, L.bits(0n, 8), Number(bytes.value));
    }
    return iteValue(fits, pointer, this.values.null);
  }

  free(pointer: SymbolicValue): void {
    const { object } = asPointer(pointer);
    const live = this.contents[this.memoryModel.live.index]!;
    this.contents[this.memoryModel.live.index] = L.ite(
      L.eq(object, this.half(0)),
      live,
      L.store(live, object, L.FALSE),
    );
    for (const link of this.memoryModel.links) unlink(link, object, this.contents);
    for (const forest of this.memoryModel.forests) endChild(forest, object, this.contents);
  }

  declare(object: FrameObject): SymbolicValue {
    return this.newObject(this.half(object.sizeBytes), 'automatic', L.TRUE, object);
  }

  end(pointer: SymbolicValue): void {
    const { live } = this.memoryModel;
    const { object } = asPointer(pointer);
    this.contents[live.index] = L.store(this.contents[live.index]!, object, L.FALSE);
    for (const link of this.memoryModel.links) if (link.withAutomatic) unlink(link, object, this.contents);
  }

  /** Contents of the node's objects become anything; what was never written may have been `copied`. */
  private havoc(node: Node, how: 'copied' | 'filled' | 'made'): void {
    for (const { index, name, sort, role } of this.memoryModel.slotVariables(node)) {
      if (isOfForest(role)) continue;
      if (role.kind !== 'written') this.contents[index] = this.symbols.fresh(name, sort);
      else if (how !== 'filled') this.contents[index] = sort.kind === 'array' ? L.constArray(sort, L.FALSE) : L.FALSE;
    }
  }

  /**
   * Contents of one of the node's objects, `count` bytes from a place on, become anything; what lies at one place in
   * objects and is not met is kept.
   */
  private havocWithin(node: Node, { object, offset }: SymbolicPointer, count: Term, how: 'copied' | 'filled'): void {
    const start = L.signExtend(offset, 64);
    const bytes = L.resize(count, 64, 'unsigned');
    const at = (position: number): Term => L.bits(BigInt.asUintN(64, BigInt(position)), 64);
    const begins = (slot: Slot): Term => L.slt(at(slot.offset), start);
    const isMet = (slot: Slot): Term =>
      L.and(
        L.slt(start, at(slot.offset + slot.bytes)),
        L.or(begins(slot), L.ult(L.sub(at(slot.offset), start), bytes)),
      );
    for (const { index, name, sort, role } of this.memoryModel.slotVariables(node)) {
      const before = this.contents[index]!;
      if (role.kind === 'holder' || isOfForest(role)) continue;
      if (role.kind === 'reach' || role.kind === 'count' || role.kind === 'acyclic' || role.kind === 'linked') {
        this.contents[index] = L.ite(isMet(role.slot), this.symbols.fresh(name, sort), before);
        continue;
      }
      const isWriting = role.kind === 'written';
      if (
        (role.kind !== 'slot' && !isWriting) ||
        role.slot === 'byte' ||
        (role.addressing !== 'plain' && role.addressing !== 'by-object')
      ) {
        if (!isWriting) this.contents[index] = this.symbols.fresh(name, sort);
        else if (how === 'copied') this.contents[index] = L.constArray(sort as ArraySort, L.FALSE);
        continue;
      }
      const { slot, addressing } = role;
      const set = (condition: Term, value: (was: Term) => Term): void => {
        if (addressing === 'plain') this.contents[index] = L.ite(condition, value(before), before);
        else this.contents[index] = L.ite(condition, L.store(before, object, value(L.select(before, object))), before);
      };
      if (!isWriting) {
        const fresh = this.symbols.fresh(name, sort);
        set(isMet(slot), () => (addressing === 'plain' ? fresh : L.select(fresh, object)));
      } else if (how === 'copied') set(isMet(slot), () => L.FALSE);
      else
        set(
          L.and(
            L.not(begins(slot)),
            L.ule(at(slot.bytes), bytes),
            L.ule(L.sub(at(slot.offset), start), L.sub(bytes, at(slot.bytes))),
          ),
          () => L.TRUE,
        );
    }
  }

  private newObject(
    size: Term,
    storage: 'heap' | 'automatic',
    live: Term,
    frame?: FrameObject,
    allocatingNode?: Node,
  ): SymbolicPointer {
    const { memoryModel } = this;
    const id = this.contents[memoryModel.allocationCounter.index]!;
    if (memoryModel.takesAddresses) {
      const alignBytes = frame
        ? alignmentOf(frame, memoryModel.program)
        : storage === 'heap' && size.kind === 'bits'
          ? alignmentOfBlock(size.value, memoryModel.program)
          : 1;
      this.alignments = new Map([...this.alignments, [id, alignBytes]]);
    }
    this.contents[memoryModel.allocationCounter.index] = L.add(id, this.half(1));
    this.contents[memoryModel.size.index] = L.store(this.contents[memoryModel.size.index]!, id, size);
    this.contents[memoryModel.live.index] = L.store(this.contents[memoryModel.live.index]!, id, live);
    this.contents[memoryModel.heap.index] = L.store(
      this.contents[memoryModel.heap.index]!,
      id,
      L.bool(storage === 'heap'),
    );
    this.contents[memoryModel.allocationSite.index] = L.store(
      this.contents[memoryModel.allocationSite.index]!,
      id,
      L.bits(allocatingNode ? memoryModel.allocationSiteOf(allocatingNode) : 0n, memoryModel.half),
    );
    // A single object's contents are not indexed by its number: a new life begins with anything.
    const node = frame && memoryModel.regions.nodeOfOrigin(frame);
    if (node && memoryModel.regions.layout(node).single) this.havoc(node, 'made');
    // The links of a new object hold anything.
    const region = node ?? allocatingNode;
    for (const link of memoryModel.links)
      if (region && memoryModel.regions.find(region) === link.node) beginLink(link, id, this.contents, memoryModel);
    for (const forest of memoryModel.forests)
      if (region && memoryModel.regions.find(region) === forest.node) beginChild(forest, id, this.contents);
    return { object: id, offset: this.half(0) };
  }

  private origins(site: Expression): readonly Origin[] {
    const asked = 'pointer' in site ? this.memoryModel.regions.pointee(site.pointer) : undefined;
    return asked ? [...asked.node.origins] : [];
  }

  private half(value: number): Term {
    return L.bits(BigInt(value), this.memoryModel.half);
  }

  private plus(offset: Term, bytes: number): Term {
    return bytes === 0 ? offset : L.add(offset, this.half(bytes));
  }

  private part(place: PlaceInMemory, part: Part): Term {
    const variable = this.memoryModel.slot(place.node, place.slot, part);
    if (!variable) throw new Error('the region has this slot');
    const contents = this.contents[variable.index]!;
    return place.addressing === 'plain' ? contents : L.select(contents, indexOf(place));
  }

  private setPart(place: PlaceInMemory, part: Part, value: Term): void {
    const variable = this.memoryModel.slot(place.node, place.slot, part);
    if (!variable) throw new Error('the region has this slot');
    const contents = this.contents[variable.index]!;
    this.contents[variable.index] = place.addressing === 'plain' ? value : L.store(contents, indexOf(place), value);
  }

  private read(place: PlaceInMemory, type: Scalar): SymbolicValue {
    if (type.kind !== 'pointer') return this.part(place, 'value');
    const pointer = { object: this.part(place, 'object'), offset: this.part(place, 'offset') };
    if (place.slot === 'byte') return pointer;
    const { clientSlots, validMembers, half, lastStatic } = this.memoryModel;
    const functions = clientSlots.at(place.node, place.slot);
    const target = functions ? undefined : validMembers.at(place.node, place.slot);
    if (!functions && !target) return pointer;
    // Values no execution has there are read as null.
    const isClients = L.ult(this.half(lastStatic), place.object);
    const isKept = functions ? isCallableOrNull(functions, pointer, half) : this.isValidOrNull(pointer, target!);
    return iteValue(L.implies(isClients, isKept), pointer, this.values.null);
  }

  /** Null, or it leads to the start of a live object. */
  private isValidOrNull({ object, offset }: SymbolicPointer, { bytes, statics }: ValidTarget): Term {
    const { lastStatic, allocationCounter, live, size } = this.memoryModel;
    return L.and(
      L.eq(offset, this.half(0)),
      L.or(
        ...[0, ...statics].map((number) => L.eq(object, this.half(number))),
        L.and(
          L.ult(this.half(lastStatic), object),
          L.ult(object, this.contents[allocationCounter.index]!),
          L.select(this.contents[live.index]!, object),
          L.sle(this.half(bytes), L.select(this.contents[size.index]!, object)),
        ),
      ),
    );
  }

  private write(place: PlaceInMemory, value: SymbolicValue, written: Term = L.TRUE): void {
    if (this.memoryModel.slot(place.node, place.slot, 'written')) this.setPart(place, 'written', written);
    if (isPointer(value)) {
      const link = this.memoryModel.linkAt(place.node, place.slot);
      const forest = link && this.memoryModel.forestOfLink(link);
      this.setPart(place, 'object', value.object);
      this.setPart(place, 'offset', value.offset);
      if (forest) adopt(forest, link, place.object, value, this.contents, this.memoryModel);
      if (link) relink(link, place.object, this.contents, this.memoryModel);
      const holders = this.memoryModel.holderAt(place.node, place.slot);
      if (holders) {
        const { index } = holders.holder;
        this.contents[index] = L.store(this.contents[index]!, value.object, place.object);
      }
    } else {
      this.setPart(place, 'value', value);
    }
  }

  private bytesAt(place: PlaceInMemory, count: number): Term[] {
    return Array.from({ length: count }, (_, i) =>
      this.part({ ...place, offset: this.plus(place.offset, i) }, 'value'),
    );
  }

  private writeBytes(place: PlaceInMemory, bytes: readonly Term[], written?: readonly Term[]): void {
    bytes.forEach((byte, i) => this.write({ ...place, offset: this.plus(place.offset, i) }, byte, written?.[i]));
  }

  private toBytes(value: SymbolicValue): Term[] {
    const bits = isPointer(value) ? bytesOfPointer(value, this.memoryModel.storesAddresses) : value;
    return Array.from({ length: widthOf(bits) / 8 }, (_, i) => L.extract(8 * i + 7, 8 * i, bits));
  }

  private fromBytes(bytes: readonly Term[], type: Scalar): SymbolicValue {
    const bits = bytes.slice(1).reduce<Term>((low, byte) => L.concat(byte, low), bytes[0]!);
    return type.kind === 'pointer' ? pointerOfBytes(bits, this.memoryModel.storesAddresses) : bits;
  }
}

export interface SymbolicState extends ProgramState<SymbolicValue> {
  readonly memory: SymbolicMemory;
}

export function forkState(state: SymbolicState): SymbolicState {
  return {
    globals: [...state.globals],
    locals: [...state.locals],
    objects: [...state.objects],
    memory: state.memory.fork(),
  };
}
