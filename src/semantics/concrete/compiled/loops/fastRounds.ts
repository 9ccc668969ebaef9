/**
 * Rounds of a loop without what need not be asked in each (loop versioning; R. Gupta, "Optimizing array bound checks
 * using flow analysis", LOPLAS 1993): before the first it is found out for how many rounds accesses stay in bounds,
 * checks hold and observed conditions keep their truth. So many rounds are made by code that only looks at what else
 * may change. Whatever is not as usual ends them: the round is begun again from its head by the usual code.
 *
 * Only rounds that lead back to the head are made, so that every other place is reached by the usual code.
 */
import * as E from '../../../../program/build';
import { keyOf } from '../../../../program/automata/repeatedChecks';
import { int64, type Expression, type Variable } from '../../../../program/expression';
import type { Edge, Location } from '../../../../program/program';
import { walk } from '../../../../program/traverse';
import { bytesOf } from '../accesses';
import type { BasicBlock, BlockGraph } from '../blocks';
import { accessIn, conjunctsOf, emitCheck } from '../checks';
import type { KnownFacts } from '../checkElimination';
import type { CommandEmitter } from '../commandEmitter';
import type { Declared } from '../declared';
import type { FrameEmitter } from '../frameEmitter';
import { wasmTypeOf } from '../layout';
import { emitPredicates, type Bits } from '../predicateEmitter';
import { op, type BranchTarget, type WasmType } from '../wasm';
import { emitLimit } from './limits';
import { emitIfTime, emitLearn, type RoundCounters } from './patience';
import { RoundPlan } from './roundPlan';
import { assigned, atHead, type Rounds, type RoundValues } from './rounds';
import { byteTest, ByteTests, toBeTrueAtFirst, wordBytes, type ByteTest } from './skips';
import { keyOfLimit, type Limit } from './steadiness';
import { placeOf } from './streams';

const mostRounds = 1 << 30;

export class FastRounds {
  private readonly temporaries: { readonly type: WasmType; readonly local: number }[] = [];
  private readonly plan: RoundPlan;
  /** Limits of observed conditions that keep their truth, and those that may not. */
  private readonly bounds: Limit[] = [];
  private readonly changing: Expression[] = [];
  private usual: BranchTarget = 0;

  constructor(
    private readonly frame: FrameEmitter,
    private readonly commands: CommandEmitter,
    private readonly graph: BlockGraph,
    private readonly declared: Declared,
    private readonly rounds: Rounds,
  ) {
    this.plan = new RoundPlan(frame, graph, rounds, (type) => this.temporary(type));
  }

  /**
   * Control is at the head, and the arrival there is dealt with. Goes on if no more rounds can be made, or branches to
   * `arrival` at the head behind a round.
   */
  emit(counters: RoundCounters, arrival: BranchTarget): void {
    const { expressions } = this.frame;
    const { known, declared } = expressions;
    const conditions = this.observed();
    for (const condition of conditions ?? [])
      if (!this.keepsTruth(condition, known)) {
        this.changing.push(condition);
        this.planLoads(condition);
      }
    const tests = this.byteTests();
    // Evaluating what is observed costs as much as a usual round, unless it is done for eight rounds at once.
    const isWorthwhile = conditions?.length === 0 ? this.plan.streams.all.length > 0 : conditions && tests;
    if (isWorthwhile) this.tryRounds(counters, arrival, known, tests);
    for (const { type, local } of this.temporaries) expressions.release(type, local);
    expressions.known = known;
    expressions.declared = declared;
  }

  private tryRounds(
    counters: RoundCounters,
    arrival: BranchTarget,
    known: KnownFacts,
    tests: readonly ByteTest[] | undefined,
  ): void {
    const { frame } = this;
    const { code } = frame;
    const made = this.temporary('i32');
    const left = this.temporary('i32');
    const endIfNotZero = () => {
      code.if();
      emitLearn(frame, counters, made);
      code.branch(arrival);
      code.end();
    };
    emitIfTime(frame, counters);
    code.i32(0);
    code.set(made);
    this.usual = code.block();
    this.prepare(left);
    const before = this.evaluate(known);
    if (tests) this.skip(tests, made, left, before);
    const again = code.loop();
    const now = this.evaluate(known);
    if (before && now) {
      code.get(now.local);
      code.get(before.local);
      code.op(now.type === 'i32' ? op.i32ne : op.i64ne);
      endIfNotZero();
    }
    code.get(frame.fuel);
    code.i32(this.graph.need[this.rounds.head.index]!);
    code.op(op.i32ltS);
    code.branchIf(this.usual);
    this.wholeRound(known);
    this.plan.streams.advance(1);
    code.get(made);
    code.i32(1);
    code.op(op.i32add);
    code.tee(made);
    code.get(left);
    code.op(op.i32eq);
    endIfNotZero();
    code.branch(again);
    code.end();
    code.end();
    emitLearn(frame, counters, made);
    code.end();
    for (const bits of [before, now]) if (bits) frame.expressions.release(bits.type, bits.local);
  }

