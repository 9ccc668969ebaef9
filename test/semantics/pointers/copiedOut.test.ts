/** Pointers that come to clients as bytes: they may pass them back. */
import { verify } from '../../../src';
import { file, task } from '../../engines/task';

jest.setTimeout(200_000);

const kind = async (give: string, milliseconds = 5_000): Promise<string> => {
  const path = file(`#include <string.h>
#include <assert.h>
struct c { char buf[8]; };
struct item { int *at; int n; };
static int x, count; static int *p = &x; static struct item one = {&x, 1};
${give}
void use(int *q) { if (!q) return; x = 1; *q = 0; assert(x == 1); }`);
  return (await verify(task(path, { budget: { milliseconds } }))).kind;
};

test.each([
  [
    'a copy of so many characters',
    'void give(struct c *o, unsigned n) { if (o && n <= 8) memcpy(o->buf, (char *)&p, n); }',
  ],
  ['a copy of all', 'void give(struct c *o) { if (o) memcpy(o->buf, &p, 8); }'],
  ['characters', 'void give(struct c *o, unsigned i) { if (o && i < 8) o->buf[i] = ((char *)&p)[i]; }'],
  ['a copy into a visible array', 'char shown[8]; void give(void) { memcpy(shown, &p, 8); }'],
  ['a copy of a structure', 'void give(struct c *o) { if (o) memcpy(o->buf, &one, 8); }'],
])('by %s', async (_, give) => {
  expect(await kind(give)).not.toBe('proved');
});

test('by numbers of the module, no pointers', async () => {
  expect(await kind('void give(struct c *o) { if (o) memcpy(o->buf, &count, 4); }', 100_000)).toBe('proved');
});
