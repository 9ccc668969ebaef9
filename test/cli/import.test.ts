/** `provest import`: files of Unity and CMocka tests, what becomes of them, and that it runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadProgram } from '../../src/program';
import { Project } from '../ux/project';
import { snippetsOf } from '../ux/pages';
import { runWith } from './fakes';

let project: Project;
afterEach(() => project.remove());

/** The Jest file that a file of tests becomes, and what was said. */
async function imported(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  project = new Project(files);
  const { code, out, err } = await runWith(['import', ...args], project.folder, () => ({ loadProgram }));
  return { status: code, text: out, said: err };
}

/** Translated statements of one test of the module `m.c`. */
async function statements(c: string, moduleText: string): Promise<string> {
  const { text, said } = await imported(
    { 'm.c': moduleText, 'test_m.c': `#include "unity.h"\n#include "m.h"\nvoid test_it(void) {\n${c}\n}\n` },
    'test_m.c',
  );
  const [, body] = /^test\('it', \(\) => \{\n([^]*?)\n\}\);/m.exec(text) ?? [];
  return body === undefined ? said.trim() : body.replace(/^ {2}/gm, '');
}

const tested = `struct pair { int a; int b; };
enum color { RED, GREEN };
int level;
int f(int x) { return x; }
long wide(void) { return 5; }
const char *name(void) { return "n"; }
int *none(void) { return 0; }
int out(int *p) { *p = 3; return 1; }
int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int first(struct pair *p) { return p->a; }
static int hidden(void) { return 1; }
int shown(void) { return hidden(); }
`;

test.each([
  ['TEST_ASSERT_EQUAL_INT(3, f(3));', 'expect(m.f(3)).toBe(3);'],
  ['TEST_ASSERT_EQUAL_HEX16_MESSAGE(0x10, f(16), "hex");', 'expect(m.f(16)).toBe(0x10);'],
  ['TEST_ASSERT_EQUAL(GREEN, f(GREEN));', 'expect(m.f(m.constants.GREEN)).toBe(m.constants.GREEN);'],
  ['TEST_ASSERT_EQUAL_INT64(5, wide());', 'expect(m.wide()).toBe(5n);'],
  ['TEST_ASSERT_GREATER_THAN(2, f(3));', 'expect(m.f(3)).toBeGreaterThan(2);'],
  ['TEST_ASSERT_INT_WITHIN(2, 10, f(11));', 'expect(Math.abs(m.f(11) - 10)).toBeLessThanOrEqual(2);'],
  ['TEST_ASSERT_EQUAL_STRING("n", name());', 'expect(m.name().string()).toBe("n");'],
  ['TEST_ASSERT_NULL(none());', 'expect(m.none()).toBeNull();'],
  ['TEST_ASSERT_TRUE(f(1) == 1 && f(2) > 1);', 'expect(((m.f(1) === 1) && (m.f(2) > 1))).toBeTruthy();'],
  ['level = 4;\nTEST_ASSERT_EQUAL(4, level);', 'm.global.level = 4;\nexpect(m.global.level).toBe(4);'],
  ["TEST_ASSERT_EQUAL('a', f('a'));", 'expect(m.f(97)).toBe(97);'],
  [
    'int v;\nTEST_ASSERT_EQUAL(1, out(&v));\nTEST_ASSERT_EQUAL(3, v);',
    "const v = m.alloc('int');\nexpect(m.out(v)).toBe(1);\nexpect(v.read()).toBe(3);",
  ],
  [
    'int a[] = { 1, 2, 3 };\na[0] = 5;\nTEST_ASSERT_EQUAL(10, sum(a, 3));',
    "const a = m.alloc('int[3]', [1, 2, 3]);\na.at(0).write(5);\nexpect(m.sum(a, 3)).toBe(10);",
  ],
  [
    'struct pair p = { 0 };\np.a = 7;\nTEST_ASSERT_EQUAL(7, first(&p));\nTEST_ASSERT_EQUAL(7, p.a);',
    "const p = m.new('struct pair');\np.field('a').write(7);\nexpect(m.first(p)).toBe(7);\nexpect(p.read().a).toBe(7);",
  ],
  [
    'unsigned char a[2] = { 1, 2 }, b[2] = { 1, 2 };\nTEST_ASSERT_EQUAL_HEX8_ARRAY(a, b, 2);',
    "const a = m.alloc('unsigned char[2]', [1, 2]);\nconst b = m.alloc('unsigned char[2]', [1, 2]);\n" +
      "expect(b.as('unsigned char').read(2)).toEqual(a.as('unsigned char').read(2));",
  ],
  [
    'assert_in_range(f(3), 0, 9);',
    '{\n  const actual_ = m.f(3);\n  expect(actual_).toBeGreaterThanOrEqual(0);\n' +
      '  expect(actual_).toBeLessThanOrEqual(9);\n}',
  ],
  ['expect_assert_failure(f(3));', 'expect(() => m.f(3)).toThrow();'],
  [
    'for (int i = 0; i < 3; i++) { TEST_ASSERT_EQUAL(i, f(i)); }',
    'for (let i = 0; (i < 3); i++)\n{\n  expect(m.f(i)).toBe(i);\n}',
  ],
])('%s', async (c, js) => expect(await statements(c, tested)).toBe(js));

