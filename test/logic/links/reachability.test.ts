/**
 * The update of reachability and its laws against the walk along links: on all heaps without cycles of up to four
 * objects and all writes, and on all relations that satisfy the laws.
 */
import { bits, bitsSort, boolSort } from '../../../src/logic';
import * as L from '../../../src/logic/build';
import { arrayValue, lazyArray, readArray, writeArray } from '../../../src/logic/arrays/arrayValue';
import { type Chain, chainLaws, chainOf, hasLink, instancesOf } from '../../../src/logic/links/chains';
import { compile } from '../../../src/logic/compile';
import { evaluate } from '../../../src/logic/evaluate';
import { readTerms, writeTerms } from '../../../src/logic/serialise';
import { substitute } from '../../../src/logic/substitute';
import type { ArrayValue, SymbolTerm, Term, Value } from '../../../src/logic/term';

const width = 4;
const wordSort = bitsSort(width);
const word = (n: number) => bits(n, width);
const relation = L.symbol('R', L.relationSort(width));
const [x, y, a, b] = ['x', 'y', 'a', 'b'].map((name) => L.symbol(name, wordSort)) as [
  SymbolTerm,
  SymbolTerm,
  SymbolTerm,
  SymbolTerm,
];
const isLink = L.symbol('isLink', boolSort);

/** Successors by object, which are numbered from 1; 0 is none. */
type Heap = readonly number[];

function heaps(size: number): Heap[] {
  return Array.from({ length: (size + 1) ** size }, (_, code) => {
    const next = [0];
    for (let i = 0, rest = code; i < size; i++, rest = Math.floor(rest / (size + 1))) next.push(rest % (size + 1));
    return next;
  });
}
function reaches(heap: Heap, from: number, to: number): boolean {
  let at = from;
  for (let steps = 0; steps <= heap.length && at !== to; steps++) {
    at = heap[at] ?? 0;
    if (at === 0) return false;
  }
  return at === to;
}
function ends(heap: Heap, from: number): boolean {
  let at = from;
  for (let steps = 0; steps < heap.length && at !== 0; steps++) at = heap[at] ?? 0;
  return at === 0;
}
const isAcyclic = (heap: Heap): boolean => heap.every((next, from) => next === 0 || !reaches(heap, next, from));
const pairAt = (from: number, to: number): bigint => BigInt((from << width) | to);
function relationOf(holds: (from: number, to: number) => boolean): Value {
  const pairs: (readonly [bigint, Value])[] = [];
  for (let from = 0; from < 1 << width; from++)
    for (let to = 0; to < 1 << width; to++) if (holds(from, to)) pairs.push([pairAt(from, to), true]);
  return arrayValue(false, pairs, boolSort);
}

test('a written link gives the relation of the heap after the write, and a cycle is noticed', () => {
  const after = L.linkWritten(relation, x, y, isLink);
  const rewritten = compile(L.related(after, a, b));
  const closes = compile(L.closesCycle(relation, x, y, isLink));
  let [writes, cycles] = [0, 0];
  for (const heap of heaps(4).filter(isAcyclic)) {
    const before = relationOf((from, to) => reaches(heap, from, to));
    for (let target = 0; target <= 4; target++)
      for (let object = 1; object <= 4; object++) {
        writes++;
        const result = heap.map((next, from) => (from === object ? target : next));
        const state = new Map<SymbolTerm, Value>([
          [relation, before],
          [x, BigInt(object)],
          [y, BigInt(target)],
          [isLink, target !== 0],
        ]);
        expect(closes((symbol) => state.get(symbol)!)).toBe(!isAcyclic(result));
        if (!isAcyclic(result)) {
          cycles++;
          continue;
        }
        const value = evaluate(after, (symbol) => state.get(symbol)!) as ArrayValue;
        for (let from = 0; from <= 4; from++)
          for (let to = 0; to <= 4; to++) {
            state.set(a, BigInt(from)).set(b, BigInt(to));
            const expected = reaches(result, from, to);
            const found = [rewritten((symbol) => state.get(symbol)!), value.entries.get(pairAt(from, to))];
            if (found.some((one) => one !== expected))
              throw new Error(`${heap.join()}: after ${object} -> ${target}, ${from} reaches ${to}: ${found.join()}`);
          }
      }
  }
  expect([writes, cycles]).toEqual([2500, 944]);
});

