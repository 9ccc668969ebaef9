/**
 * Reduces array reads to reads of array symbols. A read is moved through every write and every choice between arrays
 * (McCarthy's axioms, left to right), with a comparison of indices that may be equal. An index with few values is split
 * into cases. Each pair of array and index is reduced once. Formulas without arrays then contain words only, which a
 * SAT solver decides.
 */
import { select } from './arrays';
import { CasesOfWords } from '../words/cases';
import { eq, relate } from '../comparison';
import { ite } from '../conditional';
import { bits, FALSE, isApplication, widthOf } from '../intern';
import { isRelation } from '../links/reachability';
import { rebuild } from '../rebuild';
import type { Quantified, Term } from '../term';
import { postOrder } from '../traverse';

/** Limit on the pairs of an array and an index. Above it, the terms stay as they are. */
const mostPairs = 200_000;

const isQuantified = (t: Term): t is Quantified => t.kind === 'forall' || t.kind === 'exists';

/**
 * Equivalent terms; bodies of quantifiers are unchanged. Undefined if the result would be too long, or if no array is
 * written or chosen.
 */
export function elementwise(terms: readonly Term[]): readonly Term[] | undefined {
  const order = postOrder(terms, undefined, isQuantified);
  if (!order.some((t) => isApplication(t, 'select') && t.args[0]!.kind !== 'symbol')) return undefined;
  return new Elementwise().reduce(terms);
}

/** The same for terms that come one after the other: what is reduced once is remembered. */
export class Elementwise {
  private readonly reads = new Reads();
  private readonly done = new Map<Term, Term>();

  /** Undefined if the result would be too long. */
  reduce(terms: readonly Term[]): readonly Term[] | undefined {
    const { reads, done } = this;
    for (const t of postOrder(terms, (s) => done.has(s), isQuantified)) {
      if (t.kind !== 'apply') {
        done.set(t, t);
        continue;
      }
      const args = t.args.map((arg) => done.get(arg)!);
      const made =
        t.operator === 'select'
          ? reads.at(args[0]!, args[1]!)
          : t.operator === 'eq'
            ? reads.equal(args[0]!, args[1]!)
            : rebuild(t, args);
      if (made === undefined) return undefined;
      done.set(t, made);
    }
    return terms.map((term) => done.get(term)!);
  }
}

class Reads {
  private readonly cases = new CasesOfWords();
  /** By index, then by array. */
  private readonly known = new Map<Term, Map<Term, Term>>();
  private left = mostPairs;

  at(array: Term, index: Term): Term | undefined {
    const cases = index.kind === 'bits' ? undefined : this.cases.of(index);
    if (!cases) return this.atOne(array, index);
    let result: Term | undefined;
    for (const [value, condition] of cases) {
      const element = this.atOne(array, bits(value, widthOf(index)));
      if (element === undefined) return undefined;
      result = result === undefined ? element : ite(condition, element, result);
    }
    return result;
  }

  equal(a: Term, b: Term): Term {
    const [word, literal] = b.kind === 'bits' ? [a, b] : [b, a];
    if (literal.kind === 'bits') {
      const cases = this.cases.of(word);
      if (cases) return cases.get(literal.value) ?? FALSE;
    }
    return eq(a, b);
  }

  /** Iterative, because a loop builds arrays of many writes. */
  private atOne(array: Term, index: Term): Term | undefined {
    let of = this.known.get(index);
    if (!of) this.known.set(index, (of = new Map()));
    const stack = [array];
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      if (of.has(top)) {
        stack.pop();
        continue;
      }
      const needed = this.neededIndices(top, index).filter((one) => !of.has(one));
      if (needed.length > 0) {
        stack.push(...needed);
        continue;
      }
      if (this.left-- <= 0) return undefined;
      of.set(top, this.read(top, index, of));
      stack.pop();
    }
    return of.get(array)!;
  }

  private neededIndices(array: Term, index: Term): readonly Term[] {
    if (isRelation(array)) return [];
    if (isApplication(array, 'ite')) return [array.args[1]!, array.args[2]!];
    return isApplication(array, 'store') && relate(array.args[1]!, index) !== 'equal' ? [array.args[0]!] : [];
  }

  private read(array: Term, index: Term, of: ReadonlyMap<Term, Term>): Term {
    if (isRelation(array)) return select(array, index);
    if (isApplication(array, 'ite')) return ite(array.args[0]!, of.get(array.args[1]!)!, of.get(array.args[2]!)!);
    if (isApplication(array, 'store')) {
      const [base, at, value] = array.args as readonly [Term, Term, Term];
      const before = of.get(base);
      return before === undefined ? value : ite(this.equal(at, index), value, before);
    }
    return select(array, index);
  }
}
