/** Conditions of each element of a static array, by its number, in the member's type: however memory is divided. */
import * as L from '../../../logic/build';
import { symbolsOf } from '../../../logic/symbols';
import type { SymbolTerm, Term } from '../../../logic/term';
import { binary, convert, integer, load, offset, read, startOf } from '../../../program/build';
import { type IntegerScalar, int64, uint32, type Variable } from '../../../program/expression';
import { FreshSymbols, isPointer } from '../../../semantics/symbolic/symbolicValues';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { staticMembers, type StaticMember } from './staticMembers';

/** A member that is a number. */
export type StaticNumber = StaticMember & { readonly type: IntegerScalar };

export interface ElementBound {
  readonly side: 'least' | 'most';
  readonly value: bigint;
}

export const staticNumbers = (system: TransitionSystem): readonly StaticNumber[] =>
  staticMembers(system).filter((member): member is StaticNumber => member.type.kind === 'integer');

/** The bound for each element; none where memory has no such number. For modules. */
export function boundOfEach(
  member: StaticNumber,
  { side, value }: ElementBound,
  system: TransitionSystem,
): readonly Term[] {
  const { type, count } = member;
  const literal = L.bits(BigInt.asUintN(type.widthBits, value), type.widthBits);
  const atMost = orderOf(type);
  const element = elementOf(member, system);
  if (!element) return [];
  return ofEach(count, side === 'least' ? atMost(literal, element) : atMost(element, literal), system);
}

/** The number in each element is this one; none where memory has no such number. For modules. */
export function valueOfEach(member: StaticNumber, value: bigint, system: TransitionSystem): readonly Term[] {
  const { type, count } = member;
  const element = elementOf(member, system);
  const literal = L.bits(BigInt.asUintN(type.widthBits, value), type.widthBits);
  return element ? ofEach(count, L.eq(element, literal), system) : [];
}

/** In each element the one member is at most the other, of the same type. For modules. */
export function orderInEach(less: StaticNumber, more: StaticNumber, system: TransitionSystem): readonly Term[] {
  const [one, other] = [less, more].map((member) => elementOf(member, system));
  return one && other ? ofEach(less.count, orderOf(less.type)(one, other), system) : [];
}

const orderOf = ({ signed }: IntegerScalar) => (signed ? L.sle : L.ule);

/** It stands for the number of an element. */
const number = L.symbol('?n', L.bitsSort(32)) as SymbolTerm;

function ofEach(count: number, condition: Term, system: TransitionSystem): readonly Term[] {
  const candidate = L.forall([number], L.implies(L.ult(number, L.bits(BigInt(count), 32)), condition));
  const isOfState = [...symbolsOf(candidate)].every((symbol) => system.vocabulary.meaning(symbol));
  return candidate.kind === 'forall' && isOfState ? [candidate] : [];
}

/** An element by its number; undefined where memory has no such number. */
export function elementOf(
  { object, type, offsetBytes, strideBytes }: StaticNumber,
  { builder, vocabulary, client }: TransitionSystem,
): Term | undefined {
  const state = vocabulary.arbitraryState(client!.fn, new FreshSymbols('stored'));
  const variable: Variable = {
    kind: 'variable',
    scope: 'local',
    slot: state.locals.length,
    name: '?n',
    type: uint32,
    temporary: true,
  };
  const delta = binary('multiply', convert(read(variable), int64), integer(strideBytes, int64));
  const place = offset(offset(startOf(object), delta), integer(offsetBytes, int64));
  const element = builder.evaluate(load(type, place), { ...state, locals: [...state.locals, number] });
  return isPointer(element) ? undefined : element;
}
