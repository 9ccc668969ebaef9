/** Conditions on lists in probes and preconditions: the list that a path leads to, and members of its nodes. */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { CType } from '../../c/types';
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { equal, exactly, plus } from '../../program/congruence';
import type { Expression } from '../../program/expression';
import type { Node } from '../../semantics/pointers/regionNode';
import { isOnePlace, slotAt } from '../../semantics/pointers/slotLayout';
import { isList, lengthUpTo, type ListState } from '../../semantics/symbolic/lists';
import { isPointer, type SymbolicPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';
import { followedLink, whyUnfollowed } from '../transitionSystem/followedLinks';
import { findField, scalarType } from './members';
import { ProbeError } from './probeError';
import { mostListLength, type PathStep } from './probeFormula';

type RecordType = CType & { kind: 'record' };

/** A node of a list, of which a condition on all nodes is read. */
export interface ListNode {
  readonly pointer: SymbolicPointer;
  readonly node: Node;
  readonly type: RecordType;
}

/** The whole becomes false with a part, or true; or neither can be said. */
export type Polarity = 'positive' | 'negative' | 'mixed';

/** The list to which a pointer leads along the member `link`; throws `ProbeError` for a link that is not followed. */
export function listAt(
  value: Expression,
  list: SymbolicValue,
  type: CType,
  link: string,
  { contents, memoryModel }: Pick<ListState, 'contents' | 'memoryModel'>,
): { readonly state: ListState; readonly list: SymbolicPointer; readonly type: RecordType } {
  if (!isPointer(list) || type.kind !== 'pointer' || type.to.kind !== 'record')
    throw new ProbeError('it mentions a list at what is no pointer to nodes');
  const record = type.to;
  const target = memoryModel.regions.pointee(value);
  const field = findField(record, link);
  const place = target && field && { node: target.node, at: plus(target.at, exactly(field.offset)) };
  const followed = followedLink(place, memoryModel);
  if (!followed || !target || !equal(target.at, exactly(followed.offset)))
    throw new ProbeError(
      `links of ${printType(withoutQualifiers(record))} are not followed: ${
        (place && whyUnfollowed(place, memoryModel)) ?? 'the module never goes along them'
      }`,
    );
  // A walk ends at a variable, which no list in tests does: a precondition would exclude clients that keep to it.
  if (followed.statics.length > 0)
    throw new ProbeError(
      `lists of ${printType(withoutQualifiers(record))} may lead through variables of the module, and are ` +
        'followed through other objects only',
    );
  const bytes = sizeOf(record, memoryModel.program.dataModel) ?? 1;
  return { state: { link: followed, nodeBytes: followed.offset + bytes, contents, memoryModel }, list, type: record };
}

/**
 * The condition that a client keeps to when it calls. After the module has closed a ring somewhere nothing is known of
 * reachability, so the client may keep to the condition or not. Clients' own lists are walked anew at each call.
 */
export function statedByClient(term: Term, { link, contents }: ListState, polarity: Polarity): Term {
  if (link.ofClients) return term;
  const hasRing = L.not(contents[link.acyclic.index]!);
  switch (polarity) {
    case 'positive':
      return L.or(hasRing, term);
    case 'negative':
      return L.and(L.not(hasRing), term);
    case 'mixed':
      throw new ProbeError('it compares a condition on a list: join it to others with && and || only');
  }
}

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** The comparison with its sides exchanged. */
export const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** It is a list, and its length is `operator` a number of at most `mostListLength`. */
export function comparedLength(operator: Comparison, state: ListState, list: SymbolicPointer, number: number): Term {
  const width = 8;
  const length = L.zeroExtend(lengthUpTo(state, list, mostListLength + 1), width);
  const bound = L.bits(BigInt.asUintN(width, BigInt(number)), width);
  const compared = {
    '==': () => L.eq(length, bound),
    '!=': () => L.not(L.eq(length, bound)),
    '<': () => L.slt(length, bound),
    '<=': () => L.sle(length, bound),
    '>': () => L.slt(bound, length),
    '>=': () => L.sle(bound, length),
  }[operator]();
  return L.and(isList(state, list), compared);
}

export type MemberValue =
  | { readonly kind: 'pointer'; readonly value: SymbolicPointer }
  | { readonly kind: 'integer'; readonly term: Term; readonly signed: boolean };

/** A member of a node called `name`; throws `ProbeError` for what is no member that the module reads or writes. */
export function memberOf(
  { pointer: at, node, type }: ListNode,
  name: string,
  steps: readonly PathStep[],
  contents: readonly Term[],
  memoryModel: ListState['memoryModel'],
): MemberValue {
  if (steps.length === 0) return { kind: 'pointer', value: at };
  let member: CType = type;
  let offset = at.offset.kind === 'bits' ? Number(at.offset.value) : 0;
  for (const step of steps) {
    const field = step.kind === 'field' && member.kind === 'record' ? findField(member, step.name) : undefined;
    if (!field) throw new ProbeError(`of each node '${name}' it mentions more than members`);
    member = field.type;
    offset += field.offset;
  }
  const scalar = scalarType(member);
  const layout = memoryModel.regions.layout(node);
  const slot = layout.kind === 'slots' ? slotAt(layout, exactly(offset)) : undefined;
  if (!scalar || !slot || layout.kind !== 'slots' || !isOnePlace(layout, slot))
    throw new ProbeError(`the member of '${name}' is no number or pointer that the module reads or writes`);
  const read = (part: 'value' | 'object' | 'offset'): Term =>
    L.select(contents[memoryModel.slot(node, slot, part)!.index]!, at.object);
  if (scalar.kind === 'pointer' && slot.type.kind === 'pointer')
    return { kind: 'pointer', value: { object: read('object'), offset: read('offset') } };
  if (scalar.kind !== 'integer' || slot.type.kind !== 'integer' || slot.bytes * 8 !== scalar.widthBits)
    throw new ProbeError(`the member of '${name}' is no number or pointer`);
  return { kind: 'integer', term: read('value'), signed: scalar.signed };
}
