import fc from 'fast-check';
import type { DataModel } from '../../../src/c/types';
import {
  float32,
  float64,
  int16,
  int32,
  int64,
  int8,
  pointer,
  uint16,
  uint32,
  uint64,
  uint8,
  type Scalar,
} from '../../../src/program/expression';
import {
  addressOf,
  ConcreteValues,
  objectNumber,
  pointerTo,
  randomValue,
  type ConcreteValue,
} from '../../../src/semantics/concrete/concreteValues';
import { ConcreteMemory } from '../../../src/semantics/concrete/concreteMemory';
import { MemoryExhausted } from '../../../src/semantics/concrete/memoryBlock';
import { Random } from '../../../src/semantics/concrete/random';

const scalars: Scalar[] = [int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64, pointer];
const create = (model: DataModel = 'lp64', limit = 2 ** 28) => new ConcreteMemory(model, new Random(1), limit);
const heap = (memory: ConcreteMemory, sizeBytes: number) => memory.make({ kind: 'heap', sizeBytes, contents: 'zero' });
const after = (p: ConcreteValue, bytes: number) => new ConcreteValues('lp64').offset(p, BigInt(bytes));
const bytesOf = (memory: ConcreteMemory, p: ConcreteValue) => [...memory.block(p)!.bytes];
const initialised = (memory: ConcreteMemory, p: ConcreteValue, size: number) =>
  Array.from({ length: size }, (_, i) => memory.isInitialised(after(p, i), 1));

test.each<DataModel>(['lp64', 'ilp32'])('what is stored is loaded, for every type and place (%s)', (model) => {
  const random = new Random(7);
  fc.assert(
    fc.property(fc.constantFrom(...scalars), fc.nat(20), (type, at) => {
      const memory = create(model);
      const p = heap(memory, 28);
      const value = randomValue(type, random, model);
      memory.store(after(p, at), type, value);
      expect(memory.load(after(p, at), type)).toBe(value);
    }),
    { numRuns: 500 },
  );
});

test('bytes are little-endian and pointers are their addresses', () => {
  const memory = create();
  const p = heap(memory, 8);
  memory.store(p, uint32, 0x11223344);
  expect(bytesOf(memory, p).slice(0, 4)).toEqual([0x44, 0x33, 0x22, 0x11]);
  memory.store(p, pointer, pointerTo(9, -1));
  expect(memory.load(p, uint64)).toBe(addressOf(pointerTo(9, -1), 'lp64'));
  const small = create('ilp32');
  const q = heap(small, 4);
  small.store(q, pointer, pointerTo(9, -1));
  expect(small.load(q, uint32)).toBe(0x0008_ffff);
});

test('outside live blocks loads give zero and stores do nothing', () => {
  const memory = create();
  const p = heap(memory, 4);
  const q = heap(memory, 4);
  memory.store(q, int32, 5);
  for (const wrong of [after(p, 1), after(p, 4), after(p, -1), pointerTo(77), 0, pointerTo(0xffff_ffff, 3)]) {
    expect(memory.load(wrong, int32)).toBe(0);
    expect(memory.load(wrong, uint64)).toBe(0n);
    memory.store(wrong, int32, -1);
  }
  expect([...memory.liveBlocks()].flatMap(({ bytes }) => [...bytes])).toEqual([0, 0, 0, 0, 5, 0, 0, 0]);
  memory.free(p);
  expect(memory.load(p, int32)).toBe(0);
  expect([memory.isLive(p), memory.isLive(q), memory.isHeap(p), memory.objectSize(p)]).toEqual([0, 1, 1, 4n]);
});

test('initialisedness follows stores, copies and fills', () => {
  const memory = create();
  const p = memory.make({ kind: 'heap', sizeBytes: 4 });
  const q = memory.make({ kind: 'automatic', sizeBytes: 4, name: 'q' });
  memory.store(after(p, 1), uint16, 7);
  expect(initialised(memory, p, 5)).toEqual([0, 1, 1, 0, 0]);
  memory.copy(after(q, 1), p, 3n);
  expect(initialised(memory, q, 4)).toEqual([0, 0, 1, 1]);
  memory.fill(q, 0, 2n);
  expect(memory.isInitialised(q, 4)).toBe(1);
  const zeroed = heap(memory, 4);
  memory.copy(zeroed, p, 2n);
  expect(initialised(memory, zeroed, 4)).toEqual([0, 1, 1, 1]);
});

