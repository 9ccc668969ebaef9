/** Pointers to const that the module hands out and does not get back, and what they lead to as a region of its own. */
import { verify } from '../../../src';
import { Budget } from '../../../src/budget';
import { exclusionsToState } from '../../../src/abstraction/transitionSystem/clients/sharedStructures';
import { Problem } from '../../../src/engines/problem';
import { argumentScope } from '../../../src/host/probeScope';
import { readCProbe } from '../../../src/host/cProbe';
import { loadProgram } from '../../../src/program';
import type { Task } from '../../../src/task';
import { file, task } from '../../engines/task';

jest.setTimeout(240_000);

type Requires = NonNullable<Task['requires']>;

function stated(path: string, conditions: Readonly<Record<string, string>>): Requires {
  const program = loadProgram([path], {});
  return Object.entries(conditions).map(([name, condition]) => {
    const scope = argumentScope(program, 'the module', program.functionByName.get(name)!);
    const probe = readCProbe(condition, scope, program.enumConstants);
    if (probe.kind === 'mistake') throw new Error(probe.message);
    return { function: name, formula: probe.formula, said: { c: condition } };
  });
}

async function inProblem<T>(
  text: string,
  conditions: Readonly<Record<string, string>>,
  look: (problem: Problem) => T,
): Promise<T> {
  const path = file(text);
  const asked = task(path, { requires: stated(path, conditions) });
  const problem = Problem.examine(asked, Budget.start({ milliseconds: 60_000 }), {});
  try {
    return look(problem);
  } finally {
    await problem.solvers.close();
  }
}

/** Functions whose results clients do not hand back. */
const keptIn = (text: string, conditions: Readonly<Record<string, string>> = {}): Promise<readonly string[]> =>
  inProblem(text, conditions, ({ program, system }) => {
    const { keptResults } = system.memoryModel.regions;
    return program.functions.flatMap(({ name, resultVariable }) =>
      resultVariable && keptResults.has(resultVariable) ? [name] : [],
    );
  });

const table = `
#include <string.h>
static struct entry { char name[12]; int score; } table[3];
static int used;`;
const add = `
int add(const char *name) {
  if (!name || used == 3) return -1;
  strncpy(table[used].name, name, 11);
  table[used].name[11] = 0;
  table[used].score = used;
  return used++;
}`;
const nameOf = `
const char *name_of(int i) { return i >= 0 && i < used ? table[i].name : ""; }`;
const separate = { add: '!PROVEST_SAME_OBJECT(name, table)' };

test('a result that a precondition keeps from the only argument is not handed back', async () => {
  expect(await keptIn(table + add + nameOf)).toEqual([]);
  expect(await keptIn(table + add + nameOf, separate)).toEqual(['name_of']);
  const joined = { add: 'name != NULL && (PROVEST_TERMINATED(name) && !PROVEST_SAME_OBJECT(table[0].name, name))' };
  expect(await keptIn(table + add + nameOf, joined)).toEqual(['name_of']);
});

test('without arguments that could lead there no precondition is needed', async () => {
  const push = '\nint push(int score) { if (used == 3) return -1; table[used].score = score; return used++; }';
  expect(await keptIn(table + push + nameOf)).toEqual(['name_of']);
  // A buffer that is written is no place for a pointer to const.
  const copy = '\nvoid copy(char *out) { if (out && used) strcpy(out, table[0].name); }';
  expect(await keptIn(table + push + nameOf + copy)).toEqual(['name_of']);
});

