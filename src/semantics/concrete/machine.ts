/**
 * The reference interpreter: runs a program on concrete values, along one path, from a call or from the middle of one.
 *
 * What expressions and commands mean is said in `evaluate.ts` and `execute.ts`; here is only the control. Every
 * location is read once into a step, a closure that does what its edge says and answers with the node to go to.
 * Activations live on an explicit stack, so C's recursion never becomes ours, and control can be put anywhere. All else
 * that verification needs from a run (who watches which locations, what the environment answered, how far to go) hangs
 * on that loop.
 */
import type { Span } from '../../c/source';
import type { CType } from '../../c/types';
import {
  allProperties,
  isChecked,
  type Check,
  type CheckKind,
  type Command,
  type ExternalCommand,
  type Property,
  propertyOf,
} from '../../program/command';
import { int32, int64, type Scalar, type Variable } from '../../program/expression';
import { jumpOf } from '../../program/automata/jumps';
import {
  memoryBytes,
  totalStaticBytes,
  type Edge,
  type FunctionDefinition,
  type Location,
  type Program,
} from '../../program/program';
import { confinedObjects, type ConfinedObjects } from '../../program/automata/confinedObjects';
import { unreachable } from '../../unreachable';
import {
  ConcreteValues,
  holds,
  objectNumber,
  offsetBytes,
  pointerTo,
  randomInput,
  randomValue,
  zero,
  type ConcreteValue,
} from './concreteValues';
import { compiledProgram, type CompiledProgram } from './compiled/compile';
import { CompiledExecution, type Exit, type Interpreter } from './compiled/execution';
import { numberLocations } from './compiled/layout';
import { ConcreteMemory } from './concreteMemory';
import { MemoryExhausted } from './memoryBlock';
import { hold, holdThroughObjects } from './lostBlocks';
import { Evaluator } from '../evaluate';
import { commandEffect } from '../execute';
import { Environment } from './environment/environment';
import type { CallStack } from './fault';
import { describeFailure, noPlace } from './failureMessage';
import { Leaps } from './leaps/leaps';
import { assign, MachineFrame, type ControlNode, type ControlStep } from './machineFrame';
import { loadChecked, storeChecked } from './natives/cMemory';
import { LibraryCalls } from './natives/libraryCalls';
import { NativeFault, UnsupportedByNative } from './natives/native';
import { natives } from './natives/table';
import { Random } from './random';
import {
  libraryRandom,
  mostPassed,
  type Activation,
  type MachineOptions,
  type Observer,
  type RunOutcome,
  type RecordedInput,
  type ObservedPredicates,
  type Snapshot,
} from './outcome';
import { jumpedPast } from './liveness';
import type { ProgramState } from '../values';
import { TextDecoder } from '../../textCoding';

export * from './outcome';

const nowhere: ReadonlySet<Location> = new Set();
/**
 * Gain of compiled code at a node, in edges: entering it costs about as much as `entryCost` edges here, and moving
 * `bytesPerStep` as one.
 */
const entryCost = 40;
const bytesPerStep = 64;
/** Edges of a leap between observations, and as how many of those taken one by one it counts: it takes as long. */
const longestLeap = 2 ** 62;
const edgesOfLeap = 4_000;
/** Static objects of this size are moved only after as many edges here as moving them costs. */
const largeMoveBytes = 1 << 20;
const worstBalance = -4000;
const bestBalance = 20_000;
/**
 * Visits of a function's entry or loop head until it is worth compiling, and until it is worth entering code that
 * exists.
 */
const visitsToCompile = 1000;
const visitsToEnter = 50;
type CallEdge = Edge & { readonly command: Extract<Command, { kind: 'call' }> };

export class Machine {
  readonly globals: ConcreteValue[] = [];
  readonly memory: ConcreteMemory;
  readonly environment: Environment;
  readonly evaluator: Evaluator<ConcreteValue>;
  /** Inputs asked of the environment in the current or last top-level call, in order. */
  inputs: RecordedInput[] = [];
  /** Edges taken one by one since the machine was made, by compiled code or here. */
  steps = 0;
  /** Edges of rounds that were made many at once. */
  leaptSteps = 0n;
  /** Edges among them that compiled code took. */
  compiledSteps = 0;
  /** Edges among the others that large moves have cost. */
  private spentSteps = 0;

