/**
 * Changes that a function may make, and those that one without a known body may make. Summaries of calls keep
 * everything else; unknown functions are allowed everything a caller could have handed them, but not the statics of a
 * module that never escaped.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Command, ExternalCommand } from '../../program/command';
import { isWrittenOutside, type FunctionDefinition, type Program } from '../../program/program';
import { nativeFunctions, isNative, setsErrno } from '../../program/linking/natives';
import { type CallBacks, noCallBacks } from '../pointers/callbacks';
import { convertedToNumbers } from '../pointers/forgedPointers';
import { type Initialisers, setsUpSomething } from '../pointers/initialisers';
import type { Node } from '../pointers/regionNode';
import type { Regions } from '../pointers/regions';
import { slotAt } from '../pointers/slotLayout';
import { isConstant, keepConstants } from './constantCells';
import { isOfForest, type MemoryModel, type MemoryVariable } from './memoryModel';
import type { SymbolicState } from './symbolicMemory';
import { type FreshSymbols, isPointer } from './symbolicValues';
import { WrittenObjects } from './writtenObjects';

export interface Modified {
  readonly globals: ReadonlySet<number>;
  readonly memory: ReadonlySet<MemoryVariable>;
}

export class SideEffects {
  private readonly modified = new Map<FunctionDefinition, { globals: Set<number>; memory: Set<MemoryVariable> }>();
  private readonly visible: ReadonlySet<Node>;
  private readonly regions: Regions;
  /** The function that calls; undefined if there are several. */
  private readonly callers = new Map<Command, FunctionDefinition | undefined>();
  private readonly constant = new Map<MemoryVariable, boolean>();
  private writtenObjects: WrittenObjects | undefined;

  constructor(
    private readonly program: Program,
    private readonly memoryModel: MemoryModel,
    private readonly callBacks: CallBacks = noCallBacks,
    private readonly initialisers: Initialisers = new Map(),
  ) {
    this.regions = memoryModel.regions;
    const roots: Node[] = [];
    for (const object of program.objects) if (object.visible) roots.push(this.regions.nodeOfOrigin(object)!);
    for (const { variable, visible } of program.globals) {
      const target =
        visible && variable.type.kind === 'pointer'
          ? this.regions.pointee({ kind: 'read', type: variable.type, variable })
          : undefined;
      if (target) roots.push(target.node);
    }
    if (program.externals.length > 0) roots.push(...convertedToNumbers(this.regions));
    // An unknown function may have kept what it was handed, and what it answers with is its own.
    for (const fn of program.functions) {
      for (const { command } of fn.edges) {
        if (command.kind !== 'external' || isNative(command.name)) continue;
        this.callers.set(command, this.callers.has(command) ? undefined : fn);
        roots.push(...this.handedTo(command));
        const answer =
          command.target && this.regions.pointee({ kind: 'read', type: command.target.type, variable: command.target });
        if (answer) roots.push(answer.node);
      }
    }
    this.visible = this.regions.reachable(roots);
    for (const fn of program.functions) this.modified.set(fn, { globals: new Set(), memory: new Set() });
    for (let changed = true; changed;) {
      changed = false;
      for (const fn of program.functions)
        for (const { command } of fn.edges) changed = this.collect(fn, command) || changed;
    }
  }

  /** Global slots and memory variables that a call of `fn` may change, callees included. */
  of(fn: FunctionDefinition): Modified {
    return this.modified.get(fn)!;
  }

  /** The objects in which calls change something. */
  get objects(): WrittenObjects {
    this.writtenObjects ??= new WrittenObjects(
      this.program,
      this.memoryModel,
      (command) => this.ofExternal(command).memory,
    );
    return this.writtenObjects;
  }

  /** True if the program's functions may be called during this call. */
  callsBack(command: ExternalCommand): boolean {
    return this.callBacks.by.has(command.name);
  }

  /** True if anything changes it, an unknown function included. */
  changesGlobal(slot: number): boolean {
    return [...this.modified.values()].some(({ globals }) => globals.has(slot));
  }
  changesMemory(variable: MemoryVariable): boolean {
    return [...this.modified.values()].some(({ memory }) => memory.has(variable));
  }

  /** True if unknown functions may make or free objects. */
  othersMakeBlocks(): boolean {
    return this.program.functions.some(({ edges }) =>
      edges.some(
        ({ command }) => command.kind === 'external' && this.ofExternal(command).memory.has(this.memoryModel.live),
      ),
    );
  }

  /**
   * Havocs what an unknown function may have changed. `by: 'itself'` leaves out what the module's entries changed that
   * it called back.
   */
  havoc(command: ExternalCommand, state: SymbolicState, symbols: FreshSymbols, by: 'itself' | 'all' = 'all'): void {
    const before = [...state.memory.contents];
    this.havocAll(by === 'all' ? this.ofExternal(command) : this.ofExternalItself(command), state, symbols);
    // Natives write where the program tells them to, and functions that are called back write what they declare.
    if (isNative(command.name) || (by === 'all' && this.callsBack(command))) return;
    const { contents } = state.memory;
    const fn = this.callers.get(command);
    before.forEach((was, index) => {
      const now = contents[index]!;
      if (was !== now)
        contents[index] = keepConstants(
          this.memoryModel.variables[index]!,
          [was, now],
          fn,
          state.objects,
          this.memoryModel,
        );
    });
  }

  /** Havocs what a call of one of the functions may have changed. */
  havocCall(targets: readonly FunctionDefinition[], state: SymbolicState, symbols: FreshSymbols): void {
    this.havocAll(this.together({ globals: new Set(), memory: new Set() }, targets), state, symbols);
  }

  /** Havocs what the command may have written. */
  havocWritten(
    command: Extract<Command, { kind: 'store' | 'copy' | 'fill' }>,
    { memory: { contents } }: SymbolicState,
    symbols: FreshSymbols,
  ): void {
    for (const { index, name, sort } of this.writtenBy(command)) contents[index] = symbols.fresh(name, sort);
  }

  /** The memory variables that the command may write. */
  writtenBy(command: Extract<Command, { kind: 'store' | 'copy' | 'fill' }>): readonly MemoryVariable[] {
    const target = this.regions.pointee(command.kind === 'store' ? command.address : command.target);
    if (!target) return [];
    const all = this.memoryModel.slotVariables(target.node);
    const layout = this.regions.layout(target.node);
    const slot = command.kind === 'store' && layout.kind === 'slots' ? slotAt(layout, target.at) : undefined;
    const own = all.filter(({ role }) =>
      isOfForest(role)
        ? role.links.some((link) => link.slot.offset === slot?.offset)
        : 'slot' in role && role.slot !== 'byte' && role.slot.offset === slot?.offset,
    );
    return own.length > 0 ? own : all;
  }

  private havocAll({ globals, memory }: Modified, state: SymbolicState, symbols: FreshSymbols): void {
    for (const slot of globals) {
      const { variable } = this.program.globals[slot]!;
      state.globals[slot] = symbols.value(variable.name, variable.type, this.memoryModel.half);
    }
    const { contents } = state.memory;
    for (const variable of memory) {
      const before = contents[variable.index]!;
      switch (variable.role.kind) {
        case 'slot':
        case 'written':
        case 'reach':
        case 'count':
        case 'acyclic':
        case 'linked':
        case 'parent':
        case 'ancestor':
        case 'forest':
        case 'holder':
          contents[variable.index] = symbols.fresh(variable.name, variable.sort);
          break;
        // Objects may have been made; numbers are not given twice.
        case 'allocation-counter':
          contents[variable.index] = L.add(
            before,
            L.zeroExtend(symbols.fresh(variable.name, L.bitsSort(this.memoryModel.half - 2)), this.memoryModel.half),
          );
          break;
        // Automatic objects stay what they are; those that are not declared here are nothing yet.
        default:
          contents[variable.index] = state.objects.reduce<Term>(
            (array, object) =>
              object && isPointer(object) ? L.store(array, object.object, L.select(before, object.object)) : array,
            symbols.fresh(variable.name, variable.sort),
          );
      }
    }
  }

  /** The data that an unknown function may change, call-backs included. */
  ofExternal(command: ExternalCommand): Modified {
    const itself = this.ofExternalItself(command);
    if (!this.callsBack(command)) return itself;
    const { entries } = this.callBacks;
    const { globals, memory } = this.together(itself, entries);
    // An object that a call-back sets up counts as one from then on.
    const setsUp = entries.some((fn) => setsUpSomething(this.initialisers, fn));
    return setsUp ? { globals, memory: new Set([...memory, this.memoryModel.allocationSite]) } : { globals, memory };
  }

  private together(itself: Modified, functions: readonly FunctionDefinition[]): Modified {
    const globals = new Set(itself.globals);
    const memory = new Set(itself.memory);
    for (const fn of functions) {
      const called = this.modified.get(fn);
      for (const slot of called?.globals ?? []) globals.add(slot);
      for (const variable of called?.memory ?? []) memory.add(variable);
    }
    return { globals, memory };
  }

  private ofExternalItself(command: ExternalCommand): Modified {
    const globals = new Set<number>();
    const memory = new Set<MemoryVariable>();
    const add = (nodes: Iterable<Node>): void => {
      for (const node of nodes)
        for (const variable of this.memoryModel.slotVariables(node))
          if (variable.role.kind !== 'written') memory.add(variable);
    };
    if (nativeFunctions.has(command.name)) {
      add(this.regions.writtenByNative(command));
      if (setsErrno(command.name) && this.regions.errno) add([this.regions.errno]);
      return { globals, memory };
    }
    add(this.regions.reachable(this.handedTo(command)));
    add(this.visible);
    // Every call of the library sets it.
    if (this.regions.errno) add([this.regions.errno]);
    // It is the client of a module for as long as the call lasts, and then has the client's objects.
    if (this.callsBack(command) && this.callBacks.entries.length > 0)
      add(
        this.regions.reachable(
          this.regions.roots().filter(({ origins }) => [...origins].some(({ kind }) => kind === 'external')),
        ),
      );
    this.program.globals.forEach((global, slot) => {
      if (isWrittenOutside(global)) globals.add(slot);
    });
    // It may free what it can reach. Where it can hand out pointers, these may lead to objects that it made.
    const { live, size, heap, allocationSite, allocationCounter } = this.memoryModel;
    if (this.visible.size > 0)
      for (const variable of [live, size, heap, allocationSite, ...this.memoryModel.linkRelations])
        memory.add(variable);
    if (this.regions.collapsed) memory.add(allocationCounter);
    for (const variable of memory) if (this.isConstant(variable)) memory.delete(variable);
    return this.callsBack(command) ? this.together({ globals, memory }, this.callBacks.others) : { globals, memory };
  }

  private isConstant(variable: MemoryVariable): boolean {
    let known = this.constant.get(variable);
    if (known === undefined) this.constant.set(variable, (known = isConstant(variable, this.memoryModel)));
    return known;
  }

  /**
   * A structure by value goes over as the address of what the callee has a copy of: only what pointers in it lead to is
   * handed over.
   */
  private handedTo({ name, arguments: given, resultBytes }: ExternalCommand): Node[] {
    const type = this.program.externals.find((external) => external.name === name)?.ctype;
    const own = resultBytes === undefined ? 0 : 1;
    return given.flatMap((argument, i) => {
      const target = argument.type.kind === 'pointer' ? this.regions.pointee(argument) : undefined;
      if (!target) return [];
      const isCopy = type?.kind === 'function' && type.parameters[i - own]?.type.kind === 'record';
      return isCopy && !this.regions.collapsed
        ? this.regions.find(target.node).contents.map((content) => this.regions.find(content.target.node))
        : [target.node];
    });
  }

  private collect(fn: FunctionDefinition, command: Command): boolean {
    const own = this.modified.get(fn)!;
    const before = own.globals.size + own.memory.size;
    const { memoryModel } = this;
    const node = (n: Node | undefined): void => {
      if (n) for (const variable of memoryModel.slotVariables(n)) own.memory.add(variable);
    };
    const bookkeeping = (): void => {
      for (const variable of [
        memoryModel.size,
        memoryModel.live,
        memoryModel.heap,
        memoryModel.allocationSite,
        memoryModel.allocationCounter,
        ...memoryModel.linkRelations,
        ...memoryModel.parents,
      ])
        own.memory.add(variable);
    };
    switch (command.kind) {
      case 'assign':
      case 'havoc':
      case 'input':
        if (command.target.scope === 'global') own.globals.add(command.target.slot);
        break;
      case 'store':
        node(this.regions.pointee(command.address)?.node);
        break;
      case 'copy':
      case 'fill':
        node(this.regions.pointee(command.target)?.node);
        break;
      case 'allocate':
        bookkeeping();
        if (command.target.scope === 'global') own.globals.add(command.target.slot);
        if (command.zeroed) node(this.regions.nodeOfOrigin(command));
        break;
      case 'free':
        for (const variable of [memoryModel.live, ...memoryModel.linkRelations]) own.memory.add(variable);
        break;
      case 'declare':
      case 'end':
        bookkeeping();
        node(this.regions.nodeOfOrigin(command.object));
        break;
      case 'call':
        if (command.target?.scope === 'global') own.globals.add(command.target.slot);
        for (const target of command.targets) {
          const inner = this.modified.get(target)!;
          for (const slot of inner.globals) own.globals.add(slot);
          for (const variable of inner.memory) own.memory.add(variable);
        }
        break;
      case 'external': {
        if (command.target?.scope === 'global') own.globals.add(command.target.slot);
        const inner = this.ofExternal(command);
        for (const slot of inner.globals) own.globals.add(slot);
        for (const variable of inner.memory) own.memory.add(variable);
        break;
      }
      default:
        break;
    }
    return own.globals.size + own.memory.size !== before;
  }
}
