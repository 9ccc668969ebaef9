/**
 * The object that a pointer leads to, as candidates speak of it. Memory's own records of sizes and lives have no
 * objects of static data: where a pointer may lead to some, as one that clients got from the module and hand in again,
 * these are spelled out.
 */
import * as L from '../../logic/build';
import { postOrder } from '../../logic/traverse';
import type { Term } from '../../logic/term';
import { objectSize, read } from '../../program/build';
import type { Variable } from '../../program/expression';
import type { Node } from '../../semantics/pointers/regionNode';
import { FreshSymbols, type SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Objects of static data that a size is spelled out for. */
  statics: 6,
} as const;

/** Bytes, in the width of offsets. */
export function sizeOfTarget(variable: Variable, { fn }: Cutpoint, system: TransitionSystem): Term {
  const { builder, vocabulary, memoryModel } = system;
  const { half, size } = memoryModel;
  const state = vocabulary.arbitraryState(fn, new FreshSymbols('size'));
  const { object } = builder.evaluate(read(variable), state) as SymbolicPointer;
  const recorded = L.select(vocabulary.symbolOf(size), object);
  const node = memoryModel.regions.pointee(read(variable))?.node;
  const statics = node ? staticsOf(node) : [];
  if (statics.length === 0 || statics.length > limits.statics) return recorded;
  return L.resize(builder.evaluate(objectSize(read(variable)), state) as Term, half, 'unsigned');
}

/**
 * Targets of a pointer that may lead to static data: it leads to that, or to what calls or the program made, and what
 * it leads to is alive. A pointer that the checks let through fulfils both.
 */
export function validTargets(variable: Variable, { fn }: Cutpoint, system: TransitionSystem): readonly Term[] {
  const node = system.memoryModel.regions.pointee(read(variable))?.node;
  if (!node || staticsOf(node).length === 0) return [];
  const { builder, vocabulary } = system;
  const { object } = builder.evaluate(
    read(variable),
    vocabulary.arbitraryState(fn, new FreshSymbols('target')),
  ) as SymbolicPointer;
  return validObject(object, node, system);
}

/** The same of an object that a pointer to the node's objects leads to. */
export function validObject(object: Term, node: Node, { vocabulary, memoryModel }: TransitionSystem): readonly Term[] {
  const { half, lastStatic, live } = memoryModel;
  const statics = staticsOf(node);
  const isLater = L.ult(L.bits(BigInt(lastStatic), half), object);
  const isLive = L.or(L.not(isLater), L.select(vocabulary.symbolOf(live), object));
  if (statics.length > limits.statics) return [isLive];
  return [L.or(isLater, ...statics.map((number) => L.eq(object, L.bits(BigInt(number), half)))), isLive];
}

/** Numbers of the node's objects of static data. */
const staticsOf = ({ origins }: Node): readonly number[] =>
  [...origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object.number] : []));

/** Distinct subterms; the size of an object, and the objects that a pointer may lead to, count as one. */
export function lengthOf(term: Term): number {
  let length = lengths.get(term);
  if (length === undefined) lengths.set(term, (length = postOrder([term], undefined, isByObject).length));
  return length;
}

const lengths = new WeakMap<Term, number>();

function isByObject(term: Term): boolean {
  if (L.isApplication(term, 'or'))
    return term.args.every(isObject) && term.args.some((arg) => L.isApplication(arg, 'unsigned-less'));
  return L.isApplication(term, 'ite') && isObject(term.args[0]!) && term.args[1]!.kind === 'bits';
}

/** The word is a number, or above one. */
const isObject = (term: Term): boolean =>
  (L.isApplication(term, 'eq') || L.isApplication(term, 'unsigned-less')) &&
  term.args.some(({ kind }) => kind === 'bits');
