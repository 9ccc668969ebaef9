/** Infinite domains end by widening (row IS-06), and their boxes are proofs like any other. */
import { verify } from '../../../src';
import { file, run, task } from '../task';

jest.setTimeout(300_000);

test.each<[string, string, 'proved' | 'not proved']>([
  [
    'a counter that stops',
    'static int n; void up(void) { if (n < 10) n = n + 1; } int at(void) { static int a[11]; return a[n]; }',
    'proved',
  ],
  [
    'a counter that is reset',
    'static int n; void up(void) { if (n < 7) n += 2; } void zero(void) { n = 0; } ' +
      'int at(void) { static int a[9]; return a[n]; }',
    'proved',
  ],
  [
    'a long loop, by widening rather than by walking',
    'int go(void) { int i; for (i = 0; i < 1000000; i++) { } return 1 / (i - 5); }',
    'proved',
  ],
  [
    'a sum nobody bounds',
    'unsigned go(unsigned k) { unsigned s = 0; while (k) { s += k; k--; } return 1 / (s + 1); }',
    'not proved',
  ],
  [
    'a relation that no box can say',
    'static int a, b; void both(void) { if (a < 100) { a++; b++; } } ' +
      'int ask(void) { static int t[1]; return t[a - b]; }',
    'not proved',
  ],
])('%s', async (_, text, expected) => {
  const verdict = await verify(
    task(file(text), { engine: 'intervals', runs: [run()], budget: { milliseconds: 30_000 } }),
  );
  expect(verdict.engine).toBe('intervals');
  if (expected === 'proved') expect(verdict.kind).toBe('proved');
  else expect(verdict.kind).not.toBe('proved');
});
