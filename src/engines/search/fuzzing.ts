/**
 * Looking for a bug by running: random clients biased to the values the program itself compares with, going on from
 * those that took branches no other had taken, or came near to it. Cheap, first, and last: every failing check it finds
 * is a real one. Deterministic for a seed; effort is counted in edges. A search can be gone on with later, where it was
 * left: it tries nothing twice, and knows what it came near to.
 */
import { isChecked } from '../../program/command';
import {
  asGiven,
  faultOf,
  ScenarioRunner,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Fault } from '../../semantics/concrete/fault';
import { Random } from '../../semantics/concrete/random';
import { BranchDistance } from './branchDistance';
import { Coverage } from './coverage';
import type { LikelyPreconditions } from '../preconditions/likelyPreconditions';
import { countedNeighbours, exchangedTexts, textsOf } from './arguments/countedNeighbours';
import { PartialFailures } from './partialFailures';
import { nearby, neighboursOf, splice, withGrownTexts } from './arguments/neighbours';
import { ScenarioGenerator } from './scenarioGenerator';
import type { StatedOfArguments } from './stated/statedLengths';
import { bufferSizes, TextMutation } from './arguments/textMutation';

export interface SearchOptions extends Omit<ScenarioOptions, 'environment' | 'stepLimit'> {
  readonly entries: readonly FunctionDefinition[];
  /** Calls of entries in one scenario; 1 in program mode. */
  readonly maximumCalls: number;
  readonly seed: number;
  /** Effort: edges of the automaton, over all scenarios. */
  readonly edges: number;
  readonly stop: () => boolean;
  /** Count of observations beside branches; a run that adds to it is worth going on from, too. */
  readonly seen?: () => number;
  /** Gets each run that returned and went where none had been; when given, a failing check does not end the search. */
  readonly kept?: (scenario: Scenario) => void;
  /** Gets each run that failed, and says whether to go on. */
  readonly failed?: (scenario: Scenario, fault: Fault) => boolean;
  /** Texts of clients that brought something new are made as long as the program's numbers say, one by one. */
  readonly growsTexts?: boolean | undefined;
  /** Clients that go on from what the tests did. */
  readonly prefixes?: readonly Scenario[];
  readonly stated?: StatedOfArguments;
  /** Failures of clients that break them are held back while others may be found. */
  readonly likely?: LikelyPreconditions;
  /** Effort behind the first of these failures, in edges; default none. */
  readonly edgesBehindUnlikely?: number;
}

const limits = {
  /** CFA edges of one run, at first and at most. */
  runSteps: 20_000,
  /** The least that is left of it where runs do not end. */
  leastRunSteps: 1_000,
  /** CFA edges of the first long run, which measures how fast this program runs. */
  firstLongRunSteps: 1_000_000,
  /** CFA edges of any long run. */
  longestRunSteps: 100_000_000,
  /** Long runs in one search. */
  longRuns: 6,
  /** Scenarios kept to go on from. */
  corpus: 300,
  /** Runs in a row that brought nothing new, after which clients are joined, and what they do last is done often. */
  idleRounds: 64,
  /** Neighbours of one test's client before those of the next one. */
  turn: 12,
} as const;

export const fuzzProgram = (program: Program, options: SearchOptions): Scenario | undefined =>
  new Search(program, options).run(options);

type Lasting = Pick<
  SearchOptions,
  'seed' | 'handles' | 'initialisers' | 'checkedProperties' | 'prefixes' | 'maximumCalls' | 'stated' | 'likely'
>;

/** A search with what it has learned. */
export class Search {
  private readonly random: Random;
  /** Draws beside it, so that clients of one call are tried in the same order whatever else is drawn. */
  private readonly beside: Random;
  private readonly generator: ScenarioGenerator;
  private readonly coverage: Coverage;
  private readonly distance: BranchDistance;
  private readonly partial: PartialFailures;
  private readonly corpus: Scenario[];
  private readonly texts: TextMutation | undefined;
  /** Clients near the tests that are still to be tried. */
  private nearTests: Iterator<Scenario> | undefined;
  /** Clients with longer texts that are still to be tried, and those of whom there are none any more. */
  private grown: Iterator<Scenario> | undefined;
  private readonly grownFrom = new Set<Scenario>();
  private runner: ScenarioRunner | undefined;
  private readonly likely: LikelyPreconditions | undefined;
  private round = 0;
  private idle = 0;

