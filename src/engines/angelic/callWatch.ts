/** Preconditions that the calls of an execution keep, evaluated in the state in which each call is made. */
import { ProbeError } from '../../abstraction/predicates/probes';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import {
  type Scenario,
  type ScenarioOptions,
  type ScenarioRun,
  ScenarioRunner,
} from '../../evidence/scenarios/scenario';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import { holdsAtEntry } from '../portfolio/holdsAtEntry';
import { preconditionsAt } from '../portfolio/userFormulas';
import type { Problem } from '../problem';
import type { Specification } from './specifications';

export type StatedPrecondition = Extract<Specification, { kind: 'requires' }>;

const limits = {
  /** Edges of a run that is watched. */
  steps: 20_000,
} as const;

export class CallWatch {
  private readonly runner: ScenarioRunner;
  private watch: ((...call: Parameters<ScenarioOptions['permits']>) => void) | undefined;

  constructor(
    private readonly problem: Problem,
    private readonly system: () => TransitionSystem,
  ) {
    const options = problem.scenarioOptions();
    this.runner = new ScenarioRunner(problem.program, {
      ...options,
      permits: (...call) => {
        if (!options.permits(...call)) return false;
        this.watch?.(...call);
        return true;
      },
    });
  }

  run(scenario: Scenario): ScenarioRun | undefined {
    return this.runner.run(scenario, { stepLimit: limits.steps });
  }

  /**
   * The preconditions of one function that a call of it by the client breaks. Those are left out that no formula can
   * mention.
   */
  findBroken(
    scenario: Scenario,
    fn: FunctionDefinition,
    offered: readonly StatedPrecondition[],
  ): ReadonlySet<StatedPrecondition> {
    const broken = new Set<StatedPrecondition>();
    const meant = offered.flatMap((one) => {
      const terms = this.termsOf(one, fn);
      return terms ? [{ one, terms }] : [];
    });
    const { vocabulary } = this.system();
    this.watch = (called, args, machine) => {
      if (called !== fn) return;
      for (const { one, terms } of meant)
        if (!broken.has(one) && !holdsAtEntry(terms, fn, args, machine, vocabulary)) broken.add(one);
    };
    this.run(scenario);
    this.watch = undefined;
    return broken;
  }

  private termsOf({ formula }: StatedPrecondition, fn: FunctionDefinition): readonly Term[] | undefined {
    const { task } = this.problem;
    try {
      return preconditionsAt({ ...task, requires: [{ function: fn.name, formula }] }, fn, this.system().vocabulary);
    } catch (error) {
      if (error instanceof ProbeError) return undefined;
      throw error;
    }
  }
}
