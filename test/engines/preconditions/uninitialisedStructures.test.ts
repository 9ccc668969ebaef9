/** Structures that a client has filled in by itself, and the function that it should have called. */
import { UnsetStructures } from '../../../src/engines/preconditions/uninitialisedStructures';
import { type Calls, withTrace } from '../angelic/failingTrace';

const found = (text: string, calls: Calls): Promise<readonly string[]> =>
  withTrace(text, calls, ({ problem, scenario, fault }) => {
    const unset = new UnsetStructures(problem.program, problem.callable, problem.scenarioOptions(), []);
    unset.explain(scenario, fault);
    return unset.found.flatMap(([, functions]) => [...functions].map(({ name }) => name));
  });

const reader = (setUp: string): string => `#include <stddef.h>
struct reader { const int *data; size_t size, at; };
${setUp}
int next(struct reader *r) { return r->at < r->size ? r->data[r->at++] : -1; }`;
const calls: Calls = ({ object }) => [['next', object('reader', { data: null, size: 1, at: 0 })]];

test.each([
  ['writes all members, whatever its name', 'attach', 'r->data = data; r->size = size; r->at = 0;', ['attach']],
  ['does not write all of them', 'attach', 'r->size = 0; r->at = 0;', []],
  ['reads what it finds', 'attach', 'if (!r->size) r->data = data; r->size = size; r->at = 0;', []],
  ['has the name of one', 'reader_init', 'r->size = 0;', ['reader_init']],
])('a function that %s', async (_, name, body, expected) => {
  const text = reader(`void ${name}(struct reader *r, const int *data, size_t size) { ${body} }`);
  expect(await found(text, calls)).toEqual(expected);
});

test('one that refuses null and no room is called with memory', async () => {
  const text = reader(`int reader_init(struct reader *r, const int *data, size_t size) {
  if (data == NULL || size == 0) return -1;
  r->data = data; r->size = size; r->at = 0;
  return 0;
}`);
  expect(await found(text, calls)).toEqual(['reader_init']);
});

test('a failure of the module itself stays one', async () => {
  const text = reader(`void reader_init(struct reader *r) { r->data = NULL; r->size = 1; r->at = 0; }`);
  expect(await found(text, calls)).toEqual([]);
});
