/** Jumps over rounds of loops, in executions that are followed symbolically. */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { FunctionDefinition, Location } from '../../program/program';
import type { Flow } from '../../semantics/symbolic/segment';
import { type FreshSymbols, isPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { type ClosedForm, closedFormOf, jump, roundBits } from './closedForm';
import { phasesOf } from './phases';

/**
 * Any number of rounds of each phase, one phase after the other, or none. Law: the flow that is returned holds states
 * of real executions that the one given leads to, except where a guard is not made of comparisons of moving words or a
 * value has no closed form; what is found with jumps has to be run.
 */
export class Jumps {
  private readonly forms = new Map<Location, ClosedForm[]>();

  constructor(private readonly system: TransitionSystem) {
    for (const phase of phasesOf(system)) {
      const form = closedFormOf(phase);
      if (!form) continue;
      const { location } = phase.point;
      this.forms.set(location, [...(this.forms.get(location) ?? []), form]);
    }
  }

  /** Heads of loops of which some phase has a closed form. */
  get heads(): ReadonlySet<Location> {
    return new Set(this.forms.keys());
  }

  /** The flow after a number of rounds that is chosen freely, at a loop's head; elsewhere as it is. */
  over(fn: FunctionDefinition, location: Location, flow: Flow, symbols: FreshSymbols): Flow {
    const { vocabulary } = this.system;
    let { guard } = flow;
    let binding: ReadonlyMap<Term, Term> | undefined;
    for (const form of this.forms.get(location) ?? []) {
      binding ??= vocabulary.binding(fn, flow.state);
      const before: ReadonlyMap<Term, Term> = binding;
      const jumped = jump(form, symbols.fresh('rounds', L.bitsSort(roundBits)), symbols);
      const changed = [...jumped.values.keys()];
      const [holds, ...values] = substituteAll([jumped.guard, ...jumped.values.values()], before);
      guard = L.and(guard, holds!);
      const after = new Map(before);
      changed.forEach((symbol, i) => after.set(symbol, values[i]!));
      binding = after;
    }
    if (!binding) return flow;
    const state = vocabulary.arbitraryState(fn, symbols);
    const known = binding;
    const valueOf = (term: Term): Term => known.get(term) ?? term;
    const value = (v: SymbolicValue): SymbolicValue =>
      isPointer(v) ? { object: valueOf(v.object), offset: valueOf(v.offset) } : valueOf(v);
    state.memory.contents = state.memory.contents.map(valueOf);
    return {
      guard,
      state: {
        globals: state.globals.map(value),
        locals: state.locals.map(value),
        objects: flow.state.objects,
        memory: state.memory,
      },
    };
  }
}
