/**
 * One function as WebAssembly, in one of two forms: to be called by compiled code, with arguments as parameters, or to be entered anywhere, with
 * the frame taken from where the host put it.
 *
 * Where something fails, or is not compiled, the function sets the location it is at and leaves: its frame is written behind those
 * of the functions it called, and its caller, seeing that fuel is negative, does the same. So the host gets the whole stack, with each variable as
 * the reference machine would have it there, and lets that machine go on.
 */
import type { DataModel } from '../../c/types';
import { sameScalar } from '../../program/build';
import type { Command } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Location } from '../../program/program';
import { unreachable } from '../../unreachable';
import type { Block, BlockGraph, CallCommand } from './blocks';
import { accessedPointers, emitCheck, movedFrom } from './checks';
import type { Declared } from './declared';
import { ExpressionEmitter, loadOf, storeOf } from './expressions';
import { effectsOf, Known } from './known';
import { cells, entry, frameEntered, frameHeaderBytes, cacheBytes, cachedSights, cacheEntries, cacheEntryBytes, tableObjects, wasmTypeOf, type Layout } from './layout';
import type { Sight } from '../machine';
import type { EmissionGraph } from './reentry';
import { NotCompiled } from './notCompiled';
import { emitStructured } from './structure';
import { emitSight } from './sights';
import type { Support } from './support';
import { access, Code, goldenRatio, op, type Label, type Signature } from './wasm';

/** What a function's code refers to outside of itself. */
export interface Surroundings {
  readonly model: DataModel;
  readonly layout: Layout;
  readonly support: Support;
  /** The number by which host functions know a command. */
  site(edge: Edge): number;
  /** Index of the first form; undefined for functions that are not compiled. */
  called(fn: FunctionDefinition): number | undefined;
  functionIndex(fn: FunctionDefinition): number;
  isWatched(location: Location): boolean;
  sightAt(location: Location): Sight | undefined;
  /** Among all of the program. */
  sightNumber(location: Location): number;
  /** Whether a failing check ends the execution or hands over. */
  isChecked(command: Extract<Command, { kind: 'check' }>): boolean;
}


/** Pointer variables whose objects are remembered, in one function. */
const mostCompanions = 24;
/** Nodes between which what is known is traced. */
const mostBetween = 500;

export function calledSignature(fn: FunctionDefinition): Signature {
  return { parameters: [...fn.parameters.map(({ type }) => wasmTypeOf(type)), 'i32'], result: fn.result && wasmTypeOf(fn.result) };
}
export const reentrantSignature: Signature = { parameters: ['i32'], result: undefined };

export class FunctionEmitter {
  private readonly code: Code;
  private readonly expressions: ExpressionEmitter;
  private readonly depth: number;
  private readonly fuel: number;
  /** Index of the location to hand over at, in the way out. */
  private readonly here: number;
  /** In the second form, the place that is wanted. */
  private readonly wanted: number;
  /** In the second form, not 0 when the place was just reached, whose arrival was reported before. */
  private readonly isReported: number;
  /** What was seen at the entry, where that is kept. */
  private readonly entered: number | undefined;
  private way: Label = 0;

  constructor(
    private readonly fn: FunctionDefinition, private readonly graph: BlockGraph, private readonly declared: Declared,
    private readonly emission: EmissionGraph, private readonly isReentrant: boolean, private readonly around: Surroundings,
  ) {
    const code = new Code(isReentrant ? reentrantSignature : calledSignature(fn));
    this.code = code;
    this.depth = code.localCount - 1;
    const variables = fn.variables.map(({ type }, slot) => (!isReentrant && slot < fn.parameters.length ? slot : code.local(wasmTypeOf(type))));
    const objects = fn.objects.map(() => ({ pointer: code.local('i64'), address: code.local('i32'), entry: code.local('i32') }));
    const companions = new Map([...accessedPointers(fn, mostCompanions)].map((slot) => (
      [slot, { entry: code.local('i32'), address: code.local('i32'), size: code.local('i64'), shadow: code.local('i32') }] as const)));
    fn.parameters.forEach(({ slot }, i) => { if (slot !== i) throw new NotCompiled('parameters come first'); });
    this.expressions = new ExpressionEmitter(code, { variables, objects, companions }, around.layout, around.model, around.support);
    this.fuel = code.local('i32');
    this.here = code.local('i32');
    this.wanted = code.local('i32');
    this.isReported = code.local('i32');
    this.entered = around.isWatched(fn.entry) && around.sightAt(fn.entry)?.perEntry ? code.local('i64') : undefined;
  }

