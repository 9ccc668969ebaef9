/**
 * What calls leave of a link's relation, compared with heaps before and after calls of random functions that recur,
 * make nodes, link and free them. The link of a node that was never written may lead to any node.
 */
import fc from 'fast-check';
import { leftOfRelation } from '../../../src/abstraction/transitionSystem/callTransitions';
import { regionOf } from '../../../src/abstraction/transitionSystem/concreteChains';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../src/program';
import type { Program } from '../../../src/program/program';
import { Machine } from '../../../src/semantics';
import { objectNumber, pointerTo, type ConcreteValue } from '../../../src/semantics/concrete/concreteValues';
import type { LinkVariables, MemoryModel } from '../../../src/semantics/symbolic/memoryModel';
import { file } from '../../engines/task';
import { runs } from '../../long';

const name = fc.constantFrom('p', 'q', 'r', 's');
const value = fc.constantFrom('p', 'q', 'r', 'NULL');
const condition = fc.constantFrom('', 'if (k == 0) ', 'if (k == 1) ', 'if (k & 2) ');
const step = fc.oneof(
  fc
    .tuple(condition, fc.option(value), fc.constantFrom('', 'return s;', 'if (p) p->next = s;'))
    .map(([when, to, then]) => `${when}{ s = malloc(sizeof *s); ${to ? `s->next = ${to};` : ''} ${then} }`),
  fc.constantFrom(
    'if (k > 0 && p) p->next = f(p->next, q, k - 1);',
    'if (k > 0 && q) q->next = f(q->next, p, k - 1);',
    'if (k > 0 && p) r = f(p->next, q, k - 1);',
    'if (k == 2 && p) { r = p->next; free(p); return r; }',
    'if (q) { free(q); q = NULL; }',
  ),
  fc.tuple(condition, name, value).map(([when, x, to]) => `${when}{ if (${x}) ${x}->next = ${to}; }`),
);
const functionText = fc
  .tuple(
    fc.constantFrom('if (p) r = p->next;', 'if (q) r = q->next;'),
    fc.array(step, { minLength: 2, maxLength: 5 }),
    name,
  )
  .map(
    ([first, steps, result]) => `#include <stdlib.h>
struct n { int v; struct n *next; };
static struct n *a, *b;
static struct n *f(struct n *p, struct n *q, int k) {
  struct n *r = NULL, *s = NULL;
  ${[first, ...steps].join('\n  ')}
  return ${result};
}
void build(int which, int c) {
  struct n *one = malloc(sizeof *one);
  one->next = c & 1 ? a : b;
  if (which) a = one; else b = one;
}
void call(int k) { struct n *r = f(a, b, k); if (r) r->v = 1; }`,
  );
const run = fc.record({
  builds: fc.array(fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 })), { maxLength: 5 }),
  k: fc.nat({ max: 4 }),
});

/** By node: the one that its link leads to, or any. */
type Heap = ReadonlyMap<number, number | 'any'>;

function heapOf({ memory }: Machine, { node, slot }: LinkVariables, memoryModel: MemoryModel): Heap {
  const found = new Map<number, number | 'any'>();
  for (const block of memory.liveBlocks()) {
    if (regionOf(block, memoryModel) !== memoryModel.allocationSiteOf(node)) continue;
    const place = pointerTo(block.number, slot.offset);
    const isWritten = memory.isInitialised(place, slot.bytes) === 1;
    found.set(block.number, isWritten ? objectNumber(memory.load(place, slot.type)) : 'any');
  }
  return found;
}

function reachedIn(heap: Heap, from: number): ReadonlySet<number> {
  const found = new Set([from].filter((one) => heap.has(one)));
  for (const one of found) {
    const to = heap.get(one)!;
    for (const other of to === 'any' ? heap.keys() : heap.has(to) ? [to] : []) found.add(other);
  }
  return found;
}

function systemOf(program: Program): TransitionSystem {
  return new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: ['build', 'call'].map((entry) => program.functionByName.get(entry)!),
    checkedProperties: new Set(['memsafety']),
  });
}

const counts = { withNew: 0, onlyFrees: 0 };

test('calls leave what is said of them', () => {
  fc.assert(
    fc.property(functionText, fc.array(run, { minLength: 8, maxLength: 8 }), (text, calls) => {
      const program = loadProgram([file(text)], { externals: 'any', inlines: { allBut: new Set(), of: 'module' } });
      const { builder, memoryModel } = systemOf(program);
      const { effects } = builder;
      const fn = program.functionByName.get('f')!;
      const [link] = memoryModel.links;
      if (!link || effects.objects.followed(fn).size !== 1) return;
      const makes = effects.of(fn).memory.has(memoryModel.allocationCounter);
      const left = leftOfRelation(fn, link, makes, effects.objects, memoryModel.regions);
      if (!left) return;
      if (makes && left.withNew) counts.withNew++;
      if (makes && left.onlyFrees) counts.onlyFrees++;
      for (const { builds, k } of calls) {
        const machine = new Machine(program, { properties: new Set(['memsafety']), output: () => {} });
        const call = (called: string, ...args: readonly ConcreteValue[]): boolean =>
          machine.call(program.functionByName.get(called)!, args).kind === 'returned';
        for (const [which, c] of builds) call('build', which, c);
        const before = heapOf(machine, link, memoryModel);
        const next = Math.max(0, ...before.keys()) + 1;
        const passed = ['a', 'b'].map((global) => {
          return machine.globals[program.globals.findIndex(({ variable }) => variable.name === global)]!;
        });
        const reached = new Set(
          [...left.from].flatMap((i) => (i < 2 ? [...reachedIn(before, objectNumber(passed[i] as never))] : [])),
        );
        if (!call('call', k)) continue;
        const after = heapOf(machine, link, memoryModel);
        for (const from of new Set([...before.keys(), ...after.keys()])) {
          const [was, is] = [reachedIn(before, from), reachedIn(after, from)];
          for (const to of before.keys()) {
            if (from === to) continue;
            if (!reached.has(to) && (left.withNew || from < next)) expect(is.has(to)).toBe(was.has(to));
            if (left.onlyFrees && from < next && !was.has(to)) expect(is.has(to)).toBe(false);
          }
        }
      }
    }),
    { numRuns: runs(600) },
  );
  expect(counts.withNew).toBeGreaterThan(10);
  expect(counts.onlyFrees).toBeGreaterThan(10);
});
