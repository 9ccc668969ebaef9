/**
 * Objects of a concrete state and the pointers between them, for drawing lists and trees. Pointers are followed from
 * variables by their C types. A block of the allocator is lost if no word of the memory in reach holds its address, so
 * a pointer that is kept as a number keeps its block.
 */
import { pointerBytes, type CType, type RecordType } from '../../c/types';
import type { HeapBox, HeapMember, HeapPicture, HeapPointer } from '../../explanation';
import { decode } from '../../host/values/decode';
import { namedFields } from '../../host/values/encode';
import { sizeOf, type HostAddress } from '../../host/layout';
import { addressOf, hostOf } from '../../host/values/scalar';
import { formatType } from '../../host/typeText';
import { blockBytes } from '../../host/values/view';
import { denotes } from '../../program/automata/visibility';
import type { FrameObject, Variable } from '../../program/expression';
import type { Location, Program } from '../../program/program';
import type { MemoryBlock } from '../../semantics/concrete/memoryBlock';
import { objectNumber, pointerAt, pointerTo, type ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Activation, Machine } from '../../semantics/concrete/machine';

const limits = {
  /** Boxes of one picture; the others are counted. */
  boxLimit: 24,
  /** Members of a box that are shown. */
  memberLimit: 8,
  /** Elements of an array in which pointers are looked for. */
  elementLimit: 16,
} as const;

/** A pointer that is not null. */
interface Address extends HostAddress {
  readonly to: CType;
}
/** A structure in an object. */
interface Place {
  readonly object: number;
  readonly offset: number;
  readonly type: RecordType;
}
interface Named {
  readonly name: string;
  readonly value: Address | 'NULL';
}

/** Pictures of the states of one run, which have to be asked for in order. */
export class HeapPictures {
  /** Structures that pointers led to, in order: a lost or freed block keeps its type. */
  private readonly seen = new Map<number, Place[]>();
  /** Objects that were handed to the client. */
  private readonly held = new Set<number>();

  constructor(private readonly program: Program) {}

  /** To be told of each location that is passed. */
  pass(location: Location, activation: Activation, machine: Machine): void {
    const { resultVariable, exit } = activation.fn;
    if (machine.activations.length > 1 || location !== exit || resultVariable?.type.kind !== 'pointer') return;
    this.held.add(objectNumber(activation.locals[resultVariable.slot] ?? 0));
  }

  /** Undefined if no structure with pointers is in reach. `isSet`: the variable has been given a value. */
  of(machine: Machine, isSet: (activation: Activation, slot: number) => boolean): HeapPicture | undefined {
    const roots = this.roots(machine, isSet);
    const lost = this.lostBlocks(machine);
    const places = this.reachablePlaces(
      [...roots.flatMap(({ value }) => (value === 'NULL' ? [] : [value])), ...this.beginnings(lost)],
      machine,
    );
    if (!places.some(({ type }) => hasPointers(type))) return undefined;
    const shown = places.slice(0, limits.boxLimit);
    const target = (address: Address): number | undefined => {
      const found = shown.findIndex(
        ({ object, offset, type }) =>
          object === address.object &&
          offset <= address.offset &&
          address.offset < offset + Math.max(1, type.record.sizeBytes),
      );
      return found < 0 ? undefined : found;
    };
    const numbers = new Set(lost.map(({ number }) => number));
    const boxes = shown.map((place) => this.box(place, numbers, target, machine));
    const names = roots.flatMap(({ name, value }): HeapPointer[] => {
      if (value === 'NULL') return [{ name, value }];
      const to = target(value);
      return to === undefined ? [] : [{ name, to, ...this.inside(value, shown[to]!) }];
    });
    return { names, boxes, omitted: places.length - shown.length };
  }

  private box(
    place: Place,
    lost: ReadonlySet<number>,
    target: (address: Address) => number | undefined,
    machine: Machine,
  ): HeapBox {
    const { object, type } = place;
    const block = machine.memory.block(pointerTo(object));
    const members = block?.live ? this.members(place, block) : [];
    return {
      title: this.nameOf(object) ?? `object ${object}`,
      type: formatType(type),
      state: !block?.live ? 'freed' : lost.has(object) ? 'lost' : 'live',
      members: members.slice(0, limits.memberLimit).map(({ name, value }): HeapMember => {
        if (typeof value === 'string') return { name, value };
        const to = target(value);
        return to === undefined ? { name, value: this.nameOf(value.object) ?? `object ${value.object}` } : { name, to };
      }),
    };
  }

  /** Member of a structure that a pointer leads to, if it is not the first. */
  private inside(address: Address, place: Place): { readonly member?: string } {
    const at = address.offset - place.offset;
    if (at === 0) return {};
    const field = namedFields(place.type).findLast(({ offsetBytes }) => offsetBytes <= at);
    return { member: field?.name ?? `+${at}` };
  }