const counts = L.symbol('C', L.countsSort(width));
function countsOf(heap: Heap): Value {
  const numbers = Array.from({ length: 1 << width }, (_, from) => from);
  const reached = (from: number): number => numbers.filter((to) => reaches(heap, from, to)).length;
  return arrayValue(
    0n,
    numbers.map((from) => [BigInt(from), BigInt(reached(from))] as const),
    bitsSort(width + 8),
  );
}

test('a written link gives the numbers of objects that are reached after the write', () => {
  const after = L.linkCounted(counts, relation, x, y, isLink);
  const rewritten = compile(L.select(after, a));
  let compared = 0;
  for (const heap of heaps(4).filter(isAcyclic)) {
    const before = relationOf((from, to) => reaches(heap, from, to));
    const beforeCounts = countsOf(heap);
    for (let target = 0; target <= 4; target++)
      for (let object = 1; object <= 4; object++) {
        const result = heap.map((next, from) => (from === object ? target : next));
        if (!isAcyclic(result)) continue;
        const state = new Map<SymbolTerm, Value>([
          [relation, before],
          [counts, beforeCounts],
          [x, BigInt(object)],
          [y, BigInt(target)],
          [isLink, target !== 0],
        ]);
        const value = evaluate(after, (symbol) => state.get(symbol)!) as ArrayValue;
        const expected = countsOf(result) as ArrayValue;
        for (let from = 0; from <= 5; from++) {
          compared++;
          state.set(a, BigInt(from));
          const wanted = readArray(expected, BigInt(from));
          const found = [rewritten((symbol) => state.get(symbol)!), readArray(value, BigInt(from))];
          if (found.some((one) => one !== wanted))
            throw new Error(`${heap.join()}: after ${object} -> ${target}, ${from} reaches ${String(wanted)}`);
        }
      }
  }
  expect(compared).toBe(6 * (2500 - 944));
});

test('counts are read through several writes and joins, and survive as text', () => {
  const c = L.symbol('c', boolSort);
  const none = L.identityRelation(relation.sort);
  const alone = L.constArray(L.countsSort(width), bits(1, width + 8));
  const first = L.linkCounted(alone, none, word(1), word(2), L.TRUE);
  const linked = L.linkWritten(none, word(1), word(2), L.TRUE);
  const second = L.linkCounted(first, linked, word(2), word(3), L.TRUE);
  const joined = L.ite(c, second, alone);
  expect(L.select(second, word(1))).toBe(bits(3, width + 8));
  expect(L.select(second, word(3))).toBe(bits(1, width + 8));
  expect(L.select(joined, word(2))).toBe(L.ite(c, bits(2, width + 8), bits(1, width + 8)));
  const moved = substitute(
    L.select(L.linkCounted(counts, relation, word(3), word(4), L.TRUE), word(1)),
    new Map<SymbolTerm, Term>([
      [relation, L.linkWritten(linked, word(2), word(3), L.TRUE)],
      [counts, second],
    ]),
  );
  expect(moved).toBe(bits(4, width + 8));
  expect(readTerms(JSON.parse(JSON.stringify(writeTerms([joined]))))).toEqual([joined]);
  expect(() => L.linkCounted(relation, relation, x, y, isLink)).toThrow(TypeError);
});

test('several writes, joins and the heap without links are read as what they are', () => {
  const c = L.symbol('c', boolSort);
  const none = L.identityRelation(relation.sort);
  const first = L.linkWritten(none, word(1), word(2), L.TRUE);
  const second = L.linkWritten(first, word(2), word(3), L.TRUE);
  const joined = L.ite(c, second, L.linkWritten(second, word(2), word(0), L.FALSE));
  expect(L.related(second, word(1), word(3))).toBe(L.TRUE);
  expect(L.related(second, word(3), word(1))).toBe(L.FALSE);
  expect(L.related(joined, word(1), word(2))).toBe(L.TRUE);
  expect(L.related(joined, word(1), word(3))).toBe(c);
  // In place of the relation before.
  const moved = substitute(
    L.related(L.linkWritten(relation, word(3), word(4), L.TRUE), word(1), word(4)),
    new Map([[relation, second]]),
  );
  expect(moved).toBe(L.TRUE);
  expect(readTerms(JSON.parse(JSON.stringify(writeTerms([joined]))))).toEqual([joined]);
  expect(() => L.linkWritten(relation, c, word(1), L.TRUE)).toThrow(TypeError);
  expect(() => L.identityRelation(wordSort)).toThrow(TypeError);
});

