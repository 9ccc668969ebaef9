/**
 * Table 1 of SYNERGY (FSE 2006) in short form: right verdicts, at most twice the paper's iterations, and the comparisons it draws. `bench/table1.ts` prints all of it.
 */
import { measure, table1Programs, type Table1Program } from '../../bench/table1/run';
import { diamonds } from './diamonds';
import { solver } from './refining';
import { file } from './task';

jest.setTimeout(300_000);

const named = (name: string): Table1Program => table1Programs.find((program) => program.name === name)!;

test.each(table1Programs)('$name: $expect, within twice the iterations of the paper', async (program) => {
  const { verdict, iterations } = await measure(program, 'synergy', solver());
  expect(verdict).toBe(program.expect);
  expect(iterations).toBeLessThanOrEqual(Math.min(24, 2 * program.paper.synergy));
});

test('without tests, the rounds of a loop are refuted one by one', async () => {
  const { verdict, iterations } = await measure(named('t04'), 'slam', solver(), { iterations: 9 });
  expect(verdict).toBe('unknown');
  expect(iterations).toBe(9);
});

test('the quotient of all behaviour is infinite where the question needs next to nothing', async () => {
  const { verdict } = await measure(named('t08'), 'lee-yannakakis', solver(), { iterations: 12, milliseconds: 20_000 });
  expect(verdict).toBe('unknown');
});

test('paths are enumerated one by one, and that none fails is no proof', async () => {
  const { verdict, tests } = await measure(named('t13'), 'dart', solver(), { cutpoints: 'statements', iterations: 100 });
  expect(verdict).toBe('unknown');
  expect(tests).toBe(8);
});

test('ten diamonds of figure 8 are 1024 paths for DART', async () => {
  const { verdict, tests } = await measure({ path: file(diamonds(10)) }, 'dart', solver(), { cutpoints: 'statements', iterations: 2000, milliseconds: 250_000 });
  expect(verdict).toBe('unknown');
  expect(tests).toBe(1024);
});
