/**
 * What is to be verified and with what means: the program, its entries, the solver, the clock. Nothing here says what
 * was found.
 */
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import { holdsIn } from '../../abstraction/partition/partition';
import { System, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import { handlesOf } from '../../evidence/scenarios/handles';
import { initialisersOf, keptPart } from '../../evidence/scenarios/setUpFunctions';
import { isVariadic } from '../../evidence/scenarios/operations';
import type { Initialisers } from '../../semantics/pointers/initialisers';
import type { ScenarioOptions } from '../../evidence/scenarios/scenario';
import type { RecordLayout } from '../../c/types';
import { ModuleInstance } from '../../host/module';
import { moduleVariable } from '../../host/moduleVariable';
import { environmentOf } from '../../host/hostEnvironment';
import type { Term } from '../../logic/term';
import type { ProofMemory } from '../../proofCache';
import { loadProgram } from '../../program';
import type { CheckKind, Property } from '../../program/command';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Progress } from '../../progress';
import type { CallBacks } from '../../semantics/pointers/callbacks';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Machine } from '../../semantics/concrete/machine';
import type { Regions } from '../../semantics/pointers/regions';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { floatsDefined } from '../../logic/floats';
import { multipliedOut } from '../../logic/polynomial';
import {
  bothReadings,
  cached,
  createHornSolver,
  createSolver,
  instancesFirst,
  instantiated,
  limited,
  mourned,
  processOptions,
  rewriting,
  startProcess,
  withinBounds,
  type HornSolver,
  type SolverProcess,
} from '../../solver';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { Task } from '../../task';
import type { Reason } from '../../verdict';
import { callBacksOf } from '../assumptions/callbacks';
import { requiredAt } from './userFormulas';

export interface VerifyOptions {
  readonly progress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  /** Told what an engine that refines does, line by line. */
  readonly trace?: (line: string) => void;
  /** For tests of the solver's failures; default Z3. */
  readonly solver?: Solver;
  /** A solver's process that was started early; it is closed at the end. */
  readonly solverProcess?: SolverProcess | undefined;
  /** What earlier runs left; default nothing. */
  readonly memory?: ProofMemory;
  /** A question on the side of another: only the answer matters, not what could be done about it. */
  readonly aside?: boolean;
}

/** Of the budget, at most: a solver that is slow to hear that its time is up. */
const reserveMs = 1000;
/** After the end of the budget, to say what was proved; well below what the prover's parent allows. */
const lastWordsMs = 800;
/** Of the budget, where how well the tests test is asked, too. */
const SHARE_OF_PROOF = 0.6;
/** Edges that a run which shows a failure may take. */
const REPLAY_STEPS = 60_000_000;

export class Setting {
  readonly began = performance.now();
  /** Of what is being done now. */
  deadline: number;
  readonly frontEndSeconds: number;
  readonly program: Program;
  /** As tests see it: without suppressions. */
  readonly tested: Program;
  readonly entries: readonly FunctionDefinition[];
  readonly init: FunctionDefinition | undefined;
  readonly callBacks: CallBacks;
  readonly inForce: ReadonlySet<Property | CheckKind>;
  /** Structures that clients get from the module alone. */
  readonly handles: ReadonlySet<RecordLayout>;
  readonly initialisers: Initialisers;
  readonly task: Task;
  /** Tests of which the end is no client's doing, by what `initialisedBy` says of clients. */
  readonly cutRuns: number;
  /** Asked about quantifiers by instances. */
  readonly solver: Solver;
  /** For engines that take a model for a state: asked as it stands. */
  readonly exactSolver: Solver;
  /** For the certificate, which needs an answer and no sessions. */
  readonly certifier: Solver;
  /** For loops over integers; started when it is first asked. None beside a solver that was given. */
  readonly horn: HornSolver | undefined;
  /** None where a solver was given. */
  private readonly process: SolverProcess | undefined;
  /** No question lasts longer. */
  private solverEndMs: number;
  private regions: Regions | undefined;

