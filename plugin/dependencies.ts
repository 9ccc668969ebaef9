/**
 * Tells Jest which C files a test depends on, so that saving one runs its tests (`--watch`, `-o`,
 * `--findRelatedTests`): the paths in `loadC(…)` of a test or helper, and the `#include "…"` of a C file. A superfluous
 * dependency costs one more run of a test. All headers in the folders of `include` are taken, because the C file does
 * not say in which one a header is found. For the option `dependencyExtractor`; in the preset.
 */
import { createHash } from 'node:crypto';
import { dirname, join, posix } from 'node:path';
import { fs } from '../src/node';

export function extract(code: string, filePath: string, defaultExtract: (code: string) => Set<string>): Set<string> {
  if (/\.[ch]$/.test(filePath))
    return new Set(
      [...code.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)].map((match) => asRelative(match[1]!)),
    );
  const found = new Set(defaultExtract(code));
  for (const call of code.matchAll(/\bloadC\b(?:<[^()]*>)?\s*\(/g)) {
    const text = argumentsAt(code, call.index + call[0].length);
    for (const [, path] of text.matchAll(/['"`]([^'"`\n]+\.c)['"`]/g)) found.add(asRelative(path!));
    const include = /\binclude\s*:\s*\[([^\]]*)\]/.exec(text)?.[1] ?? '';
    for (const [, folder] of include.matchAll(/['"`]([^'"`\n]+)['"`]/g))
      for (const header of headersIn(dirname(filePath), folder!)) found.add(header);
  }
  return found;
}

/** Changes with this file's meaning; Jest forgets what it knew then. */
export function getCacheKey(): string {
  return createHash('sha256').update(extract.toString()).update(argumentsAt.toString()).digest('hex');
}

/** As Jest resolves names: without a dot it would look for a package. */
function asRelative(path: string): string {
  const normal = posix.normalize(path.replaceAll('\\', '/'));
  return normal.startsWith('.') || normal.startsWith('/') ? normal : `./${normal}`;
}

function headersIn(base: string, folder: string): string[] {
  const path = join(base, folder);
  if (!fs.existsSync(path)) return [];
  return fs
    .readdirSync(path)
    .filter((name) => name.endsWith('.h'))
    .map((name) => asRelative(posix.join(folder, name)));
}

/** Up to the parenthesis that closes the call; strings with parentheses in them only make it longer or shorter. */
function argumentsAt(code: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; end < code.length && depth > 0; end++) {
    if (code[end] === '(') depth++;
    if (code[end] === ')') depth--;
  }
  return code.slice(start, end);
}
