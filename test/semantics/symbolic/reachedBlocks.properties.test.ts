/**
 * The two readings of `all-reached`: in heaps that random calls make, a block that a run finds to be lost must be lost
 * in the formula. The converse need not hold.
 */
import * as fc from 'fast-check';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import * as L from '../../../src/logic/build';
import { evaluate } from '../../../src/logic/evaluate';
import type { SymbolTerm, Term, Value } from '../../../src/logic/term';
import type { Expression } from '../../../src/program/expression';
import { walk } from '../../../src/program/traverse';
import { loadProgram } from '../../../src/program';
import { Machine } from '../../../src/semantics';
import { FreshSymbols, isTrue } from '../../../src/semantics/symbolic/symbolicValues';
import { isLong } from '../../long';
import { file } from '../../engines/task';

const runs = Number(process.env.PROVEST_RUNS ?? (isLong ? 400 : 64));

/**
 * Blocks lie on lists with two links, behind members of nodes, in a table, behind a handle, and behind a pointer to a
 * pointer. The head is an object among the nodes.
 */
const text = `
#include <stdlib.h>
struct node { int value; struct node *next, *other; char *text; };
struct handle { int size; struct node *first; char *name; };
static struct node head;
static struct node *a, *b, *table[3];
static struct handle *handle;
static struct { char *text; struct node *node; } pair;
static char *texts[2];

static struct node *at(int i) {
  switch (i) {
    case 0: return a;
    case 1: return b;
    case 2: case 3: case 4: return table[i - 2];
    case 5: return pair.node;
    case 6: return &head;
    default: return handle ? handle->first : NULL;
  }
}
static void set(int i, struct node *n) {
  switch (i) {
    case 0: a = n; break;
    case 1: b = n; break;
    case 2: case 3: case 4: table[i - 2] = n; break;
    case 5: pair.node = n; break;
    case 6: head.next = n; break;
    default: if (handle) handle->first = n;
  }
}
void make(int i, int zeroed) {
  struct node *n = zeroed ? calloc(1, sizeof *n) : malloc(sizeof *n);
  if (!zeroed) { n->next = at(i); n->other = NULL; n->text = NULL; }
  set(i, n);
}
void link(int i, int j, int other) {
  struct node *n = at(i);
  if (!n) return;
  if (other) n->other = at(j); else n->next = at(j);
}
void copy(int i, int j) { set(i, at(j)); }
void forget(int i) { set(i, NULL); }
void follow(int i, int other) { struct node *n = at(i); if (n) set(i, other ? n->other : n->next); }
void name(int i) { struct node *n = at(i); if (n) n->text = malloc(3); }
void keep(int i, int j) {
  struct node *n = at(i);
  if (n) { if (j == 2) pair.text = n->text; else texts[j] = n->text; }
}
void share(int i) { struct node *n = at(i); if (n) n->text = texts[0]; }
void open(void) { handle = malloc(sizeof *handle); handle->size = 0; handle->first = a; handle->name = texts[1]; }
void drop(int i) { struct node *n = at(i); if (n && n != &head) { set(i, NULL); free(n); } }
void shut(void) { free(handle); handle = NULL; }
`;

const program = loadProgram([file(text)], {
  separatesAllBut: new Set(),
  alignsAllBut: new Set(),
  keepsBlocks: 'external linkage',
});
const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);

/** The condition at the end of the function. */
function checkOf(fn: (typeof entries)[number]): Extract<Expression, { kind: 'all-reached' }> {
  for (const { command } of fn.edges)
    if (command.kind === 'check' && command.check === 'leak') {
      let found: Extract<Expression, { kind: 'all-reached' }> | undefined;
      walk(command.condition, (e) => {
        if (e.kind === 'all-reached') found = e;
      });
      if (found) return found;
    }
  throw new Error(`${fn.name} checks no blocks`);
}

