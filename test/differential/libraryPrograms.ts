/**
 * C programs that call the library with random formats and inputs and print what comes back. The same seed makes the
 * same program.
 */

type Pick = <T>(from: readonly T[]) => T;

class Random {
  constructor(private state: number) {}
  below(n: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) | 0;
    return Math.floor(((this.state >>> 0) / 2 ** 32) * n);
  }
  readonly pick: Pick = (from) => from[this.below(from.length)]!;
  some(most: number, letters: string): string {
    return Array.from({ length: this.below(most + 1) }, () => letters[this.below(letters.length)]).join('');
  }
}

const quoted = (text: string): string =>
  `"${[...Buffer.from(text, 'latin1')]
    .map((byte) =>
      byte >= 32 && byte < 127 && !'"\\?%'.includes(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `\\${byte.toString(8).padStart(3, '0')}`,
    )
    .join('')}"`;

const program = (lines: readonly string[]): string => `#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
static char b[4000];
${Array.from(
  { length: Math.ceil(lines.length / 100) },
  (_, i) => `static void part${i}(void) {\n${lines.slice(i * 100, i * 100 + 100).join('\n')}\n}`,
).join('\n')}
int main(void) {
${Array.from({ length: Math.ceil(lines.length / 100) }, (_, i) => `  part${i}();`).join('\n')}
  return 0;
}
`;

const integers = ['0', '1', '-1', '42', '-7', '100', '255', '65536', 'INT_MAX', 'INT_MIN', '123456789', '-32769'];
const longs = [...integers, 'LONG_MAX', 'LONG_MIN', '1234567890123L', '-98765432109876L'];
const doubles = [
  '0.0',
  '-0.0',
  '1.0',
  '-1.0',
  '0.5',
  '1.5',
  '2.5',
  '-2.5',
  '0.1',
  '123.456',
  '-9.9999995',
  '999999.5',
  '0.0001',
  '0.00001',
  '1e10',
  '1e21',
  '1e22',
  '1e100',
  '-1e300',
  '5e-324',
  '2.2250738585072014e-308',
  '1.7976931348623157e308',
  '3.14159265358979',
  '1.0/3',
  '2.0/3e5',
  '1e15',
  '123456789012345678.0',
  '0.045',
  '1.005',
  '8.5',
  '1e-7',
  'INFINITY',
  '-INFINITY',
  '9007199254740993.0',
  '0x1.fffffffffffffp0',
  '0x1p-1074',
  '0x1.8p-3',
];