  constructor(
    task: Task,
    readonly options: VerifyOptions,
  ) {
    this.deadline = this.began + task.budget.milliseconds * (task.adequacy ? SHARE_OF_PROOF : 1);
    // A module has no end at which its blocks would have to be free.
    // What a function requires is taken for granted inside, so it is always asked of its callers.
    this.inForce = new Set<Property | CheckKind>([
      ...(task.mode === 'program' ? task.properties : task.properties.filter((property) => property !== 'leak')),
      'precondition',
    ]);
    const leaksAfter = this.inForce.has('leak') ? task.entries?.[0] : undefined;
    const read = (suppress: boolean): Program =>
      loadProgram(task.files, {
        ...task.load,
        suppress,
        ...(task.stubs && { stubs: task.stubs }),
        ...(leaksAfter !== undefined && { leaksAfter }),
        externals: task.load.externals ?? (task.mode === 'program' ? 'any' : 'error'),
      });
    this.program = read(true);
    // Tests know of no suppressions.
    this.tested = this.program.suppressed && this.program.suppressed.length > 0 ? read(false) : this.program;
    this.frontEndSeconds = (performance.now() - this.began) / 1000;
    const named = (name: string): FunctionDefinition => {
      const fn = this.program.functionByName.get(name);
      if (!fn) throw new Error(`no function '${name}' is defined`);
      return fn;
    };
    this.init = task.init === undefined ? undefined : named(task.init);
    const own = task.entries
      ? task.entries.map(named)
      : this.program.functions.filter((fn) => !fn.library && fn.linkage === 'external');
    this.entries = own.filter((fn) => fn !== this.init && !isVariadic(fn));
    this.initialisers =
      task.mode === 'module' ? initialisersOf(this.program, this.callable, task.initialisedBy ?? []) : new Map();
    const runs = task.runs.map((run) => keptPart(this.initialisers, this.program, run));
    this.cutRuns = runs.filter((run, i) => run.length < task.runs[i]!.length).length;
    this.task = { ...task, runs };
    this.handles = task.mode === 'module' ? handlesOf(this.program, this.callable, task.runs) : new Set();
    this.callBacks = callBacksOf(task, this.program, this.entries);
    this.solverEndMs = this.solverEnd();
    this.process = options.solver ? undefined : (options.solverProcess ?? startProcess(processOptions('auto')));
    options.signal?.addEventListener('abort', () => this.interrupt(), { once: true });
    const z3 =
      options.solver ??
      rewriting(
        limited(mourned(createSolver({ seed: task.seed, process: this.process })), () => this.solverEndMs),
        (term) => floatsDefined(multipliedOut(term)),
      );
    const fresh = options.solver ?? withinBounds(bothReadings(z3));
    // Refinement comes by the same question again and again.
    this.exactSolver = cached(fresh);
    this.horn = options.solver ? undefined : createHornSolver();
    // Places in arrays are sums that could wrap, which costs integers more than words.
    const ofElements = options.solver ?? withinBounds(bothReadings(z3, 'bits'));
    this.solver = instantiated(this.exactSolver, ofElements);
    // Nothing that was answered before counts here.
    this.certifier = instancesFirst(instantiated(fresh, ofElements), fresh);
  }

  /** The rest of the budget, for what comes after the proof. */
  afterProof(): void {
    if (this.interrupted) return;
    this.deadline = this.began + this.task.budget.milliseconds;
    this.solverEndMs = this.solverEnd();
  }

  private solverEnd(): number {
    return this.deadline - Math.min(reserveMs, this.task.budget.milliseconds / 10);
  }

  /** A question that is being asked may have all of the budget left. */
  private interrupt(): void {
    this.deadline = this.solverEndMs = performance.now();
    this.process?.halt();
    void this.horn?.close();
  }

  async end(): Promise<void> {
    if (!this.options.solver) await Promise.all([this.solver.close(), this.horn?.close()]);
  }

  /** The time until which the solver may be asked about what a verdict that was cut short still says. */
  lastWords(): number {
    this.process?.resume();
    this.solverEndMs = performance.now() + lastWordsMs;
    return this.solverEndMs;
  }

  /** In code to paste. */
  get variable(): string {
    return this.task.variable ?? moduleVariable(this.task.files);
  }

  /** By a test. */
  get callable(): readonly FunctionDefinition[] {
    return [...this.entries, ...(this.init ? [this.init] : [])];
  }

