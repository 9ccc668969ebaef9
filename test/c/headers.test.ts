import { bundledHeader, bundledHeaderNames, libraryUnitFor } from '../../src/c/bundled';
import { formatDiagnostic } from '../../src/c/diagnostics/diagnostic';
import { preprocess } from '../../src/c/preprocess';
import { readCText } from '../../src/c/read';
import type { Token } from '../../src/c/tokens/token';
import type { DataModel } from '../../src/c/types';
import { compileAndRun, testWithCompiler } from './compiler';

const models: readonly DataModel[] = ['lp64', 'ilp32'];
const publicHeaders = bundledHeaderNames().filter((name) => !name.startsWith('provest/'));

function check(text: string, dataModel: DataModel = 'lp64'): Token[] {
  const { tokens, diagnostics } = preprocess('main.c', {
    include: [],
    define: {},
    dataModel,
    readFile: (path) => (path === 'main.c' ? text : undefined),
  });
  expect(diagnostics.map((d) => formatDiagnostic(d))).toEqual([]);
  return tokens;
}

const spellings = (tokens: readonly Token[]): string =>
  tokens
    .slice(0, -1)
    .map((t) => t.text)
    .join(' ');
const laidOut = (tokens: readonly Token[]): string =>
  tokens.map((t) => `${t.startsLine ? '\n' : t.spaceBefore ? ' ' : ''}${t.text}`).join('');

test('the headers of the standard that a C module uses are there', () => {
  for (const name of [
    'stdint',
    'stddef',
    'stdbool',
    'limits',
    'stdlib',
    'string',
    'assert',
    'ctype',
    'stdio',
    'stdarg',
    'math',
    'float',
    'errno',
    'time',
    'inttypes',
    'signal',
    'unistd',
    'strings',
  ]) {
    expect(publicHeaders).toContain(`${name}.h`);
  }
  expect(bundledHeader('nonsense.h')).toBeUndefined();
  expect(bundledHeader('__proto__')).toBeUndefined();
});

test.each(models)('%s: each header alone, and all together, in any order', (model) => {
  for (const name of publicHeaders) {
    const once = spellings(check(`#include <${name}>`, model));
    if (name !== 'assert.h') expect(spellings(check(`#include <${name}>\n#include <${name}>`, model))).toBe(once);
  }
  const all = publicHeaders.map((name) => `#include <${name}>\n`);
  const sorted = (text: string): string[] => text.split(' ').sort();
  expect(sorted(spellings(check([...all].reverse().join(''), model)))).toEqual(
    sorted(spellings(check(all.join(''), model))),
  );
});

