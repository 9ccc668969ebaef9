/**
 * Likely preconditions: what all calls of a function by the tests have in common, as M. Ernst et al. infer likely
 * invariants (Daikon, ICSE 1999). They are no specifications and exclude nothing: a failure of a client that keeps them
 * is reported before one that needs a client which no test resembles, and searches try such clients first.
 */
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import { type Scenario, type ScenarioOptions, ScenarioRunner } from '../../evidence/scenarios/scenario';
import type { FunctionDefinition } from '../../program/program';
import { passedStructure } from '../../program/passedStructure';
import { int8 } from '../../program/expression';
import { type ConcreteValue, objectNumber, offsetBytes, pointerTo } from '../../semantics/concrete/concreteValues';
import type { Machine } from '../../semantics/concrete/machine';
import { elementBytes } from '../../semantics/pointers/clientObjects';
import type { Problem } from '../problem';

const limits = {
  /** Edges of a run that is watched. */
  steps: 200_000,
  /** Bytes of one object in which a 0 is looked for, or contents are compared with 0. */
  bytes: 65_536,
  /** Calls of tests that are looked at. */
  calls: 2_000,
} as const;

/** A number that a parameter is, or, with `behind`, that it leads to. */
export interface CountPlace {
  readonly parameter: number;
  readonly isBehind: boolean;
}

/**
 * So many elements lie behind the pointer at least: as many as the number says, and `more`. One test at least passes no
 * more than one element above that, or the number would count something else.
 */
export interface LikelyLength {
  readonly pointer: number;
  readonly count: CountPlace;
  readonly more: 0 | 1;
  /** In each call of the tests it is the number of elements, and not that of one of them. */
  readonly isExact: boolean;
}

/** A buffer has as many elements for each that a number counts as in tests: `elements` of them for `number`. */
interface LikelyProportion {
  readonly pointer: number;
  readonly count: CountPlace;
  readonly elements: bigint;
  readonly number: bigint;
}

/** Two pointers into one object; with `behind`, the pointer that a parameter leads to. */
export interface LikelyJoined {
  readonly first: CountPlace;
  readonly second: CountPlace;
}

/** The object that one call passes for a pointer. */
interface Passed {
  readonly object: number;
  /** Elements from where it points to the end of the object. */
  readonly elements: number;
  /** Characters before the first 0; undefined if there is none, or for what is no character. */
  readonly characters: number | undefined;
  /** No earlier call got the object, and the module did not make it. */
  readonly isFirst: boolean;
  /** It leads to the object's first byte. */
  readonly isBeginning: boolean;
  /** A structure of which all that was written is 0. */
  readonly isBlank: boolean;
}

interface ObservedCall {
  readonly fn: FunctionDefinition;
  readonly passed: readonly (Passed | undefined)[];
  /** By `keyOf`. */
  readonly numbers: ReadonlyMap<string, bigint>;
  /** Objects, by `keyOf`. */
  readonly objects: ReadonlyMap<string, number>;
}

/** The likely preconditions of one function. */
interface OfFunction {
  /** Calls that they were inferred from. */
  readonly calls: number;
  readonly lengths: readonly LikelyLength[];
  readonly proportions: readonly LikelyProportion[];
  readonly joined: readonly LikelyJoined[];
  /** Numbers of which no test passes a negative one, by key. */
  readonly nonNegative: ReadonlySet<string>;
  readonly nonNull: ReadonlySet<number>;
  /** Texts that end in a 0. */
  readonly texts: ReadonlySet<number>;
  /** Elements of the shortest array that was passed, where no number counts them. */
  readonly least: ReadonlyMap<number, number>;
  /** Objects that another call got before, or made. */
  readonly known: ReadonlySet<number>;
  /** Pointers behind the beginning of their object. */
  readonly within: ReadonlySet<number>;
  /** Structures that hold nothing but 0 when the first call gets them. */
  readonly blank: ReadonlySet<number>;
}

const keyOf = ({ parameter, isBehind }: CountPlace): string => `${isBehind ? '*' : ''}${parameter}`;
const placeOf = (key: string): CountPlace => ({
  parameter: Number(key.replace('*', '')),
  isBehind: key.startsWith('*'),
});

const known = new WeakMap<Problem, LikelyPreconditions>();

export class LikelyPreconditions {
  private constructor(
    private readonly functions: ReadonlyMap<FunctionDefinition, OfFunction>,
    private readonly problem: Problem,
  ) {}

