/**
 * `interpolate` of the paper, on vectors of annotated constraints: what a condition contradicts becomes max, what was
 * dropped stays dropped, and nothing becomes max without need. Every state of three words of three bits is tried.
 */
import fc from 'fast-check';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../src/budget';
import { Annotations } from '../../../src/engines/minimax/annotations';
import { Head, StateConstraint } from '../../../src/engines/minimax/constraints';
import { emptyStatistics } from '../../../src/engines/minimax/minimax';
import { equation } from '../../../src/engines/minimax/projection';
import { Questions } from '../../../src/engines/minimax/questions';
import { SymbolicPath } from '../../../src/engines/minimax/symbolicPath';
import { annotationOf } from '../../../src/engines/minimax/treeReport';
import { Problem } from '../../../src/engines/problem';
import * as L from '../../../src/logic/build';
import { evaluate } from '../../../src/logic/evaluate';
import type { SymbolTerm, Term } from '../../../src/logic/term';
import { isLong } from '../../long';
import { file, task } from '../task';

jest.setTimeout(600_000);

type Annotation = 'max' | 'min' | 'neutral';

const budget = Budget.start({ milliseconds: 500_000 });
const problem = new Problem(task(file('void foo(void) {}')), budget, {});
const system = new TransitionSystem(problem.program, problem.systemOptions());
const questions = new Questions(system, problem.solvers.exact, () => budget.query(), emptyStatistics());
const annotations = new Annotations(questions);
afterAll(async () => {
  questions.close();
  await problem.solvers.close();
});

/** The head's vector after a step whose guard is the condition was found infeasible; undefined: it is feasible. */
async function interpolate(
  vector: readonly (readonly [
    Annotation,
    ConstructorParameters<typeof StateConstraint>[1],
    ConstructorParameters<typeof StateConstraint>[2]?,
  ])[],
  condition: Term,
): Promise<readonly Annotation[] | undefined> {
  const head = new Head(undefined, undefined, 'closable');
  for (const [annotation, term, bound] of vector) {
    const constraint = new StateConstraint(head, term, bound);
    constraint.isMax = annotation === 'max';
    constraint.isKept = annotation !== 'min';
    head.constraints.push(constraint);
  }
  const state = { head, path: SymbolicPath.from([]), witness: undefined };
  const core = await annotations.coreIn(state, L.not(condition));
  if (!core) return undefined;
  // The head has no place, so that nothing rests on what is further out.
  for (const constraint of core) expect(await annotations.need([constraint], 'always')).toBe(true);
  return head.constraints.map(annotationOf);
}

test("the paper's example: two constraints explain it, one was dropped, one says nothing about it", async () => {
  const word = (name: string): SymbolTerm => L.symbol(name, L.bitsSort(32));
  const bits = (value: bigint): Term => L.bits(BigInt.asUintN(32, value), 32);
  const [x1, y1, x2] = [word('x1'), word('y1'), word('x2')];
  const is = (symbol: SymbolTerm, value: Term): readonly [Annotation, Term] => [
    'neutral',
    equation(symbol, value, undefined, false)[0]!.term,
  ];
  const after = await interpolate(
    [['min', L.slt(bits(3n), x1)], is(x1, L.add(y1, bits(1n))), is(y1, bits(2n)), is(x2, bits(0n))],
    L.slt(x1, bits(0n)),
  );
  expect(after).toEqual(['min', 'max', 'max', 'neutral']);
});

test('without time left, no query is sent, and nothing is excluded', async () => {
  const statistics = emptyStatistics();
  const late = new Questions(system, problem.solvers.exact, () => undefined, statistics);
  const [a, b] = [L.symbol('a', L.bitsSort(32)), L.symbol('b', L.bitsSort(32))];
  const state = { head: new Head(undefined, undefined, 'closable'), path: SymbolicPath.from([]), witness: undefined };
  expect((await late.possible(state, [L.slt(a, b), L.slt(b, a)])).kind).toBe('unknown');
  expect((await late.implies(state, L.not(L.and(L.slt(a, b), L.slt(b, a))))).kind).toBe('not implied');
  expect(statistics.questions).toBe(0);
});

const width = 3;
const symbols = ['a', 'b', 'c'].map((name) => L.symbol(name, L.bitsSort(width)));
const states = Array.from({ length: 1 << (3 * width) }, (_, n) =>
  symbols.map((_symbol, i) => BigInt((n >> (i * width)) & 7)),
);
const holdsIn = (terms: readonly Term[], values: readonly bigint[]): boolean =>
  terms.every((term) => evaluate(term, (symbol) => values[symbols.indexOf(symbol)]!) === true);
const isPossible = (terms: readonly Term[]): boolean => states.some((values) => holdsIn(terms, values));

const symbol = fc.constantFrom(...symbols);
const operand = fc.oneof(
  symbol,
  fc.nat(7).map((n) => L.bits(BigInt(n), width)),
  fc.tuple(symbol, fc.nat(7)).map(([s, n]) => L.add(s, L.bits(BigInt(n), width))),
);
const atom = fc
  .tuple(fc.constantFrom(L.sle, L.slt, L.ule, L.eq), operand, operand, fc.boolean())
  .map(([compare, left, right, isNegated]) => (isNegated ? L.not(compare(left, right)) : compare(left, right)));
const constraint = fc.oneof(
  atom.map((term) => ({ term })),
  fc.tuple(symbol, operand, fc.constantFrom('signed' as const, undefined), fc.nat(1)).map(([s, value, sign, half]) => {
    const said = equation(s, value, sign, true);
    return said[half % said.length]!;
  }),
);
const vector = fc.array(
  fc.tuple(fc.constantFrom('max' as const, 'min' as const, 'neutral' as const, 'neutral' as const), constraint),
  { minLength: 1, maxLength: 6 },
);

test('conditions 1 to 3 of the paper, and minimality', async () => {
  let explained = 0;
  let feasible = 0;
  await fc.assert(
    fc.asyncProperty(vector, atom, async (annotated, condition) => {
      const isOpen = (term: Term): boolean => term.kind !== 'boolean';
      fc.pre(isOpen(condition) && annotated.every(([, { term }]) => isOpen(term)));
      fc.pre(isPossible(annotated.map(([, { term }]) => term)));
      const of = (...wanted: Annotation[]): Term[] =>
        annotated.flatMap(([annotation, { term }]) => (wanted.includes(annotation) ? [term] : []));
      const after = await interpolate(
        annotated.map(([annotation, { term, ...rest }]) => [
          annotation,
          term,
          'bound' in rest ? rest.bound : undefined,
        ]),
        condition,
      );
      // The condition contradicts what was not dropped, or nothing is explained.
      expect(after === undefined).toBe(isPossible([...of('max', 'neutral'), condition]));
      if (!after) {
        feasible++;
        return;
      }
      explained++;
      const terms = annotated.map(([, { term }]) => term);
      const max = terms.filter((_, i) => after[i] === 'max');
      expect(isPossible([...max, condition])).toBe(false);
      annotated.forEach(([before], i) => {
        if (before !== 'neutral') expect(after[i]).toBe(before);
      });
      const added = terms.filter((_, i) => after[i] === 'max' && annotated[i]![0] === 'neutral');
      for (const one of added) expect(isPossible([...added.filter((term) => term !== one), condition])).toBe(true);
    }),
    { numRuns: isLong ? 2000 : 200 },
  );
  expect(Math.min(explained, feasible)).toBeGreaterThan(5);
});
