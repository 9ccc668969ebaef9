/**
 * Flags of a C file in `compile_commands.json`, the file in which CMake, Meson, Bear and others say how a project is
 * compiled: include folders, macros and the dialect. Other flags do not change what C means here.
 */
import { dirname, join, resolve } from 'node:path';
import { fs } from './node';

export interface FlagsOfFile {
  /** Absolute. */
  readonly include: readonly string[];
  readonly define: Readonly<Record<string, string | true>>;
}

export const noFlags: FlagsOfFile = { include: [], define: {} };

const fileName = 'compile_commands.json';
/** Folders of a project in which builds commonly leave it. */
const buildFolders = ['.', 'build', 'out', 'builddir', 'cmake-build-debug', 'Debug'];

/** In the folder, a build folder of it, or a folder above; undefined: there is none. */
export function findCompileCommands(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const found = buildFolders.map((name) => join(folder, name, fileName)).find((path) => fs.existsSync(path));
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Flags of one file; undefined when the file is not in the list. Throws a `SyntaxError` or a `TypeError` for a list
 * that is none.
 */
export function flagsIn(compileCommands: string, file: string): FlagsOfFile | undefined {
  const entry = entriesOf(compileCommands).find((one) => resolve(one.directory, one.file) === resolve(file));
  return entry && flagsOf(entry.words, entry.directory);
}

/** Flags that all files of the list have, in the order of the first: a guess at what a new file needs. */
export function sharedFlags(compileCommands: string): FlagsOfFile {
  const all = entriesOf(compileCommands).map(({ words, directory }) => flagsOf(words, directory));
  const [first = noFlags] = all;
  return {
    include: first.include.filter((folder) => all.every(({ include }) => include.includes(folder))),
    define: Object.fromEntries(
      Object.entries(first.define).filter(([name, value]) => all.every(({ define }) => define[name] === value)),
    ),
  };
}

interface Entry {
  readonly directory: string;
  readonly file: string;
  readonly words: readonly string[];
}

function entriesOf(compileCommands: string): readonly Entry[] {
  const list = JSON.parse(fs.readFileSync(compileCommands, 'utf8')) as unknown;
  if (!Array.isArray(list)) throw new TypeError(`${compileCommands} is no list of commands`);
  return list.flatMap((one: Partial<Record<'directory' | 'file' | 'command' | 'arguments', unknown>>) => {
    if (typeof one?.file !== 'string') return [];
    const directory = resolve(dirname(compileCommands), typeof one.directory === 'string' ? one.directory : '.');
    const words = Array.isArray(one.arguments)
      ? one.arguments.filter((word): word is string => typeof word === 'string')
      : typeof one.command === 'string'
        ? shellWords(one.command)
        : [];
    return [{ directory, file: one.file, words }];
  });
}

/** `-Idir`, `-I dir`, `-isystem dir`, `-DNAME=V` and `-D NAME`; a later `-U` takes a macro away. */
export function flagsOf(words: readonly string[], directory: string): FlagsOfFile {
  const include: string[] = [];
  const define = new Map<string, string | true>();
  for (let i = 0; i < words.length; i++) {
    const [, option, joined = ''] = /^(-isystem|-iquote|-idirafter|-[IDU])(.*)$/s.exec(words[i]!) ?? [];
    if (option === undefined) continue;
    const value = joined === '' ? words[++i] : joined;
    if (value === undefined || value === '') continue;
    if (option === '-D') {
      const [, name, text] = /^([^=]*)(?:=(.*))?$/s.exec(value)!;
      define.set(name!, text ?? true);
    } else if (option === '-U') define.delete(value);
    else if (!include.includes(resolve(directory, value))) include.push(resolve(directory, value));
  }
  return { include, define: Object.fromEntries(define) };
}

/** Words as a POSIX shell splits them: quotes and backslashes, no expansion. */
export function shellWords(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < command.length; i++) {
    const char = command[i]!;
    if (char === "'") {
      const end = command.indexOf("'", i + 1);
      word = (word ?? '') + command.slice(i + 1, end < 0 ? undefined : end);
      i = end < 0 ? command.length : end;
    } else if (char === '"') {
      word ??= '';
      for (i++; i < command.length && command[i] !== '"'; i++) {
        if (command[i] === '\\' && /["\\$`]/.test(command[i + 1] ?? '')) i++;
        word += command[i];
      }
    } else if (char === '\\') word = (word ?? '') + (command[++i] ?? '');
    else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}
