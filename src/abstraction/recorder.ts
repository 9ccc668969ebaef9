/**
 * Abstraction on the fly: while the machine runs, every visit of a control point adds the valuation of the state there. States themselves are not
 * kept, only for each new abstract state the values of the variables its predicates speak of.
 */
import { symbolsOf } from '../logic/substitute';
import type { Activation, Machine } from '../semantics/machine';
import type { StateInC } from '../verdict';
import { ConcreteView } from './concreteView';
import type { ControlPoint, Source, Valuation } from './controlPoint';
import { printValue } from './printValue';
import type { System } from './system';

/** Thrown out of the machine's observer to end a run that brings nothing new. */
export class RunInterrupted extends Error {}

export class Recorder {
  /** Asked at every visit: true ends the run by `RunInterrupted`. */
  interrupt: (() => boolean) | undefined;
  private readonly contexts = new WeakMap<Activation, Valuation>();
  /** The context of an activation that was put into the middle of a function. */
  private given: Valuation = '';
  private source: Source = 'test';

  /** `learned` is called for each abstract state that was not known. */
  constructor(private readonly system: System, private machine: Machine, private readonly learned: (point: ControlPoint, context: Valuation, valuation: Valuation) => void) {
    this.attach(machine);
  }

  /** Watches this machine from now on. */
  attach(machine: Machine): void {
    const { system } = this;
    this.machine = machine;
    machine.observer = {
      locations: system.watched,
      visit: (location, activation) => {
        const point = system.at(location);
        if (point) this.visit(point, activation);
        if (this.interrupt?.()) throw new RunInterrupted();
      },
    };
  }

  /** What is recorded from now on comes from here. */
  begin(source: Source, context: Valuation = ''): void {
    this.source = source;
    this.given = context;
  }

  visit(point: ControlPoint, activation: Activation | undefined): Valuation {
    const view = new ConcreteView(this.system.vocabulary, { globals: this.machine.globals, memory: this.machine.memory, activation, activations: this.machine.activations });
    const valuation = point.valuationOf(view.value);
    let context = '';
    if (point.tracksContext && activation) {
      if (point.kind === 'entry') this.contexts.set(activation, valuation);
      context = this.contexts.get(activation) ?? this.given;
    }
    if (!point.has(context, valuation)) {
      point.add({ valuation, context, source: this.source, sample: this.sample(point, view) });
      this.learned(point, context, valuation);
    }
    return valuation;
  }

  private sample(point: ControlPoint, view: ConcreteView): StateInC {
    const symbols = new Set(point.predicates.flatMap(({ term }) => [...symbolsOf(term)]));
    return [...symbols].flatMap((symbol) => {
      const text = printValue(symbol, view.value(symbol), this.system.vocabulary);
      return text ? [text] : [];
    });
  }
}
