/**
 * Makes a scenario smaller while it still fails at the same check: fewer calls, smaller values, less done from outside.
 * Each step is replayed.
 */
import type { Span } from '../../c/source';
import type { Variable } from '../../program/expression';
import type { Program } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { callersSpan, failsAlike, type Fault } from '../../semantics/concrete/fault';
import type { Plain } from '../../verdict';
import { isAccessPath } from './externalEffect';
import { simplerStarts } from './programStart';
import { leadsToArguments, numbersIn, simplerNumbers, simplerPlain, withNumbers } from './plainContents';
import {
  type Argument,
  asGiven,
  type Call,
  type AnswerEffects,
  type EnvironmentAnswer,
  faultOf,
  indexOf,
  isBool,
  type Scenario,
  type ScenarioOptions,
  type ScenarioRun,
  ScenarioRunner,
  type UsedAnswer,
} from './scenario';

const limits = {
  /** Edges all attempts to make a scenario smaller may take together. */
  steps: 20_000_000,
  /** Up to so many, each is tried by itself. */
  numbers: 8,
  /** Calls, up to which each two neighbours are left out together. */
  pairs: 16,
  /** Attempts to write a text in letters. */
  texts: 8,
} as const;

/**
 * The same failure with fewer calls and smaller values: greedy, each step replayed. `changes`: what a test passes is
 * what it means to pass, so that of a test only calls are left out.
 */