  private nameOf(object: number): string | undefined {
    const { objects, functions } = this.program;
    return objects[object - 1]?.name ?? functions.find(({ number }) => number === object)?.name;
  }

  /** Pointer variables, those of the whole program first, and of all activations, the innermost first. */
  private roots(machine: Machine, isSet: (activation: Activation, slot: number) => boolean): Named[] {
    const found: Named[] = [];
    const add = (name: string, type: CType | undefined, value: unknown): void => {
      if (type?.kind !== 'pointer' || !leadsToStructure(type)) return;
      if (value === null) found.push({ name, value: 'NULL' });
      else if (value !== undefined) found.push({ name, value: value as Address });
    };
    const scalar = (name: string, type: CType | undefined, value: ConcreteValue | undefined): void => {
      if (type?.kind === 'pointer' && value !== undefined) add(name, type, hostOf(value, type, pointedTo));
    };
    const object = (name: string, type: CType | undefined, address: HostAddress): void => {
      const block = machine.memory.block(pointerTo(address.object, address.offset));
      if (!type || !block?.live) return;
      if (type.kind === 'record' && hasPointers(type))
        add(name, { kind: 'pointer', to: type }, { ...address, to: type });
      if (type.kind !== 'pointer' && type.kind !== 'array') return;
      const value = decode(blockBytes(block), address.offset, type, this.program.dataModel, pointedTo);
      if (type.kind === 'pointer') add(name, type, value);
      else
        (value as unknown[])
          .slice(0, limits.elementLimit)
          .forEach((element, i) => add(`${name}[${i}]`, type.of, element === null ? undefined : element));
    };
    for (const [name, { ctype, place }] of this.program.symbols)
      if (place.kind === 'variable') scalar(name, ctype, machine.globals[place.slot]);
      else object(name, ctype, { object: place.number, offset: place.leadBytes ?? 0 });
    machine.activations.toReversed().forEach((activation, depth) => {
      const { fn, locals, objects, location } = activation;
      if (fn.library) return;
      const isInSight = (local: Variable | FrameObject): boolean => denotes(local, fn, location);
      const named = (name: string): string => (depth === 0 ? name : `${fn.name}: ${name}`);
      for (const variable of fn.variables)
        if (!variable.temporary && isSet(activation, variable.slot) && isInSight(variable))
          scalar(named(variable.name), variable.ctype, locals[variable.slot]);
      for (const local of fn.objects)
        if (objects[local.slot] && isInSight(local))
          object(named(local.name), local.ctype, addressOf(objects[local.slot]!));
    });
    return found;
  }

  /** Structures in reach of the roots, each chain of pointers in order. */
  private reachablePlaces(roots: readonly Address[], machine: Machine): Place[] {
    const found: Place[] = [];
    const visit = (first: Address): void => {
      const open = [first];
      for (let address = open.pop(); address !== undefined; address = open.pop()) {
        const { object, offset, to } = address;
        if (to.kind === 'pointer') {
          const block = machine.memory.block(pointerTo(object, offset));
          const value = block?.live && decodedIn(block, offset, to, this.program);
          if (value) open.push(value as Address);
        }
        if (to.kind !== 'record' || !to.record.complete) continue;
        if (found.some((place) => isInside(place, address))) continue;
        const block = machine.memory.block(pointerTo(object, offset));
        if (block?.kind === 'function' || !block) continue;
        if (block.live && (offset < 0 || offset + to.record.sizeBytes > block.sizeBytes)) continue;
        const place: Place = { object, offset, type: to };
        // A structure takes the place of its own parts.
        for (let i = found.length - 1; i >= 0; i--) if (isInside(place, found[i]!)) found.splice(i, 1);
        found.push(place);
        const known = this.seen.get(object);
        if (!known) this.seen.set(object, [place]);
        else if (!known.some((one) => isInside(one, place))) known.unshift(place);
        const next = block.live ? this.members(place, block) : [];
        for (const { value } of next.toReversed()) if (typeof value !== 'string') open.push(value);
      }
    };
    for (const root of roots) visit(root);
    return found;
  }

  /** Structures in lost blocks, those first to which no other leads. */
  private beginnings(lost: readonly MemoryBlock[]): readonly Address[] {
    const places = lost.flatMap((block) =>
      (this.seen.get(block.number) ?? []).slice(0, 1).map((place) => ({ block, place })),
    );
    const entered = new Set(
      places.flatMap(({ block, place }) =>
        this.members(place, block).flatMap(({ value }) => (typeof value === 'string' ? [] : [value.object])),
      ),
    );
    const all = places.map(({ place: { object, offset, type } }): Address => ({ object, offset, to: type }));
    return [...all.filter(({ object }) => !entered.has(object)), ...all];
  }

