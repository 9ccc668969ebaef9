/**
 * A certificate as text, and back on a system of the same program, or of a program that has changed since. Read with
 * suspicion: whatever is not exactly of the expected form is no proof, and what is read is only a claim that
 * `evidence/certify` judges.
 */
import * as L from '../logic/build';
import { NotTerms, readTerms, writeTerms } from '../logic/serialise';
import { symbolsOf } from '../logic/symbols';
import type { Term } from '../logic/term';
import type { Cutpoint } from '../abstraction/transitionSystem/cutpoint';
import type {
  AbstractState,
  StatePredicate,
  PredicateAbstraction,
} from '../abstraction/predicates/predicateAbstraction';
import { cube } from '../abstraction/predicates/predicateAbstraction';
import { type InvariantMap, invariantsAt } from '../abstraction/transitionSystem/invariantMap';
import type { TransitionSystem } from '../abstraction/transitionSystem/transitionSystem';
import type { Location, Program } from '../program/program';
import type { StateInC } from '../verdict';

interface StoredPoint {
  readonly name: string;
  /** Into the roots of the table. */
  readonly invariants: readonly number[];
  readonly predicates: readonly (readonly [root: number, name: string | null])[];
  readonly states: readonly (readonly [context: string, valuation: string, sample: StateInC])[];
}
export interface StoredProof {
  readonly terms: unknown;
  readonly points: readonly StoredPoint[];
  /** Loops taken into segments: function, location of the head, rounds. */
  readonly unroll: readonly (readonly [string, number, number])[];
  /** k of k-induction. */
  readonly induction: number;
}

/** `candidates`: stored in place of the invariants, without abstract states. */
export function storeProof({ system, points: abstract }: PredicateAbstraction, candidates?: InvariantMap): StoredProof {
  const roots: Term[] = [];
  const root = (term: Term): number => roots.push(term) - 1;
  const names = namesOf(system.points);
  const points = abstract.map((one): StoredPoint => ({
    name: names.get(one.point)!,
    invariants: (candidates ? invariantsAt(candidates, one.point) : one.invariants).map(root),
    predicates: candidates ? [] : one.predicates.map(({ term, name }) => [root(term), name ?? null]),
    states: candidates ? [] : one.all().map(({ context, valuation, sample }) => [context, valuation, sample]),
  }));
  const unroll = [...system.unrolled].map(
    ([head, { rounds }]) =>
      [system.points.find(({ location }) => location === head)!.fn.name, head.index, rounds] as const,
  );
  return { terms: writeTerms(roots), points, unroll, induction: system.options.induction ?? 1 };
}

const mostRounds = 10_000;

const deepestInduction = 10;

/** Any k is sound. */
export function recallInduction(stored: unknown): number {
  const k = (stored as Partial<StoredProof> | null | undefined)?.induction;
  return k !== undefined && Number.isInteger(k) && k >= 1 && k <= deepestInduction ? k : 1;
}

/** Undefined when it is not about such loops. Any number of rounds is sound. */
export function recallUnrolling(stored: unknown, program: Program): ReadonlyMap<Location, number> | undefined {
  try {
    return new Map(
      (stored as StoredProof).unroll.flatMap(([name, index, rounds]) => {
        const head = program.functionByName.get(name)?.locations.find((location) => location.index === index);
        return head?.isLoopHead && Number.isInteger(rounds) && rounds > 0 && rounds < mostRounds
          ? [[head, rounds] as const]
          : [];
      }),
    );
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

export interface RecalledPoint {
  readonly invariants: readonly Term[];
  readonly predicates: readonly StatePredicate[];
  readonly states: readonly AbstractState[];
}

/**
 * Facts stored about each point of a system of the very same program; undefined when they are not about this system.
 */
export function recallProof(
  stored: unknown,
  system: TransitionSystem,
): ReadonlyMap<Cutpoint, RecalledPoint> | undefined {
  const found = recallByName(stored, system);
  return found && system.points.every((point) => found.has(point)) ? found : undefined;
}

/** The same for whatever points of a changed program still have their names and mention what is still there. */
export function recallByName(
  stored: unknown,
  system: TransitionSystem,
): ReadonlyMap<Cutpoint, RecalledPoint> | undefined {
  const proof = read(stored);
  if (!proof) return undefined;
  const names = namesOf(system.points);
  const byName = new Map(proof.points.map((point) => [point.name, point]));
  return new Map(
    system.points.flatMap((point) => {
      const kept = byName.get(names.get(point)!);
      if (!kept) return [];
      const known = new Set<Term>(system.vocabulary.symbolsFor(point.fn));
      const isOurs = (term: Term): boolean => [...symbolsOf(term)].every((symbol) => known.has(symbol));
      const predicates = kept.predicates.map(({ term, name }) => ({ term, name }));
      // Valuations without one of their predicates would mean something else.
      const whole = predicates.every(({ term }) => isOurs(term));
      return [
        [
          point,
          {
            invariants: kept.invariants.filter(isOurs),
            predicates: whole ? predicates : [],
            states: whole ? kept.states : [],
          },
        ] as const,
      ];
    }),
  );
}

/** An invariant that a point's abstract states amount to, whatever their contexts, beside those it holds. */
export function invariantOf({ predicates, states }: RecalledPoint): Term {
  return predicates.length === 0
    ? L.TRUE
    : L.or(
        ...[...new Set(states.map(({ valuation }) => valuation))].map((valuation) =>
          cube(
            valuation,
            predicates.map(({ term }) => term),
          ),
        ),
      );
}

/** Stable under changes of other functions: the function, the kind, and which of that kind. */
function namesOf(points: readonly Cutpoint[]): ReadonlyMap<Cutpoint, string> {
  const count = new Map<string, number>();
  return new Map(
    points.map((point) => {
      const stem = `${point.fn.name}:${point.kind}`;
      const ordinal = count.get(stem) ?? 0;
      count.set(stem, ordinal + 1);
      return [point, `${stem}:${ordinal}`];
    }),
  );
}

interface ReadPoint extends RecalledPoint {
  readonly name: string;
}

function read(stored: unknown): { readonly points: readonly ReadPoint[] } | undefined {
  try {
    const { terms, points } = stored as StoredProof;
    const roots = readTerms(terms);
    const truth = (root: number): Term => {
      const term = roots[root];
      if (term?.sort !== L.boolSort) throw new NotTerms('not a formula');
      return term;
    };
    return {
      points: points.map(({ name, invariants, predicates, states }): ReadPoint => ({
        name: String(name),
        invariants: invariants.map(truth),
        predicates: predicates.map(([root, called]) => ({ term: truth(root), name: called ?? undefined })),
        states: states.map(([context, valuation, sample]): AbstractState => {
          if (!new RegExp(`^[01]{${predicates.length}}$`).test(valuation) || !/^[01]*$/.test(context))
            throw new NotTerms('not a valuation');
          return {
            context,
            valuation,
            source: 'abstract',
            sample: sample.map((entry) => ({ name: String(entry.name), value: String(entry.value) })),
          };
        }),
      })),
    };
  } catch (error) {
    // A file of another version, or one that is not from provest: as if it did not exist.
    if (error instanceof NotTerms || error instanceof TypeError) return undefined;
    throw error;
  }
}
