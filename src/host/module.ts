/**
 * A C module in the hands of a test: calls with plain values, globals, memory. Knows the interpreter, not Jest. Every operation of the client is
 * logged, one log per fresh start, so that another process can do it again and meet the same states (`replay.ts`).
 *
 * A run ends with a fault: what C left behind may still be read, the next call starts afresh. Pointers belong to the run they were made in.
 */
import type { CType, FunctionType, PointerType } from '../c/types';
import type { Property } from '../program/command';
import type { Expression, Scalar } from '../program/expression';
import { isAggregate, isScalar } from '../program/lower/layout';
import { compatible } from '../program/lower/compatible';
import type { FunctionDefinition, Program } from '../program/program';
import { expressionsOf, walk } from '../program/traverse';
import { pointerTo, type ConcreteValue } from '../semantics/concrete';
import type { BlockDescription } from '../semantics/concreteMemory';
import { Machine, type ExternalCall, type MachineOptions, type Outcome } from '../semantics/machine';
import { decode } from './decode';
import { encode, isCharacter, namedFields, show, type EncodeContext } from './encode';
import { errorFor } from './fault';
import { sizeOf, type Address } from './layout';
import type { HostValue, Operation } from './operation';
import { isPointer, Pointer, type PointerAccess } from './pointer';
import { addressOf, concreteOf, fromHex, hostOf, logged, toHex, unlogged } from './scalar';
import { closest } from './suggest';
import { formatType, parseType, rememberTypedefs } from './typeText';
import { blockBytes, view, type ViewAccess } from './view';

/** What stands in for an undefined function: a function of the test, or any value (zero, in a test). */
export type Stub = ((...args: unknown[]) => unknown) | 'any';

export interface ModuleOptions {
  /** For messages: "stack.c". */
  readonly name: string;
  /** Functions a client may call; default: every non-static one. */
  readonly entry?: readonly string[];
  readonly stubs?: Readonly<Record<string, Stub>>;
  /** Faults of these properties end a call; default: all. */
  readonly properties?: readonly Property[];
  /** Edges of the automaton per call. */
  readonly stepLimit?: number;
  readonly seed?: number;
}

/** Called around client calls: `before` with the state a precondition sees, `after` when control is back and the state is a client's. */
export interface Boundary {
  before?(fn: FunctionDefinition, state: () => Readonly<Record<string, unknown>>): void;
  after?(fn: FunctionDefinition): void;
}

const functionMark = Symbol.for('provest.function');

export class ModuleInstance {
  readonly runs: Operation[][] = [];
  readonly constants: Readonly<Record<string, number | bigint>>;
  readonly global: Record<string, unknown>;
  /** The interpreter of the current run. */
  machine!: Machine;
  boundary: Boundary = {};
  /** Calls made by the client, over all runs. */
  calls = 0;

  private readonly entries: ReadonlyMap<string, FunctionDefinition>;
  private readonly callers = new Map<string, (...args: unknown[]) => unknown>();
  private readonly queued = new Map<string, unknown[]>();
  private run: Operation[] = [];
  /** Objects the host made in this run: object number to id. */
  private allocations = new Map<number, number>();
  private ended = false;
  /** Set while C runs: where the answers of the environment go, and where they come from in a replay. */
  private running: { readonly answers: HostValue[]; readonly replayed: HostValue[] | undefined } | undefined;
  private failure: unknown;
  private pointed: ReadonlySet<number> | undefined;
  private readonly access: PointerAccess;
  /** The run a pointer was made in. */
  private readonly runOf = new WeakMap<Pointer, Operation[]>();

  constructor(readonly program: Program, readonly options: ModuleOptions) {
    rememberTypedefs(program);
    this.entries = new Map(entriesOf(program, options.entry).map((fn) => [fn.name, fn]));
    checkStubs(program, options.stubs ?? {});
    this.constants = Object.freeze(Object.fromEntries([...program.enumConstants].map(([name, value]) =>
      [name, value >= -(1n << 31n) && value < 1n << 32n ? Number(value) : value])));
    this.access = {
      read: (p) => this.readPointer(p),
      string: (p) => this.readString(this.addressIn(p), `${p}`),
      write: (p, value) => { this.startIfEnded(); this.writeMemory(this.addressIn(p), p.ctype, value, `*${p}`); },
      at: (p, index) => this.elementAt(p, index),
      field: (p, name) => this.fieldOf(p, name),
      as: (p, type) => this.pointer({ object: p.object, offset: p.offset }, parseType(type, program)),
    };
    this.global = this.globals(this.viewAccess(this.onPointer, (address, type, value, place) => this.writeMemory(address, type, value, place)));
    this.start();
  }

