import * as fc from 'fast-check';
import { formatDiagnostic } from '../../src/c/diagnostics/diagnostic';
import { preprocess, type PreprocessOptions, type PreprocessResult } from '../../src/c/preprocess';
import type { Span } from '../../src/c/source';

type Files = Record<string, string>;

function run(files: string | Files, options: Partial<PreprocessOptions> = {}): PreprocessResult {
  const all: Files = typeof files === 'string' ? { 'main.c': files } : files;
  return preprocess('main.c', {
    include: [],
    define: {},
    dataModel: 'lp64',
    readFile: (path) => (Object.hasOwn(all, path) ? all[path] : undefined),
    ...options,
  });
}

/** The spellings, one blank between tokens. Errors are the test's failure. */
function check(files: string | Files, expected: string, options: Partial<PreprocessOptions> = {}): void {
  const { tokens, diagnostics } = run(files, options);
  expect(diagnostics.map((d) => formatDiagnostic(d))).toEqual([]);
  expect(tokens.at(-1)!.kind).toBe('end');
  expect(
    tokens
      .slice(0, -1)
      .map((t) => t.text)
      .join(' '),
  ).toBe(expected);
}

const written = (span: Span): string => span.file.text.slice(span.start, span.end);

/** `line:column message` of each error (warnings begin with `warning`), in order. */
function complaints(files: string | Files, options: Partial<PreprocessOptions> = {}): string[] {
  return run(files, options).diagnostics.map((d) => {
    const place = d.span
      ? `${d.span.file.path === 'main.c' ? '' : `${d.span.file.path}:`}${d.span.file.position(d.span.start).line}` +
        `:${d.span.file.position(d.span.start).column} `
      : '';
    return `${d.severity === 'warning' ? 'warning ' : ''}${place}${d.message}`;
  });
}

