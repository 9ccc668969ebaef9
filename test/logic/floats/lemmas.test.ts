/** Thresholds, bounds and laws of rounded operations, for which JavaScript's numbers are the judge. */
import * as fc from 'fast-check';
import {
  add,
  and,
  bits,
  bitsSort,
  boolSort,
  call,
  eq,
  evaluate,
  iff,
  implies,
  ite,
  mul,
  not,
  or,
  sle,
  slt,
  symbol,
  ule,
  ult,
} from '../../../src/logic';
import type { SymbolTerm, Term, Value } from '../../../src/logic';
import { floatFacts, floatRanges, intervalsRefute } from '../../../src/logic/floats/intervals';
import { floatLemmas } from '../../../src/logic/floats/lemmas';
import { computedFloat, floatBits, floatOf } from '../../../src/logic/floats/patterns';
import { floatsDefined } from '../../../src/logic/floats/floats';
import { checkedFloats } from './samples';
import { runs } from '../../long';

const floatBounds = (conditions: readonly Term[]) => floatFacts(conditions).bounds;

type Width = 32 | 64;
const operators = ['add', 'subtract', 'multiply', 'divide'] as const;

describe.each([32, 64] as const)('of %p bits', (width: Width) => {
  const [x, y] = [symbol('x', bitsSort(width)), symbol('y', bitsSort(width))];
  const pattern = checkedFloats(width);
  const literal = (value: bigint): Term => bits(value, width);
  const float = (name: string, a: Term, b: Term): Term =>
    call(`float-${name}-${width}`, ['eq', 'lt', 'le'].includes(name) ? boolSort : bitsSort(width), a, b);
  const valueIn = (term: Term, given: ReadonlyMap<SymbolTerm, bigint>): Value => evaluate(term, (s) => given.get(s)!);
  const meant = (operator: string, a: bigint, b: bigint): number => {
    const [p, q] = [floatOf(a, width), floatOf(b, width)];
    const exact =
      operator === 'add' ? p + q : operator === 'subtract' ? p - q : operator === 'multiply' ? p * q : p / q;
    return width === 32 ? Math.fround(exact) : exact;
  };
  const comparison = fc.constantFrom('eq', 'lt', 'le');
  const compared = (name: string, p: number, q: number): boolean =>
    name === 'eq' ? p === q : name === 'lt' ? p < q : p <= q;

  test('a comparison of a rounded operation with a literal means what it says', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operators),
        comparison,
        fc.tuple(pattern, pattern, pattern),
        fc.tuple(fc.boolean(), fc.boolean(), fc.integer({ min: -2, max: 2 })),
        (operator, name, [value, k, any], [isFirst, isLeft, near]) => {
          const [a, b] = isFirst ? [k, value] : [value, k];
          const operation = float(operator, isFirst ? literal(k) : x, isFirst ? x : literal(k));
          const result = meant(operator, a, b);
          // Near the threshold or anywhere.
          const m = near === 2 ? any : BigInt.asUintN(width, floatBits(result, width) + BigInt(near));
          const sides: readonly [Term, Term] = isLeft ? [operation, literal(m)] : [literal(m), operation];
          const numbers: readonly [number, number] = isLeft ? [result, floatOf(m, width)] : [floatOf(m, width), result];
          expect(valueIn(floatsDefined(float(name, ...sides)), new Map([[x, value]]))).toBe(compared(name, ...numbers));
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  test('a comparison of a root with a literal means what it says', () => {
    fc.assert(
      fc.property(
        comparison,
        fc.tuple(pattern, pattern),
        fc.tuple(fc.boolean(), fc.integer({ min: -2, max: 2 })),
        (name, [value, any], [isLeft, near]) => {
          const root = call(`float-sqrt-${width}`, bitsSort(width), x);
          const result = floatOf(computedFloat(`float-sqrt-${width}`, [value])!, width);
          const m = near === 2 ? any : BigInt.asUintN(width, floatBits(result, width) + BigInt(near));
          const condition = isLeft ? float(name, root, literal(m)) : float(name, literal(m), root);
          const defined = floatsDefined(condition);
          const numbers: readonly [number, number] = isLeft ? [result, floatOf(m, width)] : [floatOf(m, width), result];
          expect(valueIn(defined, new Map([[x, value]]))).toBe(compared(name, ...numbers));
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  test('laws and bounds of roots and remainders hold', () => {
    const [root, rest] = [call(`float-sqrt-${width}`, bitsSort(width), x), float('fmod', x, y)];
    const condition = fc
      .tuple(comparison, fc.boolean(), fc.constantFrom(x, y, root, rest), pattern)
      .map(([name, holds, variable, k]) =>
        holds ? float(name, variable, literal(k)) : not(float(name, literal(k), variable)),
      );
    let informative = 0;
    fc.assert(
      fc.property(
        fc.array(condition, { maxLength: 3 }),
        fc.tuple(pattern, pattern, pattern),
        (conditions, [a, b, k]) => {
          const given = new Map([
            [x, a],
            [y, b],
          ]);
          const sum = float('add', rest, root);
          const query = [
            ...conditions,
            float('lt', sum, literal(k)),
            float('lt', rest, call(`float-sqrt-${width}`, bitsSort(width), y)),
          ];
          for (const lemma of floatLemmas(query)) expect(valueIn(lemma, given)).toBe(true);
          informative += floatBounds(query).length;
        },
      ),
      { numRuns: runs(1000) },
    );
    expect(informative).toBeGreaterThan(runs(100));
  });

  test('operands that are operations are looked into', () => {
    const scaled = float('add', float('multiply', x, literal(floatBits(1.8, width))), literal(floatBits(32, width)));
    const condition = floatsDefined(float('le', scaled, literal(floatBits(212, width))));
    const at = (value: number): Value => valueIn(condition, new Map([[x, floatBits(value, width)]]));
    expect([at(99), at(101), at(NaN), at(-Infinity)]).toEqual([true, false, false, true]);
    const calls = JSON.stringify(condition, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(calls).not.toContain('multiply');
  });

  test('bounds that follow from comparisons hold', () => {
    const condition = fc
      .tuple(comparison, fc.boolean(), fc.boolean(), fc.constantFrom(x, y), fc.oneof(pattern, fc.constant(undefined)))
      .map(([name, holds, isLeft, variable, k]): Term => {
        const other = k === undefined ? (variable === x ? y : x) : literal(k);
        const term = isLeft ? float(name, variable, other) : float(name, other, variable);
        return holds ? term : not(term);
      });
    let [informative, contradictions] = [0, 0];
    fc.assert(
      fc.property(
        fc.constantFrom(...operators),
        fc.constantFrom(...operators),
        fc.array(condition, { minLength: 1, maxLength: 4 }),
        fc.tuple(pattern, pattern, pattern, fc.boolean()),
        (operator, outer, conditions, [a, b, k, clamps]) => {
          const inner = float(operator, x, y);
          const limited = clamps ? ite(float('lt', inner, literal(k)), literal(k), inner) : inner;
          const operation = float(outer, limited, literal(k));
          const given = new Map([
            [x, a],
            [y, b],
          ]);
          const query = [...conditions, float('lt', operation, literal(k))];
          const lemmas = floatLemmas(query);
          for (const lemma of lemmas) expect(valueIn(lemma, given)).toBe(true);
          informative += floatBounds(query).length;
          contradictions += floatFacts(query).contradictions.length;
        },
      ),
      { numRuns: runs(1000) },
    );
    expect(informative).toBeGreaterThan(runs(100));
    expect(contradictions).toBeGreaterThan(runs(9));
  });

  test('a name that is defined in one direction stands for its meaning in that one', () => {
    const [assumed, asked] = [symbol('assumed', boolSort), symbol('asked', boolSort)];
    const one = literal(floatBits(1, width));
    const small = float('le', x, one);
    const sum = float('add', x, one);
    const claim = float('le', sum, literal(floatBits(2, width)));
    const both = and(claim, float('le', y, one));
    const definitions = [implies(assumed, small), implies(claim, asked)];
    const isNumber = float('eq', x, x);
    expect(intervalsRefute([...definitions, isNumber, assumed, not(asked)])).toBe(true);
    expect(intervalsRefute([implies(assumed, small), implies(both, asked), isNumber, assumed, not(asked)])).toBe(false);
    // The other directions say nothing.
    expect(intervalsRefute([implies(small, assumed), implies(claim, asked), isNumber, assumed, not(asked)])).toBe(
      false,
    );
    expect(intervalsRefute([implies(assumed, small), implies(asked, claim), isNumber, assumed, not(asked)])).toBe(
      false,
    );
    expect(intervalsRefute([...definitions, isNumber, not(assumed), not(asked)])).toBe(false);
    expect(intervalsRefute([...definitions, isNumber, assumed, asked])).toBe(false);
  });

  test('comparisons that have names, as candidates in a search, give the same bounds', () => {
    const sum = float('add', x, y);
    const compare = fc
      .tuple(comparison, fc.boolean(), fc.constantFrom(x, y), pattern)
      .map(([name, isLeft, variable, k]) =>
        float(name, ...((isLeft ? [variable, literal(k)] : [literal(k), variable]) as [Term, Term])),
      );
    let informative = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(compare, fc.boolean(), fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 4 }),
        fc.tuple(pattern, pattern),
        (facts, [a, b]) => {
          const names = facts.map((_, i) => symbol(`named${i}`, boolSort));
          const signed = (term: Term, holds: boolean): Term => (holds ? term : not(term));
          const mentioned = float('lt', x, sum);
          const plain = [...facts.map(([term, holds]) => signed(term, holds)), mentioned];
          const named = [
            ...facts.map(([term, , isSame], i) => iff(names[i]!, signed(term, isSame))),
            ...facts.map(([, holds, isSame], i) => signed(names[i]!, holds === isSame)),
            mentioned,
          ];
          const ranges = (query: readonly Term[]) =>
            floatBounds(query).map(({ call: bounded, low, high, mayBeNaN }) => [bounded, low, high, mayBeNaN]);
          expect(ranges(named)).toEqual(ranges(plain));
          informative += ranges(named).length;
          const given = new Map<SymbolTerm, Value>([
            [x, a],
            [y, b],
            ...facts.map(([, , , value], i) => [names[i]!, value] as const),
          ]);
          for (const lemma of floatLemmas(named)) expect(evaluate(lemma, (s) => given.get(s)!)).toBe(true);
        },
      ),
      { numRuns: runs(500) },
    );
    expect(informative).toBeGreaterThan(runs(50));
  });

  test('what intervals refute has no model', () => {
    const operation = fc.constantFrom(...operators);
    const leaf = fc.oneof(
      fc.constantFrom<Term>(x, y),
      pattern.map(literal),
      fc.constantFrom(-1, 0, 0.5, 1, 3).map((k) => literal(floatBits(k, width))),
    );
    const { term, condition } = fc.letrec<{ term: Term; condition: Term }>((tie) => ({
      term: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.tuple(operation, tie('term'), tie('term')).map(([name, a, b]) => float(name, a, b)),
        fc.tuple(tie('condition'), tie('term'), tie('term')).map(([c, a, b]) => ite(c, a, b)),
      ),
      condition: fc.oneof(
        { maxDepth: 3 },
        fc.tuple(comparison, tie('term'), tie('term')).map(([name, a, b]) => float(name, a, b)),
        tie('condition').map(not),
        fc.array(tie('condition'), { minLength: 2, maxLength: 3 }).map((all) => and(...all)),
        fc.array(tie('condition'), { minLength: 2, maxLength: 3 }).map((all) => or(...all)),
      ),
    }));
    const holdsIn = (one: Term, given: ReadonlyMap<SymbolTerm, Value>): boolean =>
      evaluate(
        one,
        (s) => given.get(s)!,
        (name, args) => computedFloat(name.replace(/ rounded$/, ''), args as readonly bigint[])!,
      ) === true;
    let [refuted, models] = [0, 0];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(condition, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 4 }),
        term,
        fc.array(fc.tuple(pattern, pattern), { minLength: 8, maxLength: 8 }),
        (conditions, mentioned, values) => {
          const names = conditions.map((_, i) => symbol(`named${i}`, boolSort));
          // Mostly true of the first values: what is refuted then is refuted for a reason.
          const first = new Map<SymbolTerm, Value>([
            [x, values[0]![0]],
            [y, values[0]![1]],
          ]);
          const query = conditions.flatMap(([one, isNamed, isKept], i) => {
            const holds = holdsIn(one, first);
            const told = holds === isKept || i === 0 ? (holds ? one : not(one)) : holds ? not(one) : one;
            return isNamed ? [iff(names[i]!, told), names[i]!] : [told];
          });
          const terms = [...query, float('le', mentioned, mentioned)];
          const isRefuted = intervalsRefute(terms);
          refuted += Number(isRefuted);
          for (const [a, b] of values) {
            const given = new Map<SymbolTerm, Value>([[x, a], [y, b], ...names.map((name) => [name, true] as const)]);
            const holds = terms.every((one) => holdsIn(one, given));
            models += Number(holds);
            if (holds) expect(isRefuted).toBe(false);
          }
        },
      ),
      { numRuns: runs(600) },
    );
    expect(refuted).toBeGreaterThan(runs(9));
    expect(models).toBeGreaterThan(runs(500));
  });

  test('a step of at most half of the way stays between the ends', () => {
    const inside = (t: Term, low: bigint, high: bigint): Term =>
      and(float('le', literal(low), t), float('le', t, literal(high)));
    let steps = 0;
    fc.assert(
      fc.property(
        fc.tuple(pattern, pattern),
        fc.oneof(fc.double({ min: 0, max: 0.5, noNaN: true }), fc.double({ min: 2, noNaN: true })),
        fc.constantFrom('forward', 'back'),
        ([a, b], factor, direction) => {
          const k = literal(floatBits(factor, width));
          const difference = direction === 'forward' ? float('subtract', y, x) : float('subtract', x, y);
          const way = float(factor >= 2 ? 'divide' : 'multiply', difference, k);
          const moved = direction === 'forward' ? float('add', x, way) : float('subtract', x, way);
          const [low, high] = floatOf(a, width) <= floatOf(b, width) ? [a, b] : [b, a];
          const query = [inside(x, low, high), inside(y, low, high), float('lt', moved, literal(low))];
          const bounds = floatBounds(query).filter(({ call: bounded }) => bounded === moved);
          steps += bounds.filter((bound) => bound.low === floatOf(low, width)).length;
          const given = new Map([
            [x, a],
            [y, b],
          ]);
          for (const lemma of floatLemmas(query)) expect(valueIn(lemma, given)).toBe(true);
        },
      ),
      { numRuns: runs(1000) },
    );
    expect(steps).toBeGreaterThan(runs(300));
  });

  test('a step of any part of the way ends at the other number, but for rounding', () => {
    const z = symbol('z', bitsSort(width));
    const inside = (t: Term, low: number, high: number): Term =>
      and(float('le', literal(floatBits(low, width)), t), float('le', t, literal(floatBits(high, width))));
    const near = fc.double({ min: -100, max: 100, noNaN: true });
    const number = fc.oneof(
      near,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(0, -0, 1, 5e-324),
    );
    const part = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 1 - 2 ** -24, 2 ** -149));
    const rounded = (value: number): number => floatOf(floatBits(value, width), width);
    let steps = 0;
    fc.assert(
      fc.property(
        fc.tuple(number, number, number, number),
        fc.tuple(part, fc.constantFrom('multiply', 'divide'), fc.constantFrom('forward', 'back')),
        ([a, b, c, d], [weight, operator, direction]) => {
          const by = rounded(operator === 'multiply' ? weight : 1 / weight);
          const difference = direction === 'forward' ? float('subtract', y, x) : float('subtract', x, y);
          const way = float(operator, difference, z);
          const moved = direction === 'forward' ? float('add', way, x) : float('subtract', x, way);
          const [from, to] = [rounded(a), rounded(b)];
          const ranges = [
            inside(x, Math.min(from, rounded(c)), Math.max(from, rounded(c))),
            inside(y, Math.min(to, rounded(d)), Math.max(to, rounded(d))),
            operator === 'multiply' ? inside(z, 0, 1) : inside(z, 1, Infinity),
          ];
          const query = [...ranges, float('lt', moved, x)];
          const given = new Map<SymbolTerm, bigint>([
            [x, floatBits(from, width)],
            [y, floatBits(to, width)],
            [z, floatBits(by, width)],
          ]);
          steps += floatFacts(query).steps.length;
          for (const lemma of floatLemmas(query)) expect(valueIn(lemma, given)).toBe(true);
          const [range] = floatRanges([moved], ranges)!;
          const result = floatOf(valueIn(moved, given) as bigint, width);
          const isInside = range!.low <= result && result <= range!.high;
          expect(Number.isNaN(result) ? range!.mayBeNaN : isInside).toBe(true);
        },
      ),
      { numRuns: runs(2000) },
    );
    expect(steps).toBeGreaterThan(runs(500));
  });

  test('a step towards a number of the same sign keeps the sign', () => {
    const z = symbol('z', bitsSort(width));
    const inside = (t: Term, low: number, high: number): Term =>
      and(float('le', literal(floatBits(low, width)), t), float('le', t, literal(floatBits(high, width))));
    const moved = float('add', x, float('divide', float('subtract', y, x), z));
    const conditions = [inside(x, 0, 101), inside(y, 0, 100), inside(z, 1, 1000)];
    const [range] = floatRanges([moved], conditions)!;
    expect(range).toMatchObject({ low: 0, mayBeNaN: false });
    expect(range!.high).toBe(101);
    const [step] = floatFacts([...conditions, float('lt', moved, x)]).steps;
    expect(step!.high).toBeGreaterThan(100);
    expect(step!.high).toBeLessThan(100.001);
  });

  test('a sum of limited numbers is limited', () => {
    const within = (t: Term, low: number, high: number): Term =>
      and(float('le', literal(floatBits(low, width)), t), float('le', t, literal(floatBits(high, width))));
    const sum = float('add', x, y);
    const mentioned = or(float('lt', x, sum), float('eq', x, y));
    const [bound] = floatBounds([within(x, 0, 10), within(y, -5, 2.5), mentioned]);
    expect([bound!.call, bound!.low, bound!.high, bound!.mayBeNaN]).toEqual([sum, -5, 12.5, false]);
    expect(floatBounds([within(x, 0, 10), mentioned])[0]).toMatchObject({ mayBeNaN: false });
    const [inOneCase, ...others] = floatBounds([within(x, 0, 10), or(within(y, 1, 2), float('lt', y, sum))]).filter(
      ({ high, mayBeNaN }) => !mayBeNaN && high < 100,
    );
    expect(inOneCase).toMatchObject({ low: 1, high: 12 });
    expect(inOneCase!.because).toHaveLength(4);
    expect(others.length).toBeLessThan(2);
  });
});

