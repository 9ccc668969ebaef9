/**
 * Contracts are there for provest alone: compilers leave them out. What a contract changes, and what one that does not
 * come to an end hides, would make the program that is proved another one.
 */
import { callGraph, reachable, recursiveFunctions } from '../../abstraction/transitionSystem/callGraph';
import type { Span } from '../../c/source';
import { isChecked, type CheckKind, type Command, type Property } from '../../program/command';
import type { FunctionDefinition, Program } from '../../program/program';
import { noCallBacks } from '../../semantics/pointers/callbacks';

/**
 * A part of a contract that may do more than compute a result, with the name of the function that it calls, if any. It
 * may also end an execution, by an assumption or by an unchecked check, that goes on where compilers leave contracts
 * out.
 */
export function changingContract(
  program: Program,
  checkedProperties: ReadonlySet<Property | CheckKind>,
): { readonly span: Span; readonly name: string | undefined } | undefined {
  const changing = new Set<FunctionDefinition>();
  const computes = ({ command }: { readonly command: Command }): boolean =>
    isComputation(command, checkedProperties) &&
    !(command.kind === 'call' && command.targets.some((target) => changing.has(target)));
  for (let before = -1; before !== changing.size;) {
    before = changing.size;
    for (const fn of program.functions) if (!fn.edges.every(computes)) changing.add(fn);
  }
  const found = contractsOf(program).find((one) => !computes(one));
  return (
    found && { span: found.span, name: found.command.kind === 'call' ? found.command.targets[0]?.name : undefined }
  );
}

function isComputation(command: Command, checkedProperties: ReadonlySet<Property | CheckKind>): boolean {
  switch (command.kind) {
    case 'skip':
    case 'declare':
      return true;
    case 'assume':
      return command.cuts !== true;
    case 'check':
      return command.ifUnchecked === 'ignore' || isChecked(command, checkedProperties);
    case 'assign':
      return command.target.scope === 'local';
    case 'call':
      return command.target === undefined || command.target.scope === 'local';
    default:
      return false;
  }
}

/** Functions that contracts call, directly or not, and that loop or recur; the library comes to an end. */
export function loopingInContracts(program: Program): readonly FunctionDefinition[] {
  const called = contractsOf(program).flatMap(({ command }) => (command.kind === 'call' ? command.targets : []));
  if (called.length === 0) return [];
  const graph = callGraph(program, noCallBacks);
  const recursive = recursiveFunctions(program, graph);
  return [...reachable(called, graph)].filter(
    (fn) => !fn.library && (recursive.has(fn) || fn.locations.some(({ isLoopHead }) => isLoopHead)),
  );
}

const contractsOf = ({ functions }: Program) => functions.flatMap(({ contracts }) => contracts ?? []);
