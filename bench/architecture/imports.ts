/** The import graph of TypeScript files, as text: static imports and re-exports with relative paths. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

export interface Import {
  /** Absolute path of the imported file. */
  readonly file: string;
  /** Types alone: nothing is loaded. */
  readonly isTypeOnly: boolean;
}

const texts = new Map<string, string>();

export function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(file, 'utf8');
  texts.set(file, known);
  return known;
}

export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
    .sort();
}

const statement = /^(?:import|export)\s+(type\s+)?([^'";]*?)\s*(?:from\s*)?'(\.[^']*)'/gm;

export function importsOf(file: string): readonly Import[] {
  return [...textOf(file).matchAll(statement)].flatMap(([, type, names, path]) => {
    const target = resolved(join(dirname(file), path!));
    if (target === undefined) return [];
    const inBraces = /^\{([^]*)\}$/.exec(names!.trim())?.[1];
    const isTypeOnly =
      type !== undefined ||
      (inBraces !== undefined &&
        inBraces
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '')
          .every((name) => name.startsWith('type ')));
    return [{ file: target, isTypeOnly }];
  });
}

function resolved(path: string): string | undefined {
  return [`${path}.ts`, join(path, 'index.ts'), path].find((one) => one.endsWith('.ts') && existsSync(one));
}

/** For each folder directly below `root`: the others that its files import, types included. */
export function folderImports(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const folderOf = (file: string): string | undefined => {
    const parts = relative(root, file).split(sep);
    return parts.length > 1 && parts[0] !== '..' ? parts[0] : undefined;
  };
  const found = new Map<string, Set<string>>();
  for (const file of sourceFiles(root)) {
    const from = folderOf(file);
    if (from === undefined) continue;
    const imported = found.get(from) ?? new Set<string>();
    found.set(from, imported);
    for (const { file: target } of importsOf(file)) {
      const to = folderOf(target);
      if (to !== undefined && to !== from) imported.add(to);
    }
  }
  return found;
}

/**
 * Groups of files that import each other, directly or not, through values (Tarjan's algorithm, SIAM J. Comput. 1972).
 */
export function valueCircles(files: readonly string[]): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const { file: next, isTypeOnly } of importsOf(file)) {
      if (isTypeOnly) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) groups.push(group.sort());
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return groups;
}