  private readonly random: Random;
  private readonly properties: ReadonlySet<Property | CheckKind>;
  private readonly stepLimit: number;
  private readonly depthLimit: number;
  private readonly nodes = new Map<Location, ControlNode>();
  private readonly blankLocals = new Map<FunctionDefinition, ConcreteValue[]>();
  private readonly functionByNumber = new Map<number, FunctionDefinition>();
  private readonly externalNames: ReadonlySet<string>;
  private numberedFrames = 0;
  private readonly library: LibraryCalls;

  /** C writes bytes; they are UTF-8, and may come one at a time. */
  private readonly decoders = {
    stdout: new TextDecoder('utf-8', { ignoreBOM: true }),
    stderr: new TextDecoder('utf-8', { ignoreBOM: true }),
  };
  private readonly stack: MachineFrame[] = [];
  private frame!: MachineFrame;
  /**
   * Frames below this index belong to the call that is interrupted by this one (a stub calling back), or are done with.
   */
  private base = 0;
  private stepEnd = 0;
  /** Limit of steps; `stepEnd` comes before it while an observer limits the steps without progress. */
  private lastStep = 0;
  private stepsWithoutProgress: number | undefined;
  private outcome: RunOutcome | undefined;
  private watching: Observer | undefined;
  private compiled: CompiledProgram | undefined;
  private compiledExecution: CompiledExecution | undefined;
  /** Rises when the observer changes. */
  private epoch = 0;
  private readonly locationNumbers: ReadonlyMap<FunctionDefinition, number>;
  /** By number of a location: how many arrivals need not be reported. */
  private skips: Int32Array;
  private readonly mode: 'tiered' | 'reference' | 'compiled';
  private readonly confined: ConfinedObjects;
  private readonly leaps: Leaps | undefined;
  private readonly leapsAreObserved: boolean;
  /** Limit of `steps` for compiled code. */
  private compiledTo: number;

  constructor(
    readonly program: Program,
    private readonly options: MachineOptions = {},
  ) {
    this.random = new Random(options.seed ?? 0);
    this.properties = options.properties ?? new Set(allProperties);
    this.stepLimit = options.stepLimit ?? 50_000_000;
    this.depthLimit = options.depthLimit ?? 10_000;
    this.memory = new ConcreteMemory(
      program.dataModel,
      this.random,
      options.memoryLimitBytes ?? memoryBytes + totalStaticBytes(program),
    );
    this.environment = new Environment(options.environment ?? {}, (bytes, stream) => {
      options.output?.(this.decoders[stream].decode(bytes, { stream: true }), stream);
    });
    this.library = new LibraryCalls(program, this.memory, this.environment, (check) => this.isChecked(check));
    this.evaluator = new Evaluator(options.values ?? new ConcreteValues(program.dataModel));
    this.mode = options.execution ?? 'tiered';
    this.compiledTo = options.compiledBetween?.to ?? Infinity;
    if (options.leaps && this.mode !== 'reference') this.leaps = new Leaps(this.evaluator);
    this.leapsAreObserved = options.leaps === 'observed';
    this.locationNumbers = numberLocations(program);
    this.confined = confinedObjects(program);
    this.skips = new Int32Array(program.functions.reduce((sum, { locations }) => sum + locations.length, 0));
    this.externalNames = new Set(program.externals.map(({ name }) => name));
    for (const fn of program.functions) if (!fn.copyOf) this.functionByNumber.set(fn.number, fn);
    this.reset();
  }

  /**
   * Puts everything back as it was when the machine was made: static data, no dynamic objects, the same pseudo-random
   * answers to come.
   */
  reset(): void {
    this.random.restart();
    this.environment.reset();
    this.skips.fill(0);
    this.watching?.onRestart?.();
    this.memory.site = undefined;
    this.memory.reset(this.program);
    this.globals.length = 0;
    for (const { variable } of this.program.globals) this.globals.push(zero(variable.type));
    const state: ProgramState<ConcreteValue> = { globals: this.globals, locals: [], objects: [], memory: this.memory };
    for (const { variable, initial } of this.program.globals) {
      if (initial) this.globals[variable.slot] = this.evaluator.evaluate(initial, state);
    }
    for (const object of this.program.objects) {
      for (const { offsetBytes, value } of object.relocations) {
        this.memory.store(pointerTo(object.number, offsetBytes), value.type, this.evaluator.evaluate(value, state));
      }
    }
  }

  snapshot(): Snapshot {
    return { globals: this.globals.slice(), memory: this.memory.snapshot(), environment: this.environment.snapshot() };
  }

  restore(snapshot: Snapshot): void {
    snapshot.globals.forEach((value, slot) => {
      this.globals[slot] = value;
    });
    this.memory.restore(snapshot.memory);
    this.environment.restore(snapshot.environment);
  }

