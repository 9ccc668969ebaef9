/** Pointers into a module's own static arrays: nodes of a pool, words of a buffer. */
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { inLongForm } from '../../../long';

jest.setTimeout(240_000);

const verdictOf = async (text: string) =>
  verify(
    task(file(text), {
      mode: 'module',
      properties: ['reach', 'memsafety', 'overflow'],
      budget: { milliseconds: 120_000 },
    }),
  );

/** An intrusive list over a static pool. */
const pool = (limit: string): string => `
struct node { struct node *next; int id; };
static struct node pool[3];
static struct node *head;
int push(unsigned i) {
  if (i ${limit} 3 || pool[i].id) return 0;
  pool[i].id = 1;
  pool[i].next = head;
  head = &pool[i];
  return 1;
}
int pop(void) {
  struct node *n = head;
  if (!n) return -1;
  head = n->next;
  n->next = 0;
  n->id = 0;
  return 1;
}`;

test('a list whose nodes lie in a static array', async () => {
  expect((await verdictOf(pool('>='))).kind).toBe('proved');
});

test('a list with a node behind the array', async () => {
  expect((await verdictOf(pool('>'))).kind).toBe('bug');
});

inLongForm('a list over a static array from which nodes are unlinked', async () => {
  const text = `${pool('>=')}
void unlink_node(unsigned i) {
  struct node *last = 0;
  if (i >= 3) return;
  for (struct node *each = head; each; each = each->next) {
    if (each == &pool[i]) {
      if (last) last->next = each->next; else head = each->next;
      each->next = 0;
      each->id = 0;
      return;
    }
    last = each;
  }
}`;
  expect((await verdictOf(text)).kind).toBe('proved');
});

/** Pointers to the words of a line, those below a counter not null. */
const words = (limit: string): string => `
static char line[8];
static char *word[2];
static unsigned count;
void set(char a, char b, char c) { line[0] = a; line[1] = ' '; line[2] = b; line[3] = ' '; line[4] = c; count = 0; }
int split(void) {
  char *p = line;
  count = 0;
  while (*p) {
    if (*p == ' ') { *p++ = 0; continue; }
    if (count ${limit} 2) return -1;
    word[count++] = p;
    while (*p != 0 && *p != ' ') p++;
  }
  return (int)count;
}
char first(unsigned i) { return i < count ? word[i][0] : 0; }`;

inLongForm('pointers to words that a counter counts', async () => {
  expect((await verdictOf(words('=='))).kind).toBe('proved');
});

test('a word more than there is room for', async () => {
  expect((await verdictOf(words('>'))).kind).toBe('bug');
});
