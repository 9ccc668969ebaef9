/** Pointers to functions in the nodes of a list, as of jobs and subscribers: each leads to one that can be called. */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import type { CType } from '../../../c/types';
import { callable } from '../../../program/lower/compatible';
import { objectNumber, offsetBytes, pointerTo } from '../../../semantics/concrete/concreteValues';
import { addressTaken } from '../../../semantics/pointers/callbacks';
import { clientFunctionFor } from '../../../semantics/pointers/passedFunctions';
import { isOnePlace, type Slot } from '../../../semantics/pointers/slotLayout';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import { typeAt } from '../../printing/memberPaths';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Heap } from './linkedHeap';

export interface NodeFunction {
  /** The pointer in the node with the number leads to a function of its type. */
  readonly isCallable: (object: Term) => Term;
  readonly isNull: (object: Term) => Term;
  /** The same of a node in a state. */
  readonly kindAt: (heap: Heap, object: number) => 'callable' | 'null' | undefined;
}

/** The members of a link's nodes that point to functions. */
export function nodeFunctions(link: LinkVariables, system: TransitionSystem): readonly NodeFunction[] {
  const { memoryModel, vocabulary } = system;
  const { regions, half } = memoryModel;
  const layout = regions.layout(link.node);
  const nodeType = layout.kind === 'slots' ? typeOfNodes(link, system) : undefined;
  if (layout.kind !== 'slots' || !nodeType) return [];
  return layout.slots.flatMap((slot): NodeFunction[] => {
    if (slot.type.kind !== 'pointer' || !isOnePlace(layout, slot)) return [];
    const cases = functionsAt(slot, link, nodeType, system);
    const [objects, offsets] = [
      memoryModel.slot(link.node, slot, 'object'),
      memoryModel.slot(link.node, slot, 'offset'),
    ];
    if (!cases || objects?.role.kind !== 'slot' || objects.role.addressing !== 'by-object' || !offsets) return [];
    const { own, ofClients } = cases;
    const leadsTo = (object: Term, number: number): Term =>
      L.eq(L.select(vocabulary.symbolOf(objects), object), L.bits(BigInt(number), half));
    const begins = (object: Term): Term => L.eq(L.select(vocabulary.symbolOf(offsets), object), L.bits(0n, half));
    return [
      {
        isNull: (object) => L.and(leadsTo(object, 0), begins(object)),
        isCallable: (object) =>
          L.or(
            ...own.map((number) => L.and(leadsTo(object, number), begins(object))),
            ...(ofClients === undefined ? [] : [leadsTo(object, ofClients)]),
          ),
        kindAt: ({ memory }, object) => {
          const place = pointerTo(object, slot.offset);
          if (memory.isInitialised(place, slot.bytes) !== 1) return undefined;
          const pointer = memory.load(place, slot.type);
          const [number, offset] = [objectNumber(pointer), offsetBytes(pointer)];
          if (number === ofClients) return 'callable';
          if (offset !== 0) return undefined;
          return number === 0 ? 'null' : own.includes(number) ? 'callable' : undefined;
        },
      },
    ];
  });
}

/** Numbers of the functions that a pointer at the slot may lead to; undefined where it points to no function. */
function functionsAt(
  slot: Slot,
  link: LinkVariables,
  nodeType: CType,
  { program, vocabulary }: TransitionSystem,
): { readonly own: readonly number[]; readonly ofClients: number | undefined } | undefined {
  const type = typeAt(nodeType, slot.offset - link.offset, vocabulary);
  if (type?.kind !== 'pointer' || type.to.kind !== 'function') return undefined;
  const { to } = type;
  const taken = addressTaken(program);
  const ofClients = clientFunctionFor(to, program);
  const own = program.functions.flatMap((fn) =>
    taken.has(fn.number) && fn !== ofClients && fn.ctype.kind === 'function' && callable(to, fn.ctype)
      ? [fn.number]
      : [],
  );
  return { own, ofClients: ofClients?.number };
}

/** The structure to which pointers that lead where links lead point, as they are declared. */
function typeOfNodes(link: LinkVariables, { memoryModel, program }: TransitionSystem): CType | undefined {
  for (const variable of [
    ...program.globals.map(({ variable: one }) => one),
    ...program.functions.flatMap((fn) => fn.variables),
  ]) {
    if (variable.ctype?.kind !== 'pointer' || variable.ctype.to.kind !== 'record') continue;
    const target = memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable });
    if (target && memoryModel.regions.find(target.node) === link.node && target.at.modulus === 0)
      if (!target.at.strides && target.at.residue === link.offset) return variable.ctype.to;
  }
  return undefined;
}
