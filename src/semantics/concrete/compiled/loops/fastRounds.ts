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
import type { Expression, Variable } from '../../../../program/expression';
import type { Edge, Location } from '../../../../program/program';
import { walk } from '../../../../program/traverse';
import { bytesOf } from '../accesses';
import type { BasicBlock, BlockGraph } from '../blocks';
import { certainTruth } from './certainTruth';
import { accessIn, conjunctsOf, emitCheck } from '../checks';
import type { KnownFacts } from '../checkElimination';
import type { CommandEmitter } from '../commandEmitter';
import type { Declared } from '../declared';
import type { FrameEmitter } from '../frameEmitter';
import { wasmTypeOf } from '../layout';
import { emitPredicates, groupsOf, type Bits } from '../predicateEmitter';
import { op, type BranchTarget, type WasmType } from '../wasm';
import { emitGroupRounds, mostRounds, type GroupRounds } from './groupRounds';
import { emitLimit } from './limits';
import { emitIfTime, emitLearn, type RoundCounters } from './patience';
import { RoundPlan } from './roundPlan';
import { assigned, atHead, type Rounds, type RoundValues } from './rounds';
import { byteTest, ByteTests, toBeTrueAtFirst, wordBytes, type ByteTest } from './skips';
import { keyOfLimit, type Limit } from './steadiness';
import { placeOf } from './streams';

export class FastRounds {
  private readonly temporaries: { readonly type: WasmType; readonly local: number }[] = [];
  private readonly plan: RoundPlan;
  /** Limits of observed conditions that keep their truth, and those that may not. */
  private readonly bounds: Limit[] = [];
  private readonly changing: Expression[] = [];
  private readonly groups: GroupRounds[] = [];
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
    const grouped = this.planGroups(conditions ?? []);
    for (const [bit, condition] of (conditions ?? []).entries())
      if (!grouped.has(bit) && !this.keepsTruth(condition, known)) {
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
    const now = tests && this.isEven ? undefined : this.singleRounds(known, before, made, left, endIfNotZero);
    if (tests && this.isEven) {
      code.get(made);
      if (!before) {
        // Conditions keep their truth until all rounds are made.
        code.get(left);
        code.op(op.i32eq);
      }
      endIfNotZero();
    }
    code.end();
    emitLearn(frame, counters, made);
    code.end();
    for (const bits of [before, now]) if (bits) frame.expressions.release(bits.type, bits.local);
  }

  /** Rounds one by one; the truth of observed conditions that may change, if there are any. */
  private singleRounds(
    known: KnownFacts,
    before: Bits | undefined,
    made: number,
    left: number,
    endIfNotZero: () => void,
  ): Bits | undefined {
    const { frame } = this;
    const { code } = frame;
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
    this.plan.streams.advanceBy(() => code.i32(1));
    code.get(made);
    code.i32(1);
    code.op(op.i32add);
    code.tee(made);
    code.get(left);
    code.op(op.i32eq);
    endIfNotZero();
    code.branch(again);
    code.end();
    return now;
  }

  /** Conditions that are observed at the head; undefined if arrivals are counted. */
  private observed(): readonly Expression[] | undefined {
    const { around } = this.frame;
    const { first } = this.rounds.head;
    if (!around.isWatched(first)) return [];
    return around.predicatesAt(first)?.conditions.map(E.truth);
  }

  /** Conditions, by place, whose rounds are told by groups. */
  private planGroups(conditions: readonly Expression[]): ReadonlySet<number> {
    const grouped = new Set<number>();
    for (const group of groupsOf(conditions, [...conditions.keys()])) {
      const limits: Limit[] = [];
      const step = this.plan.steady.stepOf(group.value, limits);
      if (step === undefined) continue;
      if (step !== 0n) this.groups.push({ group, step });
      this.bounds.push(...limits);
      for (const { bit } of group.members) grouped.add(bit);
    }
    return grouped;
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
    if (certainTruth(condition, known) !== undefined) return true;
    return this.plan.steady.isSteady(condition, this.bounds);
  }

