/**
 * Failing executions that engines claim: each is run again on the reference evaluator before it counts, made small, and
 * printed as a test. Other checks that fail soon are looked for beside it.
 */
import { clientSteps } from '../../evidence/scenarios/clientSteps';
import { placeOfLoss } from '../../evidence/scenarios/lossOfBlocks';
import { confirmedLongRun } from '../../evidence/scenarios/longRun';
import {
  faultOf,
  runScenario,
  type Scenario,
  type ScenarioOptions,
  type ScenarioRun,
} from '../../evidence/scenarios/scenario';
import { isSameFailure, shrink } from '../../evidence/scenarios/shrink';
import { fixedAddressAdvice } from '../../advice';
import type { Budget } from '../../budget';
import { CFault } from '../../host/fault';
import { sourceLocationOf } from '../../sourceLocation';
import type { Operation } from '../../host/operation';
import { play, printTest } from '../../host/printing/printTest';
import { recallScenario, storeScenario } from '../../proofCache/storedScenario';
import { callersSpan, type Fault } from '../../semantics/concrete/fault';
import type { ClientStep, Counterexample, Failure, Verdict } from '../../verdict';
import type { FailingExecution } from '../engine';
import type { Rerun } from '../explanation/explanation';
import { LengthArguments } from '../preconditions/bufferLengths';
import { LikelyPreconditions } from '../preconditions/likelyPreconditions';
import { NullArguments } from '../preconditions/nonNull';
import { UnsetStructures } from '../preconditions/uninitialisedStructures';
import type { Problem } from '../problem';
import { fuzzProgram } from '../search/fuzzing';
import { prefixesFor } from '../search/fuzzingEngine';
import { failingTest } from '../search/replayTests';
import { failingScenario } from '../search/testPrefixes';
import { failureAt } from './failure';
import type { ProofOrigin } from './certification';
import type { VerificationLog } from './verificationLog';

const limits = {
  /** The search for further failures: CFA edges, calls of one client, and how many are enough. */
  furtherSteps: 200_000,
  /** The same where tests are there to go on from. */
  furtherStepsNearTests: 600_000,
  furtherCalls: 12,
  furtherFailures: 4,
  /** Steps of an only execution that a report follows line by line, for which it is run several times. */
  tracedSteps: 300_000,
} as const;

/** Preconditions that would exclude failures seen so far. */
interface Preconditions {
  readonly nulls: NullArguments;
  readonly lengths: LengthArguments;
  readonly unset: UnsetStructures;
}

/**
 * One call of a library function may fail in several of its lines alike, as where it copies and where it ends a text:
 * that is one failure. The same line fails in another way for another call.
 */
function keyOf(fault: Fault): string {
  const { check, command, span } = fault;
  const at = callersSpan(fault);
  return `${at.file.path}:${at.start}:${check}${at === span ? '' : `:${command.text}`}`;
}

const explainedBy = ({ nulls, lengths, unset }: Preconditions, scenario: Scenario, fault: Fault): boolean =>
  lengths.explain(scenario, fault) || nulls.explain(scenario, fault) || unset.explain(scenario, fault);

/** Advice if C is stricter than compilers, or where what a failure needs is explained. */
function adviceOn({ check, message }: Pick<Fault, 'check' | 'message'>): string | undefined {
  if (check === 'shift-overflow')
    return (
      'convert before the shift, (uint32_t)x << 24; or, since compilers agree on what they do, leave the check ' +
      "out: loadC(…, { unchecked: ['shift-overflow'] }) (--unchecked shift-overflow)"
    );
  return fixedAddressAdvice(message);
}

/** `scenario`: undefined for a run of the user's tests. */
export interface Evidence {
  readonly fault: Fault;
  readonly scenario: Scenario | undefined;
}

export class Counterexamples {
  /** Runs the failure that is reported now again, for the report. */
  private rerun: Rerun | undefined;
  private readonly reruns = new Map<Counterexample, Rerun>();

  constructor(
    private readonly problem: Problem,
    private readonly budget: Budget,
    private readonly log: VerificationLog,
  ) {}

