/** Candidates about numbers in nodes, from the states of calls. */
import { relevanceOf } from '../../../../src/abstraction/candidates/observables';
import { ReachabilityCandidates } from '../../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { ConcreteView } from '../../../../src/abstraction/transitionSystem/concreteView';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { Machine } from '../../../../src/semantics';
import { programOf } from '../../../program/programOf';

const text = `
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head, *spare;
static int most;
static struct node *node(int value, struct node *next) {
  struct node *t = malloc(sizeof *t);
  t->value = value;
  t->next = next;
  return t;
}
void put(int value) {
  head = node(value, head);
  if (value > most) most = value;
}
void give(int value) { spare = node(value, spare); }
void mark(int unused) { spare = head; }
void fresh(int unused) {
  spare = malloc(sizeof *spare);
  spare->next = NULL;
}`;

/** Between calls. */
function candidates(...calls: readonly (readonly ['put' | 'give' | 'fresh' | 'mark', number])[]): string[] {
  const program = programOf(text, { separatesAllBut: new Set() });
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: ['put', 'give', 'fresh', 'mark'].map((name) => program.functionByName.get(name)!),
    checkedProperties: new Set(['memsafety']),
  });
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const machine = new Machine(program);
  for (const [name, value] of calls) {
    expect(machine.call(program.functionByName.get(name)!, [value]).kind).toBe('returned');
    facts.record(
      system.client!,
      new ConcreteView(system.vocabulary, {
        globals: machine.globals,
        memory: machine.memory,
        activation: undefined,
        activations: [],
      }),
      machine,
    );
  }
  return facts.numbers(system.client!).map((term) => printTerm(term, system.vocabulary));
}

const everyNode = (what: string): string => `(for every live struct node *_object: ${what})`;

test('values that all nodes have', () => {
  const found = candidates(['put', 7], ['put', 7], ['give', 7]);
  expect(found).toContain(everyNode('_object->value == 7'));
  expect(found).toContain(everyNode('_object->value >= 1'));
});

test('values of the nodes that one variable reaches', () => {
  const found = candidates(['put', 1], ['put', 1], ['give', 0], ['give', 0], ['give', 0]);
  expect(found).not.toContain(everyNode('_object->value == 1'));
  expect(found).toContain('(for every struct node *_object that head reaches: _object->value == 1)');
  expect(found).toContain('(for every struct node *_object that spare reaches: _object->value == 0)');
});

test('order along the link', () => {
  const falling = '_object->next == NULL || _object->next->value < _object->value';
  expect(candidates(['put', 1], ['put', 4], ['put', 9])).toContain(everyNode(falling));
  expect(candidates(['put', 4], ['put', 1], ['put', 9])).not.toContain(everyNode(falling));
});

test('the number in a node and others in scope', () => {
  expect(candidates(['put', 1], ['put', 4], ['put', 2])).toContain('head == NULL || head->value <= most');
});

test('another number that is never less than those in all nodes', () => {
  const found = candidates(['put', 1], ['put', 4], ['put', 2]);
  expect(found).toContain(everyNode('_object->value <= most'));
  expect(candidates(['put', 1], ['put', 4], ['give', 5])).not.toContain(everyNode('_object->value <= most'));
});

test('all nodes but the one whose number is not written yet', () => {
  const found = candidates(['put', 7], ['put', 7], ['put', 7], ['put', 7], ['fresh', 0]);
  expect(found).toContain(everyNode('spare == _object || _object->value == 7'));
  expect(found.some((one) => one.includes('head == _object'))).toBe(false);
  // Two of them are not one.
  const two = candidates(['put', 7], ['put', 7], ['put', 7], ['fresh', 0], ['fresh', 0]);
  expect(two.some((one) => one.includes('== _object ||'))).toBe(false);
});

test('two numbers have nothing in common worth asking about', () => {
  expect(candidates(['put', 7]).filter((one) => one.includes('_object'))).toEqual([]);
});

test('numbers up to the node that another variable leads to', () => {
  const ofPassed = (found: readonly string[]): readonly string[] =>
    found.filter((one) => one.includes('that head reaches') && one.includes('!reach(_object, spare)'));
  const marked = [
    ['put', 9],
    ['put', 1],
    ['mark', 0],
    ['put', 2],
    ['put', 3],
  ] as const;
  expect(ofPassed(candidates(...marked)).some((one) => one.includes('most'))).toBe(true);
  expect(ofPassed(candidates(...marked, ['put', 9])).some((one) => one.includes('most'))).toBe(false);
});
