/** R3: a bug becomes a failing Jest test in the user's own words, which alone fails at the same C line and passes when the C is repaired. */
import { Project } from './project';
import { seededBugs } from './seededBugs';

const head = (name: string): string => `const { loadC } = require('provest');\n\nconst m = loadC('./${name}.c', { externals: 'any' });\n`;
let project: Project;
beforeAll(() => { project = new Project({}, { reporters: ['default', 'provest/reporter'] }); });
afterAll(() => project.remove());

interface Results { readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly { readonly title: string; readonly status: string; readonly failureMessages: readonly string[] }[] }[] }
const run = (...args: readonly string[]) => JSON.parse(project.jest({ args: ['--json', ...args] }).stdout) as Results;
const of = (results: Results, name: string) => results.testResults.find((file) => file.name.endsWith(`${name}.test.js`))?.assertionResults ?? [];

test('R3 each seeded bug gives a test, in the file on -u, that alone fails at the same line, and passes once repaired', () => {
  for (const { name, c } of seededBugs) {
    project.write(`${name}.c`, c);
    project.write(`${name}.test.js`, `${head(name)}\ntest('is verified', () => expect(m).toBeVerified({ allowNoTests: true }));\n`);
  }
  const written = run('-u');
  const files: Record<string, string> = {};
  for (const { name, line } of seededBugs) {
    expect([name, of(written, name).map(({ status, failureMessages }) => [status, failureMessages.join().includes(`${name}.c:${line}:`), /bug \(reproduced\)/.test(failureMessages.join())])]).toEqual([name, [['failed', true, true]]]);
    files[name] = project.read(`${name}.test.js`);
    expect(files[name]).toMatch(/@provest-generated/);
    // In the user's words: no bytes, no internals.
    expect(files[name]).not.toMatch(/Uint8Array|0x[0-9a-f]{8}|__provest|uninitialised/);
  }
  // A second time writes nothing.
  run('-u');
  for (const { name } of seededBugs) expect(project.read(`${name}.test.js`)).toBe(files[name]);

  // The generated test alone.
  for (const { name } of seededBugs) project.write(`${name}.test.js`, files[name]!.replace(/^test\('is verified'.*$/m, ''));
  const alone = run();
  for (const { name, line } of seededBugs) {
    expect([name, of(alone, name).map(({ status, failureMessages }) => [status, failureMessages.join().includes(`${name}.c:${line}:`)])]).toEqual([name, [['failed', true]]]);
  }
  for (const { name, c, repair: [wrong, right] } of seededBugs) {
    expect(c).toContain(wrong);
    project.write(`${name}.c`, c.replace(wrong, right));
  }
  const repaired = run();
  for (const { name } of seededBugs) expect([name, of(repaired, name).map(({ status }) => status)]).toEqual([name, ['passed']]);
}, 600_000);

test('R3 nothing is written without asking, nor ever under --ci; an edited test is left alone; values are the smallest that fail', () => {
  const user = new Project({ 'm.c': 'static unsigned left = 3;\nvoid take(unsigned n) {\n  left = 100 / (left - n);\n}\n' });
  try {
    const text = `${head('m')}\ntest('takes', () => m.take(1));\n\ntest('is verified', () => expect(m).toBeVerified());\n`;
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
}, 600_000);
