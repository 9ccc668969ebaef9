/**
 * Library functions with loops, copied for each call, so that what is known of one call's arguments is not lost in what
 * all calls have in common: `strlen` of a client's text and `strlen` of an own buffer walk to different ends. Copies
 * have variables of their own, so that pointers are told apart, too. The program keeps its executions.
 */
import type { Mutable } from '../../mutable';
import { finish } from '../automata/automaton';
import { AutomatonDraft } from '../automata/draft';
import type { Variable } from '../expression';
import type { Edge, FunctionDefinition } from '../program';
import { draftOf, renaming } from './inlinedHelpers';

const limits = {
  /** Edges of a function that is copied. */
  calleeEdges: 60,
  /** Copies in a program, and their edges together. */
  copies: 16,
  edges: 400,
} as const;

/**
 * The functions' calls are changed. The copies, which are to be added to the program. `kept`: functions that probes
 * and the like speak of stay the only ones of their kind.
 */
export function copyCallees(
  functions: readonly FunctionDefinition[],
  kept: ReadonlySet<string>,
): readonly Mutable<FunctionDefinition>[] {
  const copies: Mutable<FunctionDefinition>[] = [];
  const calls = new Map<FunctionDefinition, number>();
  let size = 0;
  const separate = (edge: Edge): void => {
    const callee = copiedIn(edge);
    if (!callee || kept.has(callee.name)) return;
    const original = callee.copyOf ?? callee;
    const number = (calls.get(original) ?? 0) + 1;
    calls.set(original, number);
    // The first call keeps the function itself.
    if (number === 1 || copies.length >= limits.copies || size + callee.edges.length > limits.edges) return;
    size += callee.edges.length;
    const copy = copyOf(callee, original, `${original.name}#${number}`);
    copies.push(copy);
    const { command } = edge;
    if (command.kind === 'call') (edge as Mutable<Edge>).command = { ...command, callee: copy, targets: [copy] };
  };
  for (const fn of functions) if (!fn.library) fn.edges.forEach(separate);
  // A copy calls once more what the function calls.
  for (let i = 0; i < copies.length; i++) copies[i]!.edges.forEach(separate);
  return copies;
}

/** The function that the call calls, if it is to be copied. */
function copiedIn({ command }: Edge): FunctionDefinition | undefined {
  const callee = command.kind === 'call' && command.targets.length === 1 ? command.targets[0]! : undefined;
  const isCopied =
    callee?.library === true &&
    command.kind === 'call' &&
    command.callee === callee &&
    callee.edges.length <= limits.calleeEdges &&
    callee.objects.length === 0 &&
    (callee.contracts ?? []).length === 0 &&
    (callee.unordered ?? []).length === 0 &&
    callee.locations.some(({ isLoopHead }) => isLoopHead) &&
    !callsItself(callee);
  return isCopied ? callee : undefined;
}

function callsItself(fn: FunctionDefinition): boolean {
  const met = new Set<FunctionDefinition>();
  const look = (at: FunctionDefinition): boolean =>
    at.edges.some(({ command }) => {
      if (command.kind !== 'call') return false;
      return command.targets.some((target) => {
        if (target === fn) return true;
        if (met.has(target)) return false;
        met.add(target);
        return look(target);
      });
    });
  return look(fn);
}

function copyOf(fn: FunctionDefinition, original: FunctionDefinition, name: string): Mutable<FunctionDefinition> {
  const variables: Variable[] = [];
  const { variable, expression, command } = renaming(fn.variables, variables, (one) => one);
  const draft = new AutomatonDraft();
  draft.entry = draftOf(fn, draft, draft.exit, (edge, from, to) =>
    draft.edge(from, command(edge.command), to, edge.span),
  );
  draft.exit.span = fn.exit.span;
  return {
    ...fn,
    name,
    copyOf: original,
    variables,
    parameters: fn.parameters.map(variable),
    resultVariable: fn.resultVariable && variable(fn.resultVariable),
    ...(fn.typedAccesses && {
      typedAccesses: fn.typedAccesses.map((access) => ({ ...access, address: expression(access.address) })),
    }),
    ...finish(draft, fn.exit.span),
  };
}
