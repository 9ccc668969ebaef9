/**
 * Static numbers that count elements of a static array: `active` beside `timers[i].fn != NULL`, or the free cells of a
 * board. So many elements there are at most, which no bound in the C says. An element counts if it differs from a
 * constant that the program stores there, or from 0, or if it equals it. All elements of a small array are written out,
 * since a sum of choices needs no quantifier, and one step changes one of them. Read off the program; Houdini is the
 * judge.
 */
import * as L from '../../../logic/build';
import { postOrder } from '../../../logic/traverse';
import { linearOf } from '../../../logic/words/linear';
import { symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { integer, load, offset, sameScalar, startOf } from '../../../program/build';
import { type Expression, int64 } from '../../../program/expression';
import { walk } from '../../../program/traverse';
import { FreshSymbols, isPointer } from '../../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { integerTypeOf } from './staticConditions';
import { isTrueAtStart } from './startStates';
import { isPlaceOf, staticMembers, type StaticMember, storesTo } from './staticMembers';

const limits = {
  /** Elements of an array: one choice each. */
  elements: 24,
  /** Members of all arrays, constants of one, and candidates in all. */
  members: 12,
  constants: 3,
  candidates: 6,
  /** Nodes of the new value of a counter. */
  nodes: 400,
} as const;

/** The same at every control point, for the client's to be kept on the way; none for a program. */
export function elementCounts(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const { client, points } = system;
  if (!client) return new Map();
  const changed = changesIn(system);
  const counters = countersOf(client, system);
  if (counters.size === 0) return new Map();
  const holds = isTrueAtStart(system);
  const together = (counter: SymbolTerm, elements: readonly Term[]): boolean =>
    [...changed.values()].some(
      (symbols) => symbols.has(counter) && elements.some((one) => [...symbolsOf(one)].some((s) => symbols.has(s))),
    );
  const candidates = membersIn(system).flatMap((member) =>
    truthsOf(member, system).flatMap((elements) =>
      [...counters].flatMap((counter) => {
        if (!together(counter, elements)) return [];
        const width = L.widthOf(counter);
        const [one, none] = [L.bits(1n, width), L.bits(0n, width)];
        const count = elements.map((isCounted) => L.ite(isCounted, one, none)).reduce((sum, part) => L.add(sum, part));
        return [L.eq(counter, count)].filter((term) => term.kind !== 'boolean' && holds(term));
      }),
    ),
  );
  const chosen = [...new Set(candidates)].slice(0, limits.candidates);
  return new Map(chosen.length === 0 ? [] : points.map((point) => [point, chosen]));
}

/** By function: symbols of static data that its steps change. */
function changesIn({ transitions, vocabulary }: TransitionSystem): ReadonlyMap<Cutpoint['fn'], ReadonlySet<Term>> {
  const found = new Map<Cutpoint['fn'], Set<Term>>();
  for (const { from, kind, ends } of transitions) {
    if (!from || kind !== 'segment') continue;
    const symbols = found.get(from.fn) ?? new Set();
    found.set(from.fn, symbols);
    for (const { point, state } of ends)
      for (const [symbol, value] of vocabulary.binding(point.fn, state)) if (value !== symbol) symbols.add(symbol);
  }
  return found;
}

/** Static numbers to which some step adds 1, or from which it takes 1. */
function countersOf({ fn }: Cutpoint, system: TransitionSystem): ReadonlySet<SymbolTerm> {
  const { transitions, vocabulary } = system;
  const numbers = vocabulary
    .symbolsFor(fn)
    .filter((symbol) => symbol.sort.kind === 'bits' && integerTypeOf(symbol, system) !== undefined);
  const found = new Set<SymbolTerm>();
  for (const { from, kind, ends } of transitions) {
    if (!from || kind !== 'segment') continue;
    for (const { point, state } of ends) {
      const values = vocabulary.binding(point.fn, state);
      for (const number of numbers) {
        const value = values.get(number);
        if (value && value !== number && leavesOf(value).some((leaf) => isNext(leaf, number))) found.add(number);
      }
    }
  }
  return found;
}

function isNext(value: Term, number: SymbolTerm): boolean {
  if (value === number || value.sort.kind !== 'bits') return false;
  const { monomials, constant, width } = linearOf(L.sub(value, number));
  return monomials.length === 0 && [1n, -1n].includes(BigInt.asIntN(width, constant));
}

/** Values that choices may leave. */
function leavesOf(value: Term): readonly Term[] {
  if (postOrder([value]).length > limits.nodes) return [];
  const found = new Set<Term>();
  const work = [value];
  for (let part = work.pop(); part; part = work.pop())
    if (L.isApplication(part, 'ite')) work.push(...part.args.slice(1).filter((arg) => !found.has(arg)));
    else found.add(part);
  return [...found];
}

const membersIn = (system: TransitionSystem): readonly StaticMember[] =>
  staticMembers(system)
    .filter(({ count, type, row }) => !row && count <= limits.elements && type.kind !== 'float')
    .slice(0, limits.members);

/** For each constant and its opposite: whether each element counts. */
function truthsOf(member: StaticMember, system: TransitionSystem): readonly (readonly Term[])[] {
  const { builder, vocabulary, client, memoryModel } = system;
  const { object, type, offsetBytes, strideBytes, count } = member;
  const state = vocabulary.arbitraryState(client!.fn, new FreshSymbols('counted'));
  const elements = Array.from({ length: count }, (_, i) =>
    builder.evaluate(load(type, offset(startOf(object), integer(i * strideBytes + offsetBytes, int64))), state),
  );
  const constants = constantsIn(member, system);
  const none = L.bits(0n, memoryModel.half);
  return constants.slice(0, limits.constants).flatMap((constant) => {
    const equal = elements.map((element) =>
      isPointer(element)
        ? L.and(L.eq(element.object, none), L.eq(element.offset, none))
        : L.eq(element, L.bits(BigInt.asUintN(L.widthOf(element), constant), L.widthOf(element))),
    );
    const isOfState = equal.every((term) => [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol)));
    return isOfState ? [equal.map((term) => L.not(term)), equal] : [];
  });
}

/** Constants that functions store in the member, and 0, as far as the member is compared with them. */
function constantsIn(member: StaticMember, system: TransitionSystem): readonly bigint[] {
  const stored = storesTo(member, system).flatMap(({ value }) => (value.kind === 'integer' ? [value.value] : []));
  const compared = comparedWith(member, system);
  return [...new Set([0n, ...stored])].filter((constant) => compared.has(constant));
}

/** Constants that branches ask a member to equal, null as 0. */
function comparedWith(member: StaticMember, system: TransitionSystem): ReadonlySet<bigint> {
  const isMember = isPlaceOf(member, system);
  const isRead = (value: Expression): boolean =>
    value.kind === 'convert'
      ? isRead(value.operand)
      : value.kind === 'load' && sameScalar(value.type, member.type) && isMember(value.address);
  const found = new Set<bigint>();
  for (const fn of system.program.functions)
    for (const { command } of fn.edges)
      if (command.kind === 'assume')
        walk(command.condition, (e) => {
          if (e.kind !== 'compare' || (e.operator !== 'eq' && e.operator !== 'ne')) return;
          for (const [one, other] of [
            [e.left, e.right],
            [e.right, e.left],
          ] as const) {
            if (!isRead(one)) continue;
            if (other.kind === 'integer') found.add(other.value);
            if (other.kind === 'null') found.add(0n);
          }
        });
  return found;
}
