/**
 * Scenarios of the tests: the random search goes on from them, as coverage-guided fuzzers go on from seed inputs (M.
 * Zalewski, AFL; K. Serebryany, libFuzzer). One for each call that returned, with everything before it. A test is
 * followed as far as a client could do the same with values and objects of its own.
 */
import { interiorArguments } from '../../abstraction/predicates/joinedArguments';
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import type { Argument, Call, EnvironmentAnswer, Scenario } from '../../evidence/scenarios/scenario';
import { decode } from '../../host/values/decode';
import type { HostValue, Operation } from '../../host/operation';
import { parseType } from '../../host/typeText';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import { elementBytes } from '../../semantics/pointers/clientObjects';
import { isWide, objectNumber, offsetBytes, type ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Plain } from '../../verdict';
import type { Problem } from '../problem';

const limits = {
  /** Calls of a test that are followed. */
  calls: 256,
  /** Prefixes of one test: of a long one every other, or every third, and so on, and the whole. */
  prefixes: 32,
} as const;

export function testPrefixes(problem: Problem): readonly Scenario[] {
  return problem.task.mode === 'program'
    ? []
    : problem.task.runs.flatMap((run) => some(followed(problem, run).prefixes));
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
  readonly type: CType;
  readonly bytes: Uint8Array;
  passed?: { readonly call: number; readonly argument: number };
}

interface Followed {
  readonly prefixes: readonly Scenario[];
  /** With the call that fails. */
  readonly failing?: Scenario;
}

function followed(problem: Problem, run: readonly Operation[]): Followed {
  const { program } = problem;
  const instance = problem.instance();
  const interior = interiorArguments(problem.task.requires, program);
  const made: Made[] = [];
  const returned = new Map<number, number>();
  const calls: Call[] = [];
  const answers: EnvironmentAnswer[] = [];
  const prefixes: Scenario[] = [];
  for (const operation of run) {
    if (leavesTheClient(operation, program) !== undefined || calls.length >= limits.calls) break;
    switch (operation.kind) {
      case 'allocate': {
        const type = parseType(operation.type, program);
        const bytes = fromHex(operation.bytes);
        made.push({ type, bytes: bytes.length > 0 ? bytes : new Uint8Array(sizeOf(type, program.dataModel) ?? 0) });
        break;
      }
      case 'write': {
        const { target } = operation;
        const object = 'allocation' in target ? made[target.allocation] : undefined;
        // A client of a scenario writes nothing that it has handed over.
        if (!object || object.passed || !('allocation' in target)) return { prefixes };
        const bytes = fromHex(operation.bytes);
        if (target.offset < 0 || target.offset + bytes.length > object.bytes.length) return { prefixes };
        object.bytes.set(bytes, target.offset);
        break;
      }
      case 'poke':
        return { prefixes };
      case 'call': {
        const fn = problem.callable.find(({ name }) => name === operation.function);
        const surroundings = { made, returned, call: calls.length, interior, problem };
        const given = fn && argumentsOf(fn, operation.arguments, surroundings);
        if (!fn || !given || operation.answers.length > 0) return { prefixes };
        calls.push({ fn, arguments: given });
        const outcome = instance.redo(operation);
        const scenario: Scenario = { calls: [...calls], answers: [...answers] };
        if (outcome?.kind === 'fault') return { prefixes, failing: scenario };
        if (outcome?.kind !== 'returned') return { prefixes };
        const { value } = outcome;
        if (fn.resultVariable?.type.kind === 'pointer' && value !== undefined && offsetBytes(value) === 0)
          returned.set(objectNumber(value), calls.length - 1);
        prefixes.push(scenario);
        continue;
      }
    }
    instance.redo(operation);
  }
  return { prefixes };
}

interface Surroundings {
  readonly made: readonly Made[];
  /** The call that returned the pointer to an object. */
  readonly returned: ReadonlyMap<number, number>;
  readonly call: number;
  /** Parameters that may lead to any element of an object. */
  readonly interior: ReadonlySet<Variable>;
  readonly problem: Problem;
}

/** Undefined where no client could pass one of them. */
function argumentsOf(
  fn: FunctionDefinition,
  values: readonly HostValue[],
  surroundings: Surroundings,
): readonly Argument[] | undefined {
  const given = fn.parameters.map((parameter, at) => argumentOf(values[at], parameter, at, surroundings));
  return given.every((argument) => argument !== undefined) ? given : undefined;
}

function argumentOf(
  value: HostValue | undefined,
  parameter: Variable,
  at: number,
  { made, returned, call, interior, problem }: Surroundings,
): Argument | undefined {
  const { type, ctype } = parameter;
  if (!value) return undefined;
  if ('integer' in value)
    return type.kind === 'integer'
      ? { kind: 'scalar', value: isWide(type) ? BigInt(value.integer) : Number(value.integer) }
      : undefined;
  if ('float' in value) return { kind: 'scalar', value: Number(value.float) };
  if ('object' in value) {
    if (value.offset !== 0) return undefined;
    if (value.object === 0) return { kind: 'scalar', value: 0 satisfies ConcreteValue };
    const by = returned.get(value.object);
    return by === undefined ? undefined : { kind: 'earlier', call: by, argument: -1 };
  }
  const object = made[value.allocation]!;
  const bytes = elementBytes(ctype?.kind === 'pointer' ? ctype.to : undefined, problem.program.dataModel);
  if (value.offset !== 0 && (!interior.has(parameter) || value.offset % bytes !== 0)) return undefined;
  const index = value.offset === 0 ? {} : { index: value.offset / bytes };
  if (object.passed) return object.passed.call <= call ? { kind: 'earlier', ...object.passed, ...index } : undefined;
  const contents = contentsOf(object, problem);
  if (contents === undefined) return undefined;
  object.passed = { call, argument: at };
  return { kind: 'object', type: object.type, contents, ...index };
}

/** Undefined for what leads to another object. */
function contentsOf({ type, bytes }: Made, { program }: Problem): Plain | undefined {
  let isPlain = sizeOf(type, program.dataModel) !== undefined;
  if (bytes.length === 0) return type.kind === 'array' ? [] : type.kind === 'record' ? {} : undefined;
  const source = { bytes, isInitialised: () => true };
  const contents = decode(source, 0, type, program.dataModel, () => {
    isPlain = false;
    return null;
  });
  return isPlain ? (contents as Plain) : undefined;
}

const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
