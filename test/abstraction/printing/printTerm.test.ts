import { AbstractPoint } from '../../../src/abstraction/predicates/predicateAbstraction';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { printInvariant } from '../../../src/abstraction/printing/printInvariant';
import { isAboutNumbering, printTerm } from '../../../src/abstraction/printing/printTerm';
import type { ProbeFormula } from '../../../src/abstraction/predicates/probeFormula';
import { ProbeReader } from '../../../src/abstraction/predicates/probes';
import * as L from '../../../src/logic/build';
import { floatBits } from '../../../src/logic/floats/patterns';
import { symbolsOf } from '../../../src/logic/symbols';
import type { Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import { FreshSymbols } from '../../../src/semantics/symbolic/symbolicValues';
import { file } from '../../engines/task';

test('a term that shares its parts is written out up to a length', () => {
  const program = loadProgram([file('static unsigned n; void f(void) { if (n < 100) n += 2; }')], {});
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('f')!],
    checkedProperties: new Set(['overflow']),
  });
  const n = system.vocabulary
    .symbolsFor(program.functionByName.get('f')!)
    .find((symbol) => printTerm(symbol, system.vocabulary) === 'n')!;
  const hundred = L.bits(100n, 32);
  expect(printTerm(L.ule(n, hundred), system.vocabulary)).toBe('n <= 100');
  let value: Term = n;
  for (let round = 0; round < 100; round++) value = L.ite(L.ule(hundred, value), value, L.add(value, L.bits(2n, 32)));
  const text = printTerm(L.eq(value, hundred), system.vocabulary);
  expect(text).toContain('…');
  expect(text.length).toBeLessThan(20_000);
});

test('object numbers are printed only where C has an expression for them', () => {
  const program = loadProgram(
    [file('static int a, b; static int *cursor = &a; void f(int *p) { cursor = p ? p : &b; }')],
    {},
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('f')!],
    checkedProperties: new Set(['memsafety']),
  });
  const { vocabulary, client } = system;
  const cursor = vocabulary.symbolsFor(client!.fn).find((symbol) => printTerm(symbol, vocabulary) === 'cursor')!;
  const number = (value: number): Term => L.bits(BigInt(value), vocabulary.memoryModel.half);
  const last = vocabulary.memoryModel.lastStatic;
  const facts = [
    L.ule(cursor, number(last)),
    L.ult(number(last), cursor),
    L.ule(number(last + 1), cursor),
    L.ult(cursor, number(last + 1)),
    L.ult(number(0), cursor),
    L.ule(number(1), cursor),
    L.ult(cursor, number(1)),
    L.eq(cursor, number(1)),
  ];
  expect(facts.map((fact) => [printTerm(fact, vocabulary), isAboutNumbering(fact, vocabulary)])).toEqual(
    [
      '!is_dynamic(cursor)',
      'is_dynamic(cursor)',
      'is_dynamic(cursor)',
      '!is_dynamic(cursor)',
      'cursor != NULL',
      'cursor != NULL',
      'cursor == NULL',
      'cursor == &a',
    ].map((text) => [text, false]),
  );
  const numbering = [L.ule(cursor, number(2)), L.not(L.ule(cursor, number(2))), L.ult(number(1), cursor)];
  expect(numbering.map((fact) => isAboutNumbering(fact, vocabulary))).toEqual([true, true, true]);
  const abstract = new AbstractPoint(client!, [], [...numbering, L.ult(number(0), cursor)]);
  abstract.add({ valuation: '', context: '', source: 'abstract', sample: [] });
  expect(printInvariant(abstract, vocabulary)).toBe('cursor != NULL');
});

