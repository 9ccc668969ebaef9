/**
 * Predicates that a search leaves behind when it gives up, for the next abstraction: at the heads of loops, what was
 * locked there, and what several labels have in common. They are guesses like any other predicate.
 */
import type { CutpointKey } from '../../abstraction/transitionSystem/cutpoint';
import type { GraphNode } from '../../abstraction/transitionSystem/transitionGraph';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { atomsOfSplits } from '../refinement/engines';
import { isHousekeeping, neededLiterals } from './literalText';
import type { TreeNode } from './searchTree';

const limits = {
  /** Labels that a literal must occur in; one of a single state says little about a loop. */
  labels: 2,
} as const;

export type Explanations = ReadonlyMap<CutpointKey, ReadonlySet<Term>>;

/** The explanations, after those that are there already; these themselves if there are no others. */
export function withExplanations(
  before: Explanations,
  system: TransitionSystem,
  locked: ReadonlyMap<GraphNode, ReadonlySet<Term>>,
  finished: ReadonlyMap<GraphNode, readonly TreeNode[]>,
): Explanations {
  const found = new Map<CutpointKey, Term[]>();
  const add = ({ point }: GraphNode, terms: Iterable<Term>): void => {
    if (!point?.location.isLoopHead) return;
    // A place with a stack has callers' variables too, of which an abstract state there says nothing.
    const own = new Set<Term>(system.vocabulary.symbolsFor(point.fn));
    const about = [...terms].filter(
      (term) => [...symbolsOf(term)].every((symbol) => own.has(symbol)) && !isHousekeeping(term, system.vocabulary),
    );
    if (about.length > 0) found.set(point.key, [...(found.get(point.key) ?? []), ...about]);
  };
  for (const [place, terms] of locked) add(place, terms);
  for (const [place, nodes] of finished) add(place, common(nodes));
  if (found.size === 0) return before;
  const all = new Map(before);
  for (const [key, terms] of found) {
    const atoms = atomsOfSplits(all.get(key), terms);
    if (atoms.size > 0) all.set(key, atoms);
  }
  return all;
}

/** Literals that several nodes need, those of most nodes first. */
function common(nodes: readonly TreeNode[]): readonly Term[] {
  const count = new Map<Term, number>();
  for (const { label } of nodes)
    for (const term of new Set(neededLiterals(label))) count.set(term, (count.get(term) ?? 0) + 1);
  return [...count]
    .filter(([, labels]) => labels >= limits.labels)
    .sort(([, a], [, b]) => b - a)
    .map(([term]) => term);
}
