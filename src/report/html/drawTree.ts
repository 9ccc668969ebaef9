/**
 * The picture of a search tree: nodes of the last pass, chains without branches as one box, dashed arrows to what
 * covers and closes. Large trees are only listed.
 */
import type { SearchNodeJson, SearchTreeJson } from '../json/verdictJson';
import { digraph, layOut, layoutMs, quoted, short } from './layOut';

export interface DrawnTree {
  /** Null when there was too much to draw; `note` says so. */
  readonly svg: string | null;
  readonly note: string | null;
}

const drawnBoxes = 80;
const labelParts = 3;

/** Nodes one below the other of which each but the last has one successor. */
type Chain = readonly [SearchNodeJson, ...SearchNodeJson[]];

export async function drawTree(tree: SearchTreeJson, timeoutMs = layoutMs): Promise<DrawnTree> {
  const chains = chainsOf(tree.tree.filter(({ forgotten }) => forgotten === undefined));
  const svg = chains.length <= drawnBoxes ? await layOut(treeDotOf(chains), timeoutMs) : undefined;
  const notes = [
    ...(svg === undefined ? [`${chains.length} boxes are too many to draw; the nodes are listed below.`] : []),
    ...(tree.complete ? [] : [`The tree is larger: ${tree.tree.length} nodes are shown.`]),
  ];
  return { svg: svg ?? null, note: notes.length === 0 ? null : notes.join(' ') };
}

export function chainsOf(nodes: readonly SearchNodeJson[]): readonly Chain[] {
  const below = new Map<number, SearchNodeJson[]>();
  for (const node of nodes) {
    if (node.parent === undefined) continue;
    const list = below.get(node.parent);
    if (list) list.push(node);
    else below.set(node.parent, [node]);
  }
  // Targets of covers, and nodes with the most to say, have boxes of their own.
  const named = new Set(nodes.flatMap(({ by }) => (by === undefined ? [] : [by])));
  const begins = (node: SearchNodeJson): boolean =>
    node.parent === undefined || below.get(node.parent)!.length > 1 || named.has(node.id) || isNotable(node);
  return nodes.filter(begins).map((first): Chain => {
    const chain: [SearchNodeJson, ...SearchNodeJson[]] = [first];
    for (let last = first; ;) {
      const next = below.get(last.id) ?? [];
      if (next.length !== 1 || begins(next[0]!)) return chain;
      chain.push((last = next[0]!));
    }
  });
}

const isNotable = ({ kind, vector }: SearchNodeJson): boolean => kind !== 'step' || vector !== undefined;

export function treeDotOf(chains: readonly Chain[]): string {
  const chainOf = new Map(chains.flatMap((chain) => chain.map((node) => [node.id, chain[0].id] as const)));
  const arrow = (to: number, node: number, what: string): string =>
    `n${chainOf.get(node)!} -> n${to} [class="move ${what}"${what === 'step' ? '' : ` constraint=false`}];`;
  return digraph([
    ...chains.map(box),
    ...chains.flatMap(([{ id, parent }]) => (parent === undefined ? [] : [arrow(id, parent, 'step')])),
    ...chains.flatMap((chain) =>
      chain.flatMap(({ id, kind, by }) =>
        by !== undefined && chainOf.has(by) ? [arrow(chainOf.get(by)!, id, kind)] : [],
      ),
    ),
  ]);
}

function box(chain: Chain): string {
  const [first] = chain;
  const last = chain[chain.length - 1]!;
  const place = (node: SearchNodeJson): string =>
    node.parent === undefined ? 'start' : node.at ? `line ${node.at.line}` : node.kind === 'end' ? 'end' : 'error';
  const where = chain.length === 1 ? place(first) : `${place(first)} to ${place(last)}, ${chain.length} nodes`;
  const what = first.kind === 'step' ? [] : [first.by === undefined ? first.kind : `${first.kind} by ${first.by}`];
  const parts = first.label ?? [];
  const lines = [
    `${first.id}: ${where}`,
    ...what,
    ...parts.slice(0, labelParts).map(short),
    ...(parts.length > labelParts ? [`+ ${parts.length - labelParts} more`] : []),
  ];
  const shape = first.vector ? ' shape=octagon' : '';
  return (
    `n${first.id} [id="n${first.id}" class="goal ${first.kind}"${shape} label=${quoted(lines.join('\n'))} ` +
    `tooltip=${quoted([where, ...what, ...parts].join('\n'))}];`
  );
}
