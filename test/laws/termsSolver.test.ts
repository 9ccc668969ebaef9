/**
 * Laws that need the solver: a simplified term equals the plain operators it was built from, and models of formulas
 * satisfy them.
 */
import * as fc from 'fast-check';
import type { Term } from '../../src/logic';
import { SmtlibPrinter } from '../../src/logic/smtlib';
import { createSolver } from '../../src/solver';
import type { Answer, Solver } from '../../src/solver';
import { processOptions, startProcess } from '../../src/solver/process';
import type { SolverContext, SolverProcess } from '../../src/solver/process';
import { anyRecipe, boolRecipe, naive, randomEnvironment, toTerm } from './recipes';
import type { Recipe } from './recipes';
import { isLong } from '../long';

const runs = Number(process.env['LAW_RUNS'] ?? (isLong ? 100 : 40));
/** Words small enough for division to be decided. */
const widths = [1, 2, 3, 4, 8, 9];

/** The recipe word for word, in SMT-LIB's own operators. */
function plainText(r: Recipe): string {
  const args = r.args.map(plainText).join(' ');
  const operators: Record<string, string> = {
    not: 'not',
    and: 'and',
    or: 'or',
    iff: '=',
    implies: '=>',
    ite: 'ite',
    eq: '=',
    distinct: 'distinct',
    'array-eq': '=',
    ult: 'bvult',
    ule: 'bvule',
    slt: 'bvslt',
    sle: 'bvsle',
    neg: 'bvneg',
    complement: 'bvnot',
    add: 'bvadd',
    sub: 'bvsub',
    mul: 'bvmul',
    udiv: 'bvudiv',
    urem: 'bvurem',
    sdiv: 'bvsdiv',
    srem: 'bvsrem',
    bitAnd: 'bvand',
    bitOr: 'bvor',
    bitXor: 'bvxor',
    shl: 'bvshl',
    lshr: 'bvlshr',
    ashr: 'bvashr',
    concat: 'concat',
    select: 'select',
    store: 'store',
  };
  const { high, low, value } = r as { high?: number; low?: number; value?: bigint };
  switch (r.op) {
    case 'symbol':
      return r.kind === 'bool' ? `|$${r.name!}|` : `|$${r.name!}${r.width}|`;
    case 'literal':
      return r.kind === 'bool' ? String(value === 1n) : `(_ bv${value!} ${r.width})`;
    case 'constant':
      return `((as const (Array (_ BitVec ${r.width}) (_ BitVec ${r.width}))) ${args})`;
    case 'extract':
      return `((_ extract ${high} ${low}) ${args})`;
    case 'zeroExtend':
      return `((_ zero_extend ${r.width - r.args[0]!.width}) ${args})`;
    case 'signExtend':
      return `((_ sign_extend ${r.width - r.args[0]!.width}) ${args})`;
    default:
      return `(${operators[r.op]!} ${args})`;
  }
}

function symbolsIn(r: Recipe): Recipe[] {
  return r.op === 'symbol' ? [r] : r.args.flatMap(symbolsIn);
}

describe('by text', () => {
  let z3: SolverProcess;
  let context: SolverContext;
  beforeAll(() => {
    z3 = startProcess(processOptions('auto'));
    context = z3.open();
  });
  afterAll(() => z3.close());

  test('a simplified term equals its plain operators', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyRecipe(14), anyRecipe(14, widths)), async (recipe) => {
        const printer = new SmtlibPrinter();
        const term = toTerm(recipe);
        for (const s of symbolsIn(recipe)) printer.text(toTerm(s));
        const text = printer.text(term);
        context.reset();
        const reply = await context.run(
          '(set-option :timeout 3000)\n' +
            `${printer.takeDeclarations()}(assert (distinct ${plainText(recipe)} ${text}))\n(check-sat)\n`,
          20_000,
        );
        // Hard products time out; that says nothing.
        expect(reply).toMatchObject({ kind: 'text', text: expect.stringMatching(/^(unsat|unknown)\s*$/) as string });
      }),
      { numRuns: runs },
    );
  });
});

describe('by solver', () => {
  let solver: Solver;
  beforeAll(() => {
    solver = createSolver();
  });
  afterAll(() => solver.close());
  const budget = { timeoutMs: 2000, resources: 200_000 };

  /** A formula that some environment satisfies is not unsat; models are what they claim. */
  function checkAgainst(answer: Answer, terms: readonly Term[], witnessed: boolean): void {
    if (answer.kind === 'unknown') expect(['timeout', 'resources']).toContain(answer.cause);
    if (answer.kind === 'unsat') expect(witnessed).toBe(false);
    if (answer.kind === 'sat') for (const t of terms) expect(answer.model.evaluate(t)).toBe(true);
  }

  test('fresh and incremental answers agree with what environments show', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(boolRecipe(12, widths), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (recipes, seed) => {
          const terms = recipes.map(toTerm);
          const witnessed = Array.from({ length: 20 }, (_, i) => randomEnvironment(seed + i)).some((e) =>
            recipes.every((r) => naive(r, e) === true),
          );
          const fresh = await solver.check(terms, budget);
          checkAgainst(fresh, terms, witnessed);
          const session = solver.session();
          const answers: Answer[] = [await session.check(terms, budget)];
          for (const t of terms) {
            session.push();
            session.assert(t);
          }
          answers.push(await session.check([], budget), await session.check(terms, budget));
          for (let i = 1; i < terms.length; i++) session.pop();
          answers.push(await session.check(terms.slice(1), budget));
          session.close();
          for (const answer of answers) {
            checkAgainst(answer, terms, witnessed);
            if (answer.kind === 'sat' || answer.kind === 'unsat')
              expect([answer.kind, 'unknown']).toContain(fresh.kind);
          }
        },
      ),
      { numRuns: runs },
    );
  });
});
