/**
 * Law: both encodings give the same satisfiability, and the models of both satisfy the terms under our own evaluator.
 */
import * as fc from 'fast-check';
import {
  add,
  and,
  arraySort,
  ashr,
  bitAnd,
  bitOr,
  bits,
  bitsSort,
  bitXor,
  call,
  eq,
  evaluate,
  exists,
  forall,
  implies,
  lshr,
  mul,
  not,
  select,
  shl,
  signExtend,
  sle,
  slt,
  sub,
  symbol,
  symbolsOf,
  ule,
  ult,
  widthOf,
} from '../../src/logic';
import { postOrder } from '../../src/logic/traverse';
import { IntegerPrinter } from '../../src/logic/integers/integers';
import type { ArrayValue, SymbolTerm, Term, Value } from '../../src/logic';
import { createSolver, withBothEncodings } from '../../src/solver';
import type { Answer, Encoding, Solver } from '../../src/solver';
import { parseSExpressions } from '../../src/solver/sexpression';
import type { SExpression } from '../../src/solver/sexpression';
import { boolRecipe, environmentOf, naive, randomEnvironment, toTerm } from './recipes';
import { isLong } from '../long';

const runs = Number(process.env['LAW_RUNS'] ?? (isLong ? 100 : 40));
const widths = [1, 2, 3, 4, 8];
const budget = { timeoutMs: 2000 };

let solver: Solver;
beforeAll(() => {
  solver = createSolver();
});
afterAll(() => solver.close());

function checkAgree(terms: readonly Term[], answers: readonly Answer[]): void {
  const decided = answers.filter((a) => a.kind !== 'unknown');
  for (const answer of answers) {
    if (answer.kind === 'unknown') expect(['timeout', 'incomplete']).toContain(answer.cause);
    if (answer.kind === 'sat') for (const t of terms) expect(answer.model.evaluate(t)).toBe(true);
  }
  expect(new Set(decided.map((a) => a.kind)).size).toBeLessThanOrEqual(1);
}

test('random formulas', async () => {
  const counts = { encoded: 0, decided: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(boolRecipe(10, widths), { minLength: 1, maxLength: 3 }), async (recipes) => {
      const terms = recipes.map(toTerm);
      const printer = new IntegerPrinter();
      if (!terms.every((t) => printer.formula(t))) return;
      counts.encoded++;
      const answers = [await solver.check(terms, budget), await solver.check(terms, budget, { encoding: 'integers' })];
      if (answers.every((a) => a.kind !== 'unknown')) counts.decided++;
      const session = solver.session({ encoding: 'integers' });
      for (const t of terms.slice(1)) {
        session.push();
        session.assert(t);
      }
      answers.push(await session.check(terms.slice(0, 1), budget));
      session.close();
      checkAgree(terms, answers);
    }),
    { numRuns: runs },
  );
  expect(counts.encoded).toBeGreaterThan(runs / 3);
  expect(counts.decided).toBeGreaterThan(counts.encoded * 0.8);
});

test('words with bounds asserted at the same level, below or above, and after these are popped', async () => {
  const orders = [ult, ule, slt, sle, eq];
  const bound = fc.record({
    order: fc.nat(orders.length - 1),
    below: fc.boolean(),
    denied: fc.boolean(),
    value: fc.bigInt(0n, 255n),
    other: fc.option(fc.nat(3), { freq: 4, nil: undefined }),
  });
  const counts = { sat: 0, unsat: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(boolRecipe(8, widths), { minLength: 1, maxLength: 2 }),
      fc.array(bound, { minLength: 4, maxLength: 8 }),
      async (recipes, bounds) => {
        const terms = recipes.map(toTerm);
        const words = [...new Set(terms.flatMap((t) => [...symbolsOf(t)]))].filter(({ sort }) => sort.kind === 'bits');
        fc.pre(words.length > 0 && terms.every((t) => new IntegerPrinter().formula(t)));
        const said = bounds.map(({ order, below, denied, value, other }, i) => {
          const word = words[i % words.length]!;
          const width = widthOf(word);
          const second = other === undefined ? undefined : words[other % words.length];
          const limit = second && widthOf(second) === width ? second : bits(BigInt.asUintN(width, value), width);
          const made = below ? orders[order]!(limit, word) : orders[order]!(word, limit);
          return denied ? not(made) : made;
        });
        const half = said.slice(0, said.length / 2);
        const others = said.slice(said.length / 2);
        const session = solver.session({ encoding: 'integers' });
        const agree = async (all: readonly Term[], ...answers: readonly Answer[]): Promise<void> => {
          const exact = await solver.check(all, budget);
          if (exact.kind !== 'unknown') counts[exact.kind]++;
          checkAgree(all, [exact, ...answers]);
        };
        await agree([...half, ...terms], await solver.check([...half, ...terms], budget, { encoding: 'integers' }));
        for (const t of half) session.assert(t);
        session.push();
        for (const t of [...others, ...terms]) session.assert(t);
        await agree([...said, ...terms], await session.check([], budget));
        session.pop();
        session.push();
        session.assert(terms[0]!);
        await agree([...half, terms[0]!], await session.check([], budget));
        session.push();
        for (const t of others) session.assert(t);
        await agree([...said, ...terms], await session.check(terms.slice(1), budget));
        session.pop();
        await agree([...half, ...terms], await session.check(terms.slice(1), budget));
        session.close();
      },
    ),
    { numRuns: runs / 2 },
  );
  expect(Math.min(counts.sat, counts.unsat)).toBeGreaterThan(runs / 8);
});

