/**
 * Bounds of each element of a small static array of floating-point numbers: of what is stored there, the constants that
 * a function compares the number with, and those that are stored themselves or compared with an element in place. The
 * numbers begin as 0, so each constant bounds one side. Said of each element by itself, so that intervals of a sum of
 * elements need no quantifier.
 */
import * as L from '../../../logic/build';
import { floatBits } from '../../../logic/floats/patterns';
import { symbolsOf } from '../../../logic/symbols';
import type { Term } from '../../../logic/term';
import { integer, load, offset, sameScalar, startOf } from '../../../program/build';
import { type Expression, type FloatScalar, int64, type Variable } from '../../../program/expression';
import type { FunctionDefinition, StaticObject } from '../../../program/program';
import { walk } from '../../../program/traverse';
import { FreshSymbols, isPointer } from '../../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** Elements of an array, and of all arrays together. */
  elements: 16,
  together: 32,
  /** Bounds of one array's elements. */
  bounds: 4,
} as const;

interface Bound {
  readonly side: 'least' | 'most';
  readonly value: number;
}

/** The same at every control point. */
export function floatElements(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const candidates: Term[] = [];
  let together = 0;
  for (const object of system.program.objects) {
    const { ctype } = object;
    if (!object.writable || ctype.kind !== 'array' || ctype.of.kind !== 'float') continue;
    const { length } = ctype;
    const { widthBits } = ctype.of;
    if (length === undefined || length < 2 || length > limits.elements || (widthBits !== 32 && widthBits !== 64))
      continue;
    if ((together += length) > limits.together) break;
    const type: FloatScalar = { kind: 'float', widthBits };
    for (const bound of boundsOf(object, type, system).slice(0, limits.bounds))
      for (let i = 0; i < length; i++) candidates.push(...conditionOf(object, type, i, bound, system));
  }
  return new Map(candidates.length === 0 ? [] : system.points.map((point) => [point, candidates]));
}

function boundsOf(object: StaticObject, type: FloatScalar, { program, memoryModel }: TransitionSystem): Bound[] {
  const { regions } = memoryModel;
  const node = regions.nodeOfOrigin(object);
  const isPlace = (address: Expression): boolean => {
    const target = regions.pointee(address);
    return target !== undefined && regions.find(target.node) === node;
  };
  const constants = new Set<number>();
  const addCompared = (fn: FunctionDefinition, isMeant: (e: Expression) => boolean): void => {
    for (const { command } of fn.edges)
      if (command.kind === 'assume')
        walk(command.condition, (e) => {
          if (e.kind !== 'compare') return;
          if (e.left.kind === 'float' && isMeant(e.right)) constants.add(e.left.value);
          if (e.right.kind === 'float' && isMeant(e.left)) constants.add(e.right.value);
        });
  };
  for (const fn of program.functions) {
    addCompared(fn, (e) => e.kind === 'load' && isPlace(e.address));
    for (const { command } of fn.edges) {
      if (command.kind !== 'store' || !sameScalar(command.type, type) || !isPlace(command.address)) continue;
      const { value } = command;
      if (value.kind === 'float') constants.add(value.value);
      const variable = variableIn(value);
      if (variable) addCompared(fn, (e) => variableIn(e) === variable);
    }
  }
  const usable = [...constants].filter(
    (value) => Number.isFinite(value) && (type.widthBits === 64 || Math.fround(value) === value),
  );
  // The bound nearest to 0 says most.
  const sides = usable
    .sort((a, b) => Math.abs(a) - Math.abs(b))
    .flatMap((value): Bound[] => [
      ...(value <= 0 ? [{ side: 'least', value } as const] : []),
      ...(value >= 0 ? [{ side: 'most', value } as const] : []),
    ]);
  return sides.filter(({ side }, i) => sides.slice(0, i).filter((other) => other.side === side).length < 2);
}

/** The variable that a value is, but for its type. */
function variableIn(value: Expression): Variable | undefined {
  if (value.kind === 'convert') return variableIn(value.operand);
  return value.kind === 'read' ? value.variable : undefined;
}

/** None where memory has no such number. */
function conditionOf(
  object: StaticObject,
  type: FloatScalar,
  number: number,
  { side, value }: Bound,
  { builder, vocabulary, points }: TransitionSystem,
): readonly Term[] {
  const { widthBits } = type;
  const state = vocabulary.arbitraryState(points[0]!.fn, new FreshSymbols('element'));
  const place = offset(startOf(object), integer((number * widthBits) / 8, int64));
  const element = builder.evaluate(load(type, place), state);
  if (isPointer(element)) return [];
  const literal = L.bits(floatBits(value === 0 ? 0 : value, widthBits), widthBits);
  const atMost = (a: Term, b: Term): Term => L.call(`float-le-${widthBits}`, L.boolSort, a, b);
  const condition = side === 'least' ? atMost(literal, element) : atMost(element, literal);
  const isOfState = [...symbolsOf(condition)].every((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot';
  });
  return isOfState ? [condition] : [];
}
