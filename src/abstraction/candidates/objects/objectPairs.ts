/** Relations of two objects that the program allocates, of one region or of two. */
import * as L from '../../../logic/build';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { Node } from '../../../semantics/pointers/regionNode';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Observable } from '../samples';

export interface ObjectLink {
  readonly object: Term;
  readonly offset: Term;
  readonly target: Node | undefined;
}

/** The objects of a region, by a number `bound`; `other` is the number of a second one. */
export interface ObjectRegion {
  readonly node: Node;
  readonly bound: SymbolTerm;
  readonly other: SymbolTerm;
  readonly fields: readonly Observable[];
  readonly links: readonly ObjectLink[];
}

/** Two objects have no link to one and the same, unless a forest says so of both links. */
export function pairFormulas({ bound, other, links }: ObjectRegion, inForest: readonly ObjectLink[]): Term[] {
  const terms: Term[] = [];
  links.forEach((a, i) =>
    links.forEach((b, j) => {
      if (j < i || a.target !== b.target || (inForest.includes(a) && inForest.includes(b))) return;
      const linked = L.select(arrayOf(b.object), other);
      const none = L.bits(0n, L.widthOf(linked));
      terms.push(L.or(L.eq(bound, other), L.eq(linked, none), L.not(L.eq(a.object, linked))));
    }),
  );
  return terms;
}

/** A list that begins at a link of the region leads on in another one: no object there links to its first one. */
export function acrossFormulas(
  { node, links, other }: ObjectRegion,
  regions: readonly ObjectRegion[],
  { memoryModel }: TransitionSystem,
): { readonly term: Term; readonly to: ObjectRegion }[] {
  const find = (one: Node): Node => memoryModel.regions.find(one);
  return links.flatMap(({ object, target }) =>
    regions
      .filter((to) => target && find(to.node) === find(target) && find(to.node) !== find(node))
      .flatMap((to) =>
        to.links
          .filter((link) => link.target && find(link.target) === find(to.node))
          .map((link) => {
            const isNone = L.eq(object, L.bits(0n, memoryModel.half));
            return { to, term: L.or(isNone, L.not(L.eq(L.select(arrayOf(link.object), other), object))) };
          }),
      ),
  );
}

export function arrayOf(read: Term): Term {
  if (!L.isApplication(read, 'select')) throw new Error('members of objects are read from arrays');
  return read.args[0]!;
}
