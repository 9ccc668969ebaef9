/** An answer that the budget has cut short. */
import { saysHowFar } from '../../../src/engines/portfolio/cutShort';
import type { CheckResult, Reason, SourceLocation, Verdict } from '../../../src/verdict';

const at = (name: string, line: number): SourceLocation => ({ file: 'm.c', line, column: 3, function: name });
const check = (name: string, line: number, isOpen: boolean): CheckResult => ({
  check: 'signed-overflow',
  property: 'overflow',
  place: at(name, line),
  text: 'a + b',
  ...(isOpen
    ? { status: 'open', reason: { cause: 'time-budget', message: '' } }
    : { status: 'proved', stage: 'intervals' }),
});
const checks = [check('first', 2, false), check('second', 5, true), check('second', 6, true)];
const said = (reason: Reason, results = checks, unchecked = 0): Reason => {
  const verdict = { kind: 'unknown', reason, statistics: {} } as Extract<Verdict, { kind: 'unknown' }>;
  const proved = results.filter(({ status }) => status === 'proved').length;
  const counts = { proved, total: results.length };
  return saysHowFar(verdict, { counts }, unchecked, results, { elapsedSeconds: 1 }).reason;
};
const ended = (place?: SourceLocation): Reason => ({
  cause: 'time-budget',
  message: 'the budget is used up, and the solver had not decided a step',
  ...(place && { place }),
});

test('it is about the function in which checks are open', () => {
  expect(said(ended(at('second', 4)))).toEqual({
    ...ended(at('second', 4)),
    message: `${ended().message}; 1 of 3 checks is proved`,
  });
  expect(said(ended(at('first', 1)))).toEqual({
    cause: 'time-budget',
    message: 'the budget is used up; 1 of 3 checks is proved',
    place: at('second', 5),
  });
});

test('the place of the first open check, where the reason has none', () => {
  expect(said(ended()).place).toEqual(at('second', 5));
  expect(said(ended(at('first', 1)), [checks[0]!]).place).toEqual(at('first', 1));
});

test('another cause keeps its place', () => {
  const reason: Reason = { cause: 'nonlinear', message: 'a product', place: at('first', 1) };
  expect(said(reason)).toEqual({ ...reason, message: 'a product; 1 of 3 checks is proved' });
  const other: Reason = { cause: 'unsupported-construct', message: 'no formula', place: at('first', 1) };
  expect(said(other)).toEqual(other);
});

test('invariants that there was no time to certify prove nothing, and are mentioned', () => {
  expect(said(ended(), checks, 1).message).toMatch(
    /; 1 of 3 checks is proved; 1 more follows from invariants that there was no time to check again$/,
  );
  const none = checks.slice(1);
  expect(said(ended(), none, 2).message).toMatch(/; 0 of 2 checks are proved; 2 follow from invariants that there/);
});