test.each([
  ['TEST_ASSERT_EQUAL(2, f(7) / 3);', 'the operator /'],
  ['TEST_ASSERT_EQUAL(2, f(1 << 3));', 'the operator <<'],
  ['TEST_ASSERT_EQUAL(2, helper());', "the function helper, which is not the module's"],
  ['TEST_ASSERT_EACH_EQUAL_INT(1, none(), 2);', 'TEST_ASSERT_EACH_EQUAL_INT'],
  ['TEST_ASSERT_EQUAL_INT_ARRAY(level, none(), 2);', 'the arguments of TEST_ASSERT_EQUAL_INT_ARRAY'],
  [
    'TEST_ASSERT_EQUAL(1, hidden());',
    'the function hidden, which is static; -D may make it visible, such as -D UNIT_TESTING',
  ],
  ['goto end; end: ;', 'a statement of kind goto'],
  ['TEST_ASSERT_EQUAL(010, f(8));', 'an octal number'],
  ['TEST_ASSERT_EQUAL((char)300, f(44));', 'this cast'],
])('%s is not understood: the test stays C, and is still to be done', async (c, why) => {
  const { text, said, status } = await imported(
    { 'm.c': tested, 'test_m.c': `#include "unity.h"\nint helper(void);\nvoid test_it(void) {\n  ${c}\n}\n` },
    'test_m.c',
  );
  expect(status).toBe(0);
  expect(text).toContain(
    `test.todo('it');\n// test_m.c:3: not translated: ${why}\n//   void test_it(void) {\n//     ${c}\n`,
  );
  expect(said).toContain(`0 tests translated, 1 function kept as a comment:\n  line 3: test_it: ${why}\n`);
});

test('the example of the page is what the page says, and its tests pass and prove', async () => {
  const [counter, unity, jest] = snippetsOf('docs/coming-from.md').map(({ text }) => text) as [string, string, string];
  const { status, said } = await imported(
    {
      'counter.c': counter,
      'counter.h': 'void counter_reset(void);\nint counter_add(int n);\n',
      'test_counter.c': unity,
    },
    'test_counter.c',
    '--out',
    'counter.test.js',
  );
  expect([status, said]).toEqual([
    0,
    '2 tests translated\ncounter.test.js: written; run it: npx jest counter.test.js\n',
  ]);
  expect(project.read('counter.test.js')).toBe(jest);
  expect(project.jest().status).toBe(0);
  // A second time nothing is overwritten.
  const again = await runWith(['import', 'test_counter.c', '--out', 'counter.test.js'], project.folder, () => ({
    loadProgram,
  }));
  expect([again.code, again.err]).toEqual([3, expect.stringContaining('it is not overwritten')]);
}, 600_000);

test('CMocka: its tests are those that main names; what a bug makes fail fails in Jest, too', async () => {
  const { text } = await imported(
    {
      'src/clamp.c':
        'static int calls;\nint clamp(int x) { if (calls < 9) calls = calls + 1; return x > 9 ? 9 : x; }\n',
      'test/test_clamp.c': `#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include "../src/clamp.h"
static void clamps(void **state) { (void)state; assert_int_equal(clamp(12), 9); assert_in_range(clamp(3), 0, 9); }
static void keeps_negative(void **state) { (void)state; assert_int_equal(clamp(-3), 0); }
int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(clamps), cmocka_unit_test(keeps_negative) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
`,
    },
    'test/test_clamp.c',
    '--out',
    'clamp.test.js',
  );
  expect(text).toBe('');
  expect(project.read('clamp.test.js')).toContain("loadC('./src/clamp.c')");
  const { stderr, status } = project.jest();
  expect(status).toBe(1);
  expect(stderr).toMatch(/✓ clamps/);
  expect(stderr).toMatch(/✕ keeps negative/);
  expect(stderr).toMatch(/✓ is verified/);
}, 600_000);

test('a test that is ignored is skipped; include folders and macros are those of loadC, too', async () => {
  const { said } = await imported(
    {
      'include/led.h': 'int led(int on);\n',
      'src/led.c': '#include "led.h"\n#ifndef PINS\n#error PINS\n#endif\nint led(int on) { return on ? PINS : 0; }\n',
      'test_led.c':
        '#include "unity.h"\n#include "led.h"\nvoid test_led(void) { TEST_ASSERT_EQUAL(4, led(1)); }\n' +
        'void test_later(void) { TEST_IGNORE_MESSAGE("later"); TEST_ASSERT_EQUAL(5, led(1)); }\n',
    },
    'test_led.c',
    ...['-I', 'include', '-D', 'PINS=4', '--data-model', 'ilp32', '--out', 'led.test.js'],
  );
  expect(said).toContain('2 tests translated');
  const text = project.read('led.test.js');
  expect(text).toContain(
    "const led = loadC('./src/led.c', { include: ['include'], define: { PINS: '4' }, dataModel: 'ilp32' });\n",
  );
  expect(text).toContain("test.skip('later', () => {});\n");
  const { stderr, status } = project.jest();
  expect([status, stderr]).toEqual([0, expect.stringMatching(/2 passed, 3 total|1 skipped, 2 passed/)]);
}, 600_000);

test('files that cannot be read, and modules that are not found, are refused with what to do', async () => {
  const unknown = await imported({ 'test_x.c': 'void test_a(void) {}\n' }, 'test_x.c');
  expect([unknown.status, unknown.said]).toEqual([
    3,
    'provest: which C file test_x.c tests is not known\nhint: name it: --module src/stack.c\n',
  ]);
  project.remove();
  const unread = await imported(
    { 'm.c': 'int f(void) { return 1; }\n', 'test_m.c': 'void test_a(void) { widget_t (((; }\n' },
    'test_m.c',
  );
  expect(unread.status).toBe(3);
  expect(unread.said).toMatch(/test_m\.c cannot be read as C: [^]*test_m\.c:1:\d+: error: [^]*\n> 1 \| void test_a/);
  expect(existsSync(join(project.folder, 'm.test.js'))).toBe(false);
});
