/**
 * Table 1 of SYNERGY (FSE 2006) in short form: right verdicts, at most twice the paper's iterations, and the
 * comparisons it draws. `bench/table1.ts` prints all of it.
 */
import { measure, table1Programs, type Table1Program } from '../../../bench/table1/run';
import { diamonds } from '../diamonds';
import { solver } from '../refining';
import { file } from '../task';
import { ifLong } from '../../long';

jest.setTimeout(300_000);

const named = (name: string): Table1Program => table1Programs.find((program) => program.name === name)!;

test.each(table1Programs)('$name: $expect, within twice the iterations of the paper', async (program) => {
  const { verdict, iterations } = await measure(program, 'synergy', solver());
  expect(verdict).toBe(program.expect);
  expect(iterations).toBeLessThanOrEqual(Math.min(24, 2 * program.paper.synergy));
});

test('the quotient of all behaviour is infinite where the question needs next to nothing', async () => {
  const { verdict } = await measure(named('t08'), 'lee-yannakakis', solver(), { iterations: 12, milliseconds: 20_000 });
  expect(verdict).toBe('unknown');
});

// Those left to the long form take from ten seconds to more than a minute.
test.each(['t16', ...ifLong('t12')])(
  '%s: the quotient grows by a split in every iteration, and ends at no clock',
  async (name) => {
    const { result, iterations } = await measure(named(name), 'lee-yannakakis', solver(), {
      iterations: 25,
      milliseconds: 250_000,
    });
    expect(result).toMatchObject({
      kind: 'unknown',
      reason: { cause: 'state-explosion', message: expect.stringContaining('25 splits in 25 iterations') },
    });
    expect(iterations).toBe(25);
  },
);

test.each(['t07', 't09', 't10', 't13', 't15', ...ifLong('t04')])('%s: the quotient is finite', async (name) => {
  const program = named(name);
  expect((await measure(program, 'lee-yannakakis', solver(), { iterations: 60, milliseconds: 250_000 })).verdict).toBe(
    program.expect,
  );
});

test.each(['t03', ...ifLong('t04', 't11', 't12')])(
  '%s: predicates from paths alone take ten iterations and more',
  async (name) => {
    const { verdict, iterations } = await measure(named(name), 'slam', solver(), {
      iterations: 40,
      milliseconds: 250_000,
    });
    expect(verdict).toBe('proved');
    expect(iterations).toBeGreaterThanOrEqual(10);
  },
);

test('paths are enumerated one by one, and that none fails is no proof', async () => {
  const { verdict, tests } = await measure(named('t13'), 'dart', solver(), {
    cutpoints: 'statements',
    iterations: 100,
  });
  expect(verdict).toBe('unknown');
  expect(tests).toBe(8);
});

test('eight diamonds of figure 8 are 256 paths for DART', async () => {
  const { verdict, tests } = await measure({ path: file(diamonds(8)) }, 'dart', solver(), {
    cutpoints: 'statements',
    iterations: 2000,
    milliseconds: 250_000,
  });
  expect(verdict).toBe('unknown');
  expect(tests).toBe(256);
});
