/**
 * Horn clauses: formulas that come back are candidates, whatever fails is `unknown`, and a fixpoint that has lost its
 * way takes nothing along.
 */
import * as fc from 'fast-check';
import * as L from '../../src/logic/build';
import { evaluate } from '../../src/logic/evaluate';
import type { SymbolTerm, Term } from '../../src/logic/term';
import { createHornSolver, type HornClause, type HornPredicate, type HornProblem } from '../../src/solver';
import { readModel, type LinearSum } from '../../src/solver/horn/hornModel';
import { bitVectorFormulas } from '../../src/solver/horn/bitVectorFormulas';

jest.setTimeout(120_000);
const horn = createHornSolver();
afterAll(() => horn.close());

const int = (name: string, width = 32): SymbolTerm => L.symbol(name, L.bitsSort(width)) as SymbolTerm;
const n = (value: number): Term => L.bits(BigInt.asUintN(32, BigInt(value)), 32);
const [x, y] = [int('x'), int('y')];
const at: HornPredicate = { name: 'at', parameters: [x, y] };
const problem = (...clauses: HornClause[]): HornProblem => ({ predicates: [at], clauses, readingOf: () => 'signed' });
const start = (a: Term, b: Term): HornClause => ({
  body: [],
  condition: [],
  head: { predicate: at, arguments: [a, b] },
});
const step = (condition: Term, a: Term, b: Term): HornClause => ({
  body: [{ predicate: at, arguments: [x, y] }],
  condition: [condition],
  head: { predicate: at, arguments: [a, b] },
});
const never = (condition: Term): HornClause => ({
  body: [{ predicate: at, arguments: [x, y] }],
  condition: [condition],
  head: undefined,
});

/** From x == y == 0, y grows by x, and x by one. */
const figure9 = (bad: Term): HornProblem =>
  problem(start(n(0), n(0)), step(L.TRUE, L.add(x, n(1)), L.add(y, x)), never(bad));

test('a loop has an invariant, whose conjuncts come back as formulas over the parameters', async () => {
  const answer = await horn.solve(figure9(L.slt(y, n(0))), { timeoutMs: 20_000 });
  if (answer.kind !== 'candidates') throw new Error(answer.kind);
  const formulas = answer.formulas.get(at)!;
  expect(formulas.length).toBeGreaterThan(0);
  const holds = (a: number, b: number): boolean =>
    formulas.every(
      (formula) => evaluate(formula, (symbol) => BigInt.asUintN(32, BigInt(symbol === x ? a : b))) === true,
    );
  expect([holds(0, 0), holds(1, 0), holds(2, 1), holds(3, 3), holds(0, -1)]).toEqual([true, true, true, true, false]);
});

test('a derivation of false is refuted', async () => {
  expect(await horn.solve(figure9(L.slt(n(2), y)), { timeoutMs: 20_000 })).toEqual({ kind: 'refuted' });
});

test('sums wrap where they are asked to, and otherwise do not', async () => {
  const overflow = problem(start(n(0x7fffffff), n(0)), step(L.TRUE, L.add(x, n(1)), y), never(L.slt(x, n(0))));
  expect((await horn.solve(overflow, { timeoutMs: 20_000 })).kind).toBe('candidates');
  expect((await horn.solve(overflow, { timeoutMs: 20_000, arithmetic: 'wrapping' })).kind).toBe('refuted');
});

test('what is not decided in time is unknown, and the next question is answered', async () => {
  const counter: HornPredicate = { name: 'squares', parameters: [x, y] };
  const endless: HornProblem = {
    predicates: [counter],
    readingOf: () => 'signed',
    clauses: [
      { body: [], condition: [], head: { predicate: counter, arguments: [n(0), n(0)] } },
      {
        body: [{ predicate: counter, arguments: [x, y] }],
        condition: [],
        head: { predicate: counter, arguments: [L.add(x, n(1)), L.add(y, x, x, n(1))] },
      },
      { body: [{ predicate: counter, arguments: [x, y] }], condition: [L.slt(y, x)], head: undefined },
      {
        body: [{ predicate: counter, arguments: [x, y] }],
        condition: [L.eq(x, n(1000)), L.slt(y, n(500_000))],
        head: undefined,
      },
    ],
  };
  expect(await horn.solve(endless, { timeoutMs: 300 })).toMatchObject({ kind: 'unknown' });
  expect((await horn.solve(figure9(L.slt(n(2), y)), { timeoutMs: 20_000 })).kind).toBe('refuted');
});

