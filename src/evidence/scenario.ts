/**
 * Scenarios: what a client does from the initial state, and what the environment answers. The only thing a bug is made of. A scenario is run on
 * the reference evaluator, made smaller while it still fails at the same check, and told in the client's own words.
 */
import { sizeOf } from '../c/layout';
import { printType } from '../c/printType';
import { unqualified } from '../c/target';
import type { CType, RecordLayout } from '../c/types';
import { encode } from '../host/encode';
import { mainArguments } from '../host/mainArguments';
import type { CheckKind, ExternalCommand, Property } from '../program/command';
import { int32, type Scalar, type Variable } from '../program/expression';
import { passedStructure } from '../program/passedStructure';
import type { FunctionDefinition, Program } from '../program/program';
import { type ConcreteValue, pointerTo } from '../semantics/concrete';
import { failsAlike, type Fault } from '../semantics/fault';
import { Machine, type MachineOptions, type Outcome, type RecordedInput } from '../semantics/machine';
import type { ClientStep, ClientValue, OutsideDeed, OutsideDeeds, Place, Plain } from '../verdict';
import { type Deed, isWay } from './deed';
import { deedText, parametersOf } from './deedText';
import { isProgramStart } from '../program/programStart';
import { type Initialisers, recordBehind, setsUp, setUpBy } from '../semantics/initialisers';
import { asFunction, functionPart, mapFunctions, type PlainFunction } from '../plainFunction';
import { clientFunctionFor } from '../semantics/passedFunctions';
import { inShort, numbersIn, simplerNumbers, simplerPlain, withNumbers } from './plainContents';
import { textsOf } from './programStart';
import { Representation } from './representation';
import { type AllocateCommand, type Offer, Outside, type OutsideOptions, type Writable } from './outside';

export type Argument =
  | { readonly kind: 'scalar'; readonly value: ConcreteValue }
  /** A fresh object of the host's with these contents. */
  | { readonly kind: 'object'; readonly type: CType; readonly contents: Plain }
  /** The object that an earlier argument made, or the pointer that an earlier call returned. */
  | { readonly kind: 'earlier'; readonly call: number; readonly argument: number }
  /** A function of the client's, told apart from its others by `index`. `fn` stands for all of them. */
  | { readonly kind: 'function'; readonly fn: FunctionDefinition; readonly index: number };
export interface Call { readonly fn: FunctionDefinition; readonly arguments: readonly Argument[] }
/** An answer of the environment, in the order of execution; `name` is the function asked, `uninitialised x`, or `freshMemory`. */
export interface EnvironmentAnswer {
  readonly name: string;
  /** 0 where nothing is answered. */
  readonly value: ConcreteValue;
  readonly type: Scalar;
  /** What is done before the answer. Where nothing is answered there are always some deeds. */
  readonly does?: Does;
}
export interface Does {
  readonly deeds: readonly Deed[];
  /** Nothing is answered: so many times since the answer before this one had the same function done nothing. */
  readonly afterSilent?: number;
}
/** The name under which memory is filled that the allocator gives out. */
export const freshMemory = 'contents of new memory';
export interface Scenario { readonly calls: readonly Call[]; readonly answers: readonly EnvironmentAnswer[] }

export type UsedAnswer = EnvironmentAnswer & { readonly call: number; readonly told?: OutsideDeeds };

export interface ScenarioRun {
  readonly outcome: Outcome;
  /** The call that did not return, or the last one. */
  readonly last: number;
  /** Answers used, in order, with the call that asked, and with what was done in words where that was wanted. */
  readonly answers: readonly UsedAnswer[];
  readonly steps: number;
  /** What the last call asked its environment, with the places where. */
  readonly inputs: readonly RecordedInput[];
}

export interface ScenarioOptions {
  readonly inForce: ReadonlySet<Property | CheckKind>;
  readonly stepLimit: number;
  /** Must be the first call, and no other. */
  readonly init?: FunctionDefinition | undefined;
  /** Structures that a client cannot make by itself. */
  readonly handles?: ReadonlySet<RecordLayout>;
  /** Structures that a client has set up first. */
  readonly initialisers?: Initialisers;
  /** May a client make this call now? Asked with the machine in the state before it. */
  readonly permits: (fn: FunctionDefinition, args: readonly ConcreteValue[], machine: Machine) => boolean;
  /** What the environment answers beyond the scenario's own answers; default 0. */
  readonly environment?: (name: string, type: Scalar) => ConcreteValue;
  /** What functions without a body do; without it they only answer. */
  readonly outside?: Omit<OutsideOptions, 'permits'> | undefined;
  /** Default: what runs often is compiled. */
  readonly execution?: MachineOptions['execution'];
  /** Gets the machine, to watch it. */
  readonly observe?: (machine: Machine) => void;
  /** Called before each call with the number of calls made, and after the last. */
  readonly between?: (machine: Machine, done: number) => void;
}

