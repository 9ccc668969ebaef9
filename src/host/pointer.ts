/**
 * A C pointer in the hands of a test: where it points and as what type. The value is opaque; what it can do (read,
 * step, write) is lent to it by the memory of the run it was made in, so that a pointer never outlives a reset
 * unnoticed.
 */
import type { CType } from '../c/types';
import { formatType } from './typeText';
import type { HostAddress } from './layout';

/** Operations of a run's memory for its pointers. */
export interface PointerAccess {
  /** The module: runs of one module have the same. */
  readonly owner: object;
  read(pointer: Pointer): unknown;
  elements(pointer: Pointer, count: number | bigint): unknown[];
  string(pointer: Pointer): string;
  deref(pointer: Pointer): Pointer | null;
  write(pointer: Pointer, value: unknown): void;
  at(pointer: Pointer, index: number): Pointer;
  field(pointer: Pointer, name: string): Pointer;
  as(pointer: Pointer, type: string): Pointer;
  call(pointer: Pointer, args: readonly unknown[]): unknown;
}

const mark = Symbol.for('provest.pointer');

export class Pointer {
  /** The type pointed to, as C text. */
  readonly type: string;
  readonly object: number;
  readonly offset: number;
  declare readonly ctype: CType;
  declare readonly access: PointerAccess;

  constructor(ctype: CType, address: HostAddress, access: PointerAccess) {
    this.type = formatType(ctype);
    this.object = address.object;
    this.offset = address.offset;
    // Not enumerable: two pointers are equal when they point to the same place as the same type.
    Object.defineProperties(this, { ctype: { value: ctype }, access: { value: access }, [mark]: { value: true } });
  }

  /**
   * The pointee as a plain value: structs as objects, arrays as arrays, pointers inside followed, `char *` as strings.
   * With a count, that many elements from here on, as an array: of a C pointer the type does not tell how many there
   * are.
   */
  read(count?: number | bigint): unknown {
    return count === undefined ? this.access.read(this) : this.access.elements(this, count);
  }
  /** The NUL-terminated string that starts here. */
  string(): string {
    return this.access.string(this);
  }
  /** The pointer that is stored here, as it is: of `T **` the `T *`. `read` would follow it. */
  deref(): Pointer | null {
    return this.access.deref(this);
  }
  write(value: unknown): void {
    this.access.write(this, value);
  }
  /** `&p[index]`; `p.at(index).read()` is `p[index]`. */
  at(index: number): Pointer {
    return this.access.at(this, index);
  }
  /** `&p->name`. */
  field(name: string): Pointer {
    return this.access.field(this, name);
  }
  /** The same place seen as another type: `(char *)p` is `p.as('char')`. */
  as(type: string): Pointer {
    return this.access.as(this, type);
  }
  /** Calls the function it points to, as a stub does with a callback it was given. */
  call(...args: readonly unknown[]): unknown {
    return this.access.call(this, args);
  }
  toString(): string {
    return `<pointer to ${this.type}, object ${this.object} + ${this.offset}>`;
  }
}

/** Also true for pointers made by another copy of this class (`jest.resetModules`). */
export function isPointer(value: unknown): value is Pointer {
  return typeof value === 'object' && value !== null && mark in value;
}
