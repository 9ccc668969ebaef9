/**
 * Errors are judged again when others are known, since what an experiment ends in may be a failure of the module's own,
 * and when specifications were taken that may exclude them.
 */
import { Budget } from '../../../src/budget';
import { specificationText } from '../../../src/engines/angelic/specifications';
import { failureAt } from '../../../src/engines/portfolio/failure';
import { Excuses } from '../../../src/engines/portfolio/excuses';
import { faultOf, runScenario, type Scenario } from '../../../src/evidence/scenarios/scenario';
import { pointerToFresh } from '../../../src/plainPointer';
import type { Fault } from '../../../src/semantics/concrete/fault';
import type { Counterexample } from '../../../src/verdict';
import { type Objects, withTrace } from './failingTrace';
import type { ExplainedTrace } from '../../../src/engines/angelic/explainError/explainError';

const counterexample = ({ check, message, span, stack }: Fault): Counterexample => ({
  failure: failureAt(check, message, span, stack[0]?.function, stack),
  steps: [],
  stack: [],
  test: '',
});

const ones = (length: number): number[] => Array<number>(length).fill(1);

/** So long that no formula is made of the trace. */
const count = 701;

/** Judges the failure of a shorter object, and then that of one as long as `size` says. */
const judged = (text: string): Promise<readonly string[]> => {
  let characters: Objects['characters'] | undefined;
  return withTrace(
    text,
    (objects) => {
      ({ characters } = objects);
      return [['put', objects.characters(ones(count - 1)), count, count]];
    },
    async ({ problem, scenario, fault }) => {
      const excuses = new Excuses(problem, Budget.start({ milliseconds: 600_000 }));
      const [{ fn, arguments: given }] = scenario.calls as [Scenario['calls'][number]];
      const long: Scenario = { calls: [{ fn, arguments: given.with(0, characters!(ones(count))) }], answers: [] };
      const said = [await excuses.take(counterexample(fault), { scenario, fault })];
      const own = faultOf(runScenario(problem.program, long, problem.scenarioOptions()));
      if (own) said.push(await excuses.take(counterexample(own), { scenario: long, fault: own }));
      const excused = await excuses.reconsider();
      return [...said, ...excused.map(({ how }) => `then ${how}`), ...excuses.specifications.map(specificationText)];
    },
  );
};

test('a failure whose experiment ends in one that is found later', async () => {
  const text = `void put(char *to, unsigned size, unsigned n) {
  if (n > size) return;
  for (unsigned i = 0; i < n; i++) to[i] = 1;
  to[n] = 0;
}`;
  expect(await judged(text)).toEqual(['error', 'error', 'then excused', 'put: PROVEST_LENGTH(to) >= size']);
});

test('an error that nothing excuses stays one', async () => {
  const text = `void put(char *to, unsigned size, unsigned n) {
  for (unsigned i = 0; i < n; i++) size ^= i;
  to[n] = 0;
}`;
  expect(await judged(text)).toEqual(['error', 'error']);
});

test('an error of a client that a later specification rules out', async () => {
  const text = `void put(char *to, unsigned size, unsigned n) {
  if (n > size) return;
  for (unsigned i = 0; i < n; i++) to[i] = 1;
}`;
  let characters: Objects['characters'] | undefined;
  await withTrace(
    text,
    (objects) => {
      ({ characters } = objects);
      return [['put', objects.characters(ones(1)), 3, 3]];
    },
    async ({ problem, scenario, fault }) => {
      let isOver = true;
      const budget = Budget.start({ milliseconds: 600_000 });
      const exhausted = { get: () => (isOver ? { cause: 'time-budget', message: 'no time' } : undefined) };
      const excuses = new Excuses(problem, Object.create(budget, { exhausted }) as Budget);
      expect(await excuses.take(counterexample(fault), { scenario, fault })).toBe('error');
      expect(await excuses.reconsider()).toEqual([]);
      isOver = false;
      const [{ fn, arguments: given }] = scenario.calls as [Scenario['calls'][number]];
      const other: Scenario = { calls: [{ fn, arguments: given.with(0, characters!(ones(2))) }], answers: [] };
      const own = faultOf(runScenario(problem.program, other, problem.scenarioOptions()))!;
      expect(await excuses.take(counterexample(own), { scenario: other, fault: own })).toBe('excused');
      expect(await excuses.reconsider()).toMatchObject([{ fault, how: 'excused' }]);
      expect(excuses.errors).toEqual([]);
    },
  );
});

