/**
 * The meaning of the commands that only change a state. Conditions, inputs, calls and the end of a program belong to
 * the runner: the machine follows one path, the segment builder follows all.
 */
import type { Command } from '../program/command';
import type { Expression } from '../program/expression';
import type { Evaluator } from './evaluate';
import type { ProgramState } from './values';

export type StateCommand = Extract<
  Command,
  { kind: 'skip' | 'assign' | 'store' | 'copy' | 'fill' | 'free' | 'declare' | 'end' }
>;
export type CommandEffect<V> = (state: ProgramState<V>) => void;

export function isStateCommand(command: Command): command is StateCommand {
  switch (command.kind) {
    case 'skip':
    case 'assign':
    case 'store':
    case 'copy':
    case 'fill':
    case 'free':
    case 'declare':
    case 'end':
      return true;
    default:
      return false;
  }
}

/** Reads a command once and returns what it does to a state. */
export function commandEffect<V>(command: StateCommand, evaluator: Evaluator<V>): CommandEffect<V> {
  const stage = (e: Expression) => evaluator.stage(e);
  switch (command.kind) {
    case 'skip':
      return () => {};
    case 'assign': {
      const value = stage(command.value);
      const { slot } = command.target;
      return command.target.scope === 'global'
        ? (s) => {
            s.globals[slot] = value(s);
          }
        : (s) => {
            s.locals[slot] = value(s);
          };
    }
    case 'store': {
      const address = stage(command.address);
      const value = stage(command.value);
      return (s) => s.memory.store(address(s), command.type, value(s), command);
    }
    case 'copy': {
      const [target, source, size] = [stage(command.target), stage(command.source), stage(command.size)];
      return (s) => s.memory.copy(target(s), source(s), size(s), command);
    }
    case 'fill': {
      const [target, byte, size] = [stage(command.target), stage(command.byte), stage(command.size)];
      return (s) => s.memory.fill(target(s), byte(s), size(s), command);
    }
    case 'free': {
      const pointer = stage(command.pointer);
      return (s) => s.memory.free(pointer(s), command);
    }
    case 'declare': {
      const { object } = command;
      return (s) => {
        const previous = s.objects[object.slot];
        if (previous !== undefined) s.memory.end(previous, object);
        s.objects[object.slot] = s.memory.declare(object);
      };
    }
    case 'end': {
      const { object } = command;
      return (s) => s.memory.end(s.objects[object.slot]!, object);
    }
  }
}
