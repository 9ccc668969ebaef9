/**
 * Objects that a call may write or end, and that its result may lead to: those it makes itself, those its arguments
 * lead to, or any. Everything else a caller knows is as it was before the call.
 *
 * Variables are followed whatever the order of the commands. A pointer that is loaded from a member of an object which
 * a parameter reached leads to one that it reached, or to what was stored since; from a new object, anywhere. What is
 * loaded from elsewhere, or made of a number, may lead anywhere.
 */
import type { Command } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Location, Program } from '../../program/program';
import { unreachable } from '../../unreachable';
import { unsetWhenRead } from '../concrete/liveness';
import type { Regions } from '../pointers/regions';
import { slotAt } from '../pointers/slotLayout';
import type { MemoryModel, MemoryVariable } from './memoryModel';

/** Objects that a pointer may lead to, besides none. */
export interface Targets {
  /** It may lead anywhere; the rest says nothing then. */
  readonly any: boolean;
  /** To objects that are made during the activation. */
  readonly made: boolean;
  /** To what these parameters led to when the function was called, by number. */
  readonly parameters: ReadonlySet<number>;
  /** To what was reached from there when the function was called, along members that are `followed`. */
  readonly reached: ReadonlySet<number>;
}

interface Found extends Targets {
  any: boolean;
  made: boolean;
  readonly parameters: Set<number>;
  readonly reached: Set<number>;
}

interface Summary {
  readonly variables: Map<Variable, Found>;
  readonly written: Map<MemoryVariable, Found>;
  readonly ended: Found;
  /** Values of pointers that are stored into memory. */
  readonly stored: Found;
  /** Objects of the pointers in members from which a pointer is loaded. */
  readonly followed: Set<MemoryVariable>;
  /** Behind these places pointers may have been stored, or objects made. */
  readonly late: ReadonlySet<Location>;
}

const nothing = (): Found => ({ any: false, made: false, parameters: new Set(), reached: new Set() });
export const none: Targets = nothing();
const anything: Targets = { ...none, any: true, made: true };
const itsOwn: Targets = { ...none, made: true };

export class WrittenObjects {
  private readonly summaries = new Map<FunctionDefinition, Summary>();
  private changed = false;

  /** `ofExternal`: the memory variables that the call of an unknown function may change. */
  constructor(
    program: Program,
    private readonly memoryModel: MemoryModel,
    private readonly ofExternal: (command: Extract<Command, { kind: 'external' }>) => ReadonlySet<MemoryVariable>,
  ) {
    for (const fn of program.functions) this.summaries.set(fn, beginning(fn, memoryModel));
    do {
      this.changed = false;
      for (const fn of program.functions) for (const edge of fn.edges) this.look(fn, edge);
    } while (this.changed);
  }

  /** Objects whose contents in a memory variable a call may change. */
  written(fn: FunctionDefinition, variable: MemoryVariable): Targets {
    return this.summaries.get(fn)!.written.get(variable) ?? none;
  }

  /** Objects that a call may end. */
  ended(fn: FunctionDefinition): Targets {
    return this.summaries.get(fn)!.ended;
  }

  /** Objects that the result may lead to; any, if it is no pointer. */
  result(fn: FunctionDefinition): Targets {
    return (fn.resultVariable && this.summaries.get(fn)!.variables.get(fn.resultVariable)) ?? anything;
  }

  /** Objects to which the pointers lead that a call may store. */
  stored(fn: FunctionDefinition): Targets {
    return this.summaries.get(fn)!.stored;
  }

  /** Members along which the function, callees included, goes on to objects that are `reached`: their objects. */
  followed(fn: FunctionDefinition): ReadonlySet<MemoryVariable> {
    return this.summaries.get(fn)!.followed;
  }

  private get regions(): Regions {
    return this.memoryModel.regions;
  }

