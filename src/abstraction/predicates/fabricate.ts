/**
 * From a model to a state that can be run: the fabricated state of ISSTA 2006. Values come from the model; objects are
 * made for the object numbers that the state's pointers mention; what the formula left open is zero. Execution goes on
 * from there concretely, so everything on its way is gained without asking the solver.
 */
import type { RecordLayout } from '../../c/types';
import type { ArrayValue, Value } from '../../logic/term';
import type { Command } from '../../program/command';
import { uint8, type Scalar, type Variable } from '../../program/expression';
import { type ConcreteValue, objectNumber, pointerTo } from '../../semantics/concrete/concreteValues';
import { MemoryExhausted } from '../../semantics/concrete/memoryBlock';
import { exactly } from '../../program/congruence';
import { initialisedBytes, totalStaticBytes } from '../../program/program';
import type { Activation, Machine, Snapshot } from '../../semantics/concrete/machine';
import { bytesOf, cellsIn, hasMoreCells } from '../../semantics/pointers/slotLayout';
import type { ValidTarget } from '../../semantics/pointers/validMembers';
import { isValidInModel } from './validInModel';
import type { PassedFunctions } from '../../semantics/pointers/passedFunctions';
import type { Node } from '../../semantics/pointers/regionNode';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import { asPointer, isPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';
import type { MemoryModel, MemoryVariable } from '../../semantics/symbolic/memoryModel';
import { declaredAt } from '../../semantics/symbolic/vocabulary';
import type { Model } from '../../solver/solver';
import { readArray } from '../../logic/arrays/arrayValue';
import { scalarOf } from '../transitionSystem/concreteView';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Larger objects in a model are not built; the abstract state is kept without running on from it. */
  objectBytes: 1 << 16,
  objects: 64,
  /** Cells of one object, to be written one by one. */
  cells: 1 << 16,
  /** Static objects together: an object is copied before it is written. */
  staticBytes: 1 << 26,
} as const;

export class Fabricator {
  private readonly initial: Snapshot;
  constructor(
    private readonly system: TransitionSystem,
    private readonly machine: Machine,
  ) {
    machine.reset();
    this.initial = machine.snapshot();
  }