  get observer(): Observer | undefined {
    return this.watching;
  }

  /** Its set of locations is read now, once. */
  set observer(observer: Observer | undefined) {
    for (const node of this.nodes.values()) node.observed = observer?.locations.has(node.location) ?? false;
    this.watching = observer;
    this.skips.fill(0);
    this.compiledExecution?.forgetSeen();
    for (const frame of this.stack) frame.entered = undefined;
    this.epoch++;
    this.compiled = undefined;
  }

  /** The activations of the running call, outermost first: for observers and stubs. */
  get activations(): readonly Activation[] {
    return this.stack;
  }

  /** Calls a function with values of its parameters' types. May be used by a stub while the machine runs. */
  call(fn: FunctionDefinition, args: readonly ConcreteValue[], stepLimit?: number): RunOutcome {
    if (args.length !== fn.parameters.length)
      throw new Error(`${fn.name} takes ${fn.parameters.length} arguments, not ${args.length}`);
    return this.run([this.activate(fn, args)], 1, { from: 'entry', stepLimit });
  }

  /**
   * Puts control in the middle of a call: activations from the outermost to the one that runs on. Ends when the
   * innermost function reaches its exit ('function'), or goes on in its callers ('all'). The first location is not
   * reported to the observer. `stepsWithoutProgress`: edges after which the run is stopped, counted anew whenever an
   * observer says
   * `noteProgress`.
   */
  runFrom(
    activations: readonly Activation[],
    options: {
      readonly depth: 'function' | 'all';
      readonly stepLimit?: number;
      readonly stepsWithoutProgress?: number;
    },
  ): RunOutcome {
    const frames = activations.map(
      ({ fn, location, locals, objects, entered }) =>
        new MachineFrame(fn, location, locals.slice(), objects.slice(), this.globals, this.memory, entered),
    );
    frames.slice(0, -1).forEach((frame) => {
      const edge = frame.location.edges[0];
      if (edge?.command.kind !== 'call')
        throw new Error(`an outer activation of ${frame.fn.name} waits at a location that makes no call`);
      frame.pending = { target: edge.command.target, resume: this.node(edge.to, frame.fn) };
    });
    const { stepLimit, stepsWithoutProgress } = options;
    return this.run(frames, options.depth === 'all' ? 1 : frames.length, {
      from: 'middle',
      stepLimit,
      stepsWithoutProgress,
    });
  }

  /** Resets the limit on steps without progress of the running call, if it has one. */
  noteProgress(): void {
    if (this.stepsWithoutProgress !== undefined)
      this.stepEnd = Math.min(this.lastStep, this.steps + this.stepsWithoutProgress);
  }

  /** Runs the last of the frames, from its entry or the middle of it, until fewer than `until` of them are left. */
  private run(
    frames: readonly MachineFrame[],
    until: number,
    {
      from,
      stepLimit,
      stepsWithoutProgress,
    }: {
      readonly from: 'entry' | 'middle';
      readonly stepLimit: number | undefined;
      readonly stepsWithoutProgress?: number | undefined;
    },
  ): RunOutcome {
    const outer = {
      base: this.base,
      stepEnd: this.stepEnd,
      lastStep: this.lastStep,
      stepsWithoutProgress: this.stepsWithoutProgress,
      frame: this.frame,
      height: this.stack.length,
    };
    const nested = outer.height > 0;
    if (!nested) this.inputs = [];
    this.lastStep = Math.min(this.steps + (stepLimit ?? this.stepLimit), nested ? outer.stepEnd : Infinity);
    this.stepEnd = this.lastStep;
    this.stepsWithoutProgress = stepsWithoutProgress;
    this.noteProgress();
    for (const frame of frames) this.push(frame);
    this.base = outer.height + until - 1;
    this.frame = frames[frames.length - 1]!;
    try {
      if (this.stack.length > this.depthLimit)
        return { kind: 'limit', limit: 'depth', stack: this.callStack(this.frame.fn.span) };
      const outcome = this.follow(this.node(this.frame.location, this.frame.fn), from);
      if (until === 1 && this.program.keepsBlocks && outcome.kind === 'returned') this.handOver(outcome.value);
      return outcome;
    } finally {
      while (this.stack.length > outer.height) this.endObjects(this.stack.pop()!);
      this.base = outer.base;
      this.stepEnd = outer.stepEnd;
      this.lastStep = outer.lastStep;
      this.stepsWithoutProgress = outer.stepsWithoutProgress;
      this.frame = outer.frame;
    }
  }

