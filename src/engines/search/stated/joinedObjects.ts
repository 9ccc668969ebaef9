/**
 * Arguments of which a precondition says that two lie in one object: mostly its beginning and its end, as parsers take
 * them, and at times any two places. One of them may be stored in what another argument leads to.
 */
import { argumentAt, type JoinedArguments } from '../../../abstraction/predicates/joinedArguments';
import type { PathStep } from '../../../abstraction/predicates/probeFormula';
import type { Argument } from '../../../evidence/scenarios/scenario';
import { lengthOf } from '../../../evidence/scenarios/shrink';
import { asPointer, pointerToArgument } from '../../../plainPointer';
import type { FunctionDefinition } from '../../../program/program';
import type { Plain } from '../../../verdict';

/** `call`: number of the call in its scenario; `below`: a number drawn from 0 to before the bound. */
export function joinObjects(
  given: Argument[],
  fn: FunctionDefinition,
  { left, right }: JoinedArguments,
  call: number,
  below: (bound: number) => number,
): void {
  const positions = [left, right].map((path) => {
    const parameter = argumentAt(path, fn);
    return parameter ? fn.parameters.indexOf(parameter) : -1;
  });
  if (positions.every((at) => at >= 0)) {
    const [first, second] = positions.sort((a, b) => a - b) as [number, number];
    const object = [given[first]!, given[second]!].find(({ kind }) => kind === 'object');
    if (object?.kind !== 'object' || first === second) return;
    const length = lengthOf(object) ?? 1;
    const index = below(4) === 0 ? below(length + 1) : length;
    given[second] = { kind: 'earlier', call, argument: first, index };
    given[first] = below(4) === 0 ? { ...object, index: below(length + 1) } : object;
    return;
  }
  const argument = Math.max(...positions);
  const inside = positions[0] === argument ? right : left;
  const holder = fn.parameters.findIndex(({ name }) => name === inside.variable);
  const [object, holding] = [given[argument], given[holder]];
  if (object?.kind !== 'object' || holding?.kind !== 'object' || holder === argument) return;
  const length = lengthOf(object) ?? 1;
  const contents = withPart(holding.contents, inside.steps, pointerToArgument(argument, 0));
  if (contents === undefined) return;
  given[holder] = { ...holding, contents };
  given[argument] = { ...object, index: below(4) === 0 ? below(length + 1) : length };
}

/** With another value where the steps lead; undefined where they lead on through a pointer. */
function withPart(contents: Plain, steps: readonly PathStep[], value: Plain): Plain | undefined {
  const [step, ...rest] = steps;
  if (!step) return value;
  // One object is passed as it is, many as an array.
  if (step.kind === 'field' && !Array.isArray(contents)) return withField(contents, step.name, rest, value);
  const [index, then] = step.kind === 'field' ? [0, steps] : [indexOf(step), rest];
  if (!Array.isArray(contents)) return index === 0 ? withPart(contents, then, value) : undefined;
  const elements = contents as readonly Plain[];
  const part = index < 0 || index >= elements.length ? undefined : withPart(elements[index]!, then, value);
  return part === undefined ? undefined : elements.with(index, part);
}

function indexOf(step: Exclude<PathStep, { kind: 'field' }>): number {
  return step.kind === 'dereference' ? 0 : step.index.kind === 'integer' ? Number(step.index.value) : -1;
}

function withField(record: Plain, name: string, rest: readonly PathStep[], value: Plain): Plain | undefined {
  if (record === null || typeof record !== 'object' || Array.isArray(record) || asPointer(record)) return undefined;
  const part = withPart((record as { readonly [name: string]: Plain })[name] ?? null, rest, value);
  return part === undefined ? undefined : { ...record, [name]: part };
}
