/** A search for inductive candidates that drops what is not settled at once still answers with inductive ones. */
import { type InvariantMap, noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../../src/abstraction/transitionSystem/transitionSystem';
import { houdini, type HoudiniOptions } from '../../../src/engines/invariants/houdini';
import { continues, type InterruptedSearch } from '../../../src/engines/invariants/interruptedSearch';
import { certifyChecks } from '../../../src/evidence/certificates/certify';
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import { createSolver } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { ifLong } from '../../long';
import { file } from '../task';

let solver: Solver;
beforeAll(() => {
  solver = createSolver({ seed: 1 });
});
afterAll(() => solver.close());
const query = { timeoutMs: 60_000 };

const program = loadProgram([
  file(`
static int n, m;
void add(int k) { if (k > 0 && k <= 3 && n <= 7) n += k; }
void take(void) { if (n > 0) { n--; if (m < 4) m++; } }
int both(void) { return n + m; }
`),
]);
const options: SystemOptions = {
  ...plainOptions,
  mode: 'module',
  entries: program.functions,
  checkedProperties: new Set(['overflow']),
};
const system = new TransitionSystem(program, options);

const bound = (name: string, term: (v: Term) => Term): Term => {
  const symbol = system.vocabulary
    .symbolsFor(system.client!.fn)
    .find((one) => system.vocabulary.meaning(one)?.kind === 'variable' && one.name.includes(name))!;
  return term(symbol);
};
const number = (value: number): Term => L.bits(BigInt.asUintN(32, BigInt(value)), 32);
const terms = ['n', 'm'].flatMap((name) => [
  bound(name, (v) => L.sle(number(0), v)),
  ...[0, 3, 4, 7, 10, 12].map((most) => bound(name, (v) => L.sle(v, number(most)))),
]);
const candidates = new Map(system.points.map((point) => [point, terms]));

const search = (cut: Partial<HoudiniOptions>, by = solver): Promise<InvariantMap | undefined> =>
  houdini(system, noInvariants, candidates, by, { query, stop: () => false, ...cut });

/** True from the given call on. */
const from = (call: number): (() => boolean) => {
  let calls = 0;
  return () => ++calls > call;
};

/** Decides no query in time whose number in the search is a multiple of `every`, if the time is short. */
const impatient = (every: number): Solver => {
  let queries = 0;
  return {
    ...solver,
    session: (how) => {
      const session = solver.session(how);
      return {
        assert: (term) => session.assert(term),
        push: () => session.push(),
        pop: () => session.pop(),
        close: () => session.close(),
        check: (assumptions, budget) =>
          budget.timeoutMs < 1000 && ++queries % every === 0
            ? Promise.resolve({ kind: 'unknown', cause: 'timeout', detail: '' } as const)
            : session.check(assumptions, budget),
      };
    },
  };
};

async function isInductive(invariants: InvariantMap): Promise<boolean> {
  const certificate = new Map(
    system.points.map(({ key }) => [
      key,
      { invariants: invariants.get(key) ?? [], predicates: [], states: [['', ['']]] as const },
    ]),
  );
  return (await certifyChecks(program, options, certificate, solver, () => query)).kind === 'certified';
}

const count = (invariants: InvariantMap): number => [...invariants.values()].flat().length;

test('a search in a hurry keeps an inductive part of the candidates', async () => {
  const whole = (await search({}))!;
  const sizes: number[] = [];
  for (const every of [1, 6, ...ifLong(12)]) {
    const found = (await search({ hurry: from(8) }, impatient(every)))!;
    for (const [key, some] of found) for (const term of some) expect(whole.get(key)).toContain(term);
    expect(await isInductive(found)).toBe(true);
    sizes.push(count(found));
  }
  expect(sizes[0]).toBe(0);
  expect(Math.max(...sizes)).toBeGreaterThan(0);
});

const asSets = (invariants: InvariantMap): ReadonlyMap<string, ReadonlySet<Term>> =>
  new Map([...invariants].flatMap(([key, some]) => (some.length === 0 ? [] : [[key, new Set(some)] as const])));

/** The search in parts: each is cut at the given call of `stop`, until one comes to its end. */
async function inParts(cut: number, how: (stop: () => boolean) => Partial<HoudiniOptions>): Promise<InvariantMap> {
  let rest: InterruptedSearch | undefined;
  for (let parts = 0; parts < 200; parts++) {
    const begun: InterruptedSearch | undefined = rest;
    rest = undefined;
    const found = await search({
      ...how(from(cut)),
      from: begun,
      interrupted: (one) => {
        rest = one;
      },
    });
    if (found && !rest) return found;
  }
  throw new Error('no part came to an end');
}

test.each([2, 5, ...ifLong(3, 9)])(
  'a search that is cut at call %i goes on to what a whole one ends with',
  async (cut) => {
    const whole = (await search({}))!;
    expect(count(whole)).toBeGreaterThan(0);
    expect(asSets(await inParts(cut, (stop) => ({ stop })))).toEqual(asSets(whole));
  },
);

test('what fell in a hurry is tried again by the search that goes on', async () => {
  const whole = (await search({}))!;
  let rest: InterruptedSearch | undefined;
  const interrupted = (one: InterruptedSearch): void => {
    rest = one;
  };
  const hurried = (await search({ hurry: from(8), interrupted }, impatient(1)))!;
  expect(count(hurried)).toBe(0);
  expect(asSets((await search({ from: rest }))!)).toEqual(asSets(whole));
});

test('a search that goes on takes candidates in that are new', async () => {
  const whole = (await search({}))!;
  const few = new Map([...candidates].map(([point, some]) => [point, some.slice(0, 4)]));
  let rest: InterruptedSearch | undefined;
  const interrupted = (one: InterruptedSearch): void => {
    rest = one;
  };
  const begun = await houdini(system, noInvariants, few, solver, { query, stop: from(4), interrupted });
  expect(begun).toBeUndefined();
  expect(asSets((await search({ from: rest }))!)).toEqual(asSets(whole));
});

test('a search continues one on the same system that assumed no more', async () => {
  let rest: InterruptedSearch | undefined;
  await search({
    stop: from(2),
    interrupted: (one) => {
      rest = one;
    },
  });
  const known = (await search({}))!;
  expect(continues(rest!, system, known)).toBe(true);
  expect(continues({ ...rest!, known }, system, known)).toBe(true);
  expect(continues({ ...rest!, known }, system, noInvariants)).toBe(false);
  expect(continues(rest!, new TransitionSystem(program, options), known)).toBe(false);
});
