/** Texts near others: pieces of them many times in a row, which tables of words and fields take to fail. */
import { fuzzProgram } from '../../../src/engines/search/fuzzing';
import type { Property } from '../../../src/program/command';
import type { Scenario } from '../../../src/evidence/scenarios/scenario';
import { programOf } from '../../program/programOf';

/** The table has 20 places; one more word is taken if `most` is 21. */
const words = (most: number): string => `
static const char *table[20];
int words(const char *line) {
  int n = 0;
  const char *p = line;
  if (!line) return -1;
  for (;;) {
    while (*p == ' ') p++;
    if (!*p) return n;
    if (n >= ${most}) return -1;
    table[n++] = p;
    while (*p && *p != ' ') p++;
  }
}`;

function found(most: number, seed: number): Scenario | undefined {
  const program = programOf(words(most));
  return fuzzProgram(program, {
    entries: program.functions.filter(({ library }) => !library),
    checkedProperties: new Set<Property>(['memsafety']),
    permits: () => true,
    maximumCalls: 40,
    seed,
    edges: 8_000_000,
    stop: () => false,
  });
}

test.each([1, 2, 3])('a text with more words than the table has places is found with seed %i', (seed) => {
  expect(found(21, seed)).toBeDefined();
});

test('the correct twin does not fail', () => {
  expect(found(20, 1)).toBeUndefined();
});
