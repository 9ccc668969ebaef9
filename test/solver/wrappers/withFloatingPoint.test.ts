/** Questions about rounded operations that bounds leave open: decided by the theory of floating point. */
import { and, bits, bitsSort, boolSort, call, eq, not, symbol } from '../../../src/logic';
import type { Term } from '../../../src/logic';
import { floatsDefined } from '../../../src/logic/floats/floats';
import { ieeeQuery } from '../../../src/logic/floats/ieee';
import { floatBits, floatOf } from '../../../src/logic/floats/patterns';
import { createSolver, withFloatingPoint, withRewriting } from '../../../src/solver';
import type { Answer, Solver } from '../../../src/solver/solver';

let plain: Solver;
let solver: Solver;
beforeAll(() => {
  plain = withRewriting(createSolver(), floatsDefined);
  solver = withFloatingPoint(plain, ieeeQuery, floatsDefined);
});
afterAll(() => plain.close());

const budget = { timeoutMs: 60_000 };
const [x, y] = [symbol('x', bitsSort(32)), symbol('y', bitsSort(32))];
const number = (value: number): Term => bits(floatBits(value, 32), 32);
const operation = (name: string, a: Term, b: Term): Term => call(`float-${name}-32`, bitsSort(32), a, b);
const le = (a: Term, b: Term): Term => call('float-le-32', boolSort, a, b);
const lt = (a: Term, b: Term): Term => call('float-lt-32', boolSort, a, b);

const middle = operation('divide', operation('add', x, y), number(2));
const inOrder = [le(number(0), x), le(x, y), le(y, number(100))];

test('the middle of two numbers is no less than the smaller one', async () => {
  const terms = [...inOrder, not(le(x, middle))];
  expect((await plain.check(terms, budget)).kind).toBe('sat');
  expect((await solver.check(terms, budget)).kind).toBe('unsat');
});

test('nor greater than the larger one: both at once', async () => {
  const terms = [...inOrder, not(and(le(x, middle), le(middle, y)))];
  expect((await solver.check(terms, budget)).kind).toBe('unsat');
});

test('it may be the smaller one, and the model computes', async () => {
  const answer = await solver.check([...inOrder, lt(x, y), not(lt(x, middle)), lt(number(1), x)], budget);
  const { model } = answer as Answer & { kind: 'sat' };
  const [a, b] = [x, y].map((term) => floatOf(model.evaluate(term) as bigint, 32)) as [number, number];
  expect(a).toBeLessThan(b);
  expect(Math.fround(Math.fround(a + b) / 2)).toBe(a);
  expect(model.evaluate(middle)).toBe(floatBits(a, 32));
});

test('a function of which nothing is known keeps one value for the same operands', async () => {
  const f = (a: Term): Term => call('unknown', bitsSort(32), a);
  const terms = [...inOrder, eq(f(x), x), not(eq(f(y), y)), eq(x, y), lt(x, middle)];
  expect((await solver.check(terms, budget)).kind).toBe('unsat');
});

test('the core of a session is among its assumptions', async () => {
  const session = solver.session();
  for (const term of inOrder) session.assert(term);
  session.push();
  const wrong = not(le(x, middle));
  expect(await session.check([wrong], budget)).toEqual({ kind: 'unsat', core: [wrong] });
  session.pop();
  expect((await session.check([le(x, middle)], budget)).kind).toBe('sat');
  expect((await session.check([and(le(x, middle), lt(y, x))], budget)).kind).toBe('unsat');
  session.close();
});