test('floating point is written as in C', () => {
  const program = loadProgram(
    [file('static double x; static float y; static int n; void f(int k) { if (x > 1) y = x; x = n + y; n = k; }')],
    {},
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('f')!],
    checkedProperties: new Set(['overflow']),
  });
  const [x, y, n] = ['x', 'y', 'n'].map((name) =>
    system.vocabulary
      .symbolsFor(program.functionByName.get('f')!)
      .find((symbol) => printTerm(symbol, system.vocabulary) === name)!,
  );
  const double = (value: number): Term => L.bits(floatBits(value, 64), 64);
  const operation = (name: string, ...operands: readonly Term[]): Term =>
    L.call(
      name,
      /-(eq|lt|le)-/.test(name) ? L.boolSort : L.bitsSort(/(32|64)$/.exec(name)![1] === '32' ? 32 : 64),
      ...operands,
    );
  const texts = [
    operation('float-le-64', double(5), x!),
    L.not(operation('float-lt-64', x!, double(0.1))),
    operation('float-eq-64', double(-0), operation('float-negate-64', x!)),
    operation(
      'float-lt-64',
      operation('float-multiply-64', operation('float-add-64', x!, double(1e300)), x!),
      double(Infinity),
    ),
    operation('float-lt-64', operation('convert-float32-float64', y!), operation('convert-integer32-float64', n!)),
    L.eq(n!, operation('convert-float64-integer32', x!)),
    operation('float-lt-64', double(NaN), double(2.5e-7)),
    operation('float-lt-64', L.ite(operation('float-lt-64', x!, double(0)), double(0), x!), double(50)),
  ].map((term) => printTerm(term, system.vocabulary));
  expect(texts).toEqual([
    '5.0 <= x',
    '!(x < 0.1)',
    '-0.0 == -x',
    '(x + 1e+300) * x < INFINITY',
    'y < n',
    'n == (int)x',
    'NAN < 2.5e-7',
    '(x < 0.0 ? 0.0 : x) < 50.0',
  ]);
});

test('bits of a word have no sign', () => {
  const program = loadProgram([file('static int n; void f(void) { n++; }')], {});
  const { vocabulary } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('f')!],
    checkedProperties: new Set(['overflow']),
  });
  const n = vocabulary
    .symbolsFor(program.functionByName.get('f')!)
    .find((symbol) => printTerm(symbol, vocabulary) === 'n')!;
  expect(printTerm(L.eq(L.extract(0, 0, n), L.bits(1n, 1)), vocabulary)).toBe('(n & 0x1) == 1');
  expect(printTerm(L.eq(L.extract(7, 0, n), L.bits(255n, 8)), vocabulary)).toBe('(uint8_t)n == 255');
  expect(printTerm(L.eq(L.extract(4, 3, n), L.bits(3n, 2)), vocabulary)).toBe('(n >> 3 & 0x3) == 3');
  expect(printTerm(L.eq(n, L.bits(0xffffffffn, 32)), vocabulary)).toBe('n == -1');
});

test('what a nearer bound implies is not said in an invariant, and what is about other words, or a name, is', () => {
  const program = loadProgram(
    [
      file(
        'static int n; static unsigned u; static int *p; static int x; ' +
          'void f(void) { if (n < 9) n++; u += 2; p = n ? &x : 0; }',
      ),
    ],
    {},
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('f')!],
    checkedProperties: new Set(['overflow']),
  });
  const { vocabulary } = system;
  const client = system.client!;
  const [n, u] = ['n', 'u'].map((name) =>
    vocabulary.symbolsFor(client.fn).find((symbol) => printTerm(symbol, vocabulary) === name)!,
  ) as [Term, Term];
  const number = (value: number): Term => L.bits(BigInt.asUintN(32, BigInt(value)), 32);
  const check = (
    facts: readonly Term[],
    held: readonly (readonly [Term, string | undefined])[],
    said: string,
  ): void => {
    const abstract = new AbstractPoint(
      client,
      held.map(([term, name]) => ({ term, name })),
      facts,
    );
    abstract.add({ valuation: held.map(() => '1').join(''), context: '', source: 'abstract', sample: [] });
    expect(printInvariant(abstract, vocabulary)).toBe(said);
  };
  check([L.not(L.eq(n, number(2147483647))), L.sle(n, number(10))], [], 'n <= 10');
  check(
    [L.sle(number(-4), n), L.not(L.eq(n, number(-5))), L.sle(n, number(10))],
    [[L.sle(n, number(9)), undefined]],
    'n >= -4 && n <= 9',
  );
  check(
    [L.not(L.eq(n, number(7))), L.sle(n, number(10)), L.ule(u, number(12)), L.not(L.eq(u, number(-1)))],
    [],
    'n != 7 && n <= 10 && u <= 12',
  );
  check([L.sle(n, number(10))], [[L.sle(n, number(20)), 'small']], 'n <= 10 && small');
  check([L.sle(n, number(3)), L.sle(number(3), n)], [], 'n == 3');
  check([L.or(L.sle(n, number(3)), L.ule(u, number(3)))], [], '(n <= 3 || u <= 3)');
  check([L.sle(n, number(3)), L.sle(number(4), n)], [], 'n <= 3 && n >= 4');
});

