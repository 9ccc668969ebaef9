/**
 * Scenarios: what a client does from the initial state, and what the environment answers. The only thing a bug is made of. A scenario is run on
 * the reference evaluator, made smaller while it still fails at the same check, and told in the client's own words.
 */
import { sizeOf } from '../c/layout';
import { printType } from '../c/printType';
import { unqualified } from '../c/target';
import type { CType } from '../c/types';
import { encode } from '../host/encode';
import type { CheckKind, Property } from '../program/command';
import type { Scalar, Variable } from '../program/expression';
import type { FunctionDefinition, Program } from '../program/program';
import type { ConcreteValue } from '../semantics/concrete';
import type { Fault } from '../semantics/fault';
import { Machine, type MachineOptions, type Outcome, type RecordedInput } from '../semantics/machine';
import type { ClientStep, ClientValue, Place, Plain } from '../verdict';

export type Argument =
  | { readonly kind: 'scalar'; readonly value: ConcreteValue }
  /** A fresh object of the host's with these contents. */
  | { readonly kind: 'object'; readonly type: CType; readonly contents: Plain }
  /** The object that an earlier argument made, or the pointer that an earlier call returned. */
  | { readonly kind: 'earlier'; readonly call: number; readonly argument: number };
export interface Call { readonly fn: FunctionDefinition; readonly arguments: readonly Argument[] }
/** An answer of the environment, in the order of execution; `name` is the function asked, or `uninitialised x`. */
export interface EnvironmentAnswer { readonly name: string; readonly value: ConcreteValue; readonly type: Scalar }
export interface Scenario { readonly calls: readonly Call[]; readonly answers: readonly EnvironmentAnswer[] }

export interface ScenarioRun {
  readonly outcome: Outcome;
  /** The call that did not return, or the last one. */
  readonly last: number;
  /** Answers used, in order, with the call that asked. */
  readonly answers: readonly (EnvironmentAnswer & { readonly call: number })[];
  readonly steps: number;
  /** What the last call asked its environment, with the places where. */
  readonly inputs: readonly RecordedInput[];
}

export interface ScenarioOptions {
  readonly inForce: ReadonlySet<Property | CheckKind>;
  readonly stepLimit: number;
  /** Must be the first call, and no other. */
  readonly init?: FunctionDefinition | undefined;
  /** May a client make this call now? Asked with the machine in the state before it. */
  readonly permits: (fn: FunctionDefinition, args: readonly ConcreteValue[], machine: Machine) => boolean;
  /** What the environment answers beyond the scenario's own answers; default 0. */
  readonly environment?: (name: string, type: Scalar) => ConcreteValue;
  /** Default: what runs often is compiled. */
  readonly execution?: MachineOptions['execution'];
  /** Gets the machine, to watch it. */
  readonly observe?: (machine: Machine) => void;
  /** Called before each call with the number of calls made, and after the last. */
  readonly between?: (machine: Machine, done: number) => void;
}

/** Runs scenarios one after the other, each from the initial state, on one machine: what it prepared for one serves the next. */
export class ScenarioRunner {
  private readonly machine: Machine;
  private answers: readonly EnvironmentAnswer[] = [];
  private used: (EnvironmentAnswer & { call: number })[] = [];
  private current = 0;
  private began = 0;
  private environment: ScenarioOptions['environment'];

  constructor(private readonly program: Program, private readonly options: ScenarioOptions) {
    this.machine = new Machine(program, {
      properties: options.inForce, stepLimit: options.stepLimit, output: () => {},
      ...(options.execution && { execution: options.execution }),
      input: (name, type) => this.answer(name, type),
      havoc: (target: Variable) => this.answer(`uninitialised ${target.name}`, target.type),
    });
    options.observe?.(this.machine);
  }

