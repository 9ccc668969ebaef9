/**
 * Commands of the intermediate form as WebAssembly, in the frame of one function. What the code does not do itself it
 * asks of the host.
 */
import { sameScalar } from '../../../program/build';
import type { Command, ExternalCommand } from '../../../program/command';
import type { Expression, FrameObject, Variable } from '../../../program/expression';
import { confinedUnitBytes } from '../../../program/automata/confinedObjects';
import type { Edge, FunctionDefinition } from '../../../program/program';
import { keyOf } from '../../../program/automata/repeatedChecks';
import { dependsOnMemory } from '../../../program/traverse';
import { unreachable } from '../../../unreachable';
import type { CallCommand } from './blocks';
import { emitCheck } from './checks';
import type { ExpressionEmitter } from './expressions';
import { bytesOf, storeOf } from './accesses';
import { rootOf } from './checkElimination';
import type { FrameEmitter, EmissionContext } from './frameEmitter';
import { stateWords } from '../objectState';
import { cells, originBytes, property, tableObjects, wasmTypeOf } from './layout';
import { NotCompiled } from './notCompiled';
import { emitBeginConfined } from './support/confinedObjects';
import { emitKill } from './support/endObject';
import { emitMake } from './support/makeObject';
import { access, op, type Code, type LocalSource, type WasmType } from './wasm';
import { copySmall, fillSmall, smallSize } from './smallCopies';

/** Beginnings, and ends, of automatic objects in one function that are no calls: each is half a kilobyte of code. */
const mostInPlace = 6;

export class CommandEmitter {
  private madeInPlace = 0;
  private endsInPlace = 0;
  private readonly code: Code;
  private readonly expressions: ExpressionEmitter;
  private readonly around: EmissionContext;

  constructor(private readonly frame: FrameEmitter) {
    this.code = frame.code;
    this.expressions = frame.expressions;
    this.around = frame.around;
  }

  /** `failsAt`: where the reference machine goes on if a check fails. */
  emit(edge: Edge, failsAt = edge.from): void {
    const { command } = edge;
    const { code, expressions } = this;
    const { known } = expressions;
    const { support } = this.around;
    switch (command.kind) {
      case 'skip':
        return;
      case 'assume':
        expressions.condition(command.condition);
        this.frame.handOverIfZero(edge.from);
        return known.learn(command.condition);
      case 'check':
        if (this.around.isChecked(command))
          emitCheck(expressions, command.condition, () => this.frame.handOver(failsAt));
        return;
      case 'assign':
        same(command.value.type, command.target);
        expressions.assign(command.target, () => expressions.value(command.value));
        return this.onAssigned(command.target, command.value);
      case 'store':
        if (!sameScalar(command.type, command.value.type)) throw new NotCompiled('a store of another type');
        expressions.accesses.store(command.address, command.type, command.value);
        return this.onStored(command.address, bytesOf(command.type, this.around.model));
      case 'copy': {
        const sizeBytes = smallSize(command.size);
        if (sizeBytes !== undefined) return copySmall(this.frame, command, sizeBytes, () => this.copy(edge, command));
        this.copy(edge, command);
        return known.copied();
      }
      case 'fill': {
        const sizeBytes = smallSize(command.size);
        if (sizeBytes !== undefined && command.byte.kind === 'integer')
          return fillSmall(this.frame, command.target, Number(command.byte.value) & 0xff, sizeBytes);
        expressions.value(command.target);
        expressions.value(command.byte);
        expressions.value(command.size);
        code.call(support.fill);
        return known.memoryWritten();
      }
      case 'havoc':
      case 'input':
        code.i32(this.around.site(edge));
        code.call(support.host.choose);
        this.frame.handOverIfNotZero(edge.from);
        this.frame.takeResult(command.target);
        this.onAssigned(command.target);
        return this.elsewhereRan();
      case 'allocate':
        return this.allocate(edge, command);
      case 'free':
      case 'end':
        return this.end(edge, command);
      case 'declare':
        return this.declare(edge, command.object);
      case 'call':
        return this.call(edge, command);
      case 'external':
        return this.native(edge, command);
      case 'halt':
        throw new Error('halt is handed over');
      default:
        return unreachable(command);
    }
  }

