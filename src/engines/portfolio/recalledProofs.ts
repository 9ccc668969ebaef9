/**
 * What earlier runs of the same question left, taken up when it can be confirmed.
 */
import type { ControlPoint } from '../../abstraction/transitionSystem/controlPoint';
import { System, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import { faultOf, runScenario } from '../../evidence/scenarios/scenario';
import type { Term } from '../../logic/term';
import type { RecalledPoint } from '../../proofCache';
import type { FunctionDefinition } from '../../program/program';
import type { Reason, Verdict } from '../../verdict';
import { houdini } from '../invariants/houdini';
import type { Recollection } from './proofReuse';
import type { Account } from './findings';
import type { Bugs } from './bugs';
import type { Facts } from './invariantGenerator';
import type { Proofs } from './proofs';
import { setPredicates } from './setPredicates';
import type { Setting } from './context';
import type { TestRuns } from './testSeededAbstraction';

const timeIsUp: Reason = { cause: 'time-budget', message: 'the time for this attempt is up' };

const nothingKnown: RecalledPoint = {
  facts: [],
  predicates: [],
  states: [{ valuation: '', context: '', source: 'abstract', sample: [] }],
};

/** What an earlier run left: a verdict, or facts per control point to begin with. */
export interface Taken {
  readonly verdict: Verdict | undefined;
  readonly facts: readonly (readonly Term[])[];
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
    this.account.system = system;
    for (const [point, { facts, predicates }] of proof) {
      point.facts = facts;
      point.reset(predicates);
    }
    const engine = this.tests.attempt(system, {
      query: this.setting.queryBudget(),
      stop: () => this.setting.stopReason(),
    });
    for (const [point, { states }] of proof) for (const state of states) engine.adopt(point, state);
    this.account.isKept = true;
    const verdict = await this.provedAgain(system, recalledOptions, system.points.length, []);
    this.account.isKept = verdict !== undefined;
    return verdict;
  }

  /** What an earlier run left; by itself it may be a proof of what the files are now. */
  async takeOver(memory: Recollection, options: SystemOptions): Promise<Taken | undefined> {
    const verdict = memory.unfinished
      ? undefined
      : await this.stillProved(memory, { ...options, ...memory.transitions() });
    return verdict ? { verdict, facts: [] } : this.factsOf(memory, options);
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
    this.account.system = system;
    const known = (point: ControlPoint): RecalledPoint => points.get(point) ?? nothingKnown;
    for (const point of system.points) {
      point.facts = known(point).facts;
      point.reset(known(point).predicates);
    }
    const engine = this.tests.attempt(system, {
      query: this.setting.queryBudget(),
      stop: () => this.setting.stopReason(),
    });
    for (const point of system.points) {
      const { predicates, states } = known(point);
      for (const state of predicates.length === 0 ? nothingKnown.states : states) engine.adopt(point, state);
    }
    const old = new Set(changed);
    return this.provedAgain(
      system,
      options,
      system.points.filter((point) => points.has(point) && !old.has(point.fn)).length,
      changed,
    );
  }

  /** Facts of an earlier run, as far as they are inductive. */
  private async factsOf(memory: Recollection, options: SystemOptions): Promise<Taken | undefined> {
    const recalledOptions = memory.unfinished ? options : { ...options, ...memory.transitions() };
    const system = new System(this.setting.program, recalledOptions);
    const candidates = memory.candidates(system);
    if (!candidates) return undefined;
    this.account.system = system;
    const until = performance.now() + (this.setting.deadline - performance.now()) / (memory.unfinished ? 2 : 3);
    const kept = await houdini(system, candidates, this.setting.solver, {
      query: this.setting.queryBudget(),
      stop: () => this.setting.stopReason() !== undefined || performance.now() > until,
      ...(memory.unfinished && { left: this.facts.saving(system, [], memory.unfinished) }),
    });
    if (!kept) return undefined;
    const facts = system.points.map((point) => kept.get(point) ?? []);
    if (memory.unfinished) {
      this.account.remarks.add('what an earlier run had found out is taken up');
      return { verdict: undefined, facts };
    }
    system.points.forEach((point, i) => {
      point.facts = facts[i]!;
    });
    setPredicates(system, new Map());
    const engine = this.tests.attempt(system, {
      query: this.setting.queryBudget(),
      stop: () => this.setting.stopReason() ?? (performance.now() > until ? timeIsUp : undefined),
    });
    const closed = (await engine.close()).kind === 'closed';
    const alarms = closed ? await engine.alarms() : undefined;
    const edited = new Set(memory.changed(system));
    const isSame = (point: ControlPoint, i: number): boolean => candidates.get(point)?.length === facts[i]!.length;
    const same = system.points.filter((point, i) => isSame(point, i) && !edited.has(point.fn)).length;
    // What holds between calls is a part of every function's proof.
    const lost = new Set(
      system.points
        .filter((point, i) => !isSame(point, i))
        .map((point) => (point === system.client ? undefined : point.fn)),
    );
    const anew = lost.has(undefined)
      ? system.functions
      : this.setting.program.functions.filter((fn) => edited.has(fn) || lost.has(fn));
    const verdict =
      Array.isArray(alarms) && alarms.length === 0
        ? await this.provedAgain(system, recalledOptions, lost.has(undefined) ? 0 : same, anew)
        : undefined;
    // Facts about loops that are not unrolled from now on are no facts of the other system, nor need those be inductive
    // that were with more than one state before.
    return { verdict, facts: system.unrolled.size > 0 || recalledOptions.induction !== undefined ? [] : facts };
  }

  /**
   * `reused`: at how many points the invariant is an earlier one; `anew`: functions of which it is not, or that are not
   * what they were. Undefined when it is no proof.
   */
  private async provedAgain(
    system: System,
    options: SystemOptions,
    reused: number,
    anew: readonly FunctionDefinition[],
  ): Promise<Verdict | undefined> {
    this.account.reused = reused;
    this.account.provedAnew = anew.map(({ name }) => name);
    const verdict = await this.proofs.proved(system, options);
    if (verdict.kind === 'proved') return verdict;
    this.account.reused = undefined;
    this.account.provedAnew = undefined;
    return undefined;
  }
}
