/**
 * Scenarios: what a client does from the initial state, and what the environment answers. The only thing a bug is made
 * of. A scenario is run on the reference evaluator.
 */
import { sizeOf } from '../../c/layout';
import type { CType, RecordLayout } from '../../c/types';
import { mainArguments } from '../../host/mainArguments';
import type { CheckKind, ExternalCommand, Property } from '../../program/command';
import { int32, type Scalar, type Variable } from '../../program/expression';
import { passedStructure } from '../../program/passedStructure';
import type { FunctionDefinition, Program } from '../../program/program';
import {
  type ConcreteValue,
  objectNumber,
  offsetBytes,
  pointerTo,
  wrapInteger,
  zero,
} from '../../semantics/concrete/concreteValues';
import type { Fault } from '../../semantics/concrete/fault';
import { Machine, type MachineOptions, type RunOutcome, type RecordedInput } from '../../semantics/concrete/machine';
import type { ReportedEffect, ReportedEffects, Plain } from '../../verdict';
import type { ExternalEffect } from './externalEffect';
import { externalEffectText, parametersOf } from './externalEffectText';
import { isProgramStart } from '../../program/programStart';
import { elementBytes } from '../../semantics/pointers/clientObjects';
import { type Initialisers, recordBehind, setsUp, setUpBy, takeBack } from '../../semantics/pointers/initialisers';
import { refusal } from '../../semantics/pointers/refusals';
import { isSameType, makeObject, type MakingObjects } from './clientObjects';
import { textsOf } from './programStart';
import { Representation } from './representation';
import { sharesRestrictObject } from './restrictArguments';
import {
  type AllocateCommand,
  type PossibleEffects,
  ExternalEnvironment,
  type ExternalEnvironmentOptions,
  type WritableScalar,
} from './externalEnvironment';

export type Argument =
  | { readonly kind: 'scalar'; readonly value: ConcreteValue }
  /**
   * A fresh object of the host's with these contents; pointers inside are `PlainPointer`s. `index`: the element that is
   * pointed to, or the number of elements for the object's end; default the first. `allocated`: it, or what it leads
   * to, comes from the allocator, and the program may free it; only experiments make such objects.
   */
  | {
      readonly kind: 'object';
      readonly type: CType;
      readonly contents: Plain;
      readonly index?: number;
      readonly allocated?: Allocated;
    }
  /**
   * The object that an earlier argument made, or one before it of the same call, at the element `index` (default the
   * first); or the pointer that an earlier call returned.
   */
  | { readonly kind: 'earlier'; readonly call: number; readonly argument: number; readonly index?: number }
  /** A function of the client's; `index` distinguishes it from the others. `fn` stands for all of them. */
  | { readonly kind: 'function'; readonly fn: FunctionDefinition; readonly index: number };
export interface Call {
  readonly fn: FunctionDefinition;
  readonly arguments: readonly Argument[];
}
/**
 * An answer of the environment, in the order of execution; `name` is the function asked, `uninitialised x`, or
 * `freshMemory`.
 */
export interface EnvironmentAnswer {
  readonly name: string;
  /** 0 where nothing is answered, and for an object. */
  readonly value: ConcreteValue;
  readonly type: Scalar;
  /** The answer is a pointer to this. */
  readonly object?: AnsweredObject;
  /** Effects before the answer; never empty if nothing is answered. */
  readonly sideEffects?: AnswerEffects;
}
/** A fresh object, which the environment makes when it answers. */
/** The object itself, what it leads to, or both. */
export type Allocated = 'itself' | 'inside' | 'throughout';

export interface AnsweredObject {
  readonly type: CType;
  readonly contents: Plain;
  readonly allocated?: Allocated;
}
export interface AnswerEffects {
  readonly effects: readonly ExternalEffect[];
  /** Nothing is answered: so many times since the answer before this one had the same function done nothing. */
  readonly afterSilent?: number;
}
export const isUninitialised = ({ name }: Pick<EnvironmentAnswer, 'name'>): boolean =>
  name.startsWith('uninitialised ');
/** The name under which memory is filled that the allocator gives out. */
export const freshMemory = 'contents of new memory';
export interface Scenario {
  readonly calls: readonly Call[];
  readonly answers: readonly EnvironmentAnswer[];
}

