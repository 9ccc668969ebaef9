/**
 * The laws of reachability along one link in heaps without cycles, where every object has at most one successor:
 * reflexive, transitive, antisymmetric, linear, and unfolded by one step. The finite models of the first four are
 * exactly the heaps without cycles. All hold only while no write has closed a cycle, which `acyclic` says, and are
 * instances of that: nothing follows from them in a state where it is false.
 *
 * An atom stands for the laws of one state. A solver that does not know it learns nothing from it.
 */
import { eq, sle, slt, ult } from '../comparison';
import { select } from '../arrays/arrays';
import { call } from '../call';
import { bits, isApplication, TRUE, widthOf } from '../intern';
import { and, implies, not, or } from '../propositional';
import { relate } from './reachability';
import { add } from '../words/linear';
import { extract } from '../words/shape';
import { boolSort } from '../sort';
import type { Term } from '../term';

/** A link of the objects of one region, in one state. All numbers are words of the width of object numbers. */
export interface Chain {
  /** Relation: see `reachability.ts`. */
  readonly reach: Term;
  readonly acyclic: Term;
  /**
   * Array by object number: how many objects are reached; as it was when a write first closed a cycle. Literal true
   * where nothing is counted.
   */
  readonly count: Term;
  /** By object number: the two halves of the pointer in the link. Literal true: offsets need not be compared. */
  readonly objects: Term;
  readonly offsets: Term;
  readonly live: Term;
  /** By object number: the region in which an allocation made the object, or 0. */
  readonly made: Term;
  /** The number that the next object gets. */
  readonly next: Term;
  readonly region: Term;
  /** Offset in an object that a counted link leads to. */
  readonly offset: Term;
  /** Objects with numbers up to this are static. */
  readonly lastStatic: Term;
  /** Literal: true if automatic objects may be in the region. */
  readonly withAutomatic: Term;
  /**
   * Array by object number: the object's link counts, if it is one. Literal true where all do, since clients own none
   * of the region's objects, and links are written before anything else leads to their objects.
   */
  readonly linked: Term;
  /** Literal: true if clients own objects of the region. These are objects that no allocation of the program made. */
  readonly ofClients: Term;
  /** Static objects in the region. */
  readonly statics: readonly Term[];
}

const ATOM = 'chain';

/** The laws of the chain's state. */
export function chainLaws(chain: Chain): Term {
  const { reach, acyclic, objects, offsets, live, made, next, region, offset, lastStatic } = chain;
  return call(
    ATOM,
    boolSort,
    ...[reach, acyclic, objects, offsets, live, made, next, region, offset, lastStatic],
    ...[chain.withAutomatic, chain.linked, chain.ofClients, chain.count],
    ...chain.statics,
  );
}

/** The chain whose laws a term stands for. */
export function chainOf(term: Term): Chain | undefined {
  if (!isApplication(term, 'call') || term.name !== ATOM) return undefined;
  const [reach, acyclic, objects, offsets, live, made, next, region, offset, lastStatic] = term.args as readonly [
    Term,
    Term,
    Term,
    Term,
    Term,
    Term,
    Term,
    Term,
    Term,
    Term,
    ...Term[],
  ];
  const [withAutomatic, linked, ofClients, count, ...statics] = term.args.slice(10) as [
    Term,
    Term,
    Term,
    Term,
    ...Term[],
  ];
  return {
    ...{ reach, acyclic, objects, offsets, live, made, next, region, offset, lastStatic },
    ...{ withAutomatic, linked, ofClients, count, statics },
  };
}

/** The object was made in the region: by an allocation of the program, or by a client. */
export function isMade(chain: Pick<Chain, 'made' | 'region' | 'ofClients'>, object: Term, read = select): Term {
  const by = read(chain.made, object);
  return or(eq(by, chain.region), and(chain.ofClients, eq(by, bits(0, widthOf(chain.region)))));
}

/** A link to the place counts: it leads to an object that was made in the region, freed or not. */
export function isTarget(
  chain: Pick<Chain, 'made' | 'lastStatic' | 'region' | 'ofClients'>,
  object: Term,
  read = select,
): Term {
  return and(ult(chain.lastStatic, object), isMade(chain, object, read));
}

/** The object has a link that counts: it is live, and the link leads to a target at the right offset. */
export function hasLink(chain: Omit<Chain, 'reach' | 'acyclic' | 'count' | 'next'>, object: Term, read = select): Term {
  const { live, made, region, lastStatic, statics, withAutomatic, objects, offsets, linked } = chain;
  const isMadeByNone = eq(read(made, object), bits(0, widthOf(region)));
  const isDynamic = and(
    ult(lastStatic, object),
    read(live, object),
    or(isMade(chain, object, read), and(withAutomatic, isMadeByNone)),
  );
  return and(
    or(isDynamic, ...statics.map((number) => eq(object, number))),
    linked.sort.kind === 'array' ? read(linked, object) : linked,
    offsets.sort.kind === 'array' ? eq(read(offsets, object), chain.offset) : offsets,
    isTarget(chain, read(objects, object), read),
  );
}

