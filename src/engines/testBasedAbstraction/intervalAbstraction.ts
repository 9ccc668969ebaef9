/**
 * Test-based abstraction over intervals instead of predicates (ISSTA 2006, section 3.4: any abstract domain will do;
 * infinite ones need widening). At every cutpoint a box around the states seen; a state outside the box that a
 * step can reach makes it larger; a bound that keeps moving jumps to the next constant of the program, in the end to
 * the end of its type, so the search ends.
 */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { constantsOf, observablesOf } from '../../abstraction/candidates/observables';
import type { Observable, ObservableVariable, Samples } from '../../abstraction/candidates/samples';
import type { TransitionSystem, Transition } from '../../abstraction/transitionSystem/transitionSystem';
import { Machine } from '../../semantics/concrete/machine';
import type { Model, QueryBudget, Solver } from '../../solver/solver';

interface Interval {
  low: bigint;
  high: bigint;
  /** Times each end has moved by a step rather than by a test. */ moves: number;
}
type Box = readonly Interval[];

export interface IntervalLimits {
  readonly query: QueryBudget;
  readonly stop: () => boolean;
  /** Moves of an interval before it is widened. */ readonly boundChanges: number;
}

export interface IntervalResult {
  readonly invariants: Map<Cutpoint, Term[]>;
  readonly steps: number;
}

/** The boxes as invariants, closed under every transition; undefined when stopped or when the solver gave up. */
export async function intervalInvariant(
  system: TransitionSystem,
  samples: Samples,
  solver: Solver,
  limits: IntervalLimits,
): Promise<IntervalResult | undefined> {
  return new IntervalAbstraction(system, samples, solver, limits).run();
}

class IntervalAbstraction {
  private readonly observables: ReadonlyMap<Cutpoint, readonly ObservableVariable[]>;
  private readonly boxes = new Map<Cutpoint, Box>();
  private readonly thresholds: readonly bigint[];
  private readonly pending = new Set<Transition>();
  private steps = 0;

  constructor(
    private readonly system: TransitionSystem,
    samples: Samples,
    private readonly solver: Solver,
    private readonly limits: IntervalLimits,
  ) {
    this.observables = observablesOf(system);
    this.thresholds = constantsOf(system);
    for (const point of system.points)
      for (const { values } of samples.of(point)) this.include(point, values.slice(0, this.of(point).length), 'test');
    const { client } = system;
    if (client && !system.options.init) {
      const machine = new Machine(system.program);
      const view = new ConcreteView(system.vocabulary, {
        globals: machine.globals,
        memory: machine.memory,
        activation: undefined,
        activations: [],
      });
      this.include(
        client,
        this.of(client).map((v) => reading(v, view.value(v.term) as bigint)),
        'test',
      );
    }
    for (const transition of system.transitions) this.pending.add(transition);
  }

  async run(): Promise<IntervalResult | undefined> {
    for (const transition of this.pending) {
      this.pending.delete(transition);
      if (!(await this.close(transition))) return undefined;
    }
    return {
      invariants: new Map(this.system.points.map((point) => [point, this.invariants(point)])),
      steps: this.steps,
    };
  }

  /** Enlarges the boxes at the ends until no step leaves them; false when that could not be decided. */
  private async close(transition: Transition): Promise<boolean> {
    const { vocabulary } = this.system;
    const { from, summary, axioms } = transition;
    for (;;) {
      if (this.limits.stop()) return false;
      if ((from && !this.boxes.has(from)) || (summary && !this.boxes.has(summary.exit))) return true;
      const sources = [...axioms, ...(from ? this.invariants(from) : [])];
      if (summary) {
        sources.push(
          ...substituteAll(this.invariants(summary.entry), vocabulary.binding(summary.entry.fn, summary.entryState)),
        );
        sources.push(
          ...substituteAll(this.invariants(summary.exit), vocabulary.binding(summary.exit.fn, summary.exitState)),
        );
      }
      const escapes = transition.ends.map(({ point, guard, state }) =>
        L.and(guard, L.not(L.and(...substituteAll(this.invariants(point), vocabulary.binding(point.fn, state))))),
      );
      const query = [...sources, L.or(...escapes)];
      const answer = await this.solver.check([...query, ...vocabulary.readAxioms(query, new Set())], this.limits.query);
      this.steps++;
      if (answer.kind === 'unsat') return true;
      if (answer.kind === 'unknown') return false;
      transition.ends.forEach(({ point, state }, i) => {
        if (answer.model.evaluate(escapes[i]!) === true)
          this.include(point, this.valuesAt(point, state, answer.model), 'step');
      });
    }
  }