  /** A variable got a value: that of the expression, if there is one. */
  private onAssigned(variable: Variable, value?: Expression): void {
    this.expressions.known.onAssigned(variable, value);
  }

  private onStored(address: Expression, sizeBytes: number): void {
    const { known } = this.expressions;
    const key = keyOf(address);
    const isValid = known.access(key, sizeBytes) !== undefined || isPlace(address, sizeBytes);
    known.memoryWritten();
    if (isValid && !dependsOnMemory(address)) known.addInitialised(key, address, sizeBytes);
  }

  /** Lives of objects may have ended. */
  private elsewhereRan(): void {
    this.expressions.known.elsewhereRan();
  }

  private copy(edge: Edge, { target, source, size }: Extract<Command, { kind: 'copy' }>): void {
    const { code, expressions } = this;
    expressions.value(target);
    expressions.value(source);
    expressions.value(size);
    code.call(this.around.support.copy);
    this.frame.handOverIfNotZero(edge.from);
  }

  private allocate(edge: Edge, command: Extract<Command, { kind: 'allocate' }>): void {
    const { code, expressions } = this;
    const size = expressions.temporary('i64');
    const object = expressions.temporary('i32');
    expressions.value(command.size);
    code.set(size);
    const byHost = () => {
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
      this.frame.handOver(edge.from);
      code.end();
    };
    if (command.mayFail) {
      byHost();
    } else {
      const { make, makeZeroed } = this.around.support;
      const made = code.block();
      code.get(size);
      code.i64(0x7fff_ffffn);
      code.op(op.i64leU);
      code.i32(0);
      code.access(access.i32load, cells.allocates);
      code.op(op.i32and);
      code.if();
      code.i32(this.around.place(edge));
      code.get(size);
      code.op(op.i32wrap);
      code.i32(property.live | property.writable | (command.automatic ? 0 : property.heap));
      code.call(command.zeroed ? makeZeroed : make);
      code.tee(object);
      code.branchIf(made);
      code.end();
      byHost();
      code.end();
    }
    expressions.assign(command.target, () => {
      code.get(object);
      code.op(op.i64extendU);
      code.i64(32n);
      code.op(op.i64shl);
    });
    expressions.release('i64', size);
    expressions.release('i32', object);
    this.onAssigned(command.target);
  }

  private end(edge: Edge, command: Extract<Command, { kind: 'free' | 'end' }>): void {
    const { code, expressions } = this;
    const pointer = expressions.temporary('i64');
    if (command.kind === 'free') expressions.value(command.pointer);
    else code.get(expressions.frame.objects[command.object.slot]!.pointer);
    code.set(pointer);
    if (command.kind === 'end') this.handOverUnlessPrivate(edge, command.object, pointer);
    this.kill(edge, pointer, command.kind === 'end' ? command.object : undefined);
    expressions.release('i64', pointer);
    if (command.kind === 'end') this.frame.clearObject(command.object.slot);
    if (command.kind === 'end' && this.frame.isPrivate(command.object))
      expressions.known.objectChanged(command.object.slot);
    else this.elsewhereRan();
  }

  /**
   * An object to which no pointer of the function leads may all the same be pointed to if the frame was fabricated.
   * Code has not made it then, so the reference machine ends it, and nothing is known when code goes on.
   */
  private handOverUnlessPrivate(edge: Edge, object: FrameObject, pointer: number): void {
    const { code, frame } = this;
    if (!frame.isReentrant || !frame.isPrivate(object)) return;
    const pushNumber = () => {
      code.get(pointer);
      code.i64(32n);
      code.op(op.i64shrU);
      code.op(op.i32wrap);
    };
    const isOwn = code.block();
    const isOthers = code.block();
    pushNumber();
    code.i32(tableObjects);
    code.op(op.i32geU);
    code.branchIf(isOthers);
    pushNumber();
    code.i32(Math.log2(originBytes));
    code.op(op.i32shl);
    code.access(access.i32load, this.around.layout.origins);
    code.i32(0);
    code.op(op.i32gtS);
    code.branchIf(isOwn);
    code.end();
    frame.handOver(edge.from);
    code.end();
  }

