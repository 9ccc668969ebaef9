/**
 * Memory of one run as the host sees it: objects it makes, pointers it holds, plain values read and written. What it
 * does is logged.
 */
import { targetOf } from '../../c/target';
import type { CType, PointerType } from '../../c/types';
import { compatible } from '../../program/lower/compatible';
import { isAggregate } from '../../program/lower/objects/layout';
import { endOfList, numberOfGiven } from '../../program/lower/calls/argumentTypes';
import { entryBytes, valueOffset } from '../../program/lower/calls/variadic';
import type { Expression } from '../../program/expression';
import type { Program } from '../../program/program';
import { clientFunctionFor } from '../../semantics/pointers/passedFunctions';
import { expressionsOf, walk } from '../../program/traverse';
import { pointerTo, type ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Machine } from '../../semantics/concrete/machine';
import { decode } from './decode';
import { encode, isCharacter, isTypedArray, namedFields, show, type EncodeContext } from './encode';
import { sizeOf, type HostAddress } from '../layout';
import type { Operation } from '../operation';
import { isPointer, Pointer, type PointerAccess } from '../pointer';
import { toLog, toHex } from './scalar';
import { closest } from '../suggest';
import { elementOf, formatType, parseType } from '../typeText';
import { variableArgument } from './variableArguments';
import { blockBytes } from './view';
import { TextDecoder, TextEncoder } from '../../textCoding';

/** Marks the JavaScript functions that stand for C functions; the value is the function's object number. */
export const functionMark = Symbol.for('provest.function');

export interface HostMemoryOwner {
  /** Throws while C runs, except in a stub. */
  mayMake(what: string): void;
  /** Throws while C runs, except in a stub that may write this object. */
  mayWrite(what: string, object: number): void;
  log(operation: Operation): void;
  /** Calls the C function with this object number. */
  call(pointer: Pointer, object: number, args: readonly unknown[]): unknown;
  /** Throws when this run is over and another has begun or is due. */
  current(memory: HostMemory, what: string): void;
}

const characterType: CType = { kind: 'integer', name: 'char', widthBits: 8, signed: true };

export class HostMemory implements PointerAccess {
  /** Objects the host made: object number to id, in order. */
  readonly allocations = new Map<number, number>();
  /** JavaScript functions that C has pointers to; the index is the pointer's offset. */
  private readonly functions: unknown[] = [];
  /** For structures that were read: the members that are what a pointer leads to, with that pointer. */
  private readonly members = new WeakMap<
    object,
    Map<string, { readonly value: unknown; readonly address: HostAddress }>
  >();

  /** For structures that calls returned by value: the objects that hold them. */
  private readonly results = new WeakMap<object, HostAddress>();

  constructor(
    private readonly program: Program,
    readonly machine: Machine,
    readonly owner: HostMemoryOwner,
  ) {}

  /** For values on their way into C; strings, arrays and struct literals for pointers become fresh objects. */
  get encoding(): EncodeContext {
    return {
      model: this.program.dataModel,
      addressOf: (value, type, place) => this.addressFor(value, type, place),
      readThrough: (value, of, name) => this.readThrough(value, of, name),
    };
  }

  /** The same, but makes nothing: for inputs. */
  get answering(): EncodeContext {
    return {
      model: this.program.dataModel,
      addressOf: (value, type, place) => this.existingAddress(value, type, place),
    };
  }

  allocate(ctype: CType, init: unknown, place: string): HostAddress {
    const bytes = init === undefined ? undefined : encode(init, ctype, place, this.encoding);
    const source = typeof init === 'object' && init !== null ? this.results.get(init) : undefined;
    const isSame = source !== undefined && bytes !== undefined && this.holds(source, bytes);
    return this.place(ctype, formatType(ctype), bytes, isSame ? this.allocations.get(source.object) : undefined);
  }

  /** A structure that a call has returned, as plain data. */
  readResult(address: HostAddress, type: CType): unknown {
    const value = this.readDeep(address, type);
    if (typeof value === 'object' && value !== null) this.results.set(value, address);
    return value;
  }

  /** True if the object has these bytes where it has any. */
  private holds({ object }: HostAddress, bytes: Uint8Array): boolean {
    const { memory } = this.machine;
    const block = memory.block(pointerTo(object));
    if (block?.sizeBytes !== bytes.length) return false;
    const own = blockBytes(block);
    return bytes.every((byte, i) => !own.isInitialised(i, 1) || own.bytes[i] === byte);
  }