  static of(problem: Problem): LikelyPreconditions {
    const { whole } = problem;
    let found = known.get(whole);
    if (!found) known.set(whole, (found = new LikelyPreconditions(inferred(whole), whole)));
    return found;
  }

  /** True if tests have shown nothing. */
  get isEmpty(): boolean {
    return this.functions.size === 0;
  }

  /** Number of calls of the function by passing tests, as far as they were looked at. */
  callsOf(fn: FunctionDefinition): number {
    return this.functions.get(fn)?.calls ?? 0;
  }

  lengthsOf(fn: FunctionDefinition): readonly LikelyLength[] {
    return this.functions.get(fn)?.lengths ?? [];
  }

  joinedOf(fn: FunctionDefinition): readonly LikelyJoined[] {
    return this.functions.get(fn)?.joined ?? [];
  }

  leastOf(fn: FunctionDefinition): ReadonlyMap<number, number> {
    return this.functions.get(fn)?.least ?? new Map();
  }

  /** The first of them that a call of the scenario breaks, in words; undefined for none. */
  broken(scenario: Scenario): string | undefined {
    if (this.isEmpty) return undefined;
    const stranger = scenario.calls.find(({ fn }) => !this.functions.has(fn));
    if (stranger) return `no test calls ${stranger.fn.name}`;
    const options = this.problem.scenarioOptions();
    const { dataModel } = this.problem.program;
    let found: string | undefined;
    const seen = new Set<number>();
    const permits: ScenarioOptions['permits'] = (fn, args, machine) => {
      if (!options.permits(fn, args, machine)) return false;
      const call = observe(fn, args, machine, seen, dataModel);
      found ??= brokenBy(call, this.functions.get(fn)!);
      return true;
    };
    new ScenarioRunner(this.problem.program, { ...options, permits }).run(scenario, { stepLimit: limits.steps });
    return found;
  }
}

function inferred(problem: Problem): ReadonlyMap<FunctionDefinition, OfFunction> {
  const { program, task } = problem;
  const calls = new Map<FunctionDefinition, ObservedCall[]>();
  if (task.mode === 'program') return new Map();
  let left: number = limits.calls;
  for (const run of task.runs) {
    const instance = problem.instance();
    const seen = new Set<number>();
    for (const operation of run) {
      if (leavesTheClient(operation, program) !== undefined) break;
      const fn =
        operation.kind === 'call' ? problem.callable.find(({ name }) => name === operation.function) : undefined;
      if (operation.kind === 'call' && fn && left-- > 0) {
        const { machine } = instance;
        const call = observe(fn, instance.argumentsOf(operation), machine, seen, program.dataModel);
        const outcome = instance.redo(operation);
        // A failing test shows nothing that clients do.
        if (outcome?.kind !== 'returned') break;
        calls.set(fn, [...(calls.get(fn) ?? []), call]);
        continue;
      }
      const outcome = instance.redo(operation);
      if (outcome && outcome.kind !== 'returned') break;
    }
  }
  return new Map([...calls].map(([fn, all]) => [fn, inCommon(fn, all)]));
}

