/**
 * Preconditions that `[static n]` in a prototype puts on clients: a call that passes fewer elements, or null, is
 * undefined (C11 6.7.6.3p7). Taken where the length is a constant or another parameter.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ProbeFormula, ProbePath } from '../../abstraction/predicates/probeFormula';
import { evaluateConstant } from '../../c';
import type { DataModel } from '../../c/types';
import type { TypedExpression } from '../../c/tree';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Requirement } from '../../task';

/** With the preconditions that are in the prototypes of the functions, those that are stated already left out. */
export function withDeclaredLengths(
  stated: readonly Requirement[],
  entries: readonly FunctionDefinition[],
  { dataModel }: Pick<Program, 'dataModel'>,
): readonly Requirement[] {
  const declared = entries.flatMap((fn) =>
    declaredLengths(fn, dataModel).map(({ of, length }): Requirement => ({
      function: fn.name,
      formula: { kind: '>=', left: { kind: 'length', of }, right: length },
    })),
  );
  const isStated = (one: Requirement): boolean =>
    stated.some((other) => other.function === one.function && isDeepStrictEqual(other.formula, one.formula));
  return [...stated, ...declared.filter((one) => !isStated(one))];
}

interface DeclaredLength {
  readonly of: ProbePath;
  readonly length: ProbeFormula;
}

export function declaredLengths(
  { ctype, parameters }: FunctionDefinition,
  model: DataModel,
): readonly DeclaredLength[] {
  if (ctype.kind !== 'function') return [];
  const place = (name: string): ProbePath => ({ kind: 'path', variable: name, steps: [] });
  const lengthIn = (e: TypedExpression, names: readonly (string | undefined)[]): ProbeFormula | undefined => {
    const constant = evaluateConstant(e, { model });
    if (constant?.kind === 'integer') return { kind: 'integer', value: String(constant.value) };
    if (e.kind === 'load') return lengthIn(e.lvalue, names);
    // Exact arithmetic needs no wider type; a narrower one changes the value.
    if (e.kind === 'convert' && isWidened(e)) return lengthIn(e.operand, names);
    const isParameter = e.kind === 'variable' && e.symbol.storage === 'parameter';
    const named = isParameter ? parameters[names.indexOf(e.symbol.name)] : undefined;
    return named && place(named.name);
  };
  return ctype.parameters.flatMap(({ leastLength, elementLengths, namesBefore = [] }, i) => {
    const [length, pointer] = [leastLength && lengthIn(leastLength, namesBefore), parameters[i]];
    if (!length || !pointer || elementLengths) return [];
    return [{ of: place(pointer.name), length }];
  });
}

function isWidened({ type, operand }: TypedExpression & { readonly kind: 'convert' }): boolean {
  const from = operand.type;
  if (type.kind !== 'integer' || from.kind !== 'integer') return false;
  return type.widthBits > from.widthBits
    ? type.signed || !from.signed
    : type.widthBits === from.widthBits && type.signed === from.signed;
}
