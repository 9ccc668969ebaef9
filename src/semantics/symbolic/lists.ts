/**
 * Conditions on lists, as users state them, over a state's contents: that a pointer leads to a list that ends in null,
 * which objects are on it. A list is null, or an object that leads along one link, object by object, to null; all are
 * live and large enough. Every condition on a list implies that it is one.
 */
import * as L from '../../logic/build';
import { hasLink, isMade } from '../../logic/links/chains';
import type { SymbolTerm, Term } from '../../logic/term';
import { chainIn } from './linkedMemory';
import type { LinkVariables, MemoryModel } from './memoryModel';
import type { SymbolicPointer } from './symbolicValues';

/** Name of the symbols that stand for answers about lists where nothing is known of them, as behind a ring. */
export const unknownOfList = 'anything of a list';
export const isUnknownOfList = ({ name }: SymbolTerm): boolean => name.endsWith(`:${unknownOfList}`);

export interface ListState {
  readonly link: LinkVariables;
  /** Size of a node. */
  readonly nodeBytes: number;
  readonly contents: readonly Term[];
  readonly memoryModel: MemoryModel;
}

const isNull = ({ object, offset }: SymbolicPointer): Term =>
  L.and(L.eq(object, L.bits(0n, L.widthOf(object))), L.eq(offset, L.bits(0n, L.widthOf(offset))));

/** The object is live and large enough. */
function isDynamic({ link, nodeBytes, contents, memoryModel }: ListState, object: Term): Term {
  const chain = chainIn(link, contents, memoryModel);
  const half = (value: number): Term => L.bits(BigInt(value), memoryModel.half);
  return L.and(
    L.ult(chain.lastStatic, object),
    L.ult(object, chain.next),
    L.select(chain.live, object),
    L.or(isMade(chain, object), L.and(chain.withAutomatic, L.eq(L.select(chain.made, object), half(0)))),
    L.sle(half(nodeBytes), L.select(contents[memoryModel.size.index]!, object)),
  );
}

/** The object is live, is large enough, and its link counts and is null or leads to another. */
export function isNode(state: ListState, object: Term): Term {
  const { link, contents, memoryModel } = state;
  const chain = chainIn(link, contents, memoryModel);
  const pointer = { object: L.select(chain.objects, object), offset: L.select(chain.offsets, object) };
  return L.and(
    L.or(isDynamic(state, object), ...chain.statics.map((number) => L.eq(object, number))),
    link.linked ? L.select(chain.linked, object) : L.TRUE,
    L.or(isNull(pointer), hasLink(chain, object)),
  );
}

const reaches = ({ link, contents, memoryModel }: ListState, from: Term, to: Term): Term =>
  L.related(chainIn(link, contents, memoryModel).reach, from, to);

/** `then` holds of every object that is reached from `from`. */
function ofReached(state: ListState, from: Term, then: (object: Term) => Term): Term {
  const bound = L.symbol('?object', state.memoryModel.halfSort);
  const { next } = chainIn(state.link, state.contents, state.memoryModel);
  // Objects that are still to be made are reached from nowhere: a bound for those who try all.
  return L.forall([bound], L.or(L.not(L.ult(bound, next)), L.not(reaches(state, from, bound)), then(bound)));
}

/**
 * The links of all that the pointer leads to count, or are no links. A link that was not written since its object began
 * may hold anything: what is no list by the links that count may be one.
 */
export function isWritten(state: ListState, list: SymbolicPointer): Term {
  const { link, contents } = state;
  if (!link.linked || link.ofClients) return L.TRUE;
  const linked = contents[link.linked.index]!;
  const counts = (object: Term): Term => L.or(L.select(linked, object), L.not(isDynamic(state, object)));
  return L.or(isNull(list), L.and(counts(list.object), ofReached(state, list.object, counts)));
}

/** `acyclic(l)`: the pointer leads to a list. */
export function isList(state: ListState, list: SymbolicPointer): Term {
  const { link, contents, memoryModel } = state;
  const { acyclic } = chainIn(link, contents, memoryModel);
  const leadsToNode = L.eq(list.offset, L.bits(BigInt(link.offset), memoryModel.half));
  return L.or(
    isNull(list),
    L.and(
      acyclic,
      leadsToNode,
      isNode(state, list.object),
      ofReached(state, list.object, (o) => isNode(state, o)),
    ),
  );
}

/** `reach(a, b)`: `b` leads to a node of the list `a`. */
export function isOnList(state: ListState, list: SymbolicPointer, node: SymbolicPointer): Term {
  return L.and(
    L.not(isNull(list)),
    isList(state, list),
    L.eq(node.offset, L.bits(BigInt(state.link.offset), state.memoryModel.half)),
    reaches(state, list.object, node.object),
  );
}

/** `every(l, n => ...)`: the condition holds of every node of the list. */
export function isEvery(state: ListState, list: SymbolicPointer, condition: (node: SymbolicPointer) => Term): Term {
  const offset = L.bits(BigInt(state.link.offset), state.memoryModel.half);
  return L.and(
    isList(state, list),
    L.or(
      isNull(list),
      ofReached(state, list.object, (object) => condition({ object, offset })),
    ),
  );
}

/** The number of nodes of a list, as a signed word; undefined where clients own nodes. */
export function lengthOf({ link, contents, memoryModel }: ListState, list: SymbolicPointer): Term | undefined {
  if (!link.count) return undefined;
  const count = L.select(chainIn(link, contents, memoryModel).count, list.object);
  return L.ite(isNull(list), L.bits(0n, L.widthOf(count)), count);
}

/** The number of nodes of a list, up to `most`; more count as `most`. */
export function lengthUpTo({ link, contents, memoryModel }: ListState, list: SymbolicPointer, most: number): Term {
  const chain = chainIn(link, contents, memoryModel);
  const width = most.toString(2).length + 1;
  const from = ({ object, offset }: SymbolicPointer, counted: number): Term => {
    const here = L.bits(BigInt(counted), width);
    if (counted === most) return here;
    const next = { object: L.select(chain.objects, object), offset: L.select(chain.offsets, object) };
    return L.ite(isNull({ object, offset }), here, from(next, counted + 1));
  };
  return from(list, 0);
}