export function printfProgram(seed: number, count: number): string {
  const r = new Random(seed);
  const lines = Array.from({ length: count }, () => {
    const flags = r.some(3, '-+ #0');
    const width = r.pick(['', '', '', '1', '5', '12', '20', '*']);
    const precision = r.pick(['', '', '', '.', '.0', '.1', '.3', '.8', '.17', '.30', '.*']);
    const stars = [width, precision].filter((part) => part.includes('*')).map(() => String(r.below(24) - 6));
    const [length, conversion, value] = r.pick<() => [string, string, string]>([
      () => [r.pick(['', '', 'hh', 'h']), r.pick([...'diuoxX']), r.pick(integers)],
      () => [r.pick(['l', 'll', 'j', 'z', 't']), r.pick([...'diuoxX']), `(long)${r.pick(longs)}`],
      () => [r.pick(['', '', 'l']), r.pick([...'fFeEgGaA']), r.pick(doubles)],
      () => [
        r.pick(['', '', 'l']),
        r.pick([...'fegFEG']),
        `${r.below(2) ? '-' : ''}${r.below(100000)}.${r.below(1e9)}e${r.below(60) - 30}`,
      ],
      () => ['', 's', quoted(r.some(12, 'abc xyz'))],
      () => ['', 'c', String(32 + r.below(95))],
    ])();
    // What C leaves undefined: # with d, i, u, c and s; 0 with c and s.
    const kept = 'diu'.includes(conversion)
      ? flags.replace(/#/g, '')
      : 'cs'.includes(conversion)
        ? flags.replace(/[#0+ ]/g, '')
        : flags;
    const text = `%${kept}${width}${conversion === 'c' ? '' : precision}${length}${conversion}`;
    const used = conversion === 'c' ? stars.slice(0, width === '*' ? 1 : 0) : stars;
    const args = [...used, value].join(', ');
    const call = r.pick([
      `printf("[${text}]", ${args})`,
      `(snprintf(b, ${r.below(30)}, "<${text}>", ${args}), 0)`,
      `sprintf(b, "${text}%%", ${args})`,
    ]);
    return `  { int n; strcpy(b, "?"); n = ${call}; printf(" %d %s\\n", n, b); }`;
  });
  return program(lines);
}

const numberLetters = '0123456789.eE+-xXpPabcfinINFTYnaN ()_';
function numberText(r: Random): string {
  switch (r.below(8)) {
    case 0:
      return r.some(10, numberLetters);
    case 1:
      return (
        `${r.pick(['', '-', '+', ' \\t'.slice(0, 1)])}${r.below(1e9)}.${r.below(1e9)}` +
        `${r.pick(['', 'e10', 'E-12', 'e', 'e+', 'e300', 'e-320', 'x'])}`
      );
    case 2:
      return (
        `0x${r.some(14, '0123456789abcdefABCDEF')}${r.pick(['', '.', '.8', '.fff8'])}` +
        `${r.pick(['', 'p3', 'p-1070', 'P+1020', 'p'])}`
      );
    case 3:
      return (
        `${r.pick(['1', '9', '4.9', '2.4703282292062327', '1.7976931348623158'])}` +
        `${r.pick(['e-324', 'e308', 'e-308', 'e309', 'e-400', 'e23', 'e22'])}`
      );
    case 4:
      return r.pick([
        'inf',
        '-INF',
        'infinity',
        'infinit',
        'nan',
        'nan(12)',
        'nan(',
        '',
        ' ',
        '-',
        '.',
        '0x',
        '0x.p1',
        '1e',
        '.e5',
        '1..2',
        '00012',
        '1_000',
      ]);
    case 5:
      return `${r.below(2 ** 31)}${r.below(2 ** 31)}${r.below(2 ** 31)}e${r.below(40) - 40}`;
    case 6:
      return `${9007199254740992 + r.below(64)}${r.pick(['', '.5', '.50000000000000000001', '.49999999999999999999'])}`;
    default:
      return `${r.pick(['', '-'])}${r.below(1e6)}`;
  }
}

export function parsingProgram(seed: number, count: number): string {
  const r = new Random(seed);
  const lines = Array.from({ length: count }, () => {
    const text = quoted(numberText(r));
    switch (r.below(5)) {
      // The sign of a NaN is not kept here.
      case 0:
        return (
          `  { char *e; double x; errno = 0; x = strtod(${text}, &e); ` +
          'printf("%a %d %d\\n", isnan(x) ? 7.0 : x, (int)strlen(e), errno); }'
        );
      case 1:
        return (
          `  { char *e; float x; errno = 0; x = strtof(${text}, &e); ` +
          'printf("%a %d %d\\n", isnan(x) ? 7.0 : x, (int)strlen(e), errno); }'
        );
      case 2:
        return (
          `  { char *e; long x; errno = 0; x = strtol(${text}, &e, ${r.pick([0, 10, 16, 8, 36, 2])}); ` +
          'printf("%ld %d %d\\n", x, (int)strlen(e), errno); }'
        );
      case 3:
        return (
          `  { char *e; unsigned long long x; errno = 0; x = strtoull(${text}, &e, ${r.pick([0, 10, 16, 8, 3])}); ` +
          'printf("%llu %d %d\\n", x, (int)strlen(e), errno); }'
        );
      default:
        return `  printf("%g %g\\n", isnan(atof(${text})) ? 7.0 : atof(${text}), (double)atoi("${r.below(1e6)}x"));`;
    }
  });
  return program(lines);
}

export function scanfProgram(seed: number, count: number): string {
  const r = new Random(seed);
  const lines = Array.from({ length: count }, () => {
    const declarations: string[] = [];
    const args: string[] = [];
    const shown: string[] = [];
    let format = '';
    const pieces = 1 + r.below(4);
    for (let i = 0; i < pieces; i++) {
      const width = r.pick(['', '', '', '1', '2', '3', '5']);
      const star = r.below(6) === 0 ? '*' : '';
      const [conversion, type, print] = r.pick<readonly [string, string, string]>([
        ['d', 'int', '%d'],
        ['i', 'int', '%d'],
        ['u', 'unsigned', '%u'],
        ['x', 'unsigned', '%x'],
        ['o', 'unsigned', '%o'],
        ['hd', 'short', '%d'],
        ['hhu', 'unsigned char', '%u'],
        ['ld', 'long', '%ld'],
        ['llu', 'unsigned long long', '%llu'],
        ['f', 'float', '%a'],
        ['lf', 'double', '%a'],
        ['s', 'text', '%s'],
        ['[a-c]', 'text', '%s'],
        ['[^0-9]', 'text', '%s'],
        ['[]x]', 'text', '%s'],
        ['c', 'char', '%d'],
        ['n', 'int', '%d'],
      ]);
      const isCount = conversion === 'n';
      const isText = type === 'text';
      format += `%${isCount ? '' : star}${
        isCount || conversion === 'c' ? '' : isText && width === '' ? '9' : width
      }${conversion}${r.pick(['', '', ' ', ',', ':', ' x', '%%'])}`;
      if (star !== '' && !isCount) continue;
      declarations.push(isText ? `char v${i}[12] = "-";` : `${type} v${i} = 5;`);
      args.push(isText ? `v${i}` : `&v${i}`);
      shown.push(
        isText
          ? `printf(" ${print}", v${i});`
          : type === 'float' || type === 'double'
            ? `printf(" ${print}", isnan(v${i}) ? 7.0 : (double)v${i});`
            : `printf(" ${print}", v${i});`,
      );
    }
    const input = Array.from(
      { length: pieces },
      () =>
        r.pick([numberText(r), r.some(5, 'abcx],: 12%'), `${r.below(400) - 100}`, r.some(3, ' \t')]) +
        r.pick(['', ' ', ',', ':', ' x', '%']),
    ).join('');
    return (
      `  { ${declarations.join(' ')} int n = ` +
      `sscanf(${quoted(input)}, "${format}"${args.map((arg) => `, ${arg}`).join('')}); printf("%d", n); ` +
      `${shown.join(' ')} puts(""); }`
    );
  });
  return program(lines);
}

export function stringProgram(seed: number, count: number): string {
  const r = new Random(seed);
  const text = (most = 8): string => quoted(r.some(most, r.pick(['abAB', 'a \xff\x01', 'xyz.,;'])));
  const sign = (e: string): string => `(${e} > 0) - (${e} < 0)`;
  const at = (e: string, base: string): string => `({ char *p = ${e}; p ? (int)(p - ${base}) : -1; })`;
  const lines = Array.from({ length: count }, () => {
    const [s, t, n] = [text(), text(4), r.below(10)];
    const call = r.pick([
      `(int)strlen(s)`,
      `(int)strnlen(s, ${n})`,
      sign('strcmp(s, t)'),
      sign(`strncmp(s, t, ${n})`),
      sign('strcasecmp(s, t)'),
      sign(`strncasecmp(s, t, ${n})`),
      sign('strcoll(s, t)'),
      at(`strchr(s, ${97 + r.below(4)})`, 's'),
      at(`strrchr(s, ${97 + r.below(4)})`, 's'),
      at('strstr(s, t)', 's'),
      at('strcasestr(s, t)', 's'),
      at('strpbrk(s, t)', 's'),
      at(`strchrnul(s, ${97 + r.below(4)})`, 's'),
      `(int)strspn(s, t)`,
      `(int)strcspn(s, t)`,
      at(`memchr(s, ${97 + r.below(3)}, strlen(s))`, 's'),
      at(`memmem(s, strlen(s), t, strlen(t))`, 's'),
      at(`memrchr(s, ${97 + r.below(3)}, strlen(s))`, 's'),
      `(strcpy(b, s), strcat(b, t), (int)strlen(b))`,
      `(strcpy(b, s), strncat(b, t, ${n}), (int)strlen(b))`,
      `(memset(b, '#', 20), b[20] = 0, strncpy(b, s, ${n}), b[11])`,
      `(memset(b, '#', 20), b[20] = 0, (int)(stpncpy(b, s, ${n}) - b))`,
      `(int)(stpcpy(b, s) - b)`,
      `(memset(b, '#', 20), b[20] = 0, (int)((char *)mempcpy(b, s, strlen(s)) - b))`,
      at(`memccpy(b, s, ${97 + r.below(3)}, strlen(s) + 1)`, 'b'),
      '({ char *p = b, *q; int k = 0; strcpy(b, s); while ((q = strsep(&p, t)) != NULL) k = k * 10 + ' +
        '(int)strlen(q); k; })',
      '({ char *q, *rest; int k = 0; strcpy(b, s); ' +
        'for (q = strtok_r(b, t, &rest); q; q = strtok_r(NULL, t, &rest)) k = k * 10 + (int)strlen(q); k; })',
      `(int)strxfrm(b, s, 100)`,
      `({ char *p = strndup(s, ${n}); int k = (int)strlen(p); strcpy(b, p); free(p); k; })`,
      `abs(${n - 5})`,
      `(int)ffs(${r.below(100)})`,
      `(int)strlen(strerror(${r.below(140)}))`,
      `!!isalpha(${r.below(128)}) + 2 * !!isspace(${r.below(128)}) + 4 * !!ispunct(${r.below(128)}) + 256 * ` +
        `tolower(${r.below(128)})`,
    ]);
    return `  { char s[40] = ${s}, t[40] = ${t}; int n; strcpy(b, "?"); n = ${call}; printf("%d %s %s\\n", n, s, b); }`;
  });
  return program(lines);
}

/** Times, random numbers, sorting, and the parts of <math.h> that IEEE 754 or C prescribe exactly. */
export function otherProgram(seed: number, count: number): string {
  const r = new Random(seed);
  const x = (): string =>
    r.pick([
      r.pick(doubles),
      `${r.below(2) ? '-' : ''}${r.below(1000)}.${r.below(1e6)}`,
      `${r.below(1e9)}e${r.below(40) - 30}`,
    ]);
  const exact = ['fabs', 'sqrt', 'floor', 'ceil', 'trunc', 'round', 'rint', 'nearbyint', 'logb'];
  const exact2 = ['fmod', 'fmin', 'fmax', 'fdim', 'copysign', 'remainder', 'nextafter'];
  const number = (e: string): string => `({ __typeof__(${e}) q = ${e}; isnan(q) ? 7.0 : (double)q; })`;
  const lines = Array.from({ length: count }, () => {
    const suffix = r.pick(['', '', 'f']);
    switch (r.below(9)) {
      case 0:
        return `  { volatile double x = ${x()}; printf("%a\\n", ${number(`${r.pick(exact)}${suffix}(x)`)}); }`;
      case 1:
        return (
          `  { volatile double x = ${x()}, y = ${x()}; ` +
          `printf("%a\\n", ${number(`${r.pick(exact2)}${suffix}(x, y)`)}); }`
        );
      case 2:
        return (
          `  { volatile double x = ${x()}; int e = 77; double f = frexp(x, &e), w, m = modf(x, &w); ` +
          'printf("%a %d %a %a %d\\n", f, isfinite(x) ? e : 0, m, w, ilogb(x)); }'
        );
      case 3:
        return (
          `  { volatile double x = ${x()}, y = ${x()}, z = ${x()}; ` +
          `printf("%a %a\\n", ${number('ldexp(x, ' + (r.below(3000) - 1500) + ')')}, ${number('fma(x, y, z)')}); }`
        );
      case 4:
        return (
          `  { volatile double x = ${r.below(1e6)}.${r.below(10)} * ${r.pick([1, -1, 0.5])}; ` +
          'printf("%ld %ld %lld\\n", lround(x), lrint(x), llround(x)); }'
        );
      case 5:
        return (
          `  { time_t t = ${r.below(2 ** 31)}L * ${r.pick([1, -1, 3])}; struct tm m; gmtime_r(&t, &m); ` +
          'strftime(b, sizeof b, "%c|%x|%X|%j|%U|%W|%V|%G|%g|%u|%w|%y|%C|%I|%p|%e|%D|%F|%T|%R|%r|%h|%n|%%", &m); ' +
          'printf("%s %s %d\\n", b, asctime(&m), timegm(&m) == t); }'
        );
      case 6:
        return (
          `  { int i; srand(${r.below(1e9)}); for (i = 0; i < 5; i++) printf("%d ", rand()); ` +
          'printf("%ld\\n", random()); }'
        );
      case 7:
        return (
          `  { unsigned s = ${r.below(1e9)}; int k = rand_r(&s); srand48(${r.below(1e9)}); ` +
          'printf("%d %u %ld", k, s, lrand48()); printf(" %a", drand48()); printf(" %ld\\n", mrand48()); }'
        );
      default:
        return (
          `  { volatile float x = ${x()}, y = ${x()}; ` +
          `printf("%a %a %a\\n", ${number('x + y')}, ${number('sqrtf(x)')}, ${number('fmaf(x, y, x)')}); }`
        );
    }
  });
  return program(lines);
}
