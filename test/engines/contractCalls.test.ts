/** A contract that changes something would make what is proved another program than what compilers build. */
import { verify } from '../../src';
import { file, task } from './task';

const text = (contract: string, more = ''): string => `#include <provest.h>\nstatic int n;\nstatic int fix(void) { n = 5; return 1; }\nstatic int twice(void) { return fix(); }\nstatic int is_set(int k) { int r = 0; if (k != 0) r = 1; return r; }\n${more}void set(int k) { n = k; }\nint keep(void) { return fix() + twice() + is_set(n); }\nint get(void) { ${contract}; return 10 / n; }\n`;

test.each(['PROVEST_REQUIRES(fix())', 'PROVEST_INVARIANT(fix())', 'PROVEST_REQUIRES(twice())', 'PROVEST_ENSURES(fix())'])('%s proves nothing', async (contract) => {
  expect(await verify(task(file(text(contract))))).toMatchObject({ kind: 'unknown', reason: { cause: 'unsupported-construct', message: expect.stringContaining('contract') as string } });
});

test('a function that only computes may be called', async () => {
  expect((await verify(task(file(text('PROVEST_REQUIRES(is_set(n))'))))).kind).toBe('proved');
});

test('statements in a contract are an error', async () => {
  await expect(verify(task(file(text('PROVEST_REQUIRES(({ n = 5; 1; }))'))))).rejects.toThrow(/a contract changes nothing/);
});
