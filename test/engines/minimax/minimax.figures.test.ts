/**
 * The figures of the paper in programs of our own: which labels cover, how trees grow with the program, how often loops
 * are locked.
 */
import { additions, called, counted, exclusive, locked } from './figures';
import { treeOf } from './treeOf';
import { inLongForm, isLong } from '../../long';

jest.setTimeout(120_000);

test('figure 1: what is infeasible is remembered as a bound, and covers the other paths', async () => {
  const { answer, statistics, labelsIn, events } = await treeOf(exclusive);
  expect(answer).toBe('certified');
  expect(labelsIn(7)).toEqual([['total <= 5']]);
  expect(labelsIn(6)).toContainEqual(['total <= 5', 'key >= 1']);
  const covers = events.flatMap((event) => (event.kind === 'covered' ? [event.node] : []));
  expect(covers.length).toBe(2);
  const plain = await treeOf(exclusive, { interpolants: 'none' });
  expect(plain.answer).toBe('certified');
  expect(plain.statistics.nodes).toBeGreaterThanOrEqual(statistics.nodes * 2);
});

test('figure 1 with branches that do not exclude each other fails', async () => {
  const text = exclusive.replace('total = total + 2;', '{ total = total + 2; key = 0; }');
  expect((await treeOf(text)).answer).toBe('fails');
});

test.each(['precondition', 'halves', 'subset'] as const)('figure 2 takes one restart: %s', async (interpolants) => {
  const { answer, statistics, events } = await treeOf(locked, { interpolants });
  expect(answer).toBe('certified');
  expect(statistics.restarts).toBe(1);
  const closings = events.filter(({ kind }) => kind === 'closed');
  expect(closings.length).toBe(3);
});

test('figure 2 with infeasible successors first takes no restart, and fewer nodes', async () => {
  const [usual, other] = [await treeOf(locked), await treeOf(locked, { order: 'infeasible-first' })];
  expect(other.answer).toBe('certified');
  expect(other.statistics.restarts).toBe(0);
  expect(other.statistics.nodes).toBeLessThan(usual.statistics.nodes);
});

test('figure 2 with a loop that may be skipped fails', async () => {
  expect((await treeOf(locked.replace('next = last + 1', 'next = last'))).answer).toBe('fails');
});

test('figure 3(a): the label mentions what the check reads, and of nothing else', async () => {
  const { answer, labelsIn } = await treeOf(`void foo(void) {
    int guard, x, y;
    guard = 1;
    if (nondet()) x = 0; else x = 1;
    if (x > 0) y = 0; else y = 1;
    if (guard == 0) error();
  }`);
  expect(answer).toBe('certified');
  expect(labelsIn(5)).toContainEqual(['guard != 0']);
});

test('figure 3(b): of an equation the half that a round keeps is enough, and the loop is closed once', async () => {
  const { answer, statistics, labelsIn, events } = await treeOf(counted);
  expect(answer).toBe('certified');
  expect(statistics).toMatchObject({ restarts: 0, closed: 1 });
  expect(events.flatMap((event) => (event.kind === 'closed' ? event.dropped : [])).length).toBe(2);
  expect(labelsIn(5).flat()).toContain('y >= 0');
  expect((await treeOf(counted.replace('y = y + 1', 'y = y - 1'))).answer).toBe('fails');
});

test.each([
  ['constraints', { interpolants: 'subset' }],
  ['preconditions', { equations: 'whole' }],
] as const)('figure 3(b) with equations taken whole is locked again and again: %s', async (_, options) => {
  const { answer, statistics } = await treeOf(counted, { ...options, nodes: 60 });
  expect(answer).toBe('unknown');
  expect(statistics.restarts).toBeGreaterThan(1);
});

test('figure 3(d): the second half is covered where the halves meet, however much follows', async () => {
  const [small, large] = [await treeOf(called(3, 3)), await treeOf(called(6, 6))];
  for (const { answer } of [small, large]) expect(answer).toBe('certified');
  // Four nodes for each branch, as if there were one half.
  expect(large.statistics.nodes - small.statistics.nodes).toBe(3 * 4);
  expect((await treeOf(called(3, 2))).answer).toBe('fails');
});

