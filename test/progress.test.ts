/** Progress in the words of somebody who waits. */
import { stepText } from '../src/progress';

const check = (progress: Parameters<typeof stepText>[0], text: string): void => expect(stepText(progress)).toBe(text);

test('each phase says what is done for the user, and no stage has a number', () => {
  check({ phase: 'front-end', done: 0, total: 0 }, 'reading the C');
  check({ phase: 'execution', done: 4, total: 14 }, 'looking for a proof');
  check({ phase: 'certify', done: 0, total: 9 }, 'checking the proof again');
});

test('checks that are decided are counted, with the function that is being proved', () => {
  const checks = { proved: 3, of: 5, function: 'push' };
  check({ phase: 'execution', done: 4, total: 14, checks }, 'proving push: 3 of 5 checks');
  check({ phase: 'solving', done: 14, total: 17, checks }, 'proving push: 3 of 5 checks, 14 of 17 obligations');
  check({ phase: 'solving', done: 0, total: 0, checks: { proved: 0, of: 1 } }, 'proving: 0 of 1 check');
  check({ phase: 'solving', done: 0, total: 0, checks: { proved: 0, of: 0 } }, 'looking for a proof');
});
