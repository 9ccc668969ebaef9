/** What is told of the iterations, and runs that are cut. */
import { verify } from '../../../src';
import { refineFixture } from '../refining';
import { file, fixture, task } from '../task';

jest.setTimeout(120_000);

test('iterations are printed in the notation of the paper, with their frontier and the step taken', async () => {
  const lines: string[] = [];
  const verdict = await verify(
    task(fixture('papers/synergy/fig7.c'), {
      mode: 'program',
      entries: ['entry'],
      properties: ['reach'],
      engine: 'synergy',
    }),
    { trace: (line) => lines.push(line) },
  );
  expect(verdict.kind).toBe('bug');
  expect(lines[0]).toMatch(/^places: 0 = line 5, /);
  expect(lines.filter((line) => line.startsWith('iteration'))).toEqual([
    'iteration 1: (0, error), frontier 0',
    'iteration 2: (0 | error), frontier 1',
  ]);
  expect(lines[lines.length - 1]).toMatch(/^ {2}test at 0: a test goes on: entry\(10, /);
});

test('a run that does not end is cut, and its states count', async () => {
  const { result, refinement, scenario } = await refineFixture(
    file(`
    extern void error(void);
    void entry(int a) { int i = 0; while (a != 1234567) { i = i < 5 ? i + 1 : 0; } error(); }`),
    { choice: 'oldest' },
  );
  expect(result.kind).toBe('fail');
  expect(refinement.statistics.cutRuns).toBe(1);
  const [cut, next] = refinement.forest.runs;
  expect(cut!.ending.kind).toBe('cut');
  expect(cut!.count).toBeGreaterThan(10);
  // The second test starts from what the first one met.
  expect(next!.ending.kind).toBe('fault');
  expect(next!.errorState).toBe(next!.first + next!.count - 1);
  expect(scenario!.calls[0]!.arguments).toEqual([{ kind: 'scalar', value: 1234567 }]);
});
