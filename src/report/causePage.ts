/** The page on a cause of no answer, in the package that is running: as the reader may open it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CauseId } from '../verdict';
import { relativeTo } from './json/json';

/** From the sources, and from `dist`. */
const folder = ['../..', '../../..']
  .map((root) => join(__dirname, root, 'docs', 'causes'))
  .find((path) => existsSync(path));

/** All causes with the paths of their pages, by name. */
export function causePages(): ReadonlyMap<string, string> {
  if (folder === undefined) return new Map();
  return new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .sort()
      .map((file) => [file.slice(0, -'.md'.length), join(folder, file)]),
  );
}

export function causePage(cause: CauseId, base: string | undefined): string {
  return folder === undefined || base === undefined
    ? `docs/causes/${cause}.md`
    : relativeTo(base, join(folder, `${cause}.md`));
}