export type UsedAnswer = EnvironmentAnswer & {
  readonly call: number;
  /** Calls back, each within the one before it, of which the innermost asked. */
  readonly nesting: number;
  /** The values that the function was called with. */
  readonly args?: readonly ConcreteValue[];
  readonly told?: ReportedEffects;
};

export interface ScenarioRun {
  readonly outcome: RunOutcome;
  /** The call that did not return, or the last one. */
  readonly last: number;
  /** Answers used, in order, with the call that asked, and with what was done in words where that was wanted. */
  readonly answers: readonly UsedAnswer[];
  readonly steps: number;
  /** Inputs of the last call from its environment, with their places. */
  readonly inputs: readonly RecordedInput[];
}

export interface ScenarioOptions {
  readonly checkedProperties: ReadonlySet<Property | CheckKind>;
  readonly stepLimit: number;
  /** Must be the first call, and no other. */
  readonly init?: FunctionDefinition | undefined;
  /** Functions that clients call in any order. Default: none, as in a program, which is started once. */
  readonly calledByClients?: ReadonlySet<FunctionDefinition>;
  /** Structures that a client cannot make by itself. */
  readonly handles?: ReadonlySet<RecordLayout>;
  /** Structures that a client has set up first. */
  readonly initialisers?: Initialisers;
  /** May a client make this call now? Asked with the machine in the state before it. */
  readonly permits: (fn: FunctionDefinition, args: readonly ConcreteValue[], machine: Machine) => boolean;
  /** Answers of the environment beyond the scenario's own; default 0. */
  readonly environment?: (name: string, type: Scalar, args: readonly ConcreteValue[]) => ConcreteValue | AnsweredObject;
  /** Effects of functions without a body, which else only answer. */
  readonly external?: Omit<ExternalEnvironmentOptions, 'permits'> | undefined;
  /** Default: what runs often is compiled. */
  readonly execution?: MachineOptions['execution'];
  readonly compiledBetween?: MachineOptions['compiledBetween'];
  readonly leaps?: MachineOptions['leaps'];
  /** Gets the machine, to watch it. */
  readonly observe?: (machine: Machine) => void;
  /** Called before each call with the number of calls made, and after the last. */
  readonly between?: (machine: Machine, done: number) => void;
}

/** Chooses effects beyond those of the scenario. */
export interface EffectChooser {
  readonly external: (name: string, possible: () => PossibleEffects) => readonly ExternalEffect[];
  readonly fresh: (possible: () => readonly WritableScalar[]) => readonly ExternalEffect[];
}

export type RunOptions = Pick<Partial<ScenarioOptions>, 'environment' | 'stepLimit'> & {
  readonly effectChooser?: EffectChooser;
};

/** Thrown where a run looks at the bits of a NaN. */
class BitsOfNaN extends Error {}

/**
 * Runs scenarios one after the other, each from the initial state, on one machine: what it prepared for one serves the
 * next.
 */
export class ScenarioRunner {
  private readonly machine: Machine;
  private answers: readonly EnvironmentAnswer[] = [];
  private used: UsedAnswer[] = [];
  private current = 0;
  private began = 0;
  private environment: ScenarioOptions['environment'];
  private readonly external: ExternalEnvironment | undefined;
  private readonly storesFloats: boolean;
  private effectChooser: EffectChooser | undefined;
  /** Index of the next given answer. */
  private next = 0;
  /** Who has done nothing, and answers nothing, since the latest answer used, and how often. */
  private silent = new Map<string, number>();
  /** Result of the call just made of a function without a body. */
  private reserved: ConcreteValue | undefined;

