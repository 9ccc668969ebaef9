/**
 * Sets of byte distances against plain sets of numbers; objects divided by accesses; and what rests on it: fields
 * beside inner arrays keep their values, and only while nothing else can write them.
 */
import * as fc from 'fast-check';
import {
  cellsOf,
  type Congruence,
  contains,
  exactly,
  flat,
  join,
  negate,
  overlap,
  plus,
  residueOf,
  times,
  upTo,
} from '../../../src/program/congruence';
import type { ProbeFormula } from '../../../src/abstraction/predicates/probeFormula';
import { verify } from '../../../src/index';
import { cellsIn, isOnePlace, layoutOf, slotAt } from '../../../src/semantics/pointers/slotLayout';
import type { Scalar } from '../../../src/program/expression';
import { compare, file, integer, task, variable } from '../../engines/task';
import { inLongForm, runs } from '../../long';

jest.setTimeout(120_000);

const WINDOW = 240;
/** The numbers of a set within a window. */
function numbers(set: Congruence): Set<number> {
  const found = new Set<number>();
  for (let n = -WINDOW; n <= WINDOW; n++) if (cellsOf(set).includes(residueOf(n, set.modulus))) found.add(n);
  return found;
}
const sets: fc.Arbitrary<Congruence> = fc
  .record({
    residue: fc.integer({ min: -20, max: 20 }),
    modulus: fc.constantFrom(0, 0, 1, 4, 6, 12),
    strides: fc.array(fc.record({ count: fc.integer({ min: 1, max: 4 }), step: fc.integer({ min: 1, max: 9 }) }), {
      maxLength: 2,
    }),
  })
  .map(({ residue, modulus, strides }) =>
    strides.reduce(
      (set, { count, step }) => plus(set, upTo(count, step)),
      plus(exactly(residue), { residue: 0, modulus }),
    ),
  );
const inside = (part: Set<number>, whole: Set<number>): boolean =>
  [...part].every((n) => Math.abs(n) > WINDOW / 2 || whole.has(n));

test('sets of distances: sums, joins, factors and congruences hold every number they should', () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const [x, y] = [numbers(a), numbers(b)];
      expect(inside(x, numbers(flat(a)))).toBe(true);
      const joined = numbers(join(a, b));
      expect(inside(x, joined) && inside(y, joined)).toBe(true);
      const sum = numbers(plus(a, b));
      for (const i of [...x].filter((n) => Math.abs(n) < 50))
        for (const j of [...y].filter((n) => Math.abs(n) < 50)) expect(sum.has(i + j)).toBe(true);
      expect(inside(new Set([...x].map((n) => -n)), numbers(negate(a)))).toBe(true);
      expect(inside(new Set([...x].map((n) => 2 * n)), numbers(times(a, 2)))).toBe(true);
      expect(overlap(a, b)).toBe([...x].some((n) => y.has(n)));
      if (contains(a, b)) expect(inside(y, x)).toBe(true);
      expect(contains(a, a)).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});

test('nested arrays are one run, and what is no longer worth telling apart is a congruence', () => {
  expect(plus(upTo(3, 8), upTo(2, 4))).toEqual({ residue: 0, modulus: 0, strides: [{ step: 4, count: 6 }] });
  expect(upTo(100_000, 4)).toEqual({ residue: 0, modulus: 4 });
  expect(upTo(1, 4)).toEqual(exactly(0));
});

const byte: Scalar = { kind: 'integer', widthBits: 8, signed: false };
const word: Scalar = { kind: 'integer', widthBits: 32, signed: false };
const bytesOf = (type: Scalar): number => (type.kind === 'pointer' ? 8 : type.widthBits / 8);
const slots = (...accesses: { at: Congruence; type: Scalar }[]) => layoutOf(accesses, undefined, bytesOf);

