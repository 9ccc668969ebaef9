/** Candidates about sizes of blocks that nodes own, from the states of calls. */
import { relevanceOf } from '../../../../src/abstraction/candidates/observables';
import { ReachabilityCandidates } from '../../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { ConcreteView } from '../../../../src/abstraction/transitionSystem/concreteView';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { Machine } from '../../../../src/semantics';
import { programOf } from '../../../program/programOf';

const text = `
#include <stdlib.h>
struct node { int used; int room; int id; int *items; struct node *next; };
static struct node *head;
void put(int used, int room, int bytes) {
  struct node *t = malloc(sizeof *t);
  t->used = used;
  t->room = room;
  t->id = -bytes;
  t->items = malloc(bytes);
  if (bytes >= 4) t->items[0] = 0;
  t->next = head;
  head = t;
}`;

/** Between calls. */
function candidates(...calls: readonly (readonly [number, number, number])[]): string[] {
  const program = programOf(text, { separatesAllBut: new Set() });
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('put')!],
    checkedProperties: new Set(['memsafety']),
  });
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const machine = new Machine(program);
  for (const args of calls) {
    expect(machine.call(program.functionByName.get('put')!, [...args]).kind).toBe('returned');
    const view = { globals: machine.globals, memory: machine.memory, activation: undefined, activations: [] };
    facts.record(system.client!, new ConcreteView(system.vocabulary, view), machine);
  }
  return facts.sizes(system.client!).map((term) => printTerm(term, system.vocabulary));
}

const everyNode = (what: string): string => `(for every live struct node *_object: ${what})`;

test('a number tells the size, another how much of it is used, and a third nothing', () => {
  expect(candidates([0, 3, 12], [2, 4, 16], [5, 5, 20])).toEqual([
    everyNode('_object->items == NULL || object_size(_object->items) == 4 * _object->room'),
    everyNode('_object->used <= _object->room'),
    everyNode('_object->used >= 0'),
    everyNode('_object->room >= 0'),
  ]);
});

test('a number that never exceeds the size bounds it', () => {
  const found = candidates([0, -1, 12], [3, -7, 16], [6, -3, 24]);
  expect(found).toEqual([
    everyNode('_object->items == NULL || _object->used <= object_size(_object->items)'),
    everyNode('_object->items == NULL || _object->used + 1 <= object_size(_object->items)'),
    everyNode('_object->items == NULL || 4 * _object->used <= object_size(_object->items)'),
    everyNode('_object->used >= 0'),
  ]);
  expect(candidates([7, -1, 12], [2, -7, 16], [5, -3, 3], [9, -3, 4])).toEqual([]);
});

test('a size that is the same everywhere is no relation', () => {
  expect(candidates([3, 3, 12], [3, 3, 12], [3, 3, 12])).toEqual([]);
});