export function shrink(
  program: Program,
  scenario: Scenario,
  options: ScenarioOptions & {
    /** False for a smaller scenario that is not wanted, though it fails; default all are. */
    readonly accepts?: ((scenario: Scenario) => boolean) | undefined;
  },
  changes: 'calls and values' | 'calls' = 'calls and values',
  attempts = 400,
): Scenario {
  const runner = new ScenarioRunner(program, options);
  const first = runner.run(scenario);
  const target = faultOf(first);
  if (!first || !target) return scenario;
  let best = trim(scenario, first);
  let used = first.answers;
  let left = attempts;
  // A smaller scenario may run for ever, and one that runs for long is not made smaller by trying for long.
  const stepLimit = 2 * first.steps + 10_000;
  let steps = limits.steps;
  const fails = (candidate: Scenario): boolean => {
    if (left-- <= 0 || steps < 0) return false;
    const run = runner.run(candidate, { stepLimit });
    steps -= run?.steps ?? 0;
    const fault = faultOf(run);
    if (!fault || !(changes === 'calls' ? isSameFailure : failsThere)(fault, target)) return false;
    const smaller = trim(candidate, run!);
    if (options.accepts?.(smaller) === false) return false;
    best = smaller;
    used = run!.answers;
    return true;
  };
  const owners = (): readonly number[] => used.map(({ call }) => call);
  // Answers go with the calls that asked for them, or else the calls after them get these.
  const failsWithout = (start: number, length?: number): boolean =>
    fails(withoutCalls(best, start, length, owners())) ||
    (best.answers.length > 0 && fails(withoutCalls(best, start, length))) ||
    (best.answers.some(isAfterSilent) && fails(doneAtOnce(withoutCalls(best, start, length, owners()))));
  const failsHandingOn = (call: number): boolean => {
    const without = handedOn(best, call);
    return without !== undefined && fails(withoutCalls(without, call, 1, owners()));
  };
  const changesValues = changes === 'calls and values';
  const failsWithoutCallsBack = (): boolean =>
    used.some((_, at) => {
      const candidate =
        4 * left > 3 * attempts ? madeBefore(program, best, used, at, options.calledByClients) : undefined;
      return candidate !== undefined && fails(candidate);
    });
  while (changesValues && failsWithoutCallsBack());
  for (let length = best.calls.length >> 1; length > 1; length >>= 1) {
    for (let start = best.calls.length - length; start >= 0; start -= length) failsWithout(start, length);
  }
  // Another argument may do what an earlier call had prepared.
  const adjusted = (candidate: Scenario): boolean => {
    const last = candidate.calls.length - 1;
    const call = candidate.calls[last];
    return (
      changesValues &&
      call !== undefined &&
      call.arguments.some(
        (argument, at) =>
          argument.kind === 'scalar' &&
          isNumber(call.fn.parameters[at]) &&
          smallNumbers.some((n) =>
            fails(
              withArgument(candidate, last, at, {
                kind: 'scalar',
                value: typeof argument.value === 'bigint' ? BigInt(n) : n,
              }),
            ),
          ),
      )
    );
  };
  // Large objects, part by part: most of their numbers do not matter.
  const even = (call: number, at: number, number: 0 | 1): void => {
    const contents = (): Plain | undefined => {
      const argument = best.calls[call]?.arguments[at];
      return argument?.kind === 'object' ? argument.contents : undefined;
    };
    const count = numbersIn(contents());
    for (let length = count; count > limits.numbers && length >= 1 && 4 * left > attempts; length >>= 1) {
      for (let start = 0; start < count && 4 * left > attempts; start += length) {
        const [before, argument] = [contents(), best.calls[call]?.arguments[at]];
        const after = before === undefined ? undefined : withNumbers(before, start, length, number);
        if (after !== undefined && argument?.kind === 'object')
          fails(withArgument(best, call, at, { ...argument, contents: after }));
      }
    }
  };
  const shorten = (call: number, at: number): void => {
    for (
      let argument = best.calls[call]?.arguments[at];
      argument && shorter(argument).some((candidate) => fails(withArgument(best, call, at, candidate)));
    )
      argument = best.calls[call]?.arguments[at];
  };
  for (let i = best.calls.length - 1; changesValues && i >= 0; i--) {
    (best.calls[i]?.arguments ?? []).forEach((_, at) => {
      shorten(i, at);
      even(i, at, 0);
      shorten(i, at);
      even(i, at, 1);
    });
  }
  // So are many answers.
  evenAnswers(
    () => best,
    fails,
    () => 4 * left > attempts && steps >= 0,
  );
  for (let progress = true; progress && left > 0 && steps >= 0;) {
    progress = false;
    // Calls that undo each other go together, wherever they stand.
    for (let i = best.calls.length - 2; best.calls.length <= limits.pairs && i >= 0; i--)
      if (i + 2 < best.calls.length && failsWithout(i, 2)) progress = true;
    for (let i = best.calls.length - 1; i >= 0; i--) {
      if (
        best.calls.length > 1 &&
        i < best.calls.length &&
        (failsWithout(i) || failsHandingOn(i) || adjusted(withoutCalls(best, i)))
      )
        progress = true;
    }
    for (let i = 0; changesValues && i < best.calls.length; i++) {
      while (simplerStarts(best.calls[i]!).some((call) => fails({ ...best, calls: best.calls.with(i, call) })))
        progress = true;
      for (let at = 0; at < best.calls[i]!.arguments.length; at++) {
        // Each argument is shrunk fully before steps are repeated that are less likely to help.
        while (
          best.calls[i]?.arguments[at] &&
          simplerArguments(best.calls[i].arguments[at]).some((simpler) => fails(withArgument(best, i, at, simpler)))
        )
          progress = true;
      }
    }
    for (let i = 0; i < best.answers.length && i < 200 && left > 0 && steps >= 0; i++) {
      const { object, ...withoutObject } = best.answers[i]!;
      if (object && fails({ ...best, answers: best.answers.map((a, at) => (at === i ? withoutObject : a)) }))
        progress = true;
      for (const value of simplerAnswers(best.answers, i)) {
        const answers = best.answers.map((a, at) => (at === i ? { ...a, value } : a));
        if (fails({ ...best, answers })) {
          progress = true;
          break;
        }
      }
      for (const sideEffects of i < best.answers.length ? simplerEffects(best.answers[i]!.sideEffects) : []) {
        const answers = best.answers.flatMap((a, at) => (at === i ? withEffects(a, sideEffects) : a));
        if (fails({ ...best, answers })) {
          progress = true;
          break;
        }
      }
    }
  }
  // Whatever the characters are, a text of letters is the one to read.
  left = Math.max(left, limits.texts);
  for (let i = 0; changesValues && i < best.calls.length; i++)
    best.calls[i]!.arguments.forEach((argument, at) => {
      const text = inLetters(argument);
      if (text) fails(withArgument(best, i, at, text));
    });
  return best;
}

/** A text, with a letter for what has no sign of its own; undefined for what is no text, or can be read already. */
function inLetters(argument: Argument): Argument | undefined {
  if (argument.kind !== 'object' || argument.type.kind !== 'array' || !Array.isArray(argument.contents))
    return undefined;
  const { of: element } = argument.type;
  const characters = argument.contents as readonly Plain[];
  const last = characters.length - 1;
  const isText = characters.every((c, i) => (typeof c === 'number' ? (c === 0) === (i === last) : false));
  if (element.kind !== 'integer' || element.name !== 'char' || last < 1 || !isText) return undefined;
  const letters = characters.map((c, i) => (i === last || (Number(c) >= 32 && Number(c) < 127) ? c : 97));
  return letters.every((c, i) => c === characters[i]) ? undefined : { ...argument, contents: letters };
}