describe('macros', () => {
  test('an expansion is scanned again together with the text behind it', () => {
    check('#define twice(a) a a\n#define pick twice\npick(q) pick (twice)(r) pick', 'q q twice twice ( r ) twice');
    check(
      '#define open (\n#define f(a) [a]\n#define later f open\nf open 1) later 2) f(open 3))',
      'f ( 1 ) f ( 2 ) [ ( 3 ] )',
    );
  });

  test('a macro is not expanded in its own expansion, not even later', () => {
    check('#define a b c\n#define b a\na b', 'a c b c');
    check('#define f(x) g(x)\n#define g(x) f(x) + x\nf(f(1))', 'f ( f ( 1 ) + 1 ) + f ( 1 ) + 1');
    check('#define self self + 1\n#define id(x) x\nid(id(self)) id(id)(2)', 'self + 1 id ( 2 )');
  });

  test('arguments are expanded on their own before they are put in', () => {
    check(
      '#define pair(x, y) x|y\n#define both 1, 2\n#define wide(x) pair(x)\npair((1, 2), {3}) wide(both)',
      '( 1 , 2 ) | { 3 } 1 | 2',
    );
    check('#define none()\n#define one(x) <x>\none() one( ) a none() b none (\n) c', '< > < > a b c');
  });

  test("'#' takes the argument as it is written", () => {
    check(
      '#define text(x) #x\n#define now(x) text(x)\n#define n 7\ntext( n  +\n "a\\n" \'"\' ) now(n) text() now(<: # ##)',
      String.raw`"n + \"a\\n\" '\"'" "7" "" "<: # ##"`,
    );
  });

  test("'##' pastes tokens and empty arguments, and what it yields is expanded", () => {
    check(
      '#define glue(x, y) x ## y\n#define xy 9\n' +
        'glue(x, y) glue(1, e) glue(1e, +) glue(, z) glue(z,) glue(,) glue(<, <=) glue(L, "a") glue(., 5)',
      '9 1e 1e+ z z <<= L"a" .5',
    );
    check(
      '#define three(x, y, z) x##y##z\n#define empty\nthree(a, , c) three(, , c) three(a, empty, c) three(1 2, 3, 4 5)',
      'ac c aemptyc 1 234 5',
    );
    check('#define hash # ## #\n#define f(x) x hash x\nf(1)', '1 ## 1');
  });

  test('variable arguments', () => {
    check(
      '#define all(...) [__VA_ARGS__]\n#define log(f, ...) out(f, __VA_ARGS__)\nall() all(1, (2, 3), 4) log("x", 1, 2)',
      '[ ] [ 1 , ( 2 , 3 ) , 4 ] out ( "x" , 1 , 2 )',
    );
    check('#define count(...) #__VA_ARGS__\ncount(a,b , c)', '"a,b , c"');
  });

  test('GNU: the comma before absent arguments goes, a named list is a list', () => {
    check(
      '#define log(f, ...) out(f, ##__VA_ARGS__)\nlog(a) log(a, 1, log(b)) log(a,)',
      'out ( a ) out ( a , 1 , log ( b ) ) out ( a , )',
    );
    check('#define log(rest...) out(0, ##rest)\nlog() log(1, 2)', 'out ( 0 ) out ( 0 , 1 , 2 )');
  });

  test('__VA_OPT__', () => {
    check(
      '#define call(f, ...) f(0 __VA_OPT__(,) __VA_ARGS__)\n#define empty\n' +
        'call(f) call(f, ) call(f, empty) call(f, 1, 2)',
      'f ( 0 ) f ( 0 ) f ( 0 ) f ( 0 , 1 , 2 )',
    );
    check('#define v(a, ...) #__VA_OPT__(a- __VA_ARGS__) a##__VA_OPT__(b c)##d\nv(x) v(x, y)', '"" xd "x- y" xb cd');
  });

  test('what depends on the place', () => {
    check(
      {
        'main.c':
          '#define here __LINE__\nhere\n#include "a.h"\n__FILE__ __COUNTER__ __COUNTER__\n' +
          '#line 70 "other\\\\.c"\n__LINE__ __FILE__\n\n# 5 "gen.c" 2\nhere __FILE__',
        'a.h': '__LINE__ __FILE__ __INCLUDE_LEVEL__',
      },
      '2 1 "a.h" 1 "main.c" 0 1 70 "other\\\\.c" 5 "gen.c"',
    );
  });

  test('predefined macros follow the data model', () => {
    const source =
      '__STDC_VERSION__ __SIZEOF_LONG__ __SIZE_TYPE__ __INT64_C(1)\n#ifdef __LP64__\nlp64\n#endif\n' +
      '#if __PROVEST__ && __GNUC__ >= 4 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__\nyes\n#endif';
    check(source, '201112L 8 long unsigned int 1L lp64 yes');
    check(source, '201112L 4 unsigned int 1LL yes', { dataModel: 'ilp32' });
  });

  test('macros given by the caller', () => {
    check('A B C D(2) E', '1 text 3 ( 2 + 1 )', { define: { A: true, B: 'text', C: 3, 'D(x)': '(x + 1)', E: '' } });
  });

  test('directives work within the arguments of a macro', () => {
    check('#define f(x, y) x+y\nf(1,\n#ifdef nothing\n2\n#else\n3\n#endif\n)', '1 + 3');
  });

  test('push_macro and pop_macro', () => {
    check('#define m 1\n#pragma push_macro("m")\n#undef m\n#define m 2\nm\n#pragma pop_macro("m")\nm', '2 1');
  });

  test('pragmas vanish in both forms', () => {
    check(
      '#pragma omp parallel for\n#define quiet _Pragma("GCC diagnostic ignored \\"-Wall\\"") 1\na quiet b',
      'a 1 b',
    );
  });
});

