/** Traversals of IR: the variables and memory that an expression or a command mentions, reads and changes. */
import type { Command } from './command';
import type { Expression, Variable } from './expression';
import type { Program } from './program';
import { unreachable } from '../unreachable';

/** The immediate operands. */
export function operands(e: Expression): readonly Expression[] {
  switch (e.kind) {
    case 'integer':
    case 'float':
    case 'null':
    case 'read':
    case 'address':
      return [];
    case 'load':
      return [e.address];
    case 'unary':
    case 'convert':
      return [e.operand];
    case 'binary':
    case 'compare':
      return [e.left, e.right];
    case 'offset':
      return [e.pointer, e.delta];
    case 'object-of':
    case 'offset-of':
    case 'object-size':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
    case 'is-initialised':
      return [e.pointer];
    case 'all-reached':
      return e.from;
    case 'list':
      return [e.list, e.link, e.node, e.condition];
    case 'conditional':
      return [e.condition, e.then, e.otherwise];
    default:
      return unreachable(e);
  }
}

/** The expression with other immediate operands of the same types. */
export function withOperands(e: Expression, map: (operand: Expression) => Expression): Expression {
  switch (e.kind) {
    case 'integer':
    case 'float':
    case 'null':
    case 'read':
    case 'address':
      return e;
    case 'load':
      return { ...e, address: map(e.address) };
    case 'unary':
    case 'convert':
      return { ...e, operand: map(e.operand) };
    case 'binary':
    case 'compare':
      return { ...e, left: map(e.left), right: map(e.right) };
    case 'offset':
      return { ...e, pointer: map(e.pointer), delta: map(e.delta) };
    case 'object-of':
    case 'offset-of':
    case 'object-size':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
    case 'is-initialised':
      return { ...e, pointer: map(e.pointer) };
    case 'all-reached':
      return { ...e, from: e.from.map(map) };
    case 'list': {
      const link = map(e.link);
      // Only its place matters.
      return {
        ...e,
        list: map(e.list),
        link: link.kind === 'load' ? link : e.link,
        node: map(e.node),
        condition: map(e.condition),
      };
    }
    case 'conditional':
      return { ...e, condition: map(e.condition), then: map(e.then), otherwise: map(e.otherwise) };
  }
}

/** Calls `visit` on the expression and everything inside it, outermost first. */
export function walk(e: Expression, visit: (e: Expression) => void): void {
  visit(e);
  for (const operand of operands(e)) walk(operand, visit);
}

/** Calls `visit` on all expressions of the program's own functions, and everything inside them: not of the library. */
export function walkOwn({ functions }: Pick<Program, 'functions'>, visit: (e: Expression) => void): void {
  for (const fn of functions) {
    if (fn.library) continue;
    for (const { command } of fn.edges) for (const e of expressionsOf(command)) walk(e, visit);
  }
}

/** Variables that occur anywhere in the expression. */
export function variablesIn(e: Expression, into = new Set<Variable>()): Set<Variable> {
  walk(e, (inner) => {
    if (inner.kind === 'read') into.add(inner.variable);
  });
  return into;
}

/** True if the value depends on memory: on contents, or on the set of live objects. */
export function dependsOnMemory(e: Expression): boolean {
  switch (e.kind) {
    case 'load':
    case 'object-size':
    case 'is-live':
    case 'is-heap':
    case 'is-initialised':
    case 'is-writable':
    case 'all-reached':
    case 'list':
      return true;
    default:
      return operands(e).some(dependsOnMemory);
  }
}

/** The expressions a command evaluates. */
export function expressionsOf(command: Command): readonly Expression[] {
  switch (command.kind) {
    case 'skip':
    case 'havoc':
    case 'input':
    case 'declare':
    case 'end':
      return [];
    case 'assume':
    case 'check':
      return [command.condition];
    case 'assign':
      return [command.value];
    case 'store':
      return [command.address, command.value];
    case 'copy':
      return [command.target, command.source, command.size];
    case 'fill':
      return [command.target, command.byte, command.size];
    case 'allocate':
      return [command.size];
    case 'free':
      return [command.pointer];
    case 'call':
      return command.callee.kind === 'function' ? command.arguments : [command.callee, ...command.arguments];
    case 'external':
      return command.callee ? [command.callee, ...command.arguments] : command.arguments;
    case 'halt':
      return command.status ? [command.status] : [];
    default:
      return unreachable(command);
  }
}

/** The variable that a command changes directly. Calls also change globals. */
export function targetOf(command: Command): Variable | undefined {
  switch (command.kind) {
    case 'assign':
    case 'havoc':
    case 'input':
    case 'allocate':
    case 'call':
    case 'external':
      return command.target;
    case 'skip':
    case 'assume':
    case 'check':
    case 'store':
    case 'copy':
    case 'fill':
    case 'free':
    case 'declare':
    case 'end':
    case 'halt':
      return undefined;
    default:
      return unreachable(command);
  }
}

/** True if the command can change contents of memory or the set of live objects. */
export function changesMemory(command: Command): boolean {
  switch (command.kind) {
    case 'store':
    case 'copy':
    case 'fill':
    case 'allocate':
    case 'free':
    case 'declare':
    case 'end':
    case 'call':
    case 'external':
      return true;
    case 'skip':
    case 'assume':
    case 'check':
    case 'assign':
    case 'havoc':
    case 'input':
    case 'halt':
      return false;
    default:
      return unreachable(command);
  }
}

/** True if executing the command may change the value of the expression. */
export function interferes(command: Command, e: Expression): boolean {
  const target = targetOf(command);
  const runsOtherCode = command.kind === 'call' || command.kind === 'external';
  for (const variable of variablesIn(e))
    if (variable === target || (runsOtherCode && variable.scope === 'global')) return true;
  return changesMemory(command) && dependsOnMemory(e);
}

export function edgeCount({ functions }: Pick<Program, 'functions'>): number {
  return functions.reduce((sum, { edges }) => sum + edges.length, 0);
}
