/** Options put into the `loadC` of a test file, and tests whose module is called otherwise there. */
import { withOption } from '../../../plugin/reporter/writeOptions';
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

test('double quotes stay double quotes', () => {
  expect(withOption('const m = loadC("./m.c");\nfoo("a");\n', 'm', code, 'm.test.js')).toContain('{ f: "p != NULL" }');
});

test('a generated test calls the module by the name it has in the file; titles stay', () => {
  const generated =
    "test('f fails at m.c:3 (m.x)', () => {\n  m.reset();\n  const m2 = m.alloc('int', 3);\n  m.f(m2, { m: 1 });\n});\n";
  expect(withVariable(generated, 'm', 'stack')).toBe(
    "test('f fails at m.c:3 (m.x)', () => {\n  stack.reset();\n  const m2 = stack.alloc('int', 3);\n  stack.f(m2, { m: 1 });\n});\n",
  );
  expect(withVariable(generated, 'm', 'm')).toBe(generated);
});
