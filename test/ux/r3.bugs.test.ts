/**
 * R3: a bug becomes a failing Jest test in the user's own words, which alone fails at the same C line and passes when
 * the C is repaired.
 */
import { inLongForm, isLong } from '../long';
import { Project } from './project';
import { firmwareBugs, seededBugs } from './seededBugs';

const head = (name: string): string =>
  `const { loadC } = require('provest');\n\nconst m = loadC('./${name}.c', { externals: 'any' });\n`;
let project: Project;
beforeAll(() => {
  project = new Project({}, { reporters: ['default', 'provest/reporter'] });
});
afterAll(() => project.remove());

interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
const run = (...args: readonly string[]) => JSON.parse(project.jest({ args: ['--json', ...args] }).stdout) as Results;
const of = (results: Results, name: string) =>
  results.testResults.find((file) => file.name.endsWith(`${name}.test.js`))?.assertionResults ?? [];

/** Every third of them, and all in the long form. */
const all = [...seededBugs, ...firmwareBugs].filter((_, i) => isLong || i % 6 === 0);

test('R3 each seeded bug gives a test, written on -u, that fails alone at its line and passes after repair', () => {
  for (const { name, c } of all) {
    project.write(`${name}.c`, c);
    project.write(
      `${name}.test.js`,
      `${head(name)}\ntest('is verified', () => expect(m).toBeVerified({ allowNoTests: true }));\n`,
    );
  }
  const written = run('-u');
  const files: Record<string, string> = {};
  for (const { name, line } of all) {
    expect([
      name,
      of(written, name).map(({ status, failureMessages }) => [
        status,
        failureMessages.join().includes(`${name}.c:${line}:`),
        /bug \(reproduced\)/.test(failureMessages.join()),
      ]),
    ]).toEqual([name, [['failed', true, true]]]);
    files[name] = project.read(`${name}.test.js`);
    expect(files[name]).toMatch(/@provest-generated/);
    // In the user's words: no bytes, no internals.
    expect(files[name]).not.toMatch(/Uint8Array|0x[0-9a-f]{8}|__provest|uninitialised/);
  }
  // A second time writes nothing.
  if (isLong) run('-u');
  for (const { name } of all) expect(project.read(`${name}.test.js`)).toBe(files[name]);

  // The generated test alone.
  for (const { name } of all) project.write(`${name}.test.js`, files[name]!.replace(/^test\('is verified'.*$/m, ''));
  const alone = run();
  for (const { name, line } of all) {
    // One for each check that fails, each where it says, and one of them where the seeded one is.
    const tests = of(alone, name);
    expect([name, tests.some(({ failureMessages }) => failureMessages.join().includes(`${name}.c:${line}:`))]).toEqual([
      name,
      true,
    ]);
    for (const { title, status, failureMessages } of tests) {
      expect([title, status]).toEqual([title, 'failed']);
      expect(failureMessages.join()).toContain(`${/ at (\S+\.c:\d+) \(/.exec(title)![1]!}:`);
    }
  }
  for (const {
    name,
    c,
    repair: [wrong, right],
  } of all) {
    expect(c).toContain(wrong);
    project.write(`${name}.c`, c.replace(wrong, right));
  }
  const repaired = run();
  for (const { name } of all)
    expect([name, [...new Set(of(repaired, name).map(({ status }) => status))]]).toEqual([name, ['passed']]);
}, 600_000);

inLongForm(
  'R3 several bugs give several tests; the same one twice is left out and counted',
  () => {
    const user = new Project({
      'two.c':
        'static int items[4];\nstatic int n;\nint get(int i) { return items[i]; }\n' +
        'int share(int a) {\n  return 100 / a;\n}\nvoid add(void) { if (n < 4) n++; }\n',
      'two.test.js':
        "const { loadC } = require('provest');\nconst two = loadC('./two.c');\ntest('adds', () => two.add());\n" +
        "test('is verified', () => expect(two).toBeVerified());\n" +
        "test('is verified, again', () => expect(two).toBeVerified());\n",
    });
    try {
      const { stderr } = user.jest({ args: ['-u'] });
      expect(stderr).toContain('provest: two.test.js: 2 tests written, 2 duplicates left out');
      const written = user.read('two.test.js');
      expect(written.match(/@provest-generated/g)).toHaveLength(2);
      expect(written).toMatch(/test\('get does not fail at two\.c:3 \(index -?\d+ is outside items\[4\]\)'/);
      expect(written).toMatch(/test\('share does not fail at two\.c:5 \(division by zero.*\)'/);
      user.jest({ args: ['-u'] });
      expect(user.read('two.test.js')).toBe(written);
    } finally {
      user.remove();
    }
  },
  600_000,
);

test('R3 and R4: without a name of its own, the module is called after its file', () => {
  const user = new Project({ 'my-mod.c': 'static int s;\nint next(void) { return 10 / (s--); }\n' });
  try {
    expect(user.provest('verify', 'my-mod.c', '--no-cache').stdout).toContain('    myMod.reset();\n    myMod.next();');
  } finally {
    user.remove();
  }
}, 100_000);

inLongForm(
  'R3 nothing is written without -u or under --ci; an edited test is left alone; values are the smallest that fail',
  () => {
    const user = new Project({
      'm.c': 'static unsigned left = 3;\nvoid take(unsigned n) {\n  left = 100 / (left - n);\n}\n',
    });
    try {
      const text =
        `${head('m')}\ntest('takes', () => m.take(1));\n\n` + "test('is verified', () => expect(m).toBeVerified());\n";
      user.write('m.test.js', text);
      user.jest();
      expect(user.read('m.test.js')).toBe(text);
      user.jest({ args: ['-u', '--ci'] });
      expect(user.read('m.test.js')).toBe(text);
      user.jest({ args: ['-u'] });
      const written = user.read('m.test.js');
      expect(written).toContain('m.take(3);');
      const edited = written.replace('m.take(3);', 'm.take(1 + 2); // three are left');
      user.write('m.test.js', edited);
      user.jest({ args: ['-u'] });
      expect(user.read('m.test.js')).toBe(edited);
    } finally {
      user.remove();
    }
  },
  600_000,
);