describe('conditions', () => {
  const holds = (condition: string, expected: boolean): void =>
    check(`#define zero 0\n#define f(x) ((x) + 1)\n#if ${condition}\n1\n#else\n0\n#endif`, expected ? '1' : '0');

  test.each([
    ['1 + 2 * 3 == 7 && 10 - 4 - 3 == 3', true],
    ['-1 > 0u', true],
    ['-1 >> 1 == -1 && (0u - 1) >> 63 == 1', true],
    ['0x7fffffffffffffff + 0u + 1 == 0x8000000000000000', true],
    ['-7 / 2 == -3 && -7 % 2 == -1', true],
    ['(2 || 1 / 0) && !(0 && 1 / 0) && (1 ? 2 : 1 / 0) == 2', true],
    ["'a' == 97 && '\\n' == 10 && '\\377' < 0 && L'\\377' > 0 && 'ab' == 24930", true],
    ['unknown || zero || defined unknown || defined(zero) - 1', false],
    ['defined __LINE__ && defined(__has_include) && f(2) == 3', true],
    ['0b101 == 5 && 010 == 8 && ~0 == -1 && (1, 2) == 2 && 1 ? 1 : 0', true],
    ['0 ? 1 : 0u - 1 > 0', true],
    ['(3 | 4) == 7 && (6 & 3) == 2 && (6 ^ 3) == 5 && 1 << 4 == 16 && 1 << 70 == 0', true],
    [
      '__has_builtin(__builtin_expect) && __has_builtin(__builtin_strlen) && __has_attribute(__packed__) && ' +
        '!__has_attribute(vector_size) && !__has_builtin(printf)',
      true,
    ],
    ['__has_include(<stddef.h>) && !__has_include("none.h") && !__has_builtin(__builtin_teleport)', true],
  ])('%s', holds);

  test('a macro may yield the operator defined', () => {
    check('#define have defined(x) && defined y\n#define x\n#define y\n#if have\n1\n#endif', '1');
  });

  test('one group of each chain is compiled; nothing else is looked at', () => {
    check(
      '#if 0\n#if 1 +\n#elif\n#else\n#else\n#endif\n it\'s " gone\n#nonsense\n#elif 1\nright\n#elif 1 / 0 (\n' +
        'no\n#else\nno\n#endif\nafter',
      'right after',
    );
    check('#ifndef a\n#define a\n#elifdef a\nno\n#endif\n#ifdef b\n#elifndef b\nb\n#endif', 'b');
  });

  test.each([
    ['1 +', '3:1 the condition ends too early'],
    ['', '3:1 the condition is missing'],
    ['1 2', "3:7 '2' follows the condition, where an operator is expected"],
    ['1.5 > 1', "3:5 the floating constant '1.5' cannot be used in a condition"],
    ['4 / zero', '3:7 division by zero in the condition'],
    ['(1', "3:1 expected ')' in the condition"],
    ['g(1)', "3:5 'g' is not a macro, and a condition cannot call functions"],
    ['09', "3:5 '09' is not an integer constant"],
    ['0xffffffffffffffff1', "3:5 '0xffffffffffffffff1' has more than 64 bits"],
    ['"a"', '3:5 \'"a"\' cannot be used in a condition'],
    ['defined', "3:5 'defined' needs the name of a macro"],
    ["''", '3:5 empty character constant'],
    ['1 = 1', "3:7 '=' follows the condition, where an operator is expected"],
  ])('ill-formed: %s', (condition, message) => {
    expect(complaints(`#define zero 0\n\n#if ${condition}\n#endif`)).toEqual([message]);
  });

  test('signed overflow is wrapped with a warning', () => {
    expect(complaints('#if 0x7fffffffffffffff + 1 < 0\n#else\n#error "not wrapped"\n#endif')).toEqual([
      "warning 1:24 '+' overflows in the condition",
    ]);
  });
});

