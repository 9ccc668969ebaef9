/**
 * The forest of concrete states (SYNERGY, section 3): every state that a run met at a node, with the state it came
 * from. What is kept of a state is its node; its values are read by running again, since runs are determined by their
 * inputs (a million states cost a few numbers each). A state after a call has the state before the call as its parent,
 * so that each branch of the forest is a path of steps.
 */
import { CycleWatch } from './cyclicRuns';
import { faultStep } from './faultStep';
import { ConcreteView } from '../transitionSystem/concreteView';
import { RunInterrupted } from '../predicates/recorder';
import type { GraphNode, Step, TransitionGraph } from '../transitionSystem/transitionGraph';
import type { Fault } from '../../semantics/concrete/fault';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import type { Location } from '../../program/program';

/** End of an execution. `cut`: by a budget, or by what no client may do. */
export type Ending = { readonly kind: 'ended' | 'cut' } | { readonly kind: 'fault'; readonly fault: Fault };

/**
 * Something that can be run again and again with the same states. `between` is called whenever the client has control.
 */
export interface RepeatableExecution {
  run(watch: (machine: Machine) => void, between: (machine: Machine) => void, stepLimit: number): Ending;
}

export interface Run {
  readonly execution: RepeatableExecution;
  readonly stepLimit: number;
  readonly first: number;
  /** States recorded. */
  count: number;
  ending: Ending;
  /** The state at the error node, if a check failed. */
  errorState: number | undefined;
}

/** A state of the forest, by number. */
export type StateNumber = number;

const limits = {
  /** Number of states kept of a run that a budget cut: it repeats itself. */
  keptStates: 20_000,
} as const;

export class Forest {
  readonly runs: Run[] = [];
  private readonly places: number[] = [];
  private readonly parents: number[] = [];
  private readonly steps: number[] = [];
  private readonly callers: number[] = [];
  private readonly inlined = new Map<Location, boolean>();

  private readonly cycles: CycleWatch;

  constructor(private readonly graph: TransitionGraph) {
    this.cycles = new CycleWatch(graph.system.program);
  }

  get size(): number {
    return this.places.length;
  }
  nodeOf(state: StateNumber): GraphNode {
    return this.graph.nodes[this.places[state]!]!;
  }
  parentOf(state: StateNumber): StateNumber | undefined {
    const parent = this.parents[state]!;
    return parent < 0 ? undefined : parent;
  }
  /** The state in which the activation was called that is at work here. */
  callerOf(state: StateNumber): StateNumber | undefined {
    const caller = this.callers[state]!;
    return caller < 0 ? undefined : caller;
  }
  /** The step that led here from the parent, or from the start. */
  stepTo(state: StateNumber): Step {
    return this.graph.steps[this.steps[state]!]!;
  }
  runOf(state: StateNumber): Run {
    const run = this.runs.find(({ first, count }) => state >= first && state < first + count);
    if (!run) throw new Error('every state belongs to a run');
    return run;
  }

  /** From a root of the forest to the state. */
  branch(state: StateNumber): StateNumber[] {
    const branch: StateNumber[] = [];
    for (let at: StateNumber | undefined = state; at !== undefined; at = this.parentOf(at)) branch.push(at);
    return branch.reverse();
  }