  /** Of the activation on the native stack at most, in unoptimised code: a word per local, and what goes with a call. */
  get stackBytes(): number {
    return 300 + 8 * (this.code.localCount + this.fn.parameters.length);
  }

  emit(): Uint8Array {
    const { code, emission, fn, around } = this;
    if (this.isReentrant) this.takeFrame();
    code.i32(0);
    code.access(access.i32load, cells.fuel);
    code.set(this.fuel);
    this.way = code.block();
    if (!this.isReentrant) {
      code.get(this.depth);
      code.op(op.i32eqz);
      code.if();
      if (around.isWatched(fn.entry)) this.setArrived();
      this.handOver(fn.entry, 0);
      code.end();
    }
    const effects = this.graph.blocks.map(({ edges }) => effectsOf(edges.map(({ command }) => command)));
    const surviving = (known: Known, nodes: ReadonlySet<number>): Known => {
      if (nodes.size > mostBetween) return Known.nothing();
      const after = known.fork();
      for (const node of nodes) {
        const it = emission.nodes[node]!;
        if (it.kind === 'block') after.mayHaveExecuted(effects[it.block]!);
      }
      return after;
    };
    emitStructured<Known>(code, emission.entry, emission.flow, { nothing: () => Known.nothing(), surviving }, (node, known, go) => {
      const it = emission.nodes[node]!;
      switch (it.kind) {
        case 'block': return this.block(this.graph.blocks[it.block]!, known, go);
        case 'arrival':
          code.i32(-1);
          code.set(this.wanted);
          if (around.isWatched(this.graph.blocks[it.to]!.first)) {
            code.i32(1);
            code.set(this.isReported);
          }
          return go(it.to, known, known);
        case 'dispatch': return this.dispatch(it.arms, it.other, known, go);
        default: return unreachable(it);
      }
    });
    code.op(op.unreachable);
    code.end();
    this.leave();
    return code.finish();
  }

  private dispatch(arms: readonly { readonly location: number; readonly to: number }[], other: number | undefined, known: Known, go: (to: number, known: Known, atBranch: Known) => void): void {
    const { code } = this;
    if (other !== undefined) {
      code.get(this.wanted);
      code.i32(-1);
      code.op(op.i32eq);
      code.if();
      go(other, known.fork(), known);
      code.end();
    }
    for (const { location, to } of arms) {
      code.get(this.wanted);
      code.i32(location);
      code.op(op.i32eq);
      code.if();
      go(to, known.fork(), known);
      code.end();
    }
    code.op(op.unreachable);
  }

  // Blocks