const objects = L.symbol('next', L.arraySort(wordSort, wordSort));
const anywhere = [1, 2, 3, 4].map((n) => L.symbol(`o${n}`, wordSort));
const chain: Chain = {
  reach: relation,
  acyclic: L.TRUE,
  count: L.TRUE,
  objects,
  offsets: L.constArray({ kind: 'array', index: wordSort, element: wordSort }, word(0)),
  live: L.constArray({ kind: 'array', index: wordSort, element: boolSort }, L.TRUE),
  made: L.constArray({ kind: 'array', index: wordSort, element: wordSort }, word(7)),
  next: word(9),
  region: word(7),
  offset: word(0),
  lastStatic: word(0),
  withAutomatic: L.FALSE,
  linked: L.TRUE,
  ofClients: L.FALSE,
  statics: [],
};

test.each([1, 2, 3, 4])('the relations between %d objects that satisfy the laws are those of heaps', (size) => {
  const all = anywhere.slice(0, size);
  const laws = compile(L.and(...instancesOf(chain, new Set(all), new Set(all))));
  const inside = (n: number): boolean => n >= 1 && n <= size;
  const numbers = Array.from({ length: size }, (_, i) => i + 1);
  const hold = (heap: Heap, related: Value): boolean =>
    laws((symbol) =>
      symbol === relation
        ? related
        : symbol === objects
          ? arrayValue(
              0n,
              heap.map((next, from) => [BigInt(from), BigInt(next)] as const),
              wordSort,
            )
          : BigInt(anywhere.indexOf(symbol) + 1),
    ) === true;
  const acyclic = heaps(size).filter(isAcyclic);
  expect(acyclic).toHaveLength([1, 3, 16, 125][size - 1]!);
  for (const heap of acyclic)
    expect(
      hold(
        heap,
        relationOf((from, to) => reaches(heap, from, to)),
      ),
    ).toBe(true);
  if (size === 4) return;
  // Any other relation, with any successors, breaks a law.
  const pairs = numbers.flatMap((from) => numbers.map((to) => [from, to] as const));
  let [models, relations] = [0, 0];
  const ofRelation = compile(L.and(...instancesOf(chain, new Set(all), new Set())));
  const anything = compile(L.and(...instancesOf({ ...chain, acyclic: L.FALSE }, new Set(all), new Set())));
  for (let code = 0; code < 2 ** pairs.length; code++) {
    const related = relationOf((from, to) =>
      inside(from) && inside(to)
        ? ((code >> pairs.findIndex(([p, q]) => p === from && q === to)) & 1) === 1
        : from === to,
    );
    const at = (symbol: SymbolTerm): Value => (symbol === relation ? related : BigInt(anywhere.indexOf(symbol) + 1));
    if (ofRelation(at) === true) relations++;
    expect(anything(at)).toBe(true);
    for (const heap of heaps(size)) if (hold(heap, related)) models++;
  }
  expect([models, relations]).toEqual([acyclic.length, acyclic.length]);
});

test.each([1, 2, 3, 4])('of %d objects the laws permit the counts of the heap, and no others', (size) => {
  const all = anywhere.slice(0, size);
  const laws = compile(L.and(...instancesOf({ ...chain, count: counts }, new Set(all), new Set(all), undefined, true)));
  let heapsSeen = 0;
  for (const heap of heaps(size).filter(isAcyclic)) {
    heapsSeen++;
    const right = countsOf(heap) as ArrayValue;
    const holds = (of: Value): boolean => {
      const state = new Map<SymbolTerm, Value>([
        [relation, relationOf((from, to) => reaches(heap, from, to))],
        [counts, of],
        [
          objects,
          arrayValue(
            0n,
            heap.map((next, from) => [BigInt(from), BigInt(next)] as const),
            wordSort,
          ),
        ],
        ...all.map((symbol, i) => [symbol, BigInt(i + 1)] as const),
      ]);
      return laws((symbol) => state.get(symbol)!) === true;
    };
    expect(holds(right)).toBe(true);
    for (let object = 1; object <= size; object++)
      for (const change of [-1n, 1n, 1n << BigInt(width)]) {
        const wrong = writeArray(
          right,
          BigInt(object),
          (readArray(right, BigInt(object)) as bigint) + change,
          bitsSort(width + 8),
        );
        expect(holds(wrong)).toBe(false);
      }
  }
  expect(heapsSeen).toBe([1, 3, 16, 125][size - 1]);
});