  private look(fn: FunctionDefinition, { command, from }: Edge): void {
    const { variables, ended, stored } = this.summaries.get(fn)!;
    const targetsOf = (e: Expression): Targets => this.targetsOf(e, fn, from);
    const assign = (target: Variable | undefined, targets: Targets): void => {
      const variable = target && variables.get(target);
      if (variable) this.add(variable, targets);
    };
    switch (command.kind) {
      case 'assign':
        assign(command.target, targetsOf(command.value));
        break;
      case 'havoc':
      case 'input':
        assign(command.target, anything);
        break;
      case 'allocate':
        assign(command.target, itsOwn);
        break;
      case 'store':
        this.write(fn, command.address, targetsOf(command.address));
        if (command.value.type.kind === 'pointer') this.add(stored, targetsOf(command.value));
        break;
      case 'copy':
      case 'fill':
        this.write(fn, command.target, targetsOf(command.target));
        if (mayStorePointers(command, this.memoryModel)) this.add(stored, anything);
        break;
      case 'free':
        this.add(ended, targetsOf(command.pointer));
        break;
      case 'call':
        for (const target of command.targets)
          this.call(fn, target, command.arguments.map(targetsOf), from, (found) => assign(command.target, found));
        break;
      case 'external': {
        assign(command.target, anything);
        const changed = this.ofExternal(command);
        for (const variable of changed) this.addWritten(fn, variable, anything);
        if (changed.has(this.memoryModel.live)) this.add(ended, anything);
        if ([...changed].some(holdsPointers)) this.add(stored, anything);
        break;
      }
      case 'skip':
      case 'assume':
      case 'check':
      case 'halt':
        break;
      // Automatic objects of the activation itself.
      case 'declare':
      case 'end':
        break;
      default:
        unreachable(command);
    }
  }

  /** Changes that a callee makes to its arguments' objects, and to what these reach, are the caller's, too. */
  private call(
    fn: FunctionDefinition,
    callee: FunctionDefinition,
    passed: readonly Targets[],
    from: Location,
    assignResult: (targets: Targets) => void,
  ): void {
    const { ended, stored, followed } = this.summaries.get(fn)!;
    const inner = this.summaries.get(callee)!;
    const here = (targets: Targets): Targets => {
      const found = nothing();
      found.any = targets.any;
      found.made = targets.made;
      for (const parameter of targets.parameters) join(found, passed[parameter]!);
      for (const parameter of targets.reached) join(found, this.reachedFrom(passed[parameter]!, fn, from));
      return found;
    };
    for (const [variable, targets] of inner.written) this.addWritten(fn, variable, here(targets));
    this.add(ended, here(inner.ended));
    this.add(stored, here(inner.stored));
    for (const variable of inner.followed) this.addFollowed(followed, variable);
    assignResult(here(this.result(callee)));
  }

  /** What is reached from such objects in the state at a place of the function. */
  private reachedFrom(targets: Targets, fn: FunctionDefinition, from: Location): Targets {
    const { stored, late } = this.summaries.get(fn)!;
    const found = nothing();
    const reach = (some: Targets): void => {
      found.any ||= some.any;
      for (const parameter of [...some.parameters, ...some.reached]) found.reached.add(parameter);
    };
    reach(targets);
    const isEarly = !late.has(from);
    if (!isEarly) reach(stored);
    // A new object may hold anything. None exists at first, but for arguments that are structures.
    const isNew = isEarly ? targets.made && fn.objects.length > 0 : targets.made || stored.made;
    return isNew ? anything : found;
  }

  private write(fn: FunctionDefinition, address: Expression, targets: Targets): void {
    const node = this.regions.pointee(address)?.node;
    if (!node) return;
    for (const variable of this.memoryModel.slotVariables(node)) this.addWritten(fn, variable, targets);
  }

  private addWritten(fn: FunctionDefinition, variable: MemoryVariable, targets: Targets): void {
    const { written } = this.summaries.get(fn)!;
    let known = written.get(variable);
    if (!known) written.set(variable, (known = nothing()));
    this.add(known, targets);
  }

  private add(to: Found, targets: Targets): void {
    if (join(to, targets)) this.changed = true;
  }

  private addFollowed(followed: Set<MemoryVariable>, variable: MemoryVariable): void {
    if (followed.has(variable)) return;
    followed.add(variable);
    this.changed = true;
  }

