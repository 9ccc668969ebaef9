/**
 * Data dependence of commands: the variables, slots of memory, and the lifetimes and sizes of objects, which are one
 * more thing. Locals are followed to the definitions that reach a place; what all functions share is not distinguished
 * by place. Slices are built on this; whether they are right does not depend on it.
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { callGraph, reachable } from '../../abstraction/transitionSystem/callGraph';
import type { Command } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Location } from '../../program/program';
import { targetOf, walk } from '../../program/traverse';
import type { Node } from '../../semantics/pointers/regionNode';
import { noCallBacks } from '../../semantics/pointers/callbacks';
import { isOfClients } from '../../semantics/pointers/links/links';
import { slotAt } from '../../semantics/pointers/slotLayout';
import type { SideEffects } from '../../semantics/symbolic/effects';
import { isOfForest, type MemoryVariable } from '../../semantics/symbolic/memoryModel';

/** Data that all functions share: a global variable, a part of memory, or the lifetimes and sizes of objects. */
export type Shared = Variable | MemoryVariable | 'lifetimes';

/** Reads of an expression: locals at the place where it stands, and shared things. */
export interface Reads {
  readonly locals: ReadonlySet<Variable>;
  readonly shared: ReadonlySet<Shared>;
}

export class Dependence {
  /** All functions' edges. */
  readonly edges: readonly Edge[];
  /** Edges that may write a shared thing, in functions that an execution may reach. */
  private readonly writers = new Map<Shared, Edge[]>();
  private readonly arriving = new Map<Location, Edge[]>();
  private readonly owner = new Map<Edge | Location, FunctionDefinition>();
  private readonly callers = new Map<FunctionDefinition, Edge[]>();
  private readonly known = new Map<Expression, Reads>();
  private readonly effects: SideEffects;
  /** For each function that clients call, or `main`: all that run in its calls. */
  private readonly calledBy: ReadonlyMap<FunctionDefinition, ReadonlySet<FunctionDefinition>>;
  private readonly entries: readonly FunctionDefinition[];

  constructor(
    readonly system: TransitionSystem,
    readonly functions: readonly FunctionDefinition[],
  ) {
    this.effects = system.builder.effects;
    const { entries, init, callBacks } = system.options;
    const graph = callGraph(system.program, callBacks ?? noCallBacks);
    this.entries = [...entries, ...(init ? [init] : [])];
    this.calledBy = new Map(this.entries.map((entry) => [entry, new Set(reachable([entry], graph))]));
    this.edges = functions.flatMap((fn) => fn.edges);
    for (const fn of functions) {
      for (const location of fn.locations) this.owner.set(location, fn);
      for (const edge of fn.edges) {
        this.owner.set(edge, fn);
        add(this.arriving, edge.to, edge);
        for (const thing of this.writtenBy(edge.command)) add(this.writers, thing, edge);
        if (edge.command.kind === 'call') for (const target of edge.command.targets) add(this.callers, target, edge);
      }
    }
  }

  functionOf(edge: Edge): FunctionDefinition {
    return this.owner.get(edge)!;
  }
  functionAt(location: Location): FunctionDefinition | undefined {
    return this.owner.get(location);
  }
  callsOf(fn: FunctionDefinition): readonly Edge[] {
    return this.callers.get(fn) ?? [];
  }
  into(location: Location): readonly Edge[] {
    return this.arriving.get(location) ?? [];
  }
  /** Writers in calls of the given entries. */
  writersOf(thing: Shared, calls: ReadonlySet<FunctionDefinition>): readonly Edge[] {
    return (this.writers.get(thing) ?? []).filter((edge) => this.isCalledBy(edge, calls));
  }

  /**
   * The entries in whose calls it matters what a shared thing holds when a function reads it: between calls clients
   * write what they like into objects of their own, so only the call that reads them matters.
   */
  callsThatMatter(thing: Shared, reader: FunctionDefinition): readonly FunctionDefinition[] {
    const isFresh =
      typeof thing !== 'string' && 'role' in thing && 'node' in thing.role && isOfClients(thing.role.node);
    return isFresh ? [...this.calledBy.keys()].filter((entry) => this.calledBy.get(entry)!.has(reader)) : this.entries;
  }

  private isCalledBy(edge: Edge, calls: ReadonlySet<FunctionDefinition>): boolean {
    const fn = this.functionOf(edge);
    return [...calls].some((entry) => this.calledBy.get(entry)!.has(fn));
  }

  reads(e: Expression): Reads {
    const before = this.known.get(e);
    if (before) return before;
    const locals = new Set<Variable>();
    const shared = new Set<Shared>();
    walk(e, (inner) => {
      switch (inner.kind) {
        case 'read':
          (inner.variable.scope === 'local' ? locals : shared).add(inner.variable);
          break;
        case 'load':
        case 'is-initialised':
          for (const variable of this.slotsAt(inner.kind === 'load' ? inner.address : inner.pointer))
            shared.add(variable);
          break;
        case 'object-size':
        case 'is-live':
        case 'is-heap':
          if (!this.isStatic(inner.pointer)) shared.add('lifetimes');
          break;
        case 'all-reached':
        case 'list':
          shared.add('lifetimes');
          for (const variable of this.system.memoryModel.variables) if ('slot' in variable.role) shared.add(variable);
          break;
        default:
          break;
      }
    });
    const reads = { locals, shared };
    this.known.set(e, reads);
    return reads;
  }

  /** The memory that lies where the pointer leads. */
  contentsAt(pointer: Expression): readonly MemoryVariable[] {
    const target = this.system.memoryModel.regions.pointee(pointer);
    return target ? this.system.memoryModel.slotVariables(target.node) : [];
  }

  private slotsAt(address: Expression): readonly MemoryVariable[] {
    const { regions } = this.system.memoryModel;
    const target = regions.pointee(address);
    if (!target) return [];
    const all = this.system.memoryModel.slotVariables(target.node);
    const layout = regions.layout(target.node);
    const slot = layout.kind === 'slots' ? slotAt(layout, target.at) : undefined;
    const own = all.filter(({ role }) =>
      isOfForest(role)
        ? role.links.some((link) => link.slot.offset === slot?.offset)
        : 'slot' in role && role.slot !== 'byte' && role.slot.offset === slot?.offset,
    );
    return own.length > 0 ? own : all;
  }

  /** Static objects are always there. */
  private isStatic(pointer: Expression): boolean {
    const target = this.system.memoryModel.regions.pointee(pointer);
    return target !== undefined && [...target.node.origins].every(({ kind }) => kind === 'static');
  }

  private writtenBy(command: Command): readonly Shared[] {
    const target = targetOf(command);
    const global = target?.scope === 'global' ? [target] : [];
    switch (command.kind) {
      case 'store':
      case 'copy':
      case 'fill':
        return this.effects.writtenBy(command);
      case 'allocate':
        return [...global, 'lifetimes', ...this.slotsOf(this.system.memoryModel.regions.nodeOfOrigin(command))];
      case 'declare':
        return ['lifetimes', ...this.slotsOf(this.system.memoryModel.regions.nodeOfOrigin(command.object))];
      case 'free':
      case 'end':
        return ['lifetimes'];
      case 'external': {
        const { globals, memory } = this.effects.ofExternal(command);
        const variables = [...globals].map((slot) => this.system.program.globals[slot]!.variable);
        return [...new Set([...global, ...variables]), ...memory];
      }
      default:
        return global;
    }
  }

  private slotsOf(node: Node | undefined): readonly MemoryVariable[] {
    return node ? this.system.memoryModel.slotVariables(node) : [];
  }
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
