/**
 * One function as WebAssembly, in one of two forms: to be called by compiled code, with arguments as parameters, or to
 * be entered anywhere, with the frame taken from where the host put it.
 *
 * Where something fails, or is not compiled, the function sets the location it is at and leaves: its frame is written
 * behind those of the functions it called, and its caller, seeing that fuel is negative, does the same. So the host
 * gets the whole stack, with each variable as the reference machine would have it there, and lets that machine go on.
 */
import type { Edge, FunctionDefinition, Location } from '../../../program/program';
import { unreachable } from '../../../unreachable';
import { emitProbePoint } from './instrumentation';
import { accessedPointer, notNull } from './checks';
import { keyOf } from '../../../program/automata/repeatedChecks';
import type { BasicBlock, BlockGraph } from './blocks';
import { CommandEmitter } from './commandEmitter';
import type { Declared } from './declared';
import { FrameEmitter, type CodeForm, type EmissionContext } from './frameEmitter';
import { effectsOf, KnownFacts } from './checkElimination';
import { cells } from './layout';
import { FastRounds } from './loops/fastRounds';
import { ObservedHeads } from './loops/observedHeads';
import { emitPatience, type RoundCounters } from './loops/patience';
import { roundsOf, type Rounds } from './loops/rounds';
import type { EmissionGraph } from './reentry';
import { emitStructured } from './structure';
import { access, op, type BranchTarget } from './wasm';

interface LoopRounds {
  readonly rounds: Rounds;
  readonly counters: RoundCounters;
}

/** Nodes between which what is known is traced. */
const mostBetween = 500;

export class FunctionEmitter {
  private readonly frame: FrameEmitter;
  private readonly commands: CommandEmitter;
  private readonly heads: ObservedHeads;
  private readonly loops = new Map<BasicBlock, LoopRounds | undefined>();

  constructor(
    private readonly fn: FunctionDefinition,
    private readonly graph: BlockGraph,
    private readonly declared: Declared,
    private readonly emission: EmissionGraph,
    form: CodeForm,
    private readonly around: EmissionContext,
  ) {
    this.frame = new FrameEmitter(fn, graph, declared, form, around);
    this.commands = new CommandEmitter(this.frame);
    this.heads = new ObservedHeads(this.frame, graph);
  }

  get stackBytes(): number {
    return this.frame.stackBytes;
  }

  emit(): Uint8Array {
    const { emission, fn, around, frame } = this;
    const { code } = frame;
    if (frame.isReentrant) frame.takeFrame();
    this.heads.begin();
    code.i32(0);
    code.access(access.i32load, cells.fuel);
    code.set(this.frame.fuel);
    this.frame.way = code.block();
    if (!frame.isReentrant) {
      code.get(this.frame.depth);
      code.op(op.i32eqz);
      code.if();
      if (around.isWatched(fn.entry)) frame.setArrived();
      this.frame.handOver(fn.entry, 0);
      code.end();
    }
    const effects = this.graph.blocks.map(({ edges }) =>
      effectsOf(edges, {
        ofCall: (command) => around.effectOfCall(command),
        isPrivate: (object) => frame.isPrivate(object),
        mayEnd: ({ from, command }) => command.kind === 'declare' && frame.mayBeDeclared(from, command.object.slot),
      }),
    );
    const surviving = (known: KnownFacts, nodes: ReadonlySet<number>): KnownFacts => {
      if (nodes.size > mostBetween) return KnownFacts.nothing();
      const after = known.fork();
      for (const node of nodes) {
        const it = emission.nodes[node]!;
        if (it.kind === 'block') after.mayHaveExecuted(effects[it.block]!);
      }
      return after;
    };
    emitStructured<KnownFacts>(
      code,
      emission.entry,
      emission.flow,
      { nothing: () => KnownFacts.nothing(), surviving },
      (node, known, go, again) => {
        const it = emission.nodes[node]!;
        switch (it.kind) {
          case 'block':
            return this.block(this.graph.blocks[it.block]!, known, go, again);
          case 'arrival':
            code.i32(-1);
            code.set(this.frame.wanted);
            this.beginRounds(this.graph.blocks[it.to]!);
            if (around.isWatched(this.graph.blocks[it.to]!.first)) {
              code.i32(1);
              code.set(this.frame.isReported);
            }
            return go(it.to, known, known);
          case 'dispatch':
            return this.dispatch(it.arms, it.other, known, go);
          default:
            return unreachable(it);
        }
      },
    );
    code.op(op.unreachable);
    code.end();
    frame.leave();
    return code.finish();
  }

  private dispatch(
    arms: readonly { readonly location: number; readonly to: number }[],
    other: number | undefined,
    known: KnownFacts,
    go: (to: number, known: KnownFacts, atBranch: KnownFacts) => void,
  ): void {
    const { code } = this.frame;
    if (other !== undefined) {
      code.get(this.frame.wanted);
      code.i32(-1);
      code.op(op.i32eq);
      code.if();
      go(other, known.fork(), known);
      code.end();
    }
    for (const { location, to } of arms) {
      code.get(this.frame.wanted);
      code.i32(location);
      code.op(op.i32eq);
      code.if();
      go(to, known.fork(), known);
      code.end();
    }
    code.op(op.unreachable);
  }

