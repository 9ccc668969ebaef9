/** Law: both encodings give the same satisfiability, and the models of both satisfy the terms under our own evaluator. */
import * as fc from 'fast-check';
import { add, and, arraySort, bits, bitsSort, call, eq, exists, forall, implies, mul, not, select, signExtend, sle, slt, sub, symbol, ule, ult } from '../../src/logic';
import { IntegerPrinter } from '../../src/logic/integers';
import type { SymbolTerm, Term } from '../../src/logic';
import { createSolver } from '../../src/solver';
import type { Answer, Encoding, Solver } from '../../src/solver';
import { boolRecipe, toTerm } from './recipes';

const runs = Number(process.env['LAW_RUNS'] ?? 100);
const widths = [1, 2, 3, 4, 8];
const budget = { timeoutMs: 2000 };

let solver: Solver;
beforeAll(() => { solver = createSolver(); });
afterAll(() => solver.close());

function checkAgree(terms: readonly Term[], answers: readonly Answer[]): void {
  const decided = answers.filter((a) => a.kind !== 'unknown');
  for (const answer of answers) {
    if (answer.kind === 'unknown') expect(['timeout', 'incomplete']).toContain(answer.cause);
    if (answer.kind === 'sat') for (const t of terms) expect(answer.model.evaluate(t)).toBe(true);
  }
  expect(new Set(decided.map((a) => a.kind)).size).toBeLessThanOrEqual(1);
}

test('random formulas', async () => {
  const counts = { encoded: 0, decided: 0 };
  await fc.assert(fc.asyncProperty(fc.array(boolRecipe(10, widths), { minLength: 1, maxLength: 3 }), async (recipes) => {
    const terms = recipes.map(toTerm);
    const printer = new IntegerPrinter();
    if (!terms.every((t) => printer.formula(t))) return;
    counts.encoded++;
    const answers = [await solver.check(terms, budget), await solver.check(terms, budget, { encoding: 'integers' })];
    if (answers.every((a) => a.kind !== 'unknown')) counts.decided++;
    const session = solver.session({ encoding: 'integers' });
    for (const t of terms.slice(1)) {
      session.push();
      session.assert(t);
    }
    answers.push(await session.check(terms.slice(0, 1), budget));
    session.close();
    checkAgree(terms, answers);
  }), { numRuns: runs });
  expect(counts.encoded).toBeGreaterThan(runs / 3);
  expect(counts.decided).toBeGreaterThan(counts.encoded * 0.8);
});

const i = symbol('i', bitsSort(32));
const n = symbol('n', bitsSort(32)) as SymbolTerm;
const k = symbol('k', bitsSort(32)) as SymbolTerm;
const a = symbol('a', arraySort(bitsSort(32), bitsSort(32)));
const c = (value: number) => bits(value, 32);

async function check(terms: readonly Term[], expected: Answer['kind'], encodings: readonly Encoding[] = ['bits', 'integers']): Promise<void> {
  for (const encoding of encodings) {
    const answer = await solver.check(terms, { timeoutMs: 20_000 }, { encoding });
    expect([encoding, answer.kind]).toEqual([encoding, expected]);
  }
}

test('words wrap', async () => {
  await check([sle(add(i, c(1)), i)], 'sat');
  await check([sle(add(i, c(1)), i), slt(i, c(2147483647))], 'unsat');
  await check([not(eq(sub(add(i, n), n), i))], 'unsat');
  await check([eq(mul(i, c(3)), c(1)), slt(c(0), i), slt(i, c(1000))], 'unsat');
  await check([eq(mul(i, c(3)), c(1))], 'sat');
  const wide = add(signExtend(i, 64), signExtend(n, 64));
  await check([not(eq(wide, signExtend(add(i, n), 64))), slt(i, c(1000)), slt(c(-1000), i), slt(n, c(1000)), slt(c(-1000), n)], 'unsat');
  await check([ult(i, c(5)), not(eq(i, signExtend(bits(4, 8), 32))), slt(c(3), i)], 'unsat');
});

test('a quantified array invariant is inductive', async () => {
  const below = (bound: Term) => forall([k], implies(and(sle(c(0), k), slt(k, bound)), sle(c(7), select(a, k))));
  const step = [sle(c(0), i), slt(i, n), below(i), sle(c(7), select(a, i)), not(below(add(i, c(1))))];
  await check(step, 'unsat');
  await check([below(i), exists([k], slt(select(a, k), c(0))), slt(c(3), i)], 'sat', ['integers']);
});

test('functions keep their meaning', async () => {
  const f = (t: Term) => call('f', bitsSort(32), t);
  await check([not(eq(f(i), f(n))), eq(i, n)], 'unsat');
  await check([not(eq(f(i), f(n))), ule(i, n), ule(add(n, c(0)), add(i, c(1)))], 'sat');
});

test('what has no text is left to the other encoding', async () => {
  const printer = new IntegerPrinter();
  const b = symbol('b', arraySort(bitsSort(32), bitsSort(32)));
  const wide = eq(call('g', bitsSort(32)), i);
  expect(printer.formula(wide)).toBeDefined();
  expect(printer.formula(forall([k], eq(call('g', bitsSort(32), k), k)))).toBeUndefined();
  expect(new IntegerPrinter().formula(eq(a, b))?.constraints).toHaveLength(1);
});
