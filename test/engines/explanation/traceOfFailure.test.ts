/** The trace of a report leads to the failure that is told, also if the failure that was found first is excused. */
import { verify } from '../../../src';
import { file, task } from '../task';

const log = (share: string): string => `#include <stddef.h>
  struct log { int items[8]; unsigned count; };
  void log_init(struct log *l) { l->count = 0; }
  int log_add(struct log *l, int item) {
    if (l->count == 8) return 0;
    l->items[l->count++] = item;
    return 1;
  }
  int log_share(const struct log *l, int total) {
    if (l == NULL${share}) return 0;
    return total / (int)l->count;
  }
`;

test.each([
  ['an error behind failures that clients excuse', log('')],
  ['failures that clients excuse, all of them', log(' || l->count == 0')],
  ['a failure in the library', '#include <string.h>\nstatic char p[4]; void put(void) { strcpy(p, "twelve"); }'],
])('%s', async (_, text) => {
  const verdict = await verify(task(file(text), { explain: true }));
  if (verdict.kind !== 'bug') throw new Error(verdict.kind);
  const { failure } = verdict.counterexample;
  const { trace, slices } = verdict.explanation!;
  expect(trace!.steps.at(-1)!.place).toMatchObject({ file: failure.place.file, line: failure.place.line });
  expect(slices.length).toBeGreaterThan(0);
});

test('where specifications excuse all failures there is no failure to lead to', async () => {
  const path = file('int first(const int *numbers) { return *numbers; }');
  const verdict = await verify(task(path, { explain: true, angelic: true, furtherChecks: 'to the end' }));
  expect(verdict.kind).toBe('conditional');
  expect(verdict.explanation).toMatchObject({ trace: undefined });
});
