/**
 * Nodes and restarts beside those of the prototype. Our nodes are branches and the places where these meet, the
 * prototype's are statements: of the figures, ours are two thirds of its nodes or fewer. Restarts are the same.
 */
import { isLong } from '../../long';
import { type AcceptanceRow, figures, others } from './acceptancePrograms';
import { treeOf } from './treeOf';

jest.setTimeout(240_000);

/** Trees of more nodes are searched in the long form alone. */
const SMALL = 80;
/** Fifteen in a hundred, or five nodes. */
const withTolerance = (nodes: number): number => Math.max(nodes * 1.15, nodes + 5);

async function check({ text, nodes, restarts, twin, followed = 0 }: AcceptanceRow, share: number): Promise<void> {
  for (const kind of ['precondition', 'halves', 'subset'] as const) {
    const most = nodes[kind];
    if (most === undefined || (most > SMALL && !isLong)) continue;
    const { answer, statistics } = await treeOf(text, {
      interpolants: kind,
      calls: 'stacks',
      decidedRounds: () => followed,
    });
    expect([kind, answer, statistics.restarts]).toEqual([kind, 'certified', restarts]);
    expect(statistics.nodes).toBeLessThanOrEqual(withTolerance(most * share));
  }
  if (!twin || (twin.nodes > SMALL && !isLong)) return;
  const { answer, statistics } = await treeOf(twin.text, { calls: 'stacks' });
  expect(answer).toBe('fails');
  expect(statistics.nodes).toBeLessThanOrEqual(withTolerance(twin.nodes));
}

const rows = (table: Readonly<Record<string, AcceptanceRow>>): [string, AcceptanceRow][] =>
  Object.entries(table).filter(([, { nodes }]) => isLong || nodes.precondition <= SMALL);

test.each(rows(figures))('%s', (_, row) => check(row, 2 / 3));
test.each(rows(others))('%s', (_, row) => check(row, 1));