/** Deeds beyond the scenario's own. */
export interface Doer {
  readonly outside: (name: string, offer: () => Offer) => readonly Deed[];
  readonly fresh: (offer: () => readonly Writable[]) => readonly Deed[];
}

export type RunOptions = Pick<Partial<ScenarioOptions>, 'environment' | 'stepLimit'> & { readonly doer?: Doer };

/** Thrown where a run looks at the bits of a NaN. */
class BitsOfNaN extends Error {}

/** Runs scenarios one after the other, each from the initial state, on one machine: what it prepared for one serves the next. */
export class ScenarioRunner {
  private readonly machine: Machine;
  private answers: readonly EnvironmentAnswer[] = [];
  private used: UsedAnswer[] = [];
  private current = 0;
  private began = 0;
  private environment: ScenarioOptions['environment'];
  private readonly outside: Outside | undefined;
  private readonly storesFloats: boolean;
  private doer: Doer | undefined;
  /** Of the given answers, the next one. */
  private next = 0;
  /** Who has done nothing, and answers nothing, since the latest answer used, and how often. */
  private silent = new Map<string, number>();
  /** What the call that has just been made of a function without a body gives back. */
  private reserved: ConcreteValue | undefined;

  /** `tells`: says in words what functions without a body do. */
  constructor(private readonly program: Program, private readonly options: ScenarioOptions, private readonly tells = false) {
    this.machine = new Machine(program, {
      properties: options.inForce, stepLimit: options.stepLimit, output: () => {},
      ...(options.execution && { execution: options.execution }),
      input: (name, type) => this.answer(name, type),
      ...(options.outside && {
        outside: (command: ExternalCommand, args: readonly ConcreteValue[]) => this.outsideRuns(command, args),
        fresh: (command: AllocateCommand, memory: ConcreteValue) => this.memoryGiven(command, memory),
      }),
      havoc: (target: Variable) => this.answer(`uninitialised ${target.name}`, target.type),
    });
    this.outside = options.outside && new Outside(program, this.machine, { ...options.outside, permits: options.permits });
    this.storesFloats = program.objects.some(({ relocations }) => relocations.some(({ value }) => value.type.kind === 'float'))
      || program.functions.some(({ edges }) => edges.some(({ command }) => (command.kind === 'store' && command.type.kind === 'float') || (command.kind === 'external' && /scanf$/.test(command.name))));
    options.observe?.(this.machine);
  }

  /**
   * Undefined when the client may not do it. `environment` and `stepLimit` stand for the runner's own. A failure that the reference machine does not confirm is none: what hangs on the
   * bits of a NaN.
   */
  run(scenario: Scenario, how: RunOptions = {}): ScenarioRun | undefined {
    const run = this.attempt(scenario, how);
    if (run?.outcome.kind !== 'fault' || this.options.execution === 'reference' || !this.storesFloats) return run;
    const { observe, between, ...options } = this.options;
    const again = runScenario(this.program, { calls: scenario.calls, answers: run.answers.map(asGiven) }, { ...options, stepLimit: how.stepLimit ?? options.stepLimit });
    return faultOf(again) ? run : { ...run, outcome: { kind: 'stopped', reason: 'assume' } };
  }

