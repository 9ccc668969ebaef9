/** Programs as text, for tests and debugging: C-like expressions, one line per edge. */
import type { Command } from './command';
import type { BinaryOperator, CompareOperator, Expression, Scalar } from './expression';
import type { FunctionDefinition, Program } from './program';
import { unreachable } from '../unreachable';

const binaryOperators: Readonly<Record<BinaryOperator, string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  remainder: '%',
  and: '&',
  or: '|',
  xor: '^',
  'shift-left': '<<',
  'shift-right': '>>',
};
const compareOperators: Readonly<Record<CompareOperator, string>> = { eq: '==', ne: '!=', lt: '<', le: '<=' };

export function printScalar(type: Scalar): string {
  switch (type.kind) {
    case 'integer':
      return `${type.signed ? 'int' : 'uint'}${type.widthBits}`;
    case 'float':
      return `float${type.widthBits}`;
    case 'pointer':
      return 'pointer';
  }
}

export function printExpression(e: Expression): string {
  switch (e.kind) {
    case 'integer':
      return e.type.signed ? `${e.value}` : `${e.value}u`;
    case 'float':
      return Number.isInteger(e.value) ? e.value.toFixed(1) : `${e.value}`;
    case 'null':
      return 'null';
    case 'read':
      return e.variable.name;
    case 'address':
      return `&${e.of.name}`;
    case 'load':
      return `*(${printScalar(e.type)} *)${operand(e.address)}`;
    case 'unary':
      return `${e.operator === 'negate' ? '-' : '~'}${operand(e.operand)}`;
    case 'binary':
      return `${operand(e.left)} ${binaryOperators[e.operator]} ${operand(e.right)}`;
    case 'compare':
      return `${operand(e.left)} ${compareOperators[e.operator]} ${operand(e.right)}`;
    case 'convert':
      return `(${printScalar(e.type)})${operand(e.operand)}`;
    case 'offset':
      return `${operand(e.pointer)} + ${operand(e.delta)}`;
    case 'object-of':
    case 'offset-of':
    case 'object-size':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
      return `${e.kind}(${printExpression(e.pointer)})`;
    case 'is-initialised':
      return `is-initialised(${printExpression(e.pointer)}, ${e.sizeBytes})`;
    case 'all-reached':
      return `all-reached(${e.from.map(printExpression).join(', ')})`;
    case 'list':
      return `${e.is}(${[e.list, e.node, e.condition].map(printExpression).join(', ')}, +${e.linkBytes})`;
    case 'conditional':
      return `${operand(e.condition)} ? ${operand(e.then)} : ${operand(e.otherwise)}`;
    default:
      return unreachable(e);
  }
}

function operand(e: Expression): string {
  const text = printExpression(e);
  switch (e.kind) {
    case 'binary':
    case 'compare':
    case 'offset':
    case 'conditional':
      return `(${text})`;
    default:
      return text;
  }
}

export function printCommand(command: Command): string {
  const list = (expressions: readonly Expression[]): string => expressions.map(printExpression).join(', ');
  const into = (target: { readonly name: string } | undefined): string => (target ? `${target.name} = ` : '');
  switch (command.kind) {
    case 'skip':
      return 'skip';
    case 'assume':
      return `assume ${printExpression(command.condition)}`;
    case 'check':
      return `check ${command.check}: ${printExpression(command.condition)}`;
    case 'assign':
      return `${command.target.name} = ${printExpression(command.value)}`;
    case 'havoc':
      return `havoc ${command.target.name}`;
    case 'input':
      return `${command.target.name} = input ${command.name}`;
    case 'store':
      return `*(${printScalar(command.type)} *)${operand(command.address)} = ${printExpression(command.value)}`;
    case 'copy':
      return `copy ${list([command.target, command.source, command.size])}`;
    case 'fill':
      return `fill ${list([command.target, command.byte, command.size])}`;
    case 'allocate':
      return (
        `${command.target.name} = allocate ` +
        `${printExpression(command.size)}${command.zeroed ? ' zeroed' : ''}${command.mayFail ? ' or null' : ''}`
      );
    case 'free':
      return `free ${printExpression(command.pointer)}`;
    case 'declare':
    case 'end':
      return `${command.kind} ${command.object.name}`;
    case 'call':
      return (
        `${into(command.target)}` +
        `${command.callee.kind === 'function' ? command.callee.name : `(*${printExpression(command.callee)})`}(` +
        `${list(command.arguments)})`
      );
    case 'external':
      return `${into(command.target)}external ${command.name}(${list(command.arguments)})`;
    case 'halt':
      return command.status ? `halt ${printExpression(command.status)}` : 'halt';
    default:
      return unreachable(command);
  }
}

export function printFunction(fn: FunctionDefinition): string {
  const parameters = fn.parameters.map(({ type, name }) => `${printScalar(type)} ${name}`).join(', ');
  const lines = [`${fn.result ? printScalar(fn.result) : 'void'} ${fn.name}(${parameters})`];
  for (const location of fn.locations) {
    const marks = [
      location.label === undefined ? '' : ` ${location.label}:`,
      location.isLoopHead ? ' loop' : '',
      location === fn.exit ? ' exit' : '',
    ].join('');
    if (location.edges.length === 0) lines.push(`  ${location.index}${marks}`);
    for (const edge of location.edges)
      lines.push(`  ${location.index}${marks} -> ${edge.to.index}  ${printCommand(edge.command)}`);
  }
  return lines.join('\n');
}

export function printProgram(program: Program): string {
  const globals = program.globals.map(
    ({ variable, initial }) =>
      `${printScalar(variable.type)} ${variable.name}${initial ? ` = ${printExpression(initial)}` : ''}`,
  );
  const objects = program.objects.map(
    (object) =>
      `object ${object.number} ${object.name}: ${object.sizeBytes} bytes${object.writable ? '' : ', read-only'}`,
  );
  return [...globals, ...objects, ...program.functions.map(printFunction)].join('\n');
}
