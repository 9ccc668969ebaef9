/** The part of the C text that a message shows. */
import { CError, codeFrame } from '../../src/c/diagnostics/diagnostic';
import { readCText } from '../../src/c/read';

/** The frame of the first error, by lines. */
function frameOf(text: string): readonly string[] {
  try {
    readCText(text, 'input.c', {});
  } catch (error) {
    if (error instanceof CError) return codeFrame(error.diagnostics[0]!.span!).split('\n');
    throw error;
  }
  throw new Error('the text has no error');
}

test('short lines are whole', () => {
  expect(frameOf('int a;\nint b = c;\nint d;\n')).toEqual([
    '  1 | int a;',
    '> 2 | int b = c;',
    '    |         ^',
    '  3 | int d;',
  ]);
});

test.each([
  ['at its beginning', 0, 1_000],
  ['in its middle', 5_000, 5_000],
  ['at its end', 5_000, 0],
])('of a long line what is round the error is shown: %s', (_, before, after) => {
  const filler = (length: number): string => `${'int x;'.repeat(length / 6)}`;
  const lines = frameOf(`int first;\n${filler(before)} int b = nothing; ${filler(after)}\n${filler(after)}\n`);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(180);
  const [shown, carets] = [lines.find((line) => line.startsWith('> 2'))!, lines.find((line) => line.includes('^'))!];
  expect(shown.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('nothing');
  expect(shown.includes('…')).toBe(true);
});
