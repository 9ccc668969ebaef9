/**
 * Clients near one that is known. Those of a test are tried one by one, as AFL's deterministic stages do (M. Zalewski),
 * since most bugs are one change away from what a test does. Beginnings and ends of two clients are joined, as its
 * splicing does.
 */
import type { Argument, Call, Scenario } from '../../../evidence/scenarios/scenario';
import { lengthOf, withArgument, withoutCalls } from '../../../evidence/scenarios/shrink';
import type { Random } from '../../../semantics/concrete/random';
import type { LikelyLength, LikelyPreconditions } from '../../preconditions/likelyPreconditions';
import { numberOf, withCount } from './countedNeighbours';
import { cutTexts, grownTexts } from './grownTexts';
import { passedTwice } from './passedTwice';
import { inType } from '../scenarioGenerator';
import type { TextMutation } from './textMutation';

/**
 * Clients that differ from this one in one place: a number one larger or smaller, or any of `numbers`; a text cut; a
 * call left out, or made twice, or again behind all others; an object passed twice; a text that is longer, by lengths
 * among `numbers`, those near `sizes` of buffers first.
 */
export function* neighboursOf(
  scenario: Scenario,
  numbers: readonly bigint[],
  sizes: readonly bigint[] = [],
): Generator<Scenario> {
  const { calls } = scenario;
  yield* withNumbers(scenario, (value) => [value + 1n, value - 1n]);
  yield* withTexts(scenario, cutTexts);
  for (let at = 0; at < calls.length; at++) {
    yield { ...scenario, calls: [...calls, again(calls[at]!, at)] };
    if (calls.length > 1) yield withoutCalls(scenario, at);
    for (const twice of passedTwice(calls[at]!, at)) yield { ...scenario, calls: calls.with(at, twice) };
  }
  yield* withGrownTexts(scenario, [...sizes, ...sizes.map((size) => size + 1n)]);
  yield* withNumbers(scenario, () => numbers);
  yield* withGrownTexts(scenario, numbers);
}

/** The client with one text longer, by lengths among `numbers`. */
export const withGrownTexts = (scenario: Scenario, numbers: readonly bigint[]): Generator<Scenario> =>
  withTexts(scenario, (text) => grownTexts(text, numbers));

function* withTexts(scenario: Scenario, others: (text: Argument) => Iterable<Argument>): Generator<Scenario> {
  for (const [call, { arguments: given }] of scenario.calls.entries())
    for (const [at, argument] of given.entries())
      for (const other of others(argument)) yield withArgument(scenario, call, at, other);
}

function* withNumbers(scenario: Scenario, others: (value: bigint) => readonly bigint[]): Generator<Scenario> {
  for (const [call, { fn, arguments: given }] of scenario.calls.entries()) {
    for (const [at, argument] of given.entries()) {
      const { type, ctype } = fn.parameters[at]!;
      if (argument.kind !== 'scalar' || type.kind !== 'integer') continue;
      const isBool = ctype?.kind === 'integer' && ctype.name === 'bool';
      const tried = isBool ? [0n, 1n] : others(BigInt(argument.value));
      const values = new Set(tried.map((value) => inType(value, type)));
      values.delete(argument.value);
      for (const value of values) yield withArgument(scenario, call, at, { kind: 'scalar', value });
    }
  }
}

/** The same call, with the objects that the first one made. */
const again = ({ fn, arguments: given }: Call, call: number): Call => ({
  fn,
  arguments: given.map((argument, at): Argument =>
    argument.kind === 'object'
      ? { kind: 'earlier', call, argument: at, ...(argument.index !== undefined && { index: argument.index }) }
      : argument,
  ),
});

/**
 * The beginning of one client, and behind it the end of another with the calls that made its objects; at most
 * `longest` calls. Undefined where nothing is left of one of them.
 */
export function splice(first: Scenario, second: Scenario, longest: number, random: Random): Scenario | undefined {
  const calls = first.calls.slice(0, 1 + random.below(first.calls.length));
  const from = random.below(second.calls.length);
  const needed = new Set<number>();
  for (let at = second.calls.length - 1; at >= 0; at--) {
    if (at < from && !needed.has(at)) continue;
    needed.add(at);
    for (const argument of second.calls[at]!.arguments) if (argument.kind === 'earlier') needed.add(argument.call);
  }
  if (calls.length + needed.size > longest) return undefined;
  const place = new Map<number, number>();
  for (const at of [...needed].sort((a, b) => a - b)) {
    place.set(at, calls.length);
    const { fn, arguments: given } = second.calls[at]!;
    calls.push({
      fn,
      arguments: given.map((a) => (a.kind === 'earlier' ? { ...a, call: place.get(a.call)! } : a)),
    });
  }
  return { calls, answers: first.answers };
}

/** Half of the time, the client with other texts and arrays, or one passed twice; undefined where it has none. */
export function nearby(
  base: Scenario,
  texts: TextMutation,
  random: Random,
  likely?: LikelyPreconditions,
): Scenario | undefined {
  const way = random.below(16);
  if (way < 8) return undefined;
  if (way === 8) {
    const at = random.below(base.calls.length);
    const variants = passedTwice(base.calls[at]!, at);
    const call = variants[random.below(Math.max(1, variants.length))];
    if (call) return { ...base, calls: base.calls.with(at, call) };
  }
  const places = base.calls.flatMap(({ arguments: given }, call) =>
    given.flatMap((argument, at) => (argument.kind === 'object' ? [{ call, at }] : [])),
  );
  if (places.length === 0) return undefined;
  const { call, at } = places[random.below(places.length)]!;
  const { fn, arguments: given } = base.calls[call]!;
  const before = given[at]!;
  const mutated = texts.mutate(before);
  if (!mutated) return undefined;
  const counted = likely?.lengthsOf(fn).find(({ pointer }) => pointer === at);
  if (counted && random.below(4) > 0) return withCounted(base, call, counted, before, mutated, random);
  const { calls } = withArgument(base, call, at, mutated);
  const changed = calls[call]!.arguments;
  // A number that says how long the array is goes on saying so, mostly.
  const [was, is] = [lengthOf(before), lengthOf(mutated)];
  const numbers = given.map((argument, i): Argument => {
    const { type } = fn.parameters[i]!;
    if (i === at || argument.kind !== 'scalar' || type.kind !== 'integer' || random.below(4) === 0) return changed[i]!;
    const value = Number(argument.value);
    if (was === undefined || is === undefined || (value !== was && value !== was - 1)) return changed[i]!;
    return { kind: 'scalar', value: inType(BigInt(is - (was - value)), type) };
  });
  return { ...base, calls: calls.with(call, { fn, arguments: numbers }) };
}

/**
 * The number that counts the elements changes as the array does, and half of the time the array is just as long as the
 * number says: a text without its 0.
 */
function withCounted(
  base: Scenario,
  call: number,
  counted: LikelyLength,
  before: Argument,
  mutated: Argument,
  random: Random,
): Scenario | undefined {
  const number = numberOf(base, call, counted);
  const [was, is] = [lengthOf(before), lengthOf(mutated)];
  const changed = withArgument(base, call, counted.pointer, mutated);
  if (number === undefined || was === undefined || is === undefined) return changed;
  // Elements behind those that count stay there.
  const now = Math.max(0, is - Math.max(0, was - number));
  const exact = withCount(changed, call, counted, now);
  if (!exact || random.below(2) === 0) return exact ?? changed;
  return withArgument(exact, call, counted.pointer, mutated);
}
