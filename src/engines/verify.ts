/**
 * From a task to a verdict. The order is: what the tests did, a short search by running, then test-based abstraction with ever more predicates; an alarm is
 * looked for by running before it is called potential. A bug is replayed before it is a bug, a proof discharged again before it is a proof.
 */
import * as L from '../logic/build';
import { codeFrame } from '../c/diagnostic';
import type { Span } from '../c/source';
import { certificateOf, certify } from '../evidence/certify';
import { claimedFacts } from '../evidence/claims';
import { replayClaim } from '../evidence/replayClaim';
import { onlyExecution } from '../evidence/onlyExecution';
import { breaksPrecondition, clientSteps, faultOf, runScenario, shrink, type Argument, type Scenario, type ScenarioOptions } from '../evidence/scenario';
import { type CandidateKind, candidatesFrom, constantsOf, observablesOf, pointerFormulas } from '../abstraction/candidates';
import { ConcreteView, scalarOf } from '../abstraction/concreteView';
import type { ControlPoint, Predicate } from '../abstraction/controlPoint';
import { cube } from '../abstraction/controlPoint';
import { defaultPredicates, predicateLevels as levels, type PredicateLimits } from '../abstraction/defaultPredicates';
import { ArrayFacts } from '../abstraction/arrayFacts';
import { elementFormulas } from '../abstraction/elements';
import { irredundant } from '../abstraction/minimise';
import { printInvariant } from '../abstraction/printInvariant';
import { printTerm } from '../abstraction/printTerm';
import { printValue } from '../abstraction/printValue';
import { Samples } from '../abstraction/samples';
import { System, type SystemOptions } from '../abstraction/system';
import { CFault, placeOf } from '../host/fault';
import { environmentOf } from '../host/surroundings';
import { ModuleInstance } from '../host/module';
import { moduleVariable } from '../host/moduleVariable';
import { play, printTest } from '../host/printTest';
import { atomsOf, sizeOf, symbolsOf } from '../logic/substitute';
import { compile } from '../logic/compile';
import { hasQuantifier } from '../logic/instances';
import type { Term, Value } from '../logic/term';
import { loadProgram, reachableJump } from '../program';
import { allProperties, propertyOf, type CheckKind, type Property } from '../program/command';
import type { FunctionDefinition, Program } from '../program/program';
import type { Progress } from '../progress';
import type { CallBacks } from '../semantics/callBacks';
import { largestObject } from '../semantics/concreteMemory';
import { Machine } from '../semantics/machine';
import { callsOfTheOutside } from './outsideCalls';
import { uncheckedNativeCalls } from './uncheckedNatives';
import { isPointer, number } from '../semantics/symbolic';
import type { Vocabulary } from '../semantics/vocabulary';
import type { ConcreteValue } from '../semantics/concrete';
import { bothReadings, createSolver, instantiated, limited, mourned, withEquationsMultipliedOut, type SolverProcess } from '../solver';
import type { ProofMemory } from '../memory';
import type { QueryBudget, Solver } from '../solver/solver';
import type { Task } from '../task';
import type { Fault } from '../semantics/fault';
import { leavesTheClient, stepsOf } from '../evidence/operations';
import type { Operation } from '../host/operation';
import { coveringScenarios } from './cover';
import { explain, type Rerun } from './explain';
import type { Adequacy, Counterexample, CauseId, ClientStep, Failure, InvariantAt, Place, PotentialError, Reason, RefinementReport, StateInC, Statistics, Verdict } from '../verdict';
import { searchBounded } from './boundedSearch';
import { searchConcretely, type SearchOptions } from './concreteSearch';
import { discharged } from './discharged';
import { Recollection, type Unfinished } from './recollection';
import { houdini } from './houdini';
import { isRefining, refine, type Refined, type RefiningEngine } from './refine';
import { TestExecution } from './testExecution';
import { intervalInvariant } from './intervalAbstraction';
import { type Alarm, TestBasedAbstraction } from './testBasedAbstraction';
import { assumptionsOf, isVariadic, placeText } from './assumptions';
import { callBacksOf, suggestedOfCallBacks } from './callBacks';
import { described, missingBody, suggestion } from './potentialErrors';
import { onlyProbesAt, probesAt, requiredAt } from './stated';
import { printProbes, probeCandidates, sufficientProbes, type SuggestedProbe } from './sufficientProbes';
import { LoopRounds } from './unrolling';
import { withTests } from './missingStates';
import { emptyProbes, vacuity } from './vacuity';

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
}

/** Throws `CError` when the C text cannot be accepted, `ProbeError` for a probe that cannot be read. */
export async function verify(task: Task, options: VerifyOptions = {}): Promise<Verdict> {
  const verification = new Verification(task, options);
  try {
    return await verification.withWhatWasProved(await verification.run());
  } finally {
    await verification.end();
  }
}

export interface CoveringTest { readonly steps: readonly ClientStep[]; /** The abstract states that no earlier test reaches. */ readonly states: readonly { readonly at: Place; readonly valuation: string }[] }

/** Clients that reach abstract states, for tests to be made of them. */
export async function cover(task: Task, options: VerifyOptions = {}): Promise<readonly CoveringTest[]> {
  const verification = new Verification(task, options);
  try {
    return verification.cover();
  } finally {
    await verification.end();
  }
}

/** What runs taught, to be made into proved facts: per control point, in their order. */
interface Learner {
  readonly bug: Scenario | undefined;
  /** `stagesDone`: an earlier run had them, and what they found is known. */
  facts(level: number, known: readonly (readonly Term[])[], stagesDone: number): Promise<readonly (readonly Term[])[]>;
  unrolled(known: readonly (readonly Term[])[]): Promise<{ readonly options: SystemOptions; readonly facts: readonly (readonly Term[])[] } | undefined>;
}

/** For what a report shows beside the verdict, at most. */
const reportMs = 4_000;
/** Edges of the automaton that a test made by refinement may take. */
const REFINING_STEPS = 5_000_000;
/** Of one turn of refinement after test-based abstraction. */
const ESCALATION_ITERATIONS = 60;
/** Atoms of its splits that the next abstraction follows, per control point. */
const SPLIT_ATOMS = 8;
const SPLIT_ATOM_SIZE = 24;
/** Abstract states of a point beyond which their disjunction is more than queries should carry. */
const HANDED_STATES = 48;
const disagreement: Reason = { cause: 'checker-disagrees', message: 'a failing test could not be run again as a scenario' };

const cutShort: ReadonlySet<CauseId> = new Set<CauseId>(['time-budget', 'solver-budget', 'nonlinear', 'interrupted', 'state-explosion']);
/** Of the budget, at most: a solver that is slow to hear that its time is up. */
const reserveMs = 1000;
/** For saying an invariant briefly: questions to the solver, and the time after which a slow machine leaves it longer. */
const briefnessQuestions = 150;
const briefnessMs = 5_000;
/** After the end of the budget, to say what was proved; well below what the prover's parent allows. */
const lastWordsMs = 800;

const timeIsUp: Reason = { cause: 'time-budget', message: 'the time for this attempt is up' };
/** Edges that a run which shows a failure may take. */
const REPLAY_STEPS = 60_000_000;
/** After a bug, for others: edges, and how many are enough. */
const FURTHER_EDGES = 200_000;
const FURTHER_BUGS = 4;

class Verification {
  private readonly began = performance.now();
  private readonly deadline: number;
  private readonly program: Program;
  private readonly tested: Program;
  private readonly entries: readonly FunctionDefinition[];
  private readonly init: FunctionDefinition | undefined;
  private readonly callBacks: CallBacks;
  private readonly inForce: ReadonlySet<Property | CheckKind>;
  /** Asked about quantifiers by instances. */
  private readonly solver: Solver;
  /** For engines that take a model for a state: asked as it stands. */
  private readonly exactSolver: Solver;
  /** No question lasts longer. */
  private solverEndMs: number;
  private readonly seconds = { 'front-end': 0, 'execution': 0, 'solving': 0, 'certify': 0 };
  private readonly remarks = new Set<string>();
  private system: System | undefined;
  private engine: TestBasedAbstraction | undefined;
  private fabricated = 0;
  private obligations = 0;
  private testStates = 0;
  private memory: Recollection | undefined;
  /** The last system whose facts are proved. */
  private settled: System | undefined;
  /** Control points whose invariant was taken over from an earlier run. */
  private reused: number | undefined;
  /** For the report: what the engine was left with, and the run of a bug. */
  private alarms: readonly Alarm[] = [];
  private rerun: Rerun | undefined;
  private engineName = 'test-based-abstraction';
  private refinement: RefinementReport | undefined;

