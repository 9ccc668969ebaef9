/**
 * A C module in the hands of a test: calls with plain values, globals, memory. Knows the interpreter, not Jest. Every
 * operation of the client is logged, one log per fresh start, so that another process can do it again and meet the same
 * states (`replay.ts`).
 *
 * A run ends with a fault: what C left behind may still be read, the next call starts afresh. Pointers belong to the
 * run they were made in.
 */
import type { CType, FunctionType } from '../c/types';
import { isOrderInput } from '../program/orderInput';
import type { Scalar } from '../program/expression';
import { isAggregate, isScalar } from '../program/lower/objects/layout';
import type { FunctionDefinition, Program } from '../program/program';
import { pointerTo, zero, type ConcreteValue } from '../semantics/concrete/concreteValues';
import {
  libraryRandom,
  Machine,
  type ExternalCall,
  type MachineOptions,
  type RunOutcome,
} from '../semantics/concrete/machine';
import { fromCaller, throughC } from './callerStack';
import { decode } from './values/decode';
import { encode, isTypedArray, show } from './values/encode';
import { errorFor } from './fault';
import { sourceLocationOf } from '../sourceLocation';
import { globalsView, stateView, type StateView } from './globals';
import { functionMark, HostMemory } from './values/hostMemory';
import type { HostAddress } from './layout';
import { checkStubs, entriesOf, type ModuleOptions } from './moduleOptions';
import type { RecordedAnswer, HostValue, Operation } from './operation';
import { isPointer, Pointer } from './pointer';
import { Queue } from './queue';
import { addressOf, concreteOf, fromHex, hostOf, toLog, toHex, fromLog } from './values/scalar';
import { closest } from './suggest';
import { formatType, parseType, typeOfScalar } from './typeText';
import { TextDecoder, TextEncoder } from '../textCoding';

/**
 * Called around client calls: `before` with the state a precondition sees, `after` when control is back and the state
 * is a client's.
 */
export interface Boundary {
  before?(fn: FunctionDefinition, state: () => StateView): void;
  after?(fn: FunctionDefinition): void;
}

/** A call of the client's that is going on. */
interface Running {
  readonly answers: RecordedAnswer[];
  readonly replayed: Queue<RecordedAnswer> | undefined;
  /** Calls of undefined functions so far. */
  externalCalls: number;
  /** The stub that runs now: the objects it was handed, and what it has done. */
  stub:
    | {
        readonly name: string;
        readonly handed: ReadonlySet<number>;
        readonly firstMade: number;
        readonly does: Operation[];
      }
    | undefined;
}

export class ModuleInstance {
  readonly runs: Operation[][] = [];
  readonly constants: Readonly<Record<string, number | bigint>>;
  readonly global: Record<string, unknown>;
  boundary: Boundary = {};
  /** Output of C in the current run. */
  readonly printed = { stdout: '', stderr: '' };
  /** Calls made by the client, over all runs. */
  calls = 0;

  private readonly entries: ReadonlyMap<string, FunctionDefinition>;
  private readonly callers = new Map<string, (...args: unknown[]) => unknown>();
  private readonly queued = new Map<string, Queue<unknown>>();
  /** The current run's. */
  private memory!: HostMemory;
  private ended = false;
  /** Set while C runs: where the answers of the environment go, and where they come from in a replay. */
  private running: Running | undefined;

  constructor(
    readonly program: Program,
    readonly options: ModuleOptions,
  ) {
    this.entries = new Map(entriesOf(program, options.entry).map((fn) => [fn.name, fn]));
    checkStubs(program, options.stubs ?? {});
    this.constants = Object.freeze(
      Object.fromEntries(
        [...program.enumConstants].map(([name, value]) => [
          name,
          value >= -(1n << 31n) && value < 1n << 32n ? Number(value) : value,
        ]),
      ),
    );
    this.global = globalsView(
      program,
      options.name,
      () => this.machine,
      {
        model: program.dataModel,
        memory: () => this.machine.memory,
        onPointer: (address, to) => this.memory.pointer(address, to),
        write: (address, type, value, place) => {
          this.startIfEnded();
          this.memory.writeAt(address, type, value, place);
        },
      },
      (name, value) => this.writeGlobal(name, value),
    );
    this.start();
  }

