/** Contracts are there for provest alone: compilers leave them out. What a contract changes would make the program that is proved another one. */
import type { Span } from '../c/source';
import type { Edge, FunctionDefinition, Program } from '../program/program';

const contract = /^PROVEST_(?:REQUIRES|ENSURES|INVARIANT)$/;
const inContract = ({ expandedFrom = [] }: Span): boolean => expandedFrom.some(({ macro }) => contract.test(macro));

/** A call in a contract of something that may do more than compute a result from what it finds; the function's name where there is one. */
export function changingContract(program: Program): { readonly edge: Edge; readonly name: string | undefined } | undefined {
  const pure = new Map<FunctionDefinition, boolean>();
  const isPure = (fn: FunctionDefinition): boolean => {
    const known = pure.get(fn);
    if (known !== undefined) return known;
    pure.set(fn, true); // In a cycle the others decide.
    const answer = fn.edges.every((edge) => computes(edge));
    pure.set(fn, answer);
    return answer;
  };
  const computes = ({ command }: Edge): boolean => {
    switch (command.kind) {
      case 'skip': case 'assume': case 'check': case 'declare': return true;
      case 'assign': return command.target.scope === 'local';
      case 'call': return (command.target === undefined || command.target.scope === 'local') && command.targets.every(isPure);
      default: return false;
    }
  };
  for (const fn of program.functions) {
    for (const edge of fn.edges) if (!computes(edge) && inContract(edge.span)) return { edge, name: edge.command.kind === 'call' ? edge.command.targets[0]?.name : undefined };
  }
  return undefined;
}
