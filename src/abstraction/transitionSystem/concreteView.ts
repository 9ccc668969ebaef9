/**
 * A concrete state seen through a vocabulary: the value of each symbol, read from the machine at the moment it is
 * asked. Arrays are views into memory, not copies.
 */
import { lazyArray } from '../../logic/arrays/arrayValue';
import { floatBits, floatOf } from '../../logic/floats/patterns';
import type { SymbolTerm, Value } from '../../logic/term';
import type { Scalar, Variable } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import {
  addressOf,
  type ConcreteValue,
  isWide,
  objectNumber,
  offsetBytes,
  pointerTo,
} from '../../semantics/concrete/concreteValues';
import { isOfClients } from '../../semantics/pointers/links/links';
import type { Node } from '../../semantics/pointers/regionNode';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
import type { MemoryBlock } from '../../semantics/concrete/memoryBlock';
import type { Activation } from '../../semantics/concrete/machine';
import { ConcreteHolders } from './concreteHolders';
import { ConcreteChains, regionOf } from './concreteChains';
import { ConcreteForest } from './concreteForest';
import type { MemoryVariable, SlotRole } from '../../semantics/symbolic/memoryModel';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';

export interface ConcreteState {
  readonly globals: readonly ConcreteValue[];
  readonly memory: ConcreteMemory;
  /** The activation whose function's vocabulary is used. */
  readonly activation: Activation | undefined;
  /** All of them, outermost first: automatic objects of callers are found here. */
  readonly activations: readonly Activation[];
}

export class ConcreteView {
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly state: ConcreteState,
  ) {}

  /** The environment of `logic/evaluate`. */
  readonly value = (symbol: SymbolTerm): Value => {
    const meaning = this.vocabulary.meaning(symbol);
    if (!meaning) throw new Error(`${symbol.name} belongs to no state`);
    const { activation, globals } = this.state;
    switch (meaning.kind) {
      case 'variable': {
        const { variable, part } = meaning;
        const value = variable.scope === 'global' ? globals[variable.slot]! : (activation?.locals[variable.slot] ?? 0);
        return this.part(value, variable.type, part);
      }
      case 'object':
        return BigInt(objectNumber(activation?.objects[meaning.object.slot] ?? 0));
      case 'memory':
        return this.memory(meaning.memory);
    }
  };

  private get half(): number {
    return this.vocabulary.memoryModel.half;
  }

  private part(value: ConcreteValue, type: Scalar, part: 'value' | 'object' | 'offset'): bigint {
    if (part === 'object') return BigInt(objectNumber(value));
    if (part === 'offset') return BigInt.asUintN(this.half, BigInt(offsetBytes(value)));
    return bitsOf(value, type, this.vocabulary);
  }

  private memory(variable: MemoryVariable): Value {
    const { role } = variable;
    const { memory } = this.state;
    switch (role.kind) {
      case 'allocation-counter':
        return BigInt(memory.nextNumber);
      case 'size':
        return lazyArray((i) => BigInt(Number(memory.objectSize(pointerTo(Number(i))))), 0n);
      case 'live':
        return lazyArray(
          (i) => i > BigInt(this.vocabulary.memoryModel.lastStatic) && memory.isLive(pointerTo(Number(i))) === 1,
          false,
        );
      case 'heap':
        return lazyArray((i) => memory.isHeap(pointerTo(Number(i))) === 1, false);
      case 'allocation-site':
        return lazyArray((i) => this.allocationSiteOf(memory.block(pointerTo(Number(i)))), 0n);
      case 'reach': {
        const chains = new ConcreteChains(role.link, this.vocabulary.memoryModel, this.state);
        return lazyArray(
          (i) => chains.reaches(Number(i >> BigInt(this.half)), Number(BigInt.asUintN(this.half, i))),
          false,
        );
      }
      case 'count': {
        const chains = new ConcreteChains(role.link, this.vocabulary.memoryModel, this.state);
        return lazyArray((i) => BigInt(chains.count(Number(i))), 0n);
      }
      case 'acyclic':
        return new ConcreteChains(role.link, this.vocabulary.memoryModel, this.state).isAcyclic();
      case 'linked': {
        const chains = new ConcreteChains(role.link, this.vocabulary.memoryModel, this.state);
        const counts = isOfClients(role.node)
          ? (object: number): boolean => chains.ends(object)
          : (object: number): boolean => chains.isWritten(object);
        return lazyArray((i) => counts(Number(i)), false);
      }
      case 'parent': {
        const forest = this.forestOf(role.node);
        return lazyArray((i) => BigInt(forest.parent(Number(i))), 0n);
      }
      case 'ancestor': {
        const forest = this.forestOf(role.node);
        return lazyArray(
          (i) => forest.isBelow(Number(i >> BigInt(this.half)), Number(BigInt.asUintN(this.half, i))),
          false,
        );
      }
      case 'forest':
        return this.forestOf(role.node).isAcyclic();
      case 'holder': {
        const holders = new ConcreteHolders(role, this.state.memory, this.vocabulary.memoryModel);
        return lazyArray((i) => BigInt(holders.of(Number(i))), 0n);
      }
      case 'slot':
      case 'written': {
        const single = role.single && this.singleObject(role.single, role.node);
        const read = (object: number, offset: bigint): Value => {
          if (role.kind === 'written')
            return (
              memory.isInitialised(
                pointerTo(object, Number(BigInt.asIntN(this.half, offset))),
                role.slot === 'byte' ? 1 : role.slot.bytes,
              ) === 1
            );
          if (role.slot === 'byte')
            return BigInt.asUintN(
              8,
              BigInt(
                memory.load(pointerTo(object, Number(BigInt.asIntN(this.half, offset))), {
                  kind: 'integer',
                  widthBits: 8,
                  signed: false,
                }),
              ),
            );
          return this.part(
            memory.load(pointerTo(object, Number(BigInt.asIntN(this.half, offset))), role.slot.type),
            role.slot.type,
            role.part,
          );
        };
        const fallback = role.kind === 'written' ? false : 0n;
        const exact = role.slot === 'byte' ? 0n : BigInt(role.slot.offset);
        switch (role.addressing) {
          case 'plain':
            return read(single ?? 0, exact);
          case 'by-offset':
            return lazyArray((i) => read(single ?? 0, i), fallback);
          case 'by-object':
            return lazyArray((i) => read(Number(i), exact), fallback);
          case 'by-object-and-offset':
            return lazyArray((i) => read(Number(i >> BigInt(this.half)), BigInt.asUintN(this.half, i)), fallback);
        }
      }
    }
  }

  private forestOf(node: Node): ConcreteForest {
    const { memoryModel } = this.vocabulary;
    const { links } = memoryModel.forests.find((forest) => forest.node === node)!;
    return new ConcreteForest(links, memoryModel, this.state);
  }

  /** Static and automatic objects are no command's. */
  private allocationSiteOf(block: MemoryBlock | undefined): bigint {
    return regionOf(block, this.vocabulary.memoryModel);
  }

  private singleObject(origin: NonNullable<SlotRole['single']>, node: Node): number {
    if (origin.kind === 'static') return origin.object.number;
    if (origin.kind !== 'frame') return 0;
    const { activation, activations } = this.state;
    for (const one of activations) {
      if (one.fn === origin.function) return objectNumber(one.objects[origin.object.slot] ?? 0);
    }
    // A run from a fabricated state has no activation of the object's function. Who was given its address knows it.
    for (const one of [...activations, ...(activation ? [activation] : [])])
      for (const { slot } of pointersTo(node, one.fn, this.vocabulary)) {
        const number = objectNumber(one.locals[slot] ?? 0);
        if (number !== 0) return number;
      }
    return 0;
  }
}

