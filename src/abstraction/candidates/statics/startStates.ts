/** A module's state as its program begins. */
import { compile } from '../../../logic/compile';
import { NotComputable } from '../../../logic/evaluate';
import type { SymbolTerm, Term } from '../../../logic/term';
import { Machine } from '../../../semantics/concrete/machine';
import { ConcreteView } from '../../transitionSystem/concreteView';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

/** Numbers as the program begins with them. */
export function startValues(system: TransitionSystem): (symbol: SymbolTerm) => bigint {
  const view = startOfProgram(system);
  return (symbol) => view.value(symbol) as bigint;
}

/** True of what holds as the program begins, or cannot be computed. */
export function isTrueAtStart(system: TransitionSystem): (term: Term) => boolean {
  const view = startOfProgram(system);
  return (term) => {
    try {
      return compile(term)(view.value) === true;
    } catch (error) {
      if (error instanceof NotComputable) return true;
      throw error;
    }
  };
}

function startOfProgram({ program, vocabulary }: TransitionSystem): ConcreteView {
  const { globals, memory } = new Machine(program);
  return new ConcreteView(vocabulary, { globals, memory, activation: undefined, activations: [] });
}