testWithCompiler('the headers are C, and their types and limits are those of the compiler', () => {
  const types = [
    'size_t',
    'ptrdiff_t',
    'int8_t',
    'uint16_t',
    'int32_t',
    'uint64_t',
    'intptr_t',
    'uintmax_t',
    'int_fast16_t',
    'uint_least32_t',
    'wchar_t',
    'time_t',
    'ssize_t',
  ];
  const values = [
    'INT_MIN',
    'UINT_MAX',
    'LONG_MIN',
    'ULONG_MAX',
    'LLONG_MIN',
    'ULLONG_MAX',
    'SHRT_MIN',
    'USHRT_MAX',
    'CHAR_MIN',
    'UCHAR_MAX',
    'SIZE_MAX',
    'INT64_MIN',
    'UINT64_MAX',
    'INT32_MIN',
    'UINT32_MAX',
    'INT8_MIN',
    'PTRDIFF_MIN',
    'INTMAX_MIN',
    'UINTPTR_MAX',
    'INT_FAST16_MIN',
    'UINT_FAST32_MAX',
    'WCHAR_MAX',
    'EOF',
    'EINVAL',
    'ERANGE',
    'ENOMEM',
    'RAND_MAX',
    'SIGABRT',
    'CLOCKS_PER_SEC',
  ];
  const floats = [
    'FLT_MAX',
    'FLT_MIN',
    'FLT_EPSILON',
    'DBL_MAX',
    'DBL_MIN',
    'DBL_EPSILON',
    'DBL_TRUE_MIN',
    'DBL_DIG',
    'FLT_DIG',
    'M_PI',
    'M_SQRT2',
  ];
  const strings = ['PRId64', 'PRIuPTR', 'PRIx32', 'SCNu8', 'PRIdFAST16'];
  const includes = publicHeaders.map((name) => `#include <${name}>\n`).join('');
  const list = [
    ...types.map((t) => `sizeof(${t}), ((${t})-1 > 0)`),
    ...values.map((v) => `(${v}), sizeof(${v}), ((${v}) * 0 - 1 > 0)`),
  ].join(', ');
  const ours = laidOut(
    check(
      `${includes}long our_values[] = { ${list} }; double our_floats[] = { ${floats.join(', ')} }; ` +
        `const char *our_texts[] = { ${strings.join(', ')} };`,
    ),
  );
  const theirs = `#define _GNU_SOURCE\n${publicHeaders
    .filter((n) => n !== 'malloc.h' && n !== 'provest.h')
    .map((name) => `#include <${name}>\n`)
    .join('')}
extern long our_values[]; extern double our_floats[]; extern const char *our_texts[];
long values[] = { ${list} };
double floats[] = { ${floats.join(', ')} };
const char *texts[] = { ${strings.join(', ')} };
int main(void) {
  size_t bad = 0;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (values[i] != our_values[i]) { printf("value %zu: %ld, ours %ld\\n", i, values[i], our_values[i]); bad++; }
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    if (floats[i] != our_floats[i]) { printf("float %zu\\n", i); bad++; }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(texts[i], our_texts[i]) != 0) { printf("text %zu\\n", i); bad++; }
  return bad != 0;
}`;
  expect(compileAndRun({ 'ours.c': ours, 'theirs.c': theirs })).toEqual({ status: 0, output: '' });
});

test.each(models)('%s: the front end takes all headers and what their macros yield', (dataModel) => {
  const source = `${publicHeaders.map((name) => `#include <${name}>\n`).join('')}
double special[] = { INFINITY, NAN, -HUGE_VAL };
size_t place = offsetof(struct tm, tm_sec);
static_assert(sizeof(int64_t) == 8 && sizeof(intptr_t) == sizeof(void *), "types");
static_assert(INT64_MIN < 0 && LONG_MIN < 0 && UINT64_MAX > 0, "types");
int last(int n, ...) {
  va_list list;
  va_start(list, n);
  assert(n > 0);
  int x = va_arg(list, int);
  va_end(list);
  fprintf(stderr, "%" PRId64, INT64_C(3));
  return x + errno + isnan(1.0f) + isnormal(2.0);
}`;
  expect(readCText(source, 'main.c', { dataModel }).warnings.map((d) => formatDiagnostic(d))).toEqual([]);
});

test('assert looks at NDEBUG each time it is included, and keeps its text', () => {
  const tokens = check(
    '#include <assert.h>\nassert(a[1, 2] == "x");\n#define NDEBUG\n#include <assert.h>\nassert(b);\n' +
      '#undef NDEBUG\n#include <assert.h>\nassert(c);\nstatic_assert(1, "");',
  );
  expect(spellings(tokens).replaceAll('void __provest_assert ( int condition , const char * text ) ; ', '')).toBe(
    String.raw`__provest_assert ( ! ! ( a [ 1 , 2 ] == "x" ) , "a[1, 2] == \"x\"" ) ; ( ( void ) 0 ) ; ` +
      '__provest_assert ( ! ! ( c ) , "c" ) ; _Static_assert ( 1 , "" ) ;',
  );
});

test('library units are found by the functions they define', () => {
  expect(libraryUnitFor('strlen')).toMatchObject({
    path: '<provest>/string/strlen.c',
    text: expect.stringContaining('size_t strlen('),
  });
  expect(libraryUnitFor('srand')).toEqual(libraryUnitFor('rand'));
  for (const native of ['malloc', 'memcpy', 'printf', 'sqrt', 'nothing', 'toString', '__proto__'])
    expect(libraryUnitFor(native)).toBeUndefined();
});
