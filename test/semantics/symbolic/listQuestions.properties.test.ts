/**
 * The two readings of questions about lists (`PROVEST_ACYCLIC` and the like): in heaps that random calls make, with
 * rings, freed nodes and links that were never written, the formula and the run agree as long as no links form a ring.
 */
import * as fc from 'fast-check';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import * as L from '../../../src/logic/build';
import { evaluate } from '../../../src/logic/evaluate';
import type { SymbolTerm, Term, Value } from '../../../src/logic/term';
import { rebuild } from '../../../src/logic/rebuild';
import { loadProgram } from '../../../src/program';
import { read } from '../../../src/program/build';
import type { ListQuestion } from '../../../src/program/expression';
import { expressionsOf, walk } from '../../../src/program/traverse';
import { keyOf } from '../../../src/program/automata/repeatedChecks';
import { Machine } from '../../../src/semantics';
import { FreshSymbols } from '../../../src/semantics/symbolic/symbolicValues';
import { isUnknownOfList } from '../../../src/semantics/symbolic/lists';
import { isLong } from '../../long';
import { file } from '../../engines/task';

const runs = Number(process.env.PROVEST_RUNS ?? (isLong ? 600 : 120));

const text = `
#include <stdlib.h>
#include <provest.h>
struct node { int value; struct node *next, *other; };
static struct node *a, *b, *c;
static struct node *at(int i) { return i == 0 ? a : i == 1 ? b : c; }
static void set(int i, struct node *n) { if (i == 0) a = n; else if (i == 1) b = n; else c = n; }
void make(int i, int zeroed) {
  struct node *n = zeroed ? calloc(1, sizeof *n) : malloc(sizeof *n);
  if (!zeroed) n->next = at(i);
  set(i, n);
}
void link(int i, int j, int other) {
  struct node *n = at(i);
  if (!n) return;
  if (other) n->other = at(j); else n->next = at(j);
}
void mark(int i, int value) { struct node *n = at(i); if (n) n->value = value; }
void copy(int i, int j) { set(i, at(j)); }
void follow(int i) { struct node *n = at(i); if (n) set(i, n->next); }
void drop(int i, int j) { struct node *n = at(i); if (n) { set(j, NULL); free(n); } }
void ask(void) {
  PROVEST_INVARIANT(PROVEST_ACYCLIC(a, next) && PROVEST_ACYCLIC(b, other));
  PROVEST_INVARIANT(PROVEST_REACH(a, b, next) && PROVEST_REACH(a, c, other) && PROVEST_REACH(a, a, next));
  PROVEST_INVARIANT(PROVEST_EVERY(a, n, n->value == 0, next) && PROVEST_EVERY(b, n, n->other == NULL && n != c, next));
  PROVEST_INVARIANT(PROVEST_LIST_LENGTH(a, next) == 1 && PROVEST_LIST_LENGTH(c, other) == 2);
}
`;
const program = loadProgram([file(text)], { separatesAllBut: new Set(), alignsAllBut: new Set() });
const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
const asking = program.functionByName.get('ask')!;

const questions = new Map<string, ListQuestion>();
for (const { command } of asking.edges)
  for (const e of expressionsOf(command))
    walk(e, (inner) => {
      if (inner.kind === 'list') questions.set(keyOf(inner), inner);
    });

/** What the block around the condition keeps in a variable of its own. */
const variables = program.globals.map(({ variable }) => variable);
[...questions]
  .filter(([, { is }]) => is === 'every')
  .forEach(([key, question], i) => {
    questions.set(key, { ...question, list: read(variables.find(({ name }) => name === ['a', 'b'][i])!) });
  });

const slot = fc.nat(2);
const flag = fc.nat(1);
type Call = [string, ...number[]];
const call = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('make'), slot, flag) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('link'), slot, slot, flag) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('mark'), slot, flag) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('copy'), slot, slot) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('follow'), slot) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('drop'), slot, slot) },
);

test('formulas answer as runs do', () => {
  expect([...questions.values()].map(({ is }) => is).sort()).toEqual([
    ...['acyclic', 'acyclic', 'acyclic', 'every', 'every', 'length', 'length'],
    ...['through', 'through', 'through'],
  ]);
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(),
  });
  const { vocabulary, memoryModel, builder } = system;
  expect(memoryModel.links.length).toBe(2);
  const state = vocabulary.arbitraryState(asking, new FreshSymbols('law'));
  const asked = [...questions.values()].map((site) => ({ site, term: builder.evaluate(site, state) as Term }));
  const machine = new Machine(program, { properties: new Set() });
  const view = new ConcreteView(vocabulary, {
    globals: machine.globals,
    memory: machine.memory,
    activation: undefined,
    activations: [],
  });
  const isClosed = (): boolean =>
    memoryModel.links.some(({ acyclic }) => view.value(vocabulary.symbolOf(acyclic) as SymbolTerm) === false);
  type Values = (symbol: SymbolTerm) => Value;
  /** No answer depends on what is not known. */
  const readings = [false, true].map((is): Values => (symbol) => {
    if (!isUnknownOfList(symbol)) return view.value(symbol);
    return symbol.sort === L.boolSort ? is : is ? 7n : 0n;
  });
  /** Quantified formulas over all objects become truth values. */
  const ground = (term: Term, valueOf: Values): Term => {
    if (term.kind === 'forall') {
      const objects = Array.from({ length: machine.memory.nextNumber + 2 }, (_, i) => BigInt(i));
      return L.bool(
        objects.every((object) =>
          evaluate(term.body, (symbol: SymbolTerm) => (symbol === term.bound[0] ? object : valueOf(symbol))),
        ),
      );
    }
    return term.kind === 'apply'
      ? rebuild(
          term,
          term.args.map((arg) => ground(arg, valueOf)),
        )
      : term;
  };
  const found = new Map<string, number>();
  const note = (what: string): void => void found.set(what, (found.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(fc.array<Call>(call, { minLength: 3, maxLength: 14 }), (calls) => {
      machine.reset();
      for (const [name, ...args] of calls)
        if (machine.call(program.functionByName.get(name)!, args).kind !== 'returned') return;
      if (isClosed()) return note('ring');
      const { globals, memory } = machine;
      for (const { site, term } of asked) {
        const inRun = machine.evaluator.evaluate(site, { globals, locals: [], objects: [], memory });
        // A length is asked of lists alone.
        if (inRun === -1n) continue;
        const answer = `${site.is} ${String(inRun)}`;
        for (const valueOf of readings)
          expect(`${site.is} ${String(evaluate(ground(term, valueOf), valueOf))}`).toBe(answer);
        note(answer);
      }
    }),
    {
      numRuns: runs,
      examples: [
        [
          [
            ['make', 0, 0],
            ['make', 0, 0],
            ['make', 0, 0],
            ['copy', 1, 0],
            ['follow', 1],
          ],
        ],
        [
          [
            ['make', 0, 0],
            ['make', 0, 0],
            ['copy', 1, 0],
            ['follow', 1],
            ['drop', 1, 1],
          ],
        ],
        [
          [
            ['make', 2, 1],
            ['make', 0, 1],
            ['link', 0, 2, 1],
            ['copy', 2, 0],
          ],
        ],
      ],
    },
  );
  for (const answer of [
    ...['acyclic 0', 'acyclic 1', 'every 0', 'every 1', 'through 0', 'through 1'],
    ...['length 0', 'length 1', 'length 2', 'ring'],
  ])
    expect(found.get(answer) ?? 0).toBeGreaterThan(0);
});
