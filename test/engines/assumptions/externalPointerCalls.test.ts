/**
 * What a proof says, and does not say, about functions that the module does not define: the library writes where it
 * says. (Call-backs: see `callBacks.test.ts`.)
 */
import { verify } from '../../../src';
import { file, task } from '../task';
import { ifLong, isLong } from '../../long';

/** `holds`: the assertion is true whatever the library does; otherwise nothing may prove it. */
test.each<[string, boolean]>([
  ['int x = 5, y = 6; scanf("%d", &x); assert(y == 6);', true],
  ['char t[4] = "ab"; FILE *f = fopen("a", "r"); if (f) { fread(t, 1, 4, f); fclose(f); } assert(t[0] == 97);', false],
  ['char t[8] = "ab"; int kept = 3; snprintf(t, 8, "%d", kept); assert(t[0] == 97);', false],
  ['int c = getchar(); assert(c >= -1 && c < 256);', true],
  ['int c = getchar(); assert(c < 128);', false],
  ['assert(rand() >= 0);', true],
  [
    'int *p, x = 1; p = &x; FILE *f = fopen("a", "r"); if (f) { fread(&p, sizeof p, 1, f); fclose(f); } x = 2; ' +
      'assert(p == &x);',
    false,
  ],
  ['assert(time(0) == 1000000000);', false],
  ...ifLong<[string, boolean]>(
    ['int x = 5; scanf("%d", &x); assert(x == 5);', false],
    ['assert(rand() != 1804289383);', false],
    ['assert(getenv("HOME") == 0);', false],
  ),
])(
  '%s',
  async (body, holds) => {
    const headers = '#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n';
    const text = `${headers}void f(void) { ${body} }`;
    const { kind } = await verify(
      task(file(text), { properties: ['reach'], budget: { milliseconds: holds ? 15_000 : 2_500 } }),
    );
    if (holds) expect(['proved', 'unknown', 'potential-error']).toContain(kind);
    else expect(kind).not.toBe('proved');
  },
  60_000,
);

test.each<[string, boolean]>([
  ['int x; scanf("%d", &x);', true],
  ['char t[4]; scanf("%3s", t);', true],
  ['char t[100]; scanf("%s", t);', false],
  ['int x; scanf("%d %d", &x);', false],
  ['printf("%d %ld\\n", 1, 2L);', true],
  ['printf("%d %d\\n", 1);', false],
  ['fprintf(stderr, "%d", 5);', true],
  ['printf("%s %c\\n", 1 > 0 ? "yes" : "no", 65);', true],
  ['char *s = 0; printf("%s", s);', false],
  ['char t[16]; snprintf(t, sizeof t, "%s", "more than there is room for");', true],
  ['char t[16]; snprintf(t, 17, "%s", "sixteen letters!");', false],
  ['char t[32]; sprintf(t + 4, "%d, %s", 5, "five");', true],
  ['char t[32]; sprintf(t, "%40s", "x");', false],
  ['FILE *f = fopen("a", "r"); fprintf(f, "x");', false],
  ['FILE *f = fopen("a", "r"); if (f) { fclose(f); fputs("x", f); }', false],
  ['FILE *f = fopen("a", "r"); if (f) { char b[8]; fgets(b, 8, f); fclose(f); }', true],
  ['FILE *f = fopen("a", "r"); if (f) { char b[8]; fread(b, 1, 9, f); fclose(f); }', false],
  ...ifLong<[string, boolean]>(
    ['char t[3]; scanf("%3s", t);', false],
    ['short x; scanf("%d", (int *)&x);', false],
    ['char s[2] = { 65, 65 }; printf("%s", s);', false],
    ['char t[32]; sprintf(t, "%*d", 32, 1);', false],
    ['char t[32]; sprintf(t, "%f", 1e300);', false],
    ['char t[8]; sprintf(t + 4, "%s", "four");', false],
  ),
])(
  'memory safety of %s',
  async (body, safe) => {
    const text = `#include <stdio.h>\nvoid f(void) { ${body} }`;
    const { kind } = await verify(
      task(file(text), { properties: ['memsafety'], budget: { milliseconds: isLong ? 2_500 : 1_000 } }),
    );
    if (!safe) expect(kind).not.toBe('proved');
    else expect(kind).not.toBe('bug');
  },
  60_000,
);

test('a call of an unknown function where an object of an inner block is not declared', async () => {
  const text = `
    extern void *outside(int *n);
    extern unsigned input(void);
    static int twice(unsigned n) { int r = 0; if (n < 4) r = (int)(2 * n); return r; }
    int main(void) {
      unsigned n = input();
      if (n == 77) { int early[2] = { 3, 1 }; outside(early); }
      int own[2] = { 1, 2 };
      for (unsigned i = 0; i < n; i++) {
        int at = twice(i);
        outside(own);
        own[i & 1] = at;
      }
      return 0;
    }`;
  expect(
    (
      await verify(
        task(file(text), {
          mode: 'program',
          entries: ['main'],
          load: { externals: 'any' },
          budget: { milliseconds: 30_000 },
        }),
      )
    ).kind,
  ).toBe('proved');
});
