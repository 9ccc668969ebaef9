/** Bounds of members in tables of structures, from the numbers that are stored there. */
import { boundsInMemory, storedBounds } from '../../../../src/abstraction/candidates/statics/storedBounds';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { programOf } from '../../../program/programOf';
import { moduleSystem } from '../../moduleSystem';
import { programSystem } from '../../programSystem';

function candidatesOf(text: string): readonly string[] {
  const system = moduleSystem(text);
  return (storedBounds(system).get(system.client!) ?? []).map((term) =>
    printTerm(term, system.vocabulary).replace(/\s+/g, ' '),
  );
}

test('what a function compares before it stores, as far as the table begins so', () => {
  const found = candidatesOf(`
    static struct { int level; int other; } table[4];
    int set(unsigned i, int level) {
      if (i >= 4 || level < 0 || level > 7) return -1;
      table[i].level = level;
      return 0;
    }`);
  expect(found).toHaveLength(4);
  for (const bound of ['>= 0', '<= 0', '<= 7', '<= 6'])
    expect(found.filter((one) => one.includes(`level ${bound}`) && one.includes('>= 4'))).toHaveLength(1);
});

test('constants that are stored, whatever else the memory of the table holds', () => {
  const found = candidatesOf(`
    enum state { FREE, USED, GONE };
    static struct { enum state state; char text[8]; } table[4];
    void set(unsigned i, const char *text, unsigned n) {
      if (i >= 4 || n > 8) return;
      table[i].state = USED;
      for (unsigned k = 0; k < n; k++) *(table[i].text + k) = text[k];
    }
    void clear(unsigned i) { if (i < 4) table[i].state = GONE; }`);
  expect(found.filter((one) => one.includes('<= 2'))).toHaveLength(1);
});

test('what the member is compared with before something is added to it', () => {
  const text = (test: string): string => `
    static struct { int id; unsigned used; } table[4];
    int add(unsigned i, unsigned count) {
      if (i >= 4 || ${test}) return -1;
      table[i].used += count;
      return 0;
    }`;
  for (const test of ['count > 32 - table[i].used', 'table[i].used + count > 32'])
    expect(candidatesOf(text(test)).filter((one) => one.includes('used <= 32'))).toHaveLength(1);
  expect(candidatesOf(text('count > 32')).filter((one) => one.includes('used <= 32'))).toEqual([]);
});

test('nothing is said of what is stored as it comes', () => {
  expect(
    candidatesOf(`
      static struct { int a; int b; } table[4];
      void set(unsigned i, int a) { if (i < 4) table[i].a = a; }`),
  ).toEqual([]);
});

test('an array of numbers, and what memory holds of it', () => {
  const text = `
    static int marks[5];
    static struct { char name[4]; unsigned char level; } table[3];
    int mark(unsigned i, int value) {
      if (i >= 5 || value < 1 || value > 6) return -1;
      marks[i] = value;
      return 0;
    }
    void set(unsigned i, unsigned char level) { if (i < 3 && level <= 40) table[i].level = level; }`;
  expect(candidatesOf(text).some((one) => one.includes('marks[_n] <= 6'))).toBe(true);
  const found = boundsInMemory(moduleSystem(text));
  const rangeOf = (name: string): unknown => [...found].find(([key]) => key.includes(name))?.[1];
  expect(rangeOf('marks')).toMatchObject({ signed: { low: 0n, high: 6n } });
  expect(rangeOf('table')).toMatchObject({ unsigned: { high: 40n } });
});

test('what a helper stores that its callers have tested, also before another call', () => {
  const text = `
    static int places[6], at;
    static int number_of(int n) { int k = 0; while (n > 9) { n /= 10; k++; } return k; }
    static void remember(int place) { places[at] = place; at = (at + 1) % 6; }
    int visit(int place) {
      if (place < 3 || place > 40) return 0;
      int digits = number_of(place);
      remember(place);
      return digits;
    }
    void leave(int place) { if (place == 7) remember(place); }`;
  // 0 at first.
  for (const bound of ['>= 0', '<= 40'])
    expect(candidatesOf(text).filter((one) => one.includes(`places[_n] ${bound}`))).toHaveLength(1);
});

test('words that are computed from elements', () => {
  const text = `
    static int cells[6];
    void add(unsigned i, int n) {
      if (i >= 6 || n < 0 || cells[i] + n > 50) return;
      cells[i] = cells[i] + n;
    }`;
  for (const bound of ['>= 0', '<= 50'])
    expect(candidatesOf(text).filter((one) => one.includes(`cells[_n] ${bound}`))).toHaveLength(1);
  expect(candidatesOf(text.replace('cells[i] + n > 50', 'n > 50')).join()).not.toContain('<=');
});

test('of a program, which has no state between calls, constants alone count', () => {
  const program = programOf(
    'static int marks[5]; int main(void) { for (int i = 0; i < 5; i++) marks[i] = 6; return 0; }',
  );
  const found = boundsInMemory(programSystem(program, program.functionByName.get('main')!, ['overflow']));
  expect([...found.values()]).toMatchObject([{ signed: { low: 0n, high: 6n } }]);
});

test('numbers in an array of each structure, by their places in both', () => {
  const found = candidatesOf(`
    static struct { char name[6]; short grades[5]; int count; } table[30];
    void set(unsigned who, unsigned i, short grade) {
      if (who < 30 && i < 5 && grade >= 0 && grade <= 100) table[who].grades[i] = grade;
    }
    int get(unsigned who, unsigned i) { return table[who].grades[i] + table[who].count; }`);
  const ofGrades = found.filter((one) => one.includes('table[_n].grades[_m]'));
  for (const bound of ['>= 0', '<= 100'])
    expect(ofGrades.filter((one) => one.includes(`grades[_m] ${bound}`))).toHaveLength(1);
});
