/**
 * Live views of C memory: arrays and structs as JavaScript arrays and objects whose elements are read when asked for,
 * so that `toEqual` and pretty-printing see plain values. A write, where allowed, goes to memory.
 */
import type { CType } from '../../c/types';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
import type { MemoryBlock } from '../../semantics/concrete/memoryBlock';
import { pointerTo } from '../../semantics/concrete/concreteValues';
import { decode, type ByteRange, type DecodePointer } from './decode';
import { namedFields } from './encode';
import type { HostAddress } from '../layout';
import { sizeOf } from '../layout';
import type { DataModel } from '../../c/types';
import { closest } from '../suggest';
import { formatType } from '../typeText';

/** Number of the object in which an array lies, or into which a pointer leads. */
export const objectNumber: unique symbol = Symbol('object');
/** Its place in the object, in bytes. */
export const objectOffset: unique symbol = Symbol('offset');

export interface ViewAccess {
  readonly model: DataModel;
  memory(): ConcreteMemory;
  readonly onPointer: DecodePointer;
  /** Undefined: the view is read-only. `place` names what is written, for messages. */
  readonly write: ((address: HostAddress, type: CType, value: unknown, place: string) => void) | undefined;
}

/**
 * The value at an address: a scalar, or a view of an array or struct. Undefined where nothing lives or nothing was
 * written.
 */
export function view(access: ViewAccess, address: HostAddress, type: CType, place: string): unknown {
  switch (type.kind) {
    case 'array':
      return arrayView(access, address, type, place);
    case 'record':
      return recordView(access, address, type, place);
    default: {
      const block = access.memory().block(pointerTo(address.object, address.offset));
      if (!block?.live || address.offset < 0 || type.kind === 'void' || type.kind === 'function') return undefined;
      if (address.offset + sizeOf(type, access.model) > block.sizeBytes) return undefined;
      return decode(blockBytes(block), address.offset, type, access.model, access.onPointer);
    }
  }
}

export function blockBytes(block: MemoryBlock): ByteRange {
  const { bytes, written } = block;
  return {
    bytes,
    isInitialised(from, size) {
      if (written) for (let i = from; i < from + size; i++) if (written[i] === 0) return false;
      return true;
    },
  };
}

function arrayView(access: ViewAccess, address: HostAddress, type: CType & { kind: 'array' }, place: string): unknown {
  const length = type.length ?? 0;
  const size = sizeOf(type.of, access.model);
  const at = (index: number): HostAddress => ({ object: address.object, offset: address.offset + index * size });
  const indexOf = (key: string | symbol) =>
    typeof key === 'string' && /^(0|[1-9]\d*)$/.test(key) ? Number(key) : undefined;
  const get = (index: number) => (index < length ? view(access, at(index), type.of, `${place}[${index}]`) : undefined);
  return new Proxy(new Array<unknown>(length), {
    get(target, key, receiver) {
      if (key === objectNumber) return address.object;
      if (key === objectOffset) return address.offset;
      const index = indexOf(key);
      return index === undefined ? Reflect.get(target, key, receiver) : get(index);
    },
    set(_, key, value) {
      const index = indexOf(key);
      if (index === undefined || index >= length)
        throw new RangeError(`${place}[${String(key)}] is outside the array: it has ${length} elements`);
      write(access, at(index), type.of, value, `${place}[${index}]`);
      return true;
    },
    has: (target, key) => (indexOf(key) === undefined ? Reflect.has(target, key) : indexOf(key)! < length),
    ownKeys: () => [...Array.from({ length }, (_, i) => String(i)), 'length'],
    getOwnPropertyDescriptor(target, key) {
      const index = indexOf(key);
      if (index === undefined) return Reflect.getOwnPropertyDescriptor(target, key);
      return index < length ? { value: get(index), writable: true, enumerable: true, configurable: true } : undefined;
    },
    defineProperty: refuse(place),
    deleteProperty: refuse(place),
  });
}

function recordView(
  access: ViewAccess,
  address: HostAddress,
  type: CType & { kind: 'record' },
  place: string,
): unknown {
  const fields = new Map(namedFields(type).map((field) => [field.name, field]));
  const get = (name: string) => {
    const field = fields.get(name)!;
    const at = { object: address.object, offset: address.offset + field.offsetBytes };
    if (!field.bits) return view(access, at, field.type, `${place}.${name}`);
    const block = access.memory().block(pointerTo(address.object));
    const whole = block?.live
      ? decode(blockBytes(block), address.offset, type, access.model, access.onPointer)
      : undefined;
    return (whole as Record<string, unknown> | undefined)?.[name];
  };
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (target, key, receiver) =>
        typeof key === 'string' && fields.has(key) ? get(key) : Reflect.get(target, key, receiver),
      set(_, key, value) {
        const field = fields.get(String(key));
        const name = `${place}.${String(key)}`;
        if (!field)
          throw new TypeError(
            `${name}: '${formatType(type)}' has no member '${String(key)}'${closest(String(key), fields.keys())}`,
          );
        if (field.bits) throw new TypeError(`${name} is a bit-field; write the whole struct`);
        write(access, { object: address.object, offset: address.offset + field.offsetBytes }, field.type, value, name);
        return true;
      },
      has: (_, key) => typeof key === 'string' && fields.has(key),
      ownKeys: () => [...fields.keys()],
      getOwnPropertyDescriptor: (_, key) =>
        typeof key === 'string' && fields.has(key)
          ? { value: get(key), writable: true, enumerable: true, configurable: true }
          : undefined,
      defineProperty: refuse(place),
      deleteProperty: refuse(place),
    },
  );
}

function write(access: ViewAccess, address: HostAddress, type: CType, value: unknown, place: string): void {
  if (!access.write) throw new TypeError(`${place} cannot be written here: a probe only looks at the state`);
  access.write(address, type, value, place);
}

function refuse(place: string): () => never {
  return () => {
    throw new TypeError(`${place} is C memory: elements cannot be added, removed or redefined`);
  };
}
