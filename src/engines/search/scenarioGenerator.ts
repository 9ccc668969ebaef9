/**
 * Random clients, and environments: calls and answers biased to the values that the program itself compares with.
 */
import { sizeOf } from '../../c/layout';
import type { CType, RecordLayout } from '../../c/types';
import { isSameType } from '../../evidence/scenarios/clientObjects';
import type { ExternalEffect, AccessPath } from '../../evidence/scenarios/externalEffect';
import { type KnownAccessPath, type PossibleEffects, pointsTo } from '../../evidence/scenarios/externalEnvironment';
import type {
  AnsweredObject,
  Argument,
  Call,
  EffectChooser,
  RunOptions,
  Scenario,
} from '../../evidence/scenarios/scenario';
import { recordBehind, recordSetUp, setsUp } from '../../semantics/pointers/initialisers';
import { isProgramStart } from '../../program/programStart';
import type { Scalar, Variable } from '../../program/expression';
import { functionPart } from '../../plainFunction';
import { clientFunctionFor, passedFunctions } from '../../semantics/pointers/passedFunctions';
import { typeName } from '../../semantics/pointers/validMembers';
import { pointerToFresh } from '../../plainPointer';
import { passedStructure } from '../../program/passedStructure';
import type { FunctionDefinition, Program } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { isConst, pointsToConst } from '../../semantics/pointers/regionNode';
import { walkOwn } from '../../program/traverse';
import type { Plain } from '../../verdict';
import { Random } from '../../semantics/concrete/random';
import { CommandLines } from './arguments/commandLines';
import type { SearchOptions } from './fuzzing';
import { hasNullMembers, linkMembers } from './arguments/linkedMembers';
import type { LikelyPreconditions } from '../preconditions/likelyPreconditions';
import { agree, arrayLimits, type Drawing, isByte, resembleTests } from './stated/agreeingArrays';
import { joinObjects } from './stated/joinedObjects';
import { passedTwice } from './arguments/passedTwice';
import type { StatedOfArguments } from './stated/statedLengths';
import { withPointer } from './stated/statedPointers';
import { bufferSizes, TextMutation } from './arguments/textMutation';

const limits = {
  /** External effects in one run. */
  effectsPerRun: 24,
  /** Elements of most arrays that a client makes. */
  shortArray: 6,
  /** Objects that one leads to, one behind the other. */
  depth: 3,
  /** One in so many calls passes an object twice, if it can. */
  onePassedTwice: 8,
  /** One in so many calls sets pointers in structures, if it passes any. */
  linkedMembers: 4,
} as const;

/** In a string. */
const filler = 97;

/** Ways in which the answers of one run are alike. */
export const swarms = ['one value', 'two values', 'rising', 'falling', 'all but one'] as const;
export type Swarm = (typeof swarms)[number];

export type RunEnvironment = NonNullable<RunOptions['environment']>;

export class ScenarioGenerator {
  /** Numbers that the program mentions, and those beside them. */
  readonly constants: readonly bigint[];
  /** Sizes of the program's buffers for bytes, and one more: a text that just fits, and one that does not. */
  private readonly sizes: readonly bigint[];
  private readonly floats: readonly number[];
  /** Numbers of the program that are characters. */
  private readonly characters: readonly number[];
  private readonly commandLines: CommandLines;
  /** Targets of the pointers that functions without a body return, by function. */
  private readonly pointerResults: ReadonlyMap<string, CType>;
  /** Draws of its own, so that nothing else that is tried depends on how long arrays are. */
  private aside: ScenarioGenerator | undefined;
  /** Objects around the one that is drawn, each of which leads to the next. */
  private depth = 0;
  constructor(
    private readonly program: Program,
    private readonly random: Random,
    private readonly seed: number,
    private readonly handles: SearchOptions['handles'],
    private readonly initialisers: SearchOptions['initialisers'],
    private readonly stated: StatedOfArguments = {},
    private readonly likely?: LikelyPreconditions,
  ) {
    const found = new Set<bigint>([0n, 1n, -1n, 2n, 3n]);
    const floats = new Set<number>();
    const characters = new Set<number>();
    walkOwn(program, (node) => {
      if (node.kind === 'integer') for (const shortSteps of [-1n, 0n, 1n]) found.add(node.value + shortSteps);
      if (node.kind === 'integer' && isPrintable(node.value)) characters.add(Number(node.value));
      if (node.kind === 'float') floats.add(node.value);
    });
    this.constants = [...found];
    this.sizes = bufferSizes(program).flatMap((size) => [size, size + 1n]);
    this.characters = [...characters];
    this.pointerResults = new Map(
      program.externals.flatMap(({ name, ctype }) =>
        ctype.kind === 'function' && ctype.result.kind === 'pointer' ? [[name, ctype.result.to]] : [],
      ),
    );
    this.floats = [1, ...floats];
    this.commandLines = new CommandLines(program, this.constants, new TextMutation(program, random), random);
  }