  /** Conditions that are observed at the head; undefined if arrivals are counted. */
  private observed(): readonly Expression[] | undefined {
    const { around } = this.frame;
    const { first } = this.rounds.head;
    if (!around.isWatched(first)) return [];
    return around.predicatesAt(first)?.conditions.map(E.truth);
  }

  private planLoads(condition: Expression): void {
    walk(condition, (e) => {
      if (e.kind === 'load') this.plan.streams.plan(e.address, undefined, this.bytesOf(e));
    });
  }

  private bytesOf({ type }: Expression): number {
    return bytesOf(type, this.frame.around.model);
  }

  private temporary(type: WasmType): number {
    const local = this.frame.expressions.temporary(type);
    this.temporaries.push({ type, local });
    return local;
  }

  /** True if the observed condition keeps its truth; the limits are noted. */
  private keepsTruth(condition: Expression, known: KnownFacts): boolean {
    if (condition.kind === 'compare') {
      const [left, right] = [known.rangeOf(condition.left), known.rangeOf(condition.right)];
      if (condition.operator === 'le' && (left.high <= right.low || left.low > right.high)) return true;
      if (condition.operator === 'lt' && (left.high < right.low || left.low >= right.high)) return true;
    }
    return this.plan.steady.isSteady(condition, this.bounds);
  }

  /** Sets the rounds that can be made, at least one, and where streams begin. */
  private prepare(left: number): void {
    const { usual, plan, frame } = this;
    const { code, expressions } = frame;
    code.i32(mostRounds);
    code.set(left);
    const limits = new Map<string, Limit>();
    const note = (limit: Limit) => limits.set(keyOfLimit(limit), limit);
    this.bounds.forEach(note);
    for (const { condition, limits: own } of plan.required.values()) {
      own.forEach(note);
      expressions.condition(condition);
      code.op(op.i32eqz);
      code.branchIf(usual);
    }
    for (const stream of plan.streams.all) stream.limits.forEach(note);
    for (const limit of limits.values()) emitLimit(expressions, limit, left, usual);
    plan.streams.begin(left, usual);
  }

  /** The truth of observed conditions that may change, as bits in a local; undefined if there are none. */
  private evaluate(known: KnownFacts): Bits | undefined {
    if (this.changing.length === 0) return undefined;
    const { expressions } = this.frame;
    expressions.known = known.fork();
    expressions.declared = this.declared.certainly[this.rounds.head.first.index]!;
    for (const condition of this.changing)
      walk(condition, (e) => {
        if (e.kind === 'load') this.plan.streams.note(e.address, e.address, this.bytesOf(e));
      });
    const bits = emitPredicates(expressions, this.changing, () => undefined);
    expressions.known = known;
    return bits;
  }

  // Eight rounds at once

  /** Comparisons that decide whether a round is like the one before; undefined if there are other conditions. */
  private byteTests(): ByteTest[] | undefined {
    const { tests, streams, steady } = this.plan;
    const observed = this.changing.map((condition) => byteTest(condition, isUnequal(condition), streams, steady));
    // Marks are looked at from where a stream is on.
    const isForward = streams.all.every(({ isMarked, step }) => !isMarked || step === 0n || step === 1n);
    const isPossible = tests !== undefined && tests.length > 0 && isForward && !observed.includes(undefined);
    return isPossible ? [...tests, ...observed.filter((test) => test !== undefined)] : undefined;
  }