  private readonly evidence = new Map<Counterexample, Evidence>();

  /** The failure behind a counterexample that was made here. */
  evidenceOf(counterexample: Counterexample): Evidence | undefined {
    return this.evidence.get(counterexample);
  }

  /** Runs the failure again that this counterexample shows; undefined for one that takes too long. */
  rerunOfCounterexample(counterexample: Counterexample): Rerun | undefined {
    return this.reruns.get(counterexample);
  }

  /** Knows how to run the failure again, which was found in another version of the program. */
  adopt(counterexample: Counterexample, { scenario }: Evidence): void {
    const own = scenario && recallScenario(storeScenario(scenario), this.problem.program);
    if (own && !this.reruns.has(counterexample))
      this.reruns.set(counterexample, this.rerunOfScenario(own, this.problem.scenarioOptions()));
  }

  /** Undefined when the evaluator does not confirm the failure. */
  of(failure: FailingExecution, origin: ProofOrigin): Verdict | undefined {
    this.rerun = undefined;
    switch (failure.kind) {
      case 'test':
        return this.ofTest(failure.run, origin);
      case 'execution':
        return this.ofExecution(failure.scenario, failure.steps, origin);
      case 'long-execution':
        return this.ofLongExecution(failure.scenario, failure.compiled, origin);
      case 'scenario': {
        const verdict = this.ofScenario(failure.scenario, origin, failure.remark);
        if (!verdict) this.log.difficulty('an engine found an execution that the evaluator did not confirm');
        return verdict;
      }
    }
  }

  private ofTest(run: readonly Operation[], origin: ProofOrigin): Verdict | undefined {
    const failing = failingTest(this.problem, run);
    if (!failing) return undefined;
    this.log.remark('a test of the module ends in this failure');
    this.rerun = this.rerunOf(run);
    const { fault, steps } = this.smallerThan(run, failing.fault) ?? failing;
    const suggestion = adviceOn(fault);
    return { ...this.verdict(fault, steps, origin), ...(suggestion !== undefined && { suggestion }) };
  }

  /**
   * The calls of a failing test that the failure needs. There is no scenario behind the counterexample: a failure that
   * a test states is not for specifications to excuse.
   */
  private smallerThan(
    run: readonly Operation[],
    original: Fault,
  ): { readonly fault: Fault; readonly steps: readonly ClientStep[] } | undefined {
    const options = this.problem.scenarioOptions();
    const scenario = failingScenario(this.problem, run);
    const fault = scenario && faultOf(runScenario(this.problem.program, scenario, options));
    if (!fault || !isSameFailure(fault, original)) return undefined;
    const smallest = shrink(this.problem.program, scenario, options, 'calls');
    const again = runScenario(this.problem.program, smallest, options);
    const smaller = faultOf(again);
    if (!again || !smaller || !isSameFailure(smaller, original)) return undefined;
    this.rerun = this.rerunOfScenario(smallest, options);
    return { fault: smaller, steps: clientSteps(smallest, again, this.problem.program) };
  }

  /** A test's run up to its failure, once more. */
  private rerunOf(run: readonly Operation[]): Rerun {
    return (watch, between) => {
      const instance = this.problem.instance();
      watch(instance.machine);
      for (const operation of run) {
        between?.();
        const outcome = instance.redo(operation);
        if (outcome?.kind === 'fault') return { span: outcome.fault.span, function: outcome.fault.stack[0]?.function };
      }
      return undefined;
    };
  }

  private rerunOfScenario(scenario: Scenario, options: ScenarioOptions): Rerun {
    return (watch, between) => {
      const again = faultOf(
        runScenario(this.problem.program, scenario, {
          ...options,
          observe: watch,
          ...(between && { between: () => between() }),
        }),
      );
      return again && { span: again.span, function: again.stack[0]?.function };
    };
  }

