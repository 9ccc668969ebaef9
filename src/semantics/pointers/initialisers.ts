/**
 * Structures that clients own and a function of the module sets up: `ring_init(&r)` before anything else is done with
 * `r`, and from then on only the module writes it.
 */
import type { RecordLayout } from '../../c/types';
import type { Variable } from '../../program/expression';
import { passedStructure } from '../../program/passedStructure';
import type { FunctionDefinition } from '../../program/program';
import type { ConcreteValue } from '../concrete/concreteValues';
import type { ConcreteMemory } from '../concrete/concreteMemory';
import type { MemoryBlock } from '../concrete/memoryBlock';
import { isConst } from './regionNode';

/** By structure: the functions of which one sets it up, through a parameter or as what it returns. */
export type Initialisers = ReadonlyMap<RecordLayout, ReadonlySet<FunctionDefinition>>;

/** The structure that a parameter points to; a hidden parameter, for one that is passed by value, has no type in C. */
export function recordBehind({ ctype }: Variable): RecordLayout | undefined {
  return ctype?.kind === 'pointer' && ctype.to.kind === 'record' ? ctype.to.record : undefined;
}

/** The same where the function may write it: a template that is copied from is not what is set up. */
export const recordWritten = (parameter: Variable): RecordLayout | undefined =>
  parameter.ctype?.kind === 'pointer' && isConst(parameter.ctype.to) ? undefined : recordBehind(parameter);

/** The structure that the function returns by value. */
export const resultByValue = ({ ctype }: FunctionDefinition): RecordLayout | undefined =>
  ctype.kind === 'function' && ctype.result.kind === 'record' ? ctype.result.record : undefined;

/**
 * The structure that the call sets up through this parameter: the first one that points to one, or else the hidden
 * pointer to the result. `reader_t r = reader(text, n);` is `reader(&r, text, n);` in another spelling.
 */
export function recordSetUp(initialisers: Initialisers, fn: FunctionDefinition, at: number): RecordLayout | undefined {
  const parameter = fn.parameters[at]!;
  const isResult = passedStructure(fn, parameter)?.as === 'result';
  const record = isResult ? resultByValue(fn) : recordWritten(parameter);
  const functions = record && initialisers.get(record);
  if (!functions?.has(fn)) return undefined;
  const first = fn.parameters.findIndex((one) => {
    const other = recordWritten(one);
    return other !== undefined && initialisers.get(other) === functions;
  });
  return first === (isResult ? -1 : at) ? record : undefined;
}

/** True if the call sets up what the parameter points to. */
export const setsUp = (initialisers: Initialisers, fn: FunctionDefinition, at: number): boolean =>
  recordSetUp(initialisers, fn, at) !== undefined;

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
  for (const at of fn.parameters.keys()) {
    const record = recordSetUp(initialisers, fn, at);
    const block = record && memory.ownedBlock(args[at]!);
    if (block?.kind !== 'host') continue;
    found.push({ block, wasSetUp: block.setUpAs !== undefined });
    block.setUpAs = record;
  }
  return found;
}

export function takeBack(blocks: readonly SetUpBlock[], refused: 'before any write' | 'by convention'): void {
  for (const { block, wasSetUp } of blocks) if (!wasSetUp || refused === 'by convention') delete block.setUpAs;
}
