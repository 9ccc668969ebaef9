/** The C compiler's own preprocessor, where there is one, says the same as ours. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { preprocess } from '../../src/c/preprocess';
import { SourceFile } from '../../src/c/source';
import { tokenize } from '../../src/c/tokens/tokenize';
import { testWithCompiler } from './compiler';
import { isLong } from '../long';

function compilerSpellings(text: string): string[] {
  const output = execFileSync('cc', ['-E', '-P', '-std=gnu11', '-w', '-x', 'c', '-'], {
    input: text,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return tokenize(new SourceFile('cc', output), () => undefined).map((t) => t.text);
}

function ourSpellings(text: string): string[] {
  const { tokens, diagnostics } = preprocess('main.c', {
    include: [],
    define: {},
    dataModel: 'lp64',
    readFile: () => text,
  });
  expect(diagnostics.filter((d) => d.severity === 'error').map((d) => d.message)).toEqual([]);
  return tokens.map((t) => t.text);
}

const check = (text: string): void => expect(ourSpellings(text)).toEqual(compilerSpellings(text));

testWithCompiler('lists of items by a macro that takes a macro', () => {
  check(`
#define COLORS(item, ...) item(RED, 1, __VA_ARGS__) item(GREEN, (2 + 3), __VA_ARGS__) item(BLUE, RED_DEPTH, __VA_ARGS__)
#define RED_DEPTH 8
#define AS_ENUM(name, value, prefix) prefix##name = value,
#define AS_NAME(name, value, prefix) [prefix ## name] = #name " is " #value,
#define AS_CASE(name, value, ...) case __VA_ARGS__ ## name: return STRING(value) ", " STRING(RED_DEPTH);
#define STRING(x) STRING_(x)
#define STRING_(x) #x
enum color { COLORS(AS_ENUM, COLOR_) };
static const char *names[] = { COLORS(AS_NAME, COLOR_) };
const char *text(enum color c) { switch (c) { COLORS(AS_CASE, COLOR_) } }
`);
});

testWithCompiler('evaluation forced by repeated scanning', () => {
  check(`
#define EMPTY()
#define DEFER(m) m EMPTY()
#define EVAL(...) EVAL2(EVAL2(EVAL2(__VA_ARGS__)))
#define EVAL2(...) EVAL1(EVAL1(EVAL1(__VA_ARGS__)))
#define EVAL1(...) __VA_ARGS__
#define CAT(a, ...) a##__VA_ARGS__
#define IIF(c) CAT(IIF_, c)
#define IIF_0(t, ...) __VA_ARGS__
#define IIF_1(t, ...) t
#define DEC(x) CAT(DEC_, x)
#define DEC_1 0
#define DEC_2 1
#define DEC_3 2
#define DEC_4 3
#define NOT_0 ~, 1
#define SECOND(a, b, ...) b
#define NOT(x) SECOND_OF(CAT(NOT_, x), 0)
#define SECOND_OF(...) SECOND(__VA_ARGS__)
#define REPEAT(n, m, ...) IIF(NOT(n))(, DEFER(REPEAT_AGAIN)()(DEC(n), m, __VA_ARGS__) DEFER(m)(DEC(n), __VA_ARGS__))
#define REPEAT_AGAIN() REPEAT
#define ITEM(i, base) base[i] = CAT(init_, i);
EVAL(REPEAT(4, ITEM, table))
`);
});

testWithCompiler('self-reference, partial calls, names that come out of macros', () => {
  check(`
#define f(a) a + g(a
#define g(b) [b] f
#define open (
#define close )
#define call(m, x) m open x close
#define rescan(...) __VA_ARGS__
f(1)) (2)) ; g(3)(4)) ; call(f, 5) ; rescan(call(g, 6)) ; rescan(rescan(rescan)) (rescan)
#define foo foo->bar
#define bar foo
foo bar rescan(foo) rescan(bar)
#define list(x) x list
list(1)(2)(3)
#define obj (x)
#define fun(x) <x>
fun obj fun(obj) rescan(fun obj)
#define both(x, y) rescan(x y)
both(fun, (1)) both(fun, obj)
`);
});

testWithCompiler('strings, pastes and odd spacing', () => {
  check(String.raw`
#define str(x) #x
#define xstr(x) str(x)
#define glue(x, y) x##y
#define xglue(x, y) glue(x, y)
#define empty
str( a  /* b */ c ) xstr(a empty b) xstr(empty) str("\n" '\\' L"\x41") xstr(xglue(x, y) ( 1 ; 2 ))
str(@ $ # \n) str(<% %> <: %:) glue(%:, %:) xstr(- - -1) xstr(-empty-) xstr(empty-empty -)
xglue(xglue(1, 2), xglue(.3, e4)) glue(str, )(q) glue(,) [glue(, 1)] glue(-, >)
#define many(...) xstr((__VA_ARGS__)) xglue(__VA_ARGS__)
many(a, b)
#define gnu(x, ...) x(1, ##__VA_ARGS__) xstr((x ## __VA_ARGS__)) __VA_OPT__([__VA_ARGS__])
gnu(p) gnu(p, q) gnu(p, q, r) gnu(p,) gnu(p, empty)
`);
});

testWithCompiler('conditions', () => {
  const conditions = [
    '-1 < 0u',
    '(-1 >> 63) == -1',
    '1 ? -1 : 0u',
    '(1 ? -1 : 0u) > 0',
    '0 && (1 / 0)',
    '-9223372036854775807 - 1 < 0',
    '18446744073709551615u == -1',
    "'\\xff' < 0",
    "u'\\xff' > 0",
    "'abcd' == 0x61626364",
    'defined a && !defined(b)',
    'a + b == 3',
    'c(2) == 5',
    '(2, 3) == 3',
    '- - 1 == 1',
    '!0 + ~0 == 0',
    '1 << 2 + 1 == 8',
    '7 & 3 == 3',
    '1 | 2 ^ 3 & 4',
    '5 % -3 == 2',
    '-5 % 3 == -2',
    '0x10 + 010 + 10 == 34',
  ];
  check(
    '#define a 3\n#define c(x) ((x) * 2 + 1)\n' +
      `${conditions.map((e, i) => `#if ${e}\nyes${i}\n#else\nno${i}\n#endif\n`).join('')}`,
  );
});

/**
 * Random macros over few names, so that they meet each other. One call of the compiler for all programs; `@` parts
 * them. Blanks in strings do not count: those around an argument that expands to nothing are not the same everywhere.
 * Left out is what the standard leaves open and the two do differently: a call whose `)` comes from outside the macro
 * that its name came out of (C11 6.10.3.4p4) cannot arise, because parentheses are balanced in every text and no text
 * ends in the name of a macro with parameters.
 */
testWithCompiler('random macros', () => {
  const objects = ['A', 'B', 'C'];
  const functions = ['f', 'g', 'h'];
  const leaf = fc.constantFrom('A', 'B', 'C', 'x', 'y', '1', '+', 'f +', 'g x', '"s"');
  const { text } = fc.letrec<{ text: string; item: string }>((tie) => ({
    item: fc.oneof(
      { maxDepth: 2 },
      { weight: 5, arbitrary: leaf },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...functions), tie('text'), tie('text'))
          .map(([m, a, b]) => `${m}(${a}, ${b})`),
      },
      { weight: 1, arbitrary: tie('text').map((t) => `(${t})`) },
    ),
    text: fc.array(tie('item'), { maxLength: 3 }).map((items) => items.join(' ')),
  }));
  const inBody = fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: text.map((t) => `${t} .`) },
        {
          weight: 4,
          arbitrary: fc.constantFrom(
            'x',
            'y',
            'x y',
            '#x',
            '#y',
            'x##y',
            'A##x',
            'x ## 1',
            'y ## B ## x',
            'f(x, y)',
            'g(y, x)',
            'h(x, A)',
            '[x]',
          ),
        },
      ),
      { maxLength: 3 },
    )
    .map((parts) => parts.join(' '));
  const program = fc
    .tuple(fc.tuple(text, text, text), fc.tuple(inBody, inBody, inBody), text)
    .map(([o, b, use]) =>
      [
        ...objects.map((name, i) => `#define ${name} ${o[i]!}`),
        ...functions.map((name, i) => `#define ${name}(x, y) ${b[i]!}`),
        `${use} f(A, x) h(B, (y))`,
        ...[...objects, ...functions].map((name) => `#undef ${name}`),
      ].join('\n'),
    );
  // A paste that gives no token is an error in both; such programs are left out, and those that explode.
  const wellFormed = program.filter((p) => {
    const { tokens, diagnostics } = preprocess('main.c', {
      include: [],
      define: {},
      dataModel: 'lp64',
      readFile: () => p,
    });
    return diagnostics.length === 0 && tokens.length < 1000;
  });
  const programs = fc.sample(wellFormed, { numRuns: isLong ? 400 : 150, seed: 7 });
  const outputs = split(compilerSpellings(programs.join('\n@\n')));
  expect(outputs).toHaveLength(programs.length);
  expect(new Set(outputs.map((o) => o.join(' '))).size).toBeGreaterThan(programs.length / 3);
  programs.forEach((p, i) =>
    expect({ program: p, spellings: unspaced(ourSpellings(p).slice(0, -1)) }).toEqual({
      program: p,
      spellings: unspaced(outputs[i]!),
    }),
  );
});

const unspaced = (spellings: readonly string[]): string[] => spellings.map((s) => s.replaceAll(' ', ''));

function split(spellings: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const s of spellings.slice(0, -1)) {
    if (s === '@') parts.push([]);
    else parts[parts.length - 1]!.push(s);
  }
  return parts;
}
