/** Slices of random programs, judged with all states of these (KT-01, KT-02). */
import fc from 'fast-check';
import { Budget } from '../../src/budget';
import { Solvers } from '../../src/engines/solvers';
import { programWith } from '../engines/minimax/randomPrograms';
import { isLong } from '../long';
import { attacks, brokenLaw, judged } from './randomSlices';

jest.setTimeout(300_000);
const numRuns = Number(process.env.PROVEST_RUNS ?? (isLong ? 400 : 20));

test.each([false, true])(
  'KT-01, KT-02: each kind is part of the next, and none hides a failure (calls: %s)',
  (calls) => {
    let safe = 0;
    fc.assert(
      fc.property(programWith({ calls }), ({ text }) => {
        const program = judged(text);
        if (!program.fails) safe++;
        expect(brokenLaw(program)).toBeUndefined();
      }),
      { numRuns },
    );
    expect(safe).toBeGreaterThan(0);
  },
);

test('KT-02: the proof of a slice from which a write was taken out that it keeps is refused', async () => {
  const text = `extern int nondet(void);
extern void error(void);
void foo(void) {
  int x = 0, y = 1, z = 0;
  while (nondet()) { x = (y & 3) & 3; if (x < 3) { z = (x & 1) & 3; } }
  if (z == 1) error();
}`;
  const solvers = new Solvers(1, Budget.start({ milliseconds: 36_000_000 }), {});
  try {
    const found = await attacks(text, 'backward', solvers);
    expect(new Set(found)).toEqual(new Set(['refused']));
  } finally {
    await solvers.close();
  }
});
