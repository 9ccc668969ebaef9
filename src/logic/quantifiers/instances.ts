/**
 * Instantiates quantified formulas, so that the solver need not invent instances. A formula that must fail for some
 * value gets a name for the value (Skolem). A formula that holds for all values is instantiated at the indices of array
 * reads (after Bradley, Manna, Sipma, "What's decidable about arrays?", VMCAI 2006, whose index terms are the same for
 * their fragment).
 *
 * The original implies the result, up to the new names: if the result is unsatisfiable, so is the original. The
 * converse fails: a model of the result need not be a model of the original.
 */
import { and, not, or } from '../propositional';
import { lshr } from '../words/bitwise';
import { bits, isApplication, symbol, widthOf } from '../intern';
import { halvesOf } from '../links/chains';
import { fromLinear, linearOf, sub } from '../words/linear';
import { exists, forall } from './quantifier';
import { rebuild } from '../rebuild';
import { extract, signExtend } from '../words/shape';
import { boolSort } from '../sort';
import { substitute } from '../substitute';
import { symbolsOf } from '../symbols';
import type { Quantified, SymbolTerm, Term } from '../term';
import { postOrder } from '../traverse';
import { udiv, urem } from '../words/division';
import { witnessBounds } from './witnessBounds';

/** Rounds of collecting read indices and instantiating at them; instances may read at further indices. */
const mostRounds = 2;
/** With chains: laws that two links have in common lead from each object to ever further ones. */
const linkedRounds = 1;
const instanceLimit = 1500;
/** With chains, whose queries have many short instances. */
const linkedInstanceLimit = 6000;
const combinationLimit = 500;

const isQuantified = (t: Term): t is Quantified => t.kind === 'forall' || t.kind === 'exists';
const quantified = new WeakMap<Term, boolean>();

export function hasQuantifier(term: Term): boolean {
  const known = quantified.get(term);
  if (known !== undefined) return known;
  for (const t of postOrder([term], (s) => quantified.get(s) === false)) {
    quantified.set(t, isQuantified(t) || (t.kind === 'apply' && t.args.some((a) => quantified.get(a) === true)));
  }
  return quantified.get(term)!;
}

/**
 * Quantifier-free formulas that the assertions imply, up to new names. `witnesses` are those names. `linked`: of a
 * query with chains.
 */
export function instantiate(
  assertions: readonly Term[],
  linked?: LinkedQuery,
): {
  readonly terms: readonly Term[];
  /** The terms that are no instances. */
  readonly ground: readonly Term[];
  readonly witnesses: readonly SymbolTerm[];
} {
  const lowering = new Lowering();
  const reduce = linked ? (terms: readonly Term[]) => linked.reduce(terms) : (terms: readonly Term[]) => terms;
  const [limit, rounds] = linked ? [linkedInstanceLimit, linkedRounds] : [instanceLimit, mostRounds];
  const ground = reduce(assertions.map((term) => lowering.lower(term, true)));
  const indices = new Indices();
  for (const { body, bound } of lowering.universals.values()) indices.read(groundReads(body, bound));
  // First, so that what follows is shortened by them.
  const found = new Set<Term>([...(linked ? [] : witnessBounds(ground, lowering.plainWitnesses())), ...ground]);
  let fresh: readonly Term[] = ground;
  const patterns = [...lowering.universals].flatMap(([name, term]) => {
    if (hasQuantifier(term.body)) return [];
    return [
      {
        name,
        body: term.body,
        symbols: term.bound.map((bound) => ({ bound, reads: readsAt(term.body, bound), values: new Set<Term>() })),
        given: new Set<string>(),
      },
    ];
  });
  for (let round = 0; round < rounds && fresh.length > 0; round++) {
    indices.read(fresh);
    const made: Term[] = [];
    for (const { name, body, symbols, given } of patterns) {
      for (const { bound, reads, values } of symbols) {
        // A model is asked what holds of these.
        if (linked && symbols.length === 1)
          for (const witness of lowering.witnesses) if (witness.sort === bound.sort) values.add(witness);
        for (const { roots, index } of symbols.length === 1
          ? triggers(reads, bound, linked)
          : mostTelling(reads, indices)) {
          for (const at of indices.of(roots)) {
            const value = solve(index, bound, at);
            if (value) values.add(value);
            // Either of a pair of objects may be the one.
            if (linked && isApplication(index, 'concat') && widthOf(bound) * 2 === widthOf(at))
              for (const half of halvesOf(at)) values.add(half);
          }
        }
      }
      const places = symbols.length === 1 ? [] : placesTogether(symbols, indices);
      for (const chosen of [...places, ...combinations(symbols.map(({ values }) => [...values]))]) {
        const key = chosen.map(({ id }) => id).join();
        if (given.has(key)) continue;
        given.add(key);
        const [instance] = reduce([
          or(not(name), substitute(body, new Map(symbols.map(({ bound }, i) => [bound, chosen[i]!])))),
        ]) as readonly [Term];
        if (found.has(instance) || found.size > limit) continue;
        found.add(instance);
        made.push(instance);
      }
    }
    fresh = made;
  }
  return { terms: [...found], ground, witnesses: lowering.witnesses };
}

