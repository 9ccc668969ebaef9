/** What is found by getting nearer to it. */
import { fuzzProgram } from '../../../src/engines/search/fuzzing';
import { faultOf, runScenario } from '../../../src/evidence/scenarios/scenario';
import type { Property } from '../../../src/program/command';
import { programOf } from '../../program/programOf';

function finds(text: string, entries: readonly string[], maximumCalls: number, edges: number): boolean {
  const program = programOf(`#include <assert.h>\nint nondet(void); void error(void);\n${text}`);
  const options = { checkedProperties: new Set<Property>(['reach']), permits: () => true, stepLimit: 1_000_000 };
  const scenario = fuzzProgram(program, {
    ...options,
    entries: entries.map((name) => program.functionByName.get(name)!),
    maximumCalls,
    seed: 1,
    edges,
    stop: () => false,
  });
  return scenario !== undefined && faultOf(runScenario(program, scenario, options)) !== undefined;
}

test.each([
  [
    'a counter that a choice sets back',
    'void f(void) { int n = 0; for (;;) { if (nondet()) n++; else { if (n == 137) error(); n = 0; } } }',
  ],
  [
    'two counters, one after the other',
    'void f(void) { int a = 0, b = 0; while (nondet()) a++; while (nondet()) b++; if (a == 61) if (b == 47) error(); }',
  ],
  ['a number far away', 'void f(int x) { int y = 3 * x + 7; if (y == 29740012) error(); }'],
  [
    'an equation between inputs',
    'void f(void) { int a = nondet(), b = nondet(); if (b == 123456) assert(a - 2 * b != 7777); }',
  ],
])('%s', (_, text) => {
  expect(finds(text, ['f'], 1, 3_000_000)).toBe(true);
});

test('calls again and again', () => {
  expect(
    finds(
      'static int n; void up(void) { n++; } void down(void) { n--; } void ask(void) { assert(n != 23); }',
      ['up', 'down', 'ask'],
      40,
      2_000_000,
    ),
  ).toBe(true);
});

const frame = (most: string): string => `
  static unsigned state, length; static int frame[64];
  void feed(unsigned char byte) {
    if (state == 0) { if (byte == 0x7e) { state = 1; length = 0; } return; }
    if (byte == 0x7e) { state = 0; return; }
    if (length ${most} 64) { state = 0; return; }
    assert(length < 64);
    frame[length++] = byte;
  }
  void flush(void) { state = 0; }
  unsigned size(void) { return length; }`;

test.each([
  ['a long frame that is one byte too long', '>', true],
  ['none of the twin that ends it in time', '>=', false],
])('calls in the middle of others, more than a client makes at random: %s', (_, most, isFound) => {
  expect(finds(frame(most), ['feed', 'flush', 'size'], 40, 1_000_000)).toBe(isFound);
});

test('what cannot be is not found', () => {
  expect(
    finds(
      'void f(void) { int n = 0; for (;;) { if (nondet()) n++; else { if (n == -1) error(); n = 0; } ' +
        'if (n > 1000) n = 0; } }',
      ['f'],
      1,
      300_000,
    ),
  ).toBe(false);
});

test('a _Bool argument is true or false, nothing in between', () => {
  expect(
    finds(
      'void f(_Bool b, int x) { if (b) x = x / 2; assert(b == 0 || b == 1); if (x == 12345678) error(); }',
      ['f'],
      1,
      300_000,
    ),
  ).toBe(true);
  expect(finds('void f(_Bool b) { assert(b == 0 || b == 1); }', ['f'], 1, 100_000)).toBe(false);
});

const window = (most: string): string => `
  static double window[8]; static unsigned at;
  void feed(double x) {
    double sum = 0;
    if (!(x >= 0.0 && x <= 100.0)) x = 0.0;
    window[at % 8] = x; at = (at + 1) % 8;
    for (int i = 0; i < 8; i++) sum += window[i];
    assert(sum / 8.0 ${most});
  }`;
const controller = (most: string): string => `
  static double integral[3];
  void update(unsigned channel, double error) {
    if (channel >= 3 || !(error > -10.0 && error < 10.0)) return;
    integral[channel] += 0.1 * error;
    if (integral[channel] > 5.0) integral[channel] = 5.0;
    if (integral[channel] < -5.0) integral[channel] = -5.0;
    assert(2.0 * error + integral[channel] <= ${most});
  }`;
const sum = (most: string): string => `
  float nondet_float(void);
  void add(void) {
    float sum = 0;
    for (int i = 0; i < 16; i++) { float x = nondet_float(); if (x >= -2.0f && x <= 2.0f) sum += x; }
    assert(sum <= ${most});
  }`;
test.each([
  ['a mean of samples that are all at their limit', window('< 100.0'), 'feed', 40, true],
  ['none of its twin', window('<= 100.0'), 'feed', 40, false],
  ['an integral that winds up, and an error near its limit', controller('24.0'), 'update', 40, true],
  ['none of its twin', controller('25.0'), 'update', 40, false],
  ['a sum of inputs near their limit', sum('31.0f'), 'add', 1, true],
  ['none of its twin', sum('32.0f'), 'add', 1, false],
])('floating point: %s', (_, text, entry, calls, isFound) => {
  expect(finds(text, [entry], calls, 1_500_000)).toBe(isFound);
});

test('numbers that are none are far from all others', () => {
  expect(finds('void f(double x) { if (x != x) error(); }', ['f'], 1, 300_000)).toBe(true);
  expect(finds('void f(float x) { float y = x * 0.5f; if (y == 1234.5f) error(); }', ['f'], 1, 300_000)).toBe(true);
});
