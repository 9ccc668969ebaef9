/** Conditions of elements, read off the program, are inductive for many loops, whatever the length of the array. */
import { elementConditions } from '../../../../src/abstraction/candidates/arrays/elementConditions';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { hasQuantifier } from '../../../../src/logic/quantifiers/instances';
import { programOf } from '../../../program/programOf';
import { provesAlone } from './provesAlone';
import { programSystem } from '../../programSystem';

jest.setTimeout(120_000);

const proves = provesAlone(elementConditions);

/** True if the conditions alone prove all assertions; `n`: elements of `a`, `b` and `s`. */
const isProved = (text: string, n: number): Promise<boolean> =>
  proves(
    `#define N ${n}\nstruct two { int left, right; };\nint a[N], b[N]; struct two s[N];\n` +
      `int main(void) { int i, j, v = nondet(), m; int *p; ${text} return 0; }`,
  );

const fill = 'for (i = 0; i < N; i++) a[i] = nondet();';

describe.each([1_000, 100_000])('KT-06: %d elements', (n) => {
  test.each([
    ['init', 'for (i = 0; i < N; i++) a[i] = v; for (i = 0; i < N; i++) assert(a[i] == v);'],
    ['copy', `${fill} for (i = 0; i < N; i++) b[i] = a[i]; for (i = 0; i < N; i++) assert(b[i] == a[i]);`],
    [
      'bounds and low bits of what is computed from inputs',
      'for (i = 0; i < N; i++) a[i] = 4 * (nondet() & 7); ' +
        'for (i = 0; i < N; i++) assert(a[i] >= 0 && a[i] <= 28 && a[i] % 4 == 0);',
    ],
    [
      'two copies',
      `${fill} for (i = 0; i < N; i++) b[i] = a[i]; for (i = 0; i < N; i++) s[i].left = b[i]; ` +
        'for (i = 0; i < N; i++) assert(s[i].left == a[i]);',
    ],
    [
      'copy with an offset',
      `${fill} for (i = 1; i < N; i++) b[i - 1] = a[i]; for (i = 0; i < N - 1; i++) assert(b[i] == a[i + 1]);`,
    ],
    [
      'reversed copy',
      `${fill} for (i = 0; i < N; i++) b[N - 1 - i] = a[i]; for (i = 0; i < N; i++) assert(b[i] == a[N - 1 - i]);`,
    ],
    ['counting down', 'for (i = N - 1; i >= 0; i--) a[i] = v; for (i = 0; i < N; i++) assert(a[i] == v);'],
    ['steps of two', 'for (i = 0; i < N; i += 2) a[i] = v; for (i = 0; i < N; i += 2) assert(a[i] == v);'],
    [
      'members of structures',
      'for (i = 0; i < N; i++) { s[i].left = nondet(); s[i].right = s[i].left; } ' +
        'for (i = 0; i < N; i++) assert(s[i].right == s[i].left);',
    ],
    ['a pointer that walks', 'for (p = a; p < a + N; p++) *p = v; for (i = 0; i < N; i++) assert(a[i] == v);'],
    ['read by a pointer', 'for (i = 0; i < N; i++) a[i] = v; for (p = a; p < a + N; p++) assert(*p == v);'],
    [
      'swap',
      `${fill} for (i = 0; i < N; i++) { b[i] = nondet(); s[i].left = a[i]; s[i].right = b[i]; } ` +
        'for (i = 0; i < N; i++) { m = a[i]; a[i] = b[i]; b[i] = m; } ' +
        'for (i = 0; i < N; i++) assert(a[i] == s[i].right && b[i] == s[i].left);',
    ],
    [
      'maximum',
      `${fill} m = a[0]; for (i = 1; i < N; i++) if (a[i] > m) m = a[i]; for (i = 0; i < N; i++) assert(a[i] <= m);`,
    ],
    [
      'partition',
      `${fill} j = 0; for (i = 0; i < N; i++) if (a[i] > 0) { b[j] = a[i]; j++; } ` +
        'for (i = 0; i < j; i++) assert(b[i] > 0);',
    ],
    [
      'first place of a value',
      `${fill} j = N; for (i = 0; i < N; i++) if (a[i] == v) { j = i; break; } ` +
        'for (i = 0; i < j; i++) assert(a[i] != v);',
    ],
    ['index as value', 'for (i = 0; i < N; i++) a[i] = 2 * i; for (i = 0; i < N; i++) assert(a[i] == i + i);'],
    [
      'a flag of order',
      `${fill} m = 1; for (i = 1; i < N; i++) if (a[i - 1] > a[i]) m = 0; ` +
        'if (m) for (i = 1; i < N; i++) assert(a[i - 1] <= a[i]);',
    ],
    [
      'squares by their differences',
      'm = 0; for (i = 0; i < N; i++) { a[i] = m; m += 2 * i + 1; } for (i = 0; i < N; i++) assert(a[i] == i * i);',
    ],
    [
      'the last element, which the last round writes',
      'for (i = 0; i < N - 1; i++) { a[i] = v; a[i + 1] = m; } assert(a[N - 1] == m);',
    ],
    ['any element', 'for (i = 0; i < N; i++) a[i] = v; j = nondet(); if (j >= 0 && j < N) assert(a[j] == v);'],
  ])('%s', async (_, text) => {
    expect(await isProved(text, n)).toBe(true);
  });
});

const ascending = 'for (i = 0; i < N; i++) { a[i] = nondet(); if (i > 0 && a[i] < a[i - 1]) a[i] = a[i - 1]; } ';

