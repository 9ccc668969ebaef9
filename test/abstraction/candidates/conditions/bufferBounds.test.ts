/** Bounds of accesses behind a loop or a call, as conditions of the states there. */
import { bufferBounds } from '../../../../src/abstraction/candidates/conditions/bufferBounds';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { moduleSystem } from '../../moduleSystem';

/** At the control points of `f`. */
function boundsIn(text: string): readonly string[] {
  const system = moduleSystem(text);
  return [...bufferBounds(system)].flatMap(([{ fn }, terms]) =>
    fn.name === 'f' ? terms.map((term) => printTerm(term, system.vocabulary)) : [],
  );
}

const text = (last: string): string => `
struct text { int *buf; unsigned long len; };
void f(struct text *t, const int *from, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) t->buf[t->len + i] = from[i];
  t->buf[${last}] = 0;
}`;

test('where the access behind the loop ends', () => {
  expect(boundsIn(text('t->len + n')).some((bound) => /\bn\b.*t->len.*object_size\(t->buf\)/.test(bound))).toBe(true);
});

test('not of a fixed place', () => {
  expect(boundsIn(text('3')).filter((bound) => bound.includes('object_size(t->buf)') && !/\bi\b/.test(bound))).toEqual(
    [],
  );
});
