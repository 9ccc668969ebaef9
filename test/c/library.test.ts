/**
 * The bundled library against the machine's own, on random inputs, with the compiler's sanitizers watching for
 * undefined behaviour. All units are preprocessed by us into one file, where the functions get the prefix `our_`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundledText, libraryUnitFor } from '../../src/c/bundled';
import { preprocess } from '../../src/c/preprocess';
import { readLibraryUnit } from '../../src/c/read';
import { callC } from '../semantics/cPrograms';
import { compileAndRun, testWithCompiler } from './compiler';

const compared = [
  'strlen',
  'strnlen',
  'strcpy',
  'stpcpy',
  'strncpy',
  'strcat',
  'strncat',
  'strcmp',
  'strcoll',
  'strncmp',
  'strcasecmp',
  'strncasecmp',
  'strchr',
  'strrchr',
  'strstr',
  'strspn',
  'strcspn',
  'strpbrk',
  'strtok',
  'strtok_r',
  'strdup',
  'strndup',
  'memcmp',
  'memchr',
  'memrchr',
  'bzero',
  'abs',
  'labs',
  'llabs',
  'imaxabs',
  'div',
  'ldiv',
  'lldiv',
  'imaxdiv',
  'atoi',
  'atol',
  'atoll',
  'strtol',
  'strtoul',
  'strtoll',
  'strtoull',
  'strtoimax',
  'strtoumax',
  'bsearch',
  'qsort',
  'isalnum',
  'isalpha',
  'isascii',
  'isblank',
  'iscntrl',
  'isdigit',
  'isgraph',
  'islower',
  'isprint',
  'ispunct',
  'isspace',
  'isupper',
  'isxdigit',
  'toascii',
  'tolower',
  'toupper',
  '__provest_isnan',
  '__provest_isinf',
  '__provest_isfinite',
  '__provest_signbit',
  '__provest_fpclassify',
  '__provest_fpclassifyf',
];
const shared = ['__errno_location', '__provest_parse_integer', '__provest_characters'];
/** Every function or variable that a unit is named after. */
const units = readdirSync(join(__dirname, '../../src/c/library'), { recursive: true, encoding: 'utf8' }).flatMap(
  (path) => /(\w+)\.c$/.exec(path)?.[1] ?? [],
);

function ours(): string {
  const main = [...compared, ...shared].map((name) => `#include "${libraryUnitFor(name)!.path}"\n`).join('');
  const { tokens, diagnostics } = preprocess('main.c', {
    include: [],
    define: {},
    dataModel: 'lp64',
    readFile: (path) => (path === 'main.c' ? main : undefined),
  });
  expect(diagnostics).toEqual([]);
  const renamed = new Set([...compared, ...shared, 'strtok_rest']);
  return tokens
    .map(
      (t) => `${t.startsLine ? '\n' : ' '}${t.kind === 'identifier' && renamed.has(t.text) ? `our_${t.text}` : t.text}`,
    )
    .join('');
}

