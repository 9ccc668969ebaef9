import {
  add,
  arraySort,
  bits,
  bitsSort,
  boolSort,
  eq,
  implies,
  mul,
  not,
  or,
  select,
  slt,
  store,
  symbol,
  ult,
  and,
  ule,
} from '../../src/logic';
import type { Term } from '../../src/logic';
import { createSolver } from '../../src/solver/z3';
import type { Answer, Solver } from '../../src/solver/solver';

const budget = { timeoutMs: 20_000 };
const x = symbol('x', bitsSort(32));
const y = symbol('y', bitsSort(32));
const n = (value: number) => bits(value, 32);
const p = symbol('p', boolSort);
const q = symbol('q', boolSort);
const a = symbol('a', arraySort(bitsSort(32), bitsSort(8)));

let solver: Solver;
beforeAll(() => {
  solver = createSolver();
});
afterAll(() => solver.close());

async function check(assertions: readonly Term[], expected: Answer['kind']): Promise<Answer> {
  const answer = await solver.check(assertions, budget);
  expect(answer).toMatchObject({ kind: expected });
  if (answer.kind === 'sat') for (const t of assertions) expect(answer.model.evaluate(t)).toBe(true);
  return answer;
}

test('satisfiable and not', async () => {
  await check([eq(mul(x, y), n(35)), ult(n(1), x), ult(x, n(10)), ult(n(1), y), ult(y, n(10))], 'sat');
  await check([eq(mul(x, x), n(3))], 'unsat');
  await check([slt(x, y), slt(y, x)], 'unsat');
  const i = select(a, x);
  await check([not(eq(i, select(a, y))), eq(x, add(y, n(1)))], 'sat');
  await check([not(eq(select(store(a, x, bits(1, 8)), y), i)), not(eq(x, y)), eq(select(a, x), select(a, y))], 'unsat');
});

test.each(['bits', 'integers'] as const)('the core of names has those that were used, in %s', async (encoding) => {
  const session = solver.session({ encoding });
  for (const term of [implies(p, ule(x, n(9))), implies(not(q), ule(y, n(5)))]) session.assert(term);
  session.push();
  session.assert(ult(n(9), x));
  expect(await session.check([not(q), p], budget)).toEqual({ kind: 'unsat', core: [p] });
  session.pop();
  session.assert(ult(n(6), y));
  expect(await session.check([p, not(q)], budget)).toEqual({ kind: 'unsat', core: [not(q)] });
  session.close();
});

test('a session remembers, forgets and explains', async () => {
  const session = solver.session();
  session.assert(ult(x, y));
  expect((await session.check([], budget)).kind).toBe('sat');
  session.push();
  session.assert(ule(y, n(5)));
  expect((await session.check([ult(n(4), x)], budget)).kind).toBe('unsat');
  const core = await session.check([p, ult(n(7), x), q], budget);
  expect(core).toEqual({ kind: 'unsat', core: [ult(n(7), x)] });
  session.pop();
  expect((await session.check([ult(n(7), x)], budget)).kind).toBe('sat');
  expect((await session.check([not(p), or(p, q), and(p, not(q))], budget)).kind).toBe('unsat');
  session.close();
});
