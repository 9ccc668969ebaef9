/**
 * Ranges of floating-point variables, by interval arithmetic over the transitions (Cousot, Cousot, POPL 1977): what an
 * assignment leaves in a variable is seldom one of the program's constants, as the difference of two limited inputs.
 * Bounds that grow are widened to those constants. The ranges are candidates; nothing here is believed.
 */
import * as L from '../../../logic/build';
import type { FloatRange } from '../../../logic/floats/floats';
import { floatRanges } from '../../../logic/floats/intervals';
import { floatBits, floatOf } from '../../../logic/floats/patterns';
import type { SymbolTerm, Term } from '../../../logic/term';
import { Machine } from '../../../semantics/concrete/machine';
import type { SymbolicState } from '../../../semantics/symbolic/symbolicMemory';
import { ConcreteView } from '../../transitionSystem/concreteView';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { Transition, TransitionEnd, TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** More take longer to follow than such bounds help. */
  transitions: 200,
  /** Passes over all transitions: first those that follow bounds as they are, then those that widen them. */
  exactPasses: 4,
  passes: 16,
  /** Passes that take bounds back which widening left too wide. */
  narrowing: 2,
} as const;

export interface FloatVariable {
  readonly term: SymbolTerm;
  readonly width: 32 | 64;
}

type Ranges = ReadonlyMap<Cutpoint, ReadonlyMap<Term, FloatRange>>;

/** Per control point: the ranges of its variables that say anything. Points that no state reaches have none. */
export function floatRangesAt(
  system: TransitionSystem,
  variables: ReadonlyMap<Cutpoint, readonly FloatVariable[]>,
  constants: readonly number[],
): Ranges {
  if (system.transitions.length > limits.transitions || [...variables.values()].every(({ length }) => length === 0))
    return new Map();
  return new Ascent(system, variables, constants).fixpoint();
}

class Ascent {
  private ranges: Map<Cutpoint, ReadonlyMap<Term, FloatRange>>;
  private readonly initial: Ranges;

  constructor(
    private readonly system: TransitionSystem,
    private readonly variables: ReadonlyMap<Cutpoint, readonly FloatVariable[]>,
    private readonly constants: readonly number[],
  ) {
    this.initial = this.initialRanges();
    this.ranges = new Map(this.initial);
  }

  fixpoint(): Ranges {
    for (let pass = 0; pass < limits.passes; pass++) {
      const next = this.pass();
      const isStable = [...next].every(([point, ranges]) =>
        [...ranges].every(([term, range]) => isWithin(range, this.ranges.get(point)?.get(term))),
      );
      if (isStable) break;
      // In the last pass, ranges that still grow become all numbers.
      const widens = pass >= limits.exactPasses;
      const isLast = pass === limits.passes - 1;
      for (const [point, ranges] of next)
        this.ranges.set(
          point,
          new Map(
            [...ranges].map(([term, range]) => {
              const before = this.ranges.get(point)?.get(term);
              if (isLast) return [term, isWithin(range, before) ? before! : anything];
              return [term, before ? (widens ? this.widened(before, range) : hull(before, range)) : range];
            }),
          ),
        );
    }
    for (let pass = 0; pass < limits.narrowing; pass++) this.ranges = this.pass();
    return this.ranges;
  }

  /** The ranges behind all transitions from the present ranges. */
  private pass(): Map<Cutpoint, ReadonlyMap<Term, FloatRange>> {
    const next = new Map([...this.initial].map(([point, ranges]) => [point, new Map(ranges)]));
    for (const transition of this.system.transitions) {
      const before = this.conditionsBefore(transition);
      if (!before) continue;
      for (const end of transition.ends) {
        const variables = this.variables.get(end.point) ?? [];
        const after = this.system.vocabulary.binding(end.point.fn, end.state);
        const values = variables.map(({ term }) => after.get(term) ?? term);
        const found = floatRanges(values, [...before, end.guard]);
        if (!found) continue;
        join(
          next,
          end.point,
          variables.map(({ term }, i) => [term, found[i]!]),
        );
      }
    }
    this.handBack(next);
    return next;
  }

  /** Clients go on with the state in which a function that they call returns. */
  private handBack(next: Map<Cutpoint, Map<Term, FloatRange>>): void {
    const { client, points, options } = this.system;
    if (!client) return;
    for (const exit of points) {
      const left = exit.kind === 'exit' && (options.entries.includes(exit.fn) || options.init === exit.fn);
      const ranges = left ? next.get(exit) : undefined;
      if (ranges)
        join(
          next,
          client,
          (this.variables.get(client) ?? []).map(({ term }) => [term, ranges.get(term) ?? anything]),
        );
    }
  }

