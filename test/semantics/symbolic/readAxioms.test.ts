/** Facts of every element of an array in a state hold of it behind changes of other elements, too. */
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import { createSolver } from '../../../src/solver';
import { moduleSystem } from '../../abstraction/moduleSystem';

test('there are no bytes behind null, whatever object was made before', async () => {
  const { vocabulary, points } = moduleSystem(`#include <stdlib.h>
    static char *text;
    void make(unsigned n) { free(text); text = malloc(n); if (text && n > 3) text[3] = 0; }`);
  const size = vocabulary.symbolsFor(points[0]!.fn).find(({ name }) => name === '#size')!;
  const made = L.symbol('made', L.bitsSort(32));
  const [none, ten] = [L.bits(0n, 32), L.bits(10n, 32)];
  const behind = L.select(L.store(size, made, ten), none);
  const solver = createSolver({ seed: 1 });
  const answer = async (...terms: readonly Term[]): Promise<string> =>
    (await solver.check([...terms, ...vocabulary.readAxioms(terms, new Set())], { timeoutMs: 60_000 })).kind;
  expect(await answer(L.not(L.eq(behind, none)), L.not(L.eq(made, none)))).toBe('unsat');
  const either = L.select(L.ite(L.symbol('p', L.boolSort), L.store(size, made, ten), size), none);
  expect(await answer(L.not(L.eq(either, none)), L.not(L.eq(made, none)))).toBe('unsat');
  expect(await answer(L.eq(behind, ten))).toBe('sat');
  await solver.close();
});
