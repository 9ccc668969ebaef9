/**
 * Objects that code makes and ends by itself, without the host: a number, a region of linear memory, an entry in the
 * table, contents. Nothing else is written down; the host makes a block of it when somebody wants to see one
 * (`ConcreteMemory.recall`).
 *
 * The law: numbers, contents, sites and the order of deaths are those that `ConcreteMemory` would have chosen. Where
 * that needs more than is here (no room, too much memory, a number that only the host knows), the answer is 0 before
 * anything has changed, and the host does it.
 */
import { numberLimits } from '../concreteMemory';
import { queueCapacity, stateWords } from '../objectState';
import { poolBytes } from '../random';
import type { DataModel } from '../../../c/types';
import {
  cells,
  entry,
  firstLargeClass,
  half as halfOf,
  originBytes,
  poolTail,
  property,
  sizeClass,
  tableObjects,
  type LinearLayout,
} from './layout';
import { access, op, type Code, type Signature } from './wasm';

/** Larger objects are the host's. */
const largestDirect = 0x0fff_ffff;

export interface ObjectSupport {
  /** (site, bytes, properties): a live object with indeterminate contents, or 0. */
  readonly make: number;
  /** The same with all bytes zero. */
  readonly makeZeroed: number;
  /** (object): ends its life, if it has not ended. */
  readonly kill: number;
  /** By size: functions for automatic objects, whose size is known when code is written. */
  readonly automatic: ReadonlyMap<number, AutomaticSupport>;
}

export interface AutomaticSupport {
  /** (site): a live object with indeterminate contents, or 0. */
  readonly make: number;
  /** (object of this size, if it is code's own): ends its life, if it has not ended. */
  readonly kill: number;
}

/** Sizes with functions of their own, in one module. */
const mostSizes = 24;

export function objectFunctions(
  layout: LinearLayout,
  model: DataModel,
  sizes: readonly number[],
  hostKill: number,
  define: (signature: Signature, write: (code: Code) => void) => number,
): ObjectSupport {
  const make = (contents: 'zero' | 'indeterminate') =>
    define({ parameters: ['i32', 'i32', 'i32'], result: 'i32' }, (code) => emitMake(code, layout, model, contents));
  return {
    make: make('indeterminate'),
    makeZeroed: make('zero'),
    kill: define({ parameters: ['i32'], result: undefined }, (code) => emitKill(code, layout, hostKill)),
    automatic: new Map(
      sizes
        .filter((size) => size > 0 && size <= poolTail)
        .slice(0, mostSizes)
        .map((size) => [
          size,
          {
            make: define({ parameters: ['i32'], result: 'i32' }, (code) =>
              emitMake(code, layout, model, 'indeterminate', size),
            ),
            kill: define({ parameters: ['i32'], result: undefined }, (code) => emitKill(code, layout, hostKill, size)),
          },
        ]),
    ),
  };
}

const stateWord = (word: keyof typeof stateWords): number => cells.objectState + 4 * stateWords[word];

function load(code: Code, cell: number): void {
  code.i32(0);
  code.access(access.i32load, cell);
}
function store(code: Code, cell: number, push: () => void): void {
  code.i32(0);
  push();
  code.access(access.i32store, cell);
}

/** Pushes the bytes rounded up to a multiple of 16. */
function rounded(code: Code, bytes: number): void {
  code.get(bytes);
  code.i32(15);
  code.op(op.i32add);
  code.i32(-16);
  code.op(op.i32and);
}

