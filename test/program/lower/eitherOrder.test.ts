/** Operands whose order C leaves open, in both orders, and the results that C allows. */
import * as fc from 'fast-check';
import { orderKey } from '../../../src/program/lower/context';
import { isOrderInput } from '../../../src/program/orderInput';
import { Regions } from '../../../src/semantics';
import { orderDependent } from '../../../src/semantics/pointers/evaluationOrder';
import { functionOf, programOf } from '../programOf';
import { Machine } from '../../../src/semantics/concrete/machine';
import { allProperties } from '../../../src/program/command';
import type { Program } from '../../../src/program/program';

const before = `
#include <stdio.h>
struct s { int a, b; };
static int counter, table[8], *at = table;
static struct s pair;
static int next(void) { return ++counter; }
static int peek(void) { return counter; }
static int set(int v) { counter = v; return v; }
static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
static int two(int a, int b) { return a * 10 + b; }
static int *cell(void) { return &table[next()]; }
static struct s made(void) { struct s s = { next(), 1 }; return s; }
static int sum(struct s s, int k) { return s.a * 10 + k; }
`;

const places = (program: Program) => orderDependent(program, new Regions(program, [], new Set(), 'program'), 'checked');

/** All results of `f`, sorted, and what of the orders is left open. */
function check(body: string): { readonly results: readonly string[]; readonly open: number } {
  const text = `${before}int f(void) { ${body} }`;
  const eitherOrder = new Set(places(programOf(text)).map(({ span }) => orderKey(span)));
  const program = programOf(text, { eitherOrder });
  const results = new Set<string>();
  for (let choices = 0; choices < 64; choices++) {
    let asked = 0;
    const machine = new Machine(program, {
      properties: new Set(allProperties),
      stepLimit: 10_000,
      output: () => {},
      input: (name) => {
        expect(isOrderInput(name)).toBe(true);
        return (choices >> asked++) & 1;
      },
    });
    const outcome = machine.call(functionOf(program, 'f'), []);
    results.add(
      outcome.kind === 'returned'
        ? String(outcome.value)
        : outcome.kind === 'fault'
          ? outcome.fault.check
          : outcome.kind,
    );
  }
  return { results: [...results].sort(), open: places(program).length };
}

test.each([
  ['return next() * 10 + peek();', ['10', '11']],
  ['return two(next(), peek());', ['10', '11']],
  ['return counter + set(4);', ['4', '8']],
  ['return set(4) - counter;', ['0', '4']],
  ['counter = 3; counter += set(9); return counter;', ['12', '18']],
  ['table[3] = 5; table[next() + 2] += table[3]; return table[3];', ['10']],
  ['table[next()] = peek(); return table[1];', ['0', '1']],
  ['*cell() += set(4); return table[1] * 10 + table[5];', ['4', '40']],
  ['int less = next() <= peek(); return less;', ['0', '1']],
  ['return sum(made(), next());', ['12', '21']],
  ['return three(next(), 7, peek());', ['170', '171']],
  ['return next() ? peek() : 0;', ['1']],
  ['int r = next(); r = r + next(); return r;', ['3']],
  ['return 6 / (peek() + next() - 1);', ['6', 'division-by-zero']],
  ['int a[2] = { next(), peek() }; return a[0] * 10 + a[1];', ['10', '11']],
  ['struct s x = { .b = next(), .a = peek() }; return x.a * 10 + x.b;', ['1', '11']],
  ['struct { unsigned a : 3, b : 5; } x = { next(), peek() }; return (int)(x.a * 10 + x.b);', ['10', '11']],
  ['return ((struct s){ next(), peek() + 1 }).b;', ['1', '2']],
  ['int i = 0; int a[2] = { i++, i++ }; return a[0] * 10 + a[1];', ['1', '10']],
  ['int i = 4; int *p = &i; int a[2] = { (*p)++, i }; return a[0] * 10 + a[1];', ['44', '45']],
  ['struct s x = { pair.a++, pair.b++ }; return x.a + x.b + pair.a + pair.b;', ['2']],
  ['int i = 0; int a[3] = { i = 5, 7, i + 1 }; return a[0] * 100 + a[1] * 10 + a[2];', ['571', '576']],
  ['int a[3] = { next(), 7, next() }; return a[0] * 100 + a[1] * 10 + a[2];', ['172', '271']],
])('%s', (body, results) => expect(check(body)).toEqual({ results, open: 0 }));

