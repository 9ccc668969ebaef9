/** What a formula says in functions without a meaning cannot be computed in a state of a run: it is left to the solver, never a failure of ours. */
import { verify } from '../../src';
import { fixture, task } from './task';

test('an index that hangs on where two objects lie', async () => {
  expect(await verify(task(fixture('programs/arrays/index_by_comparison.c')))).toMatchObject({ kind: 'proved' });
});