test('the arms of a disjunction are looked at one by one', () => {
  const literal = (value: number): Term => bits(floatBits(value, 64), 64);
  const lt = (a: Term, b: Term): Term => call('float-lt-64', boolSort, a, b);
  const x = call('float-add-64', bitsSort(64), symbol('a', bitsSort(64)), symbol('b', bitsSort(64)));
  const [isOver, isUnder] = [lt(literal(100), x), lt(x, literal(-100))];
  // if (x > 100) x = 100; else if (x < -100) x = -100;
  const clamped = ite(or(isOver, not(isUnder)), ite(isOver, literal(100), x), literal(-100));
  const known = call('float-le-64', boolSort, x, literal(1e6));
  expect(floatRanges([clamped], [known])).toEqual([{ low: -100, high: 100, mayBeNaN: false }]);
  expect(floatRanges([clamped], [])).toEqual([{ low: -100, high: 100, mayBeNaN: true }]);
  expect(intervalsRefute([known, lt(literal(100.5), clamped)])).toBe(true);
  expect(intervalsRefute([known, lt(literal(99.5), clamped)])).toBe(false);
});

test('an integer that equals a literal is a number', () => {
  const n = symbol('n', bitsSort(32));
  const converted = call('convert-integer32-float64', bitsSort(64), n);
  const tenth = call('float-divide-64', bitsSort(64), converted, bits(floatBits(10, 64), 64));
  const range = (conditions: readonly Term[]) => floatRanges([tenth], conditions)![0];
  expect(range([eq(n, bits(0xffff_fc18n, 32))])).toEqual({ low: -100, high: -100, mayBeNaN: false });
  expect(range([not(eq(n, bits(1000n, 32)))])).toMatchObject({ low: -(2 ** 31) / 10 });
});

