/**
 * The literals of a label without those that add nothing: equal terms are one literal, and a literal that a needed one
 * implies by its shape is left out. Bounds are looked up by their word, so that this takes time linear in the literals.
 */
import { isApplication } from '../../logic/intern';
import type { Term } from '../../logic/term';
import { isAlive, joinNeeds } from './constraints';
import { boundOf, implies } from './labels';
import type { Literal } from './searchTree';

export function conjunction(literals: readonly Literal[]): readonly Literal[] {
  const byTerm = new Map<Term, Literal>();
  for (const literal of literals) {
    if (!isAlive(literal.needs)) continue;
    const other = byTerm.get(literal.term);
    byTerm.set(
      literal.term,
      other
        ? {
            ...other,
            needs: joinNeeds(other.needs, literal.needs),
            core: [...new Set([...other.core, ...literal.core])],
          }
        : literal,
    );
  }
  const always = new Premises([...byTerm.values()].flatMap(({ term, needs }) => (needs === 'always' ? [term] : [])));
  return [...byTerm.values()].filter(({ term }) => !always.imply(term));
}

/** Terms that hold, and the terms that their shapes imply; as `implies` says of each two. */
export class Premises {
  private readonly terms: ReadonlySet<Term>;
  private readonly conjunctions: readonly Term[];
  /** The closest bound of a word on a side. */
  private readonly closest = new Map<Term, Map<string, { readonly value: bigint; readonly term: Term }>>();

  constructor(terms: readonly Term[]) {
    this.terms = new Set(terms);
    this.conjunctions = terms.filter((term) => isApplication(term, 'and'));
    for (const term of terms) {
      const bound = boundOf(term);
      if (!bound) continue;
      const { word, side, value } = bound;
      let sides = this.closest.get(word);
      if (!sides) this.closest.set(word, (sides = new Map()));
      const before = sides.get(side);
      if (!before || (side.endsWith('most') ? value < before.value : value > before.value))
        sides.set(side, { value, term });
    }
  }

  /** True if one of the terms, other than the given one, implies it by its shape. */
  imply(term: Term): boolean {
    return this.implyPart(term, term);
  }

  private implyPart(part: Term, whole: Term): boolean {
    if (part !== whole && this.terms.has(part)) return true;
    if (isApplication(part, 'or')) return part.args.some((one) => this.implyPart(one, whole));
    if (this.conjunctions.some((other) => other !== whole && implies(other, part))) return true;
    const bound = boundOf(part);
    const closest = bound && this.closest.get(bound.word)?.get(bound.side);
    if (!bound || !closest || closest.term === whole) return false;
    return bound.side.endsWith('most') ? closest.value <= bound.value : closest.value >= bound.value;
  }
}
