/**
 * Parts of preconditions that clients keep to as they draw arguments. Of two parameters the one, an array, has as many
 * elements as the other says, `PROVEST_LENGTH(bytes) >= count`: clients pass arrays that are just as long, so that an
 * access one too far is seen. Null is not passed where `p != NULL` is stated, for a client with a single call that it
 * may not make shows nothing, and long ones would nearly all have one.
 */
import { readCProbe } from '../../../host/cProbe';
import { argumentScope } from '../../../host/probeScope';
import { type MembersByType, noMembers } from '../../../semantics/pointers/validMembers';
import { joinedArguments, type JoinedArguments } from '../../../abstraction/predicates/joinedArguments';
import type { ProbeFormula, ProbePath } from '../../../abstraction/predicates/probeFormula';
import { statedByFunction } from '../../../abstraction/predicates/statedByFunction';
import type { FunctionDefinition, Program } from '../../../program/program';
import type { Task } from '../../../task';
import type { StatedPointer } from './statedPointers';

/** The position of a parameter that leads to an array, and of how many elements. */
export interface StatedLength {
  readonly array: number;
  /** Position of the parameter that says it by itself. */
  readonly count: number | undefined;
  /** Elements by the arguments, a pointer's being undefined; undefined where that is no number. */
  readonly elements: (given: readonly (bigint | undefined)[]) => bigint | undefined;
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
): StatedOfArguments => {
  const all = [...(requires ?? []), ...preconditionsInC(program)];
  return {
    valid,
    lengths: statedLengths(all, program),
    joined: joinedArguments(all, program),
    nonNull: statedNonNull(all, program),
    pointers: statedPointers(all, program),
  };
};

/** By the texts of `PROVEST_REQUIRES` in the program, as far as they can be read as those of tests. */
function preconditionsInC(program: Program): NonNullable<Task['requires']> {
  return program.functions.flatMap((fn) =>
    fn.library
      ? []
      : fn.edges.flatMap(({ command }) => {
          if (command.kind !== 'check' || command.check !== 'precondition') return [];
          const read = readCProbe(command.text, argumentScope(program, fn.name, fn), program.enumConstants);
          return read.kind === 'formula' ? [{ function: fn.name, formula: read.formula }] : [];
        }),
  );
}

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

const lengthComparisons = { '>=': 0n, '==': 0n, '>': 1n } as const;
const turned = { '<=': '>=', '<': '>', '==': '==' } as const;

/** `PROVEST_LENGTH(p) >= n`, either way round, or `==`, or `>`; `n` is computed from parameters and numbers. */
function lengthIn(formula: ProbeFormula, { parameters }: FunctionDefinition): StatedLength | undefined {
  if (!('right' in formula) || formula.kind === 'same-object') return undefined;
  const isLeft = formula.left.kind === 'length';
  const [length, number] = isLeft ? [formula.left, formula.right] : [formula.right, formula.left];
  const comparison = isLeft ? formula.kind : turned[formula.kind as keyof typeof turned];
  const more = lengthComparisons[comparison as keyof typeof lengthComparisons];
  if (length.kind !== 'length' || more === undefined) return undefined;
  const position = ({ variable, steps }: ProbePath): number =>
    steps.length > 0 ? -1 : parameters.findIndex(({ name }) => name === variable);
  const array = position(length.of);
  const elements = numberFrom(number, position);
  if (array < 0 || !elements) return undefined;
  return {
    array,
    count: number.kind === 'path' && more === 0n ? position(number) : undefined,
    elements: (given) => {
      const count = elements(given);
      return count === undefined ? undefined : count + more;
    },
  };
}

/** Undefined for what is no sum, difference, product or quotient of parameters and numbers. */
function numberFrom(
  formula: ProbeFormula,
  position: (path: ProbePath) => number,
): StatedLength['elements'] | undefined {
  switch (formula.kind) {
    case 'integer': {
      const value = BigInt(formula.value);
      return () => value;
    }
    case 'path': {
      const at = position(formula);
      return at < 0 ? undefined : (given) => given[at];
    }
    case '+':
    case '-':
    case '*':
    case '/': {
      const { kind } = formula;
      const left = numberFrom(formula.left, position);
      const right = numberFrom(formula.right, position);
      if (!left || !right) return undefined;
      return (given) => {
        const [a, b] = [left(given), right(given)];
        if (a === undefined || b === undefined) return undefined;
        switch (kind) {
          case '+':
            return a + b;
          case '-':
            return a - b;
          case '*':
            return a * b;
          case '/':
            return b === 0n ? undefined : a / b;
        }
      };
    }
    default:
      return undefined;
  }
}
