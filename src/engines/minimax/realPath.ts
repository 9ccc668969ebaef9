/** Decides if a path to the error is one of the program: its condition, a model of that, and the model's run. */
import { pathFormula, type PathFormula } from '../../abstraction/partition/pathFormula';
import type { AbstractPath } from '../../abstraction/partition/partition';
import { Region } from '../../abstraction/partition/region';
import type { GraphNode, Step } from '../../abstraction/transitionSystem/transitionGraph';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { faultOf, runScenario, type Scenario } from '../../evidence/scenarios/scenario';
import { scenarioOfModel } from '../../evidence/scenarios/scenarioOfModel';
import { NotComputable } from '../../logic/evaluate';
import type { Model, QueryBudget, Solver } from '../../solver/solver';
import type { Reason } from '../../verdict';
import type { Problem } from '../problem';

const limits = {
  /** CFA edges of the run that confirms a failure. */
  replaySteps: 2_000_000,
} as const;

/** A scenario that fails, that the path cannot be taken, or why neither is known. */
export async function realise(
  path: readonly Step[],
  system: TransitionSystem,
  problem: Problem,
  solver: Solver,
  budget: () => QueryBudget,
): Promise<Scenario | 'infeasible' | Reason> {
  const formula = pathFormula(abstractPath(path));
  const terms = [...formula.constraints, ...path[0]!.premises];
  const answer = await solver.check([...terms, ...system.vocabulary.readAxioms(terms, new Set())], budget());
  switch (answer.kind) {
    case 'unsat':
      return 'infeasible';
    case 'unknown':
      return { cause: 'solver-budget', message: `a path to the error was not decided (${answer.detail})` };
    case 'sat': {
      const scenario = failing(formula, answer.model, system, problem);
      if (scenario) return scenario;
      const call = path.find(({ callee }) => callee)?.callee?.entry.point?.fn.name;
      if (call !== undefined)
        return {
          cause: 'probe-too-weak',
          message: `a path to the error passes ${call} by what is known of its result`,
        };
      // The path need not be possible: some condition was asked of a few elements only.
      return answer.model.partial
        ? { cause: 'solver-budget', message: 'a path to the error was asked about in part only' }
        : { cause: 'checker-disagrees', message: 'a path to the error is not one that the evaluator takes' };
    }
  }
}

/** The scenario of a model, if it fails; undefined also where the model leaves open what it would be. */
function failing(
  { calls, answers }: PathFormula,
  model: Model,
  system: TransitionSystem,
  problem: Problem,
): Scenario | undefined {
  const options = { ...problem.scenarioOptions(), stepLimit: limits.replaySteps };
  try {
    const asked = answers.filter(({ guard }) => model.evaluate(guard) === true);
    const scenario = scenarioOfModel(system, calls, asked, model);
    return faultOf(runScenario(problem.program, scenario, options)) ? scenario : undefined;
  } catch (error) {
    if (error instanceof NotComputable) return undefined;
    throw error;
  }
}

/** Through whole places: nothing is known of the states in between. */
function abstractPath(path: readonly Step[]): AbstractPath {
  const regions = new Map<GraphNode, Region>();
  const whole = (place: GraphNode): Region => {
    let region = regions.get(place);
    if (!region) regions.set(place, (region = new Region(regions.size, place, [], undefined, undefined)));
    return region;
  };
  return path.map((step) => ({ from: whole(step.from), step, to: whole(step.to) }));
}
