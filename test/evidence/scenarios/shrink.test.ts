/**
 * A counterexample is told with the fewest calls, the shortest arrays and the least numbers that fail at the same
 * place.
 */
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { type Argument, runScenario, type Scenario } from '../../../src/evidence/scenarios/scenario';
import { shrink } from '../../../src/evidence/scenarios/shrink';
import { defaultProperties } from '../../../src/program/command';
import type { Plain } from '../../../src/verdict';
import { file, task } from '../../engines/task';
import { programOf } from '../../program/programOf';

type Told = number | bigint | readonly number[];
type Calls = readonly (readonly [name: string, ...given: readonly Told[]])[];

function least(text: string, calls: Calls): Calls {
  const program = programOf(text);
  const scenario: Scenario = {
    answers: [],
    calls: calls.map(([name, ...given]) => {
      const fn = program.functionByName.get(name)!;
      return {
        fn,
        arguments: given.map((value, at): Argument => {
          if (typeof value !== 'object') return { kind: 'scalar', value };
          const { ctype } = fn.parameters[at]!;
          if (ctype?.kind !== 'pointer') throw new Error(`${name} takes no array`);
          return { kind: 'object', type: { kind: 'array', of: ctype.to, length: value.length }, contents: [...value] };
        }),
      };
    }),
  };
  const smallest = shrink(program, scenario, {
    checkedProperties: new Set(defaultProperties),
    stepLimit: 1_000_000,
    permits: () => true,
  });
  return smallest.calls.map(({ fn, arguments: given }) => [
    fn.name,
    ...given.map((one) =>
      one.kind === 'object'
        ? (one.contents as Plain & readonly number[])
        : (one as Argument & { readonly value: number | bigint }).value,
    ),
  ]);
}

const queue = `static unsigned char held[16]; static unsigned n;
int put(unsigned char b) { if (n == 16) return 0; held[n++] = b; return 1; }
unsigned long drain(unsigned char *to, unsigned long room) {
  unsigned long i = 0;
  while (i < room && n > 0) to[i++] = held[--n];
  return i;
}`;

test('calls, an array and a number that hang together are all made small', () => {
  const puts = Array.from({ length: 6 }, (_, i) => ['put', i] as const);
  expect(least(queue, [...puts, ['drain', [0, 0, 0, 0, 0], 1152921504606846976n]])).toEqual([
    ['put', 0],
    ['put', 0],
    ['drain', [0], 2n],
  ]);
});

test('a number is the least that fails, also among large ones', () => {
  expect(
    least('#include <assert.h>\nvoid at(unsigned long n) { assert(n < 1000); }', [['at', 18446744073709551615n]]),
  ).toEqual([['at', 1000n]]);
  expect(least('#include <assert.h>\nvoid at(int n) { assert(n > -1000); }', [['at', -2147483648]])).toEqual([
    ['at', -1000],
  ]);
});

test('two calls that undo each other are left out together', () => {
  const text = `#include <stdlib.h>
    struct node { struct node *next; int v; };
    static struct node *head;
    void push(int v) { struct node *x = malloc(sizeof *x); x->v = v; x->next = head; head = x; }
    void pop(void) { struct node *x = head; if (x) { head = x->next; free(x); } }
    int second(void) { return head ? head->next->v : 0; }`;
  expect(least(text, [['push', 1], ['push', 2], ['pop'], ['second']])).toEqual([['push', 0], ['second']]);
});

/** The answers of functions without a body, and the calls that the client makes, of a module with one entry. */
async function leastAnswers(text: string, calls: number, answers: readonly [string, number, number?][]) {
  const given = task(file(text), { load: { externals: 'any' }, properties: ['memsafety'] });
  const problem = new Problem(given, Budget.start(given.budget), {});
  try {
    const { program, entries } = problem;
    const fn = entries[0]!;
    const callBack = { kind: 'call', function: fn.name, arguments: [] } as const;
    const scenario: Scenario = {
      calls: Array.from({ length: calls }, () => ({ fn, arguments: [] })),
      answers: answers.map(([name, value, callsBack = 0]) => ({
        name,
        value,
        type: { kind: 'integer', signed: false, widthBits: 32 },
        ...(callsBack > 0 && { sideEffects: { effects: Array.from({ length: callsBack }, () => callBack) } }),
      })),
    };
    expect(runScenario(program, scenario, problem.scenarioOptions())?.outcome.kind).toBe('fault');
    const smallest = shrink(program, scenario, problem.scenarioOptions());
    expect(smallest.answers.flatMap(({ sideEffects }) => sideEffects ?? [])).toEqual([]);
    return { calls: smallest.calls.length, answers: smallest.answers.map(({ name, value }) => `${name} ${value}`) };
  } finally {
    await problem.solvers.close();
  }
}