/** A query about links, which reduces reads of arrays and keeps the meaning of terms. */
export interface LinkedQuery {
  readonly reduce: (terms: readonly Term[]) => readonly Term[];
  /** Arrays that say of all objects which there are: what a formula says of other members tells where it is wanted. */
  readonly common: ReadonlySet<Term>;
  readonly relations: ReadonlySet<Term>;
}

function triggers(reads: readonly Read[], bound: SymbolTerm, linked: LinkedQuery | undefined): readonly Read[] {
  const ofMembers = linked
    ? reads.filter(({ roots, index }) => index === bound && !roots.some((root) => linked.common.has(root)))
    : [];
  return ofMembers.length > 0 ? ofMembers : reads;
}

/** Among the reads at an index that depends on a symbol: the read whose array has the fewest other indices. */
function mostTelling(reads: readonly Read[], indices: Indices): readonly Read[] {
  const counted = reads
    .filter(({ index }) => index.kind === 'symbol')
    .map((read) => ({ read, count: indices.of(read.roots).size }))
    .filter(({ count }) => count > 0);
  return counted.length === 0 ? reads : [counted.reduce((a, b) => (b.count < a.count ? b : a)).read];
}

/** Values of several symbols at which one index that has all of them, as an element of a row, is that of a read. */
function placesTogether(
  symbols: readonly { readonly bound: SymbolTerm; readonly reads: readonly Read[] }[],
  indices: Indices,
): readonly (readonly Term[])[] {
  const bound = symbols.map((one) => one.bound);
  const reads = symbols[0]!.reads.filter(({ index }) => bound.every((one) => symbolsOf(index).has(one)));
  return reads.flatMap(({ roots, index }) =>
    [...indices.of(roots)].flatMap((at) => {
      const values = digitsAt(index, bound, at);
      return values ? [values] : [];
    }),
  );
}

/** One element of each list, in all combinations, as long as there are not too many. */
function combinations(lists: readonly (readonly Term[])[]): readonly (readonly Term[])[] {
  if (lists.reduce((product, list) => product * list.length, 1) > combinationLimit) return [];
  return lists.reduce<readonly (readonly Term[])[]>(
    (all, list) => all.flatMap((chosen) => list.map((one) => [...chosen, one])),
    [[]],
  );
}

/** Restricts a quantified formula to the given names: no other values of its symbols are tried. */
export function atWitnesses(term: Term, witnesses: readonly SymbolTerm[]): Term {
  if (!hasQuantifier(term)) return term;
  if (term.kind === 'apply')
    return rebuild(
      term,
      term.args.map((a) => atWitnesses(a, witnesses)),
    );
  if (!isQuantified(term)) return term;
  const [bound, ...others] = term.bound;
  const tried = witnesses
    .filter(({ sort }) => sort === bound!.sort)
    .map((witness) => {
      const rest = others.length === 0 ? term.body : (term.kind === 'forall' ? forall : exists)(others, term.body);
      return atWitnesses(substitute(rest, new Map([[bound!, witness]])), witnesses);
    });
  return term.kind === 'forall' ? and(...tried) : or(...tried);
}

/** Polarity decides how a quantifier is lowered. */
class Lowering {
  /** Universal formulas by the names that stand for them. */
  readonly universals = new Map<Term, Quantified>();
  readonly witnesses: SymbolTerm[] = [];
  private readonly done = [new Map<Term, Term>(), new Map<Term, Term>()] as const;

