/**
 * Engines that refine a partition of the states (see `refine.ts`): alone, or after test-based abstraction, with its
 * abstract states as what is known of every place and the tests as the forest.
 */
import { computable } from '../../abstraction/predicates/defaultPredicates';
import {
  type AbstractPoint,
  cube,
  type StatePredicate,
  PredicateAbstraction,
} from '../../abstraction/predicates/predicateAbstraction';
import type { Cutpoint, CutpointKey } from '../../abstraction/transitionSystem/cutpoint';
import {
  type InvariantMap,
  invariantMap,
  invariantsAt,
  noInvariants,
} from '../../abstraction/transitionSystem/invariantMap';
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import * as L from '../../logic/build';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import { atomsOf, sizeOf, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Engine, Events, Knowledge, Outcome } from '../engine';
import type { Problem } from '../problem';
import { refine, type RefiningEngine } from './refine';
import { TestExecution } from './testExecution';

const limits = {
  /** CFA edges of a test that refinement makes. */
  runSteps: 5_000_000,
  /** Iterations alone, and of one turn after test-based abstraction. */
  iterations: 2000,
  iterationsOfTurn: 60,
  /** Atoms of splits that the next abstraction follows, per cutpoint, and their size in distinct subterms. */
  splitAtoms: 8,
  splitAtomSize: 24,
  /** Abstract states of a point beyond which their disjunction makes queries too large. */
  handedStates: 48,
} as const;

const disagreement = {
  cause: 'checker-disagrees',
  message: 'a failing test could not be run again as a scenario',
} as const;

/** By refinement alone. */
export const refinementAlone = (name: RefiningEngine): Engine => ({
  name,
  applies: () => undefined,
  async run(problem, known, budget, events) {
    const system = problem.system;
    events.working(PredicateAbstraction.of(system, noInvariants));
    const iterations = problem.task.refinement?.iterations ?? limits.iterations;
    return refineSystem(name, problem, system, noInvariants, known, iterations, budget, events);
  },
});

/**
 * One turn after test-based abstraction: alarms are handed on to refinement. It hands back a proof or a bug, or what it
 * split by, as predicates for the next abstraction.
 */
export const refineAlarms: Engine = {
  name: 'synergy:alarms',
  applies({ task }, { abstraction }) {
    if (task.refinement?.escalate === false) return 'refinement was switched off';
    return abstraction ? undefined : 'there is no abstraction to refine';
  },
  async run(problem, known, budget, events) {
    const { abstraction } = known;
    const options = { ...abstraction!.system.options, pointerAxioms: true };
    const system = new TransitionSystem(problem.program, options);
    // Abstract states per context need not be inductive without the contexts.
    const isClosed = known.alarms.some((alarm) => alarm.abstraction === abstraction);
    const handed =
      isClosed && !abstraction!.system.points.some(({ tracksContext }) => tracksContext) ? abstraction : undefined;
    const invariants = invariantMap(system.points, (point) => [
      ...invariantsAt(abstraction!.invariants, point).filter((term) => !hasQuantifier(term)),
      ...(handed ? abstractStates(handed.at(point)) : []),
    ]);
    return refineSystem('synergy', problem, system, invariants, known, limits.iterationsOfTurn, budget, events);
  },
};

async function refineSystem(
  engine: RefiningEngine,
  problem: Problem,
  system: TransitionSystem,
  invariants: InvariantMap,
  known: Knowledge,
  iterations: number,
  budget: Budget,
  events: Events,
): Promise<Outcome> {
  const scenarios = problem.scenarioOptions();
  const { generalize = 'learned', choice = 'nearest', edges = 'checked' } = problem.task.refinement ?? {};
  const result = await refine(system, invariants, problem.solvers.exact, {
    engine,
    seed: problem.task.seed,
    runSteps: limits.runSteps,
    query: () => budget.query(),
    horn: problem.solvers.horn,
    scenarios,
    executions: problem.task.runs.map(
      (run) => new TestExecution(run, () => problem.instance(), problem.entries, scenarios),
    ),
    trace: events.trace,
    generalize,
    choice,
    edges,
    iterations,
    stop: () => budget.exhausted,
  });
  events.refinement(result.report);
  switch (result.kind) {
    case 'pass':
      return { kind: 'safe', proof: { kind: 'invariant', abstraction: result.abstraction } };
    case 'fail':
      return result.scenario
        ? { kind: 'unsafe', failure: { kind: 'scenario', scenario: result.scenario } }
        : { kind: 'unknown', reason: disagreement, learned: known };
    case 'unknown': {
      const predicates = new Map(known.predicates);
      for (const [key, terms] of result.splits) predicates.set(key, atomsOfSplits(predicates.get(key), terms));
      return { kind: 'unknown', reason: result.reason, learned: { ...known, predicates } };
    }
  }
}

/** The atoms that have a value in every concrete state, besides those found before. */
export function atomsOfSplits(before: ReadonlySet<Term> | undefined, splits: readonly Term[]): ReadonlySet<Term> {
  const atoms = splits.flatMap(atomsOf).filter((atom) => sizeOf(atom) <= limits.splitAtomSize && computable(atom));
  return new Set([...(before ?? []), ...atoms].slice(0, limits.splitAtoms));
}

/** The given predicates, and those that refinement split by. */
export function withSplits(
  system: TransitionSystem,
  splits: ReadonlyMap<CutpointKey, ReadonlySet<Term>>,
  given: Map<Cutpoint, StatePredicate[]>,
): Map<Cutpoint, StatePredicate[]> {
  for (const point of system.points) {
    const terms = [...(splits.get(point.key) ?? [])].filter((term) =>
      [...symbolsOf(term)].every((symbol) => system.vocabulary.meaning(symbol)),
    );
    if (point !== system.client && terms.length > 0)
      given.set(point, [
        ...(given.get(point) ?? []),
        ...terms.map((term): StatePredicate => ({ term, name: undefined })),
      ]);
  }
  return given;
}

/** The abstract states of a closed abstraction as one invariant. */
function abstractStates(point: AbstractPoint): readonly Term[] {
  const valuations = point.valuations();
  if (point.predicates.length === 0 || valuations.length > limits.handedStates) return [];
  return [
    L.or(
      ...valuations.map((valuation) =>
        cube(
          valuation,
          point.predicates.map(({ term }) => term),
        ),
      ),
    ),
  ];
}
