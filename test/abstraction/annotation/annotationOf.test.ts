/**
 * Annotations mean what the terms mean: random terms over variables of all widths, written as C for CBMC, compiled by
 * gcc with its sanitizers, have the truth value of the term, and nothing in them overflows.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { annotationOf } from '../../../src/abstraction/annotation/annotationOf';
import * as L from '../../../src/logic/build';
import { evaluate } from '../../../src/logic/evaluate';
import type { Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import { file } from '../../engines/task';
import { besidePeer } from '../../peer';
import { programSystem } from '../programSystem';

const besideGcc = besidePeer(
  spawnSync('gcc', ['--version']).status === 0,
  'gcc is not installed: annotations are NOT compared with their terms',
);

const parameters = 'signed char b, unsigned short h, int i, unsigned u, long long l, unsigned long long m';
const program = loadProgram([file(`int main(${parameters}) { while (i > 0) i--; return b + h + u + l + m; }`)], {});
const main = program.functionByName.get('main')!;
const system = programSystem(program, main, ['overflow']);
const point = system.points.find(({ kind }) => kind === 'loop')!;
const symbols = main.parameters.map((variable) => {
  const found = system.vocabulary.symbolsFor(main).find((symbol) => {
    const meaning = system.vocabulary.meaning(symbol);
    return meaning?.kind === 'variable' && meaning.variable === variable;
  });
  return found!;
});

/** A word of some width, made of variables of that width or narrower ones. */
const word = fc.memo((depth) =>
  depth <= 1
    ? fc.oneof(leafWord, literalWord)
    : fc.oneof(leafWord, binaryWord(depth), binaryWord(depth), unaryWord(depth), choiceWord(depth)),
);
type Word = { readonly term: Term };
const leafWord: fc.Arbitrary<Word> = fc.constantFrom(...symbols).map((term) => ({ term }));
const literalWord: fc.Arbitrary<Word> = fc
  .tuple(fc.constantFrom(8, 16, 32, 64), fc.oneof(fc.bigInt({ min: -9n, max: 9n }), fc.bigInt(-(2n ** 63n), 2n ** 63n)))
  .map(([width, value]) => ({ term: L.bits(BigInt.asUintN(width, value), width) }));

function asWide(term: Term, width: number, signed: boolean): Term {
  const own = L.widthOf(term);
  if (own === width) return term;
  if (own > width) return L.extract(width - 1, 0, term);
  return signed ? L.signExtend(term, width) : L.zeroExtend(term, width);
}

const binaryWord = (depth: number): fc.Arbitrary<Word> =>
  fc
    .tuple(
      word(depth - 1),
      word(depth - 1),
      fc.constantFrom(L.add, L.sub, L.mul, L.bitAnd, L.bitOr, L.bitXor),
      fc.boolean(),
      fc.constantFrom(0, 0, 1, 8, 32),
    )
    .map(([a, b, operator, signed, more]) => {
      const width = Math.max(L.widthOf(a.term), L.widthOf(b.term)) + more;
      const exact = width > 64 ? 64 : width;
      return { term: operator(asWide(a.term, exact, signed), asWide(b.term, exact, signed)) };
    });
const unaryWord = (depth: number): fc.Arbitrary<Word> =>
  fc.tuple(word(depth - 1), fc.nat(6), fc.nat(31)).map(([{ term }, which, by]) => {
    const width = L.widthOf(term);
    const distance = L.bits(BigInt(by % width), width);
    const divisor = L.bits(BigInt(by + 2) % 2n ** BigInt(width - 1), width);
    switch (which) {
      case 0:
        return { term: L.neg(term) };
      case 1:
        return { term: L.complement(term) };
      case 2:
        return { term: L.shl(term, distance) };
      case 3:
        return { term: L.lshr(term, distance) };
      case 4:
        return { term: L.ashr(term, distance) };
      case 5:
        return { term: L.sdiv(term, divisor) };
      default:
        return { term: L.urem(term, divisor) };
    }
  });