const driver = String.raw`
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#undef strdup
#undef strndup
#include "ours.h"
static int bad, *our_errno;
static unsigned long long state = 88172645463325252ull;
static unsigned any(unsigned below) { state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return (unsigned)(state % below); }
#define same(e, a, b) do { if ((a) != (b)) { if (bad++ < 20) printf("%s: %s\n", e, input); } } while (0)
static char input[200];
static int sign(int x) { return (x > 0) - (x < 0); }
static int by_byte(const void *a, const void *b) { return *(const signed char *)a - *(const signed char *)b; }
static int by_long(const void *a, const void *b) { long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y); }
static void text(char *s, unsigned most, const char *letters) {
  unsigned n = any(most), k = (unsigned)strlen(letters);
  for (unsigned i = 0; i < n; i++) s[i] = letters[any(k)];
  s[n] = 0;
}
static void strings(void) {
  char a[20], b[20], c[60], d[60];
  const char *letters = any(2) ? "abAB" : "a\xff\x01zZ";
  text(a, 9, letters); text(b, any(2) ? 4 : 9, letters);
  size_t n = any(10);
  int ch = (int)any(2) ? a[any((unsigned)strlen(a) + 1)] : 'q';
  snprintf(input, sizeof input, "'%s' '%s' %zu %d", a, b, n, ch);
  same("strlen", strlen(a), our_strlen(a)); same("strnlen", strnlen(a, n), our_strnlen(a, n));
  same("strcmp", sign(strcmp(a, b)), sign(our_strcmp(a, b)));
  same("strcoll", sign(strcmp(a, b)), sign(our_strcoll(a, b)));
  same("strncmp", sign(strncmp(a, b, n)), sign(our_strncmp(a, b, n)));
  same("strcasecmp", sign(strcasecmp(a, b)), sign(our_strcasecmp(a, b)));
  same("strncasecmp", sign(strncasecmp(a, b, n)), sign(our_strncasecmp(a, b, n)));
  same("strchr", strchr(a, ch), our_strchr(a, ch)); same("strrchr", strrchr(a, ch), our_strrchr(a, ch));
  same("strstr", strstr(a, b), our_strstr(a, b));
  same("strspn", strspn(a, b), our_strspn(a, b)); same("strcspn", strcspn(a, b), our_strcspn(a, b));
  same("strpbrk", strpbrk(a, b), our_strpbrk(a, b));
  size_t m = strlen(a) < strlen(b) ? strlen(a) : strlen(b); if (n < m) m = n;
  same("memcmp", sign(memcmp(a, b, m)), sign(our_memcmp(a, b, m)));
  same("memchr", memchr(a, ch, m), our_memchr(a, ch, m)); same("memrchr", memrchr(a, ch, m), our_memrchr(a, ch, m));
#define written(f, call, ourcall) memset(c, '#', sizeof c); memset(d, '#', sizeof d); strcpy(c, b); strcpy(d, b); \
  { long x = (call) - c, y = (ourcall) - d; same(f, x, y); } same(f, memcmp(c, d, sizeof c), 0)
  written("strcpy", strcpy(c, a), our_strcpy(d, a)); written("stpcpy", stpcpy(c, a), our_stpcpy(d, a));
  written("strncpy", strncpy(c, a, n), our_strncpy(d, a, n));
  written("strcat", strcat(c, a), our_strcat(d, a)); written("strncat", strncat(c, a, n), our_strncat(d, a, n));
  written("bzero", (bzero(c, n), c), (our_bzero(d, n), d));
  char *copy = our_strdup(a); same("strdup", strcmp(copy, a), 0); free(copy);
  copy = our_strndup(a, n); char *theirs = strndup(a, n); same("strndup", strcmp(copy, theirs), 0); free(copy);
  free(theirs);
  memset(c, 0, sizeof c); memset(d, 0, sizeof d); strcpy(c, a); strcpy(d, a);
  char *r = 0, *p = c, *q = d, *s = any(2) ? b : "a";
  for (int i = 0; i < 4 && p; i++) {
    if (any(2)) { p = strtok(i ? 0 : c, s); q = our_strtok(i ? 0 : d, s); }
    else { p = strtok(i ? 0 : c, s); q = our_strtok(i ? 0 : d, s); }
    same("strtok", p ? p - c : -1, q ? q - d : -1); same("strtok", memcmp(c, d, sizeof c), 0);
  }
  strcpy(c, a); strcpy(d, a); p = c; char *rest = 0, *ourrest = 0;
  for (int i = 0; i < 4 && p; i++) { p = strtok_r(i ? 0 : c, s, &rest); q = our_strtok_r(i ? 0 : d, s, &ourrest);
    same("strtok_r", p ? p - c : -1, q ? q - d : -1); }
}
static void numbers(void) {
  char s[60], *end, *ourend;
  static const int bases[] = { 0, 10, 16, 8, 2, 36, 1, 37, -1 };
  int base = bases[any(9)];
  switch (any(4)) {
    case 0: text(s, 8, " +-0x19fzG"); break;
    case 1: snprintf(s, sizeof s, "%s%lld", any(2) ? " " : "", (long long)(any(2) ? LLONG_MAX : LLONG_MIN) + 0); break;
    case 2: snprintf(s, sizeof s, "%s%llu%s", any(2) ? "-" : "\t", ULLONG_MAX - any(3), any(2) ? "0" : ""); break;
    default: snprintf(s, sizeof s, "%s0x%x%s", any(2) ? "-" : "+", any(1u << 30), any(2) ? "G" : "ffffffffffff");
  }
  snprintf(input, sizeof input, "'%s' base %d", s, base);
#define parsed(f) end = ourend = 0; errno = 0; *our_errno = 0; \
  { __auto_type x = f(s, &end, base); __auto_type y = our_##f(s, &ourend, base); same(#f, x, y); \
  if (base != 1 && base != 37 && base != -1) { same(#f " end", end, ourend); } same(#f " errno", errno, *our_errno); \
  same(#f " without end", x, our_##f(s, 0, base)); }
  parsed(strtol); parsed(strtoll); parsed(strtoul); parsed(strtoull); parsed(strtoimax); parsed(strtoumax);
  text(s, 9, " 0129+-x"); snprintf(input, sizeof input, "'%s'", s);
  same("atoi", atoi(s), our_atoi(s)); same("atol", atol(s), our_atol(s)); same("atoll", atoll(s), our_atoll(s));
  int x = (int)any(2000) - 1000, y = (int)any(40) - 20; if (y == 0) y = 7;
  same("abs", abs(x), our_abs(x)); same("labs", labs(x), our_labs(x)); same("llabs", llabs(x), our_llabs(x));
  same("imaxabs", imaxabs(x), our_imaxabs(x));
  same("div", div(x, y).quot, our_div(x, y).quot); same("div", div(x, y).rem, our_div(x, y).rem);
  same("ldiv", ldiv(x, y).rem, our_ldiv(x, y).rem); same("lldiv", lldiv(x, y).quot, our_lldiv(x, y).quot);
  same("imaxdiv", imaxdiv(x, y).rem, our_imaxdiv(x, y).rem);
}
static void sorting(void) {
  long a[60], b[60]; unsigned n = any(60);
  signed char s[60], t[60];
  for (unsigned i = 0; i < n; i++) { a[i] = b[i] = (long)any(40) - 20; s[i] = t[i] = (signed char)any(256); }
  qsort(a, n, sizeof *a, by_long); our_qsort(b, n, sizeof *b, by_long); same("qsort", memcmp(a, b, n * sizeof *a), 0);
  qsort(s, n, 1, by_byte); our_qsort(t, n, 1, by_byte); same("qsort", memcmp(s, t, n), 0);
  long key = (long)any(44) - 22, *p = bsearch(&key, a, n, sizeof *a, by_long),
      *q = our_bsearch(&key, a, n, sizeof *a, by_long);
  same("bsearch", !p, !q); if (q) same("bsearch", *q, key);
}
void __provest_check_read(const void *bytes, size_t size) { (void)bytes; (void)size; }
void __provest_check_apart(const void *target, size_t written, const void *source, size_t taken) {
  if (target != source && (const char *)target < (const char *)source + taken && (const char *)source <
      (const char *)target + written) __builtin_trap();
}
static void characters(void) {
  for (int c = -128; c < 256; c++) {
    snprintf(input, sizeof input, "%d", c);
#ifdef __GLIBC__
#define kind(f) same(#f, f(c), our_##f(c))
#else
#define kind(f) same(#f, !f(c), !our_##f(c))
#endif
    kind(isalnum); kind(isalpha); kind(isascii); kind(isblank); kind(iscntrl); kind(isdigit); kind(isgraph);
    kind(islower); kind(isprint); kind(ispunct); kind(isspace); kind(isupper); kind(isxdigit);
    same("tolower", tolower(c), our_tolower(c)); same("toupper", toupper(c), our_toupper(c));
    same("toascii", toascii(c), our_toascii(c));
  }
  double values[] = { 0.0, -0.0, 1.5, -2e-310, 1e-40, INFINITY, -INFINITY, NAN, 5e-324, 1e308 };
  for (unsigned i = 0; i < 10; i++) {
    double x = values[i]; snprintf(input, sizeof input, "%g", x);
    static const int codes[] = { FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL };
    same("isnan", !isnan(x), !our___provest_isnan(x)); same("isinf", !isinf(x), !our___provest_isinf(x));
    same("isfinite", !isfinite(x), !our___provest_isfinite(x));
    if (!isnan(x)) { same("signbit", !signbit(x), !our___provest_signbit(x)); }
    same("fpclassify", fpclassify(x), codes[our___provest_fpclassify(x)]);
    same("fpclassifyf", fpclassify((float)x), codes[our___provest_fpclassifyf((float)x)]);
  }
}
int main(void) {
  our_errno = our___errno_location();
  characters();
  for (int i = 0; i < 20000; i++) { strings(); numbers(); if (i % 20 == 0) sorting(); }
  return bad != 0;
}`;