  /** With `in-words` a run describes what functions without a body do. */
  constructor(
    private readonly program: Program,
    private readonly options: ScenarioOptions,
    private readonly effects: 'in-words' | 'untold' = 'untold',
  ) {
    this.machine = new Machine(program, {
      properties: options.checkedProperties,
      stepLimit: options.stepLimit,
      output: () => {},
      ...(options.execution && { execution: options.execution }),
      ...(options.compiledBetween && { compiledBetween: options.compiledBetween }),
      ...(options.leaps && { leaps: options.leaps }),
      input: (name, type) => this.answer(name, type),
      ...(options.external && {
        outside: (command: ExternalCommand, args: readonly ConcreteValue[]) => this.outsideRuns(command, args),
        fresh: (command: AllocateCommand, memory: ConcreteValue) => this.memoryGiven(command, memory),
      }),
      havoc: (target: Variable) => this.answer(`uninitialised ${target.name}`, target.type),
    });
    this.external =
      options.external &&
      new ExternalEnvironment(program, this.machine, { ...options.external, permits: options.permits });
    this.storesFloats =
      program.objects.some(({ relocations }) => relocations.some(({ value }) => value.type.kind === 'float')) ||
      program.functions.some(({ edges }) =>
        edges.some(
          ({ command }) =>
            (command.kind === 'store' && command.type.kind === 'float') ||
            (command.kind === 'external' && /scanf$/.test(command.name)),
        ),
      );
    options.observe?.(this.machine);
  }

  /**
   * Undefined when the client may not do it. `environment` and `stepLimit` stand for the runner's own. A failure that
   * the reference machine does not confirm is none: what hangs on the bits of a NaN.
   */
  run(scenario: Scenario, how: RunOptions = {}): ScenarioRun | undefined {
    const run = this.attempt(scenario, how);
    if (run?.outcome.kind !== 'fault' || this.options.execution === 'reference' || !this.storesFloats) return run;
    const { observe, between, ...options } = this.options;
    const again = runScenario(
      this.program,
      { calls: scenario.calls, answers: run.answers.map(asGiven) },
      { ...options, stepLimit: how.stepLimit ?? options.stepLimit },
    );
    return faultOf(again) ? run : { ...run, outcome: { kind: 'stopped', reason: 'assume' } };
  }

  private attempt(scenario: Scenario, { environment, stepLimit, effectChooser }: RunOptions): ScenarioRun | undefined {
    const { machine, options, program } = this;
    if (options.init && scenario.calls.some(({ fn }, i) => (fn === options.init) !== (i === 0))) return undefined;
    machine.reset();
    this.answers = scenario.answers;
    this.environment = environment ?? options.environment;
    this.effectChooser = effectChooser;
    this.next = 0;
    this.reserved = undefined;
    this.silent = new Map();
    this.external?.begin();
    const used: UsedAnswer[] = [];
    this.used = used;
    const before = machine.steps;
    const leaptBefore = machine.leaptSteps;
    this.began = before;
    const made = new Map<string, ConcreteValue>();
    const result = (outcome: RunOutcome, last: number): ScenarioRun => ({
      outcome,
      last,
      answers: used,
      steps: machine.steps - before + Number(machine.leaptSteps - leaptBefore),
      inputs: machine.inputs,
    });
    let outcome: RunOutcome = { kind: 'returned', value: undefined };
    for (const [index, call] of scenario.calls.entries()) {
      this.current = index;
      const args: ConcreteValue[] = [];
      const start = isProgramStart(call.fn) ? startedWith(call, machine, program) : [];
      if (!start) return undefined;
      const valueOf = this.argumentsOf(call, index, made, start);
      for (const [at, argument] of call.arguments.entries()) {
        const structure = passedStructure(call.fn, call.fn.parameters[at]!);
        // A value of it would have to be a copy of one that was set up.
        if (structure?.as === 'argument' && options.initialisers?.has(structure.type.record)) return undefined;
        if (
          !hasTypeOf(argument, call.fn, at, program) ||
          (!structure &&
            (isMadeUp(argument, options.handles) || isNotSetUp(argument, call.fn, at, options.initialisers)))
        )
          return undefined;
        const value = valueOf(at);
        if (value === undefined) return undefined;
        if (argument.kind === 'object' && !structure) this.external?.madeByClient(value, argument.type);
        if (!structure && !isSetUpFor(call.fn, at, value, machine, options.initialisers)) return undefined;
        args.push(value);
      }
      options.between?.(machine, index);
      if (!options.permits(call.fn, args, machine) || sharesRestrictObject(call.fn, args, machine, this.program))
        return undefined;
      const begun = options.initialisers ? setUpBy(options.initialisers, call.fn, args, machine.memory) : [];
      outcome = machine.call(call.fn, args, stepLimit);
      if (outcome.kind === 'fault' && breaksPrecondition(outcome.fault)) return undefined;
      if (outcome.kind !== 'returned') return result(outcome, index);
      const refused = begun.length > 0 ? refusal(call.fn, outcome.value) : undefined;
      if (refused) takeBack(begun, refused);
      if (outcome.value !== undefined && call.fn.result?.kind === 'pointer') made.set(`${index}.-1`, outcome.value);
    }
    options.between?.(machine, scenario.calls.length);
    return result(outcome, scenario.calls.length - 1);
  }

