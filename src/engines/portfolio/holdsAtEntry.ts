/** Terms over the state at a function's entry, evaluated in the state in which a client is about to call it. */
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import { holdsIn } from '../../abstraction/partition/partition';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Machine } from '../../semantics/concrete/machine';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';

export function holdsAtEntry(
  terms: readonly Term[],
  fn: FunctionDefinition,
  args: readonly ConcreteValue[],
  machine: Machine,
  vocabulary: Vocabulary,
): boolean {
  const locals = fn.variables.map((_, slot) => args[slot] ?? 0);
  const view = new ConcreteView(vocabulary, {
    globals: machine.globals,
    memory: machine.memory,
    activation: { fn, location: fn.entry, locals, objects: [] },
    activations: [],
  });
  return terms.every((term) => holdsIn(term, view));
}
