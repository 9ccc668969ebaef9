/**
 * Checks that follow from inductive invariants, and the part of the invariants that they rest on: an inductive validity
 * core (Ghassabani, Gacek, Whalen, "Efficient generation of inductive validity cores for safety properties", FSE 2016).
 * Found backwards: from each check the invariants that its proof uses, from each of these those that its own step uses.
 * Invariants that are not shown when the time is up are left out, and those that rest on them; the rest is inductive.
 *
 * A core is small and so is soon certified, and it counts for nothing before.
 */
import * as L from '../../logic/build';
import { withOneWitness } from '../../logic/quantifiers/oneWitness';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { type InvariantMap, invariantMap, invariantsAt } from '../../abstraction/transitionSystem/invariantMap';
import type { Transition, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import type { Check } from '../../program/command';
import type { Obligation } from '../../semantics/symbolic/segment';
import { anyViolated } from '../../semantics/symbolic/violations';
import type { Session, Solver } from '../../solver/solver';

const limits = {
  /** For one question, and for one about a part of what a question was about. */
  questionMs: 2_000,
  partMs: 500,
  /** Invariants in one question. */
  together: 24,
} as const;

export interface ProofCore {
  readonly invariants: InvariantMap;
  /** Checks that were not shown to follow from them. */
  readonly open: ReadonlySet<Check>;
}

/** `invariants`: inductive, as far as the solver told. `notAsked`: checks that stay open. */
export async function proofCore(
  system: TransitionSystem,
  invariants: InvariantMap,
  solver: Solver,
  budget: Budget,
  notAsked: ReadonlySet<Check> = new Set(),
): Promise<ProofCore> {
  const search = new Backwards(system, invariants, solver, budget);
  try {
    return await search.find(notAsked);
  } finally {
    search.close();
  }
}

interface Invariant {
  readonly point: Cutpoint;
  readonly term: Term;
}

/** To be shown of a transition: obligations, or invariants at its ends. It rests on invariants at its beginning. */
interface Goal {
  readonly transition: Transition;
  readonly obligations: readonly Obligation[];
  readonly invariants: readonly Invariant[];
}

interface OpenTransition {
  readonly session: Session;
  /** By the name that the session has for it. */
  readonly premises: ReadonlyMap<Term, Invariant>;
  readonly byMeaning: ReadonlyMap<Term, Invariant>;
  /** Terms whose axioms were told. */
  readonly read: ReadonlySet<Term>;
}

/** Shown at once, and what it rests on. No transition: what clients rely on, by what holds at exits. */
interface Shown extends Omit<Goal, 'transition'> {
  readonly transition?: Transition;
  readonly by: readonly Invariant[];
}

class Backwards {
  private readonly all: ReadonlyMap<Cutpoint, ReadonlyMap<Term, Invariant>>;
  private readonly opened = new Map<Transition, OpenTransition>();
  private readonly needed = new Set<Invariant>();
  /** Needed, and not yet shown of the transitions that end there. */
  private readonly pending: Map<Cutpoint, Set<Invariant>> = new Map();
  private readonly refused = new Set<Invariant>();
  private shown: Shown[] = [];

  constructor(
    private readonly system: TransitionSystem,
    invariants: InvariantMap,
    private readonly solver: Solver,
    private readonly budget: Budget,
  ) {
    this.all = new Map(
      system.points.map((point) => [
        point,
        new Map(invariantsAt(invariants, point).map((term) => [term, { point, term }])),
      ]),
    );
  }

  async find(notAsked: ReadonlySet<Check>): Promise<ProofCore> {
    const open = new Set(notAsked);
    const show = async (goal: Goal): Promise<void> => {
      for (const { obligations, invariants } of await this.unshown(goal)) {
        for (const { check } of obligations) open.add(check);
        for (const invariant of invariants) this.refused.add(invariant);
      }
    };
    const { transitions } = this.system;
    for (const transition of transitions) {
      const { segment, from } = transition;
      if (!segment || !from) continue;
      const obligations = segment.obligations.filter(({ check }) => !open.has(check));
      await show({ transition, obligations, invariants: [] });
    }
    do {
      for (let work = this.take(); work; work = this.take()) {
        const [point, invariants] = work;
        this.handOver(point, invariants);
        for (const transition of transitions) {
          if (!transition.ends.some((end) => end.point === point)) continue;
          for (let i = 0; i < invariants.length; i += limits.together) {
            const group = invariants.slice(i, i + limits.together).filter((one) => !this.refused.has(one));
            await show({ transition, obligations: [], invariants: group });
          }
        }
      }
      // A goal that was shown from an invariant that is refused may be shown without.
      const lost = this.shown.filter(({ by }) => by.some((one) => this.refused.has(one)));
      if (lost.length === 0) break;
      this.shown = this.shown.filter((one) => !lost.includes(one));
      for (const { transition, obligations, invariants } of lost) {
        if (transition) await show({ transition, obligations, invariants });
        else for (const invariant of invariants) this.refused.add(invariant);
      }
    } while (!this.budget.exhausted);
    return this.core(open);
  }

  close(): void {
    for (const { session } of this.opened.values()) session.close();
  }

  private take(): readonly [Cutpoint, readonly Invariant[]] | undefined {
    if (this.budget.exhausted) return undefined;
    for (const [point, invariants] of this.pending) {
      this.pending.delete(point);
      return [point, [...invariants]];
    }
    return undefined;
  }

  /** The rest once all is gone that was not shown, or rests on something that is gone. */
  private core(open: Set<Check>): ProofCore {
    const gone = new Set([...this.refused, ...[...this.pending.values()].flatMap((terms) => [...terms])]);
    let before: number;
    do {
      before = gone.size + open.size;
      for (const { obligations, invariants, by } of this.shown) {
        if (!by.some((one) => gone.has(one))) continue;
        for (const { check } of obligations) open.add(check);
        for (const invariant of invariants) gone.add(invariant);
      }
    } while (gone.size + open.size > before);
    const left = (point: Cutpoint): readonly Term[] =>
      [...this.all.get(point)!.values()]
        .filter((one) => this.needed.has(one) && !gone.has(one))
        .map(({ term }) => term);
    return { invariants: invariantMap(this.system.points, left), open };
  }

  /** The parts of a goal that cannot be shown. */
  private async unshown(goal: Goal): Promise<readonly Goal[]> {
    const { transition } = goal;
    const { session, premises, byMeaning, read } = this.open(transition);
    const open: Goal[] = [];
    const work = [this.withoutGiven(goal, byMeaning)];
    for (let one = work.pop(); one; one = work.pop()) {
      const violated = this.violated(one);
      if (violated === L.FALSE) {
        this.use(one, []);
        continue;
      }
      if (this.budget.exhausted) {
        open.push(one);
        continue;
      }
      const size = one.obligations.length + one.invariants.length;
      session.push();
      for (const term of [violated, ...this.system.vocabulary.readAxioms([violated], new Set(read))])
        session.assert(term);
      const timeoutMs = work.length === 0 ? limits.questionMs : limits.partMs;
      const usable = [...premises].filter(([, invariant]) => !this.refused.has(invariant)).map(([name]) => name);
      const answer = await session.check(usable, this.budget.query(timeoutMs));
      session.pop();
      if (answer.kind === 'unsat') {
        this.use(
          one,
          answer.core.flatMap((name) => premises.get(name) ?? []),
        );
      } else if (size === 1) open.push(one);
      else work.push(...halvesOf(one));
    }
    return open;
  }

  /** Without invariants that stand at the beginning of the step in the same words. */
  private withoutGiven(goal: Goal, byMeaning: ReadonlyMap<Term, Invariant>): Goal {
    const rest = goal.invariants.filter((invariant) => {
      const meanings = this.meanings(goal.transition, invariant).map(({ meaning }) => meaning);
      const given = meanings.map((meaning) => byMeaning.get(meaning));
      if (!given.every((one) => one !== undefined && !this.refused.has(one))) return true;
      this.use({ ...goal, invariants: [invariant] }, given as Invariant[]);
      return false;
    });
    return { ...goal, invariants: rest };
  }

  private use(shown: Omit<Shown, 'by'>, by: readonly Invariant[]): void {
    if (shown.obligations.length + shown.invariants.length === 0) return;
    this.shown.push({ ...shown, by });
    for (const invariant of by) {
      if (this.needed.has(invariant)) continue;
      this.needed.add(invariant);
      const { point } = invariant;
      const pending = this.pending.get(point);
      if (pending) pending.add(invariant);
      else this.pending.set(point, new Set([invariant]));
    }
  }

  /** An invariant at the ends of a transition. */
  private meanings(
    { ends }: Transition,
    { point, term }: Invariant,
  ): { readonly guard: Term; readonly meaning: Term }[] {
    const { vocabulary } = this.system;
    return ends.flatMap((end) => {
      if (end.point !== point) return [];
      const [meaning] = substituteAll([term], vocabulary.binding(point.fn, end.state));
      return [{ guard: end.guard, meaning: meaning! }];
    });
  }

  private violated({ transition, obligations, invariants }: Goal): Term {
    const meanings = new Map<Term, Term[]>();
    for (const invariant of invariants) {
      for (const { guard, meaning } of this.meanings(transition, invariant))
        meanings.set(guard, [...(meanings.get(guard) ?? []), meaning]);
    }
    return L.or(
      ...(obligations.length > 0 ? [anyViolated(obligations)] : []),
      ...[...meanings].map(([guard, terms]) => L.and(guard, L.not(withOneWitness(terms)))),
    );
  }

  /** Invariants that clients rely on hold at the exits that return to them, in the same words. */
  private handOver(point: Cutpoint, invariants: readonly Invariant[]): void {
    const { client, points, options } = this.system;
    if (point !== client) return;
    const exits = points.filter(
      ({ kind, fn }) => kind === 'exit' && (options.entries.includes(fn) || fn === options.init),
    );
    for (const invariant of invariants) {
      const there = exits.flatMap((exit) => this.all.get(exit)!.get(invariant.term) ?? []);
      if (there.length === exits.length) this.use({ obligations: [], invariants: [invariant] }, there);
      else this.refused.add(invariant);
    }
  }

  /** Told once of the transition and of what holds at its beginning, each under a name. */
  private open(transition: Transition): OpenTransition {
    const known = this.opened.get(transition);
    if (known) return known;
    const premises = new Map<Term, Invariant>();
    const byMeaning = new Map<Term, Invariant>();
    const told: Term[] = [...transition.axioms];
    for (const { point, binding } of this.sources(transition)) {
      const invariants = [...this.all.get(point)!.values()];
      const meanings = substituteAll(
        invariants.map(({ term }) => term),
        binding,
      );
      meanings.forEach((meaning, i) => {
        byMeaning.set(meaning, invariants[i]!);
        const name = L.symbol(`?premise${transition.index}:${premises.size}`, L.boolSort);
        premises.set(name, invariants[i]!);
        told.push(L.implies(name, meaning));
      });
    }
    const session = this.solver.session({ about: transition });
    const read = new Set<Term>();
    for (const term of [...told, ...this.system.vocabulary.readAxioms(told, read)]) session.assert(term);
    const opened: OpenTransition = { session, premises, byMeaning, read };
    this.opened.set(transition, opened);
    return opened;
  }

  /** Points whose invariants a certificate's step may use. */
  private sources({ from, through, summary }: Transition): readonly {
    readonly point: Cutpoint;
    readonly binding: ReadonlyMap<Term, Term>;
  }[] {
    const { vocabulary } = this.system;
    const passed = [...through, ...(summary ? [{ point: summary.exit, state: summary.exitState }] : [])];
    return [
      ...(from ? [{ point: from, binding: new Map<Term, Term>() }] : []),
      ...passed.map(({ point, state }) => ({ point, binding: vocabulary.binding(point.fn, state) })),
    ];
  }
}

function halvesOf(goal: Goal): readonly Goal[] {
  const half = <T>(all: readonly T[], which: 0 | 1): readonly T[] => {
    const middle = Math.ceil(all.length / 2);
    return which === 0 ? all.slice(0, middle) : all.slice(middle);
  };
  return ([0, 1] as const).map((which) => ({
    ...goal,
    obligations: half(goal.obligations, which),
    invariants: half(goal.invariants, which),
  }));
}
