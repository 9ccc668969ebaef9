/** Texts of the module that clients get, and hand in again where they may hand in their own. */
import { verify } from '../../../src';
import { file, task } from '../../engines/task';

jest.setTimeout(500_000);

const keeper = (requirement: string): string => `
#include <provest.h>
static char key[8];
const char *get(void) { return key; }
void set(unsigned i, char c) { if (i < 7) key[i] = c; }
static unsigned count(const char *s, char wanted) {
  unsigned i, n = 0;
  for (i = 0; s[i]; i++) if (s[i] == wanted && n < 100) n++;
  return n;
}
unsigned commas(const char *s) {
  PROVEST_REQUIRES(s == 0 || ${requirement});
  return s ? count(s, ',') : 0;
}`;

const verdictOf = async (text: string) =>
  (await verify(task(file(text), { mode: 'module', budget: { milliseconds: 200_000 } }))).kind;

test('a text that ends in a helper, too', async () => {
  expect(await verdictOf(keeper('PROVEST_TERMINATED(s)'))).toBe('proved');
  expect(await verdictOf(keeper('PROVEST_LENGTH(s) > 0'))).not.toBe('proved');
});
