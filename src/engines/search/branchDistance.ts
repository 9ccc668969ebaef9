/**
 * Distances of runs from what none has done yet: taking an untaken side of a comparison, failing a check (B. Korel,
 * "Automated software test data generation", IEEE TSE 1990). The nearest run to each such goal is kept, up to the place
 * where it was nearest, and changed there: what it did last is done again, once or many times, or a number is moved by
 * the distance. So counters reach what they are compared with in a logarithm of rounds, and indices the end of an
 * object. A check of several comparisons, as that an access lies within its object, is as many goals. The distance of
 * two floating-point numbers is how many others lie between them. Such a number is also set to a constant of the
 * program, with all equal values of the same parameter or input: sums and integrals come to their limits by equal
 * samples.
 */
import type { Expression, Scalar } from '../../program/expression';
import type { Command } from '../../program/command';
import type { Location, Program } from '../../program/program';
import { walk, walkOwn } from '../../program/traverse';
import {
  asGiven,
  type Argument,
  type EnvironmentAnswer,
  type Scenario,
  type ScenarioRun,
} from '../../evidence/scenarios/scenario';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import { addObserver } from '../../semantics/concrete/observers';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Evaluation } from '../../semantics/evaluate';
import type { Random } from '../../semantics/concrete/random';

type Comparison = Extract<Expression, { kind: 'compare' }>;

interface Goal {
  readonly location: Location;
  readonly comparison: Comparison;
  /** The comparison's value that no run has seen here. */
  readonly wanted: boolean;
  /** Distances are counted in these, as the bytes of an element. */
  readonly units: readonly bigint[];
  best: bigint | undefined;
  /** Current run: the distance, and how many answers of the environment, and calls, there had been. */
  now:
    { readonly distance: bigint; readonly answers: number; readonly steps: number; readonly call: number } | undefined;
  /** Arrivals in the current run. */
  visits: number;
  nearest: Scenario | undefined;
  /** Edges the nearest run takes to where it is nearest. */
  steps: number;
  /** Changes of the nearest that brought nothing. */
  failures: number;
}

const limits = {
  /** A goal that so many attempts did not reach is given up for others. */
  attemptsPerGoal: 400,
  /** Answers of a scenario that repetition made longer. */
  answers: 20_000,
  /** Arrivals at a goal in one run that are all looked at. */
  visits: 1024,
  /** CFA edges of a run after which a goal has cost enough. */
  goalSteps: 20_000,
  /** Calls of a client above which it is first made shorter: long ones are dear to run, and have much to change. */
  shortCalls: 40,
  /** Calls of a client that repeats some, and by how many times it is longer than before: rings are that long. */
  repeatedCalls: 300,
  longer: 4,
} as const;

export class BranchDistance {
  private readonly goalsAt = new Map<Location, Goal[]>();
  /** Floating-point numbers that the program mentions. */
  private readonly floats: readonly number[];
  private open: Goal[] = [];
  private running: Goal | undefined;

  /** `isChecked`: checks that are to fail. `progress`: answers and calls of the current run so far. */
  constructor(
    program: Program,
    isChecked: (command: Extract<Command, { kind: 'check' }>) => boolean,
    private readonly progress: () => { readonly answers: number; readonly steps: number; readonly call: number },
  ) {
    const floats = new Set<number>();
    walkOwn(program, (node) => {
      if (node.kind === 'float' && !Number.isNaN(node.value)) floats.add(node.value).add(-node.value);
    });
    for (const fn of program.functions) {
      if (fn.library) continue;
      for (const location of fn.locations) {
        for (const { command } of location.edges) {
          if (command.kind === 'assume' && location.edges.length > 1) this.add(location, command.condition, true);
          else if (command.kind === 'check' && isChecked(command))
            for (const part of conjuncts(command.condition)) this.add(location, part, false);
        }
      }
    }
    this.open = [...this.goalsAt.values()].flat();
    this.floats = [...floats];
  }

  /** Adds an observer beside the one that the machine has. */
  watch(machine: Machine): void {
    addObserver(machine, this.goalsAt.keys(), (location, activation) => this.visit(location, activation, machine));
  }

  private visit(location: Location, activation: Activation, machine: Machine): void {
    const goals = this.goalsAt.get(location);
    if (!goals) return;
    for (const goal of goals) {
      if (goal.best === 0n) continue;
      goal.visits++;
      // In long loops now and then: what fails is seen to fail, and near is near enough.
      if (goal.visits > limits.visits && (goal.visits & (goal.visits - 1)) !== 0) continue;
      const distance = this.distance(goal, activation, machine);
      if (goal.now && goal.now.distance <= distance) continue;
      goal.now = { distance, ...this.progress() };
    }
  }