  /** The ranges where a transition begins, and those of a summary, as conditions. Undefined if none is known. */
  private conditionsBefore({ from, axioms, summary }: Transition): readonly Term[] | undefined {
    const places: (readonly [Cutpoint, SymbolicState | undefined])[] = [
      ...(from ? [[from, undefined] as const] : []),
      ...(summary ? [[summary.exit, summary.exitState] as const] : []),
    ];
    const conditions: Term[] = [...axioms];
    for (const [point, state] of places) {
      const ranges = this.ranges.get(point);
      if (!ranges) {
        // Nothing is known of a point without such variables, which may be reached.
        if ((this.variables.get(point) ?? []).length > 0 && !this.isFirst(point)) return undefined;
        continue;
      }
      const binding = state && this.system.vocabulary.binding(point.fn, state);
      for (const [term, range] of ranges) conditions.push(...rangeConditions(binding?.get(term) ?? term, range));
    }
    return conditions;
  }

  /** Its states come from outside, where no transition leads. */
  private isFirst(point: Cutpoint): boolean {
    return !this.system.transitions.some(({ ends }) => ends.some((end: TransitionEnd) => end.point === point));
  }

  private initialRanges(): Ranges {
    const { client, options, program, vocabulary } = this.system;
    const variables = client ? (this.variables.get(client) ?? []) : [];
    if (!client || options.init || variables.length === 0) return new Map();
    const machine = new Machine(program);
    const { value } = new ConcreteView(vocabulary, {
      globals: machine.globals,
      memory: machine.memory,
      activation: undefined,
      activations: [],
    });
    const ranges = variables.map(({ term, width }): readonly [Term, FloatRange] => {
      const number = floatOf(value(term) as bigint, width);
      return [term, Number.isNaN(number) ? anything : { low: number, high: number, mayBeNaN: false }];
    });
    return new Map([[client, new Map(ranges)]]);
  }

  /** A bound that has moved goes on to the next constant. */
  private widened(before: FloatRange, after: FloatRange): FloatRange {
    return {
      low: after.low >= before.low ? before.low : (this.constants.findLast((value) => value <= after.low) ?? -Infinity),
      high: after.high <= before.high ? before.high : (this.constants.find((value) => value >= after.high) ?? Infinity),
      mayBeNaN: before.mayBeNaN || after.mayBeNaN,
    };
  }
}

function join(
  all: Map<Cutpoint, Map<Term, FloatRange>>,
  point: Cutpoint,
  more: readonly (readonly [Term, FloatRange])[],
): void {
  let ranges = all.get(point);
  if (!ranges) all.set(point, (ranges = new Map()));
  for (const [term, range] of more) {
    const other = ranges.get(term);
    ranges.set(term, other ? hull(other, range) : range);
  }
}

const anything: FloatRange = { low: -Infinity, high: Infinity, mayBeNaN: true };

const isWithin = (one: FloatRange, other: FloatRange | undefined): boolean =>
  other !== undefined && other.low <= one.low && one.high <= other.high && (other.mayBeNaN || !one.mayBeNaN);

const hull = (a: FloatRange, b: FloatRange): FloatRange => ({
  low: Math.min(a.low, b.low),
  high: Math.max(a.high, b.high),
  mayBeNaN: a.mayBeNaN || b.mayBeNaN,
});

/** The value lies in the range, as comparisons. */
export function rangeConditions(value: Term, { low, high, mayBeNaN }: FloatRange): readonly Term[] {
  const width = L.widthOf(value);
  const literal = (bound: number): Term => L.bits(floatBits(bound, width as 32 | 64), width);
  const compare = (name: 'lt' | 'le', a: Term, b: Term): Term => L.call(`float-${name}-${width}`, L.boolSort, a, b);
  if (low > high) return [];
  if (mayBeNaN)
    return [
      ...(low === -Infinity ? [] : [L.not(compare('lt', value, literal(low)))]),
      ...(high === Infinity ? [] : [L.not(compare('lt', literal(high), value))]),
    ];
  return [
    ...(low === -Infinity && high < Infinity ? [] : [compare('le', literal(low), value)]),
    ...(high === Infinity ? [] : [compare('le', value, literal(high))]),
  ];
}
