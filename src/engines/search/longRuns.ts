/**
 * Failures that few inputs have, behind loops that are longer than a random search runs: many executions from beginning
 * to end, by compiled code that nobody watches. A few inputs of the first execution are given the program's own
 * numbers, one input at a time; random executions come in between. It decides nothing about programs whose inputs have
 * to agree with one another.
 *
 * Of a module the same few calls are also repeated, hundreds of times: counters overflow and rings come round only
 * then.
 */
import {
  asGiven,
  type Call,
  faultOf,
  type Scenario,
  type ScenarioRun,
  ScenarioRunner,
} from '../../evidence/scenarios/scenario';
import type { Scalar } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { Random } from '../../semantics/concrete/random';
import type { Budget } from '../../budget';
import type { Task } from '../../task';
import { arrivalsAt, type Engine, type Knowledge } from '../engine';
import type { Problem } from '../problem';
import { inType, ScenarioGenerator, type RunEnvironment, type Swarm } from './scenarioGenerator';
import { statedOfArguments } from './stated/statedLengths';
import { longFailure } from './longFailure';

const limits = {
  /** CFA edges of all executions together. */
  steps: { early: 150_000_000, late: 1_500_000_000 },
  /** CFA edges of the first execution, and by how many times later ones are longer after one that did not end. */
  firstSteps: 2_000_000,
  longer: 4,
  /** Part of all edges that one execution may take. */
  mostOfAll: 1 / 8,
  /** Executions without an end after which the search gives up. */
  endless: { early: 3, late: 6 },
  /** Inputs of the first execution that are given other values, and the answers of one that is followed further. */
  inputs: 4,
  /**
   * Answers of the first execution from which on every second execution is about many answers, not about single ones.
   */
  manyAnswers: 100,
  answers: { early: 400_000, late: 1_200_000 },
  /** Executions, which are cheap where loops turn out to be short. */
  executions: { early: 400, late: 3_000 },
  /** Small numbers that a single input is given, such as those that a mask leaves. */
  smallNumbers: 256,
  /** Calls of a module's client. */
  calls: 3,
  /**
   * Calls of one that repeats the same ones: twice as many as a byte has values, of two functions each, and as many as
   * one of a power of two. Clients of that kind, and CFA edges of all of them.
   */
  repeatedCalls: 1_100,
  repeating: 40,
  repeatedSteps: 4_000_000,
} as const;

/** Executions that do not begin as the first one did take turns: their answers are any values, or alike in some way. */
const turns: readonly (Swarm | 'any')[] = ['any', 'rising', 'all but one', 'falling', 'any', 'two values', 'one value'];

/** `early`: what is found soon, before invariants are searched for. */
export const longRuns = (when: 'early' | 'late'): Engine => ({
  name: when === 'early' ? 'long-runs' : 'long-runs:late',
  applies({ program, task }, known) {
    if (task.predicates === 'probes' || task.adequacy) return 'abstract states are wanted';
    if (known.isLong) return 'the only execution was run';
    if (!known.samples) return 'no states were sampled';
    return repeats(task, when) || hasLongLoop(program, known) ? undefined : 'no loop was seen to be long';
  },
  async run(problem, known, budget, events) {
    const began = performance.now();
    const runs = new LongRuns(problem, when, budget);
    const scenario =
      (repeats(problem.task, when) ? runs.failingRepeatedly() : undefined) ??
      (hasLongLoop(problem.program, known) ? runs.failing() : undefined);
    events.onTime('execution', (performance.now() - began) / 1000);
    const failure = scenario && longFailure(scenario, problem, budget, events);
    return failure ? { kind: 'unsafe', failure } : { kind: 'unknown', reason: undefined, learned: known };
  },
});

const repeats = (task: Task, when: 'early' | 'late'): boolean => task.mode === 'module' && when === 'early';

function hasLongLoop(program: Program, known: Knowledge): boolean {
  const heads = program.functions.flatMap(({ locations }) => locations.filter(({ isLoopHead }) => isLoopHead));
  return heads.some((head) => arrivalsAt(known, head) === undefined);
}

/** Thrown out of an execution whose answers would take too much memory. */
class TooManyAnswers extends Error {}

class LongRuns {
  private readonly generator: ScenarioGenerator;
  private readonly runner: ScenarioRunner;
  private readonly random: Random;
  private left: number;
  private stepLimit: number = limits.firstSteps;
  private endless = 0;

  constructor(
    private readonly problem: Problem,
    private readonly when: 'early' | 'late',
    private readonly budget: Budget,
  ) {
    const options = problem.scenarioOptions();
    this.random = new Random(problem.task.seed + (when === 'early' ? 5 : 6));
    this.generator = new ScenarioGenerator(
      problem.program,
      this.random,
      problem.task.seed,
      options.handles,
      options.initialisers,
      statedOfArguments(problem.task.requires, problem.program, problem.validMembers),
    );
    this.runner = new ScenarioRunner(problem.program, options);
    this.left = limits.steps[when];
  }