test('where two variables have one name, an invariant mentions the one that is visible', () => {
  const program = loadProgram(
    [
      file(
        'int sum(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) s ^= i;\n' +
          '  for (int i = 9; i < n; i++) s ^= i;\n  return s;\n}',
      ),
    ],
    {},
  );
  const fn = program.functionByName.get('sum')!;
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [fn],
    checkedProperties: new Set(['overflow']),
  });
  const { vocabulary } = system;
  const [first, second, ...others] = vocabulary
    .symbolsFor(fn)
    .filter((symbol) => printTerm(symbol, vocabulary) === 'i');
  expect(others).toEqual([]);
  const loops = system.points.filter(({ kind }) => kind === 'loop');
  const said = loops.map((point) => {
    const abstract = new AbstractPoint(point, [], [L.sle(L.bits(1n, 32), first!), L.sle(L.bits(2n, 32), second!)]);
    abstract.add({ valuation: '', context: '', source: 'abstract', sample: [] });
    return printInvariant(abstract, vocabulary);
  });
  expect(said).toEqual(['i >= 1', 'i >= 2']);
  // A probe means it, too.
  const one: ProbeFormula = {
    kind: '==',
    left: { kind: 'path', variable: 'i', steps: [] },
    right: { kind: 'integer', value: '1' },
  };
  const read = loops.map((point) =>
    symbolsIn(
      new ProbeReader(
        system.builder,
        fn,
        vocabulary.arbitraryState(fn, new FreshSymbols('probe')),
        point.location,
      ).read(one),
    ),
  );
  expect(read).toEqual([[first], [second]]);
});

const symbolsIn = (term: Term): Term[] => [...symbolsOf(term)];

test('a byte at a distance from a pointer is written as C reads it', () => {
  const program = loadProgram(
    [
      file(
        '#include <stdlib.h>\nstruct list { char *items[4]; int n; };\n' +
          'int f(struct list *t, const char *s, int i) { if (!t || !s) return 0; char *copy = malloc(4); ' +
          'if (copy) copy[i & 3] = s[i & 3]; t->items[i & 3] = copy; return *(char *)t->items; }',
      ),
    ],
    {},
  );
  const fn = program.functionByName.get('f')!;
  const { vocabulary } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [fn],
    checkedProperties: new Set(['memsafety']),
  });
  const symbols = vocabulary.symbolsFor(fn);
  const named = (text: string) => symbols.find((symbol) => printTerm(symbol, vocabulary) === text)!;
  const bytes = symbols.find((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return (
      meaning?.kind === 'memory' &&
      meaning.memory.role.kind === 'slot' &&
      meaning.memory.role.slot === 'byte' &&
      meaning.memory.role.addressing === 'by-object-and-offset'
    );
  })!;
  const at = (pointer: string, ...more: readonly Term[]): string =>
    printTerm(
      L.select(
        bytes,
        L.concat(
          named(pointer),
          more.reduce((a, b) => L.add(a, b), named(`offset_of(${pointer})`)),
        ),
      ),
      vocabulary,
    );
  const half = (value: number): Term => L.bits(BigInt(value), vocabulary.memoryModel.half);
  expect([at('s'), at('s', named('i')), at('s', named('i'), half(-1)), at('t', half(4))]).toEqual([
    's[0]',
    's[i]',
    's[i - 1]',
    '((char *)t)[4]',
  ]);
});