test('figure 3(c): weakest preconditions need a number of nodes linear in the branches', async () => {
  const [small, middle, large] = [await treeOf(additions(5)), await treeOf(additions(10)), await treeOf(additions(20))];
  for (const { answer } of [small, middle, large]) expect(answer).toBe('certified');
  const [five, ten] = [
    middle.statistics.nodes - small.statistics.nodes,
    large.statistics.nodes - middle.statistics.nodes,
  ];
  expect(ten).toBe(2 * five);
  expect(large.statistics.restarts).toBe(0);
});

test('figure 3(c): constraints of the state need a quadratic number', async () => {
  const nodes = async (count: number): Promise<number> => {
    const { answer, statistics } = await treeOf(additions(count), { interpolants: 'subset' });
    expect(answer).toBe('certified');
    return statistics.nodes;
  };
  const [a, b, c] = [await nodes(3), await nodes(5), await nodes(7)];
  // The second difference of a quadratic function is constant and positive.
  expect(c - b).toBeGreaterThan(b - a);
});

test('figure 3(c) with a bound that one path reaches fails', async () => {
  expect((await treeOf(additions(12, 23))).answer).toBe('fails');
});

inLongForm('two hundred branches are followed with few queries', async () => {
  const { answer, statistics } = await treeOf(additions(200), { nodes: 10_000 });
  expect(answer).toBe('certified');
  expect(statistics.questions).toBeLessThan(statistics.nodes / 10);
});

test('a loop whose rounds constants decide is followed, and needs no invariant', async () => {
  const text = `void foo(void) {
    int i, seen;
    seen = 1; i = 0;
    while (i < 40) { i = i + 1; if (i == 25) seen = seen + 1; }
    if (seen == 0) error();
  }`;
  const followed = await treeOf(text, { decidedRounds: () => 130 });
  expect(followed.answer).toBe('certified');
  expect(followed.statistics).toMatchObject({ restarts: 0, closed: 0 });
});

test('the first round of a loop is another one: it is unrolled, the rest is closed', async () => {
  const text = `void foo(int n) {
    int isFirst, i, least, now;
    isFirst = 1; i = 0; least = 0;
    while (i < n) {
      now = nondet();
      if (isFirst) { least = now; isFirst = 0; } else if (now < least) least = now;
      if (least > now) error();
      i = i + 1;
    }
  }`;
  const { answer, statistics } = await treeOf(text);
  expect(answer).toBe('certified');
  expect(statistics.closed).toBeGreaterThan(0);
  expect(statistics.restarts).toBeLessThanOrEqual(1);
  expect((await treeOf(text.replace('isFirst = 0; } else', 'isFirst = 0; now = now - 1; } else'))).answer).toBe(
    'fails',
  );
});

/** Branches that constants decide, one after another, in a step of a generated automaton. */
const generated = (branches: number, limit: number): string =>
  [
    'void foo(void) {',
    '  int x = 0, state = 3, sum = 0;',
    ...Array.from({ length: branches }, (_, i) => {
      const other = (i % 5) + 4;
      return `  if (state == ${other}) { sum = sum + nondet(); x = x + ${i % 3}; state = ${other + 1}; }`;
    }),
    `  if (x > ${limit}) error();`,
    '}',
  ].join('\n');

test('TR-S: hundreds of infeasible branches take a node each, and no query', async () => {
  const branches = isLong ? 2000 : 60;
  const { answer, statistics } = await treeOf(generated(branches, 0), { nodes: 20_000 });
  expect([answer, statistics.infeasible]).toEqual(['certified', branches]);
  expect(statistics.nodes).toBeLessThanOrEqual(2 * branches + 5);
  expect(statistics.questions).toBe(0);
  expect((await treeOf(generated(branches, -1), { nodes: 20_000 })).answer).toBe('fails');
});
