/**
 * Which automatic objects are certainly declared, and which possibly, when control is at a location: two small dataflow
 * analyses over bits of slots.
 */
import type { FunctionDefinition } from '../../../program/program';

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
