/** Answers to questions about lists, in a state of symbolic memory. */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { ListQuestion } from '../../program/expression';
import { unreachable } from '../../unreachable';
import { equal as sameOffsets, exactly } from '../../program/congruence';
import { isEvery, isList, isOnList, isWritten, lengthOf, lengthUpTo, type ListState, unknownOfList } from './lists';
import type { MemoryModel } from './memoryModel';
import {
  asPointer,
  type FreshSymbols,
  isTrue,
  type SymbolicPointer,
  type SymbolicValue,
  truth,
} from './symbolicValues';

/** Longer lists of clients are not counted. */
const mostNodes = 8;

/**
 * Exact as long as no write has closed a cycle, and all links on the way are written: objects of the link's region that
 * are no variables are nodes here and in the concrete reading, or are not. Otherwise it may be anything.
 */
export function answerOfList(
  memory: { readonly memoryModel: MemoryModel; readonly contents: readonly Term[]; readonly symbols: FreshSymbols },
  list: SymbolicPointer,
  node: SymbolicValue,
  site: ListQuestion,
  isMet: (node: SymbolicValue) => SymbolicValue,
): SymbolicValue {
  const { memoryModel, contents, symbols } = memory;
  const { regions } = memoryModel;
  const unknown = (): Term => symbols.fresh(unknownOfList, L.boolSort);
  const any64 = (): Term => symbols.fresh(unknownOfList, L.bitsSort(64));
  const [place, first] = [regions.pointee(site.link.address), regions.pointee(site.list)];
  const slotNode = place && regions.find(place.node);
  const link = memoryModel.links.find(
    (one) =>
      place !== undefined &&
      first !== undefined &&
      one.node === slotNode &&
      one.node === regions.find(first.node) &&
      sameOffsets(place.at, exactly(one.slot.offset)) &&
      sameOffsets(first.at, exactly(one.offset)),
  );
  // A walk ends at a variable, which no list in the concrete reading does.
  if (!link || link.statics.length > 0 || link.withAutomatic) return site.is === 'length' ? any64() : truth(unknown());
  const state: ListState = { link, nodeBytes: link.offset + site.nodeBytes, contents, memoryModel };
  const isKnown = L.and(contents[link.acyclic.index]!, isWritten(state, list));
  switch (site.is) {
    case 'acyclic':
      return truth(L.or(isList(state, list), L.and(L.not(isKnown), unknown())));
    case 'through': {
      const of = regions.pointee(site.node);
      if (!of || regions.find(of.node) !== link.node) return truth(unknown());
      return truth(L.or(isOnList(state, list, asPointer(node)), L.and(L.not(isKnown), unknown())));
    }
    case 'every': {
      const { length } = symbols.made;
      const every = isEvery(state, list, (one) => isTrue(isMet(one)));
      // One unknown value would stand for those of all nodes.
      if (symbols.made.length > length) return truth(unknown());
      return truth(L.or(every, L.and(L.not(isKnown), unknown())));
    }
    case 'length': {
      const counted = lengthOf(state, list);
      if (counted) return L.ite(isKnown, L.signExtend(counted, 64), any64());
      const few = L.zeroExtend(lengthUpTo(state, list, mostNodes + 1), 64);
      const more = L.bits(BigInt(mostNodes + 1), 64);
      const many = any64();
      return L.ite(L.slt(few, more), few, L.ite(L.slt(many, more), more, many));
    }
    default:
      return unreachable(site.is);
  }
}
