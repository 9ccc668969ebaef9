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
import type { Scalar } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { isWide } from '../../semantics/concrete/concreteValues';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import type { Precondition } from './preconditions';

/** Edges of a run with a text. */
const STEPS = 20_000;
/** Characters of a text that is tried. */
const LETTERS = 8;
const LETTER = 65;
const nothing: Argument = { kind: 'scalar', value: 0 };

export class UnterminatedStrings {
  private readonly found = new Map<FunctionDefinition, Map<number, string>>();
  private readonly runner: ScenarioRunner;

  constructor(
    private readonly program: Program,
    private readonly entries: readonly FunctionDefinition[],
    options: ScenarioOptions,
  ) {
    this.runner = new ScenarioRunner(program, options);
  }

  /** Remembers the precondition under which the failure is none. */
  look(scenario: Scenario, fault: Fault): void {
    if (!isAboutPlace(fault)) return;
    const failing = this.runner.run(scenario, { stepLimit: STEPS })?.last;
    if (failing === undefined) return;
    const { fn, arguments: given } = scenario.calls[failing]!;
    const before = scenario.calls.slice(0, failing);
    const call = (args: readonly Argument[]): Scenario => ({
      ...scenario,
      calls: [...before, { fn, arguments: args }],
    });
    const isAlike = (again: Fault): boolean => failsAlike(again, fault);
    const found = textsOf(fn).find((at) => {
      const ended = this.ended(given[at]!);
      return ended !== undefined && this.isHarmless(call(given.with(at, ended)), failing, isAlike);
    });
    if (found === undefined) return;
    this.remember(fn, found, this.isHarmless(call(given.with(found, nothing)), failing, isAlike));
    this.lookAt(before, { fn, arguments: given });
  }

  /**
   * Adds the other functions that fail so in the state in which the last call is made: a module that takes one string
   * mostly takes more.
   */
  lookAround({ calls }: Scenario): void {
    for (const fn of this.entries)
      this.lookAt(calls.slice(0, -1), { fn, arguments: fn.parameters.map(({ type }) => one(type)) });
  }

  /** The first call from the initial state that fails so. */
  failing(): Scenario | undefined {
    for (const fn of this.entries) {
      const [failing] = this.lookAt([], { fn, arguments: fn.parameters.map(({ type }) => one(type)) });
      if (failing) return failing;
    }
    return undefined;
  }

  /**
   * Texts that the call goes on to the end of, beside longer ones that are alike or different, so that a failure is
   * none of theirs: the calls that fail.
   */
  private lookAt(before: readonly Call[], { fn, arguments: given }: Call): Scenario[] {
    const texts = textsOf(fn);
    return texts.flatMap((at) =>
      [LETTER, LETTER + 1].flatMap((letter) => {
        if (this.found.get(fn)?.has(at)) return [];
        const beside = given.map((argument, other) =>
          texts.includes(other) ? text(fn, other, 4 * LETTERS, letter) : argument,
        );
        const call = (argument: Argument): Scenario => ({
          calls: [...before, { fn, arguments: beside.with(at, argument) }],
          answers: [],
        });
        const isHarmless = (argument: Argument): boolean =>
          this.isHarmless(call(argument), before.length, isAboutPlace);
        const unended = call(letters(fn, at, LETTERS));
        if (!isHarmless(text(fn, at, 4 * LETTERS)) || !isHarmless(text(fn, at, LETTERS)) || !this.fails(unended))
          return [];
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

  /** The call comes about, and does not fail so, nor for a null pointer. */
  private isHarmless(scenario: Scenario, index: number, fails: (fault: Fault) => boolean): boolean {
    const run = this.runner.run(scenario, { stepLimit: STEPS });
    const again = faultOf(run);
    return run !== undefined && run.last >= index && !(again && (fails(again) || again.check === 'null-dereference'));
  }

  private fails(scenario: Scenario): boolean {
    const fault = faultOf(this.runner.run(scenario, { stepLimit: STEPS }));
    return fault !== undefined && isAboutPlace(fault);
  }

  get preconditions(): readonly (Pick<Precondition, 'function' | 'text'> & { readonly parameter: string })[] {
    return this.program.functions.flatMap((fn) =>
      [...(this.found.get(fn) ?? [])]
        .sort(([a], [b]) => a - b)
        .map(([at, text]) => ({ function: fn.name, parameter: fn.parameters[at]!.name, text })),
    );
  }

  /** The same characters and a 0. */
  private ended(argument: Argument): Argument | undefined {
    if (argument.kind !== 'object' || !Array.isArray(argument.contents)) return undefined;
    const { type, contents } = argument;
    if (
      type.kind !== 'array' ||
      type.length === undefined ||
      sizeOf(type.of, this.program.dataModel) !== 1 ||
      contents.length < type.length ||
      Number(contents.at(-1)) === 0
    )
      return undefined;
    return { kind: 'object', type: { ...type, length: type.length + 1 }, contents: [...contents, 0] };
  }
}

const isAboutPlace = ({ check }: Fault): boolean => check === 'dereference' || check === 'array-bounds';

/** Parameters that are pointers to characters. */
function textsOf({ parameters }: FunctionDefinition): number[] {
  return parameters.flatMap(({ ctype }, at) =>
    ctype?.kind === 'pointer' && ctype.to.kind === 'integer' && ctype.to.name === 'char' ? [at] : [],
  );
}

/** For what is no text. */
function one(type: Scalar): Argument {
  switch (type.kind) {
    case 'pointer':
      return nothing;
    case 'float':
      return { kind: 'scalar', value: 1 };
    case 'integer':
      return { kind: 'scalar', value: isWide(type) ? 1n : 1 };
  }
}

/** So many characters, and no 0. */
function letters(
  { parameters }: FunctionDefinition,
  at: number,
  length: number,
  letter = LETTER,
): Extract<Argument, { kind: 'object' }> & { readonly contents: number[] } {
  const of = (parameters[at]!.ctype as CType & { kind: 'pointer' }).to;
  return {
    kind: 'object',
    type: { kind: 'array', of: { ...of, const: false }, length },
    contents: Array<number>(length).fill(letter),
  };
}

function text(fn: FunctionDefinition, at: number, length: number, letter = LETTER): Argument {
  const { contents, ...rest } = letters(fn, at, length + 1, letter);
  return { ...rest, contents: contents.with(-1, 0) };
}