  private kill(edge: Edge, pointer: number, ended?: FrameObject): void {
    const { code } = this;
    const { support } = this.around;
    code.i32(0);
    code.i32(this.around.place(edge));
    code.access(access.i32store, cells.objectState + 4 * stateWords.site);
    code.get(pointer);
    code.i64(32n);
    code.op(op.i64shrU);
    code.op(op.i32wrap);
    if (ended && this.around.confined.place(ended) !== undefined) return this.frame.endObject(ended);
    const sizeBytes = ended?.sizeBytes;
    const automatic = sizeBytes === undefined ? undefined : support.automatic.get(sizeBytes);
    if (!automatic || this.endsInPlace++ >= mostInPlace) return code.call((automatic ?? support).kill);
    this.withLocals((locals) => {
      const object = locals('i32');
      code.set(object);
      emitKill(code, this.around.layout, support.host.kill, { object, fixed: sizeBytes!, locals });
    });
  }

  /** Pushes the number of a new automatic object, or 0. */
  private make(edge: Edge, sizeBytes: number): void {
    const { code } = this;
    const { support, layout, model } = this.around;
    const pushSite = () => code.i32(this.around.place(edge));
    const automatic = support.automatic.get(sizeBytes);
    if (automatic && this.madeInPlace++ < mostInPlace)
      return this.withLocals((locals) => {
        emitMake(code, layout, { model, contents: 'indeterminate', fixed: sizeBytes }, pushSite, locals);
      });
    pushSite();
    if (automatic) return code.call(automatic.make);
    code.i32(sizeBytes);
    code.i32(property.live | property.writable);
    code.call(support.make);
  }

  private withLocals(use: (locals: LocalSource) => void): void {
    const { expressions } = this;
    const taken: { readonly type: WasmType; readonly local: number }[] = [];
    use((type) => {
      const local = expressions.temporary(type);
      taken.push({ type, local });
      return local;
    });
    for (const { type, local } of taken) expressions.release(type, local);
  }

  /** A previous object of the slot ends first, where there may be one. */
  private declare(edge: Edge, frameObject: FrameObject): void {
    const { slot } = frameObject;
    const { code, expressions, frame } = this;
    const { pointer } = expressions.frame.objects[slot]!;
    const mayBeDeclared = frame.mayBeDeclared(edge.from, slot);
    const endsLives = mayBeDeclared && !frame.isPrivate(frameObject);
    if (mayBeDeclared) {
      code.get(pointer);
      code.op(op.i64eqz);
      code.op(op.i32eqz);
      code.if();
      this.handOverUnlessPrivate(edge, frameObject, pointer);
      this.kill(edge, pointer, frameObject);
      code.end();
    }
    const place = this.around.confined.place(frameObject);
    if (place === undefined) this.beginOrdinary(edge, frameObject);
    else this.beginConfined(edge, frameObject, place);
    if (endsLives) expressions.known.elsewhereRan();
    else expressions.known.objectChanged(slot);
  }

  private beginConfined(edge: Edge, frameObject: FrameObject, place: number): void {
    const { code, expressions, frame } = this;
    const { slot, sizeBytes } = frameObject;
    const done = code.block();
    const noRoom = code.block();
    const hostsTurn = code.block();
    expressions.withTemporary('i32', (from) => {
      emitBeginConfined(
        code,
        this.around.layout,
        {
          sizeBytes,
          place,
          frame: frame.confined,
          site: this.around.place(edge),
          ...expressions.frame.objects[slot]!,
          from,
        },
        noRoom,
        hostsTurn,
      );
    });
    code.branch(done);
    code.end();
    expressions.withTemporary('i32', (object) => {
      this.declareByHost(edge, object);
      frame.setObject(slot, () => code.get(object));
    });
    code.branch(done);
    code.end();
    this.beginOrdinary(edge, frameObject);
    code.end();
  }

  private beginOrdinary(edge: Edge, { slot, sizeBytes }: FrameObject): void {
    const { code, expressions, frame } = this;
    expressions.withTemporary('i32', (object) => {
      this.make(edge, sizeBytes);
      code.tee(object);
      code.op(op.i32eqz);
      code.if();
      this.declareByHost(edge, object);
      code.end();
      frame.setObject(slot, () => code.get(object));
    });
  }

