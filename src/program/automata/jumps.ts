/**
 * Jumps between functions: `setjmp` and `longjmp` under all their names. They are a kind of command of their own among
 * the functions without a body. The interpreter unwinds its activations. No symbolic semantics supports them, so code
 * that can reach one is never proved.
 */
import type { Edge, FunctionDefinition } from '../program';
import { reachableFunctions } from './reachableFunctions';

const jumps: ReadonlyMap<string, 'set' | 'jump'> = new Map([
  ...['setjmp', '_setjmp', 'sigsetjmp', '__sigsetjmp', '__builtin_setjmp'].map((name) => [name, 'set'] as const),
  ...['longjmp', '_longjmp', 'siglongjmp', '__builtin_longjmp'].map((name) => [name, 'jump'] as const),
]);

export function jumpOf(name: string): 'set' | 'jump' | undefined {
  return jumps.get(name);
}

/** The first such command in these functions and the functions that they may call. */
export function reachableJump(
  from: Iterable<FunctionDefinition>,
): { readonly edge: Edge; readonly name: string; readonly function: FunctionDefinition } | undefined {
  for (const fn of reachableFunctions(from)) {
    for (const edge of fn.edges) {
      if (edge.command.kind === 'external' && jumpOf(edge.command.name))
        return { edge, name: edge.command.name, function: fn };
    }
  }
  return undefined;
}