  /** Sets the rounds that can be made, at least one, and where streams begin. */
  private prepare(left: number): void {
    const { usual, plan, frame } = this;
    const { code, expressions } = frame;
    code.i32(mostRounds);
    code.set(left);
    for (const group of this.groups) emitGroupRounds(expressions, group, left, frame.around);
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
    const bits = emitPredicates(expressions, this.changing, undefined);
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
    const unlike = this.temporary('i64');
    const alike = this.temporary('i32');
    const again = code.loop();
    code.get(frame.fuel);
    code.i32(this.graph.need[this.rounds.head.index]! + wordBytes * plan.cost);
    code.op(op.i32ltS);
    code.branchIf(out);
    tests.pushUnlike();
    for (const stream of plan.streams.all)
      if (stream.isMarked) {
        plan.streams.pushUnwritten(stream);
        code.op(op.i64or);
      }
    code.set(unlike);
    // A whole word needs no count of rounds, so that the next one is read before this one is compared.
    code.get(unlike);
    code.op(op.i64eqz);
    code.get(left);
    code.get(made);
    code.op(op.i32sub);
    code.i32(wordBytes);
    code.op(op.i32geS);
    code.op(op.i32and);
    code.if();
    this.leaveOut(() => code.i32(this.isEven ? wordBytes : wordBytes - 1), made);
    code.branch(again);
    code.end();
    this.countAlike(unlike, alike, made, left);
    code.get(alike);
    code.i32(0);
    code.op(op.i32gtS);
    code.if();
    this.leaveOut(() => code.get(alike), made);
    code.end();
    code.end();
    code.end();
  }

  /** Rounds of which nothing is left but that variables grow and fuel is paid. */
  private leaveOut(pushRounds: () => void, made: number): void {
    const { code, fuel } = this.frame;
    for (const [variable, step] of this.rounds.steps) if (step !== undefined) this.grow(variable, step, pushRounds);
    this.plan.streams.advanceBy(pushRounds);
    code.get(made);
    pushRounds();
    code.op(op.i32add);
    code.set(made);
    code.get(fuel);
    pushRounds();
    code.i32(this.plan.cost);
    code.op(op.i32mul);
    code.op(op.i32sub);
    code.set(fuel);
  }

  /** Sets the number of rounds that are left out, at most eight. */
  private countAlike(unlike: number, alike: number, made: number, left: number): void {
    const { code } = this.frame;
    code.get(unlike);
    code.op(op.i64ctz);
    code.i64(3n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.set(alike);
    code.get(alike);
    code.get(left);
    code.get(made);
    code.op(op.i32sub);
    code.get(alike);
    code.get(left);
    code.get(made);
    code.op(op.i32sub);
    code.op(op.i32leS);
    code.op(op.select);
    // If not all variables grow evenly, the last of these rounds is made one by one, and leaves their values.
    if (!this.isEven) {
      code.i32(1);
      code.op(op.i32sub);
    }
    code.set(alike);
  }

  private grow(variable: Variable, step: bigint, pushRounds: () => void): void {
    const { code, expressions } = this.frame;
    const { type } = variable;
    const local = expressions.frame.variables[variable.slot]!;
    if (type.kind === 'pointer') {
      code.get(local);
      code.i64(-0x1_0000_0000n);
      code.op(op.i64and);
      code.get(local);
      pushRounds();
      code.op(op.i64extendU);
      code.i64(step);
      code.op(op.i64mul);
      code.op(op.i64add);
      code.i64(0xffff_ffffn);
      code.op(op.i64and);
      code.op(op.i64or);
      return code.set(local);
    }
    if (type.kind !== 'integer') throw new Error('only integers and pointers grow evenly');
    const wide = type.widthBits === 64;
    expressions.assign(variable, () => {
      code.get(local);
      pushRounds();
      if (wide) {
        code.op(op.i64extendU);
        code.i64(step);
        code.op(op.i64mul);
        code.op(op.i64add);
      } else {
        code.i32(Number(BigInt.asIntN(32, step)));
        code.op(op.i32mul);
        code.op(op.i32add);
        expressions.arithmetic.canonical(type);
      }
    });
  }

  /** True if all variables grow evenly. */
  private get isEven(): boolean {
    return [...this.rounds.steps.values()].every((step) => step !== undefined);
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
      for (const { local, copy } of kept) {
        code.get(copy);
        code.set(local);
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
