/**
 * The transition system an engine works on: cutpoints, and transitions between them. Besides segments there are
 * the two halves of a call that is analysed by summaries (into the callee; from a callee's exit back to the caller),
 * the client of a module (any entry, any arguments), and the start.
 */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Check, CheckKind, Command, Property } from '../../program/command';
import { isChecked } from '../../program/command';
import { cutpointsOf } from '../../program/automata/cutpoints';
import { type Loop } from '../../program/automata/loops';
import { passedStructure } from '../../program/passedStructure';
import { isProgramStart } from '../../program/programStart';
import type { Edge, FunctionDefinition, Location, Program } from '../../program/program';
import { askedChecks, noWeakening, type Weakening } from '../../program/automata/weakening';
import type { RecordLayout } from '../../c/types';
import { type CallBacks, noCallBacks } from '../../semantics/pointers/callbacks';
import { type Initialisers, recordBehind, setsUp, setsUpSomething } from '../../semantics/pointers/initialisers';
import { SideEffects } from '../../semantics/symbolic/effects';
import { Regions } from '../../semantics/pointers/regions';
import { type Segment, SegmentBuilder } from '../../semantics/symbolic/segment';
import { MemoryModel } from '../../semantics/symbolic/memoryModel';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import { FreshSymbols, isPointer } from '../../semantics/symbolic/symbolicValues';
import { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { Cutpoint, type CutpointKey, type CutpointKind } from './cutpoint';
import { analysed, callGraph, inlinable, keepingCallsThatMatter, reachable, recursiveFunctions } from './callGraph';
import type { CutpointSelection } from './cutpointSelection';
import { initialState, initialStateOfClient, unchangingData } from './initialState';
import { pointeeOf } from './moduleAliases';
import { ClientArguments } from './clientArguments';
import { allocatedHandles, isLeftToProgram } from './clientStructures';
import { unrollable } from './unrollableLoops';
import { joined, MOST_PATHS, pathsThrough } from './inductionPaths';

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
  /**
   * k of k-induction: what leaves the head of a loop may use that the invariants held at the last k states (Sheeran,
   * Singh, Stålmarck, "Checking safety properties using induction and a SAT-solver", FMCAD 2000; over segments as
   * Donaldson, Haller, Kroening, Rümmer, SAS 2011). Default 1.
   */
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
}

/** The usual ones, where no task says anything else. */
export const plainOptions = {
  init: undefined,
  cutpoints: 'default',
  pointerAxioms: true,
  inline: true,
  requires: () => [],
} as const satisfies Partial<SystemOptions>;

/** End of a transition, with the state there as a function of the state it starts from. */
export interface TransitionEnd {
  readonly point: Cutpoint;
  readonly guard: Term;
  readonly state: SymbolicState;
  /** Axioms of the semantics about the state at the end. */
  readonly axioms: readonly Term[];
}

export interface Transition {
  /**
   * `hand-over`: an unknown function is called, which is a client for as long as that lasts; `resume`: it returns.
   * `elsewhere`: a client calls functions of which nothing is executed.
   */
  readonly kind: 'segment' | 'call' | 'return' | 'client' | 'start' | 'hand-over' | 'resume' | 'elsewhere';
  readonly index: number;
  readonly from: Cutpoint | undefined;
  /** Axioms of the semantics about the state it starts from, and about what it passes. */
  readonly axioms: readonly Term[];
  readonly ends: readonly TransitionEnd[];
  /** Segments only. */
  readonly segment: Segment | undefined;
  /**
   * Heads of loops that it passes on its way, with the states there: with k-induction, segments that follow one another
   * are one transition.
   */
  readonly through: readonly { readonly point: Cutpoint; readonly state: SymbolicState }[];
  /** Returns only: the summary that is applied: the callee's entry as the caller sees it, and its exit. */
  readonly summary:
    | {
        readonly entry: Cutpoint;
        readonly entryState: SymbolicState;
        readonly exit: Cutpoint;
        readonly exitState: SymbolicState;
      }
    | undefined;
}

