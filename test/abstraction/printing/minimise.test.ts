import { irredundant } from '../../../src/abstraction/printing/minimise';
import {
  add,
  and,
  bits,
  bitsSort,
  eq,
  forall,
  not,
  or,
  select,
  arraySort,
  sle,
  slt,
  symbol,
  type Term,
} from '../../../src/logic';
import { createSolver, type Answer, type Solver } from '../../../src/solver';

const word = bitsSort(32);
const [x, y, z] = ['x', 'y', 'z'].map((name) => symbol(name, word)) as [Term, Term, Term];
const n = (value: number): Term => bits(BigInt.asUintN(32, BigInt(value)), 32);
const budget = { timeoutMs: 20_000 };

let solver: Solver;
beforeAll(() => {
  solver = createSolver();
});
afterAll(() => solver.close());

const fewer = (
  invariants: readonly Term[],
  given: readonly Term[] = [],
  stop = (): boolean => false,
): Promise<Term[]> => irredundant(invariants, given, solver, budget, stop);

/** None is lost, and none is left that the others say. */
async function checkIrredundant(
  kept: readonly Term[],
  invariants: readonly Term[],
  given: readonly Term[] = [],
): Promise<void> {
  expect((await solver.check([...given, ...kept, not(and(...invariants))], budget)).kind).toBe('unsat');
  for (const invariant of kept)
    expect(
      (await solver.check([...given, ...kept.filter((other) => other !== invariant), not(invariant)], budget)).kind,
    ).toBe('sat');
}

test('what the others imply goes, the longest first, and what stays says all', async () => {
  const invariants = [
    sle(x, y),
    sle(y, z),
    or(sle(x, z), eq(x, n(5))),
    or(slt(x, z), sle(x, z)),
    sle(n(0), x),
    or(sle(n(0), y), eq(z, n(3))),
  ];
  const kept = await fewer(invariants);
  expect(new Set(kept)).toEqual(new Set([sle(x, y), sle(y, z), sle(n(0), x)]));
  await checkIrredundant(kept, invariants);
});

test('what is given counts, and may leave nothing to say', async () => {
  const invariants = [sle(n(0), x), or(sle(n(0), y), sle(n(0), x))];
  expect(await fewer(invariants, [eq(x, n(7))])).toEqual([]);
  const kept = await fewer([eq(y, add(x, n(1))), sle(n(3), y)], [eq(x, n(7))]);
  await checkIrredundant(kept, [eq(y, add(x, n(1))), sle(n(3), y)], [eq(x, n(7))]);
});

test('of facts in a circle enough are kept', async () => {
  const invariants = [eq(x, y), eq(y, z), eq(x, z), sle(x, z), sle(z, y)];
  await checkIrredundant(await fewer(invariants), invariants);
});

test('many facts take as many questions as stay, not as there were', async () => {
  const before = solver.statistics.queries;
  const invariants = [sle(x, y), ...Array.from({ length: 60 }, (_, i) => or(sle(x, y), eq(z, n(i))))];
  expect(await fewer(invariants)).toEqual([sle(x, y)]);
  expect(solver.statistics.queries - before).toBeLessThanOrEqual(3);
});

test('invariants about all elements of an array, which no state can test, are kept where they are needed', async () => {
  const a = symbol('a', arraySort(word, bitsSort(8)));
  const k = symbol('k', word);
  const all = forall([k], or(sle(n(100), k), eq(select(a, k), bits(0n, 8))));
  const kept = await fewer([all, sle(x, y), or(sle(x, y), eq(z, n(1)))]);
  expect(kept).toContain(all);
  expect(kept).toContain(sle(x, y));
});

test('without time nothing is lost, nor where the solver does not know', async () => {
  const invariants = [sle(x, y), or(sle(x, y), eq(z, n(1)))];
  expect(new Set(await fewer(invariants, [], () => true))).toEqual(new Set(invariants));
  const unsure: Answer = { kind: 'unknown', cause: 'timeout', detail: '' };
  const ignorant: Solver = {
    name: solver.name,
    statistics: solver.statistics,
    close: async () => {},
    check: async () => unsure,
    session: () => ({ assert: () => {}, push: () => {}, pop: () => {}, close: () => {}, check: async () => unsure }),
  };
  expect(new Set(await irredundant(invariants, [], ignorant, budget, () => false))).toEqual(new Set(invariants));
});
