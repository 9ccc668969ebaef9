/** The angelic loop beside an error: it ends without news, unless it is asked to go on. */
import { verify } from '../../../src/index';
import type { Verdict } from '../../../src/verdict';
import { file, task } from '../task';

const withHardCheck = `#include <assert.h>
int share(int n) { return n == 3 ? 6 / (n - 3) : 0; }
static unsigned mixed(unsigned n) {
  unsigned s = n;
  for (unsigned i = 0; i < n; i++) s = s * s * 31 + (i ^ s);
  return s;
}
void hard(unsigned n) { assert(mixed(n) * mixed(n + 7) != 77771 || n < 1000000); }`;
const news = /no further failure came/;

const ask = (text: string, furtherChecks: 'while there is news' | 'to the end', seconds: number): Promise<Verdict> =>
  verify(task(file(text), { angelic: true, furtherChecks, budget: { milliseconds: seconds * 1000 } }));

const whyOpen = ({ checks = [] }: Verdict): readonly string[] =>
  checks.flatMap((check) => (check.status === 'open' ? [check.reason.message] : []));

test('beside an error the loop ends without news', async () => {
  const verdict = await ask(withHardCheck, 'while there is news', 32);
  expect(verdict.kind).toBe('bug');
  // On a fast machine predicates are refined by then; all of the budget is not used in any case.
  expect(whyOpen(verdict)).toEqual([expect.stringMatching(/no further failure came|the predicates are too weak/)]);
});

test('it takes all of the budget where that is asked for', async () => {
  const verdict = await ask(withHardCheck, 'to the end', 12);
  expect(verdict.kind).toBe('bug');
  expect(whyOpen(verdict)).toEqual([expect.not.stringMatching(news)]);
});

test('where every failure is excused, a proof is worth all of the budget', async () => {
  const excused = withHardCheck.replace(/int share.*/, 'int first(const int *p) { return *p; }');
  const verdict = await ask(excused, 'while there is news', 12);
  expect(verdict).toMatchObject({ kind: 'bug', angelic: { specifications: [{ text: 'first: p != NULL' }] } });
  expect(whyOpen(verdict).length).toBeGreaterThan(0);
  for (const why of whyOpen(verdict)) expect(why).not.toMatch(news);
});
