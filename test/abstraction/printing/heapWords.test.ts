/** Candidates about lists as readers see them. */
import { ReachabilityCandidates } from '../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { relevanceOf } from '../../../src/abstraction/candidates/observables';
import { printTerm } from '../../../src/abstraction/printing/printTerm';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { Machine } from '../../../src/semantics';
import { programOf } from '../../program/programOf';
import { programSystem } from '../programSystem';

const text = `
  #include <stdlib.h>
  extern int nondet(void);
  struct node { int val; struct node *next; };
  int main(void) {
    struct node *a = NULL, *b = NULL;
    while (nondet()) {
      struct node *t = malloc(sizeof *t);
      t->val = 1;
      if (nondet()) { t->next = a; a = t; } else { t->next = b; b = t; }
    }
    return (a != NULL) + (b != NULL);
  }`;

const printed = (() => {
  const program = programOf(text, { externals: 'any' });
  const system = programSystem(program, program.functionByName.get('main')!, ['memsafety']);
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const loop = system.points.find(({ kind }) => kind === 'loop')!;
  return facts.candidates(loop).map((term) => printTerm(term, system.vocabulary));
})();

test.each([
  ['that no write has closed a ring', '(next makes no ring)'],
  [
    'where links lead',
    '(for every live struct node *_object: _object->next == NULL || (_object->next leads to a struct node))',
  ],
  ['where a variable leads', 'a == NULL || (a leads to a live struct node)'],
  ['what is live', '(all that a reaches is live)'],
  ['what is apart', '(a and b reach nothing in common)'],
  ['that there is nothing', '(no struct node is live)'],
  ['that nothing is lost', '(for every live struct node *_object: reach(a, _object) || reach(b, _object))'],
])('%s', (_, words) => {
  expect(printed).toContain(words);
});

test('no number of an object or a region shows', () => {
  expect(printed.filter((one) => /region_of|next_object|is_dynamic/.test(one))).toEqual([]);
});

test('the length of a list, and of none', () => {
  const program = programOf(
    `struct node { struct node *next; };
     #include <stdlib.h>
     static struct node *head;
     static int count;
     void push(void) { struct node *t = malloc(sizeof *t); t->next = head; head = t; count++; }`,
    { externals: 'any' },
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('push')!],
    checkedProperties: new Set(['memsafety']),
  });
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const machine = new Machine(program);
  for (let calls = 0; calls < 4; calls++) {
    const view = new ConcreteView(system.vocabulary, {
      globals: machine.globals,
      memory: machine.memory,
      activation: undefined,
      activations: [],
    });
    facts.record(system.client!, view, machine);
    expect(machine.call(program.functionByName.get('push')!, []).kind).toBe('returned');
  }
  const lengths = facts.lengths(system.client!).map((term) => printTerm(term, system.vocabulary));
  expect(lengths).toContain('length(head) == count');
});