  /**
   * Values of a call's arguments, made when they are first asked for: objects may lead to those of other arguments.
   * Undefined for what leads back to itself, and for what clients cannot make.
   */
  private argumentsOf(
    { fn, arguments: given }: Call,
    index: number,
    made: Map<string, ConcreteValue>,
    start: readonly ConcreteValue[],
  ): (at: number) => ConcreteValue | undefined {
    const begun = new Set<number>();
    const beginningOf = (at: number): ConcreteValue | undefined => {
      const key = `${index}.${at}`;
      const argument = given[at];
      if (made.has(key) || begun.has(at) || !argument) return made.get(key);
      begun.add(at);
      const pointer = (other: number, to: CType, element: number | undefined): ConcreteValue | undefined => {
        const type = fn.parameters[other]?.ctype;
        return type?.kind === 'pointer' && isSameType(type.to, to) ? valueOf(other, element) : undefined;
      };
      const value =
        start[at] ?? (argument.kind === 'object' ? this.makeObject(argument, pointer) : place(argument, made));
      if (value !== undefined) made.set(key, value);
      return value;
    };
    const valueOf = (at: number, element?: number): ConcreteValue | undefined => {
      const argument = given[at];
      const to = element ?? indexOf(argument);
      const value = beginningOf(at);
      return to === undefined || value === undefined ? value : this.elementAt(value, fn.parameters[at]!, to);
    };
    return valueOf;
  }

  /** Undefined if the object has fewer elements. */
  private elementAt(beginning: ConcreteValue, { ctype }: Variable, index: number): ConcreteValue | undefined {
    const block = this.machine.memory.block(beginning);
    const bytes = index * elementBytes(ctype?.kind === 'pointer' ? ctype.to : undefined, this.program.dataModel);
    if (!block || bytes < 0 || bytes > block.sizeBytes) return undefined;
    return pointerTo(objectNumber(beginning), offsetBytes(beginning) + bytes);
  }

  private makeObject(object: AnsweredObject, argumentOf: MakingObjects['argumentOf']): ConcreteValue | undefined {
    return makeObject(object, {
      machine: this.machine,
      program: this.program,
      isMadeByClients: (type) => isMadeByClients(type, this.options),
      argumentOf,
      made: (value, type) => this.external?.madeByClient(value, type),
    });
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
    const value = this.chooseAnswer(given, name, type, []);
    this.use({ name, type, ...value, call: this.current });
    return value.value;
  }

  private chooseAnswer(
    given: EnvironmentAnswer | undefined,
    name: string,
    type: Scalar,
    args: readonly ConcreteValue[],
  ): Pick<EnvironmentAnswer, 'value' | 'object'> {
    const chosen =
      given && given.name === name
        ? (given.object ?? given.value)
        : name === 'malloc'
          ? 1
          : (this.environment?.(name, type, args) ?? zero(type));
    if (typeof chosen !== 'object') return { value: chosen };
    const value = this.makeObject(chosen, () => undefined) ?? 0;
    this.external?.madeByClient(value, chosen.type);
    return { value, object: chosen };
  }

  /** A function without a body does something, perhaps, and the answer it will give is chosen. */
  private outsideRuns(command: ExternalCommand, args: readonly ConcreteValue[]): RunOutcome | undefined {
    const external = this.external!;
    const { name, resultType } = command;
    const ask = external.answerCall(command, args);
    const invented = (): readonly ExternalEffect[] =>
      this.effectChooser?.external(name, () => external.possibleEffects(name)) ?? [];
    if (!resultType) return this.silently(name, invented, parametersOf(this.program, name), ask);
    const given = this.answers[this.next++];
    const planned =
      given?.name === name && given.sideEffects
        ? given.sideEffects.effects
        : this.next > this.answers.length
          ? invented()
          : [];
    const answer = this.chooseAnswer(given, name, resultType, args);
    const at = this.use({ name, type: resultType, ...answer, args, call: this.current });
    const { effects, told, end } = this.perform(planned, name, ask);
    if (effects.length > 0)
      this.used[at] = {
        ...this.used[at]!,
        sideEffects: { effects },
        ...(this.effects === 'in-words' && {
          told: { parameters: parametersOf(this.program, name), answers: true, effects: told },
        }),
      };
    if (!end) this.reserved = this.used[at]!.value;
    return end;
  }