  constructor(
    private readonly program: Program,
    { seed, handles, initialisers, checkedProperties, prefixes = [], maximumCalls, stated, likely }: Lasting,
  ) {
    this.likely = likely;
    this.random = new Random(seed + 1);
    this.beside = new Random(seed + 4);
    this.generator = new ScenarioGenerator(program, this.random, seed, handles, initialisers, stated, likely);
    this.coverage = new Coverage(program);
    const isOpen = (check: Parameters<typeof isChecked>[0]): boolean => isChecked(check, checkedProperties);
    this.distance = new BranchDistance(program, isOpen, () => this.runner!.progress);
    this.partial = new PartialFailures(program, isOpen);
    this.corpus = [...prefixes];
    if (maximumCalls === 1 && prefixes.length === 0) return;
    this.texts = new TextMutation(program, this.random);
    if (maximumCalls > 1 && prefixes.length > 0)
      this.nearTests = neighboursOfAll(prefixes, this.generator.constants, bufferSizes(program), likely);
  }

  /** Clients that brought something new. */
  get found(): readonly Scenario[] {
    return this.corpus;
  }

  /** The first failing client among those that take so many edges together. Goes on where the last one ended. */
  run(options: SearchOptions): Scenario | undefined {
    const { random, generator, coverage, distance, partial, corpus } = this;
    const runner = new ScenarioRunner(this.program, {
      ...options,
      stepLimit: limits.runSteps,
      observe: (machine) => {
        options.observe?.(machine);
        coverage.watch(machine);
        distance.watch(machine);
        partial.watch(machine);
      },
    });
    this.runner = runner;
    let left = options.edges;
    let unlikely: Scenario | undefined;
    let seen = options.seen?.() ?? 0;
    // No single run takes much of a short search, though it may never end.
    const first = Math.min(limits.runSteps, options.edges / 10);
    let [shortSteps, longSteps] = [first, Math.max(first, options.edges / 4)];
    for (; left > 0 && !options.stop(); this.round++) {
      const { round } = this;
      const { scenario, steps } = this.next(options);
      // Most bugs are near; now and then a run may go far.
      const isLong = round % 8 === 7;
      const run = runner.run(scenario, {
        stepLimit: Math.min(Math.max(limits.runSteps, left / 4), (isLong ? longSteps : shortSteps) + steps),
        environment: round % 4 === 3 ? generator.swarmEnvironment() : generator.environment,
        ...(options.external && round % 3 !== 0 && { effectChooser: generator.effectChooser() }),
      });
      left -= (run?.steps ?? 0) + 20 * scenario.calls.length + 20;
      distance.learn(scenario, run);
      // Runs that do not end are cut earlier next time, and those that nearly were not, later.
      if (run?.outcome.kind === 'limit') {
        if (isLong) longSteps = Math.max(limits.leastRunSteps, longSteps / 4);
        else shortSteps = Math.max(limits.leastRunSteps, shortSteps / 2);
      } else if (!isLong && run && run.steps > shortSteps / 2) shortSteps = Math.min(limits.runSteps, shortSteps * 2);
      const fault = faultOf(run);
      const went = (): Scenario => ({
        calls: scenario.calls.slice(0, run!.last + 1),
        answers: run!.answers.map(asGiven),
      });
      if (fault && options.failed) {
        if (!options.failed(went(), fault)) return undefined;
      } else if (fault && !options.kept) {
        if (this.likely?.broken(went()) === undefined) return went();
        if (!unlikely) left = options.edgesBehindUnlikely ?? 0;
        unlikely ??= went();
      }
      const more = options.seen?.() ?? 0;
      const isCloser = partial.isNew();
      const isNew = coverage.isNew() || isCloser || more > seen;
      seen = more;
      this.idle = isNew ? 0 : this.idle + 1;
      // A failed run, up to the failing call, is as good as any other.
      const whole = run?.outcome.kind === 'returned';
      if (isNew && run && (whole || (options.kept && fault && run.last > 0))) {
        if (corpus.length >= limits.corpus) corpus.splice(random.below(corpus.length), 1);
        const good = whole ? went() : { ...went(), calls: scenario.calls.slice(0, run.last) };
        corpus.push(good);
        options.kept?.(good);
      }
    }
    return unlikely;
  }

  /** With the edges that it takes to come to where it may show something new. */
  private next(options: SearchOptions): { readonly scenario: Scenario; readonly steps: number } {
    const { random, round, corpus, texts } = this;
    const isNear = this.likely?.isEmpty === false ? round % 4 > 0 : round % 2 === 1;
    const near = this.nearTests && isNear ? this.nearTests.next() : undefined;
    if (near?.done) this.nearTests = undefined;
    else if (near) return { scenario: near.value, steps: 0 };
    const isIdle = this.idle > limits.idleRounds;
    const grown = options.growsTexts && isIdle && round % 4 === 1 ? this.nextGrown() : undefined;
    if (grown) return { scenario: grown, steps: 0 };
    const base = corpus.length > 0 && random.below(4) > 0 ? this.pickKnown() : undefined;
    const steered =
      round > 8 && random.below(2) === 0 ? this.distance.suggest(random, options.maximumCalls) : undefined;
    if (steered) return steered;
    const scenario =
      (base && isIdle && round % 4 === 0 ? splice(base, this.pickKnown(), options.maximumCalls, random) : undefined) ??
      (base && texts && nearby(base, texts, random, this.likely)) ??
      this.generator.scenario(options, base, isIdle ? 'many' : 'few');
    return { scenario, steps: 0 };
  }

