/**
 * Abstract states that no test reached, each with a test that does: clients found by running, as in `cover.ts`. A state
 * without one was not shown reachable, which does not say that it is not.
 */
import { reportedValuation, type ReportedState } from '../../abstraction/printing/reportedStates';
import { observationTitle, observe } from '../../host/observe';
import { printObservation } from '../../host/printing/printTest';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Adequacy, ClientStep } from '../../verdict';
import { clientSteps } from '../../evidence/scenarios/clientSteps';
import { coveringScenarios, stateKey, type CoverOptions } from './coveringTests';

const limits = {
  /** Edges of the automaton: about a second. */
  edges: 1_000_000,
} as const;

export interface MissingOptions extends Omit<CoverOptions, 'edges' | 'known'> {
  readonly callable: readonly FunctionDefinition[];
  /** The program as tests run it. */
  readonly tested: Program;
  /** Module's name in the test file. */
  readonly variable: string;
}

/** `missing` in the order of `adequacy.missing`. */
export function withTests(
  adequacy: Adequacy,
  missing: readonly ReportedState[],
  program: Program,
  options: MissingOptions,
): Adequacy {
  if (missing.length === 0) return adequacy;
  const wanted = new Set(missing.map(({ abstract, valuation }) => stateKey(abstract.point, valuation)));
  const known = new Set(
    options.abstraction.points.flatMap((abstract) =>
      abstract
        .all()
        .filter(({ valuation }) => !wanted.has(stateKey(abstract.point, reportedValuation(abstract, valuation))))
        .map(({ valuation }) => stateKey(abstract.point, valuation)),
    ),
  );
  const names = options.callable.map(({ name }) => name);
  const tests = new Map<string, string>();
  for (const { scenario, run, states } of coveringScenarios(program, { ...options, known, edges: limits.edges })) {
    const steps: readonly ClientStep[] = clientSteps(scenario, run, program);
    const observed = observe(options.tested, steps, names);
    if (!observed) continue;
    const test = printObservation(observationTitle(steps), observed.steps, options.variable, names);
    for (const { point, valuation } of states) {
      const key = stateKey(point, reportedValuation(options.abstraction.at(point), valuation));
      if (!tests.has(key)) tests.set(key, test);
    }
  }
  return {
    ...adequacy,
    missing: adequacy.missing.map((state, i) => {
      const test = tests.get(stateKey(missing[i]!.abstract.point, missing[i]!.valuation));
      return test === undefined ? state : { ...state, test };
    }),
  };
}