/** `sizeClass`: rounds the bytes in the local up, and sets the address of the cell of their class. */
function classify(code: Code, bytes: number, cell: number): void {
  const step = code.local('i32');
  code.get(bytes);
  code.i32(1024);
  code.op(op.i32leU);
  code.if();
  code.get(bytes);
  code.i32(2);
  code.op(op.i32shrU);
  code.set(cell);
  code.else();
  // The logarithm of the step.
  code.i32(29);
  code.get(bytes);
  code.i32(1);
  code.op(op.i32sub);
  code.op(op.i32clz);
  code.op(op.i32sub);
  code.set(step);
  code.get(bytes);
  code.i32(1);
  code.get(step);
  code.op(op.i32shl);
  code.op(op.i32add);
  code.i32(1);
  code.op(op.i32sub);
  code.get(step);
  code.op(op.i32shrU);
  code.tee(bytes);
  // (class - 65 + 5) / 4 bytes: steps + 4 * (step + 2 - 10)
  code.get(step);
  code.i32(8);
  code.op(op.i32sub);
  code.i32(2);
  code.op(op.i32shl);
  code.op(op.i32add);
  code.i32(firstLargeClass - 5);
  code.op(op.i32add);
  code.i32(2);
  code.op(op.i32shl);
  code.set(cell);
  code.get(bytes);
  code.get(step);
  code.op(op.i32shl);
  code.set(bytes);
  code.end();
}