/** Nearer to zero; behind 0, the least of the same function's other answers comes first. */
function simplerAnswers(answers: readonly EnvironmentAnswer[], at: number): ConcreteValue[] {
  const { name, value } = answers[at]!;
  const simpler = simplerNumbers(value);
  const [least] = answers
    .filter((other) => other.name === name && other.object === undefined && magnitude(other.value) < magnitude(value))
    .map((other) => other.value)
    .filter((other) => Number(other) !== 0 && typeof other === typeof value)
    .toSorted((a, b) => magnitude(a) - magnitude(b));
  return least === undefined ? simpler : [...new Set([...simpler.slice(0, 1), least, ...simpler])];
}

const magnitude = (value: ConcreteValue): number => Math.abs(Number(value));

/** Many answers, half by half: most of them may as well be 0. `best`: the smallest that `fails` has accepted. */
export function evenAnswers(
  best: () => Scenario,
  fails: (candidate: Scenario) => boolean,
  goesOn: () => boolean,
): void {
  for (let length = best().answers.length; length > limits.numbers && goesOn(); length >>= 1) {
    for (let start = 0; start < best().answers.length && goesOn(); start += length) {
      const { answers } = best();
      if (answers.slice(start, start + length).every(settled)) continue;
      fails({
        ...best(),
        answers: answers.map((answer, i) =>
          i >= start && i < start + length && !settled(answer)
            ? { ...answer, value: typeof answer.value === 'bigint' ? 0n : 0 }
            : answer,
        ),
      });
    }
  }
}

/**
 * At the same place, with other values perhaps another check. Of a library function: called in the same place, and in
 * the same way, for a copy that writes too much is another bug than one that reads a string without an end.
 */
const failsThere = (a: Fault, b: Fault): boolean =>
  failsAlike(a, b) && isSamePlace(callersSpan(a), callersSpan(b)) && wayOfLibrary(a) === wayOfLibrary(b);

const isSamePlace = (a: Span, b: Span): boolean => a.start === b.start && a.file.path === b.file.path;

/** The same check fails in the same way: an object that was freed is another bug than one that is too short. */
export const isSameFailure = (a: Fault, b: Fault): boolean =>
  failsThere(a, b) && a.span.end === b.span.end && a.command.text === b.command.text && kindOf(a) === kindOf(b);

const wayOfLibrary = ({ message }: Fault): string | undefined => /^\w+ (reads|writes)\b/.exec(message)?.[1];

/** The words of a message before the place. */
const kindOf = ({ message }: Fault): string | undefined => /^[a-z ]+(?=: )/.exec(message)?.[0];

/** Calls of functions without a result that did nothing came before it. */
const isAfterSilent = ({ sideEffects }: EnvironmentAnswer): boolean => (sideEffects?.afterSilent ?? 0) > 0;

/** The first calls of functions without a body do what later ones did. */
const doneAtOnce = (scenario: Scenario): Scenario => ({
  ...scenario,
  answers: scenario.answers.map((answer) =>
    isAfterSilent(answer) ? { ...answer, sideEffects: { ...answer.sideEffects!, afterSilent: 0 } } : answer,
  ),
});

/** Nothing simpler: 0 already, or the success of an allocation, or told with what is done besides. */
const settled = ({ name, value, sideEffects }: EnvironmentAnswer): boolean =>
  Number(value) === 0 || name === 'malloc' || sideEffects !== undefined;
const smallNumbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

function isNumber(parameter: Variable | undefined): boolean {
  return parameter?.type.kind === 'integer' && !isBool(parameter);
}

function trim(scenario: Scenario, run: ScenarioRun): Scenario {
  return { calls: scenario.calls.slice(0, run.last + 1), answers: run.answers.map(asGiven) };
}

/** With one argument simpler, the simplest first. */
export function withSimplerArguments(scenario: Scenario, call: number): Scenario[] {
  return scenario.calls[call]!.arguments.flatMap((argument, at) =>
    simplerArguments(argument).map((simpler) => withArgument(scenario, call, at, simpler)),
  );
}

