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

/** May pointers in memory lead to an object that is still to be made? An answer a place, in the order of memory. */
async function mayLeadAnywhere(text: string): Promise<readonly string[]> {
  const { vocabulary, memoryModel } = moduleSystem(text);
  const solver = createSolver({ seed: 1 });
  const answers: string[] = [];
  for (const variable of memoryModel.variables) {
    const { role } = variable;
    if (role.kind !== 'slot' || role.addressing !== 'plain' || role.part !== 'object') continue;
    const term = L.not(L.ult(vocabulary.symbolOf(variable), vocabulary.symbolOf(memoryModel.allocationCounter)));
    const { kind } = await solver.check([term, ...vocabulary.readAxioms([term], new Set())], { timeoutMs: 60_000 });
    answers.push(kind);
  }
  await solver.close();
  return answers;
}

const next = 'static char next(const char **s) { return *(*s)++; }';

test('a pointer in memory that is one place leads to no object that is still to be made', async () => {
  expect(await mayLeadAnywhere(`${next} int first(const char *text) { return next(&text); }`)).toEqual(['unsat']);
  expect(
    await mayLeadAnywhere(`static const char *at = ""; ${next} int first(void) { return *at ? next(&at) : 0; }`),
  ).toEqual(['unsat']);
  expect(
    await mayLeadAnywhere(`struct walk { const char *at, *end; };
      static int length(struct walk *w) { int n = 0; while (w->at < w->end) w->at++, n++; return n; }
      int three(void) { char own[3]; struct walk w = { own, own + 3 }; return length(&w); }`),
  ).toEqual(['unsat', 'unsat']);
});

test('a pointer in memory that may be seen before it is written leads anywhere', async () => {
  expect(
    await mayLeadAnywhere(`static int is(char **p, char *q) { return *p == q; }
      int same(int n) { char *old; for (int i = 0; i < n; i++) ; char own = 1; return is(&old, &own); }`),
  ).toEqual(['sat']);
  expect(
    await mayLeadAnywhere(`static void set(char **p, char *q, int n) { if (n > 0) *p = q; }
      int some(int n) { char own = 1; char *p; if (n > 3) p = &own; set(&p, &own, n); return p == &own; }`),
  ).toEqual(['sat']);
});
