/** Proofs with call stacks: what is weakened, strengthened, misplaced or left out is refused. */
import { type PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { CallStackGraph } from '../../../src/abstraction/transitionSystem/callStackGraph';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../src/budget';
import { nothingKnown } from '../../../src/engines/engine';
import { searchTree } from '../../../src/engines/minimax/minimaxEngine';
import { Problem } from '../../../src/engines/problem';
import { type CallStackCertificate, certifyCallStacks } from '../../../src/evidence/certificates/callStackCertificate';
import { certificateOf, certify } from '../../../src/evidence/certificates/certify';
import * as L from '../../../src/logic/build';
import type { Task } from '../../../src/task';
import { file, task } from '../../engines/task';

jest.setTimeout(240_000);

/** Two calls of one function, whose results differ: by location alone nothing of use holds. */
const times = 'static int times(int n) { int i = 0, r = 0; while (i < n) { i = i + 1; r = r + 2; } return r; }';
const programText = `${times} void foo(void) { int x = times(1), y; y = times(2); if (x != 2 || y != 4) error(); }`;
/** A client's calls, in any order, and an entry that the module calls, too. */
const moduleText = `static int last;
  ${times.replace('static ', '').replace('times', 'twice')}
  void one(void) { last = twice(1); if (last != 2) error(); }
  void two(int again) { last = twice(2); if (last != 4) error(); if (again) last = twice(1); }
  void audit(void) { if (last != 0 && last != 2 && last != 4) error(); }`;

interface Proof {
  readonly problem: Problem;
  readonly system: TransitionSystem;
  readonly certificate: CallStackCertificate;
  readonly abstraction: PredicateAbstraction;
}

const budget = Budget.start({ milliseconds: 300_000 });

async function proofOf(text: string, changes: Partial<Task>): Promise<Proof> {
  const load = { externals: 'any', idioms: true } as const;
  const problem = new Problem(
    task(file(text), { properties: ['reach'], load, callBacks: false, ...changes }),
    budget,
    {},
  );
  const system = new TransitionSystem(problem.program, { ...problem.systemOptions(), cutpoints: 'branches' });
  const graph = CallStackGraph.of(system, 1000)!;
  const { closedTree } = await searchTree(graph, problem, nothingKnown, budget);
  if (closedTree?.kind !== 'call-stacks') throw new Error('the tree is closed, with call stacks');
  return { problem, system, ...closedTree };
}

describe.each([
  ['a program', programText, { mode: 'program', entries: ['foo'] }],
  ['a module', moduleText, { mode: 'module' }],
] as const)('%s', (_, text, changes) => {
  let problem: Problem;
  let system: TransitionSystem;
  let certificate: CallStackCertificate;
  let abstraction: PredicateAbstraction;

  beforeAll(async () => {
    ({ problem, system, certificate, abstraction } = await proofOf(text, changes as Partial<Task>));
  });
  afterAll(() => problem.solvers.close());

  const check = async (claimed: CallStackCertificate, checked = system.options): Promise<string> => {
    const { certifier } = problem.solvers;
    return (await certifyCallStacks(problem.program, checked, claimed, certifier, () => budget.finalQuery())).kind;
  };

  /** Less than everything is claimed of the place. */
  const isClaimed = (key: string): boolean => certificate.get(key)!.every(({ claims }) => claims.length > 0);

  test('the proof is accepted; what follows from it by location alone is none', async () => {
    expect(await check(certificate)).toBe('certified');
    const { program, solvers } = problem;
    const alone = await certify(program, system.options, certificateOf(abstraction), solvers.certifier, () =>
      budget.finalQuery(),
    );
    expect(alone.kind).toBe('refuted');
  });

  test('each claim that is needed is needed: without it the proof is refused', async () => {
    const needed = [...certificate].filter(([key]) => isClaimed(key));
    expect(needed.length).toBeGreaterThan(5);
    for (const [key] of needed)
      expect([key, await check(new Map(certificate).set(key, [{ claims: [], next: [] }]))]).toEqual([key, 'refuted']);
  });

  test('claims of one stack are not claims of another', async () => {
    const callees = [...certificate.keys()].filter((key) => /(?:times|twice)@\d+$/.test(key) && isClaimed(key));
    const endOf = (key: string): string => key.split('>').pop()!;
    const others = callees.filter((key) => endOf(key) === endOf(callees[0]!));
    expect(others.length).toBeGreaterThan(1);
    const [one, other] = [others[0]!, others.at(-1)!];
    const swapped = new Map(certificate).set(one, certificate.get(other)!).set(other, certificate.get(one)!);
    expect(await check(swapped)).toBe('refuted');
  });

  test('a claim that excludes a state that is reached is refused', async () => {
    const claimed = [...certificate.keys()].filter(isClaimed);
    const client = claimed.filter((key) => key.startsWith('<client>'));
    expect(client.length).toBe(system.client ? 1 : 0);
    for (const key of [claimed[0]!, ...client]) {
      expect(await check(new Map(certificate).set(key, [{ claims: [L.FALSE], next: [] }]))).toBe('refuted');
      expect(await check(new Map(certificate).set(key, []))).toBe('refuted');
    }
  });

  test('nothing may be claimed of the start, from which no step would show it', async () => {
    const [one] = certificate.get('start')!;
    expect(one!.claims).toEqual([]);
    for (const cases of [[{ ...one!, claims: [L.FALSE] }], []])
      expect(await check(new Map(certificate).set('start', cases))).toBe('refuted');
  });

  test('which case a step leads to is a hint: a wrong one, or none, changes no answer', async () => {
    const changed = (change: (next: number | undefined) => number | undefined): CallStackCertificate =>
      new Map(
        [...certificate].map(([key, cases]) => [key, cases.map((one) => ({ ...one, next: one.next.map(change) }))]),
      );
    for (const change of [() => undefined, () => 0, () => 1, () => 99])
      expect(await check(changed(change))).toBe('certified');
  });

  test('each case is needed, and none may be claimed that a step leaves', async () => {
    const several = [...certificate].filter(([, cases]) => cases.length > 1);
    expect(several.length).toBeGreaterThan(0);
    for (const [key, cases] of several)
      for (const left of cases) {
        const rest = cases.filter((one) => one !== left);
        expect([key, await check(new Map(certificate).set(key, rest))]).toEqual([key, 'refuted']);
      }
    const [[key, cases]] = several as [(typeof several)[number]];
    // An unreachable case is one more from which a check must not fail.
    const more = [...cases, { claims: [], next: [] }];
    expect(await check(new Map(certificate).set(key, more))).toBe('refuted');
  });

  test('a claim about what is no part of the state, or for a place that there is not, is refused', async () => {
    const key = [...certificate.keys()].find(isClaimed)!;
    const foreign = L.eq(L.symbol('elsewhere', L.bitsSort(32)), L.bits(0n, 32));
    const [one] = certificate.get(key)!;
    const claims = [...one!.claims, foreign];
    expect(await check(new Map(certificate).set(key, [{ claims, next: one!.next }]))).toBe('refuted');
    expect(await check(new Map(certificate).set('foo@9999', []))).toBe('refuted');
  });

  test('checks that were not asked for are not proved along the way', async () => {
    expect(await check(certificate, { ...system.options, checkedProperties: new Set(['reach', 'overflow']) })).not.toBe(
      'certified',
    );
  });
});
