/** A potential error shows all of its state that the check depends on, in C terms. */
import { verify } from '../../../src';
import type { StateInC } from '../../../src/verdict';
import { file, task } from '../task';

/** Where only probes are followed, and there are none, every check is asked in any state. */
async function stateOf(text: string): Promise<StateInC> {
  const verdict = await verify(
    task(file(text), {
      predicates: 'probes',
      properties: ['div-by-zero'],
      refinement: { escalate: false },
      budget: { milliseconds: 20_000 },
    }),
    {},
  );
  expect(verdict.kind).toBe('potential-error');
  return verdict.kind === 'potential-error' ? verdict.errors[0]!.state : [];
}

// Nothing relates the level to its masked copy, and no call makes the copy 0 while the level is.
test('elements of an array', async () => {
  expect(
    await stateOf(`
    static unsigned level[4];
    static unsigned copy[4] = { 90, 90, 90, 90 };
    void adjust(unsigned i, unsigned bits) { if (i > 3) return; level[i] ^= bits; copy[i] ^= bits; }
    unsigned rate(unsigned i) { return i > 3 || level[i] != 0 ? 1 : 90 / copy[i]; }
  `),
  ).toEqual([
    { name: 'i', value: expect.stringMatching(/^[0-3]$/) as string },
    { name: 'level[i]', value: '0' },
    { name: 'copy[i]', value: '0' },
  ]);
});

test('members of a structure behind a pointer', async () => {
  const state = await stateOf(`
    #include <stdlib.h>
    struct box { unsigned level, copy; short step; struct box *next; };
    static struct box *all;
    int add(void) {
      struct box *b = malloc(sizeof *b);
      b->level = 0; b->copy = 90; b->step = -1; b->next = all;
      all = b;
      return 0;
    }
    void adjust(unsigned bits) { if (!all) return; all->level ^= bits; all->copy ^= bits; }
    unsigned rate(void) { return !all || all->next || all->step > -2 && all->level != 0 ? 1 : 90 / all->copy; }
  `);
  const shown = Object.fromEntries(state.map(({ name, value }) => [name, value]));
  expect(shown).toMatchObject({
    all: expect.stringMatching(/^an object of its own/),
    'all->next': 'NULL',
    'all->copy': '0',
    'all->step': expect.stringMatching(/^-?\d+$/),
  });
  expect(Number(shown['all->step'])).toBeLessThan(32768);
  // What the condition before it did not need to look at is left out, or is as it says.
  if (Number(shown['all->step']) > -2) expect(shown['all->level']).toBe('0');
});