  /** The run is over. */
  learn(scenario: Scenario, run: ScenarioRun | undefined): void {
    const { running } = this;
    const before = running?.best;
    for (const goal of this.open) {
      const { now } = goal;
      goal.now = undefined;
      goal.visits = 0;
      // A run that took long to come near is dear to go on from.
      if (
        !now ||
        !run ||
        now.steps > (goal === running ? 10 : 1) * limits.goalSteps ||
        (goal.best !== undefined && now.distance > goal.best) ||
        (now.distance === goal.best && now.call + now.answers >= lengthOf(goal.nearest!))
      )
        continue;
      if (now.distance !== goal.best) goal.failures = 0;
      goal.best = now.distance;
      goal.steps = now.steps;
      goal.nearest = {
        calls: scenario.calls.slice(0, now.call + 1),
        answers: run.answers.slice(0, now.answers).map(asGiven),
      };
    }
    if (running && running.best === before) running.failures++;
    this.running = undefined;
    if (this.open.some((goal) => goal.best === 0n || goal.failures > limits.attemptsPerGoal))
      this.open = this.open.filter((goal) => goal.best !== 0n && goal.failures <= limits.attemptsPerGoal);
  }

  /** A change of the run nearest to some goal, with the edges it may take to where that was nearest. */
  suggest(random: Random, calls: number): { readonly scenario: Scenario; readonly steps: number } | undefined {
    const reachable = this.open.filter(({ nearest }) => nearest);
    if (reachable.length === 0) return undefined;
    const goal = reachable[random.below(reachable.length)]!;
    this.running = goal;
    const scenario = this.mutate(goal, random, calls);
    const longer = Math.max(
      1,
      (scenario.answers.length + scenario.calls.length) / (goal.nearest!.answers.length + goal.nearest!.calls.length),
    );
    return { scenario, steps: Math.ceil(1.2 * longer * goal.steps) };
  }

  private mutate(goal: Goal, random: Random, calls: number): Scenario {
    const scenario = goal.nearest!;
    const longest = Math.min(limits.longer * scenario.calls.length, limits.repeatedCalls);
    // Calls that use what earlier ones made must keep their places.
    const independent = scenario.calls.every((call) => call.arguments.every((argument) => argument.kind !== 'earlier'));
    if (independent && scenario.calls.length > limits.shortCalls && random.below(2) === 0)
      return { ...scenario, calls: withoutSome(scenario.calls, random) };
    const kind = random.below(4);
    if (kind === 0) {
      const unit = goal.units[random.below(goal.units.length)]!;
      return move(scenario, (goal.best! + unit - 1n) / unit, random, this.floats);
    }
    const times = often(goal.best!, random);
    const answers =
      kind === 1
        ? dropElements(scenario.answers, times, random)
        : repeatElements(scenario.answers, times, random, limits.answers);
    if (!independent || scenario.calls.length < 2 || random.below(2) === 0) return { ...scenario, answers };
    return {
      ...scenario,
      calls:
        kind === 1
          ? [scenario.calls[0]!, ...dropElements(scenario.calls.slice(1), times, random)]
          : repeatElements(scenario.calls, times, random, Math.max(calls, longest)),
    };
  }

  private add(location: Location, condition: Expression, value: boolean): void {
    const found = comparisonIn(condition, value);
    if (!found || found.comparison.left.type.kind === 'pointer') return;
    const goals = this.goalsAt.get(location) ?? [];
    goals.push({
      location,
      comparison: found.comparison,
      wanted: found.value,
      units: [1n, ...factorsIn(found.comparison)],
      best: undefined,
      now: undefined,
      visits: 0,
      nearest: undefined,
      steps: 0,
      failures: 0,
    });
    this.goalsAt.set(location, goals);
  }

  private readonly operands = new Map<Comparison, readonly [Evaluation<ConcreteValue>, Evaluation<ConcreteValue>]>();