  constructor(private readonly task: Task, private readonly options: VerifyOptions) {
    this.deadline = this.began + task.budget.milliseconds;
    // A module has no end at which its blocks would have to be free.
    // What a function requires is taken for granted inside, so it is always asked of its callers.
    this.inForce = new Set<Property | CheckKind>([...task.mode === 'program' ? task.properties : task.properties.filter((property) => property !== 'leak'), 'precondition']);
    const leaksAfter = this.inForce.has('leak') ? task.entries?.[0] : undefined;
    const read = (suppress: boolean): Program => loadProgram(task.files, {
      ...task.load, suppress, ...(task.stubs && { stubs: task.stubs }), ...(leaksAfter !== undefined && { leaksAfter }),
      externals: task.load.externals ?? (task.mode === 'program' ? 'any' : 'error'),
    });
    this.program = read(true);
    // Tests know of no suppressions.
    this.tested = this.program.suppressed && this.program.suppressed.length > 0 ? read(false) : this.program;
    for (const span of this.program.idleSuppressions ?? []) this.remarks.add(`the suppression at ${placeText(span)} is for no check`);
    this.seconds['front-end'] = (performance.now() - this.began) / 1000;
    const named = (name: string): FunctionDefinition => {
      const fn = this.program.functionByName.get(name);
      if (!fn) throw new Error(`no function '${name}' is defined`);
      return fn;
    };
    this.init = task.init === undefined ? undefined : named(task.init);
    const own = task.entries ? task.entries.map(named) : this.program.functions.filter((fn) => !fn.library && fn.linkage === 'external');
    this.entries = own.filter((fn) => fn !== this.init && !isVariadic(fn));
    this.callBacks = callBacksOf(task, this.program, this.entries);
    this.solverEndMs = this.deadline - Math.min(reserveMs, task.budget.milliseconds / 10);
    const z3 = options.solver ?? withEquationsMultipliedOut(limited(mourned(createSolver({ seed: task.seed, process: options.solverProcess })), () => this.solverEndMs));
    this.exactSolver = options.solver ?? bothReadings(z3);
    // Places in arrays are sums that could wrap, which costs integers more than words.
    this.solver = instantiated(this.exactSolver, options.solver ?? bothReadings(z3, 'bits'));
  }

  /** In code to paste. */
  private get variable(): string {
    return this.task.variable ?? moduleVariable(this.task.files);
  }

  /** By a test. */
  private get callable(): readonly FunctionDefinition[] {
    return [...this.entries, ...(this.init ? [this.init] : [])];
  }

  async end(): Promise<void> {
    this.engine?.dispose();
    if (!this.options.solver) await this.solver.close();
  }

  /** An answer that was cut short says how far it had come. */
  async withWhatWasProved(verdict: Verdict): Promise<Verdict> {
    if (verdict.kind !== 'unknown' || !this.settled || !cutShort.has(verdict.reason.cause)) return verdict;
    this.solverEndMs = performance.now() + lastWordsMs;
    const { proved, total, open } = await discharged(this.settled, this.solver, this.solverEndMs);
    if (total === 0) return verdict;
    const place = verdict.reason.place ?? (open && placeOf(open.span, undefined));
    const message = `${verdict.reason.message}; ${proved} of ${total} obligations ${proved === 1 ? 'is' : 'are'} proved`;
    return { ...verdict, reason: { ...verdict.reason, message, ...(place && { place }) }, statistics: { ...verdict.statistics, obligations: proved, seconds: (performance.now() - this.began) / 1000 } };
  }

  async run(): Promise<Verdict> {
    const verdict = this.withMissingTests(await this.decide());
    return this.task.explain ? this.explained(verdict) : verdict;
  }

  private async decide(): Promise<Verdict> {
    if (this.entries.length === 0 && !this.init) {
      return this.unknown({ cause: 'no-entry', message: 'the module has no function that a client may call', suggestion: 'make a function non-static, or name one in entry' });
    }
    const large = this.program.objects.find(({ sizeBytes }) => sizeBytes > largestObject(this.program.dataModel));
    if (large) {
      return this.unknown({
        cause: 'unsupported-construct', message: `${large.name} has ${large.sizeBytes} bytes; with this data model objects of more than ${largestObject(this.program.dataModel)} are not modelled`,
        ...(large.span && { place: placeOf(large.span) }), suggestion: 'make it smaller, or verify with 64-bit pointers (lp64)',
      });
    }
    const jump = reachableJump([...this.entries, ...(this.init ? [this.init] : [])]);
    if (jump) {
      return this.unknown({
        cause: 'unsupported-construct', message: `${jump.function.name} calls ${jump.name}: jumps between functions run in tests, but proofs do not know them`, place: placeOf(jump.edge.span, jump.function.name),
      });
    }
    const again = this.inForce.has('leak') ? this.callOfTheEntry() : undefined;
    if (again) return this.unknown(again);
    if (this.task.claims) return this.checkClaims(this.task.claims);
    if (this.task.replay) {
      const replayed = replayClaim(this.program, this.entries[0]!, this.task.replay, this.scenarioOptions());
      return replayed.kind === 'fails' ? this.bug(replayed.scenario) : this.unknown({ cause: 'checker-disagrees', message: replayed.why });
    }
    if (!this.task.adequacy) {
      const tested = this.bugInTests();
      if (tested) return tested;
    }
    const systemOptions = this.systemOptions();
    void this.solver.name.then((name) => { this.solverName = name; });
    const refining = isRefining(this.task.engine);
    if (refining) this.engineName = this.task.engine;
    const only = refining ? undefined : this.runOnly(3_000_000);
    if (only?.verdict) return only.verdict;
    this.memory = await Recollection.of(this.options.memory, this.task, this.program, this.solver.name);
    const recalled = this.memory && await this.recalled(this.memory, systemOptions);
    if (recalled) return recalled;
    if (refining) return this.refined(systemOptions);
    const taken = this.memory && await this.takeOver(this.memory, systemOptions);
    if (taken?.verdict) return taken.verdict;
    const learner = this.learner(systemOptions);
    if (learner.bug && !this.task.adequacy) return this.bug(learner.bug);
    const unfinished = taken && this.memory?.unfinished;
    let known: readonly (readonly Term[])[] = taken?.facts ?? [];
    let alarms: readonly Alarm[] = [];
    let undecided: Reason | undefined;
    for (const [level, limits] of this.levels().entries()) {
      // What was asked before a run was cut short had not been enough.
      if (unfinished && level < Math.min(unfinished.level, this.levels().length - 1)) continue;
      this.report('execution', level, levels.length);
      const before = known;
      known = await learner.facts(level, known, unfinished?.level === level ? unfinished.stages : 0);
      // Without arrays, or curves, there is nothing new.
      if ((limits === 'elements' || limits === 'curves') && known === before) continue;
      const unrolled = limits === 'unrolled' ? await learner.unrolled(known) : undefined;
      if (limits === 'unrolled' && !unrolled) continue;
      const options = unrolled?.options ?? systemOptions;
      const facts = unrolled?.facts ?? known;
      const system = new System(this.program, options);
      this.system = system;
      const predicates = this.task.predicates === 'probes' ? onlyProbesAt(this.task, system) : typeof limits === 'string' ? new Map<ControlPoint, Predicate[]>() : defaultPredicates(system, this.withSplits(system, probesAt(this.task, system)), limits);
      system.points.forEach((point, i) => { point.facts = facts[i] ?? []; });
      this.settled = system;
      setPredicates(system, predicates);
      const machine = new Machine(this.program, { properties: this.inForce, stepLimit: 200_000, output: () => {} });
      const onlyFacts = typeof limits === 'string' && this.task.engine !== 'intervals';
      this.engine?.dispose();
      const engine = new TestBasedAbstraction(system, this.solver, machine, {
        query: onlyFacts ? this.moderately() : this.queryBudget(), abstractStates: 4000, runSteps: 200_000, idleSteps: 4000,
        stop: () => this.stopReason(),
        progress: (done, total) => { this.report('solving', done, total); this.memory?.keepStates(system, level, 'from time to time'); },
      });
      this.engine = engine;
      this.replayTests(system, engine);
      for (const [point, { states }] of this.memory?.states(system, level) ?? []) for (const state of states) engine.adopt(point, state);
      const closure = await engine.close();
      this.fabricated += engine.statistics.fabricated;
      for (const remark of engine.remarks) this.remarks.add(remark);
      if (closure.kind === 'gave-up') {
        this.memory?.keepStates(system, level, 'now');
        const searched = this.search(2_000_000) ?? (await this.searchDeep(system));
        return searched ? this.bug(searched) : (await this.escalate(undefined, facts, options)) ?? this.unknown(closure.reason);
      }
      this.report('solving', 0, system.transitions.length);
      const result = await engine.alarms();
      if (Array.isArray(result)) {
        alarms = result;
        this.alarms = alarms;
        if (alarms.length === 0) return await this.proved(system, options);
      } else {
        // What facts alone do not decide in a while, other facts or predicates may.
        undecided = result as Reason;
        if (!onlyFacts || this.stopReason()) return this.unknown(undecided);
      }
      const tested = this.task.adequacy ? this.bugInTests() : undefined;
      if (tested) return tested;
      if (level === 0 && only?.long) {
        const { verdict } = this.runOnly(40_000_000);
        if (verdict) return verdict;
      }
      const direct = alarms.map((alarm) => this.scenarioOf(alarm)).find((scenario) => scenario && faultOf(runScenario(this.program, scenario, { ...this.scenarioOptions(), stepLimit: 200_000 })));
      if (direct) return this.bug(direct);
      const bug = this.search(level === 0 ? 1_000_000 : onlyFacts ? 0 : level <= 6 ? 2_000_000 : 24_000_000) ?? (onlyFacts ? undefined : await this.searchDeep(system));
      if (bug) return this.bug(bug);
      const settled = onlyFacts ? undefined : await this.escalate(system, facts, options);
      if (settled) return settled;
      if (this.task.predicates === 'probes' || this.stopReason()) break;
    }
    return alarms.length === 0 && undecided ? this.unknown(undecided) : this.potential(alarms, await this.probesThatClose());
  }

