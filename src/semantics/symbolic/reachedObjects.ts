/**
 * The objects that a call's arguments reached along one link, or along the links of a forest, in the state before it:
 * the least set with the argument's object and with all that a live object of the set links to. Nothing says which
 * objects are in it. Those that are, are on the argument's list, if every live object of the set that is on it leads to
 * one that is, too: induction along the link. So nothing rests on the laws of reachability, but what follows from them
 * about a list. Likewise they are the argument's object and what is below it in a forest, if all links of these objects
 * lead to objects that are below it.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import type { ForestVariables, LinkVariables } from './memoryModel';
import type { SymbolicMemory } from './symbolicMemory';
import { asPointer, type FreshSymbols, type SymbolicValue } from './symbolicValues';
import type { Targets, WrittenObjects } from './writtenObjects';

/** The objects that one argument reached. */
export interface ReachedSet {
  readonly has: (object: Term) => Term;
  /** True of any object. */
  readonly isOnList: (object: Term) => Term;
}

/** The objects that one argument reached along all links of a forest. */
export interface ReachedTree extends ReachedSet {
  readonly first: Term;
  /** The object is the argument's, or below it. */
  readonly isBelow: (object: Term) => Term;
  /** Implied if some object of the set is neither, or if a link of one leads back to the argument's. */
  readonly leaves: Term;
}

/** By the argument of one call. */
export class ReachedObjects {
  private readonly sets = new Map<number, ReachedSet>();
  private readonly trees = new Map<number, ReachedTree>();
  /** The link along which objects are reached, if it is one and of no forest. */
  readonly link: LinkVariables | undefined;
  /** The forest whose links alone are followed, if any are. */
  readonly forest: ForestVariables | undefined;

  constructor(
    private readonly callee: FunctionDefinition,
    objects: WrittenObjects,
    private readonly before: SymbolicMemory,
    private readonly passed: readonly SymbolicValue[],
    private readonly symbols: FreshSymbols,
  ) {
    const followed = [...objects.followed(callee)];
    const { links, forests } = before.memoryModel;
    this.forest = forests.find((forest) => followed.every((one) => forest.links.some((link) => link.objects === one)));
    if (!this.forest) this.link = links.find((link) => followed.length === 1 && followed.includes(link.objects));
  }

  /** None where something is reached otherwise than along one link, of which nothing would be said. */
  of({ any, reached }: Targets): readonly ReachedSet[] | undefined {
    const { link } = this;
    if (any) return undefined;
    if (this.forest || reached.size === 0) return this.below([...reached]);
    if (!link) return undefined;
    return [...reached].map((parameter) => {
      let set = this.sets.get(parameter);
      if (!set) {
        const first = asPointer(this.passed[parameter]!).object;
        const name = this.callee.parameters[parameter]!.name;
        this.sets.set(parameter, (set = reachedSet(this.before, link!, first, name, this.symbols)));
      }
      return set;
    });
  }

  /** The trees of arguments that reach objects along the links of the forest. */
  below(parameters: readonly number[]): readonly ReachedTree[] {
    return parameters.map((parameter) => {
      let tree = this.trees.get(parameter);
      if (!tree) {
        const first = asPointer(this.passed[parameter]!).object;
        const name = this.callee.parameters[parameter]!.name;
        this.trees.set(parameter, (tree = reachedTree(this.before, this.forest!, first, name, this.symbols)));
      }
      return tree;
    });
  }
}

function reachedSet(
  { memoryModel, contents }: SymbolicMemory,
  link: LinkVariables,
  first: Term,
  name: string,
  symbols: FreshSymbols,
): ReachedSet {
  const { half, halfSort, live, lastStatic } = memoryModel;
  const none = L.bits(0n, half);
  const at = (memory: { readonly index: number }, object: Term): Term => L.select(contents[memory.index]!, object);
  const set = symbols.fresh(`reached from ${name}`, L.arraySort(halfSort, L.boolSort));
  const has = (object: Term): Term => L.select(set, object);
  const isListed = (object: Term): Term =>
    L.or(L.eq(object, first), L.related(contents[link.reach.index]!, first, object));
  // The last object on the list, where the set goes on beyond it.
  const last = symbols.fresh(`last from ${name}`, halfSort);
  const beyond = at(link.objects, last);
  const goesOn = L.and(
    has(last),
    isListed(last),
    L.not(L.eq(last, none)),
    L.or(L.ule(last, L.bits(BigInt(lastStatic), half)), at(live, last)),
    L.not(L.eq(beyond, none)),
    L.not(isListed(beyond)),
  );
  return { has, isOnList: (object) => L.or(L.not(has(object)), isListed(object), goesOn) };
}