  /** Back to the initial state. Pointers made before are no longer valid. */
  reset(): void {
    this.idle('reset');
    if (this.run.length > 0 || this.ended) this.start();
  }

  /** The function a client calls, as JavaScript. Unknown names throw and say what there is. */
  fn(name: string): (...args: unknown[]) => unknown {
    let caller = this.callers.get(name);
    if (!caller) {
      const fn = this.entry(name);
      caller = (...args: unknown[]): unknown => this.call(fn, args, caller!);
      Object.defineProperty(caller, 'name', { value: name });
      Object.defineProperty(caller, 'length', { value: parameterTypes(fn).length });
      Object.defineProperty(caller, functionMark, { value: fn.number });
      this.callers.set(name, caller);
    }
    return caller;
  }

  get functionNames(): readonly string[] { return [...this.entries.keys()]; }
  get functions(): readonly FunctionDefinition[] { return [...this.entries.values()]; }

  /** A new object of the host's. What `init` leaves out is zero; without `init` nothing was ever written there. */
  alloc(type: string, init?: unknown): Pointer {
    this.idle('alloc');
    const ctype = parseType(type, this.program);
    const place = `alloc(${JSON.stringify(type)})`;
    const complete = ctype.kind === 'array' && ctype.length === undefined ? { ...ctype, length: lengthOf(init, place) } : ctype;
    this.startIfEnded();
    return this.pointer(this.allocate(complete, init, place), complete);
  }

  /** The pointee as a plain value, pointers inside followed. */
  read(pointer: unknown): unknown {
    if (pointer === null) throw new TypeError('read: the pointer is null');
    if (!isPointer(pointer)) throw new TypeError(`read: ${show(pointer)} is not a pointer; give one that came from C, alloc or new`);
    return pointer.read();
  }

  /** The environment's next answers when C calls an undefined function, asks for an input, or allocates ('malloc': null or false fails). */
  answer(name: string, ...values: unknown[]): void {
    this.startIfEnded();
    this.queued.set(name, [...this.queued.get(name) ?? [], ...values]);
  }

  /** The state a probe sees: globals (hidden by the arguments of a call, when given) and, through pointers, memory; nothing can be written. */
  stateView(call?: { readonly fn: FunctionDefinition; readonly values: readonly ConcreteValue[] }): Readonly<Record<string, unknown>> {
    const seen = new Map<string, unknown>();
    const follow = (address: Address, to: CType): unknown => {
      const key = `${address.object}:${address.offset}:${formatType(to)}`;
      if (!seen.has(key)) seen.set(key, this.pointeeView(address, to, access));
      return seen.get(key);
    };
    const access = this.viewAccess(follow, undefined);
    const globals = this.globals(access);
    if (!call) return globals;
    const args = new Map(parameterTypes(call.fn).map(({ name, type }, index) => {
      const value = call.values[index]!;
      return [name, isScalar(type) ? hostOf(value, type, follow) : view(access, addressOf(value), type, name ?? 'argument')];
    }));
    return new Proxy(globals, { get: (target, key, receiver) => (typeof key === 'string' && args.has(key) ? args.get(key) : Reflect.get(target, key, receiver)) });
  }

  /** The machine values of a logged call's arguments, in the state before the call. */
  argumentsOf(operation: Extract<Operation, { kind: 'call' }>): ConcreteValue[] {
    const fn = this.program.functionByName.get(operation.function)!;
    const objects = [...this.allocations.keys()];
    return operation.arguments.map((value, index) => unlogged(value, fn.parameters[index]!.type, objects));
  }

