/** Flags of a project's build as a hint, where a header was not found. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildHint, flagsAsArguments, flagsAsOptions } from '../src/buildFlags';
import { CError } from '../src/c';
import { loadProgram } from '../src/program';
import { loadC } from '../plugin';
import { runWith } from './cli/fakes';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'provest-build-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function errorOf(file: string, include: readonly string[] = []): CError {
  try {
    loadProgram([join(folder, file)], { include, externals: 'error' });
  } catch (error) {
    if (error instanceof CError) return error;
    throw error;
  }
  throw new Error('the C was accepted');
}

const hint = (file: string, given: readonly string[] = []): string | undefined =>
  buildHint(errorOf(file, given).diagnostics, { folder, given, spell: flagsAsArguments });

test('the flags of a Makefile are told where a header of the project is missing', () => {
  write({
    'src/a.c': '#include "a.h"\n',
    'inc/a.h': '',
    'my lib/b.h': '',
    Makefile: 'CFLAGS = -Iinc "-Imy lib" -DSIZE=32 -DNAME="\'x\'"\n',
  });
  expect(hint('src/a.c')).toBe("Makefile compiles with -I inc -I 'my lib' -D SIZE=32 -D 'NAME='\\''x'\\'''");
});

test('of a list of commands those of the file itself are told', () => {
  const list = ['a', 'b'].map((name) => ({ directory: folder, file: `${name}.c`, command: `cc -I${name} ${name}.c` }));
  write({ 'a.c': '#include <x.h>\n', 'b.c': '#include <x.h>\n', 'build/compile_commands.json': JSON.stringify(list) });
  expect(hint('b.c')).toBe('build/compile_commands.json compiles with -I b');
});

test.each([
  ['no build is there', {}, []],
  ['the build names no folder', { Makefile: 'CFLAGS = -DX\n' }, []],
  ['its folders are given', { Makefile: 'CFLAGS = -Iinc -DX\n', 'inc/b.h': '' }, ['inc']],
  ['its list cannot be read', { 'compile_commands.json': '[' }, []],
])('nothing is told where %s', (_, files, given) => {
  write({ 'a.c': '#include "a.h"\n', ...files });
  expect(
    hint(
      'a.c',
      given.map((name) => join(folder, name)),
    ),
  ).toBeUndefined();
});

test('nothing is told of a missing header of the system, or of other errors', () => {
  write({ 'a.c': '#include <net/if.h>\n', 'b.c': 'int f(void) { return x; }\n', Makefile: 'CFLAGS = -Iinc\n' });
  expect([hint('a.c'), hint('b.c')]).toEqual([undefined, undefined]);
});

test('the command tells them as its own options', async () => {
  write({ 'a.c': '#include "a.h"\n', Makefile: 'CFLAGS = -Iinc -DX\n' });
  const error = errorOf('a.c');
  const refusing = () => ({
    loadProgram: () => {
      throw error;
    },
  });
  const { code, err } = await runWith(['verify', 'a.c'], folder, refusing);
  expect([code, err]).toEqual([3, expect.stringMatching(/\nhint: Makefile compiles with -I inc -D X\n$/)]);
  const given = await runWith(['verify', 'a.c', '-I', 'inc'], folder, refusing);
  expect(given.err).not.toContain('Makefile');
});

test('loadC tells them relative to the file that calls it', () => {
  write({ 'src/a.c': '#include "a.h"\n', Makefile: 'CFLAGS = -Iinc -DX=1\n' });
  jest.spyOn(process, 'cwd').mockReturnValue(folder);
  try {
    expect(() => loadC(join(folder, 'src/a.c'))).toThrow(
      /hint: Makefile compiles with \{ include: \['.*inc'\], define: \{ X: '1' \} \}$/,
    );
  } finally {
    jest.restoreAllMocks();
  }
  expect(flagsAsOptions({ include: [join(folder, 'inc')], define: {} }, join(folder, 'test'))).toBe(
    "{ include: ['../inc'] }",
  );
});
