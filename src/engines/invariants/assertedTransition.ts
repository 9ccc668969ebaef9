/** A transition in a session of a solver, with the candidates at its ends under names. */
import { assertedBounds } from '../../logic/bounds/assertedBounds';
import { WordIntervals } from '../../logic/bounds/wordIntervals';
import * as L from '../../logic/build';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { invariantsOnTheWay, pointsOnTheWay } from '../../abstraction/predicates/transitionQuery';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { type InvariantMap, invariantsAt } from '../../abstraction/transitionSystem/invariantMap';
import type { Transition, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { conjuncts } from '../../semantics/symbolic/segment';
import type { Session, Solver } from '../../solver/solver';

export interface NamedCandidate {
  readonly literal: Term;
  readonly meaning: Term;
}

export interface AssertedTransition {
  readonly session: Session;
  /** Beside the transition and the candidates: what is known of its states, and what that presumes. */
  readonly known: readonly Term[];
  /** Points whose candidates the transition may assume. */
  readonly sources: readonly { readonly point: Cutpoint; readonly before: ReadonlyMap<Term, NamedCandidate> }[];
  readonly ends: readonly {
    readonly point: Cutpoint;
    readonly guard: Term;
    readonly after: ReadonlyMap<Term, NamedCandidate>;
  }[];
  /** By meaning: the candidates that say this of a state that the step begins with. */
  readonly beginsWith: ReadonlyMap<Term, readonly { readonly point: Cutpoint; readonly term: Term }[]>;
}

/** The solver is told of the transition and of all candidates once, each candidate under a name. */
export function assertTransition(
  transition: Transition,
  system: TransitionSystem,
  invariants: InvariantMap,
  candidates: ReadonlyMap<Cutpoint, ReadonlySet<Term>>,
  solver: Solver,
): AssertedTransition {
  const { vocabulary } = system;
  const definitions: Term[] = [];
  // A name for a quantified formula would need a witness of its own.
  const name = (meaning: Term, define: (literal: Term, meaning: Term) => Term): Term => {
    if (meaning.kind === 'boolean' || meaning.kind === 'symbol' || hasQuantifier(meaning)) return meaning;
    const literal = L.symbol(`?fact${transition.index}:${definitions.length}`, L.boolSort);
    definitions.push(define(literal, meaning));
    return literal;
  };
  // Defined in the direction that is used: the solver need not tell of a candidate that is dropped if it holds.
  const assumedName = (meaning: Term): Term => name(meaning, L.implies);
  const askedName = (meaning: Term): Term => name(meaning, (literal, defined) => L.implies(defined, literal));
  const beginsWith = new Map<Term, { readonly point: Cutpoint; readonly term: Term }[]>();
  const sources = sourcesOf(transition, system).map(({ point, binding }) => {
    const terms = [...candidates.get(point)!];
    const meanings = substituteAll(terms, binding);
    meanings.forEach((meaning, i) =>
      beginsWith.set(meaning, [...(beginsWith.get(meaning) ?? []), { point, term: terms[i]! }]),
    );
    const before = terms.map((term, i) => {
      const meaning = meanings[i]!;
      return [term, { literal: assumedName(meaning), meaning }] as const;
    });
    return { point, before: new Map(before) };
  });
  const assumed = [
    ...transition.axioms,
    ...(transition.from ? invariantsAt(invariants, transition.from) : []),
    ...invariantsOnTheWay(transition, invariants, vocabulary),
  ];
  const isAssumed = new Set(assumed);
  const ends = transition.ends.map(({ point, guard, state }) => {
    const terms = [...candidates.get(point)!];
    const meanings = substituteAll(terms, vocabulary.binding(point.fn, state));
    const intervals = new WordIntervals(assertedBounds([...assumed, guard], new Map()));
    const given = new Set(conjuncts(guard));
    // The solver is not asked for what stands there, as what clients guarantee, or what intervals tell.
    const holds = (meaning: Term): boolean =>
      isAssumed.has(meaning) || given.has(meaning) || (meaning.kind === 'apply' && intervals.truth(meaning) === true);
    return {
      point,
      guard: name(guard, L.iff),
      after: new Map(
        terms.map((term, i) => {
          const meaning = meanings[i]!;
          return [term, { literal: holds(meaning) ? L.TRUE : askedName(meaning), meaning }];
        }),
      ),
    };
  });
  const session = solver.session({ about: transition });
  const base = [...assumed, ...definitions];
  const quantified = [
    ...sources.flatMap(({ before }) => [...before.values()].map(({ literal }) => literal)),
    ...ends.flatMap(({ after }) => [...after.values()].map(({ literal }) => literal)),
  ].filter(hasQuantifier);
  const axioms = vocabulary.readAxioms([...base, ...quantified], new Set());
  for (const term of [...base, ...axioms]) session.assert(term);
  const ofStep = new Set(transition.axioms);
  const known = [...assumed, ...axioms].filter((term) => !ofStep.has(term));
  return { session, known, sources, ends, beginsWith };
}

/** Points whose invariants a transition may assume, with its names for their states. */
function sourcesOf(
  transition: Transition,
  { vocabulary }: TransitionSystem,
): readonly { readonly point: Cutpoint; readonly binding: ReadonlyMap<Term, Term> }[] {
  return [
    ...(transition.from ? [{ point: transition.from, binding: new Map<Term, Term>() }] : []),
    ...pointsOnTheWay(transition, vocabulary),
  ];
}
