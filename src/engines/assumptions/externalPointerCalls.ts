/**
 * Calls through pointers that may lead to functions of the environment. If invalid calls are not checked, an execution
 * is assumed to end at one. But a function of the environment is a valid callee with unknown effects. So if pointers
 * come from the environment, the proof must exclude such calls, whatever properties are in force.
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
