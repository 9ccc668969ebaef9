import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { bits, bitsSort, not, symbol, ult } from '../../src/logic';
import { cached, createSolver, recorded } from '../../src/solver';
import type { Solver } from '../../src/solver';

const budget = { timeoutMs: 10_000 };
const x = symbol('x|\\ü $', bitsSort(8));
const y = symbol('y', bitsSort(8));

let solver: Solver;
beforeAll(() => { solver = createSolver(); });
afterAll(() => solver.close());

test('a cached answer is not asked for again', async () => {
  const wrapped = cached(solver);
  const first = await wrapped.check([ult(x, y), ult(y, bits(9, 8))], budget);
  const before = wrapped.statistics;
  const second = await wrapped.check([ult(y, bits(9, 8)), ult(x, y), ult(x, y)], budget);
  expect(second).toBe(first);
  expect(wrapped.statistics).toMatchObject({ queries: before.queries + 1, avoided: before.avoided + 1, sat: before.sat + 1 });
  expect((await wrapped.check([ult(x, y), not(ult(x, y))], budget)).kind).toBe('unsat');
});

test('nor is one in a session, where what is asserted and what is assumed are told apart', async () => {
  const wrapped = cached(solver);
  const below = ult(y, bits(5, 8));
  const high = ult(bits(7, 8), x);
  const ask = async (asserted: readonly ReturnType<typeof ult>[], assumed: readonly ReturnType<typeof ult>[]) => {
    const session = wrapped.session();
    for (const term of asserted) session.assert(term);
    const answer = await session.check(assumed, budget);
    session.close();
    return answer;
  };
  const first = await ask([ult(x, y)], [below, high]);
  expect(first.kind === 'unsat' && [...first.core].sort()).toEqual([below, high].sort());
  const { avoided } = wrapped.statistics;
  expect(await ask([ult(x, y)], [high, below])).toBe(first);
  expect(wrapped.statistics.avoided).toBe(avoided + 1);
  expect(await ask([ult(x, y), below], [high])).toMatchObject({ kind: 'unsat', core: [high] });
  // What was popped is no part of a question.
  const session = wrapped.session();
  session.assert(ult(x, y));
  session.push();
  session.assert(below);
  expect((await session.check([high], budget)).kind).toBe('unsat');
  session.pop();
  expect((await session.check([high], budget)).kind).toBe('sat');
  session.close();
});

test('recorded questions can be asked again', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'recorded-'));
  const wrapped = recorded(solver, folder);
  await wrapped.check([ult(x, y)], budget);
  const session = wrapped.session();
  session.assert(ult(x, y));
  session.push();
  session.assert(ult(y, bits(5, 8)));
  await session.check([ult(bits(7, 8), x)], budget);
  session.pop();
  await session.check([], budget);
  expect(readdirSync(folder).sort()).toEqual(['0001-sat.smt2', '0002-unsat.smt2', '0003-sat.smt2']);
  const text = readFileSync(path.join(folder, '0002-unsat.smt2'), 'utf8');
  expect(text.match(/\(assert /g)).toHaveLength(3);
  expect(text).toContain('(set-logic QF_BV)');
  rmSync(folder, { recursive: true });
});
