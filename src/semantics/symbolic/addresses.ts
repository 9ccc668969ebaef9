/**
 * Addresses as integers. An object lies anywhere, at a multiple of its alignment, and objects that live lie apart. A
 * number that differs from an object's address by an offset within the object is therefore a pointer into it, and low
 * bits below the alignment can be set, read and cleared: what tags in pointers and allocators in arrays rest on.
 *
 * Nothing is said of a number at the end of an object, where another may begin, nor of one whose object has ended,
 * since another may lie there.
 */
import { alignOf } from '../../c/layout';
import * as L from '../../logic/build';
import { postOrder } from '../../logic/traverse';
import { isApplication } from '../../logic/intern';
import type { Application, Term } from '../../logic/term';
import type { FrameObject } from '../../program/expression';
import type { Program, StaticObject } from '../../program/program';
import type { MemoryModel } from './memoryModel';
import { bytesOfPointer, iteValue, type SymbolicPointer, type SymbolicValue, widthOf } from './symbolicValues';

/** A number that is the address of an object, as a term that stands for it in sums. */
export interface ObjectAddress {
  readonly object: Term;
  readonly address: Term;
  /** The address is a multiple of it; a power of two. */
  readonly alignBytes: number;
}

/** Alignment of the objects that a segment makes, by the terms of their numbers. */
export type Alignments = ReadonlyMap<Term, number>;

/** More different objects in one number are not distinguished. */
const mostObjects = 3;

/** Alignment of malloc's blocks that are large enough for it (C11 7.22.3p1). */
const fundamental = { lp64: 16, ilp32: 8 } as const;

/** Alignment of an object, in bytes. */
export const alignmentOf = ({ ctype, alignBytes }: StaticObject | FrameObject, { dataModel }: Program): number =>
  Math.max(alignOf(ctype, dataModel), alignBytes ?? 1);

/** Alignment of a block from malloc, for C17's weaker guarantee: of types that fit into it. */
export const alignmentOfBlock = (sizeBytes: bigint, { dataModel }: Program): number => {
  let align = 1;
  while (align < fundamental[dataModel] && BigInt(2 * align) <= sizeBytes) align *= 2;
  return align;
};

/** Alignments that are the same whichever of two ways was taken. */
export const commonAlignments = (a: Alignments, b: Alignments): Alignments =>
  a === b
    ? a
    : new Map(
        [...new Set([...a.keys(), ...b.keys()])].map((object) => [
          object,
          Math.min(a.get(object) ?? Infinity, b.get(object) ?? Infinity),
        ]),
      );

/** The address of an object, not null, as an uninterpreted function of its number. */
const placeOf = (object: Term): Term => L.call('address', L.bitsSort(2 * widthOf(object)), object);

const aligned = (address: Term, alignBytes: number): Term => {
  const bits = Math.log2(alignBytes);
  return bits === 0 ? address : L.concat(L.extract(widthOf(address) - 1, bits, address), L.bits(0n, bits));
};

/** Properties of objects in the state where an address is taken, or made a pointer. */
export interface ObjectsInState {
  readonly memoryModel: MemoryModel;
  /** 1 if nothing is known. */
  alignment(object: Term): number;
  size(object: Term): Term;
  isLive(object: Term): Term;
  isHeap(object: Term): Term;
}

/** The address of a pointer. */
export function addressOf({ object, offset }: SymbolicPointer, state: ObjectsInState): Term {
  const { memoryModel } = state;
  const number = numberOf(object, offset);
  if (number) return number;
  const alignBytes = state.alignment(object);
  const place = placeOf(object);
  let base = aligned(place, alignBytes);
  if (alignBytes === 1 && memoryModel.allocates) {
    const isHeap = state.isHeap(object);
    for (let align = 2; align <= fundamental[memoryModel.program.dataModel]; align *= 2) {
      const fits = L.ule(L.bits(BigInt(align), memoryModel.half), state.size(object));
      base = L.ite(L.and(isHeap, fits), aligned(place, align), base);
    }
  }
  const address = L.ite(L.eq(object, L.bits(0n, memoryModel.half)), L.bits(0n, widthOf(place)), base);
  const known = memoryModel.addresses.get(place) ?? [];
  for (const one of [address, base])
    if (!known.some((before) => before.address === one)) known.push({ object, address: one, alignBytes });
  memoryModel.addresses.set(place, known);
  return L.add(address, L.signExtend(offset, widthOf(place)));
}