const known = new WeakMap<Node, WeakMap<FunctionDefinition, readonly Variable[]>>();

/** A function's variables that lead to objects of the node alone. */
function pointersTo(node: Node, fn: FunctionDefinition, { memoryModel }: Vocabulary): readonly Variable[] {
  let byFunction = known.get(node);
  if (!byFunction) known.set(node, (byFunction = new WeakMap()));
  let found = byFunction.get(fn);
  if (!found) {
    found = fn.variables.filter((variable) => {
      const { type } = variable;
      return type.kind === 'pointer' && memoryModel.regions.pointee({ kind: 'read', type, variable })?.node === node;
    });
    byFunction.set(fn, found);
  }
  return found;
}

/** A scalar's bits as an unsigned number. */
export function bitsOf(value: ConcreteValue, type: Scalar, vocabulary: Vocabulary): bigint {
  switch (type.kind) {
    case 'integer':
      return BigInt.asUintN(type.widthBits, BigInt(value));
    case 'float':
      return floatBits(Number(value), type.widthBits);
    case 'pointer':
      return addressOf(value, vocabulary.memoryModel.program.dataModel);
  }
}

/** The scalar that has these bits. */
export function scalarOf(bits: bigint, type: Scalar): ConcreteValue {
  switch (type.kind) {
    case 'integer': {
      const value = type.signed ? BigInt.asIntN(type.widthBits, bits) : BigInt.asUintN(type.widthBits, bits);
      return isWide(type) ? value : Number(value);
    }
    case 'float':
      return floatOf(bits, type.widthBits);
    case 'pointer':
      throw new Error('a pointer is made of two parts');
  }
}
