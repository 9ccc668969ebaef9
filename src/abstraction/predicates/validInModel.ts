/** Pointers of a model that a specification says are valid: others are read as null, as in formulas. */
import { readArray } from '../../logic/arrays/arrayValue';
import type { ArrayValue, Term } from '../../logic/term';
import type { ValidTarget } from '../../semantics/pointers/validMembers';
import type { MemoryModel } from '../../semantics/symbolic/memoryModel';
import type { Model } from '../../solver/solver';

/** Null, or it leads to the start of a live object. */
export function isValidInModel(
  object: bigint,
  offset: bigint,
  { bytes, statics }: ValidTarget,
  { allocationCounter, half, lastStatic, live, size }: MemoryModel,
  contents: readonly Term[],
  model: Model,
): boolean {
  if (offset !== 0n) return false;
  if (object <= BigInt(lastStatic)) return object === 0n || statics.includes(Number(object));
  const at = (memory: { readonly index: number }) =>
    readArray(model.evaluate(contents[memory.index]!) as ArrayValue, object);
  return (
    object < (model.evaluate(contents[allocationCounter.index]!) as bigint) &&
    at(live) === true &&
    BigInt(bytes) <= BigInt.asIntN(half, at(size) as bigint)
  );
}
