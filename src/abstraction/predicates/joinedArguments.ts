/**
 * Arguments that may lie in one object, since a precondition says so: `PROVEST_SAME_OBJECT(p, end)`, or one compares
 * them: `p <= end`, `end - p >= 4`. Elsewhere clients' pointers lead to the beginnings of objects, and two in one
 * object would be equal; these may lead to any element, or just behind the last one.
 */
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Task } from '../../task';
import type { ProbeFormula, ProbePath } from './probeFormula';
import { statedByFunction } from './statedByFunction';

/** Two pointers that begin at parameters. */
export interface JoinedArguments {
  readonly left: ProbePath;
  readonly right: ProbePath;
}

/** By function: pairs of pointers that a precondition permits in one object. */
export const joinedArguments = (
  requires: Task['requires'],
  program: Program,
): ReadonlyMap<FunctionDefinition, readonly JoinedArguments[]> =>
  statedByFunction(requires, program, (formula, fn) => {
    const parameters = new Set(fn.parameters.map(({ name }) => name));
    const isPointer = (path: ProbePath): boolean => argumentAt(path, fn)?.type.kind === 'pointer';
    return joinedIn(formula, 'stated').filter(
      ({ left, right }) =>
        parameters.has(left.variable) && parameters.has(right.variable) && (isPointer(left) || isPointer(right)),
    );
  });

/** Parameters that may lead to any place of an object. */
export function interiorArguments(requires: Task['requires'], program: Program): ReadonlySet<Variable> {
  return new Set(
    [...joinedArguments(requires, program)].flatMap(([fn, joined]) =>
      joined.flatMap(({ left, right }) => [left, right].flatMap((path) => argumentAt(path, fn) ?? [])),
    ),
  );
}

/** The parameter that a path is; undefined for one that leads on from there. */
export function argumentAt({ variable, steps }: ProbePath, fn: FunctionDefinition): Variable | undefined {
  return steps.length > 0 ? undefined : fn.parameters.find(({ name }) => name === variable);
}

/** Pairs of pointers, or of numbers that are compared, that the condition permits in one object. */
export const joinedPairs = (formula: ProbeFormula): readonly JoinedArguments[] => joinedIn(formula, 'stated');

/** Pairs that the condition permits in one object, or may; not those of which it only denies it. */
function joinedIn(formula: ProbeFormula, as: 'stated' | 'denied' | 'either'): readonly JoinedArguments[] {
  switch (formula.kind) {
    case 'same-object':
      return as === 'denied' ? [] : [formula];
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
    case 'path':
    case 'length':
      return [];
    case 'list':
      return formula.is === 'every' ? joinedIn(formula.condition, 'either') : [];
    case 'not':
      return joinedIn(formula.operand, as === 'either' ? as : as === 'stated' ? 'denied' : 'stated');
    case 'negate':
      return joinedIn(formula.operand, 'either');
    case 'conditional':
      return [
        ...joinedIn(formula.condition, 'either'),
        ...joinedIn(formula.then, as),
        ...joinedIn(formula.otherwise, as),
      ];
    case 'and':
    case 'or':
      return [...joinedIn(formula.left, as), ...joinedIn(formula.right, as)];
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '-': {
      const { left, right } = formula;
      if (left.kind === 'path' && right.kind === 'path') return [{ left, right }];
      return [...joinedIn(left, 'either'), ...joinedIn(right, 'either')];
    }
    default:
      return [...joinedIn(formula.left, 'either'), ...joinedIn(formula.right, 'either')];
  }
}
