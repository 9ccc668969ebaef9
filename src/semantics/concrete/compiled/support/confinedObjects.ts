/**
 * Begins and ends confined objects (see `program/automata/confinedObjects.ts`). Their numbers and addresses follow from
 * their places on the stack of activations, and nothing is kept of those that have ended but where and how large they
 * were. The law is that of `objects.ts`.
 */
import { confinedUnitBytes, unitsOf } from '../../../../program/automata/confinedObjects';
import { confinedContents, confinedUnits } from '../../concreteMemory';
import { poolBytes, poolTail } from '../../random';
import { cells, deadEntry, entry, half as halfOf, originBytes, property, type LinearLayout } from '../layout';
import { stateWords } from '../../objectState';
import type { ObjectLocals } from '../expressions';
import { access, op, type BranchTarget, type Code } from '../wasm';
import { emitSmallContents } from './objectContents';

export interface ConfinedPlan extends ObjectLocals {
  readonly sizeBytes: number;
  /** Units from the beginning of the frame's part, whose address is in the local `frame`. */
  readonly place: number;
  readonly frame: number;
  readonly site: number;
  /** A local that is free. */
  readonly from: number;
}

/** Begins the object, or branches before anything has changed: to `noRoom`, or to `hostsTurn`. */
export function emitBeginConfined(
  code: Code,
  layout: LinearLayout,
  plan: ConfinedPlan,
  noRoom: BranchTarget,
  hostsTurn: BranchTarget,
): void {
  const { sizeBytes, address, site } = plan;
  const half = halfOf(sizeBytes);
  code.get(plan.frame);
  code.i32(plan.place * confinedUnitBytes);
  code.op(op.i32add);
  code.tee(address);
  code.i32(layout.confinedEnd - unitsOf(sizeBytes) * confinedUnitBytes);
  code.op(op.i32gtU);
  code.branchIf(noRoom);
  // An entry of the table is half as large as a unit.
  code.get(address);
  code.i32(1);
  code.op(op.i32shrU);
  code.i32(16 * layout.firstConfined - layout.confined / 2);
  code.op(op.i32add);
  code.tee(plan.entry);
  code.access(access.i32load, layout.table + entry.properties);
  code.branchIf(hostsTurn);
  pushOrigin(code, plan.entry);
  code.access(access.i32load, layout.origins);
  code.op(op.i32eqz);
  code.branchIf(hostsTurn);
  pushOrigin(code, plan.entry);
  code.i64(BigInt(site));
  code.access(access.i64store, layout.origins);
  code.i32(0);
  code.i32(site);
  code.access(access.i32store, cells.objectState + 4 * stateWords.site);
  code.get(plan.entry);
  code.get(address);
  code.access(access.i32store, layout.table + entry.address);
  code.get(plan.entry);
  code.i32(sizeBytes);
  code.access(access.i32store, layout.table + entry.size);
  code.get(plan.entry);
  code.i64(BigInt(half) | (BigInt(property.live | property.writable) << 32n));
  code.access(access.i64store, layout.table + entry.shadow);
  if (sizeBytes <= poolTail) {
    code.get(address);
    code.i32(layout.confined);
    code.op(op.i32sub);
    code.i32(poolBytes - 8);
    code.op(op.i32and);
    code.set(plan.from);
    emitSmallContents(code, layout, { address, half, from: plan.from, sizeBytes });
  } else {
    code.get(address);
    code.i32(layout.pool + confinedContents(0, sizeBytes));
    code.i32(sizeBytes);
    code.copyMemory();
    code.get(address);
    code.i32(half);
    code.op(op.i32add);
    code.i32(0);
    code.i32(sizeBytes);
    code.fillMemory();
  }
  if (plan.shadow.kind === 'kept') {
    code.i32(half);
    code.set(plan.shadow.local);
  }
  code.get(plan.entry);
  code.op(op.i64extendU);
  code.i64(28n);
  code.op(op.i64shl);
  code.set(plan.pointer);
}

/**
 * Ends an object that a slot for a confined one holds. `kill`: ends one that found no room among them. The place in the
 * program has been set.
 */
export function emitEndConfined(
  code: Code,
  layout: LinearLayout,
  { object, sizeBytes, kill, hostKill }: ConfinedEnd,
): void {
  const done = code.block();
  const ordinary = code.block();
  const hostsTurn = code.block();
  const pushOriginOf = () => {
    code.get(object);
    code.i32(Math.log2(originBytes));
    code.op(op.i32shl);
  };
  const pushEntry = () => {
    code.get(object);
    code.i32(4);
    code.op(op.i32shl);
  };
  pushIsOrdinary(code, layout, object);
  code.branchIf(ordinary);
  pushOriginOf();
  code.access(access.i32load, layout.origins);
  code.i32(0);
  code.op(op.i32leS);
  code.branchIf(hostsTurn);
  pushEntry();
  code.access(access.i32load, layout.table + entry.properties);
  code.op(op.i32eqz);
  code.branchIf(done);
  pushEntry();
  code.i64(BigInt(sizeBytes));
  code.access(access.i64store, layout.table + deadEntry.size);
  pushEntry();
  code.i64(BigInt(property.writable));
  code.access(access.i64store, layout.table + deadEntry.properties);
  pushOriginOf();
  code.i32(0);
  code.access(access.i32load, cells.objectState + 4 * stateWords.site);
  code.access(access.i32store, layout.origins + 4);
  code.branch(done);
  code.end();
  code.get(object);
  code.call(hostKill);
  code.branch(done);
  code.end();
  code.get(object);
  code.call(kill);
  code.end();
}

interface ConfinedEnd {
  /** Local with its number. */
  readonly object: number;
  readonly sizeBytes: number;
  readonly kill: number;
  readonly hostKill: number;
}

/** Pushes whether the number is not that of a confined object. */
export function pushIsOrdinary(code: Code, layout: LinearLayout, object: number): void {
  code.get(object);
  code.i32(layout.firstConfined);
  code.op(op.i32sub);
  code.i32(confinedUnits);
  code.op(op.i32geU);
}

function pushOrigin(code: Code, entryLocal: number): void {
  code.get(entryLocal);
  code.i32(1);
  code.op(op.i32shrU);
}
