/** Names that files define and lack, without the bodies of functions. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadInterface, loadProgram, type ProgramInterface, type ProgramOptions } from '../../src/program';

const folder = mkdtempSync(join(tmpdir(), 'interface-'));

function filesOf(texts: readonly string[]): string[] {
  return texts.map((text, i) => {
    const file = join(folder, `${i}.c`);
    writeFileSync(file, text);
    return file;
  });
}

/** Functions that lowering makes have no place in the C. */
const shown = ({ functions, externals, dataModel, warnings }: ProgramInterface) => ({
  functions: functions
    .filter(({ name, library }) => !library && !name.startsWith('<'))
    .map(({ name, linkage }) => `${linkage} ${name}`),
  externals: externals.map(({ name }) => name),
  dataModel,
  warnings: warnings?.map(({ message }) => message),
});

test.each<[string, readonly string[], ProgramOptions]>([
  ['a module with static functions', ['static int f(int x) { return x; }\nint g(int x) { return f(x); }\n'], {}],
  ['a program', ['int main(void) { return 0; }\n'], { dataModel: 'ilp32' }],
  ['functions that are defined nowhere', ['extern int input(void);\nint f(void) { return input(); }\n'], {}],
  ['functions of clients', ['int f(int (*call)(int)) { return call(1); }\n'], {}],
  ['stubs', ['extern int input(void);\nint f(void) { return input(); }\n'], { stubs: ['input'] }],
  [
    'library functions',
    ['#include <string.h>\n#include <stdio.h>\nint f(char *s) { return puts(s) + (int)strlen(s); }\n'],
    {},
  ],
  [
    'names that two files use',
    [
      'static int f(void) { return 1; }\nint g(void) { return f(); }\n',
      'static int f(void) { return 2; }\nint h(void) { return f(); }\n',
    ],
    {},
  ],
  ['warnings', ["int f(void) { return 'ab'; }\n"], {}],
])('is that of the program: %s', (_, texts, options) => {
  const files = filesOf(texts);
  expect(shown(loadInterface(files, options))).toEqual(shown(loadProgram(files, { externals: 'any', ...options })));
});

test('an error between files is told, one in the body of a function is left to those who read it', () => {
  expect(() => loadInterface(filesOf(['int f(void) { return 1; }\n', 'int f(void) { return 2; }\n']))).toThrow("'f'");
  const later = filesOf(['int f(int n) { goto in; { int a[n]; in: a[0] = 1; return a[0]; } }\n']);
  expect(shown(loadInterface(later)).functions).toEqual(['external f']);
  expect(() => loadProgram(later, { externals: 'any' })).toThrow('jumps into the scope');
});
