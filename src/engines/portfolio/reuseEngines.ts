/**
 * Stages that take up what earlier runs left, when it can be confirmed: a counterexample by replaying it, a proof by
 * certifying it for what the files are now, invariants as far as they are still inductive.
 */
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { invariantMap, invariantsAt, noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { faultOf, runScenario } from '../../evidence/scenarios/scenario';
import type { FunctionDefinition } from '../../program/program';
import type { RecalledPoint } from '../../proofCache';
import type { Engine, Events, Outcome } from '../engine';
import { houdini } from '../invariants/houdini';
import { saving } from '../invariants/houdiniEngine';
import type { Problem } from '../problem';
import { ProofReuse } from './proofReuse';
import { seededByTests } from '../testBasedAbstraction/seededByTests';

const limits = {
  /** Fractions of time left for invariants of a run that was cut short, and of a proof of an earlier version. */
  unfinishedShare: 1 / 2,
  earlierShare: 1 / 3,
} as const;

/** A cutpoint of which nothing is claimed: all states are one. */
const noClaim: RecalledPoint = {
  invariants: [],
  predicates: [],
  states: [{ valuation: '', context: '', source: 'abstract', sample: [] }],
};

/** Looks up what earlier runs stored about these files. */
export const openProofCache: Engine = {
  name: 'proof-cache',
  applies: ({ memory }) => (memory ? undefined : 'nothing is stored'),
  async run({ memory, task, program, solvers, excludesEnds }, known) {
    const reuse = await ProofReuse.of(memory, task, program, solvers.instances.name, excludesEnds);
    return { kind: 'unknown', reason: undefined, learned: { ...known, reuse } };
  },
};

const nothingStored = (_: Problem, { reuse }: { readonly reuse: unknown }): string | undefined =>
  reuse ? undefined : 'nothing is stored';

export const storedBug: Engine = {
  name: 'stored-bug',
  applies: nothingStored,
  async run(problem, known) {
    const scenario = known.reuse!.scenario();
    if (!scenario || !faultOf(runScenario(problem.program, scenario, problem.scenarioOptions())))
      return { kind: 'unknown', reason: undefined, learned: known };
    const remark = 'the counterexample is one that an earlier run had found; it was replayed';
    return { kind: 'unsafe', failure: { kind: 'scenario', scenario, remark } };
  },
};

/** The proof of this very problem. */
export const storedProof: Engine = {
  name: 'stored-proof',
  applies: nothingStored,
  async run(problem, known, budget, events) {
    const reuse = known.reuse!;
    const system = new TransitionSystem(problem.program, { ...problem.systemOptions(), ...reuse.transitions() });
    const proof = reuse.proof(system);
    if (!proof) return { kind: 'unknown', reason: undefined, learned: known };
    const abstraction = recallInvariants(problem, system, (point) => proof.get(point)!, budget, events);
    const reused = { points: system.points.length, provedAnew: [], exact: true };
    return { kind: 'safe', proof: { kind: 'invariant', abstraction, reused } };
  },
};

/** After an edit: the earlier proof, at all cutpoints that are still there. */
export const earlierProof: Engine = {
  name: 'earlier-proof',
  applies: (problem, known) =>
    nothingStored(problem, known) ?? (known.reuse!.unfinished ? 'the earlier run was cut short' : undefined),
  async run(problem, known, budget, events) {
    const reuse = known.reuse!;
    const system = new TransitionSystem(problem.program, { ...problem.systemOptions(), ...reuse.transitions() });
    const earlier = reuse.earlierProof(system);
    if (!earlier) return { kind: 'unknown', reason: undefined, learned: known };
    const { points, changed } = earlier;
    const abstraction = recallInvariants(problem, system, (point) => points.get(point) ?? noClaim, budget, events);
    const edited = new Set(changed);
    const same = system.points.filter((point) => points.has(point) && !edited.has(point.fn)).length;
    const reused = { points: same, provedAnew: changed.map(({ name }) => name), exact: false };
    return { kind: 'safe', proof: { kind: 'invariant', abstraction, reused } };
  },
};

/** The stored states are added to those that the tests reach now. */
function recallInvariants(
  problem: Problem,
  system: TransitionSystem,
  at: (point: Cutpoint) => RecalledPoint,
  budget: Budget,
  events: Events,
): PredicateAbstraction {
  const invariants = invariantMap(system.points, (point) => at(point).invariants);
  const abstraction = new PredicateAbstraction(system, invariants, (point) => at(point).predicates);
  events.working(abstraction);
  const options = { query: budget.query(), stop: () => budget.exhausted };
  const engine = seededByTests(problem, abstraction, options, events);
  try {
    for (const point of system.points) {
      const { predicates, states } = at(point);
      for (const state of predicates.length === 0 ? noClaim.states : states) engine.adopt(point, state);
    }
  } finally {
    engine.dispose();
  }
  return abstraction;
}

/** Invariants of an earlier run, as far as they are inductive now; they may be a proof by themselves. */
export const earlierInvariants: Engine = {
  name: 'earlier-invariants',
  applies: nothingStored,
  async run(problem, known, budget, events): Promise<Outcome> {
    const reuse = known.reuse!;
    const { unfinished } = reuse;
    const options = problem.systemOptions();
    const transitions = unfinished ? {} : reuse.transitions();
    const system = new TransitionSystem(problem.program, { ...options, ...transitions });
    const candidates = reuse.candidates(system);
    if (!candidates) return { kind: 'unknown', reason: undefined, learned: known };
    events.working(PredicateAbstraction.of(system, noInvariants));
    const share = budget.share(unfinished ? limits.unfinishedShare : limits.earlierShare, undefined, {
      cause: 'time-budget',
      message: 'the time for this attempt is up',
    });
    const kept = await houdini(system, noInvariants, candidates, problem.solvers.instances, {
      query: budget.query(),
      stop: () => share.exhausted !== undefined,
      ...(unfinished && { left: saving(known, system, unfinished) }),
    });
    if (!kept) return { kind: 'unknown', reason: undefined, learned: known };
    if (unfinished) {
      events.remark('what an earlier run had found out is taken up');
      return { kind: 'unknown', reason: undefined, learned: { ...known, invariants: kept, resumed: true } };
    }
    const abstraction = PredicateAbstraction.of(system, kept);
    events.working(abstraction);
    const engine = seededByTests(problem, abstraction, { query: budget.query(), stop: () => share.exhausted }, events);
    let isProof = false;
    try {
      if ((await engine.close()).kind === 'closed') {
        const alarms = await engine.alarms();
        isProof = Array.isArray(alarms) && alarms.length === 0;
      }
    } finally {
      engine.dispose();
    }
    // Invariants of longer transitions are none of the system without them.
    const isPlain = system.unrolled.size === 0 && transitions.induction === undefined;
    const learned = { ...known, resumed: true, invariants: isPlain ? kept : noInvariants };
    if (!isProof) return { kind: 'unknown', reason: undefined, learned };
    const edited = new Set(reuse.changedFunctions(system));
    const isSame = (point: Cutpoint): boolean => candidates.get(point)?.length === invariantsAt(kept, point).length;
    const lost = new Set(
      system.points.filter((point) => !isSame(point)).map((point) => (point === system.client ? undefined : point.fn)),
    );
    // Invariants between calls are a part of every function's proof.
    const all = lost.has(undefined);
    const anew: readonly FunctionDefinition[] = all
      ? system.functions
      : problem.program.functions.filter((fn) => edited.has(fn) || lost.has(fn));
    const same = all ? 0 : system.points.filter((point) => isSame(point) && !edited.has(point.fn)).length;
    const reused = { points: same, provedAnew: anew.map(({ name }) => name), exact: false };
    return { kind: 'safe', proof: { kind: 'invariant', abstraction, reused }, ifRefused: learned };
  },
};
