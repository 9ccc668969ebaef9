/**
 * Scenarios of the tests: the random search goes on from them, as coverage-guided fuzzers go on from seed inputs (M.
 * Zalewski, AFL; K. Serebryany, libFuzzer). One for each call that returned, with everything before it. A test is
 * followed as far as a client could do the same with values and objects of its own; these may lead to each other.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import type { CType } from '../../c/types';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import type { Argument, Call, EnvironmentAnswer, Scenario } from '../../evidence/scenarios/scenario';
import type { HostAddress } from '../../host/layout';
import { decode } from '../../host/values/decode';
import type { HostValue, Operation } from '../../host/operation';
import { parseType } from '../../host/typeText';
import type { Variable } from '../../program/expression';
import { pointerToArgument, pointerToFresh } from '../../plainPointer';
import type { FunctionDefinition } from '../../program/program';
import { elementBytes } from '../../semantics/pointers/clientObjects';
import { isWide, type ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Plain } from '../../verdict';
import type { Problem } from '../problem';

const limits = {
  /** Calls of a test that are followed. */
  calls: 256,
  /** Prefixes of one test: of a long one every other, or every third, and so on, and the whole. */
  prefixes: 32,
  /** Slices of one test. */
  slices: 48,
} as const;

export const testPrefixes = (problem: Problem): readonly Scenario[] => testSeeds(problem).prefixes;

/** Clients to go on from. */
export interface TestSeeds {
  readonly prefixes: readonly Scenario[];
  /** Single calls of the tests with those that made their objects: tests of one file mostly share a run. */
  readonly slices: readonly Scenario[];
  /** CFA edges of one call of the tests, on average. */
  readonly edgesOfCall: number;
}

export function testSeeds(problem: Problem): TestSeeds {
  if (problem.task.mode === 'program') return { prefixes: [], slices: [], edgesOfCall: 0 };
  const all = problem.task.runs.map((run) => followed(problem, run));
  const calls = all.reduce((sum, { prefixes }) => sum + prefixes.length, 0);
  const edges = all.reduce((sum, one) => sum + one.edges, 0);
  return {
    prefixes: all.flatMap(({ prefixes }) => some(prefixes)),
    slices: all.flatMap(({ prefixes }) => slicesOf(prefixes)),
    edgesOfCall: calls === 0 ? 0 : Math.ceil(edges / calls),
  };
}

/** Each once, however often a test makes the call. */
function slicesOf(prefixes: readonly Scenario[]): readonly Scenario[] {
  const found = new Map<string, Scenario>();
  const whole = prefixes.at(-1)?.calls.length;
  for (const prefix of prefixes) {
    const slice = sliceTo(prefix, prefix.calls.length - 1);
    if (slice.calls.length === whole) continue;
    const key = keyOf(slice);
    if (found.size < limits.slices) found.set(key, slice);
  }
  return [...found.values()];
}

