/**
 * Infers the precondition that rules out failures caused by an unterminated string. The bug is still reported. The
 * precondition is offered only if the failure disappears when the call is repeated with a 0 behind the characters (as
 * in angelic verification: A. Das, S. Lahiri, A. Lal, Y. Li, CAV 2015).
 */
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import {
  faultOf,
  ScenarioRunner,
  type Argument,
  type Call,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import { isCharacter } from '../../host/values/encode';
import { int8, type Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
import { isWide, pointerTo } from '../../semantics/concrete/concreteValues';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import { originalObject } from './distinctArguments';
import type { Precondition } from './preconditions';

const limits = {
  /** Edges of a run with a text. */
  steps: 20_000,
  /** Characters of a text that is tried. */
  letters: 8,
  /** Characters of a text that is tried where it is compared with a kept one. */
  shorter: 4,
  /** Characters of which a text consists, each by itself, beside letters. */
  characters: 12,
  /** Calls of clients that are made again with other texts. */
  clients: 24,
  /** Texts that modules keep behind clients, and bytes of an object with such texts. */
  keptTexts: 24,
  keptBytes: 4096,
  /** Elements of an array that is no text. */
  elements: 64,
} as const;
const filler = 65;
const digit = 48;
const nothing: Argument = { kind: 'scalar', value: 0 };

export class UnterminatedStrings {
  private readonly found = new Map<FunctionDefinition, Map<number, string>>();
  private readonly runner: ScenarioRunner;

  constructor(
    private readonly program: Program,
    private readonly entries: readonly FunctionDefinition[],
    private readonly options: ScenarioOptions,
  ) {
    this.runner = new ScenarioRunner(program, options);
  }

  /**
   * Remembers the precondition under which the failure is none: of the call that fails, or of an earlier one whose text
   * the module has kept.
   */
  look(scenario: Scenario, fault: Fault): void {
    if (!isAboutPlace(fault)) return;
    const failing = this.runner.run(scenario, { stepLimit: limits.steps })?.last;
    if (failing === undefined) return;
    for (let at = failing; at >= 0; at--) if (this.lookInCall(scenario, at, failing, fault)) return;
  }

  /** True if a text of this call explains the failure of the last. */
  private lookInCall(scenario: Scenario, index: number, failing: number, fault: Fault): boolean {
    const { fn, arguments: given } = scenario.calls[index]!;
    const before = scenario.calls.slice(0, index);
    const behind = scenario.calls.slice(index + 1, failing + 1);
    const call = (args: readonly Argument[]): Scenario => ({
      ...scenario,
      calls: [...before, { fn, arguments: args }, ...behind],
    });
    const isAlike = (again: Fault): boolean => failsAlike(again, fault);
    const isInMemory = (again: Fault): boolean => isAlike(again) || isAboutPlace(again);
    const found = textsOf(fn).find((at) => {
      const object = originalObject(scenario, given[at]!);
      const [ended, longer] = [0, filler].map((last) => this.with(last, object));
      const isHarmless = (one: Argument, fails = isAlike): boolean =>
        this.isHarmless(call(given.with(at, one)), failing, fails);
      if (ended === undefined || !isHarmless(ended)) return false;
      const isWithinMemory = isHarmless(ended, isInMemory);
      // If more room ends the failure as well, nothing looks for the 0. A parser stops at most characters, though, and
      // may come to its next access behind the characters.
      const others = [lastOf(object), digit].flatMap((last) => this.with(last, object) ?? []);
      const fails = isWithinMemory ? isInMemory : isAlike;
      if (!isHarmless(longer!, fails) || others.some((one) => !isHarmless(one, fails))) return true;
      // A comparison ends with the other text, whatever more there is of this one.
      return isWithinMemory && index === failing && this.looksForEnd(fn, at);
    });
    if (found === undefined) return false;
    const failsAtNull = (again: Fault): boolean => isAlike(again) || isNull(again);
    this.remember(fn, found, this.isHarmless(call(given.with(found, nothing)), failing, failsAtNull));
    if (index === failing) this.lookAt(before, { fn, arguments: given });
    return true;
  }

  /**
   * Adds the other functions that fail so in the state in which the last call is made: a module that takes one string
   * mostly takes more.
   */
  lookAround({ calls }: Scenario): void {
    for (const fn of this.entries) this.lookAt(calls.slice(0, -1), this.anyCall(fn));
  }

  /**
   * The first calls that fail so, from the initial state or where the module may have kept a text. A parser stops at a
   * letter that it does not expect: digits, and characters of the program, are tried behind letters. Then texts are
   * tried with which literals begin, and behind `clients` those that the module keeps.
   */
  failing(clients: readonly Scenario[] = []): Scenario | undefined {
    for (const { before, length } of this.states())
      for (const fn of this.entries) {
        const [failing] = this.lookAt(before, this.anyCall(fn), length);
        if (failing) return failing;
      }
    for (const character of this.otherCharacters())
      for (const fn of this.entries) {
        const [failing] = this.lookAt([], this.anyCall(fn), limits.letters, undefined, character);
        if (failing) return failing;
      }
    for (const literal of this.literals())
      for (const fn of this.entries) {
        const [failing] = this.lookForKept([], this.anyCall(fn), literal);
        if (failing) return failing;
      }
    for (const client of clients.slice(0, limits.clients)) {
      const failing = this.failingText(client) ?? this.failingText(withTexts(client));
      if (failing) return failing;
    }
    const tried = new Set<string>();
    for (const client of clients)
      for (const kept of this.keptTexts(client)) {
        if (tried.size === limits.keptTexts) return undefined;
        if (tried.has(kept.join(','))) continue;
        tried.add(kept.join(','));
        for (const fn of this.entries) {
          const [failing] = this.lookForKept(client.calls, this.anyCall(fn), kept);
          if (failing) return failing;
        }
      }
    return undefined;
  }

  /**
   * The same calls with characters without a 0 in one of them that fail, in that call or behind it, where a text does
   * not: the structures that they need are set up, and what the module keeps of a text is used.
   */
  private failingText(client: Scenario): Scenario | undefined {
    const { calls } = client;
    const isFailure = (fault: Fault): boolean => isAboutPlace(fault) || isNull(fault);
    for (const [index, { fn, arguments: given }] of calls.entries())
      for (const at of textsOf(fn)) {
        if (!this.entries.includes(fn) || this.found.get(fn)?.has(at)) continue;
        const of = (argument: Argument): Scenario => ({
          ...client,
          calls: calls.with(index, { fn, arguments: given.with(at, argument) }),
        });
        const unended = of(letters(fn, at, limits.letters));
        const isHarmless = (argument: Argument): boolean => this.isHarmless(of(argument), calls.length - 1, isFailure);
        if (!this.fails(unended) || !isHarmless(text(fn, at, limits.letters))) continue;
        // More room ends the failure as well: nothing looks for the 0.
        if (isHarmless(letters(fn, at, limits.letters + 1))) continue;
        this.remember(fn, at, isHarmless(nothing));
        return unended;
      }
    return undefined;
  }

  /** Characters of the program's own texts. */
  private literals(): readonly (readonly number[])[] {
    const texts = this.program.objects.flatMap(({ writable, ctype, bytes }) => {
      const end = bytes.indexOf(0);
      return !writable && holdsCharacters(ctype) && isText(end) ? [[...bytes.subarray(0, end)]] : [];
    });
    return texts.slice(0, limits.keptTexts);
  }

  /** Characters up to a 0 in static data, behind the client; none if it fails. */
  private keptTexts(client: Scenario): readonly (readonly number[])[] {
    let memory: ConcreteMemory | undefined;
    const runner = new ScenarioRunner(this.program, {
      ...this.options,
      observe: (machine) => (memory = machine.memory),
    });
    const run = client.answers.length > 0 ? undefined : runner.run(client, { stepLimit: limits.steps });
    if (run?.outcome.kind !== 'returned') return [];
    const objects = this.program.objects.filter(
      ({ writable, sizeBytes, ctype }) => writable && sizeBytes <= limits.keptBytes && holdsCharacters(ctype),
    );
    return objects.flatMap(({ number, sizeBytes }) => {
      const found: number[][] = [[]];
      for (let at = 0; at < sizeBytes; at++) {
        const character = Number(memory!.load(pointerTo(number, at), int8));
        if (character === 0) found.push([]);
        else found.at(-1)!.push(character);
      }
      return found.filter(({ length }) => isText(length));
    });
  }

  /**
   * Calls that fail with all characters of the kept text but the last, and no 0, as they do with all: they are compared
   * with it. With a 0 behind them neither fails.
   */
  private lookForKept(before: readonly Call[], { fn, arguments: given }: Call, kept: readonly number[]): Scenario[] {
    const texts = textsOf(fn);
    const isFailure = (fault: Fault): boolean => isAboutPlace(fault) || isNull(fault);
    return texts.flatMap((at) => {
      if (this.found.get(fn)?.has(at)) return [];
      const beside = given.map((argument, other) =>
        texts.includes(other) ? text(fn, other, limits.letters) : argument,
      );
      const call = (argument: Argument): Scenario => ({
        calls: [...before, { fn, arguments: beside.with(at, argument) }],
        answers: [],
      });
      const of = (characters: readonly number[]): Argument => {
        const object = letters(fn, at, characters.length);
        const isSigned = object.type.of.kind === 'integer' && object.type.of.signed;
        return { ...object, contents: characters.map((one) => (isSigned ? (one << 24) >> 24 : one & 0xff)) };
      };
      const isHarmless = (argument: Argument): boolean => this.isHarmless(call(argument), before.length, isFailure);
      const part = kept.slice(0, -1);
      const unended = call(of(part));
      if (!this.fails(unended) || !this.fails(call(of(kept)))) return [];
      if (!isHarmless(of([...part, 0])) || !isHarmless(of([...kept, 0]))) return [];
      this.remember(fn, at, isHarmless(nothing));
      return [unended];
    });
  }

  /** A digit, and characters that the program mentions. */
  private otherCharacters(): readonly number[] {
    const mentioned = this.program.functions.flatMap(({ library, edges }) =>
      library ? [] : edges.flatMap(({ command }) => expressionsOf(command)),
    );
    const found = new Set([digit]);
    for (const expression of mentioned)
      walk(expression, (node) => {
        if (node.kind === 'integer' && node.value > 31n && node.value < 127n) found.add(Number(node.value));
      });
    found.delete(filler);
    return [...found].slice(0, limits.characters);
  }

  /** In some state, the function goes on to the end of the text, and fails there. It may fail otherwise behind it. */
  private looksForEnd(fn: FunctionDefinition, at: number): boolean {
    const probe = new UnterminatedStrings(this.program, this.entries, this.options);
    return this.states().some(({ before, length }) => {
      probe.lookAt(before, probe.anyCall(fn), length, isAboutPlace);
      return probe.found.get(fn)?.has(at) === true;
    });
  }

  /**
   * The initial state, and those in which the module has been given a text, which it may have kept: it compares others
   * with it, up to the end of a shorter one of the same characters.
   */
  private states(): readonly { readonly before: readonly Call[]; readonly length: number }[] {
    const kept = this.entries.flatMap((fn) => {
      const texts = textsOf(fn);
      const call = this.anyCall(fn);
      const given = call.arguments.map((one, at) => (texts.includes(at) ? text(fn, at, limits.letters) : one));
      return texts.length === 0 ? [] : [{ before: [{ fn, arguments: given }], length: limits.shorter }];
    });
    return [{ before: [], length: limits.letters }, ...kept];
  }

  private anyCall(fn: FunctionDefinition): Call {
    return { fn, arguments: fn.parameters.map((parameter) => this.one(parameter)) };
  }

  /**
   * Texts that the call goes on to the end of, beside longer ones that are alike or different, so that a failure is
   * none of theirs: the calls that fail.
   */
  private lookAt(
    before: readonly Call[],
    { fn, arguments: given }: Call,
    length: number = limits.letters,
    isFailure = (fault: Fault): boolean => isAboutPlace(fault) || isNull(fault),
    character = filler,
  ): Scenario[] {
    const texts = textsOf(fn);
    return texts.flatMap((at) =>
      [filler, filler + 1].flatMap((letter) => {
        if (this.found.get(fn)?.has(at)) return [];
        const beside = given.map((argument, other) =>
          texts.includes(other) ? text(fn, other, 4 * limits.letters, letter) : argument,
        );
        const call = (argument: Argument): Scenario => ({
          calls: [...before, { fn, arguments: beside.with(at, argument) }],
          answers: [],
        });
        const isHarmless = (argument: Argument): boolean => this.isHarmless(call(argument), before.length, isFailure);
        const unended = call(letters(fn, at, length, character));
        if (
          !this.fails(unended) ||
          !isHarmless(text(fn, at, 4 * length, character)) ||
          !isHarmless(text(fn, at, length, character))
        )
          return [];
        // More room ends the failure as well: nothing looks for the 0.
        if (isHarmless(letters(fn, at, length + 1, character))) return [];
        this.remember(fn, at, isHarmless(nothing));
        return [unended];
      }),
    );
  }

  private remember(fn: FunctionDefinition, at: number, orNull: boolean): void {
    const { name } = fn.parameters[at]!;
    const known = this.found.get(fn) ?? new Map<number, string>();
    this.found.set(
      fn,
      known.set(at, orNull ? `(${name} == NULL || PROVEST_TERMINATED(${name}))` : `PROVEST_TERMINATED(${name})`),
    );
  }

  /** The call comes about, and does not fail so. */
  private isHarmless(scenario: Scenario, index: number, fails: (fault: Fault) => boolean): boolean {
    const run = this.runner.run(scenario, { stepLimit: limits.steps });
    const again = faultOf(run);
    return run !== undefined && run.last >= index && !(again && fails(again));
  }

  private fails(scenario: Scenario): boolean {
    const fault = faultOf(this.runner.run(scenario, { stepLimit: limits.steps }));
    return fault !== undefined && isAboutPlace(fault);
  }

  get preconditions(): readonly (Pick<Precondition, 'function' | 'text'> & { readonly parameter: string })[] {
    return this.program.functions.flatMap((fn) =>
      [...(this.found.get(fn) ?? [])]
        .sort(([a], [b]) => a - b)
        .map(([at, text]) => ({ function: fn.name, parameter: fn.parameters[at]!.name, text })),
    );
  }

  /** For what is no text: an object where a client can make one. */
  private one({ type, ctype }: Variable): Argument {
    switch (type.kind) {
      case 'pointer': {
        const to = ctype?.kind === 'pointer' ? ctype.to : undefined;
        // A table for what the function finds in the text is as good as one of numbers.
        if (to?.kind === 'integer' || to?.kind === 'pointer')
          return {
            kind: 'object',
            type: { kind: 'array', of: { ...to, const: false }, length: limits.elements },
            contents: [],
          };
        const { handles, initialisers } = this.options;
        const isClients = to?.kind === 'record' && to.record.complete && !handles?.has(to.record);
        return isClients && !initialisers?.has(to.record)
          ? { kind: 'object', type: { ...to, const: false }, contents: {} }
          : nothing;
      }
      case 'float':
        return { kind: 'scalar', value: 1 };
      case 'integer':
        return { kind: 'scalar', value: isWide(type) ? 1n : 1 };
    }
  }

  /** The same characters and one more; undefined for what ends with a 0, or is no text. */
  private with(last: number, argument: Argument | undefined): Argument | undefined {
    if (argument?.kind !== 'object' || !Array.isArray(argument.contents)) return undefined;
    const { type, contents } = argument;
    if (
      type.kind !== 'array' ||
      type.length === undefined ||
      sizeOf(type.of, this.program.dataModel) !== 1 ||
      contents.length < type.length ||
      Number(contents.at(-1)) === 0
    )
      return undefined;
    return { kind: 'object', type: { ...type, length: type.length + 1 }, contents: [...contents, last] };
  }
}

/** The same calls with long texts that are alike: what is compared is compared to its end. */
function withTexts({ calls, ...client }: Scenario): Scenario {
  return {
    ...client,
    calls: calls.map(({ fn, arguments: given }) => {
      const texts = textsOf(fn);
      return { fn, arguments: given.map((one, at) => (texts.includes(at) ? text(fn, at, 4 * limits.letters) : one)) };
    }),
  };
}

/** A number of characters in front of a 0 that is worth a try. */
const isText = (length: number): boolean => length > 1 && length <= limits.letters * 4;

function holdsCharacters(type: CType): boolean {
  switch (type.kind) {
    case 'array':
      return isCharacter(type.of) || holdsCharacters(type.of);
    case 'record':
      return type.record.fields.some((field) => holdsCharacters(field.type));
    default:
      return false;
  }
}

/** The last character; 0 for what has none. */
const lastOf = (object: Argument | undefined): number =>
  object?.kind === 'object' && Array.isArray(object.contents) ? Number(object.contents.at(-1) ?? 0) : 0;

const isAboutPlace = ({ check }: Fault): boolean => check === 'dereference' || check === 'array-bounds';

const isNull = ({ check }: Fault): boolean => check === 'null-dereference';

/** Parameters that are pointers to characters, signed or not: `unsigned char` and `uint8_t` make texts, too. */
function textsOf({ parameters }: FunctionDefinition): number[] {
  return parameters.flatMap(({ ctype }, at) => (ctype?.kind === 'pointer' && isCharacter(ctype.to) ? [at] : []));
}

/** So many characters, and no 0. */
function letters(
  { parameters }: FunctionDefinition,
  at: number,
  length: number,
  letter = filler,
): Extract<Argument, { kind: 'object' }> & {
  readonly type: CType & { readonly kind: 'array' };
  readonly contents: number[];
} {
  const of = (parameters[at]!.ctype as CType & { kind: 'pointer' }).to;
  return {
    kind: 'object',
    type: { kind: 'array', of: { ...of, const: false }, length },
    contents: Array<number>(length).fill(letter),
  };
}

function text(fn: FunctionDefinition, at: number, length: number, letter = filler): Argument {
  const { contents, ...rest } = letters(fn, at, length + 1, letter);
  return { ...rest, contents: contents.with(-1, 0) };
}
