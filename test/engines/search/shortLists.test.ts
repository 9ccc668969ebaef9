/** Runs in which lists stay short. */
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { runWithShortLists } from '../../../src/engines/search/shortLists';
import { file, task } from '../task';

const build = (end: string): string => `
  #include <stdlib.h>
  int nondet(void);
  struct node { struct node *next; };
  int main(void) {
    struct node *h = NULL;
    while (nondet()) { struct node *t = malloc(sizeof *t); t->next = h; h = t; }
    ${end}
    return 0;
  }`;

const problems: Problem[] = [];
afterAll(() => Promise.all(problems.map(({ solvers }) => solvers.close())));

function problemOf(text: string, changes: Parameters<typeof task>[1] = {}): Problem {
  const wanted = task(file(text), { mode: 'program', entries: ['main'], ...changes });
  const problem = Problem.examine(wanted, Budget.start({ milliseconds: 60_000 }), {});
  problems.push(problem);
  return problem;
}

test('lists of each length up to three are built and freed', () => {
  const made: number[] = [];
  const problem = problemOf(build('while (h) { struct node *t = h->next; free(h); h = t; }'));
  const found = runWithShortLists(
    problem,
    {
      between: (machine, done) => {
        if (done === 1) made.push([...machine.memory.liveBlocks()].length + machine.memory.nextNumber);
      },
    },
    () => false,
  );
  expect(found).toBeUndefined();
  const lengths = new Map<number, number>();
  for (const one of made) lengths.set(one - Math.min(...made), (lengths.get(one - Math.min(...made)) ?? 0) + 1);
  expect(made.length).toBeGreaterThan(100);
  for (const length of [0, 1, 2, 3]) expect(lengths.get(length)).toBeGreaterThan(2);
});

test('a run that fails is found, and the same run again', () => {
  const problem = problemOf(build('h->next = NULL;'));
  const first = runWithShortLists(problem, {}, () => false);
  expect(first?.answers.length).toBeGreaterThan(0);
  expect(runWithShortLists(problem, {}, () => false)).toEqual(first);
});

test('an entry with parameters is left to other searches', () => {
  const text = build('h->next = NULL;').replace('int main(void)', 'int main(int argc, char **argv)');
  expect(runWithShortLists(problemOf(text), {}, () => false)).toBeUndefined();
});

const twoLists = (end: string): string => `
  #include <stdlib.h>
  struct node { int id; struct node *next; };
  static struct node *open, *closed;
  int add(int id) {
    struct node *t = malloc(sizeof *t);
    t->id = id; t->next = open; open = t;
    return id;
  }
  int retire(int id) {
    if (!open || open->id != id) return 0;
    struct node *t = open;
    open = t->next; t->next = closed; closed = t;
    return 1;
  }
  int drop(int id) {
    if (!closed || !closed->next || closed->next->id != id) return 0;
    ${end}
    return 1;
  }`;

test('clients of a module ask for what they put in', () => {
  const changes = { mode: 'module', entries: ['add', 'retire', 'drop'] } as const;
  const right = 'struct node *t = closed->next; closed->next = t->next; free(t);';
  expect(runWithShortLists(problemOf(twoLists(right), changes), {}, () => false)).toBeUndefined();
  // A second node of the second list takes five calls that agree on numbers.
  const problem = problemOf(twoLists('free(closed->next); closed->next->id = 0;'), changes);
  const first = runWithShortLists(problem, {}, () => false);
  expect(first?.calls.at(-1)?.fn.name).toBe('drop');
  expect(runWithShortLists(problem, {}, () => false)).toEqual(first);
});