  private memoryGiven(command: AllocateCommand, memory: ConcreteValue): void {
    const external = this.external!;
    external.withObject(command, memory, () =>
      this.silently(freshMemory, () => this.effectChooser?.fresh(() => external.offerOfFresh()) ?? [], [], undefined),
    );
  }

  /** The same where nothing is answered. */
  private silently(
    name: string,
    invented: () => readonly ExternalEffect[],
    parameters: readonly string[],
    ask: number | undefined,
  ): RunOutcome | undefined {
    const afterSilent = this.silent.get(name) ?? 0;
    const given = this.answers[this.next];
    const isNext = given?.name === name && given.sideEffects?.afterSilent === afterSilent;
    const planned = isNext ? given.sideEffects!.effects : this.next >= this.answers.length ? invented() : [];
    if (isNext) this.next++;
    const before = new Map(this.silent);
    const at = this.use({ name, type: int32, value: 0, call: this.current });
    const { effects, told, end } = this.perform(planned, name, ask);
    if (effects.length > 0)
      this.used[at] = {
        ...this.used[at]!,
        sideEffects: { effects, afterSilent },
        ...(this.effects === 'in-words' && { told: { parameters, answers: false, effects: told } }),
      };
    else {
      this.used.splice(at, 1);
      this.silent = before.set(name, afterSilent + 1);
    }
    return end;
  }

  private use(answer: Omit<UsedAnswer, 'nesting'>): number {
    if (this.silent.size > 0) this.silent = new Map();
    return this.used.push({ ...answer, nesting: this.external?.nesting ?? 0 }) - 1;
  }

  private perform(
    planned: readonly ExternalEffect[],
    name: string,
    ask: number | undefined,
  ): {
    readonly effects: readonly ExternalEffect[];
    readonly told: readonly ReportedEffect[];
    readonly end: RunOutcome | undefined;
  } {
    const external = this.external!;
    const effects: ExternalEffect[] = [];
    const told: ReportedEffect[] = [];
    for (const effect of planned) {
      const text =
        this.effects === 'in-words'
          ? externalEffectText(effect, {
              program: this.program,
              nameOf: (ago) => external.nameOf(ago, ask),
              resolve: (path) => external.resolve(path, ask),
            })
          : undefined;
      const result = external.perform(effect, name, ask);
      if (result === false) continue;
      effects.push(effect);
      if (text) told.push(text);
      if (typeof result === 'object') return { effects, told, end: result };
    }
    return { effects, told, end: undefined };
  }
}

/** Answer without what belongs to its run. */
export function asGiven({ name, type, value, object, sideEffects }: EnvironmentAnswer): EnvironmentAnswer {
  // Its number belongs to the run.
  return { name, type, value: object ? 0 : value, ...(object && { object }), ...(sideEffects && { sideEffects }) };
}

/**
 * Runs a scenario from the initial state; undefined when the client may not do it. On the reference machine alone: what
 * it says is evidence. A run that looks at the sign or payload of a NaN is none, since the machine does not keep them
 * as C's does.
 */
export function runScenario(program: Program, scenario: Scenario, options: ScenarioOptions): ScenarioRun | undefined {
  const look = (): never => {
    throw new BitsOfNaN();
  };
  const observe = (machine: Machine): void => {
    machine.memory.watch = new Representation(look, 'NaNs');
    options.observe?.(machine);
  };
  try {
    return new ScenarioRunner(program, { ...options, execution: 'reference', observe }, 'in-words').run(scenario);
  } catch (error) {
    if (error instanceof BitsOfNaN) return undefined;
    throw error;
  }
}

