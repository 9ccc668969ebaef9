import { anyInteger, exactly } from '../../../src/program/congruence';
import { NodeGraph } from '../../../src/semantics/pointers/nodeGraph';

const nodes = (graph: NodeGraph, count: number) => Array.from({ length: count }, () => graph.add());

test('a load finds what was stored at its offset, and nothing elsewhere', () => {
  const graph = new NodeGraph();
  const [list, element] = nodes(graph, 2);
  graph.store({ node: list!, at: exactly(8) }, { node: element!, at: exactly(0) });
  expect(graph.load(list!, exactly(8))?.node).toBe(element);
  expect(graph.load(list!, exactly(0))).toBeUndefined();
});

test('targets that one pointer may have become one node', () => {
  const graph = new NodeGraph();
  const [table, a, b] = nodes(graph, 3);
  graph.store({ node: table!, at: exactly(0) }, { node: a!, at: exactly(0) });
  graph.store({ node: table!, at: anyInteger }, { node: b!, at: exactly(4) });
  expect(graph.find(a!)).toBe(graph.find(b!));
  expect(graph.load(table!, exactly(0))).toMatchObject({ node: graph.find(a!), at: { residue: 0, modulus: 4 } });
});

test('unified nodes hold what each of them held', () => {
  const graph = new NodeGraph();
  const [a, b, x, y] = nodes(graph, 4);
  graph.store({ node: a!, at: exactly(0) }, { node: x!, at: exactly(0) });
  graph.store({ node: b!, at: exactly(8) }, { node: y!, at: exactly(0) });
  const one = graph.unify(a!, b!);
  expect(graph.roots()).toEqual([one, x, y]);
  expect(graph.load(b!, exactly(0))?.node).toBe(x);
  expect(graph.load(a!, exactly(8))?.node).toBe(y);
  expect(graph.reachable([a!])).toEqual(new Set([one, x, y]));
});

test('nodes that memory was laid out for stay apart', () => {
  const graph = new NodeGraph();
  const [a, b] = nodes(graph, 2);
  graph.settled = true;
  expect(() => graph.unify(a!, b!)).toThrow('stay apart');
  expect(graph.unify(a!, a!)).toBe(a);
});

test('a graph changes until what is stored is known', () => {
  const graph = new NodeGraph();
  const [list, element] = nodes(graph, 2);
  const store = () => graph.store({ node: list!, at: exactly(0) }, { node: element!, at: exactly(0) });
  store();
  graph.changed = false;
  store();
  expect(graph.changed).toBe(false);
});
