/** `provest init`: include folders and macros of the project's own build, as options of `loadC`. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runWith } from './fakes';

let cwd: string;
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'provest-init-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

/** Lines that are about flags, in a project with these files and C of its own. */
async function said(
  files: Readonly<Record<string, string>>,
  pattern = /give them to loadC|cmake|cannot be read/,
): Promise<readonly string[]> {
  for (const [name, text] of Object.entries({ 'src/a.c': 'int x;\n', ...files })) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const { code, out } = await runWith(['init'], cwd);
  expect(code).toBe(0);
  return out.split('\n').filter((line) => pattern.test(line));
}

test('flags that all files of compile_commands.json share are printed for loadC', async () => {
  const list = ['a', 'b'].map((name) => ({
    directory: cwd,
    file: `src/${name}.c`,
    command: `cc -Iinc -I. -DMODE=2 -DNAME="it's" -D${name.toUpperCase()} -c src/${name}.c`,
  }));
  expect(await said({ 'build/compile_commands.json': JSON.stringify(list), Makefile: 'CFLAGS = -Iother\n' })).toEqual([
    'provest: build/compile_commands.json compiles with these, so give them to loadC, ' +
      "relative to the test file: { include: ['inc', '.'], define: { MODE: '2', NAME: 'it\\'s' } }",
  ]);
});

test('of a Makefile the flags that are written out are read, and nothing is run', async () => {
  expect(
    await said({
      Makefile:
        'ROOT := $(shell touch ran)\nCFLAGS += -Wall -Iinc \\\n  -DDEBUG # -Inot\n' +
        'CPPFLAGS = -I$(ROOT) -I $(ROOT) -I lib "-DF(x)=x"\nall:\n\tcc -Ilater\n',
    }),
  ).toEqual([
    'provest: Makefile compiles with these, so give them to loadC, relative to the test file: ' +
      "{ include: ['inc', 'lib'], define: { DEBUG: true } }",
  ]);
  expect(readdirSync(cwd)).not.toContain('ran');
});

test('variables of a Makefile are followed, as those that tools for microcontrollers write', async () => {
  expect(
    await said({
      Makefile: [
        'TOP = lib/hal',
        'INC_DIRS := inc $(TOP)/inc',
        'C_INCLUDES = \\\n-ICore/Inc \\\n-I$(TOP)/cmsis',
        'C_DEFS = -DUSE_HAL -DCLOCK=8000000',
        'INC = $(addprefix -I,$(INC_DIRS))',
        'SELF = $(SELF) -Iself',
        'CFLAGS = $(INC) $(MCU) $(SELF) $(shell touch ran)',
        'LDFLAGS = -Ilinker\nCXXFLAGS = -Icxx\n',
      ].join('\n'),
    }),
  ).toEqual([
    'provest: Makefile compiles with these, so give them to loadC, relative to the test file: ' +
      "{ include: ['Core/Inc', 'lib/hal/cmsis', 'inc', 'lib/hal/inc', 'self'], " +
      "define: { USE_HAL: true, CLOCK: '8000000' } }",
  ]);
  expect(readdirSync(cwd)).not.toContain('ran');
});

test('CMake without a list: how to get one; a broken list is named; without a build nothing is said', async () => {
  expect(await said({})).toEqual([]);
  expect(await said({ 'CMakeLists.txt': '' })).toEqual([
    'provest: run cmake with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON: then provest init and the editor know your ' +
      'include folders',
  ]);
  expect(await said({ 'compile_commands.json': '[' })).toEqual([
    expect.stringMatching(/^provest: compile_commands\.json cannot be read: /),
  ]);
});

test('C without tests: the first one is told, since the runner would find none; with one it is not', async () => {
  const first =
    'provest: there are no tests yet; the first may be a.test.js, in this folder: ' +
    "const { loadC } = require('provest'); const m = loadC('./src/a.c'); " +
    "test('a is verified', () => expect(m).toBeVerified({ allowNoTests: true }));";
  expect(await said({ 'src/uart.c': '' }, /no tests/)).toEqual([first]);
  expect(await said({ Makefile: 'CFLAGS = -Iinc -DN=3\n' }, /no tests/)).toEqual([
    first.replace("'./src/a.c'", "'./src/a.c', { include: ['inc'], define: { N: '3' } }"),
  ]);
  expect(await said({ 'test/crc.test.ts': '' }, /no tests/)).toEqual([]);
});
