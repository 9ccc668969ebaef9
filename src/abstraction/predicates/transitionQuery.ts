/**
 * One question per transition, asked again and again: can it lead from the known abstract states at its start to a
 * state whose abstraction at the end is not known yet? The transition's formula is asserted once; each question adds
 * the sources that are new and excludes the targets that are known (ISSTA 2006, section 3.2).
 */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Answer, Model, QueryBudget, Session, Solver } from '../../solver/solver';
import { type Cutpoint } from '../transitionSystem/cutpoint';
import { cube, type PredicateAbstraction, type Valuation } from './predicateAbstraction';
import { type InvariantMap, invariantsAt } from '../transitionSystem/invariantMap';
import type { TransitionSystem, Transition, TransitionEnd } from '../transitionSystem/transitionSystem';

export interface NewState {
  readonly end: TransitionEnd;
  readonly valuation: Valuation;
  readonly model: Model;
}

export type SuccessorAnswer =
  | { readonly kind: 'new'; readonly state: NewState }
  | { readonly kind: 'closed' }
  | { readonly kind: 'unknown'; readonly answer: Extract<Answer, { kind: 'unknown' }> };

interface ReadEnd {
  readonly end: TransitionEnd;
  readonly guard: Term;
  readonly literals: readonly Term[];
}

export class TransitionQuery {
  private session: Session | undefined;
  private ends: readonly ReadEnd[] = [];
  private sources: readonly Term[] = [];
  private summaryEntry: readonly Term[] = [];
  private summaryExit: readonly Term[] = [];
  private base: Term[] = [];
  private readonly seen = new Set<Term>();

  constructor(
    private readonly abstraction: PredicateAbstraction,
    readonly transition: Transition,
    private readonly solver: Solver,
  ) {}

  /**
   * `sources` undefined: the transition starts from nothing (the start of the program). `known` tells the valuations to
   * leave out.
   */
  async ask(
    sources: Term | undefined,
    known: (point: Cutpoint) => readonly Valuation[],
    budget: QueryBudget,
  ): Promise<SuccessorAnswer> {
    const session = this.open();
    session.push();
    try {
      if (sources) session.assert(sources);
      const targets = this.ends.map(({ end, guard, literals }) =>
        L.and(guard, ...known(end.point).map((valuation) => L.not(cube(valuation, literals)))),
      );
      session.assert(L.or(...targets));
      const answer = await session.check([], budget);
      switch (answer.kind) {
        case 'unsat':
          return { kind: 'closed' };
        case 'unknown':
          return { kind: 'unknown', answer };
        case 'sat':
          return { kind: 'new', state: this.readModel(targets, answer.model) };
      }
    } finally {
      session.pop();
    }
  }

  /** The disjunction of start valuations, over this transition's reading of the start predicates. */
  sourceCubes(valuations: readonly Valuation[]): Term {
    this.open();
    return L.or(...valuations.map((valuation) => cube(valuation, this.sources)));
  }

  /** The disjunction of (entry valuation, exit valuation) pairs of the callee. */
  summaryCubes(pairs: readonly (readonly [Valuation, Valuation])[]): Term {
    this.open();
    const tracks = this.transition.summary?.entry.tracksContext === true;
    return L.or(
      ...pairs.map(([entry, exit]) =>
        L.and(tracks ? cube(entry, this.summaryEntry) : L.TRUE, cube(exit, this.summaryExit)),
      ),
    );
  }

  close(): void {
    this.session?.close();
    this.session = undefined;
  }

  private open(): Session {
    if (this.session) return this.session;
    const {
      transition,
      abstraction: { system, invariants },
    } = this;
    const { vocabulary } = system;
    const defined: Term[] = [];
    const name = (what: string, term: Term): Term => {
      if (term.kind === 'symbol' || term.kind === 'boolean') return term;
      const literal = L.symbol(`?${transition.index}:${what}`, L.boolSort);
      defined.push(L.iff(literal, term));
      return literal;
    };
    const read = (point: Cutpoint, what: string, binding: ReadonlyMap<Term, Term>): Term[] =>
      substituteAll(
        this.abstraction.at(point).predicates.map(({ term }) => term),
        binding,
      ).map((term, i) => name(`${what}${i}`, term));
    this.sources = transition.from ? read(transition.from, 'from', new Map()) : [];
    this.ends = transition.ends.map((end, i) => ({
      end,
      guard: name(`guard${i}`, end.guard),
      literals: read(end.point, `to${i}.`, vocabulary.binding(end.point.fn, end.state)),
    }));
    if (transition.summary) {
      const { entry, entryState, exit, exitState } = transition.summary;
      this.summaryEntry = read(entry, 'entry', vocabulary.binding(entry.fn, entryState));
      this.summaryExit = read(exit, 'exit', vocabulary.binding(exit.fn, exitState));
    }
    this.base = [
      ...transition.axioms,
      ...(transition.from ? invariantsAt(invariants, transition.from) : []),
      ...invariantsOnTheWay(transition, invariants, vocabulary),
      ...defined,
    ];
    const readAxioms = vocabulary.readAxioms(this.base, this.seen);
    this.session = this.solver.session();
    for (const term of [...this.base, ...readAxioms]) this.session.assert(term);
    return this.session;
  }

  private readModel(targets: readonly Term[], model: Model): NewState {
    const index = targets.findIndex((target) => model.evaluate(target) === true);
    const { end, literals } = this.ends[index]!;
    return {
      end,
      valuation: literals.map((literal) => (model.evaluate(literal) === true ? '1' : '0')).join(''),
      model,
    };
  }
}

/**
 * Other points than the one it starts from of which a transition may use what is proved, with how it names their
 * states: a callee's entry and exit, heads of loops.
 */
export function pointsOnTheWay(
  { summary, through }: Transition,
  vocabulary: TransitionSystem['vocabulary'],
): { readonly point: Cutpoint; readonly binding: ReadonlyMap<Term, Term> }[] {
  const passed = summary
    ? [
        { point: summary.entry, state: summary.entryState },
        { point: summary.exit, state: summary.exitState },
      ]
    : through;
  return passed.map(({ point, state }) => ({ point, binding: vocabulary.binding(point.fn, state) }));
}

/** Invariants proved at those points. */
export function invariantsOnTheWay(
  transition: Transition,
  invariants: InvariantMap,
  vocabulary: TransitionSystem['vocabulary'],
): Term[] {
  return pointsOnTheWay(transition, vocabulary).flatMap(({ point, binding }) =>
    substituteAll(invariantsAt(invariants, point), binding),
  );
}
