/** Questions with products: first without what they are, then as they were. */
import {
  add,
  and,
  bits,
  bitsSort,
  eq,
  mul,
  not,
  or,
  sdiv,
  sle,
  slt,
  symbol,
  udiv,
  urem,
  ult,
} from '../../../src/logic';
import type { Term } from '../../../src/logic';
import { createSolver, withNonlinearAbstraction } from '../../../src/solver';
import { allHold } from '../../../src/solver/model';
import type { Answer, Solver } from '../../../src/solver/solver';

let z3: Solver;
let solver: Solver;
const asked: string[] = [];
beforeAll(() => {
  z3 = createSolver();
  solver = withNonlinearAbstraction(noting(z3));
});
beforeEach(() => asked.splice(0));
afterAll(() => z3.close());

/** Writes down how each question ended. */
function noting(inner: Solver): Solver {
  const noted = async (answer: Promise<Answer>): Promise<Answer> => {
    asked.push((await answer).kind);
    return answer;
  };
  return {
    name: inner.name,
    get statistics() {
      return inner.statistics;
    },
    close: () => inner.close(),
    session: (options) => {
      const session = inner.session(options);
      return Object.assign(Object.create(session) as typeof session, {
        check: (...args: Parameters<typeof session.check>) => noted(session.check(...args)),
      });
    },
    check: (...args) => noted(inner.check(...args)),
  };
}

const budget = { timeoutMs: 60_000 };
const [x, y, z] = [symbol('x', bitsSort(16)), symbol('y', bitsSort(16)), symbol('z', bitsSort(16))];
const n = (value: number): Term => bits(BigInt.asUintN(16, BigInt(value)), 16);

test('what does not hang on the product takes one question', async () => {
  const terms = [eq(z, sdiv(x, y)), slt(x, n(3)), not(slt(x, n(4)))];
  expect((await solver.check(terms, budget)).kind).toBe('unsat');
  expect(asked).toEqual(['unsat']);
});

test('its range is known without its bits', async () => {
  const terms = [not(eq(y, n(0))), not(ult(urem(x, y), y))];
  expect((await solver.check(terms, budget)).kind).toBe('unsat');
  const small = [sle(n(-8), x), sle(x, n(8)), sle(n(0), y), sle(y, n(8)), not(sle(mul(x, y), n(64)))];
  expect((await solver.check(small, budget)).kind).toBe('unsat');
  expect(asked).toEqual(['unsat', 'unsat']);
});

test('what hangs on it is asked again as it is', async () => {
  const terms = [eq(mul(x, y), n(221)), ult(n(1), x), ult(x, y), ult(y, n(100))];
  const answer = await solver.check(terms, budget);
  expect(answer.kind === 'sat' && allHold(answer.model, terms)).toBe(true);
  const none = [eq(mul(x, x), n(3))];
  expect((await solver.check(none, budget)).kind).toBe('unsat');
  expect(asked.slice(-2)).toEqual(['sat', 'unsat']);
});

test('a model is one of the terms as they are', async () => {
  const terms = [eq(z, add(udiv(x, y), n(1))), ult(n(5), x), or(eq(y, n(0)), ult(n(2), y))];
  const answer = await solver.check(terms, budget);
  expect(answer.kind === 'sat' && allHold(answer.model, terms)).toBe(true);
});

test('a session answers for what is asserted at present, and its cores are of the assumptions', async () => {
  const session = solver.session();
  try {
    session.assert(ult(n(5), x));
    session.push();
    session.assert(and(eq(z, mul(x, y)), eq(y, n(0))));
    expect((await session.check([eq(z, n(7))], budget)).kind).toBe('unsat');
    session.pop();
    expect((await session.check([eq(mul(x, y), n(7))], budget)).kind).toBe('sat');
    const isSquare = eq(mul(x, x), n(3));
    const answer = await session.check([ult(x, n(9)), isSquare], budget);
    expect(answer.kind === 'unsat' && answer.core).toContain(isSquare);
    const contradicted = await session.check([eq(z, mul(x, y)), ult(x, n(2))], budget);
    expect(contradicted.kind === 'unsat' && contradicted.core).toEqual([ult(x, n(2))]);
  } finally {
    session.close();
  }
});