  /** Does a logged operation again; in the order of the log, on a fresh instance. Answers with the outcome of a call. */
  redo(operation: Operation): Outcome | undefined {
    switch (operation.kind) {
      case 'call': {
        const fn = this.program.functionByName.get(operation.function);
        if (!fn) throw new Error(`the log calls ${operation.function}, which the program does not define`);
        const objects = [...this.allocations.keys()];
        const args = operation.arguments.map((value, index) => unlogged(value, fn.parameters[index]!.type, objects));
        return this.execute(fn, args, [...operation.answers]);
      }
      case 'allocate': {
        const ctype = parseType(operation.type, this.program);
        this.place(ctype, operation.type, operation.bytes === '' ? undefined : fromHex(operation.bytes));
        return undefined;
      }
      case 'write': {
        const target = unlogged(operation.target, { kind: 'pointer' }, [...this.allocations.keys()]);
        this.store(target, fromHex(operation.bytes));
        this.run.push(operation);
        return undefined;
      }
      case 'poke': {
        const symbol = this.program.symbols.get(operation.variable);
        if (!symbol) throw new Error(`the log writes ${operation.variable}, which the program does not have`);
        const bytes = fromHex(operation.bytes);
        const { place } = symbol;
        if (place.kind === 'variable') this.machine.globals[place.slot] = this.scalarFromBytes(bytes, symbol.ctype);
        else this.store(pointerTo(place.number, operation.offsetBytes), bytes);
        this.run.push(operation);
        return undefined;
      }
    }
  }

  private start(): void {
    this.machine = new Machine(this.program, this.machineOptions());
    this.run = [];
    this.runs.push(this.run);
    this.allocations = new Map();
    this.queued.clear();
    this.ended = false;
  }

  private startIfEnded(): void {
    if (this.ended) this.start();
  }

  private machineOptions(): MachineOptions {
    const { properties, stepLimit, seed } = this.options;
    return {
      ...(properties && { properties: new Set(properties) }),
      ...(stepLimit !== undefined && { stepLimit }),
      ...(seed !== undefined && { seed }),
      external: (name, args, call) => this.external(name, args, call),
      input: (name, type) => this.input(name, type),
      output: () => {},
    };
  }

  private entry(name: string): FunctionDefinition {
    const fn = this.entries.get(name);
    if (fn) return fn;
    const { name: module } = this.options;
    const names = [...this.entries.keys()];
    const existing = this.program.functionByName.get(name);
    if (existing && !existing.library) {
      throw new TypeError(existing.linkage === 'internal'
        ? `${module}: '${name}' is static, so a client cannot call it; test it through ${names.join(', ') || 'a non-static function'}, or name it in loadC(…, { entry: [...] })`
        : `${module}: '${name}' is not among the entry functions given to loadC (${names.join(', ')})`);
    }
    const what = this.program.symbols.has(name) ? `; it is a variable: use global.${name}` : closest(name, names) || '';
    throw new TypeError(`${module} has no function '${name}'${what}${names.length === 0 ? '; it defines none' : ` (it has ${names.join(', ')})`}`);
  }

  private call(fn: FunctionDefinition, args: readonly unknown[], caller: (...args: unknown[]) => unknown): unknown {
    this.idle(fn.name);
    const type = functionType(fn);
    const wanted = type.parameters.length;
    if (args.length !== wanted) {
      throw new TypeError(`${signature(fn)} takes ${wanted === 0 ? 'no arguments' : wanted === 1 ? '1 argument' : `${wanted} arguments`}, not ${args.length}`);
    }
    if (type.variadic) throw new TypeError(`${signature(fn)} has a variable number of arguments; call it from a C function with fixed ones`);
    this.startIfEnded();
    const context = this.encodeContext();
    const values: ConcreteValue[] = [];
    let result: Address | undefined;
    if (isAggregate(type.result)) {
      result = this.allocate(type.result, undefined, `the result of ${fn.name}`);
      values.push(pointerTo(result.object));
    }
    type.parameters.forEach((parameter, index) => {
      const place = `${fn.name}(${parameter.name ?? `argument ${index + 1}`})`;
      if (isScalar(parameter.type)) values.push(concreteOf(args[index], parameter.type, place, context));
      else values.push(pointerTo(this.allocate(parameter.type, args[index], place).object));
    });
    this.boundary.before?.(fn, () => this.stateView({ fn, values: result ? values.slice(1) : values }));
    this.calls++;
    const outcome = this.execute(fn, values, undefined);
    if (this.failure !== undefined) {
      const error = this.failure;
      this.failure = undefined;
      throw error;
    }
    if (outcome.kind !== 'returned') throw errorFor(outcome, fn.name, caller);
    this.boundary.after?.(fn);
    if (result) return this.readDeep(result, type.result);
    return outcome.value === undefined ? undefined : hostOf(outcome.value, type.result, this.onPointer);
  }

