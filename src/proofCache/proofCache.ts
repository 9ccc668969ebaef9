/**
 * Folder of what earlier runs left: one file per question, named by a hash of the question, with a hash of its own
 * contents, so that a torn or damaged file is as good as none. Two runs may use a folder at once. A forged file can
 * cost time, but no proof rests on it.
 */
import { join } from 'node:path';
import { fs } from '../node';
import { sha256 } from '../sha256';

export interface ProofMemory {
  /** Contents last kept under this name; undefined when there is nothing, or nothing that can be read. */
  recall(name: string): unknown;
  /** Must be JSON. Says why when it could not be kept: a read-only or full disk. */
  keep(name: string, contents: unknown): string | undefined;
}

/** Not `.json`, which Jest's watch mode follows. */
const suffix = '.proof';
/** Least recently used files go first. */
const mostBytes = 100 * 2 ** 20;

export class ProofFolder implements ProofMemory {
  private pruned = false;
  constructor(readonly folder: string) {}

  recall(name: string): unknown {
    const path = this.path(name);
    const text = contentsOf(path);
    if (text === undefined) return undefined;
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== sha256(body)) return undefined;
    this.touch(path);
    try {
      return JSON.parse(body) as unknown;
    } catch {
      return undefined; // not ours
    }
  }

  keep(name: string, contents: unknown): string | undefined {
    const body = JSON.stringify(contents);
    const path = this.path(name);
    const random = process.getBuiltinModule('node:crypto').randomBytes(4).toString('hex');
    const temporary = `${path}.${process.pid}-${random}.tmp`;
    try {
      fs.mkdirSync(this.folder, { recursive: true });
      fs.writeFileSync(temporary, `${sha256(body)}\n${body}`);
      fs.renameSync(temporary, path);
      this.prune();
      return undefined;
    } catch (error) {
      // The next run is slower, nothing else.
      return `${this.folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
    }
  }

  private path(name: string): string {
    return join(this.folder, `${sha256(name).slice(0, 40)}${suffix}`);
  }

  private touch(path: string): void {
    try {
      const now = new Date();
      fs.utimesSync(path, now, now);
    } catch {
      // read-only: it ages
    }
  }

  private prune(): void {
    if (this.pruned) return;
    this.pruned = true;
    const files = fs
      .readdirSync(this.folder)
      .filter((name) => name.endsWith(suffix) || name.endsWith('.tmp'))
      .flatMap((name) => {
        const path = join(this.folder, name);
        const status = fs.statSync(path, { throwIfNoEntry: false });
        return status ? [{ path, bytes: status.size, used: status.mtimeMs }] : [];
      })
      .sort((a, b) => b.used - a.used);
    let total = 0;
    for (const { path, bytes, used } of files) {
      total += bytes;
      const abandoned = path.endsWith('.tmp') && Date.now() - used > 3_600_000;
      if (total > mostBytes || abandoned) fs.rmSync(path, { force: true });
    }
  }
}

function contentsOf(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return undefined; // not there
  }
}