  /** The interpreter of the current run. */
  get machine(): Machine {
    return this.memory.machine;
  }
  get functionNames(): readonly string[] {
    return [...this.entries.keys()];
  }

  /** Back to the initial state. Pointers made before are no longer valid. */
  reset(): void {
    this.requireIdle('reset');
    if (this.run.length > 0 || this.ended) this.start();
  }

  /** The function a client calls, as JavaScript. Unknown names throw and say what there is. */
  fn(name: string): (...args: unknown[]) => unknown {
    let caller = this.callers.get(name);
    if (!caller) {
      const fn = this.entry(name);
      const made = (...args: unknown[]): unknown => fromCaller(made, () => this.call(fn, args, made));
      Object.defineProperties(made, {
        name: { value: name },
        length: { value: functionType(fn).parameters.length },
        [functionMark]: { value: fn.number },
      });
      this.callers.set(name, (caller = made));
    }
    return caller;
  }

  /** A new object of the host's. What `init` leaves out is zero; without `init` nothing was ever written there. */
  alloc(type: string, init?: unknown): Pointer {
    this.requireIdle('alloc', 'but-stubs');
    const ctype = parseType(type, this.program);
    const place = `alloc(${JSON.stringify(type)})`;
    const complete =
      ctype.kind === 'array' && ctype.length === undefined ? { ...ctype, length: lengthOf(init, place) } : ctype;
    this.startIfEnded();
    return this.memory.pointer(this.memory.allocate(complete, init, place), complete);
  }

  /** The content of a file as C sees it now; undefined when there is none. */
  file(path: string): string | undefined {
    const content = this.machine.environment.files.fileNamed(path);
    return content && new TextDecoder().decode(content);
  }

  /** The pointee as a plain value, pointers inside followed; with a count, that many elements. */
  read(pointer: unknown, count?: number | bigint): unknown {
    if (pointer === null) throw new TypeError('read: the pointer is null');
    if (!isPointer(pointer))
      throw new TypeError(`read: ${show(pointer)} is not a pointer; give one that came from C, alloc or new`);
    return pointer.read(count);
  }

  /**
   * The environment's next answers when C calls an undefined function, asks for an input, or allocates ('malloc': null
   * or false fails). A function is called like a stub.
   */
  answer(name: string, ...values: unknown[]): void {
    this.startIfEnded();
    const queue = this.queued.get(name);
    if (queue) queue.add(values);
    else this.queued.set(name, new Queue(values));
  }

  /** The state a probe sees; with a call, a precondition. Nothing can be written. */
  stateView(call?: { readonly fn: FunctionDefinition; readonly values: readonly ConcreteValue[] }): StateView {
    return stateView(this.program, this.options.name, this.machine, call);
  }

  // The log done again

  /** The machine values of a logged call's arguments, in the state before the call. */
  argumentsOf(operation: Extract<Operation, { kind: 'call' }>): ConcreteValue[] {
    const fn = this.program.functionByName.get(operation.function);
    if (!fn) throw new Error(`the log calls ${operation.function}, which the program does not define`);
    return operation.arguments.map((value, index) => fromLog(value, fn.parameters[index]!.type, this.objects()));
  }

  /** Result of a call, as the log would name it. */
  resultOf({ function: name }: Extract<Operation, { kind: 'call' }>, value: ConcreteValue): HostValue {
    return toLog(value, this.program.functionByName.get(name)!.result!, this.memory.allocations);
  }

