/**
 * A verification problem: the program as proofs and as tests see it, what clients may do, which checks are in force,
 * and the solvers. Nothing here is about time, or about what was found.
 */
import { comparesPointers } from '../abstraction/predicates/comparedPointers';
import { excludedObjects } from '../abstraction/predicates/excludedObjects';
import { interiorArguments } from '../abstraction/predicates/joinedArguments';
import { variablesOf } from '../abstraction/predicates/probeFormula';
import { externalPointers } from '../abstraction/transitionSystem/clients/sharedStructures';
import { TransitionSystem, type SystemOptions } from '../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../budget';
import { mayPun, typeDependentAccesses } from '../semantics/pointers/effectiveTypes';
import { orderDependent } from '../semantics/pointers/evaluationOrder';
import { handlesOf } from '../evidence/scenarios/structures/handles';
import { setUpOf, validPrefix } from '../evidence/scenarios/structures/setUpFunctions';
import { offeredPointers } from './angelic/offeredPointers';
import { keepsConventions } from '../evidence/scenarios/structures/conventions';
import { keepsValidPointers, membersOf, type ValidPointers } from '../evidence/scenarios/structures/validPointers';
import { declareVoidHandles, returnsVoidPointer } from '../evidence/scenarios/structures/voidHandles';
import { isVariadic } from '../evidence/scenarios/operations';
import type { Initialisers } from '../semantics/pointers/initialisers';
import { type MembersByType, noMembers } from '../semantics/pointers/validMembers';
import type { ScenarioOptions } from '../evidence/scenarios/scenario';
import { CError } from '../c/diagnostics/diagnostic';
import type { RecordLayout } from '../c/types';
import { ModuleInstance } from '../host/module';
import { moduleVariable } from '../host/printing/moduleVariable';
import { environmentOf } from '../host/hostEnvironment';
import type { Term } from '../logic/term';
import { loadProgram } from '../program';
import { orderKey } from '../program/lower/context';
import type { EntryNames } from '../program/lower/lowerOptions';
import type { StartOfClients } from '../program/lower/objects/definedElsewhere';
import {
  type Check,
  type CheckKey,
  type CheckKind,
  defaultProperties,
  isChecked,
  type Property,
} from '../program/command';
import { reachableFunctions } from '../program/automata/reachableFunctions';
import { isNative } from '../program/linking/natives';
import type { FunctionDefinition, Program } from '../program/program';
import { askedChecks, noWeakening, type Weakening } from '../program/automata/weakening';
import type { CallBacks } from '../semantics/pointers/callbacks';
import type { ConcreteValue } from '../semantics/concrete/concreteValues';
import type { Machine } from '../semantics/concrete/machine';
import { Regions } from '../semantics/pointers/regions';
import type { Task } from '../task';
import { type Specification, under } from './angelic/specifications';
import { callBacksOf } from './assumptions/callbacks';
import { holdsAtEntry } from './portfolio/holdsAtEntry';
import { preconditionsAt } from './portfolio/userFormulas';
import { withDeclaredLengths } from './preconditions/declaredLengths';
import type { ProofMemory } from '../proofCache';
import { Solvers, type SolverOptions } from './solvers';

const limits = {
  /** CFA edges that a run which shows a failure may take. */
  replaySteps: 60_000_000,
} as const;

export interface ProblemOptions extends SolverOptions {
  /** Store of proofs and invariants of earlier runs; default none. */
  readonly memory?: ProofMemory | undefined;
  /** Default: started for this problem. */
  readonly solvers?: Solvers | undefined;
  /** Accesses with a check `effective-type`, see `orderKey`. */
  readonly typedAccesses?: ReadonlySet<string> | undefined;
  /** Expressions whose operands are evaluated in either order, see `orderKey`. */
  readonly eitherOrder?: ReadonlySet<string> | undefined;
  /** The program is the stricter one, without pointers past the end of a member, see `lower/objects/address.ts`. */
  readonly excludesEnds?: boolean | undefined;
  /** Checks that are assumed to hold. */
  readonly assumed?: ReadonlySet<CheckKey> | undefined;
  /** Proofs may be about a weaker program. */
  readonly weakening?: Weakening | undefined;
  /** The same files, read already. */
  readonly read?: Pick<Problem, 'program' | 'tested'> | undefined;
  /** The problem of which this one is a weaker part; default none. */
  readonly whole?: Problem | undefined;
}

