/** Elements of arrays of structures are told apart by indices of 64 bits, too: a checked one does not wrap. */
import { verify } from '../../../src';
import { file, task } from '../../engines/task';
import { moduleSystem } from '../../abstraction/moduleSystem';

jest.setTimeout(500_000);

/** How the memory of the structures is divided: offsets of the members in one, or bytes. */
function layoutOf(text: string): readonly number[] | 'bytes' {
  const { memoryModel } = moduleSystem(`
    #include <stddef.h>
    struct slot { unsigned char state; char key[16]; int value; };
    ${text}`);
  const [found] = memoryModel.regions
    .roots()
    .filter((node) => node.accesses.size > 0)
    .map((node) => memoryModel.regions.layout(node));
  return found!.kind === 'bytes' ? 'bytes' : found!.slots.map(({ offset }) => offset);
}

test.each([
  ['elements', 'slots[i].value = 1; slots[i].state = 2; return slots[i].value;'],
  ['elements by pointers', 'struct slot *s = &slots[i]; s->value = 1; s->state = 2; return s->value;'],
])('%s of a static array', (_, body) => {
  expect(layoutOf(`static struct slot slots[64]; int f(size_t i) { if (i >= 64) return 0; ${body} }`)).toEqual([0, 20]);
});

test('elements of an array that a client passes', () => {
  expect(layoutOf('int f(struct slot *s, size_t i) { s[i].value = 1; s[i].state = 2; return s[i].key[3]; }')).toEqual([
    0, 4, 20,
  ]);
});

test('an index that is not checked may lead anywhere', () => {
  expect(
    layoutOf(`int f(struct slot *s, size_t i) {
      unsigned char *bytes = (unsigned char *)s;
      s->value = 1;
      bytes[i] = 2;
      return s->value;
    }`),
  ).toBe('bytes');
});

const wrapping = (index: string): string => `
#include <stddef.h>
#include <assert.h>
struct slot { unsigned char state; char key[16]; int value; };
static struct slot slots[2];
void f(size_t i) {
  slots[0].value = 1;
  if (i == ${index}) slots[i].state = 2;
  assert(slots[0].value == 1);
}`;

test('an index that would wrap to another member is out of bounds', async () => {
  const kind = async (index: string): Promise<string> =>
    (await verify(task(file(wrapping(index)), { budget: { milliseconds: 200_000 } }))).kind;
  expect(await kind('1')).toBe('proved');
  // 24 times this is 16 modulo 2 to the 64th.
  expect(await kind('6148914691236517206u')).toBe('bug');
});