  private declareByHost(edge: Edge, object: number): void {
    const { code, frame } = this;
    code.i32(this.around.site(edge));
    code.get(frame.confined);
    code.i32(this.around.layout.confined);
    code.op(op.i32sub);
    code.i32(Math.log2(confinedUnitBytes));
    code.op(op.i32shrU);
    code.call(this.around.support.host.declare);
    code.tee(object);
    code.i32(-1);
    code.op(op.i32eq);
    code.if();
    frame.handOver(edge.from);
    code.end();
  }

  private native(edge: Edge, command: ExternalCommand): void {
    const { code, expressions } = this;
    command.arguments.forEach((argument, i) => {
      code.i32(0);
      expressions.value(argument);
      code.access(storeOf[wasmTypeOf(argument.type)], cells.arguments + 8 * i);
    });
    code.i32(this.around.site(edge));
    code.call(this.around.support.host.native);
    this.frame.handOverIfNotZero(edge.from);
    if (command.target) {
      if (!command.resultType || !sameScalar(command.resultType, command.target.type))
        throw new NotCompiled('a result of another type');
      this.frame.takeResult(command.target);
      this.onAssigned(command.target);
    }
    this.elsewhereRan();
  }

  // Calls

  private call(edge: Edge, command: CallCommand): void {
    const { code, expressions } = this;
    const { callee } = command;
    const targets =
      callee.kind === 'function'
        ? [callee]
        : command.targets.filter((fn) => this.around.calledIndex(fn) !== undefined && matches(fn, command));
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
      this.choose(
        [...targets].sort((a, b) => a.number - b.number),
        object,
        edge,
        command,
        result,
      );
      expressions.release('i64', object);
    }
    code.i32(0);
    code.access(access.i32load, cells.fuel);
    code.tee(this.frame.fuel);
    code.i32(0);
    code.op(op.i32ltS);
    code.if();
    this.frame.handOver(edge.from);
    code.end();
    if (command.target) {
      expressions.assign(command.target, () => code.get(result!));
      expressions.release(wasmTypeOf(command.target.type), result!);
      this.onAssigned(command.target);
    }
    const effect = this.around.effectOfCall(command);
    if (effect === 'ends lives') this.elsewhereRan();
    else expressions.known.othersWrote(effect === 'writes' ? 'no copies' : 'copies');
  }

  /** By binary search over the numbers of functions. */
  private choose(
    targets: readonly FunctionDefinition[],
    object: number,
    edge: Edge,
    command: CallCommand,
    result: number | undefined,
  ): void {
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
      this.frame.handOver(edge.from);
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
    const index = this.around.calledIndex(fn);
    if (index === undefined) throw new Error('calls of what is not compiled are handed over');
    for (const argument of command.arguments) expressions.value(argument);
    code.get(this.frame.depth);
    code.i32(1);
    code.op(op.i32sub);
    this.frame.pushConfinedOfCallee();
    code.i32(0);
    code.get(this.frame.fuel);
    code.access(access.i32store, cells.fuel);
    code.call(index);
    if (result !== undefined) code.set(result);
    else if (fn.result) code.op(op.drop);
  }
}

/** True for bytes at a constant place inside an object with a name. */
function isPlace(address: Expression, sizeBytes: number): boolean {
  const { root, deltas } = rootOf(address);
  if (root.kind !== 'address' || root.of.kind === 'function') return false;
  let at = 0n;
  for (const delta of deltas) {
    if (delta.kind !== 'integer') return false;
    at += delta.value;
  }
  return at >= 0n && at + BigInt(sizeBytes) <= BigInt(root.of.sizeBytes);
}

function same(type: Variable['type'], target: Variable): void {
  if (!sameScalar(type, target.type)) throw new NotCompiled('an assignment of another type');
}

function matches(fn: FunctionDefinition, command: CallCommand): boolean {
  const { target } = command;
  return (
    fn.parameters.length === command.arguments.length &&
    fn.parameters.every(({ type }, i) => sameScalar(type, command.arguments[i]!.type)) &&
    (!target || (fn.result !== undefined && sameScalar(fn.result, target.type)))
  );
}
