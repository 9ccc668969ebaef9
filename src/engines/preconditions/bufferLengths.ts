/**
 * Failures that a client brings about with an object that is shorter than the function takes it to be (`crc(data, len)`
 * with less than `len` bytes behind `data`): the precondition that rules them out. C cannot say how much lies behind a
 * pointer, so such a failure is in nearly every function that takes a buffer. A bug stays a bug; offered is only what
 * is the cause, found by running again with objects just as long as the precondition says and one element shorter, and
 * what no test contradicts (as in angelic verification: A. Das, S. Lahiri, A. Lal, Y. Li, CAV 2015).
 */
import { isSameType } from '../../evidence/scenarios/clientObjects';
import { elementSizeOf, sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import {
  faultOf,
  ScenarioRunner,
  type Argument,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import { isCharacter } from '../../host/values/encode';
import type { HostValue, Operation } from '../../host/operation';
import { parseType } from '../../host/typeText';
import type { FunctionDefinition, Program } from '../../program/program';
import { type ConcreteValue, isWide, offsetBytes } from '../../semantics/concrete/concreteValues';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import type { Machine } from '../../semantics/concrete/machine';
import { largestObject } from '../../semantics/concrete/memoryBlock';
import type { Plain } from '../../verdict';
import { constantsFor } from './constantsInCode';
import {
  Attempt,
  attemptLimits,
  elementsFor,
  fillings,
  groupedIn,
  lengthText,
  type LinearLength,
  linearIn,
  numberAt,
  pointee,
  scalarOf,
  textFilling,
} from './lengthAttempts';
import { pointersOfCheck } from './pointersOfCheck';
import { withOwnArrays } from './ownArrays';
import type { Precondition } from './preconditions';

/**
 * At least as many elements behind the pointer as the parameters say, multiplied (none: one), or as the number says.
 */
interface Least {
  readonly pointer: number;
  readonly counts: readonly number[];
  readonly elements: number | undefined;
  /** So many for each that a single parameter counts, and more; default 1 and 0. */
  readonly linear?: LinearLength;
}
const limits = {
  ...attemptLimits,
  /** The longest object that is tried. */
  bytes: 65_536,
  ampleBytes: 8192,
  /** Tried in place of a number that is larger than any object, or than clients may say. */
  otherNumbers: [7n, 40n, 300n],
  /** Edges of a run with another object, and how many such runs there are at most. */
  steps: 50_000,
  runs: 1000,
} as const;

export class LengthArguments {
  private readonly found = new Map<FunctionDefinition, Least[]>();
  private readonly runner: ScenarioRunner;
  private tried = 0;

  constructor(
    private readonly program: Program,
    options: ScenarioOptions,
    private readonly runs: readonly (readonly Operation[])[],
    /** A failure of the module's own: it says nothing about lengths. */
    private readonly isKnown: (fault: Fault) => boolean = () => false,
  ) {
    this.runner = new ScenarioRunner(program, options);
  }

  /**
   * True if too short an object from the client causes the failure, and no test passes one; then clients are taken not
   * to from here on.
   */
  explain(scenario: Scenario, fault: Fault): boolean {
    if (!isAboutPlace(fault)) return false;
    const failing = this.runner.run(scenario, { stepLimit: limits.steps })?.last;
    if (failing === undefined) return false;
    const alone = withOwnArrays(scenario, failing);
    return (
      this.explainAt(failing, scenario, fault) ||
      (alone !== scenario && this.failsAs(alone, fault) && this.explainAt(failing, alone, fault))
    );
  }

  private failsAs(scenario: Scenario, fault: Fault): boolean {
    const again = faultOf(this.runner.run(scenario, { stepLimit: limits.steps }));
    return again !== undefined && failsAlike(again, fault);
  }

  private explainAt(failing: number, scenario: Scenario, fault: Fault): boolean {
    for (let index = failing; index >= 0; index--) {
      for (const pointer of scenario.calls[index]!.arguments.keys()) {
        const least =
          this.leastFor(scenario, index, pointer, index === failing) ??
          this.leastBesideOthers(scenario, index, pointer, index === failing) ??
          (fault.check === 'pointer-arithmetic' ? this.leastOfArithmetic(scenario, index, pointer) : undefined);
        if (!least || !this.isOfThisFailure(scenario, index, least, fault)) continue;
        const { fn } = scenario.calls[index]!;
        this.found.set(fn, [...(this.found.get(fn) ?? []).filter((other) => !saysMore(least, other)), least]);
        return true;
      }
    }
    return false;
  }

  /**
   * True if the last call, with one element fewer than the number says, fails nowhere: the number only happened to be
   * large enough. Of a number of which no object has as many elements, another is tried. The number may be one that a
   * parameter leads to.
   */
  isLoose({ calls, ...rest }: Scenario, pointer: number, number: number): boolean {
    const index = calls.length - 1;
    const { fn, arguments: given } = calls[index]!;
    const bytes = this.elementBytes(fn, pointer);
    const counter = numberAt(given[number]!, fn.parameters[number]!.type);
    if (bytes === undefined || !counter) return false;
    const { now } = counter;
    const fits = now >= 2n && now * BigInt(bytes) <= BigInt(limits.bytes);
    // Clients may have to pass more than a few elements.
    for (const value of [...(fits ? [now] : []), ...limits.otherNumbers]) {
      const counted = given.with(number, counter.with(value));
      const shorter = Number(value) - 1;
      const old = given[pointer]!;
      const objects = fillings.map((filling) => this.objectOf(fn, pointer, shorter, filling));
      if (objects.some((object) => !object)) continue;
      if (old.kind === 'object' && objects[0]?.kind === 'object')
        objects.push({ ...objects[0], contents: beginningOf(old, pointee(fn, pointer)!, shorter) });
      const failures = objects.map((object) =>
        this.fails({ ...rest, calls: calls.with(index, { fn, arguments: counted.with(pointer, object!) }) }),
      );
      if (failures.some((fails) => fails !== undefined)) return failures.every((fails) => fails === false);
    }
    return false;
  }

  /**
   * False if the failing pointer is another, or if the failure is there all the same where this object alone is long
   * enough, and the others are as they were: too short an object there is another failure.
   */
  private isOfThisFailure({ calls, ...rest }: Scenario, index: number, least: Least, fault: Fault): boolean {
    const { pointer, counts, elements, linear } = least;
    const { fn, arguments: given } = calls[index]!;
    const own = fault.stack.length === 1 && fault.stack[0]!.function === fn;
    const pointers = own ? pointersOfCheck(fn, fault.command.condition) : undefined;
    if (pointers && pointers.size > 0 && !pointers.has(fn.parameters[pointer]!)) return false;
    const needed = (values: readonly bigint[]): bigint =>
      elements === undefined ? elementsFor(linear, values) : BigInt(elements);
    const most = Math.min(limits.elements, Math.floor(limits.bytes / this.elementBytes(fn, pointer)!));
    const now = counts.map((at) => BigInt(scalarOf(given[at]!)));
    const values = needed(now) <= BigInt(most) ? now : counts.map(() => 2n);
    const object = this.objectOf(fn, pointer, Number(needed(values)), 0);
    if (!object) return true;
    const args = given.map((argument, at): Argument => {
      if (at === pointer) return object;
      const { type } = fn.parameters[at]!;
      const value = values[counts.indexOf(at)];
      return value === undefined || type.kind !== 'integer'
        ? argument
        : { kind: 'scalar', value: isWide(type) ? value : Number(value) };
    });
    this.tried++;
    const again = faultOf(
      this.runner.run({ ...rest, calls: calls.with(index, { fn, arguments: args }) }, { stepLimit: limits.steps }),
    );
    return (
      !again ||
      !failsAlike(again, fault) ||
      again.command.text !== fault.command.text ||
      subjectOf(again) !== subjectOf(fault)
    );
  }

  /** True if the call keeps the preconditions found so far. */
  permits(fn: FunctionDefinition, args: readonly ConcreteValue[], { memory }: Machine): boolean {
    return (this.found.get(fn) ?? []).every((least) => {
      const block = memory.block(args[least.pointer]!);
      return this.isKept(fn, least, (block?.sizeBytes ?? 0) - (block ? offsetBytes(args[least.pointer]!) : 0), (at) =>
        BigInt(args[at] as number | bigint),
      );
    });
  }

  get preconditions(): readonly Pick<Precondition, 'function' | 'text'>[] {
    return this.program.functions.flatMap((fn) =>
      (this.found.get(fn) ?? []).map((least) => ({ function: fn.name, text: this.text(fn, least) })),
    );
  }

  private text({ parameters }: FunctionDefinition, { pointer, counts, elements, linear }: Least): string {
    const names = counts.map((at) => parameters[at]!.name);
    return `PROVEST_LENGTH(${parameters[pointer]!.name}) >= ${elements ?? lengthText(linear, names)}`;
  }

  private isKept(
    fn: FunctionDefinition,
    { pointer, counts, elements, linear }: Least,
    bytes: number,
    valueOf: (at: number) => bigint,
  ): boolean {
    const length = BigInt(Math.floor(Math.max(0, bytes) / this.elementBytes(fn, pointer)!));
    return length >= (elements === undefined ? elementsFor(linear, counts.map(valueOf)) : BigInt(elements));
  }

  /** With ample objects in the other calls: each of two objects that are too short may hide the other. */
  private leastBesideOthers(scenario: Scenario, index: number, pointer: number, isFailing: boolean): Least | undefined {
    const calls = scenario.calls.map((call, i) =>
      i === index ? call : { ...call, arguments: call.arguments.map((one, at) => this.longer(one, call.fn, at)) },
    );
    const isSame = calls.every((call, i) =>
      call.arguments.every((one, at) => one === scenario.calls[i]!.arguments[at]),
    );
    return isSame ? undefined : this.leastFor({ ...scenario, calls }, index, pointer, isFailing);
  }

  /**
   * `data + n` is behind every object for a number of which no object has as many elements; with fewer, the sum alone
   * fails nowhere, and no experiment tells how long an object it needs.
   */
  private leastOfArithmetic(scenario: Scenario, index: number, pointer: number): Least | undefined {
    const { fn, arguments: given } = scenario.calls[index]!;
    const bytes = this.elementBytes(fn, pointer);
    if (bytes === undefined || this.lengthOf(given[pointer]!, fn, pointer) === undefined) return undefined;
    const numbers = numbersBeside(pointer, fn, given);
    const attempt = new Attempt(
      scenario,
      index,
      pointer,
      (other) => this.fails(other),
      (elements, filling) => this.objectOf(fn, pointer, elements, filling),
    );
    for (const at of numbers) {
      const least: Least = { pointer, counts: [at], elements: undefined };
      if (BigInt(scalarOf(given[at]!)) * BigInt(bytes) <= BigInt(largestObject(this.program.dataModel))) continue;
      if (attempt.fails(1n, []) !== true || this.isContradicted(fn, least)) continue;
      const fitting = [1n, 2n, 7n];
      if (
        fitting.every((value) => attempt.isHarmless(value, [[at, value]])) &&
        this.areOthersHarmless(attempt, numbers, [at], given, 7n, [[at, 7n]])
      )
        return least;
    }
    return undefined;
  }

  private leastFor(scenario: Scenario, index: number, pointer: number, isFailing: boolean): Least | undefined {
    const { fn, arguments: given } = scenario.calls[index]!;
    const length = this.lengthOf(given[pointer]!, fn, pointer);
    if (length === undefined) return undefined;
    const numbers = numbersBeside(pointer, fn, given);
    const ample = {
      ...scenario,
      calls: scenario.calls.with(index, {
        fn,
        arguments: given.map((argument, at) => (at === pointer ? argument : this.ample(argument, fn, at))),
      }),
    };
    const attemptFrom = (base: Scenario): Attempt =>
      new Attempt(
        base,
        index,
        pointer,
        (other) => this.fails(other),
        (elements, filling) => this.objectOf(fn, pointer, elements, filling),
      );
    const attempt = attemptFrom(ample);
    // A function that fills another buffer as well stops at its end.
    const amongAmple = (at: number): Attempt =>
      attemptFrom({
        ...ample,
        calls: ample.calls.with(index, {
          fn,
          arguments: ample.calls[index]!.arguments.map((argument, other) =>
            other !== at && numbers.includes(other) ? this.ampleNumber(fn, other) : argument,
          ),
        }),
      });
    const candidates: readonly number[][] = [
      ...numbers.map((at) => [at]),
      ...numbers.flatMap((a, i) => numbers.slice(i).map((b) => [a, b])),
    ];
    for (const counts of candidates) {
      const least: Least = { pointer, counts, elements: undefined };
      const now = counts.map((at) => BigInt(scalarOf(given[at]!)));
      const total = now.reduce((a, b) => a * b, 1n);
      if (total <= BigInt(length) || now.some((value) => value < 0n) || this.isContradicted(fn, least)) continue;
      const [first, second] = counts as [number, number?];
      if (second !== undefined && first === second) {
        const [x] = now as [bigint, bigint];
        // Rows and columns: without the last row the call fails; without its last element it need not.
        const needsAllRows = (side: bigint): boolean =>
          attempt.fails(side * side - side, [[first, side]]) === true &&
          attempt.isHarmless(side * side, [[first, side]]);
        const isSquare = needsAllRows(x) && needsAllRows(x + 1n) && attempt.isHarmless(1n, [[first, 1n]]);
        if (isSquare && this.areOthersHarmless(attempt, numbers, counts, given, total)) return least;
        continue;
      }
      if (second !== undefined) {
        const [x, y] = now as [bigint, bigint];
        const isProduct =
          attempt.hangsOn(total, []) &&
          attempt.isHarmless((x + 1n) * y, [[first, x + 1n]]) &&
          attempt.isHarmless(x * (y + 1n), [[second, y + 1n]]);
        const areSmallerHarmless = (): boolean =>
          [
            [1n, 1n],
            [1n, y],
            [x, 1n],
          ].every(([a, b]) =>
            attempt.isHarmless(a! * b!, [
              [first, a!],
              [second, b!],
            ]),
          );
        if (isProduct && areSmallerHarmless() && this.areOthersHarmless(attempt, numbers, counts, given, total))
          return least;
        continue;
      }
      // Not one that happens to be as large, nor one of several that count.
      const isCauseIn = (attempt: Attempt, value: bigint, filling = 0): boolean => {
        if (!attempt.hangsOn(value, [[first, value]], filling)) return false;
        const later = value + 5n;
        if (
          first === pointer + 1
            ? !attempt.isHarmless(later, [[first, later]])
            : !attempt.hangsOn(later, [[first, later]], filling)
        )
          return false;
        const areSmallerHarmless = [1n, 2n, value - 1n].every(
          (smaller) => smaller >= value || attempt.isHarmless(smaller, [[first, smaller]]),
        );
        return areSmallerHarmless && this.areOthersHarmless(attempt, numbers, counts, given, value, [[first, value]]);
      };
      // Mostly a number that is just too large fails, too; where one element is enough, the failure hangs on null
      // alone.
      const values = [BigInt(Math.max(length + 1, 2)), total].filter((value) => value > 1n);
      if (values.some((value) => isCauseIn(attempt, value))) return least;
      // A buffer that is kept: this execution need not come to its last element.
      const isKept = !isFailing && first === pointer + 1;
      const isEnough = (): boolean =>
        [...values, total + 5n].every((value) => attempt.isHarmless(value, [[first, value]])) &&
        this.areOthersHarmless(attempt, numbers, counts, given, total, [[first, total]]);
      if (isKept && length > 0 && attempt.fails(BigInt(length), [[first, total]]) === true && isEnough()) return least;
      if (
        numbers.length > 1 &&
        values.some((value) => value <= limits.constant && isCauseIn(amongAmple(first), value, fillings[1]))
      )
        return least;
    }
    for (const at of numbers) {
      for (const lengthIn of [linearIn, groupedIn]) {
        const linear = lengthIn(attempt, at);
        const least: Least | undefined = linear && { pointer, counts: [at], elements: undefined, linear };
        if (!least || this.isContradicted(fn, least)) continue;
        const value = 3n;
        const elements = elementsFor(linear, [value]);
        if (this.areOthersHarmless(attempt, numbers, [at], given, elements, [[at, value]])) return least;
      }
    }
    const declared = isFailing ? this.declaredLeast(attempt, fn, pointer, numbers, length) : undefined;
    if (declared) return declared;
    const to = pointee(fn, pointer)!;
    const elements =
      !isFailing || to.kind === 'record' || (isText(fn, pointer) && attempt.isHarmlessText())
        ? undefined
        : attempt.leastConstant(length, numbers);
    const least: Least | undefined =
      elements === undefined ||
      elements === 1 ||
      !this.isInText(fn, elements, pointer) ||
      !this.isEnoughBesideTexts(scenario, index, pointer, elements)
        ? undefined
        : { pointer, counts: [], elements };
    return least && !this.isContradicted(fn, least) ? least : undefined;
  }

  /** `out[4]`: as many elements as the parameter is declared with, if they are enough whatever the numbers are. */
  private declaredLeast(
    attempt: Attempt,
    fn: FunctionDefinition,
    pointer: number,
    numbers: readonly number[],
    length: number,
  ): Least | undefined {
    const declared = fn.ctype.kind === 'function' ? fn.ctype.parameters[pointer]?.declaredLength : undefined;
    if (declared === undefined || declared <= BigInt(Math.max(1, length)) || declared > limits.constant)
      return undefined;
    const least: Least = { pointer, counts: [], elements: Number(declared) };
    const isEnough = attempt.fails(BigInt(length), []) === true && attempt.isEnough(declared, numbers);
    return isEnough && !this.isContradicted(fn, least) ? least : undefined;
  }

  /** A number that the C counts to, or sizes, or takes as an index. Any other is that of one execution. */
  private isInText(fn: FunctionDefinition, elements: number, pointer: number): boolean {
    const elementBytes = this.elementBytes(fn, pointer)!;
    const { compared, sizes, offsets } = constantsFor(fn, pointer, this.program);
    return (
      [elements - 1, elements, elements + 1].some((number) => compared.has(BigInt(number))) ||
      [elements, elements * elementBytes].some((number) => sizes.has(BigInt(number))) ||
      offsets.has(BigInt((elements - 1) * elementBytes))
    );
  }

  /** A copy of a text there is as long as the text. */
  private isEnoughBesideTexts(scenario: Scenario, index: number, pointer: number, elements: number): boolean {
    const { fn, arguments: given } = scenario.calls[index]!;
    const besideTexts = given.map((argument, at) =>
      at !== pointer && isText(fn, at) ? this.objectOf(fn, at, 2 * limits.constant, textFilling)! : argument,
    );
    return (
      this.fails({
        ...scenario,
        calls: scenario.calls.with(index, {
          fn,
          arguments: besideTexts.with(pointer, this.objectOf(fn, pointer, elements, 0)!),
        }),
      }) === false
    );
  }

  /** The numbers that do not count for the length may be others. */
  private areOthersHarmless(
    attempt: Attempt,
    numbers: readonly number[],
    counts: readonly number[],
    given: readonly Argument[],
    elements: bigint,
    changed: readonly (readonly [number, bigint])[] = [],
  ): boolean {
    return numbers.every(
      (at) =>
        counts.includes(at) ||
        [0n, 1n, 2n, BigInt(scalarOf(given[at]!)) + 3n].every((other) =>
          attempt.isHarmless(elements, [...changed, [at, other]]),
        ),
    );
  }

  /** Somewhere, by looking where nothing is; undefined when a client may not do it. */
  private fails(scenario: Scenario): boolean | undefined {
    if (++this.tried > limits.runs) return undefined;
    const run = this.runner.run(scenario, { stepLimit: limits.steps });
    if (!run) return undefined;
    const again = faultOf(run);
    // A run that was cut short may look there yet.
    return again ? isAboutPlace(again) && !this.isKnown(again) : run.outcome.kind === 'returned' ? false : undefined;
  }

  /** So long that a failure is none of this object's; it begins as before. */
  private ample(argument: Argument, fn: FunctionDefinition, at: number): Argument {
    const to = pointee(fn, at)?.kind;
    const isObject =
      argument.kind === 'object' ||
      (argument.kind === 'scalar' && argument.value === 0 && (to === 'integer' || to === 'float' || to === 'void'));
    const bytes = isObject && to !== 'record' ? this.elementBytes(fn, at) : undefined;
    const ample = bytes === undefined ? undefined : this.objectOf(fn, at, Math.floor(limits.ampleBytes / bytes), 0);
    if (ample?.kind !== 'object') return argument;
    return argument.kind === 'object' ? { ...ample, contents: beginningOf(argument, pointee(fn, at)!) } : ample;
  }

  /** An object of the client's with numbers alone, made ample. */
  private longer(argument: Argument, fn: FunctionDefinition, at: number): Argument {
    return argument.kind === 'object' ? this.ample(argument, fn, at) : argument;
  }

  /** As many elements as the objects beside it have. */
  private ampleNumber({ parameters }: FunctionDefinition, at: number): Argument {
    const { type } = parameters[at]!;
    const number = Math.min(limits.ampleBytes / 8, type.kind === 'integer' ? 2 ** (type.widthBits - 1) - 1 : Infinity);
    return { kind: 'scalar', value: type.kind === 'integer' && isWide(type) ? BigInt(number) : number };
  }

  /**
   * Elements of the object that is passed, none for null; undefined when it is none that the client can make longer.
   */
  private lengthOf(argument: Argument, fn: FunctionDefinition, at: number): number | undefined {
    const bytes = this.elementBytes(fn, at);
    if (bytes === undefined) return undefined;
    if (argument.kind === 'scalar') return argument.value === 0 ? 0 : undefined;
    if (argument.kind === 'object') return Math.floor((sizeOf(argument.type, this.program.dataModel) ?? 0) / bytes);
    return undefined;
  }

  private elementBytes(fn: FunctionDefinition, at: number): number | undefined {
    const to = pointee(fn, at);
    return to && to.kind !== 'function' && !(to.kind === 'record' && this.isOthers(to))
      ? elementSizeOf(to, this.program.dataModel)
      : undefined;
  }

  /** Structures that the module makes, or sets up, come one by one. */
  private isOthers(type: CType & { kind: 'record' }): boolean {
    return !type.record.complete;
  }

  private objectOf(fn: FunctionDefinition, at: number, elements: number, filling: number): Argument | undefined {
    const to = pointee(fn, at)!;
    const of: CType =
      to.kind === 'void'
        ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false }
        : { ...to, const: false };
    if (elements * this.elementBytes(fn, at)! > limits.bytes) return undefined;
    const contents: Plain =
      filling === textFilling
        ? 'A'.repeat(elements - 1)
        : isCharacter(of) && filling !== 0
          ? String.fromCharCode(filling).repeat(elements)
          : [];
    return elements === 0
      ? { kind: 'scalar', value: 0 }
      : { kind: 'object', type: { kind: 'array', of, length: elements }, contents };
  }

  /** A test passes less. */
  private isContradicted(fn: FunctionDefinition, least: Least): boolean {
    return this.runs.some((run) => {
      const made = run.flatMap((operation) => (operation.kind === 'allocate' ? [operation.type] : []));
      return run.some((operation) => {
        if (operation.kind !== 'call' || operation.function !== fn.name) return false;
        const passed = operation.arguments[least.pointer];
        if (passed === undefined) return false;
        const bytes =
          'allocation' in passed
            ? (sizeOf(parseType(made[passed.allocation]!, this.program), this.program.dataModel) ?? 0) - passed.offset
            : 'object' in passed && passed.object === 0
              ? 0
              : undefined;
        return bytes !== undefined && !this.isKept(fn, least, bytes, (at) => integerOf(operation.arguments[at]));
      });
    });
  }
}

/** Elements of an array; the rest is 0. */
/** `element`: what the parameter leads to, which may be an array itself; the object may be a longer one. */
function beginningOf(
  { type, contents }: Extract<Argument, { kind: 'object' }>,
  element: CType,
  most = Infinity,
): Plain {
  if (type.kind !== 'array') return [contents];
  if (element.kind === 'array' && isSameType(type.of, element.of))
    return [Array.isArray(contents) ? contents.slice(0, element.length) : contents];
  return Array.isArray(contents) ? contents.slice(0, most) : contents;
}

function isText(fn: FunctionDefinition, at: number): boolean {
  const to = pointee(fn, at);
  return to?.kind === 'integer' && to.name === 'char';
}

/** A product says more than its factors, and a number more than a smaller one. */
function saysMore({ pointer, counts, elements }: Least, other: Least): boolean {
  if (other.pointer !== pointer) return false;
  return elements === undefined
    ? other.counts.length > 0 && other.counts.every((at) => counts.includes(at))
    : other.elements !== undefined && other.elements <= elements;
}

/** The place that is accessed: one check of a call may be about several pointers. */
const subjectOf = ({ message }: Fault): string => message.replace(/: offset [^]*$/, '');

const isAboutPlace = ({ check }: Fault): boolean =>
  check === 'dereference' || check === 'array-bounds' || check === 'null-dereference' || check === 'pointer-arithmetic';
/** Lengths stand beside the pointer, most often behind it. */
const numbersBeside = (
  pointer: number,
  { parameters }: FunctionDefinition,
  given: readonly Argument[],
): readonly number[] =>
  parameters
    .flatMap(({ type, ctype }, at) =>
      type.kind === 'integer' && ctype?.kind === 'integer' && ctype.name !== 'bool' && given[at]!.kind === 'scalar'
        ? [at]
        : [],
    )
    .sort((a, b) => distance(pointer, a) - distance(pointer, b));
const distance = (pointer: number, number: number): number =>
  number > pointer ? number - pointer : 2 * (pointer - number) + 1;
const integerOf = (value: HostValue | undefined): bigint =>
  value !== undefined && 'integer' in value ? BigInt(value.integer) : 0n;
