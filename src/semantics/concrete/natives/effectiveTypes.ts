/**
 * Effective types in runs (C11 6.5p6-7). A declared object has the types of its scalars. Other memory, members of
 * unions and characters have that of the last scalar stored there, for as long as its bytes are what was stored: what
 * else writes there, such as a copy, leaves no type.
 */
import { aliasTypes } from '../../../c/aliasType';
import type { CType, DataModel } from '../../../c/types';
import { leavesOf, repeatedElement } from '../../../program/lower/effectiveType';
import type { MemoryBlock } from '../memoryBlock';
import { offsetBytes } from '../concreteValues';
import type { Native, NativeCall } from './native';

interface Stored {
  readonly type: string;
  readonly start: number;
  readonly bytes: Uint8Array;
}

const stored = new WeakMap<MemoryBlock, readonly Stored[]>();

/** 1 if the object may be accessed as the type, or gets the type by the store that was made. */
export const effectiveTypes: Readonly<Record<string, Native>> = {
  __provest_effective_type: {
    run: (call) => {
      const [place, type, size, stores] = call.arguments;
      const block = call.memory.block(place!);
      if (!block?.live) return 1;
      const start = Number(offsetBytes(place!));
      const end = start + Number(size);
      const wanted = aliasTypes[Number(type)]!;
      const declared = declaredTypes(block, start, end, call);
      if (declared.length > 0) return declared.every((one) => one === wanted) ? 1 : 0;
      const before = (stored.get(block) ?? []).filter((one) => isStill(one, block));
      const touched = before.filter((one) => one.start < end && start < one.start + one.bytes.length);
      if (Number(stores) === 0) return touched.every((one) => one.type === wanted) ? 1 : 0;
      const kept = before.filter((one) => !touched.includes(one));
      stored.set(block, [...kept, { type: wanted, start, bytes: block.bytes.slice(start, end) }]);
      return 1;
    },
  },
};

const isStill = ({ start, bytes }: Stored, block: MemoryBlock): boolean =>
  bytes.every((byte, i) => block.bytes[start + i] === byte);

function declaredTypes(block: MemoryBlock, start: number, end: number, { model }: NativeCall): readonly string[] {
  const { origin } = block;
  if (!origin || !('ctype' in origin)) return [];
  return overlapping(origin.ctype, origin.sizeBytes, start, end, model);
}

function overlapping(type: CType, sizeBytes: number, start: number, end: number, model: DataModel): readonly string[] {
  const { element, modulus } = repeatedElement(type, sizeBytes, model);
  const base = modulus === 0 ? 0 : Math.floor(start / modulus) * modulus;
  return leavesOf(element, model, base)
    .filter((leaf) => leaf.offsetBytes < end && start < leaf.offsetBytes + leaf.bytes)
    .map((leaf) => leaf.type);
}
