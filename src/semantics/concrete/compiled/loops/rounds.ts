/**
 * Rounds of a loop: the ways from its head back to it, if nothing lies on them but reading, computing, checking and at
 * the end perhaps storing. Each variable that a round changes grows by the same amount in each, or changes anyhow.
 */
import type { Expression, Variable } from '../../../../program/expression';
import type { Command } from '../../../../program/command';
import type { Edge, Location } from '../../../../program/program';
import {
  dependsOnMemory,
  expressionsOf,
  operands,
  variablesIn,
  walk,
  withOperands,
} from '../../../../program/traverse';
import type { BasicBlock, BlockGraph } from '../blocks';

/** By variable that a round changes: what it adds, modulo the width; undefined where the change is another one. */
export type RoundSteps = ReadonlyMap<Variable, bigint | undefined>;

export interface Rounds {
  readonly head: BasicBlock;
  /** Blocks from which there is a way back, the head among them. */
  readonly blocks: ReadonlySet<BasicBlock>;
  readonly steps: RoundSteps;
  readonly stores: boolean;
  /** True if there is one way only. */
  readonly isSingle: boolean;
  /** True if no value at the end of a round depends on one at its beginning, but for those that grow evenly. */
  readonly isFresh: boolean;
  /** True if a round may only compare bytes, so that eight rounds can be made at once. */
  readonly mayScan: boolean;
}

/** RoundValues of variables in terms of those at the head; undefined where they are something else. */
export type RoundValues = ReadonlyMap<Variable, Expression | undefined>;

/** Ways back, and blocks on all of them: code is made for each. */
const mostWays = 8;
const mostBlocks = 24;
/** Depth of the values that are kept. */
const deepest = 10;

export interface RoundContext {
  isWatched(location: Location): boolean;
  isChecked(command: Extract<Command, { kind: 'check' }>): boolean;
}

export function roundsOf(graph: BlockGraph, head: BasicBlock, context: RoundContext): Rounds | undefined {
  const blocks = blocksBack(graph, head, context);
  if (blocks.size === 0) return undefined;
  const ends: RoundValues[] = [];
  let visited = 0;
  const stores = [...blocks].some(({ edges }) => edges.some(({ command }) => command.kind === 'store'));
  const follow = (block: BasicBlock, before: RoundValues, hasStored: boolean): boolean => {
    if (++visited > mostBlocks) return false;
    let values = before;
    let stored = hasStored;
    for (const { command } of block.edges) {
      // Nothing may go wrong behind a store: the round is begun again where it does.
      if (stored && mayFail(command, context)) return false;
      if (command.kind === 'assign') values = assigned(values, command.target, command.value, stores);
      if (command.kind === 'store') stored = true;
    }
    if (stored && block.ending.kind !== 'goto') return false;
    for (const to of waysOn(block)) {
      if (to === head.first) ends.push(values);
      else if (blocks.has(graph.blockAt.get(to)!)) {
        if (!follow(graph.blockAt.get(to)!, values, stored)) return false;
      } else if (stored) return false;
    }
    return ends.length <= mostWays;
  };
  if (!follow(head, new Map(), false) || ends.length === 0) return undefined;
  const steps = new Map<Variable, bigint | undefined>();
  for (const variable of new Set(ends.flatMap((end) => [...end.keys()]))) {
    const [first, ...others] = ends.map((end) => (end.has(variable) ? stepOf(end.get(variable), variable) : 0n));
    steps.set(variable, others.every((step) => step === first) ? first : undefined);
  }
  const uneven = [...steps].filter(([, step]) => step === undefined).map(([variable]) => variable);
  const isFresh = uneven.every((variable) =>
    ends.every((end) => {
      const value = end.get(variable);
      return value && [...variablesIn(value)].every((read) => !uneven.includes(read));
    }),
  );
  const isSingle = ends.length === 1;
  const mayScan = isSingle && isFresh && !stores && [...blocks].some(readsByte);
  return { head, blocks, steps, stores, isSingle, isFresh, mayScan };
}