  /** Runs a call and logs it. `replayed`: the answers of the environment, when known. */
  private execute(fn: FunctionDefinition, args: readonly ConcreteValue[], replayed: HostValue[] | undefined): Outcome {
    const answers: HostValue[] = [];
    this.run.push({ kind: 'call', function: fn.name, arguments: args.map((value, i) => logged(value, fn.parameters[i]!.type, this.allocations)), answers });
    this.running = { answers, replayed };
    this.ended = true; // stays so when a stub throws
    try {
      const outcome = this.machine.call(fn, args);
      this.ended = outcome.kind !== 'returned';
      return outcome;
    } catch (error) {
      if (!(error instanceof StubFailure)) throw error;
      this.failure = error.reason;
      return { kind: 'stopped', reason: 'assume' };
    } finally {
      this.running = undefined;
    }
  }

  private external(name: string, args: readonly ConcreteValue[], call: ExternalCall): ConcreteValue | undefined | 'unknown' {
    const external = this.program.externals.find((e) => e.name === name);
    if (!external || external.ctype.kind !== 'function') return 'unknown';
    const { resultType } = call.command;
    const replayed = this.running?.replayed;
    if (replayed) return resultType && this.record(this.nextReplayed(name, resultType), resultType);
    const type = external.ctype;
    const stub = this.options.stubs?.[name];
    const queue = this.queued.get(name);
    let value: unknown;
    if (queue && queue.length > 0) value = queue.shift();
    else if (typeof stub === 'function') {
      const hostArgs = args.map((arg, index) => hostOf(arg, type.parameters[index]?.type ?? typeOfScalar(call.command.arguments[index]!.type), this.onPointer));
      value = guarded(() => stub(...hostArgs));
    } else return 'unknown'; // the machine asks for an input
    if (!resultType) return undefined;
    return this.record(guarded(() => concreteOf(value, type.result, `the answer of ${name}`, { ...this.encodeContext(), addressOf: (v, to, place) => this.existingAddress(v, to, place) })), resultType);
  }

  private input(name: string, type: Scalar): ConcreteValue {
    if (this.running?.replayed) return this.record(this.nextReplayed(name, type), type);
    const queue = this.queued.get(name);
    const stub = this.options.stubs?.[name];
    if (name === 'malloc') return this.record(queue && queue.length > 0 && !queue.shift() ? 0 : 1, type);
    const given = queue && queue.length > 0 ? { value: queue.shift() } : typeof stub === 'function' ? { value: guarded(() => stub()) } : undefined;
    const ctype = typeOfScalar(type);
    const value = given ? guarded(() => concreteOf(given.value, ctype, `the answer of ${name}`, this.encodeContext())) : zeroOf(type);
    return this.record(value, type);
  }

  private record(value: ConcreteValue, type: Scalar): ConcreteValue {
    this.running?.answers.push(logged(value, type, this.allocations));
    return value;
  }

  private nextReplayed(name: string, type: Scalar): ConcreteValue {
    const next = this.running!.replayed!.shift();
    if (!next) throw new Error(`the log has no answer for ${name}: it was made by another program`);
    return unlogged(next, type, [...this.allocations.keys()]);
  }

  /** Nothing of the host may happen inside a call: the proof takes an undefined function to return a value and to do nothing else. */
  private idle(what: string): void {
    if (this.running) throw new TypeError(`${what}: C is running; a stub only returns its answer and changes nothing`);
  }

  private allocate(ctype: CType, init: unknown, place: string): Address {
    const bytes = init === undefined ? undefined : encode(init, ctype, place, this.encodeContext());
    return this.place(ctype, formatType(ctype), bytes);
  }

  private place(ctype: CType, type: string, bytes: Uint8Array | undefined): Address {
    const description: BlockDescription = { kind: 'host', sizeBytes: sizeOf(ctype, this.program.dataModel), name: type, ...(bytes && { contents: bytes }) };
    const pointer = this.machine.memory.make(description);
    const block = this.machine.memory.block(pointer)!;
    this.run.push({ kind: 'allocate', type, bytes: bytes ? toHex(bytes) : '' });
    this.allocations.set(block.number, this.allocations.size);
    return { object: block.number, offset: 0 };
  }

