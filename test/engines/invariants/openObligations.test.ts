/** A proof that was cut short says how far it had come, and where it would have gone on. */
import { verify } from '../../../src';
import { file, task } from '../task';

test('the first open check is named with its function', async () => {
  const verdict = await verify(
    task(
      file(
        'static int total;\nint add(int a, int b) {\n  if (a > 1000 || b > 1000 || a < 0 || b < 0) return 0;\n' +
          '  total = (total * a + b) % 1000;\n  return total;\n}\n',
      ),
      { budget: { milliseconds: 1 } },
    ),
  );
  expect(verdict).toMatchObject({
    kind: 'unknown',
    reason: {
      cause: 'time-budget',
      message: expect.stringMatching(/^the budget of 0\.001 s is used up; \d of \d checks are proved$/) as string,
      place: { line: 4, function: 'add' },
    },
  });
});
