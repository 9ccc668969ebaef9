import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import {
  arraySort,
  bits,
  bitsSort,
  constArray,
  ite,
  not,
  select,
  store,
  symbol,
  ult,
  type Term,
} from '../../src/logic';
import { withCache, createSolver, withRecording } from '../../src/solver';
import { elementByElement } from '../../src/solver/wrappers/elementByElement';
import type { Answer, Encoding, Solver } from '../../src/solver';

const budget = { timeoutMs: 10_000 };
const x = symbol('x|\\ü $', bitsSort(8));
const y = symbol('y', bitsSort(8));

let solver: Solver;
beforeAll(() => {
  solver = createSolver();
});
afterAll(() => solver.close());

test('a cached answer is not asked for again', async () => {
  const wrapped = withCache(solver);
  const first = await wrapped.check([ult(x, y), ult(y, bits(9, 8))], budget);
  const before = wrapped.statistics;
  const second = await wrapped.check([ult(y, bits(9, 8)), ult(x, y), ult(x, y)], budget);
  expect(second).toBe(first);
  expect(wrapped.statistics).toMatchObject({
    queries: before.queries + 1,
    avoided: before.avoided + 1,
    sat: before.sat + 1,
  });
  expect((await wrapped.check([ult(x, y), not(ult(x, y))], budget)).kind).toBe('unsat');
});

test('a session caches answers by assertions and assumptions separately', async () => {
  const wrapped = withCache(solver);
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
  const wrapped = withRecording(solver, folder);
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

describe('element by element', () => {
  const p = symbol('p', { kind: 'boolean' });
  const zeros = constArray(arraySort(bitsSort(8), bitsSort(8)), bits(0, 8));
  /** x is written at 1 or 2; what is read at 3 is 0. */
  const written = store(
    ite(p, store(zeros, bits(1, 8), x), store(zeros, bits(2, 8), x)),
    ite(p, bits(2, 8), bits(1, 8)),
    y,
  );
  const someAt = (index: number): Term => ult(bits(0, 8), select(written, bits(index, 8)));

  /** The solver, with who was asked; those for whom `mute` holds get no answer. */
  function asked(mute: (encoding: Encoding | undefined) => boolean, log: (Encoding | undefined)[]): Solver {
    const none: Answer = { kind: 'unknown', cause: 'resources', detail: 'too hard' };
    return {
      ...solver,
      name: solver.name,
      statistics: solver.statistics,
      close: () => solver.close(),
      session: (options) => solver.session(options),
      check: (terms, b, options) => {
        log.push(options?.encoding);
        return mute(options?.encoding) ? Promise.resolve(none) : solver.check(terms, b, options);
      },
    };
  }

  test('writes and reads become words, at any level of a session', async () => {
    const wrapped = elementByElement(solver);
    expect((await wrapped.check([someAt(3)], budget)).kind).toBe('unsat');
    const session = wrapped.session();
    session.assert(someAt(1));
    session.push();
    session.assert(not(ult(bits(0, 8), y)));
    const answer = await session.check([], budget);
    expect(answer.kind === 'sat' && [answer.model.symbol(p), answer.model.symbol(y)]).toEqual([true, 0n]);
    expect(await session.check([not(p)], budget)).toMatchObject({ kind: 'unsat', core: [not(p)] });
    session.pop();
    expect((await session.check([not(p)], budget)).kind).toBe('sat');
    session.close();
  });

  test('a question without arrays, or without an answer, is asked as it stands', async () => {
    const log: (Encoding | undefined)[] = [];
    const wrapped = elementByElement(asked((encoding) => encoding === 'bits', log));
    expect((await wrapped.check([ult(x, y), ult(y, x)], budget)).kind).toBe('unsat');
    expect(log).toEqual([undefined]);
    expect((await wrapped.check([someAt(2), not(p), not(ult(bits(0, 8), x))], budget)).kind).toBe('unsat');
    expect(log).toEqual([undefined, 'bits', undefined]);
  });
});
