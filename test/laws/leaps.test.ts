/**
 * Loops whose rounds are made many at once do the same as on the reference machine: results, faults, steps and states
 * at limits of steps. Loops are nested, alternate, count down, by steps and in types that wrap around.
 */
import fc from 'fast-check';
import { loadProgram } from '../../src/program';
import { Leaps } from '../../src/semantics/concrete/leaps/leaps';
import { Machine, type MachineOptions, type RunOutcome } from '../../src/semantics';
import { firstDifference, seenOf } from '../differential/compiledAndReference';
import { file } from '../engines/task';
import { runs } from '../long';

const text = `
  static int total;
  static unsigned plain(int from, int step, int to) {
    unsigned x = 7, y = 0;
    for (int i = from; i < to; i += step) { x += 3; y -= x & 0; y += 5; }
    return x ^ y << 3;
  }
  static unsigned nest(unsigned n, unsigned m, unsigned add) {
    unsigned x = 0, i, j;
    for (i = 0; i < n; i++) { for (j = 0; j < m; j++) x += add; }
    return x * 31 + i + j;
  }
  static unsigned deep(unsigned n, unsigned m, unsigned k) {
    unsigned x = 0, y = 1, i, j, l;
    for (i = 0; i < n; i++) { x++; for (j = m; j > 0; j--) { y += 2; for (l = 0; l != k; l++) x += 3; } }
    return x * 31 + y;
  }
  static unsigned triangle(unsigned n) {
    unsigned x = 0;
    for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < i; j++) x += 2;
    return x;
  }
  static unsigned moving(unsigned n, unsigned m) {
    unsigned x = 0, y = 1;
    for (unsigned i = 0; i < n; i++) { for (unsigned j = 0; j < m; j++) x += y; y += i; }
    return x;
  }
  static unsigned alternating(unsigned n, unsigned m) {
    unsigned x = 0, y = 0, t = 0, i, j;
    for (i = 0; i < n; i++) { for (j = 0; j < m; j++) if (j & 1) x++; else y++; t = !t; if (t) x += 3; }
    return x * 1000 + y;
  }
  static int wrapping(signed char from, unsigned char step, int n) {
    signed char a = from;
    unsigned char b = 0;
    short c = 0;
    for (int i = 0; i < n; i++) { a += step; b -= 3; c += a & 0; c += 700; if (b == 250) total++; }
    return a * 65536 + b * 256 + (c & 255);
  }
  static int until(unsigned char from, unsigned char step, unsigned char stop, int n) {
    int i = 0;
    unsigned char x = from;
    while (x != stop && i < n) { x += step; i++; }
    return i;
  }
  static int faulty(int from, int step, int n) {
    int x = from;
    for (int i = 0; i < n; i++) x += step;
    return x;
  }
  static int modulo(int n, int k) {
    int x = 0, odd = 0;
    for (int i = -n; i < n; i++) { if (++x == k) x = 0; if (i % 3 == 0) odd++; }
    return x * 1000 + odd;
  }
  static long long wide(unsigned n, int step, unsigned char low) {
    long long x = 0;
    unsigned char c = low;
    for (unsigned i = 0; i < n; i++) { x += c; x -= step; c++; if (x > 5000) break; }
    return x;
  }
  static int phases(int n, int at) {
    int x = 0, y = 0;
    while (x < n) { if (x < at) y++; else if (x < 2 * at) y -= 2; else y += 3; x++; }
    return y;
  }
  static int late(int n, int at) {
    int x = 0;
    for (int i = 0; i < n; i++) { for (int j = 0; j < 50; j++) { x++; if (x == at) return i * 100 + j; } }
    return -x;
  }
  static unsigned multiplied(unsigned n, unsigned k) {
    unsigned x = 1;
    for (unsigned i = 0; i < n; i++) { x *= k; x += i * 4; x += 2 * (i + k); }
    return x;
  }
  static int apart(unsigned char x, unsigned char ahead, int n) {
    unsigned char y = x + ahead;
    unsigned short u = x * 250, v = u + ahead;
    int hit = 0;
    for (int i = 0; i < n; i++) {
      if (x - y > 0) hit++;
      if (((unsigned)v - u) >> 8 != 0) hit += 1000;
      x++; y++; u++; v++;
    }
    return hit;
  }
  static int memory(int n, int at) {
    int a[8] = { 1, 2, 3 }, x = 0;
    for (int i = 0; i < n; i++) { x += a[at & 7]; if (i == at) a[at & 7] = 5; }
    return x;
  }
  int run(int which, int a, int b, int c) {
    switch (which) {
    case 0: return plain(a, (b & 15) + 1, c);
    case 1: return nest(a & 63, b & 63, c);
    case 2: return deep(a & 15, b & 15, c & 15);
    case 3: return triangle(a & 63);
    case 4: return moving(a & 31, b & 63);
    case 5: return alternating(a & 31, b & 63);
    case 6: return wrapping(a, b, c);
    case 7: return until(a, b, c, a + b);
    case 8: return faulty(a * 40000, b * 10000, c);
    case 9: return modulo(a, (b & 15) + 1);
    case 10: return wide(a, b & 31, c);
    case 11: return phases(a, b & 255);
    case 12: return late(a, b);
    case 13: return multiplied(a, b);
    case 14: return apart(a, b & 15, c * 4);
    default: return memory(a & 255, b & 63);
    }
  }`;
const program = loadProgram([file(text)], { externals: 'any' });
const main = program.functionByName.get('run')!;
const numRuns = Number(process.env.PROVEST_RUNS ?? runs(100));
const number = fc.integer({ min: -40, max: 1200 });

