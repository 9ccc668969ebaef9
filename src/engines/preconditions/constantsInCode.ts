/** Constants that C text has about the length of what a parameter points to. */
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import type { Expression, Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { expressionsOf, targetOf, variablesIn, walk } from '../../program/traverse';

export interface Constants {
  readonly compared: ReadonlySet<bigint>;
  /** Sizes copied, filled, or handed to a library function. */
  readonly sizes: ReadonlySet<bigint>;
  /** Bytes from a pointer to what is accessed. */
  readonly offsets: ReadonlySet<bigint>;
}

/** Constants in the code that the function runs, and where the variables that it reads are written. */
export function constantsFor(fn: FunctionDefinition, pointer: number, { functions, globals }: Program): Constants {
  const others = new Set<Variable>(fn.parameters.filter(({ type }, at) => at !== pointer && type.kind === 'pointer'));
  /** An offset from another of the function's pointers says nothing about this one. */
  const isAboutOther = (base: Expression): boolean => {
    const variables = [...variablesIn(base)];
    return variables.some((one) => others.has(one)) && !variables.includes(fn.parameters[pointer]!);
  };
  const own = reachableFunctions([fn]);
  const expressionsIn = ({ edges }: FunctionDefinition): readonly Expression[] =>
    edges.flatMap(({ command }) => expressionsOf(command));
  const read = new Set([...own].flatMap((one) => expressionsIn(one).flatMap((e) => [...variablesIn(e)])));
  const writes = ({ edges }: FunctionDefinition): boolean =>
    edges.some(({ command }) => {
      const target = targetOf(command);
      return target?.scope === 'global' && read.has(target);
    });
  const found = { compared: new Set<bigint>(), sizes: new Set<bigint>(), offsets: new Set<bigint>() };
  const add = (e: Expression, into: Set<bigint>): void => {
    if (e.kind === 'integer') into.add(e.value);
  };
  for (const { variable, initial } of globals) if (initial && read.has(variable)) add(initial, found.compared);
  for (const one of functions.filter((other) => own.has(other) || writes(other))) {
    for (const expression of expressionsIn(one))
      walk(expression, (inner) => {
        if (inner.kind === 'compare') for (const side of [inner.left, inner.right]) add(side, found.compared);
        if (inner.kind === 'offset' && own.has(one) && !isAboutOther(inner.pointer)) add(inner.delta, found.offsets);
      });
    if (!own.has(one)) continue;
    for (const { command } of one.edges) {
      if (command.kind === 'copy' || command.kind === 'fill') add(command.size, found.sizes);
      if (command.kind === 'external') for (const argument of command.arguments) add(argument, found.sizes);
    }
  }
  return found;
}