const entryNames = ({ entries, init }: Task): EntryNames =>
  entries ? new Set([...entries, ...(init === undefined ? [] : [init])]) : 'external linkage';

const startOf = (task: Task): StartOfClients => ({
  mode: task.mode,
  entries: entryNames(task),
  ...(task.mode === 'program'
    ? { first: task.entries?.[0] ?? 'main' }
    : task.init !== undefined && { first: task.init }),
});

/**
 * Variables that no file defines get their values where a program or the first function of a module starts. A
 * precondition is about the state before.
 */
function refuseUnknownStart({ symbols, globals }: Program, task: Task): void {
  const { first } = startOf(task);
  const isElsewhere = (name: string): boolean => {
    const place = symbols.get(/^\w*/.exec(name)![0])?.place;
    return (place?.kind === 'variable' ? globals[place.slot]?.elsewhere : place?.elsewhere) === true;
  };
  const early = (task.requires ?? [])
    .filter((one) => one.function === first)
    .flatMap(({ formula }) => variablesOf(formula))
    .find(isElsewhere);
  if (early === undefined) return;
  throw new CError([
    {
      severity: 'error',
      message:
        `the precondition of '${first}' is about '${early}', which no file defines and which gets its value ` + 'there',
      hint: `State it in the C: PROVEST_REQUIRES at the beginning of '${first}'.`,
    },
  ]);
}

export interface LocatedCheck {
  readonly check: Check;
  readonly function: FunctionDefinition;
}

export class Problem {
  readonly program: Program;
  /** As tests see it: without suppressions. */
  readonly tested: Program;
  readonly frontEndSeconds: number;
  readonly entries: readonly FunctionDefinition[];
  readonly init: FunctionDefinition | undefined;
  readonly callBacks: CallBacks;
  /** Properties and kinds of checks that are checked. */
  readonly checkedProperties: ReadonlySet<Property | CheckKind>;
  /** Structures that clients get from the module alone. */
  readonly handles: ReadonlySet<RecordLayout>;
  readonly initialisers: Initialisers;
  /** Pointers in clients' structures that clients keep valid. */
  readonly validMembers: MembersByType;
  readonly task: Task;
  /** Tests truncated where they do what `initialisedBy` rules out for clients. */
  readonly truncatedRuns: number;
  readonly solvers: Solvers;
  /** Store of proofs and invariants of earlier runs. */
  readonly memory: ProofMemory | undefined;
  private usual: TransitionSystem | undefined;
  private offered: readonly ValidPointers[] | undefined;