/** The prototypes of our functions, as the machine's headers have theirs. */
const declarations =
  compared
    .map((name) =>
      name.startsWith('__provest')
        ? `int our_${name}(${name.endsWith('f') && name.includes('classify') ? 'float' : 'double'});\n`
        : `extern __typeof__(${name}) our_${name};\n`,
    )
    .join('') + 'int *our___errno_location(void);\n';

testWithCompiler('each function does what the one of the machine does, without undefined behaviour', () => {
  const functions = ours();
  expect(
    compileAndRun(
      { 'ours.c': functions, 'driver.c': `${driver.replace('#include "ours.h"', declarations)}\n` },
      '-O1',
      '-fno-builtin',
      '-fsanitize=undefined,address,float-cast-overflow',
      '-fno-sanitize-recover=all',
      '-lm',
    ),
  ).toEqual({ status: 0, output: '' });
});

test.each(['lp64', 'ilp32'] as const)(
  '%s: the front end takes every unit, which defines what it is found by',
  (dataModel) => {
    for (const name of [...units, 'srand', 'srandom']) {
      const unit = readLibraryUnit(name, { dataModel })!;
      const defined = [
        ...unit.functions.filter((f) => f.body && f.linkage === 'external'),
        ...unit.variables.filter((v) => v.storage === 'global'),
      ];
      expect(defined.map((symbol) => symbol.name)).toContain(name);
    }
  },
);

test('rand promises no more than C does', () => {
  expect(bundledText('<provest>/stdlib/rand.c')).toContain('__provest_nondet_rand() & RAND_MAX');
});

test.each([
  [-129, false],
  [-128, true],
  [-1, true],
  [255, true],
  [256, false],
])('isalpha(%d) has a place in the table: %s', (c, has) => {
  const outcome = callC('#include <ctype.h>\nint f(int c) { return isalpha(c); }', 'f', [c]);
  expect(outcome).toMatchObject(
    has ? { kind: 'returned', value: 0 } : { kind: 'fault', fault: { check: 'dereference' } },
  );
});

test('signals: those that come while their handler runs come after it, once', () => {
  const text = `#include <signal.h>
    static int order[4], n, inside;
    static void handler(int number) {
      if (inside) order[n++] = 9;
      inside = 1;
      order[n++] = number;
      if (n < 3) { raise(number); raise(number); }
      inside = 0;
    }
    int f(void) { signal(SIGUSR1, handler); raise(SIGUSR1);
      return order[0] + 100 * order[1] + 10000 * order[2] + 1000000 * n; }`;
  expect(callC(text, 'f')).toMatchObject({ kind: 'returned', value: 3101010 });
});
