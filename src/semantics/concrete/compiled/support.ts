/**
 * The functions every compiled module has besides the program's: what the host does for it, by number, and pieces of
 * memory handling that are too long to repeat at each access. Arguments of host functions are 32-bit numbers, of which
 * JavaScript makes no bigints.
 */
import type { DataModel } from '../../../c/types';
import { cells, entry, mostSeen, seenEntries, seenEntryBytes, tableObjects, type LinearLayout } from './layout';
import { objectFunctions, type ObjectSupport } from './objectSupport';
import { access, Code, goldenRatio, op, type Signature } from './wasm';

/**
 * Functions of the host. `site` numbers a command of the module; a status other than 0 means: hand over, the reference
 * machine goes on here.
 */
export const hostFunctions = {
  /** (object): 1 when the object is live and was brought into linear memory now. */
  touch: { parameters: ['i32'], result: 'i32' },
  /** (object): its properties, dead or alive. */
  properties: { parameters: ['i32'], result: 'i32' },
  /** (object): its size, dead or alive. */
  size: { parameters: ['i32'], result: 'i32' },
  /** A float that is no int64: its integral part modulo 2^64, 0 when it has none. */
  truncate: { parameters: ['f64'], result: 'i64' },
  /** (site, low and high half of the size): an object's number, or -1 for handing over. */
  allocate: { parameters: ['i32', 'i32', 'i32'], result: 'i32' },
  /** (site): an object's number in linear memory, or -1 for handing over. The slot has none. */
  declare: { parameters: ['i32'], result: 'i32' },
  /** (object): ends the life of an object that the host has made, at the site that was set. */
  kill: { parameters: ['i32'], result: undefined },
  /** (target object and offset, source object and offset, size): status. */
  copy: { parameters: ['i32', 'i32', 'i32', 'i32', 'i32'], result: 'i32' },
  /** (site): status. Arguments and result in the cells. */
  native: { parameters: ['i32'], result: 'i32' },
  /** (site): status. Result in its cell. */
  choose: { parameters: ['i32'], result: 'i32' },
} as const satisfies Readonly<Record<string, Signature>>;
export type HostFunction = keyof typeof hostFunctions;
export const hostFunctionNames = Object.keys(hostFunctions) as HostFunction[];

/** Indices of functions. */
export interface Support extends ObjectSupport {
  readonly host: Readonly<Record<HostFunction, number>>;
  /** (pointer, bytes): linear address, or 0 when not all of them lie in a live object. */
  readonly resolve: number;
  readonly size: number;
  readonly properties: number;
  /** (pointer, linear address, bytes): they count as written. */
  readonly markWritten: number;
  readonly initialised: number;
  /** Status. */
  readonly copy: number;
  readonly fill: number;
  readonly truncate: number;
  /** Pointers as ILP32's integers, and back. */
  readonly pack: number;
  readonly unpack: number;
  /**
   * Packed pointers as the addresses that C sees when it makes numbers of them, and back: by data model, so that 64
   * bits or 32.
   */
  readonly address: Readonly<Record<DataModel, number>>;
  readonly pointer: Readonly<Record<DataModel, number>>;
  /** (pointer, bytes), for ILP32. */
  readonly offset: number;
  /**
   * (number of a location, bits, bits of the entry, place in the cache): whether they were seen there before; from now
   * on they were.
   */
  readonly seen: number;
}

