/** The notations in which other verifiers write down the verdicts of their regression programs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readSuite, type SuiteOptions } from '../../bench/conformance/suites';

function check(files: Readonly<Record<string, string>>, options: Partial<SuiteOptions> = {}): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'suite-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return readSuite(folder, { include: [], define: [], ...options }).map(
      ({ id, properties, dataModel, entry, expect: { kind } }) =>
        `${id} ${properties.join('+')} ${dataModel} ${entry} ${kind}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('SV-COMP: one task per property that has a verdict', () => {
  const yml = (properties: string): string =>
    `format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n${properties}options:\n  language: C\n` +
    '  data_model: ILP32\n';
  expect(
    check({
      'x/a.yml': yml(
        '  - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n' +
          '  - property_file: ../properties/no-overflow.prp\n    expected_verdict: true\n' +
          '  - property_file: ../properties/termination.prp\n    expected_verdict: true\n',
      ),
      'x/a.c': 'int main() {}',
    }),
  ).toEqual(['x/a.reach reach ilp32 main bug', 'x/a.overflow overflow ilp32 main proved']);
});

test('CBMC and 2LS: checks are options; what holds up to a bound only has no verdict here', () => {
  const desc = (options: string, verdict: string): string =>
    `CORE\nmain.c\n${options}\n^EXIT=0$\n^VERIFICATION ${verdict}$\n--\n^warning: ignoring\n`;
  const program = { 'one/main.c': '', 'two/main.c': '', 'three/main.c': '', 'four/main.c': '' };
  expect(
    check({
      ...program,
      'one/test.desc': desc('--pointer-check --function f', 'FAILED'),
      'two/test.desc': desc('--no-assertions --signed-overflow-check --32', 'SUCCESSFUL'),
      'three/test.desc': desc('--unwind 3', 'SUCCESSFUL'),
      'four/test.desc': desc('--termination', 'SUCCESSFUL'),
    }),
  ).toEqual(['one reach+memsafety lp64 f bug', 'two overflow ilp32 main proved']);
});

test('ESBMC: its checks are on unless switched off; threads and what it alone gives a meaning to are left out', () => {
  const desc = (options: string, verdict: string): string => `CORE\nmain.c\n${options}\n^VERIFICATION ${verdict}$\n`;
  const programs = {
    a: ['--incremental-bmc --unwind 3 --memory-leak-check', 'SUCCESSFUL'],
    b: ['--no-standard-checks --overflow-check --32 --function f', 'FAILED'],
    c: ['--no-bounds-check --no-div-by-zero-check', 'SUCCESSFUL'],
    d: ['--no-bounds-check --no-div-by-zero-check', 'FAILED'],
    e: ['--unwind 3 --no-unwinding-assertions', 'SUCCESSFUL'],
    f: ['--unwind 3', 'FAILED'],
    g: ['--unwind 3', 'SUCCESSFUL'],
    h: ['--data-races-check', 'SUCCESSFUL'],
    i: ['', 'FAILED'],
    j: ['', 'SUCCESSFUL'],
    k: ['--unwind 3 --no-unwinding-assertions', 'FAILED'],
  };
  const texts: Readonly<Record<string, string>> = {
    i: 'int main() { int a[2]; __ESBMC_init_object(a); }',
    j: 'int main() { pthread_create(0, 0, 0, 0); }',
    k: 'int main() { __ESBMC_assume(1); __ESBMC_HIDE: ; }',
  };
  const files = Object.entries(programs).flatMap(([name, [options, verdict]]) => [
    [`${name}/test.desc`, desc(options!, verdict!)],
    [`${name}/main.c`, texts[name] ?? ''],
  ]);
  expect(check(Object.fromEntries(files) as Record<string, string>)).toEqual([
    'a reach+memsafety+div-by-zero+leak lp64 main proved',
    'b reach+overflow ilp32 f bug',
    'c reach lp64 main proved',
    'd reach+memsafety lp64 main bug',
    'g reach+memsafety+div-by-zero lp64 main proved',
    'k reach+memsafety+div-by-zero lp64 main bug',
  ]);
});

test('Ultimate: the first line has the verdict, about memory if no error is called; annotations are left out', () => {
  expect(
    check({
      'a.c': '//#Safe\nextern void reach_error(void);\nint main() { if (0) reach_error(); }',
      'b.c': '/* #Unsafe\n */\nint main() { int *p = 0; return *p; }',
      'c.c': '//#Safe\nint main() { int x = 1; //@ assert x == 1;\n}',
      'd.c': '//#Safe\nint f() { return 0; }',
      'e.c': 'int main() { return 0; } // #Safe',
    }),
  ).toEqual(['a reach ilp32 main proved', 'b memsafety ilp32 main bug']);
});

test('SMACK: the property comes from the program or from the folders above', () => {
  expect(
    check({
      'memory/config.yml': 'skip: ok\nflags: [--check=memory-safety]\n',
      'memory/a.c': '// @expect error\nint main(void) {}',
      'pthread/config.yml': 'flags: [--pthread]\n',
      'pthread/b.c': '// @expect verified\n',
      'c.c': '// @flag --check integer-overflow\n// @expect verified\n',
      'd.c': '// @expect verified\n',
    }),
  ).toEqual(['c overflow lp64 main proved', 'd reach lp64 main proved', 'memory/a memsafety+leak lp64 main bug']);
});

test('SeaHorn: unsat is safe; programs with functions to be synthesised are left out', () => {
  expect(
    check({
      'a.c': '// RUN: %sea pf "%s"\n// CHECK: ^unsat$\nint main(void) {}',
      'b.c': '// RUN: %sea abc -O0 "%s"\n// CHECK: ^sat$\nint main(void) {}',
      'c.c': '// CHECK: ^sat$\nint PARTIAL_FN f(int);\nint main(void) {}',
    }),
  ).toEqual(['a reach lp64 main proved', 'b memsafety lp64 main bug']);
});

test('without a mark a program has the verdict that is given for all, or its own in the list', () => {
  const files = { '1.c': 'int main() {}', '2.c': 'int main() {}', '3.c': 'int main() {}', 'odd/4.c': 'int main() {}' };
  expect(check(files)).toEqual([]);
  expect(
    check(files, {
      otherwise: 'proved',
      verdicts: new Map([
        ['2', 'bug'],
        ['3', 'skip'],
        ['odd/', 'skip'],
      ]),
    }),
  ).toEqual(['1 reach lp64 main proved', '2 reach lp64 main bug']);
});
