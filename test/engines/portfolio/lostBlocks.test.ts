/** The property leak of modules, from the task to the verdict. */
import { verify, type Verdict } from '../../../src';
import { inLongForm } from '../../long';
import { file, task } from '../task';

const verdictOn = (text: string): Promise<Verdict> =>
  verify(task(file(`#include <stdlib.h>\n${text}`), { properties: ['memsafety', 'leak'] }));

const stack = (drop: string): string => `
struct node { struct node *next; };
static struct node *top;
void push(void) {
  struct node *n = malloc(sizeof *n);
  n->next = top;
  top = n;
}
void drop(void) {
  ${drop}
}`;

test.each([
  [
    'where its last pointer is overwritten',
    'if (top == NULL) return;\n  top = top->next;\n  push();',
    '; lost at line 12',
  ],
  ['at the end of the function', 'struct node *n = top; if (n != NULL) top = n->next;', ''],
])(
  'a block is lost %s',
  async (_, drop, where) => {
    const verdict = await verdictOn(stack(drop));
    const message = `memory leak: nothing leads any more to the object of 8 bytes allocated at line 6${where}`;
    expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'leak', message }, test: '' } });
  },
  60_000,
);

test.each([
  ['by a cast', 'void keep(void) { kept = (unsigned long)malloc(4); }'],
  [
    'by a union',
    'union both { void *p; unsigned long l; }; void keep(void) { union both b; if (kept) return; ' +
      'b.p = malloc(4); kept = b.l; }',
  ],
  [
    'by a copy of its bytes',
    '#include <string.h>\nunsigned long keep(void) { void *p = malloc(4); unsigned long l; ' +
      'memcpy(&l, &p, sizeof l); return l; }',
  ],
  [
    'by a cast, beside a jump between functions',
    '#include <setjmp.h>\nstatic jmp_buf place; int keep(void) { if (setjmp(place)) return 1; ' +
      'if (!kept) kept = (unsigned long)malloc(4); return 0; }',
  ],
])('a module that makes a number of a pointer %s is out of reach', async (_, text) => {
  const verdict = await verdictOn(`static unsigned long kept;\n${text}`);
  expect(verdict).toMatchObject({ kind: 'unknown', reason: { cause: 'unsupported-construct' } });
});

inLongForm(
  'what a module keeps, or frees, is no leak',
  async () => {
    const pop = 'struct node *n = top; if (n != NULL) { top = n->next; free(n); }';
    expect((await verdictOn(stack(pop))).kind).toBe('proved');
    expect((await verdictOn(stack(''))).kind).toBe('proved');
  },
  240_000,
);
