/** Specifications that say nothing are not offered, nor is a part of one. */
import { curesOf } from '../../../src/engines/angelic/cures';
import { plainCondition } from '../../../src/engines/angelic/conditionText';
import { meaningful } from '../../../src/engines/angelic/meaningful';
import { impliedSpecifications } from '../../../src/engines/angelic/minimal';
import { precondition, type Specification, specificationText } from '../../../src/engines/angelic/specifications';
import { type Calls, withTrace } from './failingTrace';

const gap = 'struct gap { int start; int size; unsigned short used; };';
const end = `${gap} int end(struct gap *g, int a, int b) { return g->start + g->size + a + b + g->used; }`;
const anywhere: Calls = ({ object }) => [['end', object('gap', { start: 2147483647, size: 1, used: 0 }), 0, 0]];

const kept = (text: string, taken: readonly string[] = []): Promise<string | undefined> =>
  withTrace(end, anywhere, async (trace) => {
    const said = (one: string): Specification => precondition(trace.problem.program, 'end', one)!;
    const left = await meaningful(said(text), { ...trace, taken: () => taken.map(said) });
    return left?.kind === 'requires' ? left.text : undefined;
  });

test.each([
  ['a bound that every number of the type keeps', '16 - g->size >= -2147483648 && g->size <= 16', 'g->size <= 16'],
  ['a bound that the ranges of both summands imply', 'a + g->used >= -2147483648 && a >= 3', 'a >= 3'],
  ['a bound that follows from those beside it', 'a + b >= -2147483648 && a >= 0 && b >= 0', 'a >= 0 && b >= 0'],
])('%s is left out', async (_, text, left) => {
  expect(await kept(text)).toBe(left);
});

test('a specification that is true of all clients is none', async () => {
  expect(await kept('g->used + a >= -2147483648')).toBeUndefined();
  expect(await kept('g->start + g->size >= -2147483648', ['g->start >= 0', 'g->size >= 0'])).toBeUndefined();
});

test.each([
  'a + b >= -2147483648 && a + b <= 2147483647',
  'a + b >= -2147483648 && a <= 0',
  'g->start + g->size >= -2147483648',
  'a >= 0 && b >= 0',
  'a >= 0 || b >= 0',
])('%s stays: some client breaks each part', async (text) => {
  expect(await kept(text)).toBe(text);
});

test.each([
  ['a + b >= -2147483648 && a + b <= 2147483647', 'a >= -2147483648 - b && a <= 2147483647 - b'],
  ['a - b <= 2147483647', 'a <= 2147483647 + b'],
  ['g->start + g->size <= 9223372036854775807', 'g->start <= 9223372036854775807 - g->size'],
  ['16 - g->size <= 2147483647', 'g->size >= -2147483631'],
  ['i + g->start <= 15', 'i + g->start <= 15'],
  ['(a + b) / 2 <= 2147483647 && c > 0', '(a + b) / 2 <= 2147483647 && c > 0'],
])('%s is said as %s', (text, plain) => {
  expect(plainCondition(text)).toBe(plain);
});

test.each([
  ['an int', 'int', 'used >= -2147483648'],
  ['an unsigned short', 'unsigned short', undefined],
])('what an overflow of %s offers has no part that is always true', async (_, type, expected) => {
  const text = `struct gap { int start; ${type} used; };
int end(struct gap *g) { return g->start + g->used; }`;
  const calls: Calls = ({ object }) => [['end', object('gap', { start: 2147483647, used: 1 })]];
  const found = await withTrace(text, calls, async (trace) => {
    const all: string[] = [];
    const failure = { ...trace, isKnown: () => false, vocabulary: 'with bounds of numbers', taken: () => [] } as const;
    for await (const { specification } of curesOf(failure)) all.push(specificationText(specification));
    return all;
  });
  const upper = 'end: g->start <= 2147483647 - g->used';
  expect(found).toContain(
    expected === undefined ? upper : `end: g->start >= -2147483648 - g->used && ${upper.slice('end: '.length)}`,
  );
});

test('what two others imply together is left out of the list', async () => {
  const implied = (texts: readonly string[]): Promise<readonly string[]> =>
    withTrace(end, anywhere, async ({ problem, system, solver, query }) => {
      const all = texts.map((text) => precondition(problem.program, 'end', text)!);
      const found = await impliedSpecifications(problem, all, system, solver, query);
      return [...found.keys()].map(specificationText);
    });
  expect(await implied(['a >= -2147483648 - b', 'a >= 0', 'b >= 0'])).toEqual(['end: a >= -2147483648 - b']);
  expect(await implied(['a >= -2147483648 - b', 'a <= 0', 'b >= -8'])).toEqual([]);
});
