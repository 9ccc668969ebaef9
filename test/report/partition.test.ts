/**
 * The picture of a partition: what tests took, what is possible, what was removed, and where tests stopped; large ones
 * are only listed.
 */
import { conjuncts, drawPartition, partitionDotOf } from '../../src/report/html/drawPartition';
import type { PartitionGraphJson } from '../../src/report/json/verdictJson';

const graph: PartitionGraphJson = {
  complete: true,
  runs: 1,
  states: 3,
  regions: [
    { id: 0, kind: 'start', formula: 'true', states: 0, reachable: true },
    {
      id: 1,
      kind: 'point',
      at: { file: 'm.c', line: 4, column: 1, function: 'f' },
      formula: '!(x == 1 && y == 2) && x < 9',
      states: 3,
      reachable: true,
    },
    {
      id: 2,
      kind: 'point',
      at: { file: 'm.c', line: 4, column: 1, function: 'f' },
      formula: 'x == 1 && y == 2',
      states: 0,
      reachable: true,
    },
    {
      id: 3,
      kind: 'point',
      at: { file: 'm.c', line: 7, column: 1, function: 'f' },
      formula: 'x "odd" \\',
      states: 0,
      reachable: false,
    },
    { id: 4, kind: 'error', formula: 'true', states: 0, reachable: false },
  ],
  edges: [
    { from: 0, to: 1, kind: 'taken', frontier: false },
    { from: 1, to: 2, kind: 'possible', frontier: true },
    { from: 1, to: 4, kind: 'removed', frontier: false },
    { from: 1, to: 3, kind: 'possible', frontier: false },
  ],
};

test('regions, steps and the frontier have styles of their own', async () => {
  const dot = partitionDotOf(graph.regions, graph.edges);
  expect(dot).toContain('class="state test" label="f line 4\\n!(x == 1 && y == 2)\\nx < 9\\n3 states"');
  expect(dot).toContain('class="state abstract"');
  expect(dot).toMatch(/r1 -> r2 \[class="move possible frontier".*frontier/);
  expect(dot).toMatch(/r1 -> r4 \[class="move removed"/);
  expect(dot).toContain('class="error unreachable"');
  const { svg, note } = await drawPartition(graph);
  expect(note).toBeNull();
  expect(svg).toMatch(/^<svg/);
  // What is reached neither by a test nor by a path of regions is left out, but for the error.
  expect(svg).toContain('id="r4"');
  expect(svg).not.toContain('id="r3"');
});

test('a bug in the graph, and a failure that is not ruled out', () => {
  const as = (changes: object): string => partitionDotOf([{ ...graph.regions[4]!, ...changes }], []);
  expect(as({ states: 1, reachable: true })).toContain('class="error reached"');
  expect(as({ states: 0, reachable: true })).toContain('class="error possible"');
});

test('a graph that is too large is replaced by a note', async () => {
  const regions = Array.from({ length: 100 }, (_, id) => ({ ...graph.regions[1]!, id }));
  expect(await drawPartition({ ...graph, regions, edges: [] })).toEqual({
    svg: null,
    note: '100 regions are too many to draw; they are listed below.',
  });
  const few = Array.from({ length: 20 }, (_, id) => ({ ...graph.regions[1]!, id }));
  const removed = few.flatMap(({ id: from }) =>
    few.map(({ id: to }) => ({ from, to, kind: 'removed' as const, frontier: false })),
  );
  const { svg, note } = await drawPartition({ ...graph, regions: few, edges: removed });
  expect(svg).toMatch(/^<svg/);
  expect(note).toBe('400 removed steps are not drawn.');
});

test('a conjunction has parts, and parentheses hold together', () => {
  expect(conjuncts('a && !(b && c[d && e]) && f')).toEqual(['a', '!(b && c[d && e])', 'f']);
  expect(conjuncts('true')).toEqual(['true']);
});
