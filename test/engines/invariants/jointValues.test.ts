/** Invariants about which values variables with few values have together, and what makes one leave a word out. */
import fc from 'fast-check';
import { oneOf } from '../../../src/abstraction/candidates/jointValues';
import { Budget } from '../../../src/budget';
import { nothingKnown } from '../../../src/engines/engine';
import { jointValues } from '../../../src/engines/invariants/jointValues';
import { sampling } from '../../../src/engines/invariants/sampling';
import { silent } from '../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../src/engines/problem';
import { certificateOf, certifyChecks, askedIn } from '../../../src/evidence/certificates/certify';
import { PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { Solvers } from '../../../src/engines/solvers';
import * as L from '../../../src/logic/build';
import { compile } from '../../../src/logic/compile';
import { programWith, statesOf } from '../minimax/randomPrograms';
import { isLong } from '../../long';
import { file, task } from '../task';

jest.setTimeout(240_000);

let solvers: Solvers;
beforeAll(() => {
  solvers = new Solvers(1, Budget.start({ milliseconds: 36_000_000 }), {});
});
afterAll(() => solvers.close());

/** `proved`: the checker says that all checks follow. */
async function answerFor(text: string): Promise<'proved' | 'open' | 'fails' | 'skipped'> {
  const budget = Budget.start({ milliseconds: 36_000_000 });
  const asked = task(file(text), {
    mode: 'program',
    entries: ['foo'],
    properties: ['reach'],
    load: { externals: 'any', idioms: true },
  });
  const problem = new Problem(asked, budget, { solvers });
  const sampled = await sampling.run(problem, nothingKnown, budget, silent);
  if (!('learned' in sampled)) return 'fails';
  if (jointValues.applies(problem, sampled.learned) !== undefined) return 'skipped';
  const found = await jointValues.run(problem, sampled.learned, budget, silent);
  if (!('learned' in found) || found.learned === sampled.learned) return 'open';
  const { system, invariants } = found.learned.strengthened!;
  const certificate = certificateOf(PredicateAbstraction.ofInvariants(system, invariants));
  const result = await certifyChecks(problem.program, system.options, certificate, solvers.certifier, () =>
    budget.finalQuery(),
  );
  // Every answer is inductive, whatever it is good for.
  if (result.kind !== 'certified') throw new Error(result.why);
  return askedIn(system).every((check) => result.checks.has(check)) ? 'proved' : 'open';
}

const exclusion = `void foo(void) {
  int at0 = 0, at1 = 0, wants0 = 0, wants1 = 0, turn = 0;
  while (1) {
    if (nondet()) {
      if (at0 == 0) { wants0 = 1; at0 = 1; } else if (at0 == 1) { turn = 1; at0 = 2; }
      else if (at0 == 2) { if (!wants1 || turn == 0) at0 = 3; } else { wants0 = 0; at0 = 0; }
    } else {
      if (at1 == 0) { wants1 = 1; at1 = 1; } else if (at1 == 1) { turn = 0; at1 = 2; }
      else if (at1 == 2) { if (!wants0 || turn == 1) at1 = 3; } else { wants1 = 0; at1 = 0; }
    }
    if (at0 == 3 && at1 == 3) error();
  }
}`;

test('mutual exclusion of two processes that take turns', async () => {
  expect(await answerFor(exclusion)).toBe('proved');
  const spoiled = exclusion.replace('wants0 = 1; at0 = 1;', 'at0 = 1;');
  expect(spoiled).not.toBe(exclusion);
  expect(await answerFor(spoiled)).not.toBe('proved');
});

const queue = `void foo(void) {
  int sent = 0, taken = 0, full = 0;
  while (nondet()) {
    if (!full) { if (sent < 1000) { sent = sent + 1; full = 1; } } else { taken = taken + 1; full = 0; }
    if (sent - taken != full) error();
  }
}`;

test('counters that go on and on are told by their difference', async () => {
  expect(await answerFor(queue)).toBe('proved');
  expect(await answerFor(queue.replace('sent + 1;', 'sent + (sent < 900 ? 1 : 2);'))).not.toBe('proved');
});

test('a formula of combinations holds of these and of no others', () => {
  const words = ['x', 'y', 'z'].map((name) => L.symbol(name, L.bitsSort(8)));
  const combination = fc.tuple(fc.bigInt(0n, 3n), fc.bigInt(0n, 3n), fc.bigInt(0n, 3n));
  fc.assert(
    fc.property(fc.array(combination, { maxLength: 12 }), combination, (all, one) => {
      const holds = compile(oneOf(words, all))((symbol) => one[words.indexOf(symbol)]!);
      expect(holds).toBe(all.some((other) => other.join() === one.join()));
    }),
  );
});

test('what is proved of random programs does not fail in any of their states', async () => {
  const count = isLong ? 200 : 14;
  for (const { text, run } of fc.sample(programWith({ calls: false }), { numRuns: count, seed: 11 })) {
    let fails = false;
    run(statesOf([[0, 1, 0]]), () => (fails = true));
    const answer = await answerFor(text);
    expect([text, answer, fails]).not.toEqual([text, 'proved', true]);
  }
});
