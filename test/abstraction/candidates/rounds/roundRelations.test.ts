/** Candidates that are read off loops, as text. */
import { roundRelations } from '../../../../src/abstraction/candidates/rounds/roundRelations';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../../src/program/index';
import { file } from '../../../engines/task';

function check(body: string, expected: readonly string[]): void {
  const program = loadProgram([file(`extern unsigned any(void);\nint main(void) {\n${body}\nreturn 0;\n}\n`)], {
    externals: 'any',
  });
  const entries = [program.functionByName.get('main')!];
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'program',
    entries,
    checkedProperties: new Set(['reach'] as const),
  });
  const found = [...roundRelations(system).values()].flat().map((term) => printTerm(term, system.vocabulary));
  expect([...new Set(found)]).toEqual(expected);
}

test('ways in proportion, multiples of steps, bounds behind the guard', () => {
  check('unsigned n = any(), i = 0, k = 0; while (i < n) { i += 3; k++; }', [
    'i % 3 == 0',
    'i == 3 * k',
    'i <= n + 2',
    'i <= n + 2 || i == 0',
  ]);
});

test('of values at the entry, those of words that no round changes can be named', () => {
  check('unsigned n = any(), i = n; unsigned s = 7; while (i > 0) { i--; s += 5; }', [
    '(s - 7) % 5 == 0',
    '5 * n == s + 5 * i - 7',
    'i <= n',
    's >= 7',
  ]);
});

test('the difference at the entry may be known where the values are not', () => {
  check('unsigned x = any(), y = x + 1; while (x < 1024) { x++; y++; }', ['x == y - 1', 'x <= 1024']);
});

test('words that come nearer to each other', () => {
  check('unsigned n = any(); int i = 0, j = (int)(n >> 2); while (i < j) { i++; j--; }', [
    'i + j == (n >> 2 & 0x3fffffff)',
    'i >= 0',
    'i <= j + 1',
    'i == 0 || i <= j + 1',
    'j <= (n >> 2 & 0x3fffffff)',
    'i - 1 <= j',
    'i - 1 <= j || j == (n >> 2 & 0x3fffffff)',
  ]);
});

test('sides that are taken for good have relations of their own', () => {
  check('unsigned y = any(), x = 0; while (x < 99) { if (y % 2 == 0) x += 2; else x++; }', [
    '(y & 0x1) != 0 || (x & 0x1) == 0',
    '(y & 0x1) != 0 || x <= 100',
    '(y & 0x1) == 0 || x <= 99',
  ]);
});

test('behind a bound that is passed once, relations begin there', () => {
  check('unsigned x = 0, y = 500; while (x < 1000) { if (x < 500) x++; else { x++; y += 2; } }', [
    '(y - 500 & 0x1) == 0',
    'x <= 500',
    'x <= 1000',
    'y >= 500',
    'x >= 500 || y == 500',
    'x <= 499 || (y - 500 & 0x1) == 0',
    'x <= 499 || 2 * x == y + 500',
  ]);
});

test('a loop whose rounds ask for inputs, or that moves nothing, has none', () => {
  check('unsigned x = 0; while (any() != 3) x += 2;', []);
  check('unsigned x = 1; while (x < 1000) x *= 2;', []);
});
