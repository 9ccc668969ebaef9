/** Flags of a file in `compile_commands.json`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findCompileCommands, flagsIn, flagsOf, sharedFlags, shellWords } from '../src/compileCommands';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'provest-commands-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, list: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(list));
  return path;
}

test.each([
  ['cc -c a.c', ['cc', '-c', 'a.c']],
  [`cc '-DNAME="x y"' -DS=\\"a\\"`, ['cc', '-DNAME="x y"', '-DS="a"']],
  ['cc "a b\\"c" d\\ e \'\'', ['cc', 'a b"c', 'd e', '']],
  ["cc 'open", ['cc', 'open']],
])('%s is split as a shell does it', (command, words) => expect(shellWords(command)).toEqual(words));

test('include folders and macros are read in every spelling; later flags win', () => {
  const words = [
    'cc',
    '-Iinc',
    '-I',
    'more',
    '-isystem',
    '/sys',
    '-DA',
    '-D',
    'B=2',
    '-DC=x=y',
    '-UA',
    '-DB=3',
    '-Iinc',
    '-O2',
    '-Wall',
  ];
  expect(flagsOf(words, '/p')).toEqual({ include: ['/p/inc', '/p/more', '/sys'], define: { B: '3', C: 'x=y' } });
  expect(flagsOf(['cc', '-I'], '/p')).toEqual({ include: [], define: {} });
});

test('the list is found above the file and in build folders; paths are relative to its directories', () => {
  const list = write('build/compile_commands.json', [
    { directory: folder, file: 'src/a.c', command: 'cc -Iinc -DX=1 -c src/a.c' },
    {
      directory: join(folder, 'build'),
      file: '../src/b.c',
      arguments: ['cc', '-I../inc', '-DX=1', '-DY', '../src/b.c'],
    },
  ]);
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  expect(findCompileCommands(join(folder, 'src/deep'))).toBe(list);
  expect(flagsIn(list, join(folder, 'src/a.c'))).toEqual({ include: [join(folder, 'inc')], define: { X: '1' } });
  expect(flagsIn(list, join(folder, 'src/b.c'))).toEqual({
    include: [join(folder, 'inc')],
    define: { X: '1', Y: true },
  });
  expect(flagsIn(list, join(folder, 'src/new.c'))).toBeUndefined();
  expect(sharedFlags(list)).toEqual({ include: [join(folder, 'inc')], define: { X: '1' } });
});

test('a list that is none is an error, and odd entries are left out', () => {
  expect(() => flagsIn(write('compile_commands.json', {}), '/a.c')).toThrow(TypeError);
  const odd = write('compile_commands.json', [null, 3, { file: 1 }, { file: 'a.c' }]);
  expect(flagsIn(odd, join(folder, 'a.c'))).toEqual({ include: [], define: {} });
});