  private follow(start: ControlNode, from: 'entry' | 'middle'): RunOutcome {
    let node = start;
    let arrived = from === 'entry';
    try {
      for (;;) {
        if (node.observed && arrived) {
          if (this.skips[node.number]! > 0) this.skips[node.number]!--;
          else this.report(node.location, node.number);
        }
        arrived = true;
        if (this.steps >= this.stepEnd)
          return { kind: 'limit', limit: 'steps', stack: this.callStack(node.location.span) };
        this.steps++;
        const next = node.step(this.frame);
        if (next === undefined) break;
        node = next;
      }
    } catch (error) {
      if (error instanceof UnsupportedByNative)
        return { kind: 'limit', limit: 'unsupported', what: error.message, stack: this.callStack(node.location.span) };
      if (!(error instanceof MemoryExhausted)) throw error;
      return { kind: 'limit', limit: 'memory', stack: this.callStack(node.location.span) };
    }
    const { outcome } = this;
    if (!outcome) throw new Error('a run ends with an outcome');
    this.outcome = undefined;
    return outcome;
  }

  /** A client has the result and what its objects lead to. */
  private handOver(result: ConcreteValue | undefined): void {
    const { memory, program } = this;
    if (typeof result === 'number') hold(memory, program.dataModel, [result], 'the pointers');
    holdThroughObjects(memory, program.dataModel);
  }

  private report(location: Location, number: number): void {
    const { watching, frame } = this;
    frame.location = location;
    if (location === frame.fn.entry) {
      const observedPredicates = watching!.observedPredicates?.get(location);
      if (observedPredicates?.perEntry) frame.entered = this.see(observedPredicates, frame);
    }
    watching!.visit(location, frame);
    // The visit may have changed the observer.
    if (watching!.skip && watching === this.watching)
      this.skips[number] = Math.min(watching!.skip(location), mostPassed);
  }

  private see({ conditions }: ObservedPredicates, frame: MachineFrame): bigint {
    let bits = 0n;
    conditions.forEach((condition, i) => {
      if (holds(this.evaluator.stage(condition)(frame))) bits |= 1n << BigInt(i);
    });
    return bits;
  }

  private finish(outcome: RunOutcome): undefined {
    this.outcome = outcome;
    return undefined;
  }

  private activate(fn: FunctionDefinition, args: readonly ConcreteValue[]): MachineFrame {
    let blank = this.blankLocals.get(fn);
    if (!blank) this.blankLocals.set(fn, (blank = fn.variables.map((variable) => zero(variable.type))));
    const locals = blank.slice();
    // Jumped past their declarations.
    if (this.options.havoc)
      for (const variable of jumpedPast(fn))
        locals[variable.slot] = this.options.havoc(variable) ?? zero(variable.type);
    for (let i = 0; i < args.length; i++) locals[fn.parameters[i]!.slot] = args[i]!;
    return new MachineFrame(
      fn,
      fn.entry,
      locals,
      new Array<ConcreteValue>(fn.objects.length).fill(0),
      this.globals,
      this.memory,
    );
  }

  private push(frame: MachineFrame): void {
    const caller = this.stack[this.stack.length - 1];
    frame.confinedAt = caller ? caller.confinedAt + this.confined.frameUnits(caller.fn) : this.memory.confinedBase;
    this.stack.push(frame);
  }

  private endObjects(frame: MachineFrame): void {
    for (const pointer of frame.objects) if (pointer !== 0) this.memory.kill(pointer);
  }

  private callStack(span: Span): CallStack {
    return this.stack
      .map((frame, i) => ({
        function: frame.fn,
        span: i === this.stack.length - 1 ? span : (frame.location.edges[0]?.span ?? frame.location.span),
      }))
      .reverse();
  }

  private node(location: Location, fn: FunctionDefinition): ControlNode {
    let node = this.nodes.get(location);
    if (!node) {
      const fresh: ControlNode = {
        location,
        fn,
        number: this.locationNumbers.get(fn)! + location.index,
        observed: this.watching?.locations.has(location) ?? false,
        step: (frame) => (fresh.step = this.stage(location, fn))(frame),
      };
      this.nodes.set(location, (node = fresh));
    }
    return node;
  }

  private stage(location: Location, fn: FunctionDefinition): ControlStep {
    const plain = this.stagePlain(location, fn);
    return this.mode !== 'reference' && (location === fn.entry || location.isLoopHead)
      ? this.stageWarming(location, fn, plain)
      : plain;
  }