  private block(block: Block, known: Known, go: (to: number, known: Known, atBranch: Known) => void): void {
    const { code, expressions } = this;
    expressions.known = known;
    expressions.declared = this.declared.certainly[block.first.index]!;
    if (this.around.isWatched(block.first)) this.watch(block);
    if (block.isCheckpoint) {
      const need = this.graph.need[block.index]!;
      code.get(this.fuel);
      code.i32(need);
      code.op(op.i32ltS);
      code.if();
      this.handOver(block.first, 0);
      code.end();
    }
    if (block.cost > 0) {
      code.get(this.fuel);
      code.i32(block.cost);
      code.op(op.i32sub);
      code.set(this.fuel);
    }
    for (const edge of block.edges) {
      expressions.declared = this.declared.certainly[edge.from.index]!;
      this.command(edge);
    }
    expressions.declared = this.declared.certainly[block.last.index]!;
    const atBranch = expressions.known.fork();
    const next = (location: Location, after: Known) => go(this.nodeOf(location), after, atBranch);
    switch (block.ending.kind) {
      case 'goto': return next(block.ending.to, expressions.known);
      case 'exit': return this.exit();
      case 'handover': return this.handOver(block.last);
      case 'branch': return this.branch(block.ending.arms, next);
      default: return unreachable(block.ending);
    }
  }

  /** Reports an arrival, unless it is one of those that need not be. */
  private watch({ first }: Block): void {
    const { code } = this;
    if (this.isReentrant) {
      code.get(this.isReported);
      code.if();
      code.i32(0);
      code.set(this.isReported);
      code.else();
    }
    const sight = this.around.sightAt(first);
    if (sight) this.see(first, sight);
    else this.countDown(first);
    if (this.isReentrant) code.end();
  }

  private countDown(location: Location): void {
    const { code, fn } = this;
    const { layout } = this.around;
    const at = layout.skips + 4 * (layout.locationNumbers.get(fn)! + location.index);
    const left = this.expressions.temporary('i32');
    code.i32(0);
    code.access(access.i32load, at);
    code.tee(left);
    code.op(op.i32eqz);
    this.reportIfNotZero(location);
    code.i32(0);
    code.get(left);
    code.i32(1);
    code.op(op.i32sub);
    code.access(access.i32store, at);
    this.expressions.release('i32', left);
  }

  /** Reports an arrival that looks like none before. Most look like one of the last few, which is found out on the spot. */
  private see(location: Location, { conditions, perEntry }: Sight): void {
    const { code, expressions, fn } = this;
    const { layout, support } = this.around;
    const keeps = perEntry ? this.entered : undefined;
    if (perEntry && keeps === undefined) throw new Error(`sights of ${fn.name} count per entry, but its entry is not watched`);
    const { local: bits, type } = emitSight(expressions, conditions, location.isLoopHead);
    const narrow = type === 'i32';
    const wide = () => { code.get(bits); if (narrow) code.op(op.i64extendU); };
    if (keeps !== undefined && location === fn.entry) {
      wide();
      code.set(keeps);
    }
    const cached = this.around.sightNumber(location);
    const cache = layout.cache + Math.min(cached, cachedSights) * cacheBytes;
    const place = expressions.temporary('i32');
    // The upper bits of the product choose the entry.
    const offsetMask = (cacheEntries - 1) * cacheEntryBytes;
    if (narrow && keeps === undefined) {
      code.get(bits);
      code.i32(Number(BigInt.asIntN(32, goldenRatio >> 32n)));
      code.op(op.i32mul);
      code.i32(24);
      code.op(op.i32shrU);
    } else {
      wide();
      if (keeps !== undefined) { code.get(keeps); code.op(op.i64xor); }
      code.i64(goldenRatio);
      code.op(op.i64mul);
      code.i64(56n);
      code.op(op.i64shrU);
      code.op(op.i32wrap);
    }
    code.i32(offsetMask);
    code.op(op.i32and);
    code.set(place);
    if (cached < cachedSights) {
      code.get(place);
      code.access(narrow ? access.i32load : access.i64load, cache);
      code.get(bits);
      code.op(narrow ? op.i32ne : op.i64ne);
      if (keeps !== undefined) {
        code.get(place);
        code.access(access.i64load, cache + 8);
        code.get(keeps);
        code.op(op.i64ne);
        code.op(op.i32or);
      }
      code.if();
    }
    code.i32(layout.locationNumbers.get(fn)! + location.index);
    wide();
    if (keeps === undefined) code.i64(0n); else code.get(keeps);
    code.get(place);
    code.i32(cache);
    code.op(op.i32add);
    code.call(support.seen);
    code.op(op.i32eqz);
    this.reportIfNotZero(location);
    if (cached < cachedSights) code.end();
    expressions.release('i32', place);
    expressions.release(type, bits);
  }

