/**
 * The headers of an installed C compiler, for code that needs what ours do not have. The compiler is asked, once per
 * process, where it looks and which macros name its machine and system: glibc's headers choose by these between files.
 * It reads no file of the user's.
 *
 * Only macros that name a machine or a system are taken over. The others say what a compiler can do, and what ours can
 * do is said by `c/preprocess/predefined.ts`; so a header never chooses vector types because GCC would have them.
 */
import type { SystemHeaders } from './c';
import type { DataModel } from './c/types';
import { childProcess } from './node';

/** Matches the first three of `__x86_64__ __linux__ __ELF__ __SSE2__ __OPTIMIZE__`. */
const namesAPlace = new RegExp(
  String.raw`^__(?:x86_64|amd64|i[3456]86|aarch64|AARCH64\w+|arm|thumb\d?|ARM_(?:ARCH|EABI|PCS)\w*|` +
    String.raw`riscv(?:_xlen|_float_abi_\w+)?|powerpc(?:64)?|PPC(?:64)?|s390x?|mips(?:64)?|loongarch\w*|sparc\w*|` +
    String.raw`m68k|linux|gnu_linux|unix|ELF|FreeBSD|NetBSD|OpenBSD|APPLE|MACH|ANDROID|MINGW\w*|CYGWIN)(?:__)?$`,
);
const answers = new Map<string, FoundHeaders>();

export type FoundHeaders =
  | { readonly kind: 'found'; readonly headers: SystemHeaders }
  /** There is no such compiler, or its types are others than the model's. */
  | { readonly kind: 'missing'; readonly why: string };

/**
 * `compiler`: its command, which may have options. Undefined for that of the environment variable `CC`, or else the
 * usual one.
 */
export function findSystemHeaders(compiler: string | undefined, dataModel: DataModel): FoundHeaders {
  const commands = compiler !== undefined ? [compiler] : process.env.CC ? [process.env.CC] : ['cc', 'gcc', 'clang'];
  const key = `${dataModel} ${commands.join()}`;
  let answer = answers.get(key);
  if (!answer) answers.set(key, (answer = ask(commands, dataModel)));
  return answer;
}

function ask(compilers: readonly string[], dataModel: DataModel): FoundHeaders {
  let otherModel: string | undefined;
  for (const compiler of compilers) {
    for (const flags of dataModel === 'ilp32' ? [[], ['-m32']] : [[]]) {
      const answer = run(compiler, flags);
      if (!answer) continue;
      const { macros, folders } = answer;
      if (
        macros.get('__SIZEOF_LONG__') === (dataModel === 'lp64' ? '8' : '4') &&
        macros.get('__SIZEOF_POINTER__') === macros.get('__SIZEOF_LONG__')
      ) {
        return {
          kind: 'found',
          headers: { folders, macros: Object.fromEntries([...macros].filter(([name]) => namesAPlace.test(name))) },
        };
      }
      otherModel ??= compiler;
    }
  }
  if (otherModel !== undefined)
    return {
      kind: 'missing',
      why: `the types of '${otherModel}' have other sizes than those of the data model ${dataModel}`,
    };
  const names = compilers.map((name) => `'${name}'`).join(', ');
  return { kind: 'missing', why: `no C compiler answers to ${names}` };
}

/** Undefined when the command does not behave like a C compiler. */
function run(
  compiler: string,
  flags: readonly string[],
): { readonly macros: ReadonlyMap<string, string>; readonly folders: readonly string[] } | undefined {
  const [command = '', ...own] = compiler.trim().split(/\s+/);
  const { status, stdout, stderr } = childProcess.spawnSync(
    command,
    [...own, ...flags, '-E', '-dM', '-v', '-x', 'c', '-'],
    { input: '', encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' }, timeout: 20_000 },
  );
  if (status !== 0) return undefined;
  const list = /#include <\.\.\.> search starts here:\n([^]*?)\nEnd of search list/.exec(
    stderr.replaceAll('\r\n', '\n'),
  )?.[1];
  if (list === undefined) return undefined;
  const folders = list
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.endsWith('(framework directory)'));
  return {
    folders,
    macros: new Map([...stdout.matchAll(/^#define (\w+) (.*?)\r?$/gm)].map(([, name, value]) => [name!, value!])),
  };
}
