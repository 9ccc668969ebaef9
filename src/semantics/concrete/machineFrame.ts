/** Activations of the interpreter, and the nodes that control goes to. */
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import type { ProgramState } from '../values';
import type { ConcreteMemory } from './concreteMemory';
import type { ConcreteValue } from './concreteValues';
import type { Activation } from './outcome';

/** Does what the location's edge says; undefined when the run is over and `outcome` is set. */
export type ControlStep = (frame: MachineFrame) => ControlNode | undefined;
/** A location, read once into a step. */
export interface ControlNode {
  readonly location: Location;
  /** Number of the location within the program. */
  readonly number: number;
  readonly fn: FunctionDefinition;
  observed: boolean;
  step: ControlStep;
}

/** An activation on the stack of the interpreter. */
export class MachineFrame implements ProgramState<ConcreteValue>, Activation {
  /** Set while a call made here is pending. */
  pending: { readonly target: Variable | undefined; readonly resume: ControlNode } | undefined;
  /** Given by the first `setjmp`, never again to another one. */
  number = 0;
  /** Place of its confined objects: see `confinedObjects.ts`. */
  confinedAt = 0;
  constructor(
    readonly fn: FunctionDefinition,
    public location: Location,
    readonly locals: ConcreteValue[],
    readonly objects: ConcreteValue[],
    readonly globals: ConcreteValue[],
    readonly memory: ConcreteMemory,
    public entered: bigint | undefined = undefined,
  ) {}
}

export function assign(frame: MachineFrame, target: Variable, value: ConcreteValue): void {
  if (target.scope === 'global') frame.globals[target.slot] = value;
  else frame.locals[target.slot] = value;
}
