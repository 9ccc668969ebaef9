/**
 * Any text is accepted, or rejected with messages that have places; nothing is so deep or so long that it breaks
 * something. `bench/fuzz-front-end.ts` is the long form.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { accept } from './fuzz/accept';
import { grammatical } from './fuzz/grammar';
import { mutated } from './fuzz/mutate';

const folder = join(__dirname, '..', 'differential', 'programs');
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.c'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

test('programs by the grammar alone', () => {
  fc.assert(
    fc.property(grammatical, (text) => expect(accept(text)).not.toMatchObject({ kind: 'defect' })),
    { numRuns: 200 },
  );
});

test('damaged programs', () => {
  fc.assert(
    fc.property(mutated(texts), (text) => expect(accept(text)).not.toMatchObject({ kind: 'defect' })),
    { numRuns: 60 },
  );
}, 60_000);

test('characters at random', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) =>
      expect(accept(text)).not.toMatchObject({ kind: 'defect' }),
    ),
    { numRuns: 300 },
  );
});

const many = 20_000;
const repeated = (text: string, count = many): string => text.repeat(count);
const deep: Record<string, string> = {
  parentheses: `int x = ${repeated('(')}1${repeated(')')};`,
  'unclosed parentheses': `int f(void) { return ${repeated('(')}`,
  brackets: `int f(int *a) { return ${repeated('a[')}0${repeated(']')}; }`,
  calls: `int g(int); int f(void) { return ${repeated('g(')}0${repeated(')')}; }`,
  'unary operators': `int f(int a) { return ${repeated('- ')}a; }`,
  dereferences: `int f(int *a) { return ${repeated('*&')}a[0]; }`,
  casts: `int f(int a) { return ${repeated('(int)')}a; }`,
  sizeof: `int f(int a) { return ${repeated('sizeof ')}a; }`,
  'conditional operators to the right': `int f(int a) { return ${repeated('a ? 1 : ')}0; }`,
  'conditional operators in the middle': `int f(int a) { return ${repeated('a ? ')}0${repeated(' : 1')}; }`,
  assignments: `int f(int a) { return ${repeated('a = ')}0; }`,
  sums: `int f(int a) { return ${repeated('a + ')}0; }`,
  'sums to the right': `int f(int a) { return ${repeated('a + (')}0${repeated(')')}; }`,
  conjunctions: `int f(int a) { return ${repeated('a && ')}1; }`,
  commas: `int f(int a) { return ${repeated('a, ')}1; }`,
  members: `struct s { struct s *n; } *p; void *f(void) { return p${repeated('->n')}; }`,
  blocks: `int f(void) ${repeated('{')}${repeated('}')}`,
  ifs: `int f(int a) { ${repeated('if (a) ')}return 1; return 0; }`,
  elses: `int f(int a) { ${repeated('if (a) return 1; else ')}return 0; }`,
  loops: `int f(int a) { ${repeated('while (a) ')}a--; return 0; }`,
  labels: `int f(int a) { ${Array.from({ length: many }, (_, i) => `l${i}: `).join('')}return 0; }`,
  cases:
    `int f(int a) { switch (a) { ${Array.from({ length: 3000 }, (_, i) => `case ${i}: `).join('')}return 1; } ` +
    'return 0; }',
  'nested switches': `int f(int a) { ${repeated('switch (a) case 1: ')}return 1; }`,
  'statement expressions': `int f(void) { return ${repeated('({ ')}1${repeated('; })')}; }`,
  pointers: `int ${repeated('*')}p;`,
  declarators: `int ${repeated('(')}p${repeated(')')};`,
  'functions that return pointers to functions': `int ${repeated('(*', 3000)}p${repeated(')(void)', 3000)};`,
  'arrays of arrays': `char p${repeated('[1]')};`,
  structures: `${repeated('struct { ')}int x;${repeated(' } m;')}`,
  'parameters of parameters': `void f(${repeated('void (*)(')}int${repeated(')')});`,
  initializers: `int a[] = ${repeated('{')}1${repeated('}')};`,
  designators: `struct s { int x; } a = { ${repeated('.x')} = 1 };`,
  typeof: `${repeated('typeof(')}int${repeated(')')} x;`,
  'generic selections': `int x = ${repeated('_Generic(1, default: ')}1${repeated(')')};`,
  'compound literals': `struct s { int x; }; int f(void) { return ${repeated('(struct s){ ')}1${repeated(' }.x')}; }`,
  'string literals': `char *s = ${repeated('"a" ')};`,
  attributes: `int x __attribute__((${repeated('aligned(')}4${repeated(')')}));`,
  'conditions of the preprocessor': `#if ${repeated('(')}1${repeated(')')}\nint x;\n#endif`,
  'minus signs in a condition': `#if ${repeated('-')}1\nint x;\n#endif`,
  'open conditionals': repeated('#if 1\n'),
  'conditionals in groups left out': `#if 0\n${repeated('#if 1\n')}${repeated('#endif\n')}#endif\nint x;`,
  'uses of a macro in its arguments': `#define F(x) x\nint x = ${repeated('F(', 5000)}1${repeated(')', 5000)};`,
  'macros of macros': `${Array.from({ length: 2000 }, (_, i) => `#define M${i + 1} M${i}\n`).join(
    '',
  )}#define M0 1\nint x = M2000;`,
  parameters: `int f(${Array.from({ length: 5000 }, (_, i) => `int a${i}`).join(', ')}) { return a0; }`,
  enumerators: `enum { ${Array.from({ length: many }, (_, i) => `e${i}`).join(', ')} };`,
  digits: `int x = ${repeated('9', 100_000)};`,
  'digits of a float': `double x = ${repeated('9', 50_000)}.${repeated('9', 50_000)}e-40000;`,
  'an identifier': `int ${repeated('x', 1_000_000)};`,
};
test.each(Object.keys(deep))(
  'many %s',
  (what) => {
    expect(accept(deep[what]!, 30_000)).not.toMatchObject({ kind: 'defect' });
  },
  60_000,
);