/** Object terms above which the laws about three objects are left out for the rest. */
const mostObjects = 12;

/**
 * Instances of the laws: at `linked` those about an object's successor, at `objects` the others. `read` makes reads of
 * arrays. `counted`: also about how many objects are reached.
 */
export function instancesOf(
  chain: Chain,
  objects: ReadonlySet<Term>,
  linked: ReadonlySet<Term>,
  read: (array: Term, index: Term) => Term = select,
  counted = false,
): Term[] {
  const { acyclic, lastStatic, next, statics } = chain;
  const pairs = new Map<Term, Map<Term, Term>>();
  const reach = (a: Term, b: Term): Term => {
    let from = pairs.get(a);
    if (!from) pairs.set(a, (from = new Map()));
    let result = from.get(b);
    if (!result) from.set(b, (result = relatedBy(read, chain.reach, a, b)));
    return result;
  };
  const successor = new Map([...linked].map((a) => [a, read(chain.objects, a)]));
  const all = [...new Set([...objects, ...linked, ...successor.values()])];
  const laws: Term[] = [];
  const law = (body: Term): void => {
    laws.push(implies(acyclic, body));
  };
  for (const a of all) law(reach(a, a));
  // A stored value names an object that exists.
  for (const b of successor.values()) laws.push(ult(b, next));
  for (const [a, b] of successor) law(implies(hasLink(chain, a, read), and(reach(a, b), not(eq(a, b)))));
  for (const a of all)
    for (const b of all) {
      if (a === b) continue;
      const apart = or(not(reach(a, b)), eq(a, b));
      // Few parents are read, so that an object with an ancestor lives is said without its parent.
      const lives = chain.offsets.sort.kind === 'array' ? TRUE : and(read(chain.live, a), isMade(chain, a, read));
      const isMember = or(and(ult(lastStatic, a), lives), ...statics.map((number) => eq(a, number)));
      law(or(apart, and(isMember, ult(a, next), isTarget(chain, b, read), ult(b, next))));
      law(or(apart, not(reach(b, a))));
      const first = successor.get(a);
      if (first) law(or(apart, and(hasLink(chain, a, read), reach(first, b))));
    }
  if (counted) laws.push(...countLaws(chain, all, successor, { reach, read }));
  // Nothing is reached from these, or they are reached from nothing, by the laws above.
  const inner = all
    .filter((a) => a.kind !== 'bits' && a !== next)
    .sort((a, b) => Number(b.kind === 'symbol') - Number(a.kind === 'symbol'))
    .slice(0, mostObjects);
  const sources = all.filter((a) => a.kind === 'bits' && statics.includes(a));
  for (const a of [...inner, ...sources])
    for (const b of inner) {
      if (a === b) continue;
      for (const c of inner) {
        if (c === a || c === b) continue;
        law(or(not(reach(a, b)), not(reach(b, c)), reach(a, c)));
        if (b.id < c.id) law(or(not(reach(a, b)), not(reach(a, c)), reach(b, c), reach(c, b)));
      }
    }
  return laws;
}

/**
 * The number of objects that one reaches: one more than its successor's, or 1; more than that of any other that it
 * reaches. The bound holds in every state: a count is no longer changed when a cycle was closed.
 */
function countLaws(
  chain: Chain,
  objects: readonly Term[],
  successor: ReadonlyMap<Term, Term>,
  { reach, read }: { reach: (a: Term, b: Term) => Term; read: (array: Term, index: Term) => Term },
): Term[] {
  const { acyclic, next } = chain;
  const width = widthOf(next);
  const literal = (value: bigint): Term => bits(value, width + 8);
  const count = (a: Term): Term => read(chain.count, a);
  const laws: Term[] = [];
  const law = (body: Term): void => {
    laws.push(implies(acyclic, body));
  };
  for (const a of objects) {
    laws.push(sle(literal(0n), count(a)), sle(count(a), literal(1n << BigInt(width))));
    law(sle(literal(1n), count(a)));
    law(or(ult(a, next), eq(count(a), literal(1n))));
    const after = successor.get(a);
    if (after) {
      const isLink = hasLink(chain, a, read);
      law(or(not(isLink), eq(count(a), add(count(after), literal(1n)))));
      law(or(isLink, eq(count(a), literal(1n))));
    }
    for (const b of objects) if (a !== b) law(or(not(reach(a, b)), eq(a, b), slt(count(b), count(a))));
  }
  return laws;
}

const relatedBy = (read: (array: Term, index: Term) => Term, relation: Term, a: Term, b: Term): Term => {
  const made = relate(relation, a, b);
  return isApplication(made, 'select') ? read(made.args[0]!, made.args[1]!) : made;
};

/** The two objects of an index of a relation. */
export function halvesOf(index: Term): readonly [Term, Term] {
  const width = widthOf(index) / 2;
  return [extract(2 * width - 1, width, index), extract(width - 1, 0, index)];
}