/** `seen`: objects that calls before got; those of this call are added. */
function observe(
  fn: FunctionDefinition,
  args: readonly ConcreteValue[],
  { memory }: Machine,
  seen: Set<number>,
  model: Problem['program']['dataModel'],
): ObservedCall {
  const numbers = new Map<string, bigint>();
  const objects = new Map<string, number>();
  const passed = fn.parameters.map((parameter, at): Passed | undefined => {
    const value = args[at]!;
    const { type, ctype } = parameter;
    if (type.kind === 'integer' && isCount(ctype)) numbers.set(String(at), BigInt(value));
    const block = type.kind === 'pointer' && value !== 0 ? memory.block(value) : undefined;
    if (!block || ctype?.kind !== 'pointer' || passedStructure(fn, parameter)) return undefined;
    const { to } = ctype;
    const sizeBytes = Math.max(0, block.sizeBytes - offsetBytes(value));
    const toBytes = sizeOf(to, model) ?? 0;
    const isWhole = toBytes > 0 && sizeBytes >= toBytes && memory.isInitialised(value, toBytes) !== 0;
    if (isWhole && to.kind === 'integer' && isCount(to)) numbers.set(`*${at}`, BigInt(memory.load(value, to)));
    objects.set(String(at), block.number);
    if (isWhole && to.kind === 'pointer' && to.to.kind !== 'function') {
      const inner = memory.block(memory.load(value, { kind: 'pointer' }));
      if (inner) objects.set(`*${at}`, inner.number);
    }
    const byteAt = (i: number): ConcreteValue | undefined => {
      const place = pointerTo(objectNumber(value), offsetBytes(value) + i);
      return memory.isInitialised(place, 1) === 0 ? undefined : memory.load(place, int8);
    };
    const isStructure = to.kind === 'record';
    const bytes = Math.min(sizeBytes, limits.bytes);
    return {
      object: block.number,
      elements: Math.floor(sizeBytes / elementBytes(to, model)),
      characters: isCharacters(to) ? indexWhere(bytes, (i) => byteAt(i) === 0) : undefined,
      isFirst: block.kind === 'host' && !seen.has(block.number),
      isBeginning: offsetBytes(value) === 0,
      isBlank: isStructure && indexWhere(bytes, (i) => (byteAt(i) ?? 0) !== 0) === undefined,
    };
  });
  for (const one of passed) if (one) seen.add(one.object);
  return { fn, passed, numbers, objects };
}

function inCommon(fn: FunctionDefinition, calls: readonly ObservedCall[]): OfFunction {
  const places = fn.parameters.map((_, at) => at);
  const passedAt = (at: number): readonly Passed[] => calls.flatMap(({ passed }) => passed[at] ?? []);
  const targetOf = (at: number): CType | undefined => {
    const ctype = fn.parameters[at]!.ctype;
    return ctype?.kind === 'pointer' ? ctype.to : undefined;
  };
  const isExactText = (at: number): boolean =>
    passedAt(at).every(({ elements, characters }) => elements === (characters ?? -1) + 1);
  const pointers = places.filter((at) => passedAt(at).length > 0 && targetOf(at)?.kind !== 'record');
  const lengths = pointers.flatMap((pointer) =>
    [...calls[0]!.numbers.keys()].flatMap((key): readonly LikelyLength[] => {
      const count = placeOf(key);
      if (count.parameter === pointer) return [];
      const said = calls.map(({ numbers }) => numbers.get(key));
      const room = calls.flatMap(({ passed }, i) =>
        passed[pointer] && said[i] !== undefined ? [BigInt(passed[pointer].elements) - said[i]] : [],
      );
      const isCounting =
        said.every((number) => number !== undefined && number >= 0n) &&
        said.some((number, i) => number! > 0n && calls[i]!.passed[pointer]) &&
        room.every((more) => more >= 0n) &&
        room.some((more) => more <= 1n);
      if (!isCounting) return [];
      const hasEnd = !targetOf(pointer)?.const && !isExactText(pointer) && room.every((more) => more >= 1n);
      const isExact = calls.every(({ passed }, i) => {
        const { elements, characters = elements } = passed[pointer] ?? {};
        return elements === undefined || [elements, characters].some((size) => BigInt(size!) === said[i]);
      });
      return [{ pointer, count, more: hasEnd && room.some((more) => more === 1n) ? 1 : 0, isExact }];
    }),
  );
  // An encoder writes more than it reads, a formatter as much as it likes.
  const proportions = pointers.flatMap((pointer) =>
    [...calls[0]!.numbers.keys()].flatMap((key): readonly LikelyProportion[] => {
      const count = placeOf(key);
      if (count.parameter === pointer || targetOf(pointer)?.const) return [];
      const pairs = calls.flatMap(({ passed, numbers }) =>
        passed[pointer] ? [{ elements: BigInt(passed[pointer].elements), number: numbers.get(key) ?? -1n }] : [],
      );
      if (pairs.some(({ elements, number }) => number <= 0n || elements <= number)) return [];
      // A number that counts is not the only one that changes.
      if (new Set(pairs.map(({ elements }) => elements)).size < 2) return [];
      const least = pairs.reduce((a, b) => (b.elements * a.number < a.elements * b.number ? b : a));
      return lengths.some((one) => one.pointer === pointer && keyOf(one.count) === key)
        ? []
        : [{ pointer, count, ...least }];
    }),
  );
  const isCounted = (at: number): boolean => lengths.some(({ pointer }) => pointer === at);
  const isText = (at: number): boolean => passedAt(at).every(({ characters }) => characters !== undefined);
  const keys = [...calls[0]!.objects.keys()];
  const joined = keys.flatMap((first, i) =>
    keys
      .slice(i + 1)
      .flatMap((second): readonly LikelyJoined[] =>
        calls.every(({ objects }) => objects.has(first) && objects.get(first) === objects.get(second))
          ? [{ first: placeOf(first), second: placeOf(second) }]
          : [],
      ),
  );
  const structures = places.filter((at) => passedAt(at).length > 0 && targetOf(at)?.kind === 'record');
  return {
    calls: calls.length,
    lengths,
    proportions,
    joined,
    nonNegative: new Set(
      [...calls[0]!.numbers.keys()].filter((key) => calls.every(({ numbers }) => (numbers.get(key) ?? 0n) >= 0n)),
    ),
    nonNull: new Set(places.filter((at) => targetOf(at) !== undefined && passedAt(at).length === calls.length)),
    texts: new Set(pointers.filter((at) => isText(at) && !isCounted(at))),
    least: new Map(
      pointers
        .filter((at) => !isCounted(at) && !(isText(at) && (targetOf(at)!.const || isExactText(at))))
        .map((at) => [at, Math.min(...passedAt(at).map(({ elements }) => elements))]),
    ),
    known: new Set([...pointers, ...structures].filter((at) => passedAt(at).every(({ isFirst }) => !isFirst))),
    within: new Set(pointers.filter((at) => passedAt(at).every(({ isBeginning }) => !isBeginning))),
    blank: new Set(structures.filter((at) => passedAt(at).every(({ isFirst, isBlank }) => !isFirst || isBlank))),
  };
}