describe('headers', () => {
  test('the including folder first, then the include paths in order', () => {
    const files = {
      'main.c':
        '#include "a.h"\n#include <b.h>\n#define name "sub/c.h"\n#include name\n#define angled <b.h>\n#include angled',
      'a.h': 'here',
      'inc/a.h': 'wrong',
      'inc/b.h': 'first',
      'inc2/b.h': 'second',
      'inc/sub/c.h': '#include "d.h"',
      'inc/sub/d.h': 'beside',
    };
    check(files, 'here first beside first', { include: ['inc', 'inc2'] });
    expect(run(files, { include: ['inc', 'inc2'] }).files).toEqual([
      'main.c',
      'a.h',
      'inc/b.h',
      'inc/sub/c.h',
      'inc/sub/d.h',
    ]);
  });

  test('include guards, pragma once and include_next', () => {
    check(
      {
        'main.c': '#include "g.h"\n#include "g.h"\n#include "o.h"\n#include "o.h"',
        'g.h': '#ifndef G\n#define G\ng\n#endif',
        'o.h': '#pragma once\no',
      },
      'g o',
    );
    check({ 'main.c': '#include "x.h"', 'i/x.h': '1\n#include_next <x.h>', 'j/x.h': '2' }, '1 2', {
      include: ['i', 'j'],
    });
  });

  test('standard headers in angles are ours, in quotes the project may have its own', () => {
    const files = { 'main.c': '#include <stdbool.h>\ntrue\n#include "stdbool.h"', 'stdbool.h': 'mine' };
    check(files, '1 mine');
    check({ 'main.c': '#include "stdbool.h"\ntrue' }, '1');
  });

  test("a header whose name no standard keeps is the project's where an include path has one", () => {
    const text = '#include <sysexits.h>\nEX_USAGE\n#include <stdbool.h>\ntrue';
    check({ 'main.c': text }, '64 1');
    check({ 'main.c': text, 'inc/sysexits.h': '#define EX_USAGE mine', 'inc/stdbool.h': "nobody's" }, 'mine 1', {
      include: ['inc'],
    });
  });

  test('a missing header tells what was tried and what may be meant', () => {
    const [d] = run('int x;\n#include "sdtio.h"\n', { include: ['inc'] }).diagnostics;
    expect(d).toMatchObject({
      severity: 'error',
      message: "cannot find the header 'sdtio.h'",
      hint: "Did you mean 'stdio.h'?",
    });
    expect(d!.notes![0]!.message).toBe('looked for sdtio.h, inc/sdtio.h');
    expect(written(d!.span!)).toBe('#include "sdtio.h"');
  });

  test('an error in a header tells who includes it', () => {
    const [d] = run({ 'main.c': '\n#include "a.h"', 'a.h': '#error "no"' }).diagnostics;
    expect(formatDiagnostic(d!)).toContain('a.h:1:1: error: #error "no"');
    expect(formatDiagnostic(d!)).toContain("main.c:2:1: note: 'a.h' is included here");
  });

  test('endless inclusion is an error, once', () => {
    expect(complaints({ 'main.c': '#include "main.c"\n#include "main.c"\n' })).toEqual([
      '1:1 headers are included more than 200 deep',
    ]);
  });

  test('ill-formed includes', () => {
    expect(complaints('#include\n#include <a.h\n#include ""\n#include 7\n#define a b\n#include a')).toEqual([
      `1:1 '#include' needs "file" or <file>`,
      "2:1 '#include <' has no '>'",
      '3:1 the name of the header is empty',
      `4:1 '#include' needs "file" or <file>`,
      `6:1 '#include' needs "file" or <file>`,
    ]);
  });

  test('a main file that is not there', () => {
    const result = preprocess('none.c', { include: [], define: {}, dataModel: 'lp64', readFile: () => undefined });
    expect(result).toMatchObject({
      tokens: [{ kind: 'end' }],
      diagnostics: [{ message: "cannot read 'none.c'" }],
      files: [],
    });
  });
});