  /** Counts visits, and when it is worth it goes on in compiled code. */
  private stageWarming(location: Location, fn: FunctionDefinition, plain: ControlStep): ControlStep {
    let epoch = this.epoch;
    let visits = this.mode === 'compiled' ? visitsToCompile : 0;
    let balance = 0;
    const from = this.options.compiledBetween?.from ?? 0;
    return (frame) => {
      if (this.steps < from || this.steps >= this.compiledTo) return plain(frame);
      if (this.leaps && location.isLoopHead && this.base === 0 && (!this.watching || this.leapsAreObserved)) {
        this.leap(this.leaps, location, frame);
        // Compiled code would come to no further leap.
        if (this.leapsAreObserved || this.steps >= this.compiledTo) return plain(frame);
      }
      if (epoch !== this.epoch) {
        epoch = this.epoch;
        balance = 0;
      }
      if (++visits < visitsToEnter || balance < worstBalance) return plain(frame);
      const compiled = this.compiledForm();
      if (!compiled?.mayCompile(fn)) {
        balance = -Infinity;
        return plain(frame);
      }
      if (visits < visitsToCompile && !compiled.isReady(fn)) return plain(frame);
      if (this.compiledExecution) {
        this.compiledExecution.use(compiled);
      } else {
        this.compiledExecution = CompiledExecution.begin(compiled, this.interpreter);
        if (!this.compiledExecution) {
          balance = -Infinity;
          return plain(frame);
        }
        this.compiledExecution.skips.set(this.skips);
        this.skips = this.compiledExecution.skips;
      }
      const staticBytes = this.mode === 'compiled' ? 0 : (this.compiledExecution.bytesToMove(fn) ?? 0);
      const price = staticBytes < largeMoveBytes ? 0 : staticBytes / bytesPerStep;
      if (price > this.steps - this.compiledSteps - this.spentSteps) return plain(frame);
      this.spentSteps += price;
      const exit = this.compiledExecution.enter(
        frame,
        location,
        Math.min(this.stepEnd - this.steps + 1, this.compiledTo - this.steps),
        this.depthLimit - this.stack.length,
      );
      balance =
        this.mode === 'compiled'
          ? 0
          : Math.min(
              bestBalance,
              balance + (exit ? exit.steps + price - exit.movedBytes / bytesPerStep : 0) - entryCost,
            );
      if (!exit) return plain(frame);
      this.steps += exit.steps - 1;
      this.compiledSteps += exit.steps;
      return exit.kind === 'returned' ? this.giveBack(exit.value) : this.resume(frame, exit);
    };
  }

  /** Makes rounds of a loop at once, if that is possible. Limits come nearer, since large sums lose single edges. */
  private leap(leaps: Leaps, head: Location, frame: MachineFrame): void {
    const left = this.leapsAreObserved ? longestLeap : Math.min(this.stepEnd, this.compiledTo) - this.steps;
    const found = leaps.from(head, frame, left, this.leapsAreObserved ? 'most' : 'all');
    if (!found) return;
    for (const [variable, value] of found.values) assign(frame, variable, value);
    this.leaptSteps += found.steps;
    if (this.leapsAreObserved) {
      this.stepEnd -= edgesOfLeap;
      this.lastStep -= edgesOfLeap;
      const { observed, number } = this.node(head, frame.fn);
      if (observed) this.report(head, number);
      return;
    }
    const leapt = Number(found.steps);
    this.stepEnd -= leapt;
    this.lastStep -= leapt;
    this.compiledTo -= leapt;
  }

  /**
   * Takes over the frames that compiled code has left. The next step is the reference machine's, or what its command
   * throws.
   */
  private resume(
    frame: MachineFrame,
    { frames, failure, hasArrived }: Extract<Exit, { kind: 'suspended' }>,
  ): ControlNode | undefined {
    for (let i = frames.length - 1; i >= 0; i--) {
      const { fn, location, locals, objects, entered } = frames[i]!;
      let current = frame;
      if (i === frames.length - 1) {
        locals.forEach((value, slot) => {
          frame.locals[slot] = value;
        });
        objects.forEach((value, slot) => {
          frame.objects[slot] = value;
        });
        frame.entered = entered;
      } else {
        current = new MachineFrame(
          fn,
          location,
          locals as ConcreteValue[],
          objects as ConcreteValue[],
          this.globals,
          this.memory,
          entered,
        );
        this.push(current);
      }
      const edge = location.edges[0];
      if (i > 0) {
        if (edge?.command.kind !== 'call') throw new Error('a frame with others above it has made a call');
        current.location = location;
        current.pending = { target: edge.command.target, resume: this.node(edge.to, fn) };
      }
      this.frame = current;
    }
    const { fn, location } = frames[0]!;
    if (this.stack.length > this.depthLimit)
      return this.finish({ kind: 'limit', limit: 'depth', stack: this.callStack(fn.span) });
    const step = failure
      ? (current: MachineFrame) => this.fails(failure.error, location, current)
      : this.stagePlain(location, fn);
    const { observed, number } = this.node(location, fn);
    return { location, fn, number, observed: observed && hasArrived, step };
  }