  private distance({ comparison, wanted }: Goal, activation: Activation, machine: Machine): bigint {
    let operands = this.operands.get(comparison);
    if (!operands)
      this.operands.set(
        comparison,
        (operands = [machine.evaluator.stage(comparison.left), machine.evaluator.stage(comparison.right)]),
      );
    const state = {
      globals: machine.globals,
      memory: machine.memory,
      locals: [...activation.locals],
      objects: [...activation.objects],
    };
    const [first, second] = [operands[0](state), operands[1](state)];
    const { type } = comparison.left;
    const isFloat = type.kind === 'float';
    if (isFloat && (Number.isNaN(first) || Number.isNaN(second)))
      return (comparison.operator === 'ne') === wanted ? 0n : unordered;
    const left = isFloat ? rankOf(Number(first), type) : BigInt(first);
    const right = isFloat ? rankOf(Number(second), type) : BigInt(second);
    const gap = left > right ? left - right : right - left;
    switch (comparison.operator) {
      case 'eq':
        return wanted ? gap : gap === 0n ? 1n : 0n;
      case 'ne':
        return wanted ? (gap === 0n ? 1n : 0n) : gap;
      case 'lt':
        return left < right === wanted ? 0n : wanted ? gap + 1n : gap;
      case 'le':
        return left <= right === wanted ? 0n : wanted ? gap : gap + 1n;
    }
  }
}

/** Without up to half of it, anywhere. */
function withoutSome<T>(list: readonly T[], random: Random): T[] {
  const count = 2 ** random.below(Math.floor(Math.log2(list.length)));
  const start = random.below(list.length - count + 1);
  return [...list.slice(0, start), ...list.slice(start + count)];
}

/** Calls behind the first, and answers. */
const lengthOf = ({ calls, answers }: Scenario): number => calls.length - 1 + answers.length;

/** A check's comparisons, each of which fails it. */
const conjuncts = (condition: Expression): readonly Expression[] =>
  condition.kind === 'binary' && condition.operator === 'and'
    ? [...conjuncts(condition.left), ...conjuncts(condition.right)]
    : [condition];

/** Constants that something is multiplied by, as indices by the bytes of an element. */
function factorsIn(expression: Expression): readonly bigint[] {
  const found = new Set<bigint>();
  walk(expression, (part) => {
    if (part.kind !== 'binary' || part.operator !== 'multiply') return;
    for (const factor of [part.left, part.right])
      if (factor.kind === 'integer' && factor.value > 1n) found.add(factor.value);
  });
  return [...found];
}

/** The comparison that decides a condition, with the value it must have for the condition to have `value`. */
function comparisonIn(
  condition: Expression,
  value: boolean,
): { readonly comparison: Comparison; readonly value: boolean } | undefined {
  if (condition.kind === 'convert' && condition.type.kind === 'integer') return comparisonIn(condition.operand, value);
  if (condition.kind !== 'compare') return undefined;
  const { left, right, operator } = condition;
  const isTruth = (operator === 'eq' || operator === 'ne') && right.kind === 'integer' && right.value === 0n;
  return (
    (isTruth ? comparisonIn(left, operator === 'ne' ? value : !value) : undefined) ?? { comparison: condition, value }
  );
}

/** As often as the distance, were each time one step nearer, or any power of two. */
function often(distance: bigint, random: Random): number {
  return random.below(2) === 0 && distance <= 2048n ? Math.max(1, Number(distance)) : 2 ** random.below(11);
}

/** Something, most often near the end, once more, or many times. */
function repeatElements<T>(list: readonly T[], wanted: number, random: Random, longest: number): T[] {
  if (list.length === 0) return [];
  const end = list.length - random.below(random.below(2) === 0 ? list.length : Math.min(list.length, 4));
  const start = Math.max(0, end - 1 - (random.below(2) === 0 ? 0 : random.below(4)));
  const pattern = list.slice(start, end);
  const times = Math.min(wanted, Math.floor((longest - list.length) / Math.max(1, pattern.length)));
  return [
    ...list.slice(0, end),
    ...Array.from({ length: Math.max(0, times) }, () => pattern).flat(),
    ...list.slice(end),
  ];
}

/** Without some of what was done. */
function dropElements<T>(list: readonly T[], count: number, random: Random): T[] {
  const end = list.length - random.below(random.below(2) === 0 ? list.length + 1 : Math.min(list.length + 1, 4));
  const start = Math.max(0, end - count);
  return [...list.slice(0, start), ...list.slice(end)];
}

