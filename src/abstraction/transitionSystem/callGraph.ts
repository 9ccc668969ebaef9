/** Who calls whom, and what of it is stepped into. */
import type { Command } from '../../program/command';
import type { Edge, FunctionDefinition, Program } from '../../program/program';
import type { Weakening } from '../../program/automata/weakening';
import type { CallBacks } from '../../semantics/pointers/callbacks';

export type CallGraph = ReadonlyMap<FunctionDefinition, ReadonlySet<FunctionDefinition>>;

/** `dropped`: calls that are left out. */
export function callGraph(program: Program, callBacks: CallBacks, dropped: ReadonlySet<Edge> = new Set()): CallGraph {
  const called = (command: Command): readonly FunctionDefinition[] => {
    if (command.kind === 'call') return command.targets;
    return command.kind === 'external' && callBacks.by.has(command.name)
      ? [...callBacks.entries, ...callBacks.others]
      : [];
  };
  return new Map(
    program.functions.map((fn) => [
      fn,
      new Set(fn.edges.flatMap((edge) => (dropped.has(edge) ? [] : called(edge.command)))),
    ]),
  );
}

export function recursiveFunctions(program: Program, graph: CallGraph): ReadonlySet<FunctionDefinition> {
  return new Set(program.functions.filter((fn) => reachable(graph.get(fn)!, graph).has(fn)));
}

/** The given functions and all that calls lead to from them. */
export function reachable(from: Iterable<FunctionDefinition>, graph: CallGraph): ReadonlySet<FunctionDefinition> {
  const seen = new Set(from);
  // A set is gone through with what is added on the way.
  for (const fn of seen) for (const called of graph.get(fn) ?? []) seen.add(called);
  return seen;
}

/**
 * Functions whose whole execution fits in a segment: no loop, no recursion, and only such callees; not larger than 200
 * edges all told.
 */
export function inlinable(
  program: Program,
  recursive: ReadonlySet<FunctionDefinition>,
  callsOut: (command: Command) => boolean,
  dropped: ReadonlySet<Edge>,
): ReadonlySet<FunctionDefinition> {
  const size = new Map<FunctionDefinition, number>();
  const visiting = new Set<FunctionDefinition>();
  const measure = (fn: FunctionDefinition): number => {
    const known = size.get(fn);
    if (known !== undefined) return known;
    if (
      visiting.has(fn) ||
      recursive.has(fn) ||
      fn.locations.some((location) => location.isLoopHead) ||
      fn.edges.some(({ command }) => callsOut(command))
    )
      return Infinity;
    visiting.add(fn);
    let total = fn.edges.length;
    for (const edge of fn.edges) {
      const { command } = edge;
      if (command.kind !== 'call' || dropped.has(edge)) continue;
      for (const target of command.targets) total += measure(target);
    }
    visiting.delete(fn);
    size.set(fn, total);
    return total;
  };
  return new Set(program.functions.filter((fn) => measure(fn) <= 200));
}

/** The roots and what they call by summary, through inlined bodies too. */
export function analyseCalls(
  program: Program,
  roots: readonly FunctionDefinition[],
  inlined: ReadonlySet<FunctionDefinition>,
  dropped: ReadonlySet<Edge>,
): readonly FunctionDefinition[] {
  const wanted = new Set(roots);
  const work = [...roots];
  for (let fn = work.pop(); fn; fn = work.pop()) {
    for (const edge of fn.edges) {
      const { command } = edge;
      if (command.kind !== 'call' || dropped.has(edge) || command.targets.every((target) => inlined.has(target)))
        continue;
      for (const target of command.targets)
        if (!wanted.has(target)) {
          wanted.add(target);
          work.push(target);
        }
    }
  }
  return program.functions.filter((fn) => wanted.has(fn));
}

/**
 * The weakening, but for dropped calls that matter to more than the state they lead to: something is asked on the way,
 * or a function without a body is called that may call back. The same for what clients call.
 */
export function keepingCallsThatMatter(
  weakening: Weakening,
  graph: CallGraph,
  matters: (fn: FunctionDefinition) => boolean,
): Required<Weakening> {
  const matter = (functions: readonly FunctionDefinition[]): boolean => [...reachable(functions, graph)].some(matters);
  const dropped = new Set(
    [...weakening.dropped].filter(({ command }) => command.kind !== 'call' || !matter(command.targets)),
  );
  const silent = new Set([...(weakening.silent ?? [])].filter((fn) => !matter([fn])));
  return { ...weakening, dropped, silent };
}
