/** The command with the real front end, engine and solver: the verdict, the exit code, and JSON that is valid. */
import Ajv from 'ajv';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines, loadProgram, verify } from '../../src';
import { declaredFunctions } from '../../src/program';
import schema from '../../src/report/json/verdict.schema.json';
import { runWith } from './fakes';

const validate = new Ajv({ strictTypes: false }).compile(schema);
let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-end-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function check(
  source: string,
  options: string,
  expected: { code: number; json: object; err?: RegExp },
): Promise<void> {
  writeFileSync(join(cwd, 'file.c'), source);
  const args = ['verify', 'file.c', '--json', ...options.split(' ').filter((word) => word !== '')];
  const { code, lastLine, err } = await runWith(args, cwd, () => ({
    engines,
    loadProgram,
    verify: (task, { progress, signal }) => verify(task, { progress, signal }),
  }));
  const read: unknown = JSON.parse(lastLine);
  expect({ valid: validate(read), errors: validate.errors }).toEqual({ valid: true, errors: null });
  expect(err).toMatch(expected.err ?? /^$/);
  expect({ code, json: read }).toMatchObject({ code: expected.code, json: expected.json });
}

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
const [stack, repaired] = [...readme.matchAll(/^```c\n([^]*?)^```$/gm)].map((match) => match[1]!) as [string, string];

test("the README's stack has the bug it says", () =>
  check(stack, '', {
    code: 1,
    json: {
      verdict: 'bug',
      mode: 'module',
      counterexample: {
        failure: {
          check: 'array-bounds',
          message: 'index -1 is outside elems[8]',
          place: { file: 'file.c', function: 'pop' },
        },
        steps: [{ kind: 'call', function: 'pop', arguments: [] }],
      },
    },
  }));

test("the README's repair is proved, with an invariant between calls", async () => {
  const pop = repaired.slice(repaired.indexOf('int pop'));
  expect(pop).toContain('size == 0');
  await check(stack.slice(0, stack.indexOf('int pop')) + pop, '', {
    code: 0,
    json: {
      verdict: 'proved',
      invariants: expect.arrayContaining([expect.objectContaining({ at: 'module' })]) as object,
    },
  });
});

const program = (body: string) =>
  `extern int nondet(void);\nextern void reach_error(void);\nint main(void) {\n${body}\n}\n`;

test('program mode: inputs that reach an error, and a proof that none do', async () => {
  await check(program('  int x = nondet();\n  if (x == 4242) reach_error();\n  return 0;'), '--property reach', {
    code: 1,
    json: {
      mode: 'program',
      verdict: 'bug',
      counterexample: {
        failure: { check: 'unreachable', place: { line: 5 } },
        steps: expect.arrayContaining([
          expect.objectContaining({
            kind: 'input',
            function: 'nondet',
            value: 4242,
            place: expect.objectContaining({ file: 'file.c', line: 4 }) as object,
          }),
        ]) as object,
      },
    },
  });
  await check(program('  int x = nondet();\n  if (x > 0 && x < 0) reach_error();\n  return 0;'), '--property reach', {
    code: 0,
    json: { verdict: 'proved', property: 'reach' },
  });
});

test('a module without checks gets a remark; one with checks of other properties is not proved', async () => {
  await check('int f(void) { return 0; }\n', '--property reach', {
    code: 0,
    json: {
      verdict: 'proved',
      checks: [],
      remarks: expect.arrayContaining([expect.stringContaining('no check')]) as object,
    },
  });
  await check('int f(int x) { return x + 1; }\n', '--property reach', {
    code: 2,
    json: { verdict: 'unknown', reason: { cause: 'vacuous' } },
  });
  await check(program('  return 0;'), '--property reach', {
    code: 0,
    json: { verdict: 'proved', remarks: expect.arrayContaining([expect.stringContaining('no check')]) as object },
  });
});

test('a module without its functions is an error with its place', () =>
  check('int f(void);\nint g(void) { return f(); }\n', '', {
    code: 3,
    err: /^file.c:2:22: error: function 'f' is called but not defined/,
    json: { verdict: 'error', diagnostics: [{ severity: 'error', place: { file: 'file.c', line: 2 } }] },
  }));

