/** Ranges of floating-point variables that intervals give, as candidates: exact, widened, or none. */
import { floatRangeBounds } from '../../../../src/abstraction/candidates/floats/floatBounds';
import { floatOf } from '../../../../src/logic/floats/patterns';
import type { Term } from '../../../../src/logic/index';
import { moduleSystem } from '../../moduleSystem';

/** Between the calls of a module. */
function between(text: string): readonly string[] {
  // A variable that nobody reads does not matter.
  const system = moduleSystem(`static ${text} int get(void) { return (int)v; }`);
  return (floatRangeBounds(system).get(system.client!) ?? []).map(show);
}

function show(term: Term): string {
  if (term.kind === 'bits') return String(floatOf(term.value, term.sort.width));
  if (term.kind === 'symbol') return term.name;
  if (term.kind !== 'apply') return '?';
  const [a, b] = term.args.map(show);
  if (term.operator === 'not') return `not ${a}`;
  return `${a} ${term.name?.startsWith('float-le-') ? '<=' : '<'} ${b}`;
}

test('a difference of limited numbers is limited, though no constant says so', () => {
  const text = 'double v; void set(double a, double b) { if (a >= 1 && a <= 7 && b >= 2 && b <= 4) v = a - b; }';
  expect(between(text)).toEqual(['-3 <= v', 'v <= 5']);
});

test('what grows is widened to the constant that stops it', () => {
  const text = 'float v; void add(float x) { if (!(x >= 0 && x <= 3)) return; v += x; if (v > 90) v = 90; }';
  expect(between(text)).toEqual(['0 <= v', 'v <= 90']);
});

test('what grows for ever has no limit, and is no NaN', () => {
  expect(between('double v; void add(double x) { if (x >= 0 && x <= 3) v += x; }')).toEqual(['0 <= v']);
});

test('what rounding keeps from growing stays at a constant, here that of the conversion', () => {
  expect(between('float v; void add(float x) { if (x >= 0 && x <= 3) v += x; }')).toEqual([
    '0 <= v',
    'v <= 2147483648',
  ]);
});

test('a NaN that passes leaves bounds that it keeps, too', () => {
  const text = 'float v; void set(float x) { v = x; if (v > 90) v = 90; if (v < -5) v = -5; }';
  expect(between(text)).toEqual(['not v < -5', 'not 90 < v']);
});

test('what a client may choose has no range', () => {
  expect(between('double v; void set(double x) { v = x; }')).toEqual([]);
});

test('what clients begin with is a candidate where each function ends, also one that resets', () => {
  const system = moduleSystem(
    'static double v; void add(double x) { if (x >= 0 && x <= 3) { v += x; if (v > 90) v = 90; } } ' +
      'void reset(void) { v = 0; } int get(void) { return (int)v; }',
  );
  const ranges = floatRangeBounds(system);
  const exit = system.points.find((point) => point.kind === 'exit' && point.fn.name === 'reset')!;
  expect(ranges.get(system.client!)!.map(show)).toEqual(['0 <= v', 'v <= 90']);
  expect(ranges.get(exit)!.map(show)).toEqual(['0 <= v', 'v <= 0', 'v <= 90']);
});
