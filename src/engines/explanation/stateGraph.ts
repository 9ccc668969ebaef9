/**
 * The abstract states of a proof and how they lead to one another, for a picture: the states are those the engine ended
 * with; the moves between them are asked of the solver, one source after the other, as long as there is time. Moves
 * that tests made are marked.
 */
import * as L from '../../logic/build';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type { PredicateAbstraction, Valuation } from '../../abstraction/predicates/predicateAbstraction';
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import { printTerm } from '../../abstraction/printing/printTerm';
import type { TransitionSystem, Transition } from '../../abstraction/transitionSystem/transitionSystem';
import { TransitionQuery } from '../../abstraction/predicates/transitionQuery';
import type { StateGraph, StateSource } from '../../explanation';
import { sourceLocationOf } from '../../sourceLocation';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { StateInC } from '../../verdict';

/** A failure to draw, with the states it starts from. */
export interface DrawnError {
  readonly name: string;
  readonly point: Cutpoint | undefined;
  readonly valuations: readonly Valuation[];
  readonly status: StateGraph['errors'][number]['status'];
  readonly checks: number;
}

type Move = StateGraph['moves'][number];

const limits = {
  /** More states than this are never drawn one by one, so their moves are not asked for. */
  drawnStates: 400,
} as const;

export class StateGraphBuilder {
  private readonly index = new Map<string, number>();
  private readonly states: { point: number; valuation: string; source: StateSource; example: StateInC }[] = [];
  private readonly moves = new Map<string, Move>();

  private readonly system: TransitionSystem;

  constructor(private readonly abstraction: PredicateAbstraction) {
    this.system = abstraction.system;
    for (const abstract of abstraction.points)
      for (const { valuation, source, sample } of abstract.all()) this.add(abstract.point, valuation, source, sample);
  }

  /** Last abstract state of the run watched last. */
  latest: { readonly point: Cutpoint; readonly valuation: Valuation } | undefined;

  /** Watches a run, of the tests or another: from state to state within an activation, and into calls. */
  watch(machine: Machine, by: 'test' | 'run'): { between(): void } {
    const { system } = this;
    const last = new WeakMap<Activation, number>();
    let client: number | undefined;
    let exit: number | undefined;
    const arrive = (point: Cutpoint, activation: Activation | undefined): number => {
      const view = new ConcreteView(system.vocabulary, {
        globals: machine.globals,
        memory: machine.memory,
        activation,
        activations: machine.activations,
      });
      const valuation = this.abstraction.at(point).valuationOf(view.value);
      this.latest = { point, valuation };
      return this.add(point, valuation, by, []);
    };
    machine.observer = {
      locations: new Set(system.points.filter((point) => point !== system.client).map(({ location }) => location)),
      visit: (location, activation) => {
        const point = system.at(location);
        if (!point) return;
        const state = arrive(point, activation);
        const caller = machine.activations.at(-2);
        const from = last.get(activation) ?? (caller && last.get(caller)) ?? client;
        last.set(activation, state);
        if (from !== undefined) this.move(from, state, by);
        client = undefined;
        if (point.kind === 'exit' && machine.activations.length === 1) exit = state;
      },
    };
    return {
      between: () => {
        if (!system.client) return;
        client = arrive(system.client, undefined);
        if (exit !== undefined) this.move(exit, client, by);
        exit = undefined;
      },
    };
  }

  /** All moves the formulas allow. False when it was cut. */
  async ask(solver: Solver, budget: QueryBudget, stop: () => boolean): Promise<boolean> {
    if (this.states.length > limits.drawnStates) return false;
    for (const transition of this.system.transitions) {
      if (!transition.from || transition.kind === 'start') continue;
      const query = new TransitionQuery(this.abstraction, transition, solver);
      try {
        for (const valuation of this.abstraction.at(transition.from).valuations()) {
          if (!(await this.askFrom(transition, valuation, query, budget, stop))) return false;
        }
      } finally {
        query.close();
      }
    }
    const { client } = this.system;
    if (client) {
      // Between calls only the static data is left.
      for (const point of this.system.points) {
        if (point.kind !== 'exit' || !this.system.options.entries.includes(point.fn)) continue;
        const kept = this.abstraction.at(client).predicates.length;
        for (const valuation of this.abstraction.at(point).valuations())
          this.moveIfThere(point, valuation, client, valuation.slice(0, kept));
      }
    }
    return true;
  }

  private async askFrom(
    transition: Transition,
    valuation: Valuation,
    query: TransitionQuery,
    budget: QueryBudget,
    stop: () => boolean,
  ): Promise<boolean> {
    const sources = [query.sourceCubes([valuation])];
    if (transition.summary) {
      const exit = this.abstraction.at(transition.summary.exit);
      const pairs = exit
        .contexts()
        .flatMap((context) => exit.valuations(context).map((leaving) => [context, leaving] as const));
      if (pairs.length === 0) return true;
      sources.push(query.summaryCubes(pairs));
    }
    const found = new Map<Cutpoint, Valuation[]>();
    for (;;) {
      if (stop()) return false;
      const reply = await query.ask(L.and(...sources), (point) => found.get(point) ?? [], budget);
      if (reply.kind === 'closed') return true;
      if (reply.kind === 'unknown') return false;
      const {
        end: { point },
        valuation: to,
      } = reply.state;
      found.set(point, [...(found.get(point) ?? []), to]);
      this.moveIfThere(transition.from!, valuation, point, to);
    }
  }

  build(errors: readonly DrawnError[], complete: boolean): StateGraph {
    const { system } = this;
    return {
      points: this.abstraction.points.map(({ point, predicates }) => ({
        name: point === system.client ? 'between calls' : `${point.fn.name}: ${point.kind}`,
        place: sourceLocationOf(point.location.span, point === system.client ? undefined : point.fn.name),
        predicates: predicates.map(({ term, name }) => ({
          text: name ?? printTerm(term, system.vocabulary),
          negated: name === undefined ? printTerm(L.not(term), system.vocabulary) : `!${name}`,
          probe: name !== undefined,
        })),
      })),
      states: this.states,
      moves: [...this.moves.values()],
      complete,
      errors: errors.map(({ name, point, valuations, status, checks }) => ({
        name,
        status,
        checks,
        from: point ? valuations.flatMap((valuation) => this.index.get(`${point.index}:${valuation}`) ?? []) : [],
      })),
    };
  }

  private add(point: Cutpoint, valuation: Valuation, source: StateSource, example: StateInC): number {
    const key = `${point.index}:${valuation}`;
    const known = this.index.get(key);
    if (known !== undefined) {
      // In another context a test may have been there.
      const state = this.states[known]!;
      if (source === 'test') state.source = 'test';
      if (state.example.length === 0) state.example = example;
      return known;
    }
    this.index.set(key, this.states.length);
    return this.states.push({ point: point.index, valuation, source, example }) - 1;
  }

  private moveIfThere(from: Cutpoint, valuation: Valuation, to: Cutpoint, target: Valuation): void {
    const [a, b] = [this.index.get(`${from.index}:${valuation}`), this.index.get(`${to.index}:${target}`)];
    if (a !== undefined && b !== undefined) this.move(a, b, 'formula');
  }

  private move(from: number, to: number, by: 'test' | 'run' | 'formula'): void {
    const key = `${from}>${to}`;
    const tested = by === 'test';
    if (tested || !this.moves.has(key)) this.moves.set(key, { from, to, tested });
  }
}