  private skip(byteTests: readonly ByteTest[], made: number, left: number, before: Bits | undefined): void {
    const { plan, frame } = this;
    const { code, expressions } = frame;
    const isEven = [...this.rounds.steps.values()].every((step) => step !== undefined);
    // Then the last of eight rounds is made as usual, and leaves such values.
    const skipped = isEven ? wordBytes : wordBytes - 1;
    const tests = new ByteTests(frame, distinct(byteTests), (type) => this.temporary(type));
    const out = code.block();
    if (before) {
      const usual = this.changing.reduce((sum, c, bit) => (isUnequal(c) ? sum | (1n << BigInt(bit)) : sum), 0n);
      code.get(before.local);
      if (before.type === 'i32') code.i32(Number(BigInt.asIntN(32, usual)));
      else code.i64(usual);
      code.op(before.type === 'i32' ? op.i32ne : op.i64ne);
      code.branchIf(out);
    }
    for (const condition of toBeTrueAtFirst(byteTests)) {
      expressions.condition(condition);
      code.op(op.i32eqz);
      code.branchIf(out);
    }
    tests.prepare();
    const again = code.loop();
    code.get(made);
    code.i32(wordBytes);
    code.op(op.i32add);
    code.get(left);
    code.op(op.i32geS);
    code.branchIf(out);
    code.get(frame.fuel);
    code.i32(this.graph.need[this.rounds.head.index]! + wordBytes * plan.cost);
    code.op(op.i32ltS);
    code.branchIf(out);
    for (const stream of plan.streams.all)
      if (stream.isMarked) {
        plan.streams.isWritten(stream, wordBytes);
        code.op(op.i32eqz);
        code.branchIf(out);
      }
    tests.leaveUnlessAlike(out);
    for (const [variable, step] of this.rounds.steps)
      if (step !== undefined) this.grow(variable, BigInt(skipped) * step);
    plan.streams.advance(skipped);
    code.get(made);
    code.i32(skipped);
    code.op(op.i32add);
    code.set(made);
    this.pay(skipped * plan.cost);
    code.branch(again);
    code.end();
    code.end();
  }

  private grow(variable: Variable, by: bigint): void {
    const { expressions } = this.frame;
    const value = E.read(variable);
    const { type } = variable;
    const grown =
      type.kind === 'integer'
        ? E.binary('add', value, E.integer(E.wrap(by, type), type))
        : E.offset(value, E.integer(by, int64));
    expressions.assign(variable, () => expressions.value(grown));
  }

  private pay(cost: number): void {
    const { code, fuel } = this.frame;
    code.get(fuel);
    code.i32(cost);
    code.op(op.i32sub);
    code.set(fuel);
  }

  // One round

  private wholeRound(known: KnownFacts): void {
    const { code, expressions } = this.frame;
    const kept = [...this.rounds.steps.keys()].map((variable) => ({
      variable,
      local: expressions.frame.variables[variable.slot]!,
      copy: this.temporary(wasmTypeOf(variable.type)),
    }));
    for (const { local, copy } of kept) {
      code.get(local);
      code.set(copy);
    }
    const done = code.block();
    expressions.known = known.fork();
    this.round(this.rounds.head, new Map(), 0, done, () => {
      for (const { variable, local, copy } of kept) {
        code.get(copy);
        code.set(local);
        this.forgetPlace(variable);
      }
      code.branch(this.usual);
    });
    code.end();
  }

  /** Emits the ways on from a block: back to the head they end at `done`, and elsewhere by `leave`. */
  private round(block: BasicBlock, before: RoundValues, cost: number, done: BranchTarget, leave: () => void): void {
    const { frame, declared } = this;
    const { expressions } = frame;
    let values = before;
    for (const edge of block.edges) {
      const { command } = edge;
      expressions.declared = declared.certainly[edge.from.index]!;
      if (command.kind === 'check') {
        if (frame.around.isChecked(command)) this.check(command.condition, values, leave);
      } else if (command.kind === 'assume') {
        this.leaveUnless(command.condition, values, leave);
      } else {
        this.commands.emit(edge);
      }
      if (command.kind === 'assign') values = assigned(values, command.target, command.value, this.rounds.stores);
    }
    expressions.declared = declared.certainly[block.last.index]!;
    const paid = cost + block.cost;
    const go = (to: Location) => {
      if (to === this.rounds.head.first) {
        this.pay(paid);
        return frame.code.branch(done);
      }
      if (this.plan.leadsOn(to)) return this.round(this.graph.blockAt.get(to)!, values, paid, done, leave);
      return leave();
    };
    if (block.ending.kind === 'goto') return go(block.ending.to);
    if (block.ending.kind === 'branch') this.branch(block.ending.arms, values, go);
    else leave();
  }

