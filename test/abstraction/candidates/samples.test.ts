/** Which states stay when runs meet more than are kept. */
import { observablesOf } from '../../../src/abstraction/candidates/observables';
import { branchConditionsAtLoops } from '../../../src/abstraction/candidates/conditions/branchConditions';
import { Samples } from '../../../src/abstraction/candidates/samples';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { runScenario } from '../../../src/evidence/scenarios/scenario';
import { loadProgram } from '../../../src/program';
import { file } from '../../engines/task';

/** Values of the parameter and the counter at the head of the loop, after calls with these arguments. */
function seenAtLoop(
  text: string,
  given: readonly number[],
): { readonly values: readonly (readonly bigint[])[]; readonly combinations: number } {
  const program = loadProgram([file(text)], {});
  const [fn] = program.functions;
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [fn!],
    checkedProperties: new Set(),
  });
  const samples = new Samples(system, observablesOf(system), branchConditionsAtLoops(system));
  for (const value of given) {
    samples.begin();
    runScenario(
      program,
      { calls: [{ fn: fn!, arguments: [{ kind: 'scalar', value }] }], answers: [] },
      {
        checkedProperties: new Set(),
        stepLimit: 10_000_000,
        permits: () => true,
        observe: (machine) => samples.watch(machine),
      },
    );
  }
  const loop = system.points.find(({ kind }) => kind === 'loop')!;
  return { values: samples.of(loop).map(({ values }) => values), combinations: samples.abstractStatesAt(loop) };
}

const counter = 'int count(int n) { int i = 0; while (i < n) i++; if (n > 0 && i != n) return -1; return i; }';

test('a case that few runs meet is not displaced by many states of another', () => {
  const { values, combinations } = seenAtLoop(counter, [-5, 0, 20_000, 30_000, 40_000]);
  expect(combinations).toBeGreaterThan(2);
  expect(values.length).toBe(120);
  expect(values.map((vector) => vector.join())).toEqual(expect.arrayContaining(['-5,0', '0,0']));
  expect(values.filter(([n]) => n === 40_000n).length).toBeGreaterThan(30);
});

test('of the others late states take the places of early ones', () => {
  const { values } = seenAtLoop(
    counter,
    Array.from({ length: 12 }, (_, i) => 1000 + i),
  );
  expect(values.length).toBe(120);
  expect(values.filter(([n]) => n === 1011n).length).toBeGreaterThan(3);
  // The first runs alone had filled them.
  expect(values.filter(([n]) => n! < 1004n).length).toBeLessThan(60);
});

test('where every state is of a kind of its own, the places still suffice', () => {
  const text =
    'int f(int n) { int i = 0; while (i < n) i++; ' +
    `${Array.from({ length: 8 }, (_, i) => `if (n & ${1 << i}) return ${i};`).join(' ')} return i; }`;
  const { values } = seenAtLoop(
    text,
    Array.from({ length: 200 }, (_, i) => -i),
  );
  expect(values.length).toBe(120);
});
