/**
 * Call-backs: a function without a body may call every function that it can name or has the address of. Their effects
 * are part of its own. The functions of a module must be safe in every state that a client meets; the state in which
 * the unknown function is called is one of these.
 */
import type { Expression } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';

export interface CallBacks {
  /** The names of the unknown functions that may call back. */
  readonly by: ReadonlySet<string>;
  /** Functions they may call: a module's entries, which are analysed for every state that clients meet, */
  readonly entries: readonly FunctionDefinition[];
  /** and functions of which only the effects count. */
  readonly others: readonly FunctionDefinition[];
}

export const noCallBacks: CallBacks = { by: new Set(), entries: [], others: [] };

/**
 * Targets of callbacks by unknown functions: a module's entries, else every function with a name for other files but
 * `main`; and those whose address is a value. Of a program, functions that take pointers are left out: what they would
 * be given is not known (`takingPointers` names them for the verdict).
 */
export function callBackTargets(
  program: Program,
  mode: 'module' | 'program',
  entries: readonly FunctionDefinition[],
): Omit<CallBacks, 'by'> & { readonly takingPointers: readonly FunctionDefinition[] } {
  const taken = addressTaken(program);
  const named =
    mode === 'module' ? entries : program.functions.filter((fn) => fn.linkage === 'external' && fn.name !== 'main');
  const all = program.functions.filter((fn) => !fn.library && (named.includes(fn) || taken.has(fn.number)));
  const own = mode === 'module' ? entries : [];
  const others = all.filter((fn) => !own.includes(fn));
  const takesPointers = (fn: FunctionDefinition): boolean => fn.parameters.some(({ type }) => type.kind === 'pointer');
  return {
    entries: own,
    others: others.filter((fn) => !takesPointers(fn)),
    takingPointers: others.filter(takesPointers),
  };
}

/** Numbers of functions whose address is used otherwise than to call them at once. */
export function addressTaken(program: Program): ReadonlySet<number> {
  const functions = new Set<FunctionDefinition>(program.functions);
  const taken = new Set<number>();
  const look = (expression: Expression): void =>
    walk(expression, (e) => {
      if (e.kind === 'address' && e.of.kind === 'function' && functions.has(e.of)) taken.add(e.of.number);
    });
  for (const fn of program.functions) for (const { command } of fn.edges) expressionsOf(command).forEach(look);
  for (const { initial } of program.globals) if (initial) look(initial);
  for (const { relocations } of program.objects) for (const { value } of relocations) look(value);
  return taken;
}
