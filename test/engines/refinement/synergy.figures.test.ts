/**
 * The figures of SYNERGY (Gulavani, Henzinger, Kannan, Nori, Rajamani, FSE 2006), with the numbers the paper gives: one
 * region per statement, edges asked about when a path takes them.
 */
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import { notation, NodeNames } from '../../../src/abstraction/partition/traceText';
import { partitionInvariant } from '../../../src/abstraction/partition/partitionInvariant';
import { certificateOf, certify } from '../../../src/evidence/certificates/certify';
import { withBothEncodings, createSolver } from '../../../src/solver';
import { verify } from '../../../src';
import type { Verdict } from '../../../src/verdict';
import * as L from '../../../src/logic/build';
import { refineFixture, related, type Formula } from '../refining';
import { diamonds } from '../diamonds';
import { file, fixture, task } from '../task';
import { inLongForm } from '../../long';

jest.setTimeout(300_000);

const entry = (path: string, changes: Partial<Parameters<typeof task>[1]> = {}): Promise<Verdict> =>
  verify(task(path, { mode: 'program', entries: ['entry'], properties: ['reach'], engine: 'synergy', ...changes }));

test('figure 1: two tests, no split, and the second trace stops at 3004', async () => {
  const { result, refinement, events } = await refineFixture(fixture('papers/synergy/fig1.c'), {
    generalize: 'off',
    choice: 'oldest',
  });
  expect(result.kind).toBe('fail');
  expect(refinement.statistics.tests).toBe(2);
  expect(refinement.partition.splits).toHaveLength(0);
  const traces = events.flatMap((event) => (event.kind === 'trace' ? [event.trace] : []));
  expect(traces).toHaveLength(2);
  expect(traces[1]!.k).toBe(3004);
  const names = new NodeNames(refinement.system, refinement.graph.nodes);
  expect(notation(traces[1]!, refinement.forest, refinement.partition, names)).toBe(
    '(0, 1, 2, (3, 4, 2)^1000, 5 | 6, error)',
  );
});

test('figure 1: a trace from the latest state is not shorter (insertion order of section 6)', async () => {
  const k = async (choice: 'oldest' | 'latest'): Promise<number> => {
    const { events } = await refineFixture(fixture('papers/synergy/fig1.c'), { generalize: 'off', choice });
    return events.flatMap((event) => (event.kind === 'trace' ? [event.trace] : []))[1]!.k;
  };
  expect(await k('latest')).toBeGreaterThanOrEqual(await k('oldest'));
});

inLongForm('figure 1, a million rounds: two tests, in one region per segment too', async () => {
  const { result, refinement } = await refineFixture(fixture('papers/synergy/fig1-deep.c'), {
    generalize: 'off',
    choice: 'nearest',
    cutpoints: 'default',
  });
  expect(result.kind).toBe('fail');
  expect(refinement.statistics.tests).toBe(2);
  const verdict = await entry(fixture('papers/synergy/fig1-deep.c'));
  expect(verdict.kind).toBe('bug');
});

test('figure 3: every split is one of the four predicates of the paper, in at most 12 iterations', async () => {
  const { result, refinement } = await refineFixture(fixture('papers/synergy/fig3.c'), {
    generalize: 'off',
    choice: 'oldest',
  });
  expect(result.kind).toBe('pass');
  expect(result.iterations).toBeLessThanOrEqual(12);
  const free: Formula = (v, n) => L.not(L.eq(v('held'), n(1)));
  const same: Formula = (v) => L.eq(v('seen'), v('wanted'));
  const ahead: Formula = (v, n) => L.eq(v('seen'), L.add(v('wanted'), n(1)));
  const paper: readonly Formula[] = [
    free,
    (v, n) => L.and(free(v, n), same(v, n)),
    (v, n) => L.and(free(v, n), ahead(v, n)),
    ahead,
  ];
  for (const { split } of refinement.partition.splits)
    expect(await related(refinement, split.predicate, 'equivalent', paper)).toBe(true);
});

test('figure 4: cells of an array, at most two tests; and its safe twin', async () => {
  const { result, refinement } = await refineFixture(fixture('papers/synergy/fig4.c'), {
    generalize: 'off',
    choice: 'oldest',
  });
  expect(result.kind).toBe('fail');
  expect(refinement.statistics.tests).toBeLessThanOrEqual(2);
  expect((await entry(fixture('papers/synergy/fig4-safe.c'))).kind).toBe('proved');
});

test('figure 6: passed in the first iteration, without a test', async () => {
  const { result, refinement } = await refineFixture(fixture('papers/synergy/fig6.c'), {
    generalize: 'off',
    choice: 'oldest',
  });
  expect(result).toMatchObject({ kind: 'pass', iterations: 1 });
  expect(refinement.statistics.tests).toBe(0);
  expect(refinement.partition.splits).toHaveLength(0);
});

test('figure 7: failed in three iterations, with x == 10 and another y', async () => {
  const { result, scenario } = await refineFixture(fixture('papers/synergy/fig7.c'), {
    generalize: 'off',
    choice: 'oldest',
  });
  expect(result).toMatchObject({ kind: 'fail', iterations: 3 });
  const [x, y] = scenario!.calls[0]!.arguments;
  expect(x).toEqual({ kind: 'scalar', value: 10 });
  expect(y).not.toEqual({ kind: 'scalar', value: 10 });
});

