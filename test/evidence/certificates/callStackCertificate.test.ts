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
import { file, task } from '../../engines/task';

jest.setTimeout(240_000);

/** Two calls of one function, whose results differ: by location alone nothing of use holds. */
const text = `static int times(int n) { int i = 0, r = 0; while (i < n) { i = i + 1; r = r + 2; } return r; }
  void foo(void) { int x = times(1), y; y = times(2); if (x != 2 || y != 4) error(); }`;

let problem: Problem;
let system: TransitionSystem;
let certificate: CallStackCertificate;
let abstraction: PredicateAbstraction;
const budget = Budget.start({ milliseconds: 300_000 });

beforeAll(async () => {
  const asked = task(file(text), {
    mode: 'program',
    entries: ['foo'],
    properties: ['reach'],
    load: { externals: 'any', idioms: true },
  });
  problem = new Problem(asked, budget, {});
  system = new TransitionSystem(problem.program, { ...problem.systemOptions(), cutpoints: 'branches' });
  const graph = CallStackGraph.of(system, 1000)!;
  const { closedTree } = await searchTree(graph, problem, nothingKnown, budget);
  if (closedTree?.kind !== 'call-stacks') throw new Error('the tree is closed, with call stacks');
  ({ certificate, abstraction } = closedTree);
});
afterAll(() => problem.solvers.close());

const check = async (claimed: CallStackCertificate, checked = system.options): Promise<string> => {
  const { certifier } = problem.solvers;
  return (await certifyCallStacks(problem.program, checked, claimed, certifier, () => budget.finalQuery())).kind;
};

test('the proof is accepted; what follows from it by location alone is none', async () => {
  expect(await check(certificate)).toBe('certified');
  const { program, solvers } = problem;
  const alone = await certify(program, system.options, certificateOf(abstraction), solvers.certifier, () =>
    budget.finalQuery(),
  );
  expect(alone.kind).toBe('refuted');
});

test('each claim that is needed is needed: without it the proof is refused', async () => {
  const needed = [...certificate].filter(([, terms]) => terms.length > 0);
  expect(needed.length).toBeGreaterThan(5);
  for (const [key] of needed) expect([key, await check(new Map(certificate).set(key, []))]).toEqual([key, 'refuted']);
});

test('claims of one stack are not claims of another', async () => {
  const [first, second] = [...certificate.keys()].filter(
    (key) => /times@\d+$/.test(key) && certificate.get(key)!.length > 0,
  );
  const last = [...certificate.keys()].filter((key) => key.split('>').pop() === first!.split('>').pop());
  expect(last.length).toBe(2);
  const swapped = new Map(certificate)
    .set(last[0]!, certificate.get(last[1]!)!)
    .set(last[1]!, certificate.get(last[0]!)!);
  expect(second).toBeDefined();
  expect(await check(swapped)).toBe('refuted');
});

test('a claim that excludes a state that is reached is refused', async () => {
  const [key] = [...certificate.keys()];
  expect(await check(new Map(certificate).set(key!, [L.FALSE]))).toBe('refuted');
});

test('a claim about what is no part of the state, or for a place that there is not, is refused', async () => {
  const [key] = [...certificate.keys()];
  const foreign = L.eq(L.symbol('elsewhere', L.bitsSort(32)), L.bits(0n, 32));
  expect(await check(new Map(certificate).set(key!, [foreign]))).toBe('refuted');
  expect(await check(new Map(certificate).set('foo@9999', []))).toBe('refuted');
});

test('checks that were not asked for are not proved along the way', async () => {
  expect(await check(certificate, { ...system.options, checkedProperties: new Set(['reach', 'overflow']) })).not.toBe(
    'certified',
  );
});
