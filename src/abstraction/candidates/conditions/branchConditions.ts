/**
 * The conditions of a function's branches, said of the variables as they are at its loops: what was tested before a
 * loop often holds all through it (`len <= n - at` in front of a loop over `len` bytes from `at` on), and no condition
 * behind the loop says it again. Only guesses: samples and Houdini are the judges.
 */
import { atomsOf, sizeOf, symbolsOf } from '../../../logic/substitute';
import type { Term } from '../../../logic/term';
import { FreshSymbols } from '../../../semantics/symbolic/symbolicValues';
import { relevanceOf } from '../observables';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import { computable, inScope } from '../../predicates/defaultPredicates';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  conditions: 16,
  /** Largest atom, in nodes. */
  conditionNodes: 12,
} as const;

/** Per loop: the atoms of conditions whose variables may all still matter there. */
export function branchConditionsAtLoops(system: TransitionSystem): Map<Cutpoint, Term[]> {
  const { vocabulary, builder } = system;
  const relevance = relevanceOf(system);
  const found = new Map<Cutpoint, Term[]>();
  for (const point of system.points) {
    if (point.kind !== 'loop') continue;
    const state = vocabulary.arbitraryState(point.fn, new FreshSymbols('guards'));
    const matters = (symbol: Term): boolean => {
      const meaning = vocabulary.meaning(symbol);
      return (
        meaning !== undefined &&
        inScope(meaning, point) &&
        (meaning.kind !== 'variable' || (!meaning.variable.temporary && relevance.at(point.location, meaning.variable)))
      );
    };
    const branches = point.fn.locations.flatMap(({ edges }) =>
      edges.length > 1 ? edges.filter((edge) => !system.weakening.dropped.has(edge)) : [],
    );
    const atoms = branches.flatMap(({ command }) =>
      command.kind === 'assume' ? [...atomsOf(builder.condition(command.condition, state))] : [],
    );
    found.set(
      point,
      [...new Set(atoms)]
        .filter(
          (atom) => sizeOf(atom) <= limits.conditionNodes && computable(atom) && [...symbolsOf(atom)].every(matters),
        )
        .slice(0, limits.conditions),
    );
  }
  return found;
}
