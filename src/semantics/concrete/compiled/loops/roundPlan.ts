/**
 * Checks that rounds of a loop need not make each time: of accesses that move evenly, and of conditions that keep their
 * truth for a number of rounds. All of it is in terms of the state at the head.
 */
import { keyOf } from '../../../../program/automata/repeatedChecks';
import type { Command } from '../../../../program/command';
import type { Expression } from '../../../../program/expression';
import type { Location } from '../../../../program/program';
import { expressionsOf, walk } from '../../../../program/traverse';
import type { BasicBlock, BlockGraph } from '../blocks';
import { accessIn, conjunctsOf } from '../checks';
import type { FrameEmitter } from '../frameEmitter';
import type { WasmType } from '../wasm';
import { assigned, atHead, waysOn, type Rounds, type RoundValues } from './rounds';
import { byteTest, type ByteTest } from './skips';
import { Steadiness, type Limit } from './steadiness';
import { Streams } from './streams';

interface Requirement {
  readonly condition: Expression;
  readonly limits: readonly Limit[];
}

export class RoundPlan {
  readonly streams: Streams;
  readonly steady: Steadiness;
  /** Conditions that have to hold, and the limits within which they keep their truth. */
  readonly required = new Map<string, Requirement>();
  /** Comparisons of bytes on the only way; undefined if there are other conditions. */
  tests: ByteTest[] | undefined;
  /** Edges of the only way. */
  cost = 0;

  constructor(
    private readonly frame: FrameEmitter,
    private readonly graph: BlockGraph,
    private readonly rounds: Rounds,
    temporary: (type: WasmType) => number,
  ) {
    this.steady = new Steadiness(rounds);
    this.streams = new Streams(frame.expressions, this.steady, temporary);
    this.tests = rounds.mayScan ? [] : undefined;
    this.visit(rounds.head, new Map());
  }

  /** True for a place inside the rounds, behind the head. */
  leadsOn(to: Location): boolean {
    return to !== this.rounds.head.first && this.rounds.blocks.has(this.graph.blockAt.get(to)!);
  }

  /** True if the condition holds in all rounds that are made. */
  isRequired(condition: Expression, values: RoundValues): boolean {
    const inHead = atHead(condition, values);
    return inHead !== undefined && this.required.has(keyOf(inHead));
  }

  private visit(block: BasicBlock, before: RoundValues): void {
    let values = before;
    this.cost += block.cost;
    for (const { command } of block.edges) {
      this.planLoads(command, values);
      if (command.kind === 'check' && this.frame.around.isChecked(command))
        this.check(atHead(command.condition, values));
      if (command.kind === 'assume') this.pass(atHead(command.condition, values));
      if (command.kind === 'assign') values = assigned(values, command.target, command.value, this.rounds.stores);
    }
    const { head } = this.rounds;
    if (block.ending.kind === 'branch') {
      for (const { command, to } of block.ending.arms) {
        this.planLoads(command, values);
        if (command.kind === 'assume' && (to === head.first || this.leadsOn(to)))
          this.pass(atHead(command.condition, values));
      }
    }
    for (const to of waysOn(block)) if (this.leadsOn(to)) this.visit(this.graph.blockAt.get(to)!, values);
  }

  /** Loads whose place was checked otherwise, such as by the range of an index. */
  private planLoads(command: Command, values: RoundValues): void {
    for (const expression of expressionsOf(command))
      walk(expression, (e) => {
        const address = e.kind === 'load' ? atHead(e.address, values) : undefined;
        if (address && e.type.kind === 'integer' && e.type.widthBits === 8) this.streams.plan(address, undefined, 1);
      });
  }

  /** The condition decides whether a round goes on. */
  private pass(condition: Expression | undefined): void {
    if (!this.rounds.isSingle) return;
    if (condition && this.require(condition)) return;
    const test = condition && byteTest(condition, true, this.streams, this.steady);
    if (test) this.tests?.push(test);
    else this.tests = undefined;
  }

  private check(condition: Expression | undefined): void {
    if (!condition) {
      this.tests = undefined;
      return;
    }
    const conjuncts = conjunctsOf(condition);
    const found = accessIn(conjuncts);
    if (found) {
      const { pointer, delta, sizeBytes } = found.access;
      if (!this.streams.plan(pointer, delta, sizeBytes)) this.tests = undefined;
    }
    for (const conjunct of conjuncts) {
      if (found?.parts.includes(conjunct) || this.marks(conjunct) || this.require(conjunct)) continue;
      this.tests = undefined;
    }
  }

  private marks(conjunct: Expression): boolean {
    if (conjunct.kind !== 'is-initialised') return false;
    const stream = this.streams.at(conjunct.pointer, conjunct.sizeBytes);
    if (!stream) return false;
    stream.isMarked = true;
    if (conjunct.sizeBytes !== 1) this.tests = undefined;
    return true;
  }

  private require(condition: Expression): boolean {
    const limits: Limit[] = [];
    if (!this.steady.isSteady(condition, limits)) return false;
    this.required.set(keyOf(condition), { condition, limits });
    return true;
  }
}
