/** Invariants about lists as pictures. */
import { abstractHeap } from '../../../src/abstraction/printing/abstractHeap';
import { printTerm } from '../../../src/abstraction/printing/printTerm';
import { ReachabilityCandidates } from '../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { relevanceOf } from '../../../src/abstraction/candidates/observables';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { Machine } from '../../../src/semantics/concrete/machine';
import { programOf } from '../../program/programOf';
import { programSystem } from '../programSystem';

/** The picture of what holds in all states seen at the last loop, one line. `without`: facts left out. */
function pictureOf(body: string, without?: RegExp): string {
  const program = programOf(
    `#include <stdlib.h>
    struct node { int val; struct node *next; };
    int main(void) {
      struct node *h = NULL, *p = NULL;
      for (int i = 0; i < 4; i++) { struct node *t = malloc(sizeof *t); t->val = i; t->next = h; h = t; }
      ${body}
      return h != NULL && p != NULL;
    }`,
  );
  const main = program.functionByName.get('main')!;
  const system = programSystem(program, main, ['memsafety']);
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const machine = new Machine(program);
  machine.observer = {
    locations: system.watched,
    visit: (location, activation) => {
      const { globals, memory, activations } = machine;
      const view = new ConcreteView(system.vocabulary, { globals, memory, activation, activations });
      facts.record(system.at(location)!, view, machine);
    },
  };
  machine.call(main, []);
  const loop = system.points.filter(({ kind }) => kind === 'loop').at(-1)!;
  const terms = facts.candidates(loop).filter((term) => !without?.test(printTerm(term, system.vocabulary)));
  const picture = abstractHeap(terms, system.vocabulary);
  if (!picture) return 'none';
  return picture.boxes
    .map(({ title, members: [next] }) => {
      const to = next && 'to' in next ? picture.boxes[next.to]!.title : next?.value;
      const member = next?.name === 'next' ? '' : `, ${next?.name}`;
      return `${title}${member} -> ${to}`;
    })
    .join('; ');
}

test.each([
  [
    'a walker on the list of the head',
    'for (p = h; p->next != NULL; p = p->next) p->val++; h->val = p->val;',
    'h -> 0 or more; p -> 0 or more; 0 or more, next of the last -> p; 0 or more, next of the last -> NULL',
  ],
  [
    'two lists',
    'while (h != NULL) { struct node *n = h->next; h->next = p; p = h; h = n; }',
    'h, if not NULL -> 0 or more; p, if not NULL -> 0 or more; ' +
      '0 or more, next of the last -> NULL; 0 or more, next of the last -> NULL',
  ],
])('%s', (_, body, expected) => {
  expect(pictureOf(body)).toBe(expected);
});

test('nothing is drawn of lists that may be rings', () => {
  expect(pictureOf('for (p = h; p->next != NULL; p = p->next) p->val++; h->val = p->val;', /ring/)).toBe('none');
});
