/** What a cheap procedure refutes does not reach the solver; everything else does, with all that was asserted. */
import { boolSort, not, symbol, type Term } from '../../../src/logic';
import type { Answer, Solver } from '../../../src/solver/solver';
import { withRefutation } from '../../../src/solver/wrappers/withRefutation';

const [p, q] = [symbol('p', boolSort), symbol('q', boolSort)];

function asked(): { readonly solver: Solver; readonly queries: string[] } {
  const queries: string[] = [];
  const unknown: Answer = { kind: 'unknown', cause: 'timeout', detail: 'not asked' };
  const answer = async (): Promise<Answer> => {
    queries.push('asked');
    return unknown;
  };
  const session = { assert: () => {}, push: () => {}, pop: () => {}, check: answer, close: () => {} };
  const solver = {
    name: 'none',
    statistics: {},
    close: () => Promise.resolve(),
    session: () => session,
    check: answer,
  };
  return { solver: solver as unknown as Solver, queries };
}

const opposed = (terms: readonly Term[]): boolean => terms.includes(p) && terms.includes(not(p));

test('a query that is refuted is not sent', async () => {
  const { solver, queries } = asked();
  const answer = await withRefutation(solver, opposed).check([p, q, not(p)], { timeoutMs: 1 });
  expect([answer.kind, queries.length]).toEqual(['unsat', 0]);
  expect((await withRefutation(solver, opposed).check([p, q], { timeoutMs: 1 })).kind).toBe('unknown');
  expect(queries).toHaveLength(1);
});

test('a session refutes with what is asserted at present', async () => {
  const { solver, queries } = asked();
  const session = withRefutation(solver, opposed).session();
  session.assert(p);
  session.push();
  session.assert(not(p));
  expect(await session.check([q], { timeoutMs: 1 })).toEqual({ kind: 'unsat', core: [q] });
  session.pop();
  expect((await session.check([q], { timeoutMs: 1 })).kind).toBe('unknown');
  expect((await session.check([not(p)], { timeoutMs: 1 })).kind).toBe('unsat');
  expect(queries).toHaveLength(1);
});