  private ofExecution(scenario: Scenario, steps: number, origin: ProofOrigin): Verdict | undefined {
    const options = { ...this.problem.scenarioOptions(), stepLimit: steps };
    const run = runScenario(this.problem.program, scenario, options);
    const fault = faultOf(run);
    if (!run || !fault) return undefined;
    if (run.steps <= limits.tracedSteps) this.rerun = this.rerunOfScenario(scenario, options);
    return this.verdict(fault, clientSteps(scenario, run, this.problem.program), origin, scenario);
  }

  private ofLongExecution(scenario: Scenario, compiled: ScenarioRun, origin: ProofOrigin): Verdict | undefined {
    const run = confirmedLongRun(this.problem.program, scenario, this.problem.scenarioOptions(), compiled);
    const fault = faultOf(run);
    if (!run || !fault) {
      this.log.difficulty('an engine found a long execution that could not be confirmed');
      return undefined;
    }
    this.log.remark(
      `the execution takes ${run.steps} steps; all but about a million at its beginning and its end were ` +
        'executed as compiled code, and rounds that only add to variables many at once',
    );
    return this.verdict(fault, clientSteps(scenario, run, this.problem.program), origin, scenario);
  }

  private ofScenario(scenario: Scenario, origin: ProofOrigin, remark: string | undefined): Verdict | undefined {
    const options = this.problem.scenarioOptions();
    if (!faultOf(runScenario(this.problem.program, scenario, options))) return undefined;
    if (remark !== undefined) this.log.remark(remark);
    // A checked witness keeps its inputs, which were asked about.
    const smallest = this.problem.task.replay ? scenario : this.smallest(scenario);
    const run = runScenario(this.problem.program, smallest, options);
    const fault = faultOf(run);
    if (!run || !fault) throw new Error('a scenario that failed fails again: the evaluator is deterministic');
    origin.reuse?.keepScenario(smallest);
    this.rerun = this.rerunOfScenario(smallest, options);
    const nulls = new NullArguments(this.problem.program, options, this.problem.task.runs);
    const lengths = new LengthArguments(this.problem.program, options, this.problem.task.runs);
    const unset = new UnsetStructures(this.problem.program, this.problem.callable, options, this.problem.task.runs);
    const preconditions: Preconditions = { nulls, lengths, unset };
    explainedBy(preconditions, smallest, fault);
    const further = this.further(fault, preconditions);
    const suggestion = adviceOn(fault);
    return {
      ...this.verdict(fault, clientSteps(smallest, run, this.problem.program), origin, smallest),
      ...(further.length > 0 && { further }),
      ...(suggestion !== undefined && { suggestion }),
    };
  }

  /** A client that resembles the tests' stays one. */
  private smallest(scenario: Scenario): Scenario {
    const likely = LikelyPreconditions.of(this.problem);
    const isLikely = likely.broken(scenario) === undefined;
    return shrink(this.problem.program, scenario, {
      ...this.problem.scenarioOptions(),
      ...(isLikely && { accepts: (smaller) => likely.broken(smaller) === undefined }),
    });
  }

  private verdict(
    fault: Fault,
    steps: readonly ClientStep[],
    { engine }: ProofOrigin,
    scenario?: Scenario,
  ): Extract<Verdict, { kind: 'bug' }> {
    const counterexample = this.counterexample(fault, steps, scenario);
    if (this.rerun) this.reruns.set(counterexample, this.rerun);
    return { kind: 'bug', ...this.log.common(engine), counterexample };
  }

  private counterexample(fault: Fault, steps: readonly ClientStep[], scenario?: Scenario): Counterexample {
    const message = this.messageOf(fault, scenario);
    const failure = failureAt(fault.check, message, fault.span, fault.stack[0]?.function, fault.stack);
    const counterexample: Counterexample = {
      failure,
      steps,
      stack: fault.stack.map(({ function: fn, span }) => sourceLocationOf(span, fn.name)),
      test: this.failsAsTest(steps, failure)
        ? printTest(
            steps,
            this.problem.variable,
            { message: failure.message, place: failure.caller?.place ?? failure.place },
            this.problem.callable.map(({ name }) => name),
          )
        : '',
    };
    this.evidence.set(counterexample, { fault, scenario });
    return counterexample;
  }

