/**
 * State common to the engines that refine a partition with tests: a forest, a partition, and the questions they ask
 * about them. Engines differ in which question comes next.
 */
import * as L from '../../logic/build';
import type { SymbolTerm, Term } from '../../logic/term';
import { substitute, symbolsOf } from '../../logic/substitute';
import type { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import { exitCondition } from '../../abstraction/partition/exitCondition';
import {
  type Ending,
  type RepeatableExecution,
  Forest,
  type Run,
  type StateNumber,
} from '../../abstraction/partition/forest';
import { type AbstractEdge, holdsIn, Partition } from '../../abstraction/partition/partition';
import type { PathFormula } from '../../abstraction/partition/pathFormula';
import { conjunctsOf, preimage, stepCondition } from '../../abstraction/partition/preimage';
import type { RecordedCall } from '../../abstraction/partition/mustSummary';
import type { Region, Split } from '../../abstraction/partition/region';
import { TransitionGraph } from '../../abstraction/transitionSystem/transitionGraph';
import {
  SymbolicRuns,
  type BranchCondition,
  type Extension,
  type SymbolicCall,
} from '../../abstraction/partition/symbolicRun';
import type { InvariantMap } from '../../abstraction/transitionSystem/invariantMap';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import {
  faultOf,
  ScenarioRunner,
  type EnvironmentAnswer,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import { scenarioOfModel } from '../../evidence/scenarios/scenarioOfModel';
import type { Scalar } from '../../program/expression';
import { randomInput, type ConcreteValue } from '../../semantics/concrete/concreteValues';
import { isPointer } from '../../semantics/symbolic/symbolicValues';
import type { Machine } from '../../semantics/concrete/machine';
import { Random } from '../../semantics/concrete/random';
import type { HornSolver } from '../../solver';
import type { Answer, Model, QueryBudget, Solver } from '../../solver/solver';

export interface RefinementOptions {
  readonly seed: number;
  /** Edges of the automaton that one test may take. */
  readonly runSteps: number;
  readonly query: () => QueryBudget;
  /** For interpolants; without it there are none. */
  readonly horn?: HornSolver | undefined;
  /** Options for running scenarios: what a client may do, which checks are in force. */
  readonly scenarios: ScenarioOptions;
}

/** A condition on a state, and on symbols that may be chosen for it. */
export interface ExistentialCondition {
  readonly condition: Term;
  readonly chosen: ReadonlySet<SymbolTerm>;
}

export type SuitableTest = { readonly kind: 'test'; readonly scenario: Scenario } | Exclude<Answer, { kind: 'sat' }>;

const limits = {
  /** Elements of the objects that tests are given where their size does not matter. */
  elementsOfObject: 8,
  /** States looked at from either end of a region's list. */
  nearestStates: 500,
  /** Edges beyond the frontier, once a run was cut. */
  stepsAfterFrontier: 200_000,
} as const;

/** A run by a scenario made here. What the scenario leaves open is answered the first time, and then always so. */
export class ScenarioExecution implements RepeatableExecution {
  private answers: readonly EnvironmentAnswer[] | undefined;
  constructor(
    private readonly given: Scenario,
    private readonly player: ScenarioPlayer,
  ) {}

  get scenario(): Scenario {
    return this.answers ? { calls: this.given.calls, answers: this.answers } : this.given;
  }

  run(
    watch: Parameters<RepeatableExecution['run']>[0],
    between: Parameters<RepeatableExecution['run']>[1],
    stepLimit: number,
  ): Ending {
    const { player } = this;
    player.between = between;
    watch(player.machine);
    try {
      const run = player.runner.run(this.scenario, {
        stepLimit,
        ...(this.answers === undefined && { environment: player.environment }),
      });
      const fault = faultOf(run);
      if (fault) return { kind: 'fault', fault };
      return { kind: run === undefined || run.outcome.kind === 'limit' ? 'cut' : 'ended' };
    } finally {
      this.answers ??= player.runner.answered;
    }
  }
}

/** One machine for all scenarios. */
class ScenarioPlayer {
  between: (machine: Machine) => void = () => {};
  machine!: Machine;
  readonly runner: ScenarioRunner;
  constructor(
    system: TransitionSystem,
    options: ScenarioOptions,
    readonly environment: NonNullable<ScenarioOptions['environment']>,
  ) {
    this.runner = new ScenarioRunner(system.program, {
      ...options,
      observe: (machine) => {
        this.machine = machine;
      },
      between: (machine) => this.between(machine),
    });
  }
}

export class Refinement {
  readonly graph: TransitionGraph;
  readonly forest: Forest;
  readonly partition: Partition;
  readonly statistics = { tests: 0, testsByCalls: 0, queries: 0, cutRuns: 0 };
  private readonly symbolicRuns: SymbolicRuns;
  private readonly random: Random;
  private readonly player: ScenarioPlayer;

  constructor(
    readonly system: TransitionSystem,
    invariants: InvariantMap,
    readonly solver: Solver,
    readonly options: RefinementOptions,
  ) {
    this.graph = new TransitionGraph(system, invariants);
    this.forest = new Forest(this.graph);
    this.partition = new Partition(this.graph);
    this.symbolicRuns = new SymbolicRuns(this.graph, this.forest);
    this.random = new Random(options.seed);
    this.player = new ScenarioPlayer(system, options.scenarios, (_name, type) => this.randomValue(type, undefined));
  }

  /** Adds an execution's states to the forest. */
  grow(execution: RepeatableExecution, stepLimit = this.options.runSteps, stateLimit = Infinity): Run {
    const run = this.forest.grow(
      execution,
      stepLimit,
      (state, view) => this.partition.add(state, this.forest.nodeOf(state), view),
      stateLimit,
    );
    if (run.ending.kind === 'cut' && run.count < stateLimit) {
      this.statistics.cutRuns++;
      this.partition.forget(this.forest.size);
    }
    return run;
  }

  async check(terms: readonly Term[]): Promise<Answer> {
    if (terms.some((term) => term === L.FALSE)) return { kind: 'unsat', core: [] };
    this.statistics.queries++;
    return this.solver.check([...terms, ...this.system.vocabulary.readAxioms(terms, new Set())], this.options.query());
  }

  /** The same in a session, where assumptions may be asked about; the core of `unsat` names those that were needed. */
  async assuming(terms: readonly Term[], assumptions: readonly Term[]): Promise<Answer> {
    this.statistics.queries++;
    const session = this.solver.session();
    try {
      for (const term of [...terms, ...this.system.vocabulary.readAxioms([...terms, ...assumptions], new Set())])
        session.assert(term);
      return await session.check(assumptions, this.options.query());
    } finally {
      session.close();
    }
  }

  /**
   * Oldest state in a region among those that satisfy most parts of a step's condition: the one from which least is
   * missing.
   */
  nearest({ step, to, over }: AbstractEdge, states: readonly StateNumber[]): StateNumber {
    if (over) return states[0]!;
    const parts = conjunctsOf(stepCondition(step, to)).filter((part) =>
      [...symbolsOf(part)].every((symbol) => !step.fresh.has(symbol)),
    );
    if (states.length === 1 || parts.length === 0) return states[0]!;
    const looked =
      states.length <= 2 * limits.nearestStates
        ? states
        : [...states.slice(0, limits.nearestStates), ...states.slice(-limits.nearestStates)];
    let [best, most] = [states[0]!, -1];
    this.forest.visitAll(looked, (state, view) => {
      const count = parts.filter((part) => holdsIn(part, view)).length;
      if (count > most) [best, most] = [state, count];
    });
    return best;
  }

  /**
   * Can a state of the region take the step into the other, as far as the regions and what is known of their places
   * say?
   */
  async edge({ from, step, to, over }: AbstractEdge): Promise<Answer> {
    return this.check([...from.node.known, ...from.literals, ...step.premises, stepCondition(step, to, over)]);
  }

  /** Inputs that lead along the branch. */
  along(state: StateNumber | undefined): BranchCondition {
    return this.symbolicRuns.to(state, (at) => this.partition.regionOf(at));
  }

  /** A test that follows the branch and then takes the edge: its scenario, or why there is none. */
  async suitableTest(branch: BranchCondition, edge: AbstractEdge): Promise<SuitableTest> {
    return this.testAlong(branch, branch.extend(edge.step, L.and(...edge.to.literals)));
  }

  /** A test that follows the branch and then a call as another test made it. */
  async testByCall(branch: BranchCondition, { steps, into }: RecordedCall): Promise<SuitableTest> {
    return this.testAlong(branch, branch.along(steps, L.and(...into.literals)));
  }

  private async testAlong(branch: BranchCondition, next: Extension): Promise<SuitableTest> {
    const constraints = [...branch.constraints, ...next.constraints];
    const room = this.room([...branch.calls, ...next.calls]);
    const roomy = room.length > 0 ? await this.check([...constraints, ...room]) : undefined;
    const answer = roomy?.kind === 'sat' ? roomy : await this.check(constraints);
    if (answer.kind !== 'sat') return answer;
    return {
      kind: 'test',
      scenario: this.scenario(
        { constraints, calls: [...branch.calls, ...next.calls], answers: [...branch.answers, ...next.answers] },
        answer.model,
      ),
    };
  }

  /** Behaviour of client and environment in a model. */
  scenario({ constraints, calls, answers }: PathFormula, model: Model): Scenario {
    const mentioned = new Set(constraints.flatMap((term) => [...symbolsOf(term)]));
    // Values left open by the path are random, as in any test.
    const choose = (term: Term, type: Scalar, ctype: CType | undefined): ConcreteValue | undefined =>
      term.kind === 'symbol' && !mentioned.has(term) ? this.randomValue(type, ctype) : undefined;
    return scenarioOfModel(
      this.system,
      calls,
      answers.filter(({ guard }) => model.evaluate(guard) === true),
      model,
      choose,
    );
  }

  /** Objects of the client's that hold more than one element, which is what most callers pass. */
  private room(calls: readonly SymbolicCall[]): Term[] {
    const { memoryModel, program } = this.system;
    return calls.flatMap(({ fn, locals, contents }) =>
      fn.parameters.flatMap(({ slot, ctype }) => {
        const value = locals[slot]!;
        if (!isPointer(value) || ctype?.kind !== 'pointer') return [];
        const bytes = L.bits(
          BigInt(limits.elementsOfObject * (sizeOf(ctype.to, program.dataModel) ?? 1)),
          memoryModel.half,
        );
        return [
          L.not(L.eq(value.object, L.bits(0n, memoryModel.half))),
          L.eq(L.select(contents[memoryModel.size.index]!, value.object), bytes),
        ];
      }),
    );
  }

  /** Runs a scenario, answering at random where it says nothing, and adds what it meets. */
  test(scenario: Scenario, k: number): Run {
    this.statistics.tests++;
    // If a run did not end, the next ones need not go much further than the frontier.
    const stepLimit =
      this.statistics.cutRuns === 0
        ? this.options.runSteps
        : Math.min(this.options.runSteps, limits.stepsAfterFrontier + 50 * k);
    return this.grow(new ScenarioExecution(scenario, this.player), stepLimit);
  }

  /** Runs a scenario only as far as its first states. */
  witness(scenario: Scenario, states: number): Run {
    this.statistics.tests++;
    return this.grow(new ScenarioExecution(scenario, this.player), this.options.runSteps, states);
  }

  /** Condition before an edge is taken, over the symbols of its source and chosen ones. */
  before({ step, to, over }: AbstractEdge): ExistentialCondition {
    return { condition: stepCondition(step, to, over), chosen: step.fresh };
  }

  /**
   * Condition at the end of a callee when some caller goes on along the edge from there; or this caller, as it is in
   * the state in which it called.
   */
  atExit(edge: AbstractEdge, caller?: StateNumber): ExistentialCondition {
    const { condition, callers } = exitCondition(edge);
    const values = new Map<Term, Term>();
    if (caller !== undefined) {
      this.forest.visitAll([caller], (_, view) => {
        for (const [renamed, symbol] of callers)
          if (symbol.sort.kind === 'bits') values.set(renamed, L.bits(view.value(symbol) as bigint, symbol.sort.width));
      });
    }
    return { condition: substitute(condition, values), chosen: new Set([...callers.keys(), ...edge.step.fresh]) };
  }

  /**
   * The states for which there is a choice, or a set around them without the given state. Undefined when that state
   * cannot be left out.
   */
  leavingOut(
    { condition, chosen }: ExistentialCondition,
    state: StateNumber,
    quantifiers: 'allowed' | 'none',
  ): Term | undefined {
    let found: Term | undefined;
    this.forest.visitAll([state], (_, view) => {
      const predicate = preimage(condition, chosen, view, quantifiers);
      if (!holdsIn(predicate, view)) found = predicate;
    });
    return found;
  }

  /** Splits a region. The half outside cannot take the step into the target. */
  split(region: Region, split: Split): { readonly inside: Region; readonly outside: Region } {
    const holds = new Set<StateNumber>();
    this.forest.visitAll(region.states, (state, view) => {
      if (holdsIn(split.predicate, view)) holds.add(state);
    });
    return this.partition.split(region, split, L.not(split.predicate), holds);
  }

  /** Reads the given states. */
  show(states: readonly StateNumber[], visit: (state: StateNumber, view: ConcreteView) => void): void {
    this.forest.visitAll(states, visit);
  }

  randomValue(type: Scalar, ctype: CType | undefined): ConcreteValue {
    return randomInput(type, this.random, this.system.program.dataModel, ctype);
  }
}