  /**
   * Arguments of the host for `...`, as the caller of a C function hands them over; `place` names the n-th of them,
   * from 0.
   */
  list(given: readonly unknown[], place: (index: number) => string): ConcreteValue {
    const { argumentTypes, dataModel } = this.program;
    const encoded = given.map((value, i) => {
      const argument = variableArgument(value, place(i), this.program);
      const bytes = encode(argument.value, argument.type, place(i), this.encoding);
      // The byte of the sign comes last.
      return { number: numberOfGiven(argumentTypes, argument.type, bytes.at(-1)! < 0x80), bytes };
    });
    const length = encoded.reduce((sum, { bytes }) => sum + entryBytes(bytes.length), valueOffset);
    const list = this.allocate({ kind: 'array', of: characterType, length }, undefined, '...');
    const write = (offset: number, bytes: Uint8Array): void => {
      const target = pointerTo(list.object, offset);
      this.store(target, bytes);
      this.owner.log({
        kind: 'write',
        target: toLog(target, { kind: 'pointer' }, this.allocations),
        bytes: toHex(bytes),
      });
    };
    const numbered = (number: number): Uint8Array =>
      encode(number, targetOf(dataModel).integers['unsigned int'], '...', this.encoding);
    let at = 0;
    for (const { number, bytes } of encoded) {
      write(at, numbered(number));
      write(at + valueOffset, bytes);
      at += entryBytes(bytes.length);
    }
    write(at, numbered(endOfList));
    return pointerTo(list.object);
  }

  /** `copyOf`: the object of the host that it is a copy of. */
  place(ctype: CType, type: string, bytes: Uint8Array | undefined, copyOf?: number): HostAddress {
    const { memory } = this.machine;
    const pointer = memory.make({
      kind: 'host',
      sizeBytes: sizeOf(ctype, this.program.dataModel),
      name: type,
      ...(bytes && { contents: bytes }),
    });
    const block = memory.block(pointer)!;
    const { number } = block;
    const source = copyOf === undefined ? undefined : [...this.allocations.keys()][copyOf];
    const copied = source === undefined ? undefined : memory.block(pointerTo(source));
    if (copied?.setUpAs) {
      block.setUpAs = copied.setUpAs;
      delete copied.setUpAs;
    }
    this.owner.log({
      kind: 'allocate',
      type,
      bytes: bytes ? toHex(bytes) : '',
      ...(copyOf !== undefined && { copyOf }),
    });
    this.allocations.set(number, this.allocations.size);
    return { object: number, offset: 0 };
  }

  /** The test's function that the pointer means, if it means one. */
  functionAt({ object, offset }: HostAddress): ((...args: unknown[]) => unknown) | undefined {
    if (!this.program.clientFunctions.some(({ number }) => number === object)) return undefined;
    return this.functions[offset] as ((...args: unknown[]) => unknown) | undefined;
  }

  readonly pointer = (address: HostAddress, to: CType): Pointer => new Pointer(to, address, this);

  // Operations of pointers

  read(pointer: Pointer): unknown {
    const address = this.addressIn(pointer);
    const problem = this.unreadable(address, pointer.ctype);
    if (problem) throw new TypeError(`read: ${pointer} ${problem}`);
    return (isCharacter(pointer.ctype) ? this.stringAt(address) : undefined) ?? this.readDeep(address, pointer.ctype);
  }

  elements(pointer: Pointer, count: number | bigint): unknown[] {
    const length = Number(count);
    if (!Number.isSafeInteger(length) || length < 0)
      throw new TypeError(`read: ${show(count)} is not a number of elements`);
    return Array.from({ length }, (_, index) => {
      const element = this.at(pointer, index);
      const problem = this.unreadable(this.addressIn(element), element.ctype);
      if (problem) throw new TypeError(`read: element ${index} behind ${pointer} ${problem}`);
      return this.readDeep(this.addressIn(element), element.ctype);
    });
  }

  string(pointer: Pointer): string {
    const text = this.stringAt(this.addressIn(pointer));
    if (text === undefined) throw new TypeError(`string: ${pointer} is not the start of a NUL-terminated string`);
    return text;
  }