  /**
   * Does a logged operation again; in the order of the log, on a fresh instance. Answers with the outcome of a call.
   */
  redo(operation: Operation): RunOutcome | undefined {
    switch (operation.kind) {
      case 'call':
        return this.execute(
          this.program.functionByName.get(operation.function)!,
          this.argumentsOf(operation),
          new Queue(operation.answers),
        );
      case 'allocate':
        this.memory.place(
          parseType(operation.type, this.program),
          operation.type,
          operation.bytes === '' ? undefined : fromHex(operation.bytes),
          operation.copyOf,
        );
        return undefined;
      case 'write':
        this.memory.store(fromLog(operation.target, { kind: 'pointer' }, this.objects()), fromHex(operation.bytes));
        this.log(operation);
        return undefined;
      case 'poke': {
        const symbol = this.program.symbols.get(operation.variable);
        if (!symbol) throw new Error(`the log writes ${operation.variable}, which the program does not have`);
        const { place } = symbol;
        if (place.kind === 'variable')
          this.machine.globals[place.slot] = this.scalarFromBytes(fromHex(operation.bytes), symbol.ctype);
        else
          this.memory.store(
            pointerTo(place.number, (place.leadBytes ?? 0) + operation.offsetBytes),
            fromHex(operation.bytes),
          );
        this.log(operation);
        return undefined;
      }
    }
  }

  private objects(): readonly number[] {
    return [...this.memory.allocations.keys()];
  }

  // Runs

  private get run(): Operation[] {
    return this.runs[this.runs.length - 1]!;
  }

  private start(): void {
    this.memory = new HostMemory(this.program, new Machine(this.program, this.machineOptions()), this.memoryOwner);
    this.runs.push([]);
    this.printed.stdout = this.printed.stderr = '';
    this.queued.clear();
    this.ended = false;
  }

  private readonly memoryOwner = {
    mayMake: (what: string): void => this.requireIdle(what, 'but-stubs'),
    mayWrite: (what: string, object: number): void => this.mayWrite(what, object),
    log: (operation: Operation): void => this.log(operation),
    call: (pointer: Pointer, object: number, args: readonly unknown[]): unknown =>
      this.callThrough(pointer, object, args),
    current: (memory: HostMemory, what: string): void => {
      if (memory !== this.memory || (this.ended && !this.running))
        throw new TypeError(`${what}: the module was reset or stopped at a fault; make the pointer again`);
    },
  };

  private startIfEnded(): void {
    if (this.ended && !this.running) this.start();
  }

  private log(operation: Operation): void {
    (this.running?.stub?.does ?? this.run).push(operation);
  }

  /**
   * Throws while C is running. Some operations are open to a stub: the proof takes an undefined function to change what
   * it can reach.
   */
  private requireIdle(what: string, except: 'no-stub' | 'but-stubs' = 'no-stub'): void {
    if (!this.running || (except === 'but-stubs' && this.running.stub)) return;
    throw new TypeError(
      this.running.stub
        ? `${what}: ${this.running.stub.name} is a stub: it cannot do that while C is running`
        : `${what}: C is running`,
    );
  }

  /** A stub writes what it was handed, the module's variables that are not static, and what it made itself. */
  private mayWrite(what: string, object: number): void {
    this.requireIdle(what, 'but-stubs');
    const stub = this.running?.stub;
    if (
      !stub ||
      stub.handed.has(object) ||
      this.memory.isVisible(object) ||
      (this.memory.allocations.get(object) ?? -1) >= stub.firstMade
    )
      return;
    throw new TypeError(
      `${what}: the stub ${stub.name} was not handed this object; an undefined function changes only what C lets ` +
        'it reach',
    );
  }

  private machineOptions(): MachineOptions {
    const { properties, stepLimit, seed } = this.options;
    return {
      ...(properties && { properties: new Set(properties) }),
      ...(stepLimit !== undefined && { stepLimit }),
      ...(seed !== undefined && { seed }),
      external: (name, args, call) => this.external(name, args, call),
      input: (name, type) => this.input(name, type),
      output: (text, stream) => {
        this.printed[stream] += text;
      },
      ...(this.options.environment && { environment: this.options.environment }),
    };
  }

  // Calls