  /** Witnesses on which the meaning of no name depends. */
  plainWitnesses(): readonly SymbolTerm[] {
    const bodies = [...this.universals.values()].map(({ body }) => symbolsOf(body));
    return this.witnesses.filter((witness) => !bodies.some((symbols) => symbols.has(witness)));
  }

  /** `asserted`: the term must be true; otherwise it must be false. Terms only become weaker. */
  lower(term: Term, asserted: boolean): Term {
    if (!hasQuantifier(term)) return term;
    const done = this.done[asserted ? 1 : 0];
    let lowered = done.get(term);
    if (!lowered) done.set(term, (lowered = this.lowerAnew(term, asserted)));
    return lowered;
  }

  private lowerAnew(term: Term, asserted: boolean): Term {
    if (isQuantified(term))
      return (term.kind === 'forall') === asserted
        ? this.nameUniversal(asserted ? term : negate(term), asserted)
        : this.lower(this.nameWitnesses(term), asserted);
    if (isApplication(term, 'not')) return not(this.lower(term.args[0]!, !asserted));
    if (isApplication(term, 'and'))
      return and(...(asserted ? term.args : merge(term.args, 'forall')).map((a) => this.lower(a, asserted)));
    if (isApplication(term, 'or'))
      return or(...(asserted ? merge(term.args, 'exists') : term.args).map((a) => this.lower(a, asserted)));
    if (isApplication(term, 'eq') && term.args[0]!.sort === boolSort) {
      const [a, b] = term.args as readonly [Term, Term];
      return and(
        or(this.lower(not(a), asserted), this.lower(b, asserted)),
        or(this.lower(a, asserted), this.lower(not(b), asserted)),
      );
    }
    if (isApplication(term, 'ite') && term.sort === boolSort) {
      const [c, a, b] = term.args as readonly [Term, Term, Term];
      return and(
        or(this.lower(not(c), asserted), this.lower(a, asserted)),
        or(this.lower(c, asserted), this.lower(b, asserted)),
      );
    }
    return this.nameTruths(term, asserted);
  }

  /** Truth values inside words get names, of which both cases are stated. */
  private nameTruths(term: Term, asserted: boolean): Term {
    const named = new Map<Term, SymbolTerm>();
    const done = new Map<Term, Term>();
    const inside = (part: Term): Term => {
      if (!hasQuantifier(part)) return part;
      const known = named.get(part) ?? done.get(part);
      if (known) return known;
      if (part.kind === 'apply' && (part.sort !== boolSort || part === term)) {
        const rest = rebuild(part, part.args.map(inside));
        done.set(part, rest);
        return rest;
      }
      const name = symbol(`?truth:${part.id}`, boolSort);
      named.set(part, name);
      return name;
    };
    const known = inside(term);
    const meanings = [...named].flatMap(([part, name]) => [
      or(not(name), this.lower(part, true)),
      or(name, this.lower(not(part), true)),
    ]);
    return asserted ? and(known, ...meanings) : or(known, not(and(...meanings)));
  }

  private nameWitnesses(term: Quantified): Term {
    return substitute(
      term.body,
      new Map(
        term.bound.map((s) => {
          const witness = symbol(`?some:${term.id}:${s.name}`, s.sort);
          this.witnesses.push(witness);
          return [s, witness];
        }),
      ),
    );
  }

  /**
   * The name of a universal that must hold; it implies the instances. An existential that must fail is the negation of
   * one.
   */
  private nameUniversal(universal: Quantified, asserted: boolean): Term {
    const name = symbol(`?all:${universal.id}`, boolSort);
    this.universals.set(name, universal);
    return asserted ? name : not(name);
  }
}

/**
 * Merges quantifiers with the same bound symbols. If one of several must fail (or hold) for some value, one common
 * value suffices.
 */