  constructor(
    task: Task,
    budget: Budget,
    private readonly options: ProblemOptions,
  ) {
    // A function's precondition is assumed in its body, so its callers are always checked.
    this.checkedProperties = new Set<Property | CheckKind>([...task.properties, 'precondition']);
    const checksLeaks = this.checkedProperties.has('leak');
    const leaksAfter = checksLeaks && task.mode === 'program' ? task.entries?.[0] : undefined;
    const keepsBlocks = checksLeaks && task.mode === 'module' ? entryNames(task) : undefined;
    const began = performance.now();
    // Probes speak of variables as the C has them.
    const mentioned = new Set(task.probes.flatMap(({ formula }) => variablesOf(formula)));
    const spokenOf = new Set([
      ...[...task.probes, ...(task.claims ?? []), ...(task.requires ?? [])].flatMap(({ function: name }) => name ?? []),
      ...(task.entries ?? []),
    ]);
    const read = (as: 'verified' | 'tested', heads: 'aligned' | 'as written' = 'as written'): Program => {
      const suppress = as === 'verified';
      return loadProgram(task.files, {
        ...task.load,
        suppress,
        ...(suppress && { separatesAllBut: mentioned }),
        ...(heads === 'aligned' && { alignsAllBut: mentioned }),
        ...(suppress && { inlines: { allBut: spokenOf, of: task.mode } }),
        ...(suppress && { returnsFromJumps: task.mode }),
        ...(suppress && isChecked({ check: 'overlapping-copy' }, this.checkedProperties) && { copiesAllBut: spokenOf }),
        ...(options.typedAccesses && { typedAccesses: options.typedAccesses }),
        ...(options.eitherOrder && { eitherOrder: options.eitherOrder }),
        ...(suppress && options.excludesEnds && { excludesEnds: true }),
        ...(suppress && options.assumed && { assumed: options.assumed }),
        ...(task.stubs && { stubs: task.stubs }),
        ...(leaksAfter !== undefined && { leaksAfter }),
        ...(keepsBlocks && { keepsBlocks }),
        variablesElsewhere: 'unknown',
        ...(suppress && { startsUnknown: startOf(task) }),
        externals: task.load.externals ?? (task.mode === 'program' ? 'any' : 'error'),
      });
    };
    this.program = options.read?.program ?? withAlignedHeads(task, read) ?? read('verified');
    const isChanged =
      (this.program.suppressed ?? []).length > 0 ||
      options.assumed !== undefined ||
      options.excludesEnds === true ||
      this.program.globals.some(({ elsewhere }) => elsewhere) ||
      this.program.objects.some(({ elsewhere }) => elsewhere) ||
      this.program.objects.some(({ leadBytes }) => leadBytes !== undefined) ||
      this.program.functions.some(
        (fn) =>
          fn.hasSeparatedPointers === true ||
          fn.hasInlinedHelpers === true ||
          fn.hasReturningJumps === true ||
          fn.copyOf !== undefined,
      );
    this.tested = options.read?.tested ?? (isChanged ? read('tested') : this.program);
    if (task.mode === 'module')
      for (const program of new Set([this.program, this.tested])) declareVoidHandles(program, task.initialisedBy ?? []);
    this.frontEndSeconds = (performance.now() - began) / 1000;
    const named = (name: string): FunctionDefinition => {
      const fn = this.program.functionByName.get(name);
      if (!fn) throw new Error(`no function '${name}' is defined`);
      return fn;
    };
    refuseUnknownStart(this.program, task);
    this.init = task.init === undefined ? undefined : named(task.init);
    const own = task.entries
      ? task.entries.map(named)
      : this.program.functions.filter((fn) => !fn.library && fn.linkage === 'external');
    const writers = this.program.functions.filter(({ writes }) => writes !== undefined);
    this.entries = [...own.filter((fn) => fn !== this.init && !isVariadic(fn)), ...writers];
    const { initialisers, made } =
      task.mode === 'module'
        ? setUpOf(this.program, this.callable, task.initialisedBy ?? [])
        : { initialisers: new Map(), made: new Set<RecordLayout>() };
    this.initialisers = initialisers;
    this.validMembers = task.mode === 'module' ? membersOf(this.program, task.validPointers ?? []) : noMembers;
    const runs = task.runs.map((run) => validPrefix(this.initialisers, this.program, run));
    this.truncatedRuns = runs.filter((run, i) => run.length < task.runs[i]!.length).length;
    const requires = withDeclaredLengths(task.requires ?? [], this.entries, this.program);
    this.task = { ...task, runs, ...(requires.length > 0 && { requires }) };
    this.handles = task.mode === 'module' ? handlesOf(this.program, this.callable, task.runs, made) : new Set();
    this.callBacks = callBacksOf(task, this.program, this.entries);
    this.memory = options.memory;
    this.solvers = options.solvers ?? new Solvers(task.seed, budget, { ...options, jobs: task.jobs });
  }

