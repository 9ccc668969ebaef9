/**
 * Heads of loops at which conditions are observed. Most conditions there keep their truth in the loop, because no
 * command of it changes what they read: their bits are computed once, and kept in a local. So is the last valuation,
 * which most arrivals have again. A loop that is begun again and again, and whose conditions read nothing that changes
 * meanwhile but one counter, has the same valuations again: a local has a bit for each small value of the counter with
 * which an arrival was dealt with. Locals end with the activation.
 */
import type { Command } from '../../../../program/command';
import type { Expression, Variable } from '../../../../program/expression';
import type { Location } from '../../../../program/program';
import { variablesIn } from '../../../../program/traverse';
import type { BasicBlock, BlockGraph } from '../blocks';
import type { FrameEmitter } from '../frameEmitter';
import { loopsOf } from '../reentry';
import { LoopConstants } from './loopConstants';

export interface ObservedHead {
  readonly type: 'i32' | 'i64';
  /** Local with the last valuation; -1 stands for none, as no valuation is -1. */
  readonly last: number;
  /** Local with the bits of conditions that keep their truth in the region; -1 while they are not known. */
  readonly kept: number;
  readonly keptBits: readonly number[];
  readonly otherBits: readonly number[];
  /** Blocks among which the kept bits stay: those of the loop, or of one around it; undefined: all of the function. */
  readonly region: ReadonlySet<number> | undefined;
  readonly repeated: RepeatedArrivals | undefined;
}

/** Arrivals at a head whose valuation depends on one variable only, while control stays in a region. */
export interface RepeatedArrivals {
  readonly counter: Variable;
  /** Local (i64) with a bit for each value from 0 to 63 whose valuation was seen in the region. */
  readonly seen: number;
  /** As above. It is larger than the loop. */
  readonly region: ReadonlySet<number> | undefined;
}

export class ObservedHeads {
  private readonly heads = new Map<Location, ObservedHead>();

  constructor(
    private readonly frame: FrameEmitter,
    graph: BlockGraph,
  ) {
    const { around, fn, code } = frame;
    const observed = graph.blocks.filter(
      ({ first }) => first.isLoopHead && first !== fn.entry && around.isWatched(first) && around.predicatesAt(first),
    );
    const loops = observed.length > 0 ? loopsOf(graph) : undefined;
    if (!loops) return;
    const constantsOf = (blocks: Iterable<number>): LoopConstants => {
      const commands = [...blocks].flatMap((block): Command[] =>
        graph.blocks[block]!.edges.map((edge) => edge.command),
      );
      return new LoopConstants(commands, around.model === 'lp64');
    };
    const all = constantsOf(graph.blocks.keys());
    for (const { first, index } of observed) {
      const blocks = loops.get(index);
      if (!blocks) continue;
      const conditions = around.predicatesAt(first)!.conditions;
      const constants = constantsOf(blocks);
      const bits = conditions.map((_, bit) => bit);
      const keptBits = bits.filter((bit) => constants.keeps(conditions[bit]!));
      const otherBits = bits.filter((bit) => !keptBits.includes(bit));
      const isSteadyIn = (region: LoopConstants): boolean => keptBits.every((bit) => region.keeps(conditions[bit]!));
      const enclosing = [...loops.values()]
        .filter((body) => body.has(index) && body.size > blocks.size)
        .sort((a, b) => b.size - a.size);
      const type = valuationType(conditions);
      const counter = onlyCounter(
        otherBits.map((bit) => conditions[bit]!),
        constants,
      );
      const dependsOnIt = (region: LoopConstants): boolean =>
        conditions.every((condition) => region.keeps(condition, counter));
      const outer = counter && enclosing.filter((body) => dependsOnIt(constantsOf(body)));
      this.heads.set(first, {
        type,
        last: code.local(type),
        kept: code.local(type),
        keptBits,
        otherBits,
        region: isSteadyIn(all) ? undefined : (enclosing.find((body) => isSteadyIn(constantsOf(body))) ?? blocks),
        repeated:
          counter && outer && outer.length > 0
            ? { counter, seen: code.local('i64'), region: dependsOnIt(all) ? undefined : outer[0] }
            : undefined,
      });
    }
  }

  at(location: Location): ObservedHead | undefined {
    return this.heads.get(location);
  }

  /** At the beginning of the activation, where nothing was seen. */
  begin(): void {
    for (const head of this.heads.values()) {
      this.setNone(head, head.last);
      if (head.keptBits.length > 0) this.setNone(head, head.kept);
      if (head.repeated) this.forget(head.repeated);
    }
  }

  /** Control goes from one block to another. */
  enter(to: BasicBlock, from: BasicBlock): void {
    const begins = (region: ReadonlySet<number> | undefined) => region?.has(to.index) && !region.has(from.index);
    for (const head of this.heads.values()) {
      if (head.keptBits.length > 0 && begins(head.region)) this.setNone(head, head.kept);
      if (head.repeated && begins(head.repeated.region)) this.forget(head.repeated);
    }
  }

  private forget({ seen }: RepeatedArrivals): void {
    this.frame.code.i64(0n);
    this.frame.code.set(seen);
  }

  private setNone({ type }: ObservedHead, local: number): void {
    const { code } = this.frame;
    if (type === 'i32') code.i32(-1);
    else code.i64(-1n);
    code.set(local);
  }
}

/** The local integer that is all the loop changes of what the conditions read, if there is one. */
function onlyCounter(conditions: readonly Expression[], loop: LoopConstants): Variable | undefined {
  const changed = new Set(
    conditions.flatMap((condition) => [...variablesIn(condition)].filter((variable) => loop.isChanged(variable))),
  );
  const [counter, ...others] = changed;
  if (!counter || others.length > 0 || counter.scope !== 'local' || counter.type.kind !== 'integer') return undefined;
  return counter;
}

/** One bit is always free, so that no valuation is -1. */
export const valuationType = (conditions: readonly unknown[]): 'i32' | 'i64' =>
  conditions.length < 32 ? 'i32' : 'i64';