test('inputs are what the environment answers, and a failure names each in order', async () => {
  const verdict = await entry(
    file(
      'extern int nondet(void); extern void error(void);\n' +
        'void entry(int a) { int x = nondet(); int y = nondet(); if (a == 3 && x == 5 && y == x - 7) error(); }\n',
    ),
  );
  if (verdict.kind !== 'bug') throw new Error(`a bug, not ${verdict.kind}`);
  expect(verdict.counterexample.steps).toMatchObject([
    { kind: 'input', function: 'nondet', value: 5 },
    { kind: 'input', function: 'nondet', value: -2 },
    { kind: 'call', function: 'entry', arguments: [{ kind: 'value', value: 3 }] },
  ]);
});

test('a closed partition is a simulation: a separate check in another process agrees; a smaller fails', async () => {
  const { result, refinement } = await refineFixture(fixture('papers/synergy/fig3.c'), {
    generalize: 'off',
    choice: 'oldest',
  });
  expect(result.kind).toBe('pass');
  const { system, partition } = refinement;
  const certificate = certificateOf(partitionInvariant(system, noInvariants, partition));
  const fresh = withBothEncodings(createSolver({ seed: 7 }));
  try {
    // Initial states lie in initial regions, every step has an edge, errors lie in error regions.
    expect(
      await certify(system.program, system.options, certificate, fresh, () => ({ timeoutMs: 10_000 })),
    ).toMatchObject({ kind: 'certified' });
    const [told] = [...certificate].find(([, { invariants }]) => invariants.length > 0)!;
    expect(
      (
        await certify(
          system.program,
          system.options,
          new Map([...certificate].map(([key, one]) => [key, key === told ? { ...one, invariants: [L.FALSE] } : one])),
          fresh,
          () => ({ timeoutMs: 10_000 }),
        )
      ).kind,
    ).toBe('refuted');
    expect(
      (
        await certify(
          system.program,
          system.options,
          new Map([...certificate].map(([key, one]) => [key, { ...one, invariants: [] }])),
          fresh,
          () => ({ timeoutMs: 10_000 }),
        )
      ).kind,
    ).toBe('refuted');
  } finally {
    await fresh.close();
  }
});

test('figure 8: iterations grow with the number of diamonds, not with that of paths', async () => {
  const iterations = async (count: number): Promise<number> => {
    const { result } = await refineFixture(file(diamonds(count)), { generalize: 'off', choice: 'oldest' });
    expect(result.kind).toBe('pass');
    return result.iterations;
  };
  const [five, ten, twenty] = [await iterations(5), await iterations(10), await iterations(20)];
  // A region per statement, arms included: a split for each, tests for arms that none has taken, and no more for later
  // diamonds.
  expect(twenty - ten).toBeGreaterThanOrEqual(30);
  expect(twenty - ten).toBeLessThanOrEqual(40);
  expect(twenty - ten).toBeLessThanOrEqual(2.8 * (ten - five));
  expect((await entry(file(diamonds(20, { spoiled: true })))).kind).toBe('bug');
});

test('figure 8, a region per labelled statement: one more split for each diamond', async () => {
  const iterations = async (count: number): Promise<number> => {
    const { result, refinement } = await refineFixture(file(diamonds(count, { labelled: true })), {
      generalize: 'off',
      choice: 'oldest',
      cutpoints: 'labels',
    });
    expect(result.kind).toBe('pass');
    expect(refinement.partition.splits.length).toBeGreaterThanOrEqual(count);
    return result.iterations;
  };
  const [ten, twenty, forty] = [await iterations(10), await iterations(20), await iterations(40)];
  expect(twenty - ten).toBeGreaterThanOrEqual(10);
  expect(twenty - ten).toBeLessThanOrEqual(30);
  expect(forty - twenty).toBeLessThanOrEqual(2 * (twenty - ten));
});

describe('figure 9', () => {
  test('without generalisation splits march on, and the answer is unknown', async () => {
    const { result, refinement } = await refineFixture(fixture('papers/synergy/fig9.c'), {
      generalize: 'off',
      choice: 'oldest',
      iterations: 12,
    });
    expect(result).toMatchObject({ kind: 'unknown', reason: { cause: 'state-explosion' } });
    const atLoop = refinement.partition.splits
      .filter(({ region }) => region.node.point?.kind === 'loop')
      .map(({ split }) => split.predicate);
    const after =
      (rounds: number): Formula =>
      (v, n) =>
        L.slt(L.add(v('level'), L.mul(n(rounds), v('step'))), n(0));
    const marching: readonly Formula[] = [
      after(0),
      (v, n) => L.and(L.not(after(0)(v, n)), after(1)(v, n)),
      (v, n) => L.and(L.not(after(0)(v, n)), L.not(after(1)(v, n)), after(2)(v, n)),
    ];
    for (const [i, formula] of marching.entries())
      expect(await related(refinement, atLoop[i]!, 'equivalent', [formula])).toBe(true);
  });

  test.each(['learned', 'interpolate', 'widen'] as const)(
    'with %s it is proved, and the invariant implies level >= 0 && step >= 0',
    async (generalize) => {
      const { result, refinement, events, invariantAtLoop } = await refineFixture(fixture('papers/synergy/fig9.c'), {
        generalize,
        choice: 'nearest',
        cutpoints: 'default',
      });
      expect(result.kind).toBe('pass');
      expect(
        await related(refinement, invariantAtLoop(), 'implies', [
          (v, n) => L.and(L.sle(n(0), v('level')), L.sle(n(0), v('step'))),
        ]),
      ).toBe(true);
      // Splits, or facts, that say more than preimages do.
      expect(
        events.some((event) => event.kind === 'invariants' || (event.kind === 'split' && event.how === 'generalised')),
      ).toBe(true);
      const verdict = await entry(fixture('papers/synergy/fig9.c'), { refinement: { generalize } });
      expect(verdict.kind).toBe('proved');
    },
  );
});