  /**
   * The problem with both orders of evaluation where C leaves the order open and it matters, and with checks of
   * effective types, if they are asked for, where an access may have another type than its object.
   */
  static examine(task: Task, budget: Budget, options: ProblemOptions): Problem {
    const problem = new Problem(task, budget, options);
    const { functions } = problem.program;
    const own = functions.filter(({ library }) => !library);
    const hasOrders = own.some(({ unordered }) => unordered?.some(({ checked }) => !checked));
    const hasTypes = isChecked({ check: 'effective-type' }, problem.checkedProperties) && mayPun(problem.program);
    if (!hasOrders && !hasTypes) return problem;
    const { regions } = problem.system.memoryModel;
    const orders = hasOrders ? orderDependent(problem.program, regions, 'checked').map(({ span }) => span) : [];
    const accesses = hasTypes ? typeDependentAccesses(problem.program, regions) : [];
    if (orders.length === 0 && accesses.length === 0) return problem;
    return new Problem(task, budget, {
      ...options,
      read: undefined,
      solvers: problem.solvers,
      eitherOrder: new Set(orders.map(orderKey)),
      typedAccesses: new Set(accesses.map(orderKey)),
    });
  }

  /**
   * The problem of the same task about a stricter program, without pointers one past the end of an array that is a
   * member, if that keeps parts of memory apart which are one array of bytes otherwise. Only a proof of it says
   * anything of this one.
   */
  withoutEnds(task: Task, budget: Budget): Problem | undefined {
    const { options, solvers } = this;
    const isMade = isChecked({ check: 'array-bounds' }, this.checkedProperties);
    if (options.excludesEnds || !isMade || this.arraysOfBytes === 0) return undefined;
    const stricter = Problem.examine(task, budget, {
      ...options,
      read: undefined,
      // Examined anew: with those of this problem, none of them would be found again, and others would replace them.
      eitherOrder: undefined,
      typedAccesses: undefined,
      solvers,
      excludesEnds: true,
    });
    return stricter.arraysOfBytes < this.arraysOfBytes ? stricter : undefined;
  }

  /** It is about the stricter program. */
  get excludesEnds(): boolean {
    return this.options.excludesEnds === true;
  }

  /** Regions that are not divided into members and elements. */
  private get arraysOfBytes(): number {
    const { regions } = this.system.memoryModel;
    return regions.roots().filter((node) => regions.layout(node).kind === 'bytes').length;
  }

  /**
   * The same problem, but an execution that fails one of these checks ends there, and clients keep these
   * specifications, too. The solvers are shared.
   */
  assuming(assumed: ReadonlySet<CheckKey>, budget: Budget, specifications: readonly Specification[] = []): Problem {
    return new Problem(under(this.task, specifications), budget, {
      ...this.options,
      memory: undefined,
      solvers: this.solvers,
      assumed,
      read: undefined,
      whole: undefined,
    });
  }

  /**
   * The same files and solvers; clients and functions without a body keep these specifications, too. The program is the
   * same unless it has other guarantees, or pointers to void that are handles then.
   */
  under(specifications: readonly Specification[], budget: Budget): Problem {
    if (specifications.length === 0) return this;
    const { program, tested, solvers } = this;
    const makesHandle = (name: string): boolean => returnsVoidPointer(program.functionByName.get(name)!);
    const isSame = !specifications.some(
      (one) =>
        one.kind === 'ensures' || (one.kind === 'initialised-by' && one.initialisedBy.functions.some(makesHandle)),
    );
    return new Problem(under(this.task, specifications), budget, {
      ...this.options,
      memory: undefined,
      solvers,
      read: isSame ? { program, tested } : undefined,
      whole: undefined,
    });
  }

