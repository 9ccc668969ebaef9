/**
 * What earlier runs of the same question left, taken up when it can be confirmed.
 */
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import {
  type InvariantMap,
  invariantMap,
  invariantsAt,
  noInvariants,
} from '../../abstraction/transitionSystem/invariantMap';
import type { ControlPoint } from '../../abstraction/transitionSystem/controlPoint';
import { System, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import { faultOf, runScenario } from '../../evidence/scenarios/scenario';
import type { RecalledPoint } from '../../proofCache';
import type { FunctionDefinition } from '../../program/program';
import type { Reason, Verdict } from '../../verdict';
import { houdini } from '../invariants/houdini';
import type { Recollection } from './proofReuse';
import type { Account } from './findings';
import type { Bugs } from './bugs';
import type { Facts } from './invariantGenerator';
import type { Proofs } from './proofs';
import type { Setting } from './context';
import type { TestRuns } from './testSeededAbstraction';

const timeIsUp: Reason = { cause: 'time-budget', message: 'the time for this attempt is up' };

const nothingKnown: RecalledPoint = {
  invariants: [],
  predicates: [],
  states: [{ valuation: '', context: '', source: 'abstract', sample: [] }],
};

/** What an earlier run left: a verdict, or invariants to begin with. */
export interface Taken {
  readonly verdict: Verdict | undefined;
  readonly invariants: InvariantMap;
}

export class Recall {
  constructor(
    private readonly setting: Setting,
    private readonly account: Account,
    private readonly tests: TestRuns,
    private readonly bugs: Bugs,
    private readonly facts: Facts,
    private readonly proofs: Proofs,
  ) {}

  /** The verdict that an earlier run of this question came to, when it can be confirmed. */
  async recalled(memory: Recollection, options: SystemOptions): Promise<Verdict | undefined> {
    const scenario = memory.scenario();
    if (scenario && faultOf(runScenario(this.setting.program, scenario, this.setting.scenarioOptions()))) {
      this.account.remarks.add('the counterexample is one that an earlier run had found; it was replayed');
      return this.bugs.bug(scenario);
    }
    const recalledOptions = { ...options, ...memory.transitions() };
    const system = new System(this.setting.program, recalledOptions);
    const proof = memory.proof(system);
    if (!proof) return undefined;
    const abstraction = recalledAbstraction(system, (point) => proof.get(point)!);
    this.account.abstraction = abstraction;
    const engine = this.tests.attempt(abstraction, {
      query: this.setting.queryBudget(),
      stop: () => this.setting.stopReason(),
    });
    for (const [point, { states }] of proof) for (const state of states) engine.adopt(point, state);
    this.account.isKept = true;
    const verdict = await this.provedAgain(abstraction, system.points.length, []);
    this.account.isKept = verdict !== undefined;
    return verdict;
  }

  /** What an earlier run left; by itself it may be a proof of what the files are now. */
  async takeOver(memory: Recollection, options: SystemOptions): Promise<Taken | undefined> {
    const verdict = memory.unfinished
      ? undefined
      : await this.stillProved(memory, { ...options, ...memory.transitions() });
    return verdict ? { verdict, invariants: noInvariants } : this.invariantsOf(memory, options);
  }

  /**
   * After an edit: the earlier proof as it was, in all places that are still there. Whether it is one of what the files
   * are now, the check says.
   */
  private async stillProved(memory: Recollection, options: SystemOptions): Promise<Verdict | undefined> {
    const system = new System(this.setting.program, options);
    const earlier = memory.earlierProof(system);
    if (!earlier) return undefined;
    const { points, changed } = earlier;
    const known = (point: ControlPoint): RecalledPoint => points.get(point) ?? nothingKnown;
    const abstraction = recalledAbstraction(system, known);
    this.account.abstraction = abstraction;
    const engine = this.tests.attempt(abstraction, {
      query: this.setting.queryBudget(),
      stop: () => this.setting.stopReason(),
    });
    for (const point of system.points) {
      const { predicates, states } = known(point);
      for (const state of predicates.length === 0 ? nothingKnown.states : states) engine.adopt(point, state);
    }
    const old = new Set(changed);
    return this.provedAgain(
      abstraction,
      system.points.filter((point) => points.has(point) && !old.has(point.fn)).length,
      changed,
    );
  }

  /** Invariants of an earlier run, as far as they are inductive. */
  private async invariantsOf(memory: Recollection, options: SystemOptions): Promise<Taken | undefined> {
    const recalledOptions = memory.unfinished ? options : { ...options, ...memory.transitions() };
    const system = new System(this.setting.program, recalledOptions);
    const candidates = memory.candidates(system);
    if (!candidates) return undefined;
    this.account.abstraction = PredicateAbstraction.of(system, noInvariants);
    const until = performance.now() + (this.setting.deadline - performance.now()) / (memory.unfinished ? 2 : 3);
    const kept = await houdini(system, noInvariants, candidates, this.setting.solver, {
      query: this.setting.queryBudget(),
      stop: () => this.setting.stopReason() !== undefined || performance.now() > until,
      ...(memory.unfinished && { left: this.facts.saving(system, noInvariants, memory.unfinished) }),
    });
    if (!kept) return undefined;
    if (memory.unfinished) {
      this.account.remarks.add('what an earlier run had found out is taken up');
      return { verdict: undefined, invariants: kept };
    }
    const abstraction = PredicateAbstraction.of(system, kept);
    this.account.abstraction = abstraction;
    const engine = this.tests.attempt(abstraction, {
      query: this.setting.queryBudget(),
      stop: () => this.setting.stopReason() ?? (performance.now() > until ? timeIsUp : undefined),
    });
    const closed = (await engine.close()).kind === 'closed';
    const alarms = closed ? await engine.alarms() : undefined;
    const edited = new Set(memory.changed(system));
    const isSame = (point: ControlPoint): boolean => candidates.get(point)?.length === invariantsAt(kept, point).length;
    const same = system.points.filter((point) => isSame(point) && !edited.has(point.fn)).length;
    // What holds between calls is a part of every function's proof.
    const lost = new Set(
      system.points.filter((point) => !isSame(point)).map((point) => (point === system.client ? undefined : point.fn)),
    );
    const anew = lost.has(undefined)
      ? system.functions
      : this.setting.program.functions.filter((fn) => edited.has(fn) || lost.has(fn));
    const verdict =
      Array.isArray(alarms) && alarms.length === 0
        ? await this.provedAgain(abstraction, lost.has(undefined) ? 0 : same, anew)
        : undefined;
    // Facts about loops that are not unrolled from now on are no facts of the other system, nor need those be inductive
    // that were with more than one state before.
    return {
      verdict,
      invariants: system.unrolled.size > 0 || recalledOptions.induction !== undefined ? noInvariants : kept,
    };
  }

  /**
   * `reused`: at how many points the invariant is an earlier one; `anew`: functions of which it is not, or that are not
   * what they were. Undefined when it is no proof.
   */
  private async provedAgain(
    abstraction: PredicateAbstraction,
    reused: number,
    anew: readonly FunctionDefinition[],
  ): Promise<Verdict | undefined> {
    this.account.reused = reused;
    this.account.provedAnew = anew.map(({ name }) => name);
    const verdict = await this.proofs.proved(abstraction);
    if (verdict.kind === 'proved') return verdict;
    this.account.reused = undefined;
    this.account.provedAnew = undefined;
    return undefined;
  }
}

function recalledAbstraction(system: System, recalled: (point: ControlPoint) => RecalledPoint): PredicateAbstraction {
  const invariants = invariantMap(system.points, (point) => recalled(point).invariants);
  return new PredicateAbstraction(system, invariants, (point) => recalled(point).predicates);
}