  systemOptions(): SystemOptions {
    const { task } = this;
    return {
      mode: task.mode,
      entries: this.entries,
      init: this.init,
      inForce: this.inForce,
      cutpoints: task.cutpoints ?? 'default',
      inline: task.inline ?? true,
      pointerFacts: task.predicates !== 'probes',
      callBacks: this.callBacks,
      handles: this.handles,
      initialisers: this.initialisers,
      requires: (fn, vocabulary) => requiredAt(this.task, fn, vocabulary),
    };
  }

  /** For a question that is not the last word. */
  moderately(): QueryBudget {
    const { timeoutMs, resources = Infinity } = this.queryBudget();
    return { timeoutMs, resources: Math.min(resources, 4_000_000) };
  }

  queryBudget(mostMs = 10_000): QueryBudget {
    const left = Math.max(50, this.deadline - performance.now());
    return {
      timeoutMs: Math.min(left, mostMs),
      ...(this.task.budget.resourcesPerQuery !== undefined && { resources: this.task.budget.resourcesPerQuery }),
    };
  }

  /**
   * For a question whose answer is all that a proof still needs: half of the time there is, so that another way may be
   * tried when it was in vain.
   */
  lastWord(): QueryBudget {
    return this.queryBudget(Math.max(10_000, (this.deadline - performance.now()) / 2));
  }

  get interrupted(): boolean {
    return this.options.signal?.aborted === true;
  }

  stopReason(): Reason | undefined {
    if (this.interrupted) return { cause: 'interrupted', message: 'interrupted before an answer was reached' };
    if (performance.now() > this.deadline)
      return { cause: 'time-budget', message: `the budget of ${this.task.budget.milliseconds / 1000} s is used up` };
    return undefined;
  }

  report(phase: Progress['phase'], done: number, total: number): void {
    this.options.progress?.({ phase, done, total });
  }

  instance(program = this.program): ModuleInstance {
    return new ModuleInstance(program, {
      name: 'module',
      entry: this.callable.map(({ name }) => name),
      seed: this.task.seed,
      ...(this.task.surroundings && { environment: environmentOf(this.task.surroundings) }),
    });
  }

  scenarioOptions(): ScenarioOptions {
    const preconditions = new Map<FunctionDefinition, readonly Term[]>();
    let reading: System | undefined;
    return {
      inForce: this.inForce,
      stepLimit: REPLAY_STEPS,
      init: this.init,
      handles: this.handles,
      initialisers: this.initialisers,
      outside: {
        callBacks: this.callBacks,
        regions: () => (this.regions ??= new System(this.program, this.systemOptions()).shape.regions),
        // What helps, and what stands in for a function in the tests, does nothing by itself.
        onlyAnswers: (name) => this.task.load.externals === 'angelic' || this.task.stubs?.includes(name) === true,
      },
      permits: (fn, args, machine) => {
        if (
          this.task.mode === 'module' &&
          fn.parameters.some(({ type }, i) => type.kind === 'pointer' && isDangling(args[i], machine))
        )
          return false;
        if (!this.task.requires?.some((r) => r.function === fn.name)) return true;
        reading ??= new System(this.program, { ...this.systemOptions() });
        let terms = preconditions.get(fn);
        if (!terms) preconditions.set(fn, (terms = requiredAt(this.task, fn, reading.vocabulary)));
        return holdsAtEntry(terms, fn, args, machine, reading.vocabulary);
      },
    };
  }
}

/** Clients hand over live objects only: what the module freed, or left, they do not use again. */
function isDangling(pointer: ConcreteValue | undefined, { memory }: Machine): boolean {
  const block = pointer === undefined ? undefined : memory.block(pointer);
  return block !== undefined && !block.live;
}

function holdsAtEntry(
  terms: readonly Term[],
  fn: FunctionDefinition,
  args: readonly ConcreteValue[],
  machine: Machine,
  vocabulary: Vocabulary,
): boolean {
  const locals = fn.variables.map((_, slot) => args[slot] ?? 0);
  const view = new ConcreteView(vocabulary, {
    globals: machine.globals,
    memory: machine.memory,
    activation: { fn, location: fn.entry, locals, objects: [] },
    activations: [],
  });
  return terms.every((term) => holdsIn(term, view));
}
