/** Conditions of each element of a static array, by its number, in the member's type: however memory is divided. */
import * as L from '../../../logic/build';
import { symbolsOf } from '../../../logic/symbols';
import type { SymbolTerm, Term } from '../../../logic/term';
import { type Congruence, upTo } from '../../../program/congruence';
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
  const { type } = member;
  const literal = L.bits(BigInt.asUintN(type.widthBits, value), type.widthBits);
  const atMost = orderOf(type);
  const element = elementOf(member, system);
  if (!element) return [];
  return ofEach(member, side === 'least' ? atMost(literal, element) : atMost(element, literal), system);
}

/** The number in each element is this one; none where memory has no such number. For modules. */
export function valueOfEach(member: StaticNumber, value: bigint, system: TransitionSystem): readonly Term[] {
  const { type } = member;
  const element = elementOf(member, system);
  const literal = L.bits(BigInt.asUintN(type.widthBits, value), type.widthBits);
  return element ? ofEach(member, L.eq(element, literal), system) : [];
}

/** In each element the one member is at most the other, of the same type. For modules. */
export function orderInEach(less: StaticNumber, more: StaticNumber, system: TransitionSystem): readonly Term[] {
  if (less.row || more.row) return [];
  const [one, other] = [less, more].map((member) => elementOf(member, system));
  return one && other ? ofEach(less, orderOf(less.type)(one, other), system) : [];
}

const orderOf = ({ signed }: IntegerScalar) => (signed ? L.sle : L.ule);

/** They stand for the number of an element, and of one in its row. */
const [number, column] = ['?n', '?m'].map((name) => L.symbol(name, L.bitsSort(32))) as [SymbolTerm, SymbolTerm];

function ofEach({ count, row }: StaticMember, condition: Term, system: TransitionSystem): readonly Term[] {
  const isBelow = (one: Term, most: number): Term => L.ult(one, L.bits(BigInt(most), 32));
  const range = L.and(isBelow(number, count), ...(row ? [isBelow(column, row.count)] : []));
  const candidate = L.forall(row ? [number, column] : [number], L.implies(range, condition));
  const isOfState = [...symbolsOf(candidate)].every((symbol) => system.vocabulary.meaning(symbol));
  return candidate.kind === 'forall' && isOfState ? [candidate] : [];
}

/** An element by its number, and that in its row; undefined where memory has no such number. */
export function elementOf(
  { object, type, offsetBytes, strideBytes, row }: StaticNumber,
  { builder, vocabulary, client }: TransitionSystem,
): Term | undefined {
  const state = vocabulary.arbitraryState(client!.fn, new FreshSymbols('stored'));
  const each: Congruence = { residue: 0, modulus: strideBytes };
  const steps = [{ name: '?n', value: number, bytes: strideBytes, within: each }];
  if (row) steps.push({ name: '?m', value: column, bytes: row.strideBytes, within: upTo(row.count, row.strideBytes) });
  let place = startOf(object);
  steps.forEach(({ name, bytes, within }, i) => {
    const slot = state.locals.length + i;
    const variable: Variable = { kind: 'variable', scope: 'local', slot, name, type: uint32, temporary: true };
    place = offset(place, binary('multiply', convert(read(variable), int64), integer(bytes, int64)), within);
  });
  const locals = [...state.locals, ...steps.map(({ value }) => value)];
  const element = builder.evaluate(load(type, offset(place, integer(offsetBytes, int64))), { ...state, locals });
  return isPointer(element) ? undefined : element;
}
