/**
 * Include folders and macros that a project is compiled with: those of `compile_commands.json`, or else those that a
 * Makefile writes out. Shown to people as options to copy, never applied by themselves.
 */
import { join, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from './c/diagnostics/diagnostic';
import { findCompileCommands, flagsIn, flagsOf, sharedFlags, shellWords, type FlagsOfFile } from './compileCommands';
import { fs } from './node';

export interface BuildFlags {
  /** The absolute path of the list or the Makefile. */
  readonly source: string;
  readonly flags: FlagsOfFile;
}

/**
 * Flags of the build in this folder. With a list of commands they are those of the C file, or those that all files
 * share. Throws for a list that cannot be read.
 */
export function buildFlags(folder: string, file?: string): BuildFlags | undefined {
  const list = findCompileCommands(folder);
  if (list !== undefined) {
    const own = file === undefined ? undefined : flagsIn(list, file);
    return { source: list, flags: own ?? sharedFlags(list) };
  }
  const makefile = ['Makefile', 'makefile', 'GNUmakefile'].find((name) => fs.existsSync(join(folder, name)));
  return makefile === undefined
    ? undefined
    : { source: join(folder, makefile), flags: flagsInMakefile(join(folder, makefile), folder) };
}

/**
 * A hint for C whose headers were not found: what the build in this folder says, if it names a folder that is not among
 * those given. A list that cannot be read gives no hint.
 */
export function buildHint(
  diagnostics: readonly Diagnostic[],
  {
    folder,
    given,
    spell,
  }: { readonly folder: string; readonly given: readonly string[]; readonly spell: typeof flagsAsOptions },
): string | undefined {
  const missing = diagnostics.find(({ missingHeader }) => missingHeader !== undefined);
  if (missing === undefined) return undefined;
  let build: BuildFlags | undefined;
  try {
    build = buildFlags(folder, missing.span && resolve(folder, missing.span.file.path));
  } catch {
    return undefined;
  }
  if (build === undefined || build.flags.include.every((path) => given.includes(path))) return undefined;
  return `${shown(build.source, folder)} compiles with ${spell(build.flags, folder)!}`;
}

/** As options of `loadC` in a file of the folder `base`; undefined: there are none. */
export function flagsAsOptions({ include, define }: FlagsOfFile, base: string): string | undefined {
  const folders = include.map((folder) => `'${shown(folder, base)}'`);
  const macros = macrosOf(define).map(
    ([name, value]) => `${name}: ${value === true ? 'true' : `'${value.replace(/['\\]/g, '\\$&')}'`}`,
  );
  const options = [
    ...(folders.length > 0 ? [`include: [${folders.join(', ')}]`] : []),
    ...(macros.length > 0 ? [`define: { ${macros.join(', ')} }`] : []),
  ];
  return options.length === 0 ? undefined : `{ ${options.join(', ')} }`;
}

/** As words of a command line in the folder `base`; undefined: there are none. */
export function flagsAsArguments({ include, define }: FlagsOfFile, base: string): string | undefined {
  const words = [
    ...include.map((folder) => `-I ${quoted(shown(folder, base))}`),
    ...macrosOf(define).map(([name, value]) => `-D ${quoted(value === true ? name : `${name}=${value}`)}`),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

const shown = (folder: string, base: string): string => (relative(base, folder) || '.').split(sep).join('/');

const macrosOf = (define: FlagsOfFile['define']): readonly (readonly [string, string | true])[] =>
  Object.entries(define).filter(([name]) => /^\w+$/.test(name));

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Variables that commonly hold flags of the C compiler: CFLAGS, C_INCLUDES, INC, C_DEFS. */
const holdsFlags = /^(?!.*(?:CXX|LD))\w*(?:FLAGS|INCS?|INCLUDES?|INC_?DIRS|DEFS?|DEFINES?)$/;
/** Variables within variables. */
const mostExpansions = 8;

/**
 * Flags in assignments of a Makefile. Variables are expanded where they are plain text, and in the usual way of
 * putting -I before folders; nothing is run, and what the shell or another Makefile would say is not known.
 */
function flagsInMakefile(path: string, folder: string): FlagsOfFile {
  const text = fs.readFileSync(path, 'utf8').replace(/\\\n/g, ' ');
  const values = new Map<string, string>();
  for (const [, name, operator, value] of text.matchAll(/^ *(?:export +)?(\w+)[ \t]*([:+?]*=)(.*)$/gm)) {
    const before = values.get(name!);
    const own = value!.replace(/#.*$/, '').trim();
    values.set(name!, operator === '+=' && before !== undefined ? `${before} ${own}` : own);
  }
  const words = [...values].flatMap(([name, value]) =>
    holdsFlags.test(name) ? shellWords(expanded(value, values)) : [],
  );
  return flagsOf(
    words.map((word) => (word.includes('$') ? '' : word)),
    folder,
  );
}

function expanded(value: string, values: ReadonlyMap<string, string>): string {
  let text = value;
  for (let round = 0; round < mostExpansions && text.includes('$'); round++)
    text = text
      .replace(/\$[({](\w+)[)}]/g, (whole, name: string) => values.get(name) ?? whole)
      .replace(/\$\(addprefix +(-[ID]) *,([^$()]*)\)/g, (_, option: string, list: string) =>
        shellWords(list)
          .map((word) => `${option}${word}`)
          .join(' '),
      );
  return text;
}
