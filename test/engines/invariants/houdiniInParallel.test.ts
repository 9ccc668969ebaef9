/** The set that is left is the same, however many solvers look for what breaks it. */
import { printTerm } from '../../../src/abstraction/printing/printTerm';
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import type { Cutpoint } from '../../../src/abstraction/transitionSystem/cutpoint';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../src/budget';
import { houdini } from '../../../src/engines/invariants/houdini';
import type { InterruptedSearch } from '../../../src/engines/invariants/interruptedSearch';
import { Solvers } from '../../../src/engines/solvers';
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import type { Session, Solver } from '../../../src/solver/solver';
import { programOf } from '../../program/programOf';
import { ifLong } from '../../long';

const budget = Budget.start({ milliseconds: 600_000 });
let solvers: Solvers;
let all: readonly Solver[];
beforeAll(() => {
  solvers = new Solvers(1, budget, { jobs: 3 });
  all = [solvers.instances, ...solvers.further()];
});
afterAll(() => solvers.close());

/** Bounds of one variable depend on those of others, which other functions write. */
const chain = `
static int a, b, c, d;
void reset(void) { a = 0; b = 0; c = 0; d = 0; }
void first(int x) { if (x >= 0 && x < 5) a = x; }
void second(void) { if (a > 2) b = a + 1; else b = a; }
void third(int n) { for (int i = 0; i < n && c < b; i++) c = c + 1; }
void fourth(int n) { for (int i = 0; i < n; i++) if (d < c + 2) d = d + 1; }
void back(void) { if (d > 6) a = d; }
`;

function question(source: string): { system: TransitionSystem; candidates: Map<Cutpoint, readonly Term[]> } {
  const program = programOf(source);
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter(({ library }) => !library),
    checkedProperties: new Set(['overflow']),
  });
  const candidates = new Map(
    system.points.map((point) => {
      const numbers = system.vocabulary.symbolsFor(point.fn).filter(({ sort }) => sort === L.bitsSort(32));
      const bounds = numbers.flatMap((n) =>
        [0, 3, 4, 5, 6, 7, 8, 9].flatMap((bound) => [
          L.sle(n, L.bits(BigInt(bound), 32)),
          L.sle(L.bits(BigInt(-bound), 32), n),
        ]),
      );
      const pairs = numbers.flatMap((n) => numbers.map((m) => L.sle(n, m)));
      return [point, [...bounds, ...pairs]] as const;
    }),
  );
  return { system, candidates };
}

const keptBy = async (some: readonly Solver[], source: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { system, candidates } = question(source);
  const kept = await houdini(system, noInvariants, candidates, some[0]!, {
    query: budget.moderateQuery(),
    stop: () => false,
    further: () => some.slice(1),
  });
  return new Map(
    [...kept!].map(([point, terms]) => [point, terms.map((term) => printTerm(term, system.vocabulary)).sort()]),
  );
};

test.each([
  ...ifLong(['bounds that lean on each other', chain]),
  ['the same without the way back', chain.replace('if (d > 6) a = d;', '')],
])('%s', async (_, source) => {
  const alone = await keptBy(all.slice(0, 1), source);
  expect([...alone.values()].flat().length).toBeGreaterThan(10);
  expect(await keptBy(all, source)).toEqual(alone);
});

/** Answers come only when the test says so, in any order. */
function delayed(solver: Solver, gate: () => Promise<void>): Solver {
  return {
    ...solver,
    get statistics() {
      return solver.statistics;
    },
    session: (options) => {
      const session = solver.session(options);
      const late: Session = {
        assert: (term) => session.assert(term),
        push: () => session.push(),
        pop: () => session.pop(),
        close: () => session.close(),
        async check(assumptions, effort) {
          const answer = await session.check(assumptions, effort);
          await gate();
          return answer;
        },
      };
      return late;
    },
  };
}

test('whatever order the answers come in', async () => {
  const alone = await keptBy(all.slice(0, 1), chain);
  let draw = 1;
  const some = (): Promise<void> => {
    draw = (draw * 48271) % 2147483647;
    let left = draw % 7;
    return new Promise((resolve) => {
      const step = (): void => void (left-- > 0 ? setImmediate(step) : resolve());
      step();
    });
  };
  for (let i = 0; i < 3; i++) {
    const late = all.map((solver) => delayed(solver, some));
    expect(await keptBy(late, chain)).toEqual(alone);
  }
});

test('a search that is cut short knows all steps that were being looked at', async () => {
  const { system, candidates } = question(chain);
  for (const looks of [3, 8, 20]) {
    let left = looks;
    let interrupted: InterruptedSearch | undefined;
    const kept = await houdini(system, noInvariants, candidates, all[0]!, {
      query: budget.moderateQuery(),
      stop: () => left-- <= 0,
      further: () => all.slice(1),
      interrupted: (search) => (interrupted = search),
    });
    expect(kept).toBeUndefined();
    const rest = await houdini(system, noInvariants, candidates, all[0]!, {
      query: budget.moderateQuery(),
      stop: () => false,
      from: interrupted,
    });
    const whole = await houdini(system, noInvariants, candidates, all[0]!, {
      query: budget.moderateQuery(),
      stop: () => false,
    });
    expect(rest).toEqual(whole);
  }
});

test('solvers beside the first: as many as are asked for, and none where runs have to be reproducible', async () => {
  expect(all).toHaveLength(3);
  const effort = new Solvers(1, Budget.start({ milliseconds: 1000, resourcesPerQuery: 1000 }), { jobs: 3 });
  const one = new Solvers(1, budget, { jobs: 1 });
  const early = new Solvers(1, Budget.start({ milliseconds: 1000 }), {});
  try {
    expect(effort.further()).toEqual([]);
    expect(one.further()).toEqual([]);
    // Most proofs end before another process would be ready.
    expect(early.further()).toEqual([]);
  } finally {
    await Promise.all([effort.close(), one.close(), early.close()]);
  }
});
