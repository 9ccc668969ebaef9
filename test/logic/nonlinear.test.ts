/** Products and quotients as symbols: what is said of the symbols is true of what they stand for. */
import fc from 'fast-check';
import {
  add,
  and,
  bits,
  bitsSort,
  eq,
  evaluate,
  forall,
  mul,
  sdiv,
  sle,
  srem,
  symbol,
  symbolsOf,
  udiv,
  ult,
  urem,
  type SymbolTerm,
  type Term,
} from '../../src/logic';
import { NonlinearAbstraction } from '../../src/logic/nonlinear';
import { runs } from '../long';

const operators = { mul, udiv, urem, sdiv, srem };
const word = (name: string, width: number): SymbolTerm => symbol(name, bitsSort(width)) as SymbolTerm;

test.each(Object.entries(operators))('laws of %s are true of all operands', (_, operator) => {
  fc.assert(
    fc.property(
      fc.constantFrom(8, 16, 32, 64, 128),
      fc.bigInt(0n, 1n << 130n),
      fc.bigInt(0n, 1n << 130n),
      (width, a, b) => {
        const mask = (1n << BigInt(width)) - 1n;
        // Short operands are those that the law of products is about.
        for (const [x, y] of [
          [a & mask, b & mask],
          [a & 15n, -(b & 15n) & mask],
          [-(a & 3n) & mask, b & 3n],
        ] as const) {
          const [left, right] = [word('a', width), word('b', width)];
          const term = operator(left, right);
          const abstraction = new NonlinearAbstraction();
          const holder = sle(term, bits(0n, width));
          const [product] = [...symbolsOf(abstraction.of(holder))].filter((one) => one !== left && one !== right);
          const values = new Map<SymbolTerm, bigint>([
            [left, x],
            [right, y],
          ]);
          const result = evaluate(term, (one) => values.get(one)!) as bigint;
          values.set(product!, result);
          for (const law of abstraction.factsOf(holder)) expect(evaluate(law, (one) => values.get(one)!)).toBe(true);
        }
      },
    ),
    { numRuns: runs(300) },
  );
});

test('the same product has the same symbol in all terms; constants stay factors', () => {
  const [x, y, z] = [word('x', 32), word('y', 32), word('z', 32)];
  const abstraction = new NonlinearAbstraction();
  const one = abstraction.of(eq(mul(x, y), z));
  const other = abstraction.of(ult(z, add(mul(x, y), bits(1n, 32))));
  const added = (term: Term): SymbolTerm[] => [...symbolsOf(term)].filter((s) => ![x, y, z].includes(s));
  expect(added(one)).toHaveLength(1);
  expect(added(other)).toEqual(added(one));
  const linear = eq(mul(x, bits(3n, 32)), udiv(z, bits(10n, 32)));
  expect(abstraction.of(linear)).toBe(linear);
  expect(abstraction.changes(linear)).toBe(false);
});

test('a product of a bound symbol stays as it is', () => {
  const [k, x, y] = [word('k', 32), word('x', 32), word('y', 32)];
  const abstraction = new NonlinearAbstraction();
  const all = forall([k], eq(mul(k, x), y));
  expect(abstraction.of(and(all, eq(x, y)))).toBe(and(all, eq(x, y)));
  expect(abstraction.factsOf(all)).toEqual([]);
});
