/**
 * The history variables of forests: after any writes, allocations and frees their laws hold, and ancestors are those
 * along the parents; and what calls leave of them, for calls that do what the analysis of written objects says.
 */
import * as fc from 'fast-check';
import * as L from '../../../src/logic/build';
import { hasLink, instancesOf } from '../../../src/logic/links/chains';
import type { Term } from '../../../src/logic/term';
import { adopt, beginChild, endChild, parentsIn } from '../../../src/semantics/symbolic/linkedMemory';
import type { MemoryModel, MemoryVariable } from '../../../src/semantics/symbolic/memoryModel';
import { adopted, ancestorsKept, type ReachedTree } from '../../../src/semantics/symbolic/reachedObjects';
import { programOf } from '../cPrograms';
import { runs } from '../../long';
import { programSystem } from '../../abstraction/programSystem';

const program = programOf(`
  #include <stdlib.h>
  struct node { struct node *left, *right; };
  static struct node *root;
  void f(int which) {
    struct node *n = malloc(sizeof *n), *p = root;
    n->left = n->right = 0;
    if (!root) { root = n; return; }
    while (p->left && p->right) if (which) p = p->left; else p = p->right;
    if (p->left) p->right = n; else p->left = n;
  }`);
const system = programSystem(program, program.functionByName.get('f')!);
const { memoryModel } = system as { memoryModel: MemoryModel };
const [forest] = memoryModel.forests;
if (!forest) throw new Error('the loop goes along both links');
const initial = system.transitions.find(({ kind }) => kind === 'start')!.ends[0]!.state.memory.contents;
const none = 0;
const first = memoryModel.lastStatic + 1;
const word = (object: number): Term => L.bits(BigInt(object), memoryModel.half);

/** A heap of nodes, numbered from `first`, with its history. */
class Heap {
  next = first;
  readonly links = new Map<number, number[]>();
  readonly live = new Set<number>();

  constructor(readonly contents: Term[] = [...initial]) {}

  fork(): Heap {
    const heap = new Heap([...this.contents]);
    heap.next = this.next;
    for (const [object, targets] of this.links) heap.links.set(object, [...targets]);
    for (const object of this.live) heap.live.add(object);
    return heap;
  }

  at(memory: MemoryVariable, object: number): Term {
    return L.select(this.contents[memory.index]!, word(object));
  }

  make(garbage: number): void {
    const set = (memory: MemoryVariable, value: Term): void => {
      this.contents[memory.index] = L.store(this.contents[memory.index]!, word(this.next), value);
    };
    set(memoryModel.live, L.TRUE);
    set(memoryModel.allocationSite, word(Number(memoryModel.allocationSiteOf(forest!.node))));
    beginChild(forest!, word(this.next), this.contents);
    this.links.set(this.next, [garbage, garbage]);
    this.live.add(this.next++);
    this.contents[memoryModel.allocationCounter.index] = word(this.next);
  }

  write(object: number, which: number, target: number): void {
    this.links.get(object)![which] = target;
    const link = forest!.links[which]!;
    adopt(forest!, link, word(object), { object: word(target), offset: word(0) }, this.contents, memoryModel);
  }

  free(object: number): void {
    this.live.delete(object);
    const { index } = memoryModel.live;
    this.contents[index] = L.store(this.contents[index]!, word(object), L.FALSE);
    endChild(forest!, word(object), this.contents);
  }

  parent(object: number): number {
    const parent = this.at(forest!.parents, object);
    if (parent.kind !== 'bits') throw new Error('the parent is known');
    return Number(parent.value);
  }

  isBelow(object: number, of: number): boolean {
    const related = L.related(this.contents[forest!.ancestors.index]!, word(object), word(of));
    if (related.kind !== 'boolean') throw new Error('the relation is known');
    return related.value;
  }

  get isForest(): boolean {
    return this.contents[forest!.acyclic.index] === L.TRUE;
  }

  get objects(): readonly number[] {
    return [...this.links.keys()];
  }
}

