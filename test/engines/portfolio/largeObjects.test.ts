/** What is too large to be an object of the data model is said to be, with its place. */
import { verify } from '../../../src/index';
import { file, task } from '../task';

const verdict = (dataModel: 'lp64' | 'ilp32') =>
  verify(
    task(file('static char store[40000];\nvoid put(unsigned at, char c) { if (at < sizeof store) store[at] = c; }\n'), {
      load: { dataModel },
    }),
  );

test('an array of more than 32 KiB with 32-bit pointers', async () => {
  expect(await verdict('ilp32')).toMatchObject({
    kind: 'unknown',
    reason: {
      cause: 'unsupported-construct',
      message: expect.stringContaining('store has 40000 bytes') as string,
      place: { line: 1 },
    },
  });
  expect((await verdict('lp64')).kind).toBe('proved');
});