test.each([
  ['the condition holds of some calls only', { add: 'used == 0 || !PROVEST_SAME_OBJECT(name, table)' }, '', nameOf],
  ['it is the opposite', { add: 'PROVEST_SAME_OBJECT(name, table)' }, '', nameOf],
  ['it is about another table', { add: '!PROVEST_SAME_OBJECT(name, other)' }, '\nstatic char other[4];', nameOf],
  [
    'another argument may lead there',
    separate,
    '\nint find(const char *text) { return text && strcmp(text, table[0].name) == 0; }',
    nameOf,
  ],
  [
    'a pointer to void may, too',
    separate,
    '\nint first(const void *at) { return at ? *(const char *)at : 0; }',
    nameOf,
  ],
  [
    'a structure of const, too',
    separate,
    '\ntypedef struct { const char c[8]; } word;\nint first(word *w) { return w ? w->c[0] : 0; }',
    nameOf,
  ],
  ['clients may write there', separate, '', nameOf.replace('const char', 'char').replace('""', '(char *)0')],
  [
    'clients store pointers where the module reads them',
    { ...separate, length: '!PROVEST_SAME_OBJECT(p, table)' },
    '\nstruct pair { const char *key; };\n' +
      'int length(const struct pair *p) { return p && p->key ? (int)strlen(p->key) : 0; }',
    nameOf,
  ],
  [
    'clients store pointers where a pointer to void leads',
    { ...separate, length: '!PROVEST_SAME_OBJECT(p, table)' },
    '\nint length(const void *p) { const char *const *at = p; return at && *at ? (int)strlen(*at) : 0; }',
    nameOf,
  ],
  [
    'the result may be an argument',
    separate,
    '',
    '\nconst char *name_of(const char *i) { return i && *i ? i : table[0].name; }',
  ],
  [
    'pointers are compared with a literal',
    separate,
    '\nstatic const char *const none = "";\nint is_none(int i);',
    '\nconst char *name_of(int i) { return i > 0 ? none : table[0].name; }' +
      '\nint same(const char *name) { return name == none; }',
  ],
  [
    'it leads to a variable that has no name outside its function',
    separate,
    '',
    '\nconst char *name_of(int i) { static char last[4]; last[0] = (char)i; return last; }',
  ],
  [
    'it leads to a block',
    separate,
    '\n#include <stdlib.h>',
    '\nconst char *name_of(int i) { char *p = malloc(4); if (p) p[0] = (char)i; return p; }',
  ],
])('%s: it may be handed back', async (_, conditions: Readonly<Record<string, string>>, before, result) => {
  const all: Record<string, string> = { ...conditions };
  if (result.includes('same(')) all.same = '!PROVEST_SAME_OBJECT(name, table)';
  expect(await keptIn(table + before + add + result, all)).toEqual([]);
});

test('a literal whose characters are compared may be one of the client as well', async () => {
  const text = `${table}
static const char *const none = "";
const char *name_of(int i) { return i > 0 ? none : table[0].name; }
int same(const char *name) { return name && name[0] == none[0]; }`;
  expect(await keptIn(text, { same: '!PROVEST_SAME_OBJECT(name, table)' })).toEqual(['name_of']);
});

test('what it leads to has pointers: clients follow them', async () => {
  const text = `
static int counts[2];
static struct entry { int *count; } table[2] = { { &counts[0] }, { &counts[1] } };
const struct entry *entry_of(int i) { return i >= 0 && i < 2 ? &table[i] : 0; }
int count_of(int i) { return i >= 0 && i < 2 ? counts[i] : 0; }`;
  expect(await keptIn(text)).toEqual([]);
});

test('the conditions that would keep it apart', async () => {
  const conditions = (text: string, said: Readonly<Record<string, string>> = {}): Promise<readonly string[]> =>
    inProblem(text, said, ({ system }) =>
      exclusionsToState(system.program, system.options, new Set()).map(
        ({ fn, parameter, object }) => `${fn.name}: ${parameter.name}, ${object.name}`,
      ),
    );
  expect(await conditions(table + add + nameOf)).toEqual(['add: name, table']);
  expect(await conditions(table + add + nameOf, separate)).toEqual([]);
  expect(await conditions(table + add)).toEqual([]);
});

const wrong = `
#include <assert.h>
#include <string.h>
static char last[4];
static unsigned key;
void unlock(unsigned k) { key = k; }
const char *get(void) { return last; }
void put(const char *text) {
  if (!text) return;
  char before = text[0];
  last[0] = 'x';
  last[3] = 0;
  if (key * 2654435761u == 0x5bd1e995u) assert(text[0] == before);
}`;

