/**
 * Bounds of floating-point variables: the program's own constants, as in `x = limit(x, -50.0f, 50.0f)`. Rounded
 * arithmetic keeps few other invariants. No runs are needed: Houdini drops what some state contradicts.
 */
import * as L from '../../logic/build';
import { floatBits } from '../../logic/floats/patterns';
import type { Term } from '../../logic/term';
import type { FloatScalar } from '../../program/expression';
import { expressionsOf, walk } from '../../program/traverse';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { relevanceOf } from './observables';

const limits = {
  /** Variables at one control point. */
  variables: 8,
  /** Constants of the program. More make too many queries. */
  constants: 12,
} as const;

/** Per control point: each variable that matters there is at least, or at most, each constant. */
export function floatBounds(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const constants = floatConstants(system);
  if (constants.length === 0) return new Map();
  const relevance = relevanceOf(system);
  return new Map(
    system.points.map((point) => [
      point,
      variablesAt(point, system, relevance)
        .slice(0, limits.variables)
        .flatMap(({ term, type: { widthBits } }) =>
          constants
            .filter((value) => widthBits === 64 || Math.fround(value) === value)
            .flatMap((value) => {
              const literal = L.bits(floatBits(value, widthBits), widthBits);
              const le = (a: Term, b: Term): Term => L.call(`float-le-${widthBits}`, L.boolSort, a, b);
              return [le(literal, term), le(term, literal)];
            }),
        ),
    ]),
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
): readonly { readonly term: Term; readonly type: FloatScalar }[] {
  return vocabulary.symbolsFor(point.fn).flatMap((term) => {
    const meaning = vocabulary.meaning(term)!;
    if (meaning.kind === 'variable') {
      const { variable } = meaning;
      if (variable.type.kind !== 'float') return [];
      const isParameter = point.fn.parameters.includes(variable);
      if (point.kind === 'module') return variable.scope === 'global' ? [{ term, type: variable.type }] : [];
      if (!relevance.at(point.location, variable)) return [];
      if (variable.scope === 'local' && point.kind === 'entry' && !isParameter) return [];
      if (variable.scope === 'local' && point.kind === 'exit' && variable !== point.fn.resultVariable) return [];
      return [{ term, type: variable.type }];
    }
    if (meaning.kind !== 'memory') return [];
    const { role } = meaning.memory;
    if (role.kind !== 'slot' || role.addressing !== 'plain' || role.slot === 'byte') return [];
    const isForeign =
      role.single?.kind === 'frame' &&
      (role.single.function !== point.fn || point.kind === 'entry' || point.kind === 'exit');
    return role.slot.type.kind === 'float' && !isForeign ? [{ term, type: role.slot.type }] : [];
  });
}
