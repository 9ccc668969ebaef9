/** The index in a structure that is set up as far as its count names an element, unless there are none. */
import { verify, type Verdict } from '../../../src';
import { file, task } from '../task';

const scores = (number: string, kept: string): string => `
#include <stddef.h>
#include <provest.h>
struct scores { int values[16]; ${number} count; ${number} best; };
void scores_clear(struct scores *s) { PROVEST_REQUIRES(s != NULL); s->count = 0; }
int scores_add(struct scores *s, int value) {
  PROVEST_REQUIRES(s != NULL);
  if (s->count >= 16) return 0;
  s->values[s->count] = value;
  if (s->count == 0 || value > s->values[s->best]) s->best = ${kept};
  s->count++;
  return 1;
}
int scores_best(const struct scores *s, int *out) {
  PROVEST_REQUIRES(s != NULL && out != NULL);
  if (s->count == 0) return 0;
  *out = s->values[s->best];
  return 1;
}`;

const answer = (text: string, seconds: number): Promise<Verdict> =>
  verify(
    task(file(text), {
      budget: { milliseconds: 1000 * seconds },
      initialisedBy: [{ type: 'struct scores', functions: ['scores_clear'] }],
    }),
  );

test.each(['int', 'size_t'])(
  'the best of no scores may be any number: %s',
  async (number) => {
    expect((await answer(scores(number, 's->count'), 100)).kind).toBe('proved');
  },
  120_000,
);

test('one that lies behind the elements is a bug', async () => {
  const verdict = await answer(scores('int', 's->count + 1'), 60);
  expect(verdict.kind === 'bug' && verdict.counterexample.failure.message).toMatch(
    /^index 1[0-9] is outside s->values\[16\]/,
  );
}, 100_000);