  private fails(error: unknown, location: Location, frame: MachineFrame): undefined {
    const edge = location.edges[0];
    if (!(error instanceof NativeFault) || edge?.command.kind !== 'external') throw error;
    return this.nativeFails(error, edge.command.name, edge, frame);
  }

  /** Code that checks and reports what this machine is to check and report. */
  private compiledForm(): CompiledProgram | undefined {
    return (this.compiled ??= compiledProgram(
      this.program,
      this.properties,
      this.watching?.locations ?? nowhere,
      this.watching?.observedPredicates,
    ));
  }

  private stagePlain(location: Location, fn: FunctionDefinition): ControlStep {
    if (location === fn.exit) return this.stageExit(fn);
    const [edge, ...others] = location.edges;
    if (!edge) return () => this.finish({ kind: 'stopped', reason: 'assume' });
    return others.length === 0 ? this.stageEdge(edge, fn) : this.stageBranch(location, fn);
  }

  private stageExit(fn: FunctionDefinition): ControlStep {
    const slot = fn.resultVariable?.slot;
    return (frame) => {
      this.steps--; // no edge is taken
      const value = slot === undefined ? undefined : frame.locals[slot];
      this.endObjects(frame);
      return this.giveBack(value);
    };
  }

  /** The running activation is over: its caller goes on, if there is one. */
  private giveBack(value: ConcreteValue | undefined): ControlNode | undefined {
    this.stack.pop();
    if (this.stack.length <= this.base) return this.finish({ kind: 'returned', value });
    const caller = this.stack[this.stack.length - 1]!;
    const { target, resume } = caller.pending!;
    caller.pending = undefined;
    if (target) assign(caller, target, value!);
    this.frame = caller;
    return resume;
  }

  private stageBranch(location: Location, fn: FunctionDefinition): ControlStep {
    const arms = location.edges.map(({ command, to }) => {
      if (command.kind !== 'assume')
        throw new Error(`an edge beside others must be an assumption, not ${command.kind} (in ${fn.name})`);
      return { condition: this.evaluator.stage(command.condition), next: this.node(to, fn) };
    });
    const none = () => {
      throw new Error(`no branch can be taken in ${fn.name}, lowering guarantees one`);
    };
    if (arms.length === 2) {
      const [first, second] = [arms[0]!, arms[1]!];
      return (frame) =>
        holds(first.condition(frame)) ? first.next : holds(second.condition(frame)) ? second.next : none();
    }
    return (frame) => {
      for (const arm of arms) if (holds(arm.condition(frame))) return arm.next;
      return none();
    };
  }

  private stageEdge(edge: Edge, fn: FunctionDefinition): ControlStep {
    const { command } = edge;
    const { memory, evaluator } = this;
    const next = this.node(edge.to, fn);
    switch (command.kind) {
      case 'skip':
        return () => next;
      case 'assign':
      case 'store':
      case 'copy':
      case 'fill': {
        const run = commandEffect(command, evaluator);
        return (frame) => {
          run(frame);
          return next;
        };
      }
      case 'free':
      case 'declare': {
        const run = commandEffect(command, evaluator);
        return (frame) => {
          memory.site = edge.span;
          memory.confinedAt = frame.confinedAt;
          run(frame);
          return next;
        };
      }
      case 'end': {
        const run = commandEffect(command, evaluator);
        const { slot } = command.object;
        return (frame) => {
          memory.site = edge.span;
          run(frame);
          frame.objects[slot] = 0; // the number may be another object's one day
          return next;
        };
      }
      case 'assume': {
        const condition = evaluator.stage(command.condition);
        return (frame) => (holds(condition(frame)) ? next : this.finish({ kind: 'stopped', reason: 'assume' }));
      }
      case 'check': {
        const condition = evaluator.stage(command.condition);
        return (frame) => {
          if (holds(condition(frame))) return next;
          return this.ends(command, frame, edge.from, () => describeFailure(command, frame, evaluator))
            ? undefined
            : next;
        };
      }
      case 'havoc': {
        const { target } = command;
        return (frame) => {
          assign(frame, target, this.indeterminate(target));
          return next;
        };
      }
      case 'input': {
        const { target, name } = command;
        return (frame) => {
          assign(frame, target, this.ask(name, target.type, target.ctype, fn, edge.span));
          return next;
        };
      }
      case 'allocate': {
        const size = evaluator.stage(command.size);
        return (frame) => {
          assign(frame, command.target, this.allocate(command, size(frame), fn, edge.span));
          return next;
        };
      }
      case 'call':
        return this.stageCall(edge as CallEdge, next);
      case 'external':
        return this.stageExternal(command, edge, next);
      case 'halt': {
        const status = command.status && evaluator.stage(command.status);
        return (frame) => this.finish({ kind: 'halted', status: status ? Number(status(frame)) : 0 });
      }
      default:
        return unreachable(command);
    }
  }