  /** Undefined when the client may not do it. `environment` and `stepLimit` stand for the runner's own. */
  run(scenario: Scenario, { environment, stepLimit }: Pick<Partial<ScenarioOptions>, 'environment' | 'stepLimit'> = {}): ScenarioRun | undefined {
    const { machine, options, program } = this;
    if (options.init && scenario.calls.some(({ fn }, i) => (fn === options.init) !== (i === 0))) return undefined;
    machine.reset();
    this.answers = scenario.answers;
    this.environment = environment ?? options.environment;
    const used: (EnvironmentAnswer & { call: number })[] = [];
    this.used = used;
    const before = machine.steps;
    this.began = before;
    const made = new Map<string, ConcreteValue>();
    const result = (outcome: Outcome, last: number): ScenarioRun => ({ outcome, last, answers: used, steps: machine.steps - before, inputs: machine.inputs });
    let outcome: Outcome = { kind: 'returned', value: undefined };
    for (const [index, call] of scenario.calls.entries()) {
      this.current = index;
      const args: ConcreteValue[] = [];
      for (const [at, argument] of call.arguments.entries()) {
        const value = place(argument, machine, made, program);
        if (value === undefined) return undefined;
        made.set(`${index}.${at}`, value);
        args.push(value);
      }
      options.between?.(machine, index);
      if (!options.permits(call.fn, args, machine)) return undefined;
      outcome = machine.call(call.fn, args, stepLimit);
      if (outcome.kind === 'fault' && breaksPrecondition(outcome.fault)) return undefined;
      if (outcome.kind !== 'returned') return result(outcome, index);
      if (outcome.value !== undefined && call.fn.result?.kind === 'pointer') made.set(`${index}.-1`, outcome.value);
    }
    options.between?.(machine, scenario.calls.length);
    return result(outcome, scenario.calls.length - 1);
  }

  /** Answers used by the latest run, also by one that was broken off. */
  get answered(): readonly EnvironmentAnswer[] {
    return this.used.map(({ name, type, value }) => ({ name, type, value }));
  }

  /** Answers the current run has used, edges it took, and the call it is in. */
  get progress(): { readonly answers: number; readonly steps: number; readonly call: number } {
    return { answers: this.used.length, steps: this.machine.steps - this.began, call: this.current };
  }

  private answer(name: string, type: Scalar): ConcreteValue {
    const given = this.answers[this.used.length];
    const value = given && given.name === name ? given.value : name === 'malloc' ? 1 : this.environment?.(name, type) ?? zeroOf(type);
    this.used.push({ name, type, value, call: this.current });
    return value;
  }
}

const zeroOf = (type: Scalar): ConcreteValue => (type.kind === 'integer' && type.widthBits === 64 ? 0n : 0);

/** Runs a scenario from the initial state; undefined when the client may not do it. On the reference machine alone: what it says is evidence. */
export function runScenario(program: Program, scenario: Scenario, options: ScenarioOptions): ScenarioRun | undefined {
  return new ScenarioRunner(program, { ...options, execution: 'reference' }).run(scenario);
}

function place(argument: Argument, machine: Machine, made: ReadonlyMap<string, ConcreteValue>, program: Program): ConcreteValue | undefined {
  switch (argument.kind) {
    case 'scalar': return argument.value;
    case 'earlier': return made.get(`${argument.call}.${argument.argument}`);
    case 'object': {
      const contents = encode(argument.contents, argument.type, 'argument', { model: program.dataModel, addressOf: () => ({ object: 0, offset: 0 }) });
      return machine.memory.make({ kind: 'host', sizeBytes: sizeOf(argument.type, program.dataModel) ?? 1, name: printType(argument.type), contents });
    }
  }
}

/** The client's part, not the module's: a call that does not meet what the function requires. */
export const breaksPrecondition = ({ check, stack }: Fault): boolean => check === 'precondition' && stack.length === 1;

/** The fault of a run, when a check in force failed. */
export function faultOf(run: ScenarioRun | undefined): Fault | undefined {
  return run?.outcome.kind === 'fault' ? run.outcome.fault : undefined;
}

/** Edges all attempts to make a scenario smaller may take together. */
const SHRINK_STEPS = 20_000_000;

