/** What people get wrong most: each mistake is said once, at its place, in words that say what to do. */
import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { CError, type Diagnostic } from '../../src/c/diagnostics/diagnostic';
import { readCText } from '../../src/c/read';
import { SourceFile } from '../../src/c/source';
import { tokenize } from '../../src/c/tokens/tokenize';
import { testWithCompiler } from './compiler';
import { diagnosticsOf } from './diagnosticText';

/** The text, and all that is said of it: `line:from-to message [hint] {line:from note}`. */
const table: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a misspelt return',
    'int f(int x) {\n  int y = x + 1;\n  retrun y;\n}',
    ["3:3-8 unknown word 'retrun' [Did you mean 'return'?]"],
  ],
  [
    'a misspelt return of a number',
    'int f(void) {\n  retrun 0;\n}',
    ["2:3-8 unknown word 'retrun' [Did you mean 'return'?]"],
  ],
  [
    'a misspelt while',
    'int f(int n) {\n  int s = 0;\n  whlie (n > 0) {\n    s += n--;\n  }\n  return s;\n}',
    ["3:3-7 unknown word 'whlie' [Did you mean 'while'?]"],
  ],
  [
    'a misspelt else',
    'int f(int n) {\n  if (n) {\n    return 1;\n  } esle {\n    return 2;\n  }\n}',
    ["4:5-8 unknown word 'esle' [Did you mean 'else'?]"],
  ],
  [
    'a misspelt break',
    'int f(int n) {\n  for (;;) {\n    if (n) brake;\n    n++;\n  }\n  return n;\n}',
    ["3:12-16 unknown word 'brake' [Did you mean 'break'?]"],
  ],
  [
    'a misspelt switch',
    'int f(int n) {\n  swich (n) {\n    case 1: return 2;\n    default: return 3;\n  }\n}',
    ["2:3-7 unknown word 'swich' [Did you mean 'switch'?]"],
  ],
  [
    'else if in one word',
    'int f(int n) {\n  if (n == 1) {\n    return 1;\n  } elseif (n == 2) {\n    return 2;\n  }\n  return 3;\n}',
    ["4:5-10 unknown word 'elseif' [Write 'else if'.]"],
  ],
  [
    'a misspelt struct',
    'strcut point { int x, y; };\nint f(struct point p) { return p.x; }',
    ["1:1-6 unknown type name 'strcut' [Did you mean 'struct'?]"],
  ],
  [
    'a misspelt type',
    'unsinged int f(unsinged x) { return x; }',
    [
      "1:1-8 unknown type name 'unsinged' [Did you mean 'unsigned'?]",
      "1:16-23 unknown type name 'unsinged' [Did you mean 'unsigned'?]",
    ],
  ],
  ['a semicolon', 'int f(int x) {\n  int y = x\n  return y;\n}', ["2:12-12 expected ';' at the end of a declaration"]],
  [
    'a semicolon after a structure',
    'struct s { int a; }\nint f(struct s *p) {\n  return p->a;\n}',
    ["1:20-20 expected ';' after the members of this type"],
  ],
  [
    'a semicolon after a prototype',
    'int add(int a, int b)\nint f(void) {\n  return add(1, 2);\n}',
    ["1:22-22 expected ';' at the end of a declaration"],
  ],
  [
    'a closing brace',
    'int f(int x) {\n  if (x) {\n    return 1;\n  return 0;\n}\n\nint g(int y) {\n  return y;\n}',
    [
      "7:1-3 expected '}' before the function 'g' " +
        "{2:10 the '}' behind this '{' stands further in or out than its line}",
    ],
  ],
  [
    'a brace too many',
    'int f(int x) {\n  if (x) {\n    return 1;\n  }\n  }\n  return 0;\n}\n\nint g(int y) {\n  return y;\n}',
    ['6:3-8 a statement outside a function {5:3 the function before it ends here}'],
  ],
  [
    'a bracket of a body',
    'int max(int a, int b)\n  int m = a;\n  if (b > m) m = b;\n  return m;\n}\n\n' +
      'int three(int a, int b, int c) { return max(a, max(b, c)); }',
    ["1:22-22 expected '{' before the function's body"],
  ],
  [
    'a closing parenthesis',
    'int g(int, int);\nint f(int x) {\n  if (g(x, 2) {\n    return 1;\n  }\n  return 0;\n}',
    ["3:15-15 expected ')' before '{' {3:6 to match this '('}"],
  ],
  [
    'a parenthesis too many',
    'int f(int x) {\n  return (x + 1));\n}\nint g(void) { return f(1); }',
    ["2:17-17 extra ')'"],
  ],
  [
    'a comma',
    'int g(int, int);\nint f(int x) {\n  return g(x 2);\n}',
    ["3:14-14 expected ',' or ')' before '2' {3:11 to match this '('}"],
  ],
  [
    'a comma between constants',
    'enum color { RED, GREEN BLUE };\nint f(enum color c) { return c == BLUE; }',
    ["1:25-28 expected ',' or '}' before 'BLUE' {1:12 to match this '{'}"],
  ],
  [
    'a misspelt function',
    '#include <stdio.h>\nint main(void) {\n  pritnf("hello\\n");\n  return 0;\n}',
    ["3:3-8 call of the undeclared function 'pritnf' [Did you mean 'printf'?] {28:5 'printf' is declared here}"],
  ],
  [
    'a header',
    'int main(void) {\n  printf("hello\\n");\n  printf("again\\n");\n  return 0;\n}',
    ["2:3-8 call of the undeclared function 'printf' [Add '#include <stdio.h>'.]"],
  ],
  [
    'a misspelt function without its header',
    'int main(void) {\n  pritnf("hello");\n  return 0;\n}',
    ["2:3-8 call of the undeclared function 'pritnf' [Did you mean 'printf' (#include <stdio.h>)?]"],
  ],
  [
    'a misspelt header',
    '#include <sdtio.h>\nint main(void) {\n  printf("hello\\n");\n  return 0;\n}',
    [
      "1:1-18 cannot find the header 'sdtio.h' [Did you mean 'stdio.h'?] {- it is not bundled with provest, " +
        'and there are no include paths}',
    ],
  ],
  [
    'a misspelt member',
    'struct list { int length; int *items; };\nint f(struct list *l) {\n  return l->lenght;\n}',
    ["3:13-18 no member named 'lenght' in 'struct list' [Did you mean 'length'?]"],
  ],
  [
    'a dot for an arrow',
    'struct list { int length; int *items; };\nint f(struct list *l) {\n  return l.length + l.items[0];\n}',
    [
      "3:10-17 '.' needs a struct or union, not 'struct list *' [Write '->length': the left side is a pointer.]",
      "3:21-27 '.' needs a struct or union, not 'struct list *' [Write '->items': the left side is a pointer.]",
    ],
  ],
  [
    'a mistake in a macro',
    '#define MAX(a, b) ((a) > (b) ? (a) : (bb))\nint f(int x, int y) {\n  return MAX(x, y);\n}',
    ["3:10-18 use of the undeclared identifier 'bb'"],
  ],
  [
    'a mistake in a macro in a macro',
    '#define FIELD(p) ((p)->cuont)\n#define SIZE(p) (FIELD(p) + 1)\nstruct s { int count; };\n' +
      'int f(struct s *p) {\n  return SIZE(p);\n}',
    ["5:10-16 no member named 'cuont' in 'struct s' [Did you mean 'count'?]"],
  ],
  [
    'arguments of a macro',
    '#define ADD(a, b) ((a) + (b))\nint f(int x) {\n  return ADD(x);\n}',
    ["3:10-15 macro 'ADD' takes 2 arguments, 1 given {1:9 macro 'ADD' is defined here}"],
  ],
  [
    'an open string',
    '#include <stdio.h>\nint main(void) {\n  puts("hello);\n  return 0;\n}',
    ['3:8-15 string literal without a closing "'],
  ],
  [
    'a constant assigned to',
    'int f(void) {\n  const int n = 3;\n  n = 4;\n  return n;\n}',
    ["3:3-3 'n' is const: 'const int' {2:13 'n' is declared here}"],
  ],
  [
    'arguments',
    'int add(int a, int b) { return a + b; }\nint f(void) {\n  return add(1) + add(1, 2, 3);\n}',
    [
      "3:10-15 too few arguments: 'add' takes 2 arguments, not 1 {1:5 'add' is declared here}",
      "3:19-30 too many arguments: 'add' takes 2 arguments, not 3 {1:5 'add' is declared here}",
    ],
  ],
  [
    'undeclared variables',
    'int f(void) {\n  total = 0;\n  for (i = 0; i < 10; i++) total += i;\n  return total;\n}',
    ["2:3-7 use of the undeclared identifier 'total'", "3:8-8 use of the undeclared identifier 'i'"],
  ],
  [
    'a case twice',
    'int f(int n) {\n  switch (n) {\n    case 1: return 1;\n    case 1: return 2;\n  }\n  return 0;\n}',
    ["4:5-11 two 'case' labels for 1 {3:5 the first one is here}"],
  ],
  [
    'a switch without its brace',
    'int f(int n) {\n  switch (n)\n    case 1: return 1;\n    case 2: break;\n    default: return 3;\n  }\n' +
      '  return 0;\n}',
    ["4:5-11 'case' outside a 'switch'", '7:3-8 a statement outside a function {6:3 the function before it ends here}'],
  ],
  [
    'bool',
    'bool f(int x) {\n  return x > 0 && true;\n}',
    ["1:1-4 unknown type name 'bool' [Add '#include <stdbool.h>'.]"],
  ],
  [
    'NULL',
    'int *f(void) { return NULL; }',
    ["1:23-26 use of the undeclared identifier 'NULL' [Add '#include <stddef.h>'.]"],
  ],
  [
    'commas in a for',
    'int f(int n) {\n  int s = 0;\n  for (int i = 0, i < n, i++) s += i;\n  return s;\n}',
    ["3:20-20 expected ';' at the end of a declaration"],
  ],
  [
    'an endless conditional',
    '#ifdef A\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }',
    ["1:1-6 '#ifdef' has no '#endif' {4:26 the file ends here}"],
  ],
  [
    'a misspelt directive',
    '#inlcude <stdio.h>\nint main(void) { puts("x"); return 0; }',
    ["1:1-8 unknown directive '#inlcude' [Did you mean '#include'?]"],
  ],
  [
    'an assignment to a sum',
    'int f(int x) {\n  if (x + 1 = 3) return 1;\n  return 0;\n}',
    ["2:7-11 the left side of the assignment is a value, not a place that can be assigned to [Is '==' meant?]"],
  ],
  ['an arrow for at most', 'int f(int a) {\n  return a =< 3;\n}', ["2:13-13 expected an expression before '<'"]],
  [
    'a structure without members',
    'struct node;\nint f(struct node *n) {\n  return n->value;\n}',
    ["3:13-17 'struct node' is incomplete here: its members are not known"],
  ],
  [
    'a misspelt label',
    'int f(int n) {\n  goto eror;\nerror:\n  return n;\n}',
    ["2:8-11 no label 'eror' in this function [Did you mean 'error'?]"],
  ],
];

