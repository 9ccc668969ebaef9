/** Slices of random programs, judged with all states of these (KT-01, KT-02, KT-04). */
import fc from 'fast-check';
import { Budget } from '../../src/budget';
import { Solvers } from '../../src/engines/solvers';
import { programWith } from '../engines/minimax/randomPrograms';
import { sliceKinds } from '../../src/reductions/slice/slice';
import { isLong } from '../long';
import { attacks, brokenLaw, judged } from './randomSlices';

jest.setTimeout(300_000);
const numRuns = Number(process.env.PROVEST_RUNS ?? (isLong ? 400 : 20));

test.each([false, true])(
  'KT-01, KT-02, KT-04: each kind is part of the next, keeps no fewer proofs, and hides no failure (calls: %s)',
  (calls) => {
    let safe = 0;
    const kept = new Map(sliceKinds.map((kind) => [kind, 0]));
    fc.assert(
      fc.property(programWith({ calls }), ({ text }) => {
        const program = judged(text);
        if (!program.fails) safe++;
        for (const [kind, { fails }] of program.slices) if (!fails) kept.set(kind, kept.get(kind)! + 1);
        expect(brokenLaw(program)).toBeUndefined();
      }),
      { numRuns },
    );
    expect(safe).toBeGreaterThan(0);
    // The largest slices keep nearly all proofs.
    expect(kept.get('backward')).toBeGreaterThan(0.8 * safe);
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
