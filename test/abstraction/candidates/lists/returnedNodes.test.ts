/** Candidates about the number in the node that a function returns, from the states at its exit. */
import { relevanceOf } from '../../../../src/abstraction/candidates/observables';
import { ReachabilityCandidates } from '../../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { ConcreteView } from '../../../../src/abstraction/transitionSystem/concreteView';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { Machine } from '../../../../src/semantics';
import { programOf } from '../../../program/programOf';

/** At the exit of `insert`, with this condition for a new node, after calls with the values. */
function candidates(condition: string, ...values: readonly number[]): string[] {
  const program = programOf(`
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *list;
static struct node *insert(struct node *old, int value) {
  if (!old || ${condition}) {
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = old;
    return made;
  }
  old->next = insert(old->next, value);
  return old;
}
void put(int value) { list = insert(list, value); }`);
  const put = program.functionByName.get('put')!;
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [put],
    checkedProperties: new Set(['memsafety']),
  });
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
  for (const value of values) expect(machine.call(put, [value]).kind).toBe('returned');
  const exit = system.at(program.functionByName.get('insert')!.exit)!;
  return facts.numbers(exit).map((term) => printTerm(term, system.vocabulary));
}

const least = 'old == <result> || <result> == NULL || value <= <result>->value';
const most = 'old == <result> || <result> == NULL || <result>->value <= value';

test('a new node has the number that is inserted', () => {
  const found = candidates('value < old->value', 5, 4, 3, 6, 7);
  expect(found).toContain(least);
  expect(found).toContain(most);
});

test('nothing where the node is always a new one', () => {
  const found = candidates('1', 5, 4, 3, 6, 7);
  expect(found).not.toContain(least);
});

test('nothing from fewer than three new nodes', () => {
  const found = candidates('value < old->value', 5, 6);
  expect(found).not.toContain(least);
});
