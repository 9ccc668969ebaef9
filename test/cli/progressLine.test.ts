import { ProgressLine } from '../../src/cli/progressLine';
import type { Progress } from '../../src/progress';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const solving: Progress = {
  phase: 'solving',
  done: 14,
  total: 17,
  checks: { proved: 3, of: 5, function: 'push' },
  place: { file: '/project/stack.c', line: 12, column: 3, function: 'push' },
};

function start(isTerminal: boolean, columns = 100) {
  const written: string[] = [];
  const line = new ProgressLine(
    {
      write: (text) => {
        written.push(text);
      },
      isTerminal,
      columns,
      now: () => Date.now(),
    },
    'stack.c',
    20_000,
  );
  return { line, written };
}

test('in a terminal the line is drawn over itself, at least every two seconds even when nothing is reported', () => {
  const { line, written } = start(true);
  line.report(solving);
  for (let second = 0; second < 10; second += 2) {
    const before = written.length;
    jest.advanceTimersByTime(2000);
    expect(written.length).toBeGreaterThan(before);
  }
  expect(written.at(-1)).toBe(
    '\r\x1b[2Kstack.c: proving push: 3 of 5 checks, 14 of 17 obligations, at stack.c:12 in push, 10 s of 20 s',
  );
  line.end();
  expect(written.at(-1)).toBe('\r\x1b[2K');
  const ended = written.length;
  jest.advanceTimersByTime(10_000);
  expect(written.length).toBe(ended);
});

test('in a narrow terminal the line does not wrap', () => {
  const { line, written } = start(true, 20);
  jest.advanceTimersByTime(1000);
  line.report(solving);
  jest.advanceTimersByTime(1000);
  expect(written.at(-1)).toBe('\r\x1b[2Kstack.c: proving pu');
});

test('a flood of reports is thinned', () => {
  const { line, written } = start(true);
  for (let i = 0; i < 1000; i++) {
    line.report({ ...solving, done: i });
    jest.advanceTimersByTime(1);
  }
  expect(written.length).toBeLessThanOrEqual(12);
});

test('without a terminal: no control codes, and a line every 30 seconds', () => {
  const { line, written } = start(false);
  for (let second = 0; second < 95; second++) {
    line.report(solving);
    jest.advanceTimersByTime(1000);
  }
  line.end();
  expect(written).toEqual(
    ['30', '60', '90'].map(
      (s) => `stack.c: proving push: 3 of 5 checks, 14 of 17 obligations, at stack.c:12 in push, ${s} s of 20 s\n`,
    ),
  );
});
