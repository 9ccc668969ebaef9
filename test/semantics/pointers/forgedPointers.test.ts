/**
 * Memory that functions without a body reach makes all of it one array of bytes, but not if the program itself never
 * looks into what they are given, as into the context of a listener.
 */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../src/program';
import { mayFillPointers } from '../../../src/semantics/pointers/forgedPointers';
import { verify } from '../../../src/index';
import { file, task } from '../../engines/task';
import { moduleSystem } from '../../abstraction/moduleSystem';
import { inLongForm } from '../../long';

const listeners = `
  #include <string.h>
  typedef void (*listener)(int event, void *context);
  static struct { listener call; void *context; } table[2];
  static unsigned used;
  int add(listener call, void *context) {
    if (call == NULL || used == 2) return -1;
    table[used].call = call;
    table[used].context = context;
    return (int)used++;
  }
  void fire(int event) {
    for (unsigned i = 0; i < used; i++) table[i].call(event, table[i].context);
  }`;

function isOneArray(text: string): boolean {
  const program = loadProgram([file(text)], { externals: 'any' });
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  const options = {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety'] as const),
  } as const;
  return new TransitionSystem(program, options).memoryModel.regions.collapsed;
}

test.each([
  ['handed on alone', '', false],
  ['compared', 'int has(void *context) { return used > 0 && table[0].context == context; }', false],
  ['given back', 'void *latest(void) { return used > 0 ? table[used - 1].context : NULL; }', false],
  ['read as a pointer', 'int *first(void) { return used > 0 ? *(int **)table[0].context : NULL; }', true],
  [
    'copied to a pointer',
    'int *first(void) { int *p = NULL; if (used > 0) memcpy(&p, table[0].context, sizeof p); return p; }',
    true,
  ],
  [
    'copied to other memory',
    'struct box { int *p; }; void save(struct box *b) { if (used > 0) memcpy(b, table[0].context, sizeof *b); }',
    true,
  ],
  ['written as a pointer', 'void keep(int *p) { if (used > 0) *(int **)table[0].context = p; }', true],
  [
    'a structure that is read',
    'struct ctx { int *p; }; extern void outside(struct ctx *); int go(struct ctx *c) { outside(c); return *c->p; }',
    true,
  ],
])('a context that is %s', (_, more, one) => {
  expect(isOneArray(`${listeners}\n${more}`)).toBe(one);
});

inLongForm.each([
  ['used == 2', 'proved'],
  ['used == 3', 'bug'],
])('listeners with a context, and room if not %s', async (full, expected) => {
  const text = listeners.replace('used == 2', full);
  const verdict = await verify(task(file(text), { properties: ['memsafety'], budget: { milliseconds: 120_000 } }));
  expect(verdict.kind).toBe(expected);
});

inLongForm('a pointer that a listener wrote into its context is not believed', async () => {
  const first = 'int first(void) { return used > 0 && table[0].context ? **(int **)table[0].context : 0; }';
  const text = `${listeners}\n${first}`;
  const verdict = await verify(task(file(text), { properties: ['memsafety'], budget: { milliseconds: 20_000 } }));
  expect(verdict.kind).not.toBe('proved');
});

const scanner = (more: string): string => `
  #include <stddef.h>
  int scan(const char *text, const char **start, size_t *length) {
    *start = text;
    for (*length = 0; text[*length] != 0; (*length)++) {}
    return 1;
  }
  ${more}`;

test.each([
  ['only written', '', false],
  ['written once more', 'void forget(const char **start) { *start = NULL; }', false],
  ['read', 'char first(const char **start) { return **start; }', true],
  [
    'copied to a variable that is read',
    '#include <string.h>\nchar first(char *all) { char *p; memcpy(&p, all, sizeof p); return *p; }',
    true,
  ],
  [
    'copied byte by byte',
    'int first(char *all) { int *p; for (int i = 0; i < 8; i++) ((char *)&p)[i] = all[i]; return *p; }',
    true,
  ],
  [
    "in the module's own memory, whose bytes clients get",
    'static int own; static int *p; int byte(int i) { p = &own; return i < 0 || i > 7 ? 0 : ((char *)&p)[i]; }',
    true,
  ],
])('pointers in memory that is also accessed as bytes, %s', (_, more, one) => {
  expect(isOneArray(scanner(more))).toBe(one);
});

const tokens = (stop: string): string => `
  #include <provest.h>
  #include <stddef.h>
  int word(const char *text, const char **end, size_t *length) {
    PROVEST_REQUIRES(PROVEST_TERMINATED(text) && end != NULL && length != NULL);
    const char *p = text;
    while (${stop}*p != ' ') p++;
    *end = p;
    *length = (size_t)(p - text);
    return *p != 0;
  }`;

const answer = async (stop: string): Promise<string> =>
  (await verify(task(file(tokens(stop)), { budget: { milliseconds: 100_000 } }))).kind;

inLongForm('a scanner that stops at the end of the text', async () => {
  expect(await answer('*p != 0 && ')).toBe('proved');
});

test('a scanner that stops at a blank alone', async () => {
  expect(await answer('')).toBe('bug');
});

test('bytes that are not 0 may make pointers', () => {
  const mayFill = (text: string): boolean =>
    mayFillPointers(moduleSystem(`#include <string.h>\n${text}`).memoryModel.regions);
  expect(mayFill('static char *p; int f(void) { memset(&p, 255, sizeof p); return p != NULL; }')).toBe(true);
  expect(mayFill('static char *p; int f(int c) { memset(&p, c, sizeof p); return p != NULL; }')).toBe(true);
  expect(mayFill('static char *p; int f(void) { memset(&p, 0, sizeof p); return p != NULL; }')).toBe(false);
  expect(mayFill('static long n[2]; int f(void) { memset(n, 255, sizeof n); return n[1] != 0; }')).toBe(false);
});
