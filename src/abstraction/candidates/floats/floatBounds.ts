/**
 * Bounds of floating-point variables: the program's own constants, as in `x = limit(x, -50.0f, 50.0f)`, and what
 * intervals say. Rounded arithmetic keeps few other invariants. No runs are needed: Houdini drops what some state
 * contradicts.
 */
import * as L from '../../../logic/build';
import { floatBits } from '../../../logic/floats/patterns';
import type { SymbolTerm, Term } from '../../../logic/term';
import type { FloatScalar } from '../../../program/expression';
import { expressionsOf, walk } from '../../../program/traverse';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { floatRangesAt, rangeConditions, type FloatVariable } from './floatRanges';
import { relevanceOf } from '../observables';

const limits = {
  /** Variables at one control point. */
  variables: 8,
  /** Constants of the program. More make too many queries. */
  constants: 12,
} as const;

interface Found {
  readonly variables: ReadonlyMap<Cutpoint, readonly FloatVariable[]>;
  readonly constants: readonly number[];
  readonly ranges: ReadonlyMap<Cutpoint, readonly Term[]>;
}
const made = new WeakMap<TransitionSystem, Found>();

function foundIn(system: TransitionSystem): Found {
  let found = made.get(system);
  if (!found) {
    const relevance = relevanceOf(system);
    const variables = new Map(
      system.points.map((point) => [point, variablesAt(point, system, relevance).slice(0, limits.variables)]),
    );
    const isNone = [...variables.values()].every(({ length }) => length === 0);
    const constants = isNone ? [] : floatConstants(system);
    const own = new Map(
      [...floatRangesAt(system, variables, constants)].map(([point, all]) => [
        point,
        [...all].flatMap(([term, range]) => rangeConditions(term, range)),
      ]),
    );
    const { entries, init } = system.options;
    const between = system.client ? (own.get(system.client) ?? []) : [];
    // Conditions at the beginning of clients' calls have to hold where each function ends, in the same words.
    const ranges = new Map(
      [...own].map(([point, terms]) => [
        point,
        point.kind === 'exit' && (entries.includes(point.fn) || point.fn === init)
          ? [...new Set([...terms, ...between])]
          : terms,
      ]),
    );
    made.set(system, (found = { variables, constants, ranges }));
  }
  return found;
}

/** Per control point: each variable that matters there lies in the range that intervals give. */
export const floatRangeBounds = (system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> =>
  foundIn(system).ranges;

/** The same, and each is at least, or at most, each constant. */
export function floatBounds(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const { variables, constants, ranges } = foundIn(system);
  return new Map(
    system.points.map((point) => {
      const bounds = variables.get(point)!.flatMap(({ term, width }) =>
        constants
          .filter((value) => width === 64 || Math.fround(value) === value)
          .flatMap((value) => {
            const literal = L.bits(floatBits(value, width), width);
            const le = (a: Term, b: Term): Term => L.call(`float-le-${width}`, L.boolSort, a, b);
            return [le(literal, term), le(term, literal)];
          }),
      );
      return [point, [...new Set([...(ranges.get(point) ?? []), ...bounds])]];
    }),
  );
}

/** Constants of floating-point type, in ascending order; none if no constant is of such a type. */
function floatConstants(system: TransitionSystem): readonly number[] {
  const found = new Set<number>();
  for (const fn of system.functions)
    for (const { command } of fn.edges)
      for (const e of expressionsOf(command))
        walk(e, (node) => {
          if (node.kind === 'float' && Number.isFinite(node.value)) found.add(node.value === 0 ? 0 : node.value);
        });
  if (found.size === 0) return [];
  return [...found.add(0)].slice(0, limits.constants).sort((a, b) => a - b);
}

function variablesAt(
  point: Cutpoint,
  { vocabulary }: TransitionSystem,
  relevance: ReturnType<typeof relevanceOf>,
): readonly FloatVariable[] {
  const float = (term: SymbolTerm, { widthBits: width }: FloatScalar): FloatVariable => ({ term, width });
  return vocabulary.symbolsFor(point.fn).flatMap((term): FloatVariable[] => {
    const meaning = vocabulary.meaning(term)!;
    if (meaning.kind === 'variable') {
      const { variable } = meaning;
      if (variable.type.kind !== 'float') return [];
      const isParameter = point.fn.parameters.includes(variable);
      if (point.kind === 'module') return variable.scope === 'global' ? [float(term, variable.type)] : [];
      if (!relevance.at(point.location, variable)) return [];
      if (variable.scope === 'local' && point.kind === 'entry' && !isParameter) return [];
      if (variable.scope === 'local' && point.kind === 'exit' && variable !== point.fn.resultVariable) return [];
      return [float(term, variable.type)];
    }
    if (meaning.kind !== 'memory') return [];
    const { role } = meaning.memory;
    if (role.kind !== 'slot' || role.addressing !== 'plain' || role.slot === 'byte') return [];
    const isForeign =
      role.single?.kind === 'frame' &&
      (role.single.function !== point.fn || point.kind === 'entry' || point.kind === 'exit');
    return role.slot.type.kind === 'float' && !isForeign ? [float(term, role.slot.type)] : [];
  });
}