/** The same failure with fewer calls and smaller values: greedy, each step replayed. */
export function shrink(program: Program, scenario: Scenario, options: ScenarioOptions, attempts = 400): Scenario {
  const runner = new ScenarioRunner(program, options);
  const first = runner.run(scenario);
  const target = faultOf(first);
  if (!first || !target) return scenario;
  let best = trimmed(scenario, first);
  let left = attempts;
  // A smaller scenario may run for ever, and one that runs for long is not made smaller by trying for long.
  const stepLimit = 2 * first.steps + 10_000;
  let steps = SHRINK_STEPS;
  const fails = (candidate: Scenario): boolean => {
    if (left-- <= 0 || steps < 0) return false;
    const run = runner.run(candidate, { stepLimit });
    steps -= run?.steps ?? 0;
    const fault = faultOf(run);
    if (!fault || fault.check !== target.check || fault.span.start !== target.span.start || fault.span.file.path !== target.span.file.path) return false;
    best = trimmed(candidate, run!);
    return true;
  };
  for (let length = best.calls.length >> 1; length > 1; length >>= 1) {
    for (let start = best.calls.length - length; start >= 0; start -= length) fails(withoutCalls(best, start, length));
  }
  // What a call before it had prepared, another argument may do as well.
  const adjusted = (candidate: Scenario): boolean => {
    const last = candidate.calls.length - 1;
    const call = candidate.calls[last];
    return call !== undefined && call.arguments.some((argument, at) => argument.kind === 'scalar' && isNumber(call.fn.parameters[at])
      && smallNumbers.some((n) => fails(withArgument(candidate, last, at, { kind: 'scalar', value: typeof argument.value === 'bigint' ? BigInt(n) : n }))));
  };
  for (let progress = true; progress && left > 0;) {
    progress = false;
    for (let i = best.calls.length - 1; i >= 0; i--) {
      if (best.calls.length > 1 && i < best.calls.length && (fails(withoutCalls(best, i)) || adjusted(withoutCalls(best, i)))) progress = true;
    }
    for (let i = 0; i < best.calls.length; i++) {
      for (let at = 0; at < best.calls[i]!.arguments.length; at++) {
        for (const simpler of simplerArguments(best.calls[i]!.arguments[at]!)) {
          if (fails(withArgument(best, i, at, simpler))) { progress = true; break; }
        }
      }
    }
    for (let i = 0; i < best.answers.length && i < 200; i++) {
      for (const value of simplerNumbers(best.answers[i]!.value)) {
        const answers = best.answers.map((a, at) => (at === i ? { ...a, value } : a));
        if (fails({ ...best, answers })) { progress = true; break; }
      }
    }
  }
  return best;
}

const smallNumbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

function isNumber(parameter: Variable | undefined): boolean {
  return parameter?.type.kind === 'integer' && !(parameter.ctype?.kind === 'integer' && parameter.ctype.name === 'bool');
}

function trimmed(scenario: Scenario, run: ScenarioRun): Scenario {
  return { calls: scenario.calls.slice(0, run.last + 1), answers: run.answers.map(({ name, value, type }) => ({ name, value, type })) };
}

/** Leaves out some calls, and those that use what these made. */
/** With one argument simpler, the simplest first. */
export function withSimplerArguments(scenario: Scenario, call: number): Scenario[] {
  return scenario.calls[call]!.arguments.flatMap((argument, at) => simplerArguments(argument).map((simpler) => withArgument(scenario, call, at, simpler)));
}

/** Without some of the calls, and those that need what they made. */
export function withoutCalls(scenario: Scenario, start: number, length = 1): Scenario {
  const place = new Map<number, number>();
  const calls: Call[] = [];
  scenario.calls.forEach((call, i) => {
    if (i >= start && i < start + length) return;
    if (call.arguments.some((a) => a.kind === 'earlier' && !place.has(a.call))) return;
    place.set(i, calls.length);
    calls.push({ ...call, arguments: call.arguments.map((a) => (a.kind === 'earlier' ? { ...a, call: place.get(a.call)! } : a)) });
  });
  return { ...scenario, calls };
}

function withArgument(scenario: Scenario, call: number, at: number, argument: Argument): Scenario {
  return { ...scenario, calls: scenario.calls.map((c, i) => (i === call ? { ...c, arguments: c.arguments.map((a, j) => (j === at ? argument : a)) } : c)) };
}

function simplerArguments(argument: Argument): Argument[] {
  switch (argument.kind) {
    case 'earlier': return [];
    case 'scalar': return simplerNumbers(argument.value).map((value) => ({ kind: 'scalar', value }));
    case 'object': return [{ kind: 'scalar', value: 0 }, ...simplerPlain(argument.contents).map((contents): Argument => ({ ...argument, contents }))];
  }
}

