/**
 * Robustness of everything from text to program: programs by the grammar alone, and damaged copies of real files. Each
 * must be accepted, or rejected with messages that have places; never a crash, an endless wait, or (with gcc) an
 * acceptance of what gcc calls an error.
 *
 *   node scripts/run-ts.js bench/fuzz-front-end.ts [inputs] [seed] [compare every nth accepted one with gcc; 0: none]
 *   [folders of C files to damage...]
 *
 * Prints every defect with the seed and number that make it, then the counts (and so far, after every thousand, to
 * stderr); ends with status 1 when there was one.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { accept } from '../test/c/fuzz/accept';
import { grammatical } from '../test/c/fuzz/grammar';
import { mutated } from '../test/c/fuzz/mutate';

const [inputs = '1000', seed = '1', nth = '0', ...folders] = process.argv.slice(2);
const root = join(__dirname, '..');
const sources =
  folders.length > 0
    ? folders
    : [
        join(root, 'test', 'differential', 'programs'),
        join(root, 'fixtures', 'programs'),
        join(root, 'src', 'c', 'library', 'string'),
      ];
const texts = sources.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.c'))
    .map((name) => readFileSync(join(folder, name), 'utf8')),
);
const random = fc.oneof({ weight: 1, arbitrary: grammatical }, { weight: 2, arbitrary: mutated(texts) });

const counts = { accepted: 0, rejected: 0, defect: 0, 'accepted against gcc': 0 };
const block = 1000;
for (let done = 0; done < Number(inputs); done += block) {
  const samples = fc.sample(random, { numRuns: Math.min(block, Number(inputs) - done), seed: Number(seed) + done });
  samples.forEach((text, i) => {
    const result = accept(text);
    counts[result.kind]++;
    const where = `seed ${Number(seed) + done}, number ${i}`;
    if (result.kind === 'defect') console.log(`${where}: ${result.what}\n${text}\n`);
    if (result.kind === 'accepted' && Number(nth) > 0 && counts.accepted % Number(nth) === 0) {
      const complaint = gccError(text);
      if (complaint !== undefined) {
        counts['accepted against gcc']++;
        console.log(`${where}: accepted, but gcc says ${complaint}\n${text}\n`);
      }
    }
  });
  console.error(said());
}
console.log(said());
process.exitCode = counts.defect > 0 ? 1 : 0;

function said(): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
}

function gccError(text: string): string | undefined {
  const { status, stderr } = spawnSync('gcc', ['-std=gnu11', '-w', '-fsyntax-only', '-x', 'c', '-'], {
    input: text,
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (/error: .*/.exec(stderr)?.[0] ?? stderr.slice(0, 200));
}
