/** Sizes, in bytes, that blocks of the heap and their elements may have, read off the program. */
import type { Node } from '../../semantics/pointers/regionNode';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

/** Sizes of allocations that are constants, the first few. */
export function allocatedSizes(system: TransitionSystem): readonly bigint[] {
  const sizes = new Set<bigint>();
  for (const fn of system.program.functions)
    for (const { command } of fn.edges)
      if (command.kind === 'allocate' && command.size.kind === 'integer') sizes.add(command.size.value);
  return [...sizes].slice(0, 4);
}

/** Bytes that an element of what is linked to may have. */
export function elementSizes(target: Node | undefined, { memoryModel }: TransitionSystem): readonly number[] {
  const layout = target && memoryModel.regions.layout(target);
  return layout?.kind === 'slots'
    ? [...new Set([1, ...(layout.stride > 0 ? [layout.stride] : layout.slots.map(({ bytes }) => bytes))])].slice(0, 4)
    : layout
      ? [1]
      : [1, 2, 4, 8];
}