function startedWith(call: Call, machine: Machine, program: Program): readonly ConcreteValue[] | undefined {
  const texts = textsOf(call);
  return texts && mainArguments(call.fn, texts, machine.memory, program.dataModel === 'lp64' ? 8 : 4);
}

/**
 * C itself converts what is passed to the parameter's type, and passes structures that are there. A pointer to an array
 * leads to all of its elements.
 */
function hasTypeOf(
  argument: Argument,
  fn: FunctionDefinition,
  at: number,
  { dataModel }: Pick<Program, 'dataModel'>,
): boolean {
  const parameter = fn.parameters[at]!;
  if (passedStructure(fn, parameter)) return argument.kind === 'object';
  const to = parameter.ctype?.kind === 'pointer' ? parameter.ctype.to : undefined;
  if (argument.kind === 'object' && to?.kind === 'array')
    return (sizeOf(argument.type, dataModel) ?? 0) >= (sizeOf(to, dataModel) ?? 0);
  if (argument.kind !== 'scalar') return true;
  const { value } = argument;
  switch (parameter.type.kind) {
    case 'pointer':
      // Clients make no addresses up.
      return Number(value) === 0;
    case 'integer':
      if (isBool(parameter)) return value === 0 || value === 1;
      return Number.isInteger(Number(value)) && BigInt(wrapInteger(BigInt(value), parameter.type)) === BigInt(value);
    case 'float':
      return true;
  }
}

/** Members that the client does not know cannot be its doing. */
function isMadeUp(argument: Argument, handles: ScenarioOptions['handles']): boolean {
  if (argument.kind !== 'object' || !handles) return false;
  const element = argument.type.kind === 'array' ? argument.type.of : argument.type;
  return element.kind === 'record' && handles.has(element.record);
}

/** True if the structure has been set up, or is by this call, where it must be. */
function isSetUpFor(
  fn: FunctionDefinition,
  at: number,
  pointer: ConcreteValue,
  { memory }: Machine,
  initialisers: Initialisers | undefined,
): boolean {
  const record = recordBehind(fn.parameters[at]!);
  const block = memory.block(pointer);
  if (!record || !block || pointer === 0 || !initialisers?.has(record)) return true;
  return (
    block.setUpAs !== undefined || block.kind === 'heap' || (block.kind === 'host' && setsUp(initialisers, fn, at))
  );
}

/** An object of the client's that is made for the call is one that the call sets up. */
function isNotSetUp(
  argument: Argument,
  fn: FunctionDefinition,
  at: number,
  initialisers: Initialisers | undefined,
): boolean {
  const record = recordBehind(fn.parameters[at]!);
  if (argument.kind !== 'object' || !record || !initialisers?.has(record)) return false;
  return !setsUp(initialisers, fn, at) || argument.type.kind === 'array';
}

/** The element that a pointer into an object leads to; undefined: its beginning, or no object of the client's. */
export const indexOf = (argument: Argument | undefined): number | undefined =>
  argument?.kind === 'object' || argument?.kind === 'earlier' ? argument.index : undefined;

export const isBool = ({ ctype }: Variable): boolean => ctype?.kind === 'integer' && ctype.name === 'bool';

function place(
  argument: Exclude<Argument, { kind: 'object' }>,
  made: ReadonlyMap<string, ConcreteValue>,
): ConcreteValue | undefined {
  switch (argument.kind) {
    case 'scalar':
      return argument.value;
    case 'function':
      return pointerTo(argument.fn.number, argument.index);
    case 'earlier':
      return made.get(`${argument.call}.${argument.argument}`);
  }
}

/** Objects of the type are neither had from the module nor set up by it. */
function isMadeByClients(type: CType, { handles, initialisers }: ScenarioOptions): boolean {
  return type.kind !== 'record' || (handles?.has(type.record) !== true && initialisers?.has(type.record) !== true);
}

/** The client's part, not the module's: a call that does not meet what the function requires. */
export const breaksPrecondition = ({ check, stack }: Fault): boolean => check === 'precondition' && stack.length === 1;

/** The fault of a run, when a check in force failed. */
export function faultOf(run: ScenarioRun | undefined): Fault | undefined {
  return run?.outcome.kind === 'fault' ? run.outcome.fault : undefined;
}
