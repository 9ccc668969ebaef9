/** Heap blocks that static data own: a table of handles, a buffer that grows. */
import { ownedObjects } from '../../../../src/abstraction/candidates/statics/ownedObjects';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { inLongForm } from '../../../long';
import { moduleSystem } from '../../moduleSystem';

jest.setTimeout(240_000);

const kindOf = async (text: string): Promise<string> =>
  (
    await verify(
      task(file(`#include <stdlib.h>\n${text}`), {
        properties: ['reach', 'memsafety', 'overflow'],
        budget: { milliseconds: 120_000 },
      }),
    )
  ).kind;

const table = (closed: string, room = 32): string => `
static char *slots[4];
int slot_open(void) {
  for (int i = 0; i < 4; i++) {
    if (slots[i] == NULL) {
      slots[i] = calloc(1, ${room});
      return slots[i] ? i : -1;
    }
  }
  return -2;
}
int slot_close(int i) {
  if (i < 0 || i >= 4 || slots[i] == NULL) return -1;
  free(slots[i]);
  ${closed}
  return 0;
}
int slot_put(int i, unsigned at, char c) {
  if (i < 0 || i >= 4 || slots[i] == NULL || at >= 32) return -1;
  slots[i][at] = c;
  return 0;
}`;

inLongForm('a table of blocks, each freed once', async () => {
  expect(await kindOf(table('slots[i] = NULL;'))).toBe('proved');
});

test('a block that stays in the table after it is freed', async () => {
  expect(await kindOf(table(''))).toBe('bug');
});

test('two places of the table with one block', async () => {
  expect(await kindOf(table('slots[i] = slots[3 - i];'))).toBe('bug');
});

inLongForm('a block that is too small', async () => {
  expect(await kindOf(table('slots[i] = NULL;', 31))).toBe('bug');
});

inLongForm('as many bytes as a number beside the pointer says', async () => {
  const written = (next: string): string => `
struct slot { char *data; unsigned used; };
static struct slot slots[4];
int slot_open(int i) {
  if (i < 0 || i >= 4 || slots[i].data) return -1;
  slots[i].data = malloc(32);
  if (!slots[i].data) return -2;
  slots[i].used = 0;
  return 0;
}
void slot_close(int i) {
  if (i < 0 || i >= 4 || !slots[i].data) return;
  free(slots[i].data);
  slots[i].data = NULL;
}
int slot_write(int i, char c) {
  if (i < 0 || i >= 4 || !slots[i].data) return -1;
  if (${next}) return -2;
  slots[i].data[slots[i].used++] = c;
  return 0;
}`;
  expect(await kindOf(written('slots[i].used >= 32'))).toBe('proved');
  expect(await kindOf(written('slots[i].used > 32'))).toBe('bug');
});

const growing = (full: string): string => `
static int *data;
static size_t len, cap;
int push(int v) {
  if (${full}) {
    size_t more = cap == 0 ? 4 : cap * 2;
    if (more > 64) return -1;
    int *p = realloc(data, more * sizeof *p);
    if (p == NULL) return -1;
    data = p;
    cap = more;
  }
  data[len++] = v;
  return 0;
}`;

test('a block in a variable, with the numbers around it', () => {
  const system = moduleSystem(`#include <stdlib.h>\n${growing('len == cap')}`);
  const said = (ownedObjects(system).get(system.client!) ?? []).map((term) => printTerm(term, system.vocabulary));
  expect(said).toContain('data == NULL || 4 * cap == object_size(data)');
  expect(said).toContain('data != NULL || offset_of(data) != 0 || cap == 0');
});

inLongForm('an array that grows, in variables', async () => {
  expect(await kindOf(growing('len == cap'))).toBe('proved');
});

test('an array that grows too late', async () => {
  expect(await kindOf(growing('len > cap'))).toBe('bug');
});