describe('errors', () => {
  test('all are reported, each at its place', () => {
    expect(
      complaints(
        '#if 1\n#define\n#define 3\n#define defined\n#define f(a,\n#define g(a a)\n#define h(a, a)\n' +
          '#define i(x) #y\n#define j ## a\n#define k(...,a)\n#undef\n#ifdef\n#endif\n#else\n#else\n#fi\n"abc',
      ),
    ).toEqual([
      "2:1 '#define' needs a name",
      "3:9 '3' cannot be the name of a macro",
      "4:9 'defined' cannot be defined as a macro",
      "5:10 the parameter list of the macro has no ')'",
      "6:13 expected ',' or ')' in the parameter list of the macro, not 'a'",
      "7:14 macro parameter 'a' appears twice",
      "8:14 '#' is not followed by a macro parameter",
      "9:11 '##' cannot stand at either end of a replacement list",
      "10:14 expected ')' after '...'",
      "11:1 '#undef' needs the name of a macro",
      "12:1 '#ifdef' needs the name of a macro",
      "15:1 '#else' after '#else'",
      "1:1 '#if' has no '#endif'",
    ]);
    expect(complaints('#fi\n"abc\n\'d\n@')).toEqual([
      "1:1 unknown directive '#fi'",
      '2:1 string literal without a closing "',
      "3:1 character literal without a closing '",
      "4:1 '@' is not part of C",
    ]);
  });

  test('unbalanced conditionals', () => {
    expect(complaints('#endif\n#else\n#elif 1\n#if 0\n#ifdef x\n#endif\n')).toEqual([
      "1:1 '#endif' without '#if'",
      "2:1 '#else' without '#if'",
      "3:1 '#elif' without '#if'",
      "4:1 '#if' has no '#endif'",
    ]);
    expect(complaints({ 'main.c': '#if 1\n#include "a.h"\n#endif', 'a.h': '#endif\n#if 1' })).toEqual([
      "a.h:1:1 '#endif' without '#if'",
      "a.h:2:1 '#if' has no '#endif'",
    ]);
  });

  test('the wrong number of arguments', () => {
    const { diagnostics, tokens } = run(
      '#define two(a, b) a + b\nx = two(1) * 2;\ny = two(1, 2, 3);\n#define least(a, b, ...) a\nleast(1)',
    );
    expect(diagnostics.map((d) => d.message)).toEqual([
      "macro 'two' takes 2 arguments, 1 given",
      "macro 'two' takes 2 arguments, 3 given",
      "macro 'least' takes at least 2 arguments, 1 given",
    ]);
    expect(diagnostics.map((d) => written(d.span!))).toEqual(['two(1)', 'two(1, 2, 3)', 'least(1)']);
    expect(written(diagnostics[0]!.notes![0]!.span!)).toBe('two');
    expect(tokens.map((t) => t.text).join(' ')).toBe('x = 0 * 2 ; y = 0 ; 0 ');
  });

  test('a use without its closing parenthesis', () => {
    expect(complaints('#define f(x) x\nf(1, (2)\n')).toEqual(["2:1 the use of macro 'f' has no closing ')'"]);
  });

  test('a paste that gives no token keeps both', () => {
    const { diagnostics, tokens } = run('#define glue(x, y) x ## y\nglue(+, a)');
    expect(diagnostics.map((d) => d.message)).toEqual(["pasting '+' and 'a' does not give one token"]);
    expect(tokens.map((t) => t.text)).toEqual(['+', 'a', '']);
  });

  test('a macro defined twice', () => {
    expect(
      complaints(
        '#define a 1 + 2\n#define a  1 /* same */ + 2\n#define a 1+2\n#define b(x) x\n#define b(y) y\n' +
          '#define __LINE__ 3\n#define __LP64__ 1',
      ),
    ).toEqual([
      "warning 3:9 macro 'a' is defined again, differently",
      "warning 5:9 macro 'b' is defined again, differently",
      "warning 6:9 macro '__LINE__' is defined again, differently",
    ]);
  });

  test('text of #error and #warning, whatever it is', () => {
    expect(complaints("#warning mind  the gap\n#error don't do this\n#error")).toEqual([
      'warning 1:1 #warning mind  the gap',
      "2:1 #error don't do this",
      '3:1 #error',
    ]);
  });

  test('pragmas that change the layout are obeyed or refused', () => {
    expect(complaints('#pragma pack(push, 1)\n#pragma pack(pop)\n_Pragma("pack(1)") int x;')).toEqual([]);
    expect(
      complaints('#pragma scalar_storage_order big-endian\n#pragma pack(3)\n#pragma pack(1,\n#pragma pack(pop)'),
    ).toEqual([
      "1:1 '#pragma scalar_storage_order' changes the meaning of the program and is not supported",
      "2:1 '#pragma pack' takes 0, 1, 2, 4, 8 or 16, not 3",
      "3:1 '#pragma pack' is not written as '(n)', '(push, n)' or '(pop)'",
      "warning 4:1 '#pragma pack(pop)' without a push before it",
    ]);
    expect(complaints('#pragma weak hook')).toEqual([
      "1:1 '#pragma weak' changes the meaning of the program and is not supported",
    ]);
  });

  test('macros that grow without bound stop with one error', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `#define m${i + 1} m${i} m${i}\n`).join('');
    expect(complaints(`#define m0 x\n${lines}m40`).map((m) => m.replace(/'m\d+'/, ''))).toEqual([
      '42:1 macros yield more than 2000000 tokens; the last one was ',
    ]);
  });

  test('macro uses nested without bound are an error, not a crash', () => {
    const depth = 5000;
    expect(complaints(`#define f(x) x\n${'f('.repeat(depth)}1${')'.repeat(depth)}`)).toContain(
      '2:803 macro uses are nested more than 400 deep',
    );
  });
});

