/**
 * What a formula says in functions without a meaning cannot be computed in a state of a run: it is left to the solver,
 * never a failure of ours.
 */
import { verify } from '../../../src';
import { file, fixture, task } from '../task';
import { inLongForm } from '../../long';

test('an index that hangs on where two objects lie', async () => {
  expect(await verify(task(fixture('programs/arrays/index_by_comparison.c')))).toMatchObject({ kind: 'proved' });
});

inLongForm('what refinement splits by, where a pointer came through an integer', async () => {
  const text =
    '#include <stdlib.h>\n#include <stdint.h>\nextern void reach_error(void);\n' +
    'int main(void) {\n  int *a = malloc(sizeof(int));\n  intptr_t b = (intptr_t)a;\n  *((int *)b) = 1;\n' +
    '  if (*a != 1) reach_error();\n  free(a);\n  return 0;\n}\n';
  const { kind } = await verify(
    task(file(text), { mode: 'program', entries: ['main'], properties: ['reach'], budget: { milliseconds: 20_000 } }),
  );
  expect(['proved', 'unknown', 'potential-error']).toContain(kind);
});
