/** Commands over other variables and expressions. */
import type { Command } from '../command';
import type { Expression, FrameObject, Variable } from '../expression';
import { unreachable } from '../../unreachable';

/** The command over other variables and expressions, and over other automatic objects; default: the same ones. */
export function withParts(
  command: Command,
  variable: (variable: Variable) => Variable,
  expression: (e: Expression) => Expression,
  object: (object: FrameObject) => FrameObject = (one) => one,
): Command {
  const target = <T extends Variable | undefined>(one: T): T => (one === undefined ? one : (variable(one) as T));
  switch (command.kind) {
    case 'skip':
      return command;
    case 'declare':
    case 'end':
      return object(command.object) === command.object ? command : { ...command, object: object(command.object) };
    case 'assume':
    case 'check':
      return { ...command, condition: expression(command.condition) };
    case 'assign':
      return { ...command, target: target(command.target), value: expression(command.value) };
    case 'havoc':
    case 'input':
      return { ...command, target: target(command.target) };
    case 'store':
      return { ...command, address: expression(command.address), value: expression(command.value) };
    case 'copy':
      return {
        ...command,
        target: expression(command.target),
        source: expression(command.source),
        size: expression(command.size),
      };
    case 'fill':
      return {
        ...command,
        target: expression(command.target),
        byte: expression(command.byte),
        size: expression(command.size),
      };
    case 'allocate':
      return { ...command, target: target(command.target), size: expression(command.size) };
    case 'free':
      return { ...command, pointer: expression(command.pointer) };
    case 'call':
      return {
        ...command,
        target: target(command.target),
        callee: command.callee.kind === 'function' ? command.callee : expression(command.callee),
        arguments: command.arguments.map(expression),
      };
    case 'external':
      return {
        ...command,
        target: target(command.target),
        arguments: command.arguments.map(expression),
        ...(command.callee && { callee: expression(command.callee) }),
      };
    case 'halt':
      return command.status ? { ...command, status: expression(command.status) } : command;
    default:
      return unreachable(command);
  }
}