  /** Clients that call one or two functions again and again, with the same arguments. */
  failingRepeatedly(): Scenario | undefined {
    const { called, init } = this.problem;
    if (called.length === 0) return undefined;
    const some = (): FunctionDefinition => called[this.random.below(called.length)]!;
    const end = this.left - limits.repeatedSteps;
    for (let count = 0; count < limits.repeating && this.left > end && !this.budget.exhausted; count++) {
      const entries = [some(), some()];
      const { calls, answers } = this.generator.scenario({ entries, init, maximumCalls: init ? 4 : 3 }, undefined);
      const first = calls.filter(({ fn }) => fn === init);
      const failing = (again: readonly Call[]): Scenario | undefined => {
        if (again.length === 0) return undefined;
        const times = Math.ceil(limits.repeatedCalls / again.length);
        const scenario = { calls: [...first, ...Array.from({ length: times }, () => again).flat()], answers };
        const run = this.run(scenario, this.generator.environment);
        if (!run || !faultOf(run)) return undefined;
        return { calls: scenario.calls.slice(0, run.last + 1), answers: run.answers.map(asGiven) };
      };
      let again = calls.filter(({ fn }) => fn !== init);
      let found = failing(again);
      if (!found) continue;
      // Fewer calls in a round are easier to read than fewer rounds.
      for (let at = again.length - 1; at >= 0; at--) {
        const fewer = again.filter((_, i) => i !== at);
        const smaller = failing(fewer);
        if (smaller) [again, found] = [fewer, smaller];
      }
      return found;
    }
    return undefined;
  }

  failing(): Scenario | undefined {
    const { task, called, init } = this.problem;
    const maximumCalls = task.mode === 'program' ? 1 : limits.calls;
    const queue: Scenario[] = [];
    let [turn, answers] = [0, 0];
    for (let count = 0; count < limits.executions[this.when] && this.goesOn(); count++) {
      const isNear = count % (answers > limits.manyAnswers ? 2 : 4) !== 0;
      const near = isNear ? queue.shift() : undefined;
      const scenario = near ?? this.generator.scenario({ entries: called, init, maximumCalls }, undefined);
      const manner = near ? 'any' : turns[turn++ % turns.length]!;
      const run = this.run(
        scenario,
        manner === 'any' ? this.generator.environment : this.generator.swarmEnvironment(manner, answers),
      );
      if (!run) continue;
      const went = { calls: scenario.calls.slice(0, run.last + 1), answers: run.answers.map(asGiven) };
      if (faultOf(run)) return went;
      const isOnly = went.answers.length === 0 && went.calls.every((call) => call.arguments.length === 0);
      // Another run would be the same.
      if (run.outcome.kind === 'returned' && isOnly && maximumCalls === 1) return undefined;
      if (count === 0) queue.push(...this.changesOf(went));
      answers = Math.max(answers, went.answers.length);
    }
    return undefined;
  }

  private goesOn(): boolean {
    return this.left > 0 && this.endless < limits.endless[this.when] && !this.budget.exhausted;
  }

  private run(scenario: Scenario, environment: RunEnvironment): ScenarioRun | undefined {
    const most = limits.steps[this.when] * limits.mostOfAll;
    let answers = 0;
    const before = this.runner.progress.steps;
    try {
      const run = this.runner.run(scenario, {
        stepLimit: Math.min(this.stepLimit, most),
        environment: (name, type, args) => {
          if (++answers > limits.answers[this.when]) throw new TooManyAnswers();
          return environment(name, type, args);
        },
      });
      this.left -= run?.steps ?? 1_000;
      if (run?.outcome.kind === 'limit') {
        if (this.stepLimit >= most) this.endless++;
        this.stepLimit *= limits.longer;
      }
      return run;
    } catch (error) {
      if (!(error instanceof TooManyAnswers)) throw error;
      this.left -= Math.max(1_000, this.runner.progress.steps - before);
      this.endless++;
      return undefined;
    }
  }

  /** The scenario with another value of one argument or answer, the program's own numbers first. */
  private changesOf({ calls, answers }: Scenario): readonly Scenario[] {
    const { constants } = this.generator;
    const inputs = answers.filter(({ type }) => type.kind === 'integer').length;
    const isSingle = inputs + calls.reduce((sum, call) => sum + call.arguments.length, 0) === 1;
    const small = Array.from({ length: limits.smallNumbers }, (_, i) => BigInt(i));
    const values = [...new Set([...constants, ...(isSingle ? small : [])])];
    const ofAnswers = answers.slice(0, limits.inputs).flatMap((answer, at) =>
      valuesOf(answer.type, values).map((value) => ({
        calls,
        answers: answers.slice(0, at + 1).map((one, i) => (i === at ? { ...answer, value } : one)),
      })),
    );
    const ofArguments = calls.flatMap((call, index) =>
      call.arguments.slice(0, limits.inputs).flatMap((argument, at) => {
        if (argument.kind !== 'scalar') return [];
        return valuesOf(call.fn.parameters[at]!.type, values).map((value) => ({
          calls: calls.with(index, { ...call, arguments: call.arguments.with(at, { kind: 'scalar', value }) }),
          answers,
        }));
      }),
    );
    return [...ofArguments, ...ofAnswers];
  }
}

function valuesOf(type: Scalar, values: readonly bigint[]): readonly ReturnType<typeof inType>[] {
  return type.kind === 'integer' ? [...new Set(values.map((value) => inType(value, type)))] : [];
}
