/**
 * One object passed through a `restrict` pointer and another one, which may lie in what an argument leads to: if the
 * function changes the object, the call is undefined (C11 6.7.3.1), and its failures say nothing. That a client does so
 * is no evidence. Functions that only read mostly say so: two pointers to `const` may lead to one object.
 */
import { sizeOf } from '../../c/layout';
import type { CType, DataModel } from '../../c/types';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
import { type ConcreteValue, pointerTo } from '../../semantics/concrete/concreteValues';
import type { Machine } from '../../semantics/concrete/machine';
import { noMembers } from '../../semantics/pointers/validMembers';
import { pointersOf } from './structures/validPointers';

const limits = {
  /** Objects behind one argument that are looked into. */
  objects: 64,
  /** Elements of one array that are. */
  elements: 16,
} as const;

/** Both parameters may lead to the same object, as far as `restrict` says. */
export const mayShareObject = (a: Variable, b: Variable): boolean =>
  !(a.isRestrict || b.isRestrict) || [a, b].every(({ ctype }) => ctype?.kind === 'pointer' && ctype.to.const === true);

export function sharesRestrictObject(
  { parameters }: FunctionDefinition,
  args: readonly ConcreteValue[],
  { memory }: Machine,
  { dataModel }: Pick<Program, 'dataModel'>,
): boolean {
  if (!parameters.some(({ isRestrict }) => isRestrict)) return false;
  const blocks = parameters.map(({ type }, i) =>
    type.kind === 'pointer' && args[i] !== 0 ? memory.block(args[i]!) : undefined,
  );
  if (
    blocks.some((block, i) =>
      blocks.some((other, j) => j < i && block && block === other && !mayShareObject(parameters[i]!, parameters[j]!)),
    )
  )
    return true;
  return parameters.some(({ ctype }, i) => {
    if (ctype?.kind !== 'pointer' || !blocks[i]) return false;
    const behind = objectsBehind(args[i]!, ctype.to, memory, dataModel);
    return parameters.some(({ isRestrict }, j) => j !== i && isRestrict && blocks[j] && behind.has(blocks[j].number));
  });
}

/** Numbers of the objects to which pointers in this one lead, directly or not. */
function objectsBehind(
  from: ConcreteValue,
  to: CType,
  memory: ConcreteMemory,
  dataModel: DataModel,
): ReadonlySet<number> {
  const found = new Set<number>();
  const visit = (pointer: ConcreteValue, type: CType): void => {
    const block = memory.block(pointer);
    const unit = sizeOf(type, dataModel) ?? 0;
    const inside = unit === 0 ? [] : pointersOf(type, noMembers, dataModel);
    if (!block?.live || inside.length === 0) return;
    for (let i = 0; i < limits.elements && (i + 1) * unit <= block.sizeBytes; i++)
      for (const { at, to: target } of inside) {
        const held = memory.load(pointerTo(block.number, i * unit + at), { kind: 'pointer' });
        const next = memory.block(held);
        if (!next || found.has(next.number) || found.size >= limits.objects) continue;
        found.add(next.number);
        visit(held, target);
      }
  };
  visit(from, to);
  return found;
}