  private targetsOf(e: Expression, fn: FunctionDefinition, from: Location): Targets {
    const { variables, followed } = this.summaries.get(fn)!;
    switch (e.kind) {
      case 'null':
        return none;
      case 'read':
        return variables.get(e.variable) ?? anything;
      case 'address':
        return e.of.kind === 'frame-object' ? itsOwn : anything;
      case 'offset':
        return this.targetsOf(e.pointer, fn, from);
      case 'conditional': {
        const found = nothing();
        for (const one of [e.then, e.otherwise]) join(found, this.targetsOf(one, fn, from));
        return found;
      }
      case 'load': {
        const member = memberLoaded(e, this.memoryModel);
        if (!member) return anything;
        const loaded = this.reachedFrom(this.targetsOf(e.address, fn, from), fn, from);
        if (!loaded.any) this.addFollowed(followed, member);
        return loaded;
      }
      default:
        return anything;
    }
  }
}

function beginning(fn: FunctionDefinition, memoryModel: MemoryModel): Summary {
  const variables = new Map<Variable, Found>();
  const unset = unsetWhenRead(fn);
  for (const variable of fn.variables) {
    if (variable.type.kind !== 'pointer') continue;
    const found = nothing();
    const isParameter = variable.slot < fn.parameters.length;
    if (isParameter) found.parameters.add(variable.slot);
    else if (unset.has(variable)) found.any = true;
    variables.set(variable, found);
  }
  const late = lateIn(fn, memoryModel);
  return { variables, written: new Map(), ended: nothing(), stored: nothing(), followed: new Set(), late };
}

/** Places behind a command that makes an object, or that may store a pointer. */
function lateIn(fn: FunctionDefinition, memoryModel: MemoryModel): ReadonlySet<Location> {
  const late = new Set(fn.edges.flatMap(({ command, to }) => (makesOrLinks(command, memoryModel) ? [to] : [])));
  for (const location of late) for (const { to } of location.edges) late.add(to);
  return late;
}

function makesOrLinks(command: Command, memoryModel: MemoryModel): boolean {
  switch (command.kind) {
    case 'allocate':
    case 'declare':
    case 'call':
    case 'external':
      return true;
    case 'store':
      return command.value.type.kind === 'pointer';
    case 'copy':
    case 'fill':
      return mayStorePointers(command, memoryModel);
    default:
      return false;
  }
}

/** Nulls are no pointers to objects. */
function mayStorePointers(command: Extract<Command, { kind: 'copy' | 'fill' }>, memoryModel: MemoryModel): boolean {
  if (command.kind === 'fill' && command.byte.kind === 'integer' && command.byte.value === 0n) return false;
  const node = memoryModel.regions.pointee(command.target)?.node;
  return node === undefined || memoryModel.slotVariables(node).some(holdsPointers);
}

/** The memory variable may hold pointers, or bytes of them. */
const holdsPointers = ({ role }: MemoryVariable): boolean =>
  role.kind === 'slot' && (role.part === 'object' || role.slot === 'byte');

/** The objects of the pointers in a member of many objects, from which one is loaded. */
function memberLoaded(
  { address, type }: Extract<Expression, { kind: 'load' }>,
  memoryModel: MemoryModel,
): MemoryVariable | undefined {
  const { regions } = memoryModel;
  const pointee = regions.pointee(address);
  const layout = pointee && regions.layout(pointee.node);
  const slot = layout?.kind === 'slots' ? slotAt(layout, pointee!.at) : undefined;
  if (type.kind !== 'pointer' || slot?.type.kind !== 'pointer') return undefined;
  const member = memoryModel.slot(pointee!.node, slot, 'object');
  return member?.role.kind === 'slot' && member.role.addressing === 'by-object' ? member : undefined;
}

/** True if that added something. */
function join(to: Found, from: Targets): boolean {
  const before = [to.any, to.made, to.parameters.size, to.reached.size] as const;
  to.any ||= from.any;
  to.made ||= from.made;
  for (const parameter of from.parameters) to.parameters.add(parameter);
  for (const parameter of from.reached) to.reached.add(parameter);
  const [any, made, parameters, reached] = before;
  return any !== to.any || made !== to.made || parameters !== to.parameters.size || reached !== to.reached.size;
}
