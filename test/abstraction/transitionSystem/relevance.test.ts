/** Which variables may matter where. */
import { Relevance } from '../../../src/abstraction/transitionSystem/relevance';
import type { Property } from '../../../src/program/command';
import { functionOf, programOf } from '../../program/programOf';

function relevantAtLoop(
  text: string,
  checkedProperties: readonly Property[] = ['reach'],
  hasCaller = false,
  scope: 'program' | 'function' = 'program',
): string[] {
  const program = programOf(text);
  const fn = functionOf(program, 'f');
  const relevance = new Relevance({
    functions: program.functions,
    checkedProperties: new Set(checkedProperties),
    hasCaller: () => hasCaller,
  });
  const head = fn.locations.find((location) => location.isLoopHead)!;
  return [...program.globals.map(({ variable }) => variable), ...fn.variables]
    .filter((variable) =>
      scope === 'program' ? relevance.at(head, variable) : relevance.inFunction(fn, head, variable),
    )
    .map(({ name }) => name)
    .sort();
}

test('what no check and no branch depends on does not matter', () => {
  expect(
    relevantAtLoop(
      '#include <assert.h>\nint f(int n) { int i = 0, waste = 0; while (i < n) { waste = waste + i; i++; } ' +
        'assert(i >= 0); return waste; }',
    ),
  ).toEqual(['i', 'n']);
});

test('through assignments, and for a caller, it does', () => {
  const text =
    '#include <assert.h>\nint f(int n) { int i = 0, a = 0, b = 0; while (i < n) { b = a; a = i; i++; } ' +
    'assert(b < 9); return a; }';
  expect(relevantAtLoop(text)).toEqual(['a', 'b', 'i', 'n']);
  expect(
    relevantAtLoop('int f(int n) { int i = 0, a = 0; while (i < n) { a = i; i++; } return a; }', ['reach'], true),
  ).toEqual(['a', 'i', 'n']);
});

test('what a check reads matters when the check is in force, or ends the run', () => {
  const text = 'int g; int f(int n) { int x; int i = 0; while (i < n) { i++; if (n > 5) x = i; } return x / n; }';
  expect(relevantAtLoop(text).some((name) => name.endsWith('is set>'))).toBe(false);
  expect(relevantAtLoop(text, ['uninitialised']).some((name) => name.endsWith('is set>'))).toBe(true);
});

test('a global matters wherever it is read for something', () => {
  expect(
    relevantAtLoop(
      '#include <assert.h>\nint g, h; void k(void) { assert(g < 3); h = 2; } void f(void) { for (;;) { g = h; k(); } }',
    ),
  ).toEqual(['g', 'h']);
});

test('a global that is assigned behind a loop does not matter to it, unless something reads it first', () => {
  const text = (behind: string): string =>
    `#include <assert.h>\nint g, h; void k(void) { assert(g < 3 && h < 3); }
    void f(void) { int i = h; while (i < 3) i++; ${behind} g = i; }`;
  expect(relevantAtLoop(text(''), ['reach'], false, 'function')).toEqual(['h', 'i']);
  expect(relevantAtLoop(text('assert(g > 0);'), ['reach'], false, 'function')).toEqual(['g', 'h', 'i']);
  expect(relevantAtLoop(text('k();'), ['reach'], false, 'function')).toEqual(['g', 'h', 'i']);
  expect(relevantAtLoop(text('if (i == 3)'), ['reach'], false, 'function')).toEqual(['g', 'h', 'i']);
});
