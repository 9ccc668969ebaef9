/** The headers of the installed C compiler in place of ours. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CError, readCText, type SystemHeaders } from '../../src/c';
import { findSystemHeaders } from '../../src/systemHeaders';
import { onGcc, onMachine } from '../differential/machineAndGcc';
import { testWithCompiler } from './compiler';

function installed(): SystemHeaders {
  const found = findSystemHeaders(undefined, 'lp64');
  if (found.kind === 'missing') throw new Error(found.why);
  return found.headers;
}

const standard = [
  'assert',
  'ctype',
  'errno',
  'fenv',
  'float',
  'inttypes',
  'iso646',
  'limits',
  'locale',
  'math',
  'setjmp',
  'signal',
  'stdalign',
  'stdarg',
  'stdbool',
  'stddef',
  'stdint',
  'stdio',
  'stdlib',
  'stdnoreturn',
  'string',
  'time',
  'uchar',
  'wchar',
  'wctype',
];

testWithCompiler("the compiler's own headers are read, all together, with and without extensions", () => {
  const text =
    `#include <provest.h>\n${standard.map((name) => `#include <${name}.h>\n`).join('')}size_t n; FILE *f; ` +
    'int x = INT_MAX;';
  for (const name of ['PLAIN', '_GNU_SOURCE']) {
    const { files, warnings } = readCText(text, 'all.c', { systemHeaders: installed(), define: { [name]: 1 } });
    expect(warnings).toEqual([]);
    expect(files.filter((file) => file.endsWith('/stdio.h')).length).toBeGreaterThan(0);
  }
});

testWithCompiler('a program means the same with them, and its library functions are ours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'provest-system-'));
  try {
    const path = join(folder, 'program.c');
    writeFileSync(path, program);
    const machine = onMachine(path, { systemHeaders: installed() });
    expect(machine).toMatchObject(onGcc(path)!);
    expect(machine.output).toContain('line one');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const program = String.raw`
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void say(FILE *to, const char *format, ...) { va_list list; va_start(list, format); vfprintf(to, format, list);
  va_end(list); }
int main(void) {
  int a[] = { 3, 1, 2 };
  qsort(a, 3, sizeof *a, compare);
  say(stdout, "%d %d %d\n", a[0], a[1], a[2]);
  printf("%s %d %d %d %c\n", strerror(EINVAL), errno, isalpha('x') != 0, isdigit('x') != 0, toupper('q'));
  printf("%d %d %d %d %d %g\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, isfinite(1.0f) != 0, signbit(-1.0) != 0,
    fpclassify(0.0) == FP_ZERO, sqrt(2));
  printf("%" PRId64 " %d %ld %g %d\n", INT64_C(5), INT_MAX, LONG_MIN, DBL_EPSILON, MB_LEN_MAX > 0);
  time_t t = 86400 * 365;
  struct tm *when = gmtime(&t);
  printf("%d %d %s%zu\n", when->tm_year, when->tm_yday, asctime(when), sizeof(struct tm));
  char *end;
  errno = 0;
  printf("%ld ", strtol("99999999999999999999", &end, 10));
  printf("%d\n", errno == ERANGE && *end == 0);
  FILE *f = tmpfile();
  fputs("line one\nline two\n", f);
  rewind(f);
  char line[20];
  while (fgets(line, sizeof line, f)) fputs(line, stdout);
  printf("%d %ld\n", feof(f) != 0, ftell(f));
  fclose(f);
  int n;
  assert(sscanf("12 ab", "%d %s", &n, line) == 2);
  div_t halves = div(n, 5);
  printf("%d %d %zu\n", halves.quot, halves.rem, wcslen(L"wide"));
  return putc('\n', stdout) == '\n' ? 3 : 4;
}
`;

testWithCompiler("a structure that lies otherwise than the library's is no silent mistake", () => {
  const declared =
    'struct stat { long st_dev; char more[136]; }; int stat(const char *restrict, struct stat *restrict); ' +
    'int main(void) { struct stat s; return stat("x", &s); }';
  const folder = mkdtempSync(join(tmpdir(), 'provest-system-'));
  try {
    const path = join(folder, 'program.c');
    writeFileSync(path, declared);
    expect(() => onMachine(path)).toThrow(/'stat' is declared with a type that is not the C library's/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('unsupported GNU attributes of a type are reported only if it is used', () => {
  const types =
    'typedef union { int *i; char *c; } either __attribute__((__transparent_union__)); extern int take(either);';
  expect(readCText(types).warnings).toEqual([]);
  const messages = (text: string): readonly string[] => {
    try {
      readCText(text);
      return [];
    } catch (error) {
      if (!(error instanceof CError)) throw error;
      return error.diagnostics.map(({ message }) => message);
    }
  };
  expect(messages(`${types} int f(int *i) { return take(i); }`)).toEqual([
    "the attribute 'transparent_union' is not supported",
  ]);
  expect(messages(`${types} either both;`)).toEqual(["the attribute 'transparent_union' is not supported"]);
  expect(messages('struct s { int a; } __attribute__((scalar_storage_order("big-endian")));')).toEqual([
    "the attribute 'scalar_storage_order' is not supported",
  ]);
  expect(messages('struct s { int a; } __attribute__((scalar_storage_order("big-endian"))) x; struct s y;')).toEqual([
    "the attribute 'scalar_storage_order' is not supported",
  ]);
});

test('a missing compiler is reported', () => {
  expect(findSystemHeaders('no-such-compiler', 'lp64')).toEqual({
    kind: 'missing',
    why: "no C compiler answers to 'no-such-compiler'",
  });
  expect(findSystemHeaders(`${process.execPath} --version`, 'lp64').kind).toBe('missing');
});
