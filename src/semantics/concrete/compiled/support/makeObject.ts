/**
 * Makes an object: chooses its number, takes a region of linear memory, and fills both in. Up to there nothing has
 * changed, so that the host can take over; from there on nothing fails.
 */
import type { DataModel } from '../../../../c/types';
import { numberLimits } from '../../memoryBlock';
import { queueCapacity } from '../../objectState';
import { poolBytes } from '../../random';
import { cells, entry, half as halfOf, originBytes, property, sizeClass, type LinearLayout } from '../layout';
import { access, op, type BranchTarget, type Code, type LocalSource } from '../wasm';
import { load, stateWord, store } from './cells';
import { emitContents, emitDraw, emitSmallContents } from './objectContents';
import { classify, pushRounded } from './sizeClasses';

/** Larger objects are the host's. */
const largestDirect = 0x0fff_ffff;

/** Parameters of the function for objects of any size. */
const [size, properties] = [1, 2];

export interface ObjectPlan {
  readonly model: DataModel;
  readonly contents: 'zero' | 'indeterminate';
  /** Bytes of an automatic object. */
  readonly fixed?: number;
}

/** Pushes the object's number, or 0. `pushSite`: pushes the number of the place in the program. */
export const emitMake = (
  code: Code,
  layout: LinearLayout,
  plan: ObjectPlan,
  pushSite: () => void,
  locals: LocalSource,
): void => new ObjectMaker(code, layout, plan, pushSite, locals).emit();

class ObjectMaker {
  private readonly object: number;
  private readonly address: number;
  private readonly bytes: number;
  private readonly cell: number;
  private readonly half: number;
  private readonly at: number;
  private readonly from: number;
  private readonly drawn: readonly [number, number, number];
  private readonly live: number;
  /** The class of an automatic object's region. */
  private readonly region: ReturnType<typeof sizeClass> | undefined;

  constructor(
    private readonly code: Code,
    private readonly layout: LinearLayout,
    private readonly plan: ObjectPlan,
    private readonly pushSite: () => void,
    locals: LocalSource,
  ) {
    const word = (): number => locals('i32');
    this.object = word();
    this.address = word();
    this.bytes = word();
    this.cell = word();
    this.half = word();
    this.at = word();
    this.from = word();
    this.drawn = [word(), word(), word()];
    this.live = locals('f64');
    this.region = plan.fixed === undefined ? undefined : sizeClass(2 * halfOf(plan.fixed));
  }

  emit(): void {
    const { code } = this;
    const done = code.block('i32');
    const hostsTurn = code.block();
    this.checkSize(hostsTurn);
    this.chooseNumber(hostsTurn);
    this.takeRegion(hostsTurn);
    this.useNumber();
    this.fillEntry();
    this.fillContents();
    code.get(this.object);
    code.branch(done);
    code.end();
    code.i32(0);
    code.end();
  }

  /** Leaves the bytes of live objects, with this one, in `live`. */
  private checkSize(hostsTurn: BranchTarget): void {
    const {
      code,
      plan: { fixed },
    } = this;
    load(code, stateWord('isDirect'));
    code.op(op.i32eqz);
    code.branchIf(hostsTurn);
    if (fixed === undefined) {
      code.get(size);
      code.i32(1);
      code.op(op.i32sub);
      code.i32(largestDirect);
      code.op(op.i32geU);
      code.branchIf(hostsTurn);
    }
    code.i32(0);
    code.access(access.f64load, cells.sizes);
    if (fixed === undefined) {
      code.get(size);
      code.op(op.f64convertI32S);
    } else {
      code.f64(fixed);
    }
    code.op(op.f64add);
    code.tee(this.live);
    code.i32(0);
    code.access(access.f64load, cells.sizes + 8);
    code.op(op.f64gt);
    code.branchIf(hostsTurn);
  }

  /** The number that is dead longest, if it is known here that it is dead, or a fresh one. */
  private chooseNumber(hostsTurn: BranchTarget): void {
    const { code, layout } = this;
    const { maximum, quarantine } = numberLimits[this.plan.model];
    load(code, stateWord('deadCount'));
    code.i32(quarantine);
    code.op(op.i32geU);
    code.if();
    load(code, stateWord('firstDead'));
    code.i32(2);
    code.op(op.i32shl);
    code.access(access.i32load, layout.queue);
    code.set(this.object);
    this.pushOrigin();
    code.access(access.i32load, layout.origins);
    code.op(op.i32eqz);
    code.branchIf(hostsTurn);
    this.pushEntry();
    code.access(access.i32load, layout.table + entry.properties);
    code.branchIf(hostsTurn);
    code.else();
    load(code, stateWord('next'));
    code.tee(this.object);
    code.i32(maximum);
    code.op(op.i32geU);
    code.branchIf(hostsTurn);
    code.end();
  }