/** The argument's object and all that it reached along any link of the forest. */
function reachedTree(
  { memoryModel, contents }: SymbolicMemory,
  { links, parents, ancestors }: ForestVariables,
  first: Term,
  name: string,
  symbols: FreshSymbols,
): ReachedTree {
  const { half, halfSort, live, lastStatic, allocationCounter } = memoryModel;
  const none = L.bits(0n, half);
  const at = (memory: { readonly index: number }, object: Term): Term => L.select(contents[memory.index]!, object);
  const set = symbols.fresh(`reached from ${name}`, L.arraySort(halfSort, L.boolSort));
  const has = (object: Term): Term => L.select(set, object);
  const isAncestor = (object: Term): Term => L.related(contents[ancestors.index]!, object, first);
  const isBelow = (object: Term): Term => L.or(L.eq(object, first), isAncestor(object));
  const last = symbols.fresh(`last from ${name}`, halfSort);
  const leadsBeyond = links.map(({ objects }) => {
    const beyond = at(objects, last);
    return L.and(L.not(L.eq(beyond, none)), L.or(L.eq(beyond, first), L.not(isAncestor(beyond))));
  });
  const leaves = L.and(
    has(last),
    isBelow(last),
    L.not(L.eq(last, none)),
    L.or(L.ule(last, L.bits(BigInt(lastStatic), half)), at(live, last)),
    // A law, said here because laws about an object's parent are looked for where one is read.
    L.ult(at(parents, last), contents[allocationCounter.index]!),
    L.or(...leadsBeyond),
  );
  return { has, first, isBelow, leaves, isOnList: (object) => L.or(L.not(has(object)), isBelow(object), leaves) };
}

/** Parents behind a call: see `ancestorsKept`. */
export interface AncestorsKept {
  readonly before: Term;
  readonly acyclic: Term;
  readonly next: Term;
  /** The call ends, links and unlinks only objects of these sets and new ones. */
  readonly reached: readonly ReachedTree[];
  /** The call writes no link. */
  readonly onlyFrees: boolean;
}

/**
 * The ancestors `after` a call that ends objects of the sets, and changes the parents of these and of new ones alone.
 * An object that is not below the arguments has no ancestor that is. So all of its ancestors have the parents that they
 * had. A call that only frees makes no object an ancestor.
 */
export function ancestorsKept(
  after: Term,
  { before, acyclic, next, reached, onlyFrees }: AncestorsKept,
  from: Term,
  to: Term,
): readonly Term[] {
  const [is, was] = [L.related(after, from, to), L.related(before, from, to)];
  const isOlder = L.ult(from, next);
  const isApart = reached.flatMap((tree) => [L.not(tree.isBelow(from)), L.not(tree.leaves)]);
  return [
    L.implies(L.and(acyclic, isOlder, ...isApart), L.eq(is, was)),
    ...(onlyFrees ? [L.implies(L.and(isOlder, is), was)] : []),
  ];
}

/**
 * The sets of objects whose parents a call may change, which links objects of the sets and new ones, each to such an
 * object but to no argument's. An argument's object keeps its parent unless it is below another argument's: no link of
 * the set led to it.
 */
export function adopted(reached: readonly ReachedTree[], acyclic: Term): readonly ReachedSet[] {
  return reached.map((tree) => {
    const others = reached.filter((other) => other !== tree);
    const keepsFirst = L.and(
      acyclic,
      L.not(tree.leaves),
      ...others.flatMap((other) => [L.not(other.leaves), L.not(other.isBelow(tree.first))]),
    );
    return {
      has: (object) => L.and(tree.has(object), L.not(L.and(L.eq(object, tree.first), keepsFirst))),
      isOnList: tree.isOnList,
    };
  });
}

/** Reachability along a link behind a call: see `reachabilityKept`. */
export interface ReachabilityKept {
  readonly before: Term;
  readonly acyclic: Term;
  readonly next: Term;
  /** The call ends and links only objects of these sets and new ones, older ones of these to such alone. */
  readonly reached: readonly ReachedSet[];
  /** The call has written the link of no older object. */
  readonly onlyFrees: boolean;
  /** New objects are linked to objects of the sets and to each other alone. */
  readonly withNew: boolean;
}

/**
 * The relation `after` behind a call that ends and links only objects that its arguments reached, and new ones, to such
 * objects. No list leads from these to others. So an older object that was not reached is on the same lists as before.
 * A call that writes no older object's link, moreover, brings no object onto an older list.
 */
export function reachabilityKept(
  after: Term,
  { before, acyclic, next, reached, onlyFrees, withNew }: ReachabilityKept,
  from: Term,
  to: Term,
): readonly Term[] {
  const [is, was] = [L.related(after, from, to), L.related(before, from, to)];
  const isOlder = L.ult(from, next);
  const isOther = L.and(L.ult(to, next), ...reached.map((set) => L.not(set.has(to))), withNew ? L.TRUE : isOlder);
  return [
    L.implies(L.and(acyclic, isOther), L.eq(is, was)),
    ...(onlyFrees ? [L.implies(L.and(acyclic, isOlder, is), was)] : []),
    ...reached.map((set) => set.isOnList(to)),
  ];
}