  /** The loop invariants of somebody else must carry the whole proof. */
  private async checkClaims(claims: NonNullable<Task['claims']>): Promise<Verdict> {
    const options = this.systemOptions();
    const system = new System(this.program, options);
    this.system = system;
    const facts = claimedFacts(system, claims);
    if (typeof facts === 'string') return this.unknown({ cause: 'checker-disagrees', message: facts });
    for (const point of system.points) {
      point.reset([]);
      point.facts = facts.get(point) ?? [];
      point.add({ valuation: '', context: '', source: 'abstract', sample: [] });
    }
    return this.proved(system, options);
  }

  /** By refining a partition of the states alone; see `refine.ts`. */
  private async refined(systemOptions: SystemOptions): Promise<Verdict> {
    const system = new System(this.program, systemOptions);
    this.system = system;
    const engine = isRefining(this.task.engine) ? this.task.engine : 'synergy';
    const result = await this.refine(engine, system, () => this.stopReason(), this.task.refinement?.iterations ?? 2000);
    return (await this.conclude(result, system, systemOptions)) ?? this.unknown(result.kind === 'unknown' ? result.reason : disagreement);
  }

  /** Formulas that refinement split by, per control point: more to follow for the next, finer abstraction. */
  private readonly splits = new Map<number, Set<Term>>();

  /**
   * A potential error is handed on to refinement: the abstract states as what is known of every place, the tests as the forest. It hands back a proof or a bug,
   * or what it split by. The two take turns under one budget.
   */
  private async escalate(closed: System | undefined, facts: readonly (readonly Term[])[], options: SystemOptions): Promise<Verdict | undefined> {
    if (this.task.engine !== 'auto' || this.task.refinement?.escalate === false || this.task.adequacy || this.stopReason()) return undefined;
    const before = this.system;
    const handed = closed?.points.some(({ tracksContext }) => tracksContext) ? undefined : closed;
    const refiningOptions: SystemOptions = { ...options, pointerFacts: true };
    const system = new System(this.program, refiningOptions);
    system.points.forEach((point, i) => { point.facts = [...(facts[i] ?? []).filter((term) => !hasQuantifier(term)), ...handed ? abstractStates(handed.points[i]!) : []]; });
    const until = performance.now() + (this.deadline - performance.now()) * (this.task.predicates === 'probes' ? 0.8 : 0.35);
    const outOfTime: Reason = { cause: 'time-budget', message: 'refinement used up its share of the time' };
    const result = await this.refine('synergy', system, () => this.stopReason() ?? (performance.now() > until ? outOfTime : undefined), ESCALATION_ITERATIONS);
    this.system = system;
    this.engineName = 'test-based-abstraction, synergy';
    const verdict = await this.conclude(result, system, refiningOptions);
    if (verdict?.kind === 'proved' || verdict?.kind === 'bug') return verdict;
    this.engineName = 'test-based-abstraction';
    this.system = before;
    if (result.kind === 'unknown') for (const [index, terms] of result.splits) this.splits.set(index, new Set([...this.splits.get(index) ?? [], ...terms.flatMap(atomsOf).filter((atom) => sizeOf(atom) <= SPLIT_ATOM_SIZE)].slice(0, SPLIT_ATOMS)));
    return undefined;
  }

  /** What refinement split by, as predicates beside the probes. */
  private withSplits(system: System, given: Map<ControlPoint, Predicate[]>): Map<ControlPoint, Predicate[]> {
    for (const point of system.points) {
      const terms = [...this.splits.get(point.index) ?? []].filter((term) => [...symbolsOf(term)].every((symbol) => system.vocabulary.meaning(symbol)));
      if (point !== system.client && terms.length > 0) given.set(point, [...given.get(point) ?? [], ...terms.map((term): Predicate => ({ term, name: undefined }))]);
    }
    return given;
  }

  private async refine(engine: RefiningEngine, system: System, stop: () => Reason | undefined, iterations: number): Promise<Refined> {
    const scenarios = this.scenarioOptions();
    const { generalize = 'learned', choice = 'nearest', edges = 'checked' } = this.task.refinement ?? {};
    const executions = this.task.runs.map((run) => new TestExecution(run, () => this.instance(), this.entries, scenarios));
    const result = await refine(system, this.exactSolver, {
      engine, seed: this.task.seed, runSteps: REFINING_STEPS, query: () => this.queryBudget(), scenarios, executions, trace: this.options.trace, generalize, choice, edges, iterations, stop,
    });
    this.refinement = result.report;
    return result;
  }

  /** A verdict from what refinement found, when the evidence agrees. */
  private async conclude(result: Refined, system: System, systemOptions: SystemOptions): Promise<Verdict | undefined> {
    switch (result.kind) {
      case 'pass': return this.proved(system, systemOptions);
      case 'fail': {
        const { scenario } = result;
        return scenario && faultOf(runScenario(this.program, scenario, this.scenarioOptions())) ? this.bug(scenario) : undefined;
      }
      case 'unknown': return undefined;
    }
  }

  /** Whether blocks are left is asked where the entry returns, which must be the end of the program. */
  private callOfTheEntry(): Reason | undefined {
    const [entry] = this.entries;
    const call = this.program.functions.flatMap((fn) => fn.edges).find(({ command }) => command.kind === 'call' && command.targets.includes(entry!));
    return call && { cause: 'unsupported-construct', message: `leaks are looked for where ${entry!.name} returns, but the program calls it, too`, place: placeOf(call.span, undefined) };
  }