/**
 * Without some of the calls, and those that need what they made; `owners`: the calls that asked for the answers, which
 * go with them.
 */
export function withoutCalls(scenario: Scenario, start: number, length = 1, owners?: readonly number[]): Scenario {
  const place = new Map<number, number>();
  const calls: Call[] = [];
  scenario.calls.forEach((call, i) => {
    if (i >= start && i < start + length) return;
    // An argument may lead into the object that another one of its call makes.
    place.set(i, calls.length);
    if (call.arguments.some((a) => a.kind === 'earlier' && !place.has(a.call))) {
      place.delete(i);
      return;
    }
    calls.push({
      ...call,
      arguments: call.arguments.map((a) => (a.kind === 'earlier' ? { ...a, call: place.get(a.call)! } : a)),
    });
  });
  return { calls, answers: owners ? scenario.answers.filter((_, i) => place.has(owners[i]!)) : scenario.answers };
}

/**
 * Arrays and single values that a call was passed are made by the next calls that use them, so that it can be left out;
 * undefined where there are none. A structure is left to the call that may set it up.
 */
function handedOn(scenario: Scenario, from: number): Scenario | undefined {
  const users = new Map<number, { readonly call: number; readonly argument: number }>();
  const calls = scenario.calls.map(({ fn, arguments: given }, call) => ({
    fn,
    arguments: given.map((argument, at): Argument => {
      if (argument.kind !== 'earlier' || argument.call !== from) return argument;
      const made = scenario.calls[from]!.arguments[argument.argument];
      const isSetUp =
        made?.kind === 'object' && made.type.kind === 'record' && !isOnlyRead(scenario.calls[from]!, argument);
      if (made?.kind !== 'object' || isSetUp || leadsToArguments(made.contents)) return argument;
      const user = users.get(argument.argument);
      if (user) return { kind: 'earlier', ...user };
      users.set(argument.argument, { call, argument: at });
      return made;
    }),
  }));
  return users.size > 0 ? { ...scenario, calls } : undefined;
}

/** The call gets a pointer to what is constant: it sets nothing up. */
function isOnlyRead({ fn }: Call, { argument }: Extract<Argument, { kind: 'earlier' }>): boolean {
  const type = fn.parameters[argument]?.ctype;
  return type?.kind === 'pointer' && type.to.const === true;
}

/**
 * The calls back of an answer are made by the client instead, before the call that asked for it; undefined if there are
 * none. Answers keep the calls that asked for them.
 */
function madeBefore(
  program: Program,
  scenario: Scenario,
  used: readonly UsedAnswer[],
  at: number,
  calledByClients: ScenarioOptions['calledByClients'],
): Scenario | undefined {
  const { sideEffects, nesting, call: owner } = used[at]!;
  if (!sideEffects || nesting > 0) return undefined;
  const [callsBack, others] = [
    sideEffects.effects.filter(({ kind }) => kind === 'call'),
    sideEffects.effects.filter(({ kind }) => kind !== 'call'),
  ];
  const made = callsBack.flatMap((effect): Call[] => {
    const fn = effect.kind === 'call' ? program.functionByName.get(effect.function) : undefined;
    return fn && effect.kind === 'call' && calledByClients?.has(fn)
      ? [{ fn, arguments: effect.arguments.map((value): Argument => ({ kind: 'scalar', value })) }]
      : [];
  });
  if (made.length === 0 || made.length < callsBack.length) return undefined;
  const after = used.findIndex((answer, i) => i > at && answer.nesting === 0);
  const end = after < 0 ? used.length : after;
  const start = used.findIndex(({ call }) => call === owner);
  const answers = used.map(asGiven);
  const asked = withEffects(answers[at]!, others.length > 0 ? { ...sideEffects, effects: others } : undefined);
  return {
    calls: [
      ...scenario.calls.slice(0, owner),
      ...made,
      ...scenario.calls.slice(owner).map((call) => ({
        ...call,
        arguments: call.arguments.map((one) =>
          one.kind === 'earlier' && one.call >= owner ? { ...one, call: one.call + made.length } : one,
        ),
      })),
    ],
    answers: [
      ...answers.slice(0, start),
      ...answers.slice(at + 1, end),
      ...answers.slice(start, at),
      ...asked,
      ...answers.slice(end),
    ],
  };
}

