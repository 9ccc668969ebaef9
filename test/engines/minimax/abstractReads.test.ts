import { Budget } from '../../../src/budget';
import { abstractReads, isLargeWithoutReads, withoutReads } from '../../../src/engines/minimax/abstractReads';
import { Solvers } from '../../../src/engines/solvers';
import * as L from '../../../src/logic/build';
import { symbolsOf } from '../../../src/logic/substitute';
import type { Term } from '../../../src/logic/term';
import { treeOf } from './treeOf';

jest.setTimeout(240_000);

const word = L.bitsSort(32);
const index = L.symbol('index', word);
const byte = (value: number): Term => L.bits(BigInt(value), 8);

/** An array whose elements below `writes` are 7. */
function sevens(writes: number): Term {
  let array: Term = L.symbol('memory', L.arraySort(word, L.bitsSort(8)));
  for (let i = 0; i < writes; i++) array = L.store(array, L.bits(BigInt(i), 32), byte(7));
  return array;
}

const read = L.select(sevens(100), index);
const inRange = L.ult(index, L.bits(100n, 32));

test('a read behind many writes is a value of its own, the same wherever it is read', async () => {
  const differs = L.not(L.eq(read, byte(7)));
  const contradicting = [inRange, differs, L.eq(read, byte(7))];
  const impossible = [inRange, differs];
  const solvers = new Solvers(1, Budget.start({ milliseconds: 36_000_000 }), {});
  const ask = async (terms: readonly Term[]) => (await solvers.exact.check(terms, { timeoutMs: 60_000 })).kind;
  try {
    expect(await ask(impossible)).toBe('unsat');
    expect(await ask(abstractReads(impossible)!.terms)).toBe('sat');
    expect(await ask(abstractReads(contradicting)!.terms)).toBe('unsat');
  } finally {
    await solvers.close();
  }
});

test('few writes are read as they are, and none without a read', () => {
  expect(abstractReads([L.eq(L.select(sevens(10), index), byte(7))])).toBeUndefined();
  expect(abstractReads([inRange])).toBeUndefined();
  expect(abstractReads([L.eq(read, byte(7))])!.writes).toBe(100);
  const [term] = withoutReads([L.eq(read, byte(7))]);
  expect([...symbolsOf(term!)].map(({ sort }) => sort)).toEqual([L.bitsSort(8)]);
});

test('a condition is large if it is so without its reads', () => {
  expect(isLargeWithoutReads(L.eq(read, byte(7)))).toBe(false);
  const object = L.symbol('object', word);
  const oneOfMany = L.or(
    ...Array.from({ length: 300 }, (_, i) => L.eq(object, L.mul(index, L.bits(BigInt(3 * i + 5), 32)))),
  );
  expect(isLargeWithoutReads(oneOfMany)).toBe(true);
});

/** A protocol beside a table of 1,100 bytes, which decides branches that the protocol does not depend on. */
const protocol = (last: number): string => `
  unsigned char table[1100] = {${Array.from({ length: 1100 }, (_, i) => ((i * 7) % 250) + 1).join(',')}};
  void foo(void) {
    int state = 0, sum = 0, i = 0, n = nondet();
    unsigned k = nondet(), m = nondet();
    if (k >= 1100 || m >= 1100) return;
    if (table[k] > 40) state = 1; else state = 2;
    if (state == 1 && table[m] < table[k]) sum = 1;
    while (1) {
      if (i >= n) break;
      if (table[m] == 3) sum = sum + 1;
      i = i + 1;
    }
    if (state == 1) state = 3;
    if (state != 2 && state != ${last}) error();
  }`;

test('branches that read a large table are passed if the property does not need it', async () => {
  expect((await treeOf(protocol(3))).answer).toBe('certified');
  expect(['fails', 'unknown']).toContain((await treeOf(protocol(4))).answer);
});

test('a loop that is left behind its head is decided there, not at the head', async () => {
  const loop = (last: number): string => `void foo(void) {
    int i = 0, n = nondet();
    while (1) { if (i >= n) break; i = i + 1; }
    if (i < ${last}) error();
  }`;
  const followed = await treeOf(loop(0), { decidedRounds: () => 130 });
  expect(followed.answer).toBe('certified');
  expect(followed.statistics.nodes).toBeLessThan(40);
  expect((await treeOf(loop(1), { decidedRounds: () => 130 })).answer).toBe('fails');
});

test('a loop whose rounds constants decide behind its head is followed', async () => {
  const text = `void foo(void) {
    int i = 0, s = 0;
    while (1) { if (i >= 6) break; s = s + i * i; i = i + 1; }
    if (s != 55) error();
  }`;
  expect((await treeOf(text, { decidedRounds: () => 130 })).answer).toBe('certified');
  expect((await treeOf(text.replace('55', '54'), { decidedRounds: () => 130 })).answer).toBe('fails');
});
