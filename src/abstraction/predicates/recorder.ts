/**
 * Abstraction on the fly: while the machine runs, every visit of a cutpoint adds the valuation of the state there.
 * States themselves are not kept, only for each new abstract state the values of the variables its predicates mention.
 * The machine is told the predicates (see `ObservedPredicates`), so that compiled code computes valuations in place and
 * comes back for new ones only.
 */
import { symbolsOf } from '../../logic/substitute';
import type { Location } from '../../program/program';
import type { Activation, Machine, Observer, ObservedPredicateMap } from '../../semantics/concrete/machine';
import type { StateInC } from '../../verdict';
import { ConcreteView } from '../transitionSystem/concreteView';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { AbstractPoint, PredicateAbstraction, DiscoveredBy, Valuation } from './predicateAbstraction';
import { printValue } from '../printing/printValue';
import { observedPredicatesOf } from './observedPredicates';

/** Thrown out of the machine's observer to end a run that brings nothing new. */
export class RunInterrupted extends Error {}

export class Recorder {
  private readonly contexts = new WeakMap<Activation, Valuation>();
  /** The context of an activation that was put into the middle of a function. */
  private given: Valuation = '';
  private source: DiscoveredBy = 'test';
  /** One object for all observers: machines keep the code compiled for it. */
  private readonly observedPredicates: ObservedPredicateMap;

  /** `learned` is called for each abstract state that was not known. */
  constructor(
    private readonly abstraction: PredicateAbstraction,
    private machine: Machine,
    private readonly learned: (point: Cutpoint, context: Valuation, valuation: Valuation) => void,
  ) {
    this.observedPredicates = observedPredicatesOf(abstraction);
    this.attach(machine);
  }

  /** Watches this machine from now on. */
  attach(machine: Machine): void {
    this.machine = machine;
    machine.observer = this.observer();
  }

  /** Observer of all cutpoints, or those given and the entries that their valuations belong to. */
  observer(wanted: ReadonlySet<Location> = this.abstraction.system.watched): Observer {
    const entries = this.abstraction.system.points.flatMap(({ tracksContext, fn, location }) =>
      tracksContext && wanted.has(location) ? [fn.entry] : [],
    );
    return {
      locations: new Set([...wanted, ...entries]),
      observedPredicates: this.observedPredicates,
      visit: (location, activation) => {
        const point = this.abstraction.system.at(location);
        if (point) this.visit(point, activation);
      },
    };
  }

  /** An activation in the middle of a function that had this valuation at its entry. */
  withContext(activation: Activation, context: Valuation): Activation {
    if (!this.observedPredicates.get(activation.fn.entry)?.perEntry) return activation;
    return {
      ...activation,
      entered: [...context].reduce((bits, digit, i) => (digit === '1' ? bits | (1n << BigInt(i)) : bits), 0n),
    };
  }

  /** Sets the source of states recorded from now on. */
  begin(source: DiscoveredBy, context: Valuation = ''): void {
    this.source = source;
    this.given = context;
  }

  visit(point: Cutpoint, activation: Activation | undefined): Valuation {
    const { vocabulary } = this.abstraction.system;
    const view = new ConcreteView(vocabulary, {
      globals: this.machine.globals,
      memory: this.machine.memory,
      activation,
      activations: this.machine.activations,
    });
    const abstract = this.abstraction.at(point);
    const valuation = abstract.valuationOf(view.value);
    let context = '';
    if (point.tracksContext && activation) {
      if (point.kind === 'entry') this.contexts.set(activation, valuation);
      context = this.contexts.get(activation) ?? this.enteredBy(activation) ?? this.given;
    }
    if (!abstract.has(context, valuation)) {
      abstract.add({ valuation, context, source: this.source, sample: this.sample(abstract, view) });
      this.learned(point, context, valuation);
    }
    return valuation;
  }

  /** The valuation at the entry, where the machine has kept it. */
  private enteredBy({ fn, entered }: Activation): Valuation | undefined {
    if (entered === undefined) return undefined;
    const entry = this.abstraction.system.at(fn.entry);
    return (
      entry &&
      this.abstraction
        .at(entry)
        .predicates.map((_, i) => ((entered >> BigInt(i)) & 1n ? '1' : '0'))
        .join('')
    );
  }

  private sample(point: AbstractPoint, view: ConcreteView): StateInC {
    const symbols = new Set(point.predicates.flatMap(({ term }) => [...symbolsOf(term)]));
    return [...symbols].flatMap((symbol) => {
      const text = printValue(symbol, view.value, this.abstraction.system.vocabulary);
      return text ? [text] : [];
    });
  }
}
