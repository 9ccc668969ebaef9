/**
 * A program in which some commands are executed as weaker ones. A weaker command allows everything that the command
 * allows, so every execution of the program is one of the weakened program: its invariants hold, and a check that
 * cannot fail there cannot fail. Nothing about dependences has to be trusted for that.
 *
 *   a branch          either way, if one of its edges is dropped
 *   assign            any value of the type
 *   store, copy, fill any contents of the memory that may be written
 *   call              anything that the functions may change, and any result
 *   check             passed
 *   call of a client  anything that the function may change, if it is silent
 *
 * All other commands are executed as they are. What is known of the program's pointers and effects stays that of the
 * program as it is.
 */
import { type Check, type CheckKind, isChecked, type Property } from '../command';
import type { Edge, FunctionDefinition } from '../program';

export interface Weakening {
  readonly dropped: ReadonlySet<Edge>;
  /** Checks that are assumed to hold: that they do is shown elsewhere. */
  readonly assumed: ReadonlySet<Edge>;
  /** Entries of a module of which nothing is executed when a client calls them; default none. */
  readonly silent?: ReadonlySet<FunctionDefinition>;
}

export const noWeakening: Weakening = { dropped: new Set(), assumed: new Set() };

/** True if the edge has a check in force that the weakened program still has to pass. */
function isAsked(
  edge: Edge,
  { dropped, assumed }: Weakening,
  checkedProperties: ReadonlySet<Property | CheckKind>,
): edge is Edge & { readonly command: Check } {
  const { command } = edge;
  return command.kind === 'check' && isChecked(command, checkedProperties) && !dropped.has(edge) && !assumed.has(edge);
}

/** The checks of the function that the weakened program still has to pass. */
export function askedChecks(
  { edges }: FunctionDefinition,
  weakening: Weakening,
  checkedProperties: ReadonlySet<Property | CheckKind>,
): readonly Check[] {
  return edges.flatMap((edge) => (isAsked(edge, weakening, checkedProperties) ? [edge.command] : []));
}

/** Weaker in that all checks of these functions but some are assumed to hold. */
export function askedOnly(
  kept: ReadonlySet<Check>,
  weakening: Weakening,
  functions: Iterable<FunctionDefinition>,
): Weakening {
  const assumed = new Set(weakening.assumed);
  for (const { edges } of functions)
    for (const edge of edges) if (edge.command.kind === 'check' && !kept.has(edge.command)) assumed.add(edge);
  return { ...weakening, assumed };
}

/**
 * The weakening, but for what stands before the preconditions of these functions, and these themselves: clients keep to
 * them however weak the rest of the program is. Calls stay as weak as they are.
 */
export function withPreconditions(
  { dropped, assumed }: Weakening,
  functions: readonly FunctionDefinition[],
): Pick<Weakening, 'dropped' | 'assumed'> {
  if (dropped.size === 0 && assumed.size === 0) return { dropped, assumed };
  const kept = new Set(functions.flatMap(({ edges }) => [...beforePreconditions(edges)]));
  const without = (edges: ReadonlySet<Edge>): ReadonlySet<Edge> =>
    new Set([...edges].filter((edge) => !kept.has(edge)));
  return { dropped: without(dropped), assumed: without(assumed) };
}

/** Edges of a function that lead to one of its preconditions. */
function beforePreconditions(edges: readonly Edge[]): ReadonlySet<Edge> {
  const isPrecondition = ({ command }: Edge): boolean => command.kind === 'check' && command.check === 'precondition';
  const found = new Set(edges.filter(isPrecondition));
  const into = new Map<Edge['from'], Edge[]>();
  for (const edge of edges) into.set(edge.to, [...(into.get(edge.to) ?? []), edge]);
  // Grows as it is read.
  for (const { from } of found)
    for (const edge of into.get(from) ?? []) if (edge.command.kind !== 'call') found.add(edge);
  return found;
}