  deref(pointer: Pointer): Pointer | null {
    const address = this.addressIn(pointer);
    const { ctype } = pointer;
    if (ctype.kind !== 'pointer')
      throw new TypeError(`deref: ${pointer} leads to no pointer; what is there is read with read()`);
    const problem = this.unreadable(address, ctype);
    if (problem) throw new TypeError(`deref: ${pointer} ${problem}`);
    const found = decode(
      blockBytes(this.machine.memory.block(pointerTo(address.object))!),
      address.offset,
      ctype,
      this.program.dataModel,
      this.pointer,
    );
    if (found === undefined) throw new TypeError(`deref: ${pointer} leads to a pointer that was never written`);
    return found as Pointer | null;
  }

  write(pointer: Pointer, value: unknown): void {
    this.writeAt(this.addressIn(pointer), pointer.ctype, value, `*${pointer}`);
  }

  at(pointer: Pointer, index: number): Pointer {
    const element = pointer.ctype.kind === 'array' ? pointer.ctype.of : pointer.ctype;
    if (!Number.isSafeInteger(index)) throw new TypeError(`at: ${index} is not a whole number`);
    const { object, offset } = this.addressIn(pointer);
    return this.pointer({ object, offset: offset + index * sizeOf(element, this.program.dataModel) }, element);
  }

  field(pointer: Pointer, name: string): Pointer {
    const { ctype } = pointer;
    const fields = ctype.kind === 'record' ? namedFields(ctype) : [];
    const field = fields.find((f) => f.name === name);
    if (!field || field.bits)
      throw new TypeError(
        `field: '${pointer.type}' has no addressable member '${name}'${closest(
          name,
          fields.map((f) => f.name),
        )}`,
      );
    const { object, offset } = this.addressIn(pointer);
    return this.pointer({ object, offset: offset + field.offsetBytes }, field.type);
  }

  as(pointer: Pointer, type: string): Pointer {
    return this.pointer(this.addressIn(pointer), parseType(type, this.program));
  }

  call(pointer: Pointer, args: readonly unknown[]): unknown {
    return this.owner.call(pointer, this.addressIn(pointer).object, args);
  }

  // Reading

  /** The values in a list of variable arguments, scalars as they are and structures as plain objects. */
  listedArguments(list: HostAddress, types: readonly CType[]): unknown[] {
    let { offset } = list;
    return types.map((type) => {
      const at = { object: list.object, offset: offset + valueOffset };
      offset += entryBytes(sizeOf(type, this.program.dataModel));
      if (isAggregate(type)) return this.readDeep(at, type);
      return decode(
        blockBytes(this.machine.memory.block(pointerTo(at.object))!),
        at.offset,
        type,
        this.program.dataModel,
        this.pointer,
      );
    });
  }

  /** Plain data; a structure met again is the same JavaScript object, so cycles stay cycles. */
  readDeep(address: HostAddress, type: CType, seen = new Map<string, unknown>()): unknown {
    const key = `${address.object}:${address.offset}:${formatType(withoutQualifiers(type))}`;
    if (seen.has(key)) return seen.get(key);
    const follow = (
      to: HostAddress,
      target: CType,
      member?: { readonly of: object; readonly name: string },
    ): unknown => {
      const value = followed(to, target);
      if (member && typeof value !== 'object') {
        const known =
          this.members.get(member.of) ?? new Map<string, { readonly value: unknown; readonly address: HostAddress }>();
        this.members.set(member.of, known.set(member.name, { value, address: to }));
      }
      return value;
    };
    const followed = (to: HostAddress, target: CType): unknown => {
      const text = isCharacter(target) ? this.stringAt(to) : undefined;
      if (text !== undefined) return text;
      return this.unreadable(to, target) === undefined ? this.readDeep(to, target, seen) : this.pointer(to, target);
    };
    const block = this.machine.memory.block(pointerTo(address.object))!;
    const whole: Record<string, unknown> = {};
    if (type.kind === 'record') seen.set(key, whole);
    const value = decode(blockBytes(block), address.offset, type, this.program.dataModel, follow);
    if (type.kind !== 'record') return value;
    const members = this.members.get(value as object);
    if (members) this.members.set(whole, members);
    return Object.assign(whole, value);
  }

