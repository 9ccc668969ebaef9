/**
 * Shares of time decide which engine answers, never what the answer is: with every share multiplied by a factor
 * between a third and three, small programs have the verdicts that they have with the usual ones.
 */
import * as fc from 'fast-check';
import { verify } from '../../../src/index';
import type { Portfolio, Stage } from '../../../src/engines/portfolio/stages';
import { failingLine, judge } from '../../conformance/judge';
import { readPrograms, taskOf } from '../../conformance/programs';
import { isLong } from '../../long';

let factors: () => number = () => 1;

jest.mock('../../../src/engines/portfolio/stages', () => {
  const actual = jest.requireActual<typeof import('../../../src/engines/portfolio/stages')>(
    '../../../src/engines/portfolio/stages',
  );
  const scaled = (stage: Stage): Stage => ({
    ...stage,
    ...(stage.share !== undefined && { share: Math.min(0.9, stage.share * factors()) }),
    ...(stage.then && { then: stage.then.map(scaled) }),
  });
  return {
    ...actual,
    portfolioOf: (asked: Parameters<typeof actual.portfolioOf>[0]): Portfolio => {
      const { stages, lastResort, ...rest } = actual.portfolioOf(asked);
      return { ...rest, stages: stages.map(scaled), lastResort: lastResort.map(scaled) };
    },
  };
});

const ids = [
  'loops/diamonds',
  'loops/nested_shared_counter_wrong',
  'loops/counting_by_two',
  'loops/counting_by_two_wrong',
];
const all = readPrograms();
const programs = isLong ? all.filter((_, i) => i % 24 === 7) : all.filter(({ id }) => ids.includes(id));
const seeds = isLong ? [1, 2, 3, 4, 5] : [1, 2];

test.each(programs.map((program) => [program.id, program] as const))(
  '%s',
  async (_, program) => {
    const kinds = new Set<string>();
    for (const seed of [0, ...seeds]) {
      const drawn = fc.sample(fc.double({ min: -1, max: 1, noNaN: true }), { numRuns: 400, seed })[Symbol.iterator]();
      factors = () => (seed === 0 ? 1 : 3 ** (drawn.next().value ?? 0));
      const verdict = await verify(taskOf(program, 60_000));
      kinds.add(verdict.kind);
      const answer =
        verdict.kind === 'bug'
          ? { kind: verdict.kind, line: failingLine(verdict.counterexample.stack) }
          : { kind: verdict.kind };
      expect(judge(program, answer).kind).not.toBe('wrong');
    }
    expect([...kinds]).toHaveLength(1);
  },
  600_000,
);
