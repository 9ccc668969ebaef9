/**
 * Numbers in the objects that variables point to, `current->used`, as observables beside the variables: the state that
 * a module keeps behind one pointer. Where the pointer is null the number counts as 0, so that a formula about it needs
 * no case of its own.
 */
import { sizeOf } from '../../c/layout';
import * as L from '../../logic/build';
import { pathAt } from '../printing/memberPaths';
import { isOnePlace } from '../../semantics/pointers/slotLayout';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { Observable } from './samples';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Per cutpoint, and per pointer. */
  fields: 8,
  pointers: 3,
} as const;

export function withMembers(
  system: TransitionSystem,
  observables: ReadonlyMap<Cutpoint, readonly Observable[]>,
): Map<Cutpoint, Observable[]> {
  return new Map(
    system.points.map((point) => [point, [...(observables.get(point) ?? []), ...fieldsAt(system, point)]]),
  );
}

function fieldsAt(system: TransitionSystem, point: Cutpoint): Observable[] {
  const { vocabulary, memoryModel } = system;
  const pointers = vocabulary.pointersFor(point.fn).filter(({ variable }) => {
    if (variable.temporary || variable.ctype?.kind !== 'pointer' || variable.ctype.to.kind !== 'record') return false;
    if (variable.scope === 'global') return true;
    return point.kind === 'loop' && point.fn.parameters.includes(variable);
  });
  const found: Observable[] = [];
  for (const { variable, value } of pointers.slice(0, limits.pointers)) {
    const { ctype } = variable;
    const pointee = memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable });
    if (!pointee || pointee.at.modulus !== 0 || pointee.at.strides || ctype?.kind !== 'pointer') continue;
    const layout = memoryModel.regions.layout(pointee.node);
    if (layout.kind !== 'slots' || layout.single) continue;
    const bytes = sizeOf(ctype.to, system.program.dataModel) ?? 0;
    for (const slot of layout.slots) {
      const offset = slot.offset - pointee.at.residue;
      const memory = memoryModel.slot(pointee.node, slot, 'value');
      if (
        !memory ||
        !isOnePlace(layout, slot) ||
        slot.type.kind !== 'integer' ||
        slot.type.widthBits > 64 ||
        offset < 0 ||
        offset + slot.bytes > bytes
      )
        continue;
      const { widthBits, signed } = slot.type;
      const isNull = L.eq(value.object, L.bits(0n, memoryModel.half));
      found.push({
        term: L.ite(isNull, L.bits(0n, widthBits), L.select(vocabulary.symbolOf(memory), value.object)),
        signed,
        widthBits,
        name: `${variable.name}->${pathAt('', ctype.to, offset, vocabulary).slice(1)}`,
      });
    }
  }
  return found.slice(0, limits.fields);
}