/** All zero, or one element or member simpler. */
function simplerPlain(contents: Plain): Plain[] {
  if (typeof contents === 'number' || typeof contents === 'bigint') return simplerNumbers(contents);
  if (contents === null || typeof contents !== 'object') return [];
  const entries = Object.entries(contents) as [string, Plain][];
  if (entries.length > simplifiedParts) return [];
  const rebuilt = (parts: readonly [string, Plain][]): Plain => (Array.isArray(contents) ? parts.map(([, part]) => part) : Object.fromEntries(parts));
  const zeros = entries.map(([name, part]): [string, Plain] => [name, typeof part === 'number' ? 0 : typeof part === 'bigint' ? 0n : part]);
  return [
    ...(entries.some(([, part], i) => part !== zeros[i]![1]) ? [rebuilt(zeros)] : []),
    ...entries.flatMap(([name], i) => simplerPlain(entries[i]![1]).map((simpler) => rebuilt(entries.map((entry, k): [string, Plain] => (k === i ? [name, simpler] : entry))))),
  ];
}

/** Of larger objects nothing is tried: each attempt is a run. */
const simplifiedParts = 64;

/** Nearer to zero, nearest first. */
function simplerNumbers(value: ConcreteValue): ConcreteValue[] {
  if (typeof value === 'number' && !Number.isInteger(value)) return [0];
  const big = BigInt(value);
  const size = big < 0n ? -big : big;
  // No sign appears where there was none, and none is lost by the smallest number of a type: values stay in their types.
  const candidates = [0n, 1n, -1n, 2n].filter((c) => (c < 0n ? -c : c) < size && (c >= 0n || big < 0n));
  if (big < 0n && !(size >= 128n && (size & (size - 1n)) === 0n)) candidates.push(-big);
  if (size > 3n) candidates.push(big / 2n, big > 0n ? big - 1n : big + 1n);
  return [...new Set(candidates)].filter((c) => c !== big).map((c) => (typeof value === 'bigint' ? c : Number(c)));
}

/** The scenario as a test author would write it. */
export function clientSteps(scenario: Scenario, run: ScenarioRun): ClientStep[] {
  const steps: ClientStep[] = [];
  const names = new Map<string, string>();
  const made = scenario.calls.slice(0, run.last + 1);
  const used = new Set(made.flatMap((call) => call.arguments.flatMap((argument) => (argument.kind === 'earlier' && argument.argument === -1 ? [argument.call] : []))));
  made.forEach((call, index) => {
    const given = call.arguments.map((argument, at): ClientValue => {
      const type = call.fn.parameters[at]?.ctype;
      switch (argument.kind) {
        case 'scalar': return { kind: 'value', value: plainScalar(argument.value, type) };
        case 'earlier': return { kind: 'object', name: names.get(`${argument.call}.${argument.argument}`) ?? `result${argument.call + 1}` };
        case 'object': {
          const name = `${call.fn.parameters[at]?.name ?? 'object'}${names.size === 0 ? '' : names.size + 1}`;
          names.set(`${index}.${at}`, name);
          steps.push({ kind: 'allocate', name, type: printType(unqualified(argument.type)), value: argument.contents });
          return { kind: 'object', name };
        }
      }
    });
    const asked = index === run.last ? [...run.inputs] : [];
    for (const answer of run.answers.filter((a) => a.call === index)) {
      const recorded = asked[0]?.name === answer.name ? asked.shift() : undefined;
      steps.push({ kind: 'input', function: answer.name, value: plainScalar(answer.value, undefined), ...(recorded && { place: endOf(recorded) }) });
    }
    steps.push({ kind: 'call', function: call.fn.name, arguments: given, ...(used.has(index) && { name: `result${index + 1}` }) });
  });
  return steps;
}

/** The closing parenthesis of the call. */
function endOf({ span, function: fn }: RecordedInput): Place {
  const { line, column } = span.file.position(Math.max(span.start, span.end - 1));
  return { file: span.file.path, line, column, function: fn.name };
}

function plainScalar(value: ConcreteValue, type: CType | undefined): Plain {
  if (type?.kind === 'pointer') return null;
  if (type?.kind === 'integer' && type.name === 'bool') return value !== 0;
  return value;
}