function brokenBy(
  { fn, passed, numbers, objects }: ObservedCall,
  { lengths, proportions, joined, nonNegative, nonNull, texts, least, known, within, blank }: OfFunction,
): string | undefined {
  const nameOf = ({ parameter, isBehind }: CountPlace): string =>
    `${isBehind ? '*' : ''}${fn.parameters[parameter]!.name}`;
  for (const { pointer, count, more } of lengths) {
    const [one, said] = [passed[pointer], numbers.get(keyOf(count))];
    if (one && said !== undefined && BigInt(one.elements) < said + BigInt(more))
      return `${fn.name}: ${fn.parameters[pointer]!.name} is shorter than ${nameOf(count)} says`;
  }
  for (const { pointer, count, elements, number } of proportions) {
    const [one, said] = [passed[pointer], numbers.get(keyOf(count))];
    if (one && said !== undefined && said > 0n && BigInt(one.elements) * number < said * elements)
      return `${fn.name}: ${fn.parameters[pointer]!.name} is short beside ${nameOf(count)}`;
  }
  for (const key of nonNegative)
    if ((numbers.get(key) ?? 0n) < 0n) return `${fn.name}: ${nameOf(placeOf(key))} is negative`;
  for (const { first, second } of joined)
    if (objects.has(keyOf(first)) && objects.get(keyOf(first)) !== objects.get(keyOf(second)))
      return `${fn.name}: ${nameOf(first)} and ${nameOf(second)} lead to different objects`;
  for (const [at, one] of passed.entries()) {
    const { name } = fn.parameters[at]!;
    if (!one) {
      if (nonNull.has(at)) return `${fn.name}: ${name} is null`;
      continue;
    }
    if (texts.has(at) && one.characters === undefined) return `${fn.name}: ${name} does not end in a 0`;
    if (one.elements < (least.get(at) ?? 0)) return `${fn.name}: ${name} is shorter than in tests`;
    if (known.has(at) && one.isFirst) return `${fn.name}: ${name} was passed to no other call`;
    if (within.has(at) && one.isBeginning) return `${fn.name}: ${name} leads to a beginning`;
    if (blank.has(at) && one.isFirst && !one.isBlank) return `${fn.name}: ${name} holds something`;
  }
  return undefined;
}

const isCount = (type: CType | undefined): boolean =>
  type?.kind === 'integer' && type.name !== 'bool' && type.widthBits > 8;
const isCharacters = (type: CType): boolean => type.kind === 'integer' && type.widthBits === 8 && type.name !== 'bool';

function indexWhere(length: number, holds: (index: number) => boolean): number | undefined {
  for (let i = 0; i < length; i++) if (holds(i)) return i;
  return undefined;
}