export function supportFunctions(
  layout: LinearLayout,
  model: DataModel,
  automaticSizes: readonly number[],
): {
  readonly support: Support;
  readonly functions: readonly { readonly signature: Signature; readonly body: Uint8Array }[];
} {
  const host = Object.fromEntries(hostFunctionNames.map((name, i) => [name, i])) as Record<HostFunction, number>;
  const functions: { signature: Signature; body: Uint8Array }[] = [];
  const define = (signature: Signature, write: (code: Code) => void): number => {
    const code = new Code(signature);
    write(code);
    functions.push({ signature, body: code.finish() });
    return hostFunctionNames.length + functions.length - 1;
  };
  const field = (code: Code, object: number, which: number) => {
    code.get(object);
    code.i32(4);
    code.op(op.i32shl);
    code.access(access.i32load, layout.table + which);
  };
  const objectOf = (code: Code, pointer: number) => {
    code.get(pointer);
    code.i64(32n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
  };

  const resolve = define({ parameters: ['i64', 'i32'], result: 'i32' }, (code) => {
    const [pointer, count] = [0, 1];
    const object = code.local('i32');
    const offset = code.local('i32');
    const limit = code.local('i32');
    objectOf(code, pointer);
    code.tee(object);
    code.i32(tableObjects);
    code.op(op.i32geU);
    code.if();
    code.i32(0);
    code.op(op.return);
    code.end();
    code.get(pointer);
    code.op(op.i32wrap);
    code.set(offset);
    const again = code.loop();
    code.get(offset);
    field(code, object, entry.size);
    code.tee(limit);
    code.op(op.i32ltU);
    code.if();
    code.get(offset);
    code.get(count);
    code.op(op.i32add);
    code.get(limit);
    code.op(op.i32leU);
    code.if();
    field(code, object, entry.address);
    code.get(offset);
    code.op(op.i32add);
    code.op(op.return);
    code.end();
    code.end();
    code.get(object);
    code.call(host.touch);
    code.branchIf(again);
    code.end();
    code.i32(0);
  });
  const asked = (code: Code, which: number, ask: number) => {
    const object = code.local('i32');
    objectOf(code, 0);
    code.tee(object);
    code.i32(tableObjects);
    code.op(op.i32ltU);
    code.if();
    field(code, object, entry.properties);
    code.if();
    field(code, object, which);
    code.op(op.return);
    code.end();
    code.end();
    code.get(object);
    code.call(ask);
  };
  const size32 = define({ parameters: ['i64'], result: 'i32' }, (code) => asked(code, entry.size, host.size));
  const size = define({ parameters: ['i64'], result: 'i64' }, (code) => {
    code.get(0);
    code.call(size32);
    code.op(op.i64extendU);
  });
  const properties = define({ parameters: ['i64'], result: 'i32' }, (code) =>
    asked(code, entry.properties, host.properties),
  );

  const shadowOf = (code: Code, pointer: number) => {
    code.get(pointer);
    code.i64(28n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.i32(-16);
    code.op(op.i32and);
    code.access(access.i32load, layout.table + entry.shadow);
  };
  const markWritten = define({ parameters: ['i64', 'i32', 'i32'], result: undefined }, (code) => {
    const shadow = code.local('i32');
    shadowOf(code, 0);
    code.tee(shadow);
    code.if();
    code.get(1);
    code.get(shadow);
    code.op(op.i32add);
    code.i32(1);
    code.get(2);
    code.fillMemory();
    code.end();
  });
  const initialised = define({ parameters: ['i64', 'i32'], result: 'i32' }, (code) => {
    const at = code.local('i32');
    const end = code.local('i32');
    const shadow = code.local('i32');
    code.get(0);
    code.get(1);
    code.call(resolve);
    code.tee(at);
    code.op(op.i32eqz);
    code.if();
    code.i32(0);
    code.op(op.return);
    code.end();
    shadowOf(code, 0);
    code.tee(shadow);
    code.op(op.i32eqz);
    code.if();
    code.i32(1);
    code.op(op.return);
    code.end();
    code.get(at);
    code.get(shadow);
    code.op(op.i32add);
    code.tee(at);
    code.get(1);
    code.op(op.i32add);
    code.set(end);
    const next = code.loop();
    code.get(at);
    code.access(access.i32load8U, 0);
    code.op(op.i32eqz);
    code.if();
    code.i32(0);
    code.op(op.return);
    code.end();
    code.get(at);
    code.i32(1);
    code.op(op.i32add);
    code.tee(at);
    code.get(end);
    code.op(op.i32ltU);
    code.branchIf(next);
    code.end();
    code.i32(1);
  });

  /** Leaves the function unless the int64 in the local is a possible number of bytes. */
  const unlessPossible = (code: Code, count: number, result: () => void) => {
    code.get(count);
    code.i64(1n);
    code.op(op.i64sub);
    code.i64(0x7fff_fffen);
    code.op(op.i64geU);
    code.if();
    result();
    code.op(op.return);
    code.end();
  };
  const copy = define({ parameters: ['i64', 'i64', 'i64'], result: 'i32' }, (code) => {
    const [target, source, size64] = [0, 1, 2];
    const [count, to, from, toShadow, fromShadow] = [
      code.local('i32'),
      code.local('i32'),
      code.local('i32'),
      code.local('i32'),
      code.local('i32'),
    ];
    unlessPossible(code, size64, () => code.i32(0));
    code.get(size64);
    code.op(op.i32wrap);
    code.set(count);
    for (const [pointer, at] of [
      [source, from],
      [target, to],
    ] as const) {
      code.get(pointer);
      code.get(count);
      code.call(resolve);
      code.tee(at);
      code.op(op.i32eqz);
      code.if();
      code.i32(0);
      code.op(op.return);
      code.end();
    }
    shadowOf(code, target);
    code.set(toShadow);
    shadowOf(code, source);
    code.tee(fromShadow);
    code.if();
    code.get(toShadow);
    code.if();
    code.get(to);
    code.get(toShadow);
    code.op(op.i32add);
    code.get(from);
    code.get(fromShadow);
    code.op(op.i32add);
    code.get(count);
    code.copyMemory();
    code.else();
    for (const pointer of [target, source]) {
      objectOf(code, pointer);
      code.get(pointer);
      code.op(op.i32wrap);
    }
    code.get(count);
    code.call(host.copy);
    code.op(op.return);
    code.end();
    code.else();
    code.get(toShadow);
    code.if();
    code.get(to);
    code.get(toShadow);
    code.op(op.i32add);
    code.i32(1);
    code.get(count);
    code.fillMemory();
    code.end();
    code.end();
    code.get(to);
    code.get(from);
    code.get(count);
    code.copyMemory();
    code.i32(0);
  });
  const fill = define({ parameters: ['i64', 'i32', 'i64'], result: undefined }, (code) => {
    const [target, byte, size64] = [0, 1, 2];
    const [count, to] = [code.local('i32'), code.local('i32')];
    unlessPossible(code, size64, () => {});
    code.get(size64);
    code.op(op.i32wrap);
    code.set(count);
    code.get(target);
    code.get(count);
    code.call(resolve);
    code.tee(to);
    code.op(op.i32eqz);
    code.if();
    code.op(op.return);
    code.end();
    code.get(to);
    code.get(byte);
    code.get(count);
    code.fillMemory();
    code.get(target);
    code.get(to);
    code.get(count);
    code.call(markWritten);
  });
  const truncate = define({ parameters: ['f64'], result: 'i64' }, (code) => {
    code.get(0);
    code.op(op.f64abs);
    code.f64(2 ** 63);
    code.op(op.f64lt);
    code.if('i64');
    code.get(0);
    code.truncateToI64('f64');
    code.else();
    code.get(0);
    code.call(host.truncate);
    code.end();
  });
  const pack = define({ parameters: ['i64'], result: 'i32' }, (code) => {
    objectOf(code, 0);
    code.i32(16);
    code.op(op.i32shl);
    code.get(0);
    code.op(op.i32wrap);
    code.i32(0xffff);
    code.op(op.i32and);
    code.op(op.i32or);
  });
  /** The signed 16-bit offset on the stack as the low half of a pointer. */
  const lowHalf = (code: Code) => {
    code.op(op.i32extend16S);
    code.op(op.i64extendU);
    code.op(op.i64or);
  };
  const unpack = define({ parameters: ['i32'], result: 'i64' }, (code) => {
    code.get(0);
    code.i32(16);
    code.op(op.i32shrU);
    code.op(op.i64extendU);
    code.i64(32n);
    code.op(op.i64shl);
    code.get(0);
    lowHalf(code);
  });
  /** A negative offset has taken one from the object's number above it, or takes one. */
  const carry = (code: Code, model: DataModel) => {
    code.get(0);
    code.get(0);
    if (model === 'lp64') {
      code.i64(1n);
      code.op(op.i64shl);
      code.i64(0x1_0000_0000n);
      code.op(op.i64and);
    } else {
      code.i32(1);
      code.op(op.i32shl);
      code.i32(0x1_0000);
      code.op(op.i32and);
    }
  };
  const address = {
    lp64: define({ parameters: ['i64'], result: 'i64' }, (code) => {
      carry(code, 'lp64');
      code.op(op.i64sub);
    }),
    ilp32: define({ parameters: ['i32'], result: 'i32' }, (code) => {
      carry(code, 'ilp32');
      code.op(op.i32sub);
    }),
  };
  const pointer = {
    lp64: define({ parameters: ['i64'], result: 'i64' }, (code) => {
      carry(code, 'lp64');
      code.op(op.i64add);
    }),
    ilp32: define({ parameters: ['i32'], result: 'i32' }, (code) => {
      carry(code, 'ilp32');
      code.op(op.i32add);
    }),
  };
  const offset = define({ parameters: ['i64', 'i64'], result: 'i64' }, (code) => {
    code.get(0);
    code.i64(-0x1_0000_0000n);
    code.op(op.i64and);
    code.get(0);
    code.op(op.i32wrap);
    code.get(1);
    code.op(op.i32wrap);
    code.op(op.i32add);
    lowHalf(code);
  });
  const seen = define({ parameters: ['i32', 'i64', 'i64', 'i32'], result: 'i32' }, (code) => {
    const [location, bits, entered, place] = [0, 1, 2, 3];
    const at = code.local('i32');
    const found = () => {
      code.get(at);
      code.access(access.i32load, layout.seen);
    };
    code.get(place);
    code.get(bits);
    code.access(access.i64store, 0);
    code.get(place);
    code.get(entered);
    code.access(access.i64store, 8);
    // Linear probing.
    code.get(bits);
    code.get(entered);
    code.i64(0x2545_f491_4f6c_dd1dn);
    code.op(op.i64mul);
    code.op(op.i64xor);
    code.get(location);
    code.op(op.i64extendU);
    code.i64(40n);
    code.op(op.i64shl);
    code.op(op.i64xor);
    code.i64(goldenRatio);
    code.op(op.i64mul);
    code.i64(BigInt(64 - Math.log2(seenEntries)));
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.i32(Math.log2(seenEntryBytes));
    code.op(op.i32shl);
    code.set(at);
    const again = code.loop();
    found();
    code.if();
    found();
    code.get(location);
    code.i32(1);
    code.op(op.i32add);
    code.op(op.i32eq);
    code.get(at);
    code.access(access.i64load, layout.seen + 8);
    code.get(bits);
    code.op(op.i64eq);
    code.op(op.i32and);
    code.get(at);
    code.access(access.i64load, layout.seen + 16);
    code.get(entered);
    code.op(op.i64eq);
    code.op(op.i32and);
    code.if();
    code.i32(1);
    code.op(op.return);
    code.end();
    code.get(at);
    code.i32(seenEntryBytes);
    code.op(op.i32add);
    code.i32(seenEntries * seenEntryBytes - 1);
    code.op(op.i32and);
    code.set(at);
    code.branch(again);
    code.end();
    code.end();
    code.i32(0);
    code.access(access.i32load, cells.seen);
    code.i32(mostSeen);
    code.op(op.i32geU);
    code.if();
    // Not noted, so it is to be asked about again.
    code.get(place);
    code.i64(-1n);
    code.access(access.i64store, 0);
    code.i32(0);
    code.op(op.return);
    code.end();
    code.i32(0);
    code.i32(0);
    code.access(access.i32load, cells.seen);
    code.i32(1);
    code.op(op.i32add);
    code.access(access.i32store, cells.seen);
    code.get(at);
    code.get(location);
    code.i32(1);
    code.op(op.i32add);
    code.access(access.i32store, layout.seen);
    code.get(at);
    code.get(bits);
    code.access(access.i64store, layout.seen + 8);
    code.get(at);
    code.get(entered);
    code.access(access.i64store, layout.seen + 16);
    code.i32(0);
  });
  return {
    support: {
      host,
      ...objectFunctions(layout, model, automaticSizes, host.kill, define),
      seen,
      resolve,
      size,
      properties,
      markWritten,
      initialised,
      copy,
      fill,
      truncate,
      pack,
      unpack,
      address,
      pointer,
      offset,
    },
    functions,
  };
}
