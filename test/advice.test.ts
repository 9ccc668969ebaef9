/** Next steps after `unknown`: in the form in which the question was asked, with twice the budget. */
import { adviseReason } from '../src/advice';

const reason = { cause: 'time-budget', message: 'the budget of 20 s is used up' } as const;
const suggestion = (milliseconds: number, askedIn?: 'test' | 'command'): string | undefined =>
  adviseReason(reason, { budget: { milliseconds }, ...(askedIn && { askedIn }) }).suggestion;

test.each([
  [20_000, 'command', 'raise the budget: --budget 40s'],
  [60_000, 'command', 'raise the budget: --budget 2m'],
  [750, 'command', 'raise the budget: --budget 1500ms'],
  [20_000, 'test', 'raise the budget: toBeVerified({ budget: 40_000 })'],
  [500_000, 'test', 'raise the budget: toBeVerified({ budget: 1_000_000 })'],
  [400, 'test', 'raise the budget: toBeVerified({ budget: 800 })'],
  [30_000, undefined, 'raise the budget: --budget 1m on the command line, toBeVerified({ budget: 60_000 }) in a test'],
] as const)('%d ms, asked in a %s', (milliseconds, askedIn, text) => {
  expect(suggestion(milliseconds, askedIn)).toBe(text);
});

test('a question without a budget has no number to double', () => {
  expect(adviseReason(reason, {}).suggestion).toBe('raise the budget');
});

test('an existing suggestion stays, and other causes name no budget', () => {
  expect(adviseReason({ ...reason, suggestion: 'add a probe' }, { budget: { milliseconds: 1000 } }).suggestion).toBe(
    'add a probe',
  );
  expect(adviseReason({ cause: 'no-entry', message: '' }, { budget: { milliseconds: 1000 } }).suggestion).not.toMatch(
    /budget/,
  );
});