test('closing answers what runs', async () => {
  const other = createHornSolver();
  const asked = other.solve(figure9(L.slt(y, n(0))), { timeoutMs: 20_000 });
  await other.close();
  expect(await asked).toMatchObject({ kind: 'unknown', cause: 'interrupted' });
  expect(await other.solve(figure9(L.slt(y, n(0))), { timeoutMs: 20_000 })).toMatchObject({
    kind: 'unknown',
    cause: 'interrupted',
  });
});

test('models are read through lets, negations and implications; what is not linear is left out', () => {
  const model = readModel(
    `(
    (define-fun p!0 ((x!0 Int) (x!1 Int)) Bool
      (let ((a!1 (+ x!0 (* (- 2) x!1))))
        (and (not (<= a!1 3)) (=> (>= x!0 1) (= x!1 5)) (<= (* x!0 x!1) 0) (or (not (= x!0 x!1)) (< x!1 x!0)))))
    (define-fun other ((x!0 Int)) Bool true))`,
    (name) => (name === 'p!0' ? [x, y] : undefined),
  )!;
  const formulas = bitVectorFormulas(model.get('p!0')!, () => 'signed').map(
    (formula) => (a: number, b: number) =>
      evaluate(formula, (symbol) => BigInt.asUintN(32, BigInt(symbol === x ? a : b))),
  );
  expect(model.get('p!0')).toHaveLength(3);
  expect(formulas.every((holds) => holds(20, 5) === true)).toBe(true);
  expect(formulas.some((holds) => holds(3, 0) === false)).toBe(true); // 3 - 0 is not above 3
  expect(formulas.some((holds) => holds(100, 4) === false)).toBe(true); // x >= 1 without y = 5
  expect(readModel('(error "no model")', () => undefined)).toBeUndefined();
  expect(readModel('(((', () => undefined)).toBeUndefined();
});

/** Law: what is written exactly holds of words just when the inequality holds of the integers that they stand for. */
test('an inequality over integers, written in wider words, means the same', () => {
  const symbols = [int('a', 8), int('b', 32), int('c', 32)];
  const signed = [false, true, false];
  const readingOf = (symbol: SymbolTerm): 'signed' | 'unsigned' =>
    signed[symbols.indexOf(symbol)] ? 'signed' : 'unsigned';
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -1000n, max: 1000n }), { minLength: 3, maxLength: 3 }),
      fc.bigInt({ min: -(1n << 33n), max: 1n << 33n }),
      fc.boolean(),
      fc.tuple(
        fc.bigInt({ min: 0n, max: 255n }),
        fc.bigInt({ min: 0n, max: 0xffffffffn }),
        fc.bigInt({ min: 0n, max: 0xffffffffn }),
      ),
      (factors, constant, equal, values) => {
        const form: LinearSum = {
          factors: new Map(symbols.flatMap((symbol, i) => (factors[i] === 0n ? [] : [[symbol, factors[i]!] as const]))),
          constant,
        };
        const [exact] = bitVectorFormulas([{ kind: equal ? 'zero' : 'at-most-zero', form }], readingOf);
        const sum = symbols.reduce(
          (total, symbol, i) =>
            total + factors[i]! * (signed[i] ? BigInt.asIntN(L.widthOf(symbol), values[i]!) : values[i]!),
          constant,
        );
        const holds = exact === undefined || evaluate(exact, (symbol) => values[symbols.indexOf(symbol)]!) === true;
        expect(holds).toBe(equal ? sum === 0n : sum <= 0n);
      },
    ),
    { numRuns: 500 },
  );
});
