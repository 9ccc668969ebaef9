/** Tests are done again in the program that is verified, where library functions are copied for each call. */
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { failingTest } from '../../../src/engines/search/replayTests';
import type { HostValue, Operation } from '../../../src/host/operation';
import { lastStaticNumber } from '../../../src/program/staticNumbers';
import { file, task } from '../task';

const source = `#include <stdlib.h>
#include <string.h>
struct box { size_t a, b; };
void *box_new(const char *s, const char *t) {
  struct box *b = malloc(sizeof *b);
  if (b) { b->a = strlen(s); b->b = strlen(t); }
  return b;
}
size_t box_sum(void *h) { struct box *b = h; return b ? b->a + b->b : 0; }
size_t box_third(void *h) { return ((size_t *)h)[2]; }
`;

const text: Operation = { kind: 'allocate', type: 'char[3]', bytes: '616200' };
const call = (name: string, ...args: readonly HostValue[]): Extract<Operation, { kind: 'call' }> => ({
  kind: 'call',
  function: name,
  arguments: args,
  answers: [],
});

const problemOf = (runs: readonly (readonly Operation[])[]): Problem =>
  new Problem(task(file(source), { runs }), Budget.start({ milliseconds: 60_000 }), {});

/** The failure of a test that hands what the module returned to the function, as it was logged by the test. */
async function failureBehind(name: string): Promise<string | undefined> {
  const problem = problemOf([]);
  expect(problem.program.functions.some(({ copyOf }) => copyOf)).toBe(true);
  expect(lastStaticNumber(problem.program)).toBe(lastStaticNumber(problem.tested));
  const instance = problem.instance(problem.tested);
  instance.redo(text);
  const making = call('box_new', { allocation: 0, offset: 0 }, { allocation: 0, offset: 0 });
  const outcome = instance.redo(making);
  if (outcome?.kind !== 'returned' || outcome.value === undefined) throw new Error('the module makes a box');
  const run = [text, making, call(name, instance.resultOf(making, outcome.value))];
  const again = problemOf([run]);
  const failure = failingTest(again, run);
  await Promise.all([problem, again].map(({ solvers }) => solvers.close()));
  return failure?.fault.message;
}

test('a handle is the same object in both programs: a test that passes shows no failure', async () => {
  expect(await failureBehind('box_sum')).toBeUndefined();
});

test('a test that fails does', async () => {
  expect(await failureBehind('box_third')).toMatch(/^out of bounds: .*offset 16 in the object of 16 bytes/);
});
