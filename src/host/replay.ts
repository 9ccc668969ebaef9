/**
 * Does again, in this process, what a test did to a module in another: the interpreter is deterministic, so the states
 * are the same.
 */
import type { FunctionDefinition } from '../program/program';
import type { Machine, RunOutcome } from '../semantics/concrete/machine';
import type { ModuleInstance } from './module';
import type { Operation } from './operation';

export interface Replayed {
  readonly index: number;
  readonly operation: Extract<Operation, { kind: 'call' }>;
  readonly fn: FunctionDefinition;
  readonly outcome: RunOutcome;
}

/**
 * From the initial state, one log. Yields after each call; the instance shows the state then. `prepare` gets the fresh
 * machine, to watch it.
 */
export function* replay(
  instance: ModuleInstance,
  operations: readonly Operation[],
  prepare?: (machine: Machine) => void,
): Generator<Replayed> {
  instance.reset();
  prepare?.(instance.machine);
  for (const [index, operation] of operations.entries()) {
    const outcome = instance.redo(operation);
    if (operation.kind === 'call' && outcome) {
      yield { index, operation, fn: instance.program.functionByName.get(operation.function)!, outcome };
    }
  }
}