  /**
   * Runs an execution for the first time and adds the states it meets, as many as are wanted, each shown to `visit`.
   */
  grow(
    execution: RepeatableExecution,
    stepLimit: number,
    visit: (state: StateNumber, view: () => ConcreteView | undefined) => void,
    stateLimit = Infinity,
  ): Run {
    const run: Run = {
      execution,
      stepLimit,
      first: this.size,
      count: 0,
      ending: { kind: 'cut' },
      errorState: undefined,
    };
    /** The latest state per depth of analysed activations; 0 is the client. */
    const latest: (StateNumber | undefined)[] = [];
    /** The place where the latest call from each depth began. */
    const entered: (GraphNode | undefined)[] = [];
    const add = (parent: StateNumber | undefined, step: Step): StateNumber => {
      this.places.push(step.to.index);
      this.parents.push(parent ?? -1);
      this.steps.push(step.index);
      const sameActivation =
        step.kind === 'segment' || step.kind === 'return' || step.kind === 'error' || step.kind === 'resume';
      this.callers.push(
        (step.kind === 'call' ? parent : parent !== undefined && sameActivation ? this.callers[parent] : undefined) ??
          -1,
      );
      return this.size - 1;
    };
    const strange = { ended: false };
    const follow = (
      node: GraphNode,
      depth: number,
      parent: StateNumber | undefined,
      view: () => ConcreteView,
    ): void => {
      const from = parent === undefined ? this.graph.start : this.nodeOf(parent);
      const step = from.leaving.find(
        (s) => s.to === node && (s.kind !== 'return' || s.callee?.entry === entered[depth]),
      );
      if (!step) {
        strange.ended = true;
        throw new RunInterrupted();
      }
      latest[depth] = add(parent, step);
      visit(latest[depth]!, view);
      if (this.size - run.first >= stateLimit) throw new RunInterrupted();
    };
    run.ending = this.observe(execution, stepLimit, (node, depth, view) => {
      if (depth === 0) return follow(node, 0, latest[1], view);
      const last = latest.length - 1;
      if (depth > last && last >= 1) {
        entered[last] = node;
        return follow(node, depth, latest[last], view);
      }
      if (depth < last) latest.length = depth + 1;
      const begins = node.point!.kind === 'entry' && depth === 1;
      if (begins) latest.length = Math.min(latest.length, 1);
      follow(node, depth, begins ? latest[0] : latest[depth], view);
      if (begins) latest[0] = undefined;
    });
    if (strange.ended) run.ending = { kind: 'cut' };
    run.count = this.size - run.first;
    if (run.ending.kind === 'fault' && run.count > 0) {
      const last = latest[latest.length - 1]!;
      const step = faultStep(this.nodeOf(last), run.ending.fault);
      if (step) {
        run.errorState = add(last, step);
        visit(run.errorState, () => undefined);
        run.count++;
      }
    }
    if (run.ending.kind === 'cut' && run.count > limits.keptStates) {
      for (const list of [this.places, this.parents, this.steps, this.callers])
        list.length = run.first + limits.keptStates;
      run.count = limits.keptStates;
    }
    this.runs.push(run);
    return run;
  }

  /** Runs again up to the state `last` and shows each state on the way. */
  replay(run: Run, last: StateNumber, visit: (state: StateNumber, view: ConcreteView) => void): void {
    let state = run.first;
    if (state > last) return;
    this.observe(run.execution, run.stepLimit, (_place, _depth, view) => {
      visit(state, view());
      if (state++ >= last) throw new RunInterrupted();
    });
  }

  /** Shows the given states, in ascending order. */
  visitAll(states: readonly StateNumber[], visit: (state: StateNumber, view: ConcreteView) => void): void {
    let from = 0;
    for (const run of this.runs) {
      const end = run.first + run.count;
      let to = from;
      while (to < states.length && states[to]! < end) to++;
      if (to === from) continue;
      const wanted = states.slice(from, to);
      let next = 0;
      this.replay(run, wanted[wanted.length - 1]!, (state, view) => {
        if (state !== wanted[next]) return;
        next++;
        visit(state, view);
      });
      from = to;
    }
  }

  private observe(
    execution: RepeatableExecution,
    stepLimit: number,
    visit: (node: GraphNode, depth: number, view: () => ConcreteView) => void,
  ): Ending {
    const { system } = this.graph;
    const { client, vocabulary } = system;
    const locations = new Set(system.points.filter((point) => point !== client).map(({ location }) => location));
    const viewOf = (machine: Machine, activation: Activation | undefined) => (): ConcreteView =>
      new ConcreteView(vocabulary, {
        globals: machine.globals,
        memory: machine.memory,
        activation,
        activations: activation ? machine.activations : [],
      });
    // A client that has to begin with one call is nowhere before it.
    let begun = system.options.init === undefined;
    this.cycles.begin();
    try {
      return execution.run(
        (machine) => {
          machine.observer = {
            locations,
            visit: (location, activation) => {
              const depth = this.depth(machine);
              if (depth === undefined) return;
              begun = true;
              if (this.cycles.repeats(machine, activation)) throw new RunInterrupted();
              visit(this.graph.at(system.at(location)!), depth, viewOf(machine, activation));
            },
          };
        },
        (machine) => {
          if (client && begun) visit(this.graph.at(client), 0, viewOf(machine, undefined));
        },
        stepLimit,
      );
    } catch (error) {
      if (error instanceof RunInterrupted) return { kind: 'cut' };
      throw error;
    }
  }

  /** Activations that are analysed one by one; undefined inside a call that is part of a segment. */
  private depth(machine: Machine): number | undefined {
    const { activations } = machine;
    for (let i = 0; i < activations.length - 1; i++) if (this.isInlinedAt(activations[i]!.location)) return undefined;
    return activations.length;
  }

  private isInlinedAt(location: Location): boolean {
    let known = this.inlined.get(location);
    if (known === undefined) {
      const command = location.edges[0]?.command;
      known = command?.kind === 'call' && this.graph.system.isInlined(command);
      this.inlined.set(location, known);
    }
    return known;
  }
}
