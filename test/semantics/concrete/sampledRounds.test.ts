/** Rounds of a loop that are said to be alike are tried out: a wrong growth, count or number of edges is noticed. */
import { ConcreteValues } from '../../../src/semantics/concrete/concreteValues';
import { type AlikeRounds, holdsInSamples } from '../../../src/semantics/concrete/leaps/sampledRounds';
import { Machine } from '../../../src/semantics/concrete/machine';
import { Evaluator } from '../../../src/semantics/evaluate';
import { programOf } from '../cPrograms';

const program = programOf(`
  unsigned char narrow;
  unsigned run(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) { sum += 3; narrow++; if (narrow == 200) sum = 0; }
    return sum;
  }`);
const machine = new Machine(program);
const fn = program.functionByName.get('run')!;
const head = fn.locations.find(({ isLoopHead }) => isLoopHead)!;
const named = (name: string) =>
  [...fn.variables, ...program.globals.map(({ variable }) => variable)].find((variable) => variable.name === name)!;
const [sum, i, narrow] = ['sum', 'i', 'narrow'].map(named);

/** A round is `steps` edges: the condition, four assignments and tests. */
const rounds = (count: bigint, growth: number, steps: bigint): AlikeRounds => ({
  head,
  together: 1,
  steps,
  count,
  values: (round) =>
    new Map([
      [sum!, growth * Number(round)],
      [i!, Number(round)],
      [narrow!, Number(round) & 255],
    ]),
});

const holds = (alike: AlikeRounds): boolean => {
  const state = { globals: [0], locals: fn.variables.map(() => 0), objects: [], memory: machine.memory };
  state.locals[named('n').slot] = 1_000_000;
  return holdsInSamples(alike, state, new Evaluator(new ConcreteValues(program.dataModel)));
};

/** Edges of the first round. */
const steps = [...Array(40).keys()].map(BigInt).find((count) => holds(rounds(100n, 3, count)))!;

test('rounds that are alike hold', () => {
  expect(steps).toBeGreaterThan(3n);
  expect(holds(rounds(199n, 3, steps))).toBe(true);
});

test.each([
  ['the last round goes another way', rounds(200n, 3, steps)],
  ['they end elsewhere', rounds(100n, 4, steps)],
  ['they take fewer edges', rounds(100n, 3, steps - 1n)],
  ['they take more edges', rounds(100n, 3, steps + 1n)],
  ['the loop ends before', rounds(1_000_001n, 3, steps)],
])('it is noticed that %s', (_, alike) => {
  expect(holds(alike)).toBe(false);
});
