/**
 * C files that gcc accepts and this front end refuses, by reason, in checkouts of real projects. Nothing of these is
 * kept here: the script takes folders.
 *
 *   node scripts/run-ts.js bench/refusals.ts FOLDER... [--define NAME[=VALUE]] [--only TEXT] [--show REASON]
 *
 * Each file is loaded by itself, with all folders of its project that hold headers as include paths, those nearest to
 * it first. The first error counts, without the names in it. Prints the reasons, most frequent first, each with one
 * place; `--show` prints all places of the reasons that contain a text.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CError } from '../src/c';
import { loadProgram } from '../src/program';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    define: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    show: { type: 'string' },
  },
});

interface Refusal {
  readonly reason: string;
  readonly place: string;
}

/** Of gcc, per file. */
const patienceMs = 60_000;

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

/** Folders with headers, those that share most of their path with the file first. */
function includesFor(file: string, folders: readonly string[]): readonly string[] {
  const distance = (folder: string): number => relative(dirname(file), folder).split('/').length;
  return folders
    .map((folder) => ({ folder, far: distance(folder) }))
    .sort((a, b) => a.far - b.far)
    .map(({ folder }) => folder);
}

function isAcceptedByGcc(file: string, include: readonly string[]): boolean {
  const flags = [...include.map((folder) => `-I${folder}`), ...values.define.map((name) => `-D${name}`)];
  const { status } = spawnSync('gcc', ['-std=gnu11', '-w', '-fsyntax-only', ...flags, file], { timeout: patienceMs });
  return status === 0;
}

function refusalOf(file: string, include: readonly string[]): Refusal | undefined {
  const define = Object.fromEntries(
    values.define.map((text): [string, string | true] => {
      const at = text.indexOf('=');
      return at < 0 ? [text, true] : [text.slice(0, at), text.slice(at + 1)];
    }),
  );
  try {
    loadProgram([file], { include, define, externals: 'value' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CError)) return { reason: `internal error: ${String(error)}`, place: file };
    const first = error.diagnostics.find(({ severity }) => severity === 'error')!;
    const { span } = first;
    const place = span ? `${span.file.path}:${span.file.position(span.start).line}` : file;
    return {
      reason: first.message.replace(/'[^']*'/gu, "'…'").replace(/\d+/gu, 'N'),
      place: `${place}  ${first.message}`,
    };
  }
}

const refusals = new Map<string, string[]>();
let accepted = 0;
for (const project of positionals.map((folder) => resolve(folder))) {
  const files = [...filesIn(project)];
  const folders = [...new Set(files.filter((file) => extname(file) === '.h').map(dirname))];
  for (const file of files) {
    if (extname(file) !== '.c' || !file.includes(values.only)) continue;
    const include = includesFor(file, folders);
    if (!isAcceptedByGcc(file, include)) continue;
    accepted++;
    const refusal = refusalOf(file, include);
    if (refusal) refusals.set(refusal.reason, [...(refusals.get(refusal.reason) ?? []), `${refusal.place}`]);
  }
}

const sorted = [...refusals].sort(([, a], [, b]) => b.length - a.length);
const refused = sorted.reduce((sum, [, places]) => sum + places.length, 0);
console.log(`${accepted} files that gcc accepts, ${refused} refused`);
for (const [reason, places] of sorted) {
  console.log(`${String(places.length).padStart(5)}  ${reason}`);
  const isShown = values.show !== undefined && reason.includes(values.show);
  for (const place of isShown ? places : places.slice(0, 1)) console.log(`         ${place}`);
}
