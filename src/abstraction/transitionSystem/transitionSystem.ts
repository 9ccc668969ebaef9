/**
 * The transition system an engine works on: cutpoints, and transitions between them. Besides segments there are
 * the two halves of a call that is analysed by summaries (into the callee; from a callee's exit back to the caller),
 * the client of a module (any entry, any arguments), and the start.
 */
import type { Term } from '../../logic/term';
import type { Check, CheckKind, Command, Property } from '../../program/command';
import { isChecked } from '../../program/command';
import { cutpointsOf } from '../../program/automata/cutpoints';
import { type Loop } from '../../program/automata/loops';
import type { Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Location, Program, StaticObject } from '../../program/program';
import { askedChecks, noWeakening, type Weakening, withPreconditions } from '../../program/automata/weakening';
import type { RecordLayout } from '../../c/types';
import { type CallBacks, noCallBacks } from '../../semantics/pointers/callbacks';
import { type MembersByType, noMembers } from '../../semantics/pointers/validMembers';
import { type Initialisers, setsUpSomething } from '../../semantics/pointers/initialisers';
import { SideEffects } from '../../semantics/symbolic/effects';
import { type Segment, SegmentBuilder, type SegmentOptions } from '../../semantics/symbolic/segment';
import { MemoryModel } from '../../semantics/symbolic/memoryModel';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import { FreshSymbols } from '../../semantics/symbolic/symbolicValues';
import { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { Cutpoint, type CutpointKey, type CutpointKind } from './cutpoint';
import { analyseCalls, callGraph, inlinable, keepingCallsThatMatter, reachable, recursiveFunctions } from './callGraph';
import { callOutTransitions, callTransitions } from './callTransitions';
import { ClientArguments } from './clients/clientArguments';
import { ClientTransitions, hasPrecondition, takesPointers } from './clients/clientTransitions';
import type { CutpointSelection } from './cutpointSelection';
import { inductionTransitions } from './inductionPaths';
import { unchangingData } from './initialState';
import { sharedStructures } from './clients/sharedStructures';
import { endAt, type NewTransition, type Transition, type TransitionEnd } from './transition';
import { unrollable } from './unrollableLoops';

export type { Transition, TransitionEnd } from './transition';

export interface SystemOptions {
  readonly mode: 'module' | 'program';
  readonly entries: readonly FunctionDefinition[];
  readonly init: FunctionDefinition | undefined;
  readonly checkedProperties: ReadonlySet<Property | CheckKind>;
  readonly cutpoints: CutpointSelection;
  /** Assume what the region analysis knows of pointers; without it the abstraction is that of the predicates alone. */
  readonly pointerAxioms: boolean;
  /** Loop-free callees become part of the caller's segments. */
  readonly inline: boolean;
  /** Loops that become part of segments where they can, by head, with the rounds to go at most. */
  readonly unroll?: ReadonlyMap<Location, number>;
  /** k of k-induction: a segment from the head of a loop may use that the invariants held at the last k states. */
  readonly induction?: number;
  /** See `SegmentOptions.branches`. */
  readonly branches?: true;
  /** Default: the program as it is. */
  readonly weakening?: Weakening;
  /** Unknown functions that may call back, and what; default none. */
  readonly callBacks?: CallBacks;
  /**
   * Structures that clients only get from the module and hand back, never made or looked into by them; default none.
   */
  readonly handles?: ReadonlySet<RecordLayout>;
  /**
   * Structures that clients own and have set up by these functions before anything else is done with them; default
   * none.
   */
  readonly initialisers?: Initialisers;
  /** Preconditions of entry functions, over their vocabulary. */
  readonly requires: (fn: FunctionDefinition, vocabulary: Vocabulary) => readonly Term[];
  /** Parameters that may lead to any element of an object, or behind the last one; default none. */
  readonly interior?: ReadonlySet<Variable>;
  /** Static objects into which parameters do not lead, since a precondition says so; default none. */
  readonly excluded?: ReadonlyMap<Variable, ReadonlySet<StaticObject>>;
  /** A precondition compares pointers with each other; default no. */
  readonly comparesPointers?: boolean;
  /**
   * Pointers in clients' structures that are null or lead to the start of a live object whenever the module runs. No
   * pointer to another type leads into such a structure. Default none.
   */
  readonly validMembers?: MembersByType;
}

/** The usual ones, where no task says anything else. */
export const plainOptions = {
  init: undefined,
  cutpoints: 'default',
  pointerAxioms: true,
  inline: true,
  requires: () => [],
} as const satisfies Partial<SystemOptions>;

export class TransitionSystem {
  readonly vocabulary: Vocabulary;
  readonly memoryModel: MemoryModel;
  readonly builder: SegmentBuilder;
  /** For what clients keep to, which is the same however weak the program is. */
  readonly contracts: SegmentBuilder;
  readonly points: readonly Cutpoint[];
  /** Stepped into where they are called, and called somewhere. */
  readonly inlined: ReadonlySet<FunctionDefinition>;
  /** Handles of the options that the module allocates as objects of their own. */
  readonly handles: ReadonlySet<RecordLayout>;
  /** That of the options, but for calls that matter to more than the state they lead to. */
  readonly weakening: Required<Weakening>;
  /** Initialisers of the options, of structures that only the program can write once they are set up. */
  readonly initialisers: Initialisers;
  /** Analysed function by function, in program order. */
  readonly functions: readonly FunctionDefinition[];
  /** Point between calls, in modules. Its predicates mention static data only. */
  readonly client: Cutpoint | undefined;
  /**
   * Heads of loops that segments go through. Control passes there in the middle of a segment; only what goes round too
   * often stops.
   */
  readonly unrolled: ReadonlyMap<Location, { readonly loop: Loop; readonly rounds: number }>;
  private readonly pointAt = new Map<Location, Cutpoint>();
  private readonly pointByKey: ReadonlyMap<CutpointKey, Cutpoint>;
  /** Grows in the constructor only, as `points`. */
  private readonly addedPoints: Cutpoint[] = [];
  private made: readonly Transition[] | undefined;
  private readonly clients: ClientTransitions;

  constructor(
    readonly program: Program,
    readonly options: SystemOptions,
  ) {
    this.points = this.addedPoints;
    const callBacks = options.callBacks ?? noCallBacks;
    const graph = callGraph(program, callBacks);
    const recursive = recursiveFunctions(program, graph);
    const { regions, handles, initialisers } = sharedStructures(program, options, recursive);
    this.handles = handles;
    this.initialisers = initialisers;
    const isCheckedHere = (check: Pick<Check, 'check' | 'ofContract'>): boolean =>
      isChecked(check, options.checkedProperties);
    this.memoryModel = new MemoryModel(program, regions, isCheckedHere({ check: 'uninitialised-read' }), {
      members: options.mode === 'module' ? (options.validMembers ?? noMembers) : noMembers,
      callable: [...options.entries, ...(options.init ? [options.init] : [])],
      interior: options.interior,
    });
    const clientArguments = new ClientArguments(
      this.memoryModel,
      options,
      handles,
      initialisers,
      options.mode === 'module' ? regions.escapedPointers() : [],
    );
    this.vocabulary = new Vocabulary(this.memoryModel, options.pointerAxioms);
    const all = [...options.entries, ...(options.init ? [options.init] : [])];
    const weakening = options.weakening ?? noWeakening;
    // From a call that sets up an object on, the object counts as one: more than the function's effects.
    const silenced = [...(weakening.silent ?? [])].filter((fn) => !setsUpSomething(initialisers, fn));
    this.weakening = keepingCallsThatMatter(
      { ...weakening, silent: new Set(silenced) },
      graph,
      (fn) =>
        askedChecks(fn, weakening, options.checkedProperties).length > 0 ||
        fn.edges.some(({ command }) => this.callsOut(command)),
    );
    const { dropped, silent } = this.weakening;
    const roots = all.filter((fn) => !silent.has(fn));
    const executed = reachable(roots, dropped.size === 0 ? graph : callGraph(program, callBacks, dropped));
    this.inlined = new Set(
      options.inline
        ? [...inlinable(program, recursive, (command) => this.callsOut(command), dropped)].filter((fn) =>
            executed.has(fn),
          )
        : [],
    );
    this.functions = analyseCalls(program, roots, this.inlined, dropped);
    const called = new Set(
      this.functions.flatMap((fn) => fn.edges.flatMap((edge) => (this.isSummarised(edge) ? edge.command.targets : []))),
    );
    const cutpoints = new Set<Location>();
    const happens = (command: Command): boolean =>
      command.kind !== 'skip' &&
      (command.kind !== 'check' || isCheckedHere(command) || command.ifUnchecked === 'assume');
    for (const fn of this.functions) {
      const own = cutpointsOf(fn, {
        labels: options.cutpoints === 'labels',
        checks: options.cutpoints === 'checks',
        branches: options.cutpoints === 'branches',
        inlined: this.inlined,
        dropped,
        callsOut: (command) => this.callsOut(command),
        ...(options.cutpoints === 'statements' && { before: happens }),
      });
      for (const location of fn.locations) {
        if (!own.has(location)) continue;
        cutpoints.add(location);
        this.addPoint(fn, location, this.kindOf(fn, location), { tracksContext: called.has(fn) });
      }
    }
    this.unrolled = unrollable(this.functions, cutpoints, options.unroll ?? new Map());
    const effects = new SideEffects(program, this.memoryModel, callBacks, initialisers);
    this.vocabulary.assumeConstant(
      unchangingData(program, this.vocabulary, effects, options.mode === 'module' ? regions.errno : undefined),
    );
    const { liveBlocks } = program;
    // Between the end of a block and its being counted the law does not hold: no state there is looked at.
    const isBetweenStatements = options.cutpoints === 'statements';
    if (
      liveBlocks &&
      options.mode === 'program' &&
      !isBetweenStatements &&
      !takesPointers(options) &&
      !effects.othersMakeBlocks()
    )
      this.vocabulary.observeCount(liveBlocks);
    const segments: SegmentOptions = {
      cutpoints,
      unrolled: this.unrolled,
      isChecked: isCheckedHere,
      effects,
      ...(options.branches && { branches: true }),
    };
    this.builder = new SegmentBuilder(this.vocabulary, { ...segments, weakening: this.weakening });
    this.contracts = new SegmentBuilder(this.vocabulary, {
      ...segments,
      weakening: {
        ...this.weakening,
        ...withPreconditions(this.weakening, [...options.entries, ...(options.init ? [options.init] : [])]),
      },
    });
    if (options.mode === 'module') {
      const fn = clientFunction(program);
      this.client = this.addPoint(fn, fn.entry, 'module', { tracksContext: false });
    }
    this.pointByKey = new Map(this.points.map((point) => [point.key, point]));
    this.clients = new ClientTransitions(this, clientArguments);
    // Whoever asks for no transitions may still ask what a symbol of another system with these functions means.
    for (const fn of [...this.functions, ...this.inlined]) this.vocabulary.introduce(fn);
  }

  /** Made when they are first asked for: they cost most, and some ask for the vocabulary or the regions alone. */
  get transitions(): readonly Transition[] {
    return (this.made ??= this.connect());
  }

  /** The cutpoint of this system that has the key. */
  point(key: CutpointKey): Cutpoint {
    const found = this.pointByKey.get(key);
    if (!found) throw new Error(`no cutpoint ${key}`);
    return found;
  }

  at(location: Location): Cutpoint | undefined {
    return this.pointAt.get(location);
  }

  /** Places where runs are watched: every state there ends a segment. */
  get watched(): ReadonlySet<Location> {
    return new Set(
      this.points
        .filter((point) => point !== this.client && !this.unrolled.has(point.location))
        .map(({ location }) => location),
    );
  }

  isInlined(command: { readonly targets: readonly FunctionDefinition[] }): boolean {
    return command.targets.every((target) => this.inlined.has(target));
  }

  /** Assumptions about a client's call of `fn`, over the function's entry vocabulary. */
  clientAssumptions(fn: FunctionDefinition): readonly Term[] {
    return this.clients.assumptions(fn, this.vocabulary.state(fn, fn.entry, new FreshSymbols('client')));
  }

  /** True if the function has any stated precondition. */
  requires(fn: FunctionDefinition): boolean {
    return hasPrecondition(fn) || this.options.requires(fn, this.vocabulary).length > 0;
  }

  /** From the call on, an object that the function sets up for the client counts as one of those that are. */
  setUp(fn: FunctionDefinition, state: SymbolicState): void {
    this.clients.setUp(fn, state);
  }

  /** True if the function's call at its entry is a step of its own. */
  beginsWithCall(fn: FunctionDefinition): boolean {
    return this.isSummarised(fn.entry.edges[0]);
  }

  /** The call edge that leaves a call point. */
  callAt(point: Cutpoint): Edge | undefined {
    const edge = point.location.edges[0];
    return this.isSummarised(edge) ? edge : undefined;
  }

  private isSummarised(edge: Edge | undefined): edge is Edge & { readonly command: { readonly kind: 'call' } } {
    return edge?.command.kind === 'call' && !this.weakening.dropped.has(edge) && !this.isInlined(edge.command);
  }

  /** The edge that leaves a point by the call of an unknown function that may call the module back. */
  private callOutAt(point: Cutpoint): Edge | undefined {
    const edge = point.location.edges[0];
    return edge && this.callsOut(edge.command) ? edge : undefined;
  }
  private callsOut(command: Command): boolean {
    return (
      this.options.mode === 'module' &&
      command.kind === 'external' &&
      (this.options.callBacks ?? noCallBacks).by.has(command.name)
    );
  }

  private addPoint(
    fn: FunctionDefinition,
    location: Location,
    kind: CutpointKind,
    { tracksContext }: { readonly tracksContext: boolean },
  ): Cutpoint {
    const point = new Cutpoint(this.addedPoints.length, fn, location, kind, tracksContext);
    this.addedPoints.push(point);
    this.pointAt.set(location, point);
    return point;
  }

  private kindOf(fn: FunctionDefinition, location: Location): CutpointKind {
    if (location === fn.entry) return 'entry';
    if (location === fn.exit) return 'exit';
    if (location.isLoopHead) return 'loop';
    if (this.options.cutpoints === 'labels' && location.label !== undefined) return 'label';
    const edge = location.edges[0];
    if (edge && (this.isSummarised(edge) || this.callsOut(edge.command))) return 'call';
    return edge?.command.kind === 'check' ? 'check' : 'return';
  }

  private extendForInduction(transitions: readonly Transition[], k: number): readonly NewTransition[] {
    const { points, unrolled, builder } = this;
    const endsOf = (segment: Segment): TransitionEnd[] => this.endsOf(segment);
    return inductionTransitions({ points, unrolled, builder, endsOf }, transitions, k);
  }

  private endsOf({ ends }: Segment): TransitionEnd[] {
    return ends.map(({ to, guard, state }) => {
      const target = this.pointAt.get(to);
      if (!target) throw new Error('a segment ends at cutpoints');
      return endAt(this.vocabulary, target, guard, state);
    });
  }

  private connect(): readonly Transition[] {
    const { vocabulary, builder } = this;
    const transitions: NewTransition[] = [];
    for (const point of this.points) {
      if (point === this.client || point.kind === 'exit') continue;
      const axioms = vocabulary.wellFormed(point.fn, point.location);
      const call = this.callAt(point);
      if (call) {
        transitions.push(...callTransitions(this, point, call, axioms));
        continue;
      }
      const callingOut = this.callOutAt(point);
      if (callingOut && this.client) {
        transitions.push(...callOutTransitions(this, point, callingOut, this.client, axioms));
        continue;
      }
      const segment = builder.build(point.fn, point.location);
      transitions.push({
        kind: 'segment',
        from: point,
        axioms,
        ends: this.endsOf(segment),
        segment,
        summary: undefined,
      });
    }
    transitions.push(...this.clients.starts());
    if (this.client) transitions.push(...this.clients.steps(this.client));
    const numbered = inOrder(transitions);
    const k = this.options.induction ?? 1;
    return k > 1 ? inOrder(this.extendForInduction(numbered, k)) : numbered;
  }
}

function inOrder(transitions: readonly NewTransition[]): readonly Transition[] {
  return transitions.map((transition, index) => ({ through: [], ...transition, index }));
}

/** Stands for the client between two calls: no variables, one location. */
function clientFunction(program: Program): FunctionDefinition {
  const span = program.functions[0]!.span;
  const location: Location = { index: 0, span, label: undefined, isLoopHead: true, edges: [] };
  return {
    kind: 'function',
    name: '<client>',
    number: -1,
    span,
    ctype: { kind: 'void' },
    parameters: [],
    result: undefined,
    resultVariable: undefined,
    variables: [],
    objects: [],
    locations: [location],
    edges: [],
    entry: location,
    exit: location,
    linkage: 'internal',
    library: false,
  };
}