  private encodeContext(): EncodeContext {
    return { model: this.program.dataModel, addressOf: (value, type, place) => this.addressFor(value, type, place) };
  }

  /** Where a pointer argument leads: a handle, a C function, or a fresh object made of a string, array or struct literal. */
  private addressFor(value: unknown, type: PointerType, place: string): Address {
    const to = type.to;
    if (typeof value === 'string' && (isCharacter(to) || to.kind === 'void')) {
      const character: CType = to.kind === 'void' ? { kind: 'integer', name: 'char', widthBits: 8, signed: true } : to;
      return this.allocate({ kind: 'array', of: unqualified(character), length: new TextEncoder().encode(value).length + 1 }, value, place);
    }
    if (Array.isArray(value) && to.kind !== 'void' && to.kind !== 'function') {
      return this.allocate({ kind: 'array', of: unqualified(to), length: Math.max(1, value.length) }, value, place);
    }
    if (typeof value === 'object' && value !== null && !isPointer(value) && to.kind === 'record') return this.allocate(unqualified(to), value, place);
    return this.existingAddress(value, type, place);
  }

  private existingAddress(value: unknown, type: PointerType, place: string): Address {
    const text = formatType(type);
    if (value === null) return { object: 0, offset: 0 };
    if (typeof value === 'function' && functionMark in value) {
      if (type.to.kind !== 'function' && type.to.kind !== 'void') throw new TypeError(`${place}: a C function does not fit in '${text}'`);
      const number = (value as unknown as Record<symbol, number>)[functionMark]!;
      if (!this.pointedFunctions().has(number)) {
        throw new TypeError(`${place}: C never takes the address of ${value.name}, so no call through a pointer expects it; let C take it, for example in a table of the functions meant`);
      }
      return { object: number, offset: 0 };
    }
    if (!isPointer(value)) throw new TypeError(`${place}: ${show(value)} does not fit in '${text}', which wants ${pointerHint(type)}`);
    if (!fitsPointer(value.ctype, type.to)) {
      throw new TypeError(`${place}: a pointer to '${value.type}' does not fit in '${text}'; convert it as C would: p.as('${formatType(type.to)}')`);
    }
    return this.addressIn(value);
  }

  /** Functions that C itself makes pointers to: the only ones that a call through a pointer can reach. */
  private pointedFunctions(): ReadonlySet<number> {
    if (!this.pointed) {
      const found = new Set<number>();
      const visit = (e: Expression): void => { if (e.kind === 'address' && e.of.kind === 'function') found.add(e.of.number); };
      for (const { edges } of this.program.functions) {
        for (const { command } of edges) {
          for (const expression of expressionsOf(command)) walk(expression, visit);
          // A call by name does not make a pointer, its possible targets through a pointer do.
          if (command.kind === 'call' && command.callee.kind !== 'function') for (const target of command.targets) found.add(target.number);
        }
      }
      for (const { relocations } of this.program.objects) for (const { value } of relocations) walk(value, visit);
      for (const { initial } of this.program.globals) if (initial) walk(initial, visit);
      this.pointed = found;
    }
    return this.pointed;
  }

  /** The address of a handle, if it belongs to this run of this module. */
  private addressIn(pointer: Pointer): Address {
    if (pointer.access !== this.access) throw new TypeError(`${pointer} belongs to another module`);
    if (this.runOf.get(pointer) !== this.run) throw new TypeError(`${pointer} was made before the module was reset (or stopped at a fault); make it again`);
    return { object: pointer.object, offset: pointer.offset };
  }

  private pointer(address: Address, to: CType): Pointer {
    const pointer = new Pointer(to, address, this.access);
    this.runOf.set(pointer, this.run);
    return pointer;
  }

  private readonly onPointer = (address: Address, to: CType): Pointer => this.pointer(address, to);

  private elementAt(pointer: Pointer, index: number): Pointer {
    const element = pointer.ctype.kind === 'array' ? pointer.ctype.of : pointer.ctype;
    if (!Number.isSafeInteger(index)) throw new TypeError(`at: ${index} is not a whole number`);
    this.addressIn(pointer);
    return this.pointer({ object: pointer.object, offset: pointer.offset + index * sizeOf(element, this.program.dataModel) }, element);
  }

