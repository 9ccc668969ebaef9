/** What the members of a table's elements begin with: their bounds, and orders of two in each element. */
import { firstTableValues } from '../../../../src/abstraction/candidates/statics/firstTableValues';
import { staticTargets } from '../../../../src/abstraction/candidates/statics/staticTargets';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { moduleSystem } from '../../moduleSystem';

function printed(of: typeof firstTableValues | typeof staticTargets, text: string): readonly string[] {
  const system = moduleSystem(text);
  return (of(system).get(system.client!) ?? []).map((term) => printTerm(term, system.vocabulary).replace(/\s+/g, ' '));
}

const limits = (first: string): string => `
  static struct { short value, least, most; } table[] = {${first}};
  void set(unsigned i, short value) { if (i < 2) table[i].value = value < table[i].least ? table[i].least : value; }
  int within(unsigned i) { return i < 2 && table[i].value <= table[i].most; }`;

test('bounds are the extreme values, and orders hold in each element', () => {
  const found = printed(firstTableValues, limits('{3, -4, 7}, {0, 0, 9}'));
  const isSaid = (text: RegExp): boolean => found.some((one) => text.test(one));
  expect([isSaid(/least >= -4/), isSaid(/least <= 0/), isSaid(/most >= 7/), isSaid(/most <= 9/)]).toEqual(
    Array.from({ length: 4 }, () => true),
  );
  expect(isSaid(/least <= table\[_n\]\.value/)).toBe(true);
  expect(isSaid(/value <= table\[_n\]\.most/)).toBe(true);
  expect(isSaid(/most <= table\[_n\]\.(value|least)/)).toBe(false);
});

test('an order that one element does not begin with is not said, nor anything of a table of zeros', () => {
  const found = printed(firstTableValues, limits('{3, -4, 7}, {8, 9, 9}'));
  expect(found.some((one) => /least <= table\[_n\]\.value/.test(one))).toBe(false);
  expect(found.some((one) => /value <= table\[_n\]\.most/.test(one))).toBe(true);
  expect(printed(firstTableValues, limits('0').replace('table[] = {0}', 'table[2]'))).toEqual([]);
});

test('pointers of a table that begins without null are said not to be null', () => {
  const names = (first: string): string => `
    static struct { const char *name; int calls; } table[2] = {${first}};
    char first(unsigned i) { if (i >= 2) return 0; table[i].calls = 1; return table[i].name[0]; }`;
  const isNeverNull = (one: string): boolean => one.startsWith('forall') && !one.includes('== NULL');
  expect(printed(staticTargets, names('{"one", 0}, {"two", 0}')).filter(isNeverNull)).toHaveLength(1);
  expect(printed(staticTargets, names('{"one", 0}')).filter(isNeverNull)).toHaveLength(0);
});