test('a converted integer keeps its bounds', () => {
  const n = symbol('n', bitsSort(32));
  const quotient = call(
    'float-divide-64',
    bitsSort(64),
    call('convert-integer32-float64', bitsSort(64), n),
    symbol('d', bitsSort(64)),
  );
  const d = symbol('d', bitsSort(64));
  const literal = (value: number): Term => bits(floatBits(value, 64), 64);
  const [bound] = floatBounds([
    call('float-le-64', boolSort, literal(2), d),
    call('float-le-64', boolSort, quotient, d),
  ]);
  expect([bound!.low, bound!.high, bound!.mayBeNaN]).toEqual([-(2 ** 30), (2 ** 31 - 1) / 2, false]);
});

test('a converted word that is computed has the bounds of its operands', () => {
  const [n, m] = [symbol('n', bitsSort(32)), symbol('m', bitsSort(32))];
  const word = (value: bigint): Term => bits(BigInt.asUintN(32, value), 32);
  const scaled = mul(word(3300n), ite(ule(n, word(4095n)), n, word(4095n)));
  const number = (t: Term): Term => call('convert-uinteger32-float64', bitsSort(64), t);
  const half = call('float-divide-64', bitsSort(64), number(scaled), bits(floatBits(2, 64), 64));
  expect(floatRanges([half], [])).toEqual([{ low: 0, high: 6756750, mayBeNaN: false }]);
  const signed = call('convert-integer32-float64', bitsSort(64), add(mul(word(3n), n), m));
  const known = [sle(word(-4n), n), slt(n, word(10n)), sle(word(1n), m), sle(m, word(2n))];
  expect(floatRanges([signed], known)).toEqual([{ low: -11, high: 29, mayBeNaN: false }]);
  expect(floatRanges([signed], known.slice(1))![0]!.low).toBe(-(2 ** 31));
});