  /**
   * A text or a number that a structure's member was read as, and still is, is the pointer itself: what is read and
   * handed on is what C has, not a copy.
   */
  private readThrough(value: unknown, of: object, name: string): HostAddress | undefined {
    const member = this.members.get(of)?.get(name);
    return member && member.value === value ? member.address : undefined;
  }

  private unreadable(address: HostAddress, type: CType): string | undefined {
    if (address.object === 0) return 'is null';
    const block = this.machine.memory.block(pointerTo(address.object));
    if (!block) return 'points to nothing';
    if (!block.live) return 'points to an object whose lifetime has ended (it was freed, or its function returned)';
    if (type.kind === 'void') return "points to void: say what it is, p.as('int').read()";
    if (type.kind === 'function') return 'points to a function';
    if (type.kind === 'record' && !type.record.complete)
      return `points to an incomplete type ('${formatType(type)}' is never defined)`;
    const size = type.kind === 'array' && type.length === undefined ? 0 : sizeOf(type, this.program.dataModel);
    if (address.offset < 0 || address.offset + size > block.sizeBytes) {
      return (
        `points outside its object of ${block.sizeBytes} ` +
        `bytes${type.kind === 'pointer' ? `; C's (${formatType(type)})p is p.as('${formatType(type.to)}')` : ''}`
      );
    }
    return undefined;
  }

  private stringAt(address: HostAddress): string | undefined {
    const block = this.machine.memory.block(pointerTo(address.object));
    if (!block?.live || address.offset < 0) return undefined;
    const end = block.bytes.indexOf(0, address.offset);
    if (end < 0 || !blockBytes(block).isInitialised(address.offset, end - address.offset + 1)) return undefined;
    return new TextDecoder().decode(block.bytes.slice(address.offset, end));
  }

  // Writing

  writeAt(address: HostAddress, type: CType, value: unknown, place: string): void {
    this.owner.mayWrite(place, address.object);
    this.owner.current(this, place);
    const problem = this.unreadable(address, type);
    if (problem) throw new TypeError(`${place}: the pointer ${problem}`);
    const bytes = encode(value, type, place, this.encoding);
    const pointer = pointerTo(address.object, address.offset);
    if (!this.machine.memory.block(pointer)!.writable)
      throw new TypeError(`${place} is constant: C does not let anyone write it`);
    this.store(pointer, bytes);
    const variable = [...this.program.symbols].find(
      ([, { place: at }]) => at.kind === 'static-object' && at.number === address.object,
    );
    this.owner.log(
      variable
        ? { kind: 'poke', variable: variable[0], offsetBytes: address.offset, bytes: toHex(bytes) }
        : { kind: 'write', target: toLog(pointer, { kind: 'pointer' }, this.allocations), bytes: toHex(bytes) },
    );
  }

  /** A variable that other files see. */
  isVisible(object: number): boolean {
    return this.program.objects.some(({ number, visible }) => visible && number === object);
  }

  /** Not logged. */
  store(pointer: ConcreteValue, bytes: Uint8Array): void {
    const block = this.machine.memory.ownedBlock(pointer);
    const offset = typeof pointer === 'number' ? pointer | 0 : 0;
    if (!block || offset < 0 || offset + bytes.length > block.bytes.length)
      throw new Error('a write outside every object, checked before');
    block.bytes.set(bytes, offset);
    block.written?.fill(1, offset, offset + bytes.length);
  }

  // Targets of pointer values

  /** A handle, a C function, or a fresh object made of a string, array or struct literal. */
  private addressFor(value: unknown, type: PointerType, place: string): HostAddress {
    const { to } = type;
    if (typeof value === 'string' && (isCharacter(to) || to.kind === 'void')) {
      const character = to.kind === 'void' ? characterType : withoutQualifiers(to);
      return this.allocate(
        { kind: 'array', of: character, length: new TextEncoder().encode(value).length + 1 },
        value,
        place,
      );
    }
    if (to.kind === 'void' && isTypedArray(value)) {
      return this.allocate({ kind: 'array', of: elementOf(value), length: value.length }, value, place);
    }
    if ((Array.isArray(value) || isTypedArray(value)) && to.kind !== 'void' && to.kind !== 'function') {
      return this.allocate({ kind: 'array', of: withoutQualifiers(to), length: value.length }, value, place);
    }
    if (typeof value === 'object' && value !== null && !isPointer(value) && to.kind === 'record')
      return this.allocate(withoutQualifiers(to), value, place);
    return this.existingAddress(value, type, place);
  }

