/**
 * Failures behind long loops: executions that are followed symbolically, with jumps over any number of rounds of loops
 * whose round has a closed form (S. Bardin, A. Finkel, J. Leroux, L. Petrucci, "FAST: acceleration from theory to
 * practice", STTT 2008; D. Kroening, M. Lewis, G. Weissenbacher, "Under-approximating loops in C programs for fast
 * counterexample detection", CAV 2013). A model says with which inputs the program would fail; it counts when the
 * program, run with them round after round, does. A program without inputs is simply run that far.
 */
import { Jumps } from '../../abstraction/acceleration/jumps';
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { callWithUnreadArguments } from '../../evidence/scenarios/programStart';
import { elementByElement } from '../../solver/wrappers/elementByElement';
import type { Location } from '../../program/program';
import type { Engine, Events, FailingExecution, Knowledge } from '../engine';
import type { Problem } from '../problem';
import { searchBounded } from './boundedModelChecking';
import { longFailure } from './longFailure';

const limits = {
  /** Segments one after the other, each behind a jump. */
  rounds: { early: 10, late: 24 },
  /** Rounds of a loop that becomes part of its segment; the segments of more are too large for a search in between. */
  unrolledRounds: 8,
  /**
   * Rounds of one run after which a loop counts as long: shorter ones are run or unrolled, and wait for the late turn.
   */
  longLoopRounds: 64,
  /**
   * A search that others pay for: an early one, or where every loop was seen to be short. And solver resource units of
   * each of its queries.
   */
  briefMs: 2_000,
  briefResources: 500_000,
  /** Calls of a module's client. */
  calls: 2,
} as const;

/** `early`: what is found soon, before invariants are searched for. */
export const acceleration = (when: 'early' | 'late'): Engine => ({
  name: when === 'early' ? 'acceleration' : 'acceleration:late',
  applies({ program, task, entries }) {
    if (task.predicates === 'probes' || task.adequacy) return 'abstract states are wanted';
    if (task.mode === 'program' && entries.length !== 1) return 'only programs have one beginning';
    if (!program.functions.some(({ locations }) => locations.some(({ isLoopHead }) => isLoopHead)))
      return 'there is no loop';
    return undefined;
  },
  async run(problem, known, budget, events) {
    const failure = known.isLong
      ? longFailure({ calls: [callWithUnreadArguments(problem.entries[0]!)], answers: [] }, problem, budget, events)
      : await search(when, problem, known, budget, events);
    return failure ? { kind: 'unsafe', failure } : { kind: 'unknown', reason: undefined, learned: known };
  },
});

async function search(
  when: 'early' | 'late',
  problem: Problem,
  known: Knowledge,
  budget: Budget,
  events: Events,
): Promise<FailingExecution | undefined> {
  const plan = known.samples?.rounds.plan(known.samples.system.functions, 1);
  // A run arrives at the head once more than it goes round.
  const short = new Map([...(plan ?? [])].filter(([, arrivals]) => arrivals <= limits.unrolledRounds + 1));
  const system = new TransitionSystem(problem.program, {
    ...problem.systemOptions(),
    ...(short.size > 0 && { unroll: short }),
  });
  const jumps = new Jumps(system);
  if (jumps.heads.size === 0) return undefined;
  const isLong = (head: Location): boolean => (plan?.get(head) ?? Infinity) >= limits.longLoopRounds;
  const isSomeLong = [...jumps.heads].some(isLong);
  if (when === 'early' && !isSomeLong) return undefined;
  const isBrief = when === 'early' || !isSomeLong;
  const granted = isBrief ? budget.share(1, limits.briefMs) : budget;
  const found = await searchBounded(system, elementByElement(problem.solvers.instances), {
    order: 'breadth',
    rounds: limits.rounds[when],
    calls: problem.task.mode === 'program' ? 1 : limits.calls,
    query: () => {
      const { timeoutMs, resources = Infinity } = granted.moderateQuery();
      return { timeoutMs, resources: isBrief ? Math.min(resources, limits.briefResources) : resources };
    },
    stop: () => granted.exhausted !== undefined,
    shortcut: (fn, location, flow, symbols) => jumps.over(fn, location, flow, symbols),
  });
  return found.kind === 'found' ? longFailure(found.scenario, problem, budget, events) : undefined;
}