function merge(args: readonly Term[], kind: 'forall' | 'exists'): readonly Term[] {
  const groups = new Map<string, { readonly bound: readonly SymbolTerm[]; readonly bodies: Term[] }>();
  const others: Term[] = [];
  for (const a of args) {
    const inner = isApplication(a, 'not') ? a.args[0]! : undefined;
    const term = isQuantified(a) ? a : inner && isQuantified(inner) ? negate(inner) : undefined;
    if (term?.kind !== kind) {
      others.push(a);
      continue;
    }
    const key = term.bound.map(({ id }) => id).join();
    const group = groups.get(key);
    if (group) group.bodies.push(term.body);
    else groups.set(key, { bound: term.bound, bodies: [term.body] });
  }
  return [
    ...others,
    ...[...groups.values()].map(({ bound, bodies }) =>
      kind === 'forall' ? forall(bound, and(...bodies)) : exists(bound, or(...bodies)),
    ),
  ];
}

function negate({ kind, bound, body }: Quantified): Quantified {
  const term = kind === 'forall' ? exists(bound, not(body)) : forall(bound, not(body));
  if (!isQuantified(term)) throw new Error('a bound symbol that occurs in a term occurs in its negation');
  return term;
}

interface Read {
  readonly roots: readonly Term[];
  readonly index: Term;
}

/** Reads of arrays at places that depend on the bound symbol; where there are none, writes. */
function readsAt(body: Term, bound: SymbolTerm): readonly Read[] {
  const reads: Read[] = [];
  const writes: Read[] = [];
  for (const t of postOrder([body]))
    if ((isApplication(t, 'select') || isApplication(t, 'store')) && symbolsOf(t.args[1]!).has(bound))
      (t.operator === 'select' ? reads : writes).push({ roots: rootsOf(t.args[0]!), index: t.args[1]! });
  return reads.length > 0 ? reads : writes;
}

/** Reads in the body that say the same for all values of the bound symbols. */
function groundReads(body: Term, bound: readonly SymbolTerm[]): readonly Term[] {
  return postOrder([body]).filter((t) => isApplication(t, 'select') && !bound.some((one) => symbolsOf(t).has(one)));
}

/** The indices at which quantifier-free formulas read and write arrays. */
class Indices {
  private readonly seen = new Set<Term>();
  private readonly byRoot = new Map<Term, Set<Term>>();

  read(terms: readonly Term[]): void {
    for (const t of postOrder(terms, (s) => this.seen.has(s))) {
      this.seen.add(t);
      if (!isApplication(t, 'select') && !isApplication(t, 'store')) continue;
      for (const root of rootsOf(t.args[0]!)) {
        const found = this.byRoot.get(root);
        if (found) found.add(t.args[1]!);
        else this.byRoot.set(root, new Set([t.args[1]!]));
      }
    }
  }

  of(roots: readonly Term[]): ReadonlySet<Term> {
    return new Set(roots.flatMap((root) => [...(this.byRoot.get(root) ?? [])]));
  }
}

/** The arrays from which an array is built by writes and choices. */
function rootsOf(array: Term): Term[] {
  const roots = new Set<Term>();
  const work = [array];
  const seen = new Set<Term>();
  for (let t = work.pop(); t; t = work.pop()) {
    if (seen.has(t)) continue;
    seen.add(t);
    if (isApplication(t, 'store')) work.push(t.args[0]!);
    else if (isApplication(t, 'ite')) work.push(t.args[1]!, t.args[2]!);
    else roots.add(t);
  }
  return [...roots];
}

/** A value of the bound symbol at which `index` probably equals `at`. Any value makes a true instance. */
function solve(index: Term, bound: SymbolTerm, at: Term): Term | undefined {
  if (index === bound) return at;
  if (isApplication(index, 'concat')) {
    const low = index.args[index.args.length - 1]!;
    return solve(low, bound, extract(widthOf(low) - 1, 0, at));
  }
  if (isApplication(index, 'sign-extend') || isApplication(index, 'zero-extend'))
    return solve(index.args[0]!, bound, extract(widthOf(index.args[0]!) - 1, 0, at));
  if (isApplication(index, 'extract') && index.parameters[1] === 0 && index.args[0] === bound) {
    // The word of which `at` is the lower part, if it is known.
    return isApplication(at, 'extract') && at.parameters[1] === 0 && at.args[0]!.sort === bound.sort
      ? at.args[0]!
      : signExtend(at, widthOf(bound));
  }
  const { width, constant, monomials } = linearOf(index);
  const [moving, ...others] = monomials.filter(({ atom }) => symbolsOf(atom).has(bound));
  if (!moving || others.length > 0 || (moving.atom === index && moving.coefficient === 1n)) return undefined;
  const rest = fromLinear({ width, constant, monomials: monomials.filter((m) => m !== moving) });
  const quotient = dividedBy(sub(at, rest), BigInt.asIntN(width, moving.coefficient));
  return quotient ? solve(moving.atom, bound, quotient) : digitsAt(index, [bound], at)?.[0];
}

