/**
 * Details that C programs may see of a run and that another machine or other addresses would show otherwise: the bytes
 * of a pointer read as a number, those of a NaN, bytes that nobody wrote (members' padding is among them), and whether
 * two pointers are equal that lead to different objects of which one is gone, or one ends where the other may begin
 * (C11 6.2.4p2, 6.2.6.1p6, 6.5.9p6). `choose` is called when a run looks at such a thing.
 */
import type { CompareOperator, Scalar } from '../../program/expression';
import type { DataModel } from '../../c/types';
import {
  ConcreteValues,
  objectNumber,
  offsetBytes,
  pointerTo,
  type ConcreteValue,
} from '../../semantics/concrete/concreteValues';
import type { AccessWatch, MemoryBlock } from '../../semantics/concrete/memoryBlock';
import type { Machine } from '../../semantics/concrete/machine';

const limits = {
  /** Fewer than wait to be used again in either data model. */
  answersPerSearch: 1 << 14,
} as const;

const enum Byte {
  plain = 0,
  ofPointer = 1,
  ofNaN = 2,
  open = 3,
}

export class Representation implements AccessWatch {
  /** By number of the object; objects without one have plain bytes only. */
  private readonly marks = new Map<number, Uint8Array>();
  /** Numbers to which pointers lead, and of how many ended objects that may still be asked. */
  private named: ReadonlySet<number> = new Set();
  private answers = 0;
  /** Its numbers stay those of one object as long as a pointer leads there. Without one they do not. */
  machine: Machine | undefined;

  /** `nothingBut`: the rest may be looked at. */
  constructor(
    private readonly choose: () => never,
    private readonly nothingBut?: 'NaNs',
  ) {}

  onMade(number: number): void {
    this.marks.delete(number);
  }

  /**
   * A pointer to an object that has ended must not lead to another one. Many numbers wait to be used again, so those
   * that are asked about next had all ended when memory was last searched for pointers; none can have come since.
   */
  mayNameAnother(number: number): boolean {
    if (!this.machine) return true;
    if (this.answers === 0) {
      this.named = this.numbersIn(this.machine);
      this.answers = limits.answersPerSearch;
    }
    this.answers--;
    return !this.named.has(number);
  }

  /** Object numbers of all pointers in variables and live memory. */
  private numbersIn({ globals, activations, memory, program: { dataModel } }: Machine): ReadonlySet<number> {
    const found = new Set<number>();
    for (const values of [globals, ...activations.map(({ locals }) => locals)])
      for (const value of values) if (value !== undefined) found.add(objectNumber(value));
    // A pointer's upper half, little-endian, is the number.
    const half = dataModel === 'lp64' ? 4 : 2;
    for (const [number, marks] of this.marks) {
      const block = memory.block(pointerTo(number));
      if (!block?.live) continue;
      const { bytes } = block;
      for (let at = half; at + half <= bytes.length; at++) {
        if (marks[at] !== Byte.ofPointer) continue;
        const low = bytes[at]! | (bytes[at + 1]! << 8);
        found.add(half === 2 ? low : (low | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0);
      }
    }
    return found;
  }

  load(block: MemoryBlock, at: number, type: Scalar, bytes: number): void {
    const marks = this.marks.get(block.number);
    if (this.nothingBut === 'NaNs') {
      if (marks && type.kind !== 'float')
        for (let i = at; i < at + bytes; i++) if (marks[i] === Byte.ofNaN) this.choose();
      return;
    }
    const { written } = block;
    if (written) for (let i = at; i < at + bytes; i++) if (written[i] === 0) this.choose();
    if (type.kind === 'pointer') return this.loadPointer(block, at, bytes, marks);
    if (!marks) return;
    for (let i = at; i < at + bytes; i++)
      if (marks[i] !== Byte.plain && (marks[i] !== Byte.ofNaN || type.kind === 'integer')) this.choose();
  }

  /** Null, or all of a pointer that was stored. */
  private loadPointer(block: MemoryBlock, at: number, bytes: number, marks: Uint8Array | undefined): void {
    const range = block.bytes.subarray(at, at + bytes);
    if (range.every((byte) => byte === 0)) return;
    if (!marks) this.choose();
    else for (let i = at; i < at + bytes; i++) if (marks[i] !== Byte.ofPointer) this.choose();
  }

  store(block: MemoryBlock, at: number, type: Scalar, value: ConcreteValue, bytes: number): void {
    const mark =
      type.kind === 'pointer' && value !== 0
        ? Byte.ofPointer
        : type.kind === 'float' && Number.isNaN(value)
          ? Byte.ofNaN
          : Byte.plain;
    if (mark === Byte.plain) this.marks.get(block.number)?.fill(mark, at, at + bytes);
    else this.marksOf(block).fill(mark, at, at + bytes);
  }

  copy(from: MemoryBlock, fromAt: number, to: MemoryBlock, at: number, count: number): void {
    const marks = this.marks.get(from.number);
    if (marks) this.marksOf(to).set(marks.subarray(fromAt, fromAt + count), at);
    else this.marks.get(to.number)?.fill(Byte.plain, at, at + count);
  }

  fill(block: MemoryBlock, at: number, count: number): void {
    this.marks.get(block.number)?.fill(Byte.plain, at, at + count);
  }

  /** C does not say what these bytes are now, until they are stored anew. */
  leaveOpen(block: Pick<MemoryBlock, 'number' | 'sizeBytes'>, at: number, count: number): void {
    this.marksOf(block).fill(Byte.open, at, at + count);
  }

  private marksOf({ number, sizeBytes }: Pick<MemoryBlock, 'number' | 'sizeBytes'>): Uint8Array {
    let marks = this.marks.get(number);
    if (!marks) this.marks.set(number, (marks = new Uint8Array(sizeBytes)));
    return marks;
  }
}

/** Values of which pointers are compared only where every machine would say the same. */
export class ComparedByPlace extends ConcreteValues {
  constructor(
    model: DataModel,
    private readonly block: (number: number) => MemoryBlock | undefined,
    private readonly choose: () => never,
  ) {
    super(model);
  }

  override compare(operator: CompareOperator, type: Scalar): (a: ConcreteValue, b: ConcreteValue) => ConcreteValue {
    const compared = super.compare(operator, type);
    if (type.kind !== 'pointer' || operator === 'lt' || operator === 'le') return compared;
    return (a, b) => {
      if (a !== b && a !== 0 && b !== 0 && this.mayMeet(a, b)) this.choose();
      return compared(a, b);
    };
  }

  private mayMeet(a: ConcreteValue, b: ConcreteValue): boolean {
    if (objectNumber(a) === objectNumber(b)) return false;
    const [one, other] = [this.block(objectNumber(a)), this.block(objectNumber(b))];
    if (!one || !other || one.kind === 'function' || other.kind === 'function') return false;
    const [at, otherAt] = [offsetBytes(a), offsetBytes(b)];
    return (
      !one.live || !other.live || (at === one.sizeBytes && otherAt === 0) || (otherAt === other.sizeBytes && at === 0)
    );
  }
}