  /** The first free region of the size's class, or fresh memory. */
  private takeRegion(hostsTurn: BranchTarget): void {
    const { code, region } = this;
    const first = cells.freeRegions + (region ? 4 * region.index : 0);
    const pushCell = () => (region ? code.i32(0) : code.get(this.cell));
    if (!region) {
      pushRounded(code, size);
      code.tee(this.half);
      if (this.plan.contents === 'indeterminate') {
        code.i32(1);
        code.op(op.i32shl);
      }
      code.set(this.bytes);
      classify(code, this.bytes, this.cell);
    }
    pushCell();
    code.access(access.i32load, first);
    code.tee(this.address);
    code.if();
    pushCell();
    code.get(this.address);
    code.access(access.i32load, 0);
    code.access(access.i32store, first);
    code.else();
    load(code, cells.heapNext);
    code.tee(this.address);
    if (region) code.i32(region.bytes);
    else code.get(this.bytes);
    code.op(op.i32add);
    code.tee(this.from);
    load(code, cells.heapEnd);
    code.op(op.i32gtU);
    code.branchIf(hostsTurn);
    store(code, cells.heapNext, () => code.get(this.from));
    code.end();
  }

  private useNumber(): void {
    const { code } = this;
    code.get(this.object);
    load(code, stateWord('next'));
    code.op(op.i32eq);
    code.if();
    store(code, stateWord('next'), () => {
      code.get(this.object);
      code.i32(1);
      code.op(op.i32add);
    });
    code.else();
    store(code, stateWord('firstDead'), () => {
      load(code, stateWord('firstDead'));
      code.i32(1);
      code.op(op.i32add);
      code.i32(queueCapacity - 1);
      code.op(op.i32and);
    });
    store(code, stateWord('deadCount'), () => {
      load(code, stateWord('deadCount'));
      code.i32(1);
      code.op(op.i32sub);
    });
    code.end();
    code.i32(0);
    code.get(this.live);
    code.access(access.f64store, cells.sizes);
    this.pushOrigin();
    this.pushSite();
    code.op(op.i64extendU);
    code.access(access.i64store, this.layout.origins);
    store(code, stateWord('site'), this.pushSite);
  }

  private fillEntry(): void {
    const {
      code,
      layout: { table },
      plan: { contents, fixed },
    } = this;
    this.pushEntry();
    code.tee(this.at);
    code.get(this.address);
    code.access(access.i32store, table + entry.address);
    code.get(this.at);
    if (fixed === undefined) code.get(size);
    else code.i32(fixed);
    code.access(access.i32store, table + entry.size);
    code.get(this.at);
    if (fixed !== undefined) {
      // The distance of the shadow, and the properties behind it.
      code.i64(BigInt(halfOf(fixed)) | (BigInt(property.live | property.writable) << 32n));
      return code.access(access.i64store, table + entry.shadow);
    }
    if (contents === 'zero') code.i32(0);
    else code.get(this.half);
    code.access(access.i32store, table + entry.shadow);
    code.get(this.at);
    code.get(properties);
    code.access(access.i32store, table + entry.properties);
  }

  private fillContents(): void {
    const {
      code,
      layout,
      plan: { contents, fixed },
      address,
      half,
      at,
      from,
    } = this;
    if (contents === 'zero') {
      code.get(address);
      code.i32(0);
      code.get(size);
      code.fillMemory();
      return;
    }
    emitDraw(code, ...this.drawn);
    code.i32(poolBytes - 8);
    code.op(op.i32and);
    code.set(from);
    if (fixed === undefined) emitContents(code, layout, { address, size, half, from, at });
    else emitSmallContents(code, layout, { address, half: halfOf(fixed), from, sizeBytes: fixed });
  }

  private pushEntry(): void {
    const { code } = this;
    code.get(this.object);
    code.i32(4);
    code.op(op.i32shl);
  }

  private pushOrigin(): void {
    const { code } = this;
    code.get(this.object);
    code.i32(Math.log2(originBytes));
    code.op(op.i32shl);
  }
}
