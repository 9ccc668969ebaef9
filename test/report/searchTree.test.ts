/** The picture of a search tree: chains as one box, kinds of leaves, what covers and closes them, and what is cut. */
import { chainsOf, drawTree, treeDotOf } from '../../src/report/html/drawTree';
import type { SearchNodeJson, SearchTreeJson } from '../../src/report/json/verdictJson';

const node = (id: number, parent: number | undefined, more: Partial<SearchNodeJson> = {}): SearchNodeJson => ({
  id,
  ...(parent !== undefined && { parent }),
  at: { file: 'm.c', line: id, column: 1 },
  pass: 0,
  kind: 'step',
  ...more,
});
const report = (tree: SearchNodeJson[]): SearchTreeJson => ({
  nodes: tree.length,
  final: tree.length,
  infeasible: 0,
  covered: 0,
  closed: 0,
  questions: 0,
  avoided: 0,
  seconds: 0,
  complete: true,
  tree,
  restarts: [],
});
const small = report([
  node(0, undefined),
  node(1, 0, { vector: [{ constraint: 'x <= 1', annotation: 'max' }] }),
  node(2, 1),
  node(3, 2, { label: ['a "odd" \\', 'b', 'c', 'd'] }),
  node(4, 3, { kind: 'closed', by: 1 }),
  node(5, 3, { kind: 'spurious', forgotten: true }),
  node(6, 1, { kind: 'infeasible', label: ['x <= 1'] }),
]);

test('chains are one box; heads, leaves and what covers have boxes of their own', () => {
  const shown = small.tree.filter(({ forgotten }) => !forgotten);
  const chains = chainsOf(shown);
  expect(chains.map((chain) => chain.map(({ id }) => id))).toEqual([[0], [1], [2, 3], [4], [6]]);
  const dot = treeDotOf(chains);
  expect(dot).toContain('n2 [id="n2" class="goal step" label="2: line 2 to line 3, 2 nodes"');
  expect(dot).toMatch(/n1 \[.* shape=octagon/);
  expect(dot).toContain('n2 -> n4 [class="move step"]');
  expect(dot).toContain('n4 -> n1 [class="move closed" constraint=false]');
  expect(dot).not.toContain('n5');
});

test('a small tree is drawn, a large one is listed', async () => {
  const { svg, note } = await drawTree(small);
  expect(svg).toMatch(/^<svg/);
  expect(note).toBeNull();
  const large = report(Array.from({ length: 500 }, (_, id) => node(id, id === 0 ? undefined : (id - 1) >> 1)));
  const listed = await drawTree({ ...large, complete: false });
  expect(listed.svg).toBeNull();
  expect(listed.note).toBe(
    '499 boxes are too many to draw; the nodes are listed below. The tree is larger: 500 nodes are shown.',
  );
});
