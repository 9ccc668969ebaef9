/** Generated tests go where the module is, look like the file, and come once. */
import { withTests, type TestToWrite } from '../../../plugin/reporter/writeTests';
import { concatenate } from '../../patterns';

const test1 =
  "test('pop: no index -1 at stack.c:11', () => {\n  stack.reset();\n  stack.pop();\n  stack.say('a');\n});\n";
function check(text: string, ...tests: TestToWrite[]): { text: string; added: number } {
  return withTests(
    text,
    tests.length > 0 ? tests : [{ file: 'a.test.ts', variable: 'stack', test: test1 }],
    '/a.test.ts',
  );
}

test('at the end of the file, in its style', () => {
  const file =
    'import { loadC } from "provest";\n\nconst stack = loadC("./stack.c");\n\n' +
    'test("a", () => {\n\tstack.push(1);\n});\n';
  const { text, added } = check(file);
  expect(added).toBe(1);
  expect(text.startsWith(file)).toBe(true);
  expect(text.slice(file.length)).toMatch(
    concatenate(
      /^\n\/\/ @provest-generated [0-9a-f]{10} \(.*\)\n/,
      /test\("pop: no index -1 at stack\.c:11", \(\) => \{\n/,
      /\tstack\.reset\(\);\n\tstack\.pop\(\);\n\tstack\.say\("a"\);\n\}\);\n$/,
    ),
  );
});

test('in the describe block that loads the module; everything else stays as it was', () => {
  const file =
    "describe('one', () => {\n  const other = loadC('./other.c');   // odd   spacing\n});\n" +
    "describe('two', function () {\n  const stack = loadC('./stack.c');\n  test('x', () => {});\n});\n";
  const { text } = check(file);
  expect(text).toMatch(/test\('x', \(\) => \{\}\);\n\n {2}\/\/ @provest-generated .*\n {2}test\('pop: no index/);
  expect(text.split('\n').filter((line) => !file.includes(line))).toHaveLength(6);
  expect(text).toContain("loadC('./other.c');   // odd   spacing");
});

test('a second time changes nothing, formatted, edited or renamed', () => {
  const file = "const stack = loadC('./stack.c');\n";
  const once = check(file).text;
  expect(check(once)).toEqual({ text: once, added: 0, duplicates: 0 });
  const prettier = once.replace(/;$/gm, '').replace(/'/g, '"').replace(/ {2}/g, '    ');
  expect(check(prettier)).toEqual({ text: prettier, added: 0, duplicates: 0 });
  const edited = once.replace('stack.pop();', 'stack.push(1);');
  expect(check(edited)).toEqual({ text: edited, added: 0, duplicates: 0 });
  const adopted = once
    .replace(/\/\/ @provest.*\n/, '')
    .replace("'pop: no index -1 at stack.c:11'", "'popping nothing'");
  expect(check(adopted)).toEqual({ text: adopted, added: 0, duplicates: 0 });
});

test('the same calls on objects of other names are the same test', () => {
  const withObject = (name: string) =>
    `test('use', () => {\n  stack.reset();\n  const ${name} = stack.alloc('struct p', { x: 1 });\n` +
    `  stack.use(${name});\n});\n`;
  const once = check("const stack = loadC('./stack.c');\n", {
    file: 'a.test.ts',
    variable: 'stack',
    test: withObject('a'),
  }).text;
  expect(check(once, { file: 'a.test.ts', variable: 'stack', test: withObject('object1') })).toEqual({
    text: once,
    added: 0,
    duplicates: 0,
  });
  expect(
    check(once, { file: 'a.test.ts', variable: 'stack', test: withObject('object1').replace('x: 1', 'x: 2') }).added,
  ).toBe(1);
});

test('two bugs give two tests', () => {
  const other = test1.replace('stack.pop', 'stack.push');
  const tests = [test1, other, test1].map((test) => ({ file: 'a.test.ts', variable: 'stack', test }));
  expect(check("const stack = loadC('./stack.c');\n", ...tests).added).toBe(2);
});

test('tests of one line with one message have a name each, also beside those that are there', () => {
  const calling = (fn: string) => ({
    file: 'a.test.ts',
    variable: 'stack',
    test: test1.replace('stack.pop', `stack.${fn}`),
  });
  const titles = (text: string) => [...text.matchAll(/^test\((.*), \(\) => \{$/gm)].map(([, title]) => title);
  const once = check("const stack = loadC('./stack.c');\n", calling('pop'), calling('push')).text;
  expect(titles(once)).toEqual(["'pop: no index -1 at stack.c:11'", "'pop: no index -1 at stack.c:11 (2)'"]);
  const twice = check(once.replace(/'(pop: .*)'/g, '"$1"'), calling('put')).text;
  expect(titles(twice)).toEqual([
    '"pop: no index -1 at stack.c:11"',
    '"pop: no index -1 at stack.c:11 (2)"',
    expect.stringMatching(/^.pop: no index -1 at stack\.c:11 \(3\).$/),
  ]);
  expect(check(once, calling('pop'), calling('push'))).toMatchObject({ text: once, added: 0 });
});
