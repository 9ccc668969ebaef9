/**
 * Values of arrays with cheap versions (Baker's shallow binding). A write shares everything with the array it was made
 * from. The version last touched holds the map; every other version holds its difference from a neighbour. A chain of
 * writes is therefore read in constant time, and no version is ever copied. Entries equal to the default are not
 * stored.
 */
import { NotComputable } from '../notComputable';
import type { ArrayValue, Sort, Value } from '../term';

type Content =
  | { readonly kind: 'map'; readonly map: Map<bigint, Value> }
  /** As `next`, except that `index` holds `value` (undefined: the default). */
  | {
      readonly kind: 'difference';
      readonly index: bigint;
      readonly value: Value | undefined;
      readonly next: VersionedArray;
    };

class VersionedArray implements ArrayValue {
  private snapshot: ReadonlyMap<bigint, Value> | undefined;
  constructor(
    readonly element: Sort,
    readonly default_: Value,
    private content: Content,
  ) {}

  get default(): Value {
    return this.default_;
  }

  get entries(): ReadonlyMap<bigint, Value> {
    return (this.snapshot ??= new Map([...this.bind()].sort(([a], [b]) => (a < b ? -1 : 1))));
  }

  get(index: bigint): Value {
    return this.bind().get(index) ?? this.default_;
  }

  with(index: bigint, value: Value): VersionedArray {
    const map = this.bind();
    const before = map.get(index);
    const after = equalValues(value, this.default_, this.element) ? undefined : value;
    if (before === after) return this;
    put(map, index, after);
    const next = new VersionedArray(this.element, this.default_, { kind: 'map', map });
    this.content = { kind: 'difference', index, value: before, next };
    return next;
  }

  /** Makes this version the one that holds the map. */
  private bind(): Map<bigint, Value> {
    const path: VersionedArray[] = [];
    for (let at: VersionedArray = this; ; at = at.content.next) {
      if (at.content.kind === 'map') {
        const { map } = at.content;
        let holder = at;
        for (const version of path.reverse()) {
          const { index, value } = version.content as Content & { kind: 'difference' };
          holder.content = { kind: 'difference', index, value: map.get(index), next: version };
          put(map, index, value);
          version.content = { kind: 'map', map };
          holder = version;
        }
        return map;
      }
      path.push(at);
    }
  }
}

function put(map: Map<bigint, Value>, index: bigint, value: Value | undefined): void {
  if (value === undefined) map.delete(index);
  else map.set(index, value);
}

const versions = new WeakMap<ArrayValue, VersionedArray>();

function toVersioned(array: ArrayValue, element: Sort): VersionedArray {
  if (array instanceof VersionedArray) return array;
  let made = versions.get(array);
  if (!made) versions.set(array, (made = arrayValue(array.default, array.entries, element)));
  return made;
}

export function arrayValue(
  default_: Value,
  entries: Iterable<readonly [bigint, Value]>,
  element: Sort,
): VersionedArray {
  const map = new Map<bigint, Value>();
  for (const [index, value] of entries) put(map, index, equalValues(value, default_, element) ? undefined : value);
  return new VersionedArray(element, default_, { kind: 'map', map });
}

/** An array whose elements are computed when they are read; there is no end to list. */
export function lazyArray(read: (index: bigint) => Value, fallback: Value): ArrayValue {
  return {
    default: fallback,
    entries: new Elements(read),
    written: (index, value) => lazyArray((i) => (i === index ? value : read(i)), fallback),
  };
}

class Elements implements ReadonlyMap<bigint, Value> {
  constructor(private readonly read: (index: bigint) => Value) {}
  get(index: bigint): Value {
    return this.read(index);
  }
  has(): boolean {
    return true;
  }
  get size(): number {
    return failUnlisted();
  }
  forEach(): void {
    failUnlisted();
  }
  entries(): MapIterator<[bigint, Value]> {
    return failUnlisted();
  }
  keys(): MapIterator<bigint> {
    return failUnlisted();
  }
  values(): MapIterator<Value> {
    return failUnlisted();
  }
  [Symbol.iterator](): MapIterator<[bigint, Value]> {
    return failUnlisted();
  }
}
function failUnlisted(): never {
  throw new NotComputable('an array without a list of its elements can only be asked for single ones');
}

export function readArray(array: ArrayValue, index: bigint): Value {
  return array instanceof VersionedArray ? array.get(index) : (array.entries.get(index) ?? array.default);
}

export function writeArray(array: ArrayValue, index: bigint, value: Value, element: Sort): ArrayValue {
  return array.written ? array.written(index, value) : toVersioned(array, element).with(index, value);
}

/** Equality as functions: arrays that list all their elements need not agree on the default. */
export function equalValues(a: Value, b: Value, sort: Sort): boolean {
  if (sort.kind !== 'array' || a === b) return a === b;
  const [x, y] = [toVersioned(asArray(a), sort.element), toVersioned(asArray(b), sort.element)];
  const [p, q] = [x.entries, y.entries];
  for (const [index, value] of p) if (!equalValues(value, q.get(index) ?? y.default, sort.element)) return false;
  for (const [index, value] of q) if (!p.has(index) && !equalValues(value, x.default, sort.element)) return false;
  if (equalValues(x.default, y.default, sort.element)) return true;
  const listed = new Set([...p.keys(), ...q.keys()]);
  return BigInt(listed.size) === 1n << BigInt(sort.index.width);
}

export function asArray(value: Value): ArrayValue {
  if (typeof value !== 'object') throw new TypeError(`an array value is needed, not ${typeof value}`);
  return value;
}

/** The default value of a sort: false, 0, or the constant array of the element's default. */
export function defaultValue(sort: Sort): Value {
  switch (sort.kind) {
    case 'boolean':
      return false;
    case 'bits':
      return 0n;
    case 'array':
      return arrayValue(defaultValue(sort.element), [], sort.element);
  }
}
