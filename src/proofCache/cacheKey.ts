/**
 * Question of a proof, as text: everything the answer can depend on, and nothing else. Not a part of it: the budget (a
 * proof found with more time is a proof), the number of solvers, the seed (it chooses the way), and what the tests did,
 * with how well they cover (it is measured anew).
 */
import { join } from 'node:path';
import { fs } from '../node';
import type { Program } from '../program/program';
import type { Task } from '../task';
import { sha256 } from '../sha256';

/**
 * `exact` changes with every character of the C and with every option; `about` stays while the same files are edited;
 * `options` changes with every option alone.
 */
export interface CacheKey {
  readonly exact: string;
  readonly about: string;
  readonly options: string;
}

/** `excludesEnds`: of the stricter program, see `Problem.withoutEnds`. Each problem has a memory of its own. */
export function cacheKeyOf(
  task: Task,
  program: Pick<Program, 'sources'>,
  solver: string,
  excludesEnds = false,
): CacheKey {
  const {
    files,
    load,
    budget: _budget,
    seed: _seed,
    jobs: _jobs,
    runs: _runs,
    explain: _explain,
    annotate: _annotate,
    root,
    furtherChecks: _furtherChecks,
    angelic: _angelic,
    angelicConfiguration: _angelicConfiguration,
    possible: _possible,
    askedIn: _askedIn,
    adequacy: _adequacy,
    variable: _variable,
    probes,
    requires,
    asked,
    ...given
  } = task;
  const rest = { ...given, engine: asked ?? given.engine };
  const options = {
    ...rest,
    load,
    probes: probes.map(({ origin: _origin, ...probe }) => probe),
    ...(requires && { requires: requires.map(({ said: _said, ...requirement }) => requirement) }),
  };
  const tool = [toolVersion(), solver, ...(excludesEnds ? ['without end pointers'] : [])];
  const texts = program.sources.map((file) => sha256(textOf(file)));
  const { properties, engine, cutpoints, predicates, mode, entries, init } = rest;
  // The same question at home and on a worker.
  const text = (value: unknown): string =>
    root === undefined
      ? JSON.stringify(value)
      : JSON.stringify(value).replaceAll(JSON.stringify(root).slice(1, -1), '');
  return {
    exact: text(['exact', tool, texts, options]),
    options: sha256(text([tool, options])),
    about: text(['about', tool, files, { properties, engine, cutpoints, predicates, mode, entries, init }]),
  };
}

/** The bundled headers have names, no files; they belong to the version of the tool. */
function textOf(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : file;
}

let known: string | undefined;

/** Names this installation: in a checkout, every build is another one. */
function toolVersion(): string {
  if (known !== undefined) return known;
  for (
    let folder = __dirname, above = join(folder, '..');
    folder !== above;
    folder = above, above = join(folder, '..')
  ) {
    const manifest = join(folder, 'package.json');
    if (!fs.existsSync(manifest)) continue;
    const built = fs.statSync(join(folder, 'dist', '.built'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    known = `${(JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version?: string }).version ?? '?'} ${built}`;
    return known;
  }
  return (known = '?');
}
