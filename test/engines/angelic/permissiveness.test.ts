/** Branches that specifications leave possible, asked directly: alone, beside others, and all together at the end. */
import { Budget } from '../../../src/budget';
import { Permissiveness } from '../../../src/engines/angelic/permissiveness';
import { precondition, type Specification, specificationText } from '../../../src/engines/angelic/specifications';
import { impliedSpecifications } from '../../../src/engines/angelic/minimal';
import { Problem } from '../../../src/engines/problem';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import type { QueryBudget } from '../../../src/solver/solver';
import { file, task } from '../task';

async function asked<T>(
  text: string,
  ask: (
    permissiveness: Permissiveness,
    of: (fn: string, condition: string) => Specification,
    problem: Problem,
    query: () => QueryBudget,
  ) => Promise<T>,
  branchQuery?: (query: () => QueryBudget, attempt: 'first' | 'again') => QueryBudget | undefined,
): Promise<T> {
  const budget = Budget.start({ milliseconds: 600_000 });
  const problem = Problem.examine(task(file(text)), budget, {});
  const query = () => budget.query(20_000);
  try {
    const of = (fn: string, condition: string): Specification => {
      const one = precondition(problem.program, fn, condition);
      if (!one) throw new Error(`${condition} cannot be read`);
      return one;
    };
    const attempt = (which: 'first' | 'again') => (branchQuery ? branchQuery(query, which) : query());
    return await ask(new Permissiveness(problem, problem.solvers.instances, attempt, budget), of, problem, query);
  } finally {
    await problem.solvers.close();
  }
}

const permissive = { kind: 'permissive' };
const less = 'int hits;\nvoid f(int a, int b) { if (a < b) hits = 1; }';

test('AV-01: two that are permissive alone are not together, which is asked anew at the end', async () => {
  const answers = await asked(less, async (permissiveness, of) => {
    const [low, high] = [of('f', 'a >= 5'), of('f', 'b <= 5')];
    return [
      await permissiveness.judge([], low),
      await permissiveness.judge([], high),
      await permissiveness.judgeAll([low, high]),
      await permissiveness.judgeAll([low]),
    ];
  });
  expect(answers).toEqual([
    permissive,
    permissive,
    { kind: 'kills', branch: expect.objectContaining({ condition: 'a < b', outcome: true }) as unknown },
    permissive,
  ]);
});

test('AV-01: beside those that are taken, the second is refused', async () => {
  const killed = await asked(less, (permissiveness, of) =>
    permissiveness.judge([of('f', 'a >= 5')], of('f', 'b <= 5')),
  );
  expect(killed).toMatchObject({ kind: 'kills', branch: { condition: 'a < b', outcome: true } });
});

test('AV-05: a call that was impossible without the specification is none of its victims', async () => {
  const never = 'int hits;\nvoid f(unsigned a) { if (a < 0) hits = 1; }';
  expect(await asked(never, (permissiveness, of) => permissiveness.judge([], of('f', 'a >= 5')))).toEqual(permissive);
});

test('of bounds of one function the strongest is kept, of equal ones the last', async () => {
  const text =
    'int depth;\nvoid set(int n) { depth = n; }\nint f(int n) { return n + depth; }\nint g(int n) { return n; }';
  const kept = await asked(text, async (_, of, problem, query) => {
    const all = [of('f', 'depth > 0'), of('f', 'depth > 1'), of('f', 'depth >= 2'), of('f', 'n > 0'), of('g', 'n > 1')];
    const system = () => new TransitionSystem(problem.program, problem.systemOptions());
    const implied = await impliedSpecifications(problem, all, system, problem.solvers.instances, query);
    for (const by of implied.values()) expect(implied.has(by)).toBe(false);
    return all.filter((one) => !implied.has(one)).map(specificationText);
  });
  expect(kept).toEqual(['f: depth >= 2', 'f: n > 0', 'g: n > 1']);
});

describe('AV-08: a branch without an answer', () => {
  const judge = (branchQuery: Parameters<typeof asked>[2]) =>
    asked(less, (permissiveness, of) => permissiveness.judge([], of('f', 'a >= 5 && b <= 5')), branchQuery);

  test('makes the specification undecided, and not permissive', async () => {
    expect(await judge(() => undefined)).toMatchObject({ kind: 'undecided', branch: { condition: 'a < b' } });
  });

  test('is asked about once more', async () => {
    const short = { timeoutMs: 20_000, resources: 1 };
    const attempts: string[] = [];
    const answer = await judge((query, attempt) => {
      attempts.push(attempt);
      return attempt === 'first' ? short : query();
    });
    expect(answer).toMatchObject({ kind: 'kills', branch: { condition: 'a < b', outcome: true } });
    expect(attempts.slice(0, 2)).toEqual(['first', 'again']);
  });

  test('without one the second time is the last that is asked about once more', async () => {
    const attempts: string[] = [];
    await judge((_, attempt) => {
      attempts.push(attempt);
      return { timeoutMs: 20_000, resources: 1 };
    });
    expect(attempts.filter((one) => one === 'again')).toHaveLength(1);
    expect(attempts.length).toBeGreaterThan(2);
  });
});