  private attempt(scenario: Scenario, { environment, stepLimit, doer }: RunOptions): ScenarioRun | undefined {
    const { machine, options, program } = this;
    if (options.init && scenario.calls.some(({ fn }, i) => (fn === options.init) !== (i === 0))) return undefined;
    machine.reset();
    this.answers = scenario.answers;
    this.environment = environment ?? options.environment;
    this.doer = doer;
    this.next = 0;
    this.reserved = undefined;
    this.silent = new Map();
    this.outside?.begin();
    const used: UsedAnswer[] = [];
    this.used = used;
    const before = machine.steps;
    this.began = before;
    const made = new Map<string, ConcreteValue>();
    const result = (outcome: Outcome, last: number): ScenarioRun => ({ outcome, last, answers: used, steps: machine.steps - before, inputs: machine.inputs });
    let outcome: Outcome = { kind: 'returned', value: undefined };
    for (const [index, call] of scenario.calls.entries()) {
      this.current = index;
      const args: ConcreteValue[] = [];
      const start = isProgramStart(call.fn) ? startedWith(call, machine, program) : [];
      if (!start) return undefined;
      for (const [at, argument] of call.arguments.entries()) {
        const structure = passedStructure(call.fn, call.fn.parameters[at]!);
        // A value of it would have to be a copy of one that was set up.
        if (structure?.as === 'argument' && options.initialisers?.has(structure.type.record)) return undefined;
        if (!isPassable(argument, call.fn, at) || (!structure && (isMadeUp(argument, options.handles) || isNotSetUp(argument, call.fn, at, options.initialisers)))) return undefined;
        const value = start[at] ?? place(argument, machine, made, program);
        if (value === undefined) return undefined;
        if (argument.kind === 'object' && !structure) this.outside?.madeByClient(value, argument.type);
        if (!structure && !isSetUpFor(call.fn, at, value, machine, options.initialisers)) return undefined;
        made.set(`${index}.${at}`, value);
        args.push(value);
      }
      options.between?.(machine, index);
      if (!options.permits(call.fn, args, machine)) return undefined;
      if (options.initialisers) setUpBy(options.initialisers, call.fn, args, machine.memory);
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
    return this.used.map(asGiven);
  }

  /** Answers the current run has used, edges it took, and the call it is in. */
  get progress(): { readonly answers: number; readonly steps: number; readonly call: number } {
    return { answers: this.used.length, steps: this.machine.steps - this.began, call: this.current };
  }

  private answer(name: string, type: Scalar): ConcreteValue {
    if (this.reserved !== undefined) {
      const value = this.reserved;
      this.reserved = undefined;
      return value;
    }
    const given = this.answers[this.next++];
    const value = this.chosen(given, name, type);
    this.use({ name, type, value, call: this.current });
    return value;
  }

  private chosen(given: EnvironmentAnswer | undefined, name: string, type: Scalar): ConcreteValue {
    return given && given.name === name ? given.value : name === 'malloc' ? 1 : this.environment?.(name, type) ?? zeroOf(type);
  }

  /** A function without a body does something, perhaps, and the answer it will give is chosen. */
  private outsideRuns(command: ExternalCommand, args: readonly ConcreteValue[]): Outcome | undefined {
    const outside = this.outside!;
    const { name, resultType } = command;
    const ask = outside.asked(command, args);
    const invented = (): readonly Deed[] => this.doer?.outside(name, () => outside.offer(name)) ?? [];
    if (!resultType) return this.silently(name, invented, parametersOf(this.program, name), ask);
    const given = this.answers[this.next++];
    const planned = given?.name === name && given.does ? given.does.deeds : this.next > this.answers.length ? invented() : [];
    const at = this.use({ name, type: resultType, value: this.chosen(given, name, resultType), call: this.current });
    const { deeds, told, end } = this.perform(planned, name, ask);
    if (deeds.length > 0) this.used[at] = { ...this.used[at]!, does: { deeds }, ...(this.tells && { told: { parameters: parametersOf(this.program, name), answers: true, deeds: told } }) };
    if (!end) this.reserved = this.used[at]!.value;
    return end;
  }

  private memoryGiven(command: AllocateCommand, memory: ConcreteValue): void {
    const outside = this.outside!;
    outside.given(command, memory, () => this.silently(freshMemory, () => this.doer?.fresh(() => outside.offerOfFresh()) ?? [], [], undefined));
  }

  /** The same where nothing is answered. */
  private silently(name: string, invented: () => readonly Deed[], parameters: readonly string[], ask: number | undefined): Outcome | undefined {
    const afterSilent = this.silent.get(name) ?? 0;
    const given = this.answers[this.next];
    const isNext = given?.name === name && given.does?.afterSilent === afterSilent;
    const planned = isNext ? given.does!.deeds : this.next >= this.answers.length ? invented() : [];
    if (isNext) this.next++;
    const before = new Map(this.silent);
    const at = this.use({ name, type: int32, value: 0, call: this.current });
    const { deeds, told, end } = this.perform(planned, name, ask);
    if (deeds.length > 0) this.used[at] = { ...this.used[at]!, does: { deeds, afterSilent }, ...(this.tells && { told: { parameters, answers: false, deeds: told } }) };
    else {
      this.used.splice(at, 1);
      this.silent = before.set(name, afterSilent + 1);
    }
    return end;
  }

  private use(answer: UsedAnswer): number {
    if (this.silent.size > 0) this.silent = new Map();
    return this.used.push(answer) - 1;
  }

  private perform(planned: readonly Deed[], name: string, ask: number | undefined): { readonly deeds: readonly Deed[]; readonly told: readonly OutsideDeed[]; readonly end: Outcome | undefined } {
    const outside = this.outside!;
    const deeds: Deed[] = [];
    const told: OutsideDeed[] = [];
    for (const deed of planned) {
      const text = this.tells ? deedText(deed, { program: this.program, nameOf: (ago) => outside.nameOf(ago, ask), resolve: (way) => outside.resolve(way, ask) }) : undefined;
      const result = outside.perform(deed, name, ask);
      if (result === false) continue;
      deeds.push(deed);
      if (text) told.push(text);
      if (typeof result === 'object') return { deeds, told, end: result };
    }
    return { deeds, told, end: undefined };
  }
}

/** Of a run, without what belongs to that run. */
export function asGiven({ name, type, value, does }: EnvironmentAnswer): EnvironmentAnswer {
  return { name, type, value, ...(does && { does }) };
}
const zeroOf = (type: Scalar): ConcreteValue => (type.kind === 'integer' && type.widthBits === 64 ? 0n : 0);

/**
 * Runs a scenario from the initial state; undefined when the client may not do it. On the reference machine alone: what it says is evidence. A run that looks at the
 * sign or payload of a NaN is none, since the machine does not keep them as C's does.
 */
export function runScenario(program: Program, scenario: Scenario, options: ScenarioOptions): ScenarioRun | undefined {
  const look = (): never => { throw new BitsOfNaN(); };
  const observe = (machine: Machine): void => {
    machine.memory.watch = new Representation(look, 'NaNs');
    options.observe?.(machine);
  };
  try {
    return new ScenarioRunner(program, { ...options, execution: 'reference', observe }, true).run(scenario);
  } catch (error) {
    if (error instanceof BitsOfNaN) return undefined;
    throw error;
  }
}

function startedWith(call: Call, machine: Machine, program: Program): readonly ConcreteValue[] | undefined {
  const texts = textsOf(call);
  return texts && mainArguments(call.fn, texts, machine.memory, program.dataModel === 'lp64' ? 8 : 4);
}

/** C itself converts what is passed as a `_Bool`, and passes structures that are there. */
function isPassable(argument: Argument, fn: FunctionDefinition, at: number): boolean {
  const parameter = fn.parameters[at]!;
  if (passedStructure(fn, parameter)) return argument.kind === 'object';
  return argument.kind !== 'scalar' || !isBool(parameter) || argument.value === 0 || argument.value === 1;
}

/** Members that the client does not know cannot be its doing. */
function isMadeUp(argument: Argument, handles: ScenarioOptions['handles']): boolean {
  if (argument.kind !== 'object' || !handles) return false;
  const element = argument.type.kind === 'array' ? argument.type.of : argument.type;
  return element.kind === 'record' && handles.has(element.record);
}

/** Whether the structure has been set up, or is by this call, where it must be. */
function isSetUpFor(fn: FunctionDefinition, at: number, pointer: ConcreteValue, { memory }: Machine, initialisers: Initialisers | undefined): boolean {
  const record = recordBehind(fn.parameters[at]!);
  const block = memory.block(pointer);
  if (!record || !block || pointer === 0 || !initialisers?.has(record)) return true;
  return block.setUpAs !== undefined || block.kind === 'heap' || (block.kind === 'host' && setsUp(initialisers, fn, at));
}

/** An object of the client's that is made for the call is one that the call sets up. */
function isNotSetUp(argument: Argument, fn: FunctionDefinition, at: number, initialisers: Initialisers | undefined): boolean {
  const record = recordBehind(fn.parameters[at]!);
  if (argument.kind !== 'object' || !record || !initialisers?.has(record)) return false;
  return !setsUp(initialisers, fn, at) || argument.type.kind === 'array';
}

const isBool = ({ ctype }: Variable): boolean => ctype?.kind === 'integer' && ctype.name === 'bool';

function place(argument: Argument, machine: Machine, made: ReadonlyMap<string, ConcreteValue>, program: Program): ConcreteValue | undefined {
  switch (argument.kind) {
    case 'scalar': return argument.value;
    case 'function': return pointerTo(argument.fn.number, argument.index);
    case 'earlier': return made.get(`${argument.call}.${argument.argument}`);
    case 'object': {
      const contents = encode(argument.contents, argument.type, 'argument', { model: program.dataModel, addressOf: (part, type) => addressOfFunction(part as Plain, type.to, program) });
      return machine.memory.make({ kind: 'host', sizeBytes: sizeOf(argument.type, program.dataModel) ?? 1, name: printType(argument.type), contents });
    }
  }
}

/** Null for one that does not fit the type. */
function addressOfFunction(part: Plain, type: CType, program: Program): { readonly object: number; readonly offset: number } {
  const fn = asFunction(part);
  const known = clientFunctionFor(type, program);
  return fn && known?.name === fn.name ? { object: known.number, offset: fn.index } : { object: 0, offset: 0 };
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
  let owners = first.answers.map(({ call }) => call);
  let left = attempts;
  // A smaller scenario may run for ever, and one that runs for long is not made smaller by trying for long.
  const stepLimit = 2 * first.steps + 10_000;
  let steps = SHRINK_STEPS;
  const fails = (candidate: Scenario): boolean => {
    if (left-- <= 0 || steps < 0) return false;
    const run = runner.run(candidate, { stepLimit });
    steps -= run?.steps ?? 0;
    const fault = faultOf(run);
    if (!fault || !failsAlike(fault, target) || way(fault) !== way(target)) return false;
    best = trimmed(candidate, run!);
    owners = run!.answers.map(({ call }) => call);
    return true;
  };
  // Answers go with the calls that asked for them, or else the calls after them get these.
  const failsWithout = (start: number, length?: number): boolean => fails(withoutCalls(best, start, length, owners)) || (best.answers.length > 0 && fails(withoutCalls(best, start, length)));
  const failsHandingOn = (call: number): boolean => {
    const without = handedOn(best, call);
    return without !== undefined && fails(withoutCalls(without, call, 1, owners));
  };
  for (let length = best.calls.length >> 1; length > 1; length >>= 1) {
    for (let start = best.calls.length - length; start >= 0; start -= length) failsWithout(start, length);
  }
  // What a call before it had prepared, another argument may do as well.
  const adjusted = (candidate: Scenario): boolean => {
    const last = candidate.calls.length - 1;
    const call = candidate.calls[last];
    return call !== undefined && call.arguments.some((argument, at) => argument.kind === 'scalar' && isNumber(call.fn.parameters[at])
      && smallNumbers.some((n) => fails(withArgument(candidate, last, at, { kind: 'scalar', value: typeof argument.value === 'bigint' ? BigInt(n) : n }))));
  };
  // Large objects, part by part: most of their numbers do not matter.
  const even = (call: number, at: number, number: 0 | 1): void => {
    const contents = (): Plain | undefined => { const argument = best.calls[call]?.arguments[at]; return argument?.kind === 'object' ? argument.contents : undefined; };
    const count = numbersIn(contents());
    for (let length = count; count > fewNumbers && length >= 1 && 4 * left > attempts; length >>= 1) {
      for (let start = 0; start < count && 4 * left > attempts; start += length) {
        const [before, argument] = [contents(), best.calls[call]?.arguments[at]];
        const after = before === undefined ? undefined : withNumbers(before, start, length, number);
        if (after !== undefined && argument?.kind === 'object') fails(withArgument(best, call, at, { ...argument, contents: after }));
      }
    }
  };
  const shorten = (call: number, at: number): void => {
    for (let argument = best.calls[call]?.arguments[at]; argument && shorter(argument).some((candidate) => fails(withArgument(best, call, at, candidate)));) argument = best.calls[call]?.arguments[at];
  };
  for (let i = best.calls.length - 1; i >= 0; i--) {
    (best.calls[i]?.arguments ?? []).forEach((_, at) => {
      shorten(i, at);
      even(i, at, 0);
      shorten(i, at);
      even(i, at, 1);
    });
  }
  for (let progress = true; progress && left > 0;) {
    progress = false;
    for (let i = best.calls.length - 1; i >= 0; i--) {
      if (best.calls.length > 1 && i < best.calls.length && (failsWithout(i) || failsHandingOn(i) || adjusted(withoutCalls(best, i)))) progress = true;
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
      for (const does of i < best.answers.length ? simplerDeeds(best.answers[i]!.does) : []) {
        const answers = best.answers.flatMap((a, at) => (at === i ? withDeeds(a, does) : a));
        if (fails({ ...best, answers })) { progress = true; break; }
      }
    }
  }
  return best;
}

/** What a library function does where it fails: a copy that writes too much is another bug than one that reads a string without an end. */
const way = ({ message }: Fault): string | undefined => /^\w+ (reads|writes)\b/.exec(message)?.[1];

/** Of so many each is tried by itself. */
const fewNumbers = 8;
const smallNumbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

function isNumber(parameter: Variable | undefined): boolean {
  return parameter?.type.kind === 'integer' && !isBool(parameter);
}

function trimmed(scenario: Scenario, run: ScenarioRun): Scenario {
  return { calls: scenario.calls.slice(0, run.last + 1), answers: run.answers.map(asGiven) };
}

/** Leaves out some calls, and those that use what these made. */
/** With one argument simpler, the simplest first. */
export function withSimplerArguments(scenario: Scenario, call: number): Scenario[] {
  return scenario.calls[call]!.arguments.flatMap((argument, at) => simplerArguments(argument).map((simpler) => withArgument(scenario, call, at, simpler)));
}

/** Without some of the calls, and those that need what they made; `owners`: the calls that asked for the answers, which go with them. */
export function withoutCalls(scenario: Scenario, start: number, length = 1, owners?: readonly number[]): Scenario {
  const place = new Map<number, number>();
  const calls: Call[] = [];
  scenario.calls.forEach((call, i) => {
    if (i >= start && i < start + length) return;
    if (call.arguments.some((a) => a.kind === 'earlier' && !place.has(a.call))) return;
    place.set(i, calls.length);
    calls.push({ ...call, arguments: call.arguments.map((a) => (a.kind === 'earlier' ? { ...a, call: place.get(a.call)! } : a)) });
  });
  return { calls, answers: owners ? scenario.answers.filter((_, i) => place.has(owners[i]!)) : scenario.answers };
}

/** Arrays that a call was passed are made by the next calls that use them, so that it can be left out; undefined where there are none. */
function handedOn(scenario: Scenario, from: number): Scenario | undefined {
  const users = new Map<number, { readonly call: number; readonly argument: number }>();
  const calls = scenario.calls.map(({ fn, arguments: given }, call) => ({
    fn, arguments: given.map((argument, at): Argument => {
      if (argument.kind !== 'earlier' || argument.call !== from) return argument;
      const made = scenario.calls[from]!.arguments[argument.argument];
      if (made?.kind !== 'object' || made.type.kind !== 'array') return argument;
      const user = users.get(argument.argument);
      if (user) return { kind: 'earlier', ...user };
      users.set(argument.argument, { call, argument: at });
      return made;
    }),
  }));
  return users.size > 0 ? { ...scenario, calls } : undefined;
}

function withArgument(scenario: Scenario, call: number, at: number, argument: Argument): Scenario {
  return { ...scenario, calls: scenario.calls.map((c, i) => (i === call ? { ...c, arguments: c.arguments.map((a, j) => (j === at ? argument : a)) } : c)) };
}

function simplerArguments(argument: Argument): Argument[] {
  switch (argument.kind) {
    case 'earlier': return [];
    case 'function': return [{ kind: 'scalar', value: 0 }, ...(argument.index > 0 ? [{ ...argument, index: 0 }] : [])];
    case 'scalar': return simplerNumbers(argument.value).map((value) => ({ kind: 'scalar', value }));
    case 'object': return [{ kind: 'scalar', value: 0 }, ...shorter(argument), ...simplerPlain(argument.contents).map((contents): Argument => ({ ...argument, contents }))];
  }
}

/** Arrays of more elements than most tests would give them. */
const FEW_ELEMENTS = 6;

/** Without the zeros at its end but one, half as long, one shorter. */
function shorter(argument: Argument): Argument[] {
  if (argument.kind !== 'object') return [];
  const { type, contents } = argument;
  if (type.kind !== 'array' || type.length === undefined || type.length <= FEW_ELEMENTS || !Array.isArray(contents)) return [];
  const needed = 2 + contents.findLastIndex((element: Plain) => element !== 0 && element !== 0n);
  return [...(needed < type.length - 1 ? [needed] : []), type.length >> 1, type.length - 1].map((length) => ({ ...argument, type: { ...type, length }, contents: contents.slice(0, length) as Plain }));
}

function withDeeds({ name, type, value, does: before }: EnvironmentAnswer, does: Does | undefined): EnvironmentAnswer[] {
  return !does && before?.afterSilent !== undefined ? [] : [{ name, type, value, ...(does && { does }) }];
}

/** None, or one less, or one with a smaller number. */
function simplerDeeds(does: Does | undefined): (Does | undefined)[] {
  if (!does) return [];
  const { deeds } = does;
  const numbers = deeds.flatMap((deed, i) => ((deed.kind === 'write' || deed.kind === 'set') && !isWay(deed.value)
    ? simplerNumbers(deed.value).map((value): Does => ({ ...does, deeds: deeds.map((one, k) => (k === i ? { ...deed, value } : one)) })) : []));
  return [undefined, ...(deeds.length > 1 ? deeds.map((_, i): Does => ({ ...does, deeds: deeds.filter((__, k) => k !== i) })) : []), ...numbers];
}

/** The scenario as a test author would write it. */
export function clientSteps(scenario: Scenario, run: ScenarioRun): ClientStep[] {
  const steps: ClientStep[] = [];
  const names = new Map<string, string>();
  const made = scenario.calls.slice(0, run.last + 1);
  const used = new Set(made.flatMap((call) => call.arguments.flatMap((argument) => (argument.kind === 'earlier' && argument.argument === -1 ? [argument.call] : []))));
  const taken = new Set([...used].map(resultName));
  const fresh = (wanted: string): string => {
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`;
    taken.add(name);
    return name;
  };
  const functionNamed = ({ name: type, index }: PlainFunction, wanted = 'callback'): string => {
    const key = `${type} ${index}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = fresh(wanted);
    names.set(key, name);
    steps.push({ kind: 'function', name, type });
    return name;
  };
  const withNames = (contents: Plain): Plain => mapFunctions(inShort(contents), (fn, wanted) => functionPart(functionNamed(fn, wanted)));
  made.forEach((call, index) => {
    const given = call.arguments.flatMap((argument, at): ClientValue | readonly ClientValue[] => {
      const structure = passedStructure(call.fn, call.fn.parameters[at]!);
      if (structure) return structure.as === 'argument' && argument.kind === 'object' ? { kind: 'value', value: withNames(argument.contents) } : [];
      const type = call.fn.parameters[at]?.ctype;
      switch (argument.kind) {
        case 'scalar': return { kind: 'value', value: plainScalar(argument.value, type) };
        case 'function': {
          return { kind: 'object', name: functionNamed({ name: argument.fn.name, index: argument.index }, call.fn.parameters[at]?.name) };
        }
        case 'earlier': {
          // Made simpler, the argument referred to may be null by now.
          const before = made[argument.call]?.arguments[argument.argument];
          if (before?.kind === 'scalar') return { kind: 'value', value: plainScalar(before.value, type) };
          return { kind: 'object', name: names.get(`${argument.call}.${argument.argument}`) ?? resultName(argument.call) };
        }
        case 'object': {
          const value = withNames(argument.contents);
          const name = fresh(call.fn.parameters[at]?.name ?? 'object');
          names.set(`${index}.${at}`, name);
          steps.push({ kind: 'allocate', name, type: printType(unqualified(argument.type)), value });
          return { kind: 'object', name };
        }
      }
    });
    const asked = index === run.last ? [...run.inputs] : [];
    for (const answer of run.answers.filter((a) => a.call === index)) {
      const recorded = asked[0]?.name === answer.name && answer.does?.afterSilent === undefined ? asked.shift() : undefined;
      steps.push({
        kind: 'input', function: answer.name, value: answer.does?.afterSilent !== undefined ? null : plainScalar(answer.value, undefined), ...(recorded && { place: endOf(recorded) }),
        ...(answer.told && { does: answer.told }),
      });
    }
    steps.push({ kind: 'call', function: call.fn.name, arguments: given, ...(used.has(index) && { name: resultName(index) }) });
  });
  return steps;
}

const resultName = (call: number): string => `result${call + 1}`;

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