  /** With the line that lost a block, in a module. */
  private messageOf({ check, message }: Fault, scenario: Scenario | undefined): string {
    const { program } = this.problem;
    if (check !== 'leak' || !program.keepsBlocks) return message;
    const rerun = scenario ? this.rerunOfScenario(scenario, this.problem.scenarioOptions()) : this.rerun;
    const at = rerun && placeOfLoss(program, rerun);
    return at ? `${message}; lost at line ${sourceLocationOf(at).line}` : message;
  }

  /** Other checks that short clients make fail, each once; a module with one bug often has two. */
  private further(first: Fault, preconditions: Preconditions): readonly Counterexample[] {
    if (this.problem.task.mode === 'program' || this.problem.task.predicates === 'probes') return [];
    const scenarios = this.problem.scenarioOptions();
    const options: ScenarioOptions = {
      ...scenarios,
      initialisers: preconditions.unset.initialisers,
      permits: (fn, args, machine) =>
        preconditions.nulls.permits(fn, args) &&
        preconditions.lengths.permits(fn, args, machine) &&
        scenarios.permits(fn, args, machine),
    };
    const prefixes = prefixesFor(this.problem);
    const likely = LikelyPreconditions.of(this.problem);
    // Null from clients, or structures that were not set up, fail in many places alike, and would hide the rest.
    const ranks = ['likely', 'unlikely', 'by precondition'] as const;
    const failing = new Map<string, { readonly scenario: Scenario; readonly rank: (typeof ranks)[number] }>();
    const ranked = (rank: (typeof ranks)[number]): readonly Scenario[] =>
      [...failing.values()].filter((one) => one.rank === rank).map(({ scenario }) => scenario);
    fuzzProgram(this.problem.program, {
      ...options,
      entries: this.problem.entries,
      seed: this.problem.task.seed,
      prefixes,
      likely,
      edges: prefixes.length > 0 ? limits.furtherStepsNearTests : limits.furtherSteps,
      maximumCalls: limits.furtherCalls,
      stop: () => this.budget.exhausted !== undefined,
      failed: (scenario, fault) => {
        const key = keyOf(fault);
        const before = failing.get(key)?.rank;
        if (key === keyOf(first) || before === 'likely') return true;
        const isExcused = explainedBy(preconditions, scenario, fault);
        const isLikely = likely.broken(scenario) === undefined;
        const rank = isExcused ? 'by precondition' : isLikely ? 'likely' : 'unlikely';
        if (before === undefined || ranks.indexOf(rank) < ranks.indexOf(before)) failing.set(key, { scenario, rank });
        return ranked('likely').length < limits.furtherFailures;
      },
    });
    const shown = new Set([keyOf(first)]);
    const inOrder = ranks.flatMap((rank) => ranked(rank).slice(0, limits.furtherFailures));
    return inOrder.flatMap((scenario) => {
      const smallest = this.smallest(scenario);
      const run = runScenario(this.problem.program, smallest, scenarios);
      const fault = faultOf(run);
      // Made smaller, it may have become one that is known.
      if (!run || !fault || shown.has(keyOf(fault))) return [];
      shown.add(keyOf(fault));
      return [this.counterexample(fault, clientSteps(smallest, run, this.problem.program), smallest)];
    });
  }

  /** A test is handed out only when its steps, done as a test does them, fail at the same place. */
  private failsAsTest(steps: readonly ClientStep[], { check, place: { file, line, column } }: Failure): boolean {
    if (check === 'leak' && this.problem.program.keepsBlocks) {
      this.log.remark('no test is given: tests do not look for lost blocks, proofs and their replays do');
      return false;
    }
    const error = play(this.problem.instance(this.problem.tested), steps);
    if (
      error instanceof CFault &&
      error.kind === check &&
      error.place?.file === file &&
      error.place.line === line &&
      error.place.column === column
    )
      return true;
    const otherwise = error instanceof Error ? error.message.split('\n')[0] : 'they end without a failure';
    this.log.remark(`no test is given, because the calls do otherwise in one: ${otherwise}`);
    return false;
  }
}