test('an element of one of several arrays is told by its name', () => {
  const program = loadProgram(
    [file('static char one[4], other[8]; char f(int c, unsigned i) { char *p = c ? one : other; return p[i & 3]; }')],
    {},
  );
  const fn = program.functionByName.get('f')!;
  const { vocabulary } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [fn],
    checkedProperties: new Set(['memsafety']),
  });
  const { memoryModel } = vocabulary;
  const symbols = vocabulary.symbolsFor(fn);
  const bytes = symbols.find((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot';
  })!;
  const half = (value: number): Term => L.bits(BigInt(value), memoryModel.half);
  const number = (name: string): Term => half(program.objects.find((object) => object.name === name)!.number);
  const i = symbols.find((symbol) => printTerm(symbol, vocabulary) === 'i')!;
  const at = (object: Term, place: Term): string => printTerm(L.select(bytes, L.concat(object, place)), vocabulary);
  expect([at(number('other'), half(7)), at(number('one'), half(0)), at(number('one'), i)]).toEqual([
    'other[7]',
    'one[0]',
    'one[i]',
  ]);
});

test('of a table of two dimensions both indices are told, also where one number says both', () => {
  const program = loadProgram(
    [
      file(
        'static struct { short x, y; } table[4][6]; ' +
          'void set(unsigned i, unsigned j, short v) { if (i < 4 && j < 6) table[i][j].x = table[i][j].y = v; } ' +
          'short f(unsigned i, unsigned j) { return i < 4 && j < 6 ? table[i][j].y + table[j % 4][0].x : 0; }',
      ),
    ],
    {},
  );
  const f = program.functionByName.get('f')!;
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [f],
    checkedProperties: new Set(),
  });
  const { vocabulary, memoryModel } = system;
  const [i, j] = ['i', 'j'].map((name) =>
    vocabulary.symbolsFor(f).find((symbol) => printTerm(symbol, vocabulary) === name)!,
  ) as [Term, Term];
  const half = (value: number): Term => L.bits(BigInt(value), memoryModel.half);
  const member = (name: string): Term =>
    vocabulary.symbolOf(
      memoryModel.variables.find(
        (memory) =>
          memory.role.kind === 'slot' &&
          memory.role.slot !== 'byte' &&
          memory.role.slot.offset === (name === 'y' ? 2 : 0) &&
          memory.role.part === 'value',
      )!,
    );
  const at = (place: Term, name = 'y'): string =>
    printTerm(L.eq(L.select(member(name), place), L.bits(0n, 16)), vocabulary);
  const sum = (...terms: readonly Term[]): Term => terms.reduce((a, b) => L.add(a, b));
  expect(at(sum(L.mul(half(24), i), L.mul(half(4), j), half(2)))).toBe('table[i][j].y == 0');
  expect(at(sum(L.mul(half(24), i), half(24 + 8 + 2)))).toBe('table[i + 1][2].y == 0');
  expect(at(sum(L.mul(half(24), i), L.mul(half(4), j), half(-28 + 2)))).toBe('table[i - 1][j - 1].y == 0');
  expect(at(sum(L.mul(half(24), i), L.mul(half(-4), j), half(20)), 'x')).toBe('table[i][-j + 5].x == 0');
  expect(at(sum(L.mul(half(4), j), half(2)))).toMatch(/^table\[.*4 \* j.* \/ 24\]\[.*% 24.*\]\.y == 0$/);
});

