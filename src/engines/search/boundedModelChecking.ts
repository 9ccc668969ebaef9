/**
 * Bounded search: a question every few rounds whether some check in force can fail in one of all the executions so far.
 * A yes is a scenario, to be replayed. When no control is left after some rounds, there are no longer executions: what
 * was dropped on the way is handed to `evidence/ended`, which asks again. In every other case the absence of a failure
 * proves nothing.
 */
import {
  BoundedExecutions,
  keyOf,
  type Control,
  type Shortcut,
  type StepOrder,
} from '../../abstraction/transitionSystem/unwinding';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Scenario } from '../../evidence/scenarios/scenario';
import type { UnwindingCertificate } from '../../evidence/certificates/unwindingCertificate';
import { scenarioOfModel } from '../../evidence/scenarios/scenarioOfModel';
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Location } from '../../program/program';
import { anyViolated } from '../../semantics/symbolic/violations';
import type { Obligation } from '../../semantics/symbolic/segment';
import type { Model, QueryBudget, Session, Solver } from '../../solver/solver';

export interface BoundedSearchLimits {
  readonly rounds: number;
  /** Calls a client makes; 1 in program mode. */
  readonly calls: number;
  readonly order: StepOrder;
  /** Budget of each query: in a round, or once the executions have ended. */
  readonly query: (when: 'round' | 'end') => QueryBudget;
  readonly stop: () => boolean;
  /** Most visits of one location in one activation, before its end is no longer waited for. Default: no limit. */
  readonly visits?: (location: Location) => number;
  /** Jumps over rounds of loops; default none. With jumps no end of executions proves anything. */
  readonly shortcut?: Shortcut;
}

export type BoundedSearchResult =
  | { readonly kind: 'found'; readonly scenario: Scenario }
  /** No execution is longer, none seen fails. */
  | { readonly kind: 'ended'; readonly ended: UnwindingCertificate }
  /**
   * `endedTogether`: no execution is longer, and control was never in two places, but whether one fails is not known.
   */
  | { readonly kind: 'open'; readonly endedTogether: boolean };

export async function searchBounded(
  system: TransitionSystem,
  solver: Solver,
  limits: BoundedSearchLimits,
): Promise<BoundedSearchResult> {
  const search = new BoundedSearch(system, solver, limits);
  try {
    return await search.run();
  } finally {
    search.close();
  }
}

class BoundedSearch {
  private readonly session: Session;
  private readonly executions: BoundedExecutions;
  private readonly visited = new Map<string, number>();
  /** Every question so far had an answer. */
  private decided = true;

  constructor(
    private readonly system: TransitionSystem,
    solver: Solver,
    private readonly limits: BoundedSearchLimits,
  ) {
    this.session = solver.session();
    this.executions = new BoundedExecutions(system, limits.calls, limits.order, limits.shortcut);
  }

  close(): void {
    this.session.close();
  }

  async run(): Promise<BoundedSearchResult> {
    const { executions, limits } = this;
    const dropped = new Map<number, ReadonlySet<string>>();
    /** Not known to hold. */
    let open: Obligation[] = [];
    let undecided = false;
    let round = 0;
    let widest = executions.frontier.length;
    const ask = async (): Promise<Scenario | undefined> => {
      const answer = await this.ask(open);
      undecided = answer === 'undecided';
      if (answer === 'undecided') return undefined;
      open = [];
      return answer === 'none' ? undefined : answer;
    };
    for (; round < limits.rounds && executions.frontier.length > 0; round++) {
      if (limits.stop() || executions.next.some((control) => this.comesTooOften(control)))
        return { kind: 'open', endedTogether: false };
      executions.advance();
      widest = Math.max(widest, executions.frontier.length);
      open.push(...executions.obligations.filter(({ guard }) => guard !== L.FALSE));
      // The deeper, the less often: one question about several rounds costs little more than one about the last. Where
      // it is the end that matters, what has no answer waits for it.
      if (
        (round < 8 || round % Math.ceil(round / 8) === 0 || round === limits.rounds - 1) &&
        executions.frontier.length > 0 &&
        !(limits.visits && undecided)
      ) {
        const scenario = await ask();
        if (scenario !== undefined) return { kind: 'found', scenario };
        // A search for failures goes on; no end will prove anything.
        if (undecided && !limits.visits) {
          this.decided = false;
          open = [];
        }
      }
      if (round % 6 === 5) dropped.set(round, await this.dropInfeasible());
    }
    if (executions.frontier.length > 0) return { kind: 'open', endedTogether: false };
    const scenario = await ask();
    if (scenario !== undefined) return { kind: 'found', scenario };
    return this.decided && !undecided
      ? { kind: 'ended', ended: { rounds: round, order: limits.order, dropped } }
      : { kind: 'open', endedTogether: widest === 1 };
  }

  private comesTooOften(control: Control): boolean {
    if (!this.limits.visits) return false;
    const key = keyOf(control);
    const visits = (this.visited.get(key) ?? 0) + 1;
    this.visited.set(key, visits);
    return visits > this.limits.visits(control.location);
  }

  private async ask(obligations: readonly Obligation[]): Promise<Scenario | 'none' | 'undecided'> {
    const some = anyViolated(obligations);
    if (some === L.FALSE) return 'none';
    this.assertWithAxioms([some]);
    this.session.push();
    this.session.assert(some);
    const when = this.executions.frontier.length === 0 ? 'end' : 'round';
    const answer = await this.session.check([], this.limits.query(when));
    this.session.pop();
    switch (answer.kind) {
      case 'sat':
        return this.scenario(answer.model);
      case 'unsat':
        return 'none';
      case 'unknown':
        return 'undecided';
    }
  }

  private assertWithAxioms(terms: readonly Term[]): void {
    for (const term of this.executions.newAxioms(terms)) this.session.assert(term);
  }

  /**
   * Drops control that cannot be, of what is stepped next, and says what that was; what the solver cannot decide stays.
   */
  private async dropInfeasible(): Promise<ReadonlySet<string>> {
    const dropped = new Set<Control>();
    for (const control of this.executions.next) {
      const { guard } = control.flow;
      if (guard === L.TRUE || this.limits.stop()) continue;
      this.assertWithAxioms([guard]);
      const answer = await this.session.check([guard], {
        timeoutMs: Math.min(500, this.limits.query('round').timeoutMs),
      });
      if (answer.kind === 'unsat') dropped.add(control);
    }
    this.executions.frontier = this.executions.frontier.filter((control) => !dropped.has(control));
    return new Set([...dropped].map(keyOf));
  }

  private scenario(model: Model): Scenario {
    const happens = ({ guard }: { readonly guard: Term }): boolean => model.evaluate(guard) === true;
    const calls = this.executions.calls
      .filter(happens)
      .map(({ fn, locals, state }) => ({ fn, locals, contents: state.memory.contents }));
    return scenarioOfModel(this.system, calls, this.executions.inputs.filter(happens), model);
  }
}
