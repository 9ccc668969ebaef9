/** Spacer as an engine: over integers it proposes, of words it is checked. */
import { verify } from '../../../src';
import { proposal } from '../proposal';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';
import { inLongForm } from '../../long';

jest.setTimeout(120_000);

const alone = (text: string): Promise<Verdict> =>
  verify(
    task(file(text), {
      mode: 'program',
      entries: ['main'],
      properties: ['reach'],
      engine: 'spacer',
      budget: { milliseconds: 30_000 },
    }),
  );

test('a loop whose invariant no run has to show', async () => {
  const verdict = await alone(`
    int nondet(void); void error(void);
    int main(void) {
      int x = 0, y = nondet(), z = nondet();
      while (x < 500) { x++; if (z <= y) y = z; }
      if (z < y) error();
    }`);
  expect(verdict).toMatchObject({ kind: 'proved', engine: 'spacer' });
});

test('what callees return is related to what they are given', async () => {
  const verdict = await alone(`
    int nondet(void); void error(void);
    static int lower(int a) { if (a <= 0) return a; return lower(a - 1); }
    int main(void) {
      int a = nondet();
      if (lower(a) > a) error();
    }`);
  expect(verdict).toMatchObject({ kind: 'proved', engine: 'spacer' });
});

inLongForm('an invariant over integers that words do not keep is no proof', async () => {
  // After 2^31 rounds x is negative: of integers the check cannot fail.
  const text = `
    int nondet(void); void error(void);
    int main(void) { int x = 0; while (nondet()) x = (int)((unsigned)x + 1u); if (x < 0) error(); }`;
  expect((await proposal(file(text))).flat().length).toBeGreaterThan(0);
  expect((await alone(text)).kind).not.toBe('proved');
});

inLongForm('modules, and the reason when there is no proof', async () => {
  const verdict = await alone(
    'int nondet(void); void error(void); int main(void) { int n = nondet(), i = 0, s = 0; ' +
      'while (i < n) { s += i * i; i++; } if (s == 3) error(); }',
  );
  expect(verdict).toMatchObject({
    kind: 'unknown',
    engine: 'spacer',
    reason: { message: expect.stringContaining('Spacer') },
  });
  const module = await verify(
    task(
      file(`
    #include <assert.h>
    static int level; static int most;
    void up(void) { if (level < 100) level++; if (level > most) most = level; }
    void down(void) { if (level > 0) level--; }
    void check(void) { assert(level <= most); }`),
      { engine: 'spacer', properties: ['reach'], budget: { milliseconds: 30_000 } },
    ),
  );
  expect(module).toMatchObject({ kind: 'proved', engine: 'spacer' });
});
