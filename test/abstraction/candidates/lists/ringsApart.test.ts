/** Candidates about two rings, each with a head, from the states of calls. */
import { relevanceOf } from '../../../../src/abstraction/candidates/observables';
import { ReachabilityCandidates } from '../../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { ConcreteView } from '../../../../src/abstraction/transitionSystem/concreteView';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { Machine } from '../../../../src/semantics';
import { programOf } from '../../../program/programOf';

const text = `
#include <stdlib.h>
struct node { struct node *next; };
static struct node left = { &left }, right = { &right };
static void add(struct node *head) {
  struct node *one = malloc(sizeof *one);
  one->next = head->next;
  head->next = one;
}
void add_left(void) { add(&left); }
void add_right(void) { add(&right); }
void join(void) { if (right.next != &right) left.next->next = &right; }`;

type Call = 'add_left' | 'add_right' | 'join';

/** Between calls. */
function candidates(...calls: readonly Call[]): { readonly chains: string[]; readonly targets: string[] } {
  const program = programOf(text, {});
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: ['add_left', 'add_right', 'join'].map((name) => program.functionByName.get(name)!),
    checkedProperties: new Set(['memsafety']),
  });
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const machine = new Machine(program);
  const { globals, memory } = machine;
  for (const name of calls) {
    expect(machine.call(program.functionByName.get(name)!, []).kind).toBe('returned');
    const view = new ConcreteView(system.vocabulary, { globals, memory, activation: undefined, activations: [] });
    facts.record(system.client!, view, machine);
  }
  const print = (terms: readonly Parameters<typeof printTerm>[0][]): string[] =>
    terms.map((term) => printTerm(term, system.vocabulary));
  return { chains: print(facts.candidates(system.client!)), targets: print(facts.targets(system.client!)) };
}

const apart = '(for every struct node *_object that &left reaches: _object->next != &right)';

test('no link of one ring leads to the head of the other', () => {
  expect(candidates('add_left', 'add_right', 'add_left').chains).toContain(apart);
});

test('a state in which one does', () => {
  expect(candidates('add_left', 'add_right', 'join').chains).not.toContain(apart);
});

test('links of heads lead to heads alone, while rings are empty', () => {
  const ofLeft = (found: readonly string[]): string[] => found.filter((term) => term.includes('left.next'));
  expect(ofLeft(candidates('add_right').targets)).not.toEqual([]);
  expect(ofLeft(candidates('add_right', 'add_left').targets)).toEqual([]);
});
