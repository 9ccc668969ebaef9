/** Files that are given for C by mistake: tests beside their module have nearly its name, and read as C they give a screen of nonsense. */
import { extname } from 'node:path';

const others: Readonly<Record<string, string>> = {
  '.js': 'JavaScript', '.mjs': 'JavaScript', '.cjs': 'JavaScript', '.jsx': 'JavaScript', '.ts': 'TypeScript', '.mts': 'TypeScript', '.cts': 'TypeScript', '.tsx': 'TypeScript', '.json': 'JSON',
  '.o': 'compiled', '.a': 'compiled', '.so': 'compiled', '.md': 'a text',
  '.cc': 'C++', '.cpp': 'C++', '.cxx': 'C++', '.hpp': 'C++',
};

/** What the file is by its name, where that is not C. */
export function notC(file: string): string | undefined {
  return others[extname(file)];
}