  /** A scenario of its own, or one that changes or goes on from another, with few calls more or with many. */
  scenario(
    { entries, init, maximumCalls }: Pick<SearchOptions, 'entries' | 'init' | 'maximumCalls'>,
    base: Scenario | undefined,
    more: 'few' | 'many' = 'few',
  ): Scenario {
    const calls: Call[] = base ? [...base.calls] : [];
    let answers = base?.answers ?? [];
    if (base && maximumCalls > 1 && this.below(4) === 0)
      calls.length = Math.max(init ? 1 : 0, this.below(calls.length + 1));
    // With nothing else to change, the same run again would show nothing.
    if (base && ((maximumCalls === 1 && answers.length === 0) || this.below(3) === 0)) this.changeOne(calls);
    if (answers.length > 0) {
      const at = this.below(answers.length);
      const change = this.below(4);
      if (change < 2) answers = answers.slice(0, at);
      else if (change === 2)
        answers = answers.map((answer, i) => (i === at ? { ...answer, value: this.answer(answer.type) } : answer));
    }
    if (maximumCalls === 1)
      return { calls: calls.length > 0 ? calls : [this.call(entries[this.below(entries.length)]!, calls)], answers };
    if (init && calls.length === 0) calls.push(this.call(init, calls));
    // A module of its set-up function alone.
    if (entries.length === 0) return { calls, answers };
    if (base && calls.length > 1 && this.below(6) === 0) {
      // Once more what was done last: loops and capacities are reached by repetition.
      const again = calls.slice(-1 - this.below(Math.min(4, calls.length))).filter(({ fn }) => fn !== init);
      const few = 1 + this.below(8);
      for (
        let times = more === 'many' && few > 4 ? maximumCalls : few;
        times > 0 && again.length > 0 && calls.length < maximumCalls;
        times--
      )
        calls.push(...again);
    } else {
      const isMany = more === 'many' && this.below(2) === 0;
      const called = isMany ? this.someOf(entries) : entries;
      const room = isMany ? maximumCalls : base ? 3 : Math.min(maximumCalls, 6);
      for (let count = 1 + this.below(room); count > 0 && calls.length < maximumCalls; count--)
        calls.push(...this.callWithSetUp(called[this.below(called.length)]!, calls));
    }
    return { calls, answers };
  }

  /** One or two: long sequences of all kinds of calls seldom come far (swarm testing, as below). */
  private someOf(entries: readonly FunctionDefinition[]): readonly FunctionDefinition[] {
    return Array.from({ length: 1 + this.below(2) }, () => entries[this.below(entries.length)]!);
  }

