/**
 * Short loops become part of their segments, so that they need no invariant. That no execution stays longer is proved
 * like everything else: the head of an unrolled loop gets the invariant `false` (unwinding assertions: Clarke,
 * Kroening, Lerda, TACAS 2004).
 */
import type { Location } from '../../program/program';
import type { Term } from '../../logic/term';
import { candidatesFrom } from '../../abstraction/candidates/candidates';
import { constantsOf } from '../../abstraction/candidates/observables';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { conjoin, type InvariantMap } from '../../abstraction/transitionSystem/invariantMap';
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import type { Engine, Knowledge, Outcome, SampledStates } from '../engine';
import { houdini } from './houdini';

type When = 'early' | 'late';

const limits = {
  /** Rounds to unroll, as multiples of what runs needed. */
  slack: { early: [1, 2], late: [1, 2, 4] },
  /** Fraction of time left for one of them. */
  share: { early: 1 / 2, late: 1 / 3 },
  /** Rounds that runs needed of loops that are unrolled early, and how much of a function such a loop may become. */
  roundsEarly: 8,
  edgesEarly: 400,
} as const;

/** `early`: only loops that runs left after very few rounds. */
export const loopUnrolling = (when: When): Engine => ({
  name: when === 'early' ? 'loop-unrolling:early' : 'loop-unrolling',
  applies: (_, { samples }) => {
    if (!samples) return 'no states were sampled';
    if (when === 'late') return undefined;
    if (samples.system.memoryModel.links.length > 0) return 'lists are short in runs, whatever their loops are';
    return planFor(when, samples, 1).size === 0 ? 'no loop was left after very few rounds in all runs' : undefined;
  },
  async run(problem, known, budget) {
    const { samples } = known;
    const nothing = { kind: 'unknown', reason: undefined, learned: known } as const;
    const unrolled = (plan: ReadonlyMap<Location, number>): TransitionSystem =>
      new TransitionSystem(problem.program, { ...problem.systemOptions(), unroll: plan });
    /** The invariants under which no execution stays longer, by loop; undefined if the time was too short. */
    const keptIn = async (system: TransitionSystem): Promise<InvariantMap | undefined> => {
      const share = budget.share(limits.share[when]);
      return houdini(system, known.invariants, candidatesIn(system, samples!, known, when), problem.solvers.instances, {
        query: budget.query(),
        stop: () => share.exhausted !== undefined,
      });
    };
    /** Loops of which it is proved that no execution stays longer, with their rounds. */
    const proved = new Map<Location, number>();
    for (const slack of limits.slack[when]) {
      const plan = new Map([...planFor(when, samples!, slack), ...proved]);
      const system = unrolled(plan);
      if (system.unrolled.size === 0) break;
      const kept = await keptIn(system);
      if (!kept) break;
      const isLeft = (head: Location): boolean => kept.get(system.at(head)!.key)?.includes(L.FALSE) === true;
      const left = [...system.unrolled].filter(([head]) => isLeft(head));
      if (left.length === system.unrolled.size) return learned(system, kept);
      for (const [head, { rounds }] of left) proved.set(head, rounds);
    }
    // Loops that go on longer than runs did are loops again.
    if (proved.size === 0 || budget.exhausted) return nothing;
    const system = unrolled(proved);
    const kept = system.unrolled.size > 0 ? await keptIn(system) : undefined;
    return kept ? learned(system, kept) : nothing;

    function learned(by: TransitionSystem, kept: InvariantMap): Outcome {
      const invariants = conjoin(known.invariants, kept);
      const strengthened = { by: 'loop-unrolling', system: by, invariants } as const;
      return { kind: 'unknown', reason: undefined, learned: { ...known, strengthened } };
    }
  },
});

/** Rounds by the heads of the loops to unroll. */
function planFor(when: When, { rounds, system }: SampledStates, slack: number): ReadonlyMap<Location, number> {
  if (when === 'late') return rounds.plan(system.functions, slack);
  return rounds.plan(system.functions, slack, { rounds: limits.roundsEarly * slack, edges: limits.edgesEarly });
}

/** That no execution comes to the heads again; of other places, early of those in the same functions, what is plain. */
function candidatesIn(
  system: TransitionSystem,
  { system: sampled, samples }: SampledStates,
  known: Knowledge,
  when: When,
): ReadonlyMap<Cutpoint, readonly Term[]> {
  const plain = candidatesFrom(sampled, known.invariants, samples, constantsOf(sampled), 'plain');
  const isHead = (point: Cutpoint): boolean => system.unrolled.has(point.location);
  const functions = new Set(system.points.filter(isHead).map(({ fn }) => fn));
  const isNear = (point: Cutpoint): boolean => when === 'late' || functions.has(point.fn);
  return new Map(
    system.points.map((point) => [
      point,
      isHead(point) ? [L.FALSE] : isNear(point) ? (plain.get(sampled.point(point.key)) ?? []) : [],
    ]),
  );
}
