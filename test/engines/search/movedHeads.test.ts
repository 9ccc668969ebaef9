/** Heads of rings behind lead bytes in programs: only with inputs, and never with a proof by running. */
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { runOnlyExecution } from '../../../src/engines/search/onlyExecutionEngine';
import { file, task } from '../task';

const text = (rounds: string): string => `
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list { struct list *next; };
struct job { int id; struct list link; };
static struct list jobs = { &jobs };
static void add(struct list *one) {
  one->next = jobs.next;
  jobs.next = one;
}
int main(void) {
  for (int i = 0; i < ${rounds}; i++) {
    struct job *job = malloc(sizeof *job);
    job->id = i;
    add(&job->link);
  }
  struct job *last = (struct job *)((char *)jobs.next - offsetof(struct job, link));
  return jobs.next == &jobs ? 0 : last->id;
}`;

function problemOf(rounds: string): Problem {
  const asked = task(file(text(rounds)), { mode: 'program', entries: ['main'] });
  return new Problem(asked, Budget.start({ milliseconds: 60_000 }), {});
}
const leads = ({ program }: Problem): (number | undefined)[] => program.objects.map(({ leadBytes }) => leadBytes);
const declines = (problem: Problem): string | undefined =>
  runOnlyExecution(1000, 'first').applies(problem, { isLong: false } as never);

test('heads are moved in a program with inputs, and it is not proved by its run', () => {
  const problem = problemOf('__VERIFIER_nondet_int()');
  expect(leads(problem)).toEqual([8]);
  expect(problem.tested.objects.map(({ leadBytes }) => leadBytes)).toEqual([undefined]);
  expect(declines(problem)).toBe('heads of rings lie elsewhere');
});

test('heads stay in a program without inputs, which its run may prove', () => {
  const problem = problemOf('3');
  expect(leads(problem)).toEqual([undefined]);
  expect(declines(problem)).toBeUndefined();
});