const slot = fc.nat(7);
const flag = fc.nat(1);
type Call = [string, ...number[]];
const call = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('make'), slot, flag) },
  { weight: 5, arbitrary: fc.tuple(fc.constant('link'), slot, slot, flag) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('copy'), slot, slot) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('forget'), slot) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('follow'), slot, flag) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('name'), slot) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('keep'), slot, fc.nat(2)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('share'), slot) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('open')) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('drop'), slot) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('shut')) },
);

const list: Call[] = [['make', 0, 0]];

test('a formula that says that all blocks are reached says so only where no run finds a lost one', () => {
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['leak']),
  });
  expect(system.memoryModel.links.length).toBe(2);
  expect(system.memoryModel.holders.map(({ slot }) => slot.offset)).toEqual([24]);
  const { vocabulary, memoryModel, builder } = system;
  const fn = entries[0]!;
  const site = checkOf(fn);
  const formula = isTrue(builder.evaluate(site, vocabulary.arbitraryState(fn, new FreshSymbols('law'))));
  const parts = formula.kind === 'apply' && formula.operator === 'and' ? formula.args : [formula];
  const machine = new Machine(program, { properties: new Set() });
  const view = new ConcreteView(vocabulary, {
    globals: machine.globals,
    memory: machine.memory,
    activation: undefined,
    activations: [],
  });
  const holds = (term: Term, value: (symbol: SymbolTerm) => Value = view.value): boolean => {
    if (term.kind !== 'forall') return evaluate(term, value) === true;
    return Array.from({ length: machine.memory.nextNumber + 2 }, (_, i) => L.bits(BigInt(i), memoryModel.half)).every(
      (object) =>
        evaluate(term.body, (symbol: SymbolTerm) => (symbol === term.bound[0] ? object.value : value(symbol))) === true,
    );
  };
  const outcomes = { both: 0, 'in runs alone': 0, lost: 0 };
  fc.assert(
    fc.property(fc.array<Call>(call, { minLength: 3, maxLength: 16 }), (calls) => {
      machine.reset();
      for (const [name, ...args] of calls)
        if (machine.call(program.functionByName.get(name)!, args).kind !== 'returned') return;
      const values = site.from.map((e) => machine.evaluator.evaluate(e, stateOf(machine)));
      const isReached = machine.memory.areAllReached(values) === 1;
      const isProved = parts.every((part) => holds(part));
      // Whoever is said to hold the blocks.
      for (let by = 1n; by < machine.memory.nextNumber && !isReached; by++) {
        const value = (symbol: SymbolTerm): Value => {
          const meaning = vocabulary.meaning(symbol);
          return meaning?.kind === 'memory' && meaning.memory.role.kind === 'holder'
            ? { default: by, entries: new Map() }
            : view.value(symbol);
        };
        if (parts.every((part) => holds(part, value))) throw new Error('a block is lost, and the formula holds');
      }
      if (isProved && !isReached) throw new Error('a block is lost, and the formula holds');
      outcomes[isProved ? 'both' : isReached ? 'in runs alone' : 'lost']++;
    }),
    {
      numRuns: runs,
      examples: [
        // A name of the second node.
        [[...list, ['name', 0], ['make', 0, 0]]],
        // A node that is reached by one link and then the other: formulas follow one.
        [[...list, ['make', 1, 0], ['link', 0, 1, 1], ['forget', 1], ['make', 0, 0]]],
        [[['make', 6, 0], ['name', 6], ['open']]],
        // A lost node that leads to one that is reached, and one behind a freed node.
        [[...list, ['make', 1, 0], ['link', 1, 0, 0], ['forget', 1]]],
        [[...list, ['make', 0, 0], ['copy', 1, 0], ['drop', 0]]],
      ],
    },
  );
  expect(outcomes.both).toBeGreaterThan(runs / 5);
  expect(outcomes.lost).toBeGreaterThan(runs / 5);
  expect(outcomes['in runs alone']).toBeGreaterThan(0);
});

const stateOf = ({ globals, memory }: Machine): Parameters<Machine['evaluator']['evaluate']>[1] => ({
  globals,
  locals: [],
  objects: [],
  memory,
});
