/**
 * Search for a header (C11 6.10.2). `"a.h"`: the folder of the including file, the include paths, the bundled headers.
 * `<a.h>`: the bundled headers, then the include paths; so `<string.h>` always means ours, whose contracts the verifier
 * knows, and a project's own version of a standard header is had by `"…"`. Headers whose names no standard keeps, and
 * which projects use for their own (<err.h>, <getopt.h>), are ours only where no include path has one.
 *
 * With the system's headers a name is looked for as a compiler does: include paths, then the system's folders.
 * <assert.h> stays ours, whose assertions are what is verified, and so does <provest.h>; glibc's <ctype.h> is told to
 * declare functions rather than macros that read its tables.
 */
import { posix } from 'node:path';
import { bundledHeader, bundledHeaderNames } from '../bundled';
import { editDistance, nearest } from '../diagnostics/editDistance';

/** Prefix of the paths of texts that come with provest; they are read from no user's folder. */
export const BUNDLED = '<provest>/';

export interface FoundHeader {
  readonly path: string;
  readonly text: string;
  /**
   * For `#include_next`: which include path it came from, counted from 0; undefined for a bundled or a neighbouring
   * one.
   */
  readonly includeIndex: number | undefined;
}
export type HeaderSearch = FoundHeader | { readonly path: undefined; readonly tried: readonly string[] };

/**
 * Header folders of an installed compiler, in its order, and the macros that name its machine and system, which the
 * headers ask for.
 */
export interface SystemHeaders {
  readonly folders: readonly string[];
  readonly macros: Readonly<Record<string, string>>;
}

export interface HeaderPlaces {
  readonly include: readonly string[];
  readonly systemHeaders?: SystemHeaders | undefined;
  read(path: string): string | undefined;
}

/** `after`: only include paths behind this one (and not the including file's folder), for `#include_next`. */
export function findHeader(
  name: string,
  form: 'quoted' | 'angled',
  includingPath: string,
  places: HeaderPlaces,
  after?: number,
): HeaderSearch {
  const tried: string[] = [];
  const folders = places.systemHeaders ? [...places.include, ...places.systemHeaders.folders] : places.include;
  const attempt = (path: string, includeIndex: number | undefined): FoundHeader | undefined => {
    const text = places.read(path);
    if (text !== undefined) return { path, text, includeIndex };
    tried.push(path);
    return undefined;
  };
  const bundled = (): FoundHeader | undefined => {
    const text = places.systemHeaders && !alwaysBundled.has(name) ? undefined : bundledHeader(name);
    return text === undefined ? undefined : { path: BUNDLED + name, text, includeIndex: undefined };
  };
  const neighbour = (): FoundHeader | undefined =>
    form === 'quoted' && after === undefined && !includingPath.startsWith(BUNDLED)
      ? attempt(join(folder(includingPath), name), undefined)
      : undefined;
  const included = (): FoundHeader | undefined => {
    for (let i = (after ?? -1) + 1; i < folders.length; i++) {
      const found = attempt(join(folders[i]!, name), i);
      if (found) return found;
    }
    return undefined;
  };
  if (isAbsolute(name)) return attempt(name, undefined) ?? { path: undefined, tried };
  const found =
    form === 'quoted' || after !== undefined
      ? (neighbour() ?? included() ?? bundled())
      : yielding.has(name)
        ? (included() ?? bundled())
        : (bundled() ?? included());
  return found ?? { path: undefined, tried };
}

const yielding: ReadonlySet<string> = new Set([
  'byteswap.h',
  'endian.h',
  'err.h',
  'fnmatch.h',
  'getopt.h',
  'libgen.h',
  'sysexits.h',
  'arpa/inet.h',
  'dirent.h',
  'netinet/in.h',
  'netinet/tcp.h',
  'poll.h',
  'pthread.h',
  'sched.h',
  'sys/cdefs.h',
  'sys/mman.h',
  'sys/param.h',
  'sys/select.h',
  'sys/socket.h',
  'sys/uio.h',
  'sys/un.h',
  'sys/wait.h',
  'syslog.h',
]);
const alwaysBundled: ReadonlySet<string> = new Set(['assert.h', 'provest.h']);

/** Macros for the system's headers, as the text of a header. */
export function systemMacros({ macros }: SystemHeaders): string {
  return Object.entries({ ...macros, __NO_CTYPE: '1' })
    .map(([name, value]) => `#define ${name} ${value}\n`)
    .join('');
}

/** The header that was probably meant, among the bundled ones and those already read. */
export function similarHeader(name: string, known: readonly string[]): string | undefined {
  const base = (path: string): string => posix.basename(path.replaceAll('\\', '/'));
  const found = nearest(name, [...bundledHeaderNames(), ...known.map(base).filter((file) => !file.endsWith('.c'))]);
  // Folders and endings are alike everywhere, and say nothing.
  const most = Math.max(1, Math.floor(base(name).replace(/\.\w+$/, '').length / 4));
  return found !== undefined && editDistance(name, found) <= most ? found : undefined;
}

const isAbsolute = (path: string): boolean => /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);

/** Keeps a drive letter and backslashes of the folder as they are; `/` opens files everywhere. */
function join(directory: string, name: string): string {
  if (directory === '' || directory === '.') return posix.normalize(name);
  return directory.includes('\\') ? `${directory.replace(/[/\\]$/, '')}/${name}` : posix.join(directory, name);
}

function folder(path: string): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return cut < 0 ? '' : cut === 0 ? '/' : path.slice(0, cut);
}