const interrupt = `unsigned status(void), data(void);
  static unsigned char frame[3]; static unsigned n;
  void interrupt(void) {
    if (status() & 0x20u) { unsigned char b = (unsigned char)data(); if (b > 6) frame[n++] = b; }
  }`;

test('answers are the least that fail, also if C takes only some of their bits', async () => {
  expect(
    await leastAnswers(interrupt, 4, [
      ['status', 0x12f],
      ['data', 83_999_999],
      ['status', 0xffffffff],
      ['data', 0xc0fffec5],
      ['status', 0x70],
      ['data', 263],
      ['status', 0xe0],
      ['data', 200],
    ]),
  ).toEqual({ calls: 4, answers: Array.from({ length: 4 }, () => ['status 32', 'data 7']).flat() });
});

test('calls back from other code are calls of the client, if they fail as well', async () => {
  expect(
    await leastAnswers(interrupt, 1, [
      ['status', 32, 1],
      ['status', 32],
      ['data', 7, 2],
      ['status', 32],
      ['data', 7],
      ['status', 32],
      ['data', 7],
      ['data', 7],
    ]),
  ).toEqual({ calls: 4, answers: Array.from({ length: 4 }, () => ['status 32', 'data 7']).flat() });
});

test('a call back that has to happen within the call stays there', async () => {
  await expect(
    leastAnswers(
      `unsigned status(void); static char at[1]; static unsigned inside;
      void again(void) { at[inside] = 1; inside++; (void)status(); inside--; }`,
      2,
      [
        ['status', 0],
        ['status', 0, 1],
      ],
    ),
  ).rejects.toThrow('"kind": "call"');
});

test('a call that only reads the structure it makes is left out, one that may set it up is not', () => {
  const program = programOf(`struct filter { int window[4]; unsigned next; };
    int is_full(const struct filter *f) { return f->next == 4; }
    void prepare(struct filter *f) { f->next = 4; }
    void add(struct filter *f) { f->window[f->next] = 1; }`);
  const called = (first: 'is_full' | 'prepare', next: number): readonly string[] => {
    const [before, add] = [first, 'add'].map((name) => program.functionByName.get(name)!);
    const { ctype } = before!.parameters[0]!;
    if (ctype?.kind !== 'pointer') throw new Error('a pointer');
    const { const: _, ...type } = ctype.to;
    const scenario: Scenario = {
      answers: [],
      calls: [
        { fn: before!, arguments: [{ kind: 'object', type, contents: { window: [0, 0, 0, 0], next } }] },
        { fn: add!, arguments: [{ kind: 'earlier', call: 0, argument: 0 }] },
      ],
    };
    const options = {
      checkedProperties: new Set(defaultProperties),
      stepLimit: 1_000,
      permits: () => true,
    };
    expect(runScenario(program, scenario, options)?.outcome.kind).toBe('fault');
    return shrink(program, scenario, options).calls.map(({ fn }) => fn.name);
  };
  expect(called('is_full', 4)).toEqual(['add']);
  expect(called('prepare', 0)).toEqual(['prepare', 'add']);
});

test('a text is one of letters, if that fails as well', () => {
  const put = `#include <string.h>
    static char name[4];
    void put(const char *text) { strcpy(name, text); }
    void escape(const char *text) { if (text[0] == 27 && text[1]) name[4] = 0; }`;
  expect(least(put, [['put', [200 - 256, 7, 1, 9, 0]]])).toEqual([['put', [97, 97, 97, 97, 0]]]);
  expect(least(put, [['escape', [27, 91, 49, 0]]])).toEqual([['escape', [27, 1]]]);
});

test('a text that has to end is made shorter before its end', () => {
  const classes = `#include <string.h>
    int classes(const char *p) {
      int i = 0, found = 0;
      if (strlen(p) > 100) return 0;
      while (p[i] != 0) {
        if (p[i] == '[') { while (p[++i] != ']' && p[i] != 0) found++; }
        i++;
      }
      return found;
    }`;
  const text = [...'x[abc]y[aaaaaaa'].map((character) => character.charCodeAt(0));
  expect(least(classes, [['classes', [...text, 0]]])).toEqual([['classes', [91, 0]]]);
});
