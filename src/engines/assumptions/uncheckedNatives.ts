/**
 * Calls of native library functions whose memory accesses no check covers: what `%s` points to, the room behind a
 * target of `sprintf`. Where they occur, memory safety is not proved, whatever else is.
 */
import type { DataModel } from '../../c/types';
import { isNative } from '../../program/linking/natives';
import { isCheckedCall } from '../../program/lower/calls/nativeArguments';
import type { Edge, FunctionDefinition } from '../../program/program';

export function uncheckedNativeCalls(
  functions: Iterable<FunctionDefinition>,
  model: DataModel,
): { readonly name: string; readonly edge: Edge; readonly function: FunctionDefinition }[] {
  return [...functions].flatMap((fn) =>
    fn.edges.flatMap((edge) => {
      const { command } = edge;
      if (command.kind !== 'external' || !isNative(command.name)) return [];
      // Only the library's own text checks what it hands to an internal function.
      const checked =
        (command.reachesChecked ?? false) ||
        (isCheckedCall(command.name, command.arguments, model) &&
          (fn.library || !command.name.startsWith('__provest_')));
      return checked ? [] : [{ name: command.name, edge, function: fn }];
    }),
  );
}
