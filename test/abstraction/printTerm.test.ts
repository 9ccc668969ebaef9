import { System } from '../../src/abstraction/system';
import { printInvariant } from '../../src/abstraction/printInvariant';
import { isAboutNumbering, printTerm } from '../../src/abstraction/printTerm';
import * as L from '../../src/logic/build';
import { floatBits } from '../../src/logic/floatPatterns';
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

test('of the numbers of objects only that is said which C can say', () => {
  const program = loadProgram([file('static int a, b; static int *cursor = &a; void f(int *p) { cursor = p ? p : &b; }')], {});
  const system = new System(program, { mode: 'module', entries: [program.functionByName.get('f')!], init: undefined, inForce: new Set(['memsafety']), cutpoints: 'default', pointerFacts: true, inline: true, requires: () => [] });
  const { vocabulary, client } = system;
  const cursor = vocabulary.symbolsFor(client!.fn).find((symbol) => printTerm(symbol, vocabulary) === 'cursor')!;
  const number = (value: number): Term => L.bits(BigInt(value), vocabulary.shape.half);
  const last = vocabulary.shape.lastStatic;
  const facts = [L.ule(cursor, number(last)), L.ult(number(last), cursor), L.ule(number(last + 1), cursor), L.ult(cursor, number(last + 1)), L.ult(number(0), cursor), L.ule(number(1), cursor), L.ult(cursor, number(1)), L.eq(cursor, number(1))];
  expect(facts.map((fact) => [printTerm(fact, vocabulary), isAboutNumbering(fact, vocabulary)])).toEqual(
    ['!is_dynamic(cursor)', 'is_dynamic(cursor)', 'is_dynamic(cursor)', '!is_dynamic(cursor)', 'cursor != NULL', 'cursor != NULL', 'cursor == NULL', 'cursor == &a'].map((text) => [text, false]),
  );
  const numbering = [L.ule(cursor, number(2)), L.not(L.ule(cursor, number(2))), L.ult(number(1), cursor)];
  expect(numbering.map((fact) => isAboutNumbering(fact, vocabulary))).toEqual([true, true, true]);
  client!.facts = [...numbering, L.ult(number(0), cursor)];
  client!.reset([]);
  client!.add({ valuation: '', context: '', source: 'abstract', sample: [] });
  expect(printInvariant(client!, vocabulary)).toBe('cursor != NULL');
});

test('floating point is written as in C', () => {
  const program = loadProgram([file('static double x; static float y; static int n; void f(int k) { if (x > 1) y = x; x = n + y; n = k; }')], {});
  const system = new System(program, { mode: 'module', entries: [program.functionByName.get('f')!], init: undefined, inForce: new Set(['overflow']), cutpoints: 'default', pointerFacts: true, inline: true, requires: () => [] });
  const [x, y, n] = ['x', 'y', 'n'].map((name) => system.vocabulary.symbolsFor(program.functionByName.get('f')!).find((symbol) => printTerm(symbol, system.vocabulary) === name)!);
  const double = (value: number): Term => L.bits(floatBits(value, 64), 64);
  const operation = (name: string, ...operands: readonly Term[]): Term => L.call(name, /-(eq|lt|le)-/.test(name) ? L.boolSort : L.bitsSort(/(32|64)$/.exec(name)![1] === '32' ? 32 : 64), ...operands);
  const texts = [
    operation('float-le-64', double(5), x!), L.not(operation('float-lt-64', x!, double(0.1))), operation('float-eq-64', double(-0), operation('float-negate-64', x!)),
    operation('float-lt-64', operation('float-multiply-64', operation('float-add-64', x!, double(1e300)), x!), double(Infinity)),
    operation('float-lt-64', operation('convert-float32-float64', y!), operation('convert-integer32-float64', n!)), L.eq(n!, operation('convert-float64-integer32', x!)),
    operation('float-lt-64', double(NaN), double(2.5e-7)),
    operation('float-lt-64', L.ite(operation('float-lt-64', x!, double(0)), double(0), x!), double(50)),
  ].map((term) => printTerm(term, system.vocabulary));
  expect(texts).toEqual(['5.0 <= x', '!(x < 0.1)', '-0.0 == -x', '(x + 1e+300) * x < INFINITY', 'y < n', 'n == (int)x', 'NAN < 2.5e-7', '(x < 0.0 ? 0.0 : x) < 50.0']);
});
