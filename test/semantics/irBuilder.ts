/** Hand-built IR for tests: functions as lists of labelled commands, expressions as short constructors. */
import { SourceFile, type Span } from '../../src/c/source';
import type { CType, DataModel } from '../../src/c/types';
import type { Command } from '../../src/program/command';
import {
  int32,
  int64,
  pointer,
  type BinaryOperator,
  type CompareOperator,
  type Expression,
  type FloatScalar,
  type FrameObject,
  type IntegerScalar,
  type Scalar,
  type Variable,
} from '../../src/program/expression';
import type {
  Edge,
  FunctionDefinition,
  GlobalVariable,
  Location,
  Program,
  StaticObject,
} from '../../src/program/program';

const file = new SourceFile('built.c', '\n'.repeat(100));
/** The place of a line of an imaginary file. */
export const at = (line: number): Span => ({ file, start: line - 1, end: line });
const voidType: CType = { kind: 'void' };

export const integer = (value: number | bigint, type: IntegerScalar = int32): Expression => ({
  kind: 'integer',
  type,
  value: BigInt(value),
});
export const nullPointer: Expression = { kind: 'null', type: pointer };
export const read = (variable: Variable): Expression => ({ kind: 'read', type: variable.type, variable });
export const address = (of: StaticObject | FrameObject | FunctionDefinition): Expression => ({
  kind: 'address',
  type: pointer,
  of,
});
export const load = (type: Scalar, from: Expression): Expression => ({ kind: 'load', type, address: from });
export const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  type: left.type as IntegerScalar | FloatScalar,
  operator,
  left,
  right,
});
export const compare = (operator: CompareOperator, left: Expression, right: Expression): Expression => ({
  kind: 'compare',
  type: int32,
  operator,
  left,
  right,
});
export const convert = (type: Scalar, operand: Expression): Expression => ({ kind: 'convert', type, operand });
export const offset = (base: Expression, delta: Expression): Expression => ({
  kind: 'offset',
  type: pointer,
  pointer: base,
  delta: convert(int64, delta),
});
export const not = (e: Expression): Expression => compare('eq', e, integer(0));

export const global = (slot: number, name: string, type: Scalar = int32): Variable => ({
  kind: 'variable',
  scope: 'global',
  slot,
  name,
  type,
  temporary: false,
});
export const local = (slot: number, name: string, type: Scalar = int32): Variable => ({
  kind: 'variable',
  scope: 'local',
  slot,
  name,
  type,
  temporary: false,
});
export const automatic = (slot: number, name: string, sizeBytes: number): FrameObject => ({
  kind: 'frame-object',
  slot,
  name,
  sizeBytes,
  ctype: voidType,
});

/**
 * A command goes to the next line or to the label given; a condition to its label, or to the next line when it does not
 * hold.
 */
export type Line =
  | { readonly label?: string; readonly does: Command; readonly goto?: string }
  | { readonly label?: string; readonly when: Expression; readonly goto: string };

export interface FunctionShape {
  readonly name: string;
  readonly parameters?: readonly Variable[];
  /** Those after the parameters. */
  readonly variables?: readonly Variable[];
  readonly objects?: readonly FrameObject[];
  readonly result?: Variable;
  /** Told itself, so that functions may be recursive. */
  readonly lines: (self: FunctionDefinition) => readonly Line[];
}

/** The label 'exit' is the exit, reached also by falling off the end. Line numbers count from 1. */
export function define(number: number, shape: FunctionShape): FunctionDefinition {
  const locations: Location[] = [];
  const edges: Edge[] = [];
  const fn = {
    kind: 'function',
    name: shape.name,
    number,
    span: at(1),
    ctype: voidType,
    parameters: shape.parameters ?? [],
    result: shape.result?.type,
    resultVariable: shape.result,
    variables: [...(shape.parameters ?? []), ...(shape.variables ?? [])],
    objects: shape.objects ?? [],
    locations,
    edges,
    linkage: 'external',
    library: false,
  } as unknown as FunctionDefinition & { entry: Location; exit: Location };
  const lines = shape.lines(fn);
  for (let i = 0; i <= lines.length; i++) {
    locations.push({ index: i, span: at(i + 1), label: lines[i]?.label, isLoopHead: false, edges: [] });
  }
  const exit = locations[lines.length]!;
  const labelled = (label: string) => {
    const found = label === 'exit' ? exit : locations.find((location) => location.label === label);
    if (!found) throw new Error(`no label ${label}`);
    return found;
  };
  const connect = (i: number, to: Location, command: Command) => {
    const edge: Edge = { index: edges.length, from: locations[i]!, to, command, span: at(i + 1) };
    edges.push(edge);
    locations[i]!.edges.push(edge);
    if (to.index <= i) to.isLoopHead = true;
  };
  lines.forEach((line, i) => {
    if ('when' in line) {
      connect(i, labelled(line.goto), { kind: 'assume', condition: line.when });
      connect(i, locations[i + 1]!, { kind: 'assume', condition: not(line.when) });
    } else {
      connect(i, line.goto === undefined ? locations[i + 1]! : labelled(line.goto), line.does);
    }
  });
  fn.entry = locations[0]!;
  fn.exit = exit;
  return fn;
}

export interface ProgramShape {
  readonly dataModel?: DataModel;
  readonly globals?: readonly { readonly variable: Variable; readonly initial?: Expression }[];
  readonly objects?: readonly StaticObject[];
  readonly functions: readonly FunctionDefinition[];
  readonly externals?: readonly string[];
}

export function program(shape: ProgramShape): Program {
  return {
    dataModel: shape.dataModel ?? 'lp64',
    sources: [],
    files: ['built.c'],
    globals: (shape.globals ?? []).map(({ variable, initial }): GlobalVariable => ({
      variable,
      initial,
      visible: true,
      span: at(1),
    })),
    objects: shape.objects ?? [],
    functions: shape.functions,
    clientFunctions: [],
    functionByName: new Map(shape.functions.map((fn) => [fn.name, fn])),
    choices: [],
    answering: [],
    argumentTypes: [],
    convertedPointers: [],
    restricted: [],
    externals: (shape.externals ?? []).map((name) => ({ name, ctype: voidType, span: at(1) })),
    typedefs: new Map(),
    tags: new Map(),
    enumConstants: new Map(),
    symbols: new Map(),
  };
}

export const staticObject = (
  number: number,
  name: string,
  bytes: readonly number[],
  rest: Partial<StaticObject> = {},
): StaticObject => ({
  kind: 'static-object',
  number,
  name,
  ctype: voidType,
  sizeBytes: bytes.length,
  writable: true,
  bytes: Uint8Array.from(bytes),
  relocations: [],
  visible: true,
  span: at(1),
  ...rest,
});

export const assign = (target: Variable, value: Expression): Line => ({ does: { kind: 'assign', target, value } });
export const store = (to: Expression, type: Scalar, value: Expression): Line => ({
  does: { kind: 'store', address: to, type, value },
});