  /** The same problem, in which some commands are executed as weaker ones. */
  weaken(weakening: Weakening, budget: Budget): Problem {
    const { program, tested, solvers } = this;
    return new Problem(this.task, budget, {
      ...this.options,
      memory: undefined,
      solvers,
      read: { program, tested },
      weakening,
      whole: this.whole,
    });
  }

  /** The problem without its weakening. Both have the same clients. */
  get whole(): Problem {
    return this.options.whole ?? this;
  }

  /** Pointers in clients' structures that a proof has to know to be valid, and that the program keeps so. */
  get offeredPointers(): readonly ValidPointers[] {
    return (this.offered ??= offeredPointers(this));
  }

  /** Checks in force in all functions that an execution may reach, in the order of the program. */
  get checks(): readonly LocatedCheck[] {
    return [...reachableFunctions(this.callable)].flatMap((fn) =>
      fn.edges.flatMap(({ command }) =>
        command.kind === 'check' && isChecked(command, this.checkedProperties)
          ? [{ check: command, function: fn.copyOf ?? fn }]
          : [],
      ),
    );
  }

  /** Regions by the points-to analysis of the program, before a transition system is made. */
  get programRegions(): Regions {
    return regionsOf(this.program, this.task);
  }

  /**
   * No code that an execution may reach has a check of a property in force, nor of one that would be by default, and
   * none was suppressed.
   */
  get hasNothingToCheck(): boolean {
    const properties = new Set([...this.checkedProperties, ...defaultProperties]);
    return (
      (this.program.suppressed ?? []).length === 0 &&
      ![...reachableFunctions(this.callable)].some((fn) =>
        fn.edges.some(({ command }) => command.kind === 'check' && isChecked(command, properties)),
      )
    );
  }

  /** Checks that the weakened program still has to pass. */
  get openChecks(): readonly LocatedCheck[] {
    const { weakening = noWeakening } = this.options;
    return [...reachableFunctions(this.callable)].flatMap((fn) =>
      askedChecks(fn, weakening, this.checkedProperties).map((check) => ({ check, function: fn })),
    );
  }

  /** The module's variable in code to paste. */
  get variable(): string {
    return this.task.variable ?? moduleVariable(this.task.files);
  }

  /** The entries whose calls matter. */
  get called(): readonly FunctionDefinition[] {
    const { silent } = this.options.weakening ?? noWeakening;
    return silent ? this.entries.filter((fn) => !silent.has(fn)) : this.entries;
  }

  /** Executions that fail checks which are known to fail are left out. */
  get isWithoutFailures(): boolean {
    return this.options.assumed !== undefined;
  }

  /** By a test. */
  get callable(): readonly FunctionDefinition[] {
    return [...this.entries, ...(this.init ? [this.init] : [])];
  }

  /** The transition system of the usual options, which stages share. */
  get system(): TransitionSystem {
    return (this.usual ??= new TransitionSystem(this.program, this.systemOptions()));
  }

  systemOptions(): SystemOptions {
    const { task } = this;
    return {
      mode: task.mode,
      entries: this.entries,
      init: this.init,
      checkedProperties: this.checkedProperties,
      cutpoints: task.cutpoints ?? 'default',
      inline: task.inline ?? true,
      pointerAxioms: task.predicates !== 'probes',
      callBacks: this.callBacks,
      handles: this.handles,
      initialisers: this.initialisers,
      ...(this.options.weakening && { weakening: this.options.weakening }),
      requires: (fn, vocabulary) => preconditionsAt(this.task, fn, vocabulary),
      interior: interiorArguments(task.requires, this.program),
      excluded: excludedObjects(task.requires, this.program),
      comparesPointers: comparesPointers(task.requires, this.program),
      validMembers: this.validMembers,
    };
  }

