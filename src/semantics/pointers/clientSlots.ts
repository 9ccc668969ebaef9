/**
 * Which places in clients' objects hold null or a function at every time. A client keeps to it (see
 * `passedFunctions.ts`).
 */
import type { CType } from '../../c/types';
import { cellsOf, residueOf } from '../../program/congruence';
import type { Expression, Variable } from '../../program/expression';
import type { Program } from '../../program/program';
import { functionsAt } from './clientObjects';
import type { Slot, SlotLayout } from './slotLayout';
import { passedFunctions, type PassedFunctions } from './passedFunctions';
import { PreservedSlots } from './preservedSlots';
import type { Node } from './regionNode';
import type { Regions } from './regions';

export class ClientSlots extends PreservedSlots<PassedFunctions> {
  constructor(program: Program, regions: Regions) {
    super(program, regions);
    if (program.clientFunctions.length > 0) this.settle();
  }

  /** By the types that clients' objects have, for every access that is one to the slot. */
  protected keptByClients(
    node: Node,
    types: readonly CType[],
    slot: Slot,
    { stride }: SlotLayout,
  ): PassedFunctions | undefined {
    let found: PassedFunctions | undefined;
    for (const { at } of this.regions.find(node).accesses.values()) {
      if (!cellsOf(at).some((cell) => slot.cells.includes(residueOf(cell, stride)))) continue;
      for (const type of types) {
        for (const to of functionsAt(type, at, this.program) ?? [undefined]) {
          const functions = to && passedFunctions({ kind: 'pointer', to }, this.program);
          if (!functions || (found && !(this.isPartOf(found, functions) && this.isPartOf(functions, found))))
            return undefined;
          found = functions;
        }
      }
    }
    return found;
  }

  protected contentOf({ ctype }: Variable): PassedFunctions | undefined {
    return passedFunctions(ctype, this.program);
  }

  protected isConstant({ of }: Extract<Expression, { kind: 'address' }>, { own }: PassedFunctions): boolean {
    return of.kind === 'function' && own.includes(of);
  }

  /** Types that C takes for compatible may differ in this: `int (*)()` with all that it is compatible with. */
  protected isPartOf(some: PassedFunctions, all: PassedFunctions): boolean {
    return some.ofClients === all.ofClients && some.own.every((fn) => all.own.includes(fn));
  }
}