/** The pointer that a number means. */
export function pointerAt(number: Term, state: ObjectsInState, done = new Map<Term, SymbolicValue>()): SymbolicValue {
  const known = done.get(number);
  if (known) return known;
  const addresses = addressesIn(number, state.memoryModel);
  let pointer: SymbolicValue = anyPointer(number, addresses.length > 0 ? 'derived' : 'any', state.memoryModel.half);
  if (isChoice(number) && !addresses.some(({ address }) => address === number)) {
    const [condition, then, otherwise] = number.args;
    pointer = iteValue(condition!, pointerAt(then!, state, done), pointerAt(otherwise!, state, done));
  } else {
    for (const address of addresses) {
      const offset = lowDistance(number, address) ?? L.sub(number, address.address);
      const isWithin = caseByCase(offset, (value) =>
        L.ult(value, L.zeroExtend(state.size(address.object), widthOf(value))),
      );
      pointer = iteValue(
        L.and(state.isLive(address.object), isWithin),
        { object: address.object, offset: L.extract(state.memoryModel.half - 1, 0, offset) },
        pointer,
      );
    }
  }
  done.set(number, pointer);
  return pointer;
}

/**
 * The pointer of a number that may be the address of any object, or of none. Small numbers are distances from null,
 * unless they are derived from an address.
 */
function anyPointer(number: Term, origin: 'any' | 'derived', half: number): SymbolicPointer {
  const sort = L.bitsSort(half);
  const low = L.extract(half - 1, 0, number);
  const isSmall = origin === 'derived' ? L.FALSE : L.eq(L.signExtend(low, 2 * half), number);
  return {
    object: L.ite(isSmall, L.bits(0n, half), L.call('object-at', sort, number)),
    offset: L.ite(isSmall, low, L.call('offset-at', sort, number)),
  };
}

/** The number that a pointer was made of, if `anyPointer` made it, or that lay in memory where it was read. */
function numberOf(object: Term, offset: Term): Term | undefined {
  const bytes = bytesOfPointer({ object, offset }, true);
  if (bytes.kind !== 'bits' && !isApplication(bytes, 'concat')) return bytes;
  const unknown = isChoice(object) ? object.args[2]! : object;
  if (!isApplication(unknown, 'call') || unknown.name !== 'object-at') return undefined;
  const [number] = unknown.args;
  const made = anyPointer(number!, unknown === object ? 'derived' : 'any', widthOf(object));
  return made.object === object && made.offset === offset ? number : undefined;
}

const isChoice = (term: Term): term is Application => isApplication(term, 'ite');

/** Addresses of objects in a number, one for each object; none if there are too many. */
function addressesIn(number: Term, { addresses }: MemoryModel): readonly ObjectAddress[] {
  const terms = new Set(postOrder([number]));
  const places = [...terms].filter((term) => addresses.has(term));
  if (places.length > mostObjects) return [];
  return places.flatMap((place) => {
    const known = addresses.get(place)!;
    return known.find(({ address }) => terms.has(address)) ?? known.find(({ alignBytes }) => alignBytes > 1) ?? [];
  });
}