  instance(program = this.program): ModuleInstance {
    return new ModuleInstance(program, {
      name: 'module',
      entry: this.callable.flatMap(({ name, writes }) => (writes === undefined ? [name] : [])),
      seed: this.task.seed,
      ...(this.task.hostEnvironment && { environment: environmentOf(this.task.hostEnvironment) }),
    });
  }

  scenarioOptions(): ScenarioOptions {
    const preconditions = new Map<FunctionDefinition, readonly Term[]>();
    return {
      checkedProperties: this.checkedProperties,
      stepLimit: limits.replaySteps,
      init: this.init,
      ...(this.task.mode === 'module' && { calledByClients: new Set(this.entries) }),
      handles: this.handles,
      initialisers: this.initialisers,
      external: {
        callBacks: this.callBacks,
        regions: () => this.system.memoryModel.regions,
        // Angelic functions, and those with a stub in the tests, have no effects of their own.
        onlyAnswers: (name) => this.task.load.externals === 'angelic' || this.task.stubs?.includes(name) === true,
      },
      permits: (fn, args, machine) => {
        if (
          this.task.mode === 'module' &&
          fn.parameters.some(({ type }, i) => type.kind === 'pointer' && isDangling(args[i], machine))
        )
          return false;
        const { program, validMembers } = this;
        if (validMembers.size > 0 && !keepsValidPointers(validMembers, fn, args, machine.memory, program)) return false;
        if (!keepsConventions(this.task.conventions ?? [], fn, args, machine)) return false;
        if (!this.task.requires?.some((r) => r.function === fn.name)) return true;
        const { vocabulary } = this.system;
        let terms = preconditions.get(fn);
        if (!terms) preconditions.set(fn, (terms = preconditionsAt(this.task, fn, vocabulary)));
        return holdsAtEntry(terms, fn, args, machine, vocabulary);
      },
    };
  }
}

/** Clients hand over live objects only: what the module freed, or left, they do not use again. */
function isDangling(pointer: ConcreteValue | undefined, { memory }: Machine): boolean {
  const block = pointer === undefined ? undefined : memory.block(pointer);
  return block !== undefined && !block.live;
}

/**
 * The program with lead bytes in front of its heads of rings; undefined if it has none, or looks at the bytes of
 * pointers, which say where in an object they lead. A program without inputs is run as it is written.
 */
function withAlignedHeads(
  { mode, entries, init }: Task,
  read: (as: 'verified', heads: 'aligned') => Program,
): Program | undefined {
  const program = read('verified', 'aligned');
  if (!program.objects.some(({ leadBytes }) => leadBytes !== undefined)) return program;
  if (mode !== 'module' && !hasInputs(program, entries ?? [])) return undefined;
  const regions = regionsOf(program, { mode, entries, init });
  return regions.mixed.size > 0 || regions.collapsed ? undefined : program;
}

/** Executions differ: the entries have parameters, or something reads an input or calls an unknown function. */
function hasInputs(program: Program, entries: readonly string[]): boolean {
  const called = entries.flatMap((name) => program.functionByName.get(name) ?? []);
  return [...reachableFunctions(called)].some(
    (fn) =>
      (called.includes(fn) && fn.parameters.length > 0) ||
      fn.edges.some(
        ({ command }) => command.kind === 'input' || (command.kind === 'external' && !isNative(command.name)),
      ),
  );
}

/** Regions, where entries and all functions that clients may call may be active several times. */
function regionsOf(program: Program, { mode, entries, init }: Pick<Task, 'mode' | 'entries' | 'init'>): Regions {
  const named = new Set([...(entries ?? []), ...(init === undefined ? [] : [init])]);
  const external = program.functions
    .filter((fn) => named.has(fn.name) || (mode === 'module' && !fn.library && fn.linkage === 'external'))
    .flatMap((fn) => externalPointers(fn, { mode }));
  return new Regions(program, external, new Set(program.functions), mode);
}