/** An integer, a truth or an array of those: default and entries. */
type Number_ = bigint | boolean | { readonly base: Number_; readonly at: ReadonlyMap<bigint, Number_> };

/** SMT-LIB's integers, by the definitions, on the text of a formula. */
function compute(e: SExpression, names: ReadonlyMap<string, Number_>): Number_ {
  if (typeof e === 'string') {
    if (/^\d+$/.test(e)) return BigInt(e);
    if (e === 'true' || e === 'false') return e === 'true';
    const value = names.get(e);
    if (value === undefined) throw new Error(`no value for ${e}`);
    return value;
  }
  const [head, ...rest] = e;
  if (Array.isArray(head)) return { base: compute(rest[0]!, names), at: new Map() }; // ((as const …) v)
  if (head === 'ite') return compute(compute(rest[0]!, names) === true ? rest[1]! : rest[2]!, names);
  const v = rest.map((x) => compute(x, names));
  const n = v as bigint[];
  const floor = (x: bigint, y: bigint) => {
    const m = ((x % y) + y) % y;
    return (x - m) / y;
  };
  const euclid = (x: bigint, y: bigint) => (y > 0n ? floor(x, y) : -floor(x, -y));
  switch (head) {
    case '+':
      return n.reduce((x, y) => x + y);
    case '*':
      return n.reduce((x, y) => x * y);
    case '-':
      return n.length === 1 ? -n[0]! : n.reduce((x, y) => x - y);
    case 'div':
      return n[1] === 0n ? 0n : euclid(n[0]!, n[1]!);
    case 'mod':
      return n[1] === 0n ? 0n : n[0]! - n[1]! * euclid(n[0]!, n[1]!);
    case '<':
      return n[0]! < n[1]!;
    case '<=':
      return n[0]! <= n[1]!;
    case '>':
      return n[0]! > n[1]!;
    case '>=':
      return n[0]! >= n[1]!;
    case '=':
      return v[0] === v[1];
    case 'not':
      return v[0] !== true;
    case 'and':
      return v.every((x) => x === true);
    case 'or':
      return v.some((x) => x === true);
    case 'xor':
      return v.filter((x) => x === true).length % 2 === 1;
    case 'select': {
      const array = v[0] as Exclude<Number_, bigint | boolean>;
      return array.at.get(n[1]!) ?? array.base;
    }
    case 'store': {
      const array = v[0] as Exclude<Number_, bigint | boolean>;
      return { base: array.base, at: new Map([...array.at, [n[1]!, v[2]!]]) };
    }
    default:
      throw new Error(`no meaning for ${String(head)}`);
  }
}

/**
 * Every way to read words as integers: per array the index and the element, per symbol of words; those that keep the
 * ranges are right.
 */