test('a client that hands it back is one of those that a proof is about, unless it is excluded', async () => {
  const path = file(wrong);
  const ask = (requires: Requires, milliseconds: number) => verify(task(path, { requires, budget: { milliseconds } }));
  expect((await ask(stated(path, { put: 'PROVEST_LENGTH(text) > 0' }), 6_000)).kind).not.toBe('proved');
  const said = 'PROVEST_LENGTH(text) > 0 && !PROVEST_SAME_OBJECT(text, last)';
  const proof = await ask(stated(path, { put: said }), 60_000);
  if (proof.kind !== 'proved') throw new Error(proof.kind);
  expect(proof.assumptions).toContain(
    'clients do not write through the pointers to const that they get from get, nor pass them as others',
  );
});

/** A client may pass the literal: then the assertion fails. */
const none = `${table}
static const char *const none = "";
static const char *last;
const char *name_of(int i) { return i > 0 ? table[0].name : none; }
int is_long(const char *name) { last = name; return name && name[0] && name[1]; }
int is_last(int i) { return last && i >= 0 && i < 1 && last[i] == 0; }`;

test.each([
  ['the argument', { is_long: 'name == NULL || name == none' }],
  ['the argument, the other way round', { is_long: 'name != NULL && (none == name || name[0] == 97)' }],
  ['objects', { is_long: 'name == NULL || PROVEST_SAME_OBJECT(none, name)' }],
  ['its choice', { is_long: '(used > 0 ? none : name) == name' }],
  ['a pointer that was stored', { is_long: 'name != NULL', is_last: 'last == NULL || last == none' }],
])('a precondition that compares pointers to a literal keeps nothing apart: %s', async (_, conditions) => {
  const { is_long: said, ...others } = conditions as Record<string, string>;
  const apart = `(${said}) && !PROVEST_SAME_OBJECT(name, table)`;
  expect(await keptIn(none, { ...others, is_long: apart })).toEqual([]);
});

test('preconditions on numbers, null and other objects keep it apart from literals, too', async () => {
  const said = 'name != NULL && used < 3 && table[0].score <= used && name[0] != table[0].name[0]';
  expect(await keptIn(none, { is_long: `${said} && !PROVEST_SAME_OBJECT(name, table)` })).toEqual(['name_of']);
});

test.each([
  ['a pointer to an array', 'const char (*names)[12]'],
  ['an array of arrays', 'const char names[][12]'],
])('elements that are const make %s one to const', async (_, parameter) => {
  const first = `\nint first(${parameter}) { return names ? names[0][0] : 0; }`;
  expect(await keptIn(table + add + nameOf + first, separate)).toEqual([]);
  const both = { ...separate, first: '!PROVEST_SAME_OBJECT(names, table)' };
  expect(await keptIn(table + add + nameOf + first, both)).toEqual(['name_of']);
});

/** Arguments of a client's own lead to the beginnings of objects: one never leads behind where the other does. */
test('pointers behind the beginning of a literal may be compared with others there', async () => {
  const module = (inside: string, compare: string): string => `${table}
const char *name_of(int i) { return i == 0 ? ${inside} : i == 1 ? "abc" : table[0].name; }
int is_next(const char *a, const char *b) { return a && b && a[0] && a[1] && ${compare}; }`;
  const said = { is_next: '!PROVEST_SAME_OBJECT(a, table) && !PROVEST_SAME_OBJECT(b, table)' };
  expect(await keptIn(module('"abc" + 1', 'a + 1 == b'), said)).toEqual([]);
  expect(await keptIn(module('"abc" + 1', '(long)a + 1 == (long)b'), said)).toEqual([]);
  expect(await keptIn(module('"abc" + 1', 'a[1] == b[0]'), said)).toEqual(['name_of']);
  expect(await keptIn(module('"ab"', 'a + 1 == b'), said)).toEqual(['name_of']);
});
