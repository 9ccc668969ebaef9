/** Pointers inside objects that functions without a body return: guarantees about them are judged by formula. */
import { verify } from '../../../src';
import type { Task, Verdict } from '../../../src';
import { inLongForm } from '../../long';
import { file, task } from '../task';
import { errors, specifications } from './lists';

/** Each takes several seconds. */

jest.setTimeout(900_000);

const ask = (text: string, change: Partial<Task> = {}): Promise<Verdict> =>
  verify(
    task(file(text), {
      load: { externals: 'angelic' },
      angelic: true,
      furtherChecks: 'to the end',
      budget: { milliseconds: 120_000 },
      ...change,
    }),
  );

/** For those with an error, which use up what they are given. */
const brief: Partial<Task> = { budget: { milliseconds: 20_000 } };

const next = (use: string): string => `
#include <stddef.h>
struct item { int *value; };
extern struct item *next(void);
int seen;
int use(void) { struct item *i = next(); if (i == NULL) return 0; ${use} }`;

test('a pointer behind a result leads to an object', async () => {
  const verdict = await ask(next('return *i->value % 7;'));
  expect(errors(verdict)).toEqual([]);
  expect(specifications(verdict)).toContain('next() ensures result == NULL || PROVEST_LENGTH(result->value) >= 1');
});

inLongForm('a test for null says that it may lead to none', async () => {
  const verdict = await ask(next('if (i->value == NULL) seen = 1; return *i->value % 7;'), brief);
  expect(errors(verdict)).toEqual(['use: null pointer dereference: i->value']);
  expect(verdict).toMatchObject({ angelic: { refused: [{ condition: 'i->value == NULL', outcome: true }] } });
});

inLongForm('a failure that comes with an object, too, is an error', async () => {
  const verdict = await ask(next('int *p = i->value; p = NULL; return *p;'), { properties: ['memsafety'], ...brief });
  expect(errors(verdict)).toEqual(['use: null pointer dereference: p']);
});

inLongForm('AV-02: figure 1 of the paper, two errors and four specifications', async () => {
  const verdict = await ask(
    `
extern int *Lib1(void);
extern int **Lib2(void);
extern void assert(int c);
#define NULL ((void *)0)
int gs;
void Bar(int *x) { if (x != NULL) gs = 1; else gs = 2; assert(x != NULL); *x = 5; }
void Baz(int *y) { assert(y != NULL); *y = 4; }
void FooBar(void) {
  int **z = (int **)Lib1();
  assert(z != NULL);
  *z = NULL;
  int **x = Lib2();
  assert(x != NULL);
  int *w = *x;
  assert(w != NULL);
  *w = 4;
}
void Foo(int *z) { Bar(z); Baz(NULL); FooBar(); }`,
    { load: { externals: 'angelic', idioms: true }, properties: ['reach'], budget: { milliseconds: 300_000 } },
  );
  expect([...errors(verdict)].sort()).toEqual(['Bar: assertion failed: x != NULL', 'Baz: assertion failed: y != NULL']);
  expect(specifications(verdict)).toEqual([
    'Baz: y != NULL',
    'Lib1() ensures result != NULL',
    'Lib2() ensures result != NULL',
    // Beside the one before it says the same as `*result != NULL`.
    'Lib2() ensures result == NULL || *result != NULL',
  ]);
  // Baz keeps it as an entry; the check fails all the same, since Foo passes null.
  expect(verdict).toMatchObject({ suggestion: expect.stringContaining("Baz: 'y != NULL'") as unknown });
});