test('bounds of converted words hold for all words that satisfy the conditions', () => {
  const [n, m] = [symbol('n', bitsSort(32)), symbol('m', bitsSort(32))];
  const small = fc.integer({ min: -40, max: 40 }).map((value) => bits(BigInt.asUintN(32, BigInt(value)), 32));
  const comparison = fc
    .tuple(fc.constantFrom(slt, sle, ult, ule, eq), fc.constantFrom(n, m), small, fc.boolean())
    .map(([make, a, b, isLeft]) => (isLeft ? make(a, b) : make(b, a)));
  const value = fc
    .tuple(comparison, small, small, fc.constantFrom('signed', 'unsigned'))
    .map(([test, k, other, reading]) => {
      const word = add(mul(k, ite(test, n, other)), m);
      return call(`convert-${reading === 'signed' ? '' : 'u'}integer32-float64`, bitsSort(64), word);
    });
  let models = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(comparison, fc.boolean()), { maxLength: 4 }),
      value,
      fc.array(fc.tuple(small, small), { minLength: 6, maxLength: 6 }),
      (all, converted, words) => {
        const conditions = all.map(([one, holds]) => (holds ? one : not(one)));
        const found = floatRanges([converted], conditions);
        const number = call('float-multiply-64', bitsSort(64), converted, bits(floatBits(0.5, 64), 64));
        const bounds = floatBounds([...conditions, call('float-le-64', boolSort, number, number)]);
        for (const [a, b] of words) {
          const given = new Map<SymbolTerm, Value>([
            [n, (a as Extract<Term, { kind: 'bits' }>).value],
            [m, (b as Extract<Term, { kind: 'bits' }>).value],
          ]);
          const valueOf = (t: Term): Value => evaluate(t, (s) => given.get(s)!);
          if (!conditions.every((one) => valueOf(one) === true)) continue;
          models++;
          const result = floatOf(valueOf(floatsDefined(converted)) as bigint, 64);
          expect(found).toBeDefined();
          expect(found![0]!.low <= result && result <= found![0]!.high).toBe(true);
          for (const { low, high } of bounds) expect(low <= result / 2 && result / 2 <= high).toBe(true);
        }
      },
    ),
    { numRuns: runs(1500) },
  );
  expect(models).toBeGreaterThan(runs(1500));
});

