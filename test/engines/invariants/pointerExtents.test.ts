/**
 * Functions that walk a buffer whose length clients promise: proved without a probe, and the same functions one step
 * too far are bugs.
 */
import { verify } from '../../../src';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';
import { inLongForm } from '../../long';

const ask = (text: string): Promise<Verdict> =>
  verify(
    task(file(`#include <stddef.h>\n#include <stdint.h>\n#include <provest.h>\n${text}`), {
      budget: { milliseconds: 100_000 },
    }),
  );
const placeOf = (verdict: Verdict): string | undefined =>
  verdict.kind === 'bug' ? verdict.counterexample.failure.place.function : undefined;

inLongForm(
  'a pointer that walks while a number counts down has as many bytes behind it',
  async () => {
    const sum = (rest: string): string => `uint32_t sum(const void *data, size_t n) {
    PROVEST_REQUIRES(PROVEST_LENGTH(data) >= n);
    const uint8_t *p = data; uint32_t s = 0;
    while (n > 1) { s += (uint32_t)p[0] << 8 | p[1]; p += 2; n -= 2; }
    ${rest} s += *p;
    return s;
  }`;
    expect((await ask(sum('if (n)'))).kind).toBe('proved');
    expect(placeOf(await ask(sum('')))).toBe('sum');
  },
  250_000,
);

inLongForm(
  'a pointer that walks to another is not behind it',
  async () => {
    const last = (condition: string): string => `int sum(const uint8_t *p, size_t n) {
    PROVEST_REQUIRES(PROVEST_LENGTH(p) >= n);
    int s = 0;
    for (const uint8_t *end = p + n; ${condition}; p++) s ^= *p;
    return s;
  }`;
    expect((await ask(last('p != end'))).kind).toBe('proved');
    expect(placeOf(await ask(last('p <= end')))).toBe('sum');
  },
  250_000,
);

inLongForm(
  'what was tested in front of a loop is known in it',
  async () => {
    const records = (limit: string): string => `uint32_t sum(const uint8_t *p, size_t n) {
    PROVEST_REQUIRES(PROVEST_LENGTH(p) >= n);
    size_t at = 0; uint32_t s = 0;
    while (n - at >= 1) {
      size_t len = p[at++];
      if (len > ${limit}) break;
      for (size_t i = 0; i < len; i++) s += p[at + i];
      at += len;
    }
    return s;
  }`;
    expect((await ask(records('n - at'))).kind).toBe('proved');
    expect(placeOf(await ask(records('n')))).toBe('sum');
  },
  250_000,
);

inLongForm(
  'clients try objects as long as the numbers beside them, and as numbers of the program',
  async () => {
    const copy = (limit: number): string => `static uint8_t buffer[16];
    int load(const uint8_t *data, size_t n) {
      PROVEST_REQUIRES(PROVEST_LENGTH(data) >= n);
      if (n > ${limit}) return -1;
      for (size_t i = 0; i < n; i++) buffer[i] = data[i];
      return 0;
    }`;
    expect((await ask(copy(16))).kind).toBe('proved');
    const verdict = await ask(copy(17));
    expect(placeOf(verdict)).toBe('load');
    const name = (text: string): string =>
      'int name(const char *s) { char copy[12]; size_t n = 0; if (!s) return 0; ' +
      `while (s[n]) { ${text} copy[n] = s[n]; n++; } return copy[0] = 0; }`;
    expect(placeOf(await ask(`${name('if (n > 12) return 1;')}`))).toBe('name');
  },
  250_000,
);

