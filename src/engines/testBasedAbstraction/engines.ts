/**
 * Test-based abstraction as stages (Yorsh, Ball, Sagiv, ISSTA 2006): without predicates, to discharge checks under
 * invariants; with ever more predicates; and under intervals.
 */
import { assumptionsAt } from '../../abstraction/candidates/clientAssumptions';
import {
  defaultPredicates,
  predicateLevels,
  type PredicateLimits,
} from '../../abstraction/predicates/defaultPredicates';
import { PredicateAbstraction, type PredicateMap } from '../../abstraction/predicates/predicateAbstraction';
import { invariantMap, noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import { type TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import type { QueryBudget } from '../../solver/solver';
import type { Engine, Events, Knowledge, Outcome } from '../engine';
import { onlyProbesAt, probesAt } from '../portfolio/userFormulas';
import type { Problem } from '../problem';
import { withSplits } from '../refinement/engines';
import type { StageName } from '../registry';
import { intervalInvariant } from './intervalAbstraction';
import { seededByTests } from './seededByTests';

const limits = {
  /** Moves of an interval's end before it is widened. */
  intervalPatience: 4,
} as const;

/** Closes the abstraction and checks what can fail in it. */
async function closeAndCheck(
  problem: Problem,
  abstraction: PredicateAbstraction,
  stage: StageName,
  query: QueryBudget,
  known: Knowledge,
  budget: Budget,
  events: Events,
): Promise<Outcome> {
  const { reuse } = known;
  events.onProof(abstraction);
  const engine = seededByTests(
    problem,
    abstraction,
    {
      query,
      stop: () => budget.exhausted,
      progress: (done, total) => {
        events.progress('solving', done, total);
        reuse?.keepStates(abstraction, stage, 'from time to time');
      },
    },
    events,
  );
  try {
    for (const [point, { states }] of reuse?.states(abstraction, stage) ?? [])
      for (const state of states) engine.adopt(point, state);
    const closure = await engine.close();
    events.onFabricated(engine.statistics.fabricated);
    for (const remark of engine.remarks) events.difficulty(remark);
    const learned = { ...known, abstraction };
    if (closure.kind === 'gave-up') {
      reuse?.keepStates(abstraction, stage, 'now');
      return { kind: 'unknown', reason: closure.reason, learned, gaveUp: true };
    }
    events.progress('solving', 0, abstraction.system.transitions.length);
    const alarms = await engine.alarms();
    if (!Array.isArray(alarms))
      return { kind: 'unknown', reason: alarms as Exclude<typeof alarms, unknown[]>, learned };
    return alarms.length === 0
      ? { kind: 'safe', proof: { kind: 'invariant', abstraction } }
      : { kind: 'alarms', alarms, learned: { ...learned, alarms } };
  } finally {
    engine.dispose();
  }
}

/** The checks under what the stage before has proved, without predicates. */
export const discharge: Engine = {
  name: 'discharge',
  applies: (_, { strengthened }) => (strengthened ? undefined : 'no stage has proved anything yet'),
  run(problem, known, budget, events) {
    const { by, system, invariants } = known.strengthened!;
    const abstraction = PredicateAbstraction.of(system, invariants);
    return closeAndCheck(problem, abstraction, by, budget.moderateQuery(), known, budget, events);
  },
};

/** `level`: of the predicates read off the program; `probes`: the user's alone. */
export const testBasedAbstraction = (level: number | 'probes'): Engine => {
  const name: StageName = `test-based-abstraction:${level}`;
  return {
    name,
    applies: () => undefined,
    run(problem, known, budget, events) {
      const system = problem.system;
      const predicates =
        level === 'probes'
          ? onlyProbesAt(problem.task, system)
          : predicatesAt(problem, system, known, predicateLevels[level]!);
      const abstraction = PredicateAbstraction.of(system, known.invariants, predicates);
      return closeAndCheck(problem, abstraction, name, budget.query(), known, budget, events);
    },
  };
};

const predicatesAt = (
  problem: Problem,
  system: TransitionSystem,
  known: Knowledge,
  level: PredicateLimits,
): PredicateMap =>
  defaultPredicates(system, withSplits(system, known.predicates, probesAt(problem.task, system)), level);

/** An interval for every integer (Cousot, Cousot, POPL 1977). */
export const intervals: Engine = {
  name: 'intervals',
  applies: (_, { samples }) => (samples ? undefined : 'no states were sampled'),
  async run(problem, known, budget, events) {
    const { system, samples } = known.samples!;
    const result = await intervalInvariant(system, samples, problem.solvers.instances, {
      query: budget.query(),
      stop: () => budget.exhausted !== undefined,
      boundChanges: limits.intervalPatience,
    });
    if (!result) events.difficulty('the intervals could not be closed');
    const invariants = result
      ? invariantMap(system.points, (point) => result.invariants.get(point) ?? [])
      : noInvariants;
    const abstraction = PredicateAbstraction.of(system, invariants);
    return closeAndCheck(problem, abstraction, 'intervals', budget.query(), { ...known, invariants }, budget, events);
  },
};

/** A program without loops, or a module without state: its checks follow from the preconditions alone. */
export const loopFree: Engine = {
  name: 'loop-free',
  applies({ task, program, entries }, known) {
    if (task.predicates === 'probes' || task.probes.length > 0 || task.adequacy || task.explain)
      return 'abstract states are wanted';
    if (known.resumed) return 'an earlier run has left more';
    if (task.mode === 'module' && (program.globals.length > 0 || program.objects.some(({ writable }) => writable)))
      return 'the module has state';
    return entries.some(({ locations }) => locations.some(({ isLoopHead }) => isLoopHead))
      ? 'there is a loop'
      : undefined;
  },
  async run(problem, known, budget, events) {
    const system = problem.system;
    // A call that is a step of its own, as in recursion, needs an invariant about its result.
    if (system.points.some(({ kind }) => kind === 'loop' || kind === 'call'))
      return { kind: 'unknown', reason: undefined, learned: known };
    const invariants = invariantMap(system.points, (point) =>
      point.kind === 'entry' ? assumptionsAt(point, system) : [],
    );
    const abstraction = PredicateAbstraction.of(system, invariants);
    const query = budget.moderateQuery();
    const outcome = await closeAndCheck(problem, abstraction, 'loop-free', query, known, budget, events);
    // Later stages begin anew, with samples.
    return outcome.kind === 'safe'
      ? outcome
      : { kind: 'unknown', reason: outcome.kind === 'unknown' ? outcome.reason : undefined, learned: known };
  },
};
