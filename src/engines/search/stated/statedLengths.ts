/**
 * Parts of preconditions that clients keep to as they draw arguments. Of two parameters the one, an array, has as many
 * elements as the other says, `PROVEST_LENGTH(bytes) >= count`: clients pass arrays that are just as long, so that an
 * access one too far is seen. Null is not passed where `p != NULL` is stated, for a client with a single call that it
 * may not make shows nothing, and long ones would nearly all have one.
 */
import { type MembersByType, noMembers } from '../../../semantics/pointers/validMembers';
import { joinedArguments, type JoinedArguments } from '../../../abstraction/predicates/joinedArguments';
import type { ProbeFormula, ProbePath } from '../../../abstraction/predicates/probeFormula';
import { statedByFunction } from '../../../abstraction/predicates/statedByFunction';
import type { FunctionDefinition, Program } from '../../../program/program';
import type { Task } from '../../../task';
import type { StatedPointer } from './statedPointers';

/** Positions of two parameters. */
export interface StatedLength {
  readonly array: number;
  readonly count: number;
}

/** Parts of preconditions that clients keep to as they draw arguments; by function. */
export interface StatedOfArguments {
  readonly lengths?: ReadonlyMap<FunctionDefinition, readonly StatedLength[]>;
  /** Two pointers that lie in one object. */
  readonly joined?: ReadonlyMap<FunctionDefinition, readonly JoinedArguments[]>;
  /** Parameters that are never null, by name. */
  readonly nonNull?: ReadonlyMap<FunctionDefinition, ReadonlySet<string>>;
  /** Pointers behind parameters that are never null. */
  readonly pointers?: ReadonlyMap<FunctionDefinition, readonly StatedPointer[]>;
  /** Pointers in structures that are null or lead to live objects. */
  readonly valid?: MembersByType;
}

export const statedOfArguments = (
  requires: Task['requires'],
  program: Program,
  valid: MembersByType = noMembers,
): StatedOfArguments => ({
  valid,
  lengths: statedLengths(requires, program),
  joined: joinedArguments(requires, program),
  nonNull: statedNonNull(requires, program),
  pointers: statedPointers(requires, program),
});

export function statedNonNull(
  requires: Task['requires'],
  program: Program,
): ReadonlyMap<FunctionDefinition, ReadonlySet<string>> {
  const stated = statedByFunction(requires, program, (formula, fn) =>
    ofParameters(formula, fn).flatMap(({ variable, steps }) => (steps.length === 0 ? [variable] : [])),
  );
  return new Map([...stated].map(([fn, names]) => [fn, new Set(names)]));
}

export const statedPointers = (
  requires: Task['requires'],
  program: Program,
): ReadonlyMap<FunctionDefinition, readonly StatedPointer[]> =>
  statedByFunction(requires, program, (formula, fn) =>
    ofParameters(formula, fn).flatMap(({ variable: parameter, steps }): StatedPointer[] => {
      const [step] = steps;
      if (steps.length !== 1 || !step || step.kind === 'index') return [];
      return [{ parameter, member: step.kind === 'field' ? step.name : undefined }];
    }),
  );

/** Paths from parameters that are not null. */
function ofParameters(formula: ProbeFormula, { parameters }: FunctionDefinition): readonly ProbePath[] {
  const own = new Set(parameters.map(({ name }) => name));
  return conjuncts(formula)
    .flatMap((part) => nonNullIn(part) ?? [])
    .filter(({ variable }) => own.has(variable));
}

export const statedLengths = (
  requires: Task['requires'],
  program: Program,
): ReadonlyMap<FunctionDefinition, readonly StatedLength[]> =>
  statedByFunction(requires, program, (formula, fn) =>
    conjuncts(formula).flatMap((part) => lengthIn(unlessNull(part), fn) ?? []),
  );

const conjuncts = (formula: ProbeFormula): readonly ProbeFormula[] =>
  formula.kind === 'and' ? [...conjuncts(formula.left), ...conjuncts(formula.right)] : [formula];

/** The length in `p == NULL || PROVEST_LENGTH(p) >= n`, either way round: null is as long as any number says. */
function unlessNull(formula: ProbeFormula): ProbeFormula {
  if (formula.kind !== 'or') return formula;
  const sides = [formula.left, formula.right] as const;
  const at = sides.findIndex((side) => nullIn(side, '==') !== undefined);
  const [pointer, length] = [sides[at] && nullIn(sides[at], '=='), sides[1 - at]];
  const isOfPointer = ({ kind, ...rest }: ProbeFormula): boolean =>
    kind === 'length' && 'of' in rest && rest.of.variable === pointer?.variable && rest.of.steps.length === 0;
  if (!pointer || pointer.steps.length > 0 || !length || !('left' in length)) return formula;
  return isOfPointer(length.left) || isOfPointer(length.right) ? length : formula;
}

/** `p != NULL`, either way round. */
const nonNullIn = (formula: ProbeFormula): ProbePath | undefined => nullIn(formula, '!=');

function nullIn(formula: ProbeFormula, comparison: '==' | '!='): ProbePath | undefined {
  if (formula.kind !== comparison) return undefined;
  const { left, right } = formula;
  const path = right.kind === 'null' ? left : left.kind === 'null' ? right : undefined;
  return path?.kind === 'path' ? path : undefined;
}

/** `n <= PROVEST_LENGTH(p)`, either way round, or `==`. */
function lengthIn(formula: ProbeFormula, { parameters }: FunctionDefinition): StatedLength | undefined {
  if (formula.kind !== '>=' && formula.kind !== '<=' && formula.kind !== '==') return undefined;
  const isLeft = formula.kind === '>=' || (formula.kind === '==' && formula.left.kind === 'length');
  const [length, number] = isLeft ? [formula.left, formula.right] : [formula.right, formula.left];
  if (length.kind !== 'length' || number.kind !== 'path') return undefined;
  const position = ({ variable, steps }: typeof length.of): number =>
    steps.length > 0 ? -1 : parameters.findIndex(({ name }) => name === variable);
  const [array, count] = [position(length.of), position(number)];
  return array < 0 || count < 0 ? undefined : { array, count };
}
