/**
 * The states that tests and random runs reach, as data from which invariants are guessed (Ernst, Cockrell, Griswold,
 * Notkin, "Dynamically discovering likely program invariants to support program evolution", TSE 2001). A failure met on
 * the way is a bug.
 */
import { ArrayCandidates } from '../../abstraction/candidates/arrays/arrayInvariants';
import { constantsOf, liveVariablesIn, observablesOf, relevanceOf } from '../../abstraction/candidates/observables';
import { pointerFormulas } from '../../abstraction/candidates/candidates';
import { branchConditionsAtLoops } from '../../abstraction/candidates/conditions/branchConditions';
import { HeapCandidates } from '../../abstraction/candidates/heapInvariants';
import { withMembers } from '../../abstraction/candidates/memberObservables';
import { PointerBoundCandidates } from '../../abstraction/candidates/pointerExtents';
import { ReachabilityCandidates } from '../../abstraction/candidates/lists/reachabilityCandidates';
import { knownRounds } from '../../abstraction/candidates/rounds/knownRounds';
import { Samples } from '../../abstraction/candidates/samples';
import { tableCandidates, withElementSums } from '../../abstraction/candidates/arrays/tableInvariants';
import { foundTexts } from '../../abstraction/candidates/foundTexts';
import { textEnds } from '../../abstraction/candidates/textEnds';
import { textLengths } from '../../abstraction/candidates/textLengths';
import { defaultPredicates } from '../../abstraction/predicates/defaultPredicates';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { type TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { printType } from '../../c/printType';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import { callWithUnreadArguments } from '../../evidence/scenarios/programStart';
import { ScenarioRunner } from '../../evidence/scenarios/scenario';
import { edgeCount } from '../../program/traverse';
import type { Machine } from '../../semantics/concrete/machine';
import type { Engine, SampledStates } from '../engine';
import { probesAt } from '../portfolio/userFormulas';
import type { Problem } from '../problem';
import { remarksOnLinks } from '../explanation/unfollowedLinks';
import { fuzz, fuzzPastLoops } from '../search/fuzzingEngine';
import { runWithShortLists } from '../search/shortLists';
import { LoopRounds } from './loopBounds';

const limits = {
  /** CFA edges of the runs that are sampled: the larger the program, the more there is to see. */
  stepsPerEdge: 500,
  leastSteps: 40_000,
  /** The same for a module, whose clients make many calls in one run. */
  leastStepsOfModule: 100_000,
  /** The same for a part of a module, one of many. */
  leastStepsOfPart: 5_000,
  mostSteps: 80_000,
  /** Rounds of a loop that runs past loops have time for. */
  roundsOfLongRuns: 5_000_000n,
  /** Edges of the only execution that are taken one by one, between leaps. */
  stepsAhead: 2_000_000,
  /** Conditions of the program whose truth is sampled: see `PredicateLimits`. */
  watched: { depth: 3, perPoint: 40, size: 16, contents: true, shifts: true },
} as const;

export const sampling: Engine = {
  name: 'sampling',
  applies: () => undefined,
  async run(problem, known, budget, events) {
    const started = performance.now();
    const system = problem.system;
    const abstraction = PredicateAbstraction.of(system, known.invariants);
    events.onProof(abstraction);
    for (const record of problem.initialisers.keys()) {
      if (!system.initialisers.has(record))
        events.remark(
          `what initialisedBy says of ${printType({ kind: 'record', record })} helps no proof: one is passed by ` +
            'value, or objects that clients write may be one or lead to one',
        );
    }
    for (const text of remarksOnLinks(system)) events.difficulty(text);
    const sampled = collect(problem, system);
    events.onTime('execution', (performance.now() - started) / 1000);
    const { watching, samples } = sampled;
    const hasLists = system.memoryModel.links.length > 0;
    let found = hasLists ? runWithShortLists(problem, watching, () => budget.exhausted !== undefined) : undefined;
    found ??= fuzz(problem, stepsFor(problem, system), budget, events, { watching });
    const [seen, unseen] = loopsSeen(system, samples);
    const mayPass = unseen.length > 0 && mayBePassed(seen, system);
    if (!found && mayPass) found = fuzzPastLoops(problem, budget, events, watching);
    if (found) return { kind: 'unsafe', failure: { kind: 'scenario', scenario: found } };
    if (known.isLong) runAhead(problem, sampled);
    const unwindAfter = samples.objects?.isEmpty === false ? 'objects' : 'basic';
    const learned = { ...known, samples: { ...sampled, unwindAfter } as const, abstraction };
    return { kind: 'unknown', reason: undefined, learned };
  },
};

/** States of the only execution that lie behind many rounds of loops. */
function runAhead(problem: Problem, { samples, watching }: Omit<SampledStates, 'unwindAfter'>): void {
  const runner = new ScenarioRunner(problem.program, {
    ...problem.scenarioOptions(),
    observe: watching.observe,
    between: () => samples.begin('all'),
    stepLimit: limits.stepsAhead,
    leaps: 'observed',
  });
  runner.run({ calls: [callWithUnreadArguments(problem.entries[0]!)], answers: [] });
}

function loopsSeen(system: TransitionSystem, samples: Samples): [seen: Cutpoint[], unseen: Cutpoint[]] {
  const loops = system.points.filter(({ kind }) => kind === 'loop');
  const isSeen = (loop: Cutpoint): boolean => samples.of(loop).length > 0;
  return [loops.filter(isSeen), loops.filter((loop) => !isSeen(loop))];
}

/** False if a loop that runs are in goes round so often that longer runs are still in it when their time is up. */
function mayBePassed(loops: readonly Cutpoint[], system: TransitionSystem): boolean {
  const rounds = knownRounds(system);
  return loops.every((loop) => (rounds.get(loop) ?? 0n) <= limits.roundsOfLongRuns);
}

function stepsFor({ program, task, called, entries }: Problem, { functions, inlined }: TransitionSystem): number {
  const isPart = called.length < entries.length;
  const edges = isPart ? edgeCount({ functions: [...functions, ...inlined] }) : edgeCount(program);
  const of = isPart ? 'leastStepsOfPart' : task.mode === 'module' ? 'leastStepsOfModule' : 'leastSteps';
  return Math.max(limits[of], Math.min(limits.mostSteps, limits.stepsPerEdge * edges));
}

/** The tests' states; searches that use `watching` add theirs. */
function collect(problem: Problem, system: TransitionSystem): Omit<SampledStates, 'unwindAfter'> {
  const { task, program } = problem;
  const predicates = defaultPredicates(system, probesAt(task, system), limits.watched);
  const observables = observablesOf(system);
  const pointers = pointerFormulas(system, observables);
  const texts = [textEnds(system), foundTexts(system), textLengths(system)];
  const guards = branchConditionsAtLoops(system);
  const constants = constantsOf(system);
  const isAboutLiveVariables = liveVariablesIn(system);
  const elements = tableCandidates(system, constants, system.client ? (observables.get(system.client) ?? []) : []);
  const watched = new Map(
    [...predicates].map(([point, list]) => [
      point,
      [
        ...new Set([
          ...list.map(({ term }) => term),
          ...(pointers.get(point) ?? []),
          ...texts.flatMap((some) => some.get(point) ?? []),
          ...(guards.get(point) ?? []),
          ...elements,
        ]),
      ].filter((term) => isAboutLiveVariables(term, point)),
    ]),
  );
  const samples = new Samples(
    system,
    withElementSums(system, withMembers(system, observables)),
    watched,
    new ArrayCandidates(system, observables, constants),
    new HeapCandidates(system),
    new PointerBoundCandidates(system, observables),
    new ReachabilityCandidates(system, relevanceOf(system)),
  );
  const rounds = new LoopRounds(program);
  const observe = (machine: Machine): void => {
    samples.watch(machine);
    rounds.watch(machine);
  };
  const between = (machine: Machine, done: number): void => {
    if (done === 0) samples.begin();
    if (system.client) samples.record(system.client, machine, undefined);
  };
  for (const run of task.runs) {
    const instance = problem.instance();
    observe(instance.machine);
    for (const [done, operation] of run.entries()) {
      between(instance.machine, done);
      if (leavesTheClient(operation, program)) break;
      const outcome = instance.redo(operation);
      if (outcome && outcome.kind !== 'returned') break;
    }
  }
  return {
    system,
    samples,
    rounds,
    watching: {
      observe,
      between,
      ...(system.client && { seen: () => samples.abstractStatesAt(system.client!) }),
    },
  };
}
