/**
 * Failures of comparisons and differences of pointers that a client brings about by passing pointers into two objects:
 * `PROVEST_SAME_OBJECT(p, end)` rules them out. Offered only if it is the cause, found by running once more with the
 * beginning and the end of one object, as in angelic verification (A. Das, S. Lahiri, A. Lal, Y. Li, CAV 2015).
 */
import { joinObjects } from '../search/stated/joinedObjects';
import type { ProbePath } from '../../abstraction/predicates/probeFormula';
import { isSameType } from '../../evidence/scenarios/clientObjects';
import { runScenario, type Scenario, type ScenarioOptions } from '../../evidence/scenarios/scenario';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Fault } from '../../semantics/concrete/fault';
import { endsFailure } from './experiment';
import type { Precondition } from './preconditions';

const limits = {
  /** Edges of a run with one object. */
  steps: 20_000,
} as const;

/** The latest call first. */
export function oneObject(
  program: Program,
  options: ScenarioOptions,
  scenario: Scenario,
  fault: Fault,
): readonly Pick<Precondition, 'function' | 'text'>[] {
  if (fault.check !== 'pointer-comparison') return [];
  const failing = runScenario(program, scenario, { ...options, stepLimit: limits.steps })?.last;
  if (failing === undefined) return [];
  const found: Pick<Precondition, 'function' | 'text'>[] = [];
  for (let index = failing; index >= 0; index--) {
    const { fn, arguments: given } = scenario.calls[index]!;
    for (const { left, right, text } of pairsOf(fn)) {
      const joined = [...given];
      joinObjects(joined, fn, { left, right }, index, () => 1);
      if (joined.every((argument, at) => argument === given[at])) continue;
      const run = runScenario(
        program,
        { ...scenario, calls: scenario.calls.with(index, { fn, arguments: joined }) },
        { ...options, stepLimit: limits.steps },
      );
      if (endsFailure(run, fault, failing)) found.push({ function: fn.name, text });
    }
  }
  return found;
}

interface Pair {
  readonly left: ProbePath;
  readonly right: ProbePath;
  readonly text: string;
}

/** Two parameters that point to the same type, or one to what the other points to. */
function pairsOf({ parameters }: FunctionDefinition): readonly Pair[] {
  return parameters.flatMap((left, at) =>
    parameters.flatMap((right, other): readonly Pair[] => {
      const [to, target] = [pointee(left), pointee(right)];
      if (!to || !target || at === other) return [];
      const path = (steps: ProbePath['steps'], { name }: Variable): ProbePath => ({
        kind: 'path',
        variable: name,
        steps,
      });
      if (at < other && to.kind !== 'function' && isSameType(to, target))
        return [
          { left: path([], left), right: path([], right), text: `PROVEST_SAME_OBJECT(${left.name}, ${right.name})` },
        ];
      if (to.kind === 'pointer' && to.to.kind !== 'function' && isSameType(to.to, target))
        return [
          {
            left: path([{ kind: 'dereference' }], left),
            right: path([], right),
            text: `PROVEST_SAME_OBJECT(*${left.name}, ${right.name})`,
          },
        ];
      return [];
    }),
  );
}

const pointee = ({ ctype }: Variable) => (ctype?.kind === 'pointer' ? ctype.to : undefined);
