/**
 * Structures that clients own and a function of the module sets up: `ring_init(&r)` before anything else is done with
 * `r`, and from then on only the module writes it.
 */
import type { RecordLayout } from '../../c/types';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import type { ConcreteValue } from '../concrete/concreteValues';
import type { ConcreteMemory } from '../concrete/concreteMemory';
import type { MemoryBlock } from '../concrete/memoryBlock';

/** By structure: the functions of which one sets it up, through their first parameter that points to one. */
export type Initialisers = ReadonlyMap<RecordLayout, ReadonlySet<FunctionDefinition>>;

/** The structure that a parameter points to; a hidden parameter, for one that is passed by value, has no type in C. */
export function recordBehind({ ctype }: Variable): RecordLayout | undefined {
  return ctype?.kind === 'pointer' && ctype.to.kind === 'record' ? ctype.to.record : undefined;
}

/** True if the call sets up what the parameter points to. */
export function setsUp(initialisers: Initialisers, fn: FunctionDefinition, at: number): boolean {
  const record = recordBehind(fn.parameters[at]!);
  if (!record || !initialisers.get(record)?.has(fn)) return false;
  return (
    fn.parameters.findIndex((parameter) => {
      const other = recordBehind(parameter);
      return other !== undefined && initialisers.get(other) === initialisers.get(record);
    }) === at
  );
}

/** True if a client's call of the function sets up some object of its own. */
export const setsUpSomething = (initialisers: Initialisers, fn: FunctionDefinition): boolean =>
  fn.parameters.some((_, at) => setsUp(initialisers, fn, at));

export interface SetUpBlock {
  readonly block: MemoryBlock;
  /** Before this call. */
  readonly wasSetUp: boolean;
}

/**
 * The call begins: from here on the objects that it sets up count as set up. Returns them; if the call refuses them,
 * `takeBack` undoes it. Formulas count clients that go on all the same: proofs are about more.
 */
export function setUpBy(
  initialisers: Initialisers,
  fn: FunctionDefinition,
  args: readonly ConcreteValue[],
  memory: ConcreteMemory,
): readonly SetUpBlock[] {
  const found: SetUpBlock[] = [];
  if (initialisers.size === 0) return found;
  for (const [at, parameter] of fn.parameters.entries()) {
    const block = setsUp(initialisers, fn, at) ? memory.ownedBlock(args[at]!) : undefined;
    if (block?.kind !== 'host') continue;
    found.push({ block, wasSetUp: block.setUpAs !== undefined });
    block.setUpAs = recordBehind(parameter)!;
  }
  return found;
}

export function takeBack(blocks: readonly SetUpBlock[], refused: 'before any write' | 'by convention'): void {
  for (const { block, wasSetUp } of blocks) if (!wasSetUp || refused === 'by convention') delete block.setUpAs;
}