const nodes = 5;
const step = fc.record({
  kind: fc.constantFrom('make', 'write', 'write', 'write', 'free'),
  object: fc.nat({ max: nodes - 1 }),
  which: fc.nat({ max: 1 }),
  target: fc.nat({ max: nodes }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const steps = (maxLength: number): fc.Arbitrary<Step[]> => fc.array(step, { minLength: 2, maxLength });

/** `from`: objects that the step may write or end; `to`: those it may link to. */
function run(heap: Heap, one: Step, from: readonly number[], to: readonly number[]): void {
  if (one.kind === 'make') {
    if (heap.objects.length < nodes) heap.make(heap.objects[one.target] ?? none);
    return;
  }
  const object = from.filter((each) => heap.live.has(each))[one.object];
  if (object === undefined) return;
  if (one.kind === 'free') heap.free(object);
  else heap.write(object, one.which, [none, ...to][one.target] ?? none);
}

function begun(heap: Heap, all: readonly Step[]): Heap {
  for (let i = 0; i < 3; i++) heap.make(none);
  for (const one of all) run(heap, one, heap.objects, heap.objects);
  return heap;
}

test('the laws hold after any writes, allocations and frees', () => {
  let [cyclic, deepest] = [0, 0];
  fc.assert(
    fc.property(steps(12), (all) => {
      const heap = begun(new Heap(), all);
      const chain = parentsIn(forest, heap.contents, memoryModel);
      const objects = new Set([none, ...heap.objects, heap.next].map(word));
      for (const law of instancesOf(chain, objects, objects)) expect(law).toBe(L.TRUE);
      if (!heap.isForest) {
        cyclic++;
        return;
      }
      for (const from of heap.objects) {
        const walked = new Set([from]);
        for (let at = from; hasLink(chain, word(at)) === L.TRUE;) walked.add((at = heap.parent(at)));
        deepest = Math.max(deepest, walked.size);
        for (const to of heap.objects) expect(heap.isBelow(from, to)).toBe(walked.has(to));
      }
    }),
    { numRuns: runs(400) },
  );
  expect(cyclic).toBeGreaterThan(0);
  expect(deepest).toBeGreaterThan(2);
});

test('a rotation leaves the parents that the links say', () => {
  const heap = new Heap();
  for (let i = 0; i < 5; i++) heap.make(none);
  const [y, x, a, b, c] = heap.objects as [number, number, number, number, number];
  for (const [object, which, target] of [
    [x, 0, a],
    [x, 1, b],
    [y, 0, x],
    [y, 1, c],
  ] as const)
    heap.write(object, which, target);
  heap.write(x, 1, y);
  heap.write(y, 0, b);
  expect([y, x, a, b, c].map((object) => heap.parent(object))).toEqual([x, none, x, y, y]);
  expect(heap.isForest).toBe(true);
  expect(heap.isBelow(b, x)).toBe(true);
});

/** All that the arguments reached, as the formulas have it: along the links of live objects. */
function reachedIn(heap: Heap, from: number): ReadonlySet<number> {
  const found = new Set([from]);
  for (const one of found)
    if (heap.live.has(one)) for (const to of heap.links.get(one)!) if (to !== none) found.add(to);
  return found;
}

function treeOf(heap: Heap, from: number): ReachedTree {
  const set = reachedIn(heap, from);
  const below = (object: number): boolean => object === from || heap.isBelow(object, from);
  const leaves = [...set].some(
    (last) =>
      below(last) &&
      heap.live.has(last) &&
      heap.links.get(last)!.some((to) => to !== none && (to === from || !heap.isBelow(to, from))),
  );
  const number = (object: Term): number => (object.kind === 'bits' ? Number(object.value) : -1);
  const has = (object: Term): Term => L.bool(set.has(number(object)));
  const isBelow = (object: Term): Term => L.bool(below(number(object)));
  return {
    has,
    first: word(from),
    isBelow,
    leaves: L.bool(leaves),
    isOnList: (object) => L.or(L.not(has(object)), isBelow(object), L.bool(leaves)),
  };
}

/** What is said of a call that `links` and frees; `wrong`: the analysis is told that no argument is linked to. */
function wrongAfterCalls(
  linked: 'below' | 'arguments' | 'nothing',
  says: 'first is kept' | 'less',
): {
  calls: number;
  wrong: number;
  changed: number;
} {
  const count = { calls: 0, wrong: 0, changed: 0 };
  fc.assert(
    fc.property(steps(8), steps(6), fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.boolean(), (all, call, i, j, isTwo) => {
      const before = begun(new Heap(), all);
      const given = [before.objects[i], ...(isTwo ? [before.objects[j]] : [])].flatMap((one) => one ?? []);
      if (given.length === 0) return;
      const trees = given.map((one) => treeOf(before, one));
      const reached = new Set(given.flatMap((one) => [...reachedIn(before, one)]));
      const strictly = new Set(
        given.flatMap((one) =>
          before.live.has(one)
            ? before.links.get(one)!.flatMap((to) => (to === none ? [] : [...reachedIn(before, to)]))
            : [],
        ),
      );
      const after = before.fork();
      const isNew = (object: number): boolean => object >= before.next;
      for (const one of call) {
        if (linked === 'nothing' && one.kind === 'write') continue;
        const from = after.objects.filter((object) => reached.has(object) || isNew(object));
        const to = linked === 'below' ? strictly : reached;
        run(
          after,
          one,
          from,
          after.objects.filter((object) => to.has(object) || isNew(object)),
        );
      }
      count.calls++;
      const [was, is] = [before, after].map(({ contents }) => contents[forest!.ancestors.index]!) as [Term, Term];
      const acyclic = after.contents[forest!.acyclic.index]!;
      const kept = { before: was, acyclic, next: word(before.next), reached: trees, onlyFrees: linked === 'nothing' };
      const sets = says === 'first is kept' ? adopted(trees, before.contents[forest!.acyclic.index]!) : trees;
      let isWrong = false;
      for (const from of after.objects) {
        for (const to of after.objects)
          isWrong ||= ancestorsKept(is, kept, word(from), word(to)).some((claim) => claim !== L.TRUE);
        if (trees.some(({ isOnList }) => isOnList(word(from)) !== L.TRUE)) isWrong = true;
        const isSame = before.links.has(from) && before.parent(from) === after.parent(from);
        if (!isSame) count.changed++;
        if (!isNew(from) && !isSame && sets.every(({ has }) => has(word(from)) === L.FALSE)) isWrong = true;
      }
      if (isWrong) count.wrong++;
    }),
    { numRuns: runs(1500) },
  );
  return count;
}

test.each([
  ['links below its arguments', 'below', 'first is kept'],
  ['links to its arguments', 'arguments', 'less'],
  ['only frees and makes objects', 'nothing', 'first is kept'],
] as const)('what is said behind a call that %s', (_, linked, says) => {
  const { calls, wrong, changed } = wrongAfterCalls(linked, says);
  expect(calls).toBeGreaterThan(300);
  expect(changed).toBeGreaterThan(100);
  expect(wrong).toBe(0);
});

test('that an argument keeps its parent is wrong of a call that links to it', () => {
  expect(wrongAfterCalls('arguments', 'first is kept').wrong).toBeGreaterThan(0);
});
