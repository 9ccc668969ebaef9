import fc from 'fast-check';
import { sizeOf } from '../../src/c/layout';
import { readCText } from '../../src/c/read';
import { compileAndRun, testWithCompiler } from './compiler';
import { initText } from './treeText';

/** The flattened initialiser of the variable `x`, and any warnings. */
function check(text: string, expected: string, warning?: string): void {
  const { units, warnings } = readCText(text);
  const x = units[0]!.variables.find((v) => v.name === 'x')!;
  expect(initText(x.initializer!)).toBe(expected);
  expect(warnings.map((w) => w.message)).toEqual(warning === undefined ? [] : [warning]);
  expect(x.initializer!.sizeBytes).toBeGreaterThanOrEqual(sizeOf(x.type, 'lp64')!);
}

test.each([
  ['int x[] = {1, 2, 3};', '{0:1:int, 4:2:int, 8:3:int}/12'],
  ['int x[2][2] = {1, 2, 3, 4};', '{0:1:int, 4:2:int, 8:3:int, 12:4:int}/16'],
  ['int x[][2] = {{1}, 2, 3, {4, 5}};', '{0:1:int, 8:2:int, 12:3:int, 16:4:int, 20:5:int}/24'],
  ['int x[5] = {[3] = 1, 2, [0] = 7};', '{12:1:int, 16:2:int, 0:7:int}/20'],
  ['int x[] = {[2] = 1, [0 ... 1] = 5, [4] = 9};', '{8:1:int, 0:5:int, 4:5:int, 16:9:int}/20'],
  ['int x[3] = {1, 2, [1] = 5};', '{0:1:int, 4:5:int}/12'],
  ['int x[3] = {};', '{}/12'],
  ['char x[] = "ab";', '{0:"ab\\u0000"}/3'],
  ['char x[5] = {"ab"};', '{0:"ab\\u0000"}/5'],
  ['char x[2] = "ab";', '{0:"ab"}/2'],
  ['char x[2][3] = {"ab", {\'c\', 0}};', '{0:"ab\\u0000", 3:99:char, 4:0:char}/6'],
  ['unsigned char x[] = "a" "b";', '{0:"ab\\u0000"}/3'],
  ["char x[4] = {[1] = 'b', [0] = 'a'};", '{1:98:char, 0:97:char}/4'],
  ['int x[] = L"é";', '{0:"é\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000"}/8'],
  ['struct { char a[3]; int n; } x = {"ab", 4};', '{0:"ab\\u0000", 4:4:int}/8'],
  ['struct { char a[3]; int n; } x = {.a = "ab", .a[1] = \'x\', .n = 1};', '{0:"ab\\u0000", 1:120:char, 4:1:int}/8'],
  ['struct { int a, b, c; } x = {.b = 2, 3, .a = 1};', '{4:2:int, 8:3:int, 0:1:int}/12'],
  ['struct { int a; struct { int b, c; } d; int e; } x = {1, {2}, 3};', '{0:1:int, 4:2:int, 12:3:int}/16'],
  ['struct { int a; struct { int b, c; } d; int e; } x = {1, 2, 3, 4};', '{0:1:int, 4:2:int, 8:3:int, 12:4:int}/16'],
  ['struct { int a; struct { int b, c; } d; int e; } x = {.d.c = 2, 3, .d.b = 5};', '{8:2:int, 12:3:int, 4:5:int}/16'],
  ['struct { int a; struct { int b, c; } d[2]; int e; } x = {.d[1].b = 2, 3, 4};', '{12:2:int, 16:3:int, 20:4:int}/24'],
  ['struct { struct { int a[2]; } s; int b; } x = {.s.a[1] = 5, 6};', '{4:5:int, 8:6:int}/12'],
  [
    'struct { int a; union { int b; struct { char c, d; }; }; int e; } x = {1, 2, 3};',
    '{0:1:int, 4:2:int, 8:3:int}/12',
  ],
  ['struct { int a; union { int b; struct { char c, d; }; }; int e; } x = {.d = 2, 3};', '{5:2:char, 8:3:int}/12'],
  ['union { int a; double b; } x = {1};', '{0:1:int}/8'],
  ['union { int a; double b; } x = {.b = 1};', '{0:1:double}/8'],
  ['union { int a; char b; } x = {.a = 1, .b = 2};', '{0:2:char}/4'],
  ['union { struct { int a, b; } s; long c; } x = {.s.a = 1, .s.b = 2};', '{0:1:int, 4:2:int}/8'],
  [
    'struct { unsigned a : 3, b : 5; int : 0; unsigned c : 1; } x = {1, 2, 3};',
    '{0:0+3:1:unsigned int, 0:3+5:2:unsigned int, 4:0+1:3:unsigned int}/8',
  ],
  ['struct { unsigned a : 3, b : 5; } x = {.b = 2, .a = 1, .b = 4};', '{0:0+3:1:unsigned int, 0:3+5:4:unsigned int}/4'],
  ['struct s { int a, b; }; struct s x[] = {[1] = {1, 2}, [1] = {.b = 3}};', '{12:3:int}/16'],
  ['struct { int n; char a[]; } x = {1, "abc"};', '{4:"abc\\u0000", 0:1:int}/8'],
  ['struct { int n; int a[]; } x = {1, {2, 3}};', '{0:1:int, 4:2:int, 8:3:int}/12'],
  ['int x = {3};', '{0:3:int}/4'],
  ['int x = {{3}};', '{0:3:int}/4'],
  [
    'const char *x[] = {"a", [2] = "b"};',
    '{0:<const char *>decay("a\\u0000":char [2]), 16:<const char *>decay("b\\u0000":char [2])}/24',
  ],
  [
    'struct p { int x, y; }; struct { struct p a, b; } x = {{1, 2}, (struct p){3, 4}};',
    '{0:1:int, 4:2:int, 8:3:int, 12:4:int}/16',
  ],
  ['struct { int x; } x = {x: 3};', '{0:3:int}/4'],
])('%s', (text, expected) => check(text, expected));

