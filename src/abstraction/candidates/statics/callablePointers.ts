/**
 * Candidates about pointers to functions, read off the types before any execution: those that clients register in a
 * static table are null or can be called, and so are those that a client passes, from its call on.
 */
import type { Term } from '../../../logic/term';
import { passedFunctions } from '../../../semantics/pointers/passedFunctions';
import { isCallableOrNull } from '../../../semantics/symbolic/functionPointerAssumptions';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { callableTables } from '../arrays/tableInvariants';

/** At all control points where there is such a table, and at entries with such parameters. */
export function callablePointers(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const tables = system.client ? callableTables(system) : [];
  if (tables.length === 0) return new Map();
  const { vocabulary, program, memoryModel } = system;
  return new Map(
    system.points.map((point) => {
      const passed =
        point.kind === 'entry'
          ? vocabulary.pointersFor(point.fn).flatMap(({ variable, value }) => {
              const functions = point.fn.parameters.includes(variable) && passedFunctions(variable.ctype, program);
              return functions ? [isCallableOrNull(functions, value, memoryModel.half)] : [];
            })
          : [];
      return [point, [...passed, ...tables]] as const;
    }),
  );
}