  private fieldOf(pointer: Pointer, name: string): Pointer {
    const { ctype } = pointer;
    const fields = ctype.kind === 'record' ? namedFields(ctype) : [];
    const field = fields.find((f) => f.name === name);
    if (!field || field.bits) throw new TypeError(`field: '${pointer.type}' has no addressable member '${name}'${closest(name, fields.map((f) => f.name))}`);
    this.addressIn(pointer);
    return this.pointer({ object: pointer.object, offset: pointer.offset + field.offsetBytes }, field.type);
  }

  private readPointer(pointer: Pointer): unknown {
    const address = this.addressIn(pointer);
    const problem = this.unreadable(address, pointer.ctype);
    if (problem) throw new TypeError(`read: ${pointer} ${problem}`);
    if (isCharacter(pointer.ctype)) return this.stringAt(address) ?? this.readDeep(address, pointer.ctype);
    return this.readDeep(address, pointer.ctype);
  }

  private unreadable(address: Address, type: CType): string | undefined {
    if (address.object === 0) return 'is null';
    const block = this.machine.memory.block(pointerTo(address.object));
    if (!block) return 'points to nothing';
    if (!block.live) return 'points to an object whose lifetime has ended (it was freed, or its function returned)';
    if (type.kind === 'void') return "points to void: say what it is, p.as('int').read()";
    if (type.kind === 'function') return 'points to a function';
    if (type.kind === 'record' && !type.record.complete) return `points to an incomplete type ('${formatType(type)}' is never defined)`;
    const size = type.kind === 'array' && type.length === undefined ? 0 : sizeOf(type, this.program.dataModel);
    if (address.offset < 0 || address.offset + size > block.sizeBytes) return `points outside its object of ${block.sizeBytes} bytes`;
    return undefined;
  }

  /** Plain data; a structure met again is the same JavaScript object, so cycles stay cycles. */
  private readDeep(address: Address, type: CType, seen = new Map<string, unknown>()): unknown {
    const key = `${address.object}:${address.offset}:${formatType(unqualified(type))}`;
    if (seen.has(key)) return seen.get(key);
    const follow = (to: Address, target: CType): unknown => {
      const text = isCharacter(target) ? this.stringAt(to) : undefined;
      if (text !== undefined) return text;
      return this.unreadable(to, target) === undefined ? this.readDeep(to, target, seen) : this.pointer(to, target);
    };
    const block = this.machine.memory.block(pointerTo(address.object))!;
    const whole: Record<string, unknown> = {};
    if (type.kind === 'record') seen.set(key, whole);
    const value = decode(blockBytes(block), address.offset, type, this.program.dataModel, follow);
    return type.kind === 'record' ? Object.assign(whole, value) : value;
  }

  private readString(address: Address, what: string): string {
    const text = this.stringAt(address);
    if (text === undefined) throw new TypeError(`string: ${what} is not the start of a NUL-terminated string`);
    return text;
  }

  private stringAt(address: Address): string | undefined {
    const block = this.machine.memory.block(pointerTo(address.object));
    if (!block?.live || address.offset < 0) return undefined;
    const end = block.bytes.indexOf(0, address.offset);
    if (end < 0 || !blockBytes(block).initialised(address.offset, end - address.offset + 1)) return undefined;
    return new TextDecoder().decode(block.bytes.slice(address.offset, end));
  }

  private viewAccess(onPointer: (address: Address, to: CType) => unknown, write: ViewAccess['write']): ViewAccess {
    return { model: this.program.dataModel, memory: () => this.machine.memory, onPointer, write };
  }

  /** A pointer in a probe: members of what it points to, and elements by index. */
  private pointeeView(address: Address, to: CType, access: ViewAccess): object {
    if (to.kind === 'record' && to.record.complete) {
      const members = view(access, address, to, '*p') as object;
      return new Proxy(members, { get: (target, key, receiver) => (isIndex(key) ? this.elementView(address, to, Number(key), access) : Reflect.get(target, key, receiver)) });
    }
    return new Proxy({}, { get: (target, key, receiver) => (isIndex(key) ? this.elementView(address, to, Number(key), access) : Reflect.get(target, key, receiver)) });
  }