  /**
   * An environment whose answers in one run are alike: few values, ever larger or smaller ones, or one value but for a
   * single answer, the first, the last of `expected` or any. Many answers that must agree on something are never
   * reached by answers that are any values each (swarm testing: A. Groce, C. Zhang, E. Eide, Y. Chen, J. Regehr, ISSTA
   * 2012).
   */
  swarmEnvironment(wanted?: Swarm, expected = 1): RunEnvironment {
    const some = (): bigint =>
      this.below(3) === 0 ? BigInt(this.below(5) - 1) : this.constants[this.below(this.constants.length)]!;
    const [first, second, step] = [some(), some(), BigInt(1 + this.below(3))];
    const manner = wanted ?? swarms[this.below(4)]!;
    const special =
      manner !== 'all but one' ? 0 : [0, Math.max(0, expected - 1), this.below(Math.max(1, expected))][this.below(3)]!;
    let asked = 0;
    return (name, type, args) => {
      if (type.kind !== 'integer') return this.environment(name, type, args);
      const at = asked++;
      switch (manner) {
        case 'one value':
          return inType(first, type);
        case 'two values':
          return inType(this.below(2) === 0 ? first : second, type);
        case 'rising':
          return inType(first + step * BigInt(at), type);
        case 'falling':
          return inType(first - step * BigInt(at), type);
        case 'all but one':
          return inType(at === special ? second : first, type);
      }
    };
  }

  /** Effects of functions without a body in one run, and contents of new memory: mostly little. */
  effectChooser(): EffectChooser {
    let left = limits.effectsPerRun;
    const some = <T>(from: readonly T[]): T => from[this.below(from.length)]!;
    const valueOf = (
      type: Scalar,
      ctype: CType | undefined,
      paths: readonly KnownAccessPath[],
    ): ConcreteValue | AccessPath => {
      if (type.kind !== 'pointer') return this.scalar(type, ctype);
      const fitting = paths.filter(({ to, copy }) => !copy && pointsTo(ctype, to));
      return fitting.length === 0 || this.below(5) === 0 ? 0 : some(fitting).path;
    };
    const effect = ({ writes, sets, frees, calls, paths }: PossibleEffects): ExternalEffect | undefined => {
      const kinds = [
        ...(writes.length > 0 ? ['write', 'write'] : []),
        ...(sets.length > 0 ? ['set'] : []),
        ...(frees.length > 0 ? ['free'] : []),
        ...(calls.length > 0 ? ['call'] : []),
      ];
      switch (kinds.length > 0 ? some(kinds) : undefined) {
        case 'write': {
          const { to, offsetBytes, type, ctype } = some(writes);
          return { kind: 'write', to, offsetBytes, type, value: valueOf(type, ctype, paths) };
        }
        case 'set': {
          const { variable } = some(sets);
          return { kind: 'set', variable: variable.name, value: valueOf(variable.type, variable.ctype, paths) };
        }
        case 'free':
          return { kind: 'free', what: some(frees) };
        case 'call': {
          const fn = some(calls);
          return {
            kind: 'call',
            function: fn.name,
            arguments: fn.parameters.map(({ type, ctype }) => (type.kind === 'pointer' ? 0 : this.scalar(type, ctype))),
          };
        }
        default:
          return undefined;
      }
    };
    return {
      external: (_, possible) => {
        if (left <= 0 || this.below(3) === 0) return [];
        const offered = possible();
        const effects = Array.from({ length: this.below(3) === 0 ? 2 : 1 }, () => effect(offered)).filter(
          (one) => one !== undefined,
        );
        left -= effects.length;
        return effects;
      },
      fresh: (possible) => {
        if (left <= 0 || this.below(3) === 0) return [];
        const offered = possible();
        const effects = Array.from({ length: Math.min(offered.length, 1 + this.below(4)) }, (): ExternalEffect => {
          const { to, offsetBytes, type } = some(offered);
          return { kind: 'write', to, offsetBytes, type, value: this.answer(type) };
        });
        left -= effects.length;
        return effects;
      },
    };
  }

  /** Pointers are null, or lead to a fresh object of the type that the function declares. */
  readonly environment: RunEnvironment = (name, type, args) => {
    const result = type.kind === 'pointer' ? this.pointerResults.get(name) : undefined;
    return (result && this.beside.answeredObject(result, args)) ?? this.answer(type);
  };

