/**
 * The picture of a partition: regions, the steps between them that tests have taken, those that are possible, and those
 * that were removed, and where the latest tests stopped. Large partitions are drawn without removed steps, and beyond
 * that only listed.
 */
import type { PartitionGraphJson } from '../json/verdictJson';
import { digraph, layOut, layoutMs, quoted, short } from './layOut';

export interface DrawnPartition {
  /** Null when there was too much to draw; `note` says so. */
  readonly svg: string | null;
  readonly note: string | null;
}

const drawnRegions = 80;
const drawnEdges = 200;
const labelParts = 3;

type Region = PartitionGraphJson['regions'][number];
type Edge = PartitionGraphJson['edges'][number];

export async function drawPartition(graph: PartitionGraphJson, timeoutMs = layoutMs): Promise<DrawnPartition> {
  const inner = new Set(graph.regions.filter(isShown).map(({ id }) => id));
  // Cut-off regions are shown where a removed step would lead to them.
  const cutOff = new Set(
    graph.edges
      .filter(({ from, to, kind }) => kind === 'removed' && inner.has(from) && !inner.has(to))
      .map(({ to }) => to),
  );
  const all = graph.regions.filter(({ id }) => inner.has(id) || cutOff.has(id));
  const regions = all.length <= drawnRegions ? all : graph.regions.filter(({ id }) => inner.has(id));
  const ids = new Set(regions.map(({ id }) => id));
  const edges = graph.edges.filter(
    ({ from, to, kind }) => ids.has(from) && ids.has(to) && (inner.has(from) || kind !== 'removed'),
  );
  const kept = edges.filter(({ kind }) => kind !== 'removed');
  const drawn = edges.length <= drawnEdges ? edges : kept.length <= drawnEdges ? kept : undefined;
  const svg =
    regions.length <= drawnRegions && drawn ? await layOut(partitionDotOf(regions, drawn), timeoutMs) : undefined;
  return {
    svg: svg ?? null,
    note:
      svg === undefined
        ? `${regions.length} regions are too many to draw; they are listed below.`
        : drawn !== edges
          ? `${edges.length - kept.length} removed steps are not drawn.`
          : graph.complete
            ? null
            : 'The partition is larger than this.',
  };
}

/** True if a test or an abstract path reaches the region, or it is the error. */
function isShown({ kind, states, reachable }: Region): boolean {
  return kind === 'error' || reachable || states > 0;
}

export function partitionDotOf(regions: readonly Region[], edges: readonly Edge[]): string {
  const error = new Set(regions.filter(({ kind }) => kind === 'error').map(({ id }) => id));
  const inner = new Set(regions.filter((region) => region.kind !== 'error' && isShown(region)).map(({ id }) => id));
  return digraph([
    ...regions.map((region) => (region.kind === 'error' ? errorNode(region) : regionNode(region))),
    ...edges.map(({ from, to, kind, frontier }) => {
      const failing =
        error.has(to) && inner.has(from) && kind !== 'removed'
          ? ` failing ${kind === 'taken' ? 'reached' : 'possible'}`
          : '';
      return (
        `r${from} -> r${to} [class="move ${kind === 'taken' ? 'tested' : kind}${failing}` +
        `${frontier ? ' frontier' : ''}"` +
        `${kind === 'removed' ? ` arrowhead=none${inner.has(to) ? ' constraint=false' : ''}` : ''}` +
        `${frontier ? ' label="  frontier" fontname=Arial fontsize=10' : ''}];`
      );
    }),
  ]);
}

function errorNode({ id, states, reachable }: Region): string {
  const [status, word] =
    states > 0
      ? ['reached', 'error']
      : reachable
        ? ['possible', 'possible error']
        : ['unreachable', 'error\nproved unreachable'];
  return `r${id} [id="r${id}" class="error ${status}" shape=octagon label=${quoted(word)}];`;
}

function regionNode({ id, kind, at, formula, states, reachable }: Region): string {
  const place = kind === 'start' ? 'start' : at ? `${at.function ?? ''} line ${at.line}`.trim() : 'between calls';
  const parts = formula === '' || formula === 'true' ? [] : conjuncts(formula);
  const lines = [
    place,
    ...parts.slice(0, labelParts).map(short),
    ...(parts.length > labelParts ? [`+ ${parts.length - labelParts} more`] : []),
    ...(kind === 'start'
      ? []
      : !reachable && states === 0
        ? ['cut off']
        : [states === 1 ? '1 state' : `${states} states`]),
  ];
  return (
    `r${id} [id="r${id}" class="state ` +
    `${states > 0 || kind === 'start' ? 'test' : reachable ? 'abstract' : 'cut-off'}" ` +
    `label=${quoted(lines.join('\n'))} tooltip=${quoted([place, ...parts].join('\n'))}];`
  );
}

/** The parts of a conjunction; what stands in parentheses stays together. */
export function conjuncts(formula: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let words: string[] = [];
  for (const word of formula.split(' ')) {
    if (word === '&&' && depth === 0) {
      parts.push(words.join(' '));
      words = [];
      continue;
    }
    depth +=
      [...word].filter((c) => c === '(' || c === '[').length - [...word].filter((c) => c === ')' || c === ']').length;
    words.push(word);
  }
  return [...parts, words.join(' ')];
}
