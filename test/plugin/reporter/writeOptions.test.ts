/** Options put into the `loadC` of a test file, and tests whose module is called otherwise there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withOption, writeOptions } from '../../../plugin/reporter/writeOptions';
import { withVariable } from '../../../plugin/reporter/writeTests';

const option = (text: string, code: string): string | undefined =>
  withOption(`const m = ${text};\n`, 'm', code, 'm.test.js')
    ?.replace(/^const m = |;\n$/g, '')
    .replace(/\s+/g, ' ');
const code = "requires: { f: 'p != NULL' }";

test.each([
  ["loadC('./m.c')", "loadC('./m.c', { requires: { f: 'p != NULL' } })"],
  ["loadC('./m.c', {})", "loadC('./m.c', { requires: { f: 'p != NULL' } })"],
  ["loadC('./m.c', { budget: 5 })", "loadC('./m.c', { budget: 5, requires: { f: 'p != NULL' } })"],
  ["loadC('./m.c', { requires: { g: 'x > 0' } })", "loadC('./m.c', { requires: { g: 'x > 0', f: 'p != NULL' } })"],
  ["loadC('./m.c', { requires: { f: 'n > 0' } })", "loadC('./m.c', { requires: { f: 'n > 0 && p != NULL' } })"],
  ["loadC('./m.c', { requires: { f: 'a || b' } })", "loadC('./m.c', { requires: { f: '(a || b) && p != NULL' } })"],
  ["loadC('./m.c', { requires: { f: 'p != NULL' } })", "loadC('./m.c', { requires: { f: 'p != NULL' } })"],
])('%s', (before, after) => expect(option(before, code)).toBe(after));

test.each([
  ["loadC('./m.c', options)"],
  ["loadC('./m.c', { requires: rules })"],
  ["loadC('./m.c', { requires: { f: (a) => a.p } })"],
  ['load()'],
])('%s cannot be added to, and a person is told', (before) => expect(option(before, code)).toBeUndefined());

test.each([
  // A suggestion says again what was given.
  ["requires: { f: 'n > 0' }", "requires: { f: 'n > 0 && p != NULL' }", "requires: { f: 'n > 0 && p != NULL' }"],
  ["requires: { f: 'a || b' }", "requires: { f: '(a || b) && c' }", "requires: { f: '(a || b) && c' }"],
  ["ensures: { f: 'result > 0' }", "ensures: { f: 'result < 9' }", "ensures: { f: 'result > 0 && result < 9' }"],
  ["initialisedBy: { r: 'r_init' }", "initialisedBy: { s: 's_init' }", "initialisedBy: { r: 'r_init', s: 's_init' }"],
  ["initialisedBy: { r: 'r_init' }", "initialisedBy: { r: 'r_make' }", undefined],
])('%s and %s', (given, more, expected) => {
  expect(option(`loadC('./m.c', { ${given} })`, more)).toBe(expected && `loadC('./m.c', { ${expected} })`);
});

test('specifications are written into the files, and a person is told what cannot be', () => {
  const base = mkdtempSync(join(tmpdir(), 'provest-options-'));
  const file = 'a.test.js';
  writeFileSync(join(base, file), "const m = loadC('./m.c');\nconst n = loadC('./n.c', options);\n");
  const codes = [
    { file, variable: 'm', code },
    { file, variable: 'm', code: "requires: { g: 'n > 0' }" },
    { file, variable: 'n', code },
  ];
  expect(writeOptions(codes, base)).toEqual([
    `provest: a.test.js: the options of n are not written in its loadC; add there: ${code}`,
    'provest: a.test.js: 2 specifications accepted',
  ]);
  const text = readFileSync(join(base, file), 'utf8');
  expect(text.replace(/\s+/g, ' ')).toContain("loadC('./m.c', { requires: { f: 'p != NULL', g: 'n > 0' } });");
  // Accepted again, they change nothing.
  expect(writeOptions(codes.slice(0, 2), base)).toEqual([]);
  expect(readFileSync(join(base, file), 'utf8')).toBe(text);
  rmSync(base, { recursive: true });
});

test('double quotes stay double quotes', () => {
  expect(withOption('const m = loadC("./m.c");\nfoo("a");\n', 'm', code, 'm.test.js')).toContain('{ f: "p != NULL" }');
});

test('a generated test calls the module by the name it has in the file; titles stay', () => {
  const generated =
    "test('f fails at m.c:3 (m.x)', () => {\n  m.reset();\n  const m2 = m.alloc('int', 3);\n" +
    '  m.f(m2, { m: 1 });\n});\n';
  expect(withVariable(generated, 'm', 'stack')).toBe(
    "test('f fails at m.c:3 (m.x)', () => {\n  stack.reset();\n  const m2 = stack.alloc('int', 3);\n" +
      '  stack.f(m2, { m: 1 });\n});\n',
  );
  expect(withVariable(generated, 'm', 'm')).toBe(generated);
});
