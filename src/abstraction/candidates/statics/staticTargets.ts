/**
 * Candidates about pointers into static data, read off the regions before any execution: a pool's blocks, the nodes of
 * a list in a static array, a cursor in a buffer. A pointer is null, or leads to an element of one of the few static
 * objects it may lead to, within bounds. The same is said of pointers that static data hold, of all elements of an
 * array at once, and that those below a counter are not null. Houdini is the judge.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { flat } from '../../../program/congruence';
import type { Pointee } from '../../../semantics/pointers/regionNode';
import type { SymbolicPointer } from '../../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { relevanceOf } from '../observables';
import { heldPointers, type HeldPointer, isPlaceOf } from './heldPointers';

const limits = {
  /** Static objects that one pointer may lead to. */
  targets: 4,
  /** Pointer variables at one cutpoint. */
  variables: 6,
  /** Variables that may count the pointers of an array. */
  counters: 3,
} as const;

/** At control points with any; those of static data are the same at all. */
export function staticTargets(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const inData = ofStaticData(system);
  const relevance = relevanceOf(system);
  return new Map(
    system.points
      .map((point) => {
        const own = variablesAt(point, system, relevance).flatMap(({ value, target }) =>
          leads(value, target, point.kind === 'loop' ? 'to its end' : 'within', system),
        );
        return [point, [...new Set([...own, ...inData])].filter((term) => term.kind !== 'boolean')] as const;
      })
      .filter(([, terms]) => terms.length > 0),
  );
}

/** Pointer variables in scope that may lead to static data. */
function variablesAt(
  point: Cutpoint,
  { vocabulary, memoryModel: { regions } }: TransitionSystem,
  relevance: ReturnType<typeof relevanceOf>,
): readonly { readonly value: SymbolicPointer; readonly target: Pointee }[] {
  return vocabulary
    .pointersFor(point.fn)
    .flatMap(({ variable, value }) => {
      const isParameter = point.fn.parameters.includes(variable);
      const isInScope =
        variable.scope === 'global'
          ? point.kind === 'module' || relevance.at(point.location, variable)
          : point.kind !== 'module' &&
            (point.kind !== 'entry' || isParameter) &&
            (point.kind !== 'exit' || variable === point.fn.resultVariable) &&
            relevance.at(point.location, variable);
      const target = isInScope ? regions.pointee({ kind: 'read', type: variable.type, variable }) : undefined;
      return target && staticsIn(target).length > 0 ? [{ value, target }] : [];
    })
    .slice(0, limits.variables);
}

/** Number and size of the static objects in a node; none when there are too many. */
function staticsIn({ node }: Pointee): readonly { readonly number: number; readonly sizeBytes: number }[] {
  const found = [...node.origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object] : []));
  return found.length > limits.targets ? [] : found;
}

/** Null or within bounds; within bounds; and in a loop the same with the place behind the last element. */
function leads(
  pointer: SymbolicPointer,
  target: Pointee,
  how: 'within' | 'to its end',
  system: TransitionSystem,
): readonly Term[] {
  const isNull = nullPointer(pointer, system);
  const { modulus } = flat(target.at);
  const inside = within(pointer, target, system, L.ult);
  const found = [L.or(isNull, inside), inside];
  if (modulus === 0 || how === 'within') return found;
  const upTo = within(pointer, target, system, L.ule);
  return [...found, L.or(isNull, upTo), upTo];
}

function nullPointer({ object, offset }: SymbolicPointer, { memoryModel: { half } }: TransitionSystem): Term {
  return L.and(L.eq(object, L.bits(0n, half)), L.eq(offset, L.bits(0n, half)));
}

/** At a place where the regions say that it may be, below (or at) the end of one of the objects. */
function within(
  { object, offset }: SymbolicPointer,
  target: Pointee,
  { memoryModel: { half } }: TransitionSystem,
  isBelow: (a: Term, b: Term) => Term,
): Term {
  const literal = (value: number): Term => L.bits(BigInt.asUintN(half, BigInt(value)), half);
  const { residue, modulus } = flat(target.at);
  const isPlace =
    modulus === 0
      ? L.eq(offset, literal(residue))
      : modulus === 1
        ? L.TRUE
        : L.eq(L.urem(offset, literal(modulus)), literal(residue));
  return L.and(
    isPlace,
    L.or(
      ...staticsIn(target).map(({ number, sizeBytes }) =>
        L.and(L.eq(object, literal(number)), modulus === 0 ? L.TRUE : isBelow(offset, literal(sizeBytes))),
      ),
    ),
  );
}

/** Pointers that lie in static data. */
function ofStaticData(system: TransitionSystem): readonly Term[] {
  const place = L.symbol('?offset', system.memoryModel.halfSort);
  return heldPointers(system, (target) => staticsIn(target).length > 0).flatMap((held) => {
    const pointer = held.at(place);
    if (!held.isMany) return leads(pointer, held.target, 'within', system);
    const inside = within(pointer, held.target, system, L.ult);
    const ofAll = (proper: Term): Term => L.forall([place], L.implies(isPlaceOf(held, place), proper));
    return [
      ...(beginsWithoutNull(held) ? [ofAll(inside)] : []),
      ofAll(L.or(nullPointer(pointer, system), inside)),
      ...belowCounters(held, system),
    ];
  });
}

/** Each place is initialised with an address, as in a table of names. */
function beginsWithoutNull({ object: { relocations, sizeBytes }, first, step }: HeldPointer): boolean {
  if (step === 0) return false;
  const initialised = new Set(relocations.map(({ offsetBytes }) => offsetBytes));
  for (let at = first; at < sizeBytes; at += step) if (!initialised.has(at)) return false;
  return true;
}

/** Pointers below a static number are not null: `fields[count++] = p`. */
function belowCounters(
  { object: { sizeBytes }, first, step, at }: HeldPointer,
  { vocabulary, memoryModel: { half, halfSort }, client }: TransitionSystem,
): readonly Term[] {
  if (step === 0 || !client) return [];
  const bound = L.symbol('?n', halfSort);
  const literal = (value: number): Term => L.bits(BigInt(value), half);
  const place = L.add(L.mul(literal(step), bound), literal(first));
  const counters = vocabulary.symbolsFor(client.fn).flatMap((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    const type = meaning?.kind === 'variable' && meaning.variable.scope === 'global' && meaning.variable.type;
    return type && type.kind === 'integer' && type.widthBits >= half && type.widthBits <= 64
      ? [{ symbol, signed: type.signed, widthBits: type.widthBits }]
      : [];
  });
  return counters.slice(0, limits.counters).map(({ symbol, signed, widthBits }) => {
    const number = L.resize(bound, widthBits, 'unsigned');
    const isBelow = (signed ? L.slt : L.ult)(number, symbol);
    const isInside = L.ult(bound, literal(Math.ceil((sizeBytes - first) / step)));
    return L.forall([bound], L.implies(L.and(isInside, isBelow), L.not(L.eq(at(place).object, literal(0)))));
  });
}
