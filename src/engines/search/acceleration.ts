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
import { elementByElement } from '../../solver/wrappers/elementByElement';
import type { Location } from '../../program/program';
import { arrivalsAt, type Engine, type Events, type FailingExecution, type Knowledge } from '../engine';
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
  /** An early search, which others pay for, and solver resource units of each of its queries. */
  earlyMs: 2_000,
  earlyResources: 500_000,
  /** Calls of a module's client. */
  calls: 2,
} as const;

/** `early`: what is found soon, before invariants are searched for. */
export const acceleration = (when: 'early' | 'late'): Engine => ({
  name: when === 'early' ? 'acceleration' : 'acceleration:late',
  applies({ program, task, entries }, known) {
    if (task.predicates === 'probes' || task.adequacy) return 'abstract states are wanted';
    if (task.mode === 'program' && entries.length !== 1) return 'only programs have one beginning';
    if (!program.functions.some(({ locations }) => locations.some(({ isLoopHead }) => isLoopHead)))
      return 'there is no loop';
    if (known.isLong && when === 'late') return 'the only execution was run';
    return undefined;
  },
  async run(problem, known, budget, events) {
    const failure = known.isLong
      ? longFailure({ calls: [{ fn: problem.entries[0]!, arguments: [] }], answers: [] }, problem, budget, events)
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
  const short = new Map([...(plan ?? [])].filter(([, rounds]) => rounds <= limits.unrolledRounds));
  const system = new TransitionSystem(problem.program, {
    ...problem.systemOptions(),
    ...(short.size > 0 && { unroll: short }),
  });
  const jumps = new Jumps(system);
  const isWorthIt = (head: Location): boolean =>
    when === 'late' || (arrivalsAt(known, head) ?? Infinity) >= limits.longLoopRounds;
  if (![...jumps.heads].some(isWorthIt)) return undefined;
  const granted = when === 'early' ? budget.share(1, limits.earlyMs) : budget;
  const found = await searchBounded(system, elementByElement(problem.solvers.instances), {
    order: 'breadth',
    rounds: limits.rounds[when],
    calls: problem.task.mode === 'program' ? 1 : limits.calls,
    query: () => {
      const { timeoutMs, resources = Infinity } = granted.moderateQuery();
      return { timeoutMs, resources: when === 'early' ? Math.min(resources, limits.earlyResources) : resources };
    },
    stop: () => granted.exhausted !== undefined,
    shortcut: (fn, location, flow, symbols) => jumps.over(fn, location, flow, symbols),
  });
  return found.kind === 'found' ? longFailure(found.scenario, problem, budget, events) : undefined;
}