function readsByte({ edges, ending }: BasicBlock): boolean {
  let found = false;
  for (const { command } of ending.kind === 'branch' ? [...edges, ...ending.arms] : edges)
    for (const expression of expressionsOf(command))
      walk(expression, (e) => (found ||= e.kind === 'load' && e.type.kind === 'integer' && e.type.widthBits === 8));
  return found;
}

export function waysOn({ ending }: BasicBlock): readonly Location[] {
  switch (ending.kind) {
    case 'goto':
      return [ending.to];
    case 'branch':
      return ending.arms.map(({ to }) => to);
    default:
      return [];
  }
}

function blocksBack(graph: BlockGraph, head: BasicBlock, context: RoundContext): Set<BasicBlock> {
  const leadsBack = new Map<BasicBlock, boolean>();
  const visit = (block: BasicBlock): boolean => {
    const known = leadsBack.get(block);
    if (known !== undefined) return known;
    leadsBack.set(block, false);
    if (!block.edges.every(isPlain) || (block !== head && (block.isCheckpoint || context.isWatched(block.first))))
      return false;
    // All ways are looked at, since each may lead to further blocks.
    const back = waysOn(block).map((to) => to === head.first || visit(graph.blockAt.get(to)!));
    const leads = back.includes(true);
    leadsBack.set(block, leads);
    return leads;
  };
  visit(head);
  return new Set([...leadsBack].filter(([, leads]) => leads).map(([block]) => block));
}

function isPlain({ command }: Edge): boolean {
  switch (command.kind) {
    case 'skip':
    case 'check':
    case 'assume':
    case 'store':
      return true;
    case 'assign':
      return command.target.scope === 'local';
    default:
      return false;
  }
}

function mayFail(command: Command, context: RoundContext): boolean {
  return command.kind === 'assume' || (command.kind === 'check' && context.isChecked(command));
}

/** `stores`: contents of memory may have changed since control was at the head. */
export function assigned(values: RoundValues, target: Variable, value: Expression, stores: boolean): RoundValues {
  const after = new Map(values);
  const inHead = atHead(value, values);
  after.set(target, inHead && !(stores && dependsOnMemory(inHead)) && depthOf(inHead) <= deepest ? inHead : undefined);
  return after;
}

/** The expression in terms of the state at the head, if that is known. */
export function atHead(e: Expression, values: RoundValues): Expression | undefined {
  if (values.size === 0) return e;
  let isKnown = true;
  const map = (inner: Expression): Expression => {
    if (inner.kind !== 'read' || !values.has(inner.variable)) return withOperands(inner, map);
    const value = values.get(inner.variable);
    if (!value) isKnown = false;
    return value ?? inner;
  };
  const result = map(e);
  return isKnown ? result : undefined;
}

const depthOf = (e: Expression): number => 1 + Math.max(0, ...operands(e).map(depthOf));

/** The amount by which the value is more than the variable, modulo its width; undefined if it is something else. */
function stepOf(value: Expression | undefined, variable: Variable): bigint | undefined {
  const { type } = variable;
  const widthBits = type.kind === 'integer' ? type.widthBits : type.kind === 'pointer' ? 32 : undefined;
  if (widthBits === undefined || value === undefined) return undefined;
  const more = (e: Expression): bigint | undefined => {
    switch (e.kind) {
      case 'read':
        return e.variable === variable ? 0n : undefined;
      case 'convert': {
        const { operand } = e;
        if (e.type.kind !== 'integer' || operand.type.kind !== 'integer' || e.type.widthBits < widthBits)
          return undefined;
        return more(operand);
      }
      case 'binary': {
        if (e.right.kind !== 'integer' || (e.operator !== 'add' && e.operator !== 'subtract')) return undefined;
        const left = more(e.left);
        return left === undefined ? undefined : e.operator === 'add' ? left + e.right.value : left - e.right.value;
      }
      case 'offset': {
        const pointer = e.delta.kind === 'integer' ? more(e.pointer) : undefined;
        return pointer === undefined || e.delta.kind !== 'integer' ? undefined : pointer + e.delta.value;
      }
      default:
        return undefined;
    }
  };
  const step = more(value);
  return step === undefined ? undefined : BigInt.asIntN(widthBits, step);
}
