/**
 * Conditions that a function tested on its only way to a control point, and that nothing changes behind the test: `if
 * (count > 1000) return -1;` in front of a loop, or of a call, that does not mention `count`. They hold there, and
 * candidates about what is done with such a number behind the loop rest on them; no sample is needed to guess them.
 * Memory that was read, as in `if (count > SIZE - s->used)`, may have been written since. The condition of a loop holds
 * in the loops within it, if what it compares changes behind these, as in `for (i = 0; i < n; i++)`.
 */
import * as L from '../../../logic/build';
import { sizeOf, symbolsOf } from '../../../logic/symbols';
import type { Term } from '../../../logic/term';
import { conjuncts } from '../../../semantics/symbolic/segment';
import type { Vocabulary } from '../../../semantics/symbolic/vocabulary';
import { FreshSymbols } from '../../../semantics/symbolic/symbolicValues';
import type { Edge, FunctionDefinition, Location } from '../../../program/program';
import { targetOf, variablesIn } from '../../../program/traverse';
import type { Variable } from '../../../program/expression';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { relevanceOf } from '../observables';

const limits = {
  /** At one control point. */
  conditions: 16,
  /** Nodes of one about variables alone, and of one that reads memory. */
  nodes: 16,
  nodesWithMemory: 64,
} as const;

/** Per control point within a function. */
export function conditionsOnTheWay(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, readonly Term[]>();
  const branches = new Map<FunctionDefinition, readonly Branch[]>();
  const relevance = relevanceOf(system);
  for (const point of system.points) {
    if (point.kind === 'entry' || point.kind === 'exit' || point.kind === 'module') continue;
    const { fn, location } = point;
    let all = branches.get(fn);
    if (!all) branches.set(fn, (all = branchesOf(fn, system)));
    const isOnTheWay = ({ taken, untested }: Branch): boolean => taken.has(location) && !untested.has(location);
    const terms = all.flatMap((branch) =>
      isOnTheWay(branch) && branch.variables.every((variable) => relevance.at(location, variable)) ? branch.terms : [],
    );
    found.set(point, [...new Set(terms)].slice(-limits.conditions));
  }
  return found;
}

interface Branch {
  readonly terms: readonly Term[];
  readonly variables: readonly Variable[];
  /** Locations behind it. */
  readonly taken: ReadonlySet<Location>;
  /** Locations to which ways lead without it, from the entry or from an assignment of a variable. */
  readonly untested: ReadonlySet<Location>;
}

/** Tests of variables. A call may change those of the module: then the test is no invariant behind it. */
function branchesOf(fn: FunctionDefinition, { vocabulary, builder, weakening }: TransitionSystem): readonly Branch[] {
  const assignments = new Map<Variable, Edge[]>();
  for (const edge of fn.edges) {
    const target = targetOf(edge.command);
    if (target) assignments.set(target, [...(assignments.get(target) ?? []), edge]);
  }
  const state = vocabulary.arbitraryState(fn, new FreshSymbols('tested'));
  return fn.locations.flatMap(({ edges }) =>
    edges.length < 2
      ? []
      : edges.flatMap((edge): Branch[] => {
          const { command } = edge;
          if (command.kind !== 'assume' || weakening.dropped.has(edge)) return [];
          const variables = [...variablesIn(command.condition)];
          const terms = conjuncts(builder.condition(command.condition, state)).filter(
            (term) => term !== L.TRUE && isShort(term, vocabulary),
          );
          if (terms.length === 0) return [];
          const changes = variables.flatMap((variable) => assignments.get(variable) ?? []);
          const untested = behind([...fn.entry.edges, ...changes], edge);
          return [{ terms, variables, taken: behind([edge]), untested }];
        }),
  );
}

function isShort(term: Term, vocabulary: Vocabulary): boolean {
  const kinds = new Set([...symbolsOf(term)].map((symbol) => vocabulary.meaning(symbol)?.kind));
  if (kinds.has(undefined)) return false;
  return sizeOf(term) <= (kinds.has('memory') ? limits.nodesWithMemory : limits.nodes);
}

/** Locations behind the edges, on ways without the edge `test`. */
function behind(edges: readonly Edge[], test?: Edge): ReadonlySet<Location> {
  const found = new Set<Location>();
  const add = (all: readonly Edge[]): void => {
    for (const edge of all) if (edge !== test) found.add(edge.to);
  };
  add(edges);
  for (const location of found) add(location.edges);
  return found;
}
