/** Modules whose functions have little to do with each other: proofs and failures of the parts are the module's. */
import { verify } from '../../../src/index';
import { file, task } from '../task';
import { inLongForm } from '../../long';

jest.setTimeout(240_000);

const asked = (text: string, milliseconds = 60_000) =>
  task(file(text), { mode: 'module', properties: ['reach', 'memsafety', 'overflow'], budget: { milliseconds } });

const table = (i: number, bound = 16): string => `
static int table${i}[16], used${i};
int put${i}(int v) { if (used${i} >= ${bound}) return -1; table${i}[used${i}++] = v; return 0; }
int find${i}(int v) { for (int i = 0; i < used${i}; i++) if (table${i}[i] == v) return i; return -1; }
`;
const level = (i: number): string => `
static int level${i};
void raise${i}(int by) { if (by < 0 || by > 100) return; level${i} = level${i} + by > 1000 ? 1000 : level${i} + by; }
int percent${i}(void) { return level${i} * 100 / 1000; }
`;

inLongForm('a module of independent parts is proved, each check in one of them', async () => {
  const text = [0, 1, 2].map((i) => table(i) + level(i)).join('');
  const verdict = await verify(asked(text));
  expect(verdict).toMatchObject({ kind: 'proved', engine: 'test-based-abstraction' });
  if (verdict.kind !== 'proved') return;
  expect(verdict.checks?.length).toBe(verdict.statistics.obligations);
  expect(verdict.remarks.join('\n')).toMatch(/proved in \d parts that need different state/u);
  expect(verdict.invariants.map(({ formula }) => formula).join('\n')).toMatch(/used2/u);
});

inLongForm('a failure that takes seventeen calls of one function is found beside many others', async () => {
  const text = [0, 1, 2, 3].map((i) => table(i, i === 2 ? 17 : 16) + level(i)).join('');
  const verdict = await verify(asked(text));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { stack: [{ function: 'put2' }] } });
});

test('functions that meet in a helper are no parts: one of its callers fails', async () => {
  const text = `${table(0)}${level(1)}
static int t[8];
static void set(int i, int v) { t[i] = v; }
void masked(int i) { set(i & 7, 1); }
void plain(int i) { if (i == 12345678) set(i, 2); }
`;
  const verdict = await verify(asked(text, 20_000));
  expect(verdict).toMatchObject({
    kind: 'bug',
    counterexample: { stack: [{ function: 'set' }, { function: 'plain' }] },
  });
});

test('functions that meet in memory are no parts: what the one writes fails in the other', async () => {
  const text = `${table(0)}${level(1)}
static int first, second, t[8];
static int *chosen = &first;
void choose(int which) { chosen = which ? &second : &first; }
void write(int v) { *chosen = v; }
int read(void) { return second == 4321 ? t[second] : 0; }
`;
  const verdict = await verify(asked(text, 20_000));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { stack: [{ function: 'read' }] } });
});

inLongForm('what is not proved in its part is left open, and the rest counts', async () => {
  const text = `${table(0)}${level(1)}
static unsigned a = 1, b = 2; static int t[4];
void mix(unsigned n) { for (unsigned i = 0; i < (n & 63); i++) { a = a * 5 + b; b = b * a ^ 77; } }
void use(void) { if ((a * a * a + 3 * b * b) % 1000003 == 17) t[(a ^ b) & 7] = 1; }
`;
  const verdict = await verify(asked(text, 15_000));
  if (verdict.kind === 'bug' || verdict.kind === 'proved') throw new Error(`this is too easy: ${verdict.kind}`);
  const { checks } = verdict;
  expect(checks!.filter(({ status }) => status === 'proved').length).toBeGreaterThanOrEqual(checks!.length - 1);
  expect(checks!.filter(({ status }) => status === 'open').map(({ place }) => place.function)).toEqual(['use']);
});

inLongForm('the next run takes up what was proved of parts, as one proof', async () => {
  const stored = new Map<string, unknown>();
  const memory = {
    recall: (key: string) => stored.get(key),
    keep: (key: string, contents: unknown) => void stored.set(key, JSON.parse(JSON.stringify(contents))),
  };
  const asking = asked([0, 1, 2].map((i) => table(i) + level(i)).join(''));
  const first = await verify(asking, { memory });
  const second = await verify(asking, { memory });
  expect([first.kind, second.kind]).toEqual(['proved', 'proved']);
  expect(second.remarks.join('\n')).not.toMatch(/in \d parts/u);
  expect(second.kind === 'proved' && second.statistics.reused).toBeGreaterThan(0);
});
