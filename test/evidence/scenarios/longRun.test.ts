/** Executions of which the evaluator takes the beginning and the end alone. */
import { confirmedLongRun, evaluatedSteps, runCompiled } from '../../../src/evidence/scenarios/longRun';
import { faultOf, type ScenarioOptions } from '../../../src/evidence/scenarios/scenario';
import { loadProgram } from '../../../src/program';
import { Machine } from '../../../src/semantics/concrete/machine';
import { file } from '../../engines/task';

const load = (text: string) =>
  loadProgram([file(`extern int nondet(void); extern void reach_error(void);\n${text}`)], { externals: 'any' });
const options: ScenarioOptions = {
  checkedProperties: new Set(['reach'] as const),
  stepLimit: 1000,
  permits: () => true,
};
const sums = (wanted: number): string => `int main(void) {
  unsigned s = nondet();
  for (unsigned i = 0; i < 5000000; i++) s += i & 3;
  if (s == ${wanted}) reach_error();
  return 0;
}`;
const scenarioIn = (program: ReturnType<typeof load>, value: number) => ({
  calls: [{ fn: program.functionByName.get('main')!, arguments: [] }],
  answers: [{ name: 'nondet', type: { kind: 'integer', widthBits: 32, signed: true } as const, value }],
});

test('a failure is confirmed by a run with the same end and length', () => {
  const program = load(sums(7_500_005));
  const scenario = scenarioIn(program, 5);
  const compiled = runCompiled(program, scenario, options, 100_000_000)!;
  expect(compiled.steps).toBeGreaterThan(evaluatedSteps.beginning + evaluatedSteps.end);
  const confirmed = confirmedLongRun(program, scenario, options, compiled);
  expect(faultOf(confirmed)).toMatchObject({ check: 'unreachable' });
  expect(confirmed).toMatchObject({ steps: compiled.steps, answers: [{ value: 5 }] });
});

test('a run of another input, or one that goes elsewhere, confirms nothing', () => {
  const program = load(sums(7_500_005));
  const compiled = runCompiled(program, scenarioIn(program, 5), options, 100_000_000)!;
  expect(confirmedLongRun(program, scenarioIn(program, 6), options, compiled)).toBeUndefined();
  expect(
    confirmedLongRun(program, scenarioIn(program, 5), options, { ...compiled, steps: compiled.steps + 1 }),
  ).toBeUndefined();
});

test('a run without a failure confirms nothing', () => {
  const program = load(sums(1));
  const scenario = scenarioIn(program, 5);
  const compiled = runCompiled(program, scenario, options, 100_000_000)!;
  expect(compiled.outcome.kind).toBe('returned');
  expect(confirmedLongRun(program, scenario, options, compiled)).toBeUndefined();
});

test('floating point is left to the evaluator', () => {
  const program = load('int main(void) { double d = nondet(); if (d > 1.0) reach_error(); return 0; }');
  expect(runCompiled(program, scenarioIn(program, 5), options, 1000)).toBeUndefined();
});

test('runs that ask for more and more inputs are not kept', () => {
  const program = load('int main(void) { unsigned s = 0; for (;;) s += nondet(); }');
  expect(runCompiled(program, scenarioIn(program, 5), options, 10_000_000)).toBeUndefined();
});

test('compiled code runs only between the edges that it is given', () => {
  const program = load('int main(void) { unsigned s = 0; for (unsigned i = 0; i < 100000; i++) s += i; return s; }');
  const ran = (compiledBetween: { from: number; to: number }) => {
    const machine = new Machine(program, { compiledBetween });
    const outcome = machine.call(program.functionByName.get('main')!, []);
    return { outcome, steps: machine.steps, compiledSteps: machine.compiledSteps };
  };
  const all = ran({ from: 0, to: Infinity });
  const some = ran({ from: 100_000, to: 150_000 });
  expect(some).toMatchObject({ outcome: all.outcome, steps: all.steps });
  expect(some.compiledSteps).toBeGreaterThan(40_000);
  expect(some.compiledSteps).toBeLessThanOrEqual(50_000);
  expect(ran({ from: 0, to: 0 }).compiledSteps).toBe(0);
});

describe('loops in one another, of more rounds than anything can make', () => {
  const nested = (condition: string): string => `int main(void) {
    unsigned i = 0, j = 0, x = nondet();
    for (i = 0; i < 268435456u; i++) for (j = 0; j < 268435456u; j++) x += 2;
    if (${condition}) reach_error();
    return 0;
  }`;

  test('a failure behind them is confirmed', () => {
    const program = load(nested('x % 2 == 1 && j == 268435456u'));
    const scenario = scenarioIn(program, 5);
    const compiled = runCompiled(program, scenario, options, 2 ** 62)!;
    expect(compiled.steps).toBeGreaterThan(2 ** 57);
    expect(faultOf(confirmedLongRun(program, scenario, options, compiled))).toMatchObject({ check: 'unreachable' });
  });

  test.each([
    ['x % 2 == 1', 4],
    ['i != j', 5],
    ['x != 5', 5],
  ])('there is none with %s', (condition, input) => {
    const program = load(nested(condition));
    const compiled = runCompiled(program, scenarioIn(program, input), options, 2 ** 62)!;
    expect(compiled.outcome.kind).toBe('returned');
  });
});
