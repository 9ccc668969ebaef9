/**
 * Lists that clients own, proved from preconditions on them by facts about reachability alone. In their twins the check
 * that fails must stay open although no failing run is known.
 */
import { assumptionsAt } from '../../../src/abstraction/candidates/clientAssumptions';
import { relevanceOf } from '../../../src/abstraction/candidates/observables';
import { ReachabilityCandidates } from '../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { ProbeReader } from '../../../src/abstraction/predicates/probes';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../../src/abstraction/transitionSystem/transitionSystem';
import { readCProbe } from '../../../src/host/cProbe';
import { argumentScope } from '../../../src/host/probeScope';
import { loadProgram } from '../../../src/program';
import { FreshSymbols } from '../../../src/semantics/symbolic/symbolicValues';
import { withBothEncodings, createSolver, withInstantiation } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { inLongForm } from '../../long';
import { file } from '../task';
import { openWith } from './openChecks';

let solver: Solver;
beforeAll(() => {
  solver = withInstantiation(withBothEncodings(createSolver({ seed: 1 })));
});
afterAll(() => solver.close());

/** Checks that stay open, if every call of `f` (or of every function) keeps to the precondition. */
async function open(requires: string, body: string, of?: string): Promise<string[]> {
  const text = `
#include <stdlib.h>
struct node { int value; struct node *next; };
${body}`;
  const program = loadProgram([file(text)], { separatesAllBut: new Set() });
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  const options: SystemOptions = {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['reach', 'memsafety']),
    requires: (fn, vocabulary) => {
      if (of !== undefined && fn.name !== of) return [];
      const read = readCProbe(requires, argumentScope(program, 'm.c', fn), program.enumConstants);
      if (read.kind === 'mistake') throw new Error(read.message);
      const state = vocabulary.state(fn, fn.entry, new FreshSymbols('requires'));
      return [ProbeReader.over(vocabulary, fn, state).read(read.formula)];
    },
  };
  const system = new TransitionSystem(program, options);
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const candidates = new Map(
    system.points.map((point) => [
      point,
      [...facts.candidates(point), ...(point.kind === 'entry' ? assumptionsAt(point, system) : [])],
    ]),
  );
  return openWith(system, candidates, solver);
}

const sum = (next: string): string => `
int f(const struct node *l) {
  unsigned sum = 0;
  while (l != NULL) { sum += l->value; l = ${next}; }
  return sum % 100;
}`;

test('a list that ends in null is walked', async () => {
  expect(await open('acyclic(l)', sum('l->next'))).toEqual([]);
}, 300_000);

test('not two nodes at a time, nor without the precondition', async () => {
  expect(await open('acyclic(l)', sum('l->next->next'))).toContain('null-dereference l->next');
  expect(await open('l != NULL', sum('l->next'))).toContain('dereference l->value');
}, 300_000);

test('a list that a client may lead through a variable of the module is refused', async () => {
  // It is a list in tests, and none in the formula: the precondition would exclude the call that fails.
  const body = 'static struct node tail; struct node *shared = &tail;';
  await expect(open('acyclic(l)', body + sum('l->next'))).rejects.toThrow('variables of the module');
});

inLongForm(
  'lengths and members of lists',
  async () => {
    const linked = `
int f(struct node *l, struct node *m) {
  if (l == NULL || m == NULL) return 0;
  m->next = l;
  return l->next->value;
}`;
    expect(await open('acyclic(l) && acyclic(m)', linked)).toContain('null-dereference l->next');
    expect(await open('acyclic(l) && length(l) == 2 && m == NULL', linked)).toEqual([]);
    expect(await open('length(l) >= 2 && acyclic(m) && !reach(l, m)', linked)).toEqual([]);
    expect(await open('length(l) >= 2 && acyclic(m)', linked)).toEqual([]);
  },
  300_000,
);

const counted = `
static struct node *head;
static unsigned count;
int push(int value) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL) return 0;
  n->value = value;
  n->next = head;
  head = n;
  count++;
  return 1;
}
void set_count(unsigned n) { count = n; }`;

test("the length of the module's own list is compared with a variable", async () => {
  const first = `${counted}
int f(void) { return count > 0 ? head->value : 0; }`;
  expect(await open('length(head) == count', first, 'f')).toEqual([]);
  expect(await open('count <= 2 * length(head) - length(head)', first, 'f')).toEqual([]);
  expect(await open('length(head) <= count', first, 'f')).toContain('null-dereference head');
  expect(await open('!(length(head) == count)', first, 'f')).toContain('null-dereference head');
}, 300_000);

test('nodes of client-owned lists are not counted', async () => {
  await expect(open('length(l) >= 9', sum('l->next'))).rejects.toThrow('it counts a list of clients');
  await expect(open('length(l) + 1 == 3', sum('l->next'))).rejects.toThrow('it counts a list of clients');
});

test('a condition holds of every node', async () => {
  const firstTwo = `
extern void reach_error(void);
int f(struct node *l) {
  if (l != NULL && l->next != NULL && l->next->value <= 0) reach_error();
  return 0;
}`;
  expect(await open('every(l, n => n->value > 0)', firstTwo)).toEqual([]);
  expect(await open('every(l, n => n->value >= 0)', firstTwo)).toContain('unreachable reach_error()');
}, 300_000);

inLongForm(
  'reversal, the last node, and removal',
  async () => {
    const reverse = (store: string): string => `
struct node *f(struct node *l) {
  struct node *r = NULL;
  while (l != NULL) { struct node *t = l->next; ${store} r = l; l = t; }
  return r;
}`;
    expect(await open('acyclic(l)', reverse('l->next = r;'))).toEqual([]);
    const last = `
struct node *f(struct node *l) {
  if (l == NULL) return NULL;
  while (l->next != NULL) l = l->next;
  return l;
}`;
    expect(await open('acyclic(l)', last)).toEqual([]);
  },
  900_000,
);

inLongForm(
  'two lists that share nodes may make a ring',
  async () => {
    const join = `
int f(struct node *a, struct node *b) {
  if (a == NULL) return 0;
  struct node *p = a;
  while (p->next != NULL) p = p->next;
  p->next = b;
  int n = 0;
  for (p = a; p != NULL; p = p->next) n = p->value;
  return n;
}`;
    // A walk along a ring is safe, but nothing that is known of lists says so.
    expect((await open('acyclic(a) && acyclic(b)', join)).length).toBeGreaterThan(0);
  },
  900_000,
);