  private branch(arms: readonly Edge[], values: RoundValues, go: (to: Location) => void): void {
    const { code, expressions } = this.frame;
    const { known } = expressions;
    const conditions = arms.map(({ command }) => {
      if (command.kind !== 'assume') throw new Error('an edge beside others is an assumption');
      return command.condition;
    });
    const certain = conditions.findIndex((condition) => this.plan.isRequired(condition, values));
    const last = certain === -1 ? arms.length - 1 : certain;
    arms.forEach(({ to }, i) => {
      if (certain !== -1 && i !== certain) return;
      const condition = conditions[i]!;
      expressions.known = known;
      if (i !== last) {
        expressions.condition(condition);
        code.if();
      }
      expressions.known = known.fork();
      expressions.known.learn(condition);
      go(to);
      if (i !== last) code.end();
    });
  }

  private leaveUnless(condition: Expression, values: RoundValues, leave: () => void): void {
    const { code, expressions } = this.frame;
    if (!this.plan.isRequired(condition, values)) {
      expressions.condition(condition);
      code.op(op.i32eqz);
      code.if();
      leave();
      code.end();
    }
    expressions.known.learn(condition);
  }

  private check(condition: Expression, values: RoundValues, leave: () => void): void {
    const { expressions } = this.frame;
    const conjuncts = conjunctsOf(condition);
    const found = accessIn(conjuncts);
    const parts = found?.parts ?? [];
    if (found && !this.isStream(found.access.pointer, found.access.delta, found.access.sizeBytes, values))
      emitCheck(expressions, E.and(...parts), leave);
    for (const conjunct of conjuncts) {
      if (parts.includes(conjunct) || this.plan.isRequired(conjunct, values)) continue;
      if (conjunct.kind === 'is-initialised' && this.isMarked(conjunct.pointer, conjunct.sizeBytes, values, leave))
        continue;
      emitCheck(expressions, conjunct, leave);
    }
    expressions.known.learn(condition);
  }

  private isStream(
    pointer: Expression,
    delta: Expression | undefined,
    sizeBytes: number,
    values: RoundValues,
  ): boolean {
    const { streams } = this.plan;
    const target = placeOf(pointer, delta);
    const inHead = atHead(target, values);
    const stream = inHead && streams.note(target, inHead, sizeBytes);
    if (stream) this.frame.expressions.known.addEntry(keyOf(pointer), pointer, stream.entry);
    return stream !== undefined;
  }

  /** Leaves unless the bytes were written; false if they do not belong to a stream. */
  private isMarked(pointer: Expression, sizeBytes: number, values: RoundValues, leave: () => void): boolean {
    const { code, expressions } = this.frame;
    const { streams } = this.plan;
    const inHead = atHead(pointer, values);
    const stream = inHead && streams.at(inHead, sizeBytes);
    if (!stream?.isMarked || ![1, 2, 4, 8].includes(sizeBytes)) return false;
    streams.isWritten(stream, sizeBytes);
    code.op(op.i32eqz);
    code.if();
    leave();
    code.end();
    expressions.known.addInitialised(keyOf(pointer), pointer, sizeBytes);
    return true;
  }

  /** A pointer that got its old value back may lead elsewhere than what was remembered last. */
  private forgetPlace({ slot, type }: Variable): void {
    const place = type.kind === 'pointer' ? this.frame.expressions.frame.cachedObjects.get(slot) : undefined;
    if (!place) return;
    this.frame.code.i64(0n);
    this.frame.code.set(place.size);
  }
}

const isUnequal = (condition: Expression): boolean => condition.kind === 'compare' && condition.operator === 'ne';

/** Tests that compare the same, once. */
function distinct(tests: readonly ByteTest[]): ByteTest[] {
  const found = new Map<string, ByteTest>();
  for (const test of tests) {
    const { bytes, other, equal } = test;
    const key = [bytes.address, other.kind === 'bytes' ? other.stream.address : keyOf(other.value), equal].join();
    if (!found.has(key)) found.set(key, test);
  }
  return [...found.values()];
}
