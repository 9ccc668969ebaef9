/** Checks that are proved on a slice, alone or beside others; and failures, which only the program itself has. */
import { PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../src/budget';
import { type Engine, nothingKnown, type Outcome } from '../../../src/engines/engine';
import { houdiniOf } from '../../../src/engines/invariants/houdiniEngine';
import { sampling } from '../../../src/engines/invariants/sampling';
import { Certification } from '../../../src/engines/portfolio/certification';
import { silent, VerificationLog } from '../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../src/engines/problem';
import { decide } from '../../../src/engines/reduced/decide';
import { reduced } from '../../../src/engines/reduced/reduced';
import { certificateOf, certifyChecks } from '../../../src/evidence/certificates/certify';
import { verify } from '../../../src/index';
import { noWeakening } from '../../../src/program/automata/weakening';
import type { Edge } from '../../../src/program/program';
import type { Reduced } from '../../../src/reductions/reduction';
import { portfolioOf } from '../../../src/engines/portfolio/stages';
import type { SliceKind } from '../../../src/reductions/slice/slice';
import { slicing } from '../../../src/reductions/slice/slicing';
import type { Verdict } from '../../../src/verdict';
import { file, fixture, task } from '../task';
import { inLongForm } from '../../long';

jest.setTimeout(120_000);

const program = (text: string) =>
  task(file(text), { mode: 'program', entries: ['main'], properties: ['reach'], load: { externals: 'any' } });

const header = 'extern int nondet(void); extern void error(void);';
/** Hard for every engine, and of no matter. */
const busy =
  'static unsigned busy(unsigned n) { unsigned s = n, r; ' +
  'for (r = 0; r < 70; r++) { s = (s * 37 + r * r) % 4093; if ((s & 9) == 8) s = s * s % 1021; } return s; }';

const remarks = (verdict: Verdict): string => ('remarks' in verdict ? verdict.remarks.join('\n') : '');

test('what is open is proved on a slice, and the verdict says how much of the program that was', async () => {
  const path = fixture('programs/slices/two_meters.c');
  const verdict = await verify(
    task(path, {
      mode: 'program',
      entries: ['main'],
      properties: ['reach'],
      load: { externals: 'any' },
      budget: { milliseconds: 120_000 },
    }),
  );
  expect(verdict).toMatchObject({ kind: 'proved', engine: 'test-based-abstraction, slices' });
  expect(remarks(verdict)).toMatch(/proved of \d+ of \d+ commands/u);
  if (verdict.kind === 'proved') {
    expect(verdict.invariants.map(({ formula }) => formula).join('\n')).toContain('gear');
    expect(verdict.checks?.every(({ status }) => status === 'proved')).toBe(true);
    // The statistics say which reduction that was, and that the proof before was none of this one.
    const { stages } = verdict.statistics;
    expect(stages.at(-1)).toMatchObject({
      stage: expect.stringMatching(/^reduced:slice:/u) as string,
      outcome: 'proof',
      parts: expect.arrayContaining([expect.objectContaining({ checks: 1, outcome: 'proved' })]) as unknown,
    });
    expect(stages.slice(0, -1).map(({ outcome }) => outcome)).not.toContain('proof');
  }
});

inLongForm('two checks that need different slices', async () => {
  const text = `${header} ${busy}
    int main(void) {
      unsigned a = 0, b = 0, c = 0, d = 0, seed = 0; int m = nondet(), k = nondet();
      while (nondet()) {
        seed = busy(seed + a + c);
        if (seed > 9) { if (m == 5) a = a + 4; else a = a + 3; b = b + 1; if (a != 4 * b && a != 3 * b) error(); }
        if (seed > 90) { if (k == 8) c = c + 6; else c = c + 5; d = d + 1; if (c != 6 * d && c != 5 * d) error(); }
      }
      return 0;
    }`;
  const verdict = await verify(program(text));
  expect(verdict.kind).toBe('proved');
  expect(verdict).toMatchObject({ statistics: { obligations: 2 } });
});

test('no engine but the last gets all of the time that a part has', async () => {
  const asked = program(`${header} int main(void) { int n = nondet(); if (n > 3 && n < 2) error(); return 0; }`);
  const budget = Budget.start({ milliseconds: 600_000 });
  const problem = new Problem(asked, budget, {});
  const granted: number[] = [];
  const engine: Engine = {
    name: 'houdini:elements',
    applies: () => undefined,
    run: (_, known, { leftMs }) => {
      granted.push(leftMs / 1000);
      return Promise.resolve({ kind: 'unknown', reason: undefined, learned: known });
    },
  };
  try {
    const edges = problem.system.functions.flatMap((fn) => fn.edges);
    const checks = new Set(edges.flatMap(({ command }) => (command.kind === 'check' ? [command] : [])));
    const part: Reduced = { weakening: noWeakening, checks, isMuchEasier: false, size: 'all' };
    await decide(problem, part, [engine, engine], budget, { sampled: 'as it is', engineShare: 0.5 });
  } finally {
    await problem.solvers.close();
  }
  const [first = 0, last = 0] = granted;
  expect(first).toBeLessThanOrEqual(300);
  expect(last).toBeGreaterThan(first);
});

type Undecided = Extract<Outcome, { readonly learned: unknown }>;

test('KT-12: one of two checks is proved on its slice and has a certificate though the other stays open', async () => {
  const text = `${header} ${busy}
    int main(void) {
      unsigned a = 0, b = 0, seed = 1; int m = nondet();
      while (nondet()) {
        seed = busy(seed + 1);
        if (seed == 4092 * 3) error();
        if (seed > 9) { if (m == 5) a = a + 4; else a = a + 3; b = b + 1; if (a != 4 * b && a != 3 * b) error(); }
      }
      return 0;
    }`;
  const asked = program(text);
  const budget = Budget.start(asked.budget);
  const problem = new Problem(asked, budget, {});
  try {
    const { learned } = (await sampling.run(problem, nothingKnown, budget, silent)) as Undecided;
    const engine = reduced(slicing('value+'), [sampling, houdiniOf('modes')]);
    const outcome = (await engine.run(problem, learned, budget, silent)) as Undecided;
    expect(outcome.kind).toBe('unknown');
    const [part, ...others] = outcome.learned.parts;
    expect(others).toEqual([]);
    const { solvers, program: whole } = problem;
    const result = await certifyChecks(whole, part!.system.options, certificateOf(part!), solvers.certifier, () =>
      budget.query(),
    );
    if (result.kind !== 'certified') throw new Error(result.why);
    expect([...result.checks].map(({ span }) => span.file.position(span.start).line)).toEqual([7]);
  } finally {
    await problem.solvers.close();
  }
});

test('KT-07: a failing execution is one of the program, not of the slice', async () => {
  // In the slice `open` may be anything when the check is reached; in the program it is 1 there.
  const text = `${header} ${busy}
    int main(void) {
      unsigned seed = 0; int level = 0, m = nondet();
      while (nondet()) {
        seed = busy(seed);
        if (seed > 5000) level = level + 1;
        if (m == 3 && level > 0) error();
      }
      return 0;
    }`;
  const verdict = await verify({ ...program(text), budget: { milliseconds: 10_000 } });
  expect(verdict.kind).not.toBe('bug');
});

test('KT-18: what a value slice leaves open is proved on the backward slice', async () => {
  // Only the test of `on` says that the check is never reached, and no value depends on it.
  const asked = program(`#include <assert.h>
    ${header} ${busy}
    int main(void) {
      unsigned seed = 0; int on = 0, set = 0, x = nondet();
      while (nondet()) { seed = busy(seed); if (set) on = 1; if (on) assert(x != 3); }
      return 0;
    }`);
  const budget = Budget.start(asked.budget);
  const problem = new Problem(asked, budget, {});
  try {
    const { learned } = (await sampling.run(problem, nothingKnown, budget, silent)) as Undecided;
    const outcomeOn = async (kind: SliceKind): Promise<Outcome['kind']> => {
      const engine = reduced(slicing(kind), [sampling, houdiniOf('basic')]);
      return (await engine.run(problem, learned, budget, silent)).kind;
    };
    expect(await outcomeOn('value+')).not.toBe('safe');
    expect(await outcomeOn('backward')).toBe('safe');
  } finally {
    await problem.solvers.close();
  }
  const order = portfolioOf({ engine: 'auto' }).stages.map(({ engine }) => engine.name);
  expect(order.indexOf('reduced:slice:value+')).toBeLessThan(order.indexOf('reduced:slice:backward'));
});

test('KT-12: parts that leave a check out are no proof', async () => {
  const asked = program(`${header} int main(void) { int x = nondet(); if (x == 3) error(); return 0; }`);
  const budget = Budget.start(asked.budget);
  const problem = new Problem(asked, budget, {});
  try {
    const assumed = new Set(problem.program.functions.flatMap(({ edges }) => edges.filter(isCheck)));
    expect(assumed.size).toBeGreaterThan(0);
    const log = new VerificationLog(problem, budget, {});
    const certification = new Certification(problem, budget, log);
    for (const weakening of [
      { dropped: new Set<Edge>(), assumed },
      { dropped: assumed, assumed: new Set<Edge>() },
    ]) {
      const system = new TransitionSystem(problem.program, { ...problem.systemOptions(), weakening });
      const part = PredicateAbstraction.ofInvariants(system, noInvariants);
      // Inductive, and about nothing.
      const verdict = await certification.parts([part], { engine: 'none', remark: 'must not be said' });
      expect(verdict).toMatchObject({ kind: 'unknown', reason: { cause: 'checker-disagrees' } });
      expect(remarks(verdict)).not.toContain('must not be said');
    }
  } finally {
    await problem.solvers.close();
  }
});

const isCheck = ({ command }: Edge): boolean => command.kind === 'check' && command.check === 'unreachable';