/** `number - address` for numbers that are made of an address by changes of its low bits, and sums with them. */
function lowDistance(number: Term, from: ObjectAddress): Term | undefined {
  const { address, alignBytes } = from;
  const width = widthOf(address);
  if (number === address) return L.bits(0n, width);
  if (number.kind !== 'apply') return undefined;
  const bits = Math.log2(alignBytes);
  const isLow = (term: Term): boolean =>
    bits < width && caseByCase(term, (value) => isZero(L.extract(width - 1, bits, value))) === L.TRUE;
  if (number.operator === 'concat') return distanceInLowWord(number, from, isLow);
  const [inner, ...others] = innermostFirst(number.args, address);
  const rest = inner && lowDistance(inner, from);
  if (!rest) return undefined;
  switch (number.operator) {
    case 'add':
      return L.add(rest, ...others);
    case 'bit-or':
      return others.every(isLow) ? others.reduce((a, b) => inEachCase(a, b, L.bitOr), rest) : undefined;
    case 'bit-xor':
      return others.every(isLow) ? others.reduce((a, b) => inEachCase(a, b, L.bitXor), rest) : undefined;
    case 'bit-and':
      return others.every((mask) => isLow(L.complement(mask)))
        ? others.reduce((a, b) => inEachCase(a, b, L.bitAnd), rest)
        : undefined;
    default:
      return undefined;
  }
}

/** The same where the upper bits are those of the address, as in a number that was put together from its bytes. */
function distanceInLowWord(
  number: Application,
  { object, address, alignBytes }: ObjectAddress,
  isLow: (term: Term) => boolean,
): Term | undefined {
  const width = widthOf(address);
  const [upper, ...parts] = number.args;
  const lower = parts.slice(1).reduce((high, low) => L.concat(high, low), parts[0]!);
  const bits = widthOf(lower);
  if (alignBytes > 2 ** bits || L.extract(width - 1, bits, address) !== upper) return undefined;
  const rest = lowDistance(lower, { object, address: L.extract(bits - 1, 0, address), alignBytes });
  const distance = rest && L.zeroExtend(rest, width);
  // Neither the low word nor its distance wraps.
  return distance && isLow(distance) ? distance : undefined;
}

/** Operands of a commutative operator, one that mentions the address first. */
function innermostFirst(operands: readonly Term[], address: Term): Term[] {
  const place = postOrder([address]).find((term) => isApplication(term, 'call'));
  const mentions = (term: Term): boolean => postOrder([term]).some((part) => part === place);
  const inner = operands.filter(mentions);
  return inner.length === 1 ? [inner[0]!, ...operands.filter((operand) => operand !== inner[0])] : [];
}

/** A function of a number, of each case of a choice by itself. */
function caseByCase(term: Term, result: (value: Term) => Term, depth = 4): Term {
  if (term.kind === 'apply' && depth > 0) {
    const [first, then, otherwise] = term.args;
    if (term.operator === 'ite')
      return L.ite(first!, caseByCase(then!, result, depth - 1), caseByCase(otherwise!, result, depth - 1));
    if (term.operator === 'zero-extend')
      return caseByCase(first!, (value) => result(L.zeroExtend(value, widthOf(term))), depth - 1);
  }
  return result(term);
}

/** A function of two numbers in the same way. */
const inEachCase = (a: Term, b: Term, result: (a: Term, b: Term) => Term): Term =>
  caseByCase(a, (one) => caseByCase(b, (other) => result(one, other), 2), 2);

const isZero = (term: Term): Term => L.eq(term, L.bits(0n, widthOf(term)));

/**
 * Axioms about the addresses among `term`'s operands: an object's address is not null, it is a multiple of the object's
 * alignment, and the object ends within the address space.
 */
export function addressAxioms(term: Term, memoryModel: MemoryModel): Term[] {
  if (term.kind !== 'apply' || term.operator !== 'call' || term.name !== 'address') return [];
  const [number] = term.args;
  const width = widthOf(term);
  const isSome = L.not(L.eq(number!, L.bits(0n, widthOf(number!))));
  const axioms = [L.implies(isSome, L.not(L.eq(term, L.bits(0n, width))))];
  const object = memoryModel.staticObject(number!) ?? memoryModel.frameObjects.get(number!);
  if (!object) return axioms;
  const last = (1n << BigInt(width)) - 1n - BigInt(object.sizeBytes);
  return [
    ...axioms,
    L.eq(term, aligned(term, alignmentOf(object, memoryModel.program))),
    L.ule(term, L.bits(last, width)),
  ];
}
