/** Cutpoints: the locations that have abstract states. See docs/how-it-works.md; ISSTA 2006, section 3. */
import type { Command } from '../command';
import type { Edge, FunctionDefinition, Location } from '../program';

export interface CutpointOptions {
  /** Every C label is a cutpoint (the paper's small examples). */
  readonly labels?: boolean;
  /** Adds a cutpoint before each check edge. */
  readonly checks?: boolean;
  /**
   * Adds cutpoints at the beginnings of statements: before a command for which this holds, or before a branch. There is
   * none between a temporary value and its use.
   */
  readonly before?: (command: Command) => boolean;
  /** Adds cutpoints at both sides of each branch, and where edges meet. */
  readonly branches?: boolean;
  /** Calls of these functions are not cutpoints: symbolic execution goes through their bodies. */
  readonly inlined?: ReadonlySet<FunctionDefinition>;
  /** Calls that are commands like others: nothing is executed. */
  readonly dropped?: ReadonlySet<Edge>;
  /** Calls of unknown functions that are cutpoints like other calls. */
  readonly callsOut?: (command: Command) => boolean;
}

/**
 * Entry, exit and loop heads, and the ends of call edges whose function is not inlined or calls out. Every cycle of the
 * automaton contains a cutpoint, so the code between cutpoints is loop-free.
 */
export function cutpointsOf(fn: FunctionDefinition, options: CutpointOptions = {}): ReadonlySet<Location> {
  const cutpoints = new Set<Location>([fn.entry, fn.exit]);
  const inside = new Set(fn.edges.filter(({ command }) => makesTemporary(command)).map(({ to }) => to));
  for (const { command, to } of fn.edges) if (!makesTemporary(command)) inside.delete(to);
  if (options.branches) for (const location of endsOfBranches(fn)) cutpoints.add(location);
  for (const location of fn.locations) {
    if (location.isLoopHead) cutpoints.add(location);
    if (options.labels && location.label !== undefined) cutpoints.add(location);
    if (
      options.before &&
      !inside.has(location) &&
      (location.edges.length > 1 || location.edges.some(({ command }) => options.before!(command)))
    )
      cutpoints.add(location);
    for (const edge of location.edges) {
      const { command } = edge;
      if (command.kind === 'check' && options.checks) cutpoints.add(edge.from);
      if (
        (command.kind === 'call' &&
          options.dropped?.has(edge) !== true &&
          !command.targets.every((target) => options.inlined?.has(target))) ||
        options.callsOut?.(command)
      ) {
        cutpoints.add(edge.from).add(edge.to);
      }
    }
  }
  return cutpoints;
}

function endsOfBranches(fn: FunctionDefinition): ReadonlySet<Location> {
  const arriving = new Map<Location, number>();
  for (const { to } of fn.edges) arriving.set(to, (arriving.get(to) ?? 0) + 1);
  return new Set(fn.edges.filter(({ from, to }) => from.edges.length > 1 || arriving.get(to)! > 1).map(({ to }) => to));
}

function makesTemporary(command: Command): boolean {
  return 'target' in command && command.target?.kind === 'variable' && command.target.temporary;
}