test('elements of an array in each structure of a table are named by both numbers', () => {
  const text = `static struct { int id, grades[5]; } table[9];
    void set(unsigned i, unsigned j, int v) { if (i < 9 && j < 5) table[i].grades[j] = v; }
    int f(int i, int j) { return i >= 0 && i < 9 && j >= 0 && j < 5 ? table[i].grades[j] + table[i].id : 0; }`;
  const program = loadProgram([file(text)], {});
  const f = program.functionByName.get('f')!;
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions,
    checkedProperties: new Set(),
  });
  const { vocabulary, memoryModel } = system;
  const [i, j] = ['i', 'j'].map((name) =>
    vocabulary.symbolsFor(f).find((symbol) => printTerm(symbol, vocabulary) === name)!,
  ) as [Term, Term];
  const half = (value: number): Term => L.bits(BigInt(value), memoryModel.half);
  const grades = memoryModel.variables.find(
    ({ role }) => role.kind === 'slot' && role.slot !== 'byte' && role.slot.offset === 4 && role.part === 'value',
  )!;
  const at = (...parts: readonly Term[]): string => {
    const place = [L.mul(half(24), i), ...parts].reduce((a, b) => L.add(a, b));
    return printTerm(L.eq(L.select(vocabulary.symbolOf(grades), place), L.bits(0n, 32)), vocabulary);
  };
  expect(at(L.mul(half(4), j), half(4))).toBe('table[i].grades[j] == 0');
  expect(at(L.mul(half(4), j), half(4 - 24))).toBe('table[i - 1].grades[j] == 0');
  expect(at(half(24 + 4 + 16))).toBe('table[i + 1].grades[4] == 0');
});

describe('values that memory holds byte by byte', () => {
  const program = loadProgram(
    [
      file(`struct range { short from; int to; };
int *shared;
void f(int *number, char *bytes, struct range *range, int **place, const struct range *other) {
  shared = (int *)bytes; shared = (int *)range; shared = (int *)place; shared = number;
  bytes[0] = 1; *number = 2; *place = number; range->to = other->from;
}`),
    ],
    {},
  );
  const fn = program.functionByName.get('f')!;
  const { vocabulary } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [fn],
    checkedProperties: new Set(['memsafety']),
  });
  const { memoryModel } = vocabulary;
  const symbols = vocabulary.symbolsFor(fn);
  const print = (term: Term): string => printTerm(term, vocabulary);
  const symbol = (text: string): Term => symbols.find((one) => print(one) === text)!;
  const bytes = symbols.find((one) => {
    const meaning = vocabulary.meaning(one);
    const role = meaning?.kind === 'memory' ? meaning.memory.role : undefined;
    return role?.kind === 'slot' && role.slot === 'byte' && role.addressing === 'by-object-and-offset';
  });
  const byteOf = (pointer: string, distance: number): Term =>
    L.select(
      bytes!,
      L.concat(symbol(pointer), L.add(symbol(`offset_of(${pointer})`), L.bits(BigInt(distance), memoryModel.half))),
    );
  const word = (pointer: string, from: number, size: number): Term =>
    Array.from({ length: size }, (_, i) => byteOf(pointer, from + i)).reduce((low, byte) => L.concat(byte, low));

  test('are printed as what a pointer leads to, an element, or a member', () => {
    expect(print(L.sle(L.bits(0n, 32), word('number', 0, 4)))).toBe('*number >= 0');
    expect(print(L.sle(L.bits(0n, 32), word('number', 8, 4)))).toBe('number[2] >= 0');
    expect(print(L.sle(L.bits(0n, 32), word('number', -4, 4)))).toBe('number[-1] >= 0');
    expect(print(L.sle(L.bits(0n, 32), word('range', 4, 4)))).toBe('range->to >= 0');
    expect(print(L.eq(word('place', 0, 8), L.bits(0n, 64)))).toBe('*place == NULL');
    expect(print(L.not(L.eq(word('number', 0, 4), L.bits(5n, 32))))).toBe('*number != 5');
    expect(print(L.eq(word('range', 0, 2), L.bits(0xffffn, 16)))).toBe('range->from == -1');
    expect(print(L.eq(word('range', 4, 4), word('other', 4, 4)))).toBe('range->to == other->to');
    expect(print(L.not(L.eq(word('number', 4, 4), word('other', 4, 4))))).toBe('other->to != number[1]');
  });

  test('are not, where they are not whole', () => {
    expect(print(L.sle(L.bits(0n, 32), word('number', 2, 4)))).toContain('concat(');
    expect(print(L.sle(L.bits(0n, 16), word('number', 0, 2)))).toContain('concat(');
    expect(print(L.sle(L.bits(0n, 32), word('range', 0, 4)))).toContain('concat(');
    expect(print(L.sle(L.bits(0n, 32), word('range', -8, 4)))).toContain('concat(');
  });
});
