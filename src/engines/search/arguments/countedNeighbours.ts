/**
 * Clients near one of the tests' in which an array and the number of its elements change together: the array is just as
 * long as the number says, as tests seldom make it, since a text in a test has a 0 behind it and a buffer is ample. An
 * array into whose end another argument points is shortened with it. Messages end behind a length, so the last byte of
 * one that is cut is tried with other values.
 */
import type { Argument, Scenario } from '../../../evidence/scenarios/scenario';
import { lengthOf, withArgument } from '../../../evidence/scenarios/shrink';
import { bytesIn, bytesOfText, withBytes } from './textMutation';
import type { Plain } from '../../../verdict';
import { numberAt } from '../../preconditions/lengthAttempts';
import type { LikelyLength, LikelyPreconditions } from '../../preconditions/likelyPreconditions';

const limits = {
  /** Numbers that are tried, the smallest. */
  numbers: 48,
  /** Elements of the longest array that is changed. */
  elements: 4096,
  /** Bytes of a message whose beginnings are tried with another last byte. */
  message: 16,
  /** Bytes behind one that is their number. */
  body: 9,
  /** Texts of tests that are passed in place of another. */
  texts: 24,
} as const;

/** Ends of ranges of bytes. */
const lastBytes = [0, 1, 0x7f, 0x80, 0xff];

/** Clients with fewer elements, one number after the other, for each array that is counted. */
export function* countedNeighbours(scenario: Scenario, likely: LikelyPreconditions): Generator<Scenario> {
  for (const [call, { fn, arguments: given }] of scenario.calls.entries()) {
    for (const length of likely.lengthsOf(fn)) {
      const said = numberOf(scenario, call, length);
      if (said === undefined || said > limits.elements) continue;
      for (const number of fewer(said)) {
        const other = withCount(scenario, call, length, number);
        if (other) yield other;
      }
      for (const bytes of otherBodies(given[length.pointer]!)) {
        const other = withArgument(scenario, call, length.pointer, withBytes(given[length.pointer]!, bytes));
        const counted = withCount(other, call, length, bytes.length);
        if (counted) yield counted;
      }
    }
    for (const [at, argument] of given.entries()) {
      if (argument.kind !== 'object' || argument.type.kind !== 'array') continue;
      const { length = 0 } = argument.type;
      if (argument.index === undefined || argument.index !== length) continue;
      for (const number of fewer(length - 1))
        if (number > 0) yield* withLastBytes(withArgument(scenario, call, at, resized(argument, number)!), call, at);
      for (const bytes of otherBodies(argument))
        yield withArgument(scenario, call, at, { ...withBytes(argument, bytes), index: bytes.length } as Argument);
    }
  }
}

/** A byte that is the number of those behind it: messages with another number of them, nearly all alike. */
function* otherBodies(argument: Argument): Generator<readonly number[]> {
  const bytes = bytesIn(argument);
  if (!bytes || bytes.length > limits.message) return;
  const at = bytes.findIndex((byte, i) => byte > 0 && byte === bytes.length - i - 1);
  if (at < 0) return;
  for (let length = 0; length <= limits.body; length++)
    for (const byte of length === 0 ? [0] : lastBytes) {
      const body = Array.from({ length }, () => byte);
      yield [...bytes.slice(0, at), length, ...body];
      // A sign, or a 0 in front of a number.
      if (length > 1 && byte > 0) yield [...bytes.slice(0, at), length, ...body.with(0, 0)];
    }
}

/** The client itself, and those with another last byte. */
function* withLastBytes(scenario: Scenario, call: number, at: number): Generator<Scenario> {
  yield scenario;
  const argument = scenario.calls[call]!.arguments[at]!;
  const bytes = bytesIn(argument);
  if (!bytes || bytes.length > limits.message || bytes.length === 0) return;
  for (const last of lastBytes)
    if (last !== bytes.at(-1)) yield withArgument(scenario, call, at, withBytes(argument, bytes.with(-1, last)));
}

/** Clients that pass a text of another call, where an array is counted; and those that pass a part of it. */
export function* exchangedTexts(
  scenario: Scenario,
  texts: readonly (readonly number[])[],
  likely: LikelyPreconditions,
): Generator<Scenario> {
  for (const [call, { fn, arguments: given }] of scenario.calls.entries())
    for (const length of likely.lengthsOf(fn)) {
      const argument = given[length.pointer]!;
      if (bytesIn(argument) === undefined || argument.kind !== 'object') continue;
      for (const text of texts) {
        const other = withArgument(scenario, call, length.pointer, withBytes(argument, text));
        for (const number of fewer(text.length)) {
          const counted = withCount(other, call, length, number);
          if (counted) yield counted;
        }
      }
    }
}

/** Characters and bytes that clients pass, each once. */
export function textsOf(scenarios: readonly Scenario[]): readonly (readonly number[])[] {
  const texts = new Map<string, readonly number[]>();
  for (const { calls } of scenarios)
    for (const { arguments: given } of calls)
      for (const argument of given) {
        const bytes = bytesOfText(argument) ?? bytesIn(argument);
        if (bytes && bytes.length > 1 && texts.size < limits.texts) texts.set(bytes.join(), bytes);
      }
  return [...texts.values()];
}

/** The call with so many elements, and with the number that says so; undefined where another call made one of them. */
export function withCount(
  scenario: Scenario,
  call: number,
  { pointer, count, more }: LikelyLength,
  number: number,
): Scenario | undefined {
  const { fn, arguments: given } = scenario.calls[call]!;
  const place = numberAt(given[count.parameter]!, fn.parameters[count.parameter]!.type);
  const array = resized(given[pointer]!, Math.max(1, number + more));
  if (!place || !array || (given[pointer]!.kind === 'object' && isIndexed(given[pointer]!))) return undefined;
  const counted = withArgument(scenario, call, count.parameter, place.with(BigInt(number)));
  return withArgument(counted, call, pointer, array);
}

export function numberOf({ calls }: Scenario, call: number, { count }: LikelyLength): number | undefined {
  const { fn, arguments: given } = calls[call]!;
  const argument = given[count.parameter]!;
  const { type } = fn.parameters[count.parameter]!;
  if (argument.kind !== (count.isBehind ? 'object' : 'scalar')) return undefined;
  const place = numberAt(argument, type);
  return place && Number(place.now);
}

/** The number itself comes first: an array is rarely just as long in tests. */
function fewer(said: number): readonly number[] {
  const smallest = Array.from({ length: limits.numbers }, (_, i) => i);
  return [...new Set([said, said - 1, said >> 1, ...smallest])].filter((n) => n >= 0 && n <= said);
}

const isIndexed = (argument: Argument): boolean => argument.kind === 'object' && argument.index !== undefined;

/** The beginning of an array, or with 0 behind it; undefined for what is none. */
function resized(argument: Argument, length: number): Argument | undefined {
  if (argument.kind !== 'object' || argument.type.kind !== 'array' || lengthOf(argument) === undefined)
    return undefined;
  const { contents, type } = argument;
  const whole: readonly Plain[] =
    typeof contents === 'string' ? [...Buffer.from(contents, 'latin1')] : Array.isArray(contents) ? contents : [];
  const isNumbers = type.of.kind === 'integer';
  const more = isNumbers ? Math.max(0, length - whole.length) : 0;
  return {
    ...argument,
    type: { ...type, length },
    contents: whole.length === 0 ? [] : [...whole.slice(0, length), ...Array.from({ length: more }, () => 0)],
    ...(argument.index !== undefined && { index: length }),
  };
}