  /** As long as an argument says, or short. Structures that only the module makes come from nowhere else. */
  private answeredObject(to: CType, args: readonly ConcreteValue[]): AnsweredObject | undefined {
    if (this.below(4) === 0) return undefined;
    if (to.kind === 'function' || (to.kind === 'record' && this.isOfModule(to.record))) return undefined;
    const object = this.longer(this.object(to), args);
    if (object.kind !== 'object') return undefined;
    return object.type.kind === 'array'
      ? object
      : { type: { kind: 'array', of: object.type, length: 1 }, contents: [object.contents] };
  }

  private isOfModule(record: RecordLayout): boolean {
    return this.handles?.has(record) === true || this.initialisers?.has(record) === true;
  }

  answer(type: Scalar): ConcreteValue {
    switch (type.kind) {
      case 'integer':
        return this.integer(type);
      case 'float':
        return type.widthBits === 32 ? Math.fround(this.float()) : this.float();
      case 'pointer':
        return 0;
    }
  }

  private call(fn: FunctionDefinition, before: readonly Call[]): Call {
    if (isProgramStart(fn)) return this.commandLines.start(fn);
    return { fn, arguments: this.argumentsFor(fn, before) };
  }

  /** Before it, the calls that set up what it needs and no call before has. */
  private callWithSetUp(fn: FunctionDefinition, before: readonly Call[]): Call[] {
    const calls: Call[] = [];
    fn.parameters.forEach((parameter, at) => {
      const record = recordBehind(parameter);
      const setUp = record && [...(this.initialisers?.get(record) ?? [])];
      if (
        !setUp ||
        setUp.length === 0 ||
        setsUp(this.initialisers!, fn, at) ||
        this.earlier({ kind: 'record', record }, [...before, ...calls])
      )
        return;
      calls.push(this.call(setUp[this.below(setUp.length)]!, [...before, ...calls]));
    });
    return [...calls, this.call(fn, [...before, ...calls])];
  }

  /** Another value for one scalar argument, or another object that clients have for a pointer. */
  private changeOne(calls: Call[]): void {
    if (calls.length === 0) return;
    const index = this.below(calls.length);
    const { fn, arguments: given } = calls[index]!;
    if (isProgramStart(fn)) {
      calls[index] = this.commandLines.near(calls[index]!);
      return;
    }
    if (given.length === 0) return;
    const at = this.below(given.length);
    const { type, ctype } = fn.parameters[at]!;
    const other: Argument | undefined =
      type.kind !== 'pointer'
        ? given[at]!.kind === 'scalar'
          ? { kind: 'scalar', value: this.scalar(type, ctype) }
          : undefined
        : given[at]!.kind === 'object' && ctype?.kind === 'pointer'
          ? this.beside.earlier(ctype.to, calls.slice(0, index))
          : undefined;
    if (other) calls[index] = { fn, arguments: given.map((argument, i) => (i === at ? other : argument)) };
  }

