/**
 * Objects that a call may write or end, and that its result may lead to: those it makes itself, those its arguments
 * lead to, or any. Everything else a caller knows is as it was before the call.
 *
 * Variables are followed whatever the order of the commands. What is loaded from memory, or made of a number, may lead
 * anywhere.
 */
import type { Command } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { unreachable } from '../../unreachable';
import { unsetWhenRead } from '../concrete/liveness';
import type { Regions } from '../pointers/regions';
import type { MemoryModel, MemoryVariable } from './memoryModel';

/** Objects that a pointer may lead to, besides none. */
export interface Targets {
  /** It may lead anywhere; the rest says nothing then. */
  readonly any: boolean;
  /** To objects that are made during the activation. */
  readonly made: boolean;
  /** To what these parameters led to when the function was called, by number. */
  readonly parameters: ReadonlySet<number>;
}

interface Found extends Targets {
  any: boolean;
  made: boolean;
  readonly parameters: Set<number>;
}

interface Summary {
  readonly variables: Map<Variable, Found>;
  readonly written: Map<MemoryVariable, Found>;
  readonly ended: Found;
}

const nothing = (): Found => ({ any: false, made: false, parameters: new Set() });
const anything: Targets = { any: true, made: true, parameters: new Set() };
const itsOwn: Targets = { any: false, made: true, parameters: new Set() };
const none: Targets = { any: false, made: false, parameters: new Set() };

export class WrittenObjects {
  private readonly summaries = new Map<FunctionDefinition, Summary>();
  private changed = false;

  /** `ofExternal`: the memory variables that the call of an unknown function may change. */
  constructor(
    program: Program,
    private readonly memoryModel: MemoryModel,
    private readonly ofExternal: (command: Extract<Command, { kind: 'external' }>) => ReadonlySet<MemoryVariable>,
  ) {
    for (const fn of program.functions) this.summaries.set(fn, beginning(fn));
    do {
      this.changed = false;
      for (const fn of program.functions) for (const { command } of fn.edges) this.look(fn, command);
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

  private get regions(): Regions {
    return this.memoryModel.regions;
  }

  private look(fn: FunctionDefinition, command: Command): void {
    const { variables, ended } = this.summaries.get(fn)!;
    const assign = (target: Variable | undefined, targets: Targets): void => {
      const variable = target && variables.get(target);
      if (variable) this.add(variable, targets);
    };
    switch (command.kind) {
      case 'assign':
        assign(command.target, this.targetsOf(command.value, variables));
        break;
      case 'havoc':
      case 'input':
        assign(command.target, anything);
        break;
      case 'allocate':
        assign(command.target, itsOwn);
        break;
      case 'store':
        this.write(fn, command.address, this.targetsOf(command.address, variables));
        break;
      case 'copy':
      case 'fill':
        this.write(fn, command.target, this.targetsOf(command.target, variables));
        break;
      case 'free':
        this.add(ended, this.targetsOf(command.pointer, variables));
        break;
      case 'call':
        for (const target of command.targets)
          this.call(fn, target, command.arguments, (found) => assign(command.target, found));
        break;
      case 'external': {
        assign(command.target, anything);
        const changed = this.ofExternal(command);
        for (const variable of changed) this.addWritten(fn, variable, anything);
        if (changed.has(this.memoryModel.live)) this.add(ended, anything);
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

  /** Changes that a callee makes to its arguments' objects are the caller's, too. */
  private call(
    fn: FunctionDefinition,
    callee: FunctionDefinition,
    passed: readonly Expression[],
    assignResult: (targets: Targets) => void,
  ): void {
    const { variables, ended } = this.summaries.get(fn)!;
    const inner = this.summaries.get(callee)!;
    const here = (targets: Targets): Targets => {
      const found = nothing();
      found.any = targets.any;
      found.made = targets.made;
      for (const parameter of targets.parameters) join(found, this.targetsOf(passed[parameter]!, variables));
      return found;
    };
    for (const [variable, targets] of inner.written) this.addWritten(fn, variable, here(targets));
    this.add(ended, here(inner.ended));
    assignResult(here(this.result(callee)));
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

  private targetsOf(e: Expression, variables: ReadonlyMap<Variable, Targets>): Targets {
    switch (e.kind) {
      case 'null':
        return none;
      case 'read':
        return variables.get(e.variable) ?? anything;
      case 'address':
        return e.of.kind === 'frame-object' ? itsOwn : anything;
      case 'offset':
        return this.targetsOf(e.pointer, variables);
      case 'conditional': {
        const found = nothing();
        for (const one of [e.then, e.otherwise]) join(found, this.targetsOf(one, variables));
        return found;
      }
      default:
        return anything;
    }
  }
}

function beginning(fn: FunctionDefinition): Summary {
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
  return { variables, written: new Map(), ended: nothing() };
}

/** True if that added something. */
function join(to: Found, from: Targets): boolean {
  const before = [to.any, to.made, to.parameters.size] as const;
  to.any ||= from.any;
  to.made ||= from.made;
  for (const parameter of from.parameters) to.parameters.add(parameter);
  return before[0] !== to.any || before[1] !== to.made || before[2] !== to.parameters.size;
}
