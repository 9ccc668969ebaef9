/** Preconditions in the C hold for clients in every part of a module, also where the part does not check them. */
import { verify } from '../../src';
import { file, task } from './task';

jest.setTimeout(500_000);

const text = (requirement: string): string => `
#include <provest.h>
static char key[8];
void set(unsigned i, char c) { if (i < 7) key[i] = c; }
unsigned first(unsigned i) { return i < 8 && key[i] == 'a'; }
unsigned commas(const char *s) {
  PROVEST_REQUIRES(${requirement});
  unsigned n = 0;
  for (unsigned i = 0; s[i]; i++) if (s[i] == ',' && n < 100) n++;
  return n;
}`;

const verdictOf = async (requirement: string) =>
  (await verify(task(file(text(requirement)), { mode: 'module', budget: { milliseconds: 200_000 } }))).kind;

test('what a client keeps to is known where only its use is in question', async () => {
  expect(await verdictOf('s != 0 && PROVEST_TERMINATED(s)')).toBe('proved');
});

test('a weaker one is no better known there', async () => {
  expect(await verdictOf('s != 0 && PROVEST_LENGTH(s) > 0')).toBe('bug');
});
