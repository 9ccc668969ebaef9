/**
 * A proof's loop invariants for other verifiers. A conjunct is left out where a language cannot express it; what it
 * alone would imply is lost with it, so conjuncts become fewer only among those that remain.
 */
import { annotationOf } from '../../abstraction/annotation/annotationOf';
import type { Dialect } from '../../abstraction/annotation/number';
import { type AbstractPoint, cube, type PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { irredundant } from '../../abstraction/printing/minimise';
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { sourceLocationOf } from '../../sourceLocation';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { LanguageAnnotations, LoopAnnotation } from '../../verdict';

const limits = {
  /** A disjunction of more abstract states than this is nothing that a reader or a solver wants. */
  valuations: 64,
} as const;

export async function loopAnnotations(
  parts: readonly PredicateAbstraction[],
  solver: Solver,
  budget: QueryBudget,
  stop: () => boolean,
): Promise<LoopAnnotation[]> {
  const found: LoopAnnotation[] = [];
  for (const { system, points } of parts) {
    for (const one of points) {
      if (one.point.kind !== 'loop' || one.point.fn.library) continue;
      const { location, fn } = one.point;
      const { loop, span } = location;
      const rounds = system.unrolled.get(location)?.rounds;
      const conjuncts = invariantOf(one);
      const annotations = async (dialect: Dialect): Promise<LanguageAnnotations> => {
        if (rounds !== undefined) return { conjuncts: [], leftOut: 0 };
        const said = conjuncts.filter(
          (term) => annotationOf(term, one.point, system.vocabulary, dialect) !== undefined,
        );
        const kept = said.length < 2 ? said : await irredundant(said, [], solver, budget, stop);
        return {
          conjuncts: kept.map((term) => annotationOf(term, one.point, system.vocabulary, dialect)!),
          leftOut: conjuncts.length - said.length,
        };
      };
      found.push({
        place: sourceLocationOf(loop ?? span, fn.name),
        ...(loop && loop.expandedFrom === undefined && { start: loop.start }),
        cbmc: await annotations('cbmc'),
        acsl: await annotations('acsl'),
        ...(rounds !== undefined && { rounds }),
      });
    }
  }
  return found;
}

function invariantOf(one: AbstractPoint): readonly Term[] {
  const literals = one.predicates.map(({ term }) => term);
  const valuations = one.valuations();
  if (valuations.length === 0) return [L.FALSE];
  const states =
    literals.length === 0 || valuations.length > limits.valuations
      ? []
      : [L.or(...new Set(valuations.map((valuation) => cube(valuation, literals))))];
  return [...new Set([...one.invariants, ...states].flatMap(conjunctsOf))];
}

const conjunctsOf = (term: Term): readonly Term[] =>
  L.isApplication(term, 'and') ? term.args.flatMap(conjunctsOf) : term === L.TRUE ? [] : [term];
