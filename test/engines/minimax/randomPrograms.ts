/**
 * Random programs over three variables of two bits, with loops of any number of rounds and calls of functions with
 * three such variables of their own, and all states that they reach.
 */
import fc from 'fast-check';

export type State = readonly [number, number, number];
export type States = ReadonlyMap<string, State>;
/** A statement as C, and as a function of the states before it; `failed` is called when the error is reached. */
export interface Statement {
  readonly text: string;
  /** Functions that it calls, those they call first. */
  readonly functions: readonly string[];
  readonly run: (states: States, failed: () => void) => States;
}

const names = ['x', 'y', 'z'] as const;
export const statesOf = (list: readonly State[]): States => new Map(list.map((state) => [state.join(), state]));
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
    functions: [],
    run: (states) =>
      each(states, (state) => {
        const value = (operator === '+' ? a.of(state) + b.of(state) : a.of(state) - b.of(state)) & 3;
        return [state.map((old, i) => (i === target ? value : old)) as unknown as State];
      }),
  }));
const choice: fc.Arbitrary<Statement> = fc.nat(2).map((target) => ({
  text: `${names[target]!} = nondet() & 3;`,
  functions: [],
  run: (states) =>
    each(states, (state) =>
      [0, 1, 2, 3].map((value) => state.map((old, i) => (i === target ? value : old)) as unknown as State),
    ),
}));
const check: fc.Arbitrary<Statement> = condition.map(({ text, holds }) => ({
  text: `if (${text}) error();`,
  functions: [],
  run: (states, failed) => {
    if ([...states.values()].some(holds)) failed();
    return statesOf([...states.values()].filter((state) => !holds(state)));
  },
}));

const all = (statements: readonly Statement[]): readonly string[] => [
  ...new Set(statements.flatMap(({ functions }) => functions)),
];
const sequence = (statements: readonly Statement[]): Statement => ({
  text: statements.map(({ text }) => text).join(' '),
  functions: all(statements),
  run: (states, failed) => statements.reduce((now, { run }) => run(now, failed), states),
});
const branch = (test: Condition | undefined, then: Statement, other: Statement): Statement => ({
  text: `if (${test?.text ?? 'nondet()'}) { ${then.text} } else { ${other.text} }`,
  functions: all([then, other]),
  run: (states, failed) => {
    const [yes, no] = [true, false].map((side) =>
      statesOf([...states.values()].filter((state) => !test || test.holds(state) === side)),
    );
    return new Map([...then.run(yes!, failed), ...other.run(no!, failed)]);
  },
});
const loop = (test: Condition | undefined, body: Statement): Statement => ({
  text: `while (${test?.text ?? 'nondet()'}) { ${body.text} }`,
  functions: body.functions,
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

/** A function of its own, named after its text, and a call of it. */
const call = (target: number, given: readonly Operand[], body: Statement): Statement => {
  const rest = `(int x, int y, int z) { ${body.text} return x; }`;
  const name = `f${[...rest].reduce((hash, c) => (hash * 31 + c.charCodeAt(0)) % 1_000_000_007, 7)}`;
  return {
    text: `${names[target]!} = ${name}(${given.map(({ text }) => text).join(', ')});`,
    functions: [...body.functions, `static int ${name}${rest}`],
    run: (states, failed) =>
      each(states, (state) => {
        const results = body.run(statesOf([given.map(({ of }) => of(state)) as unknown as State]), failed);
        const values = new Set([...results.values()].map(([x]) => x));
        return [...values].map((value) => state.map((old, i) => (i === target ? value : old)) as unknown as State);
      }),
  };
};

const simple = fc.oneof({ weight: 4, arbitrary: assignment }, { weight: 1, arbitrary: choice });
const statementWith = (hasCalls: boolean): fc.Arbitrary<Statement> =>
  fc.letrec<{ statement: Statement; block: Statement }>((tie) => ({
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map(sequence),
    statement: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'nesting' },
      simple,
      fc
        .tuple(fc.option(condition, { nil: undefined }), tie('block'), tie('block'))
        .map(([c, a, b]) => branch(c, a, b)),
      fc.tuple(fc.option(condition, { nil: undefined }), tie('block')).map(([c, body]) => loop(c, body)),
      check,
      ...(hasCalls
        ? [fc.tuple(fc.nat(2), fc.tuple(operand, operand, operand), tie('block')).map((parts) => call(...parts))]
        : []),
    ),
  })).statement;
export const programWith = ({ calls }: { readonly calls: boolean }): fc.Arbitrary<Statement> =>
  fc
    .tuple(fc.array(statementWith(calls), { minLength: 2, maxLength: 4 }).map(sequence), check)
    .map(([body, last]): Statement => ({
      text: [
        'extern int nondet(void);',
        'extern void error(void);',
        ...body.functions,
        `void foo(void) { int x = 0, y = 1, z = 0; ${body.text} ${last.text} }`,
      ].join('\n'),
      functions: [],
      run: (states, failed) => last.run(body.run(states, failed), failed),
    }));