test.each(['compiled', 'tiered'] as const)('%s: outcomes, and states at limits of steps', (execution) => {
  fc.assert(
    fc.property(
      fc.tuple(fc.nat(15), number, number, number),
      fc.integer({ min: 1, max: 60_000 }),
      fc.boolean(),
      (args, stepLimit, isLimited) => {
        const run = (machine: Machine): RunOutcome => machine.call(main, args);
        const options = isLimited ? { stepLimit } : {};
        const reference = seenOf(program, 'reference', run, options);
        expect(
          firstDifference(reference, seenOf(program, execution, run, { ...options, leaps: true })),
        ).toBeUndefined();
      },
    ),
    { numRuns },
  );
});

test('leaps may begin and end at any step', () => {
  fc.assert(
    fc.property(fc.tuple(fc.nat(15), number, number, number), fc.nat(20_000), fc.nat(20_000), (args, from, length) => {
      const run = (machine: Machine): RunOutcome => machine.call(main, args);
      const options = { leaps: true, compiledBetween: { from, to: from + length } };
      expect(
        firstDifference(seenOf(program, 'reference', run), seenOf(program, 'compiled', run, options)),
      ).toBeUndefined();
    }),
    { numRuns },
  );
});

test.each([
  ['a loop', 'for (i = 0; i < 900000; i++) x += 3;'],
  ['loops in one another', 'for (i = 0; i < 1000; i++) for (j = 0; j < 1000; j++) x += 2;'],
  ['three of them', 'for (i = 0; i < 90; i++) for (j = 90; j > 0; j--) { y++; for (k = 0; k != 90; k++) x += 2; }'],
  ['rounds that alternate', 'for (i = 0; i < 900; i++) for (j = 0; j < 900; j++) if (j & 1) x++; else y++;'],
  ['a word that wraps around', 'for (i = 0; i < 900000; i++) c += 7;'],
  ['rounds that begin again', 'for (i = 0; i < 900000; i++) { if (++x == 5) x = 0; if (i % 5 == 2) y++; }'],
  ['two phases', 'for (i = 0; i < 900000; i++) if (i < 300000) x++; else y += 2;'],
])('nearly all edges of %s are left out', (_, loops) => {
  const declared = 'unsigned i = 0, j, k, x = 0, y = 0; unsigned char c = 0;';
  const own = loadProgram([file(`unsigned run(void) { ${declared} ${loops} return x + y + c; }`)], {
    externals: 'any',
  });
  const run = (machine: Machine): RunOutcome => machine.call(own.functionByName.get('run')!, []);
  const from = jest.spyOn(Leaps.prototype, 'from');
  const seen = seenOf(own, 'tiered', run, { leaps: true });
  const found = from.mock.results.map(({ value }) => Number((value as ReturnType<Leaps['from']>)?.steps ?? 0));
  from.mockRestore();
  expect(firstDifference(seenOf(own, 'tiered', run), seen)).toBeUndefined();
  expect(found.reduce((sum, steps) => sum + steps, 0)).toBeGreaterThan(0.9 * seen.steps);
});

test('an observer of leaps sees states of the reference run alone, from its beginning to its end', () => {
  fc.assert(
    fc.property(fc.tuple(fc.nat(15), number, number, number), (args) => {
      const arrivalsIn = (options: MachineOptions): { arrivals: string[]; outcome: RunOutcome; leapt: bigint } => {
        const machine = new Machine(program, { ...options, output: () => {} });
        const arrivals: string[] = [];
        const locations = program.functions.flatMap((fn) => fn.locations.filter(({ isLoopHead }) => isLoopHead));
        machine.observer = {
          locations: new Set(locations),
          visit: ({ index }, { fn, locals }) => {
            arrivals.push(`${fn.name} ${index}: ${locals.map(String).join(' ')}`);
          },
        };
        const outcome = machine.call(main, args);
        return { arrivals, outcome, leapt: machine.leaptSteps };
      };
      const reference = arrivalsIn({ execution: 'reference', stepLimit: 100_000 });
      fc.pre(reference.outcome.kind !== 'limit');
      const leaping = arrivalsIn({ leaps: 'observed' });
      expect(leaping.outcome.kind).toBe(reference.outcome.kind);
      const seen = new Set(reference.arrivals);
      expect(leaping.arrivals.filter((one) => !seen.has(one))).toEqual([]);
      expect(leaping.arrivals.length === reference.arrivals.length).toBe(leaping.leapt === 0n);
      expect(leaping.arrivals.at(-1)).toBe(reference.arrivals.at(-1));
    }),
    { numRuns },
  );
});

test('an observer of leaps sees some states of each phase of a long loop', () => {
  const own = loadProgram(
    [
      file(
        'int run(void) { int y = 0; for (int x = 0; x < 90000000; x++) if (x < 30000000) y++; else y--; return y; }',
      ),
    ],
    { externals: 'any' },
  );
  const machine = new Machine(own, { leaps: 'observed', stepLimit: 2_000_000, output: () => {} });
  const fn = own.functionByName.get('run')!;
  const x = fn.variables.find(({ name }) => name === 'x')!;
  const seen: number[] = [];
  machine.observer = {
    locations: new Set(fn.locations.filter(({ isLoopHead }) => isLoopHead)),
    visit: (_, { locals }) => seen.push(Number(locals[x.slot])),
  };
  expect(machine.call(fn, [])).toEqual({ kind: 'returned', value: -30_000_000 });
  expect(seen.length).toBeLessThan(100_000);
  for (const [from, to] of [
    [0, 1],
    [100_000, 29_000_000],
    [30_000_000, 80_000_000],
    [89_999_999, 90_000_000],
  ])
    expect(seen.some((value) => value >= from! && value <= to!)).toBe(true);
});
