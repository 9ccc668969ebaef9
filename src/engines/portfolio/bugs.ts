/**
 * Failing executions: those of tests, those found by running and by bounded search; made small, replayed, and printed
 * as a test.
 */
import type { Order } from '../../abstraction/transitionSystem/unwinding';
import { scalarOf } from '../../abstraction/transitionSystem/concreteView';
import type { System } from '../../abstraction/transitionSystem/transitionSystem';
import { onlyExecution } from '../../evidence/scenarios/onlyExecution';
import { leavesTheClient, TestSteps } from '../../evidence/scenarios/operations';
import { clientSteps } from '../../evidence/scenarios/clientSteps';
import {
  breaksPrecondition,
  faultOf,
  runScenario,
  type Argument,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import { shrink } from '../../evidence/scenarios/shrink';
import { CFault, placeOf } from '../../host/fault';
import type { Operation } from '../../host/operation';
import { play, printTest } from '../../host/printTest';
import { isInForce } from '../../program/command';
import type { Location } from '../../program/program';
import { reachableFunctions } from '../../program/reachableFunctions';
import { edgeCount } from '../../program/traverse';
import type { Fault } from '../../semantics/concrete/fault';
import { isPointer, number } from '../../semantics/symbolic/symbolicValues';
import type { Counterexample, ClientStep, Failure, Verdict } from '../../verdict';
import { placeText } from '../assumptions/assumptions';
import type { QueryBudget } from '../../solver';
import { elementByElement } from '../../solver/elementwise';
import { searchBounded, type BoundedSearchLimits, type BoundedSearchResult } from '../search/boundedModelChecking';
import { runFar, searchConcretely, type SearchOptions } from '../search/fuzzing';
import { LengthArguments } from '../preconditions/bufferLengths';
import { NullArguments } from '../preconditions/nonNull';
import { UnendedTexts } from '../preconditions/unterminatedStrings';
import { UnsetStructures } from '../preconditions/uninitialisedStructures';
import type { Rerun } from '../explanation/explanation';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';
import type { Account } from './findings';
import { argumentsSuggestion } from './preconditionSuggestion';
import { failureAt } from './failure';
import type { Setting } from './context';

/** After a bug, for others: edges, and how many are enough. */
const FURTHER_EDGES = 200_000;
const FURTHER_BUGS = 4;

/** What clients could promise, as far as failures have shown it. */
interface Promises {
  readonly nulls: NullArguments;
  readonly lengths: LengthArguments;
  readonly unset: UnsetStructures;
}

const explainedBy = ({ nulls, lengths, unset }: Promises, scenario: Scenario, fault: Fault): boolean =>
  lengths.explain(scenario, fault) || nulls.explain(scenario, fault) || unset.explain(scenario, fault);

/** Where C is stricter than its compilers. */
function adviceOn({ check }: Fault): string | undefined {
  return check === 'shift-overflow'
    ? "convert before the shift, (uint32_t)x << 24; or, since compilers agree on what they do, leave the check out: loadC(…, { unchecked: ['shift-overflow'] }) (--unchecked shift-overflow)"
    : undefined;
}

/** Of runs, in all. */
const EASY_EDGES = 30_000;
const EASIEST_EDGES = 6_000;
/** Edges of a small program. */
const FEW = 500;
/** For runs past long loops, and of the budget. */
const FAR_MS = 1_500;
const FAR_SHARE = 0.1;

/** Of the time that is left, for all executions of a bounded length. */
const DEEP_SHARE = 0.6;
/** And for following them to their ends: on the way, and for the answer that is left in the end. */
const FOLLOW_AT_ONCE: Follow = { order: 'breadth', rounds: 400, share: 0.25, last: 0.25 };
const FOLLOW_IN_TURN: readonly Follow[] = [
  { ...FOLLOW_AT_ONCE, share: 0.12 },
  { order: 'inner-first', rounds: 2000, share: 0.27, last: 0.3 },
];

interface Follow {
  readonly order: Order;
  readonly rounds: number;
  readonly share: number;
  readonly last: number;
}

/** What is found is run again here before it is called a bug. */
export class Bugs {
  constructor(
    private readonly setting: Setting,
    private readonly account: Account,
  ) {}

  /** A test that ended in a failing check, while it kept to what a client may do, shows a bug by itself. */
  inTests(): Verdict | undefined {
    const started = performance.now();
    const options = this.setting.scenarioOptions();
    try {
      for (const run of this.setting.task.runs) {
        const instance = this.setting.instance();
        const told = new TestSteps(this.setting.program);
        for (const operation of run) {
          if (leavesTheClient(operation, this.setting.program)) break;
          if (operation.kind === 'call') {
            const fn = this.setting.program.functionByName.get(operation.function);
            if (this.setting.init && told.steps.every(({ kind }) => kind !== 'call') && fn !== this.setting.init) break;
            const args = fn && this.setting.entries.includes(fn) ? instance.argumentsOf(operation) : undefined;
            if (fn && args && !options.permits(fn, args, instance.machine)) break;
          }
          told.add(operation);
          const outcome = instance.redo(operation);
          if (operation.kind === 'call' && outcome?.kind === 'returned' && outcome.value !== undefined)
            told.result(instance.resultOf(operation, outcome.value));
          if (
            outcome?.kind === 'fault' &&
            !breaksPrecondition(outcome.fault) &&
            isInForce(outcome.fault.command, this.setting.inForce)
          ) {
            this.account.remarks.add('a test of the module ends in this failure');
            this.account.rerun = this.rerunOf(run);
            const suggestion = adviceOn(outcome.fault);
            return { ...this.bugVerdict(outcome.fault, told.steps), ...(suggestion !== undefined && { suggestion }) };
          }
          if (outcome && outcome.kind !== 'returned') break;
        }
      }
      return undefined;
    } finally {
      this.account.seconds.execution += (performance.now() - started) / 1000;
    }
  }

  /** A test's run up to its failure, once more. */
  private rerunOf(run: readonly Operation[]): Rerun {
    return (watch, between) => {
      const instance = this.setting.instance();
      watch(instance.machine);
      for (const operation of run) {
        between?.();
        const outcome = instance.redo(operation);
        if (outcome?.kind === 'fault') return { span: outcome.fault.span, function: outcome.fault.stack[0]?.function };
      }
      return undefined;
    };
  }

  /** A program without inputs is run to its end; `long`: it has no inputs so far, but did not end. */
  runOnly(steps: number): { readonly verdict: Verdict | undefined; readonly long: boolean } {
    const [entry, ...others] = this.setting.entries;
    if (
      this.setting.task.mode !== 'program' ||
      !entry ||
      others.length > 0 ||
      this.setting.task.engine === 'intervals' ||
      this.setting.task.predicates === 'probes'
    )
      return { verdict: undefined, long: false };
    const started = performance.now();
    const run = onlyExecution(this.setting.program, entry, this.setting.inForce, steps);
    this.account.seconds.execution += (performance.now() - started) / 1000;
    switch (run.kind) {
      case 'open':
        return { verdict: undefined, long: run.why === 'steps' };
      case 'fault': {
        // Where it has parameters the search, which passes some, is as quick.
        if (entry.parameters.length > 0) return { verdict: undefined, long: false };
        const scenario: Scenario = { calls: [{ fn: entry, arguments: [] }], answers: [] };
        const options = { ...this.setting.scenarioOptions(), stepLimit: steps };
        const again = runScenario(this.setting.program, scenario, options);
        const fault = faultOf(again);
        return { verdict: again && fault && this.bugVerdict(fault, clientSteps(scenario, again)), long: false };
      }
      case 'harmless': {
        this.account.obligations = this.setting.program.functions
          .flatMap((fn) => fn.edges)
          .filter(({ command }) => command.kind === 'check' && isInForce(command, this.setting.inForce)).length;
        if (this.account.obligations === 0)
          this.account.remarks.add('no check of the asked properties occurs in the program');
        for (const { command, span } of run.unreached)
          if (command.kind === 'check')
            this.account.remarks.add(`the assertion ${command.text} at ${placeText(span)} is never reached`);
        this.account.remarks.add(
          `the program reads no input: its only execution, of ${run.steps} steps, was run to its end`,
        );
        return {
          verdict: { kind: 'proved', ...this.account.common(), engine: 'only-execution', invariants: [] },
          long: false,
        };
      }
    }
  }

  /** Who looks on while we search by running. */
  watching: Pick<SearchOptions, 'observe' | 'between' | 'seen'> = {};

  /**
   * A short search, once; shorter where it takes little to make formulas about the whole program, and a longer one goes
   * the same ways afterwards, while others look on.
   */
  easy(): Scenario | undefined {
    if (this.searched) return undefined;
    this.searched = true;
    const isSmall = this.setting.task.mode === 'program' && edgeCount(this.setting.program) < FEW;
    return this.search(isSmall ? EASIEST_EDGES : EASY_EDGES) ?? this.withoutEnd();
  }

  /** Characters without a 0, which the search does not pass, lest other failures be hidden by it. */
  private withoutEnd(): Scenario | undefined {
    return this.setting.task.mode === 'module' && !this.setting.init
      ? new UnendedTexts(this.setting.program, this.setting.callable, this.setting.scenarioOptions()).failing()
      : undefined;
  }

  private searched = false;

  search(edges: number): Scenario | undefined {
    const started = performance.now();
    const found = searchConcretely(this.setting.program, {
      ...this.setting.scenarioOptions(),
      ...this.watching,
      entries: this.setting.entries,
      seed: this.setting.task.seed,
      edges,
      maximumCalls: this.setting.task.mode === 'program' ? 1 : 40,
      stop: () => this.setting.stopReason() !== undefined,
    });
    this.account.seconds.execution += (performance.now() - started) / 1000;
    return found;
  }

  /** Past loops that go on for long. */
  far(observe: NonNullable<SearchOptions['observe']>): Scenario | undefined {
    const started = performance.now();
    const { task, entries } = this.setting;
    const found = runFar(this.setting.program, {
      ...this.setting.scenarioOptions(),
      ...this.watching,
      observe,
      entries,
      seed: task.seed,
      maximumCalls: task.mode === 'program' ? 1 : 40,
      milliseconds: Math.min(FAR_MS, task.budget.milliseconds * FAR_SHARE),
      stop: () => this.setting.stopReason() !== undefined,
    });
    this.account.seconds.execution += (performance.now() - started) / 1000;
    return found;
  }

  /**
   * An alarm in the first segment of an entry function as a client's call: the model's arguments and inputs, from the
   * initial state.
   */
  scenarioOf({ transition, model }: Alarm): Scenario | undefined {
    const { from, segment } = transition;
    if (!from || !segment || from.kind !== 'entry' || !this.setting.entries.includes(from.fn) || this.setting.init)
      return undefined;
    const args: Argument[] = [];
    for (const parameter of from.fn.parameters) {
      const value = segment.start.locals[parameter.slot]!;
      if (isPointer(value)) {
        if (model.evaluate(value.object) !== 0n) return undefined;
        args.push({ kind: 'scalar', value: 0 });
        continue;
      }
      args.push({ kind: 'scalar', value: scalarOf(model.evaluate(value) as bigint, parameter.type) });
    }
    const answers = segment.inputs
      .filter(({ guard, value }) => model.evaluate(guard) === true && !isPointer(value))
      .map(({ kind, name, type, value }) => ({
        name: kind === 'havoc' ? `uninitialised ${name}` : name,
        type,
        value: scalarOf(model.evaluate(number(value)) as bigint, type),
      }));
    return { calls: [{ fn: from.fn, arguments: args }], answers };
  }

  private searchedDeep = false;

  /** All executions of a bounded length at once; what it finds counts when the evaluator agrees. */
  async searchDeep(system: System): Promise<BoundedSearchResult> {
    if (this.searchedDeep) return { kind: 'open', endedTogether: false };
    this.searchedDeep = true;
    const program = this.setting.task.mode === 'program';
    const until = performance.now() + Math.max(0, this.setting.deadline - performance.now()) * DEEP_SHARE;
    return this.searchAll(system, until, {
      order: 'breadth',
      rounds: program ? 400 : 40,
      calls: program ? 1 : 5,
      query: () => this.setting.queryBudget(),
    });
  }

  /**
   * Whether control comes to an end without coming to a place more often than `visits`. Near failures come first; but
   * where executions of different lengths stay apart, they are followed again so that they meet, which leaves what is
   * behind a loop, or a recursion, for later.
   */
  async followToTheEnd(system: System, visits: (location: Location) => number): Promise<BoundedSearchResult> {
    const hasRecursion = system.functions.some((fn) =>
      fn.edges.some(
        ({ command }) =>
          command.kind === 'call' && command.targets.some((target) => reachableFunctions([target]).has(fn)),
      ),
    );
    let result: BoundedSearchResult = { kind: 'open', endedTogether: false };
    for (const { order, rounds, share, last } of hasRecursion ? [FOLLOW_AT_ONCE] : FOLLOW_IN_TURN) {
      const left = Math.max(0, this.setting.deadline - performance.now());
      // Where executions have ended, the rest is one answer away.
      const query = (ended: boolean): QueryBudget =>
        ended ? this.setting.queryBudget(left * last) : this.setting.moderately();
      result = await this.searchAll(system, performance.now() + left * share, {
        order,
        rounds,
        calls: 1,
        visits,
        query,
      });
      // Where they ended without ever being apart, it is the same again.
      if (result.kind !== 'open' || result.endedTogether || this.setting.stopReason()) break;
    }
    return result;
  }

  private async searchAll(
    system: System,
    until: number,
    limits: Pick<BoundedSearchLimits, 'order' | 'rounds' | 'calls' | 'visits' | 'query'>,
  ): Promise<BoundedSearchResult> {
    const result = await searchBounded(system, elementByElement(this.setting.solver), {
      ...limits,
      query: (ended) => {
        const query = limits.query(ended);
        return {
          ...query,
          timeoutMs: Math.max(
            50,
            Math.min(query.timeoutMs, ended && limits.visits ? Infinity : until - performance.now()),
          ),
        };
      },
      stop: () => this.setting.stopReason() !== undefined || performance.now() > until,
    });
    if (
      result.kind !== 'found' ||
      faultOf(
        runScenario(this.setting.program, result.scenario, { ...this.setting.scenarioOptions(), stepLimit: 2_000_000 }),
      )
    )
      return result;
    this.account.difficulties.add('a bounded search found an execution that the evaluator did not confirm');
    return { kind: 'open', endedTogether: false };
  }

  bug(scenario: Scenario): Verdict {
    const options = this.setting.scenarioOptions();
    // Of a witness that is checked, the inputs are what was asked about.
    const smallest = this.setting.task.replay ? scenario : shrink(this.setting.program, scenario, options);
    const run = runScenario(this.setting.program, smallest, options);
    const fault = faultOf(run);
    if (!run || !fault) throw new Error('a scenario that failed fails again: the evaluator is deterministic');
    this.account.memory?.keepScenario(smallest);
    this.account.rerun = (watch, between) => {
      const again = faultOf(
        runScenario(this.setting.program, smallest, {
          ...options,
          observe: watch,
          ...(between && { between: () => between() }),
        }),
      );
      return again && { span: again.span, function: again.stack[0]?.function };
    };
    const nulls = new NullArguments(this.setting.program, options, this.setting.task.runs);
    const lengths = new LengthArguments(this.setting.program, options, this.setting.task.runs);
    const unset = new UnsetStructures(this.setting.program, this.setting.callable, options, this.setting.task.runs);
    const promises: Promises = { nulls, lengths, unset };
    const unended = new UnendedTexts(this.setting.program, this.setting.callable, options);
    if (this.setting.task.mode === 'module' && !explainedBy(promises, smallest, fault)) unended.look(smallest, fault);
    const further = this.further(fault, promises, unended);
    if (unended.isAny || nulls.promised.length > 0) unended.lookAround(smallest);
    const suggestion =
      [unset.suggestion, argumentsSuggestion(this.setting, { nulls, lengths, unended }), adviceOn(fault)]
        .filter((one) => one !== undefined)
        .join('\n') || undefined;
    return {
      ...this.bugVerdict(fault, clientSteps(smallest, run)),
      ...(further.length > 0 && { further }),
      ...(suggestion !== undefined && { suggestion }),
    };
  }

  private bugVerdict(fault: Fault, steps: readonly ClientStep[]): Extract<Verdict, { kind: 'bug' }> {
    return { kind: 'bug', ...this.account.common(), counterexample: this.counterexample(fault, steps) };
  }

  private counterexample(fault: Fault, steps: readonly ClientStep[]): Counterexample {
    const failure = failureAt(fault.check, fault.message, fault.span, fault.stack[0]?.function);
    return {
      failure,
      steps,
      stack: fault.stack.map(({ function: fn, span }) => placeOf(span, fn.name)),
      test: this.failsAsTest(steps, failure)
        ? printTest(
            steps,
            this.setting.variable,
            failure,
            this.setting.callable.map(({ name }) => name),
          )
        : '',
    };
  }

  /** Other checks that short clients make fail, each once; a module with one bug often has two. */
  private further(first: Fault, promises: Promises, unended: UnendedTexts): readonly Counterexample[] {
    if (this.setting.task.mode === 'program' || this.setting.task.predicates === 'probes') return [];
    const keyOf = ({ check, span }: Fault): string => `${span.file.path}:${span.start}:${check}`;
    const scenarios = this.setting.scenarioOptions();
    const options: ScenarioOptions = {
      ...scenarios,
      initialisers: promises.unset.initialisers,
      permits: (fn, args, machine) =>
        promises.nulls.permits(fn, args) &&
        promises.lengths.permits(fn, args, machine) &&
        scenarios.permits(fn, args, machine),
    };
    const seen = new Set([keyOf(first)]);
    // Null from clients, or structures that nobody set up, fail in many places alike, so that they would hide the rest.
    const failing: Scenario[] = [];
    const failingByPromise: Scenario[] = [];
    searchConcretely(this.setting.program, {
      ...options,
      entries: this.setting.entries,
      seed: this.setting.task.seed,
      edges: FURTHER_EDGES,
      maximumCalls: 12,
      stop: () => this.setting.stopReason() !== undefined,
      failed: (scenario, fault) => {
        const isPromised = explainedBy(promises, scenario, fault);
        if (!isPromised) unended.look(scenario, fault);
        if (!seen.has(keyOf(fault))) (isPromised ? failingByPromise : failing).push(scenario);
        seen.add(keyOf(fault));
        return failing.length < FURTHER_BUGS;
      },
    });
    const shown = new Set([keyOf(first)]);
    return [...failing, ...failingByPromise.slice(0, FURTHER_BUGS)].flatMap((scenario) => {
      const smallest = shrink(this.setting.program, scenario, scenarios);
      const run = runScenario(this.setting.program, smallest, scenarios);
      const fault = faultOf(run);
      // Made smaller, it may have become one that is known.
      if (!run || !fault || shown.has(keyOf(fault))) return [];
      shown.add(keyOf(fault));
      return [this.counterexample(fault, clientSteps(smallest, run))];
    });
  }

  /** A test is handed out only when its steps, done as a test does them, fail at the same place. */
  private failsAsTest(steps: readonly ClientStep[], { check, place: { file, line, column } }: Failure): boolean {
    const error = play(this.setting.instance(this.setting.tested), steps);
    if (
      error instanceof CFault &&
      error.kind === check &&
      error.place?.file === file &&
      error.place.line === line &&
      error.place.column === column
    )
      return true;
    const otherwise = error instanceof Error ? error.message.split('\n')[0] : 'they end without a failure';
    this.account.remarks.add(`no test is given, because the calls do otherwise in one: ${otherwise}`);
    return false;
  }
}