/** With another argument in one place. Pointers to the end of an array lead to the end of one in its place, too. */
export function withArgument(scenario: Scenario, call: number, at: number, argument: Argument): Scenario {
  const [before, now] = [scenario.calls[call]?.arguments[at], argument].map(lengthOf);
  const isResized = before !== undefined && now !== undefined && before !== now;
  const follow = (one: Argument, i: number, j: number): Argument => {
    const index = indexOf(one);
    const isInto = one.kind === 'earlier' ? one.call === call && one.argument === at : i === call && j === at;
    if (!isResized || !isInto || index === undefined) return one;
    return { ...one, index: index === before ? now : Math.min(index, now) } as Argument;
  };
  return {
    ...scenario,
    calls: scenario.calls.map((c, i) => ({
      ...c,
      arguments: c.arguments.map((a, j) => follow(i === call && j === at ? argument : a, i, j)),
    })),
  };
}

/** Number of elements. */
export const lengthOf = (argument: Argument | undefined): number | undefined =>
  argument?.kind === 'object' && argument.type.kind === 'array' ? argument.type.length : undefined;

function simplerArguments(argument: Argument): Argument[] {
  switch (argument.kind) {
    case 'earlier':
      return simplerIndex(argument);
    case 'function':
      return [{ kind: 'scalar', value: 0 }, ...(argument.index > 0 ? [{ ...argument, index: 0 }] : [])];
    case 'scalar':
      return simplerNumbers(argument.value).map((value) => ({ kind: 'scalar', value }));
    case 'object':
      return [
        { kind: 'scalar', value: 0 },
        ...simplerIndex(argument),
        ...shorter(argument),
        ...simplerPlain(argument.contents).map((contents): Argument => ({ ...argument, contents })),
      ];
  }
}

/** At the beginning, halfway there, or one element before. */
function simplerIndex(argument: Extract<Argument, { kind: 'object' | 'earlier' }>): Argument[] {
  const { index, ...rest } = argument;
  if (index === undefined) return [];
  return [
    rest,
    ...[index >> 1, index - 1].filter((less) => less > 0 && less < index).map((less) => ({ ...argument, index: less })),
  ];
}

/**
 * The argument with all but one of the zeros at its end removed, half as long, or one element shorter; and a text that
 * ends where the array does with half of its characters, or without its last or its first one.
 */
function shorter(argument: Argument): Argument[] {
  if (argument.kind !== 'object') return [];
  const { type, contents } = argument;
  if (type.kind !== 'array' || type.length === undefined || type.length <= 1 || !Array.isArray(contents)) return [];
  const { length } = type;
  const elements = contents as readonly Plain[];
  const needed = 2 + elements.findLastIndex((element: Plain) => element !== 0 && element !== 0n);
  const isText =
    type.of.kind === 'integer' && type.of.widthBits === 8 && elements.length === length && needed === length;
  const texts = isText
    ? [elements.slice(0, (length - 1) >> 1).concat(0), elements.slice(0, -2).concat(0), elements.slice(1)]
    : [];
  return [
    ...[...(needed < length - 1 ? [needed] : []), length >> 1, length - 1].map((fewer) => elements.slice(0, fewer)),
    ...texts,
  ].map((fewer) => ({ ...argument, type: { ...type, length: fewer.length }, contents: fewer as Plain }));
}

function withEffects(
  { sideEffects: before, ...answer }: EnvironmentAnswer,
  sideEffects: AnswerEffects | undefined,
): EnvironmentAnswer[] {
  return !sideEffects && before?.afterSilent !== undefined ? [] : [{ ...answer, ...(sideEffects && { sideEffects }) }];
}

/** None, or one less, or one with a smaller number. */
function simplerEffects(sideEffects: AnswerEffects | undefined): (AnswerEffects | undefined)[] {
  if (!sideEffects) return [];
  const { effects } = sideEffects;
  const numbers = effects.flatMap((effect, i) =>
    (effect.kind === 'write' || effect.kind === 'set') && !isAccessPath(effect.value)
      ? simplerNumbers(effect.value).map((value): AnswerEffects => ({
          ...sideEffects,
          effects: effects.map((one, k) => (k === i ? { ...effect, value } : one)),
        }))
      : [],
  );
  return [
    undefined,
    ...(effects.length > 1
      ? effects.map((_, i): AnswerEffects => ({ ...sideEffects, effects: effects.filter((__, k) => k !== i) }))
      : []),
    ...numbers,
  ];
}