/**
 * Values of the symbols at which `index`, a sum of their multiples, probably equals `at`, as the digits of a number: an
 * element's number in a row, and the row's. The parts of `at` are shared out to the largest factor that divides them,
 * and where none does, it is divided by one after the other.
 */
function digitsAt(index: Term, bound: readonly SymbolTerm[], at: Term): readonly Term[] | undefined {
  const { width, constant, monomials } = linearOf(index);
  const factors = bound.map((one) => {
    const ofOne = monomials.filter(({ atom }) => symbolsOf(atom).has(one));
    const factor = BigInt.asIntN(width, ofOne[0]?.coefficient ?? 0n);
    return ofOne.length === 1 && ofOne[0]!.atom === one && factor > 0n ? factor : undefined;
  });
  if (factors.includes(undefined)) return undefined;
  const moving = monomials.filter(({ atom }) => !bound.includes(atom as SymbolTerm));
  const target = sub(at, fromLinear({ width, constant, monomials: moving }));
  const order = [...(factors as readonly bigint[]).entries()].sort(([, a], [, b]) => (a < b ? 1 : -1));
  return digitsByParts(target, order) ?? digitsByDivision(target, order);
}

/** By number of the symbol, its factor, the largest first. */
type Factors = readonly (readonly [number, bigint])[];

function digitsByParts(target: Term, order: Factors): readonly Term[] | undefined {
  const { width, constant, monomials } = linearOf(target);
  const digits: Term[] = [];
  const hasLargest = monomials.some(({ coefficient }) => BigInt.asIntN(width, coefficient) % order[0]![1] === 0n);
  let [parts, number] = [monomials, BigInt.asIntN(width, constant)];
  for (const [i, factor] of order) {
    const isDivisible = (coefficient: bigint): boolean => BigInt.asIntN(width, coefficient) % factor === 0n;
    const whole = number >= 0n ? number / factor : -((factor - 1n - number) / factor);
    digits[i] = fromLinear({
      width,
      constant: BigInt.asUintN(width, whole),
      monomials: parts
        .filter(({ coefficient }) => isDivisible(coefficient))
        .map(({ coefficient, atom }) => ({
          coefficient: BigInt.asUintN(width, BigInt.asIntN(width, coefficient) / factor),
          atom,
        })),
    });
    parts = parts.filter(({ coefficient }) => !isDivisible(coefficient));
    number -= whole * factor;
  }
  // A count of bytes within an element is none of these numbers, if it is known which element.
  return parts.length === 0 || hasLargest ? digits : undefined;
}

function digitsByDivision(target: Term, order: Factors): readonly Term[] {
  const digits: Term[] = [];
  let rest = target;
  for (const [i, factor] of order) {
    const divisor = bits(factor, widthOf(target));
    digits[i] = udiv(rest, divisor);
    rest = urem(rest, divisor);
  }
  return digits;
}

function dividedBy(term: Term, divisor: bigint): Term | undefined {
  const { width, constant, monomials } = linearOf(term);
  const exact = (value: bigint): bigint | undefined =>
    BigInt.asIntN(width, value) % divisor === 0n
      ? BigInt.asUintN(width, BigInt.asIntN(width, value) / divisor)
      : undefined;
  const parts = monomials.map(({ coefficient, atom }) => ({ coefficient: exact(coefficient), atom }));
  const whole = exact(constant);
  if (whole !== undefined && parts.every(({ coefficient }) => coefficient !== undefined))
    return fromLinear({
      width,
      constant: whole,
      monomials: parts.map(({ coefficient, atom }) => ({ coefficient: coefficient!, atom })),
    });
  const shift = divisor > 0n ? divisor.toString(2).length - 1 : 0;
  return divisor > 0n && 1n << BigInt(shift) === divisor ? lshr(term, bits(BigInt(shift), width)) : undefined;
}
