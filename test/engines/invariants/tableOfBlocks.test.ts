/** A table of handles: its blocks are the module's own, and its numbers stay in bounds, from one search. */
import { printTerm } from '../../../src/abstraction/printing/printTerm';
import { invariantsAt } from '../../../src/abstraction/transitionSystem/invariantMap';
import { Budget } from '../../../src/budget';
import { nothingKnown } from '../../../src/engines/engine';
import { silent } from '../../../src/engines/portfolio/verificationLog';
import { conditionsOfElements } from '../../../src/engines/invariants/houdiniEngine';
import { Problem } from '../../../src/engines/problem';
import { file, task } from '../task';

test('blocks that a table owns, beside bounds of its numbers', async () => {
  const text = `
    #include <stdlib.h>
    #include <string.h>
    static struct slot { char *data; unsigned used; } slots[4];
    static struct slot *slot_of(int at) {
      if (at < 0 || at >= 4) return NULL;
      return &slots[at];
    }
    enum { FULL = -2, BAD = -1 };
    int take(void) {
      for (int at = 0; at < 4; at++)
        if (slots[at].data == NULL) {
          slots[at].data = calloc(1, 32);
          if (slots[at].data == NULL) return -2;
          slots[at].used = 0;
          return at;
        }
      return -1;
    }
    int give(int at) {
      struct slot *s = slot_of(at);
      if (s == NULL || s->data == NULL) return -1;
      free(s->data);
      s->data = NULL;
      return 0;
    }
    int add(int at, const char *bytes, unsigned count) {
      struct slot *s = slot_of(at);
      if (s == NULL || s->data == NULL) return -1;
      if (count > 32 - s->used) return -2;
      memcpy(s->data + s->used, bytes, count);
      s->used += count;
      return 0;
    }
    int empty(int at) {
      struct slot *s = slot_of(at);
      if (s == NULL || s->data == NULL) return -1;
      s->data[0] = 0;
      s->used = 0;
      return 0;
    }
    int size(int at) {
      struct slot *s = slot_of(at);
      if (s == NULL || s->data == NULL) return -1;
      return (int)s->used;
    }`;
  const budget = Budget.start({ milliseconds: 600_000 });
  const problem = Problem.examine(task(file(text), { mode: 'module', load: { externals: 'any' } }), budget, {});
  const outcome = await conditionsOfElements.run(problem, nothingKnown, budget, silent);
  const { system } = problem;
  const kept = invariantsAt(
    (outcome as Extract<typeof outcome, { kind: 'unknown' }>).learned.invariants,
    system.client!,
  );
  const said = kept.map((term) => printTerm(term, system.vocabulary));
  // All blocks have 32 bytes, so either bound is the same.
  for (const part of [/is_live\(/, /used <= (32|object_size)/])
    expect(said.filter((one) => part.test(one))).not.toEqual([]);
  await problem.solvers.close();
});
