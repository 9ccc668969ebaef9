/** A contract that changes something would make what is proved another program than what compilers build. */
import { verify } from '../../../src';
import { file, task } from '../task';
import { inLongForm } from '../../long';

const text = (contract: string, more = ''): string =>
  '#include <provest.h>\nstatic int n;\nstruct pair { int a, b; };\n' +
  'static struct pair both(int a) { struct pair p = {a, a}; return p; }\n' +
  'static int fix(void) { n = 5; return 1; }\nstatic int twice(void) { return fix(); }\n' +
  'static int is_set(int k) { int r = 0; if (k != 0) r = 1; return r; }\nstatic int mutual(int k);\n' +
  'static int other(int k) { int r = k > 0 ? mutual(k - 1) : 1; n = 5; return r; }\n' +
  `static int mutual(int k) { return k > 0 ? other(k - 1) : 1; }\n${more}void set(int k) { n = k; }\n` +
  'int keep(void) { return fix() + twice() + is_set(n) + other(1) + both(1).b; }\n' +
  `int get(void) { ${contract}; return 10 / n; }\n`;

test.each([
  'PROVEST_REQUIRES(fix())',
  'PROVEST_INVARIANT(fix())',
  'PROVEST_REQUIRES(twice())',
  'PROVEST_ENSURES(fix())',
  'PROVEST_REQUIRES(is_set(fix()))',
  'PROVEST_REQUIRES(n > 0 && is_set(twice() + 1))',
  'PROVEST_OLD(int, before, fix())',
  'PROVEST_OLD(long, before, 1 + fix())',
  'PROVEST_OLD(const int *, before, (const int *)(fix() ? &n : 0))',
  'PROVEST_OLD(struct pair, before, both(fix()))',
  'PROVEST_OLD(int, before, both(fix()).a)',
  'PROVEST_REQUIRES(mutual(3))',
])('%s proves nothing', async (contract) => {
  expect(await verify(task(file(text(contract))))).toMatchObject({
    kind: 'unknown',
    reason: { cause: 'unsupported-construct', message: expect.stringContaining('contract') as string },
  });
});

test('a function that only computes may be called', async () => {
  expect((await verify(task(file(text('PROVEST_REQUIRES(is_set(n))'))))).kind).toBe('proved');
});

test.each([
  'PROVEST_REQUIRES(({ n = 5; 1; }))',
  'PROVEST_OLD(int, before, n++)',
  'PROVEST_REQUIRES(((struct pair){ n = 5, 1 }).a)',
  'PROVEST_REQUIRES(_Generic(n, int: n++, default: 1))',
])('%s is an error', async (contract) => {
  await expect(verify(task(file(text(contract))))).rejects.toThrow(/a contract changes nothing/);
});

test('what a value was before may be computed, and be a structure', async () => {
  const verdict = await verify(
    task(
      file(
        '#include <provest.h>\nstruct pair { int a, b; };\nstatic struct pair now;\n' +
          'static int sum(int a, int b) { return (a & 7) + (b & 7); }\n' +
          'void swap(void) { PROVEST_OLD(struct pair, before, now); PROVEST_OLD(int, all, sum(now.a, now.b)); ' +
          'PROVEST_ENSURES(now.a == before.b && sum(now.b, now.a) == all); int t = now.a; now.a = now.b; ' +
          'now.b = t; }\n',
      ),
    ),
  );
  expect(verdict.kind).toBe('proved');
});

describe('a loop in what a contract calls', () => {
  const looping = (body: string): string =>
    `#include <provest.h>\nstatic int spin(int k) { while (k > 5) k--; return 1; }\nint get(int k) { ${body} }\n`;
  const assumption = 'contracts come to an end: they call spin';

  test.each([
    'PROVEST_INVARIANT(spin(k)); return 10 / (k == k);',
    'int r = k; PROVEST_ENSURES(spin(r)); return 1;',
    'PROVEST_REQUIRES(spin(k)); return 1;',
  ])('%s proves what it proves if the loop ends', async (body) => {
    expect(await verify(task(file(looping(body))))).toMatchObject({
      kind: 'proved',
      assumptions: expect.arrayContaining([assumption]) as string[],
    });
  });

  inLongForm('is not mentioned where the program itself calls it', async () => {
    expect((await verify(task(file(looping('return spin(k);'))))).assumptions).not.toContain(assumption);
  });
});