  private elementView(address: Address, to: CType, index: number, access: ViewAccess): unknown {
    if (to.kind === 'void' || to.kind === 'function' || (to.kind === 'record' && !to.record.complete)) return undefined;
    return view(access, { object: address.object, offset: address.offset + index * sizeOf(to, this.program.dataModel) }, to, '*p');
  }

  private globals(access: ViewAccess): Record<string, unknown> {
    const { symbols } = this.program;
    const get = (name: string): unknown => {
      const { ctype, place } = symbols.get(name)!;
      if (place.kind === 'variable') return hostOf(this.machine.globals[place.slot]!, ctype, access.onPointer);
      return view(access, { object: place.number, offset: 0 }, ctype, `global.${name}`);
    };
    const unknown = (name: string) => new TypeError(`${this.options.name} has no variable '${name}'${closest(name, symbols.keys()) || ` (it has ${[...symbols.keys()].join(', ') || 'none'})`}`);
    return new Proxy<Record<string, unknown>>({}, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && symbols.has(key)) return get(key);
        if (typeof key === 'symbol' || key in target || key === 'toJSON' || key === 'asymmetricMatch' || key === 'then' || key === '$$typeof' || key === 'nodeType' || key === '@@__IMMUTABLE_ITERABLE__@@') return Reflect.get(target, key, receiver);
        throw unknown(key);
      },
      set: (_, key, value) => {
        if (!symbols.has(String(key))) throw unknown(String(key));
        if (!access.write) throw new TypeError(`a probe only looks at the state; it cannot write '${String(key)}'`);
        this.writeGlobal(String(key), value);
        return true;
      },
      has: (_, key) => typeof key === 'string' && symbols.has(key),
      ownKeys: () => [...symbols.keys()],
      getOwnPropertyDescriptor: (_, key) => (typeof key === 'string' && symbols.has(key) ? { value: get(key), writable: true, enumerable: true, configurable: true } : undefined),
    });
  }

  private writeGlobal(name: string, value: unknown): void {
    this.idle(`global.${name}`);
    this.startIfEnded();
    const { ctype, place } = this.program.symbols.get(name)!;
    if (place.kind === 'static-object') return this.writeMemory({ object: place.number, offset: 0 }, ctype, value, `global.${name}`);
    if (ctype.const) throw new TypeError(`global.${name} is constant: C does not let anyone write it`);
    const bytes = encode(value, ctype, `global.${name}`, this.encodeContext());
    this.machine.globals[place.slot] = this.scalarFromBytes(bytes, ctype);
    this.run.push({ kind: 'poke', variable: name, offsetBytes: 0, bytes: toHex(bytes) });
  }

  private writeMemory(address: Address, type: CType, value: unknown, place: string): void {
    this.idle(place);
    const problem = this.unreadable(address, type);
    if (problem) throw new TypeError(`${place}: the pointer ${problem}`);
    const bytes = encode(value, type, place, this.encodeContext());
    const pointer = pointerTo(address.object, address.offset);
    const block = this.machine.memory.block(pointer)!;
    if (!block.writable) throw new TypeError(`${place} is constant: C does not let anyone write it`);
    this.store(pointer, bytes);
    const owner = [...this.program.symbols].find(([, symbol]) => symbol.place.kind === 'static-object' && symbol.place.number === address.object);
    this.run.push(owner
      ? { kind: 'poke', variable: owner[0], offsetBytes: address.offset, bytes: toHex(bytes) }
      : { kind: 'write', target: logged(pointer, { kind: 'pointer' }, this.allocations), bytes: toHex(bytes) });
  }

  private store(pointer: ConcreteValue, bytes: Uint8Array): void {
    const block = this.machine.memory.ownedBlock(pointer);
    const offset = typeof pointer === 'number' ? pointer | 0 : 0;
    if (!block || offset < 0 || offset + bytes.length > block.bytes.length) throw new Error('a write outside every object, checked before');
    block.bytes.set(bytes, offset);
    block.written?.fill(1, offset, offset + bytes.length);
  }

  private scalarFromBytes(bytes: Uint8Array, ctype: CType): ConcreteValue {
    const value = decode({ bytes, initialised: () => true }, 0, ctype, this.program.dataModel, (address) => pointerTo(address.object, address.offset));
    if (value === null) return 0;
    return typeof value === 'boolean' ? Number(value) : (value as ConcreteValue);
  }
}