  /**
   * Puts the machine into the state, and answers with the activation to run from; undefined when the model's state
   * cannot be built.
   */
  build(point: Cutpoint, state: SymbolicState, model: Model): Activation | undefined {
    const { machine, system } = this;
    if (totalStaticBytes(system.program) > limits.staticBytes) return undefined;
    machine.restore(this.initial);
    const value = (v: SymbolicValue, type: Scalar): ConcreteValue => {
      if (isPointer(v))
        return pointerTo(
          Number(model.evaluate(v.object) as bigint),
          toSigned(model.evaluate(v.offset) as bigint, system.memoryModel.half),
        );
      return scalarOf(model.evaluate(v) as bigint, type);
    };
    const { program, memoryModel } = system;
    const globals = program.globals.map(({ variable }, slot) => value(state.globals[slot]!, variable.type));
    const locals = point.fn.variables.map((variable, slot) => value(state.locals[slot]!, variable.type));
    const own = new Set(declaredAt(point.fn, point.location));
    const objects = point.fn.objects.map((object) =>
      own.has(object) ? pointerTo(Number(model.evaluate(asPointer(state.objects[object.slot]!).object) as bigint)) : 0,
    );
    const array = (variable: MemoryVariable): ArrayValue =>
      model.evaluate(state.memory.contents[variable.index]!) as ArrayValue;
    const contents = new Map<MemoryVariable, Value>();
    for (const variable of memoryModel.variables) {
      if (variable.role.kind === 'slot' || variable.role.kind === 'written')
        contents.set(variable, model.evaluate(state.memory.contents[variable.index]!));
    }
    // Objects to make: named by a pointer in a variable, or stored in an object that was made.
    const sizes = array(memoryModel.size);
    const live = array(memoryModel.live);
    const heap = array(memoryModel.heap);
    const makers = array(memoryModel.allocationSite);
    const isValid = (id: number, offset: bigint, target: ValidTarget): boolean =>
      isValidInModel(BigInt(id), offset, target, memoryModel, state.memory.contents, model);
    const pending: { id: number; node: Node | undefined }[] = [];
    const mention = (variable: Variable, pointer: ConcreteValue): void => {
      if (variable.type.kind === 'pointer')
        pending.push({
          id: objectNumber(pointer),
          node: memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable })?.node,
        });
    };
    globals.forEach((pointer, slot) => mention(program.globals[slot]!.variable, pointer));
    locals.forEach((pointer, slot) => mention(point.fn.variables[slot]!, pointer));
    for (const object of own)
      pending.push({ id: objectNumber(objects[object.slot]!), node: memoryModel.regions.nodeOfOrigin(object) });
    const made = new Set<number>();
    try {
      for (const object of program.objects) {
        made.add(object.number);
        const node = memoryModel.regions.nodeOfOrigin(object);
        if (node && object.writable)
          pending.push(...this.fill(object.number, object.sizeBytes, node, contents, isValid));
      }
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        const { id, node } = next;
        if (id <= memoryModel.lastStatic || made.has(id)) continue;
        if (made.size > limits.objects + program.objects.length || id >= 1 << 19) return undefined;
        const frame = point.fn.objects.find((object) => own.has(object) && objectNumber(objects[object.slot]!) === id);
        const size = frame ? frame.sizeBytes : Number(readArray(sizes, BigInt(id)) as bigint);
        const isLive = readArray(live, BigInt(id)) === true;
        if (size > limits.objectBytes) return undefined;
        machine.memory.place(id, {
          kind: frame ? 'automatic' : readArray(heap, BigInt(id)) === true ? 'heap' : 'host',
          sizeBytes: size,
          contents: 'zero',
          live: isLive,
          ...(frame && { name: frame.name }),
          ...originOf(readArray(makers, BigInt(id)) as bigint, memoryModel),
        });
        const setUpAs = recordSetUp(readArray(makers, BigInt(id)) as bigint, memoryModel);
        if (setUpAs && isLive) machine.memory.ownedBlock(pointerTo(id))!.setUpAs = setUpAs;
        made.add(id);
        if (isLive && node) pending.push(...this.fill(id, size, node, contents, isValid));
      }
    } catch (error) {
      if (error instanceof MemoryExhausted) return undefined;
      throw error;
    }
    globals.forEach((v, slot) => {
      machine.globals[slot] = v;
    });
    return { fn: point.fn, location: point.location, locals, objects };
  }

  /** Writes what the model says of one object of `node`; the objects that the pointers in it name. */
  private fill(
    id: number,
    size: number,
    node: Node,
    contents: ReadonlyMap<MemoryVariable, Value>,
    isValid: (id: number, offset: bigint, target: ValidTarget) => boolean,
  ): { id: number; node: Node | undefined }[] {
    const { memoryModel } = this.system;
    const found: { id: number; node: Node | undefined }[] = [];
    const objects = new Map<number, number>();
    for (const variable of memoryModel.slotVariables(node)) {
      const { role } = variable;
      if (role.kind !== 'slot' && role.kind !== 'written') continue;
      const { slot } = role;
      const value = contents.get(variable)!;
      const type: Scalar = slot === 'byte' ? uint8 : slot.type;
      for (const offset of this.writtenBytes(id, size, variable, value)) {
        const index =
          role.addressing === 'by-offset'
            ? BigInt(offset)
            : role.addressing === 'by-object'
              ? BigInt(id)
              : (BigInt(id) << BigInt(memoryModel.half)) | BigInt(offset);
        const element = role.addressing === 'plain' ? value : readArray(value as ArrayValue, index);
        if (role.kind === 'written') {
          // Variables that say so come after those with the contents.
          if (element === false) this.machine.memory.unwrite(pointerTo(id, offset), slot === 'byte' ? 1 : slot.bytes);
          continue;
        }
        const bits = element as bigint;
        if (role.part === 'value') {
          this.machine.memory.store(pointerTo(id, offset), type, scalarOf(bits, type));
        } else if (role.part === 'object') {
          objects.set(offset, Number(bits));
        } else {
          const object = objects.get(offset) ?? 0;
          const isClients = slot !== 'byte' && id > memoryModel.lastStatic;
          const functions = isClients ? memoryModel.clientSlots.at(node, slot) : undefined;
          if (functions && !means(functions, object, bits)) continue;
          const target = isClients ? memoryModel.validMembers.at(node, slot) : undefined;
          if (target && !isValid(object, bits, target)) continue;
          this.machine.memory.store(pointerTo(id, offset), type, pointerTo(object, toSigned(bits, memoryModel.half)));
          found.push({ id: object, node: memoryModel.regions.storedAt(node, exactly(offset))?.node });
        }
      }
    }
    return found;
  }

  /** The places of an object of which a model says anything but what is there: in a large one, those that it lists. */
  private writtenBytes(id: number, size: number, { role }: MemoryVariable, value: Value): readonly number[] {
    const { program, memoryModel } = this.system;
    if (role.kind !== 'slot' && role.kind !== 'written') return [];
    const layout = memoryModel.regions.layout(role.node);
    if (!hasMoreCells(layout, role.slot, size, limits.cells)) return cellsIn(layout, role.slot, size);
    const { default: elsewhere, entries } = value as ArrayValue;
    const isZero = role.kind === 'slot' && elsewhere === 0n && role.addressing === 'by-offset';
    const object = program.objects[id - 1];
    if (!isZero || !object || initialisedBytes(object) > 0) throw new MemoryExhausted('a model of a large object');
    const end = size - bytesOf(role.slot);
    return [...entries.keys()].map(Number).filter((offset) => offset <= end);
  }
}

function toSigned(value: bigint, width: number): number {
  return Number(BigInt.asIntN(width, value));
}

/** Null, or a function: else what the model has there is read as null. */
function means({ ofClients, own }: PassedFunctions, object: number, offset: bigint): boolean {
  return (
    object === ofClients.number || (offset === 0n && (object === 0 || own.some(({ number }) => number === object)))
  );
}

/** The structure that clients have of this region. */
function recordSetUp(allocationSite: bigint, memoryModel: MemoryModel): RecordLayout | undefined {
  const origin = memoryModel.regions
    .roots()
    .filter((root) => memoryModel.allocationSiteOf(root) === allocationSite)
    .flatMap(({ origins }) => [...origins])
    .find((one) => one.kind === 'set-up');
  return origin?.kind === 'set-up' ? origin.record : undefined;
}

/** An allocation that makes objects of this region. */
function originOf(allocationSite: bigint, memoryModel: MemoryModel): { readonly origin: Command } | undefined {
  if (allocationSite === 0n) return undefined;
  const node = memoryModel.regions.roots().find((root) => memoryModel.allocationSiteOf(root) === allocationSite);
  const origin = node && [...node.origins].find((one) => one.kind === 'heap');
  return origin?.kind === 'heap' ? { origin: origin.command } : undefined;
}
