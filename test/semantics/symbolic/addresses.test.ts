/**
 * Addresses as integers, in proofs: what the alignment of objects decides, and what it does not. The same functions run
 * on the interpreter, where no assertion may fail that is proved.
 */
import { verify } from '../../../src';
import { Machine } from '../../../src/semantics/concrete/machine';
import { allProperties } from '../../../src/program/command';
import { file, task } from '../../engines/task';
import { inLongForm } from '../../long';
import { functionOf, programOf } from '../../program/programOf';

const before = `
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
typedef uintptr_t word;
struct node { struct node *next; int value; };
static struct node node, other;
static char text[4];
static int *end_of_first, numbers[2];
extern int input(void);
`;

async function kindOf(body: string, milliseconds: number, dataModel: 'lp64' | 'ilp32' = 'lp64'): Promise<string> {
  const verdict = await verify(
    task(file(`${before}int main(void) { ${body} return 0; }`), {
      mode: 'program',
      entries: ['main'],
      load: { dataModel, externals: 'any' },
      properties: ['reach', 'memsafety'],
      budget: { milliseconds },
    }),
  );
  return verdict.kind;
}

const holding: readonly (readonly [string, string])[] = [
  ['multiples of the alignment of a type', 'assert((word)&node % 8 == 0 && ((word)&node.value & 3) == 0);'],
  ['a requested alignment', '_Alignas(64) char line[5]; assert((word)line % 64 == 0 && (word)(line + 3) % 64 == 3);'],
  ['no object lies at 0', 'char c; assert((word)&c != 0 && (word)(char *)0 == 0);'],
  [
    'a pointer becomes itself again',
    'word w = (word)&node; assert((struct node *)w == &node); ((struct node *)w)->value = 3; assert(node.value == 3);',
  ],
  [
    'a tag by or, off by and',
    'word w = (word)&node | 5; assert((w & 7) == 5); assert((struct node *)(w & ~(word)7) == &node);',
  ],
  ['a tag by xor', 'word w = (word)&node ^ 1; w ^= 1; assert((struct node *)w == &node);'],
  ['a tag by addition', 'word w = (word)&node + 1; assert(w & 1); assert((struct node *)(w - 1) == &node);'],
  [
    'a tag of a local object, through a pointer',
    'struct node own = { 0 }; void *t = (char *)&own + (input() & 1); word w = (word)t & ~(word)1; ' +
      'assert((struct node *)w == &own);',
  ],
  [
    'a sum rounded down',
    'unsigned n = input() & 3; word w = ((word)&node + n) & ~(word)3; assert((struct node *)w == &node);',
  ],
  [
    'a small number becomes itself again',
    'int i = input(); void *p = (void *)(intptr_t)i; assert((intptr_t)p == i && (p == 0) == (i == 0));',
  ],
  [
    'a block from malloc',
    'int *p = malloc(16); assert((word)p % 8 == 0); word w = (word)p | 1; *(int *)(w & ~(word)1) = 1; free(p);',
  ],
];

test.each(holding)('%s: proved', async (_, body) => expect(await kindOf(body, 60_000)).toBe('proved'));

test('the same with 32 bits', async () =>
  expect(
    await kindOf(
      'word w = (word)&node | 3; assert(w % 4 == 3 && (struct node *)(w & ~(word)3) == &node);',
      60_000,
      'ilp32',
    ),
  ).toBe('proved'));

test('no run contradicts a proof', () => {
  const input = before.replace('extern int input(void);', 'static int input(void) { return 7; }');
  const functions = holding.map(([, body], i) => `int f${i}(void) { ${body} return 1; }`);
  const program = programOf([input, ...functions].join('\n'));
  const machine = new Machine(program, { properties: new Set(allProperties), stepLimit: 10_000, output: () => {} });
  holding.forEach(([title], i) =>
    expect([title, machine.call(functionOf(program, `f${i}`), [])]).toMatchObject([
      title,
      { kind: 'returned', value: 1 },
    ]),
  );
});

const open: readonly (readonly [string, string])[] = [
  ['characters have odd addresses, too', 'assert((word)text % 2 == 0);'],
  ['a tag above the alignment', 'word w = (word)&text[1] | 1; assert((char *)(w & ~(word)1) == &text[1]);'],
  ['a small block may be aligned for small types only', 'char *p = malloc(2); assert((word)p % 4 == 0); free(p);'],
  ['another object may follow', 'word w = (word)(&node + 1); assert((struct node *)w != &other);'],
  [
    'another object may lie where one was freed',
    'int *p = malloc(8); word w = (word)p; free(p); int *q = malloc(8); assert((int *)w != q); free(q);',
  ],
  ['a number beyond the object may lead to another', 'word w = (word)&node + 64; assert((struct node *)w != &other);'],
  ['a number may lead into the middle of another object', 'word w = (word)&node + 64; assert((char *)w != &text[3]);'],
  ['objects lie in any order', 'assert((word)&node < (word)&other);'],
  ['distances of objects are any', 'assert((word)&node - (word)&other == 16 || (word)&other - (word)&node >= 32);'],
];

const isOpen = async (body: string): Promise<void> => expect(await kindOf(body, 500)).not.toBe('proved');
test.each(open.slice(0, 3))('not proved: %s', (_, body) => isOpen(body));
describe('in the long form', () => {
  for (const [title, body] of open.slice(3)) inLongForm(`not proved: ${title}`, () => isOpen(body));
});