/** `fixed`: the size of an automatic object; the only parameter is the site then. */
function emitMake(
  code: Code,
  layout: LinearLayout,
  model: DataModel,
  contents: 'zero' | 'indeterminate',
  fixed?: number,
): void {
  const [site, size, properties] = [0, 1, 2];
  const pushSize = () => (fixed === undefined ? code.get(size) : code.i32(fixed));
  const [object, address, bytes, cell, half, at, from] = [
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
  ];
  const [a, b, c] = [code.local('i32'), code.local('i32'), code.local('i32')];
  const live = code.local('f64');
  const { maximum, quarantine } = numberLimits[model];
  const entryAddress = () => {
    code.get(object);
    code.i32(4);
    code.op(op.i32shl);
  };
  const origin = () => {
    code.get(object);
    code.i32(Math.log2(originBytes));
    code.op(op.i32shl);
  };
  const hostsTurn = code.block();
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
  code.tee(live);
  code.i32(0);
  code.access(access.f64load, cells.sizes + 8);
  code.op(op.f64gt);
  code.branchIf(hostsTurn);
  // The number that is dead longest, if it is known here that it is dead, or a fresh one.
  load(code, stateWord('deadCount'));
  code.i32(quarantine);
  code.op(op.i32geU);
  code.if();
  load(code, stateWord('firstDead'));
  code.i32(2);
  code.op(op.i32shl);
  code.access(access.i32load, layout.queue);
  code.set(object);
  origin();
  code.access(access.i32load, layout.origins);
  code.op(op.i32eqz);
  code.branchIf(hostsTurn);
  entryAddress();
  code.access(access.i32load, layout.table + entry.properties);
  code.branchIf(hostsTurn);
  code.else();
  load(code, stateWord('next'));
  code.tee(object);
  code.i32(maximum);
  code.op(op.i32geU);
  code.branchIf(hostsTurn);
  code.end();
  // A region.
  const region = fixed === undefined ? undefined : sizeClass(2 * halfOf(fixed));
  const first = cells.freeRegions + (region ? 4 * region.index : 0);
  const pushCell = () => (region ? code.i32(0) : code.get(cell));
  if (!region) {
    rounded(code, size);
    code.tee(half);
    if (contents === 'indeterminate') {
      code.i32(1);
      code.op(op.i32shl);
    }
    code.set(bytes);
    classify(code, bytes, cell);
  }
  pushCell();
  code.access(access.i32load, first);
  code.tee(address);
  code.if();
  pushCell();
  code.get(address);
  code.access(access.i32load, 0);
  code.access(access.i32store, first);
  code.else();
  load(code, cells.heapNext);
  code.tee(address);
  if (region) code.i32(region.bytes);
  else code.get(bytes);
  code.op(op.i32add);
  code.tee(from);
  load(code, cells.heapEnd);
  code.op(op.i32gtU);
  code.branchIf(hostsTurn);
  store(code, cells.heapNext, () => code.get(from));
  code.end();
  // From here on it is made.
  code.get(object);
  load(code, stateWord('next'));
  code.op(op.i32eq);
  code.if();
  store(code, stateWord('next'), () => {
    code.get(object);
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
  code.get(live);
  code.access(access.f64store, cells.sizes);
  origin();
  code.get(site);
  code.op(op.i64extendU);
  code.access(access.i64store, layout.origins);
  store(code, stateWord('site'), () => code.get(site));
  entryAddress();
  code.tee(at);
  code.get(address);
  code.access(access.i32store, layout.table + entry.address);
  code.get(at);
  pushSize();
  code.access(access.i32store, layout.table + entry.size);
  code.get(at);
  if (contents === 'zero') code.i32(0);
  else if (fixed === undefined) code.get(half);
  else code.i32(halfOf(fixed));
  code.access(access.i32store, layout.table + entry.shadow);
  code.get(at);
  if (fixed === undefined) code.get(properties);
  else code.i32(property.live | property.writable);
  code.access(access.i32store, layout.table + entry.properties);
  if (contents === 'zero') {
    code.get(address);
    code.i32(0);
    code.get(size);
    code.fillMemory();
  } else {
    emitDraw(code, a, b, c);
    code.i32(poolBytes - 8);
    code.op(op.i32and);
    code.set(from);
    if (fixed === undefined) emitContents(code, layout, { address, size, half, from, at });
    else emitSmallContents(code, layout, { address, half: halfOf(fixed), from });
  }
  code.get(object);
  code.op(op.return);
  code.end();
  code.i32(0);
}

/** Pushes the next pseudo-random number: `Random.uint32`. */
function emitDraw(code: Code, a: number, b: number, c: number): void {
  const word = (i: number) => cells.random + 4 * i;
  load(code, word(0));
  load(code, word(1));
  code.tee(b);
  code.op(op.i32add);
  load(code, word(3));
  code.tee(c);
  code.op(op.i32add);
  code.set(a); // the result
  store(code, word(3), () => {
    code.get(c);
    code.i32(1);
    code.op(op.i32add);
  });
  load(code, word(2));
  code.set(c);
  store(code, word(0), () => {
    code.get(b);
    code.get(b);
    code.i32(9);
    code.op(op.i32shrU);
    code.op(op.i32xor);
  });
  store(code, word(1), () => {
    code.get(c);
    code.get(c);
    code.i32(3);
    code.op(op.i32shl);
    code.op(op.i32add);
  });
  store(code, word(2), () => {
    code.get(c);
    code.i32(21);
    code.op(op.i32rotl);
    code.get(a);
    code.op(op.i32add);
  });
  code.get(a);
}

/** The same as `emitContents`, without a loop. */
function emitSmallContents(
  code: Code,
  layout: LinearLayout,
  { address, half, from }: { readonly address: number; readonly half: number; readonly from: number },
): void {
  for (let word = 0; word < half; word += 8) {
    code.get(address);
    code.get(from);
    code.access(access.i64load, layout.pool + word);
    code.access(access.i64store, word);
    code.get(address);
    code.i64(0n);
    code.access(access.i64store, half + word);
  }
}

/** Fills an object from the pool (`Random.fill`) and says that nothing of it was written. */
function emitContents(
  code: Code,
  layout: LinearLayout,
  {
    address,
    size,
    half,
    from,
    at,
  }: {
    readonly address: number;
    readonly size: number;
    readonly half: number;
    readonly from: number;
    readonly at: number;
  },
): void {
  code.get(size);
  code.i32(poolTail);
  code.op(op.i32leU);
  code.if();
  // Regions are multiples of 16 bytes, so whole words fit.
  code.get(address);
  code.set(at);
  const next = code.loop();
  for (const word of [0, 8]) {
    code.get(at);
    code.get(from);
    code.access(access.i64load, layout.pool + word);
    code.access(access.i64store, word);
    code.get(at);
    code.get(half);
    code.op(op.i32add);
    code.i64(0n);
    code.access(access.i64store, word);
  }
  code.get(from);
  code.i32(16);
  code.op(op.i32add);
  code.set(from);
  code.get(at);
  code.i32(16);
  code.op(op.i32add);
  code.tee(at);
  code.get(address);
  code.get(half);
  code.op(op.i32add);
  code.op(op.i32ltU);
  code.branchIf(next);
  code.end();
  code.else();
  code.get(address);
  code.get(half);
  code.op(op.i32add);
  code.i32(0);
  code.get(size);
  code.fillMemory();
  // Piece by piece, from the beginning of the pool after its end.
  const piece = code.local('i32');
  const again = code.loop();
  code.get(size);
  code.i32(poolBytes);
  code.get(from);
  code.op(op.i32sub);
  code.tee(piece);
  code.get(size);
  code.get(piece);
  code.op(op.i32ltU);
  code.op(op.select);
  code.set(piece);
  code.get(address);
  code.get(from);
  code.i32(layout.pool);
  code.op(op.i32add);
  code.get(piece);
  code.copyMemory();
  code.i32(0);
  code.set(from);
  code.get(address);
  code.get(piece);
  code.op(op.i32add);
  code.set(address);
  code.get(size);
  code.get(piece);
  code.op(op.i32sub);
  code.tee(size);
  code.branchIf(again);
  code.end();
  code.end();
}

/** `fixed`: the size of every object of code's own that comes here. */
function emitKill(code: Code, layout: LinearLayout, hostKill: number, fixed?: number): void {
  const object = 0;
  const [at, address, size, distance, bytes, cell, count] = [
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
    code.local('i32'),
  ];
  const hostsTurn = code.block();
  code.get(object);
  code.i32(tableObjects);
  code.op(op.i32geU);
  code.branchIf(hostsTurn);
  code.get(object);
  code.i32(Math.log2(originBytes));
  code.op(op.i32shl);
  code.access(access.i32load, layout.origins);
  code.i32(0);
  code.op(op.i32leS);
  code.branchIf(hostsTurn);
  const field = (which: number) => {
    code.get(at);
    code.access(access.i32load, layout.table + which);
  };
  code.get(object);
  code.i32(4);
  code.op(op.i32shl);
  code.set(at);
  field(entry.properties);
  code.op(op.i32eqz);
  code.if();
  code.op(op.return);
  code.end();
  const region = fixed === undefined ? undefined : sizeClass(2 * halfOf(fixed));
  const first = cells.freeRegions + (region ? 4 * region.index : 0);
  const pushCell = () => (region ? code.i32(0) : code.get(cell));
  field(entry.address);
  code.set(address);
  if (fixed === undefined) {
    field(entry.size);
    code.set(size);
    rounded(code, size);
    code.set(bytes);
    field(entry.shadow);
    code.tee(distance);
    code.if();
    code.get(distance);
    code.i32(1);
    code.op(op.i32shl);
    code.set(bytes);
    code.end();
    classify(code, bytes, cell);
  }
  code.get(address);
  pushCell();
  code.access(access.i32load, first);
  code.access(access.i32store, 0);
  pushCell();
  code.get(address);
  code.access(access.i32store, first);
  code.i32(0);
  code.i32(0);
  code.access(access.f64load, cells.sizes);
  if (fixed === undefined) {
    code.get(size);
    code.op(op.f64convertI32S);
  } else {
    code.f64(fixed);
  }
  code.op(op.f64sub);
  code.access(access.f64store, cells.sizes);
  // The size stays where the address was, for who asks about the dead.
  code.get(at);
  if (fixed === undefined) {
    code.get(size);
    code.op(op.i64extendU);
  } else {
    code.i64(BigInt(fixed));
  }
  code.access(access.i64store, layout.table + entry.address);
  code.get(at);
  code.i64(0n);
  code.access(access.i64store, layout.table + entry.shadow);
  code.get(object);
  code.i32(Math.log2(originBytes));
  code.op(op.i32shl);
  load(code, stateWord('site'));
  code.access(access.i32store, layout.origins + 4);
  // The queue of the dead.
  load(code, stateWord('firstDead'));
  load(code, stateWord('deadCount'));
  code.tee(count);
  code.op(op.i32add);
  code.i32(queueCapacity - 1);
  code.op(op.i32and);
  code.i32(2);
  code.op(op.i32shl);
  code.get(object);
  code.access(access.i32store, layout.queue);
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
  code.op(op.return);
  code.end();
  code.get(object);
  code.call(hostKill);
}