/** A stub threw: carried out of the interpreter unchanged. */
class StubFailure extends Error {
  constructor(readonly reason: unknown) { super('a stub threw'); }
}

function guarded<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw new StubFailure(error);
  }
}

function entriesOf(program: Program, names: readonly string[] | undefined): FunctionDefinition[] {
  const own = program.functions.filter((fn) => !fn.library);
  if (!names) return own.filter((fn) => fn.linkage === 'external');
  return names.map((name) => {
    const fn = own.find((other) => other.name === name);
    if (!fn) throw new TypeError(`entry: the module defines no function '${name}'${closest(name, own.map((other) => other.name))}`);
    return fn;
  });
}

function checkStubs(program: Program, stubs: Readonly<Record<string, Stub>>): void {
  const undefinedNames = program.externals.map(({ name }) => name);
  for (const [name, stub] of Object.entries(stubs)) {
    if (typeof stub !== 'function' && stub !== 'any') throw new TypeError(`stubs: '${name}' must be a function or 'any'`);
    if (program.functionByName.has(name)) throw new TypeError(`stubs: '${name}' is defined in C; only undefined functions have stubs`);
    if (!undefinedNames.includes(name) && !isInput(program, name)) {
      throw new TypeError(`stubs: the module never calls an undefined function '${name}'${closest(name, undefinedNames)}${undefinedNames.length ? ` (it calls ${undefinedNames.join(', ')})` : ''}`);
    }
  }
}

function isInput(program: Program, name: string): boolean {
  return program.functions.some((fn) => fn.edges.some(({ command }) => command.kind === 'input' && command.name === name));
}

function functionType(fn: FunctionDefinition): FunctionType {
  if (fn.ctype.kind !== 'function') throw new Error(`${fn.name} has no function type`);
  return fn.ctype;
}

function parameterTypes(fn: FunctionDefinition): FunctionType['parameters'] {
  return functionType(fn).parameters;
}

function signature(fn: FunctionDefinition): string {
  const type = functionType(fn);
  return `${fn.name}(${type.parameters.map((p) => formatType(p.type, p.name ?? '')).join(', ')}${type.variadic ? ', ...' : ''})`;
}

function pointerHint({ to }: PointerType): string {
  if (to.kind === 'function') return 'null or a C function of the module (stack.compare)';
  if (isCharacter(to)) return 'null, a string, an array of characters or a pointer (alloc)';
  if (to.kind === 'void') return 'null or a pointer (alloc)';
  if (to.kind === 'record') return `null, a pointer (new, alloc) or an object for a fresh '${formatType(unqualified(to))}'`;
  return `null, an array for fresh elements, or a pointer: alloc('${formatType(unqualified(to))}[4]', [1, 2, 3, 4])`;
}

/** As C, which lets any object pointer become `void *` and back; bytes may be looked at through character pointers. */
function fitsPointer(from: CType, to: CType): boolean {
  if (to.kind === 'void' || from.kind === 'void' || (isCharacter(to) && from.kind !== 'function')) return true;
  if (compatible(unqualified(from), unqualified(to))) return true;
  return from.kind === 'array' && fitsPointer(from.of, to);
}

function unqualified(type: CType): CType {
  return { ...type, const: false, volatile: false };
}

function typeOfScalar(type: Scalar): CType {
  switch (type.kind) {
    case 'integer': return { kind: 'integer', name: `${type.signed ? '' : 'unsigned '}${type.widthBits === 64 ? 'long' : type.widthBits === 32 ? 'int' : type.widthBits === 16 ? 'short' : 'char'}` as 'int', widthBits: type.widthBits, signed: type.signed };
    case 'float': return { kind: 'float', name: type.widthBits === 32 ? 'float' : 'double', widthBits: type.widthBits };
    case 'pointer': return { kind: 'pointer', to: { kind: 'void' } };
  }
}

function zeroOf(type: Scalar): ConcreteValue {
  return type.kind === 'integer' && type.widthBits === 64 ? 0n : 0;
}

function lengthOf(init: unknown, place: string): number {
  if (Array.isArray(init)) return init.length;
  if (typeof init === 'string') return new TextEncoder().encode(init).length + 1;
  throw new TypeError(`${place}: an array without a length needs its values`);
}

function isIndex(key: string | symbol): key is string {
  return typeof key === 'string' && /^-?\d+$/.test(key);
}

