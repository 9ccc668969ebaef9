/** Law: the state after a jump is the one that as many rounds lead to, one by one, and each of them is of the phase. */
import fc from 'fast-check';
import { closedFormOf, jump, roundBits } from '../../../src/abstraction/acceleration/closedForm';
import type { Phase } from '../../../src/abstraction/acceleration/phases';
import type { Cutpoint } from '../../../src/abstraction/transitionSystem/cutpoint';
import * as L from '../../../src/logic/build';
import { evaluate } from '../../../src/logic/evaluate';
import type { Term, Value } from '../../../src/logic/term';
import { FreshSymbols } from '../../../src/semantics/symbolic/symbolicValues';

const width = 6;
const names = ['x', 'y', 's', 'm', 'k'] as const;
type Name = (typeof names)[number];
type State = Readonly<Record<Name, bigint>>;
const symbol = (name: Name): Term => L.symbol(name, L.bitsSort(width));
const bits = (value: number): Term => L.bits(BigInt.asUintN(width, BigInt(value)), width);
const rounds = L.symbol('n', L.bitsSort(roundBits));

const phaseOf = (guard: readonly Term[], after: Partial<Record<Name, Term>>): Phase => ({
  point: undefined as unknown as Cutpoint,
  guard,
  after: new Map(names.map((name) => [symbol(name), after[name] ?? symbol(name)])),
});

const valueIn =
  (state: State, n = 0n) =>
  (term: Term): Value =>
    evaluate(term, (s) => (s === rounds ? n : state[s.name as Name]));

const next = (phase: Phase, state: State): State =>
  Object.fromEntries(names.map((name) => [name, valueIn(state)(phase.after.get(symbol(name))!)])) as Record<
    Name,
    bigint
  >;

const small = fc.integer({ min: -3, max: 3 });
const word = fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n });
const states: fc.Arbitrary<State> = fc.record({ x: word, y: word, s: word, m: word, k: word });

/** x and y move, s sums up, m is computed from them, k stays. */
const roundsOfPhase: fc.Arbitrary<Partial<Record<Name, Term>>> = fc
  .tuple(small, small, fc.boolean(), small, fc.constantFrom('sum', 'copy', 'remainder'))
  .map(([a, b, byK, c, kind]) => ({
    x: L.add(symbol('x'), bits(a)),
    y: L.add(symbol('y'), byK ? L.add(symbol('k'), bits(b)) : bits(b)),
    s: L.add(symbol('s'), L.mul(bits(c), symbol('x')), symbol('y')),
    m: kind === 'sum' ? L.add(symbol('x'), symbol('s')) : kind === 'copy' ? symbol('y') : L.urem(symbol('x'), bits(3)),
  }));

const operand: fc.Arbitrary<Term> = fc.oneof(
  fc.constantFrom<Name>('x', 'y', 'k').map(symbol),
  small.map(bits),
  fc.tuple(fc.constantFrom<Name>('x', 'y'), small).map(([name, c]) => L.add(symbol(name), bits(c))),
  fc.constant(L.sub(symbol('x'), symbol('y'))),
);
const comparison: fc.Arbitrary<Term> = fc
  .tuple(fc.constantFrom(L.ult, L.ule, L.slt, L.sle), operand, operand, fc.boolean(), fc.boolean())
  .map(([operator, a, b, isWide, isTrue]) => {
    const atom = isWide ? L.slt(L.signExtend(a, 9), L.zeroExtend(b, 9)) : operator(a, b);
    return isTrue ? atom : L.not(atom);
  });
const inequality: fc.Arbitrary<Term> = fc.tuple(operand, operand).map(([a, b]) => L.not(L.eq(a, b)));
const guards = fc.array(fc.oneof(comparison, inequality), { minLength: 1, maxLength: 3 });

test('a jump is as many rounds, all of the phase, whatever wraps around', () => {
  let jumps = 0;
  fc.assert(
    fc.property(guards, roundsOfPhase, states, fc.integer({ min: 0, max: 80 }), (guard, after, before, n) => {
      const phase = phaseOf(guard, after);
      const form = closedFormOf(phase);
      if (!form) return;
      const { guard: holds, values } = jump(form, rounds, new FreshSymbols('test'));
      const value = valueIn(before, BigInt(n));
      if (value(holds) !== true) return;
      if (n > 1) jumps++;
      let state = before;
      for (let i = 0; i < n; i++) {
        expect(guard.map(valueIn(state))).toEqual(guard.map(() => true));
        state = next(phase, state);
      }
      expect(Object.fromEntries(names.map((name) => [name, value(values.get(symbol(name)) ?? symbol(name))]))).toEqual(
        state,
      );
    }),
    { numRuns: 1500 },
  );
  // Most random guards are left soon, but the law is not empty.
  expect(jumps).toBeGreaterThan(50);
});

test('rounds below a bound can be passed at once, and not one more', () => {
  const phase = phaseOf([L.ult(symbol('x'), symbol('k'))], { x: L.add(symbol('x'), bits(3)) });
  const { guard } = jump(closedFormOf(phase)!, rounds, new FreshSymbols('test'));
  const possible = (n: bigint): Value => valueIn({ x: 1n, y: 0n, s: 0n, m: 0n, k: 20n }, n)(guard);
  expect([0n, 1n, 7n, 8n].map(possible)).toEqual([true, true, true, false]);
});

test('a word that only has to differ from another is left before they meet, and before it wraps around', () => {
  const phase = phaseOf([L.not(L.eq(symbol('x'), bits(0)))], { x: L.add(symbol('x'), bits(2)) });
  const { guard } = jump(closedFormOf(phase)!, rounds, new FreshSymbols('test'));
  const possible = (x: bigint) => (n: bigint) => valueIn({ x, y: 0n, s: 0n, m: 0n, k: 0n }, n)(guard);
  expect([1n, 17n, 18n].map(possible(30n))).toEqual([true, true, false]);
  expect([1n, 17n, 18n].map(possible(31n))).toEqual([true, true, false]);
});

test.each([
  ['nothing moves', {}],
  ['the guard reads what is multiplied', { x: L.mul(symbol('x'), bits(3)), y: L.add(symbol('y'), bits(1)) }],
  ['two words feed each other', { x: L.add(symbol('x'), symbol('y')), y: L.add(symbol('y'), symbol('x')) }],
])('no closed form: %s', (_, after) => {
  expect(closedFormOf(phaseOf([L.ult(symbol('x'), bits(20))], after))).toBeUndefined();
});
