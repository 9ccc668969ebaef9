/**
 * Our preprocessor against the C compiler's, on real files: every C file below the given folders, with the same headers
 * (ours), the same macros predefined and the same folders to search, must give the same tokens, or errors on both
 * sides.
 *
 *   node scripts/run-ts.js bench/preprocessor.ts FOLDER...
 *
 * Prints the first difference of each file that has one, then the counts; ends with status 1 when there was a
 * difference.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { preprocess } from '../src/c/preprocess';
import { predefinedMacros } from '../src/c/preprocess/predefined';
import { SourceFile } from '../src/c/source';
import { decodeSource } from '../src/c/tokens/sourceBytes';
import { tokenize } from '../src/c/tokens/tokenize';

const headers = resolve(__dirname, '..', 'src', 'c', 'headers');
const scratch = mkdtempSync(join(tmpdir(), 'provest-preprocessor-'));
const predefined = join(scratch, 'predefined.h');
writeFileSync(predefined, predefinedMacros('lp64'));

const counts = {
  same: 0,
  'errors in both': 0,
  'no C tokens': 0,
  'only we refuse': 0,
  'only the compiler refuses': 0,
  different: 0,
};
let tokensCompared = 0;
for (const root of process.argv.slice(2))
  for (const path of filesBelow(resolve(root))) compare(path, includeFolders(path, resolve(root)));
console.log(
  Object.entries(counts)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', '),
  `(${tokensCompared} tokens)`,
);
rmSync(scratch, { recursive: true });
process.exitCode = counts.different + counts['only we refuse'] > 0 ? 1 : 0;

function filesBelow(root: string): string[] {
  if (statSync(root).isFile()) return [root];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.c'))
    .sort()
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile());
}

/** The file's folder and those around it, up to the root, each with the folders that usually hold headers. */
function includeFolders(path: string, root: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder))
    folders.push(folder, join(folder, 'include'), join(folder, 'src'));
  return folders.filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory());
}

function compare(path: string, include: readonly string[]): void {
  const { tokens, diagnostics } = preprocess(path, { include, define: {}, dataModel: 'lp64', readFile });
  const complaint = diagnostics.find(({ severity }) => severity === 'error');
  const args = [
    '-E',
    '-P',
    '-std=gnu11',
    '-w',
    '-undef',
    '-nostdinc',
    ...include.flatMap((folder) => ['-iquote', folder]),
    '-isystem',
    headers,
    ...include.flatMap((folder) => ['-idirafter', folder]),
    '-imacros',
    predefined,
    path,
  ];
  const { status, stdout, stderr } = spawnSync('gcc', args, {
    encoding: 'latin1',
    maxBuffer: 2 ** 30,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (complaint || status !== 0) {
    // With -E alone a compiler lets pass what is no token of C, to refuse it later.
    const kind = complaint
      ? status !== 0
        ? 'errors in both'
        : /is not part of C$|literal without a closing/.test(complaint.message)
          ? 'no C tokens'
          : 'only we refuse'
      : 'only the compiler refuses';
    counts[kind]++;
    if (kind.startsWith('only'))
      console.log(`${path}: ${kind}: ${complaint?.message ?? /error: .*/.exec(stderr)?.[0] ?? stderr.slice(0, 200)}`);
    return;
  }
  const theirs = tokenize(new SourceFile('gcc', decodeSource(Buffer.from(stdout, 'latin1'))), () => undefined).filter(
    (token) => token.kind !== 'end',
  );
  // Pragmas are directives here, and lines of the output there.
  const wanted = withoutPragmas(theirs.map(({ text, startsLine }) => ({ text, startsLine })));
  const ours = tokens.slice(0, -1).map(({ text }) => text);
  tokensCompared += ours.length;
  const at = ours.findIndex((text, i) => text !== wanted[i]);
  if (at < 0 && ours.length === wanted.length) {
    counts.same++;
    return;
  }
  counts.different++;
  const from = Math.max(0, (at < 0 ? ours.length : at) - 8);
  const span = tokens[at < 0 ? ours.length : at]!.span;
  console.log(
    `${path}: differs at ${span.file.path}:${span.file.position(span.start).line}\n  ours: ` +
      `${ours.slice(from, from + 20).join(' ')}\n  gcc:  ${wanted.slice(from, from + 20).join(' ')}`,
  );
}

function withoutPragmas(tokens: readonly { readonly text: string; readonly startsLine: boolean }[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < tokens.length;) {
    const { text, startsLine } = tokens[i]!;
    if (startsLine && text === '#' && tokens[i + 1]?.text === 'pragma') {
      for (i++; i < tokens.length && !tokens[i]!.startsLine; i++);
    } else {
      out.push(text);
      i++;
    }
  }
  return out;
}

function readFile(path: string): string | undefined {
  try {
    return decodeSource(readFileSync(path));
  } catch {
    return undefined;
  }
}
