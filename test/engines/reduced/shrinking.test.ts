/** Programs that are proved by rounds which show what all do, and twins whose residual program fails. */
import { verify } from '../../../src/index';
import type { Verdict } from '../../../src/verdict';
import { inLongForm } from '../../long';
import { file, task } from '../task';

jest.setTimeout(180_000);

const verdictOf = (body: string): Promise<Verdict> =>
  verify(
    task(
      file(`extern int nondet(void); extern void error(void);
int a[100000];
int main(void) {
  int i, s = 0, x = nondet();
  for (i = 0; i < 100000; i++) {
    a[i] = nondet();
    if (a[i] == 7) a[i] = 0;
  }
  ${body}
  return 0;
}`),
      { mode: 'program', entries: ['main'], properties: ['reach'], load: { externals: 'any' } },
    ),
  );

test('a program whose loop shrinks is proved, and the statistics say to how many rounds', async () => {
  const verdict = await verdictOf(
    `for (i = 0; i < 100000; i++) { if (s == 0 && a[i] == 3) s = 1; else if (s == 1) s = a[i] == 7 ? 2 : 0; }
     if (s == 2) error();`,
  );
  expect(verdict).toMatchObject({ kind: 'proved', engine: 'test-based-abstraction, loop shrinking' });
  const stage = verdict.statistics.stages.find((one) => one.stage === 'reduced:shrinking');
  expect(stage?.parts).toEqual([
    { size: '2 rounds of the loop at line 9', checks: 1, outcome: 'proved' },
    { size: 'one round of the loop at line 5', checks: 1, outcome: 'proved' },
  ]);
});

inLongForm('a search that misses the first element is not proved, though one round shows what it does', async () => {
  const search = (start: number): string =>
    `for (i = ${start}; i < 100000; i++) if (a[i] == x) s = 1;
     if (!s) for (i = 0; i < 100000; i++) if (a[i] == x) error();`;
  expect((await verdictOf(search(0))).kind).toBe('proved');
  expect((await verdictOf(search(1))).kind).not.toBe('proved');
});
