/** `provest run` with the real front end and interpreter. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProgram } from '../../src/program';
import { runWith, type Outcome } from './fakes';
import { inOrder } from '../patterns';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-run-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function run(source: string, options = '', ...args: readonly string[]): Promise<Outcome> {
  writeFileSync(join(cwd, 'program.c'), source);
  return runWith(['run', ...options.split(' ').filter((word) => word !== ''), 'program.c', ...args], cwd, () => ({
    loadProgram,
  }));
}

async function check(
  source: string,
  expected: { code: number; out?: string; err?: string | RegExp },
  options = '',
  ...args: readonly string[]
): Promise<void> {
  const { code, out, err } = await run(source, options, ...args);
  expect({ code, out }).toEqual({ code: expected.code, out: expected.out ?? '' });
  expect(err).toMatch(expected.err ?? /^$/);
}

test('the exit status is that of the program', async () => {
  await check('int main(void) { return 42; }', { code: 42 });
  await check('int main(void) { return 256 + 7; }', { code: 7 });
  await check('int main(void) { }', { code: 0 });
  await check('void main(void) { }', { code: 0 });
  await check('#include <stdlib.h>\nint main(void) { exit(3); }', { code: 3 });
});

test('what it prints goes to standard output', async () => {
  await check(
    '#include <stdio.h>\nint main(void) { for (int i = 0; i < 3; i++) printf("%d,", i); puts("end"); return 0; }',
    { code: 0, out: '0,1,2,end\n' },
  );
});

test("arguments arrive in argv, with its null at the end; those after the file are the program's", async () => {
  const echo =
    '#include <stdio.h>\nint main(int argc, char **argv) ' +
    '{ for (int i = 0; i < argc; i++) printf("[%s]", argv[i]); return argv[argc] == 0 ? argc : 99; }';
  await check(echo, { code: 4, out: '[program.c][a b][--json][ü]' }, '', 'a b', '--json', 'ü');
  await check(echo, { code: 2, out: '[program.c][x]' }, '--data-model ilp32', 'x');
  await check('int main(int argc, char **argv, char **envp) { return envp[0] == 0 ? 0 : 1; }', { code: 0 });
  await check('int main(double x) { return 0; }', { code: 3, err: /declare it as int main\(void\)/ });
});

test('a fault shows the line, the stack and the inputs that led to it', async () => {
  await check(
    'extern int nondet(void);\nint a[4];\nint get(int i) {\n  return a[i];\n}\n' +
      'int main(void) {\n  int i = nondet();\n  return get(i - i + 4);\n}\n',
    {
      code: 1,
      err: inOrder(
        /index 4 is outside a\[4\]/,
        /program.c:4:\d+: in get/,
        /> 4 \| {3}return a\[i\];/,
        /C call stack:/,
        /program.c:8:\d+: main/,
        /Inputs, in order \(seed 1\):\n {2}nondet\(\) gives -?\d+\n/,
      ),
    },
    '--externals any',
  );
});

test('the same seed gives the same inputs', async () => {
  const source =
    '#include <stdio.h>\nextern int nondet(void);\nint main(void) { printf("%d %d", nondet(), nondet()); return 0; }';
  const outs = await Promise.all(
    [1, 1, 2].map(async (seed) => (await run(source, `--externals any --seed ${seed}`)).out),
  );
  expect(outs[0]).toBe(outs[1]);
  expect(outs[0]).not.toBe(outs[2]);
});

test('endless programs end at the step limit, and bad calls are refused', async () => {
  await check(
    'int main(void) {\n  for (;;) {}\n}',
    { code: 2, err: /did not end within the step limit[^]*program.c:2/ },
    '--steps 10000',
  );
  await check('int main(void) { return 0; }', { code: 3, err: /no number of steps/ }, '--steps many');
  await check(
    'int main(void) { return 0; }',
    { code: 3, err: /no such directory: nowhere\nhint: correct the option --files/ },
    '--files nowhere',
  );
  await check('int f(void) { return 0; }', { code: 3, err: /defines no main\nhint: provest verify/ });
  await check('int f(void);\nint main(void) { return f(); }', { code: 3, err: /program.c:2:\d+: error: [^]*'f'/ });
  await check('int main(void) { return 1 }', { code: 3, err: /program.c:1:\d+: error/ });
});

test('warnings go to standard error with their lines, at most 20 of them, and not with -w', async () => {
  const odd = '#define N 1\n#define N 2\nint main(void) { return N - 2; }\n';
  await check(odd, {
    code: 0,
    err: inOrder(
      /^program\.c:2:9: warning: macro 'N' is defined again, differently\n/,
      /> 2 \| #define N 2\n/,
      /program\.c:1:9: note: it was defined here/,
    ),
  });
  await check(odd, { code: 0 }, '-w');
  const { err } = await run(
    `${Array.from({ length: 23 }, (_, i) => `#warning ${i}`).join('\n')}\nint main(void) { return 0; }\n`,
  );
  expect(err.match(/: warning: /g)).toHaveLength(20);
  expect(err).toContain('and 3 more warnings');
});
