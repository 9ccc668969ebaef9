/** Patterns of file names: `*` and `?` within a folder's name, `**` for any folders. */
import { readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

const isPattern = (text: string): boolean => /[*?]/.test(text);

/** Files by pattern, sorted, without hidden folders and node_modules; a name without a wildcard stands for itself. */
export function filesMatching(patterns: readonly string[], cwd: string): readonly string[] {
  const found = patterns.flatMap((pattern) => {
    if (!isPattern(pattern)) return [pattern];
    const steps = pattern.split('/');
    const fixed = steps.slice(0, steps.findIndex(isPattern)).join('/');
    const start = resolve(cwd, pattern.startsWith('/') && fixed === '' ? '/' : fixed);
    const wanted = expression(steps.slice(fixed === '' && !pattern.startsWith('/') ? 0 : fixed.split('/').length));
    return filesBelow(start, '')
      .filter((name) => wanted.test(name))
      .map((name) => relative(cwd, join(start, name)).split(sep).join('/'))
      .sort();
  });
  return [...new Set(found)];
}

function filesBelow(start: string, folder: string): readonly string[] {
  let entries;
  try {
    entries = readdirSync(join(start, folder), { withFileTypes: true });
  } catch {
    return []; // not there, or not ours to read
  }
  return entries.flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : filesBelow(start, name);
    return entry.isFile() ? [name] : [];
  });
}

function expression(steps: readonly string[]): RegExp {
  const parts = steps.map((step, i) => {
    if (step === '**') return i === steps.length - 1 ? '.*' : '(?:[^/]+/)*';
    const text = step
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+/g, '[^/]*')
      .replace(/\?/g, '[^/]');
    return i === steps.length - 1 ? text : `${text}/`;
  });
  return new RegExp(`^${parts.join('')}$`);
}