function readings(
  symbols: readonly SymbolTerm[],
  valueOf: (s: SymbolTerm) => Value,
  nameOf: (s: SymbolTerm) => string,
): Map<string, Number_>[] {
  const read = (word: bigint, width: number, signed: boolean) => (signed ? BigInt.asIntN(width, word) : word);
  return symbols.reduce<Map<string, Number_>[]>(
    (all, s) => {
      const value = valueOf(s);
      const { sort } = s;
      if (sort.kind === 'boolean') return all.map((m) => new Map([...m, [nameOf(s), value as boolean]]));
      const choices: Number_[] = [];
      if (sort.kind === 'bits')
        for (const signed of [false, true]) choices.push(read(value as bigint, sort.width, signed));
      else {
        const { width } = sort.index;
        const array = value as ArrayValue;
        for (const index of [false, true]) {
          for (const element of [false, true]) {
            const at = [...array.entries].map(
              ([i, v]) => [read(i, width, index), read(v as bigint, width, element)] as const,
            );
            choices.push({ base: read(array.default as bigint, width, element), at: new Map(at) });
          }
        }
      }
      const different = choices.filter((c, i) => choices.findIndex((d) => show(d) === show(c)) === i);
      return all.flatMap((m) => different.map((c) => new Map([...m, [nameOf(s), c]])));
    },
    [new Map()],
  );
}

function show(v: Number_): string {
  return typeof v === 'object'
    ? `${show(v.base)} ${[...v.at].map(([i, e]) => `${i}:${show(e)}`).join(' ')}`
    : String(v);
}

test('the text, computed by its definitions, is worth the term', () => {
  let compared = 0;
  fc.assert(
    fc.property(
      boolRecipe(14, [...widths, 16, 32]),
      fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      (recipe, seeds) => {
        const term = toTerm(recipe);
        const symbols = [...symbolsOf(term)];
        const printer = new IntegerPrinter();
        const formula = printer.formula(term);
        if (!formula || symbols.length > 7 || formula.constraints.some((c) => c.includes('w!'))) return;
        const parsed = (text: string) => parseSExpressions(text)!;
        const definitions = parsed(printer.takeDeclarations()).filter((d) => d[0] === 'define-fun');
        for (const seed of seeds) {
          const random = randomEnvironment(seed);
          const valueOf = environmentOf(random);
          // Words of which only bounds are told may be what they are.
          const wide = postOrder([term]).filter((t) => t.kind === 'apply' && /^bit-|shift/.test(t.operator));
          const right = readings(symbols, valueOf, (s) => `$${s.name}`).filter((names) => {
            for (const t of wide) names.set(`b!${t.id}`, evaluate(t, valueOf) as bigint);
            for (const d of definitions) names.set(d[1] as string, compute(d[4]!, names));
            return formula.constraints.every((c) => compute(parsed(c)[0]!, names) === true);
          });
          expect(right.length).toBeGreaterThan(0);
          // A reading of an array may also be in range by chance where it is not the printer's; with none in it, all
          // are right.
          const worth = right.map((names) => compute(parsed(formula.text)[0]!, names));
          const expected = naive(recipe, random) as boolean;
          if (symbols.some((s) => s.sort.kind === 'array')) expect(worth).toContain(expected);
          else expect(new Set(worth)).toEqual(new Set([expected]));
          compared++;
        }
      },
    ),
    { numRuns: runs * 20 },
  );
  expect(compared).toBeGreaterThan(runs);
});

const i = symbol('i', bitsSort(32));
const n = symbol('n', bitsSort(32)) as SymbolTerm;
const k = symbol('k', bitsSort(32)) as SymbolTerm;
const a = symbol('a', arraySort(bitsSort(32), bitsSort(32)));
const c = (value: number) => bits(value, 32);

async function check(
  terms: readonly Term[],
  expected: Answer['kind'],
  encodings: readonly Encoding[] = ['bits', 'integers'],
): Promise<void> {
  for (const encoding of encodings) {
    const answer = await solver.check(terms, { timeoutMs: 20_000 }, { encoding });
    expect([encoding, answer.kind]).toEqual([encoding, expected]);
  }
}

test('words wrap', async () => {
  await check([sle(add(i, c(1)), i)], 'sat');
  await check([sle(add(i, c(1)), i), slt(i, c(2147483647))], 'unsat');
  await check([not(eq(sub(add(i, n), n), i))], 'unsat');
  await check([eq(mul(i, c(3)), c(1)), slt(c(0), i), slt(i, c(1000))], 'unsat');
  await check([eq(mul(i, c(3)), c(1))], 'sat');
  const wide = add(signExtend(i, 64), signExtend(n, 64));
  await check(
    [not(eq(wide, signExtend(add(i, n), 64))), slt(i, c(1000)), slt(c(-1000), i), slt(n, c(1000)), slt(c(-1000), n)],
    'unsat',
  );
  await check([ult(i, c(5)), not(eq(i, signExtend(bits(4, 8), 32))), slt(c(3), i)], 'unsat');
});

