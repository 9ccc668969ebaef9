/** Axioms about arrays behind calls: what they were before, where the call has changed nothing. */
import * as L from '../../logic/build';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import { substitute } from '../../logic/substitute';
import { symbolsOf } from '../../logic/symbols';
import type { Application, SymbolTerm, Term } from '../../logic/term';
import { postOrder } from '../../logic/traverse';
import type { MemoryModel } from './memoryModel';
import { ancestorsKept, type AncestorsKept, reachabilityKept } from './reachedObjects';
import type { ReachabilityKept, ReachedSet } from './reachedObjects';

/**
 * What an array was before a call, in which objects made before `next` are the same but for those of `except`, and
 * those that were `reached`.
 */
export interface KeptByCall {
  readonly before: Term;
  readonly next: Term;
  readonly except: readonly Term[];
  readonly reached: readonly ReachedSet[];
}

export class KeptByCalls {
  private readonly arrays = new Map<Term, KeptByCall>();
  /** By relation: what is said of a pair of objects. */
  private readonly relations = new Map<Term, (from: Term, to: Term) => readonly Term[]>();

  constructor(private readonly memoryModel: MemoryModel) {}

  /** The array `after`, by object or by object and offset, is what it was where the call has changed no object. */
  array(after: Term, kept: KeptByCall): void {
    this.arrays.set(after, kept);
  }

  /** So is the relation of a link. */
  relation(after: Term, kept: ReachabilityKept): void {
    this.relations.set(after, (from, to) => reachabilityKept(after, kept, from, to));
  }

  /** So is the relation of a forest's parents. */
  ancestors(after: Term, kept: AncestorsKept): void {
    this.relations.set(after, (from, to) => ancestorsKept(after, kept, from, to));
  }

  /** For the read of an array. */
  ofRead({ args }: Application): readonly Term[] {
    const [after, index] = args as readonly [Term, Term];
    const kept = this.arrays.get(after);
    if (kept) return this.keptAt(after, index, kept);
    const related = this.relations.get(after);
    return related ? related(...this.halvesOf(index)) : [];
  }

  /** The same of all objects, for arrays of which terms with quantifiers speak, where lists are reached. */
  ofAll(terms: readonly Term[]): readonly Term[] {
    const quantified = this.arrays.size === 0 ? [] : terms.filter(hasQuantifier);
    const mentioned = [...new Set(quantified.flatMap((term) => [...symbolsOf(term)]))];
    const object = L.symbol('?kept', this.memoryModel.halfSort);
    const axioms = mentioned.flatMap((after) => {
      const kept = this.arrays.get(after);
      const isByObject = after.sort.kind === 'array' && after.sort.index === object.sort;
      return kept && isByObject && (this.relations.size > 0 || kept.reached.length > 0)
        ? this.keptAt(after, object, kept)
        : [];
    });
    if (mentioned.some((after) => this.relations.has(after)))
      for (const [after, froms] of this.firstsIn(quantified))
        for (const from of froms) axioms.push(...this.relations.get(after)!(from, object));
    return [axioms, this.ofTargets(quantified, object)].flatMap((some) =>
      some.length === 0 ? [] : [L.forall([object], L.and(...some))],
    );
  }

  /** In forests also at the objects to which members of all objects lead, as `live` in "all left[o] are live". */
  private ofTargets(quantified: readonly Term[], object: SymbolTerm): readonly Term[] {
    if (this.memoryModel.forests.length === 0) return [];
    const all = postOrder(quantified);
    const bound = new Set<SymbolTerm>(all.flatMap((t) => (t.kind === 'forall' || t.kind === 'exists' ? t.bound : [])));
    const reads = new Set<Term>();
    for (const t of all) {
      if (!L.isApplication(t, 'select') || !this.arrays.has(t.args[0]!) || t.args[1]!.kind === 'symbol') continue;
      const [one, ...others] = [...symbolsOf(t.args[1]!)].filter((symbol) => bound.has(symbol));
      if (!one || others.length > 0 || one.sort !== object.sort || t.args[1]!.sort !== object.sort) continue;
      reads.add(substitute(t, new Map([[one, object]])));
    }
    return [...reads].flatMap((read) => {
      const [after, index] = (read as Application).args as readonly [Term, Term];
      const kept = this.arrays.get(after)!;
      return kept.reached.length > 0 ? this.keptAt(after, index, kept) : [];
    });
  }

  /** Objects, none of them bound, from which others are asked to be reached. */
  private firstsIn(quantified: readonly Term[]): ReadonlyMap<Term, ReadonlySet<Term>> {
    const all = postOrder(quantified);
    const bound = new Set<SymbolTerm>(all.flatMap((t) => (t.kind === 'forall' || t.kind === 'exists' ? t.bound : [])));
    const found = new Map<Term, Set<Term>>();
    for (const t of all) {
      if (!L.isApplication(t, 'select') || !this.relations.has(t.args[0]!)) continue;
      const [from] = this.halvesOf(t.args[1]!);
      if ([...symbolsOf(from)].some((symbol) => bound.has(symbol))) continue;
      found.set(t.args[0]!, (found.get(t.args[0]!) ?? new Set()).add(from));
    }
    return found;
  }

  /** An array's element behind a call is what it was where the call has not changed its object. */
  private keptAt(after: Term, index: Term, { before, next, except, reached }: KeptByCall): Term[] {
    const object = L.widthOf(index) === this.memoryModel.half ? index : this.halvesOf(index)[0];
    const isKept = L.and(
      L.ult(object, next),
      ...except.map((one) => L.not(L.eq(object, one))),
      ...reached.map((set) => L.not(set.has(object))),
    );
    const [is, was] = [L.select(after, index), L.select(before, index)];
    return [L.implies(isKept, L.eq(is, was)), ...reached.map((set) => set.isOnList(object))];
  }

  private halvesOf(index: Term): readonly [Term, Term] {
    const { half } = this.memoryModel;
    return [L.extract(2 * half - 1, half, index), L.extract(half - 1, 0, index)];
  }
}