  private argumentsFor(fn: FunctionDefinition, before: readonly Call[]): Argument[] {
    const joined = this.stated.joined?.get(fn) ?? [];
    const nonNull = this.stated.nonNull?.get(fn);
    const isJoined = ({ name }: Variable): boolean =>
      joined.some(({ left, right }) => left.variable === name || right.variable === name);
    const given = fn.parameters.map((parameter, at): Argument => {
      if (parameter.type.kind !== 'pointer') {
        const value = this.scalar(parameter.type, parameter.ctype);
        return { kind: 'scalar', value: this.passedBefore(parameter, before) ?? value };
      }
      const structure = passedStructure(fn, parameter);
      if (structure)
        return {
          kind: 'object',
          type: { ...structure.type, const: false },
          contents: structure.as === 'argument' ? this.plain(structure.type) : {},
        };
      const to = parameter.ctype?.kind === 'pointer' ? parameter.ctype.to : undefined;
      const functions = passedFunctions(parameter.ctype, this.program);
      if (!to || (to.kind === 'function' && !functions) || (this.below(8) === 0 && !nonNull?.has(parameter.name)))
        return { kind: 'scalar', value: 0 };
      if (functions) return { kind: 'function', fn: functions.ofClients, index: this.below(3) };
      const earlier = this.earlier(to, before);
      if (earlier && !isJoined(parameter) && this.below(2) === 0) return earlier;
      const mustBeEarlier =
        to.kind === 'record' &&
        (this.handles?.has(to.record) === true ||
          (this.initialisers?.has(to.record) === true && !setsUp(this.initialisers, fn, at)));
      return mustBeEarlier ? (earlier ?? { kind: 'scalar', value: 0 }) : this.object(to);
    });
    const numbers = given.flatMap((argument, at) =>
      argument.kind === 'scalar' && fn.parameters[at]!.type.kind !== 'pointer' ? [argument.value] : [],
    );
    const longer = given.map((argument) => this.beside.longer(argument, numbers));
    for (const stated of this.stated.pointers?.get(fn) ?? []) {
      const at = fn.parameters.findIndex(({ name }) => name === stated.parameter);
      longer[at] = withPointer(longer[at]!, stated, (to) => this.beside.pointedTo(to, numbers));
    }
    const draw: Drawing = {
      below: (bound) => this.below(bound),
      beside: (bound) => this.beside.below(bound),
      plain: (type) => this.plain(type),
    };
    if (this.likely?.isEmpty === false)
      resembleTests(longer, fn, this.likely, joined.length === 0, before.length, draw);
    for (const stated of this.stated.lengths?.get(fn) ?? []) agree(longer, stated, draw);
    for (const pair of joined) joinObjects(longer, fn, pair, before.length, (bound) => this.beside.below(bound));
    if (hasNullMembers(longer) && this.beside.below(limits.linkedMembers) === 0)
      linkMembers(
        longer,
        fn,
        (to) => this.beside.pointedTo(to, numbers),
        (bound) => this.beside.below(bound),
      );
    if (joined.length > 0 || this.beside.below(limits.onePassedTwice) > 0) return longer;
    const variants = passedTwice({ fn, arguments: longer }, before.length);
    return [...(variants[this.beside.below(Math.max(1, variants.length))]?.arguments ?? longer)];
  }

  private get beside(): ScenarioGenerator {
    return (this.aside ??= new ScenarioGenerator(
      this.program,
      new Random(this.seed + 2),
      this.seed,
      this.handles,
      this.initialisers,
      this.stated,
      this.likely,
    ));
  }

  /** A result is an object that clients have from then on if the function sets it up. */
  private isPointerTo(fn: FunctionDefinition, at: number, to: CType): boolean {
    const result = this.initialisers && to.kind === 'record' && recordSetUp(this.initialisers, fn, at);
    return result ? result === to.record : sameTarget(fn.parameters[at]!.ctype, to);
  }

  /** An object that an earlier call got, or one that the module returned: each kind as often, however many they are. */
  private earlier(to: CType, before: readonly Call[]): Argument | undefined {
    const passed: Argument[] = [];
    const returned: Argument[] = [];
    before.forEach((call, index) => {
      call.arguments.forEach((argument, at) => {
        if (argument.kind === 'object' && this.isPointerTo(call.fn, at, to))
          passed.push({ kind: 'earlier', call: index, argument: at });
      });
      const { resultVariable: result } = call.fn;
      if (
        result?.type.kind === 'pointer' &&
        sameTarget(result.ctype, to) &&
        (isConst(to) || !pointsToConst(result.ctype))
      )
        returned.push({ kind: 'earlier', call: index, argument: -1 });
    });
    const hasBoth = passed.length > 0 && returned.length > 0;
    const candidates = hasBoth ? (this.beside.below(2) === 0 ? passed : returned) : [...passed, ...returned];
    return candidates.length > 0 ? candidates[this.below(candidates.length)] : undefined;
  }

