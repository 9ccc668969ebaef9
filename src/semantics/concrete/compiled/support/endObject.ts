/**
 * Ends the life of an object that code has made: its region is free, and its number waits in the queue of the dead.
 * What is no live object of code's own is the host's to end, or ended.
 */
import { queueCapacity } from '../../objectState';
import {
  cells,
  deadEntry,
  entry,
  half as halfOf,
  originBytes,
  property,
  sizeClass,
  tableObjects,
  type LinearLayout,
} from '../layout';
import { access, op, type BranchTarget, type Code, type LocalSource } from '../wasm';
import { load, stateWord, store } from './cells';
import { pushIsOrdinary } from './confinedObjects';
import { classify, pushRounded } from './sizeClasses';

/** `fixed`: the size of every object of code's own that comes here. */
export const emitKill = (
  code: Code,
  layout: LinearLayout,
  hostKill: number,
  { object, fixed, locals }: EndedObject,
): void => new ObjectEnder(code, layout, object, fixed, locals).emit(hostKill);

export interface EndedObject {
  /** Local with its number. */
  readonly object: number;
  readonly fixed?: number;
  readonly locals: LocalSource;
}

class ObjectEnder {
  private readonly at: number;
  private readonly address: number;
  private readonly size: number;
  private readonly distance: number;
  private readonly bytes: number;
  private readonly cell: number;
  private readonly count: number;

  constructor(
    private readonly code: Code,
    private readonly layout: LinearLayout,
    private readonly object: number,
    private readonly fixed: number | undefined,
    locals: LocalSource,
  ) {
    const word = (): number => locals('i32');
    this.at = word();
    this.address = word();
    this.size = word();
    this.distance = word();
    this.bytes = word();
    this.cell = word();
    this.count = word();
  }

  emit(hostKill: number): void {
    const { code } = this;
    const done = code.block();
    const hostsTurn = code.block();
    this.checkOwner(hostsTurn);
    this.leaveIfDead(done);
    this.freeRegion();
    this.subtractSize();
    this.clearEntry();
    this.queueNumber();
    code.branch(done);
    code.end();
    code.get(this.object);
    code.call(hostKill);
    code.end();
  }

  private checkOwner(hostsTurn: BranchTarget): void {
    const { code } = this;
    code.get(this.object);
    code.i32(tableObjects);
    code.op(op.i32geU);
    code.branchIf(hostsTurn);
    this.pushOrigin();
    code.access(access.i32load, this.layout.origins);
    code.i32(0);
    code.op(op.i32leS);
    code.branchIf(hostsTurn);
    if (this.fixed !== undefined || this.layout.confinedEnd === this.layout.confined) return;
    pushIsOrdinary(code, this.layout, this.object);
    code.op(op.i32eqz);
    code.branchIf(hostsTurn);
  }

  /** Sets the address of the entry. */
  private leaveIfDead(done: BranchTarget): void {
    const { code } = this;
    code.get(this.object);
    code.i32(4);
    code.op(op.i32shl);
    code.set(this.at);
    this.pushField(entry.properties);
    code.op(op.i32eqz);
    code.branchIf(done);
  }

  private freeRegion(): void {
    const { code, fixed } = this;
    const region = fixed === undefined ? undefined : sizeClass(2 * halfOf(fixed));
    const first = cells.freeRegions + (region ? 4 * region.index : 0);
    const pushCell = () => (region ? code.i32(0) : code.get(this.cell));
    this.pushField(entry.address);
    code.set(this.address);
    if (fixed === undefined) {
      this.pushField(entry.size);
      code.set(this.size);
      pushRounded(code, this.size);
      code.set(this.bytes);
      this.pushField(entry.shadow);
      code.tee(this.distance);
      code.if();
      code.get(this.distance);
      code.i32(1);
      code.op(op.i32shl);
      code.set(this.bytes);
      code.end();
      classify(code, this.bytes, this.cell);
    }
    code.get(this.address);
    pushCell();
    code.access(access.i32load, first);
    code.access(access.i32store, 0);
    pushCell();
    code.get(this.address);
    code.access(access.i32store, first);
  }

  private subtractSize(): void {
    const { code, fixed } = this;
    code.i32(0);
    code.i32(0);
    code.access(access.f64load, cells.sizes);
    if (fixed === undefined) {
      code.get(this.size);
      code.op(op.f64convertI32S);
    } else {
      code.f64(fixed);
    }
    code.op(op.f64sub);
    code.access(access.f64store, cells.sizes);
  }

  /** Size and properties move to other fields: dead objects have them, too. The origin names the site of the death. */
  private clearEntry(): void {
    const {
      code,
      fixed,
      layout: { origins, table },
    } = this;
    code.get(this.at);
    if (fixed === undefined) {
      code.get(this.size);
      code.op(op.i64extendU);
    } else {
      code.i64(BigInt(fixed));
    }
    code.access(access.i64store, table + deadEntry.size);
    code.get(this.at);
    if (fixed === undefined) {
      this.pushField(entry.properties);
      code.i32(property.live);
      code.op(op.i32xor);
      code.op(op.i64extendU);
    } else {
      code.i64(BigInt(property.writable));
    }
    code.access(access.i64store, table + deadEntry.properties);
    this.pushOrigin();
    load(code, stateWord('site'));
    code.access(access.i32store, origins + 4);
  }

  /** The queue of the dead. If it is full, the one that is dead longest leaves it. */
  private queueNumber(): void {
    const { code, count } = this;
    load(code, stateWord('firstDead'));
    load(code, stateWord('deadCount'));
    code.tee(count);
    code.op(op.i32add);
    code.i32(queueCapacity - 1);
    code.op(op.i32and);
    code.i32(2);
    code.op(op.i32shl);
    code.get(this.object);
    code.access(access.i32store, this.layout.queue);
    code.get(count);
    code.i32(queueCapacity);
    code.op(op.i32eq);
    code.if();
    store(code, stateWord('firstDead'), () => {
      load(code, stateWord('firstDead'));
      code.i32(1);
      code.op(op.i32add);
      code.i32(queueCapacity - 1);
      code.op(op.i32and);
    });
    code.else();
    store(code, stateWord('deadCount'), () => {
      code.get(count);
      code.i32(1);
      code.op(op.i32add);
    });
    code.end();
  }

  private pushField(which: number): void {
    const { code } = this;
    code.get(this.at);
    code.access(access.i32load, this.layout.table + which);
  }

  private pushOrigin(): void {
    const { code } = this;
    code.get(this.object);
    code.i32(Math.log2(originBytes));
    code.op(op.i32shl);
  }
}