  private stageCall(edge: CallEdge, resume: ControlNode): ControlStep {
    const { callee, target, targets } = edge.command;
    const args = edge.command.arguments.map((argument) => this.evaluator.stage(argument));
    const pending = { target, resume };
    const named = callee.kind === 'function' ? callee : undefined;
    const named0 = named && this.node(named.entry, named);
    const pointer = callee.kind === 'function' ? undefined : this.evaluator.stage(callee);
    return (frame) => {
      const fn = named ?? this.functionByNumber.get(objectNumber(pointer!(frame)));
      // Only control that was put behind the check comes here with a pointer to anything else.
      if (!fn || (!named && !targets.includes(fn))) return this.finish({ kind: 'stopped', reason: 'check-off' });
      const activation = this.activate(
        fn,
        args.map((argument) => argument(frame)),
      );
      frame.location = edge.from;
      frame.pending = pending;
      this.push(activation);
      if (this.stack.length > this.depthLimit) {
        return this.finish({ kind: 'limit', limit: 'depth', stack: this.callStack(fn.span) });
      }
      this.frame = activation;
      return named0 ?? this.node(fn.entry, fn);
    };
  }

  private stageExternal(command: ExternalCommand, edge: Edge, next: ControlNode): ControlStep {
    const { name, target, resultType } = command;
    const args = command.arguments.map((argument) => this.evaluator.stage(argument));
    const callee = command.callee && this.evaluator.stage(command.callee);
    const native = natives.get(name);
    const jump = jumpOf(name);
    const give = (frame: MachineFrame, value: ConcreteValue | undefined) => {
      if (!target) return next;
      if (value === undefined) throw new Error(`${name} should have returned a value`);
      assign(frame, target, value);
      return next;
    };
    return (frame) => {
      const values = args.map((argument) => argument(frame));
      frame.location = edge.from;
      if (this.program.keepsBlocks && !native && !jump)
        hold(this.memory, this.program.dataModel, values, 'all that is reached');
      const answer = this.options.external
        ? this.options.external(name, values, {
            command,
            span: edge.span,
            callee: callee?.(frame),
            stack: () => this.callStack(edge.span),
          })
        : 'unknown';
      if (answer !== 'unknown') return give(frame, answer);
      if (native || jump) {
        try {
          if (jump === 'set') this.rememberPlace(frame, edge, values[0]!);
          if (jump === 'jump') return this.jumpBack(values[0]!, values[1]!, name);
          if (!native) return give(frame, 0);
          return give(frame, this.library.run(native, command, values));
        } catch (error) {
          if (!(error instanceof NativeFault)) throw error;
          return this.nativeFails(error, name, edge, frame);
        }
      }
      if (!this.externalNames.has(name)) throw new Error(`${name} is neither defined, native nor listed as external`);
      this.memory.site = edge.span;
      const ended = this.options.outside?.(command, values);
      if (ended) return this.finish(ended);
      if (command.resultBytes !== undefined) this.memory.fill(values[0]!, 0, BigInt(command.resultBytes));
      return give(frame, resultType && this.ask(name, resultType, target?.ctype, frame.fn, edge.span));
    };
  }

  /** `setjmp`: the activation and its location go into the program's memory. */
  private rememberPlace(frame: MachineFrame, { from, command }: Edge, place: ConcreteValue): void {
    if (frame.number === 0) frame.number = ++this.numberedFrames;
    const call = this.library.of(command.kind === 'external' ? command.name : '');
    storeChecked(call, place, int64, BigInt(frame.number));
    storeChecked(call, pointerTo(objectNumber(place), offsetBytes(place) + 8), int64, BigInt(from.index));
  }

