/**
 * The script `dist/bundle/provest.js` (made by `scripts/bundle.js`): all that the command and the proving process need,
 * in one file. What V8 has made of it is kept beside it for the next process of the same kind, by V8's version and the
 * file's own time: to find and compile some hundred files anew took longer than what is asked of them. Where nothing
 * can be written, it is compiled each time.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

export interface Bundle<T> {
  readonly exports: T;
  /** Keeps what V8 has compiled until now, unless that was kept before. Never throws. */
  keep(): void;
}

const folder = join(__dirname, '..', 'bundle');
const file = join(folder, 'provest.js');

/** The exports of one of the bundle's entries, as `commandLine`; each call runs the modules anew. */
export function loadBundle<T>(entry: string): Bundle<T> {
  if (!existsSync(file)) throw new Error(`${file} is missing, and proofs run there: run "npm run build"`);
  const kept = join(
    folder,
    `${entry}.${process.arch}.${process.versions.v8}.${statSync(file).mtimeMs.toString(36)}.code`,
  );
  const cachedData = contents(kept);
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} as Record<string, () => T> };
  (script.runInThisContext() as (...given: unknown[]) => void)(module.exports, require, module, file, dirname(file));
  return {
    exports: module.exports[entry]!(),
    keep() {
      if (cachedData && script.cachedDataRejected !== true) return;
      replace(kept, () => script.createCachedData());
    },
  };
}

function contents(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined; // not kept yet
  }
}

/** At once or not at all: other processes may be reading, or writing theirs. */
function replace(file: string, made: () => Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, made());
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true }); // a folder that is not ours to write to
  }
}
