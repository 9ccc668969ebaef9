/** Filters keep their state within the bounds of what goes in. */
import { filteredNumbers } from '../../../../src/abstraction/candidates/statics/filteredNumbers';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { verify } from '../../../../src/index';
import { file, task } from '../../../engines/task';
import { moduleSystem } from '../../moduleSystem';

const smoothed = (update: string): string => `
  #include <stdint.h>
  static int32_t y;
  int16_t put(int16_t sample) {
    int32_t x = (int32_t)sample * 256;
    y ${update};
    return (int16_t)(y / 256);
  }`;

const said = (text: string): readonly string[] => {
  const system = moduleSystem(text);
  const terms = filteredNumbers(system).get(system.client!) ?? [];
  return terms.map((term) => printTerm(term, system.vocabulary));
};

test('bounds of the inputs, and these times the divisor', () => {
  expect(said(smoothed('+= (x - y) / 8'))).toEqual([
    'y >= -8388608',
    'y <= 8388352',
    'y >= -67108864',
    'y <= 67106816',
  ]);
  expect(said('static unsigned s; void put(unsigned char x) { s = s - (s >> 2) + x; }')).toEqual([
    's <= 255',
    's <= 1020',
  ]);
});

test('none of a number that is only added up, or that any word goes into', () => {
  expect(said(smoothed('+= x'))).toEqual([]);
  expect(said('static int y; void put(int x) { y = (y + x) / 2; }')).toEqual([]);
});

test.each([
  ['+= (x - y) / 8', 'proved'],
  ['= (y * 7 + x) / 8', 'proved'],
  ['+= (x - y) >> 3', 'proved'],
  ['+= (y - x) / 8', 'not proved'],
])(
  'y %s: %s',
  async (update, expected) => {
    const { kind } = await verify(task(file(smoothed(update)), { budget: { milliseconds: 15_000 } }));
    expect(kind === 'proved' ? kind : 'not proved').toBe(expected);
  },
  60_000,
);

test.each([
  [1021, true],
  [1020, false],
])(
  'a sum of quarters in a table of %i elements',
  async (room, isProved) => {
    const text = `
    static char table[${room}];
    static unsigned s;
    int put(unsigned char x) { s = s - (s >> 2) + x; return table[s]; }`;
    const verdict = await verify(task(file(text), { budget: { milliseconds: 20_000 } }));
    expect(verdict.kind === 'proved').toBe(isProved);
  },
  60_000,
);