test('a quantified array invariant is inductive', async () => {
  const below = (bound: Term) => forall([k], implies(and(sle(c(0), k), slt(k, bound)), sle(c(7), select(a, k))));
  const step = [sle(c(0), i), slt(i, n), below(i), sle(c(7), select(a, i)), not(below(add(i, c(1))))];
  await check(step, 'unsat');
  await check([below(i), exists([k], slt(select(a, k), c(0))), slt(c(3), i)], 'sat', ['integers']);
});

test('bitwise operators on wide words give words within bounds', async () => {
  for (const [made, operands] of [
    [bitAnd(i, n), [i, n]],
    [bitAnd(i, n, k), [i, n, k]],
  ] as const)
    for (const operand of operands) await check([ult(operand, made)], 'unsat');
  for (const operand of [i, n, k]) await check([ult(bitOr(i, n, k), operand)], 'unsat');
  const small = [i, n].map((word) => ult(word, c(1 << 20)));
  await check([...small, ult(c((1 << 21) - 2), bitOr(i, n))], 'unsat');
  await check([...small, ult(c((1 << 21) - 2), bitXor(i, n))], 'unsat');
  expect(new IntegerPrinter().isExact).toBe(true);
  const both = withBothEncodings(solver);
  for (const claim of [eq(bitXor(i, n), c(0)), eq(bitOr(i, n), c(-1)), eq(bitAnd(i, n), c(1 << 30))]) {
    const printer = new IntegerPrinter();
    expect([printer.formula(claim) === undefined, printer.isExact]).toEqual([false, false]);
    expect((await both.check([claim, not(eq(i, n))], { timeoutMs: 20_000 })).kind).not.toBe('unknown');
  }
  expect((await both.check([eq(bitXor(i, n), c(0)), not(eq(i, n))], { timeoutMs: 20_000 })).kind).toBe('unsat');
  const session = solver.session({ encoding: 'integers' });
  session.push();
  session.assert(ult(bitOr(i, n), c(9)));
  session.pop();
  session.assert(ult(bitOr(i, n), c(5)));
  expect((await session.check([ult(c(7), i)], { timeoutMs: 20_000 })).kind).toBe('unsat');
  session.close();
});

test('shifts of wide words by many numbers of places give words within bounds', async () => {
  await check([ult(i, lshr(i, n))], 'unsat');
  await check([ult(c(0), n), ult(c(0), i), ule(i, lshr(i, n))], 'unsat');
  await check([sle(c(0), i), slt(ashr(i, n), c(0))], 'unsat');
  await check([slt(i, c(0)), slt(ashr(i, n), i)], 'unsat');
  const printer = new IntegerPrinter();
  printer.formula(eq(shl(c(1), n), c(8)));
  expect(printer.isExact).toBe(true); // a table of numbers
  printer.formula(eq(shl(i, n), c(8)));
  expect(printer.isExact).toBe(false);
  const word = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(17, 32, 33, 64),
      word,
      fc.oneof(word, fc.bigInt({ min: 0n, max: 70n })),
      fc.constantFrom(shl, lshr, ashr),
      async (width, value, places, operator) => {
        const [x, y] = ['x', 'y'].map((name) => symbol(`${name}${width}`, bitsSort(width))) as [Term, Term];
        const [of, by] = [bits(value, width), bits(places, width)];
        const session = solver.session({ encoding: 'integers' });
        for (const term of [eq(x, of), eq(y, by)]) session.assert(term);
        const answer = await session.check([eq(operator(x, y), operator(of, by))], budget);
        session.close();
        expect(answer.kind).not.toBe('unsat');
      },
    ),
    { numRuns: runs },
  );
});

test('functions keep their meaning', async () => {
  const f = (t: Term) => call('f', bitsSort(32), t);
  await check([not(eq(f(i), f(n))), eq(i, n)], 'unsat');
  await check([not(eq(f(i), f(n))), ule(i, n), ule(add(n, c(0)), add(i, c(1)))], 'sat');
});

test('what has no text is left to the other encoding', async () => {
  const printer = new IntegerPrinter();
  const b = symbol('b', arraySort(bitsSort(32), bitsSort(32)));
  const wide = eq(call('g', bitsSort(32)), i);
  expect(printer.formula(wide)?.text).toMatch(/\bg\b/);
  expect(printer.formula(forall([k], eq(call('g', bitsSort(32), k), k)))).toBeUndefined();
  expect(new IntegerPrinter().formula(eq(a, b))?.constraints).toHaveLength(1);
});