test('an inner array is one slot, and what lies beside it another', () => {
  const layout = slots(
    { at: upTo(16, 1), type: byte },
    { at: exactly(3), type: byte },
    { at: exactly(16), type: word },
  );
  if (layout.kind !== 'slots') throw new Error('no access straddles another');
  expect(layout.slots.map(({ offset, cells }) => [offset, cells.length])).toEqual([
    [0, 16],
    [16, 1],
  ]);
  expect(layout.slots.map((slot) => isOnePlace(layout, slot))).toEqual([false, true]);
  expect(slotAt(layout, exactly(7))).toBe(layout.slots[0]);
  expect(slotAt(layout, upTo(17, 1))).toBeUndefined();
  expect(cellsIn(layout, layout.slots[0]!, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('one element too many reaches what lies beside it', () => {
  expect(slots({ at: upTo(17, 1), type: byte }, { at: exactly(16), type: word }).kind).toBe('bytes');
  expect(slots({ at: upTo(4, 4), type: word }, { at: exactly(2), type: byte }).kind).toBe('bytes');
});

test('arrays in the elements of an array repeat with them', () => {
  const name: Congruence = plus({ residue: 0, modulus: 12 }, upTo(8, 1));
  const layout = slots({ at: name, type: byte }, { at: { residue: 8, modulus: 12 }, type: word });
  if (layout.kind !== 'slots') throw new Error('no access straddles another');
  expect(layout.stride).toBe(12);
  expect(cellsIn(layout, layout.slots[0]!, 24)).toHaveLength(16);
  expect(cellsIn(layout, layout.slots[1]!, 24)).toEqual([8, 20]);
  // As many as are asked for, of an object as large as they come.
  expect(cellsIn(layout, layout.slots[1]!, 0x7fff_ffff, 3)).toEqual([8, 20, 32]);
});

const kind = async (text: string): Promise<string> =>
  (await verify(task(file(text), { budget: { milliseconds: 60_000 } }))).kind;

const queue = (store: string, more = ''): string => `
  #include <assert.h>
  #include <string.h>
  static struct { unsigned char data[8]; unsigned count; unsigned char *last; } q;
  int push(unsigned char v) { if (q.count == 8) return 0; ${store}; q.count++; return 1; }
  void clear(void) { memset(&q, 0, sizeof q); }
  unsigned count(void) { assert(q.count <= 8); return q.count; }
  ${more}`;

test('a count beside its buffer is kept by what is written into the buffer', async () => {
  expect(await kind(queue('q.data[q.count] = v'))).toBe('proved');
  expect(await kind(queue('memcpy(q.data + q.count, &v, 1)'))).toBe('proved');
  expect(
    await kind(queue('q.data[q.count] = v', 'void fill(unsigned n) { if (n <= 8) memset(q.data, 255, n); }')),
  ).toBe('proved');
});

test('and not by what is written past its end', async () => {
  expect(await kind(queue('q.last = &q.data[q.count]; q.last[1] = v'))).not.toBe('proved');
  expect(
    await kind(queue('q.data[q.count] = v', 'void fill(unsigned n) { if (n <= 9) memset(q.data, 255, n); }')),
  ).toBe('bug');
  expect(
    await kind(
      queue('q.data[q.count] = v', 'void end(unsigned n) { if (n <= 8) { unsigned char *p = &q.data[n]; *p = 200; } }'),
    ),
  ).toBe('bug');
});

inLongForm('elements that are structures are copied one to the other', async () => {
  const table = (limit: number): string => `
    #include <assert.h>
    struct entry { unsigned char name[4]; int level; };
    static struct { struct entry entries[4]; int used; } table;
    void set(unsigned i, int level) { if (i < 4 && level >= 0 && level <= 9) table.entries[i].level = level; }
    void copy(unsigned i, unsigned j) { if (i < 4 && j < 4) { table.entries[i] = table.entries[j]; table.used = 1; } }
    void rename(unsigned i, unsigned k, unsigned char c) { if (i < 4 && k < ${limit}) table.entries[i].name[k] = c; }
    int used(void) { assert(table.used == 0 || table.used == 1); return table.used; }
    int level(unsigned i) {
      if (i >= 4) return 0;
      assert(table.entries[i].level <= 9);
      return table.entries[i].level;
    }`;
  expect(await kind(table(4))).toBe('proved');
  expect(await kind(table(5))).toBe('bug');
});

test('what clients promise of their structures holds where the function begins', async () => {
  const text = `
    #include <assert.h>
    struct counter { unsigned char log[4]; unsigned count; };
    int add(struct counter *c) { if (c->count == 4) return 0; c->log[c->count] = 1; c->count++; assert(c->count <= 4);
      return 1; }`;
  const promised = (most: number): ProbeFormula => ({
    kind: 'and',
    left: { kind: '!=', left: variable('c'), right: { kind: 'null' } },
    right: compare(
      '<=',
      { kind: 'path', variable: 'c', steps: [{ kind: 'dereference' }, { kind: 'field', name: 'count' }] },
      integer(most),
    ),
  });
  const ask = async (most: number): Promise<string> =>
    (await verify(task(file(text), { requires: [{ function: 'add', formula: promised(most) }] }))).kind;
  expect(await ask(4)).toBe('proved');
  expect(await ask(5)).toBe('bug');
});