  private entry(name: string): FunctionDefinition {
    const fn = this.entries.get(name);
    if (fn) return fn;
    const { name: module } = this.options;
    const names = this.functionNames;
    const existing = this.program.functionByName.get(name);
    if (existing && !existing.library) {
      throw new TypeError(
        existing.linkage === 'internal'
          ? `${module}: '${name}' is static, so a client cannot call it; test it through ` +
              `${names.join(', ') || 'a non-static function'}, or name it in loadC(…, { entry: [...] })`
          : `${module}: '${name}' is not among the entry functions given to loadC (${names.join(', ')})`,
      );
    }
    const what = this.program.symbols.has(name) ? `; it is a variable: use global.${name}` : closest(name, names);
    throw new TypeError(
      `${module} has no function ` +
        `'${name}'${what}${names.length === 0 ? '; it defines none' : ` (it has ${names.join(', ')})`}`,
    );
  }

  private call(fn: FunctionDefinition, args: readonly unknown[], caller: (...args: unknown[]) => unknown): unknown {
    this.requireIdle(fn.name, 'but-stubs');
    const type = functionType(fn);
    const wanted = type.parameters.length;
    if (type.variadic ? args.length < wanted : args.length !== wanted) {
      throw new TypeError(
        `${signature(fn)} takes ${type.variadic ? 'at least ' : ''}` +
          `${wanted === 0 ? 'no arguments' : wanted === 1 ? '1 argument' : `${wanted} arguments`}, not ` +
          `${args.length}`,
      );
    }
    this.startIfEnded();
    const result = isAggregate(type.result)
      ? this.memory.allocate(type.result, undefined, `the result of ${fn.name}`)
      : undefined;
    const values = type.parameters.map((parameter, index) =>
      this.argument(args[index], parameter.type, `${fn.name}(${parameter.name ?? `argument ${index + 1}`})`),
    );
    const rest = type.variadic
      ? [this.memory.list(args.slice(wanted), (index) => `${fn.name}(argument ${wanted + index + 1})`)]
      : [];
    this.boundary.before?.(fn, () => this.stateView({ fn, values }));
    this.calls++;
    const outcome = this.execute(fn, [...(result ? [pointerTo(result.object)] : []), ...values, ...rest], undefined);
    if (outcome.kind !== 'returned') throw errorFor(outcome, fn.name, caller, this.program.externals);
    if (!this.running) this.boundary.after?.(fn);
    if (result) return this.memory.readResult(result, type.result);
    return outcome.value === undefined ? undefined : hostOf(outcome.value, type.result, this.memory.pointer);
  }

  /** A stub may call whatever it was given; the test itself only what a client may. */
  private callThrough(pointer: Pointer, object: number, args: readonly unknown[]): unknown {
    const own = this.memory.functionAt({ object, offset: pointer.offset });
    if (own) return own(...args);
    const fn = this.program.functions.find(({ number }) => number === object);
    if (!fn) throw new TypeError(`call: ${pointer} is no function of this module`);
    return this.call(this.running?.stub ? fn : this.entry(fn.name), args, Pointer.prototype.call);
  }

  /** Structures by value go in as pointers to copies. */
  private argument(value: unknown, type: CType, place: string): ConcreteValue {
    if (isScalar(type)) return concreteOf(value, type, place, this.memory.encoding);
    const copy: HostAddress = this.memory.allocate(type, value, place);
    return pointerTo(copy.object);
  }

  /** Runs a call and logs it. `replayed`: the answers of the environment, when known. */
  private execute(
    fn: FunctionDefinition,
    args: readonly ConcreteValue[],
    replayed: Queue<RecordedAnswer> | undefined,
  ): RunOutcome {
    const answers: RecordedAnswer[] = [];
    const outer = this.running;
    const operation: Operation = {
      kind: 'call',
      function: fn.name,
      arguments: args.map((value, i) => toLog(value, fn.parameters[i]!.type, this.memory.allocations)),
      answers,
    };
    const log = this.running?.stub?.does ?? this.run;
    log.push(operation);
    this.running = { answers, replayed, externalCalls: 0, stub: undefined };
    this.ended = true; // and stays so when a stub throws
    try {
      const outcome = this.machine.call(fn, args);
      this.ended = outcome.kind !== 'returned';
      return outcome;
    } catch (error) {
      // An unanswered operation cannot be done again.
      log.splice(log.lastIndexOf(operation), 1);
      throw error;
    } finally {
      this.running = outer;
    }
  }