  // Blocks

  private block(
    block: BasicBlock,
    known: KnownFacts,
    go: (to: number, known: KnownFacts, atBranch: KnownFacts) => void,
    again: BranchTarget | undefined,
  ): void {
    const { code, expressions } = this.frame;
    expressions.known = known;
    expressions.declared = this.declared.certainly[block.first.index]!;
    if (this.around.isWatched(block.first)) emitProbePoint(this.frame, block.first, this.heads.at(block.first));
    const fast = this.fastRounds(block);
    if (fast && again !== undefined)
      new FastRounds(this.frame, this.commands, this.graph, this.declared, fast.rounds).emit(fast.counters, again);
    if (block.isCheckpoint) {
      const need = this.graph.need[block.index]!;
      code.get(this.frame.fuel);
      code.i32(need);
      code.op(op.i32ltS);
      code.if();
      this.frame.handOver(block.first, 0);
      code.end();
    }
    if (block.cost > 0) {
      code.get(this.frame.fuel);
      code.i32(block.cost);
      code.op(op.i32sub);
      code.set(this.frame.fuel);
    }
    for (let i = 0; i < block.edges.length; i++) {
      const edge = block.edges[i]!;
      expressions.declared = this.declared.certainly[edge.from.index]!;
      const access = accessBehindNullCheck(block.edges, i);
      if (access === undefined) {
        this.commands.emit(edge);
        continue;
      }
      // A null pointer fails the check of the access, too. The reference machine then begins with the check for null.
      this.commands.emit(block.edges[access]!, edge.from);
      i = access;
    }
    expressions.declared = this.declared.certainly[block.last.index]!;
    const atBranch = expressions.known.fork();
    const next = (location: Location, after: KnownFacts) => {
      const to = this.graph.blockAt.get(location)!;
      this.beginRounds(to, block);
      this.heads.enter(to, block);
      go(this.nodeOf(location), after, atBranch);
    };
    switch (block.ending.kind) {
      case 'goto':
        return next(block.ending.to, expressions.known);
      case 'exit':
        return this.frame.exit();
      case 'handover':
        return this.frame.handOver(block.last);
      case 'branch':
        return this.branch(block.ending.arms, next);
      default:
        return unreachable(block.ending);
    }
  }

  private fastRounds(block: BasicBlock): LoopRounds | undefined {
    if (!block.first.isLoopHead || !block.isCheckpoint) return undefined;
    let found = this.loops.get(block);
    if (found === undefined && !this.loops.has(block)) {
      const rounds = roundsOf(this.graph, block, this.around);
      const patience = rounds && this.around.nextRange();
      found =
        rounds && patience !== undefined
          ? {
              rounds,
              counters: {
                wait: this.frame.code.local('i32'),
                patience,
                head: this.around.isWatched(block.first) ? 'observed' : 'plain',
                rounds: rounds.mayScan ? 'scan' : 'single',
              },
            }
          : undefined;
      this.loops.set(block, found);
    }
    return found;
  }

  /** Control goes to a block; to be said where that begins a loop. */
  private beginRounds(to: BasicBlock, from?: BasicBlock): void {
    const fast = this.fastRounds(to);
    if (fast && !(from && fast.rounds.blocks.has(from))) emitPatience(this.frame, fast.counters);
  }

  private nodeOf(location: Location): number {
    return this.targets.get(location)!;
  }
  private readonly targets = new Map<Location, number>();

  /** Sets the targets of control, which depend on the graph. */
  withTargets(targetOfBlock: (block: number) => number): this {
    for (const block of this.graph.blocks) this.targets.set(block.first, targetOfBlock(block.index));
    return this;
  }

  /** One of the conditions holds, as lowering guarantees, so the last is not asked. */
  private branch(arms: readonly Edge[], next: (location: Location, known: KnownFacts) => void): void {
    const { code, expressions } = this.frame;
    const { known } = expressions;
    arms.forEach(({ command, to }, i) => {
      if (command.kind !== 'assume') throw new Error('an edge beside others is an assumption');
      const isLast = i === arms.length - 1;
      const after = known.fork();
      after.learn(command.condition);
      expressions.known = known;
      if (!isLast) {
        expressions.condition(command.condition);
        code.if();
      }
      next(to, after);
      if (!isLast) code.end();
    });
  }
}

/** If the edge checks that a pointer is not null, the place of the check of an access through it that follows. */
function accessBehindNullCheck(edges: readonly Edge[], at: number): number | undefined {
  const check = edges[at]!.command;
  const pointer = check.kind === 'check' ? notNull(check.condition) : undefined;
  if (!pointer) return undefined;
  let next = at + 1;
  while (edges[next]?.command.kind === 'skip') next++;
  const following = edges[next]?.command;
  if (following?.kind !== 'check' || following.ifUnchecked !== 'assume') return undefined;
  const accessed = accessedPointer(following.condition);
  return accessed && keyOf(accessed) === keyOf(pointer) ? next : undefined;
}