  private reportIfNotZero(location: Location): void {
    const { code } = this;
    code.if();
    this.setArrived();
    this.handOver(location, 0);
    code.end();
  }

  private setArrived(): void {
    const { code } = this;
    code.i32(0);
    code.i32(1);
    code.access(access.i32store, cells.arrived);
  }

  private nodeOf(location: Location): number {
    return this.targets.get(location)!;
  }
  private readonly targets = new Map<Location, number>();

  /** Where control goes for a location: set by whoever made the graph. */
  withTargets(targetOfBlock: (block: number) => number): this {
    for (const block of this.graph.blocks) this.targets.set(block.first, targetOfBlock(block.index));
    return this;
  }

  /** One of the conditions holds, as lowering guarantees, so the last is not asked. */
  private branch(arms: readonly Edge[], next: (location: Location, known: Known) => void): void {
    const { code, expressions } = this;
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

  private command(edge: Edge): void {
    const { command } = edge;
    const { code, expressions } = this;
    const { known } = expressions;
    const { support } = this.around;
    switch (command.kind) {
      case 'skip': return;
      case 'assume':
        expressions.condition(command.condition);
        this.handOverIfZero(edge.from);
        return known.learn(command.condition);
      case 'check':
        if (this.around.isChecked(command)) emitCheck(expressions, command.condition, () => this.handOver(edge.from));
        return;
      case 'assign':
        same(command.value.type, command.target);
        expressions.assign(command.target, () => expressions.value(command.value));
        return this.assigned(command.target, command.value);
      case 'store':
        if (!sameScalar(command.type, command.value.type)) throw new NotCompiled('a store of another type');
        expressions.store(command.address, command.type, command.value);
        return known.memoryWritten();
      case 'copy':
        expressions.value(command.target);
        expressions.value(command.source);
        expressions.value(command.size);
        code.call(support.copy);
        this.handOverIfNotZero(edge.from);
        // The target may have got a shadow.
        return this.elsewhereRan();
      case 'fill':
        expressions.value(command.target);
        expressions.value(command.byte);
        expressions.value(command.size);
        code.call(support.fill);
        return known.memoryWritten();
      case 'havoc': case 'input':
        code.i32(this.around.site(edge));
        code.call(support.host.choose);
        this.handOverIfNotZero(edge.from);
        this.takeResult(command.target);
        this.assigned(command.target);
        return this.elsewhereRan();
      case 'allocate': return this.allocate(edge, command);
      case 'free': case 'end': return this.end(edge, command);
      case 'declare': return this.declare(edge, command.object.slot);
      case 'call': return this.call(edge, command);
      case 'external': return this.native(edge, command);
      case 'halt': throw new Error('halt is handed over');
      default: return unreachable(command);
    }
  }

  /** A variable got a value: that of the expression, if there is one. */
  private assigned(variable: Variable, value?: Expression): void {
    const { code, expressions } = this;
    expressions.known.assigned(variable, value);
    const companion = variable.scope === 'local' ? expressions.frame.companions.get(variable.slot) : undefined;
    if (!companion) return;
    const source = value && movedFrom(value);
    if (source === variable.slot) return;
    const origin = source === undefined ? undefined : expressions.frame.companions.get(source);
    if (!origin) {
      code.i64(0n);
      return code.set(companion.size);
    }
    for (const part of ['entry', 'address', 'size', 'shadow'] as const) {
      code.get(origin[part]);
      code.set(companion[part]);
    }
  }

  /** Lives of objects may have ended. */
  private elsewhereRan(): void {
    const { code, expressions } = this;
    expressions.known.elsewhereRan();
    for (const { size } of expressions.frame.companions.values()) {
      code.i64(0n);
      code.set(size);
    }
  }

  private allocate(edge: Edge, command: Extract<Command, { kind: 'allocate' }>): void {
    const { code, expressions } = this;
    const size = expressions.temporary('i64');
    const object = expressions.temporary('i32');
    expressions.value(command.size);
    code.set(size);
    code.i32(this.around.site(edge));
    code.get(size);
    code.op(op.i32wrap);
    code.get(size);
    code.i64(32n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.call(this.around.support.host.allocate);
    code.tee(object);
    code.i32(-1);
    code.op(op.i32eq);
    code.if();
    this.handOver(edge.from);
    code.end();
    expressions.assign(command.target, () => { code.get(object); code.op(op.i64extendU); code.i64(32n); code.op(op.i64shl); });
    expressions.release('i64', size);
    expressions.release('i32', object);
    this.assigned(command.target);
  }

  private end(edge: Edge, command: Extract<Command, { kind: 'free' | 'end' }>): void {
    const { code, expressions } = this;
    const pointer = expressions.temporary('i64');
    if (command.kind === 'free') expressions.value(command.pointer);
    else code.get(expressions.frame.objects[command.object.slot]!.pointer);
    code.set(pointer);
    code.i32(this.around.site(edge));
    code.get(pointer);
    code.i64(32n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.get(pointer);
    code.op(op.i32wrap);
    code.call(this.around.support.host.end);
    expressions.release('i64', pointer);
    if (command.kind === 'end') this.setObject(command.object.slot, () => code.i32(0));
    this.elsewhereRan();
  }

  private declare(edge: Edge, slot: number): void {
    const { code, expressions } = this;
    const object = expressions.temporary('i32');
    code.i32(this.around.site(edge));
    code.get(expressions.frame.objects[slot]!.pointer);
    code.i64(32n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.call(this.around.support.host.declare);
    code.tee(object);
    code.i32(-1);
    code.op(op.i32eq);
    code.if();
    this.handOver(edge.from);
    code.end();
    this.setObject(slot, () => code.get(object));
    expressions.release('i32', object);
    this.elsewhereRan();
  }

  /** The number pushed is an object's in linear memory, or 0. */
  private setObject(slot: number, push: () => void): void {
    const { code } = this;
    const object = this.expressions.frame.objects[slot]!;
    push();
    code.op(op.i64extendU);
    code.i64(32n);
    code.op(op.i64shl);
    code.set(object.pointer);
    this.lookUp(slot);
  }

  private lookUp(slot: number): void {
    const { code } = this;
    const object = this.expressions.frame.objects[slot]!;
    code.get(object.pointer);
    code.i64(28n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    code.i32(tableObjects * 16 - 16);
    code.op(op.i32and);
    code.tee(object.entry);
    code.access(access.i32load, this.around.layout.table + entry.address);
    code.set(object.address);
  }

  private takeResult(target: Variable): void {
    const { code } = this;
    this.expressions.assign(target, () => {
      code.i32(0);
      code.access(loadOf[wasmTypeOf(target.type)], cells.result);
    });
  }

  private native(edge: Edge, command: Extract<Command, { kind: 'external' }>): void {
    const { code, expressions } = this;
    command.arguments.forEach((argument, i) => {
      code.i32(0);
      expressions.value(argument);
      code.access(storeOf[wasmTypeOf(argument.type)], cells.arguments + 8 * i);
    });
    code.i32(this.around.site(edge));
    code.call(this.around.support.host.native);
    this.handOverIfNotZero(edge.from);
    if (command.target) {
      if (!command.resultType || !sameScalar(command.resultType, command.target.type)) throw new NotCompiled('a result of another type');
      this.takeResult(command.target);
      this.assigned(command.target);
    }
    this.elsewhereRan();
  }

  // Calls

  private call(edge: Edge, command: CallCommand): void {
    const { code, expressions } = this;
    const { callee } = command;
    const targets = callee.kind === 'function' ? [callee] : command.targets.filter((fn) => this.around.called(fn) !== undefined && matches(fn, command));
    const result = command.target && expressions.temporary(wasmTypeOf(command.target.type));
    if (callee.kind === 'function') {
      if (!matches(callee, command)) throw new NotCompiled('arguments of other types');
      this.callOne(callee, command, result);
    } else {
      const object = expressions.temporary('i64');
      expressions.value(callee);
      code.i64(32n);
      code.op(op.i64shrU);
      code.set(object);
      this.choose([...targets].sort((a, b) => a.number - b.number), object, edge, command, result);
      expressions.release('i64', object);
    }
    code.i32(0);
    code.access(access.i32load, cells.fuel);
    code.tee(this.fuel);
    code.i32(0);
    code.op(op.i32ltS);
    code.if();
    this.handOver(edge.from);
    code.end();
    if (command.target) {
      expressions.assign(command.target, () => code.get(result!));
      expressions.release(wasmTypeOf(command.target.type), result!);
      this.assigned(command.target);
    }
    this.elsewhereRan();
  }

  /** By binary search over the numbers of functions. */
  private choose(targets: readonly FunctionDefinition[], object: number, edge: Edge, command: CallCommand, result: number | undefined): void {
    const { code } = this;
    if (targets.length <= 1) {
      const [target] = targets;
      if (target) {
        code.get(object);
        code.i64(BigInt(target.number));
        code.op(op.i64eq);
        code.if();
        this.callOne(target, command, result);
        code.else();
      }
      this.handOver(edge.from);
      if (target) code.end();
      return;
    }
    const middle = targets.length >> 1;
    code.get(object);
    code.i64(BigInt(targets[middle]!.number));
    code.op(op.i64ltU);
    code.if();
    this.choose(targets.slice(0, middle), object, edge, command, result);
    code.else();
    this.choose(targets.slice(middle), object, edge, command, result);
    code.end();
  }

  private callOne(fn: FunctionDefinition, command: CallCommand, result: number | undefined): void {
    const { code, expressions } = this;
    const index = this.around.called(fn);
    if (index === undefined) throw new Error('calls of what is not compiled are handed over');
    for (const argument of command.arguments) expressions.value(argument);
    code.get(this.depth);
    code.i32(1);
    code.op(op.i32sub);
    code.i32(0);
    code.get(this.fuel);
    code.access(access.i32store, cells.fuel);
    code.call(index);
    if (result !== undefined) code.set(result);
    else if (fn.result) code.op(op.drop);
  }

  // Ways out

  private exit(): void {
    const { code, expressions, fn } = this;
    const { resultVariable } = fn;
    fn.objects.forEach(({ slot }) => {
      if (((this.declared.possiblyAtExit >> BigInt(slot)) & 1n) === 0n && !this.isReentrant) return;
      const { pointer } = expressions.frame.objects[slot]!;
      code.get(pointer);
      code.i64(0n);
      code.op(op.i64ne);
      code.if();
      code.get(pointer);
      code.i64(32n);
      code.op(op.i64shrU);
      code.op(op.i32wrap);
      code.call(this.around.support.host.kill);
      code.end();
    });
    code.i32(0);
    code.get(this.fuel);
    code.access(access.i32store, cells.fuel);
    if (resultVariable && this.isReentrant) {
      code.i32(0);
      expressions.read(resultVariable);
      code.access(storeOf[wasmTypeOf(resultVariable.type)], cells.result);
    } else if (resultVariable) {
      expressions.read(resultVariable);
    }
    code.op(op.return);
  }

  private handOverIfZero(location: Location): void {
    this.code.op(op.i32eqz);
    this.handOverIfNotZero(location);
  }

  private handOverIfNotZero(location: Location): void {
    this.code.if();
    this.handOver(location);
    this.code.end();
  }

  /** Control is at the location, the command not begun. `refund`: edges paid for that were not taken. */
  private handOver(location: Location, refund = this.graph.refund[location.index]!): void {
    const { code } = this;
    code.i32(location.index);
    code.set(this.here);
    if (refund > 0) {
      code.get(this.fuel);
      code.i32(refund);
      code.op(op.i32add);
      code.set(this.fuel);
    }
    code.branch(this.way);
  }

  /** Writes the frame. The first to do so keeps the fuel and makes it negative for the others. */
  private leave(): void {
    const { code, fn, expressions } = this;
    const { frame } = expressions;
    const at = code.local('i32');
    code.i32(0);
    code.access(access.i32load, cells.spillEnd);
    code.set(at);
    // Fuel in its cell is negative only when a called function handed over.
    code.i32(0);
    code.access(access.i32load, cells.fuel);
    code.i32(0);
    code.op(op.i32geS);
    code.if();
    code.i32(0);
    code.get(this.fuel);
    code.access(access.i32store, cells.savedFuel);
    code.i32(0);
    code.i32(-1);
    code.access(access.i32store, cells.fuel);
    code.end();
    code.get(at);
    code.i32(this.around.functionIndex(fn));
    code.access(access.i32store, 0);
    code.get(at);
    code.get(this.here);
    code.access(access.i32store, 4);
    if (this.entered !== undefined) {
      code.get(at);
      code.get(this.entered);
      code.access(access.i64store, frameEntered);
    }
    fn.variables.forEach(({ type }, slot) => {
      code.get(at);
      code.get(frame.variables[slot]!);
      code.access(storeOf[wasmTypeOf(type)], frameHeaderBytes + 8 * slot);
    });
    fn.objects.forEach((_, slot) => {
      code.get(at);
      code.get(frame.objects[slot]!.pointer);
      code.access(access.i64store, frameHeaderBytes + 8 * (fn.variables.length + slot));
    });
    code.i32(0);
    code.get(at);
    code.i32(frameBytes(fn));
    code.op(op.i32add);
    code.access(access.i32store, cells.spillEnd);
    if (!this.isReentrant && fn.result) expressions.zero(wasmTypeOf(fn.result));
  }

  private takeFrame(): void {
    const { code, fn } = this;
    const { frame } = this.expressions;
    const { spill } = this.around.layout;
    code.i32(0);
    code.access(access.i32load, spill + 4);
    code.set(this.wanted);
    if (this.entered !== undefined) {
      code.i32(0);
      code.access(access.i64load, spill + frameEntered);
      code.set(this.entered);
    }
    fn.variables.forEach(({ type }, slot) => {
      code.i32(0);
      code.access(loadOf[wasmTypeOf(type)], spill + frameHeaderBytes + 8 * slot);
      code.set(frame.variables[slot]!);
    });
    fn.objects.forEach((_, slot) => {
      code.i32(0);
      code.access(access.i64load, spill + frameHeaderBytes + 8 * (fn.variables.length + slot));
      code.set(frame.objects[slot]!.pointer);
      this.lookUp(slot);
    });
  }
}

export const frameBytes = (fn: FunctionDefinition): number => frameHeaderBytes + 8 * (fn.variables.length + fn.objects.length);

function same(type: Variable['type'], target: Variable): void {
  if (!sameScalar(type, target.type)) throw new NotCompiled('an assignment of another type');
}

function matches(fn: FunctionDefinition, command: CallCommand): boolean {
  const { target } = command;
  return fn.parameters.length === command.arguments.length
    && fn.parameters.every(({ type }, i) => sameScalar(type, command.arguments[i]!.type))
    && (!target || (fn.result !== undefined && sameScalar(fn.result, target.type)));
}