test.each([
  ['three arguments have more orders', 'return three(next(), next(), next());'],
  ['the second call may come between two reads', 'return counter * counter + set(4);'],
  ['a call may come between two others', 'return (next() + next()) * 10 + next();'],
  ['a statement expression stands at one place', 'return ({ next(); }) * 10 + peek();'],
  ['a statement expression among items', 'int i = 1; struct s x = { i, ({ i = 3; i; }) }; return x.a * 10 + x.b;'],
  ['three items of a list have more orders', 'int a[3] = { next(), next(), next() }; return a[0] * 10 + a[1];'],
])('not all orders are drawn: %s', (_, body) => expect(check(body).open).toBe(1));

test('formats keep their meaning', () =>
  expect(check('return printf("%d %d", next(), peek());')).toEqual({ results: ['3'], open: 0 }));

/** A leaf does one thing at one time; it gives its value for the counter, and the counter after. */
interface Leaf {
  readonly text: string;
  readonly does: (counter: number) => readonly [value: number, counter: number];
}
const leaves: readonly Leaf[] = [
  { text: 'counter', does: (c) => [c, c] },
  { text: 'peek()', does: (c) => [c, c] },
  { text: 'next()', does: (c) => [c + 1, c + 1] },
  { text: 'set(4)', does: () => [4, 4] },
  { text: '3', does: (c) => [3, c] },
];

interface Shape {
  readonly leaves: readonly Leaf[];
  readonly text: string;
  readonly value: (values: readonly number[]) => number;
}
const leaf: fc.Arbitrary<Shape> = fc
  .constantFrom(...leaves)
  .map((one) => ({ leaves: [one], text: one.text, value: ([v]) => v! }));
const joined = (a: Shape, b: Shape, how: 'sum' | 'call'): Shape => ({
  leaves: [...a.leaves, ...b.leaves],
  text: how === 'sum' ? `(${a.text} * 10 + ${b.text})` : `two(${a.text}, ${b.text})`,
  value: (values) => a.value(values.slice(0, a.leaves.length)) * 10 + b.value(values.slice(a.leaves.length)),
});
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.tuple(tie('shape'), tie('shape'), fc.constantFrom('sum', 'call')).map(([a, b, how]) => joined(a, b, how)),
  ),
}));

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((rest) =>
    Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)]),
  );
}

/** The results of all orders in which the leaves can be evaluated. */
function allowed({ leaves: parts, value }: Shape): string[] {
  const results = permutations(parts.length).map((order) => {
    const values: number[] = [];
    let counter = 0;
    for (const i of order) [values[i], counter] = parts[i]!.does(counter) as [number, number];
    return String(value(values) * 10 + counter);
  });
  return [...new Set(results)].sort();
}

test('drawn orders are allowed, and all of them where no place is left open', () => {
  const seen = { covered: 0, several: 0 };
  fc.assert(
    fc.property(shape, (expression) => {
      const { results, open } = check(`int r = ${expression.text}; return r * 10 + counter;`);
      const expected = allowed(expression);
      if (open === 0) {
        expect(results).toEqual(expected);
        seen.covered++;
        if (results.length > 1) seen.several++;
      } else {
        expect(expected).toEqual(expect.arrayContaining([...results]));
      }
    }),
    { numRuns: 150 },
  );
  expect(seen.covered).toBeGreaterThan(30);
  expect(seen.several).toBeGreaterThan(5);
});
