/** What functions tested of the numbers that they return. */
import { resultConditions } from '../../../../src/abstraction/candidates/conditions/resultConditions';
import { noInvariants } from '../../../../src/abstraction/transitionSystem/invariantMap';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { verify } from '../../../../src/index';
import * as L from '../../../../src/logic';
import { file, task } from '../../../engines/task';
import { moduleSystem } from '../../moduleSystem';

jest.setTimeout(120_000);

const table = (find: string): string => `
static struct { int key; unsigned char used; } slots[4];
static int count;
static int find(int key) { ${find} }
int add(int key) {
  if (find(key) >= 0 || count >= 4) return -1;
  int i = 0;
  while (slots[i].used) i++;
  slots[i].used = 1;
  slots[i].key = key;
  count++;
  return i;
}
int drop(int key) {
  int at = find(key);
  if (at < 0) return 0;
  slots[at].used = 0;
  count--;
  return 1;
}`;
const right = 'for (int i = 0; i < 4; i++) if (slots[i].used && slots[i].key == key) return i; return -1;';

const said = (text: string): readonly string[] => {
  const system = moduleSystem(text);
  return [...resultConditions(system, noInvariants)].flatMap(([{ kind, fn }, terms]) =>
    terms.map((term) => `${kind} ${fn.name}: ${printTerm(term, system.vocabulary)}`),
  );
};

test('of an element, at the exit of the function and where it has returned', () => {
  expect(said(table(right))).toEqual(
    expect.arrayContaining([
      'exit find: <result> == -1 || <result> >= 0',
      'exit find: <result> == -1 || slots[<result>].used != 0',
      'return drop: at == -1 || slots[at].used != 0',
    ]),
  );
});

test('nothing of an element that is written after the test', () => {
  const marked = right.replace('return i;', '{ slots[i].used = 2; return i; }');
  expect(said(table(marked)).filter((one) => one.includes('slots'))).toEqual([]);
});

test('a table whose taken elements are counted is proved, and its twins fail', async () => {
  const asked = (text: string) => verify(task(file(text), { properties: ['memsafety', 'overflow'] }));
  expect((await asked(table(right))).kind).toBe('proved');
  const anyElement = right.replace('slots[i].used && ', '');
  expect(await asked(table(anyElement))).toMatchObject({
    kind: 'bug',
    counterexample: { stack: [{ function: 'add' }] },
  });
});

test('the number of an element that a loop looks for through all of them', async () => {
  const text = `
static int age[4];
static int oldest(void) { int best = 0; for (int i = 1; i < 4; i++) if (age[i] > age[best]) best = i; return best; }
void renew(void) { age[oldest()] = 0; }
void grow(int i) { if (i >= 0 && i < 4 && age[i] < 100) age[i]++; }`;
  const system = moduleSystem(text);
  const loop = system.points.find(({ kind }) => kind === 'loop')!;
  const best = system.vocabulary.symbolsFor(loop.fn).find((symbol) => symbol.name.includes('best'))!;
  const known = new Map([[loop.key, [L.sle(best, L.bits(3n, 32))]]]);
  const exit = system.points.find(({ kind, fn }) => kind === 'exit' && fn === loop.fn)!;
  const terms = resultConditions(system, known).get(exit) ?? [];
  expect(terms.map((term) => printTerm(term, system.vocabulary))).toContain('<result> <= 3');
  expect((await verify(task(file(text), { properties: ['memsafety'] }))).kind).toBe('proved');
});