  /** The facts alone first, then those split by cases, then with short loops unrolled; then with predicates, ever more. Where abstract states are wanted, or only the probes, the facts are not enough. */
  private levels(): readonly (PredicateLimits | CandidateKind | 'unrolled')[] {
    if (this.task.predicates === 'probes') return [levels[0]!];
    if (this.task.engine === 'intervals') return ['basic'];
    return this.task.adequacy ? levels : ['basic', 'plain', 'elements', 'curves', 'split', 'unrolled', ...levels];
  }

  /** The verdict that an earlier run of this question came to, when it can be confirmed. */
  private async recalled(memory: Recollection, options: SystemOptions): Promise<Verdict | undefined> {
    const scenario = this.task.adequacy ? undefined : memory.scenario();
    if (scenario && faultOf(runScenario(this.program, scenario, this.scenarioOptions()))) {
      this.remarks.add('the counterexample is one that an earlier run had found; it was replayed');
      return this.bug(scenario);
    }
    const recalledOptions = { ...options, ...memory.unrolling() };
    const system = new System(this.program, recalledOptions);
    const proof = memory.proof(system);
    if (!proof) return undefined;
    this.system = system;
    for (const [point, { facts, predicates }] of proof) { point.facts = facts; point.reset(predicates); }
    const engine = this.attempt(system, () => this.stopReason());
    for (const [point, { states }] of proof) for (const state of states) engine.adopt(point, state);
    return this.provedAgain(system, recalledOptions, system.points.length);
  }

  /** What an earlier run left of facts, as far as they are inductive; by themselves they may be a proof of what the files are now. */
  private async takeOver(memory: Recollection, options: SystemOptions): Promise<{ readonly verdict: Verdict | undefined; readonly facts: readonly (readonly Term[])[] } | undefined> {
    const recalledOptions = memory.unfinished ? options : { ...options, ...memory.unrolling() };
    const system = new System(this.program, recalledOptions);
    const candidates = memory.candidates(system);
    if (!candidates) return undefined;
    this.system = system;
    const until = performance.now() + (this.deadline - performance.now()) / (memory.unfinished ? 2 : 3);
    const kept = await houdini(system, candidates, this.solver, {
      query: this.queryBudget(), stop: () => this.stopReason() !== undefined || performance.now() > until, ...(memory.unfinished && { left: this.saving(system, [], memory.unfinished) }),
    });
    if (!kept) return undefined;
    const facts = system.points.map((point) => kept.get(point) ?? []);
    if (memory.unfinished) {
      this.remarks.add('what an earlier run had found out, before it was cut short, is taken up');
      return { verdict: undefined, facts };
    }
    // Facts about loops that are not unrolled from now on are no facts of the other system.
    if (this.task.adequacy) return { verdict: undefined, facts: system.unrolled.size > 0 ? [] : facts };
    system.points.forEach((point, i) => { point.facts = facts[i]!; });
    setPredicates(system, new Map());
    const engine = this.attempt(system, () => this.stopReason() ?? (performance.now() > until ? timeIsUp : undefined));
    const closed = (await engine.close()).kind === 'closed';
    const alarms = closed ? await engine.alarms() : undefined;
    const same = system.points.filter((point, i) => candidates.get(point)?.length === facts[i]!.length).length;
    const verdict = Array.isArray(alarms) && alarms.length === 0 ? await this.provedAgain(system, recalledOptions, same) : undefined;
    return { verdict, facts: system.unrolled.size > 0 ? [] : facts };
  }

  /** An engine that knows what the tests reached. */
  private attempt(system: System, stop: () => Reason | undefined): TestBasedAbstraction {
    const machine = new Machine(this.program, { properties: this.inForce, stepLimit: 200_000, output: () => {} });
    this.engine?.dispose();
    this.engine = new TestBasedAbstraction(system, this.solver, machine, { query: this.queryBudget(), abstractStates: 4000, runSteps: 200_000, idleSteps: 4000, stop });
    this.replayTests(system, this.engine);
    return this.engine;
  }

  /** `reused`: at how many points the invariant is an earlier one. Undefined when it is no proof. */
  private async provedAgain(system: System, options: SystemOptions, reused: number): Promise<Verdict | undefined> {
    this.reused = reused;
    const verdict = await this.proved(system, options);
    if (verdict.kind === 'proved') return verdict;
    this.reused = undefined;
    return undefined;
  }

  private saving(system: System, facts: readonly (readonly Term[])[], at: Unfinished): (left: ReadonlyMap<ControlPoint, readonly Term[]>) => void {
    return (left) => this.memory?.keepFacts(system, (point) => [...facts[point.index] ?? [], ...left.get(point) ?? []], at);
  }

  /** Invariants guessed from states and proved by induction, per control point of the system; on the way, a first search for bugs. */
  private learner(options: SystemOptions): Learner {
    if (this.task.predicates === 'probes') return { bug: this.search(300_000), facts: async (_, known) => known, unrolled: async () => undefined };
    const started = performance.now();
    const system = new System(this.program, options);
    this.system = this.settled = system;
    const watched = defaultPredicates(system, probesAt(this.task, system), { depth: 3, perPoint: 40, size: 16, contents: true, shifts: true });
    const observables = observablesOf(system);
    const pointers = pointerFormulas(system, observables);
    const elements = elementFormulas(system, constantsOf(system));
    const samples = new Samples(system, observables, new Map([...watched].map(([point, list]) => [point, [...new Set([...list.map(({ term }) => term), ...pointers.get(point) ?? [], ...elements])]])), new ArrayFacts(system, observables));
    const rounds = new LoopRounds(this.program);
    const observe = (machine: Machine): void => { samples.watch(machine); rounds.watch(machine); };
    const between = (machine: Machine, done: number): void => {
      if (done === 0) samples.begin();
      if (system.client) samples.record(system.client, machine, undefined);
    };
    for (const run of this.task.runs) {
      const instance = this.instance();
      observe(instance.machine);
      for (const [done, operation] of run.entries()) {
        between(instance.machine, done);
        if (leavesTheClient(operation)) break;
        const outcome = instance.redo(operation);
        if (outcome && outcome.kind !== 'returned') break;
      }
    }
    this.watching = { observe, between, ...(system.client && { seen: () => samples.abstractStatesAt(system.client!) }) };
    const bug = this.search(150_000);
    this.seconds.execution += (performance.now() - started) / 1000;
    return {
      bug,
      facts: (level, known, stagesDone) => this.learn(system, samples, level, known, stagesDone),
      unrolled: (known) => this.learnUnrolled(options, system, samples, rounds, known),
    };
  }

  /** Facts of the system whose short loops are part of its segments; undefined when there are none, or runs may go round more often than segments do. */
  private async learnUnrolled(options: SystemOptions, sampled: System, samples: Samples, rounds: LoopRounds, known: readonly (readonly Term[])[]): Promise<{ readonly options: SystemOptions; readonly facts: readonly (readonly Term[])[] } | undefined> {
    for (const slack of [1, 2, 4]) {
      const unroll = rounds.plan(sampled.functions, slack);
      const extended: SystemOptions = { ...options, unroll };
      const system = new System(this.program, extended);
      if (system.unrolled.size === 0) return undefined;
      const isHead = (i: number): boolean => system.unrolled.has(system.points[i]!.location);
      sampled.points.forEach((point, i) => { point.facts = known[i] ?? []; });
      const constants = constantsOf(sampled);
      const plain = candidatesFrom(sampled, samples, constants, 'plain');
      const candidates = new Map(system.points.map((point, i) => [point, isHead(i) ? [L.FALSE] : plain.get(sampled.points[i]!) ?? []]));
      system.points.forEach((point, i) => { point.facts = known[i] ?? []; });
      const until = performance.now() + (this.deadline - performance.now()) / 3;
      const kept = await houdini(system, candidates, this.solver, { query: this.queryBudget(), stop: () => this.stopReason() !== undefined || performance.now() > until });
      if (!kept) return undefined;
      if (system.points.some((point, i) => isHead(i) && !kept.get(point)!.includes(L.FALSE))) continue;
      return { options: extended, facts: system.points.map((point, i) => [...known[i] ?? [], ...kept.get(point) ?? []]) };
    }
    return undefined;
  }