describe('an operand of an assertion', () => {
  const judge = (condition: string) =>
    asked(
      `#include <assert.h>\n#include <stddef.h>\nint hits;\nvoid f(const int *p) { assert(${condition}); hits = 1; }`,
      (permissiveness, of) => permissiveness.judge([], of('f', 'p != NULL')),
    );

  test('loses an outcome with which the assertion fails', async () => {
    expect(await judge('p && *p > 0')).toEqual(permissive);
    expect(await judge('p != NULL && p[0] > 0 && p[1] > 0')).toEqual(permissive);
  });

  test('keeps an outcome with which it may hold', async () => {
    expect(await judge('p == NULL || *p > 0')).toMatchObject({ kind: 'kills', branch: { condition: 'p == NULL' } });
    expect(await judge('(p && *p > 0) || hits')).toMatchObject({ kind: 'kills', branch: { condition: 'p' } });
  });
});

describe('without a question to the solver', () => {
  const never = (): undefined => undefined;

  test('branches that runs take are possible', async () => {
    const text = `static int used;
void put(int n) { used = n; }
int take(int *to, int n) { if (n < used) { *to = n; return 1; } return 0; }`;
    const judge = (permissiveness: Permissiveness, of: (fn: string, condition: string) => Specification) =>
      permissiveness.judge([], of('take', 'n >= 1'));
    expect(await asked(text, judge, never)).toEqual(permissive);
  });

  test('those of calls by the module itself do not count', async () => {
    const text = `int half(int n) { if (n < 0) return -1; return n / 2; }
int both(int n) { return half(-1) + (n > 0 ? half(n) : 0); }`;
    const judge = (permissiveness: Permissiveness, of: (fn: string, condition: string) => Specification) =>
      permissiveness.judge([], of('half', 'n >= 0'));
    expect(await asked(text, judge, never)).toMatchObject({ kind: 'undecided', branch: { condition: 'n < 0' } });
    expect(await asked(text, judge)).toMatchObject({ kind: 'kills', branch: { condition: 'n < 0', outcome: true } });
  });

  test('a pointer behind which a condition reads may be another', async () => {
    const text = `struct ring { unsigned long at, size, used; };
int full(const struct ring *r, unsigned long n) { return (r->at * r->at + n) % r->size == r->used * 7 + 3; }`;
    const judge = (permissiveness: Permissiveness, of: (fn: string, condition: string) => Specification) =>
      permissiveness.judge([], of('full', 'r != NULL'));
    expect(await asked(text, judge, never)).toEqual(permissive);
  });

  test('but a test of the pointer counts', async () => {
    const text = 'struct ring { int at; };\nint at(const struct ring *r) { if (!r) return 0; return r->at; }';
    const judge = (permissiveness: Permissiveness, of: (fn: string, condition: string) => Specification) =>
      permissiveness.judge([], of('at', 'r != NULL'));
    expect(await asked(text, judge)).toMatchObject({ kind: 'kills' });
  });

  test('all together are judged by formula alone', async () => {
    const text = 'int hits;\nvoid f(int a) { if (a > 3) hits = 1; }';
    const judged = await asked(
      text,
      async (permissiveness, of) => [
        await permissiveness.judge([], of('f', 'a >= 1')),
        await permissiveness.judgeAll([of('f', 'a >= 1')]),
      ],
      never,
    );
    expect(judged).toMatchObject([permissive, { kind: 'undecided' }]);
  });
});

test('a branch behind an assertion that rules it out is no loss, and one before it is', async () => {
  const judge = (text: string) =>
    asked(`#include <assert.h>\n${text}`, (permissiveness, of) => permissiveness.judge([], of('set', 'p != NULL')));
  expect(await judge('int set(int *p) { assert(p != 0); if (p == 0) return -1; *p = 1; return 0; }')).toEqual(
    permissive,
  );
  expect(await judge('int set(int *p) { if (p == 0) return -1; assert(p != 0); *p = 1; return 0; }')).toMatchObject({
    kind: 'kills',
    branch: { condition: 'p == 0', outcome: true },
  });
  expect(
    await judge('int set(int *p, int n) { if (n) assert(p != 0); if (p == 0) return -1; *p = 1; return 0; }'),
  ).toMatchObject({ kind: 'kills' });
});