const choiceWord = (depth: number): fc.Arbitrary<Word> =>
  fc.tuple(word(depth - 1), word(depth - 1), fc.boolean()).map(([a, b, signed]) => {
    const width = Math.max(L.widthOf(a.term), L.widthOf(b.term));
    const [left, right] = [asWide(a.term, width, signed), asWide(b.term, width, !signed)];
    return { term: L.ite(L.ult(left, right), left, right) };
  });

const formula: fc.Arbitrary<Term> = fc
  .tuple(word(4), word(4), fc.nat(4), fc.boolean(), fc.boolean())
  .map(([a, b, which, signed, negated]) => {
    const width = Math.max(L.widthOf(a.term), L.widthOf(b.term));
    const [left, right] = [asWide(a.term, width, signed), asWide(b.term, width, signed)];
    const said = [L.eq, L.ult, L.ule, L.slt, L.sle][which]!(left, right);
    return negated ? L.not(said) : said;
  });

const edges = [
  0n,
  1n,
  -1n,
  2n,
  127n,
  -128n,
  255n,
  256n,
  32767n,
  2n ** 31n - 1n,
  -(2n ** 31n),
  2n ** 32n - 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

besideGcc.test(
  'an annotation for CBMC has the truth value of its term, and does not overflow',
  () => {
    const terms = fc.sample(formula, { numRuns: 1500, seed: Number(process.env['PROVEST_SEED']) });
    const said = terms.flatMap((term) => {
      const text = annotationOf(term, point, system.vocabulary, 'cbmc');
      return text === undefined ? [] : [{ term, text }];
    });
    expect(said.length).toBeGreaterThan(500);
    const states = fc.sample(
      fc.tuple(
        ...symbols.map((symbol) => {
          const width = L.widthOf(symbol);
          return fc
            .oneof(fc.constantFrom(...edges), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
            .map((value) => BigInt.asUintN(width, value));
        }),
      ),
      { numRuns: 40, seed: Number(process.env['PROVEST_SEED']) },
    );
    const expected = said.map(({ term }) =>
      states
        .map((state) => (evaluate(term, (symbol) => state[symbols.indexOf(symbol)]!) === true ? '1' : '0'))
        .join(''),
    );
    const folder = mkdtempSync(join(tmpdir(), 'annotation-'));
    try {
      const names = main.parameters.map(({ name }) => name);
      writeFileSync(
        join(folder, 'a.c'),
        [
          '#include <stdio.h>',
          ...said.map(({ text }, n) => `static int f${n}(${parameters}) { return ${text}; }`),
          `static int (*const all[])(${parameters}) = { ${said.map((_, n) => `f${n}`).join(', ')} };`,
          `static const unsigned long long states[][${names.length}] = ` +
            `{ ${states.map((state) => `{ ${state.map((value) => `${value}ULL`).join(', ')} }`).join(', ')} };`,
          'int main(void) {',
          `  for (int n = 0; n < ${said.length}; n++) {`,
          `    for (int s = 0; s < ${states.length}; s++) ` +
            `putchar(all[n](${names.map((_, k) => `states[s][${k}]`).join(', ')}) ? '1' : '0');`,
          "    putchar('\\n');",
          '  }',
          '}',
        ].join('\n'),
      );
      const options = [
        '-w',
        '-O0',
        '-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero',
        '-fno-sanitize-recover=all',
      ];
      const compiled = spawnSync('gcc', [...options, 'a.c'], { cwd: folder, encoding: 'utf8' });
      expect(compiled.stderr).toBe('');
      const run = spawnSync(join(folder, 'a.out'), [], { encoding: 'utf8' });
      expect(run.stderr).toBe('');
      const lines = run.stdout.trimEnd().split('\n');
      const different = said.filter((_, n) => lines[n] !== expected[n]).map(({ text }) => text);
      expect(different).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);

const [b, h, i, u, l, m] = symbols as [Term, Term, Term, Term, Term, Term];
const wide = (term: Term, signed: boolean, width = 64): Term => asWide(term, width, signed);
const bits = (value: bigint, width: number): Term => L.bits(BigInt.asUintN(width, value), width);

test.each<[string, Term, string, string]>([
  ['a bound', L.sle(i, bits(100n, 32)), 'i <= 100', 'i <= 100'],
  [
    'a sum that may wrap',
    L.sle(L.add(i, bits(1n, 32)), bits(7n, 32)),
    '(int)((long long)i + 1) <= 7',
    '(int)(i + 1) <= 7',
  ],
  ['a sum that is wide enough', L.eq(wide(i, true), L.add(wide(b, true), wide(h, false))), 'i == b + h', 'i == b + h'],
  ['an unsigned comparison', L.ult(u, bits(3_000_000_000n, 32)), 'u <= 2999999999LL', 'u <= 2999999999LL'],
  [
    'a difference of unsigned numbers',
    L.sle(L.sub(wide(u, false), wide(i, true)), bits(5n, 64)),
    '-((long long)i) + u <= 5',
    '-i + u <= 5',
  ],
  [
    'numbers that no type of 64 bits holds',
    L.sle(wide(l, true, 66), L.add(wide(m, false, 66), wide(m, false, 66))),
    'l <= 2 * (__int128)m',
    'l <= 2 * m',
  ],
  ['the same word read in two ways', L.slt(u, bits(0n, 32)), '(int)u <= -1', '(int)u <= -1'],
])('%s', (_, term, cbmc, acsl) => {
  const texts = (['cbmc', 'acsl'] as const).map((dialect) => annotationOf(term, point, system.vocabulary, dialect));
  expect(texts).toEqual([cbmc, acsl]);
});

test('a quantifier has a text in both languages, over the numbers of its width', () => {
  const k = L.freshSymbol('k', L.bitsSort(32));
  const term = L.forall([k], L.or(L.slt(k, bits(0n, 32)), L.sle(i, k), L.sle(k, bits(99n, 32))));
  const texts = (['cbmc', 'acsl'] as const).map((dialect) => annotationOf(term, point, system.vocabulary, dialect));
  expect(texts.map((text) => text?.replace(/_k\w*/g, '_k'))).toEqual([
    '__CPROVER_forall { int _k; i <= _k || _k <= 99 }',
    '(\\forall int _k; i <= _k || _k <= 99)',
  ]);
});

test('an unknown operation and too wide a product have no annotation', () => {
  const product = L.mul(L.mul(wide(m, false, 256), wide(m, false, 256)), wide(l, true, 256));
  expect(annotationOf(L.sle(product, bits(0n, 256)), point, system.vocabulary, 'cbmc')).toBeUndefined();
  expect(annotationOf(L.eq(L.udiv(i, u), i), point, system.vocabulary, 'cbmc')).toBeUndefined();
});

test('a static local has a name in its own function alone', () => {
  const counting = loadProgram([
    file(
      'static int g; static int step(int n) { static int calls; while (n > 0) { n--; calls++; } ' +
        'g = calls; return g; } int main(void) { int k = 3; while (k > 0) { k--; step(k); } return g; }',
    ),
  ]);
  const counted = programSystem(counting, counting.functionByName.get('main')!, ['overflow']);
  const textAt = (fn: string, name: string): string | undefined => {
    const at = counted.points.find((one) => one.kind === 'loop' && one.fn.name === fn)!;
    const symbol = counted.vocabulary.symbolsFor(at.fn).find((one) => {
      const meaning = counted.vocabulary.meaning(one);
      return meaning?.kind === 'variable' && meaning.variable.name === name;
    })!;
    return annotationOf(L.eq(symbol, L.bits(0n, 32)), at, counted.vocabulary, 'cbmc');
  };
  expect(textAt('step', 'calls')).toBe('calls == 0');
  expect(textAt('main', 'calls')).toBeUndefined();
  expect(textAt('main', 'g')).toBe('g == 0');
});
