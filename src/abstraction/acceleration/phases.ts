/**
 * Phases of a loop: rounds that take the same side of each condition that decides values. A round of a phase is a set
 * of equations without cases, of which `closedForm.ts` knows what any number of rounds does.
 */
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { postOrder } from '../../logic/traverse';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

/** One round from the loop's head to itself, over the function's vocabulary at the head. */
export interface Phase {
  readonly point: Cutpoint;
  /** The states whose next round is of this phase. */
  readonly guard: readonly Term[];
  readonly after: ReadonlyMap<Term, Term>;
}

const limits = {
  /** Phases of one loop; more are seldom left one after the other. */
  phases: 8,
  /** Conditions that are distinguished on the way to a phase. */
  conditions: 8,
} as const;

/** Phases of all loops whose round is one segment that asks its environment nothing. */
export function phasesOf(system: TransitionSystem): readonly Phase[] {
  return system.transitions.flatMap(({ kind, from, ends, segment }) => {
    const end = ends.find(({ point }) => point === from);
    if (kind !== 'segment' || !from || !end || !segment) return [];
    if (segment.inputs.some((input) => input.kind === 'input') || segment.unknownResults.length > 0) return [];
    return split(from, end.guard, system.vocabulary.binding(from.fn, end.state));
  });
}

function split(point: Cutpoint, guard: Term, after: ReadonlyMap<Term, Term>): Phase[] {
  const symbols = [...after.keys()];
  const found: Phase[] = [];
  const visit = (chosen: readonly Term[], terms: readonly Term[]): void => {
    if (found.length > limits.phases || terms[0] === L.FALSE) return;
    const condition = firstCondition(terms);
    if (condition === undefined) {
      const values = terms.slice(1);
      found.push({
        point,
        guard: [...new Set([...chosen, terms[0]!].flatMap(conjunctsOf))],
        after: new Map(symbols.map((symbol, i) => [symbol, values[i]!])),
      });
      return;
    }
    if (chosen.length === limits.conditions) {
      found.length = limits.phases + 1;
      return;
    }
    visit([...chosen, condition], substituteAll(terms, new Map([[condition, L.TRUE]])));
    visit([...chosen, L.not(condition)], substituteAll(terms, new Map([[condition, L.FALSE]])));
  };
  visit([], [guard, ...after.values()]);
  return found.length > limits.phases ? [] : found;
}

/** The condition of the innermost conditional that is met first. */
function firstCondition(terms: readonly Term[]): Term | undefined {
  for (const term of postOrder([...terms])) {
    if (!L.isApplication(term, 'ite')) continue;
    const condition = term.args[0]!;
    if (symbolsOf(condition).size > 0) return condition;
  }
  return undefined;
}

export function conjunctsOf(term: Term): readonly Term[] {
  if (L.isApplication(term, 'and')) return term.args.flatMap(conjunctsOf);
  return term === L.TRUE ? [] : [term];
}