test('with --angelic they are as unknown as the clients', async () => {
  const module = (condition: string): string =>
    `int limit(void);\nint share(int n) {\n  int of = limit();\n  return ${condition} ? n % of : 0;\n}\n`;
  await check(module('of > 0'), '--angelic', {
    code: 0,
    json: {
      verdict: 'proved',
      assumptions: expect.arrayContaining([
        expect.stringMatching(/^limit has no body/),
        expect.stringMatching(/^limit: does not call back/),
      ]) as object,
    },
  });
  await check(module('of == 0'), '--angelic --budget 20s', {
    code: 1,
    json: { verdict: 'bug', counterexample: { failure: { check: 'division-by-zero' } } },
  });
  await check(module('of > 0'), '--angelic --externals error', { code: 3, json: { verdict: 'error' }, err: /limit/ });
});

test('the budget ends a hard question', async () => {
  const hard =
    '#include <assert.h>\nvoid check(unsigned long a, unsigned long b) {\n' +
    '  if (a > 1 && b > 1 && a < 4294967296 && b < 4294967296) assert(a * b != 8670687648630721837ul);\n}\n';
  const started = Date.now();
  await check(hard, '--budget 2s', { code: 2, json: { verdict: 'unknown' } });
  expect(Date.now() - started).toBeLessThan(15_000);
});

test('--checks lists every check of a module with a bug, --proof-lcov says per line which are proved', async () => {
  writeFileSync(
    join(cwd, 'table.c'),
    'int a[8];\nint get(int i) { return a[i]; }\nint put(int i, int v) {\n  if (i < 0 || i >= 8) return -1;\n' +
      '  a[i] = v;\n  return 0;\n}\n',
  );
  const { code, out } = await runWith(['verify', 'table.c', '--checks', '--proof-lcov', 'proof.info'], cwd, () => ({
    engines,
    loadProgram,
    verify: (task, { progress, signal }) => verify(task, { progress, signal }),
  }));
  expect(code).toBe(1);
  expect(out).toContain('1 of 2 checks proved, 1 fails:');
  expect(out).toMatch(/put: 1 of 1 check proved\n +line 5: a\[i\] \(array-bounds\): proved/);
  expect(readFileSync(join(cwd, 'proof.info'), 'utf8')).toContain('DA:2,0\nDA:5,1\n');
});

describe('who clients are', () => {
  const files = {
    'api.h': '#include "types.h"\nint api_get(index_t i);\nint api_missing(void);\n',
    'types.h': 'typedef int index_t;\nint types_only(void);\n',
    'api.c':
      '#include "api.h"\nstatic int table[8];\nvoid helper(int i) { table[i] = 1; }\n' +
      'int api_get(index_t i) {\n  if (i < 0 || i > 7) return 0;\n  helper(i);\n  return table[i];\n}\n' +
      'int types_only(void) { return table[0]; }\n',
  };
  const run = async (...options: string[]) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    return runWith(['verify', 'api.c', ...options], cwd, () => ({
      engines,
      loadProgram,
      declaredFunctions,
      verify: (task, { progress, signal }) => verify(task, { progress, signal }),
    }));
  };

  test('entries: every function that is not static, the named ones, or those that a header declares', async () => {
    expect((await run()).code).toBe(1);
    expect((await run('--entries', 'api_get,types_only')).code).toBe(0);
    expect((await run('--entries', 'api_get', '--entries', 'helper')).code).toBe(1);
    expect((await run('--header', 'api.h')).code).toBe(0);
  });

  test('missing files and conflicting options are reported', async () => {
    expect((await run('--entries', 'api_gets')).err).toContain("no function 'api_gets' is defined");
    expect((await run('--header', 'types.h', '--entry', 'helper')).err).toContain(
      '--entry and --header exclude each other',
    );
    writeFileSync(join(cwd, 'other.h'), 'int other(void);\n');
    expect((await run('--header', 'other.h')).err).toContain('other.h declares none of the functions');
    writeFileSync(join(cwd, 'empty.h'), 'typedef int nothing;\n');
    expect((await run('--header', 'empty.h')).err).toContain('empty.h declares no function');
    expect((await run('--header', 'absent.h')).code).toBe(3);
  });
});
