/** Pointer variables that name objects of the heap, and relations of them and their targets. */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { equal, exactly } from '../../../program/congruence';
import type { Variable } from '../../../program/expression';
import type { Node } from '../../../semantics/pointers/regionNode';
import type { MemoryVariable } from '../../../semantics/symbolic/memoryModel';
import type { SymbolicPointer } from '../../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { elementSizes } from '../allocatedSizes';
import { roomOf } from '../arrays/memberRoom';
import type { Observable } from '../samples';

/** Pointer variables of one control point. */
const mostNames = 6;

export interface ObjectName {
  readonly variable: Variable;
  readonly value: SymbolicPointer;
  readonly node: Node;
  readonly isGlobal: boolean;
}

/** Pointer variables in scope that lead to the start of objects of one node. */
export function namesAt(point: Cutpoint, { vocabulary, memoryModel }: TransitionSystem): readonly ObjectName[] {
  const found = vocabulary.pointersFor(point.fn).flatMap(({ variable, value }): ObjectName[] => {
    const isGlobal = variable.scope === 'global';
    const isParameter = point.fn.parameters.includes(variable);
    if (
      (variable.temporary && !isParameter) ||
      (!isGlobal &&
        (point.kind === 'module' ||
          (point.kind === 'entry' && !isParameter) ||
          (point.kind === 'exit' && variable !== point.fn.resultVariable)))
    )
      return [];
    const target = memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable });
    return target && equal(target.at, exactly(0))
      ? [{ variable, value, node: memoryModel.regions.find(target.node), isGlobal }]
      : [];
  });
  return found.slice(0, mostNames);
}

/**
 * Relations of pointer variables and their targets: null or an object that the program made and has not freed; null
 * together; never the same. `blocks`: regions of blocks that objects have, as a structure its buffer. Of one that was
 * just made the size is related to numbers in scope, too.
 */
export function nameFormulas(
  names: readonly ObjectName[],
  blocks: ReadonlySet<Node>,
  numbers: readonly Observable[],
  system: TransitionSystem,
): Term[] {
  const { memoryModel, vocabulary } = system;
  const isNull = ({ value: { object } }: ObjectName): Term => L.eq(object, L.bits(0n, memoryModel.half));
  const of = (memory: MemoryVariable, object: Term): Term => L.select(vocabulary.symbolOf(memory), object);
  const terms: Term[] = [];
  names.forEach((a, i) => {
    terms.push(
      L.or(nullPointer(a.value, system), exists(a.value, a.node, system)),
      nullPointer(a.value, system),
      L.not(isNull(a)),
    );
    if (blocks.has(a.node) && !a.isGlobal) {
      const { object } = a.value;
      terms.push(L.or(isNull(a), of(memoryModel.heap, object)));
      for (const number of numbers)
        terms.push(...roomOf(of(memoryModel.size, object), isNull(a), number, elementSizes(a.node, system)));
    }
    for (const b of names.slice(i + 1)) {
      if (a.node !== b.node) continue;
      terms.push(
        L.eq(isNull(a), isNull(b)),
        L.or(isNull(a), L.not(L.eq(a.value.object, b.value.object))),
        L.or(L.not(isNull(a)), isNull(b)),
        L.or(isNull(a), L.not(isNull(b))),
      );
    }
  });
  return [...new Set(terms)].filter((term) => term.kind !== 'boolean');
}

export const nullPointer = (
  { object, offset }: { readonly object: Term; readonly offset: Term },
  { memoryModel }: TransitionSystem,
): Term => L.and(L.eq(object, L.bits(0n, memoryModel.half)), L.eq(offset, L.bits(0n, memoryModel.half)));

/** The pointer leads to the start of a live object that the node's allocations made. */
export function exists(
  { object, offset }: { readonly object: Term; readonly offset: Term },
  node: Node,
  { memoryModel, vocabulary }: TransitionSystem,
): Term {
  const half = (value: bigint): Term => L.bits(value, memoryModel.half);
  return L.and(
    L.ult(half(BigInt(memoryModel.lastStatic)), object),
    L.ult(object, vocabulary.symbolOf(memoryModel.allocationCounter)),
    L.select(vocabulary.symbolOf(memoryModel.live), object),
    L.eq(offset, half(0n)),
    L.eq(L.select(vocabulary.symbolOf(memoryModel.allocationSite), object), half(memoryModel.allocationSiteOf(node))),
  );
}
