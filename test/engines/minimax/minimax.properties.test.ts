/**
 * Random programs over three variables of two bits, with loops of any number of rounds, against all states that they
 * reach: no option makes the search close a tree of a program that fails, and the checker accepts what was closed.
 */
import fc from 'fast-check';
import { isLong } from '../../long';
import { treeOf } from './treeOf';

jest.setTimeout(1_500_000);

type State = readonly [number, number, number];
type States = ReadonlyMap<string, State>;
/** A statement as C, and as a function of the states before it; `failed` is called when the error is reached. */
interface Statement {
  readonly text: string;
  readonly run: (states: States, failed: () => void) => States;
}

const names = ['x', 'y', 'z'] as const;
const statesOf = (list: readonly State[]): States => new Map(list.map((state) => [state.join(), state]));
const each = (states: States, change: (state: State) => readonly State[]): States =>
  statesOf([...states.values()].flatMap(change));

interface Operand {
  readonly text: string;
  readonly of: (state: State) => number;
}
const operand: fc.Arbitrary<Operand> = fc.oneof(
  fc.nat(2).map((i): Operand => ({ text: names[i]!, of: (state) => state[i]! })),
  fc.nat(3).map((n): Operand => ({ text: String(n), of: () => n })),
);
const comparisons = {
  '<': (a: number, b: number) => a < b,
  '==': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
};
interface Condition {
  readonly text: string;
  readonly holds: (state: State) => boolean;
}
const condition: fc.Arbitrary<Condition> = fc
  .tuple(operand, fc.constantFrom('<' as const, '==' as const, '!=' as const), operand)
  .map(([a, operator, b]) => ({
    text: `${a.text} ${operator} ${b.text}`,
    holds: (state) => comparisons[operator](a.of(state), b.of(state)),
  }));

const assignment: fc.Arbitrary<Statement> = fc
  .tuple(fc.nat(2), operand, fc.constantFrom('+' as const, '-' as const), operand)
  .map(([target, a, operator, b]) => ({
    text: `${names[target]!} = (${a.text} ${operator} ${b.text}) & 3;`,
    run: (states) =>
      each(states, (state) => {
        const value = (operator === '+' ? a.of(state) + b.of(state) : a.of(state) - b.of(state)) & 3;
        return [state.map((old, i) => (i === target ? value : old)) as unknown as State];
      }),
  }));
const choice: fc.Arbitrary<Statement> = fc.nat(2).map((target) => ({
  text: `${names[target]!} = nondet() & 3;`,
  run: (states) =>
    each(states, (state) =>
      [0, 1, 2, 3].map((value) => state.map((old, i) => (i === target ? value : old)) as unknown as State),
    ),
}));
const check: fc.Arbitrary<Statement> = condition.map(({ text, holds }) => ({
  text: `if (${text}) error();`,
  run: (states, failed) => {
    if ([...states.values()].some(holds)) failed();
    return statesOf([...states.values()].filter((state) => !holds(state)));
  },
}));

const sequence = (statements: readonly Statement[]): Statement => ({
  text: statements.map(({ text }) => text).join(' '),
  run: (states, failed) => statements.reduce((now, { run }) => run(now, failed), states),
});
const branch = (test: Condition | undefined, then: Statement, other: Statement): Statement => ({
  text: `if (${test?.text ?? 'nondet()'}) { ${then.text} } else { ${other.text} }`,
  run: (states, failed) => {
    const [yes, no] = [true, false].map((side) =>
      statesOf([...states.values()].filter((state) => !test || test.holds(state) === side)),
    );
    return new Map([...then.run(yes!, failed), ...other.run(no!, failed)]);
  },
});
const loop = (test: Condition | undefined, body: Statement): Statement => ({
  text: `while (${test?.text ?? 'nondet()'}) { ${body.text} }`,
  run: (states, failed) => {
    let seen = states;
    for (;;) {
      const inside = statesOf([...seen.values()].filter((state) => !test || test.holds(state)));
      const more = new Map([...seen, ...body.run(inside, failed)]);
      if (more.size === seen.size) break;
      seen = more;
    }
    return statesOf([...seen.values()].filter((state) => !test || !test.holds(state)));
  },
});

const simple = fc.oneof({ weight: 4, arbitrary: assignment }, { weight: 1, arbitrary: choice });
const { statement } = fc.letrec<{ statement: Statement; block: Statement }>((tie) => ({
  block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map(sequence),
  statement: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'nesting' },
    simple,
    fc.tuple(fc.option(condition, { nil: undefined }), tie('block'), tie('block')).map(([c, a, b]) => branch(c, a, b)),
    fc.tuple(fc.option(condition, { nil: undefined }), tie('block')).map(([c, body]) => loop(c, body)),
    check,
  ),
}));
const program = fc
  .tuple(fc.array(statement, { minLength: 2, maxLength: 4 }).map(sequence), check)
  .map(([body, last]): Statement => ({
    text: [
      'extern int nondet(void);',
      'extern void error(void);',
      `void foo(void) { int x = 0, y = 1, z = 0; ${body.text} ${last.text} }`,
    ].join('\n'),
    run: (states, failed) => last.run(body.run(states, failed), failed),
  }));

const options = fc.record({
  interpolants: fc.constantFrom('precondition' as const, 'precondition' as const, 'halves' as const, 'subset' as const),
  order: fc.constantFrom('feasible-first' as const, 'infeasible-first' as const, 'text' as const),
  decidedRounds: fc.constantFrom(0, 6).map((rounds) => () => rounds),
  follow: fc.constantFrom(0, 0, 2).map((rounds) => () => rounds),
});

test('answers agree with the reachable states', async () => {
  let decided = 0;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(program, options, async ({ text, run }, chosen) => {
      let fails = false;
      run(statesOf([[0, 1, 0]]), () => (fails = true));
      const { answer } = await treeOf(text, { nodes: 400, ...chosen });
      count++;
      if (answer === 'certified' || answer === 'fails') decided++;
      expect({ text, answer }).not.toEqual({ text, answer: fails ? 'certified' : 'fails' });
      expect({ text, answer }).not.toEqual({ text, answer: 'refused' });
    }),
    { numRuns: isLong ? 600 : 40 },
  );
  expect(decided).toBeGreaterThan(count / 2);
});
