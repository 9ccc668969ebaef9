/** Numbers of elements that elements hold, as handles and links in arrays do: within bounds between all calls. */
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { inLongForm } from '../../../long';

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
${Array.from({ length: states }, (_, i) => `    case ${i}: if (event == ${i}) state = ${i + 1 === states ? last : i + 1}; else if (event < 0) state = 0; break;`).join('\n')}
  }
  seen[state] = event;
}`;

test('a machine of many states that go round', async () => {
  expect((await verdictOf(machine(40, 0))).kind).toBe('proved');
});

test('a machine of few states with a way out of them', async () => {
  expect((await verdictOf(machine(4, 4), 20_000)).kind).toBe('bug');
});