/** The same for the same calls. Types stand as text: one of a structure may lead back to itself. */
function keyOf({ calls }: Scenario): string {
  const described = calls.map(({ fn, arguments: given }) => [
    fn.name,
    ...given.map((one) =>
      one.kind === 'object'
        ? { ...one, type: printType(one.type) }
        : one.kind === 'function'
          ? { ...one, fn: one.fn.name }
          : one,
    ),
  ]);
  return JSON.stringify(described, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

function sliceTo({ calls }: Scenario, last: number): Scenario {
  const needed = new Set([last]);
  for (let at = last; at >= 0; at--)
    if (needed.has(at))
      for (const argument of calls[at]!.arguments) if (argument.kind === 'earlier') needed.add(argument.call);
  const inOrder = [...needed].sort((a, b) => a - b);
  const place = new Map(inOrder.map((at, i) => [at, i]));
  return {
    calls: inOrder.map((at) => ({
      fn: calls[at]!.fn,
      arguments: calls[at]!.arguments.map((one) =>
        one.kind === 'earlier' ? { ...one, call: place.get(one.call)! } : one,
      ),
    })),
    answers: [],
  };
}

/** A failing test as a scenario, up to the call that fails; undefined where it cannot be followed so far. */
export function failingScenario(problem: Problem, run: readonly Operation[]): Scenario | undefined {
  return problem.task.mode === 'program' ? undefined : followed(problem, run).failing;
}

function some(prefixes: readonly Scenario[]): readonly Scenario[] {
  const step = Math.ceil(prefixes.length / limits.prefixes);
  return prefixes.filter((_, at) => (prefixes.length - 1 - at) % step === 0);
}

/** An object of the test's: its bytes until C gets it, and where that was. */
interface Made {
  /** Its number in the machine's memory. */
  readonly number: number;
  readonly type: CType;
  readonly bytes: Uint8Array;
  passed?: { readonly call: number; readonly argument: number } | 'inside another';
}

interface Followed {
  readonly prefixes: readonly Scenario[];
  /** CFA edges of all their calls. */
  readonly edges: number;
  /** With the call that fails. */
  readonly failing?: Scenario;
}

function followed(problem: Problem, run: readonly Operation[]): Followed {
  const { program } = problem;
  const instance = problem.instance();
  const made: Made[] = [];
  const returned = new Map<ConcreteValue, number>();
  const calls: Call[] = [];
  const answers: EnvironmentAnswer[] = [];
  const prefixes: Scenario[] = [];
  const began = instance.machine.steps;
  const end = (failing?: Scenario): Followed => ({
    prefixes,
    edges: instance.machine.steps - began,
    ...(failing && { failing }),
  });
  for (const operation of run) {
    if (leavesTheClient(operation, program) !== undefined || calls.length >= limits.calls) break;
    switch (operation.kind) {
      case 'allocate': {
        const type = parseType(operation.type, program);
        const bytes = fromHex(operation.bytes);
        made.push({
          number: instance.machine.memory.nextNumber,
          type,
          bytes: bytes.length > 0 ? bytes : new Uint8Array(sizeOf(type, program.dataModel) ?? 0),
        });
        break;
      }
      case 'write': {
        const { target } = operation;
        const object = 'allocation' in target ? made[target.allocation] : undefined;
        // A client of a scenario writes nothing that it has handed over.
        if (!object || object.passed || !('allocation' in target)) return end();
        const bytes = fromHex(operation.bytes);
        if (target.offset < 0 || target.offset + bytes.length > object.bytes.length) return end();
        object.bytes.set(bytes, target.offset);
        break;
      }
      case 'poke':
        return end();
      case 'call': {
        const fn = problem.callable.find(({ name }) => name === operation.function);
        const surroundings = { made, returned, call: calls.length, problem };
        const given = fn && argumentsOf(fn, operation.arguments, instance.argumentsOf(operation), surroundings);
        if (!fn || !given || operation.answers.length > 0) return end();
        calls.push({ fn, arguments: given });
        const outcome = instance.redo(operation);
        const scenario: Scenario = { calls: [...calls], answers: [...answers] };
        if (outcome?.kind === 'fault') return end(scenario);
        if (outcome?.kind !== 'returned') return end();
        const { value } = outcome;
        if (fn.resultVariable?.type.kind === 'pointer' && value !== undefined && value !== 0)
          returned.set(value, calls.length - 1);
        prefixes.push(scenario);
        continue;
      }
    }
    instance.redo(operation);
  }
  return end();
}

interface Surroundings {
  readonly made: readonly Made[];
  /** The last call that returned a pointer. */
  readonly returned: ReadonlyMap<ConcreteValue, number>;
  readonly call: number;
  readonly problem: Problem;
}

/** Undefined where no client could pass one of them. */
function argumentsOf(
  fn: FunctionDefinition,
  values: readonly HostValue[],
  pointers: readonly ConcreteValue[],
  surroundings: Surroundings,
): readonly Argument[] | undefined {
  const { made } = surroundings;
  // Objects may lead to those of other arguments, also later ones.
  const direct = new Map<Made, number>();
  values.forEach((value, at) => {
    const object = 'allocation' in value ? made[value.allocation] : undefined;
    if (object && !object.passed && !direct.has(object)) direct.set(object, at);
  });
  const given = fn.parameters.map((parameter, at) =>
    argumentOf(values[at], pointers[at]!, parameter, at, direct, surroundings),
  );
  return given.every((argument) => argument !== undefined) ? given : undefined;
}

function argumentOf(
  value: HostValue | undefined,
  pointer: ConcreteValue,
  parameter: Variable,
  at: number,
  direct: ReadonlyMap<Made, number>,
  { made, returned, call, problem }: Surroundings,
): Argument | undefined {
  const { type, ctype } = parameter;
  if (!value) return undefined;
  if ('integer' in value)
    return type.kind === 'integer'
      ? { kind: 'scalar', value: isWide(type) ? BigInt(value.integer) : Number(value.integer) }
      : undefined;
  if ('float' in value) return { kind: 'scalar', value: Number(value.float) };
  const by = returned.get(pointer);
  if ('object' in value) {
    if (value.object === 0 && value.offset === 0) return { kind: 'scalar', value: 0 satisfies ConcreteValue };
    return by === undefined ? undefined : { kind: 'earlier', call: by, argument: -1 };
  }
  const object = made[value.allocation]!;
  // A place within the client's object that the module returned is another one if what was passed is.
  if (by !== undefined && value.offset !== 0) return { kind: 'earlier', call: by, argument: -1 };
  const bytes = elementBytes(ctype?.kind === 'pointer' ? ctype.to : undefined, problem.program.dataModel);
  if (value.offset % bytes !== 0 || object.passed === 'inside another') return undefined;
  const index = value.offset === 0 ? {} : { index: value.offset / bytes };
  if (object.passed) return object.passed.call <= call ? { kind: 'earlier', ...object.passed, ...index } : undefined;
  const contents = contentsOf(object, made, direct, problem);
  if (contents === undefined) return undefined;
  object.passed = { call, argument: at };
  return { kind: 'object', type: object.type, contents, ...index };
}

/** Undefined for what leads to an object that another call got. */
function contentsOf(
  object: Made,
  made: readonly Made[],
  direct: ReadonlyMap<Made, number>,
  problem: Problem,
): Plain | undefined {
  const { dataModel } = problem.program;
  const { type, bytes } = object;
  let isPlain = sizeOf(type, dataModel) !== undefined;
  if (bytes.length === 0) return type.kind === 'array' ? [] : type.kind === 'record' ? {} : undefined;
  const pointerTo = ({ object: number, offset }: HostAddress, to: CType): Plain | undefined => {
    const target = made.find((one) => one.number === number);
    const element = elementBytes(to, dataModel);
    if (!target || target === object || offset % element !== 0) return undefined;
    const argument = direct.get(target);
    if (argument !== undefined) return pointerToArgument(argument, offset / element);
    if (target.passed || offset !== 0) return undefined;
    target.passed = 'inside another';
    const contents = contentsOf(target, made, direct, problem);
    if (contents === undefined) return undefined;
    return pointerToFresh(target.type.kind === 'array' || target.type.kind === 'record' ? contents : [contents]);
  };
  const source = { bytes, isInitialised: () => true };
  const contents = decode(source, 0, type, dataModel, (address, to) => {
    const pointer = pointerTo(address, to);
    isPlain &&= pointer !== undefined;
    return pointer ?? null;
  });
  return isPlain ? (contents as Plain) : undefined;
}

const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