  /** Scalars and pointers of a structure, those of inner structures included. */
  private members(
    place: Place,
    block: MemoryBlock,
  ): readonly { readonly name: string; readonly value: string | Address }[] {
    const found: { name: string; value: string | Address }[] = [];
    const add = (name: string, type: CType, value: unknown): void => {
      if (type.kind === 'record') {
        for (const field of namedFields(type))
          add(
            name === '' ? field.name : `${name}.${field.name}`,
            field.type,
            (value as Record<string, unknown>)[field.name],
          );
      } else if (type.kind === 'array') {
        const elements = value as unknown[];
        elements
          .slice(0, limits.elementLimit)
          .forEach((element, i) => type.of.kind === 'pointer' && add(`${name}[${i}]`, type.of, element));
        if (type.of.kind !== 'pointer') found.push({ name, value: arrayText(elements) });
      } else if (type.kind === 'pointer' && value !== null && value !== undefined)
        found.push({ name, value: value as Address });
      else found.push({ name, value: value === undefined ? '?' : value === null ? 'NULL' : scalarText(value, type) });
    };
    const value = decodedIn(block, place.offset, place.type, this.program);
    if (value !== undefined) add('', place.type, value);
    return found;
  }

  /** Live blocks of the allocator whose address no memory in reach holds. */
  private lostBlocks(machine: Machine): readonly MemoryBlock[] {
    const { memory } = machine;
    const { dataModel } = this.program;
    const marked = new Set<number>();
    const open: MemoryBlock[] = [];
    const mark = (number: number): void => {
      if (number === 0 || marked.has(number)) return;
      marked.add(number);
      const block = memory.block(pointerTo(number));
      if (block?.live) open.push(block);
    };
    const markValue = (value: ConcreteValue, isPointer: boolean): void => {
      mark(
        objectNumber(isPointer ? value : pointerAt(BigInt.asUintN(64, BigInt(Math.trunc(Number(value)))), dataModel)),
      );
    };
    const { symbols } = this.program;
    const blocks = [...memory.liveBlocks()];
    for (const { number, kind } of blocks) if (kind !== 'heap') mark(number);
    for (const number of this.held) mark(number);
    for (const { place } of symbols.values())
      if (place.kind === 'variable' && place.type.kind !== 'float')
        markValue(machine.globals[place.slot]!, place.type.kind === 'pointer');
    for (const { fn, locals } of machine.activations)
      for (const { slot, type } of fn.variables)
        if (type.kind !== 'float' && locals[slot] !== undefined) markValue(locals[slot], type.kind === 'pointer');
    const bytes = pointerBytes(dataModel);
    for (let block = open.pop(); block; block = open.pop()) {
      const view = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
      for (let at = 0; at + bytes <= block.bytes.length; at += bytes) {
        const word = bytes === 8 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true));
        if (word !== 0n) mark(objectNumber(pointerAt(word, dataModel)));
      }
    }
    return blocks.filter(({ number, kind }) => kind === 'heap' && !marked.has(number));
  }
}

const pointedTo = (address: HostAddress, to: CType): Address => ({ ...address, to });

function decodedIn(block: MemoryBlock, offset: number, type: CType, { dataModel }: Program): unknown {
  if (offset < 0 || offset + sizeOf(type, dataModel) > block.sizeBytes) return undefined;
  return decode(blockBytes(block), offset, type, dataModel, pointedTo);
}

function isInside(place: Place, { object, offset }: HostAddress): boolean {
  return (
    object === place.object &&
    place.offset <= offset &&
    offset < place.offset + Math.max(1, place.type.record.sizeBytes)
  );
}

/** A pointer to a structure, or to a pointer to one. */
function leadsToStructure({ to }: CType & { kind: 'pointer' }): boolean {
  return to.kind === 'record' ? hasPointers(to) : to.kind === 'pointer' && leadsToStructure(to);
}

function hasPointers(type: CType): boolean {
  return (
    type.kind === 'record' &&
    type.record.complete &&
    namedFields(type).some(({ type: of }) => of.kind === 'pointer' || hasPointers(of.kind === 'array' ? of.of : of))
  );
}

function arrayText(elements: readonly unknown[]): string {
  const shown = elements.slice(0, 3).map((element) => (typeof element === 'object' ? '…' : String(element ?? '?')));
  return `[${shown.join(', ')}${elements.length > 3 ? ', …' : ''}]`;
}

function scalarText(value: unknown, type: CType): string {
  if (type.kind === 'enum')
    return type.constants.find((constant) => constant.value === BigInt(value as number))?.name ?? String(value);
  return String(value as number | bigint | boolean);
}
