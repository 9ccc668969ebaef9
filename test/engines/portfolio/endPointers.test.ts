/**
 * Proofs of a stricter program, without pointers one past the end of an array that is a member: they divide memory into
 * members, and say nothing of a program that has such pointers.
 */
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { verify } from '../../../src';
import type { ProofMemory } from '../../../src/proofCache';
import type { Property } from '../../../src/program/command';
import type { Task } from '../../../src/task';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';

jest.setTimeout(200_000);

const types = `
struct entry { char name[4]; int age; };
static struct { struct entry items[3]; int count; } book;
`;
const book = (most: string): string => `${types}
int add(char first, int age) {
  if (book.count > ${most}) return -1;
  struct entry *e = &book.items[book.count];
  for (int i = 0; i < 3; i++) e->name[i] = first;
  e->age = age;
  return book.count++;
}
int age(int i) { return i >= 0 && i < book.count ? book.items[i].age : -1; }
`;

const stricterOf = async (text: string, changes: Partial<Task> = {}): Promise<Problem | undefined> => {
  const asked = task(file(text), changes);
  const budget = Budget.start(asked.budget);
  const problem = Problem.examine(asked, budget, {});
  try {
    return problem.withoutEnds(asked, budget);
  } finally {
    await problem.solvers.close();
  }
};

test('a table whose entries are filled in through a pointer is proved', async () => {
  expect(await stricterOf(book('2'))).toBeDefined();
  const verdict = await verify(task(file(book('2'))));
  expect(verdict.kind).toBe('proved');
  expect(verdict.kind === 'proved' && verdict.checks?.every(({ status }) => status === 'proved')).toBe(true);
});

test('an entry one past the end is filled in: the counter behind it is overwritten, and the object left', async () => {
  const verdict = await verify(task(file(book('3'))));
  expect(verdict.kind).toBe('bug');
  expect(verdict.kind === 'bug' && verdict.counterexample.failure.check).not.toBe('array-bounds');
});

const end = (then: string): string => `
void reach_error(void);
${types}
int add(char first, int age) {
  if (book.count >= 3) return -1;
  struct entry *e = &book.items[book.count];
  for (int i = 0; i < 3; i++) e->name[i] = first;
  e->age = age;
  return book.count++;
}
int room(unsigned from) {
  if (from > 3) return 0;
  struct entry *last = &book.items[from];
  ${then}
  return (int)(&book.items[3] - last);
}
`;

test.each<[string, readonly Property[] | undefined]>([
  ['with all checks', undefined],
  ['with bounds left out', ['reach']],
])('code behind a pointer to the end that C allows is not ruled out, %s', async (_, properties) => {
  const asked = task(file(end('if (from == 3) reach_error();')), {
    ...(properties && { properties }),
    load: { externals: 'any', idioms: true },
    budget: { milliseconds: 20_000 },
  });
  const verdict = await verify(properties ? asked : { ...asked, properties: [...asked.properties, 'reach'] });
  expect(verdict.kind).toBe('bug');
  expect(verdict.kind === 'bug' && verdict.counterexample.failure.property).toBe('reach');
});

test('a module that makes such a pointer, and leaves it alone, has no error', async () => {
  const verdict = await verify(task(file(end('')), { budget: { milliseconds: 20_000 }, load: { externals: 'any' } }));
  expect(['proved', 'unknown', 'potential-error']).toContain(verdict.kind);
});

test('what is remembered of the stricter program is not taken for what is known of the program', async () => {
  const kept = new Map<string, unknown>();
  const memory: ProofMemory = {
    recall: (name) => kept.get(name),
    keep: (name, contents) => {
      kept.set(name, contents);
      return undefined;
    },
  };
  for (const isKnown of [false, true]) {
    const { kind, statistics } = await verify(task(file(book('2'))), { memory });
    expect(kind).toBe('proved');
    expect(statistics.reused !== undefined).toBe(isKnown);
    expect([...kept.keys()].filter((name) => !name.includes('without end pointers'))).toEqual([]);
  }
});

test('where the bound is assumed, it is that of C', async () => {
  expect(await stricterOf(book('2'), { properties: ['reach'] })).toBeUndefined();
  const suppressed = book('2').replace(
    '[book.count];',
    '[book.count]; // provest-suppress array-bounds: it is counted',
  );
  expect(await stricterOf(suppressed)).toBeUndefined();
});

/** The sum is 1 or 2, and of the other operands one evaluation in either order has not all results. */
const orders = (sum: string): string => `
#include <assert.h>
${book('2')}
static unsigned last;
static unsigned set(unsigned value) { return last = value; }
static unsigned get(void) { return last; }
void sum(void) {
  last = 0;
  unsigned both = get() + set(1);
  assert(${sum});
}
unsigned mixed(unsigned a, unsigned b, unsigned c, unsigned d) { return a ^ b ^ c ^ d; }
unsigned four(void) { return mixed(set(1), get(), set(2), get()); }
`;

test.each<[string, Verdict['kind']]>([
  ['both == 1', 'bug'],
  ['both == 1 || both == 2', 'proved'],
])('operands are evaluated in either order in the stricter program, too: %s', async (sum, expected) => {
  expect(await stricterOf(orders(sum))).toBeDefined();
  expect((await verify(task(file(orders(sum))))).kind).toBe(expected);
});
