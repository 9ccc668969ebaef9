/**
 * Pointers of one call that may lead to one object for all that is known. C lets a client pass the bytes of anything
 * as text, or through a `void *`, so types keep such an argument and another one apart in no proof: a tokenizer that
 * writes to its table may have overwritten its text. Offered is `!PROVEST_SAME_OBJECT(text, table)`. No failing run
 * stands behind it, since searches pass an object of its own for each argument. The same is offered of arguments and
 * what the module hands out as pointers to const.
 */
import { callGraph, recursiveFunctions } from '../../abstraction/transitionSystem/callGraph';
import { exclusionsToState } from '../../abstraction/transitionSystem/clients/sharedStructures';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { CType } from '../../c/types';
import type { Budget } from '../../budget';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import type { Check } from '../../program/command';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Program, StaticObject } from '../../program/program';
import { anyObject, objectKey } from '../../semantics/pointers/clientObjects';
import { precondition, type Specification } from '../angelic/specifications';
import { isKeptByTests } from '../angelic/testVeto';
import type { Problem } from '../problem';

const limits = {
  /** Conditions that are offered: more are no hint. */
  offered: 6,
  /** The same of arguments and the module's own tables, which only help together. */
  ofTables: 16,
} as const;

/** For functions that clients call and that come to one of these checks; none that a call of a test breaks. */
export function separateArguments(
  problem: Problem,
  system: TransitionSystem,
  open: ReadonlySet<Check>,
  budget: Budget,
): readonly Specification[] {
  if (problem.task.mode !== 'module') return [];
  const apart = argumentsAndTables(problem, system, open, budget);
  if (apart.length > 0) return apart;
  const isOpenIn = ({ edges }: FunctionDefinition): boolean =>
    edges.some(({ command }) => command.kind === 'check' && open.has(command));
  return problem.called
    .filter((fn) => [...reachableFunctions([fn])].some(isOpenIn))
    .flatMap((fn) => pairsOf(fn, problem, system))
    .filter((one) => one.kind === 'requires' && isKeptByTests(problem, problem.under([one], budget), one.function))
    .slice(0, limits.offered);
}

/**
 * That no argument is a pointer to const which the module has handed out: it keeps its tables apart from clients'
 * texts. All of them or none, since one alone does not.
 */
function argumentsAndTables(
  problem: Problem,
  { program, options }: TransitionSystem,
  open: ReadonlySet<Check>,
  budget: Budget,
): readonly Specification[] {
  if (open.size === 0) return [];
  const recursive = recursiveFunctions(program, callGraph(program, problem.callBacks));
  const exclusions = exclusionsToState(program, options, recursive);
  if (exclusions.length > limits.ofTables) return [];
  const found = exclusions.flatMap(({ fn, parameter, object }) => {
    const place = arrayIn(object, program);
    const isHidden = fn.parameters.some(({ name }) => place?.split('.')[0] === name);
    const text = place === undefined || isHidden ? undefined : `!PROVEST_SAME_OBJECT(${parameter.name}, ${place})`;
    return (text === undefined ? undefined : precondition(problem.program, fn.name, text)) ?? [];
  });
  const areKept = found.every(
    (one) => one.kind === 'requires' && isKeptByTests(problem, problem.under([one], budget), one.function),
  );
  return found.length === exclusions.length && areKept ? found : [];
}

/** The first array in an object, as C names it. */
function arrayIn(object: StaticObject, { symbols }: Program): string | undefined {
  const [name] = [...symbols].find(([, { place }]) => place === object) ?? [];
  const within = (type: CType, path: string): string | undefined => {
    if (type.kind === 'array') return path;
    if (type.kind !== 'record') return undefined;
    for (const field of type.record.fields) {
      const found = field.name === undefined ? undefined : within(field.type, `${path}.${field.name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return name === undefined ? undefined : within(object.ctype, name);
}

function pairsOf(fn: FunctionDefinition, problem: Problem, system: TransitionSystem): readonly Specification[] {
  const pointers = fn.parameters.flatMap((variable) => {
    const to = variable.ctype?.kind === 'pointer' ? variable.ctype.to : undefined;
    return to && to.kind !== 'function' ? [{ variable, to }] : [];
  });
  return pointers.flatMap((one, i) =>
    pointers.slice(i + 1).flatMap((other) => {
      const mayOverwrite = isConst(one.to) !== isConst(other.to) || !isConst(one.to);
      const isOnlyOneUntyped = (objectKey(one.to) === anyObject) !== (objectKey(other.to) === anyObject);
      if (!mayOverwrite || !isOnlyOneUntyped || !isShared(one.variable, other.variable, system)) return [];
      const [a, b] = [one.variable.name, other.variable.name];
      if (isStated(fn, a, b, problem)) return [];
      return precondition(problem.program, fn.name, `!PROVEST_SAME_OBJECT(${a}, ${b})`) ?? [];
    }),
  );
}

const isConst = (type: CType): boolean => type.const === true;

const isStated = ({ name }: FunctionDefinition, a: string, b: string, { task }: Problem): boolean =>
  (task.requires ?? []).some(
    ({ function: of, said }) =>
      of === name &&
      said !== undefined &&
      'c' in said &&
      [`${a}, ${b}`, `${b}, ${a}`].some((pair) => said.c.includes(`!PROVEST_SAME_OBJECT(${pair})`)),
  );

/** Their objects have a region in common. */
function isShared(one: Variable, other: Variable, { memoryModel: { regions } }: TransitionSystem): boolean {
  const [a, b] = [one, other].map((variable) => regions.pointee({ kind: 'read', type: variable.type, variable }));
  return a !== undefined && b !== undefined && regions.find(a.node) === regions.find(b.node);
}