/** One number nearer to where it might help. */
function move(scenario: Scenario, distance: bigint, random: Random, floats: readonly number[]): Scenario {
  // A part of the distance, since the number may count several times.
  const part = distance / 2n ** BigInt(random.below(6));
  const by = (part === 0n ? 1n : part) * (random.below(2) === 0 ? 1n : -1n);
  const numbers = scenario.calls.flatMap((call, i) =>
    call.arguments.flatMap((argument, at) => (argument.kind === 'scalar' ? [[i, at] as const] : [])),
  );
  const total = numbers.length + scenario.answers.length;
  if (total === 0) return scenario;
  const chosen = random.below(total);
  const place =
    chosen < numbers.length ? argumentAt(scenario, numbers[chosen]!) : answerAt(scenario, chosen - numbers.length);
  if (place.type.kind === 'float') {
    const from = Number(place.value);
    const isConstant = floats.length > 0 && random.below(2) === 0;
    const base = isConstant ? floats[random.below(floats.length)]! : from;
    const steps = isConstant ? BigInt(random.below(3) - 1) : by;
    return withFloat(scenario, place, numberOfRank(rankOf(base, place.type) + steps, place.type));
  }
  if (chosen >= numbers.length) {
    const answers = scenario.answers.map((answer, i): EnvironmentAnswer =>
      i === chosen - numbers.length && answer.type.kind === 'integer'
        ? { ...answer, value: wrap(answer.value, by, answer.type) }
        : answer,
    );
    return { ...scenario, answers };
  }
  const [call, at] = numbers[chosen]!;
  const calls = scenario.calls.map((c, i) =>
    i !== call
      ? c
      : {
          ...c,
          arguments: c.arguments.map((argument, j): Argument => {
            const { type, ctype } = c.fn.parameters[j]!;
            if (j !== at || argument.kind !== 'scalar' || type.kind !== 'integer') return argument;
            const isBool = ctype?.kind === 'integer' && ctype.name === 'bool';
            return { ...argument, value: isBool ? Number(!argument.value) : wrap(argument.value, by, type) };
          }),
        },
  );
  return { ...scenario, calls };
}

function wrap(
  value: ConcreteValue,
  by: bigint,
  type: { readonly widthBits: number; readonly signed: boolean },
): ConcreteValue {
  const sum = BigInt(value) + by;
  const result = type.signed ? BigInt.asIntN(type.widthBits, sum) : BigInt.asUintN(type.widthBits, sum);
  return type.widthBits > 32 ? result : Number(result);
}

type Float = Extract<Scalar, { kind: 'float' }>;

/** Farther than any two numbers. */
const unordered = 1n << 65n;

const bits = new DataView(new ArrayBuffer(8));

/** Numbers of a format in their order, without gaps; both zeros are 0. */
function rankOf(value: number, { widthBits }: Float): bigint {
  const is32 = widthBits === 32;
  if (is32) bits.setFloat32(0, Math.abs(value));
  else bits.setFloat64(0, Math.abs(value));
  const rank = is32 ? BigInt(bits.getUint32(0)) : bits.getBigUint64(0);
  return value < 0 ? -rank : rank;
}

/** The infinities are the first and the last. */
function numberOfRank(rank: bigint, type: Float): number {
  const last = rankOf(Infinity, type);
  const size = rank < 0n ? -rank : rank;
  if (size >= last) return rank < 0n ? -Infinity : Infinity;
  if (type.widthBits === 32) bits.setUint32(0, Number(size));
  else bits.setBigUint64(0, size);
  const value = type.widthBits === 32 ? bits.getFloat32(0) : bits.getFloat64(0);
  return rank < 0n ? -value : value;
}

/** A parameter of a function, or an input, with one of the values that it has in a scenario. */
interface NumberPlace {
  readonly name: string;
  readonly parameter: number | undefined;
  readonly type: Scalar;
  readonly value: ConcreteValue;
}

function argumentAt({ calls }: Scenario, [call, at]: readonly [number, number]): NumberPlace {
  const { fn, arguments: given } = calls[call]!;
  const argument = given[at]!;
  const value = argument.kind === 'scalar' ? argument.value : 0;
  return { name: fn.name, parameter: at, type: fn.parameters[at]!.type, value };
}

function answerAt({ answers }: Scenario, at: number): NumberPlace {
  const { name, type, value } = answers[at]!;
  return { name, parameter: undefined, type, value };
}

/** All that have this value at this place become `to`. */
function withFloat(scenario: Scenario, place: NumberPlace, to: number): Scenario {
  const isEqual = (value: ConcreteValue): boolean => Object.is(value, place.value);
  return {
    ...scenario,
    calls: scenario.calls.map((call) => ({
      ...call,
      arguments: call.arguments.map((argument, i): Argument =>
        call.fn.name === place.name && i === place.parameter && argument.kind === 'scalar' && isEqual(argument.value)
          ? { ...argument, value: to }
          : argument,
      ),
    })),
    answers: scenario.answers.map((answer): EnvironmentAnswer =>
      place.parameter === undefined && answer.name === place.name && isEqual(answer.value)
        ? { ...answer, value: to }
        : answer,
    ),
  };
}