  /** More facts with each level, each stage resting on those before. */
  private async learn(system: System, samples: Samples, level: number, known: readonly (readonly Term[])[], stagesDone: number): Promise<readonly (readonly Term[])[]> {
    if (this.task.engine === 'intervals') {
      const result = await intervalInvariant(system, samples, this.solver, { query: this.queryBudget(), stop: () => this.stopReason() !== undefined, patience: 4 });
      if (!result) this.remarks.add('the intervals could not be closed');
      return result ? system.points.map((point) => result.facts.get(point) ?? []) : [];
    }
    const limits = this.levels()[level]!;
    const stages: readonly CandidateKind[] = this.task.adequacy ? (level === 0 ? ['plain', 'split'] : []) : typeof limits === 'string' && limits !== 'unrolled' ? [limits] : [];
    let facts = known;
    for (const [done, stage] of stages.entries()) {
      if (done < stagesDone) continue;
      system.points.forEach((point, i) => { point.facts = facts[i] ?? []; });
      const until = performance.now() + (this.deadline - performance.now()) / 2;
      const candidates = candidatesFrom(system, samples, constantsOf(system), stage);
      if ((stage === 'elements' || stage === 'curves') && [...candidates.values()].every((terms) => terms.length === 0)) continue;
      const kept = await houdini(system, candidates, this.solver, { query: this.queryBudget(), stop: () => this.stopReason() !== undefined || performance.now() > until, left: this.saving(system, facts, { level, stages: done + 1 }) });
      if (kept) facts = system.points.map((point, i) => [...facts[i] ?? [], ...kept.get(point) ?? []]);
      else this.remarks.add('the search for inductive facts was cut by the budget');
    }
    return facts;
  }

  /** A test that ended in a failing check, while it kept to what a client may do, shows a bug by itself. */
  private bugInTests(): Verdict | undefined {
    const started = performance.now();
    const options = this.scenarioOptions();
    try {
      for (const run of this.task.runs) {
        const instance = this.instance();
        const steps: ClientStep[] = [];
        for (const operation of run) {
          if (leavesTheClient(operation)) break;
          if (operation.kind === 'call') {
            const fn = this.program.functionByName.get(operation.function);
            if (this.init && steps.every(({ kind }) => kind !== 'call') && fn !== this.init) break;
            const args = fn && this.entries.includes(fn) ? instance.argumentsOf(operation) : undefined;
            if (fn && args && !options.permits(fn, args, instance.machine)) break;
          }
          steps.push(...stepsOf(operation, run, this.program));
          const outcome = instance.redo(operation);
          if (outcome?.kind === 'fault' && !breaksPrecondition(outcome.fault) && (this.inForce.has(outcome.fault.check) || this.inForce.has(propertyOf[outcome.fault.check]))) {
            this.remarks.add('a test of the module ends in this failure');
            this.rerun = this.rerunOf(run);
            return this.bugVerdict(outcome.fault, steps);
          }
          if (outcome && outcome.kind !== 'returned') break;
        }
      }
      return undefined;
    } finally {
      this.seconds.execution += (performance.now() - started) / 1000;
    }
  }

  /** A test's run up to its failure, once more. */
  private rerunOf(run: readonly Operation[]): Rerun {
    return (watch, between) => {
      const instance = this.instance();
      watch(instance.machine);
      for (const operation of run) {
        between?.();
        const outcome = instance.redo(operation);
        if (outcome?.kind === 'fault') return { span: outcome.fault.span, function: outcome.fault.stack[0]?.function };
      }
      return undefined;
    };
  }

  private instance(program = this.program): ModuleInstance {
    return new ModuleInstance(program, { name: 'module', entry: this.callable.map(({ name }) => name), seed: this.task.seed, ...(this.task.surroundings && { environment: environmentOf(this.task.surroundings) }) });
  }

  /** Records the abstract states the tests reach. A run ends where it leaves what a client may do: then its states need not be reachable. */
  private replayTests(system: System, engine: TestBasedAbstraction): void {
    const started = performance.now();
    engine.begin('test');
    if (system.client && !this.init) {
      const machine = new Machine(this.program);
      engine.recorder.attach(machine);
      engine.recorder.visit(system.client, undefined);
    }
    const machineBefore = engine.machine;
    for (const run of this.task.runs) {
      const instance = this.instance();
      engine.recorder.attach(instance.machine);
      let initialised = this.init === undefined;
      for (const operation of run) {
        if (leavesTheClient(operation)) { this.remarks.add('a test wrote a variable of the module; what it did afterwards is not counted as reachable'); break; }
        if (operation.kind === 'call') {
          if (!initialised && operation.function !== this.init?.name) { this.remarks.add(`a test did not begin with ${this.init?.name}; its states are not counted`); break; }
          initialised = true;
        }
        const outcome = instance.redo(operation);
        if (outcome && outcome.kind !== 'returned') break;
      }
    }
    engine.recorder.attach(machineBefore);
    this.testStates = system.points.reduce((sum, point) => sum + point.all().length, 0);
    this.seconds.execution += (performance.now() - started) / 1000;
  }

  /** A program without inputs is run to its end; `long`: it has no inputs so far, but did not end. */
  private runOnly(steps: number): { readonly verdict: Verdict | undefined; readonly long: boolean } {
    const [entry, ...others] = this.entries;
    if (this.task.mode !== 'program' || !entry || others.length > 0 || this.task.engine === 'intervals' || this.task.predicates === 'probes' || this.task.adequacy) return { verdict: undefined, long: false };
    const started = performance.now();
    const run = onlyExecution(this.program, entry, this.inForce, steps);
    this.seconds.execution += (performance.now() - started) / 1000;
    switch (run.kind) {
      case 'open': return { verdict: undefined, long: run.why === 'steps' };
      case 'fault': {
        const scenario: Scenario = { calls: [{ fn: entry, arguments: [] }], answers: [] };
        const options = { ...this.scenarioOptions(), stepLimit: steps };
        const again = runScenario(this.program, scenario, options);
        const fault = faultOf(again);
        return { verdict: again && fault && this.bugVerdict(fault, clientSteps(scenario, again)), long: false };
      }
      case 'harmless': {
        const inForce = (kind: CheckKind): boolean => this.inForce.has(kind) || this.inForce.has(propertyOf[kind]);
        this.obligations = this.program.functions.flatMap((fn) => fn.edges).filter(({ command }) => command.kind === 'check' && inForce(command.check)).length;
        if (this.obligations === 0) this.remarks.add('no check of the asked properties occurs in the program');
        for (const { command, span } of run.unreached) if (command.kind === 'check') this.remarks.add(`the assertion ${command.text} at ${placeText(span)} is never reached`);
        this.remarks.add(`the program reads no input: its only execution, of ${run.steps} steps, was run to its end`);
        return { verdict: { kind: 'proved', ...this.common(), engine: 'only-execution', invariants: [] }, long: false };
      }
    }
  }

  // Bugs

  private scenarioOptions(): ScenarioOptions {
    const preconditions = new Map<FunctionDefinition, readonly Term[]>();
    let reading: System | undefined;
    return {
      inForce: this.inForce, stepLimit: REPLAY_STEPS, init: this.init,
      permits: (fn, args, machine) => {
        if (!this.task.requires?.some((r) => r.function === fn.name)) return true;
        reading ??= new System(this.program, { ...this.systemOptions() });
        let terms = preconditions.get(fn);
        if (!terms) preconditions.set(fn, (terms = requiredAt(this.task, fn, reading.vocabulary)));
        return holdsAtEntry(terms, fn, args, machine, reading.vocabulary);
      },
    };
  }

  /** Who looks on while we search by running. */
  private watching: Pick<SearchOptions, 'observe' | 'between' | 'seen'> = {};

  private search(edges: number): Scenario | undefined {
    const started = performance.now();
    const found = searchConcretely(this.program, {
      ...this.scenarioOptions(), ...this.watching, entries: this.entries, seed: this.task.seed, edges,
      maximumCalls: this.task.mode === 'program' ? 1 : 40,
      stop: () => this.stopReason() !== undefined,
    });
    this.seconds.execution += (performance.now() - started) / 1000;
    return found;
  }

