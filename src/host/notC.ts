/**
 * Files that are given for C by mistake: tests beside their module have nearly its name, and read as C they give a
 * screen of nonsense.
 */
import { extname } from 'node:path';
import { fs } from '../node';

const others: Readonly<Record<string, string>> = {
  '.js': 'JavaScript',
  '.mjs': 'JavaScript',
  '.cjs': 'JavaScript',
  '.jsx': 'JavaScript',
  '.ts': 'TypeScript',
  '.mts': 'TypeScript',
  '.cts': 'TypeScript',
  '.tsx': 'TypeScript',
  '.json': 'JSON',
  '.o': 'compiled',
  '.a': 'compiled',
  '.so': 'compiled',
  '.md': 'a text',
  '.cc': 'C++',
  '.cpp': 'C++',
  '.cxx': 'C++',
  '.hpp': 'C++',
};

/** Kind of file by its name or its first bytes; undefined for C. */
export function notC(file: string): string | undefined {
  return others[extname(file)] ?? byContent(file);
}

/** No byte of a C text is 0. */
function byContent(file: string): string | undefined {
  if (!fs.statSync(file).isFile()) return undefined;
  const descriptor = fs.openSync(file, 'r');
  try {
    const first = new Uint8Array(charactersRead);
    const length = fs.readSync(descriptor, first, 0, charactersRead, 0);
    if (length >= 2 && ((first[0] === 0xff && first[1] === 0xfe) || (first[0] === 0xfe && first[1] === 0xff)))
      return 'UTF-16 (save it as UTF-8)';
    return first.subarray(0, length).includes(0) ? 'binary' : undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

const charactersRead = 1024;
