/**
 * R3 and R9: `provest cover` writes tests for abstract states. They pass, reach what they say, come once, and leave a
 * person's changes alone.
 */
import { isLong, inLongForm } from '../long';
import { Project } from './project';

const queue =
  'static int items[4];\nstatic int size;\nint push(int k) {\n  if (size == 4) return 0;\n  items[size++] = k;\n' +
  '  return 1;\n}\nint pop(void) {\n  if (size == 0) return -1;\n  size--;\n  return items[size];\n}\n';
let user: Project;
beforeAll(() => {
  user = new Project({ 'queue.c': queue });
});
afterAll(() => user.remove());

inLongForm(
  'R9 cover prints tests and writes nothing; with --out they are a file that passes and reaches every abstract state',
  () => {
    const printed = user.provest('cover', 'queue.c', '--budget', '5m');
    expect(printed.status).toBe(0);
    expect(printed.stdout).toContain("test('shows what the code does: ");
    expect(printed.stderr).toMatch(/^\d+ tests, which reach 10 of 10 abstract states \(100 %\)$/m);
    expect(user.has('cover.test.js')).toBe(false);
    expect(user.provest('cover', 'queue.c', '--out', 'queue.test.js', '--ci')).toMatchObject({ status: 3 });
    expect(user.has('queue.test.js')).toBe(false);

    expect(user.provest('cover', 'queue.c', '--out', 'queue.test.js', '--budget', '5m').status).toBe(0);
    const written = user.read('queue.test.js');
    expect(written).toContain('expect(queue.pop()).toBe(-1);');
    // Nothing is larger than it must be.
    expect(written).not.toMatch(/\d{4,}\)/);
    const ran = user.jest({ args: ['--json'] });
    expect(JSON.parse(ran.stdout)).toMatchObject({ numFailedTests: 0, success: true });

    const edited = written
      .replace('expect(queue.pop()).toBe(-1);', 'expect(queue.pop()).toBeLessThan(0);')
      .replace('shows what the code does: pop()', 'an empty queue has nothing');
    user.write('queue.test.js', edited);
    expect(user.provest('cover', 'queue.c', '--out', 'queue.test.js', '--budget', '5m').stderr).toContain(
      'queue.test.js: 0 tests written',
    );
    expect(user.read('queue.test.js')).toBe(edited);
  },
  900_000,
);

test('R9 cover writes only what the tests of the last run leave out', () => {
  const own = new Project(
    {
      'queue.c': queue,
      'own.test.js':
        "const { loadC } = require('provest');\nconst queue = loadC('./queue.c');\n" +
        "test('empty', () => expect(queue.pop()).toBe(-1));\n" +
        "test('one', () => { queue.push(7); expect(queue.pop()).toBe(7); });\n",
    },
    { reporters: ['default', ['provest/reporter', { blob: true }]] },
  );
  try {
    const all = own.provest('cover', 'queue.c', '--budget', '5m');
    expect(all.stderr).toContain('what your own tests reach is not known: run them with PROVEST_BLOB=1 first');
    expect(own.jest().status).toBe(0);
    const rest = own.provest('cover', 'queue.c', '--budget', '5m');
    const tests = ({ stdout }: { readonly stdout: string }): string[] => stdout.match(/^test\(/gm) ?? [];
    expect(tests(rest).length).toBeGreaterThan(0);
    expect(tests(rest).length).toBeLessThan(tests(all).length);
    expect(rest.stderr).toMatch(/^\d+ tests? more; with yours they reach 10 of 10 abstract states \(100 %\)$/m);
    expect(rest.stdout).not.toMatch(/queue\.reset\(\);\n {2}expect\(queue\.pop\(\)\)\.toBe\(-1\);\n\}/);
    if (isLong) expect(tests(own.provest('cover', 'queue.c', '--no-tests', '--budget', '5m'))).toEqual(tests(all));
    // Facts that tell no state apart are not said.
    expect(all.stdout).not.toMatch(/\/\/ reaches .*2147483647/);
    expect(own.provest('cover', 'queue.c', '--tests', 'queue.c')).toMatchObject({ status: 3 });
    expect(own.provest('cover', 'queue.c', '--tests', 'no.provest')).toMatchObject({ status: 3 });
  } finally {
    own.remove();
  }
}, 900_000);

test('R9 cover does not write into a file that has nothing to do with it, nor into C', () => {
  user.write('other.test.js', 'test("x", () => {});\n');
  expect(user.provest('cover', 'queue.c', '--out', 'other.test.js', '--budget', '2s')).toMatchObject({ status: 3 });
  expect(user.read('other.test.js')).toBe('test("x", () => {});\n');
  expect(user.provest('cover', 'missing.c')).toMatchObject({ status: 3 });
});
