/**
 * Stages of the random search: a quick one before formulas about the whole program are made, and longer ones between
 * proof attempts. Effort is counted in CFA edges.
 */
import type { Scenario } from '../../evidence/scenarios/scenario';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import { edgeCount } from '../../program/traverse';
import type { Budget } from '../../budget';
import type { Engine, Events, Knowledge } from '../engine';
import { UnterminatedStrings } from '../preconditions/unterminatedStrings';
import { LikelyPreconditions } from '../preconditions/likelyPreconditions';
import type { FunctionDefinition } from '../../program/program';
import type { Problem } from '../problem';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';
import { statedOfArguments } from './stated/statedLengths';
import { testSeeds, type TestSeeds } from './testPrefixes';
import { runLong, Search, type SearchOptions } from './fuzzing';

const limits = {
  /** All runs of the quick search together. */
  quickSteps: 30_000,
  /** The same for a small program, of which formulas are cheap. */
  quickestSteps: 6_000,
  /** That many times as many, where tests are there to go on from: most failures are near them. */
  nearTests: 4,
  /** At least so many calls like those of the tests, however long they take, and all edges of these. */
  callsNearTests: 300,
  mostQuickSteps: 2_000_000,
  /** CFA edges behind a failure of a client that resembles none of the tests'; fewer where other failures are known. */
  behindUnlikely: 400_000,
  furtherBehindUnlikely: 60_000,
  /** CFA edges of a small program. */
  smallProgramEdges: 500,
  /** Calls of one client of a module. */
  calls: 40,
  callsBehindTest: 8,
  /** Runs past long loops: time, and share of the whole budget. */
  longRunMs: 1_500,
  longRunShare: 0.1,
} as const;

/** Calls of one client: at least as many as the longest test, and a few behind it. */
const callsOf = ({ task }: Problem, prefixes: readonly Scenario[]): number =>
  task.mode === 'program'
    ? 1
    : prefixes.reduce<number>((most, { calls }) => Math.max(most, calls.length + limits.callsBehindTest), limits.calls);

const known = new WeakMap<Problem, TestSeeds>();

/** Clients that do what tests do; made once. */
function seedsFor(problem: Problem): TestSeeds {
  const { whole } = problem;
  let found = known.get(whole);
  if (!found) known.set(whole, (found = testSeeds(whole)));
  return found;
}

/** Prefixes with the fewest calls come first. */
export function prefixesFor(problem: Problem): readonly Scenario[] {
  const { prefixes, slices } = seedsFor(problem);
  return [...slices, ...prefixes];
}

interface FuzzOptions {
  readonly watching?: Partial<SearchOptions>;
  /** The search to go on with; default a new one. */
  readonly search?: Search;
  /** Clients that a new search goes on from; default those that earlier searches of the problem found. */
  readonly known?: readonly Scenario[];
  /** Checks that a proof left open: half of the calls are of functions that come to one. */
  readonly alarms?: readonly Alarm[];
}

/** Random runs, at most `steps` edges together. A search that goes on finds more than one that begins again. */
export function fuzz(
  problem: Problem,
  steps: number,
  budget: Budget,
  events: Events,
  { watching, search, known, alarms = [] }: FuzzOptions = {},
): Scenario | undefined {
  const started = performance.now();
  const options = searchOptions(problem);
  const found = (search ?? new Search(problem.program, goingOn(problem, options, known))).run({
    ...options,
    entries: calledRatherAbout(alarms, problem),
    ...watching,
    edges: steps,
    stop: () => budget.exhausted !== undefined || watching?.stop?.() === true,
  });
  events.onTime('execution', (performance.now() - started) / 1000);
  return found;
}

/** The functions that clients call, with repetitions so that half of the calls come to an open check. */
export function calledRatherAbout(
  alarms: readonly { readonly obligation: Pick<Alarm['obligation'], 'function'> }[],
  { called }: Pick<Problem, 'called'>,
): readonly FunctionDefinition[] {
  const open = new Set(alarms.map(({ obligation }) => obligation.function));
  const leading = called.filter((fn) => [...reachableFunctions([fn])].some((one) => open.has(one)));
  if (leading.length === 0 || leading.length === called.length) return called;
  return [...called, ...called.map((_, i) => leading[i % leading.length]!)];
}