test('excess initializers are reported and left out', () => {
  check('int x[2] = {1, 2, 3};', '{0:1:int, 4:2:int}/8', 'more initializers than the array has elements');
  check('struct s { int a; } x = {1, 2};', '{0:1:int}/4', "more initializers than 'struct s' has members");
  check('char x[2] = "abc";', '{0:"ab"}/2', 'the string has 3 characters, the array 2 elements');
  check('int x = {1, 2};', '{0:1:int}/4', 'more initializers than one for a single value');
});

test('a struct value initialises a whole member', () => {
  const { units } = readCText(
    'struct p { int x, y; }; struct q { struct p a; int b; }; struct p g(void); ' +
      'void f(struct p v) { struct q q = { v, 1 }; struct p w = v, z = g(); }',
  );
  const items = units[0]!.functions
    .find((f) => f.name === 'f')!
    .body!.items.map((s) =>
      s.kind === 'declare' ? `${s.symbol.name} ${s.value ? 'value' : initText(s.initializer!)}` : '',
    );
  expect(items).toEqual(['q {0:[v], 8:1:int}/12', 'w value', 'z value']);
});

/** Random aggregates, initialised with random designators and elided braces, against the machine's compiler. */
interface Shape {
  readonly declare: (name: string) => string;
  readonly paths: readonly string[];
  readonly children: readonly { readonly designator: string; readonly shape: Shape }[];
}
const scalarNames = ['char', 'short', 'int', 'unsigned', 'long'];
let tagCount = 0;

