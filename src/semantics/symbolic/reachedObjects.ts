/**
 * The objects that a call's arguments reached along one link in the state before it: the least set with the argument's
 * object and with all that a live object of the set links to. Nothing says which objects are in it. Those that are, are
 * on the argument's list, if every live object of the set that is on it leads to one that is, too: induction along the
 * link. So nothing rests on the laws of reachability, but what follows from them about a list.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import type { LinkVariables } from './memoryModel';
import type { SymbolicMemory } from './symbolicMemory';
import { asPointer, type FreshSymbols, type SymbolicValue } from './symbolicValues';
import type { Targets, WrittenObjects } from './writtenObjects';

/** The objects that one argument reached. */
export interface ReachedSet {
  readonly has: (object: Term) => Term;
  /** True of any object. */
  readonly isOnList: (object: Term) => Term;
}

/** By the argument of one call. */
export class ReachedObjects {
  private readonly sets = new Map<number, ReachedSet>();
  /** The link along which objects are reached, if it is one. */
  readonly link: LinkVariables | undefined;

  constructor(
    private readonly callee: FunctionDefinition,
    objects: WrittenObjects,
    private readonly before: SymbolicMemory,
    private readonly passed: readonly SymbolicValue[],
    private readonly symbols: FreshSymbols,
  ) {
    const followed = objects.followed(callee);
    this.link = before.memoryModel.links.find((link) => followed.size === 1 && followed.has(link.objects));
  }

  /** None where something is reached otherwise than along one link, of which nothing would be said. */
  of({ any, reached }: Targets): readonly ReachedSet[] | undefined {
    const { link } = this;
    if (any || (reached.size > 0 && !link)) return undefined;
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
