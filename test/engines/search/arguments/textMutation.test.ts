/** Texts near others: pieces of them many times in a row, which tables of words and fields take to fail. */
import { fuzzProgram } from '../../../../src/engines/search/fuzzing';
import type { Property } from '../../../../src/program/command';
import type { Scenario } from '../../../../src/evidence/scenarios/scenario';
import { programOf } from '../../../program/programOf';

/** A name is copied into a record of a format, which has room for 99 characters and a 0. */
const archive = (copied: string): string => `
#include <string.h>
struct header { char name[100]; char other[12]; unsigned size; };
static unsigned position;
int add(const char *name, unsigned size) {
  struct header h;
  memset(&h, 0, sizeof h);
  if (!name) return -1;
  ${copied}
  h.size = size;
  position += sizeof h;
  return h.name[0];
}`;

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

function found(text: string, seed: number): Scenario | undefined {
  const program = programOf(text);
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
  expect(found(words(21), seed)).toBeDefined();
});

test('the correct twin does not fail', () => {
  expect(found(words(20), 1)).toBeUndefined();
});

test.each([1, 2, 3])('a text that is longer than the member it is copied to is found with seed %i', (seed) => {
  expect(found(archive('strcpy(h.name, name);'), seed)).toBeDefined();
});

test('no text is longer than what is copied of it', () => {
  expect(found(archive('strncpy(h.name, name, sizeof h.name - 1);'), 1)).toBeUndefined();
});