  /** An alarm in the first segment of an entry function as a client's call: the model's arguments and inputs, from the initial state. */
  private scenarioOf({ transition, model }: Alarm): Scenario | undefined {
    const { from, segment } = transition;
    if (!from || !segment || from.kind !== 'entry' || !this.entries.includes(from.fn) || this.init) return undefined;
    const args: Argument[] = [];
    for (const parameter of from.fn.parameters) {
      const value = segment.start.locals[parameter.slot]!;
      if (isPointer(value)) { if (model.evaluate(value.object) !== 0n) return undefined; args.push({ kind: 'scalar', value: 0 }); continue; }
      args.push({ kind: 'scalar', value: scalarOf(model.evaluate(value) as bigint, parameter.type) });
    }
    const answers = segment.inputs.filter(({ guard, value }) => model.evaluate(guard) === true && !isPointer(value)).map(({ kind, name, type, value }) => ({
      name: kind === 'havoc' ? `uninitialised ${name}` : name, type, value: scalarOf(model.evaluate(number(value)) as bigint, type),
    }));
    return { calls: [{ fn: from.fn, arguments: args }], answers };
  }

  private searchedDeep = false;

  /** All executions of a bounded length at once; what it finds counts when the evaluator agrees. */
  private async searchDeep(system: System): Promise<Scenario | undefined> {
    if (this.searchedDeep) return undefined;
    this.searchedDeep = true;
    const until = performance.now() + Math.max(0, this.deadline - performance.now()) * 0.6;
    const program = this.task.mode === 'program';
    const found = await searchBounded(system, this.solver, {
      rounds: program ? 400 : 40, calls: program ? 1 : 5, query: this.queryBudget(), stop: () => this.stopReason() !== undefined || performance.now() > until,
    });
    if (!found) return undefined;
    if (faultOf(runScenario(this.program, found, { ...this.scenarioOptions(), stepLimit: 2_000_000 }))) return found;
    this.remarks.add('a bounded search found an execution that the evaluator did not confirm');
    return undefined;
  }

  private bug(scenario: Scenario): Verdict {
    const options = this.scenarioOptions();
    const smallest = shrink(this.program, scenario, options);
    const run = runScenario(this.program, smallest, options);
    const fault = faultOf(run);
    if (!run || !fault) throw new Error('a scenario that failed fails again: the evaluator is deterministic');
    this.memory?.keepScenario(smallest);
    this.rerun = (watch, between) => {
      const again = faultOf(runScenario(this.program, smallest, { ...options, observe: watch, ...(between && { between: () => between() }) }));
      return again && { span: again.span, function: again.stack[0]?.function };
    };
    const further = this.further(fault);
    return { ...this.bugVerdict(fault, clientSteps(smallest, run)), ...(further.length > 0 && { further }) };
  }

  private bugVerdict(fault: Fault, steps: readonly ClientStep[]): Extract<Verdict, { kind: 'bug' }> {
    return { kind: 'bug', ...this.common(), counterexample: this.counterexample(fault, steps) };
  }

  private counterexample(fault: Fault, steps: readonly ClientStep[]): Counterexample {
    const failure = this.failure(fault.check, fault.message, fault.span, fault.stack[0]?.function);
    return {
      failure, steps, stack: fault.stack.map(({ function: fn, span }) => placeOf(span, fn.name)),
      test: this.failsAsTest(steps, failure) ? printTest(steps, this.variable, failure, this.callable.map(({ name }) => name)) : '',
    };
  }

  /** Other checks that short clients make fail, each once; a module with one bug often has two. */
  private further(first: Fault): readonly Counterexample[] {
    if (this.task.mode === 'program' || this.task.predicates === 'probes') return [];
    const keyOf = ({ check, span }: Fault): string => `${span.file.path}:${span.start}:${check}`;
    const scenarios = this.scenarioOptions();
    const seen = new Set([keyOf(first)]);
    const failing: Scenario[] = [];
    searchConcretely(this.program, {
      ...scenarios, entries: this.entries, seed: this.task.seed, edges: FURTHER_EDGES, maximumCalls: 12, stop: () => this.stopReason() !== undefined,
      failed: (scenario, fault) => {
        if (!seen.has(keyOf(fault))) failing.push(scenario);
        seen.add(keyOf(fault));
        return failing.length < FURTHER_BUGS;
      },
    });
    const shown = new Set([keyOf(first)]);
    return failing.flatMap((scenario) => {
      const smallest = shrink(this.program, scenario, scenarios);
      const run = runScenario(this.program, smallest, scenarios);
      const fault = faultOf(run);
      // Made smaller, it may have become one that is known.
      if (!run || !fault || shown.has(keyOf(fault))) return [];
      shown.add(keyOf(fault));
      return [this.counterexample(fault, clientSteps(smallest, run))];
    });
  }

  /** A test is handed out only when its steps, done as a test does them, fail at the same place. */
  private failsAsTest(steps: readonly ClientStep[], { check, place: { file, line, column } }: Failure): boolean {
    const error = play(this.instance(this.tested), steps);
    if (error instanceof CFault && error.kind === check && error.place?.file === file && error.place.line === line && error.place.column === column) return true;
    const otherwise = error instanceof Error ? error.message.split('\n')[0] : 'they end without a failure';
    this.remarks.add(`no test is given, because the calls do otherwise in one: ${otherwise}`);
    return false;
  }

  private failure(check: CheckKind, message: string, span: Span, fn: FunctionDefinition | undefined): Failure {
    return { check, property: propertyOf[check], message, place: placeOf(span, fn?.name), codeFrame: codeFrame(span) };
  }

  // Verdicts

  private async proved(system: System, systemOptions: SystemOptions): Promise<Verdict> {
    const started = performance.now();
    this.report('certify', 0, system.transitions.length);
    const result = await certify(this.program, systemOptions, certificateOf(system.points), this.solver, this.queryBudget());
    this.seconds.certify += (performance.now() - started) / 1000;
    if (result.kind !== 'certified') return this.unknown({ cause: result.kind === 'refuted' ? 'checker-disagrees' : 'solver-budget', message: `the proof could not be discharged again: ${result.why}` });
    this.obligations = result.obligations;
    if (result.obligations === 0) {
      if (this.task.mode === 'module') return this.unknown({ cause: 'vacuous', message: 'there is nothing to prove: no check of the asked properties occurs in the module', suggestion: 'ask for more properties: --property all' });
      this.remarks.add('no check of the asked properties occurs in the program');
    }
    const [unchecked] = this.inForce.has('memsafety') || this.inForce.has('dereference') ? uncheckedNativeCalls([...system.functions, ...system.inlined], this.program.dataModel) : [];
    if (unchecked) {
      return this.unknown({
        cause: 'unsupported-construct', place: placeOf(unchecked.edge.span, unchecked.function.name),
        message: `all checks hold, but the memory that ${unchecked.name} reads or writes through its arguments is not checked, so memory safety is not proved`,
        suggestion: `ask for the other properties, or leave the call of ${unchecked.name} to a function of its own that a stub replaces`,
      });
    }
    const outside = await this.outside(system, systemOptions);
    if (outside) return this.unknown(outside);
    const possible = async (terms: readonly Term[]): Promise<boolean> => (await this.solver.check([...terms, ...system.vocabulary.elementFacts(terms, new Set())], this.queryBudget())).kind !== 'unsat';
    const vacuous = await vacuity(system, possible, this.task.mode);
    for (const remark of vacuous.remarks) this.remarks.add(remark);
    const empty = vacuous.reason || this.task.probes.length === 0 ? vacuous : await emptyProbes(system, probesAt(this.task, system), possible);
    for (const remark of empty.remarks) this.remarks.add(remark);
    if (empty.reason) return this.unknown(empty.reason);
    if (this.reused !== system.points.length) this.memory?.keepProof(system);
    return { kind: 'proved', ...this.common(), invariants: await this.invariants(system) };
  }