inLongForm(
  'a cursor behind a pointer, or in a structure, stays in front of the end',
  async () => {
    const sum = (order: string): string => `static int next(const uint8_t **p, const uint8_t *end) {
    return *p ${order} end ? *(*p)++ : -1;
  }
  int sum(const uint8_t *data, size_t n) {
    PROVEST_REQUIRES(PROVEST_LENGTH(data) >= n);
    const uint8_t *p = data;
    int s = 0;
    for (int c; (c = next(&p, data + n)) >= 0;) s ^= c;
    return s;
  }`;
    const read = `struct reader { const uint8_t *at, *end; };
  static int get(struct reader *r) { return r->at < r->end ? *r->at++ : -1; }
  int read(const uint8_t *data, size_t n) {
    PROVEST_REQUIRES(PROVEST_LENGTH(data) >= n);
    struct reader r = { data, data + n };
    int s = 0;
    for (int c; (c = get(&r)) >= 0;) s ^= c;
    return s;
  }`;
    expect((await ask(sum('<'))).kind).toBe('proved');
    expect((await ask(read)).kind).toBe('proved');
    expect(placeOf(await ask(sum('<=')))).toBe('next');
  },
  250_000,
);

describe('a cursor in memory walks a text from function to function', () => {
  const parse = (ends: string): string => `
    static int byte(const char **s, unsigned *out) {
      unsigned v = 0;
      int digits = 0;
      while (${ends}) {
        v = v * 10 + (unsigned)(**s - '0');
        digits++;
        ++*s;
      }
      if (digits == 0 || v > 255) return -1;
      *out = v;
      return 0;
    }
    long parse(const char *text) {
      PROVEST_REQUIRES(text != NULL && PROVEST_TERMINATED(text));
      unsigned long a = 0;
      for (int i = 0; i < 4; i++) {
        unsigned b;
        if (byte(&text, &b) != 0) return -1;
        a = a << 8 | b;
        if (i < 3 && *text++ != '.') return -1;
      }
      return *text == 0 ? (long)(a & 0xFFFFFFFFu) : -1;
    }`;

  inLongForm(
    'behind a pointer to it',
    async () => {
      expect((await ask(parse("digits < 3 && **s >= '0' && **s <= '9'"))).kind).toBe('proved');
      expect(placeOf(await ask(parse("digits < 3 && **s != '.'")))).toBe('byte');
    },
    250_000,
  );

  const sum = (skipped: string): string => `
    struct parser { const char *p; int error; };
    static long expression(struct parser *ps);
    static void skip(struct parser *ps) { while (${skipped}) ps->p++; }
    static long factor(struct parser *ps) {
      skip(ps);
      if (*ps->p == '(') {
        ps->p++;
        long v = expression(ps);
        if (*ps->p == ')') ps->p++;
        else ps->error = 1;
        return v;
      }
      if (*ps->p < '0' || *ps->p > '9') { ps->error = 1; return 0; }
      return *ps->p++ - '0';
    }
    static long expression(struct parser *ps) {
      unsigned long v = (unsigned long)factor(ps);
      for (skip(ps); *ps->p == '+'; skip(ps)) { ps->p++; v += (unsigned long)factor(ps); }
      return (long)v;
    }
    long evaluate(const char *text) {
      PROVEST_REQUIRES(text != NULL && PROVEST_TERMINATED(text));
      struct parser ps = { text, 0 };
      long v = expression(&ps);
      skip(&ps);
      return *ps.p || ps.error ? -1 : v;
    }`;

  test('in a structure, also through functions that call each other', async () => {
    expect((await ask(sum("*ps->p == ' '"))).kind).toBe('proved');
    expect(placeOf(await ask(sum("*ps->p <= ' '")))).toBe('skip');
  }, 250_000);
});

test('what a loop writes for each number, of one width or another, fits', async () => {
  const format = (bytes: number): string => `
    static char *put(char *p, unsigned v) {
      if (v >= 100) *p++ = (char)('0' + v / 100);
      if (v >= 10) *p++ = (char)('0' + v / 10 % 10);
      *p++ = (char)('0' + v % 10);
      return p;
    }
    void format(unsigned long address, char *out) {
      PROVEST_REQUIRES(PROVEST_LENGTH(out) >= ${bytes});
      char *p = out;
      for (int i = 3; i >= 0; i--) {
        p = put(p, (unsigned)(address >> (8 * i)) & 255u);
        if (i > 0) *p++ = '.';
      }
      *p = 0;
    }`;
  expect((await ask(format(16))).kind).toBe('proved');
  expect(placeOf(await ask(format(15)))).toBe('format');
}, 250_000);
