/**
 * Instances for queries with chains (`chains.ts`): the laws of each chain at the objects of which the query reads the
 * relation, and its quantified formulas at the same objects. Reads of arrays are reduced to reads of array symbols, and
 * those become functions: Z3 answers the same queries with arrays 10 to 60 times slower, or not at all.
 *
 * The assertions imply the result, up to new names, as with `instantiate`.
 */
import { select } from '../arrays/arrays';
import { call } from '../call';
import { chainOf, halvesOf, instancesOf } from './chains';
import { Elementwise } from '../arrays/elementwise';
import { hasQuantifier, instantiate } from '../quantifiers/instances';
import { isApplication } from '../intern';
import { rebuild } from '../rebuild';
import { symbolsOf } from '../symbols';
import type { SymbolTerm, Term } from '../term';
import { postOrder } from '../traverse';

const isQuantified = (t: Term): boolean => t.kind === 'forall' || t.kind === 'exists';

/** A read of an array symbol, and the function call that stands for it. */
export interface ArrayRead {
  readonly array: SymbolTerm;
  readonly index: Term;
  readonly value: Term;
}

export interface Linked {
  /** Implied by the assertions that stay, whatever others are added. */
  readonly lasting: readonly Term[];
  readonly others: readonly Term[];
  readonly witnesses: readonly SymbolTerm[];
}

/** True if some terms are laws of chains. */
export const hasChains = (terms: readonly Term[]): boolean => terms.some((term) => chainOf(term) !== undefined);

/** For queries that share assertions: what was reduced for one is remembered. */
export class LinkedInstances {
  private readonly elements = new Elementwise();
  private readonly functions = new Map<Term, Term>();
  private readonly found = new Map<Term, ArrayRead>();
  /** Arrays that occur otherwise than being read stay arrays. */
  private readonly kept = new Set<Term>();

  private readonly relations = new Set<Term>();
  /** By chain and objects: queries of a session mostly speak of the same ones. */
  private readonly laws = new Map<string, readonly Term[]>();

  /** `staying`: assertions of all queries. */
  of(staying: readonly Term[], others: readonly Term[]): Linked {
    const all = [...staying, ...others];
    const chains = all.flatMap((term) => chainOf(term) ?? []);
    for (const { reach } of chains) this.relations.add(reach);
    const { terms, ground, witnesses } = instantiate(
      all.filter((term) => !chainOf(term)),
      {
        reduce: (given) => this.elements.reduce(given) ?? given,
        common: new Set(chains.flatMap(({ live, made }) => [live, made])),
        relations: this.relations,
      },
    );
    this.keepOthers(terms);
    const ofQuery = new Set<SymbolTerm>(witnesses);
    const stays = new Set(this.elements.reduce(staying.filter((term) => !hasQuantifier(term) && !chainOf(term))));
    const lasting: Term[] = [];
    const rest: Term[] = [];
    for (const term of terms) (stays.has(term) ? lasting : rest).push(this.asFunctions(term));
    const stayingChains = new Set(staying);
    const isAboutQuery = (law: Term): boolean => ofQuery.size > 0 && [...symbolsOf(law)].some((s) => ofQuery.has(s));
    for (const atom of all) {
      for (const law of this.lawsOf(atom, terms, ground)) {
        const isOfQuery = !stayingChains.has(atom) || isAboutQuery(law);
        (isOfQuery ? rest : lasting).push(law);
      }
    }
    return { lasting, others: rest, witnesses };
  }

  /** The reads of which function calls in the terms stand. */
  readsIn(terms: Iterable<Term>): readonly ArrayRead[] {
    return postOrder([...terms], undefined, isQuantified).flatMap((t) => this.found.get(t) ?? []);
  }

  private lawsOf(atom: Term, terms: readonly Term[], ground: readonly Term[]): readonly Term[] {
    const chain = chainOf(atom);
    if (!chain) return [];
    const objects = new Set<Term>();
    const linked = new Set<Term>();
    let counted = false;
    for (const t of postOrder(terms)) {
      if (!isApplication(t, 'select')) continue;
      if (t.args[0] === chain.reach) for (const half of halvesOf(t.args[1]!)) objects.add(this.asFunctions(half));
      if (t.args[0] !== chain.count) continue;
      objects.add(this.asFunctions(t.args[1]!));
      counted = true;
    }
    const addLinked = (given: readonly Term[], isWanted: (object: Term) => boolean): void => {
      for (const t of postOrder(given)) {
        if (!isApplication(t, 'select') || t.args[0] !== chain.objects) continue;
        const object = this.asFunctions(t.args[1]!);
        if (isWanted(object)) linked.add(object);
      }
    };
    // An instance reads the links of many objects that the query does not speak of otherwise.
    addLinked(ground, () => true);
    addLinked(terms, (object) => objects.has(object));
    if (objects.size === 0) return [];
    const ids = (some: ReadonlySet<Term>): string => [...some].map(({ id }) => id).join(' ');
    const key = `${atom.id}: ${ids(objects)}; ${ids(linked)}; ${counted}`;
    let laws = this.laws.get(key);
    if (!laws) {
      laws = instancesOf(chain, objects, linked, (array, index) => this.read(array, index), counted);
      this.laws.set(key, laws);
    }
    return laws;
  }

  private read(array: Term, index: Term): Term {
    const [reduced] = this.elements.reduce([select(array, index)]) ?? [];
    return this.asFunctions(reduced ?? select(array, index));
  }

  private keepOthers(terms: readonly Term[]): void {
    for (const t of postOrder(terms)) {
      if (t.kind !== 'apply') continue;
      t.args.forEach((arg, i) => {
        if (arg.sort.kind === 'array' && !(t.operator === 'select' && i === 0)) this.kept.add(arg);
      });
    }
  }

  private asFunctions(term: Term): Term {
    const { functions } = this;
    for (const t of postOrder([term], (s) => functions.has(s), isQuantified)) {
      if (t.kind !== 'apply') {
        functions.set(t, t);
        continue;
      }
      const args = t.args.map((arg) => functions.get(arg)!);
      const [array] = t.args as readonly [Term];
      if (t.operator !== 'select' || array.kind !== 'symbol' || this.kept.has(array)) {
        functions.set(t, rebuild(t, args));
        continue;
      }
      const value = call(
        `read ${array.name}`,
        t.sort,
        ...(this.relations.has(array) ? halvesOf(args[1]!) : [args[1]!]),
      );
      functions.set(t, value);
      this.found.set(value, { array, index: args[1]!, value });
    }
    return functions.get(term)!;
  }
}
