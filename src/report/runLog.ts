/**
 * The log of a run, `.provest/log`: the steps of each proof with their times, and every verdict in full, which the
 * screen does not show. It is kept beside the project's `package.json`, in a folder that Git ignores by
 * itself, and replaced by the next run. Outside a project there is none.
 */
import { dirname, join, resolve } from 'node:path';
import { fs } from '../node';
import { stepText, type Progress } from '../progress';

/** `off`: no log is written. */
export const logVariable = 'PROVEST_LOG';

/** One proof. `course`: lines of `Course`. */
export interface LoggedProof {
  readonly subject: string;
  readonly course: readonly string[];
  readonly verdict: string;
}

/** Steps of a proof by time; at most one line per second, and no more than a reader can use. */
export class Course {
  readonly lines: string[] = [];
  private last = -Infinity;
  private said = '';
  constructor(private readonly began: number) {}

  add(progress: Progress, now: number): void {
    const text = stepText(progress);
    if (text === this.said || now - this.last < 1000 || this.lines.length >= mostLines) return;
    this.last = now;
    this.said = text;
    this.lines.push(`${((now - this.began) / 1000).toFixed(1).padStart(7)} s  ${text}`);
  }
}
const mostLines = 2000;

/** Answers the path that was written, relative to `start` or above it. */
export function writeLog(
  start: string,
  proofs: readonly LoggedProof[],
  {
    version,
    time,
    environment = process.env,
  }: { readonly version: string; readonly time: Date; readonly environment?: NodeJS.ProcessEnv },
): string | undefined {
  if (proofs.length === 0) return undefined;
  const text = [
    `provest ${version}, ${time.toISOString()}`,
    ...proofs.map(({ subject, course, verdict }) => [`== ${subject}`, ...course, '', verdict].join('\n')),
  ].join('\n\n');
  return writeOwnFile(start, 'log', `${text}\n`, environment);
}

/**
 * A file of `.provest`, for readers other than Git. Answers its path; nothing is written outside a project, on request,
 * or where the disk is read-only or full: no verdict depends on it.
 */
export function writeOwnFile(
  start: string,
  name: string,
  text: string,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const root = environment[logVariable] === 'off' ? undefined : projectFolder(start);
  if (root === undefined) return undefined;
  const folder = join(root, '.provest');
  const path = join(folder, name);
  try {
    fs.mkdirSync(folder, { recursive: true });
    if (!fs.existsSync(join(folder, '.gitignore'))) fs.writeFileSync(join(folder, '.gitignore'), '*\n');
    const temporary = `${path}.${process.pid}.tmp`;
    fs.writeFileSync(temporary, text);
    fs.renameSync(temporary, path);
    return path;
  } catch (error) {
    process.emitWarning(`provest could not write ${path}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** The nearest folder with a `package.json`, from `start` upwards. */
export function projectFolder(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (fs.existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
