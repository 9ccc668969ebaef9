/**
 * The picture of the abstract states. Many states are drawn as one node per place, and beyond that only listed. Colours
 * are classes, which the page's style sheet fills in.
 */
import type { StateGraph, StateSource } from '../../explanation';
import { digraph, layOut, layoutMs, quoted, short } from './layOut';
import { nearestBounds } from '../nearestBounds';

export interface DrawnStates {
  /** Null when there was too much to draw; `note` says so. */
  readonly svg: string | null;
  readonly note: string | null;
  /** All states the picture is about, up to a limit; `id`s are those of the nodes. */
  readonly states: readonly {
    readonly id: string;
    readonly place: string;
    readonly line: number;
    readonly conditions: readonly string[];
    readonly source: StateSource;
    readonly example: string;
  }[];
  readonly counts: Readonly<Record<StateSource, number>>;
  readonly errors: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly checks: number;
  }[];
}

const drawnOneByOne = 60;
const drawnMoves = 160;
const listedStates = 2000;
const labelConditions = 4;

export async function drawStates(graph: StateGraph, timeoutMs = layoutMs): Promise<DrawnStates> {
  const small = graph.states.length + graph.errors.length <= drawnOneByOne && graph.moves.length <= drawnMoves;
  const detailed = small ? await layOut(dotOf(graph), timeoutMs) : undefined;
  const svg =
    detailed ?? (graph.points.length <= drawnOneByOne ? await layOut(summaryDotOf(graph), timeoutMs) : undefined);
  const counts = { test: 0, fabricated: 0, run: 0, abstract: 0 };
  for (const { source } of graph.states) counts[source]++;
  return {
    svg: svg ?? null,
    counts,
    note:
      svg === undefined
        ? `${graph.states.length} states at ${graph.points.length} places are too many to draw; they are listed below.`
        : detailed === undefined
          ? `${graph.states.length} states are too many to draw one by one: each box is a place with its states. ` +
            'They are listed below.'
          : graph.complete
            ? null
            : 'Only moves that were seen in runs are drawn.',
    states: graph.states.slice(0, listedStates).map(({ point, valuation, source, example }, i) => ({
      id: `s${i}`,
      place: graph.points[point]!.name,
      line: graph.points[point]!.place.line,
      conditions: conditionsOf(graph, point, valuation),
      source,
      example: example.map(({ name, value }) => `${name} = ${value}`).join(', '),
    })),
    errors: graph.errors.map(({ name, status, checks }, i) => ({ id: `e${i}`, name, status, checks })),
  };
}

/** Conditions of a state; of several bounds of one quantity the nearest. */
function conditionsOf(
  graph: StateGraph,
  point: number,
  valuation: string,
  of: (predicate: number) => boolean = () => true,
): string[] {
  return nearestBounds(
    graph.points[point]!.predicates.flatMap(({ text, negated }, i) =>
      of(i) ? [valuation[i] === '1' ? text : negated] : [],
    ),
  );
}

/** A node per abstract state. */
export function dotOf(graph: StateGraph): string {
  const differing = graph.points.map((_, point) => differingPredicates(graph, point));
  const nodes = graph.states.map(({ point, valuation, source }, i) => {
    const { name, predicates } = graph.points[point]!;
    const conditions = conditionsOf(graph, point, valuation);
    // Conditions that distinguish it from neighbours at the same place; probes first.
    const shown = [true, false].flatMap((probe) =>
      conditionsOf(graph, point, valuation, (k) => differing[point]!.has(k) && predicates[k]!.probe === probe),
    );
    const lines = [
      name,
      ...shown.slice(0, labelConditions).map(short),
      ...(shown.length > labelConditions ? [`+ ${shown.length - labelConditions} more`] : []),
    ];
    return (
      `s${i} [id="s${i}" class="state ${source}" label=${quoted(lines.join('\n'))} ` +
      `tooltip=${quoted([name, ...conditions].join('\n'))}];`
    );
  });
  return digraph([
    ...nodes,
    ...errorNodes(graph),
    ...inRows(unconnectedStates(graph)),
    ...graph.moves.map(
      ({ from, to, tested }) => `s${from} -> s${to} [class="move ${tested ? 'tested' : 'possible'}"];`,
    ),
    ...graph.errors.flatMap(({ from, status }, i) =>
      from.map(
        (state) =>
          `s${state} -> e${i} [class="move failing ${status}"${status === 'unreachable' ? ' arrowhead=none' : ''}];`,
      ),
    ),
  ]);
}

/** States that no move that is drawn leads to or from. */
function unconnectedStates({ states, moves, errors }: StateGraph): number[] {
  const connected = new Set([...moves.flatMap(({ from, to }) => [from, to]), ...errors.flatMap(({ from }) => from)]);
  return states.flatMap((_, i) => (connected.has(i) ? [] : [i]));
}

const columns = 4;

/** Below one another, where they would stand in one long row. */
function inRows(states: readonly number[]): string[] {
  return states.slice(columns).map((state, i) => `s${states[i]} -> s${state} [style=invis];`);
}

/** A node per place, with how many states it has. */
export function summaryDotOf(graph: StateGraph): string {
  const used = graph.points.map((_, point) => graph.states.filter((state) => state.point === point));
  const moves = new Map<string, boolean>();
  for (const { from, to, tested } of graph.moves) {
    const key = `p${graph.states[from]!.point} -> p${graph.states[to]!.point}`;
    moves.set(key, tested || moves.get(key) === true);
  }
  return digraph([
    ...graph.points.flatMap(({ name }, i) => {
      const states = used[i]!;
      if (states.length === 0) return [];
      const tested = states.filter(({ source }) => source === 'test').length;
      const kind: StateSource = tested === states.length ? 'test' : tested > 0 ? 'run' : 'fabricated';
      return [
        `p${i} [id="p${i}" class="state ${kind}" ` +
          `label=${quoted(`${name}\n${states.length} state${states.length === 1 ? '' : 's'}, tests: ${tested}`)}];`,
      ];
    }),
    ...errorNodes(graph),
    ...[...moves].map(([key, tested]) => `${key} [class="move ${tested ? 'tested' : 'possible'}"];`),
    ...graph.errors.flatMap(({ from, status }, i) =>
      [...new Set(from.map((state) => graph.states[state]!.point))].map(
        (point) =>
          `p${point} -> e${i} [class="move failing ${status}"${status === 'unreachable' ? ' arrowhead=none' : ''}];`,
      ),
    ),
  ]);
}

function errorNodes(graph: StateGraph): string[] {
  const word = { reached: 'error', possible: 'possible error', unreachable: 'proved unreachable' } as const;
  return graph.errors.map(({ name, status, checks }, i) => {
    const count = status === 'unreachable' ? `${checks} check${checks === 1 ? '' : 's'} of ` : '';
    const label = quoted(`${word[status]}\n${count}${name}`);
    return `e${i} [id="e${i}" class="error ${status}" shape=octagon label=${label}];`;
  });
}

/** Predicates that are not the same in all states at the point; all, when there is one state only. */
function differingPredicates(graph: StateGraph, point: number): ReadonlySet<number> {
  const states = graph.states.filter((state) => state.point === point);
  const all = graph.points[point]!.predicates.map((_, k) => k);
  return new Set(
    states.length < 2 ? all : all.filter((k) => new Set(states.map(({ valuation }) => valuation[k])).size > 1),
  );
}
