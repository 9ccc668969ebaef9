import { System } from '../../src/abstraction/system';
import { printTerm } from '../../src/abstraction/printTerm';
import * as L from '../../src/logic/build';
import type { Term } from '../../src/logic/term';
import { loadProgram } from '../../src/program';
import { file } from '../engines/task';

test('a term that shares its parts is written out up to a length', () => {
  const program = loadProgram([file('static unsigned n; void f(void) { if (n < 100) n += 2; }')], {});
  const system = new System(program, { mode: 'module', entries: [program.functionByName.get('f')!], init: undefined, inForce: new Set(['overflow']), cutpoints: 'default', pointerFacts: true, inline: true, requires: () => [] });
  const n = system.vocabulary.symbolsFor(program.functionByName.get('f')!).find((symbol) => printTerm(symbol, system.vocabulary) === 'n')!;
  const hundred = L.bits(100n, 32);
  expect(printTerm(L.ule(n, hundred), system.vocabulary)).toBe('n <= 100');
  let value: Term = n;
  for (let round = 0; round < 100; round++) value = L.ite(L.ule(hundred, value), value, L.add(value, L.bits(2n, 32)));
  const text = printTerm(L.eq(value, hundred), system.vocabulary);
  expect(text).toContain('…');
  expect(text.length).toBeLessThan(20_000);
});