  /** `longjmp`: activations above the one that called `setjmp` end; that call returns again. */
  private jumpBack(place: ConcreteValue, value: ConcreteValue, name: string): ControlNode {
    const call = this.library.of(name);
    const number = Number(loadChecked(call, place, int64));
    const index = Number(loadChecked(call, pointerTo(objectNumber(place), offsetBytes(place) + 8), int64));
    const height = number === 0 ? -1 : this.stack.findIndex((frame) => frame.number === number);
    const edge = height < 0 ? undefined : this.stack[height]!.fn.locations[index]?.edges[0];
    if (edge?.command.kind !== 'external' || jumpOf(edge.command.name) !== 'set') {
      throw new NativeFault('invalid-call', noPlace(name));
    }
    if (height < this.base) throw new UnsupportedByNative(`${name} over a call that a stub has made is not supported`);
    while (this.stack.length > height + 1) this.endObjects(this.stack.pop()!);
    const frame = this.stack[height]!;
    frame.pending = undefined;
    this.frame = frame;
    if (edge.command.target) assign(frame, edge.command.target, Number(value) === 0 ? 1 : value);
    return this.node(edge.to, frame.fn);
  }

  private nativeFails(error: NativeFault, name: string, edge: Edge, frame: MachineFrame): undefined {
    const check: Check = {
      kind: 'check',
      check: error.check,
      condition: { kind: 'integer', type: int32, value: 0n },
      text: name,
      span: edge.span,
      ifUnchecked: 'assume',
    };
    this.ends(check, frame, edge.from, () => error.message);
    return undefined;
  }

  private allocate(
    command: Extract<Command, { kind: 'allocate' }>,
    size: ConcreteValue,
    fn: FunctionDefinition,
    span: Span,
  ): ConcreteValue {
    this.memory.site = span;
    const fails = command.mayFail && !holds(this.ask('malloc', int32, undefined, fn, span));
    if (fails) return 0;
    const memory = this.memory.allocate(size, command.zeroed, command);
    if (!command.zeroed && memory !== 0) this.options.fresh?.(command, memory);
    return memory;
  }

  private indeterminate(target: Variable): ConcreteValue {
    return this.options.havoc?.(target) ?? randomValue(target.type, this.random, this.program.dataModel);
  }

  /** Services of the machine for compiled code. */
  private get interpreter(): Interpreter {
    return {
      globals: this.globals,
      memory: this.memory,
      contents: this.random.pool,
      allocatesUnseen: this.options.fresh === undefined,
      allocate: (command, sizeBytes, { fn, edge }) => this.allocate(command, sizeBytes, fn, edge.span),
      choose: (command, { fn, edge }) =>
        command.kind === 'havoc'
          ? this.indeterminate(command.target)
          : this.ask(command.name, command.target.type, command.target.ctype, fn, edge.span),
      native: (command, values, { edge }) => {
        const { name } = command;
        const answer = this.options.external
          ? this.options.external(name, values, {
              command,
              span: edge.span,
              callee: undefined,
              stack: () => this.callStack(edge.span),
            })
          : 'unknown';
        const value = answer === 'unknown' ? this.library.run(natives.get(name)!, command, values) : answer;
        if (command.target && value === undefined) throw new Error(`${name} should have returned a value`);
        return value;
      },
    };
  }

  private isChecked(check: CheckKind): boolean {
    return this.properties.has(propertyOf[check]) || this.properties.has(check);
  }

  /** A check failed: whether that is the end, because its property is in force or nothing after it has a meaning. */
  private ends(command: Check, frame: MachineFrame, location: Location, message: () => string): boolean {
    if (command.check === 'object-size') {
      frame.location = location;
      this.finish({ kind: 'limit', limit: 'memory', stack: this.callStack(command.span) });
      return true;
    }
    if (isChecked(command, this.properties)) {
      frame.location = location;
      const stack = this.callStack(command.span);
      this.finish({
        kind: 'fault',
        fault: { check: command.check, command, message: message(), span: command.span, stack },
      });
      return true;
    }
    if (command.ifUnchecked === 'assume') this.finish({ kind: 'stopped', reason: 'check-off' });
    return command.ifUnchecked === 'assume';
  }

  private ask(name: string, type: Scalar, ctype: CType | undefined, fn: FunctionDefinition, span: Span): ConcreteValue {
    let value: ConcreteValue;
    if (this.options.input) value = this.options.input(name, type);
    else if (name === 'malloc') value = 1;
    else if (name === libraryRandom) value = this.environment.random.next();
    else value = randomInput(type, this.random, this.program.dataModel, ctype);
    this.inputs.push({ name, type, value, function: fn, span });
    return value;
  }
}
