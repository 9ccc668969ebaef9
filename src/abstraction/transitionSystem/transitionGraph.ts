/**
 * The transition graph for refinement: nodes, and the steps between them. A node is a cutpoint, the start of every
 * execution, or the error. A step is one end of a transition as a guard and a substitution, so that it can be followed
 * forwards (along a run) and backwards (to a preimage). Each check that can fail is one step to the error.
 */
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import type { FunctionDefinition, Location } from '../../program/program';
import type { Input, Obligation } from '../../semantics/symbolic/segment';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import { FreshSymbols, isPointer } from '../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from './cutpoint';
import { initialState, initialStateOfClient } from './initialState';
import { conjoin, type InvariantMap, invariantsAt, noInvariants } from './invariantMap';
import type { TransitionSystem, Transition } from './transitionSystem';

export interface GraphNode {
  readonly index: number;
  readonly kind: 'start' | 'point' | 'error';
  /** Points only. */
  readonly point: Cutpoint | undefined;
  /** Formulas that hold in every state here: axioms of the semantics, then invariants. */
  readonly known: readonly Term[];
  /** Points only: proved, before or since the graph was made. */
  readonly invariants: readonly Term[];
  readonly leaving: Step[];
  readonly arriving: Step[];
}

/** A function that is executed, or waits for a callee, at a location. */
export interface StackFrame {
  readonly fn: FunctionDefinition;
  readonly location: Location;
}

/** Every symbol a state with these frames is described with. */
export function symbolsOfFrames(
  frames: readonly StackFrame[],
  { vocabulary }: TransitionSystem,
): readonly SymbolTerm[] {
  return [...new Set(frames.flatMap(({ fn }) => vocabulary.symbolsFor(fn)))];
}

/**
 * Entry and exit of a callee, with its symbols there in the caller's terms: what it is given, and values of their own
 * for what it may change.
 */
export interface Callee {
  readonly entry: GraphNode;
  readonly exit: GraphNode;
  readonly atEntry: ReadonlyMap<Term, Term>;
  readonly atExit: ReadonlyMap<Term, Term>;
}

export interface Step {
  readonly index: number;
  /** `leave`: an entry function returns to the client. `return`: over a call, by what is known of the callee's exit. */
  readonly kind:
    'start' | 'segment' | 'error' | 'client' | 'leave' | 'call' | 'return' | 'hand-over' | 'resume' | 'elsewhere';
  readonly from: GraphNode;
  readonly to: GraphNode;
  /** Over the symbols of `from` and `fresh` ones. */
  readonly guard: Term;
  /** Values of the symbols at `to` after the step; missing symbols keep theirs. */
  readonly after: ReadonlyMap<Term, Term>;
  /** Formulas that hold whenever the step is taken: axioms, and invariants of the callee. */
  readonly premises: readonly Term[];
  /** Chosen by the environment, or nothing is known of them: they exist for each time the step is taken anew. */
  readonly fresh: ReadonlySet<SymbolTerm>;
  /** The environment's answers on the way. */
  readonly inputs: readonly Input[];
  /** Steps to the error. */
  readonly obligation: Obligation | undefined;
  /** Returns: the function that was called. */
  readonly callee: Callee | undefined;
  /** Calls by a client, and the start of a program: which function, with what state. */
  readonly entered: { readonly fn: FunctionDefinition; readonly state: SymbolicState } | undefined;
}

type NewStep = Omit<Step, 'index' | 'fresh' | 'callee' | 'obligation' | 'entered' | 'inputs'> &
  Partial<Pick<Step, 'callee' | 'obligation' | 'entered' | 'inputs'>>;

export class TransitionGraph {
  readonly nodes: GraphNode[] = [];
  readonly steps: Step[] = [];
  readonly start: GraphNode;
  readonly error: GraphNode;
  private readonly nodeOf = new Map<Cutpoint, GraphNode>();

  constructor(
    readonly system: TransitionSystem,
    private known: InvariantMap = noInvariants,
  ) {
    this.start = this.node('start', undefined);
    for (const point of system.points) this.nodeOf.set(point, this.node('point', point));
    this.error = this.node('error', undefined);
    for (const transition of system.transitions) this.connect(transition);
    const { client, options } = system;
    if (!client) return;
    for (const fn of [...options.entries, ...(options.init ? [options.init] : [])]) {
      const exit = system.at(fn.exit);
      if (exit)
        this.add({
          kind: 'leave',
          from: this.at(exit),
          to: this.at(client),
          guard: L.TRUE,
          after: new Map(),
          premises: [],
        });
    }
    if (!options.init) this.startClient(client);
  }

  at(point: Cutpoint): GraphNode {
    const node = this.nodeOf.get(point);
    if (!node) throw new Error('every cutpoint is a node');
    return node;
  }

