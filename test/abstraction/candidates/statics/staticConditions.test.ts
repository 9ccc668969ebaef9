/** Numbers of elements that elements hold, as handles and links in arrays do: within bounds between all calls. */
import { staticConditions } from '../../../../src/abstraction/candidates/statics/staticConditions';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { inLongForm } from '../../../long';
import { moduleSystem } from '../../moduleSystem';

jest.setTimeout(240_000);

const verdictOf = async (text: string, milliseconds = 120_000) =>
  verify(
    task(file(text), { mode: 'module', properties: ['reach', 'memsafety', 'overflow'], budget: { milliseconds } }),
  );

/** A list of free cells in an array; `-1` is none. */
const pool = (release: string): string => `
struct cell { int value; int next; };
static struct cell cells[6] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 0, 5 }, { 0, -1 } };
static int available;
int take(int value) {
  int c = available;
  if (c == -1) return -1;
  available = cells[c].next;
  cells[c].value = value;
  return c;
}
void release(int c) { ${release} }
`;

inLongForm('a pool of cells that are linked by their numbers', async () => {
  const text = pool('if (c < 0 || c >= 6) return; cells[c].next = available; available = c;');
  expect((await verdictOf(text)).kind).toBe('proved');
});

test('a pool that takes back any number', async () => {
  const text = pool('if (c < 0 || c > 6) return; if (c < 6) cells[c].next = available; available = c;');
  expect(await verdictOf(text)).toMatchObject({ kind: 'bug', counterexample: { stack: [{ function: 'take' }] } });
});

inLongForm('a table of states and their successors', async () => {
  const text = `
static unsigned char successor[4][3] = { { 1, 2, 0 }, { 2, 2, 1 }, { 3, 0, 0 }, { 3, 1, 2 } };
static int current;
int feed(unsigned event) { if (event > 2) return -1; current = successor[current][event]; return current; }
int redirect(unsigned from, unsigned event, unsigned to) {
  if (from > 3 || event > 2 || to > 3) return -1;
  successor[from][event] = to;
  return 0;
}`;
  expect((await verdictOf(text)).kind).toBe('proved');
});

test('a table into which a successor that does not exist can be written', async () => {
  const text = `
static unsigned char successor[4] = { 1, 2, 3, 0 };
static int current, steps[4];
int feed(void) { current = successor[current]; return ++steps[current] < 1000 ? 0 : (steps[current] = 0); }
int redirect(unsigned from, unsigned to) { if (from > 3 || to > 4) return -1; successor[from] = to; return 0; }`;
  expect((await verdictOf(text, 20_000)).kind).toBe('bug');
});

/** A machine of as many states, which go round in turn. */
const machine = (states: number, last: number): string => `
static int state;
static int seen[${states}];
void step(int event) {
  switch (state) {
${Array.from(
  { length: states },
  (_, i) =>
    `    case ${i}: if (event == ${i}) state = ${i + 1 === states ? last : i + 1}; else if (event < 0) state = 0; ` +
    'break;',
).join('\n')}
  }
  seen[state] = event;
}`;

test('a machine of many states that go round', async () => {
  expect((await verdictOf(machine(40, 0))).kind).toBe('proved');
});

test('a machine of few states with a way out of them', async () => {
  expect((await verdictOf(machine(4, 4), 20_000)).kind).toBe('bug');
});

/** The order of use of slots, as numbers of slots; when all are taken, the last one is used again. */
const leastRecent = (joined: string): string => `
struct entry { int key; int prev; int next; };
static struct entry slots[4];
static int head = -1, tail = -1, count;
static void take_out(int i) {
  int p = slots[i].prev, n = slots[i].next;
  if (p != -1) slots[p].next = n; else head = n;
  if (n != -1) slots[n].prev = p; else tail = p;
}
static void put_first(int i) {
  slots[i].prev = -1;
  slots[i].next = head;
  if (head != -1) slots[head].prev = i;
  head = i;
  ${joined}
}
void put(int key) {
  int i;
  if (count < 4) i = count++;
  else { i = tail; take_out(i); }
  slots[i].key = key;
  put_first(i);
}`;

inLongForm('slots in the order of their use', async () => {
  expect((await verdictOf(leastRecent('if (tail == -1) tail = i;'))).kind).toBe('proved');
});

test('slots in the order of their use, of which none is the last', async () => {
  expect((await verdictOf(leastRecent('if (tail != -1) tail = i;'))).kind).toBe('bug');
});

test('a number that is an index only when all places are taken', async () => {
  const text = `
static int before[4], last = -1, count;
int add(void) { int i = count < 4 ? count++ : last; before[i] = last; last = i; return before[i]; }
void clear(void) { last = -1; count = 0; }`;
  expect((await verdictOf(text)).kind).toBe('proved');
  expect((await verdictOf(text.replace(' count = 0;', ''))).kind).toBe('bug');
});

const saidOf = (text: string): readonly string[] => {
  const system = moduleSystem(text);
  return (staticConditions(system).get(system.client!) ?? []).map((term) => printTerm(term, system.vocabulary));
};

test('elements that an index is chosen by are not what is asked about', () => {
  const text = (asked: string): string => `
static int weight[8], next[8], size;
int lighter(int i) {
  int best = i;
  if (i < 0 || i >= 4) return -1;
  if (2 * i + 1 < size && weight[2 * i + 1] < weight[i]) best = 2 * i + 1;
  return ${asked};
}
void link(int i, int j) { if (i >= 0 && i < 8) next[i] = j; }
void grow(void) { if (size < 8) size++; }`;
  expect(saidOf(text('weight[best]')).filter((term) => term.includes('forall'))).toEqual([]);
  expect(saidOf(text('weight[next[i]]')).filter((term) => /forall.*next\[/u.test(term))).not.toEqual([]);
});