export class TransitionSystem {
  readonly vocabulary: Vocabulary;
  readonly memoryModel: MemoryModel;
  readonly builder: SegmentBuilder;
  readonly points: readonly Cutpoint[];
  readonly transitions: readonly Transition[];
  /** Stepped into where they are called, and called somewhere. */
  readonly inlined: ReadonlySet<FunctionDefinition>;
  /** Handles of the options that the module allocates as objects of their own. */
  readonly handles: ReadonlySet<RecordLayout>;
  /** That of the options, but for calls that matter to more than the state they lead to. */
  readonly weakening: Required<Weakening>;
  /** Initialisers of the options, of structures that nobody but the program can write once they are set up. */
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
  /** Grows in the constructor only, as `transitions`. */
  private readonly added: Transition[] = [];
  private readonly clientArguments: ClientArguments;

  constructor(
    readonly program: Program,
    readonly options: SystemOptions,
  ) {
    this.points = this.addedPoints;
    this.transitions = this.added;
    const callBacks = options.callBacks ?? noCallBacks;
    const graph = callGraph(program, callBacks);
    const recursive = recursiveFunctions(program, graph);
    const external = [...options.entries, ...(options.init ? [options.init] : [])].flatMap((fn) => [
      ...fn.parameters
        .filter(({ type }) => type.kind === 'pointer')
        .map((variable) => ({
          variable,
          to: pointeeOf(variable, fn),
          ...(options.mode === 'program' && isProgramStart(fn) && { isTableOfTexts: true }),
        })),
      ...(options.mode === 'module' && fn.resultVariable?.type.kind === 'pointer' && fn.resultVariable.ctype
        ? [{ variable: fn.resultVariable, to: pointeeOf(fn.resultVariable, fn) }]
        : []),
    ]);
    const regionsWith = (handles: ReadonlySet<RecordLayout>, setUp: Initialisers): Regions =>
      new Regions(program, external, recursive, options.mode, handles, new Set(setUp.keys()));
    // Who passes a structure by value has made one.
    const opaque = new Set(options.handles ?? []);
    const passed = new Set(
      [...options.entries, ...(options.init ? [options.init] : [])].flatMap((fn) =>
        fn.parameters.flatMap((parameter) => passedStructure(fn, parameter)?.type.record ?? []),
      ),
    );
    for (const record of passed) opaque.delete(record);
    let initialisers: Initialisers = new Map(
      [...(options.initialisers ?? [])].filter(([record]) => !passed.has(record)),
    );
    let regions = regionsWith(opaque, initialisers);
    // Clients make the objects of what is none, and what they point to.
    for (let changed = true; changed;) {
      const kept = allocatedHandles(opaque, external, program, regions);
      const own = new Map([...initialisers].filter(([record]) => isLeftToProgram(record, regions)));
      changed = kept.size < opaque.size || own.size < initialisers.size;
      for (const record of opaque) if (!kept.has(record)) opaque.delete(record);
      initialisers = own;
      if (changed) regions = regionsWith(opaque, initialisers);
    }
    this.handles = opaque;
    this.initialisers = initialisers;
    const isCheckedHere = (check: Pick<Check, 'check' | 'ofContract'>): boolean =>
      isChecked(check, options.checkedProperties);
    this.memoryModel = new MemoryModel(program, regions, isCheckedHere({ check: 'uninitialised-read' }));
    this.clientArguments = new ClientArguments(
      this.memoryModel,
      options,
      opaque,
      initialisers,
      options.mode === 'module' ? regions.escaped() : [],
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
    this.functions = analysed(program, roots, this.inlined, dropped);
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
      !this.takesPointers &&
      !effects.othersMakeBlocks()
    )
      this.vocabulary.observeCount(liveBlocks);
    this.builder = new SegmentBuilder(this.vocabulary, {
      cutpoints,
      unrolled: this.unrolled,
      isChecked: isCheckedHere,
      effects,
      weakening: this.weakening,
      ...(options.branches && { branches: true }),
    });
    if (options.mode === 'module') {
      const fn = clientFunction(program);
      this.client = this.addPoint(fn, fn.entry, 'module', { tracksContext: false });
    }
    this.pointByKey = new Map(this.points.map((point) => [point.key, point]));
    this.connect();
    if ((options.induction ?? 1) > 1) this.extendForInduction(options.induction!);
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
    return this.argumentAssumptions(fn, this.vocabulary.state(fn, fn.entry, new FreshSymbols('client')));
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

  /** True if clients pass objects, at the first call or at a later one. */
  private get takesPointers(): boolean {
    return [...this.options.entries, ...(this.options.init ? [this.options.init] : [])].some((fn) =>
      fn.parameters.some(({ type }) => type.kind === 'pointer'),
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

  private add(transition: Omit<Transition, 'index' | 'through'>, through: Transition['through'] = []): void {
    this.added.push({ ...transition, through, index: this.added.length });
  }

  /**
   * k-induction. A segment that leaves the head of a loop is replaced by the paths that end with it: back over k - 1
   * segments, or to the first cutpoint that is no such head. Every execution that comes to the head came along one of
   * them. Where that would be too many, nothing is replaced.
   */
  private extendForInduction(k: number): void {
    const all = this.added.splice(0);
    const others = new Set(all.flatMap(({ kind, ends }) => (kind === 'segment' ? [] : ends.map(({ point }) => point))));
    const heads = new Set(
      this.points.filter(
        (point) =>
          point.kind === 'loop' && !point.tracksContext && !others.has(point) && !this.unrolled.has(point.location),
      ),
    );
    if (pathsThrough(heads, all, k) > MOST_PATHS) {
      this.added.push(...all);
      return;
    }
    const extend = (
      first: Cutpoint,
      axioms: readonly Term[],
      through: Transition['through'],
      { point, guard, state, axioms: here }: TransitionEnd,
      before: Segment,
    ): void => {
      const passed = [...through, { point, state }];
      const known = [...axioms, ...here];
      const segment = joined(
        before,
        this.builder.buildFrom(
          point.fn,
          point.location,
          state,
          new FreshSymbols(
            `${point.fn.name}@${point.location.index}+${passed.map((head) => head.point.index).join('+')}`,
          ),
          guard,
        ),
      );
      const ends = this.endsOf(segment);
      if (passed.length === k - 1 || !heads.has(first))
        this.add({ kind: 'segment', from: first, axioms: known, ends, segment, summary: undefined }, passed);
      if (passed.length < k - 1)
        for (const end of ends) if (heads.has(end.point)) extend(first, known, passed, end, segment);
    };
    for (const { kind, from, axioms, ends, segment, summary } of all) {
      if (!from || !heads.has(from)) this.add({ kind, from, axioms, ends, segment, summary });
      if (from && segment) for (const end of ends) if (heads.has(end.point)) extend(from, axioms, [], end, segment);
    }
  }

  private endsOf({ ends }: Segment): TransitionEnd[] {
    return ends.map(({ to, guard, state }) => {
      const target = this.pointAt.get(to);
      if (!target) throw new Error('a segment ends at cutpoints');
      return this.end(target, guard, state);
    });
  }

  private end(point: Cutpoint, guard: Term, state: SymbolicState): TransitionEnd {
    const binding = this.vocabulary.binding(point.fn, state);
    return {
      point,
      guard,
      state,
      axioms: this.vocabulary.wellFormed(point.fn, point.location).map((axiom) => substituteAll([axiom], binding)[0]!),
    };
  }

  private connect(): void {
    const { vocabulary, builder } = this;
    for (const point of this.points) {
      if (point === this.client || point.kind === 'exit') continue;
      const axioms = vocabulary.wellFormed(point.fn, point.location);
      const call = this.callAt(point);
      if (call) {
        this.connectCall(point, call, axioms);
        continue;
      }
      const callingOut = this.callOutAt(point);
      if (callingOut && this.client) {
        this.connectCallOut(point, callingOut, this.client, axioms);
        continue;
      }
      const segment = builder.build(point.fn, point.location);
      this.add({ kind: 'segment', from: point, axioms, ends: this.endsOf(segment), segment, summary: undefined });
    }
    const roots = this.options.init ? [this.options.init] : this.options.mode === 'program' ? this.options.entries : [];
    for (const fn of roots) {
      const symbols = new FreshSymbols('start');
      const state = this.withArguments(
        fn,
        (this.takesPointers ? initialStateOfClient : initialState)(this.program, vocabulary, symbols),
      );
      this.add({
        kind: 'start',
        from: undefined,
        axioms: substituteAll(vocabulary.wellFormed(fn, fn.entry), vocabulary.binding(fn, state)),
        ends: [this.called(fn, state)],
        segment: undefined,
        summary: undefined,
      });
    }
    if (!this.client) return;
    if (!this.options.init && this.takesPointers) {
      // A client may have made objects before its first call.
      const state = {
        ...initialStateOfClient(this.program, vocabulary, new FreshSymbols('start')),
        locals: [],
        objects: [],
      };
      const end = this.end(this.client, L.TRUE, state);
      this.add({
        kind: 'start',
        from: undefined,
        axioms: end.axioms,
        ends: [end],
        segment: undefined,
        summary: undefined,
      });
    }
    this.connectElsewhere(this.client);
    for (const fn of this.options.entries) {
      if (this.weakening.silent.has(fn)) continue;
      const symbols = new FreshSymbols('client');
      const state = vocabulary.state(fn, fn.entry, symbols);
      this.writeByClient(state, symbols);
      const axioms = vocabulary.wellFormed(fn, fn.entry);
      this.add({
        kind: 'client',
        from: this.client,
        axioms,
        ends: [this.called(fn, state)],
        segment: undefined,
        summary: undefined,
      });
    }
  }

  /**
   * Between calls a client writes what it likes into objects of its own, those that the module still points to included.
   */
  private writeByClient({ memory }: SymbolicState, symbols: FreshSymbols): void {
    for (const { role, index, name, sort } of this.memoryModel.variables) {
      if (
        (role.kind === 'slot' || role.kind === 'written') &&
        [...role.node.origins].some((origin) => origin.kind === 'external')
      )
        memory.contents[index] = symbols.fresh(name, sort);
    }
  }

  /** The client's calls of silent functions, all in one: they may change what any of them may. */
  private connectElsewhere(client: Cutpoint): void {
    const {
      vocabulary,
      weakening: { silent },
    } = this;
    if (silent.size === 0) return;
    const symbols = new FreshSymbols('elsewhere');
    const state = vocabulary.state(client.fn, client.location, symbols);
    this.writeByClient(state, symbols);
    state.memory.havocErrno();
    this.builder.effects.havocCall([...silent], state, symbols);
    const end = this.end(client, L.TRUE, state);
    this.add({
      kind: 'elsewhere',
      from: client,
      axioms: [...vocabulary.wellFormed(client.fn, client.location), ...end.axioms],
      ends: [end],
      segment: undefined,
      summary: undefined,
    });
  }

  /** A call point's two transitions per possible callee. */
  private connectCall(point: Cutpoint, edge: Edge, axioms: readonly Term[]): void {
    const { vocabulary, builder, memoryModel } = this;
    const { command } = edge;
    if (command.kind !== 'call') throw new Error('a call point is left by a call');
    const symbols = new FreshSymbols(`${point.fn.name}@${point.location.index}`);
    const before = vocabulary.state(point.fn, point.location, symbols);
    const values = builder.argumentsOf(edge, before);
    const callee = builder.calleeOf(edge, before);
    for (const target of command.targets) {
      const entry = this.pointAt.get(target.entry)!;
      const exit = this.pointAt.get(target.exit)!;
      const chosen =
        command.callee.kind === 'function' || !isPointer(callee)
          ? L.TRUE
          : L.eq(callee.object, L.bits(BigInt(target.number), memoryModel.half));
      const locals = target.variables.map((variable, slot) =>
        slot < target.parameters.length ? values[slot]! : vocabulary.uninitialised(variable, target, symbols),
      );
      // A caller knows nothing of the callee's frame, above all when it is the same function: its objects have other
      // names here.
      const gone = target.objects.map((object) => ({
        object: symbols.fresh(`&${object.name}`, memoryModel.halfSort),
        offset: L.bits(0n, memoryModel.half),
      }));
      const entryState: SymbolicState = {
        globals: [...before.globals],
        locals,
        objects: [],
        memory: before.memory.fork(),
      };
      this.add({
        kind: 'call',
        from: point,
        axioms,
        ends: [this.end(entry, chosen, entryState)],
        segment: undefined,
        summary: undefined,
      });

      const modified = builder.effects.of(target);
      const globals = before.globals.map((value, slot) =>
        modified.globals.has(slot)
          ? symbols.value(
              this.program.globals[slot]!.variable.name,
              this.program.globals[slot]!.variable.type,
              memoryModel.half,
            )
          : value,
      );
      const memory = before.memory.fork();
      for (const variable of modified.memory)
        memory.contents[variable.index] = symbols.fresh(variable.name, variable.sort);
      vocabulary.observeLinks(memory.contents);
      const changed = new Set(
        target.edges.flatMap(({ command: c }) =>
          'target' in c && c.target && 'kind' in c.target && c.target.kind === 'variable' ? [c.target] : [],
        ),
      );
      const exitLocals = target.variables.map((variable, slot) =>
        variable.entryValueOf
          ? before.globals[variable.entryValueOf.slot]!
          : slot < target.parameters.length && !changed.has(variable)
            ? values[slot]!
            : symbols.value(`${target.name}:${variable.name}`, variable.type, memoryModel.half),
      );
      const exitState: SymbolicState = { globals, locals: exitLocals, objects: gone, memory };
      const after: SymbolicState = {
        globals: [...globals],
        locals: [...before.locals],
        objects: [...before.objects],
        memory: memory.fork(),
      };
      if (command.target && target.resultVariable) {
        const result = exitLocals[target.resultVariable.slot]!;
        if (command.target.scope === 'global') after.globals[command.target.slot] = result;
        else after.locals[command.target.slot] = result;
      }
      const next = L.ule(
        before.memory.contents[memoryModel.allocationCounter.index]!,
        memory.contents[memoryModel.allocationCounter.index]!,
      );
      const exitAxioms = substituteAll(
        vocabulary.wellFormed(target, target.exit),
        vocabulary.binding(target, exitState),
      );
      const returned = this.pointAt.get(edge.to);
      if (!returned) throw new Error('a call ends at a cutpoint');
      const end = this.end(returned, chosen, after);
      this.add({
        kind: 'return',
        from: point,
        axioms: [...axioms, next, ...exitAxioms, ...end.axioms],
        ends: [end],
        segment: undefined,
        summary: { entry, entryState: { ...entryState, objects: gone }, exit, exitState },
      });
    }
  }

  /**
   * The call of an unknown function in a module. What it finds, its own writes included, is a state that clients meet;
   * what it leaves is one, too, for every entry it calls ends in one and its own writes lead from such states to such
   * states.
   */
  private connectCallOut(point: Cutpoint, { command, to }: Edge, client: Cutpoint, axioms: readonly Term[]): void {
    if (command.kind !== 'external') throw new Error('calling out is calling an unknown function');
    const {
      vocabulary,
      builder: { effects },
    } = this;
    const symbols = new FreshSymbols(`${point.fn.name}@${point.location.index}`);
    const atRest = (state: SymbolicState): SymbolicState => ({
      globals: [...state.globals],
      locals: [],
      objects: [],
      memory: state.memory.fork(),
    });
    const found = vocabulary.state(point.fn, point.location, symbols);
    effects.havoc(command, found, symbols, 'itself');
    this.add({
      kind: 'hand-over',
      from: point,
      axioms,
      ends: [this.end(client, L.TRUE, atRest(found))],
      segment: undefined,
      summary: undefined,
    });
    const written = vocabulary.state(client.fn, client.location, symbols);
    effects.havoc(command, written, symbols, 'itself');
    this.add({
      kind: 'hand-over',
      from: client,
      axioms: vocabulary.wellFormed(client.fn, client.location),
      ends: [this.end(client, L.TRUE, written)],
      segment: undefined,
      summary: undefined,
    });

    const left = vocabulary.state(point.fn, point.location, symbols);
    effects.havoc(command, left, symbols);
    vocabulary.observeLinks(left.memory.contents);
    const leftAtRest = atRest(left);
    if (command.target) {
      const value = symbols.value(command.name, command.target.type, this.memoryModel.half);
      if (command.target.scope === 'global') left.globals[command.target.slot] = value;
      else left.locals[command.target.slot] = value;
    }
    const returned = this.pointAt.get(to);
    if (!returned) throw new Error('a call ends at a cutpoint');
    const end = this.end(returned, L.TRUE, left);
    const leftAxioms = substituteAll(
      vocabulary.wellFormed(client.fn, client.location),
      vocabulary.binding(client.fn, leftAtRest),
    );
    this.add({
      kind: 'resume',
      from: point,
      axioms: [...axioms, ...leftAxioms, ...end.axioms],
      ends: [end],
      segment: undefined,
      summary: { entry: client, entryState: leftAtRest, exit: client, exitState: leftAtRest },
    });
  }

  /** The client's call, with a state that is its own until then. */
  private called(fn: FunctionDefinition, state: SymbolicState): TransitionEnd {
    // It may have called the library in between.
    if (this.client) state.memory.havocErrno();
    const guard = L.and(...this.argumentAssumptions(fn, state));
    this.setUp(fn, state);
    return this.end(this.pointAt.get(fn.entry)!, guard, state);
  }

  /** From the call on, an object that the function sets up for the client counts as one of those that are. */
  setUp(fn: FunctionDefinition, { locals, memory }: SymbolicState): void {
    const { allocationSite, half } = this.memoryModel;
    for (const [at, parameter] of fn.parameters.entries()) {
      const value = locals[parameter.slot]!;
      const node =
        setsUp(this.initialisers, fn, at) && isPointer(value)
          ? this.memoryModel.regions.nodeOfSetUp(recordBehind(parameter)!)
          : undefined;
      if (!node || !isPointer(value)) continue;
      const before = memory.contents[allocationSite.index]!;
      memory.contents[allocationSite.index] = L.ite(
        L.eq(value.object, L.bits(0n, half)),
        before,
        L.store(before, value.object, L.bits(this.memoryModel.allocationSiteOf(node), half)),
      );
    }
  }

  private withArguments(fn: FunctionDefinition, state: SymbolicState): SymbolicState {
    const symbolic = this.vocabulary.state(fn, fn.entry, new FreshSymbols('arguments'));
    return { ...state, locals: symbolic.locals, objects: [] };
  }

  /** True if the function has any stated precondition. */
  requires(fn: FunctionDefinition): boolean {
    return hasPrecondition(fn) || this.options.requires(fn, this.vocabulary).length > 0;
  }

  /** Preconditions in the function's own text, about a state at its entry. */
  private preconditions(fn: FunctionDefinition, state: SymbolicState): Term[] {
    // Behind a call that is a step of its own it stands too late to be said of the entry.
    if (!hasPrecondition(fn) || this.isSummarised(fn.entry.edges[0])) return [];
    const { obligations } = this.builder.buildFrom(
      fn,
      fn.entry,
      state,
      new FreshSymbols(`${fn.name} requires`),
      L.TRUE,
    );
    return obligations.flatMap(({ check, function: of, guard, condition }) =>
      check.check === 'precondition' && of === fn ? [L.implies(guard, condition)] : [],
    );
  }

  /**
   * Promises of a client: `requires`, values in range of narrow types (by sort), and pointers that are null or point to
   * the start of a live object of their type.
   */
  private argumentAssumptions(fn: FunctionDefinition, state: SymbolicState): Term[] {
    // Said of what is there when the function is called: a client may just have written it.
    const axioms = [
      ...substituteAll(this.options.requires(fn, this.vocabulary), this.vocabulary.binding(fn, state)),
      ...this.preconditions(fn, state),
    ];
    return [...axioms, ...this.clientArguments.assumptions(fn, state)];
  }
}

/** Its text has `PROVEST_REQUIRES`. */
export const hasPrecondition = (fn: FunctionDefinition): boolean =>
  fn.edges.some(({ command }) => command.kind === 'check' && command.check === 'precondition');

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
