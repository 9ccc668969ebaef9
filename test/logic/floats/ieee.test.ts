/** The solver's theory of floating point against JavaScript's numbers. */
import * as fc from 'fast-check';
import { and, bits, bitsSort, boolSort, call, evaluate, not, or, symbol } from '../../../src/logic';
import type { Application, Term } from '../../../src/logic';
import { ieeeAxioms, ieeeQuery } from '../../../src/logic/floats/ieee';
import { floatsDefined } from '../../../src/logic/floats/floats';
import { computedFloat, floatBits, floatLiteral, floatOf } from '../../../src/logic/floats/patterns';
import { application } from '../../../src/logic/intern';
import { createSolver } from '../../../src/solver';
import type { Solver } from '../../../src/solver';
import { checkedFloats } from './samples';

let solver: Solver;
beforeAll(() => {
  solver = createSolver();
});
afterAll(() => solver.close());

const binary = ['add', 'subtract', 'multiply', 'divide'].flatMap((operator) =>
  ([32, 64] as const).map((width) => ({ name: `float-${operator}-${width}`, from: [width, width], width })),
);
const operations = [
  ...binary,
  { name: 'float-sqrt-32', from: [32], width: 32 },
  { name: 'float-sqrt-64', from: [64], width: 64 },
  { name: 'convert-float64-float32', from: [64], width: 32 },
  { name: 'convert-integer32-float32', from: [32], width: 32 },
  { name: 'convert-uinteger32-float32', from: [32], width: 32 },
  { name: 'convert-integer64-float64', from: [64], width: 64 },
  { name: 'convert-uinteger64-float64', from: [64], width: 64 },
] as const;

/** The axiom of an operation on values, with this result. Operations on literals would be computed. */
const axiom = (name: string, operands: readonly Term[], width: number, result: bigint): Term =>
  application('call', boolSort, [...operands, bits(result, width)], [], `ieee ${name}`);

test.each(operations)('$name is what JavaScript computes, and nothing else', async ({ name, from, width }) => {
  const values = (bitsOf: number): fc.Arbitrary<bigint> =>
    name.includes('integer') ? fc.bigInt(0n, (1n << BigInt(bitsOf)) - 1n) : checkedFloats(bitsOf as 32 | 64);
  const samples = fc.sample(fc.tuple(...from.map(values)), { numRuns: 60, seed: 1 });
  const holds: Term[] = [];
  const fails: Term[] = [];
  for (const given of samples) {
    const operands = given.map((value, i) => bits(value, from[i]!));
    const literal = floatLiteral(name, operands);
    const result = literal?.kind === 'bits' ? literal.value : computedFloat(name, given);
    if (result === undefined) continue;
    const right = axiom(name, operands, width, result);
    const wrong = axiom(name, operands, width, result ^ 1n);
    expect(evaluate(right, () => 0n)).toBe(true);
    holds.push(right);
    // The neighbour of a NaN is another NaN, or an infinity.
    if (Number.isNaN(floatOf(result, width))) continue;
    expect(evaluate(wrong, () => 0n)).toBe(false);
    fails.push(wrong);
  }
  expect(fails.length).toBeGreaterThan(name.includes('sqrt') ? 10 : 20);
  const budget = { timeoutMs: 20_000 };
  expect((await solver.check([not(and(...holds))], budget)).kind).toBe('unsat');
  expect((await solver.check([or(...fails)], budget)).kind).toBe('unsat');
});

test('products with powers of two and longer formats are exact for subnormal numbers', async () => {
  const subnormals = fc.sample(fc.bigInt(1n, (1n << 23n) - 1n), { numRuns: 20, seed: 2 });
  const holds: Term[] = [];
  for (const value of subnormals) {
    const of = (term: Term): Term => {
      const [made] = ieeeAxioms([floatsDefined(term)]).filter(({ kind }) => kind === 'apply') as Application[];
      const operation = made!.args.at(-1) as Application;
      const operands = operation.args.map((arg) => (arg.kind === 'bits' ? arg : bits(value, 32)));
      const result = computedFloat(operation.name!, [value, ...operands.slice(1).map((t) => evaluateBits(t))])!;
      const width = operation.sort.kind === 'bits' ? operation.sort.width : 0;
      return application('call', made!.sort, [...operands, bits(result, width)], [], made!.name);
    };
    const x = symbol('x', bitsSort(32));
    for (const factor of [0.5, 0.125, 4])
      holds.push(of(call('float-multiply-32', bitsSort(32), x, bits(floatBits(factor, 32), 32))));
    holds.push(of(call('convert-float32-float64', bitsSort(64), x)));
  }
  expect((await solver.check([not(and(...holds))], { timeoutMs: 20_000 })).kind).toBe('unsat');
});

const evaluateBits = (t: Term): bigint => (t.kind === 'bits' ? t.value : 0n);

test('many operations, or several divisions of long numbers, are left to bounds', () => {
  const x = symbol('x', bitsSort(64));
  const quotient = (n: number): Term => call('float-divide-64', bitsSort(64), x, symbol(`y${n}`, bitsSort(64)));
  const single = (n: number): Term =>
    call('float-divide-32', bitsSort(32), symbol('x', bitsSort(32)), symbol(`y${n}`, bitsSort(32)));
  expect(ieeeAxioms([single(1), single(2)])).toHaveLength(2);
  expect(ieeeAxioms([single(1), single(2), single(3)])).toHaveLength(0);
  expect(ieeeAxioms([quotient(1)])).toHaveLength(0);
  expect(ieeeQuery([quotient(1)])).toBeUndefined();
});
