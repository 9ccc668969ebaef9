/**
 * R15: what a hurried person gets wrong is answered with what was meant, at the line of the test that says it, with
 * none of our frames.
 */
import { good, removeProjects, UserProject } from './userProject';

afterAll(removeProjects);

/** Statement, and the beginning of what is said of it. */
const mistakes: readonly (readonly [string, RegExp])[] = [
  ["loadC('./god.c')", /no such file: \.\/god\.c \(looked for god\.c\); did you mean 'good\.c'\?/],
  ["loadC('./good')", /no such file: \.\/good \(looked for good\); did you mean 'good\.c'\?/],
  ["loadC('./scheduler.c')", /in that folder there are broken\.c, driver\.c, good\.c/],
  ["loadC('/nowhere/good.c')", /no such file: \/nowhere\/good\.c; there is no C file in that folder/],
  [
    "m.new('entri', {})",
    /'entri' is not a C type: it is neither a basic type nor a typedef or tag of the module; did you mean 'entry'\?/,
  ],
  ["loadC('.')", /\. is a directory; name its C files/],
  ["loadC('./own.test.js')", /\.\/own\.test\.js is JavaScript, not C/],
  ["loadC('./broken.c')", /^CError: broken\.c:2:13: error: expected an expression[^]*> 2 \| {3}return x \+;/],
  [
    "loadC('./driver.c')",
    /function 'sensor' is called but not defined[^]*stubs: \{ sensor: \(a1 \/\* number \*\/\) => 0 \}/,
  ],
  ["loadC('./good.c', { defines: {} })", /there is no option 'defines'; did you mean 'define'\?/],
  ['m.pusch(1)', /good\.c has no function 'pusch'; did you mean 'push'\?/],
  ['m.push()', /push\(int k\) takes 1 argument, not 0/],
  ['m.push(1.5)', /1\.5 is not a whole number/],
  ['m.push(2 ** 40)', /1099511627776 does not fit in 'int'/],
  ['m.global.sise', /has no variable 'sise'; did you mean 'size'\?/],
  [
    "m.probe('full', (s) => s.sise === 4)",
    /probe 'full': 'sise' is none of the variables of good\.c; did you mean 'size'\?/,
  ],
  ["m.probe('full', (s) => s.size = 4)", /a probe has no side effects/],
  ["m.probe('full', 'size == 4', { in: 'pusch' })", /defines no function 'pusch'; did you mean 'push'\?/],
  ['expect(m).toBeVerified({ buget: 3 })', /there is no option 'buget'; did you mean 'budget'\?/],
  ["expect(m).toBeVerified({ budget: '3s' })", /the option budget is a number of milliseconds above 0; this is '3s'/],
  ["expect(m).toBeVerified({ properties: ['memsafty'] })", /but not 'memsafty'; did you mean 'memsafety'\?/],
  ['expect(m.push).toBeVerified()', /toBeVerified\(\) is for C modules: give it what loadC returned/],
];

test('mistakes in a test file', () => {
  const head = "const { loadC } = require('provest');\nconst m = loadC('./good.c');\n";
  const project = new UserProject('jest-30', {
    'good.c': `${good}struct entry { int key; };\n`,
    'broken.c': 'int f(int x) {\n  return x +;\n}\n',
    'driver.c': 'int sensor(int);\nint last;\nint read(void) { last = sensor(3); return last; }\n',
    'own.test.js':
      head +
      mistakes
        .map(
          ([code], i) =>
            `test('${i}', () => ${code.includes('=>') || code.startsWith('m.global') ? `{ ${code}; }` : code});\n`,
        )
        .join(''),
  });
  const run = project.run(['--ci']);
  expect(run.tests).toHaveLength(mistakes.length);
  for (const [i, [code, answer]] of mistakes.entries()) {
    const message = run.message(String(i));
    expect([code, message]).toEqual([code, expect.stringMatching(answer)]);
    expect([code, /own\.test\.js:(\d+)/.exec(message.replace(/^own\.test\.js:\d+: /gm, ''))?.[1]]).toEqual([
      code,
      String(i + 3),
    ]);
    expect([code, /node_modules\/(provest|expect)\/.*:\d+:\d+/.exec(message)]).toEqual([code, null]);
  }
});

test('a verdict that is asked for before any test has run', () => {
  const asks = (how: string): string =>
    `const { loadC } = require('provest');\nconst m = loadC('./good.c');\n${how}\n` +
    `test('pushes', () => { m.push(1); });\n`;
  const project = new UserProject('jest-30', {
    'good.c': good,
    'hook.test.js': asks('beforeAll(() => expect(m).toBeVerified());'),
    'block.test.js': asks("describe('m', () => { expect(m).toBeVerified(); test('it', () => {}); });"),
  });
  for (const file of ['hook', 'block'])
    expect([file, project.plain(file)]).toEqual([
      file,
      expect.objectContaining({
        status: 1,
        stderr: expect.stringMatching(
          /good\.c: not evaluated: it was asked for before any test had run[^]*ask in a test: /,
        ) as string,
      }),
    ]);
});

test('mistakes on the command line', () => {
  const project = new UserProject('jest-30', { 'good.c': good, 'good.test.js': '' });
  const said = (...args: readonly string[]): string => {
    const { status, stderr } = project.provest(args);
    return `${status} ${stderr}`;
  };
  expect(said('verfy', 'good.c')).toMatch(/^3 provest: 'verfy' is no command\nhint: did you mean 'provest verify'\?/);
  expect(said('good.c', '--json')).toMatch(
    /^3 provest: 'good\.c' is no command, and one comes first\nhint: did you mean 'provest verify good\.c'\?/,
  );
  expect(said('verify', 'god.c')).toMatch(/^3 provest: no such file: god\.c\nhint: did you mean 'good\.c'\?/);
  project.write({ 'image.c': 'int x;\0\x01\x02' });
  expect(said('verify', 'image.c')).toMatch(/^3 provest: image\.c is binary, not C\n/);
  project.write({
    'large.c':
      'static char small;\nstatic int pixels[20000][10000], a[500000000], b[500000000], c[500000000], d[500000000];\n' +
      'int f(unsigned i) { return pixels[i % 20000][0] + small + a[i] + b[i] + c[i] + d[i]; }\n',
  });
  expect(said('verify', 'large.c')).toMatch(
    /^3 large\.c:2:34: error: the variables take 8800000\d\d\d bytes, and a run has 8 GiB; the largest is 'a'\n/,
  );
  expect(said('verify', 'good.test.js')).toMatch(/^3 provest: good\.test\.js is JavaScript, not C\n/);
  expect(said('verify', 'good.c', '--enigne', 'auto')).toMatch(
    /^3 .*unknown option '--enigne'\n\(Did you mean --engine\?\)/,
  );
  expect(said('verify')).toMatch(/^3 .*missing required argument 'files'/);
  expect(said('merge', 'good.c')).toMatch(/^3 provest: \S*good\.c is no run: a run is what provest's reporter writes/);
  expect(said('merge', 'run.provest')).toMatch(
    /^3 provest: no such file: run\.provest\nhint: there is no \.provest file in that folder/,
  );
  // Before anything is searched for.
  expect(said('cover', 'good.c', '--out', 'good.test.js')).toMatch(
    /^3 provest: good\.test\.js is there and loads no C module/,
  );
  expect(said('cover', 'good.c', '--out', 'tests/good.test.js')).toMatch(
    /^3 provest: cannot write tests\/good\.test\.js: /,
  );
});
