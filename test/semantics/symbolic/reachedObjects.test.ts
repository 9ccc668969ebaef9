/**
 * The relation of a link behind a call that frees and links only objects that its argument reached, and new ones, to
 * such objects: on all heaps without cycles of four objects, or of three beside a new one, and all that such a call may
 * leave.
 */
import { bitsSort, boolSort } from '../../../src/logic';
import * as L from '../../../src/logic/build';
import { arrayValue } from '../../../src/logic/arrays/arrayValue';
import { compile } from '../../../src/logic/compile';
import type { SymbolTerm, Term, Value } from '../../../src/logic/term';
import { reachabilityKept } from '../../../src/semantics/symbolic/reachedObjects';

const width = 4;
const size = 4;
/** Successors by object, which are numbered from 1; 0 is none. */
type Heap = readonly number[];
const symbol = (name: string): SymbolTerm => L.symbol(name, bitsSort(width));
const [before, after] = ['R', 'Q'].map((name) => L.symbol(name, L.relationSort(width))) as [SymbolTerm, SymbolTerm];
const set = L.symbol('S', L.arraySort(bitsSort(width), boolSort));
const acyclic = L.symbol('acyclic', boolSort);
const [next, from, to] = ['next', 'from', 'to'].map(symbol) as [SymbolTerm, SymbolTerm, SymbolTerm];
const reached = [{ has: (object: Term) => L.select(set, object), isOnList: () => L.TRUE }];
const claims = (onlyFrees: boolean, withNew = true): ((value: (s: SymbolTerm) => Value) => Value) =>
  compile(L.and(...reachabilityKept(after, { before, acyclic, next, reached, onlyFrees, withNew }, from, to)));

const all = [0, 1, 2, 3, 4];
const heaps = (choices: (object: number) => readonly number[]): Heap[] =>
  all.slice(1).reduce<number[][]>((some, o) => some.flatMap((heap) => choices(o).map((one) => [...heap, one])), [[0]]);
function walk(heap: Heap, object: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (let at = object; !found.has(at) && at !== 0; at = heap[at]!) found.add(at);
  return found;
}
const isAcyclic = (heap: Heap): boolean => all.every((o) => o === 0 || !walk(heap, heap[o]!).has(o));
const reaches = (heap: Heap, a: number, b: number): boolean => a === b || walk(heap, a).has(b);
const relationOf = (heap: Heap): Value =>
  arrayValue(
    false,
    all.flatMap((a) =>
      all.filter((b) => reaches(heap, a, b)).map((b) => [BigInt((a << width) | b), true] as [bigint, Value]),
    ),
    boolSort,
  );

/** By symbol: the relations before and after, and the set, with `older` objects before the call. */
const stateOf = (heap: Heap, result: Heap, inside: ReadonlySet<number>, older = size): Map<SymbolTerm, Value> =>
  new Map<SymbolTerm, Value>([
    [before, relationOf(heap)],
    [after, relationOf(result)],
    [
      set,
      arrayValue(
        false,
        [...inside].map((o) => [BigInt(o), true] as [bigint, Value]),
        boolSort,
      ),
    ],
    [acyclic, true],
    [next, BigInt(older + 1)],
  ]);
/** The pair of objects of which something wrong is said. */
function wrongIn(
  holds: ReturnType<typeof claims>,
  values: Map<SymbolTerm, Value>,
): readonly [number, number] | undefined {
  for (const a of all)
    for (const b of all) {
      const at = values.set(from, BigInt(a)).set(to, BigInt(b));
      if (holds((s) => at.get(s)!) !== true) return [a, b];
    }
  return undefined;
}

test.each([true, false])('what is said behind a call that only frees: %s', (onlyFrees) => {
  const holds = claims(onlyFrees);
  let calls = 0;
  for (const heap of heaps(() => all).filter(isAcyclic))
    for (const first of all) {
      const inside = walk(heap, first);
      const left = heaps((o) => (!inside.has(o) ? [heap[o]!] : onlyFrees ? [heap[o]!, 0] : [0, ...inside])).filter(
        isAcyclic,
      );
      for (const result of left) {
        calls++;
        const wrong = wrongIn(holds, stateOf(heap, result, inside));
        if (wrong) throw new Error(`${heap} ${first} ${result} ${wrong}`);
      }
    }
  expect(calls).toBeGreaterThan(1000);
});

describe('behind a call that makes an object', () => {
  const made = size;
  const olderHeaps = heaps((o) => (o === made ? [0] : all.slice(0, made))).filter(isAcyclic);
  /** How many calls there are, and how many of them contradict what is said. */
  const compared = (
    holds: ReturnType<typeof claims>,
    choices: (heap: Heap, inside: ReadonlySet<number>, object: number) => readonly number[],
  ): { readonly calls: number; readonly wrong: number } => {
    const count = { calls: 0, wrong: 0 };
    for (const heap of olderHeaps)
      for (const first of all.slice(0, made)) {
        const inside = walk(heap, first);
        for (const result of heaps((o) => choices(heap, inside, o)).filter(isAcyclic)) {
          count.calls++;
          if (wrongIn(holds, stateOf(heap, result, inside, made - 1))) count.wrong++;
        }
      }
    return count;
  };

  test('its link is written, as others to it may be', () => {
    const { calls, wrong } = compared(claims(false), (heap, inside, o) =>
      o === made ? [0, ...inside] : inside.has(o) ? [0, made, ...inside] : [heap[o]!],
    );
    expect(calls).toBeGreaterThan(1000);
    expect(wrong).toBe(0);
  });

  test('no older link is written, and its own holds anything', () => {
    const choices = (heap: Heap, inside: ReadonlySet<number>, o: number): readonly number[] =>
      o === made ? all : inside.has(o) ? [heap[o]!, 0] : [heap[o]!];
    expect(compared(claims(true, false), choices)).toMatchObject({ wrong: 0 });
    // It may lead to any list.
    expect(compared(claims(true, true), choices).wrong).toBeGreaterThan(0);
  });

  test('wrong where its own link holds anything, and an older one leads to it', () => {
    const { wrong } = compared(claims(false), (heap, inside, o) =>
      o === made ? all : inside.has(o) ? [0, made, ...inside] : [heap[o]!],
    );
    expect(wrong).toBeGreaterThan(0);
  });
});

test('nothing is said of an object that may have been reached', () => {
  const holds = claims(false);
  const state = new Map<SymbolTerm, Value>([
    [before, relationOf([0, 2, 0, 0, 0])],
    [after, relationOf([0, 0, 0, 0, 0])],
    [set, arrayValue(false, [[2n, true]], boolSort)],
    [acyclic, true],
    [next, 5n],
    [from, 1n],
    [to, 2n],
  ]);
  expect(holds((s) => state.get(s)!)).toBe(true);
  expect(holds((s) => (s === set ? arrayValue(false, [], boolSort) : state.get(s)!))).toBe(false);
});