  // The environment

  private external(
    name: string,
    args: readonly ConcreteValue[],
    call: ExternalCall,
  ): ConcreteValue | undefined | 'unknown' {
    const external = this.program.externals.find((e) => e.name === name);
    if (!external || external.ctype.kind !== 'function') return 'unknown';
    const { resultType } = call.command;
    const { parameters, result } = external.ctype;
    const running = this.running!;
    const at = running.externalCalls++;
    const place = isAggregate(result) ? addressOf(args[0]!) : undefined;
    const given = place ? args.slice(1) : args;
    if (running.replayed) {
      const { next } = running.replayed;
      if (next && 'does' in next && next.at === at) {
        running.replayed.take();
        this.asStub(name, at, new Set(), () => {
          for (const operation of next.does) this.redo(operation);
        });
      }
      return resultType && this.nextReplayed(name, resultType);
    }
    const stub =
      (call.callee === undefined ? undefined : this.memory.functionAt(addressOf(call.callee))) ??
      this.options.stubs?.[name];
    const queue = this.queued.get(name);
    if (!queue?.length && typeof stub !== 'function' && !place) return 'unknown'; // the machine asks for an input
    const { rest = [] } = call.command;
    const listed = rest.length > 0 ? this.memory.listedArguments(addressOf(args[args.length - 1]!), rest) : [];
    const handed = new Set(
      args.flatMap((arg, i) => (call.command.arguments[i]!.type.kind === 'pointer' ? [addressOf(arg).object] : [])),
    );
    for (const value of listed) if (isPointer(value)) handed.add(value.object);
    return this.asStub(
      name,
      at,
      handed,
      () => {
        const named = external.ctype.kind === 'function' && external.ctype.variadic ? given.slice(0, -1) : given;
        const isQueued = Boolean(queue?.length);
        const next = isQueued ? queue!.take() : stub;
        const isAnswered = isQueued || typeof stub === 'function';
        const value =
          typeof next === 'function'
            ? (next as (...given: unknown[]) => unknown)(
                ...named.map((arg, i) =>
                  this.argumentOfStub(
                    arg,
                    parameters[i]?.type ?? typeOfScalar(call.command.arguments[args.length - given.length + i]!.type),
                  ),
                ),
                ...listed,
              )
            : isAnswered
              ? next
              : undefined;
        if (isThenable(value))
          throw new TypeError(
            `the answer of ${name} is a Promise, and C cannot wait: make the stub a plain function, without async`,
          );
        if (place) this.memory.writeAt(place, result, isAnswered ? value : {}, `the answer of ${name}`);
        return resultType && concreteOf(asTruth(value, result), result, `the answer of ${name}`, this.memory.encoding);
      },
      resultType,
      call,
    );
  }

  /** Runs what stands for an undefined function; its side effects, if any, come before its answer in the log. */
  private asStub(
    name: string,
    at: number,
    handed: ReadonlySet<number>,
    body: () => ConcreteValue | undefined | void,
    resultType?: Scalar,
    call?: ExternalCall,
  ): ConcreteValue | undefined {
    const running = this.running!;
    const outer = running.stub;
    const stub = { name, handed, firstMade: this.memory.allocations.size, does: [] };
    running.stub = stub;
    let value: ConcreteValue | undefined;
    try {
      value = body() ?? undefined;
    } catch (error) {
      if (call)
        throughC(
          error,
          call.stack().map(({ span, function: fn }) => sourceLocationOf(span, fn.name)),
        );
      throw error;
    } finally {
      running.stub = outer;
    }
    if (stub.does.length > 0) running.answers.push({ at, does: stub.does });
    return resultType && value !== undefined ? this.record(value, resultType) : undefined;
  }

