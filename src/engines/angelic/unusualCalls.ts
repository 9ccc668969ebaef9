/**
 * An order of errors: those come first that clients bring about without anything unusual. Who reads one line reads that
 * one, and a number close to the end of its type is rarely what a client passes.
 */
import type { Argument, Scenario } from '../../evidence/scenarios/scenario';
import type { FunctionDefinition } from '../../program/program';
import type { Fault } from '../../semantics/concrete/fault';
import type { Plain } from '../../verdict';

/** Numbers from here on count as large, in both directions. */
const large = 2n ** 31n - 1n;

interface ReportedError {
  /** Undefined where no execution of clients can be repeated. */
  readonly scenario: Scenario | undefined;
  readonly fault: Fault;
  /** A condition that all calls of the tests keep, and its client does not. */
  readonly unlikely: string | undefined;
  /** There was time for all that was asked. */
  readonly isJudged: boolean;
}

/** Errors of clients that resemble the tests' come first, then those that were judged, then what is usual. */
export const inOrder = <E extends ReportedError>(errors: readonly E[]): readonly E[] =>
  errors
    .map((one) => ({ one, rank: unusualness(one.scenario, one.fault) }))
    .sort(
      (a, b) =>
        Number(a.one.unlikely !== undefined) - Number(b.one.unlikely !== undefined) ||
        Number(b.one.isJudged) - Number(a.one.isJudged) ||
        a.rank - b.rank,
    )
    .map(({ one }) => one);

/** 0 for calls as in any program; the more, the stranger. */
export function unusualness(scenario: Scenario | undefined, { check, message }: Fault): number {
  const given = (scenario?.calls ?? []).flatMap(({ fn, arguments: all }) => all.map((one, at) => ({ fn, at, one })));
  const isLarge = given.some(({ fn, at, one }) => isLargeNumber(one, fn, at));
  const isNull = given.some(({ fn, at, one }) => isNullPointer(one, fn, at));
  // No interface says that clients hand the object over for good.
  const isOthers = check === 'invalid-free' && message.includes('was not allocated');
  return (isLarge ? 2 : 0) + (isNull ? 1 : 0) + (isOthers ? 2 : 0);
}

function isLargeNumber(argument: Argument, fn: FunctionDefinition, at: number): boolean {
  if (argument.kind === 'object') return numbersIn(argument.contents).some(isFar);
  const { type } = fn.parameters[at]!;
  if (argument.kind !== 'scalar' || type.kind !== 'integer') return false;
  return isFar(BigInt(argument.value as number | bigint));
}

const isFar = (value: bigint): boolean => value >= large || value <= -large;

function isNullPointer(argument: Argument, fn: FunctionDefinition, at: number): boolean {
  return argument.kind === 'scalar' && fn.parameters[at]!.type.kind === 'pointer' && argument.value === 0;
}

function numbersIn(contents: Plain): readonly bigint[] {
  if (typeof contents === 'bigint') return [contents];
  if (typeof contents === 'number') return Number.isInteger(contents) ? [BigInt(contents)] : [];
  if (Array.isArray(contents)) return (contents as readonly Plain[]).flatMap(numbersIn);
  if (contents !== null && typeof contents === 'object') return Object.values(contents).flatMap(numbersIn);
  return [];
}