describe('places', () => {
  test('a token out of a macro stands where the macro is used, and tells where it comes from', () => {
    const { tokens } = run({
      'main.c': '#include "m.h"\nx = MAX(a+1, b);',
      'm.h': '#define PICK(c, x, y) ((c) ? (x) : (y))\n#define MAX(x, y) PICK((x) > (y), x, y)\n',
    });
    const question = tokens.find((t) => t.text === '?')!;
    expect([question.span.file.path, written(question.span)]).toEqual(['main.c', 'MAX(a+1, b)']);
    expect(question.span.expandedFrom!.map((e) => [e.macro, written(e.span), e.span.file.path])).toEqual([
      ['PICK', '?', 'm.h'],
      ['MAX', 'PICK', 'm.h'],
    ]);
    const argument = tokens.filter((t) => t.text === 'b');
    expect(argument).toHaveLength(2);
    for (const token of argument)
      expect([token.span.file.position(token.span.start), token.span.expandedFrom]).toEqual([
        { line: 2, column: 14 },
        undefined,
      ]);
  });

  test('pasted and stringified tokens stand at the use', () => {
    const { tokens } = run('#define make(n) int v_ ## n = #n;\nmake(7)');
    for (const text of ['v_7', '"7"']) {
      const { span } = tokens.find((t) => t.text === text)!;
      expect([written(span), span.expandedFrom![0]!.macro]).toEqual(['make(7)', 'make']);
    }
  });

  test('the message shows the use and the macro', () => {
    const [d] = run("#define bad 'x\ny = bad;").diagnostics;
    expect(formatDiagnostic(d!)).toMatch(
      /main\.c:2:5: error:.*\n(?:.*\n)*main\.c:1:13: note: in expansion of macro 'bad'/,
    );
  });

  test('white space is kept for those who show text', () => {
    const { tokens } = run('#define id(x) x\n#define none\na none+id( b )c  d\ne');
    expect(tokens.map((t) => `${t.startsLine ? '|' : ''}${t.spaceBefore ? ' ' : ''}${t.text}`).join('')).toBe(
      '| a +bc d| e',
    );
  });
});

test('whatever the text: an answer, with one end and places within their files', () => {
  const word = fc.constantFrom(
    'f',
    'g',
    'A',
    'x',
    '(',
    ')',
    ',',
    '#',
    '##',
    '...',
    '__VA_ARGS__',
    '__VA_OPT__',
    'defined',
    '"s"',
    "'",
    '1',
    '+',
    '<',
    '>',
    '_Pragma',
    '__LINE__',
    '__has_include',
    '\n',
    '\n',
    ' ',
    '\\\n',
    '\n#define f(x) ',
    '\n#define g(...) ',
    '\n#define A ',
    '\n#if ',
    '\n#elif ',
    '\n#else\n',
    '\n#endif\n',
    '\n#include ',
    '\n#undef ',
    '\n#line ',
    '\n#pragma ',
    '\n# ',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const { tokens, diagnostics } = run(words.join(''));
      expect(tokens.filter((t) => t.kind === 'end' || t.kind === 'other')).toEqual([tokens.at(-1)]);
      const spans = [
        ...tokens.map((t) => t.span),
        ...diagnostics.flatMap((d) => [d.span, ...(d.notes ?? []).map((n) => n.span)]),
      ];
      for (const span of spans)
        if (span) expect(0 <= span.start && span.start <= span.end && span.end <= span.file.text.length).toBe(true);
      diagnostics.forEach((d) => expect(formatDiagnostic(d)).toContain(d.message));
    }),
    { numRuns: 1000 },
  );
});

test('5,000 lines take little time', () => {
  const part = (i: number): string =>
    `static inline int f${i}(int x, const char *name) {\n  if (CHECK(x > ${i} && name != NULL))\n` +
    `    return MIN(x, ${i}) + LIMIT; /* fine */\n  return x;\n}\n`;
  const source =
    '#include <stddef.h>\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define LIMIT (1 << 4)\n' +
    `#define CHECK(e) (!!(e))\n${Array.from({ length: 1000 }, (_, i) => part(i)).join('')}`;
  // Of the processor: a busy machine makes us wait, not work.
  const milliseconds = Array.from({ length: 8 }, () => {
    const before = process.cpuUsage();
    expect(run(source).tokens.length).toBeGreaterThan(60_000);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  expect(Math.min(...milliseconds)).toBeLessThan(400);
});