test('copies may overlap', () => {
  const memory = create();
  const p = memory.make({ kind: 'heap', sizeBytes: 6, contents: Uint8Array.of(1, 2, 3, 4, 5, 6) });
  memory.copy(after(p, 2), p, 4n);
  expect(bytesOf(memory, p)).toEqual([1, 2, 1, 2, 3, 4]);
  const snapshot = memory.snapshot();
  memory.copy(p, after(p, 2), 4n);
  expect(bytesOf(memory, p)).toEqual([1, 2, 3, 4, 3, 4]);
  memory.restore(snapshot);
  expect(bytesOf(memory, p)).toEqual([1, 2, 1, 2, 3, 4]);
});

test('snapshots are independent of what comes after, in any order', () => {
  type Action =
    | { kind: 'store'; at: number; value: number }
    | { kind: 'make' }
    | { kind: 'free' | 'place'; at: number }
    | { kind: 'save' }
    | { kind: 'load'; at: number };
  const place = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom(900, 2000, 400_000));
  const action: fc.Arbitrary<Action> = fc.oneof(
    fc.record({ kind: fc.constant('store' as const), at: place, value: fc.nat(255) }),
    fc.record({ kind: fc.constant('make' as const) }),
    fc.record({ kind: fc.constant('free' as const), at: place }),
    fc.record({ kind: fc.constant('place' as const), at: place }),
    fc.record({ kind: fc.constant('save' as const) }),
    fc.record({ kind: fc.constant('load' as const), at: fc.nat(5) }),
  );
  const view = (memory: ConcreteMemory) => [...memory.liveBlocks()].map(({ number, bytes }) => [number, ...bytes]);
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const memory = create();
      const saved: { snapshot: ReturnType<ConcreteMemory['snapshot']>; view: number[][] }[] = [];
      for (const a of actions) {
        if (a.kind === 'make') heap(memory, 2);
        if (a.kind === 'store') memory.store(pointerTo(a.at, 1), uint8, a.value);
        if (a.kind === 'free') memory.free(pointerTo(a.at));
        if (a.kind === 'place') memory.place(a.at, { kind: 'heap', sizeBytes: 2, contents: 'zero' });
        if (a.kind === 'save') saved.push({ snapshot: memory.snapshot(), view: view(memory) });
        const chosen = a.kind === 'load' ? saved[a.at] : undefined;
        if (chosen) {
          memory.restore(chosen.snapshot);
          expect(view(memory)).toEqual(chosen.view);
        }
      }
      for (const { snapshot, view: expected } of saved) {
        memory.restore(snapshot);
        expect(view(memory)).toEqual(expected);
      }
    }),
  );
});

test('numbers go upward, and come back only long after their object died', () => {
  const memory = create('ilp32');
  const first = heap(memory, 1);
  memory.free(first);
  const numbers = new Set([objectNumber(first)]);
  let again = 0;
  for (let i = 0; again === 0; i++) {
    const p = heap(memory, 1);
    memory.free(p);
    if (numbers.has(objectNumber(p))) again = i;
    numbers.add(objectNumber(p));
  }
  expect(again).toBeGreaterThan(29_000);
  const survivors = create('ilp32');
  expect(() => {
    for (;;) heap(survivors, 1);
  }).toThrow(MemoryExhausted);
});

test('objects can be made under any number, and new ones keep clear of them', () => {
  const memory = create();
  for (const number of [5, 1003, 1004, 700_000])
    memory.place(number, { kind: 'host', sizeBytes: 1, contents: Uint8Array.of(number & 255) });
  const made = Array.from({ length: 1500 }, () => objectNumber(heap(memory, 1)));
  expect(new Set(made).size).toBe(1500);
  expect(made.filter((number) => [5, 1003, 1004, 700_000].includes(number))).toEqual([]);
  expect([5, 1003, 1004, 700_000].map((number) => memory.load(pointerTo(number), uint8))).toEqual([
    5,
    1003 & 255,
    1004 & 255,
    700_000 & 255,
  ]);
  memory.place(1003, { kind: 'heap', sizeBytes: 1, live: false });
  expect([memory.isLive(pointerTo(1003)), memory.isLive(pointerTo(1004)), memory.isLive(pointerTo(700_001))]).toEqual([
    0, 1, 0,
  ]);
});

test('the limit counts what is live', () => {
  const memory = create('lp64', 100);
  for (let i = 0; i < 10; i++) memory.free(heap(memory, 60));
  heap(memory, 60);
  expect(() => heap(memory, 60)).toThrow(MemoryExhausted);
});

test('indeterminate contents depend on the seed alone', () => {
  const contents = (seed: number) => {
    const memory = new ConcreteMemory('lp64', new Random(seed), 1000);
    return bytesOf(memory, memory.make({ kind: 'heap', sizeBytes: 16 }));
  };
  expect(contents(1)).toEqual(contents(1));
  expect(contents(1)).not.toEqual(contents(2));
});
