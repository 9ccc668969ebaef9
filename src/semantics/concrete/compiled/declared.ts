/**
 * Which automatic objects are certainly declared, and which possibly, when control is at a location: two small dataflow
 * analyses over bits of slots.
 */
import type { Expression, FrameObject } from '../../../program/expression';
import type { FunctionDefinition } from '../../../program/program';
import { expressionsOf, operands } from '../../../program/traverse';

export interface Declared {
  /** By location index. */
  readonly certainly: readonly bigint[];
  readonly possibly: readonly bigint[];
}

export function declaredObjects(fn: FunctionDefinition): Declared {
  const all = (1n << BigInt(fn.objects.length)) - 1n;
  const certainly = new Array<bigint>(fn.locations.length).fill(all);
  const possibly = new Array<bigint>(fn.locations.length).fill(0n);
  if (fn.objects.length === 0) return { certainly, possibly };
  certainly[fn.entry.index] = 0n;
  for (let changed = true; changed;) {
    changed = false;
    for (const { index, edges } of fn.locations) {
      for (const { command, to } of edges) {
        const effect = (bits: bigint): bigint => {
          if (command.kind === 'declare') return bits | (1n << BigInt(command.object.slot));
          return command.kind === 'end' ? bits & ~(1n << BigInt(command.object.slot)) : bits;
        };
        const [sure, maybe] = [
          certainly[to.index]! & effect(certainly[index]!),
          possibly[to.index]! | effect(possibly[index]!),
        ];
        if (sure === certainly[to.index] && maybe === possibly[to.index]) continue;
        certainly[to.index] = sure;
        possibly[to.index] = maybe;
        changed = true;
      }
    }
  }
  return { certainly, possibly };
}

/**
 * Objects of which the function never makes a pointer: their addresses occur only where memory is accessed, or where
 * something is tested.
 */
export function privateObjects(fn: FunctionDefinition): ReadonlySet<FrameObject> {
  const found = new Set(fn.objects);
  for (const { command } of fn.edges) {
    const addresses =
      command.kind === 'store'
        ? [command.address]
        : command.kind === 'copy'
          ? [command.target, command.source]
          : command.kind === 'fill'
            ? [command.target]
            : [];
    const isTest = command.kind === 'check' || command.kind === 'assume';
    for (const expression of expressionsOf(command))
      removePublished(expression, addresses.includes(expression) ? 'address' : isTest ? 'test' : 'value', found);
  }
  return found;
}

function removePublished(e: Expression, use: 'address' | 'test' | 'value', found: Set<FrameObject>): void {
  if (e.kind === 'address' && use === 'value' && e.of.kind === 'frame-object') found.delete(e.of);
  operands(e).forEach((operand, i) => {
    removePublished(operand, useOfOperand(e, i, use), found);
  });
}

function useOfOperand(e: Expression, i: number, use: 'address' | 'test' | 'value'): 'address' | 'test' | 'value' {
  switch (e.kind) {
    case 'load':
    case 'offset-of':
    case 'object-size':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
    case 'is-initialised':
      return 'address';
    case 'object-of':
      return use === 'test' ? 'address' : 'value';
    case 'offset':
      return i === 0 ? use : 'value';
    case 'compare':
      return use === 'test' ? 'test' : e.left.type.kind === 'pointer' ? 'address' : 'value';
    default:
      return use === 'test' ? 'test' : 'value';
  }
}