  /** One frame: what a caller holds is not part of a state here. */
  framesAt({ point }: GraphNode): readonly StackFrame[] {
    return point ? [{ fn: point.fn, location: point.location }] : [];
  }

  /** Adds invariants proved since; what steps assume of callees stays as it was. */
  learn(invariants: InvariantMap): void {
    this.known = conjoin(this.known, invariants);
  }

  get invariants(): InvariantMap {
    return this.known;
  }

  /** The step between two nodes, other than to the error. */
  stepBetween(from: GraphNode, to: GraphNode): Step | undefined {
    return from.leaving.find((step) => step.to === to);
  }

  private node(kind: GraphNode['kind'], point: Cutpoint | undefined): GraphNode {
    const wellFormed = point ? this.system.vocabulary.wellFormed(point.fn, point.location) : [];
    const invariants = (): readonly Term[] => (point ? invariantsAt(this.invariants, point) : []);
    const node: GraphNode = {
      index: this.nodes.length,
      kind,
      point,
      get known() {
        return [...wellFormed, ...invariants()];
      },
      get invariants() {
        return invariants();
      },
      leaving: [],
      arriving: [],
    };
    this.nodes.push(node);
    return node;
  }

  private connect(transition: Transition): void {
    const { vocabulary, client } = this.system;
    const { segment, summary } = transition;
    // The client's start is a step of its own kind.
    if (transition.kind === 'start' && transition.ends.every(({ point }) => point === client)) return;
    const from = transition.from ? this.at(transition.from) : this.start;
    const inputs = segment?.inputs ?? [];
    const callee = summary && {
      entry: this.at(summary.entry),
      exit: this.at(summary.exit),
      atEntry: vocabulary.binding(summary.entry.fn, summary.entryState),
      atExit: vocabulary.binding(summary.exit.fn, summary.exitState),
    };
    const called = callee
      ? [
          ...substituteAll(invariantsAt(this.invariants, summary!.entry), callee.atEntry),
          ...substituteAll(invariantsAt(this.invariants, summary!.exit), callee.atExit),
        ]
      : [];
    for (const { point, guard, state, axioms } of transition.ends) {
      if (guard === L.FALSE) continue;
      const entered = transition.kind === 'start' || transition.kind === 'client' ? { fn: point.fn, state } : undefined;
      this.add({
        kind: transition.kind,
        from,
        to: this.at(point),
        guard,
        after: vocabulary.binding(point.fn, state),
        premises: [...transition.axioms, ...called, ...axioms],
        inputs,
        entered,
        callee: transition.kind === 'return' ? callee : undefined,
      });
    }
    for (const obligation of segment?.obligations ?? []) {
      const guard = L.and(obligation.guard, L.not(obligation.condition));
      if (guard !== L.FALSE)
        this.add({
          kind: 'error',
          from,
          to: this.error,
          guard,
          after: new Map(),
          premises: transition.axioms,
          inputs,
          obligation,
        });
    }
  }

  /**
   * A module without an initial call: the client is there first, with objects of its own where the module takes
   * pointers.
   */
  private startClient(client: Cutpoint): void {
    const { program, vocabulary, options } = this.system;
    const takesPointers = options.entries.some((fn) => fn.parameters.some(({ type }) => type.kind === 'pointer'));
    const state = (takesPointers ? initialStateOfClient : initialState)(program, vocabulary, new FreshSymbols('start'));
    const after = vocabulary.binding(client.fn, { ...state, locals: [], objects: [] });
    const premises = substituteAll(vocabulary.wellFormed(client.fn, client.location), after);
    this.add({ kind: 'start', from: this.start, to: this.at(client), guard: L.TRUE, after, premises });
  }

  private add(step: NewStep): void {
    const own = new Set<Term>(step.from.point ? this.system.vocabulary.symbolsFor(step.from.point.fn) : []);
    // An answer that nothing depends on is asked for all the same.
    const asked = (step.inputs ?? []).flatMap(({ value, guard }) => [
      guard,
      ...(isPointer(value) ? [value.object, value.offset] : [value]),
    ]);
    const fresh = new Set(
      [step.guard, ...step.premises, ...step.after.values(), ...(step.callee?.atExit.values() ?? []), ...asked]
        .flatMap((term) => [...symbolsOf(term)])
        .filter((symbol) => !own.has(symbol)),
    );
    const made: Step = {
      inputs: [],
      callee: undefined,
      obligation: undefined,
      entered: undefined,
      ...step,
      index: this.steps.length,
      fresh,
    };
    this.steps.push(made);
    made.from.leaving.push(made);
    made.to.arriving.push(made);
  }
}