test("rings of clients' objects: the laws hold for objects that lead to no ring, also after a write", () => {
  const size = 3;
  const all = anywhere.slice(0, size);
  const linked = L.symbol('linked', L.arraySort(wordSort, boolSort));
  const ofClients: Chain = {
    ...chain,
    // Half of the objects are the program's.
    made: L.store(L.constArray({ kind: 'array', index: wordSort, element: wordSort }, word(0)), word(2), chain.region),
    linked,
    ofClients: L.TRUE,
  };
  const store = { objects: L.store(objects, x, y), linked: L.store(linked, x, L.TRUE) };
  const written: Chain = { ...ofClients, ...store };
  const isLinked = hasLink(written, x);
  const closes = compile(L.closesCycle(relation, x, y, isLinked));
  const [before, after] = [ofClients, { ...written, reach: L.linkWritten(relation, x, y, isLinked) }].map((one) => ({
    laws: compile(L.and(...instancesOf(one, new Set(all), new Set(all)))),
    related: compile(L.related(one.reach, a, b)),
  })) as [Read, Read];
  interface Read {
    readonly laws: ReturnType<typeof compile>;
    readonly related: ReturnType<typeof compile>;
  }
  const wordsOf = (heap: Heap): Value =>
    arrayValue(
      0n,
      heap.map((next, from) => [BigInt(from), BigInt(next)] as const),
      wordSort,
    );
  let [rings, writes] = [0, 0];
  for (const heap of heaps(size)) {
    const leadsToNone = heap.map((_, from) => from > 0 && ends(heap, from));
    if (leadsToNone.slice(1).includes(false)) rings++;
    const counted = heap.map((next, from) => (leadsToNone[from] ? next : 0));
    const state = new Map<SymbolTerm, Value>([
      [relation, relationOf((from, to) => reaches(counted, from, to))],
      [objects, wordsOf(heap)],
      [
        linked,
        arrayValue(
          false,
          leadsToNone.map((is, from) => [BigInt(from), is] as const),
          boolSort,
        ),
      ],
      ...all.map((symbol, i) => [symbol, BigInt(i + 1)] as const),
    ]);
    const at = (symbol: SymbolTerm): Value => state.get(symbol)!;
    expect(before.laws(at)).toBe(true);
    for (let object = 1; object <= size; object++)
      for (let target = 0; target <= size; target++) {
        state.set(x, BigInt(object)).set(y, BigInt(target));
        const result = counted.map((next, from) => (from === object ? target : next));
        expect(closes(at)).toBe(!isAcyclic(result));
        if (!isAcyclic(result)) continue;
        writes++;
        expect(after.laws(at)).toBe(true);
        for (let from = 1; from <= size; from++)
          for (let to = 1; to <= size; to++) {
            state.set(a, BigInt(from)).set(b, BigInt(to));
            expect(after.related(at)).toBe(reaches(result, from, to));
          }
      }
  }
  expect([rings, writes > 200]).toEqual([48, true]);
});

test('laws travel as one atom that is replaced by those of another state', () => {
  const other = L.symbol('other', relation.sort);
  const atom = chainLaws({ ...chain, statics: [word(3)] });
  expect(chainOf(atom)).toEqual({ ...chain, statics: [word(3)] });
  expect(chainOf(substitute(atom, new Map([[relation, other]])))?.reach).toBe(other);
  expect(chainOf(L.TRUE)).toBeUndefined();
});

test('of many writes each pair is read once', () => {
  const after = Array.from({ length: 40 }, (_, i) => i).reduce<Term>(
    (before, i) => L.linkWritten(before, word((i % 4) + 1), word(((i + 1) % 4) + 1), isLink),
    relation,
  );
  let read = 0;
  const before = lazyArray((index) => {
    read++;
    return index >> BigInt(width) === BigInt.asUintN(width, index);
  }, false);
  const value = evaluate(after, (symbol) => (symbol === relation ? before : symbol === isLink ? false : 0n));
  for (let from = 0; from <= 4; from++)
    for (let to = 0; to <= 4; to++)
      expect(readArray(value as ArrayValue, BigInt((from << width) | to))).toBe(from === to);
  expect(read).toBeLessThan(5 * 5 * 6);
});