const bags = `struct bag { int *data; unsigned n, cap; };
int set_up(struct bag *b, int *memory, unsigned cap) {
  b->n = 0;
  b->data = memory;
  b->cap = cap;
  return cap ? 0 : -1;
}
void put(struct bag *b, int v) { if (b->n < b->cap) b->data[b->n++] = v; }
void drop(struct bag *b) { b->n--; }
int room(const struct bag *b) {
  __VERIFIER_assert(b->n <= b->cap);
  return (int)(b->cap - b->n);
}`;

/** The failure of a client that fills in a bag by itself. */
function ownBag({ problem }: ExplainedTrace, objects: Objects): { readonly scenario: Scenario; readonly fault: Fault } {
  const fn = problem.program.functionByName.get('put')!;
  const bag = objects.object('bag', { data: pointerToFresh([0]), n: 1, cap: 2 });
  const scenario: Scenario = { calls: [{ fn, arguments: [bag, { kind: 'scalar', value: 0 }] }], answers: [] };
  return { scenario, fault: faultOf(runScenario(problem.program, scenario, problem.scenarioOptions()))! };
}

test('a precondition about members that the module breaks, taken before its set-up function was known', async () => {
  let objects: Objects | undefined;
  await withTrace(
    bags,
    (made) => {
      objects = made;
      const bag = made.object('bag', { data: null, n: 0, cap: 0 });
      return [
        ['set_up', bag, made.numbers([0]), 1],
        ['drop', made.earlier(0, 0)],
        ['room', made.earlier(0, 0)],
      ];
    },
    async (trace) => {
      const { problem, scenario, fault } = trace;
      const excuses = new Excuses(problem, Budget.start({ milliseconds: 600_000 }));
      const broken = counterexample(fault);
      const own = ownBag(trace, objects!);

      expect(await excuses.take(broken, { scenario, fault })).toBe('excused');
      expect(excuses.specifications.map(specificationText)).toEqual(['room: b->n <= b->cap']);
      expect(await excuses.reviseBesideSetUps()).toEqual([]);
      expect(await excuses.take(counterexample(own.fault), own)).toBe('excused');
      expect(await excuses.reviseBesideSetUps()).toMatchObject([{ fault, how: 'error' }]);
      expect(excuses.specifications.map(specificationText)).toEqual(['struct bag is set up by set_up']);
      expect(excuses.errors).toEqual([broken]);
      expect(await excuses.reviseBesideSetUps()).toEqual([]);
    },
    { angelic: true },
  );
});

test('a precondition about members that a proof assumes stays beside the set-up function', async () => {
  let objects: Objects | undefined;
  await withTrace(
    bags,
    (made) => {
      objects = made;
      return [['room', made.object('bag', { data: null, n: 3, cap: 2 })]];
    },
    async (trace) => {
      const { problem, scenario, fault } = trace;
      const excuses = new Excuses(problem, Budget.start({ milliseconds: 600_000 }));
      const own = ownBag(trace, objects!);
      const told = (): readonly string[] => excuses.specifications.map(specificationText);

      expect(await excuses.take(counterexample(fault), { scenario, fault })).toBe('excused');
      expect(await excuses.take(counterexample(own.fault), own)).toBe('excused');
      expect(told()).toEqual(['room: b->n <= b->cap', 'struct bag is set up by set_up']);
      await excuses.minimise(excuses.specifications);
      expect(told()).toEqual(['room: b->n <= b->cap', 'struct bag is set up by set_up']);
      await excuses.minimise([]);
      expect(told()).toEqual(['struct bag is set up by set_up']);
      const { specifications } = excuses;
      expect(await excuses.reviseBesideSetUps()).toEqual([]);
      expect(excuses.specifications).toBe(specifications);
    },
    { angelic: true },
  );
});