test('a chain of conditional summands is limited, however long', () => {
  const literal = (value: number): Term => bits(floatBits(value, 64), 64);
  const le = (a: Term, b: Term): Term => call('float-le-64', boolSort, a, b);
  let sum: Term = literal(0);
  for (let i = 0; i < 16; i++) {
    const x = symbol(`x${i}`, bitsSort(64));
    sum = ite(and(le(literal(-2), x), le(x, literal(2))), call('float-add-64', bitsSort(64), sum, x), sum);
  }
  expect(floatRanges([sum], [])).toEqual([{ low: -32, high: 32, mayBeNaN: false }]);
});

test('a chain of saturations is limited', () => {
  const literal = (value: number): Term => bits(floatBits(value, 64), 64);
  const lt = (a: Term, b: Term): Term => call('float-lt-64', boolSort, a, b);
  let sum: Term = literal(0);
  for (let i = 0; i < 12; i++) {
    const next = call('float-add-64', bitsSort(64), sum, symbol('step', bitsSort(64)));
    sum = ite(lt(next, literal(10)), ite(lt(literal(-10), next), next, literal(-10)), literal(10));
  }
  const step = symbol('step', bitsSort(64));
  const known = [not(lt(step, literal(-1))), lt(step, literal(3))];
  expect(floatRanges([sum], known)).toEqual([{ low: -10, high: 10, mayBeNaN: false }]);
});