test.each(table)('%s', (_name, text, expected) => expect(diagnosticsOf(text)).toEqual(expected));

// Compilers have these, or not; no name of a header that is bundled was meant.
test.each(['net/if.h', 'utime.h', 'linux/can.h'])('the header %s is one of the system', (name) =>
  expect(diagnosticsOf(`#include <${name}>\nint x;`)).toEqual([
    `1:1-${11 + name.length} cannot find the header '${name}' [It is a header of the system: ` +
      `that of the installed C compiler is read with 'systemHeaders' (--system-headers).] ` +
      '{- it is not bundled with provest, and there are no include paths}',
  ]),
);
test('a header of the same name as a C file is no misspelling of that', () =>
  expect(diagnosticsOf('#include "input.h"\nint x;').join()).not.toContain('Did you mean'));
test('a header of a test framework is none', () =>
  expect(diagnosticsOf('#include <unity.h>\nint x;')).toEqual([
    "1:1-18 cannot find the header 'unity.h' [Name its folder with the option 'include' " +
      "(-I on the command line); a header of the system is found with 'systemHeaders' (--system-headers).] " +
      '{- it is not bundled with provest, and there are no include paths}',
  ]));

testWithCompiler('the first message is on the line where the compiler has its first, or on that of the mistake', () => {
  /** GCC looks for what is missing on the next line, or stops at the end of the file. */
  const elsewhere = new Set([
    'a semicolon',
    'a semicolon after a structure',
    'a semicolon after a prototype',
    'a closing brace',
    'a bracket of a body',
    'an endless conditional',
    'a mistake in a macro',
    'a mistake in a macro in a macro',
  ]);
  for (const [name, text, expected] of table) {
    if (elsewhere.has(name)) continue;
    const { stderr } = spawnSync(
      'cc',
      ['-std=gnu11', '-fsyntax-only', '-pedantic', '-fno-diagnostics-show-caret', '-x', 'c', '-'],
      { input: text, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
    );
    const theirs = /<stdin>:(\d+)(?::\d+)?: (?:fatal )?(?:error|warning)/.exec(stderr)?.[1];
    expect({ name, line: theirs }).toEqual({ name, line: /^\d+/.exec(expected[0]!)![0] });
  }
});

const folder = join(__dirname, '..', 'differential', 'programs');
const programs = readdirSync(folder)
  .filter((name) => name.endsWith('.c'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));
const keywords = new Set([
  'break',
  'case',
  'char',
  'const',
  'continue',
  'default',
  'double',
  'else',
  'enum',
  'extern',
  'float',
  'for',
  'goto',
  'int',
  'long',
  'return',
  'short',
  'signed',
  'sizeof',
  'static',
  'struct',
  'switch',
  'typedef',
  'union',
  'unsigned',
  'void',
  'while',
]);

const slips = [
  'drop ;',
  'drop )',
  'drop }',
  'drop {',
  'drop ,',
  'drop (',
  'double )',
  'double }',
  'letter of a keyword',
  'letter of a name',
] as const;

/** The text with one slip, and its line; undefined when the text has nothing that it could befall. */
function withSlip(
  text: string,
  slip: (typeof slips)[number],
  at: number,
  letter: number,
): { readonly text: string; readonly line: number } | undefined {
  const directives = new Set(text.split('\n').flatMap((line, i) => (/^\s*#|\\$/.test(line) ? [i + 1] : [])));
  const [what, mark] = slip.split(' ');
  const file = new SourceFile('x.c', text);
  const tokens = tokenize(file, () => undefined).filter(
    ({ kind, text: spelling, span }) =>
      kind !== 'end' &&
      !directives.has(file.position(span.start).line) &&
      (what !== 'letter'
        ? spelling === mark
        : slip.endsWith('keyword')
          ? keywords.has(spelling)
          : kind === 'identifier' && spelling.length > 3 && !keywords.has(spelling)),
  );
  if (tokens.length === 0) return undefined;
  const { span, text: spelling } = tokens[at % tokens.length]!;
  const i = 1 + (letter % (spelling.length - 1));
  const written =
    what === 'drop'
      ? ''
      : what === 'double'
        ? spelling + spelling
        : spelling.slice(0, i - 1) + spelling[i]! + spelling[i - 1]! + spelling.slice(i + 1);
  return { text: text.slice(0, span.start) + written + text.slice(span.end), line: file.position(span.start).line };
}

test('one slip in a real program is mostly one message, never before the slip, and hardly ever an avalanche', () => {
  const counts = { one: 0, few: 0, many: 0 };
  fc.assert(
    fc.property(
      fc.constantFrom(...programs),
      fc.constantFrom(...slips),
      fc.nat(1_000_000),
      fc.nat(20),
      (program, slip, at, letter) => {
        const changed = withSlip(program, slip, at, letter);
        const errors = changed ? errorsOf(changed.text) : [];
        if (errors.length === 0) return;
        counts[errors.length === 1 ? 'one' : errors.length < 10 ? 'few' : 'many']++;
        const { file, start } = errors[0]!.span!;
        expect(file.position(start).line).toBeGreaterThanOrEqual(changed!.line - 1);
      },
    ),
    { numRuns: 300 },
  );
  expect(counts.one).toBeGreaterThan(3 * (counts.few + counts.many));
  expect(counts.many).toBeLessThan(0.1 * counts.one);
});

function errorsOf(text: string): readonly Diagnostic[] {
  try {
    readCText(text);
    return [];
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    return error.diagnostics;
  }
}