function searchOptions(problem: Problem): Omit<SearchOptions, 'edges' | 'stop'> {
  const prefixes = prefixesFor(problem);
  return {
    ...problem.scenarioOptions(),
    entries: problem.called,
    seed: problem.task.seed,
    prefixes,
    maximumCalls: callsOf(problem, prefixes),
    likely: LikelyPreconditions.of(problem),
    edgesBehindUnlikely: problem.isWithoutFailures ? limits.furtherBehindUnlikely : limits.behindUnlikely,
    stated: statedOfArguments(problem.task.requires, problem.program, problem.validMembers),
    growsTexts: problem.task.angelic === true || problem.task.angelic === 'accept',
  };
}

const searches = new WeakMap<Problem, Search>();

/** A watched search of a module starts from states that earlier searches reached, and random calls seldom reach. */
function goingOn(
  problem: Problem,
  options: Omit<SearchOptions, 'edges' | 'stop'>,
  known: readonly Scenario[] = searches.get(problem.whole)?.found ?? [],
): Omit<SearchOptions, 'edges' | 'stop'> {
  if (problem.task.mode === 'program' || known.length === 0) return options;
  const called = new Set(problem.called);
  const own = known.filter(({ calls }) => calls.every(({ fn }) => called.has(fn)));
  return { ...options, prefixes: [...new Set([...(options.prefixes ?? []), ...own])] };
}

/** One for a problem and its parts: between attempts to prove it the search goes on where it was left. */
function searchOf(problem: Problem): Search {
  const { whole } = problem;
  let search = searches.get(whole);
  if (!search) searches.set(whole, (search = new Search(whole.program, searchOptions(whole))));
  return search;
}

/** Long runs, past loops that short ones never leave. */
export function fuzzPastLoops(
  problem: Problem,
  budget: Budget,
  events: Events,
  watching: Partial<SearchOptions>,
): Scenario | undefined {
  const started = performance.now();
  const { task } = problem;
  const found = runLong(problem.program, {
    ...problem.scenarioOptions(),
    ...watching,
    entries: problem.called,
    seed: task.seed,
    maximumCalls: callsOf(problem, []),
    milliseconds: Math.min(limits.longRunMs, task.budget.milliseconds * limits.longRunShare),
    stop: () => budget.exhausted !== undefined,
  });
  events.onTime('execution', (performance.now() - started) / 1000);
  return found;
}

const outcomeOf = (found: Scenario | undefined, known: Knowledge): Awaited<ReturnType<Engine['run']>> =>
  found
    ? { kind: 'unsafe', failure: { kind: 'scenario', scenario: found } }
    : { kind: 'unknown', reason: undefined, learned: known };

/** Before formulas about the whole program are made: most bugs are near. */
export const quickSearch: Engine = {
  name: 'fuzzing:quick',
  applies: () => undefined,
  async run(problem, known, budget, events) {
    const isSmall = problem.task.mode === 'program' && edgeCount(problem.program) < limits.smallProgramEdges;
    const near = prefixesFor(problem).length > 0 ? limits.nearTests : 1;
    const steps = Math.max(
      near * (isSmall ? limits.quickestSteps : limits.quickSteps),
      Math.min(limits.mostQuickSteps, limits.callsNearTests * seedsFor(problem).edgesOfCall),
    );
    const found = fuzz(problem, steps, budget, events, { search: searchOf(problem) });
    return outcomeOf(found ?? unterminatedTexts(problem), known);
  },
};

/** Characters without a 0, which the search does not pass: failures by them would hide others. */
function unterminatedTexts(problem: Problem): Scenario | undefined {
  return problem.task.mode === 'module' && !problem.init
    ? new UnterminatedStrings(problem.program, problem.callable, problem.scenarioOptions()).failing(
        searchOf(problem).found,
      )
    : undefined;
}

export const fuzzing = (steps: number): Engine => ({
  name: `fuzzing:${steps}`,
  applies: () => undefined,
  run: async (problem, known, budget, events) =>
    outcomeOf(
      fuzz(problem, steps, budget, events, {
        ...(known.samples && { watching: known.samples.watching }),
        search: searchOf(problem),
        alarms: known.alarms,
      }),
      known,
    ),
});

/**
 * Between two attempts to prove a module, which take seconds, the search goes on for a fraction of one. It watches for
 * nothing but failures, and is several times faster so.
 */
export const fuzzingBetween = (steps: number): Engine => ({
  name: `fuzzing:${steps}`,
  applies: ({ task }) => (task.mode === 'module' ? undefined : 'a program has other searches'),
  run: async (problem, known, budget, events) =>
    outcomeOf(fuzz(problem, steps, budget, events, { search: searchOf(problem), alarms: known.alarms }), known),
});
