/** Questions asked in two readings have one answer, and a session keeps both in step. */
import fc from 'fast-check';
import { add, and, bits, bitAnd, bitsSort, eq, mul, not, symbol, ult, type Term } from '../../src/logic';
import { withBothEncodings, createSolver } from '../../src/solver';
import type { Answer, Encoding, QueryBudget, Solver } from '../../src/solver';
import { isLong } from '../long';

const x = symbol('x', bitsSort(16));
const y = symbol('y', bitsSort(16));
const budget = { timeoutMs: 20_000 };

/** Answers `unknown` in one reading and has the other asked. */
function deaf(solver: Solver, to: Encoding, asked: Encoding[]): Solver {
  const silent: Answer = { kind: 'unknown', cause: 'resources', detail: 'too hard' };
  return {
    ...solver,
    name: solver.name,
    statistics: solver.statistics,
    close: () => solver.close(),
    check: (terms, b: QueryBudget, options) => {
      asked.push(options!.encoding!);
      return options!.encoding === to ? Promise.resolve(silent) : solver.check(terms, b, options);
    },
    session: (options) => {
      const session = solver.session(options);
      return {
        assert: (t) => session.assert(t),
        push: () => session.push(),
        pop: () => session.pop(),
        close: () => session.close(),
        check: (assumptions, b) => {
          asked.push(options!.encoding!);
          return options!.encoding === to ? Promise.resolve(silent) : session.check(assumptions, b);
        },
      };
    },
  };
}

let solver: Solver;
beforeAll(() => {
  solver = createSolver();
});
afterAll(() => solver.close());

test.each<Encoding>(['integers', 'bits'])(
  'the other reading answers when %s cannot, at any level of a session',
  async (mute) => {
    const asked: Encoding[] = [];
    const both = withBothEncodings(deaf(solver, mute, asked));
    const session = both.session();
    session.assert(ult(x, y));
    expect((await session.check([], budget)).kind).toBe('sat');
    session.push();
    session.assert(ult(y, bits(1, 16)));
    expect((await session.check([], budget)).kind).toBe('unsat');
    session.pop();
    session.push();
    session.assert(eq(y, bits(7, 16)));
    const answer = await session.check([ult(bits(5, 16), x)], budget);
    expect(answer.kind === 'sat' && answer.model.symbol(x)).toBe(6n);
    session.pop();
    session.close();
    expect((await both.check([ult(x, y), ult(y, x)], budget)).kind).toBe('unsat');
    // What answered last is asked first.
    expect(asked.slice(-2)).not.toEqual([mute, mute]);
  },
);

test('a session is left alone until it has answered', async () => {
  const session = withBothEncodings(solver).session();
  session.assert(ult(x, y));
  const answer = session.check([], budget);
  expect(() => session.push()).toThrow('left alone');
  await answer;
  session.push();
});

const term: fc.Arbitrary<Term> = fc.letrec<{ word: Term }>((tie) => ({
  word: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(x, y),
    fc.nat(65_535).map((n) => bits(n, 16)),
    fc.tuple(fc.constantFrom(add, mul, bitAnd), tie('word'), tie('word')).map(([op, a, b]) => op(a, b)),
  ),
})).word;

test('an answer is the one of each reading alone', async () => {
  const both = withBothEncodings(solver);
  await fc.assert(
    fc.asyncProperty(term, term, fc.boolean(), async (a, b, less) => {
      const claim = and(less ? ult(a, b) : eq(a, b), not(eq(x, y)));
      const [answer, plain] = [
        await both.check([claim], budget),
        await solver.check([claim], budget, { encoding: 'bits' }),
      ];
      if (answer.kind === 'unknown' || plain.kind === 'unknown') return;
      expect(answer.kind).toBe(plain.kind);
    }),
    { numRuns: isLong ? 25 : 10 },
  );
}, 60_000);

test('sessions about the same thing begin with the reading that answered, those about others do not', async () => {
  const asked: Encoding[] = [];
  const both = withBothEncodings(deaf(solver, 'integers', asked));
  const [step, another] = [{}, {}];
  const ask = async (about: object): Promise<readonly Encoding[]> => {
    asked.length = 0;
    const session = both.session({ about });
    session.assert(ult(x, y));
    expect((await session.check([], budget)).kind).toBe('sat');
    session.close();
    return [...asked];
  };
  expect(await ask(step)).toEqual(['integers', 'bits']);
  expect(await ask(step)).toEqual(['bits']);
  expect(await ask(another)).toEqual(['integers', 'bits']);
});
