/**
 * Calls through pointers that may lead to functions the program does not contain. Where invalid calls are no property
 * in force, an execution is taken to end at one; but a function of the outside is no invalid callee, and what it does
 * is not known. So with pointers from outside such calls must be excluded by the proof, whatever was asked.
 */
import type { Edge, FunctionDefinition, Program } from '../../program/program';

export interface OutsideCall {
  readonly edge: Edge;
  readonly function: FunctionDefinition;
}

/** The calls through pointers in `functions`, when pointers come in from outside the program; else none. */
export function externalPointerCalls(
  program: Program,
  functions: Iterable<FunctionDefinition>,
  entries: readonly FunctionDefinition[],
): readonly OutsideCall[] {
  const called = [...functions].flatMap((fn) =>
    fn.edges
      .filter(
        ({ command }) =>
          (command.kind === 'call' && command.callee.kind !== 'function') ||
          (command.kind === 'external' && command.callee !== undefined),
      )
      .map((edge) => ({ edge, function: fn })),
  );
  return called.length > 0 && pointersComeIn(program, entries) ? called : [];
}

function pointersComeIn(program: Program, entries: readonly FunctionDefinition[]): boolean {
  if (
    program.externals.length > 0 ||
    entries.some((fn) => fn.name !== 'main' && fn.parameters.some(({ type }) => type.kind === 'pointer'))
  )
    return true;
  return program.functions.some((fn) =>
    fn.edges.some(({ command }) => command.kind === 'input' && command.target.type.kind === 'pointer'),
  );
}
