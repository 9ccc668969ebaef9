/**
 * Random executions of a transition system, by computing its formulas: the states of a weaker program, which the
 * interpreter, that runs the program as it is, comes to seldom or never. They are data from which invariants are
 * guessed, no more.
 */
import type { Samples } from '../../abstraction/candidates/samples';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type { TransitionSystem, Transition } from '../../abstraction/transitionSystem/transitionSystem';
import { compileAll } from '../../logic/compile';
import { NotComputable } from '../../logic/evaluate';
import { arrayValue } from '../../logic/arrays/arrayValue';
import type { Sort, SymbolTerm, Term, Value } from '../../logic/term';
import { Random } from '../../semantics/concrete/random';

const limits = {
  /** Transitions of all executions together, and of one. */
  steps: 4_000,
  stepsOfOne: 200,
} as const;

type Environment = ReadonlyMap<Term, Value>;

interface Frame {
  readonly point: Cutpoint;
  readonly environment: Environment;
}

/** `constants`: tried as inputs beside random numbers. */
export function sampleRuns(
  system: TransitionSystem,
  samples: Samples,
  constants: readonly bigint[],
  seed: number,
): void {
  new Runs(system, samples, constants, new Random(seed)).all();
}

class Runs {
  private readonly leaving = new Map<Cutpoint | undefined, Transition[]>();
  private readonly readers = new Map<Transition, (environment: (symbol: SymbolTerm) => Value) => Value[]>();
  private readonly bindings = new Map<Transition, (readonly (readonly [Term, Term])[])[]>();
  private steps = 0;

  constructor(
    private readonly system: TransitionSystem,
    private readonly samples: Samples,
    private readonly constants: readonly bigint[],
    private readonly random: Random,
  ) {
    for (const transition of system.transitions)
      this.leaving.set(transition.from, [...(this.leaving.get(transition.from) ?? []), transition]);
  }

  all(): void {
    const starts = this.leaving.get(undefined) ?? [];
    if (starts.length === 0) return;
    while (this.steps < limits.steps) {
      this.samples.begin();
      const before = this.steps;
      try {
        this.run(this.one(starts));
      } catch (error) {
        if (!(error instanceof NotComputable)) throw error;
      }
      if (this.steps === before) this.steps++;
    }
  }

  private run(start: Transition): void {
    const stack: Frame[] = [];
    let current = this.follow(start, new Map());
    for (let step = 0; current && step < limits.stepsOfOne; step++) {
      this.steps++;
      const { point, environment } = current;
      this.samples.recordState(point, this.valuesIn(new Map(environment)));
      const caller = point.kind === 'exit' ? stack.pop() : undefined;
      if (point.kind === 'exit' && !caller) return;
      current = caller ? this.return(caller, current) : this.leave(current, stack);
    }
  }

  private leave(frame: Frame, stack: Frame[]): Frame | undefined {
    const { point, environment } = frame;
    const transition = this.one((this.leaving.get(point) ?? []).filter(({ summary }) => !summary));
    if (!transition) return undefined;
    if (transition.kind === 'call') stack.push(frame);
    return this.follow(transition, environment);
  }

  /** Back from a call: what the callee left is what the summary is about. */
  private return(caller: Frame, { point, environment: left }: Frame): Frame | undefined {
    const transition = this.leaving.get(caller.point)?.find(({ summary }) => summary?.exit === point);
    if (!transition?.summary) return undefined;
    const environment = new Map(caller.environment);
    const { exit, exitState } = transition.summary;
    for (const [symbol, term] of this.system.vocabulary.binding(exit.fn, exitState)) {
      const value = left.get(symbol);
      if (term.kind === 'symbol' && value !== undefined && !environment.has(term)) environment.set(term, value);
    }
    return this.follow(transition, environment);
  }

  private follow(transition: Transition | undefined, environment: Environment): Frame | undefined {
    if (!transition) return undefined;
    const chosen = new Map(environment);
    const values = this.reader(transition)(this.valuesIn(chosen));
    let at = 0;
    for (const [i, { point }] of transition.ends.entries()) {
      const bindings = this.bindings.get(transition)![i]!;
      if (values[at++] !== true) at += bindings.length;
      else return { point, environment: new Map(bindings.map(([symbol]) => [symbol, values[at++]!])) };
    }
    return undefined;
  }

  /** For each end its guard, then its state. */
  private reader(transition: Transition): (environment: (symbol: SymbolTerm) => Value) => Value[] {
    let reader = this.readers.get(transition);
    if (!reader) {
      const { vocabulary } = this.system;
      const bindings = transition.ends.map(({ point, state }) => [...vocabulary.binding(point.fn, state)]);
      this.bindings.set(transition, bindings);
      const terms = transition.ends.flatMap(({ guard }, i) => [guard, ...bindings[i]!.map(([, term]) => term)]);
      this.readers.set(transition, (reader = compileAll(terms)));
    }
    return reader;
  }

  /** A symbol without a value, as of an object that is not in scope, gets one when it is first asked for. */
  private valuesIn(chosen: Map<Term, Value>): (symbol: SymbolTerm) => Value {
    return (symbol) => {
      let value = chosen.get(symbol);
      if (value === undefined) chosen.set(symbol, (value = this.valueOf(symbol.sort)));
      return value;
    };
  }

  private one<T>(choices: readonly T[]): T {
    return choices[this.random.below(choices.length)]!;
  }

  private valueOf(sort: Sort): Value {
    switch (sort.kind) {
      case 'boolean':
        return this.random.below(2) === 1;
      case 'bits': {
        const way = this.random.below(4);
        if (way === 0) return BigInt.asUintN(sort.width, this.random.uint64());
        if (way === 1) return BigInt(this.random.below(10));
        return BigInt.asUintN(sort.width, this.one(this.constants));
      }
      case 'array':
        return arrayValue(this.valueOf(sort.element), [], sort.element);
    }
  }
}
