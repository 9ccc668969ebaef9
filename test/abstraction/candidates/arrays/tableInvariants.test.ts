/**
 * Facts about all elements of a small array: offered where arrays are small and static, true of the states they are
 * said of.
 */
import { tableCandidates } from '../../../../src/abstraction/candidates/arrays/tableInvariants';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { verify } from '../../../../src/index';
import { loadProgram } from '../../../../src/program';
import { file, task } from '../../../engines/task';
import { inLongForm } from '../../../long';

jest.setTimeout(120_000);

function formulasOf(text: string, constants: readonly bigint[]): string[] {
  const program = loadProgram([file(text)], {});
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions,
    checkedProperties: new Set(),
  });
  return tableCandidates(system, constants, []).map((term) => printTerm(term, system.vocabulary));
}

const cursors = (bound: string): string => `
  static const int entries[3] = {4, 6, 2};
  static int level, cursor[3];
  void down(void) { if (cursor[level] + 1 ${bound} entries[level]) cursor[level]++; }
  void up(void) { if (cursor[level] > 0) cursor[level]--; }
  void change(unsigned to) { level = (int)(to % 3); }
  int left(void) { static const int cells[3][6]; return cells[level][cursor[level]]; }
  void check(void) { if (cursor[level] >= entries[level]) { int *p = 0; *p = 1; } }`;

test('bounds of every element, and element by element against a table', () => {
  const formulas = formulasOf(
    'static const int most[2] = {3, 5}; static int a[2]; ' +
      'void f(int i, int v) { if (i >= 0 && i < 2 && v < most[i]) a[i] = v; } ' +
      'int g(int i) { return i == 1 ? a[1] : a[0]; }',
    [0n, 4n],
  );
  expect(formulas).toEqual(
    expect.arrayContaining(['a[0] <= 4 && a[1] <= 4', 'a[0] >= 0 && a[1] >= 0', 'a[0] <= 3 && a[1] <= 5']),
  );
});

test('members of a slot that are 0 together, or not', () => {
  const formulas = formulasOf(
    'static struct { int used, period; } s[2]; ' +
      'void f(int i, int p) { if (i >= 0 && i < 2) { s[i].used = p; s[i].period = p; } }',
    [0n],
  );
  expect(formulas).toEqual(
    expect.arrayContaining([
      '(s[0].used == 0 || s[0].period != 0) && (s[1].used == 0 || s[1].period != 0)',
      '(s[0].period == 0 || s[0].used != 0) && (s[1].period == 0 || s[1].used != 0)',
    ]),
  );
});

test('large arrays are left alone', () => {
  expect(formulasOf('static int a[100]; void f(unsigned i) { if (i < 100) a[i] = 0; }', [0n])).toEqual([]);
});

inLongForm('a class invariant over elements proves what no single variable can', async () => {
  expect((await verify(task(file(cursors('<'))))).kind).toBe('proved');
});
test('and is not believed when it fails', async () => {
  expect((await verify(task(file(cursors('<='))))).kind).toBe('bug');
});
