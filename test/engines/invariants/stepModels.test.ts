/** A search for inductive candidates uses the models that earlier ones found, where they still say something. */
import type { Cutpoint } from '../../../src/abstraction/transitionSystem/cutpoint';
import { type InvariantMap, invariantsAt, noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { houdini } from '../../../src/engines/invariants/houdini';
import { satisfies, type StepModel } from '../../../src/engines/invariants/stepModels';
import { arrayValue } from '../../../src/logic/arrays/arrayValue';
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import { createSolver } from '../../../src/solver';
import type { Model, Solver } from '../../../src/solver/solver';
import { programOf } from '../../program/programOf';

let solver: Solver;
beforeAll(() => {
  solver = createSolver({ seed: 1 });
});
afterAll(() => solver.close());

const program = programOf(`
static int n, m, both;
void add(int k) { if (k > 0 && k <= 3 && n <= 7) n += k; }
void take(void) { if (n > 0) n--; }
void more(void) { if (m < 4) m++; }
void sum(void) { both = n + m; }
`);

const newSystem = (): TransitionSystem =>
  new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions,
    checkedProperties: new Set(['overflow']),
  });

const number = (value: number): Term => L.bits(BigInt.asUintN(32, BigInt(value)), 32);

type Range = readonly [name: string, least: number, most: number];

const ranges = (system: TransitionSystem, all: readonly Range[]): ReadonlyMap<Cutpoint, readonly Term[]> =>
  new Map(
    system.points.map((point) => [
      point,
      all.flatMap(([name, least, most]) => {
        const symbol = system.vocabulary
          .symbolsFor(point.fn)
          .find((one) => system.vocabulary.meaning(one)?.kind === 'variable' && one.name === name)!;
        return [L.sle(number(least), symbol), L.sle(symbol, number(most))];
      }),
    ]),
  );

const bounds = [3, 4, 5, 7, 8, 9, 10, 11].map((most): Range => ['n', 0, most]);

/** With the number of models that the solver gave. */
async function search(
  system: TransitionSystem,
  known: InvariantMap,
  candidates: readonly Range[],
): Promise<{ readonly kept: InvariantMap; readonly models: number }> {
  const before = solver.statistics.sat;
  const options = { query: { timeoutMs: 60_000 }, stop: () => false };
  const kept = (await houdini(system, known, ranges(system, candidates), solver, options))!;
  return { kept, models: solver.statistics.sat - before };
}

test('the same candidates fall again without a question', async () => {
  const system = newSystem();
  const first = await search(system, noInvariants, bounds);
  expect(first.models).toBeGreaterThan(0);
  const again = await search(system, noInvariants, bounds);
  expect(again.models).toBe(0);
  expect([...again.kept]).toEqual([...first.kept]);
  expect((await search(newSystem(), noInvariants, bounds)).models).toBeGreaterThan(0);
});

test('a model that what is known by then excludes says nothing', async () => {
  const system = newSystem();
  const sum: readonly Range[] = [['both', 0, 14]];
  const alone = await search(system, noInvariants, sum);
  expect(invariantsAt(alone.kept, system.client!)).toEqual([]);
  const { kept } = await search(system, noInvariants, [
    ['n', 0, 10],
    ['m', 0, 4],
  ]);
  expect(invariantsAt(kept, system.client!)).toHaveLength(4);
  const together = await search(system, kept, sum);
  expect(invariantsAt(together.kept, system.client!)).toHaveLength(2);
});

test('a model of instances is one of a quantified invariant if that holds of all its elements', () => {
  const table = L.symbol('table', L.arraySort(L.bitsSort(8), L.bitsSort(8)));
  const [first, last] = ['first', 'last'].map((name) => L.symbol(name, L.bitsSort(8))) as [Term, Term];
  const n = L.symbol('n', L.bitsSort(8));
  if (table.kind !== 'symbol' || n.kind !== 'symbol') throw new Error('symbols are symbols');
  const isZero = (term: Term): Term => L.eq(term, L.bits(0n, 8));
  const each = L.forall([n], L.implies(L.ult(n, L.bits(10n, 8)), isZero(L.select(table, n))));
  const withElement = (place: bigint): StepModel => {
    const symbol: Model['symbol'] = (one) => (one === table ? arrayValue(0n, [[place, 7n]], L.bitsSort(8)) : 3n);
    // As a query answers that read no element of the table.
    const evaluate: Model['evaluate'] = (term) => (term === each ? true : term === L.eq(first, last));
    return { model: { symbol, evaluate, partial: true }, asserted: new Set() };
  };
  expect(satisfies(withElement(4n), [each])).toBe(false);
  expect(satisfies(withElement(40n), [each, L.eq(first, last)])).toBe(true);
  expect(satisfies(withElement(40n), [each, isZero(first)])).toBe(false);
  expect(satisfies({ ...withElement(4n), asserted: new Set([each]) }, [each])).toBe(true);
});

test('a model is read by what it says of the step, not by the names that its own search gave', async () => {
  const loop = programOf('int up(int k) { int n = 0; while (n < k) n++; return n; }\n');
  const [up] = loop.functions;
  const system = new TransitionSystem(loop, {
    ...plainOptions,
    mode: 'module',
    entries: [up!],
    checkedProperties: new Set(['overflow']),
  });
  const symbol = (name: string): Term =>
    system.vocabulary.symbolsFor(up!).find((one) => one.name.startsWith(`up:${name}#`))!;
  const at = (where: (point: Cutpoint) => readonly Term[]): ReadonlyMap<Cutpoint, readonly Term[]> =>
    new Map(system.points.map((point) => [point, where(point)]));
  const options = { query: { timeoutMs: 60_000 }, stop: () => false };
  const many = [3, 4, 5, 7, 8, 9, 10, 11].map((most) => L.sle(symbol('n'), number(most)));
  await houdini(
    system,
    noInvariants,
    at(({ kind }) => (kind === 'loop' ? many : [])),
    solver,
    options,
  );
  // The loop's end says so.
  const reached = L.sle(symbol('k'), symbol('<result>'));
  const kept = await houdini(
    system,
    noInvariants,
    at(({ kind }) => (kind === 'exit' ? [reached] : [])),
    solver,
    options,
  );
  const exit = system.points.find(({ kind }) => kind === 'exit')!;
  expect(invariantsAt(kept!, exit)).toEqual([reached]);
});
