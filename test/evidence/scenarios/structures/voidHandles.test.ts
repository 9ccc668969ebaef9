/** Handles that a header hides behind `void *`: which parameters count as one, and what is proved and found so. */
import { declareVoidHandles, voidHandles } from '../../../../src/evidence/scenarios/structures/voidHandles';
import { verify, type Task, type Verdict } from '../../../../src';
import { specifications } from '../../../engines/angelic/lists';
import { file, task } from '../../../engines/task';
import { inLongForm } from '../../../long';
import { programOf } from '../../../program/programOf';

jest.setTimeout(300_000);

const box = (put: string): string => `#include <stdlib.h>
typedef struct { int n; int v[4]; } box_t;
void *box_new(void) { box_t *b = malloc(sizeof *b); b->n = 0; return b; }
int box_put(void *h, int x) { box_t *b = h; if (b == NULL || ${put}) return 0; b->v[b->n++] = x; return 1; }
int box_count(const void *h) { return h ? ((const box_t *)h)->n : 0; }
void box_free(void *h) { free(h); }
void fill(void *bytes, int n) { unsigned char *at = bytes; while (n-- > 0) at[n] = 0; }
`;
const initialisedBy = [{ type: 'box_t', functions: ['box_new'] }];

test('parameters that are converted to the structure or freed are handles, others are not', () => {
  const program = programOf(box('b->n == 4'));
  expect(voidHandles(program.functions)).toEqual([]);
  declareVoidHandles(program, initialisedBy);
  const own = voidHandles(program.functions.filter(({ library }) => !library));
  expect(own.map(({ fn, name }) => `${fn.name} ${name}`)).toEqual(['box_put h', 'box_count h', 'box_free h']);
});

test('what is freed as it is may be either of two structures, and counts as none', () => {
  const program = programOf(
    `${box('b->n == 4')}typedef struct { int m; } bag_t;\n` +
      'void *bag_new(void) { bag_t *b = malloc(sizeof *b); return b; }',
  );
  declareVoidHandles(program, [...initialisedBy, { type: 'bag_t', functions: ['bag_new'] }]);
  const own = voidHandles(program.functions.filter(({ library }) => !library));
  expect(own.map(({ fn }) => fn.name)).toEqual(['box_put', 'box_count']);
});

test('parameters that are passed on or copied are handles, those that are assigned are not', () => {
  const program = programOf(`${box('b->n == 4')}static void *last;
static void set(box_t *b) { b->n = 2; }
static void again(void *h) { set(h); }
void box_tag(void *h) { if (h) again(h); }
void box_copy(void *h) { void *q = h; if (q) ((box_t *)q)->n = 1; }
void box_other(void *h) { h = last; box_t *b = h; if (b) b->n = 1; }
`);
  declareVoidHandles(program, initialisedBy);
  const own = voidHandles(program.functions.filter(({ library }) => !library));
  const names = own.map(({ fn }) => fn.name);
  expect(names).toEqual(['box_put', 'box_count', 'box_free', 'again', 'box_tag', 'box_copy']);
});

const ask = (text: string, change: Partial<Task>): Promise<Verdict> =>
  verify(task(file(text), { budget: { milliseconds: 120_000 }, ...change }));
/** Without the function that takes any bytes. */
const alone = (put: string): string => box(put).replace(/void fill.*\n/, '');

inLongForm('a module behind a handle of no type is proved', async () => {
  const verdict = await ask(alone('b->n == 4'), { initialisedBy });
  expect(verdict.kind).toBe('proved');
  expect(verdict.assumptions).toContain(
    'pointers to void that count as such a structure: h of box_put, h of box_count, h of box_free',
  );
});

test('a bug behind a handle of no type', async () => {
  expect(await ask(alone('b->n == 5'), { initialisedBy })).toMatchObject({
    kind: 'bug',
    counterexample: { failure: { check: 'array-bounds' }, stack: [{ function: 'box_put' }] },
  });
});

test('a function that returns no such structure', async () => {
  const told = [{ type: 'box_t', functions: ['other'] }];
  await expect(ask(`${alone('b->n == 4')}void *other(void) { return 0; }`, { initialisedBy: told })).rejects.toThrow(
    'initialisedBy: other has no parameter that points to box_t, and what it returns is none that it knows as one',
  );
});

inLongForm('the function that makes the structure is offered', async () => {
  const verdict = await ask(alone('b->n == 4'), { furtherChecks: 'briefly' });
  expect(specifications(verdict)).toEqual(['box_t is set up by box_new']);
});