test('that what a loop writes is in order is a candidate at later loops', () => {
  const program = programOf(
    `#define N 1000\nextern int nondet(void); int a[N]; int main(void) { int i, j = 0; ${ascending}` +
      'while (nondet() && j < N) j++; return 0; }',
    { externals: 'any' },
  );
  const system = programSystem(program, program.functionByName.get('main')!, ['reach']);
  const last = system.points.findLast(({ kind }) => kind === 'loop')!;
  const texts = elementConditions(system)
    .get(last)!
    .map((term) => printTerm(term, system.vocabulary));
  expect(texts).toContain('forall(_k: _k >= 1000 || _k <= 0 || a[_k - 1] <= a[_k])');
});

test.each([
  [
    'a flag of order that misses the first pair',
    `${fill} m = 1; for (i = 2; i < N; i++) if (a[i - 1] > a[i]) m = 0; ` +
      'if (m) for (i = 1; i < N; i++) assert(a[i - 1] <= a[i]);',
  ],
  [
    'the last element but one, which the last round writes again',
    'for (i = 0; i < N - 1; i++) { a[i] = v; a[i + 1] = m; } assert(a[N - 2] == m);',
  ],
  [
    'squares that do not begin with 0',
    'm = v & 1; for (i = 0; i < N; i++) { a[i] = m; m += 2 * i + 1; } for (i = 0; i < N; i++) assert(a[i] == i * i);',
  ],
  ['one element is left out', 'for (i = 1; i < N; i++) a[i] = v; for (i = 0; i < N; i++) assert(a[i] == v);'],
  [
    'one is written again',
    'for (i = 0; i < N; i++) a[i] = v; a[3] = v + 1; for (i = 0; i < N; i++) assert(a[i] == v);',
  ],
  [
    'the copy is shifted',
    `${fill} for (i = 1; i < N; i++) b[i - 1] = a[i]; for (i = 0; i < N - 1; i++) assert(b[i] == a[i]);`,
  ],
  ['every second is not written', 'for (i = 0; i < N; i += 2) a[i] = v; for (i = 0; i < N; i++) assert(a[i] == v);'],
  [
    'the last element is forgotten',
    `${fill} m = a[0]; for (i = 1; i < N - 1; i++) if (a[i] > m) m = a[i]; for (i = 0; i < N; i++) assert(a[i] <= m);`,
  ],
])('not proved: %s', async (_, text) => {
  expect(await isProved(text, 1_000)).toBe(false);
});

describe('claims of the rounds that write an element last', () => {
  const provesByLast = provesAlone((system) => elementConditions(system, 'last rounds'));
  const isProvedByLast = (text: string): Promise<boolean> =>
    provesByLast(`#define N 100000\nint a[N], b[N];\nint main(void) { int i, v = nondet(); ${text} return 0; }`);
  const sums = (from: number): string =>
    `${fill} b[0] = a[0]; for (i = ${from}; i < N; i++) b[i] = b[i - 1] + a[i]; ` +
    'for (i = 1; i < N; i++) assert(b[i] - b[i - 1] == a[i]);';

  test.each([
    ['running sums', sums(1)],
    [
      'downward, each element one more than the one after',
      'a[N - 1] = v & 7; for (i = N - 2; i >= 0; i--) a[i] = a[i + 1] + 1; ' +
        'for (i = 0; i < N - 1; i++) assert(a[i] == a[i + 1] + 1);',
    ],
    [
      'an element that the next round writes again',
      'for (i = 0; i < N - 1; i++) { a[i] = v; a[i + 1] = 0; } for (i = 0; i < N - 1; i++) assert(a[i] == v);',
    ],
  ])('suffice for: %s', async (_, text) => {
    expect(await isProvedByLast(text)).toBe(true);
  });

  test('do not prove running sums that leave one element out', async () => {
    expect(await isProvedByLast(sums(2))).toBe(false);
  });

  test('are fewer than those of all rounds', () => {
    const program = programOf(
      `#define N 1000\nextern int nondet(void); extern void error(void); int a[N], b[N]; int main(void) { int i; ` +
        `${sums(1).replace(/assert\((.*)\)/u, 'if (!($1)) error()')} return 0; }`,
      { externals: 'any' },
    );
    const system = programSystem(program, program.functionByName.get('main')!, ['reach']);
    const count = (of: 'last rounds' | 'all rounds'): number =>
      [...elementConditions(system, of).values()].flat().filter(hasQuantifier).length;
    expect(count('last rounds')).toBeGreaterThan(0);
    expect(2 * count('last rounds')).toBeLessThan(count('all rounds'));
  });
});

test('KT-15: a heap block of unknown size', async () => {
  const block = (last: string): string =>
    'extern void *malloc(unsigned long); j = nondet(); if (j > 0 && j < N) { p = malloc(j * sizeof(int)); ' +
    `if (p) { for (i = 0; i < ${last}; i++) p[i] = v; for (i = 0; i < j; i++) assert(p[i] == v); } }`;
  expect(await isProved(block('j'), 100_000)).toBe(true);
  expect(await isProved(block('j - 1'), 100_000)).toBe(false);
});

test('overflow of a total, and places of characters, are asked of no other characters', () => {
  const program = programOf(
    'int parse(const char *text) { int value = 0; while (*text >= 48 && *text <= 57) { int digit = *text++ - 48; ' +
      'if (value > (2147483647 - digit) / 10) return -1; value = value * 10 + digit; } return *text ? -1 : value; }',
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('parse')!],
    checkedProperties: new Set(['memsafety', 'overflow']),
  });
  const quantified = [...elementConditions(system).values()].flat().filter(hasQuantifier);
  expect(quantified.map((term) => printTerm(term, system.vocabulary))).toEqual([]);
});