describe('what ends in a contract goes on in the program', () => {
  const ending = (contract: string, more = '', ends = 'k == 0'): string =>
    '#include <provest.h>\nvoid reach_error(void);\nvoid __VERIFIER_assume(int condition);\n' +
    'struct node { int value; };\n' +
    `${more}int get(const struct node *node, int k) { ${contract}; if (${ends}) reach_error(); return 0; }\n`;
  const onlyReach = (text: string) => verify(task(file(text), { properties: ['reach'] }));

  test.each([
    ['PROVEST_INVARIANT(node->value > 0 || 1)', '!node', 'null-dereference'],
    ['PROVEST_INVARIANT(10 / k > 0 || 1)', 'k == 0', 'division-by-zero'],
    ['PROVEST_OLD(struct node, before, *node)', '!node', 'null-dereference'],
  ])('%s is checked though only assertions are asked for', async (contract, ends, check) => {
    expect(await onlyReach(ending(contract, '', ends))).toMatchObject({
      kind: 'bug',
      counterexample: { failure: { check } },
    });
  });

  test.each([
    ['PROVEST_INVARIANT((__VERIFIER_assume(k > 0), 1))', ''],
    ['PROVEST_INVARIANT(positive(k))', 'static int positive(int k) { __VERIFIER_assume(k > 0); return 1; }\n'],
    [
      'PROVEST_INVARIANT(value_of(node) || 1)',
      'static int value_of(const struct node *node) { return node->value; }\n',
    ],
    [
      'PROVEST_INVARIANT(quotient(k) || 1)',
      '// provest-suppress division-by-zero: nobody divides by zero\nstatic int quotient(int k) { return 10 / k; }\n',
    ],
  ])('%s proves nothing', async (contract, more) => {
    expect(await onlyReach(ending(contract, more, '!node || k == 0'))).toMatchObject({
      kind: 'unknown',
      reason: {
        cause: 'unsupported-construct',
        message: expect.stringContaining('a contract may change something or end here') as string,
      },
    });
  });

  test('nothing ends where the asked properties include what is checked there', async () => {
    const text =
      '#include <provest.h>\nstatic int t[3];\nstatic int at(const int *p, int n) { return p[n]; }\n' +
      'int get(int n) { PROVEST_REQUIRES(0 <= n && n < 3); PROVEST_INVARIANT(at(t, n) == 0); return t[n]; }\n';
    expect((await verify(task(file(text)))).kind).toBe('proved');
  });
});

test.each([
  'int get(void) { PROVEST_OLD(int, n, 5); return 10 / n; }',
  'int get(int n) { { PROVEST_OLD(int, n, 5); return 10 / n; } }',
  'int get(void) { PROVEST_OLD(char, n, 5); return sizeof n; }',
  'int get(int k) { PROVEST_OLD(const int, n, 5); switch (k) { case n: return 1; } return 0; }',
])('%s: an old value is no variable of the program', async (text) => {
  await expect(
    verify(task(file(`#include <provest.h>\nstatic int n;\nvoid set(int k) { n = k; }\n${text}\n`))),
  ).rejects.toThrow(/'n' is there for contracts alone/);
});

test.each([
  'extern int n;\nPROVEST_OLD(int, n, 5);\nint get(void) { return 10 / n; }',
  'int get(void) { PROVEST_OLD(static int, n, 5); PROVEST_ENSURES(n == 5); return 1; }',
])('%s keeps no old value', async (text) => {
  await expect(verify(task(file(`#include <provest.h>\n${text}\n`)))).rejects.toThrow(
    /PROVEST_OLD keeps a value until the function returns/,
  );
});

test('an old value may be computed from another', async () => {
  expect(
    (
      await verify(
        task(
          file(
            '#include <provest.h>\nstatic unsigned n;\n' +
              'void add(void) { PROVEST_OLD(unsigned, before, n); PROVEST_OLD(unsigned, expected, before + 2); ' +
              'PROVEST_ENSURES(n == expected); n += 2; }\n',
          ),
        ),
      )
    ).kind,
  ).toBe('proved');
});