/** The nearest number of the format, of two as near the even one: chosen by integer arithmetic among three. */
function nearest(value: bigint, width: Width): number {
  if (width === 64) return Number(value);
  if (value >= 2n ** 128n - 2n ** 103n) return Infinity;
  const pattern = floatBits(Math.fround(Number(value)), 32);
  const distance = (bitPattern: bigint): bigint => {
    const gap = value - BigInt(floatOf(bitPattern, 32));
    return 2n * (gap < 0n ? -gap : gap) + (bitPattern & 1n ? 1n : 0n);
  };
  const near = value === 0n ? [pattern] : [pattern - 1n, pattern, pattern + 1n];
  return floatOf(
    near.filter((one) => Number.isInteger(floatOf(one, 32))).reduce((a, b) => (distance(b) < distance(a) ? b : a)),
    32,
  );
}

describe.each([
  [32, 'integer'],
  [32, 'uinteger'],
  [64, 'integer'],
  [64, 'uinteger'],
  [128, 'integer'],
  [128, 'uinteger'],
] as const)('conversions of words of %i bits, %s', (wordBits, kind) => {
  const n = symbol(`word${wordBits}`, bitsSort(wordBits));
  const [atMost, below] = kind === 'integer' ? [sle, slt] : [ule, ult];
  const least = kind === 'integer' ? -(1n << BigInt(wordBits - 1)) : 0n;
  const greatest = least + (1n << BigInt(wordBits)) - 1n;
  // Around the powers of two, where formats lose bits, and ties between two numbers of the format.
  const number = fc
    .tuple(fc.bigInt({ min: 0n, max: BigInt(wordBits) }), fc.bigInt({ min: -3n, max: 3n }), fc.bigInt(), fc.nat(3))
    .map(([exponent, near, any, how]) => {
      const power = 1n << exponent;
      const value = [power + near, -power + near, power + (power >> 24n) + near, any][how]!;
      return value < least ? least : value > greatest ? greatest : value;
    });

  test.each([32, 64] as const)('to %i bits: bounds of the word are bounds of the number', (width) => {
    const conversion = `convert-${kind}${wordBits}-float${width}`;
    const converted = call(conversion, bitsSort(width), n);
    const literal = (value: number): Term => bits(floatBits(value, width), width);
    const product = call(`float-multiply-${width}`, bitsSort(width), converted, literal(1.1));
    let informative = 0;
    fc.assert(
      fc.property(
        number,
        fc.array(fc.tuple(number, fc.boolean(), fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 2 }),
        (value, limits) => {
          const conditions = limits.map(([limit, isLeft, isStrict, holds]) => {
            const sides = [n, bits(BigInt.asUintN(wordBits, limit), wordBits)] as const;
            const term = (isStrict ? below : atMost)(...((isLeft ? sides : sides.toReversed()) as [Term, Term]));
            return holds ? term : not(term);
          });
          const query = [...conditions, call(`float-le-${width}`, boolSort, product, literal(1))];
          informative += floatBounds(query).length;
          for (const lemma of floatLemmas(query))
            expect(
              evaluate(
                lemma,
                () => BigInt.asUintN(wordBits, value),
                (name, args) =>
                  name.replace(/ rounded$/, '') === conversion
                    ? floatBits(nearest(value, width), width)
                    : computedFloat(name.replace(/ rounded$/, ''), args as readonly bigint[])!,
              ),
            ).toBe(true);
        },
      ),
      { numRuns: runs(1500) },
    );
    expect(informative).toBeGreaterThan(runs(500));
  });
});