  private nextGrown(): Scenario | undefined {
    const next = this.grown?.next();
    if (next && !next.done) return next.value;
    const from = this.corpus
      .filter((scenario) => !this.grownFrom.has(scenario))
      .reduce<Scenario | undefined>((a, b) => (a && a.calls.length <= b.calls.length ? a : b), undefined);
    if (!from) return undefined;
    this.grownFrom.add(from);
    this.grown = withGrownTexts(from, this.generator.constants);
    const first = this.grown.next();
    return first.done ? undefined : first.value;
  }

  /** Mostly the shorter of two known clients: it costs less to run, and less of a change to it is lost. */
  private pickKnown(): Scenario {
    const [one, other] = [this.pickWith(this.random), this.pickWith(this.beside)];
    return one.calls.length <= other.calls.length || this.beside.below(4) === 0 ? one : other;
  }

  private pickWith(random: Random): Scenario {
    const { corpus } = this;
    const at =
      random.below(2) === 0
        ? random.below(corpus.length)
        : corpus.length - 1 - random.below(Math.min(corpus.length, 8));
    return corpus[at]!;
  }
}

/** Prefixes that are no beginning of another, the shortest first. */
function* neighboursOfAll(
  prefixes: readonly Scenario[],
  numbers: readonly bigint[],
  sizes: readonly bigint[],
  likely: LikelyPreconditions | undefined,
): Generator<Scenario> {
  const isBeginning = (one: Scenario): boolean =>
    prefixes.some(({ calls }) => calls.length > one.calls.length && one.calls.every((call, at) => calls[at] === call));
  const whole = prefixes.filter((prefix) => !isBeginning(prefix)).sort((a, b) => a.calls.length - b.calls.length);
  const texts = textsOf(whole);
  const near = function* (scenario: Scenario): Generator<Scenario> {
    if (likely) yield* countedNeighbours(scenario, likely);
    yield* neighboursOf(scenario, numbers, sizes);
  };
  yield* inTurn([
    ...whole.map(near),
    ...(likely ? whole.map((scenario) => exchangedTexts(scenario, texts, likely)) : []),
  ]);
}

/** Some of each in turn: one with many neighbours does not keep the others waiting. */
function* inTurn<T>(generators: readonly Generator<T>[]): Generator<T> {
  for (let left = [...generators]; left.length > 0;) {
    const going: Generator<T>[] = [];
    for (const generator of left) {
      let count = 0;
      for (let next = generator.next(); !next.done; next = generator.next()) {
        yield next.value;
        if (++count < limits.turn) continue;
        going.push(generator);
        break;
      }
    }
    left = going;
  }
}

export interface LongRunOptions extends Omit<SearchOptions, 'edges' | 'seen' | 'kept' | 'failed' | 'prefixes'> {
  /** For all runs. */
  readonly milliseconds: number;
}

/**
 * A few runs as long as time allows, to come past long loops. `observe` is the only observer and should skip most
 * arrivals. Returns a failing run.
 */
export function runLong(program: Program, options: LongRunOptions): Scenario | undefined {
  const generator = new ScenarioGenerator(
    program,
    new Random(options.seed + 3),
    options.seed,
    options.handles,
    options.initialisers,
  );
  const runner = new ScenarioRunner(program, { ...options, stepLimit: limits.firstLongRunSteps });
  const until = performance.now() + options.milliseconds;
  /** With answers that are any, and with those that are alike, which may keep loops from ending. */
  const stepLimits: number[] = [limits.firstLongRunSteps, limits.firstLongRunSteps];
  for (let count = 0; count < limits.longRuns && performance.now() < until && !options.stop(); count++) {
    const scenario = generator.scenario(options, undefined);
    const manner = count % 2;
    const started = performance.now();
    const run = runner.run(scenario, {
      stepLimit: stepLimits[manner]!,
      environment: manner === 1 ? generator.swarmEnvironment() : generator.environment,
    });
    if (faultOf(run)) return { calls: scenario.calls.slice(0, run!.last + 1), answers: run!.answers.map(asGiven) };
    // Another run would be the same.
    if (run?.outcome.kind === 'returned' && run.answers.length === 0 && options.maximumCalls === 1) return undefined;
    const now = performance.now();
    if (run?.outcome.kind === 'limit')
      stepLimits[manner] = Math.min(
        limits.longestRunSteps,
        stepLimits[manner]! * Math.max(0.1, (0.6 * (until - now)) / Math.max(1, now - started)),
      );
  }
  return undefined;
}