  /** Structures by value come as plain objects. */
  private argumentOfStub(value: ConcreteValue, type: CType): unknown {
    return isAggregate(type) ? this.memory.readDeep(addressOf(value), type) : hostOf(value, type, this.memory.pointer);
  }

  private input(name: string, type: Scalar): ConcreteValue {
    // Tests evaluate from left to right, and their records know nothing of this.
    if (isOrderInput(name)) return this.queued.get(name)?.length ? Number(this.queued.get(name)!.take()) : 0;
    if (this.running?.replayed) return this.nextReplayed(name, type);
    const queue = this.queued.get(name);
    const stub = this.options.stubs?.[name];
    if (name === 'malloc') return this.record(queue && queue.length > 0 && !queue.take() ? 0 : 1, type);
    if (!queue?.length && typeof stub !== 'function')
      return this.record(name === libraryRandom ? this.machine.environment.random.next() : zero(type), type);
    const value = queue?.length ? queue.take() : (stub as () => unknown)();
    return this.record(
      concreteOf(
        asTruth(value, typeOfScalar(type)),
        typeOfScalar(type),
        `the answer of ${name}`,
        this.memory.answering,
      ),
      type,
    );
  }

  private record(value: ConcreteValue, type: Scalar): ConcreteValue {
    this.running?.answers.push(toLog(value, type, this.memory.allocations));
    return value;
  }

  private nextReplayed(name: string, type: Scalar): ConcreteValue {
    const next = this.running!.replayed!.take();
    if (!next || 'does' in next) throw new Error(`the log has no answer for ${name}: it was made by another program`);
    return this.record(fromLog(next, type, this.objects()), type);
  }

  // Variables

  private writeGlobal(name: string, value: unknown): void {
    this.requireIdle(`global.${name}`, 'but-stubs');
    this.startIfEnded();
    const { ctype, place } = this.program.symbols.get(name)!;
    if (this.running && place.kind === 'variable' && !this.program.globals[place.slot]!.visible)
      throw new TypeError(`global.${name} is static: a stub cannot reach it`);
    if (place.kind === 'static-object')
      return this.memory.writeAt(
        { object: place.number, offset: place.leadBytes ?? 0 },
        ctype,
        value,
        `global.${name}`,
      );
    if (ctype.const) throw new TypeError(`global.${name} is constant: C does not let anyone write it`);
    const bytes = encode(value, ctype, `global.${name}`, this.memory.encoding);
    this.machine.globals[place.slot] = this.scalarFromBytes(bytes, ctype);
    this.log({ kind: 'poke', variable: name, offsetBytes: 0, bytes: toHex(bytes) });
  }

  private scalarFromBytes(bytes: Uint8Array, ctype: CType): ConcreteValue {
    const value = decode({ bytes, isInitialised: () => true }, 0, ctype, this.program.dataModel, (address) =>
      pointerTo(address.object, address.offset),
    );
    if (value === null) return 0;
    return typeof value === 'boolean' ? Number(value) : (value as ConcreteValue);
  }
}

/** Answers of JavaScript predicates are numbers to C. */
const asTruth = (value: unknown, type: CType): unknown =>
  typeof value === 'boolean' && type.kind === 'integer' && type.name !== 'bool' ? Number(value) : value;

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

function functionType(fn: FunctionDefinition): FunctionType {
  if (fn.ctype.kind !== 'function') throw new Error(`${fn.name} has no function type`);
  return fn.ctype;
}

function signature(fn: FunctionDefinition): string {
  const { parameters, variadic } = functionType(fn);
  return `${fn.name}(${parameters.map((p) => formatType(p.type, p.name ?? '')).join(', ')}${variadic ? ', ...' : ''})`;
}

function lengthOf(init: unknown, place: string): number {
  if (Array.isArray(init) || isTypedArray(init)) return init.length;
  if (typeof init === 'string') return new TextEncoder().encode(init).length + 1;
  throw new TypeError(`${place}: an array without a length needs its values`);
}