  /** The same invariant must exclude calls of functions that the program does not contain. */
  private async outside(system: System, systemOptions: SystemOptions): Promise<Reason | undefined> {
    if (this.inForce.has('memsafety') || this.inForce.has('invalid-call')) return undefined;
    const [call] = callsOfTheOutside(this.program, [...system.functions, ...system.inlined], [...this.entries, ...(this.init ? [this.init] : [])]);
    if (!call) return undefined;
    const excluded = await certify(this.program, { ...systemOptions, inForce: new Set([...this.inForce, 'invalid-call']) }, certificateOf(system.points), this.solver, this.queryBudget());
    if (excluded.kind === 'certified') return undefined;
    return {
      cause: 'no-body', place: placeOf(call.edge.span, call.function.name),
      message: 'all checks hold, but a pointer from outside may lead this call to a function that is not in the program',
      suggestion: 'ask for memsafety, too, which says whether it can, or add the file with the functions that can be called',
    };
  }

  /** Where only the user's probes are followed: those that are missing, to paste. */
  private async probesThatClose(): Promise<string | undefined> {
    if (this.task.predicates !== 'probes' || this.task.adequacy || this.stopReason()) return undefined;
    const began = performance.now();
    const until = began + (this.deadline - began) * 0.7;
    const stop = (): boolean => this.stopReason() !== undefined || performance.now() > until;
    const { testStates } = this;
    const candidates = probeCandidates(new System(this.program, { ...this.systemOptions(), pointerFacts: true }), levels[0]!);
    const found = await sufficientProbes(candidates, (probes) => this.closesWith(probes, stop), stop);
    this.testStates = testStates;
    return found && printProbes(found, this.variable);
  }

  /** What the next run would find if these probes were there. */
  private async closesWith(probes: readonly SuggestedProbe[], stop: () => boolean): Promise<boolean> {
    const task = { ...this.task, probes: [...this.task.probes, ...probes] };
    const system = new System(this.program, this.systemOptions());
    setPredicates(system, onlyProbesAt(task, system));
    const machine = new Machine(this.program, { properties: this.inForce, stepLimit: 200_000, output: () => {} });
    const engine = new TestBasedAbstraction(system, this.solver, machine, {
      query: this.moderately(), abstractStates: 1000, runSteps: 200_000, idleSteps: 4000, stop: () => (stop() ? timeIsUp : undefined),
    });
    try {
      this.replayTests(system, engine);
      if ((await engine.close()).kind !== 'closed') return false;
      const alarms = await engine.alarms();
      return Array.isArray(alarms) && alarms.length === 0;
    } finally {
      engine.dispose();
    }
  }

  private potential(alarms: readonly Alarm[], missingProbes: string | undefined): Verdict {
    const system = this.system!;
    const errors = alarms.map((alarm) => this.potentialError(alarm, system)).map((error) => (missingProbes === undefined ? error : { ...error, suggestion: missingProbes }));
    const [first] = errors;
    const missing = missingBody(alarms[0]!, this.program, system);
    if (missing) return { kind: 'potential-error', ...this.common(), errors, reason: missing };
    const suggested = first!.suggestion ?? suggestedOfCallBacks(this.callBacks);
    return {
      kind: 'potential-error', ...this.common(), errors,
      reason: { cause: 'probe-too-weak', message: `the predicates are too weak to rule out: ${first!.failure.message}`, place: first!.failure.place, ...(suggested && { suggestion: suggested }) },
    };
  }

  private potentialError({ transition, obligation, model }: Alarm, system: System): PotentialError {
    const { check } = obligation;
    const from = transition.from!;
    const symbols = new Set([obligation.guard, obligation.condition, ...from.predicates.map(({ term }) => term)].flatMap((term) => [...symbolsOf(term)]));
    const state: StateInC = [...symbols].flatMap((symbol) => {
      const shown = system.vocabulary.meaning(symbol) ? printValue(symbol, model.symbol(symbol), system.vocabulary) : undefined;
      return shown ? [shown] : [];
    });
    return {
      failure: this.failure(check.check, `${check.text}: ${described(check.check)} may fail`, check.span, obligation.function),
      at: placeOf(from.location.span, from.fn.name), state,
      explanation: 'no sequence of calls was found that leads to this state, and the predicates do not exclude it',
      suggestion: suggestion(obligation.condition, from, system, this.variable),
    };
  }

  // For tests

  cover(): readonly CoveringTest[] {
    const system = new System(this.program, this.systemOptions());
    this.system = system;
    setPredicates(system, this.task.predicates === 'probes' ? onlyProbesAt(this.task, system) : defaultPredicates(system, probesAt(this.task, system), levels[0]!));
    const found = coveringScenarios(this.program, { system, entries: this.entries, scenario: this.scenarioOptions(), seed: this.task.seed, edges: 2_000_000, stop: () => this.stopReason() !== undefined });
    return found.map(({ scenario, run, states }) => ({
      steps: clientSteps(scenario, run),
      states: states.map(({ point, valuation }) => ({ at: placeOf(point.location.span, point === system.client ? undefined : point.fn.name), valuation: this.valuationText(point, valuation) })),
    }));
  }

  // For the report

  private async explained(verdict: Verdict): Promise<Verdict> {
    const until = Math.min(this.deadline, performance.now() + reportMs);
    const closed = await this.drawable(verdict.kind, until);
    const explanation = await explain({
      program: this.program, task: this.task, inForce: this.inForce, kind: verdict.kind, system: this.system, closed, alarms: this.alarms,
      probes: (system) => probesAt(this.task, system), instance: () => this.instance(), rerun: this.rerun,
      solver: this.solver, query: () => this.queryBudget(), stop: () => performance.now() > until || this.options.signal?.aborted === true,
    });
    return { ...verdict, adequacy: verdict.adequacy ?? (closed ? this.adequacy() : undefined), explanation };
  }

  /**
   * Sees to it that the system has abstract states to show; answers whether they are closed. Where facts alone were enough there are none: those of the
   * default predicates are closed then. For a bug those are enough that the tests and the failing run come by.
   */
  private async drawable(kind: Verdict['kind'], until: number): Promise<boolean> {
    const system = this.system ?? (kind === 'bug' ? new System(this.program, this.systemOptions()) : undefined);
    const decided = kind === 'proved' || kind === 'potential-error';
    if (!system || (!decided && kind !== 'bug')) return false;
    if (this.system && this.counted().some(({ predicates }) => predicates.length > 0)) return decided;
    const shown = new System(this.program, system.options);
    if (decided) shown.points.forEach((point, i) => { point.facts = system.points[i]?.facts ?? []; });
    setPredicates(shown, defaultPredicates(shown, probesAt(this.task, shown), levels[0]!));
    if (kind === 'bug') {
      this.system = shown;
      return false;
    }
    const engine = new TestBasedAbstraction(shown, this.solver, new Machine(this.program, { properties: this.inForce, stepLimit: 200_000, output: () => {} }), {
      query: this.queryBudget(), abstractStates: 400, runSteps: 200_000, idleSteps: 4000,
      stop: () => (performance.now() > until ? { cause: 'time-budget', message: 'no time is left for the report' } : undefined),
    });
    try {
      this.replayTests(shown, engine);
      if ((await engine.close()).kind !== 'closed') return false;
      this.system = shown;
      return true;
    } finally {
      engine.dispose();
    }
  }

  private unknown(reason: Reason): Verdict {
    return { kind: 'unknown', ...this.common(), reason };
  }

  private common(): Pick<Verdict, 'engine' | 'properties' | 'assumptions' | 'statistics' | 'adequacy' | 'suppressed' | 'refinement' | 'remarks'> {
    return {
      engine: this.task.engine === 'intervals' ? 'intervals' : this.engineName,
      properties: allProperties.filter((property) => this.inForce.has(property)),
      assumptions: assumptionsOf({ program: this.program, task: this.task, entries: this.entries, init: this.init, inForce: this.inForce, regions: this.system?.shape.regions }), statistics: this.statistics(), adequacy: this.adequacy(), ...this.suppressed(), ...(this.refinement && { refinement: this.refinement }), remarks: [...this.remarks],
    };
  }