  private existingAddress(value: unknown, type: PointerType, place: string): HostAddress {
    const text = formatType(type);
    if (value === null) return { object: 0, offset: 0 };
    const ofClients = clientFunctionFor(type.to, this.program);
    if (typeof value === 'function' && functionMark in value) {
      if (type.to.kind !== 'function' && type.to.kind !== 'void')
        throw new TypeError(`${place}: a C function does not fit in '${text}'`);
      const number = value[functionMark] as number;
      if (pointedFunctions(this.program).has(number)) return { object: number, offset: 0 };
      if (!ofClients) {
        throw new TypeError(
          `${place}: C never takes the address of ${value.name}, so no call through a pointer expects it; let C ` +
            'take it, for example in a table of the functions meant',
        );
      }
    }
    if (typeof value === 'function' && ofClients) {
      const known = this.functions.indexOf(value);
      return { object: ofClients.number, offset: known >= 0 ? known : this.functions.push(value) - 1 };
    }
    if (!isPointer(value))
      throw new TypeError(
        `${place}: ${show(value)} does not fit in '${text}', which wants ${pointerHint(type, ofClients !== undefined)}`,
      );
    if (!fitsPointer(value.ctype, type.to)) {
      throw new TypeError(
        `${place}: a pointer to '${value.type}' does not fit in '${text}'; convert it as C would: ` +
          `p.as('${formatType(type.to)}')`,
      );
    }
    return this.addressIn(value);
  }

  /** The address of a handle, if it belongs to this run of this module. */
  private addressIn(pointer: Pointer): HostAddress {
    if (pointer.access.owner !== this.owner) throw new TypeError(`${pointer} belongs to another module`);
    if (pointer.access !== this)
      throw new TypeError(`${pointer} was made before the module was reset (or stopped at a fault); make it again`);
    return { object: pointer.object, offset: pointer.offset };
  }
}

const pointed = new WeakMap<Program, ReadonlySet<number>>();

/** Functions that C itself makes pointers to: the only ones that a call through a pointer can reach. */
function pointedFunctions(program: Program): ReadonlySet<number> {
  let found = pointed.get(program);
  if (!found) {
    const numbers = new Set<number>();
    const visit = (e: Expression): void => {
      if (e.kind === 'address' && e.of.kind === 'function') numbers.add(e.of.number);
    };
    for (const { command } of program.functions.flatMap((fn) => fn.edges)) {
      for (const expression of expressionsOf(command)) walk(expression, visit);
    }
    for (const { value } of program.objects.flatMap((object) => object.relocations)) walk(value, visit);
    for (const { initial } of program.globals) if (initial) walk(initial, visit);
    pointed.set(program, (found = numbers));
  }
  return found;
}

/** As C, which lets any object pointer become `void *` and back; bytes may be looked at through character pointers. */
function fitsPointer(from: CType, to: CType): boolean {
  if (to.kind === 'void' || from.kind === 'void' || (isCharacter(to) && from.kind !== 'function')) return true;
  if (compatible(withoutQualifiers(from), withoutQualifiers(to))) return true;
  return from.kind === 'array' && fitsPointer(from.of, to);
}

function pointerHint({ to }: PointerType, mayBeOfTest: boolean): string {
  if (to.kind === 'function')
    return `null${mayBeOfTest ? ', a function of the test' : ''} or a C function of the module (stack.compare)`;
  if (isCharacter(to)) return 'null, a string, a Buffer, an array of characters or a pointer (alloc)';
  if (to.kind === 'void')
    return "null, a string, a Buffer or another typed array, or a pointer, such as alloc('int[3]', [1, 2, 3])";
  if (to.kind === 'record')
    return `null, a pointer (new, alloc) or an object for a fresh '${formatType(withoutQualifiers(to))}'`;
  const element = formatType(withoutQualifiers(to));
  return `null, an array for fresh elements, or a pointer: alloc('${element}[4]', [1, 2, 3, 4])`;
}

function withoutQualifiers(type: CType): CType {
  return { ...type, const: false, volatile: false };
}
