/** The mechanism of test-based abstraction, one row of the paper at a time. */
import { PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import { verify } from '../../../src';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { defaultPredicates } from '../../../src/abstraction/predicates/defaultPredicates';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { TestBasedAbstraction, type Limits } from '../../../src/engines/testBasedAbstraction/testBasedAbstraction';
import { loadProgram } from '../../../src/program';
import { defaultProperties } from '../../../src/program/command';
import { Machine } from '../../../src/semantics/concrete/machine';
import { createSolver } from '../../../src/solver';
import type { Answer, Session, Solver } from '../../../src/solver/solver';
import type { Task } from '../../../src/task';
import { compare, file, integer, run, task, variable } from '../task';

jest.setTimeout(300_000);

const check = async (text: string, changes: Partial<Task> = {}) => verify(task(file(text), changes));

describe('verdicts', () => {
  test.each<[string, string, Partial<Task>]>([
    [
      'a counter with a limit',
      'static int n; void up(void) { if (n < 10) n = n + 1; } int at(void) { static int a[11]; return a[n]; }',
      {},
    ],
    [
      'two variables in step',
      'static int a, b; void both(void) { if (a < 100) { a++; b++; } } ' +
        'void ask(void) { if (a != b) { int z = 0; a = 1 / z; } }',
      {},
    ],
    [
      'a loop over an array',
      'unsigned sum(void) { static const unsigned a[4] = {1, 2, 3, 4}; unsigned s = 0; ' +
        'for (int i = 0; i < 4; i++) s += a[i]; return s; }',
      {},
    ],
    [
      'recursion by summaries',
      'int down(int n) { if (n <= 0) return 0; return down(n - 1); } ' +
        'int ask(int n) { int r = down(n); int a[1] = {0}; return a[r]; }',
      {},
    ],
    [
      'the same without inlining',
      'static int clip(int x) { return x < 0 ? 0 : x > 9 ? 9 : x; } ' +
        'int ask(int n) { static int a[10]; return a[clip(n)]; }',
      { inline: false },
    ],
    [
      'callers that differ in context',
      'static int same(int x) { return x; } int ask(void) { static int a[3]; int i = same(1); int j = same(2); ' +
        'return a[i] + a[j] + 1 / (j - i); }',
      { inline: false },
    ],
  ])('proved: %s', async (_, text, changes) => {
    const verdict = await check(text, changes);
    expect([verdict.kind, verdict.kind === 'proved' ? '' : JSON.stringify(verdict)]).toEqual(['proved', '']);
  });

  test.each<[string, string, number]>([
    [
      'one step too far',
      'static int n;\nvoid up(void) { if (n <= 10) n = n + 1; }\nint at(void) { static int a[11]; return a[n]; }',
      3,
    ],
    [
      'an overflow after many calls is found from its guard',
      'static int n;\nvoid set(int k) { n = k; }\nvoid up(void) { n = n + 1; }',
      3,
    ],
    ['a null pointer of a client', 'int get(int *p) {\n  return *p;\n}', 2],
    [
      'a freed object',
      'void *malloc(unsigned long n); void free(void *p);\nstatic int *p;\n' +
        'void make(void) { if (!p) { p = malloc(4); *p = 1; } }\nvoid drop(void) { free(p); }\n' +
        'int get(void) { return p ? *p : 0; }',
      4,
    ],
    ['division', 'int half(int a, int b) {\n  return a / b;\n}', 2],
  ])('bug: %s', async (_, text, line) => {
    const verdict = await check(text);
    expect([verdict.kind, verdict.kind === 'bug' ? '' : JSON.stringify(verdict)]).toEqual(['bug', '']);
    if (verdict.kind === 'bug') expect(verdict.counterexample.failure.place.line).toBeGreaterThanOrEqual(line);
  });

  test("a matched return is not mixed with another call's (row IS-11)", async () => {
    const text =
      'static int g; static void set(int v) { g = v; } void ask(void) { set(1); if (g != 1) g = 1 / (g - g); ' +
      'set(2); if (g != 2) g = 1 / (g - g); }';
    const probes: Task['probes'] = [1, 2].map((value) => ({
      name: `g${value}`,
      origin: 'test',
      formula: compare('==', variable('g'), integer(value)),
    }));
    const verdict = await check(text, { inline: false, probes });
    expect(verdict.kind).toBe('proved');
  });

  test('an unknown function may change what it can reach and nothing else (row IS-12)', async () => {
    const text =
      'extern void other(void); static int hidden = 1; int shown = 1; int ask(void) { other(); return 1 / hidden; }';
    expect((await check(text, { load: { externals: 'any' } })).kind).toBe('proved');
    const visible = await check(text.replace('1 / hidden', '1 / shown'), { load: { externals: 'any' } });
    expect(visible.kind).not.toBe('proved');
  });

  test('requires narrows the client', async () => {
    const text = 'int half(int a, int b) { return a / b; }';
    const requires: Task['requires'] = [{ function: 'half', formula: compare('>', variable('b'), integer(0)) }];
    expect((await check(text, { requires })).kind).toBe('proved');
  });

  test('contradicting assumptions prove nothing', async () => {
    const verdict = await check(
      'extern void __VERIFIER_assume(int); int f(int x) { __VERIFIER_assume(x > 3); __VERIFIER_assume(x < 2); ' +
        'return 1 / x; }',
    );
    expect(verdict).toMatchObject({ kind: 'unknown', reason: { cause: 'vacuous' } });
  });

  test('a module without checks is proved, with a remark; one with checks of other properties is not', async () => {
    expect(await check('unsigned twice(unsigned x) { return 2 * x; }')).toMatchObject({
      kind: 'proved',
      checks: [],
      remarks: ['no check of the asked properties occurs in the module'],
    });
    for (const text of [
      'int twice(int x) { return 2 * x; }',
      'static int twice(int x) { return 2 * x; } int four(int x) { return twice(x); }',
      '#include <assert.h>\nint twice(int x) {\n  assert(x > 0); // provest-suppress assertion: callers know\n' +
        '  return 1;\n}\n',
    ])
      expect(await check(text, { properties: ['reach'] })).toMatchObject({
        kind: 'unknown',
        reason: { cause: 'vacuous', message: expect.stringContaining('there is nothing to prove') as string },
      });
  });

  test('without checks, assumptions that contradict each other still prove nothing', async () => {
    const text = (low: string): string =>
      `extern void __VERIFIER_assume(int); unsigned f(unsigned x) { __VERIFIER_assume(x > ${low}); ` +
      '__VERIFIER_assume(x < 5); return x; }';
    expect(await check(text('5'))).toMatchObject({ kind: 'unknown', reason: { cause: 'vacuous' } });
    expect((await check(text('3'))).kind).toBe('proved');
  });
});

describe('mechanism', () => {
  const text =
    'static int n; void up(void) { int i; for (i = 0; i < 3; i++) if (n < 40) n = n + 1; } ' +
    'void reset(void) { n = 0; } int at(void) { static int a[41]; return a[n]; }';

  function engineFor(
    source: string,
    solver: Solver,
    changes: Partial<Limits> = {},
  ): { engine: TestBasedAbstraction; abstraction: PredicateAbstraction; system: TransitionSystem; machine: Machine } {
    const program = loadProgram([file(source)]);
    const entries = program.functions.filter(({ linkage }) => linkage === 'external');
    const system = new TransitionSystem(program, {
      ...plainOptions,
      mode: 'module',
      entries,
      checkedProperties: new Set(defaultProperties),
    });
    const predicates = defaultPredicates(system, new Map(), {
      depth: 3,
      perPoint: 16,
      size: 40,
      contents: false,
      shifts: false,
    });
    const abstraction = new PredicateAbstraction(system, noInvariants, (point) => predicates.get(point)!);
    const machine = new Machine(program, { stepLimit: 1_000_000 });
    const engine = new TestBasedAbstraction(abstraction, solver, machine, {
      query: { timeoutMs: 10_000 },
      abstractStates: 2000,
      runSteps: 10_000,
      idleSteps: 1000,
      stop: () => undefined,
      ...changes,
    });
    engine.recorder.visit(system.client!, undefined);
    return { engine, abstraction, system, machine };
  }

  const withSolver = async (use: (solver: Solver) => Promise<void>): Promise<void> => {
    const solver = createSolver();
    try {
      await use(solver);
    } finally {
      await solver.close();
    }
  };

  test('long runs add abstract states, not memory (row IS-01)', async () => {
    await withSolver(async (solver) => {
      const { engine, abstraction, system, machine } = engineFor(
        'static int n; void spin(int k) { for (int i = 0; i < k; i++) n = i & 3; } ' +
          'int at(void) { static int a[4]; return a[n]; }',
        solver,
      );
      const states = (): number => abstraction.points.reduce((sum, point) => sum + point.all().length, 0);
      const spin = system.program.functionByName.get('spin')!;
      machine.call(spin, [100]);
      const before = states();
      machine.call(spin, [20_000]);
      expect(states()).toBeLessThanOrEqual(before + 2);
      engine.dispose();
    });
  });

  test('what holds at the end of a call holds at the start of the next (row IS-10)', async () => {
    await withSolver(async (solver) => {
      const { engine, abstraction, system } = engineFor(text, solver);
      expect(await engine.close()).toEqual({ kind: 'closed' });
      const client = abstraction.at(system.client!);
      const shared = client.predicates.length;
      const project = (kind: string): string[] =>
        [
          ...new Set(
            abstraction.points
              .filter(({ point }) => point.kind === kind)
              .flatMap((point) => point.valuations().map((v) => v.slice(0, shared))),
          ),
        ].sort();
      const between = [...client.valuations()].sort();
      expect(project('entry')).toEqual(between);
      for (const entry of abstraction.points.filter(({ point }) => point.kind === 'entry'))
        expect([...new Set(entry.valuations().map((v) => v.slice(0, shared)))].sort()).toEqual(between);
      expect(project('exit').every((v) => between.includes(v))).toBe(true);
      engine.dispose();
    });
  });

  test('the interpreter does the walking: far fewer questions than states when runs go on', async () => {
    await withSolver(async (solver) => {
      const far = engineFor(text, solver);
      await far.engine.close();
      const near = engineFor(text, solver, { runSteps: 0 });
      await near.engine.close();
      expect(far.engine.statistics.queries).toBeLessThanOrEqual(near.engine.statistics.queries);
      const states = ({ points }: PredicateAbstraction): string[] =>
        points.map((point) => [...point.valuations()].sort().join());
      expect(states(far.abstraction)).toEqual(states(near.abstraction));
      far.engine.dispose();
      near.engine.dispose();
    });
  });

  test('a run that brings nothing new is stopped (row IS-13)', async () => {
    await withSolver(async (solver) => {
      const { engine, machine } = engineFor(
        'static int n; void spin(void) { while (1) { n = 1 - n; } } int at(void) { static int a[2]; return a[n]; }',
        solver,
        { runSteps: 1_000_000, idleSteps: 50 },
      );
      const before = machine.steps;
      await engine.close();
      expect(machine.steps - before).toBeLessThan(20_000);
      engine.dispose();
    });
  });

  /** Answers `unknown` where told to. */
  function failing(
    solver: Solver,
    fails: () => boolean,
    answer: Extract<Answer, { kind: 'unknown' }> = { kind: 'unknown', cause: 'resources', detail: 'as told' },
  ): Solver {
    return {
      name: solver.name,
      get statistics() {
        return solver.statistics;
      },
      session: (options): Session => {
        const session = solver.session(options);
        return {
          assert: (t) => session.assert(t),
          push: () => session.push(),
          pop: () => session.pop(),
          close: () => session.close(),
          check: async (a, b) => (fails() ? answer : session.check(a, b)),
        };
      },
      check: async (a, b, o) => (fails() ? answer : solver.check(a, b, o)),
      close: () => solver.close(),
    };
  }

  test('when the solver gives up on steps, states are added without them and nothing is lost (row IS-07)', async () => {
    await withSolver(async (solver) => {
      const exact = engineFor(text, solver);
      await exact.engine.close();
      let count = 0;
      const flaky = engineFor(
        text,
        failing(solver, () => count++ % 3 === 1),
      );
      const closure = await flaky.engine.close();
      if (closure.kind === 'closed') {
        exact.abstraction.points.forEach((point, i) => {
          const known = new Set(flaky.abstraction.points[i]!.valuations());
          for (const valuation of point.valuations()) expect(known).toContain(valuation);
        });
      }
      expect(flaky.engine.statistics.fallbacks).toBeGreaterThan(0);
      expect([...flaky.engine.remarks].join()).toContain('over-approximated');
      exact.engine.dispose();
      flaky.engine.dispose();
    });
  });

  test('a solver that never answers never gives a proof', async () => {
    await withSolver(async (solver) => {
      for (const cause of ['resources', 'died', 'memory', 'error'] as const) {
        const verdict = await verify(task(file(text), { budget: { milliseconds: 20_000 } }), {
          solver: failing(solver, () => true, { kind: 'unknown', cause, detail: 'as told' }),
        });
        expect(['unknown', 'potential-error']).toContain(verdict.kind);
      }
    });
  });

  test('a solver that fails now and then costs precision, never truth', async () => {
    const unsafe = text.replace('n < 40', 'n < 41');
    await withSolver(async (solver) => {
      for (let offset = 0; offset < 3; offset++) {
        let count = offset;
        const verdict = await verify(task(file(unsafe), { budget: { milliseconds: 5000 } }), {
          solver: failing(solver, () => count++ % 4 === 0),
        });
        expect(verdict.kind).not.toBe('proved');
      }
    });
  });

  test('states that tests poked into the module do not count as reachable', async () => {
    const poked: Task['runs'] = [[{ kind: 'poke', variable: 'n', offsetBytes: 0, bytes: 'e8030000' }, ...run(['at'])]];
    expect((await check(text, { runs: poked })).kind).toBe('proved');
  });

  test('views of concrete states give every symbol a value', () => {
    const program = loadProgram([file(text)]);
    const system = new TransitionSystem(program, {
      ...plainOptions,
      mode: 'module',
      entries: program.functions,
      checkedProperties: new Set(defaultProperties),
    });
    const machine = new Machine(program);
    const view = new ConcreteView(system.vocabulary, {
      globals: machine.globals,
      memory: machine.memory,
      activation: undefined,
      activations: [],
    });
    for (const symbol of system.vocabulary.symbolsFor(program.functions[0]!))
      expect(view.value(symbol)).not.toBeUndefined();
  });
});

test('where nothing has to be known between segments, no facts are looked for', async () => {
  const clamp = (limit: string): string => `
    #include <assert.h>
    int clamp(int value, int low, int high) { if (low > high) return low;
      int result = value < low ? low : value > high ? high : value; assert(result >= low && result <= ${limit});
      return result; }
    int middle(int a, int b) { return clamp(a, b, b) == b ? a / 2 + b / 2 : 0; }`;
  const proved = await verify(task(file(clamp('high'))));
  expect(proved.kind).toBe('proved');
  // A certificate's, and whether anything can be called at all, included.
  expect(proved.statistics.solverQueries).toBeLessThanOrEqual(14);
  expect((await verify(task(file(clamp('high - 1'))))).kind).toBe('bug');
  // What a call leaves to the next has to be known.
  const kept = await verify(
    task(
      file(
        'static int kept = 1; void keep(int n) { if (n > 0) kept = n; } ' +
          'int share(int n) { return n > 0 ? n / kept : 0; }',
      ),
    ),
  );
  expect([kept.kind, kept.statistics.solverQueries > 0]).toEqual(['proved', true]);
});