  private suppressed(): Pick<Verdict, 'suppressed'> {
    const { suppressed = [] } = this.program;
    const wanted = suppressed.filter(({ check }) => this.inForce.has(check) || this.inForce.has(propertyOf[check]));
    return wanted.length === 0 ? {} : { suppressed: wanted.map(({ check, text, span, reason }) => ({ check, property: propertyOf[check], place: placeOf(span), text, reason })) };
  }

  private statistics(): Statistics {
    const states = this.counted().flatMap((point) => point.all());
    const { queries, milliseconds } = this.solver.statistics;
    const points = this.system?.points ?? [];
    return {
      seconds: (performance.now() - this.began) / 1000,
      secondsByPhase: { ...this.seconds, solving: milliseconds / 1000 },
      solver: this.solverName, solverQueries: queries,
      testsStates: this.testStates, abstractStates: states.length, coveredAbstractStates: states.filter(({ source }) => source === 'test').length,
      fabricatedStates: this.fabricated, predicates: new Set(points.flatMap((point) => point.predicates.map(({ term }) => term))).size,
      cutpoints: points.length, segments: this.system?.transitions.filter(({ kind }) => kind === 'segment').length ?? 0, obligations: this.obligations,
      ...(this.reused !== undefined && { reused: this.reused }),
    };
  }

  private solverName = 'z3';

  /** The points whose abstract states are counted: those the user asked for, or all. */
  private counted(): readonly ControlPoint[] {
    const points = this.system?.points ?? [];
    return this.task.cutpoints === 'labels' ? points.filter(({ location }) => location.label !== undefined) : points.filter((point) => point !== this.system?.client);
  }

  private adequacy(): Adequacy | undefined {
    if (!this.system || this.task.runs.length === 0) return undefined;
    // Without predicates every state is the same abstract one, and to reach it says nothing.
    const points = this.counted();
    if (points.every(({ predicates }) => predicates.length === 0)) return undefined;
    const total = points.reduce((sum, point) => sum + point.all().length, 0);
    const missing = this.unreached().map(({ point, valuation, sample }) => ({
      at: placeOf(point.location.span, point.fn.name), valuation: this.valuationText(point, valuation), state: sample,
    }));
    const covered = total - missing.length;
    return { covered, total, ratio: total === 0 ? 1 : covered / total, missing };
  }

  private unreached(): readonly { readonly point: ControlPoint; readonly valuation: string; readonly sample: StateInC }[] {
    return this.counted().flatMap((point) => point.all().filter(({ source }) => source !== 'test').map(({ valuation, sample }) => ({ point, valuation, sample })));
  }

  /** Where the measure of the tests was asked for, the tests that are missing come with it. */
  private withMissingTests(verdict: Verdict): Verdict {
    const { adequacy } = verdict;
    if (!this.task.adequacy || !adequacy || !this.system || this.task.mode === 'program' || verdict.kind === 'unknown' || verdict.kind === 'not-evaluated') return verdict;
    return { ...verdict, adequacy: withTests(adequacy, this.unreached(), this.program, {
      system: this.system, entries: this.entries, callable: this.callable, tested: this.tested, variable: this.variable, scenario: this.scenarioOptions(), seed: this.task.seed, stop: () => this.stopReason() !== undefined,
    }) };
  }

  private valuationText(point: ControlPoint, valuation: string): string {
    return point.predicates.map(({ name, term }, i) => name !== undefined ? `${valuation[i] === '1' ? '' : '!'}${name}` : printTerm(valuation[i] === '1' ? term : L.not(term), this.system!.vocabulary)).join(' && ');
  }

  /** The invariant at each point, the module's first, said as briefly as some questions allow. Their number comes before the clock, so that the same proof reads the same on every machine. */
  private async invariants(system: System): Promise<InvariantAt[]> {
    let questions = briefnessQuestions;
    const until = Math.min(performance.now() + briefnessMs, Math.max(this.deadline, performance.now() + 500));
    const found: InvariantAt[] = [];
    const interest: readonly ControlPoint['kind'][] = ['module', 'loop', 'label', 'exit', 'entry', 'return', 'call', 'check'];
    const points = [...system.points].sort((a, b) => interest.indexOf(a.kind) - interest.indexOf(b.kind) || a.index - b.index);
    for (const point of points) {
      if (point.predicates.length + point.facts.length === 0 || point.valuations().length === 0) continue;
      point.facts = await irredundant(point.facts, system.vocabulary.wellFormed(point.fn, point.location), this.solver, this.queryBudget(), () => questions-- <= 0 || performance.now() > until);
      const at = point.kind === 'return' || point.kind === 'call' ? 'call' : point.kind === 'check' ? 'label' : point.kind;
      found.push({ place: placeOf(point.location.span, point === system.client ? undefined : point.fn.name), at, formula: printInvariant(point, system.vocabulary) });
    }
    return found;
  }

  // Set-up

  private systemOptions(): SystemOptions {
    const { task } = this;
    return {
      mode: task.mode, entries: this.entries, init: this.init, inForce: this.inForce, cutpoints: task.cutpoints ?? 'default', inline: task.inline ?? true, pointerFacts: task.predicates !== 'probes',
      callBacks: this.callBacks, requires: (fn, vocabulary) => requiredAt(this.task, fn, vocabulary),
    };
  }

  /** For a question that is not the last word. */
  private moderately(): QueryBudget {
    const { timeoutMs, resources = Infinity } = this.queryBudget();
    return { timeoutMs, resources: Math.min(resources, 4_000_000) };
  }

  private queryBudget(): QueryBudget {
    const left = Math.max(50, this.deadline - performance.now());
    return { timeoutMs: Math.min(left, 10_000), ...(this.task.budget.resourcesPerQuery !== undefined && { resources: this.task.budget.resourcesPerQuery }) };
  }

  private stopReason(): Reason | undefined {
    if (this.options.signal?.aborted) return { cause: 'interrupted', message: 'interrupted before an answer was reached' };
    if (performance.now() > this.deadline) return { cause: 'time-budget', message: `the budget of ${this.task.budget.milliseconds / 1000} s is used up`, suggestion: 'give a larger budget, or probes that say what matters' };
    return undefined;
  }

  private report(phase: Progress['phase'], done: number, total: number): void {
    this.options.progress?.({ phase, done, total });
  }
}

/**
 * Predicates whose value a proved fact already gives need no place in a valuation. What the client relies on comes first, in one order, at every
 * entry and exit.
 */
function setPredicates(system: System, predicates: ReadonlyMap<ControlPoint, readonly Predicate[]>): void {
  const decided = (point: ControlPoint, { term, name }: Predicate): boolean => name === undefined && (point.facts.includes(term) || point.facts.includes(L.not(term)));
  const { client } = system;
  const shared = client ? (predicates.get(client) ?? []).filter((predicate) => !decided(client, predicate)) : [];
  for (const point of system.points) {
    const list = predicates.get(point) ?? [];
    const isShared = ({ term }: Predicate): boolean => shared.some((p) => p.term === term);
    const handsOver = point.kind === 'entry' || point.kind === 'exit' || point.kind === 'module';
    const first = handsOver ? shared : list.filter((predicate) => isShared(predicate) && !decided(point, predicate));
    point.reset([...first, ...list.filter((predicate) => !isShared(predicate) && !decided(point, predicate))]);
  }
}

/** The abstract states of a closed abstraction as a fact. Where they are told apart by context, their union need not be inductive by itself. */
function abstractStates(point: ControlPoint): readonly Term[] {
  const valuations = point.valuations();
  if (point.predicates.length === 0 || valuations.length > HANDED_STATES) return [];
  return [L.or(...valuations.map((valuation) => cube(valuation, point.predicates.map(({ term }) => term))))];
}

function holdsAtEntry(terms: readonly Term[], fn: FunctionDefinition, args: readonly ConcreteValue[], machine: Machine, vocabulary: Vocabulary): boolean {
  const locals = fn.variables.map((_, slot) => args[slot] ?? 0);
  const view = new ConcreteView(vocabulary, { globals: machine.globals, memory: machine.memory, activation: { fn, location: fn.entry, locals, objects: [] }, activations: [] });
  return terms.every((term) => (compile(term)(view.value) as Value) === true);
}