function array(of: Shape, length: number): Shape {
  return {
    declare: (name) => of.declare(`${name}[${length}]`),
    paths: [],
    children: Array.from({ length }, (_, i) => ({ designator: `[${i}]`, shape: of })),
  };
}
function struct(members: readonly Shape[]): Shape {
  const tag = `s${tagCount++}`;
  let defined = false;
  return {
    declare: (name) => {
      const text = defined
        ? `struct ${tag} ${name}`
        : `struct ${tag} { ${members.map((m, i) => `${m.declare(`m${i}`)};`).join(' ')} } ${name}`;
      defined = true;
      return text;
    },
    paths: [],
    children: members.map((shape, i) => ({ designator: `.m${i}`, shape })),
  };
}
const shape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape; scalar: Shape; array: Shape; struct: Shape }>((tie) => ({
  scalar: fc
    .constantFrom(...scalarNames)
    .map((type): Shape => ({ declare: (name) => `${type} ${name}`, paths: [''], children: [] })),
  array: fc.tuple(tie('shape'), fc.integer({ min: 1, max: 3 })).map(([of, length]) => array(of, length)),
  struct: fc.array(tie('shape'), { minLength: 1, maxLength: 3 }).map(struct),
  shape: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('scalar'), tie('array'), tie('struct')),
})).shape;

/** A braced list for the shape: some items plain, some braced, some designated. `pick` makes the choices. */
function list(of: Shape, pick: () => number, depth: number): string {
  const items: string[] = [];
  const count = pick() % 4;
  let used = 0;
  /** A plain value stood for an aggregate: what follows without a designator continues inside it and has no braces. */
  let elided = false;
  for (let i = 0; i < count; i++) {
    const child = of.children.length > 0 ? of.children[pick() % of.children.length]! : undefined;
    const designated = child && pick() % 3 === 0;
    const target = designated ? child : of.children[used];
    if (elided && !designated) {
      items.push(`${pick() % 100}`);
      continue;
    }
    if (designated) used = of.children.indexOf(child);
    if (!target) break;
    used++;
    const inner = target.shape.children.length > 0 && depth < 3 && pick() % 2 === 0;
    const deeper =
      designated && target.shape.children.length > 0 && pick() % 3 === 0
        ? target.shape.children[pick() % target.shape.children.length]!
        : undefined;
    const value = deeper
      ? deeper.shape.children.length > 0
        ? list(deeper.shape, pick, depth + 1)
        : `${pick() % 100}`
      : inner
        ? list(target.shape, pick, depth + 1)
        : `${pick() % 100}`;
    elided = target.shape.children.length > 0 && (deeper !== undefined || !inner);
    items.push(`${designated ? `${target.designator}${deeper ? deeper.designator : ''} = ` : ''}${value}`);
  }
  return `{${items.join(', ')}}`;
}

testWithCompiler('random aggregates and lists are read as the compiler reads them', () => {
  const cases = fc.sample(
    fc.tuple(
      fc.oneof(
        shape.map((s) => array(s, 2)),
        shape.map((s) => struct([s, s])),
      ),
      fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }),
    ),
    { numRuns: 300, seed: 7 },
  );
  const declarations = cases.map(([of, choices], i) => {
    let next = 0;
    return `${of.declare(`x${i}`)} = ${list(of, () => choices[next++ % choices.length]!, 0)};`;
  });
  const program = `#include <stdio.h>\n${declarations.join('\n')}\nint main(void) { const unsigned char *p;\n${cases
    .map(
      (_, i) => `p = (void *)&x${i}; for (unsigned long j = 0; j < sizeof x${i}; j++) printf("%02x", p[j]); puts("");`,
    )
    .join('\n')}\nreturn 0; }`;
  const { status, output } = compileAndRun({ 'main.c': program });
  expect(status === 0 ? '' : output).toBe('');
  const lines = output.trim().split('\n');
  const { units } = readCText(declarations.join('\n'));
  units[0]!.variables.forEach((variable, i) => {
    const bytes = new Uint8Array(sizeOf(variable.type, 'lp64')!);
    for (const { offsetBytes, bytes: text } of variable.initializer!.strings) bytes.set(text, offsetBytes);
    for (const { offsetBytes, type, value } of variable.initializer!.items) {
      const size = sizeOf(type, 'lp64')!;
      if (value.kind !== 'integer') throw new Error('only integers here');
      for (let k = 0; k < size; k++) bytes[offsetBytes + k] = Number(BigInt.asUintN(8, value.value >> BigInt(8 * k)));
    }
    expect(`${declarations[i]!} ${Buffer.from(bytes).toString('hex')}`).toBe(`${declarations[i]!} ${lines[i]!}`);
  });
});