  /**
   * Now and then a number that earlier calls got under the same name: a client that opens file 1 writes to file 1. A
   * sequence of calls about one element of a table is else as unlikely as the table is long.
   */
  private passedBefore(parameter: Variable, before: readonly Call[]): ConcreteValue | undefined {
    if (before.length === 0 || this.beside.below(3) > 0) return undefined;
    const values = before.flatMap(({ fn, arguments: given }) =>
      fn.parameters.flatMap(({ name, ctype }, at) => {
        const argument = given[at]!;
        const isAlike = name === parameter.name && ctype && parameter.ctype && isSameType(ctype, parameter.ctype);
        return isAlike && argument.kind === 'scalar' ? [argument.value] : [];
      }),
    );
    return values.length === 0 ? undefined : values[this.beside.below(values.length)];
  }

  /** Undefined for what only the module makes. */
  private pointedTo(to: CType, beside: readonly ConcreteValue[]): Argument | undefined {
    if (to.kind === 'function' || (to.kind === 'record' && this.isOfModule(to.record))) return undefined;
    return this.longer(this.object(to), beside);
  }

  private object(to: CType): Argument {
    const element: CType =
      to.kind === 'void' ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false } : to;
    if (sizeOf(element, this.program.dataModel) === undefined) return { kind: 'scalar', value: 0 };
    if (element.kind === 'integer' || element.kind === 'enum') {
      const length = 1 + this.below(limits.shortArray);
      const type: CType = { kind: 'array', of: { ...element, const: false }, length };
      return {
        kind: 'object',
        type,
        contents: Array.from({ length }, (_, i) => (i === length - 1 && isByte(element) ? 0 : this.plain(element))),
      };
    }
    return { kind: 'object', type: { ...element, const: false }, contents: this.plain(element) };
  }

  /**
   * An array as long as a number beside it says, or two together, or as a number of the program, which is the size of
   * something there, or one of bytes as a buffer of the program, or one longer; mostly as it is.
   */
  private longer(argument: Argument, beside: readonly ConcreteValue[]): Argument {
    if (argument.kind !== 'object' || argument.type.kind !== 'array') return argument;
    const { of, length: short = 0 } = argument.type;
    const among = (numbers: readonly (ConcreteValue | bigint)[]): number[] =>
      numbers.flatMap((n) => (n > short && n <= arrayLimits.longest ? [Math.floor(Number(n))] : []));
    const [way, said] = [this.below(8), among(beside)];
    const lengths =
      way < 3
        ? said
        : way === 3
          ? among([said.reduce((a, b) => a * b, 1)])
          : way === 4
            ? among(this.constants)
            : way === 5 && isByte(of)
              ? among(this.sizes)
              : [];
    if (lengths.length === 0) return argument;
    const length = lengths[this.below(lengths.length)]!;
    // Strings end where the array does, or before.
    const isWhole = isByte(of) && this.below(2) === 0;
    const element = (i: number): Plain => {
      if (isByte(of) && i === length - 1) return 0;
      const value = i < arrayLimits.randomElements ? this.plain(of) : i % 100;
      return isWhole && value === 0 ? filler : value;
    };
    return { ...argument, type: { ...argument.type, length }, contents: Array.from({ length }, (_, i) => element(i)) };
  }

  private plain(type: CType): Plain {
    switch (type.kind) {
      case 'integer':
        return type.name === 'bool'
          ? this.below(2) === 1
          : type.widthBits === 8 && this.characters.length > 0 && this.below(3) === 0
            ? this.characters[this.below(this.characters.length)]!
            : this.integer({ widthBits: type.widthBits, signed: type.signed });
      case 'enum':
        return type.constants.length > 0 ? Number(type.constants[this.below(type.constants.length)]!.value) : 0;
      case 'float':
        return this.below(100) - 50;
      case 'array':
        return Array.from({ length: Math.min(type.length ?? 0, 64) }, () => this.plain(type.of));
      case 'record': {
        const fields = type.record.fields.filter((field) => field.name !== undefined && !field.bits);
        const chosen = type.record.keyword === 'union' ? fields.slice(0, 1) : fields;
        const { valid: members } = this.stated;
        const valid = members && members.size > 0 ? members.get(typeName(type.record)) : undefined;
        return Object.fromEntries(
          chosen.map(({ name, type: member }) => [
            name!,
            valid?.has(name!) && member.kind === 'pointer' ? this.led(member.to) : this.plain(member),
          ]),
        );
      }
      case 'pointer': {
        const fn = clientFunctionFor(type.to, this.program);
        return fn && this.below(4) > 0 ? functionPart(fn.name, this.below(2)) : null;
      }
      default:
        return null;
    }
  }

  /** A pointer that is null or leads to a fresh object, as a specification says that all are. */
  private led(to: CType): Plain {
    if (this.depth >= limits.depth || this.below(3) === 0) return null;
    this.depth++;
    const object = to.kind === 'record' && this.isOfModule(to.record) ? undefined : this.object(to);
    this.depth--;
    if (object?.kind !== 'object') return null;
    // A text need not end where the object does.
    const isText = to.kind === 'integer' && to.name === 'char' && Array.isArray(object.contents);
    const contents = object.contents as Plain;
    return pointerToFresh(isText && this.below(4) === 0 ? (contents as readonly Plain[]).with(-1, filler) : contents);
  }

  private scalar(type: Scalar, ctype: CType | undefined): ConcreteValue {
    if (ctype?.kind === 'integer' && ctype.name === 'bool') return this.below(2);
    if (ctype?.kind === 'enum' && ctype.constants.length > 0 && this.below(4) > 0)
      return Number(ctype.constants[this.below(ctype.constants.length)]!.value);
    return this.answer(type);
  }

  private float(): number {
    switch (this.below(8)) {
      case 0:
        return 0;
      case 1:
        return (this.below(400) - 200) / 8;
      case 2:
        return this.floats[this.below(this.floats.length)]! * [1, -1, 0.5, 1.5][this.below(4)]!;
      case 3:
        return (this.below(2) === 0 ? 1 : -1) * 10 ** this.below(20);
      case 4:
        return [NaN, Infinity, -Infinity, -0, Number.EPSILON, Number.MIN_VALUE, Number.MAX_VALUE][this.below(7)]!;
      default:
        return this.below(200) - 100;
    }
  }

  private integer(type: { readonly widthBits: number; readonly signed: boolean }): ConcreteValue {
    const wrap = (value: bigint): ConcreteValue => inType(value, type);
    switch (this.below(8)) {
      case 0:
      case 1:
      case 2:
        return wrap(BigInt(this.below(5) - 1));
      case 3:
      case 4:
      case 5:
        return wrap(this.constants[this.below(this.constants.length)]!);
      case 6:
        return wrap(
          (1n << BigInt(type.widthBits - (type.signed ? 1 : 0))) -
            BigInt(this.below(3)) +
            (this.below(2) === 0 ? 0n : 1n),
        );
      default:
        return wrap(
          (BigInt(this.below(0x10000)) << 48n) ^ (BigInt(this.below(0x10000)) << 24n) ^ BigInt(this.below(0x10000)),
        );
    }
  }

  private below(bound: number): number {
    return this.random.below(bound);
  }
}

const isPrintable = (value: bigint): boolean => value === 9n || value === 10n || (value >= 32n && value < 127n);

/** The value that an integer type makes of a number. */
export function inType(
  value: bigint,
  { widthBits, signed }: { readonly widthBits: number; readonly signed: boolean },
): ConcreteValue {
  const wrapped = signed ? BigInt.asIntN(widthBits, value) : BigInt.asUintN(widthBits, value);
  return widthBits > 32 ? wrapped : Number(wrapped);
}

/** True for a pointer to objects of the type; integers of one width stand for each other. */
function sameTarget(pointer: CType | undefined, to: CType): boolean {
  if (pointer?.kind !== 'pointer') return false;
  const a = pointer.to;
  if (a.kind === 'record' && to.kind === 'record') return a.record === to.record;
  if (a.kind === 'integer' && to.kind === 'integer') return a.widthBits === to.widthBits;
  return a.kind === to.kind && isSameType(a, to);
}