  private valuesAt(point: Cutpoint, state: Transition['ends'][number]['state'], model: Model): bigint[] {
    const binding = this.system.vocabulary.binding(point.fn, state);
    return this.of(point).map((v) => reading(v, model.evaluate(substituteAll([v.term], binding)[0]!) as bigint));
  }

  /** An unreached point's invariants are false, a reached one's its bounds. */
  private invariants(point: Cutpoint): Term[] {
    const box = this.boxes.get(point);
    if (!box) return [L.FALSE];
    return this.of(point).flatMap((v, i) => {
      const { low, high } = box[i]!;
      const [least, most] = rangeOf(v);
      const literal = (value: bigint): Term => L.bits(BigInt.asUintN(v.widthBits, value), v.widthBits);
      const le = v.signed ? L.sle : L.ule;
      return [...(low > least ? [le(literal(low), v.term)] : []), ...(high < most ? [le(v.term, literal(high))] : [])];
    });
  }

  private include(point: Cutpoint, vector: readonly bigint[], by: 'test' | 'step' | 'exit'): void {
    const box = this.boxes.get(point);
    if (!box) {
      this.boxes.set(
        point,
        vector.map((value) => ({ low: value, high: value, moves: 0 })),
      );
    } else {
      box.forEach((interval, i) => {
        this.enlarge(interval, vector[i]!, this.of(point)[i]!, by);
      });
    }
    for (const transition of this.system.transitions) {
      if (transition.from === point || transition.summary?.exit === point || transition.summary?.entry === point)
        this.pending.add(transition);
    }
    const { client, options } = this.system;
    if (client && point.kind === 'exit' && (options.entries.includes(point.fn) || point.fn === options.init))
      this.handOver(point, client);
  }

  /** Between calls the static data may be whatever an exit leaves. */
  private handOver(exit: Cutpoint, client: Cutpoint): void {
    const box = this.boxes.get(exit)!;
    const observables = this.of(exit);
    const known = this.boxes.get(client);
    const ends = (pick: (interval: Interval) => bigint): bigint[] =>
      this.of(client).map((v, i) => {
        const at = observables.findIndex((o) => o.term === v.term);
        // Not observed at the exit: nothing is known of it there.
        if (at >= 0) return pick(box[at]!);
        const [least, most] = rangeOf(v);
        return pick({ low: least, high: most, moves: 0 }) ?? known?.[i]?.low ?? 0n;
      });
    const [low, high] = [ends((interval) => interval.low), ends((interval) => interval.high)];
    const inside = known?.every((interval, i) => interval.low <= low[i]! && high[i]! <= interval.high) ?? false;
    if (inside) return;
    this.include(client, low, 'exit');
    this.include(client, high, 'exit');
  }

  private enlarge(interval: Interval, value: bigint, v: Observable, by: 'test' | 'step' | 'exit'): void {
    const [least, most] = rangeOf(v);
    if (value >= interval.low && value <= interval.high) return;
    if (by === 'step') interval.moves++;
    const widen = interval.moves > this.limits.boundChanges;
    const beyond = interval.moves > this.limits.boundChanges + 8;
    if (value < interval.low)
      interval.low = beyond
        ? least
        : widen
          ? ([...this.thresholds].reverse().find((t) => t <= value && t >= least) ?? least)
          : value;
    else interval.high = beyond ? most : widen ? (this.thresholds.find((t) => t >= value && t <= most) ?? most) : value;
  }

  private of(point: Cutpoint): readonly ObservableVariable[] {
    return this.observables.get(point) ?? [];
  }
}

function reading(v: Observable, bits: bigint): bigint {
  return v.signed ? BigInt.asIntN(v.widthBits, bits) : bits;
}
function rangeOf(v: Observable): [bigint, bigint] {
  const size = 1n << BigInt(v.widthBits);
  return v.signed ? [-size / 2n, size / 2n - 1n] : [0n, size - 1n];
}
